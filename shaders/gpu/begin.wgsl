// The beginning of a step, vertex by vertex: the part of the forces that iterations do not change, and two states to start from.

struct Given {
    // What single precision has left of the target [m], and m/h² [N/m].
    left: vec4<f32>,
    // From where the vertex was to ŷ [m]; the first of its contacts, from 1, or 0.
    moved: vec4<f32>,
    // States to start from [m].
    start: vec4<f32>,
    other_start: vec4<f32>,
}

@group(0) @binding(0) var<uniform> cloth: Cloth;
@group(0) @binding(1) var<storage, read> given: array<Given>;
@group(0) @binding(2) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> constants: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> first: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> second: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> best: array<vec4<f32>>;

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    if i >= cloth.vertices {
        return;
    }
    let own = given[i];
    var pull = vec3<f32>(0.0);
    let springs = springs_of(i);
    for (var e = springs.x; e < springs.y; e++) {
        let spring = spring_at(i, e);
        if spring.stiffness < 0.0 {
            pull -= spring.linear * (places[i].xyz - places[spring.neighbour].xyz);
        } else {
            pull -= spring.linear * (own.moved.xyz - given[spring.neighbour].moved.xyz);
        }
    }
    constants[i] = vec4<f32>(own.left.w * own.left.xyz + pull, own.left.w);
    first[i] = vec4<f32>(own.start.xyz, own.moved.w);
    best[i] = first[i];
    second[i] = vec4<f32>(own.other_start.xyz, own.moved.w);
}
