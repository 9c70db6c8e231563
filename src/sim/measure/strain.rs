//! Strain of the cloth: of its structural springs, or where a membrane carries it, of warp and
//! weft.

use crate::sim::pattern::Family;
use crate::sim::{Material, Pattern, Real, Vec3};

/// The strains of a cloth with the positions `x` [m]: `l/L - 1` of each structural spring with a
/// rest length, and in place of those along the sides of a membrane, `|F u| - 1` of warp and weft
/// of each of its triangles. Edges of a membrane turn with its shear, which leaves the yarns as
/// long as they are.
fn strains<'a>(pattern: &'a Pattern, material: &Material, x: &'a [Vec3]) -> impl Iterator<Item = Real> + 'a {
    let (springs, kinds, has_membrane) = (pattern.springs(), pattern.kinds(), material.has_membrane());
    let counts = move |e: &usize| {
        let is_structural = springs.families[*e] == Family::Structural && springs.rest_lengths[*e] > 0.0;
        is_structural && !(has_membrane && kinds[*e].is_side())
    };
    let of_springs = (0..springs.len()).filter(counts).map(move |e| {
        let [i, j] = springs.ends[e];
        x[i as usize].distance(x[j as usize]) / springs.rest_lengths[e] - 1.0
    });
    let triangles = if has_membrane { pattern.membrane().triangles() } else { &[] };
    let yarns = triangles.iter().flat_map(move |triangle| triangle.images(|vertex| x[vertex as usize]));
    of_springs.chain(yarns.map(|image| image.length() - 1.0))
}

/// Largest, least and mean strain of a cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Largest strain; zero if nothing is longer than at rest.
    pub largest: Real,
    /// Least strain; zero if nothing is shorter than at rest.
    pub least: Real,
    /// Mean of all, compressed ones included; NaN without any.
    pub mean: Real,
}

impl Stretch {
    /// Of a cloth of this material at `positions` [m].
    #[must_use]
    pub fn of(pattern: &Pattern, material: &Material, positions: &[Vec3]) -> Self {
        let (mut sum, mut count) = (0.0, 0.0);
        let mut stretch = Self { largest: 0.0, least: 0.0, mean: 0.0 };
        for strain in strains(pattern, material, positions) {
            (stretch.largest, stretch.least) = (strain.max(stretch.largest), strain.min(stretch.least));
            (sum, count) = (sum + strain, count + 1.0);
        }
        Self { mean: sum / count, ..stretch }
    }
}

/// Largest strain of a structural spring, or where a membrane carries the cloth, of warp and weft;
/// zero when nothing is longer than at rest.
#[must_use]
pub fn largest_stretch(pattern: &Pattern, material: &Material, positions: &[Vec3]) -> Real {
    strains(pattern, material, positions).fold(0.0, |largest, strain| strain.max(largest))
}
