// What a device can do at most: a kernel that does nothing, and one that copies.

@group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> goal: array<vec4<f32>>;

@compute @workgroup_size(1)
fn nothing() {
}

@compute @workgroup_size(256)
fn copy(@builtin(global_invocation_id) at: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = at.y * groups.x * 256u + at.x;
    if i < arrayLength(&source) {
        goal[i] = source[i];
    }
}
