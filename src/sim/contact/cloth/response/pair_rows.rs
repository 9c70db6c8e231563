//! Contact rows of cloth on cloth, and the contact forces carried from step to step (`physics.md`
//! sections 11 and 13).
//!
//! The solver of a step gets the contact forces of the last step as external forces; the contact
//! solver adds the missing force and removes the excess. At rest the proposal of the solver is in
//! balance with the contacts (Uzawa's iteration, one per step).
//!
//! Along the normal the solver gets a running mean, with the gain `κ`, of the forces of this step
//! and the last: an impact, which lasts one step, is no force on the next. With a share `α` of an
//! approach corrected per step and a share `ρ` of a lack of distance recovered, it comes to rest if
//! `α (1 + κ)(κ + ρ) > κ ρ` (Routh's criterion for small `α`). Friction recovers no distance
//! (`ρ = 0`), is stable for any `κ`, and is passed on unchanged, within the limit by the mean: a
//! mean of friction would act on cloth that has separated, turned or stopped.
//!
//! Position-based solvers take the rows among their constraints instead, for the pairs that inertia
//! and external forces would bring near each other.

use super::forces::ClothContactForce;
use super::row::{ClothContactSettings, ContactRow, Pressing, RECOVERY_SPEED};
use super::solver_vertices::SolverVertices;
use super::step::ContactStep;
use crate::sim::contact::cloth::nearness::{Crossing, distance_of};
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::exec::batches::NONE;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::{F64x4, vectorised};
use crate::sim::{Real, Vec3};

/// Rows per task.
const CONTACTS: usize = 1024;

/// Gain of the running mean of contact forces, per step.
const GAIN: Real = 0.3;

/// A pair for which a row is built.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    pair: Pair,
    /// Index of its contact force of the last step, or `NONE`.
    at: u32,
    /// Whether it is not near any more, so that its row may only let go.
    fades: bool,
}

/// The pairs with a row, and the contact forces, with their memory.
#[derive(Debug, Default)]
pub(super) struct PairRows {
    /// First vertex of the component of each vertex.
    pub pieces: Vec<u32>,
    candidates: Vec<Candidate>,
    /// Forces of a vertex without a near pair.
    lost: Vec<u32>,
    /// Contact forces of this step, sorted by pairs, and of the step before.
    pub forces: Vec<ClothContactForce>,
    last: Vec<ClothContactForce>,
    /// Number of pressing rows up to the end of each part.
    ends: Vec<usize>,
}

impl PairRows {
    /// Drops the pairs of the last step.
    pub fn clear(&mut self) {
        self.candidates.clear();
    }

    /// Writes the rows of the sorted pairs in `found`, which are near after a step to `proposed`
    /// [m], and of those that pressed in the last step. They start from the forces that the solver
    /// was given.
    pub fn begin(
        &mut self,
        step: &ContactStep,
        found: &[Pair],
        proposed: &[Vec3],
        (rows, vertices): (&mut Vec<ContactRow>, &mut SolverVertices),
    ) {
        self.gather(found);
        self.make(step, proposed, RECOVERY_SPEED * step.dt, (rows, vertices));
        let Self { candidates, forces, .. } = self;
        for (candidate, row) in candidates.iter().zip(&*rows).filter(|(candidate, _)| candidate.at != NONE) {
            let given = forces[candidate.at as usize].lasting * (step.dt * step.dt);
            row.take_over(given, &mut vertices.q);
        }
    }

    /// Writes the rows of the pairs in `found`, which would be near after a step to `predicted`
    /// [m], for a solver that takes them as constraints. They start from the forces of the last
    /// step. Returns false, without rows, if a pair would pass through itself: that is an impact.
    pub fn constrain(
        &mut self,
        step: &ContactStep,
        found: &[Pair],
        predicted: &[Vec3],
        (rows, vertices): (&mut Vec<ContactRow>, &SolverVertices),
    ) -> bool {
        self.clear();
        rows.clear();
        if found.iter().any(|pair| passes(pair, step.before, predicted)) {
            // the solver was given no forces, so there is nothing to take back
            self.forces.clear();
            return false;
        }
        self.match_forces(found);
        self.make(step, predicted, RECOVERY_SPEED * step.dt, (rows, vertices));
        true
    }

    /// Takes the sorted pairs in `found`, with their forces of the last step.
    fn match_forces(&mut self, found: &[Pair]) {
        let Self { candidates, forces, .. } = self;
        candidates.clear();
        let mut pressed = (0..).zip(&*forces).peekable();
        for pair in found {
            while pressed.next_if(|(_, force)| force.pair() < *pair).is_some() {}
            let at = pressed.next_if(|(_, force)| force.pair() == *pair).map_or(NONE, |(at, _)| at);
            candidates.push(Candidate { pair: *pair, at, fades: false });
        }
    }

    /// Takes the sorted pairs in `found`, with their forces of the last step. A force belongs to a
    /// vertex: if its triangle is not near any more, it passes to a neighbouring one. The row of a
    /// force without a near pair fades.
    fn gather(&mut self, found: &[Pair]) {
        let Self { candidates, forces, lost, .. } = self;
        candidates.clear();
        let (mut pairs, mut known) = (found, 0);
        while !pairs.is_empty() || known < forces.len() {
            let of_pairs = pairs.first().map_or(u32::MAX, |pair| pair.vertices[0]);
            let of_forces = forces.get(known).map_or(u32::MAX, |force| force.vertices[0]);
            let vertex = of_pairs.min(of_forces);
            let (own, left) = pairs.split_at(pairs.partition_point(|pair| pair.vertices[0] == vertex));
            pairs = left;
            let end = known + forces[known..].partition_point(|force| force.vertices[0] == vertex);
            let first = candidates.len();
            lost.clear();
            for pair in own {
                let before = known + forces[known..end].partition_point(|force| force.pair() < *pair);
                lost.extend(known as u32..before as u32);
                known = before;
                let presses = known < end && forces[known].pair() == *pair;
                candidates.push(Candidate { pair: *pair, at: if presses { known as u32 } else { NONE }, fades: false });
                known += usize::from(presses);
            }
            lost.extend(known as u32..end as u32);
            known = end;
            let near = candidates.len();
            for &at in &*lost {
                let pair = forces[at as usize].pair();
                let is_beside = |other: &&mut Candidate| {
                    let corners = &pair.vertices[1..];
                    pair.first == 1
                        && other.pair.first == 1
                        && other.at == NONE
                        && other.pair.vertices[1..].iter().any(|corner| corners.contains(corner))
                };
                match candidates[first..near].iter_mut().find(is_beside) {
                    Some(heir) => heir.at = at,
                    None => candidates.push(Candidate { pair, at, fades: true }),
                }
            }
            candidates[first..].sort_unstable_by_key(|candidate| candidate.pair);
        }
    }

    /// Writes the rows of the candidates in a step to `proposed` [m], with at most `recovery` [m]
    /// per step.
    fn make(
        &self,
        step: &ContactStep,
        proposed: &[Vec3],
        recovery: Real,
        (rows, vertices): (&mut Vec<ContactRow>, &SolverVertices),
    ) {
        let Self { candidates, forces, pieces, .. } = self;
        rows.resize(candidates.len(), ContactRow::IDLE);
        let &ContactStep { settings, pattern, before, dt, .. } = step;
        let (rest, squared, q) = (pattern.rest_positions(), dt * dt, &vertices.q[..]);
        let making = Making { settings, pieces, rest, before, proposed, q, recovery, forces, squared };
        step.pool.change(Shared::new(rows), CONTACTS, |range, rows| {
            make_rows(&making, &candidates[range], rows);
        });
    }

    /// Writes the rows of those `found` pairs that pass through themselves in a step to `proposed`
    /// [m], without warm start.
    pub fn take_passing(
        &mut self,
        step: &ContactStep,
        found: &[Pair],
        proposed: &[Vec3],
        (rows, vertices): (&mut Vec<ContactRow>, &SolverVertices),
    ) {
        let passing = |pair: &&Pair| passes(pair, step.before, proposed);
        let candidate = |pair: &Pair| Candidate { pair: *pair, at: NONE, fades: false };
        self.candidates.clear();
        self.candidates.extend(found.iter().filter(passing).map(candidate));
        self.make(step, proposed, 0.0, (rows, vertices));
    }

    /// Stores the contact forces of the `rows` after a step of `dt` [s], with the `friction`
    /// coefficient.
    pub fn note_forces(&mut self, rows: &[ContactRow], friction: Real, (dt, pool): (Real, &ThreadPool)) {
        let Self { candidates, forces, last, ends, .. } = self;
        std::mem::swap(forces, last);
        let (candidates, last) = (&candidates[..], &last[..]);
        let range = |part: usize| part * CONTACTS..candidates.len().min((part + 1) * CONTACTS);
        ends.clear();
        ends.resize(candidates.len().div_ceil(CONTACTS), 0);
        pool.fill(ends, 1, |part| rows[range(part)].iter().filter(|row| row.pressure() > 0.0).count());
        let mut sum = 0;
        for end in &mut *ends {
            sum += *end;
            *end = sum;
        }
        let nothing = ClothContactForce { vertices: [0; 4], first: 1, force: Vec3::ZERO, lasting: Vec3::ZERO };
        forces.resize(sum, nothing);
        let (written, ends) = (Shared::new(forces), &ends[..]);
        pool.for_parts(ends.len(), 1, |parts| {
            for part in parts {
                let start = if part == 0 { 0 } else { ends[part - 1] };
                // SAFETY: the forces of different parts do not overlap, and each is written once
                let entries = unsafe { written.part(start..ends[part]) }.iter_mut();
                let own = candidates[range(part)].iter().zip(&rows[range(part)]);
                let pressing = own.filter_map(|(candidate, row)| Some((candidate, row.pressing()?)));
                for (entry, (Candidate { pair, at, .. }, pressing)) in entries.zip(pressing) {
                    *entry = force(pair, &pressing, last.get(*at as usize), friction, dt);
                }
            }
        });
    }
}

/// Whether a pair passes through itself in a motion from `x` to `y` [m].
fn passes(pair: &Pair, x: &[Vec3], y: &[Vec3]) -> bool {
    Crossing::of(pair, &pair.corners(x), &pair.corners(y)).is_some()
}

/// Input of rows.
struct Making<'a> {
    settings: ClothContactSettings,
    /// First vertex of the component of each vertex.
    pieces: &'a [u32],
    /// Positions at rest, at the start and at the proposed end [m], and the latter with inverse
    /// masses.
    rest: &'a [Vec3],
    before: &'a [Vec3],
    proposed: &'a [Vec3],
    q: &'a [F64x4],
    /// Largest change of distance by recovery in the step [m].
    recovery: Real,
    /// Contact forces of the last step, and the square of the step [s²].
    forces: &'a [ClothContactForce],
    squared: Real,
}

vectorised! {
    /// Writes the rows of some candidates.
    fn make_rows(making: &Making, candidates: &[Candidate], rows: &mut [ContactRow]) = make_either
}

#[inline(always)]
fn make_either<const FMA: bool>(making: &Making, candidates: &[Candidate], rows: &mut [ContactRow]) {
    let mut at = 0;
    while at < candidates.len() {
        rows[at] = making.row(&candidates[at]);
        at += 1;
    }
}

impl Making<'_> {
    /// The row of a candidate.
    #[inline(always)]
    fn row(&self, candidate: &Candidate) -> ContactRow {
        let Candidate { pair, at, fades } = candidate;
        let ClothContactSettings { distance, friction } = self.settings;
        let motion = [pair.corners(self.before), pair.corners(self.proposed)];
        let distance = distance_of(pair, &motion[1], self.pieces, self.rest, distance);
        let lasts = if *at == NONE { Vec3::ZERO } else { self.forces[*at as usize].lasting * self.squared };
        let keeping = ClothContactSettings { distance, friction };
        ContactRow::of_pair(pair, &keeping, self.recovery, (lasts, *fades), self.q, &motion)
    }
}

/// Contact force of a row in a step of `dt` [s], and the part of it for the next solver: along the
/// normal a running mean with the force of the step before, and friction within the limit by the
/// mean. `before` is the force of the step before.
fn force(
    pair: &Pair,
    pressing: &Pressing,
    before: Option<&ClothContactForce>,
    friction: Real,
    dt: Real,
) -> ClothContactForce {
    let Pressing { normal, along, across, .. } = *pressing;
    let of_last = |force: Vec3| normal.dot(force * (dt * dt)).max(0.0);
    let (given, pressed) = before.map_or((0.0, 0.0), |before| (of_last(before.lasting), of_last(before.force)));
    let mean = given + GAIN * (along.min(pressed) - given);
    let rubs = across.clamp_length_max(friction * mean);
    let [force, lasting] = [normal * along + across, normal * mean + rubs].map(|impulse| impulse / (dt * dt));
    ClothContactForce { vertices: pair.vertices, first: pair.first, force, lasting }
}
