// Chebyshev's recurrence: from the last two states and what a plain iteration makes of the last one.

fn omega(control: Control, index: u32) -> f32 {
    if index <= control.first {
        return 1.0;
    }
    // ω_k = 2 T_{k-1}(1/ρ) / (ρ T_k(1/ρ)), with the k-th polynomial of Chebyshev by β = (1 - √(1 - ρ²))/ρ
    let radius = 1.0 - control.gap;
    let beta = (1.0 - sqrt(control.gap * (2.0 - control.gap))) / radius;
    let power = exp2(2.0 * f32(index - control.first) * log2(beta));
    return 2.0 * beta / radius * (1.0 + power) / (1.0 + power * beta * beta);
}

fn accelerated(next: vec3<f32>, i: u32) -> vec3<f32> {
    let weight = omega(control, iteration.index);
    if weight == 1.0 {
        return next;
    }
    let before = result[i].xyz;
    return before + weight * (next - before);
}
