//! Limits of structural springs between vertices that are held farther apart than their limits
//! allow.
//!
//! ```text
//! limit of a spring ab ≥ s d_ij L/ℓ,   ℓ = min(g_i(a) + L + g_j(b), g_i(b) + L + g_j(a))
//! ```
//!
//! for every two held vertices `i` and `j` at the distance `d_ij`, with the path lengths `g` along
//! springs at rest. Each path from `i` to `j` is then long enough, since none through a spring is
//! shorter than its `ℓ`; and springs beside the shortest path keep more of their limit. Without
//! that, the sweeps shorten all springs but those at a held vertex, which become many times as long
//! as at rest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::Thread;
use crate::sim::math::csr::Csr;
use crate::sim::{Real, Vec3};

/// Slack `s` that is left: a way that can only just reach, straight, takes many sweeps to find.
const SLACK: Real = 1.01;
/// Held vertices whose distances are looked at, at most; of more, so many at even intervals.
const MOST_HELD: usize = 256;
/// Lengths of ways that are kept, at most.
const MOST_LENGTHS: usize = 4 << 20;

/// Path lengths along the springs of a cloth, with memory.
#[derive(Debug, Default)]
pub(super) struct Spans {
    /// Threads by vertex.
    of_vertex: Csr<u32>,
    /// Rest positions [m], and the least ratio of a spring to the distance of its ends there.
    rest: Vec<Vec3>,
    least: Real,
    /// Path length from a vertex to every other along springs at rest [m]; infinite if there is no
    /// path.
    ways: BTreeMap<u32, Vec<Real>>,
}

impl Spans {
    /// Drops all path lengths, for other springs.
    pub fn begin(&mut self, threads: &[Thread], rest: &[Vec3]) {
        self.ways.clear();
        rest.clone_into(&mut self.rest);
        let share = |thread: &Thread| {
            let [a, b] = thread.ends.map(|end| rest[end as usize]);
            thread.rest_length / a.distance(b)
        };
        self.least = threads.iter().map(share).fold(1.0, Real::min);
        let ends = (0..).zip(threads).flat_map(|(number, thread)| thread.ends.map(|end| (end, number)));
        self.of_vertex.fill(rest.len(), ends);
    }

    /// Raises the limits of springs between the vertices `held` at these `positions` [m], as far as
    /// they are too far apart.
    pub fn give_way(
        &mut self,
        threads: &mut [Thread],
        held: impl Iterator<Item = u32>,
        positions: &[Vec3],
        most: Real,
    ) {
        let held: Vec<u32> = held.collect();
        let every = held.len().div_ceil(MOST_HELD).max(1);
        let held: Vec<u32> = held.into_iter().step_by(every).collect();
        for (at, &i) in held.iter().enumerate() {
            for &j in &held[at + 1..] {
                let [distance, at_rest] =
                    [positions, &self.rest].map(|positions| positions[i as usize].distance(positions[j as usize]));
                if self.least * at_rest * most >= distance {
                    // no way is shorter
                    continue;
                }
                let Some([from_i, from_j]) = self.between(threads, [i, j], distance / most) else { continue };
                for thread in &mut *threads {
                    let [a, b] = thread.ends.map(|end| end as usize);
                    let way = thread.rest_length + (from_i[a] + from_j[b]).min(from_i[b] + from_j[a]);
                    thread.limit = thread.limit.max(SLACK * thread.rest_length * distance / way);
                }
            }
        }
    }

    /// The ways from both vertices, if that between them is shorter than `least` [m].
    fn between(&mut self, threads: &[Thread], [i, j]: [u32; 2], least: Real) -> Option<[&[Real]; 2]> {
        if self.way_from(threads, i)?[j as usize] >= least {
            return None;
        }
        self.way_from(threads, j)?;
        Some([self.ways.get(&i)?, self.ways.get(&j)?])
    }

    /// Path length to every vertex along the springs, after Dijkstra; none if that takes too much
    /// memory.
    fn way_from(&mut self, threads: &[Thread], start: u32) -> Option<&[Real]> {
        let Self { of_vertex, ways, .. } = self;
        let vertices = of_vertex.rows();
        let room = (ways.len() + 1) * vertices <= MOST_LENGTHS;
        if !room && !ways.contains_key(&start) {
            return None;
        }
        let way = ways.entry(start).or_insert_with(|| {
            let mut way = vec![Real::INFINITY; vertices];
            way[start as usize] = 0.0;
            // the bits of numbers that are not negative are in the order of the numbers
            let mut next = BinaryHeap::from([Reverse((0_u64, start))]);
            while let Some(Reverse((bits, vertex))) = next.pop() {
                let here = Real::from_bits(bits);
                if here > way[vertex as usize] {
                    continue;
                }
                for &number in of_vertex.row(vertex as usize) {
                    let thread = &threads[number as usize];
                    let [a, b] = thread.ends;
                    let other = if a == vertex { b } else { a };
                    let there = here + thread.rest_length;
                    if there < way[other as usize] {
                        way[other as usize] = there;
                        next.push(Reverse((there.to_bits(), other)));
                    }
                }
            }
            way
        });
        Some(way)
    }
}
