//! Colours of a graph: items of a colour do not touch one another, and so can be worked on at the
//! same time.
//!
//! Gauss-Seidel over constraints that are grouped by colour has the same bits on several threads as
//! on one.

use std::ops::Range;

use super::pool::{Chunks, ThreadPool};
use crate::sim::Real;

/// Constraints that a thread takes at a time.
const GRAIN: usize = 128;

/// Items sorted by colour.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Colouring {
    order: Vec<u32>,
    ranges: Vec<Range<usize>>,
}

impl Colouring {
    /// Every one of `count` items has the first colour that none of its neighbours before it has.
    /// `near` calls its second argument with the neighbours of an item.
    #[must_use]
    pub fn greedy(count: usize, near: impl Fn(u32, &mut dyn FnMut(u32))) -> Self {
        let mut colours = vec![0_usize; count];
        // by colour, the last item that is not to have it, from 1
        let mut taken: Vec<u32> = Vec::new();
        for item in 0..count as u32 {
            near(item, &mut |other| {
                if other < item {
                    taken[colours[other as usize]] = item + 1;
                }
            });
            let free = taken.iter().position(|by| *by != item + 1).unwrap_or(taken.len());
            if free == taken.len() {
                taken.push(0);
            }
            colours[item as usize] = free;
        }
        Self::by(&colours)
    }

    /// Every constraint has the first colour that none of its vertices has. `constraints` gives the
    /// vertices of each, all below `vertices`.
    #[must_use]
    pub fn of<T: AsRef<[u32]>>(constraints: impl Iterator<Item = T>, vertices: usize) -> Self {
        // per vertex the colours it has, a bit each
        let mut taken: Vec<Vec<u64>> = vec![Vec::new(); vertices];
        let colours: Vec<usize> = constraints
            .map(|ends| {
                let ends = ends.as_ref();
                let word = |word: usize| {
                    ends.iter().fold(0, |bits, &end| bits | taken[end as usize].get(word).copied().unwrap_or(0))
                };
                let (at, bits) = (0..)
                    .map(|at| (at, word(at)))
                    .find(|(_, bits)| *bits != u64::MAX)
                    .expect("behind the words in use there are empty ones");
                let bit = bits.trailing_ones();
                for &end in ends {
                    let words = &mut taken[end as usize];
                    words.resize(words.len().max(at + 1), 0);
                    words[at] |= 1 << bit;
                }
                at * 64 + bit as usize
            })
            .collect();
        Self::by(&colours)
    }

    /// Items that have these colours.
    #[must_use]
    pub fn by(colours: &[usize]) -> Self {
        let mut counts = vec![0_usize; colours.iter().max().map_or(0, |most| most + 1)];
        colours.iter().for_each(|colour| counts[*colour] += 1);
        let mut order: Vec<u32> = (0..colours.len() as u32).collect();
        order.sort_by_key(|item| colours[*item as usize]);
        let mut end = 0;
        let ranges = counts.into_iter().map(|count| {
            let start = end;
            end += count;
            start..end
        });
        Self { ranges: ranges.collect(), order }
    }

    /// Every item, those of the first colour first.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The items of each colour.
    pub fn colours(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.ranges.iter().map(|range| &self.order[range.clone()])
    }

    /// For each colour its part of the order.
    #[must_use]
    pub fn into_ranges(self) -> Vec<Range<usize>> {
        self.ranges
    }
}

/// Calls `solve` for every constraint with its multiplier, colour after colour. Within a colour the
/// order is free, and several constraints are solved at the same time.
pub fn sweep<C: Sync>(
    colours: &[Range<usize>],
    constraints: &[C],
    multipliers: &mut [Real],
    pool: &ThreadPool,
    solve: impl Fn(&C, &mut Real) + Sync,
) {
    for range in colours {
        let constraints = &constraints[range.clone()];
        pool.change(Chunks::new(&mut multipliers[range.clone()], GRAIN), 1, |chunks, multipliers| {
            let constraints = &constraints[chunks.start * GRAIN..];
            constraints.iter().zip(multipliers).for_each(|(constraint, multiplier)| solve(constraint, multiplier));
        });
    }
}
