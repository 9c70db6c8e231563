//! The weights of examples: the best of them for given products, a small quadratic problem over a
//! simplex.

use crate::sim::Real;

/// Most examples of a pattern.
pub const MOST_EXAMPLES: usize = 4;
/// `ρ`.
pub(super) const RHO: Real = 1e-8;
/// A weight is zero or the sum of all one but for rounding.
const SLACK: Real = 1e-12;

type Weights = [Real; MOST_EXAMPLES];

/// The `ω` of least `½ ωᵀ (K + ρ I) ω - bᵀ ω` with `ω_i ≥ 0` and `Σ ω_i ≤ 1`, of the first `count`
/// of both.
///
/// The least of all stationary points that are admissible: of every choice of weights that are not
/// zero, with `Σ ω_i = 1` and without.
#[must_use]
pub fn best_weights(k: &[Weights; MOST_EXAMPLES], b: &Weights, count: usize) -> Weights {
    let count = count.min(MOST_EXAMPLES);
    let (mut best, mut least) = ([0.0; MOST_EXAMPLES], 0.0);
    // the problem is convex: where no weight is wanted, none is best
    if b[..count].iter().all(|&pull| pull <= 0.0) {
        return best;
    }
    // an example that does not deform the element has no weight
    let acting = (0..count).filter(|&i| k[i][i] > 0.0).fold(0_u32, |acting, i| acting | 1 << i);
    for support in (1_u32..1 << count).filter(|support| support & !acting == 0) {
        for weights in stationary(k, b, support) {
            let sum: Real = weights.iter().sum();
            // a comparison with NaN fails
            let fits = |&weight: &Real| weight >= -SLACK;
            if !(weights.iter().all(fits) && sum <= 1.0 + SLACK) {
                continue;
            }
            let weights = weights.map(|weight| weight.max(0.0));
            let value = value(k, b, &weights);
            if value < least {
                (best, least) = (weights, value);
            }
        }
    }
    best
}

fn value(k: &[Weights; MOST_EXAMPLES], b: &Weights, w: &Weights) -> Real {
    let mut sum = 0.0;
    for (i, row) in k.iter().enumerate() {
        let product: Real = row.iter().zip(w).map(|(k, w)| k * w).sum();
        sum += 0.5 * w[i] * (product + RHO * w[i]) - b[i] * w[i];
    }
    sum
}

/// The stationary points with these weights not zero: without a condition on their sum, and with
/// the sum one. With `x = (K + ρ I)⁻¹ b` and `y = (K + ρ I)⁻¹ 1`, the second is
/// `x - y (Σ x - 1)/Σ y`.
fn stationary(k: &[Weights; MOST_EXAMPLES], b: &Weights, support: u32) -> [Weights; 2] {
    let mut places = [0; MOST_EXAMPLES];
    let mut size = 0;
    for at in (0..MOST_EXAMPLES).filter(|at| support >> at & 1 == 1) {
        places[size] = at;
        size += 1;
    }
    // factors of Cholesky, with the inverse of the diagonal, and both right-hand sides
    let mut l = [[0.0; MOST_EXAMPLES]; MOST_EXAMPLES];
    let (mut x, mut y) = ([0.0; MOST_EXAMPLES], [0.0; MOST_EXAMPLES]);
    for i in 0..size {
        for j in 0..=i {
            let known: Real = (0..j).map(|m| l[i][m] * l[j][m]).sum();
            let entry = k[places[i]][places[j]] - known;
            l[i][j] = if i == j { 1.0 / (entry + RHO).sqrt() } else { entry * l[j][j] };
        }
        let known = |of: &Weights| (0..i).map(|m| l[i][m] * of[m]).sum::<Real>();
        let (of_x, of_y) = (known(&x), known(&y));
        x[i] = (b[places[i]] - of_x) * l[i][i];
        y[i] = (1.0 - of_y) * l[i][i];
    }
    for i in (0..size).rev() {
        let known = |of: &Weights| (i + 1..size).map(|m| l[m][i] * of[m]).sum::<Real>();
        let (of_x, of_y) = (known(&x), known(&y));
        x[i] = (x[i] - of_x) * l[i][i];
        y[i] = (y[i] - of_y) * l[i][i];
    }
    let [sum_x, sum_y] = [&x, &y].map(|of| of[..size].iter().sum::<Real>());
    let beyond = (sum_x - 1.0) / sum_y;
    let (mut free, mut whole) = ([0.0; MOST_EXAMPLES], [0.0; MOST_EXAMPLES]);
    for i in 0..size {
        free[places[i]] = x[i];
        whole[places[i]] = x[i] - beyond * y[i];
    }
    [free, whole]
}
