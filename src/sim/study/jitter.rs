//! Starts that differ a little: a property of one start alone may be luck.

use crate::sim::pattern::Family;
use crate::sim::{Pattern, Real, Simulation, Vec3};

/// Largest displacement along each axis, as a share of the mean length of a structural spring.
const SHARE: Real = 0.01;

/// Moves every free vertex by a random offset, along each axis by up to a hundredth of the mean
/// length of a structural spring. The rest shape stays. The same `seed` gives the same offsets.
pub fn jitter(simulation: &mut Simulation, seed: u64) {
    let most = SHARE * mean_spring(simulation.pattern());
    let mut random = Random(seed);
    let mut offset = || most * random.signed();
    let cloth = &mut simulation.state.cloth;
    for vertex in 0..cloth.len() {
        let offset = Vec3::new(offset(), offset(), offset());
        if cloth.pin_of(vertex as u32).is_none() {
            cloth.positions[vertex] += offset;
        }
    }
}

/// Mean length of a structural spring at rest [m]; zero without any.
#[must_use]
pub fn mean_spring(pattern: &Pattern) -> Real {
    let springs = pattern.springs();
    let threads =
        springs.rest_lengths.iter().zip(&springs.families).filter(|(_, family)| **family == Family::Structural);
    let (sum, count) = threads.fold((0.0, 0), |(sum, count), (length, _)| (sum + length, count + 1));
    sum / Real::from(count.max(1))
}

/// Random numbers (SplitMix64; Steele, Lea, Flood 2014).
pub(super) struct Random(pub u64);

impl Random {
    /// The next one, from -1 to 1.
    pub fn signed(&mut self) -> Real {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // the upper 53 bits, as many as a double has
        2.0 * (((z ^ (z >> 31)) >> 11) as Real / (1_u64 << 53) as Real) - 1.0
    }
}
