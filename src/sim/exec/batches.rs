//! Things that move vertices one after the other, in batches of four that have no vertex in common:
//! a processor does those side by side, in its lanes, and some batches in its pipeline.
//!
//! Things that have a vertex in common stay in their order. So the batches, one after the other, do
//! what the things would do one after the other: a sweep carries as far as it did. Sweeps in
//! another order, for example by colours, converge more slowly.

/// Things of a batch.
pub const LANES: usize = 4;
/// In the place of a thing where there is none.
pub const NONE: u32 = u32::MAX;
/// Batches from one that moves a vertex to the next that may: what is between does not wait.
const STRIDE: u32 = 3;

/// Divides things into batches, with memory: a list schedule (Graham 1966) of things that all take
/// as long.
#[derive(Debug, Default)]
pub struct Batching {
    /// For each vertex the first batch that may move it.
    first: Vec<u32>,
    /// For each batch itself, or one behind it up to which none has room.
    next: Vec<u32>,
    /// How many things each has.
    counts: Vec<u8>,
}

impl Batching {
    /// Writes the numbers of `things`, each with its vertices below `vertices`, to `batches`, with
    /// [`NONE`] where one is not full.
    ///
    /// # Panics
    /// When a vertex is not below `vertices`.
    pub fn divide<const N: usize>(
        &mut self,
        things: impl Iterator<Item = u32>,
        of: impl Fn(u32) -> [u32; N],
        vertices: usize,
        batches: &mut Vec<[u32; LANES]>,
    ) {
        let Self { first, next, counts } = self;
        batches.clear();
        next.clear();
        counts.clear();
        first.clear();
        first.resize(vertices, 0);
        for thing in things {
            let ends = of(thing);
            let mut at = ends.iter().fold(0, |at, &vertex| at.max(first[vertex as usize]));
            // the first with room, with the way there halved for those who come after
            while let Some(&to) = next.get(at as usize)
                && to != at
            {
                if let Some(&beyond) = next.get(to as usize) {
                    next[at as usize] = beyond;
                }
                at = to;
            }
            for new in next.len() as u32..=at {
                next.push(new);
                counts.push(0);
                batches.push([NONE; LANES]);
            }
            let count = &mut counts[at as usize];
            batches[at as usize][usize::from(*count)] = thing;
            *count += 1;
            if usize::from(*count) == LANES {
                next[at as usize] = at + 1;
            }
            ends.iter().for_each(|&vertex| first[vertex as usize] = at + STRIDE);
        }
        batches.retain(|batch| batch[0] != NONE);
    }
}
