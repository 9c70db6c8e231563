// What all kernels of a step see.
//
// Positions are q = o + ŷ + u: an origin o near the cloth, the inertial target ŷ relative to it in single precision, and the unknown u, which
// also holds what single precision has left of the target. Differences of ŷ between neighbours are exact to their own last digit, so the
// length of a spring is as exact as if it were computed at the origin.

struct Cloth {
    vertices: u32,
    // Of a grid.
    columns: u32,
    rows: u32,
    // Number of groups that measure.
    groups: u32,
    // Of a grid, by direction: stiffness [N/m], rest length [m], damping over the step c/h [N/m].
    springs: array<vec4<f32>, 5>,
    // Least and largest stretch of triangles.
    range: vec4<f32>,
    // What `begin` is given: number of entries of a vertex; which one is the way that it moved, and which the state to start from, or 0.
    given: vec4<u32>,
}

struct Iteration {
    // Number in the step, from 0.
    index: u32,
    // 0 where a state that is worse is put back, 1 where the two starts are compared, 2 where the best state is measured because the limits of
    // friction have changed.
    judged: u32,
    // Plain iterations after the state was put back.
    calm: u32,
    // Growth of the energy that is rounding, relative to its parts.
    tolerance: f32,
}

struct Control {
    // 1 - ρ of Chebyshev's recurrence.
    gap: f32,
    // The iteration at which it begins.
    first: u32,
    // Lowest energy so far [J].
    best: f32,
    // Whether the next `settle` puts the best state back.
    back: u32,
    // How often that was so.
    times: u32,
    // Largest correction of a vertex that a plain iteration would make where the energy was measured last [m].
    correction: f32,
    // The energy that was measured last [J], and the sum of its parts without their signs.
    energy: f32,
    scale: f32,
}

// A spring of a vertex, or an entry of isometric bending, whose stiffness is -1.
struct Entry {
    neighbour: u32,
    // [N/m]
    stiffness: f32,
    // [m]
    rest: f32,
    // What multiplies the difference of the unknowns [N/m]: damping over the step, or bending.
    linear: f32,
}

// A vertex on a collider: it has to stay where n·(b - q) ≤ 0, or is held beside others (see `Contact` on the host).
struct Touch {
    // n, weight [N/m]
    normal: vec4<f32>,
    // b - o - ŷ [m], Coulomb friction
    point: vec4<f32>,
    // ŷ + o - x, less what the collider moves [m]; whether another of the same vertex follows
    slid: vec4<f32>,
    // Share of a load, divided by the weight [m]; 0 for a contact, 1 for a load, 2 for one that sticks
    load: vec4<f32>,
}

struct Pull {
    force: vec3<f32>,
    energy: f32,
}

fn of_spring(here: vec3<f32>, there: vec3<f32>, apart: vec3<f32>, spring: vec4<f32>) -> Pull {
    let d = (here - there) + apart;
    let length = sqrt(dot(d, d));
    let stretch = length - spring.y;
    let pull = select(0.0, spring.x * stretch / length, length > 0.0);
    let energy = 0.25 * (spring.x * stretch * stretch + spring.z * dot(apart, apart));
    return Pull(-pull * d - spring.z * apart, energy);
}

// At `u`, with the limit of friction that the depth at `near` gives: for the force both are the same, and energies can only be compared with
// one limit for both.
fn of_touch(touch: Touch, u: vec3<f32>, near: vec3<f32>) -> Pull {
    let n = touch.normal.xyz;
    let w = touch.normal.w;
    let gap = touch.point.xyz - u;
    let depth = dot(n, gap);
    if touch.load.w > 0.0 {
        let held = select(n * depth, gap, touch.load.w > 1.5);
        let half = 0.5 * dot(held, held) + dot(touch.load.xyz, gap);
        return Pull(w * (touch.load.xyz + held), w * half);
    }
    let pressed = max(depth, 0.0);
    let slid = u + touch.slid.xyz;
    let along = slid - n * dot(slid, n);
    let way = sqrt(dot(along, along));
    let limit = touch.point.w * max(dot(n, touch.point.xyz - near), 0.0);
    let back = along * select(1.0, limit / way, way > limit);
    let most = min(way, limit);
    return Pull(w * (n * pressed - back), w * (0.5 * pressed * pressed + most * way - 0.5 * most * most));
}
