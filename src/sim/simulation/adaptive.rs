//! The adaptive step (`physics.md` section 2.4; Kang, Cho, Park name it as an advantage of methods
//! without a prefactored matrix): inside one time step the solver takes substeps whose length
//! follows the motion.
//!
//! Every substep is taken twice, as a whole and as two halves. The difference of the two estimates
//! the error; the halves are kept. Preconditioners are those of a power of two times the time step,
//! which the whole, its halves and most of the substeps after them share. When the work budget of
//! the step is used up, the rest of it is taken at once.
//!
//! The stretch is limited once, at the end of the time step: in a short substep the same
//! displacement would mean a higher velocity, without bound.

use super::{Simulation, State, Substep};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::step::SchemeStep;
use crate::sim::{Real, StepError, StepStats, Vec3};

/// Share of the step that the error estimate would allow.
const SAFETY: Real = 0.9;
/// Limits on the change from one substep to the next.
const SHRINK: Real = 0.5;
const GROW: Real = 2.0;
/// Shortest substep, as a share of the time step.
const FLOOR: Real = 1.0 / 4096.0;

/// Work for the rest of a step whose work is used up, as a share of the work limit.
const RESERVE: Real = 0.1;

/// Memory of a substep that is tried.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// The state at its start.
    start: State,
    /// Where the whole of it has led [m].
    coarse: Vec<Vec3>,
}

/// A power of two times `whole` that is at most `h` and at least its half, so that neither `h` nor
/// its half is farther from it than a factor of two [s]. It follows from the substep alone, so that
/// a resumed run has the same.
fn shared_length(h: Real, whole: Real) -> Real {
    whole * (h / whole).log2().floor().exp2()
}

impl Simulation {
    /// Advances by one time step, in substeps of adaptive length. Its end is hit exactly.
    pub(super) fn advance_adaptively(&mut self, stats: &mut StepStats, pool: &ThreadPool) -> Result<(), StepError> {
        let whole = self.parameters.timing.time_step;
        let floor = whole * FLOOR;
        let extent = self.pattern.size();
        let order = self.order().max(1) as Real;
        let end = self.state.time + whole;
        let mut left = whole;
        while left > 0.0 {
            if self.scratch.budget.is_used_up() {
                let limit = self.parameters.timing.work_limit;
                self.scratch.budget.begin(self.cancel.clone(), RESERVE * limit);
                let (longest, limited_over) = (SchemeStep::LONGEST, Some(whole));
                let preconditioner_dt = shared_length(left, whole);
                self.substep(Substep { dt: left, preconditioner_dt, longest, limited_over }, stats, pool)?;
                stats.exhausted += 1;
                break;
            }
            let wanted = self.state.next_substep.unwrap_or(whole).clamp(floor, whole);
            // two equal parts rather than a whole one and a crumb
            let h = if wanted >= left { left } else { wanted.min(0.5 * left) };
            self.scratch.trial.start.clone_from(&self.state);
            let before = *stats;
            let limited_over = (h >= left).then_some(whole);
            let tried = self.try_substep((h, limited_over), shared_length(h, whole), stats, pool);
            let allowed = match &tried {
                Ok(error) => SAFETY * (self.parameters.timing.tolerance * extent / error).powf(1.0 / (order + 1.0)),
                Err(StepError::Cancelled) => return Err(StepError::Cancelled),
                Err(_) => 0.0,
            };
            let next = Some(h * allowed.clamp(SHRINK, GROW));
            if allowed < SAFETY && h > floor * (1.0 + 1e-12) {
                // the work was done, but the motion was not
                stats.substeps = before.substeps;
                stats.residual = before.residual;
                stats.air_work = before.air_work;
                stats.unconverged = before.unconverged;
                stats.rejected += 1;
                self.take_back();
                self.state.next_substep = next;
                continue;
            }
            tried?;
            self.state.next_substep = next;
            left -= h;
            if left <= 1e-12 * whole {
                left = 0.0;
            }
        }
        self.state.time = end;
        Ok(())
    }

    /// One substep of `h` [s], with preconditioners of a step of `shared` [s], as a whole and then,
    /// from the same state, as two halves, which stay. Returns the largest distance between the two
    /// results [m].
    fn try_substep(
        &mut self,
        (h, limited_over): (Real, Option<Real>),
        shared: Real,
        stats: &mut StepStats,
        pool: &ThreadPool,
    ) -> Result<Real, StepError> {
        let (taken, air_work) = (stats.substeps, stats.air_work);
        // the whole is not kept: slow growth does not matter in it, and its halves may be twice as
        // long as those before
        let part = Substep { dt: h, preconditioner_dt: shared, longest: 2.0 * SchemeStep::LONGEST, limited_over };
        self.substep(part, stats, pool)?;
        stats.air_work = air_work;
        self.scratch.trial.coarse.clone_from(&self.state.cloth.positions);
        self.take_back();
        let half = Substep { dt: 0.5 * h, longest: SchemeStep::LONGEST, ..part };
        self.substep(Substep { limited_over: None, ..half }, stats, pool)?;
        self.substep(half, stats, pool)?;
        stats.substeps = taken + 2;
        let halves = &self.state.cloth.positions;
        let distances = self.scratch.trial.coarse.iter().zip(halves).map(|(a, b)| a.distance_squared(*b));
        Ok(distances.fold(0.0, Real::max).sqrt())
    }

    /// Returns to the start of the substep, with the factor at hand.
    fn take_back(&mut self) {
        let factor = std::mem::take(&mut self.state.solver.factor);
        self.state.clone_from(&self.scratch.trial.start);
        self.state.solver.factor = factor;
    }
}
