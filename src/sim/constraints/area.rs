//! Area of triangles: the projection of a deformation gradient on the matrices that keep the area
//! in a range (Bouaziz et al. 2014, section 5.1).

use super::columns::{OnFours, Three, move_into_range, on_fours};
use super::strain::triangles;
use super::svd::FourSvds;
use super::{Chunk, Constraint, Elements};
use crate::sim::exec::simd::{F64x4, MaskF64x4, RegF64x4, vectorised};
use crate::sim::{Pattern, Real, Vec3};

/// Triangles keep their area within a range; their shape may change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Weight per area [J/m²].
    pub weight: Real,
    /// Least and largest area relative to that at rest.
    pub range: [Real; 2],
}

impl Area {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] = &[Self { weight: 300.0, range: [1.0, 1.0] }, Self { weight: 7.0, range: [0.8, 1.1] }];
}

impl Constraint for Area {
    fn weight(&self) -> Real {
        self.weight
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        triangles(pattern)
    }

    fn project(&self, chunk: &mut Chunk) {
        clamp_areas(chunk.values_mut(), self.range);
    }
}

/// The multiplier is found to this; it is of order one.
const TOLERANCE: Real = 4.0 * Real::EPSILON;
/// Bisection alone would need about this many steps; Newton's method takes four to seven.
const MOST_STEPS: usize = 120;

/// A matrix nearest to `f` (columns) with `σ₁ σ₂`, its area over the area at rest, in `low..=high`,
/// with `0 ≤ low ≤ high`. `f` itself where it is admissible. Where `σ₁ = σ₂ > 2 √high`, or where
/// `f` has rank one or zero, there are many nearest ones, and the choice among them follows
/// [`super::Svd::of`].
#[must_use]
pub fn clamp_area(f: [Vec3; 2], low: Real, high: Real) -> [Vec3; 2] {
    let mut values = f.map(F64x4::from_vec3);
    clamp_areas(&mut values, [low, high]);
    values.map(F64x4::to_vec3)
}

vectorised! {
    /// Clamps the area of matrices, two columns each.
    fn clamp_areas(columns: &mut [F64x4], range: [Real; 2]) = clamp_areas_either
}

#[inline(always)]
fn clamp_areas_either<const FMA: bool>(columns: &mut [F64x4], range: [Real; 2]) {
    on_fours::<FMA, 2>(columns, &Areas(range));
}

struct Areas([Real; 2]);

impl OnFours<2> for Areas {
    #[inline(always)]
    fn replace<const FMA: bool>(&self, f: &[Three<FMA>; 2]) -> Option<(MaskF64x4<FMA>, [Three<FMA>; 2])> {
        let svd = FourSvds::of(f);
        let area = svd.values[0] * svd.values[1];
        let changed = RegF64x4::splat(self.0[0]).above(area).or(area.above(RegF64x4::splat(self.0[1])));
        if !changed.any() {
            return None;
        }
        let mut values = svd.values;
        move_into_range(&mut values, area, self.0, nearest_with_product);
        Some((changed, svd.with(&values)))
    }
}

/// The point of `x y = c`, `x ≥ y ≥ 0`, nearest to `(a, b)`, `a ≥ b ≥ 0`.
///
/// With the multiplier `λ = 1 - t`, `x - a + λ y = 0` and `y - b + λ x = 0` make
/// `x + y = (a + b)/(2 - t)` and `x - y = (a - b)/t`, so that `x y = c` reads
/// `t (a + b) = (2 - t) √((a - b)² + 4 c t²)`. Exactly one root lies in 0..=2, and since the
/// Lagrangian is convex for `|λ| ≤ 1` it belongs to the nearest point of all. `t = 1` is `(a, b)`
/// itself.
fn nearest_with_product([a, b]: [Real; 2], c: Real) -> [Real; 2] {
    let scale = a.max(c.sqrt());
    let (sum, gap, side) = ((a + b) / scale, (a - b) / scale, 2.0 * c.sqrt() / scale);
    let (mut low, mut high) = (0.0, 2.0);
    let mut t: Real = 1.0;
    let mut last = high - low;
    for _ in 0..MOST_STEPS {
        let width = (gap * gap + side * side * t * t).sqrt();
        let value = t * sum - (2.0 - t) * width;
        if value > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let slope = sum + width - (2.0 - t) * side * side * t / width;
        let step = -value / slope;
        if step.abs() <= TOLERANCE {
            break;
        }
        // a step that leaves the bracket, or that does not halve the step before, or none at all
        // (0/0)
        let newton = low < t + step && t + step < high && 2.0 * step.abs() <= last;
        let next = if newton { t + step } else { (low + high) / 2.0 };
        last = (next - t).abs();
        if last == 0.0 {
            break;
        }
        t = next;
    }
    // either of the two unknowns follows from the multiplier, the other from x y = c: for small t
    // the difference is 0/0
    let (x_plus_y, x_minus_y) = if t < 0.5 {
        let plus = sum / (2.0 - t);
        (plus, (plus * plus - side * side).max(0.0).sqrt())
    } else {
        let minus = gap / t;
        (minus.hypot(side), minus)
    };
    let x = scale * (x_plus_y + x_minus_y) / 2.0;
    [x, c / x]
}
