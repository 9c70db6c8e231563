//! Gauss-Seidel on several threads with the same bits as on one: constraints are grouped by colour, so that no two of a
//! colour share a vertex, and the colours are solved one after the other.

use std::ops::Range;

use super::team::{Chunks, Team};
use crate::sim::Real;

/// Constraints that a thread takes at a time.
const GRAIN: usize = 128;

/// Constraints sorted by colour.
#[derive(Debug, Clone, Default)]
pub struct Colouring {
    order: Vec<u32>,
    colours: Vec<Range<usize>>,
}

impl Colouring {
    /// Colours constraints greedily: each gets the first colour that none of its vertices has. `vertices_of` gives the
    /// vertices of a constraint.
    #[must_use]
    pub fn of<const N: usize>(constraints: impl Iterator<Item = [u32; N]>, vertices: usize) -> Self {
        // per vertex the colours it has, a bit each
        let mut taken: Vec<Vec<u64>> = vec![Vec::new(); vertices];
        let mut coloured: Vec<(usize, u32)> = constraints
            .zip(0_u32..)
            .map(|(ends, constraint)| {
                let word = |word: usize| {
                    ends.iter().fold(0, |bits, &end| bits | taken[end as usize].get(word).copied().unwrap_or(0))
                };
                let (at, bits) = (0..)
                    .map(|at| (at, word(at)))
                    .find(|(_, bits)| *bits != u64::MAX)
                    .expect("behind the words in use there are empty ones");
                let bit = bits.trailing_ones();
                for end in ends {
                    let words = &mut taken[end as usize];
                    words.resize(words.len().max(at + 1), 0);
                    words[at] |= 1 << bit;
                }
                (at * 64 + bit as usize, constraint)
            })
            .collect();
        coloured.sort_unstable();
        let mut colours: Vec<Range<usize>> = Vec::new();
        for (at, (colour, _)) in coloured.iter().enumerate() {
            if *colour == colours.len() {
                colours.push(at..at);
            }
            colours[*colour].end = at + 1;
        }
        Self { order: coloured.into_iter().map(|(_, constraint)| constraint).collect(), colours }
    }

    /// The constraints in the order in which they are solved.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// For each colour its part of the order. No two constraints of a part share a vertex.
    #[must_use]
    pub fn colours(&self) -> &[Range<usize>] {
        &self.colours
    }

    /// [`colours`](Self::colours), to keep.
    #[must_use]
    pub fn into_colours(self) -> Vec<Range<usize>> {
        self.colours
    }
}

/// Calls `solve` for every constraint with its multiplier, colour after colour. Within a colour the order is free, and several
/// constraints are solved at the same time.
pub fn sweep<C: Sync>(
    colours: &[Range<usize>],
    constraints: &[C],
    multipliers: &mut [Real],
    team: &Team,
    solve: impl Fn(&C, &mut Real) + Sync,
) {
    for range in colours {
        let constraints = &constraints[range.clone()];
        team.change(Chunks::new(&mut multipliers[range.clone()], GRAIN), 1, |chunks, multipliers| {
            let constraints = &constraints[chunks.start * GRAIN..];
            constraints.iter().zip(multipliers).for_each(|(constraint, multiplier)| solve(constraint, multiplier));
        });
    }
}
