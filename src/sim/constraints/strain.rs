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
use crate::sim::pattern::{Element, warps};
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
    for element in elements(pattern) {
        let [first, second] = element.rows();
        let entries = (0..3).map(|corner| (element.vertices[corner], [first[corner], second[corner]]));
        triangles.push(entries, element.area, &[]);
    }
    triangles
}

/// The triangles of the cloth, without those of no area, each with its first axis along its
/// [warp](Pattern::warp_of).
#[must_use]
pub fn elements(pattern: &Pattern) -> Vec<Element> {
    let (rest, pieces, warps) = (pattern.rest_positions(), pattern.piece_of_vertices(), warps(pattern));
    let element = |number: u32| {
        let triangle = pattern.triangles()[number as usize];
        let warp = pattern.warp_of(number as usize, pieces[triangle[0] as usize] as usize, &warps);
        Element::of_rest(triangle, triangle.map(|vertex| rest[vertex as usize]), warp)
    };
    (0..pattern.triangles().len() as u32).filter(|number| pattern.is_cloth(*number)).filter_map(element).collect()
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
