//! A limit on stretch for every solver: Provot's inverse dynamics (Kang, Cho, Park, section 4;
//! `physics.md` section 5).
//!
//! ```text
//! after the step, p = 0; n times, for every spring:  Δp = ω (|d| - (1 + τ) L)/(w_i + w_j), but p never below 0;
//! x_i += w_i Δp u,   x_j -= w_j Δp u;   then v += Δx/h
//! ```
//!
//! `w` are inverse masses, zero where a vertex is prescribed: the ends of a spring move both, by
//! half each where they weigh the same, or one fully, and momentum stays. Gauss-Seidel, colour by
//! colour. With `ω = 1` a spring is shortened to its limit, as in the paper; the sweeps then carry
//! a correction from spring to spring, slowly. So they are over-relaxed, and what a spring has
//! pulled too far, `p`, it gives back: measured on a cloth of 40×40 vertices that would hang at 22
//! %, 40 sweeps with a limit of 5 % leave 8.1 % without and 5.1 % with that. What is left depends
//! on how much of the cloth hangs by springs at their limit; [`StretchLimiter::apply`] says it.
//! Where prescribed vertices are too far from each other for any way along springs, those on the
//! way give way (`spans.rs`) as far as they must.

mod spans;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use spans::Spans;

use super::exec::budget::{Cancelled, WorkBudget};
use super::exec::colouring::{Colouring, sweep};
use super::exec::pool::{Shared, ThreadPool};
use super::model::partition::Partition;
use super::params::{Kind, count, linear};
use super::pattern::Family;
use super::{Cloth, Pattern, Real, Vec3};

const fn unlimited(limit: &StretchLimit) -> Option<&'static str> {
    if limit.limit_stretch { None } else { Some("the stretch is not limited") }
}

crate::parameters! {
    /// Strain limiting: largest strain of the structural springs, whatever their stiffness.
    pub struct StretchLimit {
        /// Strain limiting after every step (Provot's inverse dynamics): structural springs beyond
        /// the limit are shortened. Keeps soft cloth, or a solver with few iterations, to size.
        pub limit_stretch: bool = false, "Limit", "", Kind::Toggle;
        /// Largest strain of a structural spring.
        pub stretch_limit: Real = 10.0, "Largest stretch", "%", linear(0.0, 100.0), idle unlimited;
        /// Sweeps over the structural springs after every step. More leave less strain beyond the
        /// limit where much cloth hangs by few springs; they end once no spring is beyond it.
        pub stretch_sweeps: u32 = 40, "Sweeps", "", count(1, 1000), idle unlimited;
        /// Limit the shear springs as well. The cloth then resists shear like paper.
        pub limit_shear: bool = false, "Shear springs", "", Kind::Toggle, idle unlimited;
    }
}

/// Springs per task.
const SPRINGS: usize = 256;
/// Over-relaxation `ω`.
const OVER_RELAXATION: Real = 1.8;
/// Tolerance of the limit, relative to the length.
const EXACT: Real = 1e-6;

/// A spring: its rest length [m], and its largest length in this step [m].
#[derive(Debug, Clone, Copy)]
struct Thread {
    ends: [u32; 2],
    rest_length: Real,
    limit: Real,
}

/// The limited springs, colour by colour, and scratch memory.
#[derive(Debug, Default)]
pub struct StretchLimiter {
    threads: Vec<Thread>,
    colours: Vec<Range<usize>>,
    spans: Spans,
    /// The pattern and whether its diagonals are limited.
    of: Option<(u64, bool)>,
    inverse_masses: Vec<Real>,
    /// Accumulated correction of each spring in this step, `p` [kg m].
    pulls: Vec<Real>,
    before: Vec<Vec3>,
}

impl StretchLimiter {
    /// Shortens the springs of `cloth` at the end of a step of `dt` [s], and returns the largest
    /// remaining strain.
    ///
    /// # Errors
    /// [`Cancelled`] when the step is cancelled.
    #[expect(clippy::too_many_arguments, reason = "what a step has at hand")]
    pub fn apply(
        &mut self,
        limit: &StretchLimit,
        pattern: &Pattern,
        partition: &Partition,
        dt: Real,
        cloth: &mut Cloth,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<Real, Cancelled> {
        self.gather(pattern, limit.limit_shear);
        let Self { threads, colours, spans, inverse_masses, pulls, before, .. } = self;
        let most = 1.0 + 0.01 * limit.stretch_limit;
        let left = |threads: &[Thread], cloth: &Cloth| {
            let longest = longest(threads, &cloth.positions, |thread| thread.rest_length, pool);
            (longest - 1.0).max(0.0)
        };
        threads.iter_mut().for_each(|thread| thread.limit = most * thread.rest_length);
        let is_within = |threads: &[Thread], cloth: &Cloth| {
            longest(threads, &cloth.positions, |thread| thread.limit, pool) <= 1.0 + EXACT
        };
        if is_within(threads, cloth) {
            return Ok(left(threads, cloth));
        }
        spans.give_way(threads, partition.prescribed_vertices(), &cloth.positions, most);
        before.clone_from(&cloth.positions);
        inverse_masses.clear();
        inverse_masses.extend(cloth.masses.iter().map(|mass| 1.0 / mass));
        for vertex in partition.prescribed_vertices() {
            inverse_masses[vertex as usize] = 0.0;
        }
        pulls.clear();
        pulls.resize(threads.len(), 0.0);
        for number in 1..=limit.stretch_sweeps {
            if !budget.spend_on(number, threads.len())? {
                break;
            }
            let positions = Shared::new(&mut cloth.positions);
            sweep(colours, threads, pulls, pool, |thread, pull| {
                // SAFETY: no two springs of a colour have a vertex in common, and no spring has one
                // twice
                let [x, y] = thread.ends.map(|end| unsafe { positions.entry(end as usize) });
                shorten(x, y, thread.ends.map(|end| inverse_masses[end as usize]), thread.limit, pull);
            });
            if is_within(threads, cloth) {
                break;
            }
        }
        let (positions, before) = (&cloth.positions, &*before);
        pool.update(&mut cloth.velocities, SPRINGS, |i, v| {
            if inverse_masses[i] > 0.0 {
                *v += (positions[i] - before[i]) / dt;
            }
        });
        Ok(left(threads, cloth))
    }

    fn gather(&mut self, pattern: &Pattern, with_shear: bool) {
        let of = Some((pattern.revision(), with_shear));
        if self.of == of {
            return;
        }
        let springs = pattern.springs();
        let limited = |e: &usize| match springs.families[*e] {
            Family::Structural => true,
            Family::Shear => with_shear,
            Family::Bend => false,
        };
        let chosen: Vec<Thread> = (0..springs.len())
            .filter(limited)
            .map(|e| Thread { ends: springs.ends[e], rest_length: springs.rest_lengths[e], limit: Real::INFINITY })
            .filter(|thread| thread.rest_length > 0.0 && thread.ends[0] != thread.ends[1])
            .collect();
        let colouring = Colouring::of(chosen.iter().map(|thread| thread.ends), pattern.len());
        self.threads.clear();
        self.threads.extend(colouring.order().iter().map(|&at| chosen[at as usize]));
        self.colours = colouring.into_ranges();
        self.spans.begin(&self.threads, pattern.rest_positions());
        self.of = of;
    }
}

/// Moves the ends of a spring together if it is longer than `most` [m], and apart as far as it was
/// corrected too much.
fn shorten(x: &mut Vec3, y: &mut Vec3, [wx, wy]: [Real; 2], most: Real, pull: &mut Real) {
    let d = *y - *x;
    let (squared, weight) = (d.length_squared(), wx + wy);
    if !(squared > most * most || *pull > 0.0) || weight <= 0.0 {
        return;
    }
    let next = (*pull + OVER_RELAXATION * (squared.sqrt() - most) / weight).max(0.0);
    let change = d.normalize_or_zero() * (next - *pull);
    *pull = next;
    *x += change * wx;
    *y -= change * wy;
}

/// Largest length of a spring relative to `length` [m].
fn longest(threads: &[Thread], positions: &[Vec3], length: impl Fn(&Thread) -> Real + Sync, pool: &ThreadPool) -> Real {
    // the bits of numbers that are not negative are in the order of the numbers, and of a maximum
    // the order does not matter
    let largest = AtomicU64::new(0);
    pool.for_parts(threads.len(), 4 * SPRINGS, |range| {
        let square = |thread: &Thread| {
            let [i, j] = thread.ends.map(|end| positions[end as usize]);
            let length = length(thread);
            i.distance_squared(j) / (length * length)
        };
        let of_part = threads[range].iter().map(square).fold(0.0, Real::max);
        largest.fetch_max(of_part.to_bits(), Ordering::Relaxed);
    });
    Real::from_bits(largest.into_inner()).sqrt()
}
