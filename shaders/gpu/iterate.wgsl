// An iteration of a vertex (Jacobi's, with Chebyshev's recurrence), and its share of the energy.

// The correction of a plain iteration, and the energy in w, both of what the vertex itself sees.
fn force_on(own: vec4<f32>, constant: vec4<f32>, pull: Pull) -> Pull {
    let u = own.xyz;
    var sum = pull;
    sum.force += constant.xyz - constant.w * u;
    sum.energy += 0.5 * constant.w * dot(u, u) - dot(constant.xyz, u);
    var next = u32(own.w);
    while next > 0u {
        let touch = touches[next - 1u];
        let pressed = of_touch(touch, u);
        sum.force += pressed.force;
        sum.energy += pressed.energy;
        next = select(0u, next + 1u, touch.slid.w > 0.5);
    }
    return sum;
}

fn advance(i: u32, place: vec4<f32>, own: vec4<f32>, pull: Pull) {
    if place.w == 0.0 {
        result[i] = own;
        return;
    }
    let next = own.xyz + place.w * force_on(own, constants[i], pull).force;
    result[i] = vec4<f32>(accelerated(next, i), own.w);
}

// What is left of the forces, and what inertia, contacts and pins add to the stiffness of the coarse levels.
fn leave(i: u32, place: vec4<f32>, own: vec4<f32>, pull: Pull) {
    if place.w == 0.0 {
        let springs = cloth.springs;
        let of_all = 2.0 * (springs[0] + springs[1] + 2.0 * springs[2] + springs[3] + springs[4]);
        result[i] = vec4<f32>(vec3<f32>(0.0), of_all.x + of_all.z);
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
    result[i] = vec4<f32>(force_on(own, constant, pull).force, stiffer);
}

// Energy, the sum of its parts without their signs, and the square of the correction.
fn share_of(i: u32, place: vec4<f32>, own: vec4<f32>, pull: Pull) -> vec4<f32> {
    if place.w == 0.0 {
        return vec4<f32>(pull.energy, abs(pull.energy), 0.0, 0.0);
    }
    let sum = force_on(own, constants[i], pull);
    let correction = place.w * sum.force;
    return vec4<f32>(sum.energy, abs(sum.energy), dot(correction, correction), 0.0);
}

var<workgroup> shares: array<vec4<f32>, 256>;

// Always the same order: the same bits in every run.
fn sum_up(share: vec4<f32>, thread: u32, group: u32) {
    shares[thread] = share;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if thread < half {
            let a = shares[thread];
            let b = shares[thread + half];
            shares[thread] = vec4<f32>(a.xy + b.xy, max(a.z, b.z), 0.0);
        }
        workgroupBarrier();
    }
    if thread == 0u {
        result[group] = shares[0];
    }
}
