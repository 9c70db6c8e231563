// The springs of a vertex of a whole grid: its neighbours are known, and a tile of them is read once into the memory of the group.

@group(0) @binding(0) var<uniform> cloth: Cloth;
@group(0) @binding(1) var<uniform> iteration: Iteration;
@group(0) @binding(2) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> constants: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> now: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> touches: array<Touch>;
@group(0) @binding(6) var<storage, read> control: Control;
@group(0) @binding(9) var<storage, read_write> result: array<vec4<f32>>;
// Where the limits of friction are taken for the energy.
@group(0) @binding(10) var<storage, read> near: array<vec4<f32>>;

// 16 × 16 vertices, and the two beside them on every side
var<workgroup> tile_places: array<vec4<f32>, 400>;
var<workgroup> tile_now: array<vec4<f32>, 400>;

fn fill_tile(group: vec3<u32>, thread: u32) {
    let corner = vec2<i32>(group.xy) * 16 - 2;
    for (var t = thread; t < 400u; t += 256u) {
        let at = corner + vec2<i32>(i32(t % 20u), i32(t / 20u));
        if at.x >= 0 && at.y >= 0 && at.x < i32(cloth.columns) && at.y < i32(cloth.rows) {
            let i = u32(at.y) * cloth.columns + u32(at.x);
            tile_places[t] = places[i];
            tile_now[t] = now[i];
        }
    }
    workgroupBarrier();
}

fn of_neighbour(sum: ptr<function, Pull>, t: u32, other: u32, spring: vec4<f32>) {
    let apart = tile_now[t].xyz - tile_now[other].xyz;
    let pull = of_spring(tile_places[t].xyz, tile_places[other].xyz, apart, spring);
    (*sum).force += pull.force;
    (*sum).energy += pull.energy;
}

fn of_vertex(at: vec2<u32>, t: u32) -> Pull {
    var sum = Pull(vec3<f32>(0.0), 0.0);
    let left = at.x > 0u;
    let up = at.y > 0u;
    let right = at.x + 1u < cloth.columns;
    let down = at.y + 1u < cloth.rows;
    if up {
        of_neighbour(&sum, t, t - 20u, cloth.springs[1]);
        if left { of_neighbour(&sum, t, t - 21u, cloth.springs[2]); }
        if right { of_neighbour(&sum, t, t - 19u, cloth.springs[2]); }
        if at.y > 1u { of_neighbour(&sum, t, t - 40u, cloth.springs[4]); }
    }
    if left {
        of_neighbour(&sum, t, t - 1u, cloth.springs[0]);
        if at.x > 1u { of_neighbour(&sum, t, t - 2u, cloth.springs[3]); }
    }
    if right {
        of_neighbour(&sum, t, t + 1u, cloth.springs[0]);
        if at.x + 2u < cloth.columns { of_neighbour(&sum, t, t + 2u, cloth.springs[3]); }
    }
    if down {
        of_neighbour(&sum, t, t + 20u, cloth.springs[1]);
        if left { of_neighbour(&sum, t, t + 19u, cloth.springs[2]); }
        if right { of_neighbour(&sum, t, t + 21u, cloth.springs[2]); }
        if at.y + 2u < cloth.rows { of_neighbour(&sum, t, t + 40u, cloth.springs[4]); }
    }
    return sum;
}

@compute @workgroup_size(16, 16)
fn iterate(
    @builtin(global_invocation_id) at: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    fill_tile(group, thread);
    if at.x >= cloth.columns || at.y >= cloth.rows {
        return;
    }
    let t = (local.y + 2u) * 20u + local.x + 2u;
    advance(at.y * cloth.columns + at.x, tile_places[t], tile_now[t], of_vertex(at.xy, t));
}

@compute @workgroup_size(16, 16)
fn measure(
    @builtin(global_invocation_id) at: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    fill_tile(group, thread);
    var share = vec4<f32>(0.0);
    if at.x < cloth.columns && at.y < cloth.rows {
        let t = (local.y + 2u) * 20u + local.x + 2u;
        share = share_of(at.y * cloth.columns + at.x, tile_places[t], tile_now[t], of_vertex(at.xy, t));
    }
    sum_up(share, thread, group.y * groups.x + group.x);
}

@compute @workgroup_size(16, 16)
fn residual(
    @builtin(global_invocation_id) at: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    fill_tile(group, thread);
    if at.x >= cloth.columns || at.y >= cloth.rows {
        return;
    }
    let t = (local.y + 2u) * 20u + local.x + 2u;
    leave(at.y * cloth.columns + at.x, tile_places[t], tile_now[t], of_vertex(at.xy, t));
}

// Of all springs of a vertex, at most [N/m].
fn stiffness_of(i: u32) -> f32 {
    let springs = cloth.springs;
    let of_all = 2.0 * (springs[0] + springs[1] + 2.0 * springs[2] + springs[3] + springs[4]);
    return of_all.x + of_all.z;
}
