// An iteration with coarse levels by lists: the corrections of all levels together, relaxed, and Chebyshev's recurrence.

@group(0) @binding(0) var<uniform> cloth: Cloth;
@group(0) @binding(1) var<uniform> iteration: Iteration;
@group(0) @binding(2) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> now: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> control: Control;
@group(0) @binding(5) var<storage, read> forces: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> starts: array<u32>;
@group(0) @binding(7) var<storage, read> parents: array<vec2<u32>>;
@group(0) @binding(8) var<storage, read_write> result: array<vec4<f32>>;

// Two over the largest eigenvalue of all corrections together, which meshes were not seen to exceed.
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
    var correction = place.w * forces[i].xyz;
    for (var e = starts[i]; e < starts[i + 1u]; e++) {
        correction += bitcast<f32>(parents[e].y) * forces[parents[e].x].xyz;
    }
    result[i] = vec4<f32>(accelerated(own.xyz + RELAXATION * correction, i), own.w);
}
