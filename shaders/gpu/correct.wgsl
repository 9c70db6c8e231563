// An iteration with coarse levels: the corrections of all levels together, relaxed, and Chebyshev's recurrence.

@group(0) @binding(0) var<uniform> cloth: Cloth;
@group(0) @binding(1) var<uniform> iteration: Iteration;
@group(0) @binding(2) var<uniform> level: Level;
@group(0) @binding(3) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> now: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> control: Control;
@group(0) @binding(6) var<storage, read> forces: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> result: array<vec4<f32>>;

// Two over the largest eigenvalue of all corrections together: 2.4 at most in sheets of any size, 3.4 where a part of the sheet lies on something.
const RELAXATION: f32 = 0.5;

@compute @workgroup_size(256)
fn correct(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    if i >= cloth.vertices {
        return;
    }
    let place = places[i];
    let own = now[i];
    if place.w == 0.0 {
        result[i] = own;
        return;
    }
    let here = vec2<u32>(i % level.fine.x, i / level.fine.x);
    let corner = here / 4u;
    let part = 0.25 * vec2<f32>(here % 4u);
    let other = min(corner + 1u, level.coarse.xy - 1u);
    let a = forces[level.coarse.z + corner.y * level.coarse.x + corner.x].xyz;
    let b = forces[level.coarse.z + corner.y * level.coarse.x + other.x].xyz;
    let c = forces[level.coarse.z + other.y * level.coarse.x + corner.x].xyz;
    let d = forces[level.coarse.z + other.y * level.coarse.x + other.x].xyz;
    let coarse = mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
    let next = own.xyz + RELAXATION * (place.w * forces[i].xyz + coarse);
    result[i] = vec4<f32>(accelerated(next, i), own.w);
}
