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
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> entries: array<Entry>;
@group(0) @binding(5) var<storage, read_write> constants: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> first: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> second: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> best: array<vec4<f32>>;

fn begin_with(i: u32, pull: vec3<f32>) {
    let own = given[i];
    constants[i] = vec4<f32>(own.left.w * own.left.xyz + pull, own.left.w);
    first[i] = vec4<f32>(own.start.xyz, own.moved.w);
    best[i] = first[i];
    second[i] = vec4<f32>(own.other_start.xyz, own.moved.w);
}

@compute @workgroup_size(256)
fn begin_rows(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    if i >= cloth.vertices {
        return;
    }
    var pull = vec3<f32>(0.0);
    for (var e = starts[i]; e < starts[i + 1u]; e++) {
        let entry = entries[e];
        if entry.stiffness < 0.0 {
            pull -= entry.linear * (places[i].xyz - places[entry.neighbour].xyz);
        } else {
            pull -= entry.linear * (given[i].moved.xyz - given[entry.neighbour].moved.xyz);
        }
    }
    begin_with(i, pull);
}

fn damp(pull: ptr<function, vec3<f32>>, i: u32, column: i32, row: i32, spring: u32) {
    if column >= 0 && row >= 0 && column < i32(cloth.columns) && row < i32(cloth.rows) {
        let other = u32(row) * cloth.columns + u32(column);
        *pull -= cloth.springs[spring].z * (given[i].moved.xyz - given[other].moved.xyz);
    }
}

@compute @workgroup_size(256)
fn begin_grid(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    if i >= cloth.vertices {
        return;
    }
    let column = i32(i % cloth.columns);
    let row = i32(i / cloth.columns);
    var pull = vec3<f32>(0.0);
    damp(&pull, i, column, row - 1, 1u);
    damp(&pull, i, column - 1, row - 1, 2u);
    damp(&pull, i, column + 1, row - 1, 2u);
    damp(&pull, i, column, row - 2, 4u);
    damp(&pull, i, column - 1, row, 0u);
    damp(&pull, i, column - 2, row, 3u);
    damp(&pull, i, column + 1, row, 0u);
    damp(&pull, i, column + 2, row, 3u);
    damp(&pull, i, column, row + 1, 1u);
    damp(&pull, i, column - 1, row + 1, 2u);
    damp(&pull, i, column + 1, row + 1, 2u);
    damp(&pull, i, column, row + 2, 4u);
    begin_with(i, pull);
}
