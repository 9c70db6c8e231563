// Coarse levels of a grid: every fourth vertex, with bilinear hats around it (Bramble, Pasciak, Xu 1990).
//
// A level has what is left of the forces in xyz, and in w how much inertia, contacts and pins add to the stiffness of its hats. From fine to coarse both
// are gathered; from coarse to fine every level adds its own correction to that of the coarser ones.

struct Level {
    // Columns, rows and first vertex.
    fine: vec4<u32>,
    // Likewise, and the stiffness of a hat [N/m] as bits.
    coarse: vec4<u32>,
    // Likewise of the next coarser level; no columns if there is none.
    next: vec4<u32>,
    // Number of the level, number of levels.
    order: vec4<u32>,
}

fn weight(distance: i32) -> f32 {
    return 1.0 - 0.25 * f32(abs(distance));
}

// What a level, of these columns, rows and first vertex, has at a place of the finer one.
fn interpolated(place: vec2<u32>, coarse: vec4<u32>) -> vec3<f32> {
    let corner = place / 4u;
    let part = 0.25 * vec2<f32>(place % 4u);
    let other = min(corner + 1u, coarse.xy - 1u);
    let a = forces[coarse.z + corner.y * coarse.x + corner.x].xyz;
    let b = forces[coarse.z + corner.y * coarse.x + other.x].xyz;
    let c = forces[coarse.z + other.y * coarse.x + corner.x].xyz;
    let d = forces[coarse.z + other.y * coarse.x + other.x].xyz;
    return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}
