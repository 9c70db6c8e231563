// Forces are gathered from level to level, and corrections passed back.

@group(0) @binding(0) var<uniform> level: Level;
// All levels, of which there are 16 at most (`MOST_LEVELS` on the host).
@group(0) @binding(6) var<uniform> levels: array<Slot, 16>;

// Eight threads gather for a node.
const OF_NODE: u32 = 8u;
const NODES: u32 = 32u;
const THREADS: u32 = 256u;

var<workgroup> parts: array<vec4<f32>, 256>;

fn collect_nodes(level: Level, first: u32, thread: u32) {
    let node = first + thread / OF_NODE;
    let own = thread % OF_NODE;
    let is_there = node < nodes_of(level);
    parts[thread] = vec4<f32>(0.0);
    if is_there {
        parts[thread] = part_of(level, node, own);
    }
    workgroupBarrier();
    if is_there && own == 0u {
        var sum = parts[thread];
        for (var other = thread + 1u; other < thread + OF_NODE; other++) {
            sum += parts[other];
        }
        forces[entry_of(level, node)] = sum;
    }
    workgroupBarrier();
}

@compute @workgroup_size(256)
fn collect(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    collect_nodes(level, group.x * NODES, thread);
}

@compute @workgroup_size(256)
fn combine(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x < nodes_of(level) {
        forces[entry_of(level, at.x)] = combined(level, at.x);
    }
}

// All levels from this one on, which are small, in both directions, by one group: that takes less time than a dispatch for each.
@compute @workgroup_size(256)
fn descend(@builtin(local_invocation_index) thread: u32) {
    for (var at = level.order.x; at < level.order.y; at++) {
        let own = levels[at].level;
        for (var first = 0u; first < nodes_of(own); first += NODES) {
            collect_nodes(own, first, thread);
        }
        storageBarrier();
    }
    for (var at = level.order.y; at > level.order.x; at--) {
        let own = levels[at - 1u].level;
        for (var node = thread; node < nodes_of(own); node += THREADS) {
            forces[entry_of(own, node)] = combined(own, node);
        }
        storageBarrier();
    }
}
