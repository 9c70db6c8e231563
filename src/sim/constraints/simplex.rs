//! The weights of examples: the best of them for given products, a small quadratic problem over a simplex.

use crate::sim::Real;

/// Most examples of a pattern.
pub const MOST_EXAMPLES: usize = 4;
/// `ρ`.
pub(super) const RHO: Real = 1e-8;
/// A weight is zero or the sum of all one but for rounding.
const SLACK: Real = 1e-12;

/// The `ω` of least `½ ωᵀ (K + ρ I) ω - bᵀ ω` with `ω_i ≥ 0` and `Σ ω_i ≤ 1`, of the first `count` of both.
///
/// The least of all stationary points that are admissible: of every choice of weights that are not zero, with `Σ ω_i = 1` and without.
#[must_use]
pub fn best_weights(
    k: &[[Real; MOST_EXAMPLES]; MOST_EXAMPLES],
    b: &[Real; MOST_EXAMPLES],
    count: usize,
) -> [Real; MOST_EXAMPLES] {
    let count = count.min(MOST_EXAMPLES);
    let value = |w: &[Real; MOST_EXAMPLES]| {
        let row = |i: usize| 0.5 * w[i] * ((0..count).map(|j| k[i][j] * w[j]).sum::<Real>() + RHO * w[i]) - b[i] * w[i];
        (0..count).map(row).sum::<Real>()
    };
    let (mut best, mut least) = ([0.0; MOST_EXAMPLES], 0.0);
    for support in 1_u32..1 << count {
        for whole in [false, true] {
            let Some(weights) = stationary(k, b, support, whole) else { continue };
            let sum: Real = weights.iter().sum();
            if weights.iter().any(|&weight| weight < -SLACK) || sum > 1.0 + SLACK {
                continue;
            }
            let weights = weights.map(|weight| weight.max(0.0));
            let value = value(&weights);
            if value < least {
                (best, least) = (weights, value);
            }
        }
    }
    best
}

/// The stationary point with these weights not zero, and with their sum one if `whole`: by elimination with pivots.
fn stationary(
    k: &[[Real; MOST_EXAMPLES]; MOST_EXAMPLES],
    b: &[Real; MOST_EXAMPLES],
    support: u32,
    whole: bool,
) -> Option<[Real; MOST_EXAMPLES]> {
    const SIZE: usize = MOST_EXAMPLES + 1;
    let mut places = [0; MOST_EXAMPLES];
    let mut count = 0;
    for at in (0..MOST_EXAMPLES).filter(|at| support >> at & 1 == 1) {
        places[count] = at;
        count += 1;
    }
    let size = count + usize::from(whole);
    let mut rows = [[0.0; SIZE + 1]; SIZE];
    for i in 0..count {
        for j in 0..count {
            rows[i][j] = k[places[i]][places[j]];
        }
        rows[i][i] += RHO;
        rows[i][size] = b[places[i]];
        if whole {
            rows[i][count] = 1.0;
            rows[count][i] = 1.0;
        }
    }
    if whole {
        rows[count][size] = 1.0;
    }
    for column in 0..size {
        let pivot = (column..size).max_by(|&p, &q| rows[p][column].abs().total_cmp(&rows[q][column].abs()))?;
        rows.swap(column, pivot);
        let top = rows[column];
        if top[column] == 0.0 {
            return None;
        }
        for row in rows.iter_mut().take(size).skip(column + 1) {
            let factor = row[column] / top[column];
            row.iter_mut().zip(top).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    let mut solution = [0.0; SIZE];
    for at in (0..size).rev() {
        let known: Real = (at + 1..size).map(|other| rows[at][other] * solution[other]).sum();
        solution[at] = (rows[at][size] - known) / rows[at][at];
    }
    let mut weights = [0.0; MOST_EXAMPLES];
    (0..count).for_each(|at| weights[places[at]] = solution[at]);
    weights.iter().all(|weight| weight.is_finite()).then_some(weights)
}
