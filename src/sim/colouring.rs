//! Gauss-Seidel on several threads with the same bits as on one: constraints are grouped by colour, so that no two of a
//! colour share a vertex, and the colours are solved one after the other.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Real, Vec3};

/// Fewest constraints of a colour worth a thread's waking, several times the 50 to 100 µs that it takes.
const GRAIN: usize = 8192;

/// Constraints sorted by colour.
#[derive(Debug, Clone, Default)]
pub struct Colouring {
    /// The constraints in the order in which they are solved.
    pub order: Vec<u32>,
    /// For each colour its part of `order`.
    pub colours: Vec<Range<usize>>,
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
}

/// Vectors that several threads may write, each its own. Relaxed loads and stores of 64 bits are plain moves, so this costs
/// nothing, and it needs no unsafe code.
#[derive(Debug, Default)]
pub struct SharedVectors(Vec<[AtomicU64; 3]>);

impl SharedVectors {
    /// Takes over `vectors`.
    pub fn load(&mut self, vectors: &[Vec3]) {
        self.0.resize_with(vectors.len(), Default::default);
        for (i, vector) in vectors.iter().enumerate() {
            self.set(i, *vector);
        }
    }

    /// Vector `i`.
    #[inline]
    #[must_use]
    pub fn get(&self, i: usize) -> Vec3 {
        let [x, y, z] = &self.0[i];
        let read = |cell: &AtomicU64| Real::from_bits(cell.load(Ordering::Relaxed));
        Vec3::new(read(x), read(y), read(z))
    }

    /// Sets vector `i`.
    #[inline]
    pub fn set(&self, i: usize, vector: Vec3) {
        for (cell, value) in self.0[i].iter().zip(vector.to_array()) {
            cell.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// Adds to vector `i`.
    #[inline]
    pub fn add(&self, i: usize, vector: Vec3) {
        self.set(i, self.get(i) + vector);
    }
}

/// Calls `solve` for every constraint with its multiplier, colour after colour. Within a colour the order is free.
pub fn sweep<C: Sync>(
    colours: &[Range<usize>],
    constraints: &[C],
    multipliers: &mut [Real],
    solve: impl Fn(&C, &mut Real) + Sync,
) {
    for range in colours {
        let (constraints, multipliers) = (&constraints[range.clone()], &mut multipliers[range.clone()]);
        if range.len() < 2 * GRAIN {
            constraints.iter().zip(multipliers).for_each(|(constraint, multiplier)| solve(constraint, multiplier));
        } else {
            let pairs = constraints.par_iter().with_min_len(GRAIN).zip(multipliers);
            pairs.for_each(|(constraint, multiplier)| solve(constraint, multiplier));
        }
    }
}
