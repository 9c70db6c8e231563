// The nodes of a level of a grid.

@group(0) @binding(1) var<storage, read_write> forces: array<vec4<f32>>;

struct Slot {
    level: Level,
    unused: array<vec4<u32>, 12>,
}

fn nodes_of(level: Level) -> u32 {
    return level.coarse.x * level.coarse.y;
}

fn entry_of(level: Level, node: u32) -> u32 {
    return level.coarse.z + node;
}

// A vertex of the finer level with its weight; beyond the border it has none.
fn weighed(level: Level, first: u32, column: i32, distance: i32) -> vec4<f32> {
    let last = i32(level.fine.x) - 1;
    let own = select(0.0, weight(distance), column >= 0 && column <= last);
    return own * forces[first + u32(clamp(column, 0, last))];
}

// A row of the hat for each thread.
fn part_of(level: Level, node: u32, thread: u32) -> vec4<f32> {
    let distance = i32(thread) - 3;
    let column = 4 * i32(node % level.coarse.x);
    let row = 4 * i32(node / level.coarse.x) + distance;
    if distance > 3 || row < 0 || row >= i32(level.fine.y) {
        return vec4<f32>(0.0);
    }
    let first = level.fine.z + u32(row) * level.fine.x;
    // written out, so that all are read at the same time
    var across = weighed(level, first, column - 3, -3);
    across += weighed(level, first, column - 2, -2);
    across += weighed(level, first, column - 1, -1);
    across += weighed(level, first, column, 0);
    across += weighed(level, first, column + 1, 1);
    across += weighed(level, first, column + 2, 2);
    across += weighed(level, first, column + 3, 3);
    return weight(distance) * across;
}

fn combined(level: Level, node: u32) -> vec4<f32> {
    let own = forces[level.coarse.z + node];
    var correction = own.xyz / (bitcast<f32>(level.coarse.w) + own.w);
    if level.next.x > 0u {
        correction += interpolated(vec2<u32>(node % level.coarse.x, node / level.coarse.x), level.next);
    }
    return vec4<f32>(correction, own.w);
}
