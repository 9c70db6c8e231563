//! Strain of the structural springs.

use crate::sim::pattern::Family;
use crate::sim::{Pattern, Real, Vec3};

/// Strain `l/L - 1` of each structural spring. Springs without a rest length are left out.
pub fn stretch<'a>(pattern: &'a Pattern, positions: &'a [Vec3]) -> impl Iterator<Item = ([u32; 2], Real)> + 'a {
    let springs = pattern.springs();
    (0..springs.len()).filter(|&e| springs.families[e] == Family::Structural && springs.rest_lengths[e] > 0.0).map(
        move |e| {
            let [i, j] = springs.ends[e];
            let length = positions[i as usize].distance(positions[j as usize]);
            ([i, j], length / springs.rest_lengths[e] - 1.0)
        },
    )
}

/// Strains of all structural springs together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Largest strain; zero if no spring is longer than at rest.
    pub largest: Real,
    /// Mean of all, compressed ones included; NaN without springs.
    pub mean: Real,
}

impl Stretch {
    /// Of a cloth at `positions` [m].
    #[must_use]
    pub fn of(pattern: &Pattern, positions: &[Vec3]) -> Self {
        let (largest, sum, count) = stretch(pattern, positions)
            .fold((0.0, 0.0, 0.0), |(largest, sum, count), (_, strain)| {
                (strain.max(largest), sum + strain, count + 1.0)
            });
        Self { largest, mean: sum / count }
    }
}

/// Largest strain of a structural spring; zero when none is longer than at rest.
#[must_use]
pub fn largest_stretch(pattern: &Pattern, positions: &[Vec3]) -> Real {
    stretch(pattern, positions).fold(0.0, |largest, (_, strain)| strain.max(largest))
}
