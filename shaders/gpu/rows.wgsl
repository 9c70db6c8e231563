// Iterations and sums over cloth whose springs and triangles are rows of entries.

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

fn of_vertex(i: u32, here: vec3<f32>, u: vec3<f32>) -> Pull {
    var sum = Pull(vec3<f32>(0.0), 0.0);
    let springs = springs_of(i);
    for (var e = springs.x; e < springs.y; e++) {
        let entry = entries[e];
        let apart = u - now[entry.neighbour].xyz;
        if entry.stiffness < 0.0 {
            sum.force -= entry.linear * apart;
            sum.energy += 0.25 * entry.linear * dot(apart, apart);
        } else {
            let spring = vec4<f32>(entry.stiffness, entry.rest, entry.linear, 0.0);
            let pull = of_spring(here, places[entry.neighbour].xyz, apart, spring);
            sum.force += pull.force;
            sum.energy += pull.energy;
        }
    }
    let corners = corners_of(i);
    for (var e = corners.x; e < corners.y; e += 2u) {
        let corner = corner_at(i, e);
        let pull = of_stretch(corner.weight, stretch_of(corner, u));
        sum.force += pull.force;
        sum.energy += pull.energy;
    }
    return sum;
}

@compute @workgroup_size(256)
fn iterate(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    if i >= cloth.vertices {
        return;
    }
    let place = places[i];
    let own = now[i];
    advance(i, place, own, of_vertex(i, place.xyz, own.xyz));
}

@compute @workgroup_size(256)
fn measure(
    @builtin(global_invocation_id) at: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let i = at.x;
    var share = vec4<f32>(0.0);
    if i < cloth.vertices {
        let place = places[i];
        let own = now[i];
        share = share_of(i, place, own, of_vertex(i, place.xyz, own.xyz));
    }
    sum_up(share, thread, group.x);
}

@compute @workgroup_size(256)
fn residual(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    if i >= cloth.vertices {
        return;
    }
    let place = places[i];
    let own = now[i];
    leave(i, place, own, of_vertex(i, place.xyz, own.xyz));
}

// Of all springs and triangles of a vertex [N/m].
fn stiffness_of(i: u32) -> f32 {
    var sum = 0.0;
    let springs = springs_of(i);
    for (var e = springs.x; e < springs.y; e++) {
        sum += max(entries[e].stiffness, 0.0) + abs(entries[e].linear);
    }
    let corners = corners_of(i);
    for (var e = corners.x; e < corners.y; e += 2u) {
        let corner = corner_at(i, e);
        let own = own_coefficients(corner);
        sum += corner.weight * dot(own, own);
    }
    return sum;
}
