// Sums over a group, always in the same order: the same bits in every run.

var<workgroup> shares: array<vec4<f32>, 256>;

// Of x and y the sums of all shares, of z the largest; for thread 0.
fn sum_of_group(share: vec4<f32>, thread: u32) -> vec4<f32> {
    shares[thread] = share;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if thread < half {
            shares[thread] = joined(shares[thread], shares[thread + half]);
        }
        workgroupBarrier();
    }
    return shares[0];
}

fn joined(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.xy + b.xy, max(a.z, b.z), 0.0);
}
