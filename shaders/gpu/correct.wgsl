// An iteration with coarse levels: the corrections of all levels together, relaxed, and Chebyshev's recurrence.

@group(0) @binding(0) var<uniform> cloth: Cloth;
@group(0) @binding(1) var<uniform> iteration: Iteration;
@group(0) @binding(2) var<storage, read> places: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> now: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> control: Control;
@group(0) @binding(5) var<storage, read> forces: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> result: array<vec4<f32>>;

// Two over the largest eigenvalue of all corrections together: 2.4 at most in sheets of any size, 3.4 where a part of the sheet lies on something;
// no mesh was seen to exceed that.
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
    let next = own.xyz + RELAXATION * (place.w * forces[i].xyz + of_levels(i));
    result[i] = vec4<f32>(accelerated(next, i), own.w);
}
