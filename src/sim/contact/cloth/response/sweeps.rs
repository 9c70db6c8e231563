//! Projected Gauss-Seidel over contact rows, four rows without a common vertex at a time, with
//! extrapolation (`physics.md` section 11.3).
//!
//! While no row opens or closes, two sweeps of Gauss-Seidel are a linear map. In a stack its
//! slowest mode, the weight on its way to the floor, has a real eigenvalue `ρ` near one, and the
//! changes of the impulses become a geometric series. After four sweeps `ρ` is estimated from the
//! last two changes `D₀` and `D₁`, each over two sweeps, as `D₁·D₀ / D₀·D₀`, and the rest of the
//! series, `ρ/(1 - ρ) D₁`, is added at once (Aitken 1926). Impulses stay within their bounds and in
//! pairs, so momentum is kept; the sweeps that follow mend what the guess has missed.

use super::row::{ContactRow, Tolerance};
use super::row_batch::{Batch, dot, first, move_by, places, three, weighted};
use super::solver_vertices::{SPARE, SolverVertices};
use crate::sim::Real;
use crate::sim::exec::batches::{Batching, LANES, NONE};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::{F64x4, RegF64x4, prefetch, vectorised};

/// Batches per task, and rows per task.
const BATCHES: usize = 128;
const ROWS: usize = 1024;
/// Batches to prefetch on the way back.
const AHEAD: usize = 4;
/// Sweeps of a change that is extrapolated: one forth and one back.
const CHANGE: usize = 2;
/// Largest multiple of the last change that is added.
const MOST: Real = 4.0;

/// The rows of a step in batches, with memory.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    batching: Batching,
    /// Numbers of the rows of each batch.
    numbers: Vec<[u32; LANES]>,
    batches: Vec<Batch>,
    /// Displacements along the normals after two earlier sweeps [m].
    earlier: [Vec<F64x4>; 2],
    /// Lane of each row among those of all batches, or `NONE`.
    places: Vec<u32>,
    /// Number of vertices, spare ones included.
    vertices: usize,
}

impl Sweeps {
    /// Takes those of the `rows` whose numbers are in `order`.
    pub fn take(
        &mut self,
        rows: &[ContactRow],
        order: impl Iterator<Item = u32>,
        of: &SolverVertices,
        pool: &ThreadPool,
    ) {
        let Self { batching, numbers, batches, places, .. } = self;
        let acting = order.filter(|&number| !rows[number as usize].is_idle());
        self.vertices = of.q.len();
        batching.divide(acting, |number| rows[number as usize].vertices(), of.q.len() - SPARE, numbers);
        places.clear();
        places.resize(rows.len(), NONE);
        for (at, numbers) in (0..).step_by(LANES).zip(&*numbers) {
            for (place, &number) in (at..).zip(numbers).filter(|(_, number)| **number != NONE) {
                places[number as usize] = place;
            }
        }
        let spare = (of.q.len() - SPARE) as u32;
        batches.resize(numbers.len(), Batch::empty(spare));
        pool.update(batches, BATCHES, |at, batch| {
            *batch = Batch::empty(spare);
            for (lane, &number) in numbers[at].iter().enumerate().filter(|(_, number)| **number != NONE) {
                batch.set(lane, &rows[number as usize]);
            }
        });
        self.remember(0);
    }

    /// Gives the impulses back to the rows.
    pub fn give(&self, rows: &mut [ContactRow], pool: &ThreadPool) {
        pool.update(rows, ROWS, |number, row| {
            if let Some(&place) = self.places.get(number).filter(|place| **place != NONE) {
                row.set_displacement(self.batches[place as usize / LANES].displacement(place as usize % LANES));
            }
        });
    }

    /// Solves the rows that are not within the tolerance, single vertices first, then the others
    /// forth and back in turn: in the first sweep all, then those with a vertex that has moved
    /// since. Returns the largest displacement of the parts of a row [m].
    pub fn sweep(&mut self, sweep: usize, tolerance: &Tolerance, of: &mut SolverVertices) -> Real {
        if self.batches.is_empty() {
            return 0.0;
        }
        assert_eq!(of.q.len(), self.vertices, "rows move the vertices that they were taken for");
        push_all(&mut self.batches, sweep, tolerance, of)
    }

    /// Extrapolates the impulses after `done` sweeps; those that would move their parts by less
    /// than the `tolerance` [m] stay.
    pub fn extrapolate(&mut self, done: usize, tolerance: Real, of: &mut SolverVertices) {
        if !done.is_multiple_of(CHANGE) {
            return;
        }
        if !done.is_multiple_of(2 * CHANGE) {
            self.remember(1);
            return;
        }
        assert_eq!(of.q.len(), self.vertices, "rows move the vertices that they were taken for");
        let rate = self.decay();
        if rate > 0.0 {
            let times = if rate < 1.0 { (rate / (1.0 - rate)).min(MOST) } else { MOST };
            extrapolate_all(&mut self.batches, &self.earlier[1], [times, tolerance], of);
        }
        self.remember(0);
    }

    /// Stores the present displacements as the earlier ones number `k`.
    fn remember(&mut self, k: usize) {
        let Self { earlier, batches, .. } = self;
        earlier[k].clear();
        earlier[k].extend(batches.iter().map(|batch| batch.pressure));
    }

    /// The ratio of the last change to the one before.
    fn decay(&self) -> Real {
        let mut sums = [F64x4::ZERO; 2];
        for (batch, (first, second)) in self.batches.iter().zip(self.earlier[0].iter().zip(&self.earlier[1])) {
            let before = *second - *first;
            sums[0] = sums[0] + (batch.pressure - *second) * before;
            sums[1] = sums[1] + before * before;
        }
        let [last, before] = sums.map(|lanes| lanes.0.into_iter().sum::<Real>());
        last / before
    }
}

vectorised! {
    /// All vertices of the batches are below the number of vertices in the solver.
    fn extrapolate_all(
        batches: &mut [Batch],
        earlier: &[F64x4],
        limits: [Real; 2],
        of: &mut SolverVertices,
    ) = extrapolate_either
}

#[inline(always)]
fn extrapolate_either<const FMA: bool>(
    batches: &mut [Batch],
    earlier: &[F64x4],
    [times, tolerance]: [Real; 2],
    of: &mut SolverVertices,
) {
    let mut at = 0;
    while at < batches.len() {
        let (batch, earlier) = (&mut batches[at], RegF64x4::<FMA>(earlier[at]));
        at += 1;
        let before = RegF64x4(batch.pressure);
        let to = before.plus(before - earlier, RegF64x4::splat(times));
        let to = to.max(RegF64x4(batch.least)).min(RegF64x4(batch.most));
        let moves = (to - before).abs().above(RegF64x4::splat(tolerance));
        let bits = moves.bits();
        if bits == 0 {
            continue;
        }
        let impulse = moves.choose(to - before, RegF64x4::ZERO) * RegF64x4(batch.mass);
        batch.pressure = moves.choose(to, before).0;
        let normal = three::<FMA>(&batch.normal);
        let impulse = [normal[0] * impulse, normal[1] * impulse, normal[2] * impulse];
        // SAFETY: all vertices exist, as above
        unsafe {
            let places = places::<FMA, 4>(of.q.as_ptr(), &batch.vertices);
            move_by(of, &batch.vertices, &places, &batch.weights, &impulse);
        }
        of.note_lanes(&batch.vertices, bits);
    }
}

vectorised! {
    /// All vertices of the batches are below the number of vertices in the solver.
    fn push_all(
        batches: &mut [Batch],
        sweep: usize,
        tolerance: &Tolerance,
        of: &mut SolverVertices,
    ) -> Real = push_either
}

#[inline(always)]
fn push_either<const FMA: bool>(
    batches: &mut [Batch],
    sweep: usize,
    tolerance: &Tolerance,
    of: &mut SolverVertices,
) -> Real {
    let (solves, is_forth) = ((sweep == 0, tolerance), sweep.is_multiple_of(2));
    let mut largest = RegF64x4::<FMA>::ZERO;
    let mut first = 0;
    // single vertices before the others on the way back too: surfaces do not move, and sheets
    // settle on them in fewer sweeps
    while first < batches.len() && (is_forth || batches[first].is_of_vertices) {
        push(&mut batches[first], solves, of, &mut largest);
        first += 1;
    }
    let mut at = batches.len();
    while at > first {
        at -= 1;
        // the hardware does not prefetch backwards
        prefetch(&batches[at.saturating_sub(AHEAD)..], 1);
        push(&mut batches[at], solves, of, &mut largest);
    }
    largest.0.0.into_iter().fold(0.0, Real::max).sqrt()
}

/// Solves the rows of a batch, if all are to be solved or one of their vertices has moved.
#[inline(always)]
fn push<const FMA: bool>(
    batch: &mut Batch,
    solves: (bool, &Tolerance),
    of: &mut SolverVertices,
    largest: &mut RegF64x4<FMA>,
) {
    // every batch writes to the spare vertices of empty places, and would wait for the last one
    if batch.is_of_vertices {
        push_rows::<FMA, 1>(batch, solves, of, largest);
    } else {
        push_rows::<FMA, 4>(batch, solves, of, largest);
    }
}

/// The same for rows with at most `N` vertices.
#[inline(always)]
fn push_rows<const FMA: bool, const N: usize>(
    batch: &mut Batch,
    (all, tolerance): (bool, &Tolerance),
    of: &mut SolverVertices,
    largest: &mut RegF64x4<FMA>,
) {
    let (vertices, weights) = first::<N>(batch);
    if !all && !of.has_one_moved(&vertices) {
        return;
    }
    // SAFETY: all vertices exist, see `push_all`
    let places = unsafe { places::<FMA, N>(of.q.as_ptr(), &vertices) };
    let normal = three::<FMA>(&batch.normal);
    let sum = weighted(&weights, &places);
    let before = RegF64x4::<FMA>(batch.pressure);
    let lack = RegF64x4(batch.target) - dot(&normal, &sum);
    let pressed = (before + lack).max(RegF64x4(batch.least)).min(RegF64x4(batch.most));
    let sheared = three::<FMA>(&batch.shear);
    let now = if batch.has_friction { slide(batch, &sum, pressed) } else { [RegF64x4::ZERO; 3] };
    let across = [now[0] - sheared[0], now[1] - sheared[1], now[2] - sheared[2]];
    let change = pressed - before;
    // a row lets go completely: a remainder would press for ever
    let (zero, least) = (RegF64x4::ZERO, RegF64x4::splat(Real::MIN_POSITIVE));
    let lets_go = before.above(zero).and(least.above(pressed));
    let pushes = change
        .abs()
        .above(RegF64x4::splat(tolerance.distance))
        .or(dot(&across, &across).above(RegF64x4::splat(tolerance.sliding * tolerance.sliding)))
        .or(lets_go);
    let bits = pushes.bits();
    if bits == 0 {
        return;
    }
    let mut way = [RegF64x4::<FMA>::ZERO; 3];
    let mut k = 0;
    while k < 3 {
        way[k] = pushes.choose(across[k].plus(normal[k], change), zero);
        batch.shear[k] = pushes.choose(now[k], sheared[k]).0;
        k += 1;
    }
    batch.pressure = pushes.choose(pressed, before).0;
    *largest = largest.max(dot(&way, &way));
    let mass = RegF64x4(batch.mass);
    let impulse = [way[0] * mass, way[1] * mass, way[2] * mass];
    // SAFETY: as above
    unsafe { move_by(of, &vertices, &places, &weights, &impulse) };
    of.note_lanes(&vertices, bits);
}

/// Displacements across the normal that friction makes [m], with parts at `sum` and displacements
/// `pressed` along it.
#[inline(always)]
fn slide<const FMA: bool>(batch: &Batch, sum: &[RegF64x4<FMA>; 3], pressed: RegF64x4<FMA>) -> [RegF64x4<FMA>; 3] {
    let (normal, start, sheared) =
        (three::<FMA>(&batch.normal), three::<FMA>(&batch.start), three::<FMA>(&batch.shear));
    let mut slid = [sum[0] - start[0], sum[1] - start[1], sum[2] - start[2]];
    let along = dot(&normal, &slid);
    let mut k = 0;
    while k < 3 {
        slid[k] = sheared[k] - slid[k].minus(along, normal[k]);
        k += 1;
    }
    let limit = RegF64x4(batch.friction) * pressed;
    let square = dot(&slid, &slid);
    let slides = square.above(limit * limit);
    let mut held = RegF64x4::splat(1.0);
    if slides.any() {
        held = slides.choose(limit * square.sqrt().inverse_or_zero(), held);
    }
    [slid[0] * held, slid[1] * held, slid[2] * held]
}
