//! Strain of triangles: the deformation gradient `F = D_s D_m⁻¹` (3×2) and its projection on the
//! admissible ones (Bouaziz et al. 2014, section 5.1; Wang, O'Brien and Ramamoorthi 2010 for strain
//! limits).
//!
//! `D_s` has the two edges from the first vertex as columns, `D_m` the same edges at rest, in the
//! plane of the triangle. The columns of `F` are the images of the unit vectors along the first and
//! the second axis of that plane; they are linear in the positions. Energy `w/2 · area |F - p|²`
//! with `w` in N/m.

use super::columns::{OnFours, Three, on_fours};
use super::svd::{FourSvds, Svd};
use super::{Chunk, Constraint, Elements};
use crate::sim::exec::simd::{F64x4, MaskF64x4, RegF64x4, vectorised};
use crate::sim::{Pattern, Real, Vec3};

/// Triangles keep their shape within limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleStrain {
    /// Weight per area [J/m²].
    pub weight: Real,
    /// Admissible strain.
    pub limits: Limits,
}

/// The admissible strain of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limits {
    /// Both singular values of the deformation gradient lie in this range.
    Isotropic([Real; 2]),
    /// Warp, weft and shear have ranges of their own.
    Anisotropic(StrainLimits),
}

impl TriangleStrain {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] = &[
        Self { weight: 300.0, limits: Limits::Isotropic([1.0, 1.0]) },
        Self { weight: 7.0, limits: Limits::Isotropic([0.9, 1.1]) },
        Self {
            weight: 300.0,
            limits: Limits::Anisotropic(StrainLimits { warp: [0.9, 1.1], weft: [0.7, 1.0], shear: [-0.1, 0.1] }),
        },
    ];
}

impl Constraint for TriangleStrain {
    fn weight(&self) -> Real {
        self.weight
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        triangles(pattern)
    }

    fn project(&self, chunk: &mut Chunk) {
        match &self.limits {
            Limits::Isotropic(range) => clamp_strains(chunk.values_mut(), *range),
            Limits::Anisotropic(limits) => chunk.project_each(|f, _| clamp_anisotropic(f, limits)),
        }
    }

    fn is_nearest(&self) -> bool {
        matches!(self.limits, Limits::Isotropic(_))
    }
}

/// The triangles with the two columns of `F` as rows and the area as measure [m²].
pub(super) fn triangles(pattern: &Pattern) -> Elements {
    let mut triangles = Elements::new(2, 0);
    for element in elements(pattern, pattern.warp()) {
        let [first, second] = element.rows();
        let entries = (0..3).map(|corner| (element.vertices[corner], [first[corner], second[corner]]));
        triangles.push(entries, element.area, &[]);
    }
    triangles
}

/// A triangle of the rest shape, ready for measuring its strain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element {
    /// The vertices `a`, `b`, `c`.
    pub vertices: [u32; 3],
    /// `D_m⁻¹` [1/m] by rows: `[[row 0], [row 1]]`, with `D_m = (b - a, c - a)` by columns in the
    /// rest frame. The frame's first axis (warp) is a given direction projected on the triangle's
    /// plane; the second (weft) follows a quarter turn later about the triangle's normal.
    pub inverse: [[Real; 2]; 2],
    /// Area at rest [m²].
    pub area: Real,
}

impl Element {
    /// The triangle `vertices` with the rest positions `rest` [m], its first axis along `warp`, or
    /// along the first edge where `warp` is normal to the triangle. `None` where the triangle has
    /// no area to speak of.
    ///
    /// Neighbours of opposite winding have opposite second axes; that turns the sign of shear, and
    /// nothing else.
    #[must_use]
    pub fn of_rest(vertices: [u32; 3], rest: [Vec3; 3], warp: Vec3) -> Option<Self> {
        let normal = normal(rest)?;
        let area = normal.length() / 2.0;
        let normal = normal.normalize();
        let [b, c] = [rest[1] - rest[0], rest[2] - rest[0]];
        let along = warp.reject_from_normalized(normal);
        let first = if along.length() > 1e-6 * warp.length() { along.normalize() } else { b.normalize() };
        let second = normal.cross(first);
        let determinant = 2.0 * area;
        let inverse = [
            [second.dot(c) / determinant, -first.dot(c) / determinant],
            [-second.dot(b) / determinant, first.dot(b) / determinant],
        ];
        Some(Self { vertices, inverse, area })
    }

    /// The two rows [1/m]: the coefficients of the vertices in the first and in the second column
    /// of `F`.
    #[must_use]
    pub fn rows(&self) -> [[Real; 3]; 2] {
        let [b, c] = self.inverse;
        [0, 1].map(|column| [-(b[column] + c[column]), b[column], c[column]])
    }
}

/// Height of a triangle over its longest edge below which it has no area to speak of. A deformation
/// gradient is found by dividing by the height, so the matrix would have entries beside which the
/// others are lost in rounding.
const FLAT: Real = 5e-7;

/// Twice the area [m²] along the normal of a triangle; `None` when there is none to speak of.
pub(super) fn normal([a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let normal = (b - a).cross(c - a);
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    (normal.length() > FLAT * longest).then_some(normal)
}

/// The triangles of the cloth, without those of no area, all with their first axis along `warp`.
#[must_use]
pub fn elements(pattern: &Pattern, warp: Vec3) -> Vec<Element> {
    let rest = pattern.rest_positions();
    let element = |triangle: [u32; 3]| Element::of_rest(triangle, triangle.map(|vertex| rest[vertex as usize]), warp);
    pattern.cloth_triangles().filter_map(element).collect()
}

/// The matrix nearest to `f` (columns) whose singular values are in `low..=high`, with
/// `0 ≤ low ≤ high`: each singular value is clamped. Both 1 keep lengths and angles. `f` itself
/// where it is admissible. Where `f` has rank one or zero there are many nearest matrices, and the
/// choice among them follows [`Svd::of`].
#[must_use]
pub fn clamp_strain(f: [Vec3; 2], low: Real, high: Real) -> [Vec3; 2] {
    let mut values = f.map(F64x4::from_vec3);
    clamp_strains(&mut values, [low, high]);
    values.map(F64x4::to_vec3)
}

vectorised! {
    /// Clamps the strain of matrices, two columns each.
    pub(super) fn clamp_strains(columns: &mut [F64x4], range: [Real; 2]) = clamp_strains_either
}

#[inline(always)]
fn clamp_strains_either<const FMA: bool>(columns: &mut [F64x4], range: [Real; 2]) {
    on_fours::<FMA, 2>(columns, &Strains(range));
}

struct Strains([Real; 2]);

impl OnFours<2> for Strains {
    #[inline(always)]
    fn replace<const FMA: bool>(&self, f: &[Three<FMA>; 2]) -> Option<(MaskF64x4<FMA>, [Three<FMA>; 2])> {
        let (low, high) = (RegF64x4::splat(self.0[0]), RegF64x4::splat(self.0[1]));
        let svd = FourSvds::of(f);
        let [s1, s2] = svd.values;
        // the first is the larger
        let changed = low.above(s2).or(s1.above(high));
        if !changed.any() {
            return None;
        }
        Some((changed, svd.with(&[s1.max(low).min(high), s2.max(low).min(high)])))
    }
}

/// Ranges of the stretch `S` in the polar decomposition `F = R S`, where `R` has orthonormal
/// columns and `S` is symmetric and positive semidefinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrainLimits {
    /// Least and largest stretch `S₁₁` along the first axis; 1 is the rest length.
    pub warp: [Real; 2],
    /// Least and largest stretch `S₂₂` along the second axis.
    pub weft: [Real; 2],
    /// Least and largest shear `S₁₂`; 0 is a right angle.
    pub shear: [Real; 2],
}

/// A matrix near `f` whose stretch is within `limits`, which must not be negative for warp and
/// weft: `R S'` with the entries of `S` clamped one by one. This is an admissible point, not the
/// nearest one. `f` itself where it is admissible.
///
/// A clamped `S` can be a stretch of no matrix (`S₁₂² > S₁₁ S₂₂`) when the shear range is wider
/// than both least stretches; its shear is then reduced until it is one, which stays in any range
/// that contains 0.
#[must_use]
pub fn clamp_anisotropic(f: [Vec3; 2], limits: &StrainLimits) -> [Vec3; 2] {
    let svd = Svd::of(f);
    let entry = |i: usize, j: usize| (0..2).map(|k| svd.values[k] * svd.right[k][i] * svd.right[k][j]).sum::<Real>();
    let clamp = |value: Real, [low, high]: [Real; 2]| value.max(low).min(high);
    let stretch = [entry(0, 0), entry(1, 1), entry(0, 1)];
    let warp = clamp(stretch[0], limits.warp);
    let weft = clamp(stretch[1], limits.weft);
    let shear = clamp(stretch[2], limits.shear);
    if [warp, weft, shear] == stretch {
        return f;
    }
    let most = warp.sqrt() * weft.sqrt();
    let shear = clamp(shear, [-most, most]);
    let [r1, r2] = svd.with([1.0, 1.0]);
    [r1 * warp + r2 * shear, r1 * shear + r2 * weft]
}
