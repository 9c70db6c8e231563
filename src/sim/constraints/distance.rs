//! Springs as constraints `C = |x_j - x_i| - L`, sorted by colour.

use std::ops::Range;

use crate::sim::exec::colouring::Colouring;
use crate::sim::pattern::Kind;
use crate::sim::{Pattern, Real};

/// One spring.
#[derive(Debug, Clone, Copy)]
pub struct Distance {
    /// The two vertices.
    pub ends: [u32; 2],
    /// Length at rest [m].
    pub rest_length: Real,
    /// Its kind.
    pub kind: Kind,
}

/// The springs of some families, colour by colour.
#[derive(Debug, Default)]
pub struct ColouredSprings {
    springs: Vec<Distance>,
    colours: Vec<Range<usize>>,
    key: Option<(u64, [bool; 3])>,
}

impl ColouredSprings {
    /// Makes these the springs of `pattern` whose family is `active`. Returns whether anything
    /// changed; the work is done once per pattern and choice of families.
    pub fn update(&mut self, pattern: &Pattern, active: [bool; 3]) -> bool {
        let key = Some((pattern.revision(), active));
        if self.key == key {
            return false;
        }
        let all = pattern.springs();
        let chosen: Vec<usize> = (0..all.len()).filter(|&e| active[all.families[e] as usize]).collect();
        let colouring = Colouring::of(chosen.iter().map(|&e| all.ends[e]), pattern.len());
        self.springs.clear();
        self.springs.extend(colouring.order().iter().map(|&at| {
            let e = chosen[at as usize];
            Distance { ends: all.ends[e], rest_length: all.rest_lengths[e], kind: pattern.kinds()[e] }
        }));
        self.colours = colouring.into_ranges();
        self.key = key;
        true
    }

    /// The springs.
    #[must_use]
    pub fn springs(&self) -> &[Distance] {
        &self.springs
    }

    /// For each colour its part of the springs. No two of a part share a vertex.
    #[must_use]
    pub fn colours(&self) -> &[Range<usize>] {
        &self.colours
    }
}
