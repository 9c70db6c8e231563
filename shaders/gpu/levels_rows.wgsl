// Coarse levels of any cloth, by lists. Nodes are numbered after the vertices, level by level (`gpu/clusters.rs` on the host).

struct Level {
    // First node and number of nodes of the level; number of vertices.
    first: u32,
    count: u32,
    vertices: u32,
    unused: u32,
    // Number of the level, number of levels.
    order: vec4<u32>,
}

struct Slot {
    level: Level,
    unused: array<vec4<u32>, 14>,
}

@group(0) @binding(1) var<storage, read_write> forces: array<vec4<f32>>;
// By node: first of its list, stiffness [N/m] as bits.
@group(0) @binding(2) var<storage, read> nodes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> lists: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read> parents: array<vec2<u32>>;

fn nodes_of(level: Level) -> u32 {
    return level.count;
}

fn entry_of(level: Level, node: u32) -> u32 {
    return level.first + node;
}

// Every eighth of the list for each thread.
fn part_of(level: Level, node: u32, thread: u32) -> vec4<f32> {
    let own = level.first + node - level.vertices;
    var sum = vec4<f32>(0.0);
    for (var e = nodes[own].x + thread; e < nodes[own + 1u].x; e += 8u) {
        sum += bitcast<f32>(lists[e].y) * forces[lists[e].x];
    }
    return sum;
}

fn combined(level: Level, node: u32) -> vec4<f32> {
    let i = level.first + node;
    let own = forces[i];
    var correction = own.xyz / (bitcast<f32>(nodes[i - level.vertices].y) + own.w);
    for (var e = starts[i]; e < starts[i + 1u]; e++) {
        correction += bitcast<f32>(parents[e].y) * forces[parents[e].x].xyz;
    }
    return vec4<f32>(correction, own.w);
}
