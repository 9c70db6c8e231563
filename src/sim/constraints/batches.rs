//! Springs projected four at a time.

use std::ops::Range;

use super::ColouredSprings;
use crate::sim::exec::pool::{Chunks, Shared, ThreadPool};
use crate::sim::exec::simd::{F64x4, FourVertices, RegF64x4, vectorised};
use crate::sim::pattern::{ByKind, Kind, strain_length};
use crate::sim::{Pattern, Real};

/// How the springs of a kind are projected.
#[derive(Debug, Clone, Copy, Default)]
pub struct Projection {
    /// Whether they are projected at all.
    pub active: bool,
    /// Share of the error that a projection removes.
    pub share: Real,
    /// Compliance `α = 1/(k h²)` [1/kg].
    pub compliance: Real,
    /// Damping `γ = c/(k h)`, a pure number.
    pub damping: Real,
    /// Whether the compliance is that of a spring of a metre, and in proportion to its length.
    pub per_strain: bool,
}

/// Batches per task, some 16 to 28 ns each.
const GRAIN: usize = 64;

/// Four springs of one colour and one kind. The last of a run may have springs from a spare vertex
/// to itself.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Batch {
    ends: [[u32; 4]; 2],
    /// Length of each of the four springs at rest [m].
    rest_lengths: F64x4,
}

/// The springs of some families by colour, and in a colour by kind.
#[derive(Debug, Default)]
pub struct SpringBatches {
    springs: ColouredSprings,
    batches: Vec<Batch>,
    /// Sums of the `Δλ` of a step [kg m].
    multipliers: Vec<F64x4>,
    /// The batches of each colour and kind, colour by colour.
    runs: Vec<(Range<usize>, Kind)>,
    /// The runs of each colour.
    colours: Vec<Range<usize>>,
    /// Every end is less than this.
    vertices: usize,
}

impl SpringBatches {
    /// Makes these the springs of `pattern` whose family is `active`; the work is done once per
    /// pattern and choice of families. All multipliers become zero.
    pub fn start(&mut self, pattern: &Pattern, active: [bool; 3]) {
        if self.springs.update(pattern, active) {
            self.gather(pattern.len());
        }
        self.multipliers.clear();
        self.multipliers.resize(self.batches.len(), F64x4::ZERO);
    }

    fn gather(&mut self, vertices: usize) {
        let Self { springs: coloured, batches, runs, colours, .. } = self;
        let springs = coloured.springs();
        assert!(springs.iter().flat_map(|spring| spring.ends).all(|end| (end as usize) < vertices));
        // vertices behind those of the cloth, for springs that do nothing: one for each lane and
        // kind, so that the threads of a colour never meet there
        let kinds = springs.iter().map(|spring| spring.kind.index() + 1).max().unwrap_or(0);
        self.vertices = vertices + 4 * kinds.max(3);
        batches.clear();
        runs.clear();
        colours.clear();
        for colour in coloured.colours() {
            let first_run = runs.len();
            let mut sorted = springs[colour.clone()].to_vec();
            // neighbours in memory one after the other
            sorted.sort_by_key(|spring| (spring.kind, spring.ends[0].min(spring.ends[1])));
            for run in sorted.chunk_by(|a, b| a.kind == b.kind) {
                let (start, kind) = (batches.len(), run[0].kind);
                let spare = std::array::from_fn(|lane| (vertices + 4 * kind.index() + lane) as u32);
                batches.extend(run.chunks(4).map(|four| {
                    let mut batch = Batch { ends: [spare; 2], rest_lengths: F64x4::ZERO };
                    for (lane, spring) in four.iter().enumerate() {
                        [batch.ends[0][lane], batch.ends[1][lane]] = spring.ends;
                        batch.rest_lengths.0[lane] = spring.rest_length;
                    }
                    batch
                }));
                runs.push((start..batches.len(), kind));
            }
            colours.push(first_run..runs.len());
        }
    }

    /// Number of entries that the arrays of vertices need: some more than the cloth has. Those are
    /// zero.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Projects every spring once, colour after colour. `q` has the positions [m] with the inverse
    /// masses [1/kg] in the fourth lane, `before` the positions at the start of the step, needed
    /// where there is damping.
    pub fn sweep(&mut self, q: &mut [F64x4], before: &[F64x4], by_kind: &ByKind<Projection>, pool: &ThreadPool) {
        let damped = by_kind.iter().any(|projection| projection.damping > 0.0);
        assert!(q.len() >= self.vertices && (!damped || before.len() >= self.vertices));
        let q = Shared::new(q);
        let Self { batches, multipliers, runs, colours, .. } = self;
        let grain = if pool.is_alone() { batches.len() } else { GRAIN };
        for colour in colours {
            let runs = &runs[colour.clone()];
            let (Some((first, _)), Some((last, _))) = (runs.first(), runs.last()) else { continue };
            let start = first.start;
            let multipliers = Chunks::new(&mut multipliers[start..last.end], grain);
            pool.change(multipliers, 1, |chunks, multipliers| {
                let part = start + chunks.start * grain..start + chunks.start * grain + multipliers.len();
                for (run, kind) in runs {
                    let run = run.start.max(part.start)..run.end.min(part.end);
                    if run.is_empty() {
                        continue;
                    }
                    let multipliers = &mut multipliers[run.start - part.start..run.end - part.start];
                    // ends are within both arrays by the assertion and `gather`; batches of a
                    // colour have no vertex in common
                    let part = ThreadBatches { batches: &batches[run], multipliers, q: &q, before };
                    project(part, &by_kind[*kind]);
                }
            });
        }
    }
}

/// Batches of a thread. Their ends are entries of `q`, and of `before` if there is damping; while
/// they are projected, no other thread uses those entries of `q`.
struct ThreadBatches<'a> {
    batches: &'a [Batch],
    multipliers: &'a mut [F64x4],
    q: &'a Shared<'a, F64x4>,
    before: &'a [F64x4],
}

vectorised! {
    /// Projects the springs of a part.
    fn project(part: ThreadBatches, projection: &Projection) = project_either
}

#[inline(always)]
fn project_either<const FMA: bool>(part: ThreadBatches, projection: &Projection) {
    match (projection.damping > 0.0, projection.compliance > 0.0, projection.per_strain) {
        (true, _, false) => project_part::<FMA, true, true, false>(part, projection),
        (true, _, true) => project_part::<FMA, true, true, true>(part, projection),
        (false, true, false) => project_part::<FMA, false, true, false>(part, projection),
        (false, true, true) => project_part::<FMA, false, true, true>(part, projection),
        (false, false, _) => project_part::<FMA, false, false, false>(part, projection),
    }
}

/// Moves the ends of springs: `Δλ = -(C + α λ + γ ∇C·(q - x)) / ((1 + γ) w + α)`, `Δq = w ∇C Δλ`;
/// one without length or between immovable ends stays. With `d = q_j - q_i` all is found from `|d|`
/// and `1/(d² ((1 + γ) w + α))`, which a processor computes at the same time.
#[inline(always)]
fn project_part<const FMA: bool, const DAMPED: bool, const COMPLIANT: bool, const PER_STRAIN: bool>(
    part: ThreadBatches,
    projection: &Projection,
) {
    let ThreadBatches { batches, multipliers, q, before } = part;
    let q = q.as_mut_ptr();
    let [minus_share, compliance, damping, damped_mass] =
        [-projection.share, projection.compliance, projection.damping, 1.0 + projection.damping]
            .map(RegF64x4::<FMA>::splat);
    for (batch, multiplier) in batches.iter().zip(multipliers) {
        let [at_i, at_j] = &batch.ends;
        // SAFETY: the invariant of `ThreadBatches`
        let (qi, qj) = unsafe { (FourVertices::<FMA>::gather(q, at_i), FourVertices::gather(q, at_j)) };
        let [x, y, z, _] = (qj - qi).columns();
        let [.., w] = (qi + qj).columns();
        let squared = (x * x).plus(y, y).plus(z, z);
        let length = squared.sqrt();
        let mut mass = if DAMPED { damped_mass * w } else { w };
        let mut error = length - RegF64x4(batch.rest_lengths);
        let compliance =
            if PER_STRAIN { compliance * RegF64x4(F64x4(batch.rest_lengths.0.map(strain_length))) } else { compliance };
        if COMPLIANT {
            mass = mass + compliance;
            error = error.plus(compliance, RegF64x4(*multiplier));
        }
        // 1/(|d| m)
        let inverse = length * (squared * mass).inverse_or_zero();
        if DAMPED {
            let start = before.as_ptr();
            // SAFETY: the invariant of `ThreadBatches`
            let (xi, xj) = unsafe { (FourVertices::<FMA>::gather(start, at_i), FourVertices::gather(start, at_j)) };
            let [x0, y0, z0, _] = (xj - xi).columns();
            let moved = (x * (x - x0)).plus(y, y - y0).plus(z, z - z0);
            error = error.plus(damping * moved, inverse * mass);
        }
        let change = minus_share * error * inverse;
        if COMPLIANT {
            *multiplier = RegF64x4::<FMA>(*multiplier).plus(change, length).0;
        }
        let push = FourVertices::from_columns([x * change, y * change, z * change, RegF64x4::ZERO]);
        // SAFETY: the invariant of `ThreadBatches`
        unsafe {
            qi.minus_weighted(push).scatter(q, at_i);
            qj.plus_weighted(push).scatter(q, at_j);
        }
    }
}
