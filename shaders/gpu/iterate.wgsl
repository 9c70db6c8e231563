// An iteration of a vertex (Jacobi's, with Chebyshev's recurrence), and its share of the energy.

fn advance(i: u32, place: vec4<f32>, own: vec4<f32>, pull: Pull) {
    if place.w == 0.0 {
        result[i] = own;
        return;
    }
    let next = own.xyz + place.w * force_on(own, own.xyz, constants[i], pull).force;
    result[i] = vec4<f32>(accelerated(next, i), own.w);
}

// What is left of the forces, and what inertia, contacts and pins add to the stiffness of the coarse levels.
fn leave(i: u32, place: vec4<f32>, own: vec4<f32>, pull: Pull) {
    if place.w == 0.0 {
        result[i] = vec4<f32>(vec3<f32>(0.0), stiffness_of(i));
        return;
    }
    let constant = constants[i];
    var stiffer = constant.w;
    var next = u32(own.w);
    while next > 0u {
        let touch = touches[next - 1u];
        stiffer += touch.normal.w;
        next = select(0u, next + 1u, touch.slid.w > 0.5);
    }
    result[i] = vec4<f32>(force_on(own, own.xyz, constant, pull).force, stiffer);
}

// Energy, the sum of its parts without their signs, and the square of the correction.
fn share_of(i: u32, place: vec4<f32>, own: vec4<f32>, pull: Pull) -> vec4<f32> {
    if place.w == 0.0 {
        return vec4<f32>(pull.energy, abs(pull.energy), 0.0, 0.0);
    }
    let sum = force_on(own, near[i].xyz, constants[i], pull);
    let correction = place.w * sum.force;
    return vec4<f32>(sum.energy, abs(sum.energy), dot(correction, correction), 0.0);
}

fn sum_up(share: vec4<f32>, thread: u32, group: u32) {
    let sum = sum_of_group(share, thread);
    if thread == 0u {
        result[group] = sum;
    }
}
