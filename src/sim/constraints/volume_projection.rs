//! The nearest three numbers with a given product.

use crate::sim::Real;

/// The root is found when the product is right to this share of it, or when a step changes the
/// unknown by less: a few roundings.
const TOLERANCE: Real = 8.0 * Real::EPSILON;
/// Bisection alone would need about this many steps; Newton's method takes four to eight.
const MOST_STEPS: usize = 200;
/// Parts in which roots are looked for where there can be several.
const PARTS: usize = 32;

/// The positive `x` with `x₁ x₂ x₃ = t`, `t > 0`, nearest to `s`, `s₁ ≥ s₂ ≥ |s₃|`; one of them
/// where there are several.
///
/// It is stationary where `x_i (x_i - s_i) = μ` is the same for all. With `z = x₃` this gives
/// `μ = z (z - s₃)` and `x_i = (s_i + √(s_i² + 4 μ))/2` for the other two, and `ln x₁x₂x₃ = ln t`
/// is left for `z`. Where the product of `s` is too small there is one root, in `max(s₃, 0)..∛t`.
/// Where it is too large `s₃/2..s₃` holds at most one, and below there may be others, at which the
/// third number collapses; the nearest is taken.
pub(super) fn nearest_with_product(s: [Real; 3], t: Real) -> [Real; 3] {
    let product = s[0] * s[1] * s[2];
    let ends = |z: Real| point(s, z);
    if product < t {
        return ends(root(s, t, s[2].max(0.0), t.cbrt().max(s[2])));
    }
    let middle = 0.5 * s[2];
    let mut best: Option<(Real, [Real; 3])> = None;
    let mut offer = |z: Real| {
        let x = ends(z);
        let apart = (0..3).map(|k| (x[k] - s[k]).powi(2)).sum::<Real>();
        if best.is_none_or(|(least, _)| apart < least) {
            best = Some((apart, x));
        }
    };
    if excess(s, t, middle) <= 0.0 {
        offer(root(s, t, middle, s[2]));
    }
    if product > 2.0 * t {
        let place = |part: usize| middle * part as Real / PARTS as Real;
        for part in 0..PARTS {
            let (low, high) = (place(part), place(part + 1));
            let below = part == 0 || excess(s, t, low) <= 0.0;
            if below && excess(s, t, high) > 0.0 {
                offer(root(s, t, low, high));
            }
        }
    }
    best.map_or_else(|| ends(middle), |(_, x)| x)
}

/// The stationary point with this third number.
fn point([s1, s2, s3]: [Real; 3], z: Real) -> [Real; 3] {
    let mu = z * (z - s3);
    let other = |s: Real| 0.5 * (s + (s * s + 4.0 * mu).max(0.0).sqrt());
    [other(s1), other(s2), z]
}

/// `ln x₁x₂x₃ - ln t` at the stationary point with this third number.
fn excess(s: [Real; 3], t: Real, z: Real) -> Real {
    let [x1, x2, x3] = point(s, z);
    (x1 / t * x2 * x3).ln()
}

/// A root of the excess between `low`, where it is not positive, and `high`, where it is not
/// negative.
fn root(s: [Real; 3], t: Real, mut low: Real, mut high: Real) -> Real {
    let mut z = if low > 0.0 { 0.5 * (low + high) } else { high };
    for _ in 0..MOST_STEPS {
        let [x1, x2, _] = point(s, z);
        let value = excess(s, t, z);
        if value.abs() <= TOLERANCE {
            return z;
        }
        if value > 0.0 {
            high = z;
        } else {
            low = z;
        }
        let mu = z * (z - s[2]);
        let radius = |s: Real| (s * s + 4.0 * mu).max(0.0).sqrt();
        let slope = 1.0 / z + (2.0 * z - s[2]) * (1.0 / (x1 * radius(s[0])) + 1.0 / (x2 * radius(s[1])));
        let newton = z - value / slope;
        // a step that leaves the bracket, or none at all (0/0)
        let next = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        if (next - z).abs() <= TOLERANCE * z {
            return next;
        }
        z = next;
    }
    z
}
