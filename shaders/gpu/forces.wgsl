// All that acts on a vertex beside its springs.

// The force on a vertex and its share of the energy, with the limits of friction as they are at `near`.
fn force_on(own: vec4<f32>, near: vec3<f32>, constant: vec4<f32>, pull: Pull) -> Pull {
    let u = own.xyz;
    var sum = pull;
    sum.force += constant.xyz - constant.w * u;
    sum.energy += 0.5 * constant.w * dot(u, u) - dot(constant.xyz, u);
    var next = u32(own.w);
    while next > 0u {
        let touch = touches[next - 1u];
        let pressed = of_touch(touch, u, near);
        sum.force += pressed.force;
        sum.energy += pressed.energy;
        next = select(0u, next + 1u, touch.slid.w > 0.5);
    }
    return sum;
}
