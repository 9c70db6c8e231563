//! Iterations of a step with acceleration, or with an error as their end: steps of the positions,
//! none of which raises the energy.
//!
//! ```text
//! R = b(q) - A q = -∇E(q),   f = A⁻¹ R,   s = combination of f and of what is remembered (acceleration.rs)
//! E(q + t s) - E(q) = t sᵀ(A q - c) + ½ t² sᵀ A s + N(q + t s) - N(q)
//! ```
//!
//! `N` is the part of the energy that is not in the matrix, `-Σ w L (|d| - L)` of the springs; the
//! local step of the next iteration computes it along with its projections, so that the test of an
//! accepted step costs nothing. The first iteration needs `A q`; later ones have it from the images
//! `A s` of the steps.
//!
//! If the factor is larger than a cache, `f` is computed in single precision, to a relative error
//! of some 1e-4. `R` and `A s` are not: so energies, and the end of the iterations, are as exact as
//! with a small factor.
//!
//! A step that does not lower the energy is halved a few times if its direction is one of descent,
//! and then replaced by `f` itself, which never raises the energy, since `A` majorises it. With
//! friction this holds for the energy with the friction limits at the start of the iteration
//! ([`energy`](crate::sim::contact::Contact::energy)).

use super::acceleration::IterationPlan;
use super::history::{History, Place, Proposal};
use super::products::Weighting;
use super::stopping::Progress;
use super::{BATCHES, LocalGlobal, PLACES, Weights};
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;
use crate::sim::solver_interface::{StepStage, Stopwatch};
use crate::sim::{Cloth, Real, StepError, StepInput, StepStats};

/// Decrease of the energy that is asked for, relative to that of a straight line (Armijo).
const SUFFICIENT: Real = 1e-4;
/// Rounding error of an energy, relative to its parts, and to the decrease in the step.
const ROUNDING: Real = 1e-14;
const ROUNDING_OF_GAIN: Real = 1e-13;

/// State of the iterations of a step, by places.
#[derive(Debug, Default)]
pub struct Descent {
    /// `A q` [N].
    pub(super) image: Vec<F64x4>,
    /// `R` [N].
    pub(super) residual: Vec<F64x4>,
    /// `f` [m].
    pub(super) way: Vec<F64x4>,
    pub(super) trial: Vec<F64x4>,
    pub(super) history: History,
    /// `N(q)` [J].
    pub(super) beyond: Real,
    /// Weight of Chebyshev's recurrence.
    omega: Real,
    /// Estimate of the error.
    pub(super) progress: Progress,
    partial: Vec<Real>,
    of_contacts: Vec<Real>,
    /// Where single iterations left off: the positions, and the `c` of their step.
    left: Option<[Vec<F64x4>; 2]>,
}

impl LocalGlobal {
    /// The iterations of a step from `q`, as `plan` has them.
    ///
    /// # Errors
    /// [`StepError::Cancelled`] when the step has been called off.
    pub(super) fn descend(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        weights: &Weights,
        plan: &IterationPlan,
        (watch, stats): (&mut Stopwatch, &mut StepStats),
    ) -> Result<(), StepError> {
        let (budget, pool) = (input.budget, input.pool);
        let work = self.work_of_iteration();
        self.begin_descent(weights, plan, pool);
        if plan.holds_back() {
            self.hold_back(cloth, input, weights, pool);
            self.balance(cloth, input, pool);
        }
        watch.lap(stats, StepStage::Local);
        for iteration in 1..=plan.iterations {
            if !budget.spend_on(iteration, work)? {
                stats.exhausted = 1;
                break;
            }
            let done = self.descend_once(cloth, weights, plan, pool, (&mut *watch, &mut *stats));
            stats.iterations = iteration;
            if done {
                break;
            }
        }
        Ok(())
    }

    /// Forgets all earlier iterations.
    pub(super) fn begin_descent(&mut self, weights: &Weights, plan: &IterationPlan, pool: &ThreadPool) {
        let Self { system, q, descent, lengths, contacts, .. } = self;
        let Some(system) = system else { return };
        let n = q.len();
        for array in [&mut descent.image, &mut descent.residual, &mut descent.way, &mut descent.trial] {
            array.resize(n, F64x4::ZERO);
        }
        descent.partial.resize(lengths.batches().div_ceil(BATCHES), 0.0);
        descent.of_contacts.resize(contacts.len().div_ceil(PLACES), 0.0);
        descent.history.clear(n, plan.room(), plan.joins());
        (descent.omega, descent.left) = (0.0, None);
        self.sliding.begin(if plan.slides() { contacts.len() } else { 0 }, n);
        descent.progress = Progress::default();
        system.multiply(q, &mut descent.image, pool);
        self.descent.beyond = self.project_and_measure(weights, pool);
    }

    /// One iteration. Returns whether the step is solved by the measure of `plan`.
    fn descend_once(
        &mut self,
        cloth: &Cloth,
        weights: &Weights,
        plan: &IterationPlan,
        pool: &ThreadPool,
        (watch, stats): (&mut Stopwatch, &mut StepStats),
    ) -> bool {
        self.unbalance(cloth, pool);
        watch.lap(stats, StepStage::Local);
        if let Some(system) = &mut self.system {
            system.solve_way(&mut self.descent.way, pool);
        }
        watch.lap(stats, StepStage::Solve);
        let Descent { history, residual, way, progress, omega, .. } = &mut self.descent;
        history.absorb(residual, way, pool);
        progress.hear(&history.products);
        let solved = plan.tolerance.is_some_and(|tolerance| progress.error() <= tolerance);
        let weighting = if solved { None } else { plan.weights(&history.products, omega) };
        let slides = || (!solved && plan.slides() && self.may_slide()).then_some(Weighting::PLAIN);
        let tried = weighting.or_else(slides);
        let taken = tried.and_then(|weighting| self.attempt(cloth, weights, plan, &weighting, pool));
        let (proposal, t, gain) = taken.unwrap_or_else(|| {
            self.descent.omega = if weighting.is_none() { self.descent.omega } else { 0.0 };
            let proposal = self.propose(&Weighting::PLAIN, pool);
            let gain = self.judge(cloth, weights, &proposal, 1.0, pool);
            (proposal, 1.0, gain)
        });
        let Descent { history, trial, progress, beyond, .. } = &mut self.descent;
        history.take(&proposal, t, pool);
        progress.gained += gain.decrease;
        *beyond = gain.beyond;
        std::mem::swap(&mut self.q, trial);
        watch.lap(stats, StepStage::Local);
        solved
    }

    /// One iteration from `q`, which continues the last one if that led to `q` in the same step.
    pub(super) fn descend_alone(
        &mut self,
        cloth: &Cloth,
        weights: &Weights,
        plan: &IterationPlan,
        pool: &ThreadPool,
        (watch, stats): (&mut Stopwatch, &mut StepStats),
    ) -> bool {
        let goes_on = self.descent.left.as_ref().is_some_and(|[q, c]| *q == self.q && *c == self.constant);
        if !goes_on {
            self.begin_descent(weights, plan, pool);
        }
        *watch = Stopwatch::start(watch.clock());
        let solved = self.descend_once(cloth, weights, plan, pool, (watch, stats));
        self.descent.left = Some([self.q.clone(), self.constant.clone()]);
        solved
    }

    /// Tries the step with these weights, halved if necessary. `trial` is its end.
    fn attempt(
        &mut self,
        cloth: &Cloth,
        weights: &Weights,
        plan: &IterationPlan,
        weighting: &Weighting,
        pool: &ThreadPool,
    ) -> Option<(Proposal, Real, Gain)> {
        let mut proposal = self.propose(weighting, pool);
        if plan.slides() {
            proposal = self.extend(cloth, proposal, pool);
        }
        let leads_down = proposal.descent > 0.0;
        let mut t = 1.0;
        for halving in 0..=plan.halvings() {
            if halving > 0 {
                if !leads_down {
                    return None;
                }
                t *= 0.5;
                let Self { q, descent: Descent { trial, history, .. }, .. } = self;
                let (step, _) = history.last();
                pool.update(trial, PLACES, |place, trial| *trial = q[place] + step[place] * F64x4::splat(t));
            }
            let gain = self.judge(cloth, weights, &proposal, t, pool);
            let asked = if plan.halvings() > 0 { SUFFICIENT * t * proposal.descent } else { 0.0 };
            if gain.decrease >= asked - gain.rounding {
                return Some((proposal, t, gain));
            }
        }
        None
    }

    fn propose(&mut self, weighting: &Weighting, pool: &ThreadPool) -> Proposal {
        let Self { system, q, constant, descent, .. } = self;
        let Descent { image, residual, way, trial, history, .. } = descent;
        let multiply = |step: &[F64x4], image: &mut [F64x4]| {
            if let Some(system) = system {
                system.multiply(step, image, pool);
            }
        };
        history.propose(weighting, Place { q, image, constant, residual, way }, multiply, trial, pool)
    }

    /// By how much the energy falls on the share `t` of the proposal, at whose end `trial` is.
    pub(super) fn judge(
        &mut self,
        cloth: &Cloth,
        weights: &Weights,
        proposal: &Proposal,
        t: Real,
        pool: &ThreadPool,
    ) -> Gain {
        std::mem::swap(&mut self.q, &mut self.descent.trial);
        let beyond = self.project_and_measure(weights, pool);
        std::mem::swap(&mut self.q, &mut self.descent.trial);
        let Self { contacts, q, descent, .. } = self;
        let trial = &descent.trial;
        let mut of_contacts = 0.0;
        if !contacts.is_empty() {
            let sums = Shared::new(&mut descent.of_contacts);
            pool.for_parts(contacts.len(), PLACES, |range| {
                let change = |(place, weight, contact): &(u32, Real, _)| {
                    let contact: &crate::sim::contact::Contact = contact;
                    let (from, to) = (q[*place as usize].to_vec3(), trial[*place as usize].to_vec3());
                    weight * contact.energy_change(from, to, cloth.positions[contact.vertex as usize])
                };
                let part = range.start / PLACES;
                let sum = contacts[range].iter().map(change).sum();
                // SAFETY: every part has a sum of its own.
                unsafe { *sums.entry(part) = sum };
            });
            of_contacts = descent.of_contacts.iter().sum();
        }
        let change = t * proposal.slope + 0.5 * t * t * proposal.curvature + (beyond - descent.beyond) + of_contacts;
        let rounding =
            ROUNDING * (beyond.abs() + descent.beyond.abs()) + ROUNDING_OF_GAIN * descent.progress.gained.abs();
        Gain { decrease: -change, beyond, rounding }
    }

    /// The residual at `q`, for which everything has been projected, and a copy of it to solve for.
    /// The image of `q` is brought up to date.
    fn unbalance(&mut self, cloth: &Cloth, pool: &ThreadPool) {
        let Self { descent, prescribed, .. } = self;
        let Descent { image, residual, way, history, .. } = descent;
        let step = history.is_pending().then(|| history.last().1);
        let arrays = (Shared::new(image), (Shared::new(residual), Shared::new(way)));
        let (lengths, blocks, q, constant, contacts) =
            (&self.lengths, &self.blocks, &self.q, &self.constant, &self.contacts);
        pool.change(arrays, PLACES, |range, (image, (residual, way))| {
            if let Some(step) = step {
                image.iter_mut().zip(&step[range.clone()]).for_each(|(image, step)| *image = *image + *step);
            }
            residual.copy_from_slice(&constant[range.clone()]);
            lengths.pull(q, range.clone(), residual);
            blocks.pull(range.clone(), residual);
            super::pull_contacts(contacts, q, cloth, &range, residual);
            for (residual, image) in residual.iter_mut().zip(&*image) {
                *residual = *residual - *image;
            }
            for (place, _) in super::within(prescribed, &range, |held| held.0) {
                residual[*place as usize - range.start] = F64x4::ZERO;
            }
            way.copy_from_slice(residual);
        });
    }

    /// Projects everything at `q`. Returns the part of the energy that the matrix does not have,
    /// contacts aside [J].
    pub(super) fn project_and_measure(&mut self, weights: &Weights, pool: &ThreadPool) -> Real {
        let Self { lengths, blocks, q, descent, .. } = self;
        let mut factors = std::mem::take(&mut lengths.factors);
        let shared = (Shared::new(&mut factors), Shared::new(&mut descent.partial));
        pool.for_parts(lengths.batches(), BATCHES, |range| {
            let part = range.start / BATCHES;
            // SAFETY: the parts do not overlap, and each has a sum of its own.
            let (factors, sum) = unsafe { (shared.0.part(range.clone()), shared.1.entry(part)) };
            *sum = lengths.project_and_measure(q, range, factors);
        });
        lengths.factors = factors;
        descent.partial.iter().sum::<Real>() + blocks.project_and_measure(q, weights, pool)
    }

    /// How far the last iteration has moved a vertex, at most [m].
    pub(super) fn last_step(&self) -> Real {
        let (step, _) = self.descent.history.last();
        step.iter().map(|s| (*s * *s).sum()).fold(0.0, Real::max).sqrt()
    }
}

/// Decrease of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gain {
    /// By how much the energy falls [J].
    pub decrease: Real,
    /// `N` where it leads [J].
    pub beyond: Real,
    /// Rounding error of the decrease [J].
    pub rounding: Real,
}
