//! Strain and volume of tetrahedra: the deformation gradient `F = D_s D_m⁻¹` (3×3) and its
//! projections on the admissible ones (Bouaziz et al. 2014, section 5.2; `physics.md` section 9).
//!
//! `D_s` has the three edges from the first vertex as columns, `D_m` the same edges at rest. Energy
//! `w/2 · volume |F - p|²` with `w` in J/m³. Both projections keep the rotations of the signed
//! singular values ([`super::SignedSvd`]) and change the values: an inverted element, whose last
//! value is negative, recovers its orientation.

use super::columns::{OnFours, Three, move_into_range, on_fours};
use super::signed_svd::FourSignedSvds;
use super::volume_projection::nearest_with_product;
use super::{Chunk, Constraint, Elements};
use crate::sim::exec::simd::{F64x4, MaskF64x4, RegF64x4, vectorised};
use crate::sim::pattern::Tetrahedron;
use crate::sim::{Pattern, Real, Vec3};

/// Tetrahedra keep their shape within limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetrahedralStrain {
    /// Weight per volume [J/m³].
    pub weight: Real,
    /// Least and largest singular value of the deformation gradient, the least above zero.
    pub range: [Real; 2],
}

/// Tetrahedra keep their volume within limits; their shape may change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Volume {
    /// Weight per volume [J/m³].
    pub weight: Real,
    /// Least and largest volume relative to that at rest, the least above zero.
    pub range: [Real; 2],
}

impl TetrahedralStrain {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] = &[Self { weight: 3e4, range: [1.0, 1.0] }, Self { weight: 700.0, range: [0.9, 1.1] }];
}

impl Volume {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] = &[Self { weight: 3e4, range: [1.0, 1.0] }, Self { weight: 700.0, range: [0.8, 1.1] }];
}

impl Constraint for TetrahedralStrain {
    fn weight(&self) -> Real {
        self.weight
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        tetrahedra(pattern)
    }

    fn project(&self, chunk: &mut Chunk) {
        clamp_strains(chunk.values_mut(), self.range);
    }
}

impl Constraint for Volume {
    fn weight(&self) -> Real {
        self.weight
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        tetrahedra(pattern)
    }

    fn project(&self, chunk: &mut Chunk) {
        clamp_volumes(chunk.values_mut(), self.range);
    }
}

/// The tetrahedra with the three columns of `F` as rows and the volume as measure [m³].
fn tetrahedra(pattern: &Pattern) -> Elements {
    let (rest, mut elements) = (pattern.rest_positions(), Elements::new(3, 0));
    for vertices in pattern.tetrahedra() {
        if let Some(element) = Tetrahedron::of_rest(vertices.map(|vertex| rest[vertex as usize])) {
            elements.push(vertices.iter().copied().zip(element.coefficients()), element.volume, &[]);
        }
    }
    elements
}

/// The matrix of positive determinant nearest to `f` (columns) whose singular values are in
/// `low..=high`, with `0 < low ≤ high`: each signed singular value is clamped. Both 1: the nearest
/// rotation. `f` itself where it is admissible. Where the two smaller values cancel, as in a mirror
/// image or at rank one, there are many nearest matrices, and the choice among them follows
/// [`SignedSvd::of`](super::SignedSvd::of).
#[must_use]
pub fn clamp_tetrahedral_strain(f: [Vec3; 3], low: Real, high: Real) -> [Vec3; 3] {
    let mut values = f.map(F64x4::from_vec3);
    clamp_strains(&mut values, [low, high]);
    values.map(F64x4::to_vec3)
}

/// The matrix nearest to `f` (columns) whose determinant, its volume over the volume at rest, is in
/// `low..=high`, with `0 < low ≤ high`. `f` itself where it is admissible. Where there are many
/// nearest matrices, one of them.
#[must_use]
pub fn clamp_volume(f: [Vec3; 3], low: Real, high: Real) -> [Vec3; 3] {
    let mut values = f.map(F64x4::from_vec3);
    clamp_volumes(&mut values, [low, high]);
    values.map(F64x4::to_vec3)
}

vectorised! {
    /// Clamps the strain of matrices, three columns each.
    pub(super) fn clamp_strains(columns: &mut [F64x4], range: [Real; 2]) = clamp_strains_either
}

#[inline(always)]
fn clamp_strains_either<const FMA: bool>(columns: &mut [F64x4], range: [Real; 2]) {
    on_fours::<FMA, 3>(columns, &Strains(range));
}

struct Strains([Real; 2]);

impl OnFours<3> for Strains {
    #[inline(always)]
    fn replace<const FMA: bool>(&self, f: &[Three<FMA>; 3]) -> Option<(MaskF64x4<FMA>, [Three<FMA>; 3])> {
        let (low, high) = (RegF64x4::splat(self.0[0]), RegF64x4::splat(self.0[1]));
        let svd = FourSignedSvds::of(f);
        let [s1, s2, s3] = svd.values;
        // the first is the largest and the last the smallest
        let changed = low.above(s3).or(s1.above(high));
        if !changed.any() {
            return None;
        }
        Some((changed, svd.with(&[s1.max(low).min(high), s2.max(low).min(high), s3.max(low).min(high)])))
    }
}

vectorised! {
    /// Clamps the volume of matrices, three columns each.
    fn clamp_volumes(columns: &mut [F64x4], range: [Real; 2]) = clamp_volumes_either
}

#[inline(always)]
fn clamp_volumes_either<const FMA: bool>(columns: &mut [F64x4], range: [Real; 2]) {
    on_fours::<FMA, 3>(columns, &Volumes(range));
}

struct Volumes([Real; 2]);

impl OnFours<3> for Volumes {
    #[inline(always)]
    fn replace<const FMA: bool>(&self, f: &[Three<FMA>; 3]) -> Option<(MaskF64x4<FMA>, [Three<FMA>; 3])> {
        // of the matrix itself, so that one in range is not touched by the rounding of its singular
        // values
        let x = (f[1][1] * f[2][2]).minus(f[1][2], f[2][1]);
        let y = (f[1][2] * f[2][0]).minus(f[1][0], f[2][2]);
        let z = (f[1][0] * f[2][1]).minus(f[1][1], f[2][0]);
        let volume = (f[0][0] * x).plus(f[0][1], y).plus(f[0][2], z);
        let changed = RegF64x4::splat(self.0[0]).above(volume).or(volume.above(RegF64x4::splat(self.0[1])));
        if !changed.any() {
            return None;
        }
        let svd = FourSignedSvds::of(f);
        let mut values = svd.values;
        move_into_range(&mut values, volume, self.0, nearest_with_product);
        Some((changed, svd.with(&values)))
    }
}
