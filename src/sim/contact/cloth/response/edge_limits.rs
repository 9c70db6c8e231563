//! Edge length limits: contacts hardly stretch or compress the edges of the cloth, so that
//! neighbours share the push on a vertex; four edges without a common vertex at a time
//! (`physics.md` section 11.4).

use super::row_batch::{dot, move_by, places};
use super::solver_vertices::{SPARE, SolverVertices};
use crate::sim::contact::cloth::surface::ContactSurface;
use crate::sim::exec::batches::{Batching, LANES, NONE};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::{F64x4, RegF64x4, vectorised};
use crate::sim::{Real, Vec3};

/// Least length of an edge as a share of its length. With rigid edges few pairs could be parted.
const LEAST_LENGTH: Real = 0.9;
/// Stretch that an impact may leave in an edge, as a share of its rest length. With none, fewer
/// pairs can be parted; with much, whipping ribbons stretch to several times their length.
const GIVE: Real = 0.05;
/// Batches per task.
const BATCHES: usize = 512;
/// Both ends are pulled towards each other.
const SIGNS: [F64x4; 2] = [F64x4([1.0; LANES]), F64x4([-1.0; LANES])];

/// Four edges.
#[derive(Debug, Clone, Copy)]
struct Batch {
    ends: [[u32; LANES]; 2],
    rest: F64x4,
    /// Largest and least lengths [m].
    length: F64x4,
    least: F64x4,
    /// Accumulated shortening [m].
    shortened: F64x4,
}

/// The edges of a cloth with their length limits.
#[derive(Debug, Default)]
pub(super) struct EdgeLimits {
    batches: Vec<Batch>,
    /// Number of vertices, spare ones included.
    vertices: usize,
}

impl EdgeLimits {
    /// Of the edges of a cloth and of bodies between so many vertices; inner edges of bodies as
    /// well, or their inside would continue through a surface that contacts have stopped.
    pub fn new(surface: &ContactSurface, vertices: usize) -> Self {
        let mut edges: Vec<([u32; 2], Real)> = surface.all_edges().collect();
        edges.sort_unstable_by_key(|(ends, _)| *ends);
        let mut numbers = Vec::new();
        let all = 0..edges.len() as u32;
        Batching::default().divide(all, |number| edges[number as usize].0, vertices, &mut numbers);
        let batch = |numbers: &[u32; LANES]| {
            let edge = |lane: usize| (numbers[lane] != NONE).then(|| edges[numbers[lane] as usize]);
            let end = |k: usize, lane: usize| edge(lane).map_or((vertices + k) as u32, |(ends, _)| ends[k]);
            Batch {
                ends: [0, 1].map(|k| std::array::from_fn(|lane| end(k, lane))),
                rest: F64x4::from_fn(|lane| edge(lane).map_or(0.0, |(_, rest)| rest)),
                length: F64x4::ZERO,
                least: F64x4::ZERO,
                shortened: F64x4::ZERO,
            }
        };
        Self { batches: numbers.iter().map(batch).collect(), vertices: vertices + SPARE }
    }

    /// Sets the largest lengths to those at `positions` [m], at least to those at rest.
    pub fn tie(&mut self, positions: &[Vec3], pool: &ThreadPool) {
        let place = |vertex: u32| positions.get(vertex as usize).copied().unwrap_or_default();
        pool.update(&mut self.batches, BATCHES, |_, batch| {
            let [a, b] = batch.ends;
            let present = F64x4::from_fn(|lane| place(a[lane]).distance(place(b[lane])));
            batch.length = F64x4::from_fn(|lane| batch.rest.0[lane].max(present.0[lane]));
        });
    }

    /// Starts at the present lengths: compression stays. Stretch stays as well, or of the stretch
    /// beyond the [largest lengths](Self::tie) a twentieth of the rest length, if these are `tied`.
    pub fn begin(&mut self, tied: bool, vertices: &SolverVertices, pool: &ThreadPool) {
        let q = &vertices.q;
        pool.update(&mut self.batches, BATCHES, |_, batch| {
            let [a, b] = batch.ends;
            for lane in 0..LANES {
                let present = q[a[lane] as usize].to_vec3().distance(q[b[lane] as usize].to_vec3());
                let rest = batch.rest.0[lane];
                let length = &mut batch.length.0[lane];
                let most = length.max(present.min((1.0 + GIVE) * rest));
                *length = if tied { most } else { rest.max(present) };
                batch.least.0[lane] = LEAST_LENGTH * rest.min(present);
            }
            batch.shortened = F64x4::ZERO;
        });
    }

    /// Applies the limits where an end has moved, forth and back in turn, accumulating the
    /// shortening; momentum is kept. Ends that move against each other by more than the `tolerance`
    /// [m] are noted.
    pub fn keep(&mut self, sweep: usize, tolerance: Real, vertices: &mut SolverVertices) {
        assert_eq!(vertices.q.len(), self.vertices, "edges pull at the vertices that they are between");
        keep_all(&mut self.batches, sweep.is_multiple_of(2), tolerance, vertices);
    }
}

vectorised! {
    /// From the first to the last, or from the last to the first.
    fn keep_all(
        batches: &mut [Batch],
        is_forth: bool,
        tolerance: Real,
        vertices: &mut SolverVertices,
    ) = keep_either
}

#[inline(always)]
fn keep_either<const FMA: bool>(batches: &mut [Batch], is_forth: bool, tolerance: Real, vertices: &mut SolverVertices) {
    let mut k = 0;
    while k < batches.len() {
        let at = if is_forth { k } else { batches.len() - 1 - k };
        keep::<FMA>(&mut batches[at], tolerance, vertices);
        k += 1;
    }
}

#[inline(always)]
fn keep<const FMA: bool>(batch: &mut Batch, tolerance: Real, vertices: &mut SolverVertices) {
    if !vertices.has_one_moved(&batch.ends) {
        return;
    }
    // SAFETY: `new` ensures that all ends are below the number of vertices, and `EdgeLimits::keep`
    // that there are still as many
    let places = unsafe { places::<FMA, 2>(vertices.q.as_ptr(), &batch.ends) };
    let [[x, y, z, of_a], [u, v, w, of_b]] = places;
    let along = [u - x, v - y, w - z];
    let length = dot(&along, &along).sqrt();
    let inverse = of_a + of_b;
    let zero = RegF64x4::ZERO;
    // length without the accumulated shortening
    let shortened = RegF64x4(batch.shortened);
    let free = length + shortened;
    let now = (free - RegF64x4(batch.length)).max(zero) + (free - RegF64x4(batch.least)).min(zero);
    // edges without length, or between immovable ends, stay
    let movable = length.above(zero).and(inverse.above(zero));
    let now = movable.choose(now, shortened);
    let change = now - shortened;
    if !change.abs().above(zero).any() {
        return;
    }
    batch.shortened = now.0;
    let share = change * (length * inverse).inverse_or_zero();
    let impulse = [along[0] * share, along[1] * share, along[2] * share];
    // SAFETY: as above; no vertex is in two edges of a batch, except spare ones
    unsafe { move_by(vertices, &batch.ends, &places, &SIGNS, &impulse) };
    let moved = change.abs().above(RegF64x4::splat(tolerance)).bits();
    vertices.note_lanes(&batch.ends, moved);
}
