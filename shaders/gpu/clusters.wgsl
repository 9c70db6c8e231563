// Coarse levels of any cloth, by lists. Nodes are numbered after the vertices, level by level (`gpu/clusters.rs` on the host).

struct Level {
    // First node and number of nodes of the level; number of vertices.
    first: u32,
    count: u32,
    vertices: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read_write> forces: array<vec4<f32>>;
// By node: first of its list, stiffness [N/m] as bits.
@group(0) @binding(2) var<storage, read> nodes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> lists: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read> parents: array<vec2<u32>>;

@compute @workgroup_size(64)
fn collect(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x >= level.count {
        return;
    }
    let i = level.first + at.x;
    let node = i - level.vertices;
    var sum = vec4<f32>(0.0);
    for (var e = nodes[node].x; e < nodes[node + 1u].x; e++) {
        sum += bitcast<f32>(lists[e].y) * forces[lists[e].x];
    }
    forces[i] = sum;
}

@compute @workgroup_size(64)
fn combine(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x >= level.count {
        return;
    }
    let i = level.first + at.x;
    let own = forces[i];
    var correction = own.xyz / (bitcast<f32>(nodes[i - level.vertices].y) + own.w);
    for (var e = starts[i]; e < starts[i + 1u]; e++) {
        correction += bitcast<f32>(parents[e].y) * forces[parents[e].x].xyz;
    }
    forces[i] = vec4<f32>(correction, own.w);
}
