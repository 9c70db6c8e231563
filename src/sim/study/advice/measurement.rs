//! The measurements: looks at the candidates, each longer than the one before and at fewer of them.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::candidate::candidates;
use super::departure::departures;
use super::halving::{dominates, fronts, survivors};
use super::judgement::{SAME_COST, SAME_ERROR};
use super::over_time::Series;
use super::reference::{Target, Trajectory, step_by_reference};
use super::trial::{Run, Step, apply, bounds, drift, least_motion, relative, run_over_time, scatter, step_from};
use super::{
    Advice, AdvicePlan, CandidateRow, Event, Findings, PROFILES, Question, ReferenceFigures, ReferenceRun, RunFigures,
    Scatter, Standing,
};
use crate::sim::study::blow_up::Start;
use crate::sim::study::jitter::mean_spring;
use crate::sim::study::run::Interrupted;
use crate::sim::{Real, Simulation, StepError};

/// Share of the time at which the first states have to be there, and all of them; at which each
/// look ends; and at which the run of the reference does. The last look makes the runs over time;
/// the rest of the time is for those that would be recommended, once more.
const FIRST_STATES: Real = 0.02;
const ALL_STATES: Real = 0.52;
const ENDS: [Real; 4] = [0.3, 0.42, 0.6, 0.85];
const REFERENCE_RUN: Real = 0.68;
/// Share at which the reference has run from a later state, and length of that run beside the first
/// one.
const REFERENCE_AGAIN: Real = 0.9;
const AGAIN: Real = 0.5;
/// Steps of the run of the first look, and most time of it [s].
const LOOK_STEPS: u64 = 8;
const LOOK_SECONDS: Real = 0.5;
/// Strain that no cloth has, except while it fails.
const ANY_STRAIN: Real = 10.0;
/// A run of the last look may take so many times its share of the time that is left.
const GENEROUS: Real = 2.0;

/// Measures all candidates. `tell` hears of results as they come, and says whether to continue.
///
/// # Errors
/// [`Interrupted`] when `tell` or the token of the plan ended it, or the reference failed.
pub fn measure(
    question: &Question,
    plan: &AdvicePlan,
    tell: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Result<Findings, Interrupted> {
    let mut measurement = Measurement::new(question, plan, tell);
    continued((measurement.tell)(Event::Begun(&measurement.findings)))?;
    for look in 0..ENDS.len() {
        measurement.walk(look)?;
        measurement.look(look)?;
        // all that has stepped from all states runs as well
        if look + 2 < ENDS.len() {
            measurement.halve();
        }
        measurement.tell_look()?;
    }
    measurement.confirm()?;
    measurement.tell_look()?;
    Ok(measurement.findings)
}

struct Measurement<'a> {
    plan: &'a AdvicePlan,
    tell: &'a mut dyn FnMut(Event) -> ControlFlow<()>,
    /// When it began [s].
    began: Real,
    start: Start,
    /// A copy to try on.
    simulation: Simulation,
    trajectory: Trajectory,
    targets: Vec<Target>,
    reference: Option<Series>,
    findings: Findings,
    /// The steps of each candidate from each target.
    steps: Vec<Vec<Option<Step>>>,
}

fn continued(flow: ControlFlow<()>) -> Result<(), Interrupted> {
    if flow.is_break() { Err(Interrupted::Cancelled) } else { Ok(()) }
}

impl<'a> Measurement<'a> {
    fn new(question: &Question, plan: &'a AdvicePlan, tell: &'a mut dyn FnMut(Event) -> ControlFlow<()>) -> Self {
        let checkpoint = question.checkpoint();
        let mut simulation = Simulation::resume(checkpoint);
        (simulation.clock, simulation.cancel) = (plan.clock, plan.cancel.clone());
        let (candidates, skipped) = candidates(checkpoint);
        let row = |candidate: super::Candidate| CandidateRow {
            effort: candidate.effort(&simulation),
            candidate,
            stage: Standing::Waiting,
            states: 0,
            error: None,
            drift: None,
            step: None,
            scatter: Scatter::default(),
            fails_after: None,
            run: None,
            again: None,
            film: None,
        };
        let rows: Vec<CandidateRow> = candidates.into_iter().map(row).collect();
        let trajectory = Trajectory::new(checkpoint, plan.clock, &plan.cancel);
        let reference =
            ReferenceFigures { solver: trajectory.solver().id, parts: trajectory.parts(), states: 0, difference: 0.0 };
        let (spring, time_step) = (mean_spring(simulation.pattern()), simulation.parameters.timing.time_step);
        Self {
            began: (plan.clock.0)(),
            // how far the cloth stretches rightly is known when the reference has run
            start: Start::of(&simulation).tolerating(ANY_STRAIN),
            steps: vec![Vec::new(); rows.len()],
            findings: Findings {
                reference,
                reference_run: None,
                rows,
                skipped,
                spring,
                time_step,
                run: plan.run,
                seconds: plan.seconds,
                looks: Vec::new(),
            },
            targets: Vec::new(),
            reference: None,
            plan,
            tell,
            simulation,
            trajectory,
        }
    }

    /// Share of the time that has passed; zero without a clock.
    fn passed(&self) -> Real {
        ((self.plan.clock.0)() - self.began) / self.plan.seconds
    }

    /// Brings the reference to the states of a look, as far as the time allows, but to one at
    /// least. Before the last look the reference makes its run as well.
    fn walk(&mut self, look: usize) -> Result<(), Interrupted> {
        // the first look is spread over the states of the second one
        let count = states(self.plan, look.max(1));
        let until = if look == 0 { FIRST_STATES } else { ALL_STATES };
        while self.targets.len() < count && (self.targets.is_empty() || self.passed() < until) {
            let tell = &mut *self.tell;
            let target = self.trajectory.next(&mut || tell(Event::Progress(0.0)))?;
            self.targets.push(target);
        }
        let targets = &self.targets;
        let motion: Real = targets.iter().map(|target| target.motion.max(least_motion(target))).sum();
        let difference: Real = targets.iter().map(|target| target.difference).sum();
        self.findings.reference.states = targets.len();
        self.findings.reference.difference = if motion > 0.0 { (difference / motion).sqrt() } else { 0.0 };
        if look + 1 == ENDS.len() {
            let seconds = (REFERENCE_RUN - self.passed()).max(0.05) * self.plan.seconds;
            let limits = (bounds(self.plan.run, u64::MAX, seconds), self.plan.cost);
            let Self { start, simulation, tell, .. } = self;
            let ran =
                run_over_time(start, simulation, step_by_reference, limits, &mut || tell(Event::Progress(ENDS[2])));
            let ControlFlow::Continue(run) = ran else { return Err(Interrupted::Cancelled) };
            self.simulation.restore(self.start.checkpoint());
            self.start = Start::of(&self.simulation).tolerating(2.0 * run.series.largest_stretch());
            self.findings.reference_run = Some(ReferenceRun {
                step: run.step,
                figures: run.series.until(run.series.lasted()),
                film: Arc::new(run.film),
            });
            self.reference = Some(run.series);
        }
        Ok(())
    }

    /// Looks at all candidates that are left, as far as the time allows.
    fn look(&mut self, look: usize) -> Result<(), Interrupted> {
        let order = self.order(look);
        let from = if look == 0 { 0.0 } else { ENDS[look - 1] };
        for (done, &row) in order.iter().enumerate() {
            if self.findings.rows[row].stage == Standing::Foreseen {
                continue;
            }
            let share = done as Real / order.len() as Real;
            continued((self.tell)(Event::Progress(from + (ENDS[look] - from) * share)))?;
            if done > 0 && self.passed() > ENDS[look] {
                // between the first and the last look a candidate goes on with the figures that it
                // has
                if look == 0 || look + 1 == ENDS.len() {
                    self.findings.rows[row].stage = Standing::OutOfTime;
                }
            } else {
                self.look_at(row, look, order.len() - done)?;
            }
            continued((self.tell)(Event::Row(row, &self.findings.rows[row])))?;
            if look == 0 && done + 1 == self.solvers() {
                self.foresee();
                self.tell_look()?;
            }
        }
        Ok(())
    }

    /// The candidates that are left, the most telling ones first: in the first look a middle rung
    /// of each solver, then those of the foremost fronts, and in the last one the cheapest.
    fn order(&self, look: usize) -> Vec<usize> {
        let rows = &self.findings.rows;
        let mut order: Vec<usize> =
            (0..rows.len()).filter(|row| matches!(rows[*row].stage, Standing::Waiting | Standing::Looked)).collect();
        if look == 0 {
            let middle = |row: &usize| {
                let of_solver =
                    |other: &&CandidateRow| std::ptr::eq(other.candidate.solver, rows[*row].candidate.solver);
                let last = rows.iter().filter(of_solver).map(|other| other.candidate.place).max().unwrap_or(0);
                !rows[*row].candidate.is_present && rows[*row].candidate.place != last / 2
            };
            order.sort_by_key(middle);
            return order;
        }
        // what costs little is run first of all: it takes little of the time
        if look + 1 == ENDS.len() {
            let cost = |row: usize| (!rows[row].candidate.is_present, rows[row].step.unwrap_or(Real::INFINITY));
            order.sort_by(|a, b| cost(*a).0.cmp(&cost(*b).0).then(cost(*a).1.total_cmp(&cost(*b).1)));
            return order;
        }
        let front = fronts(&order.iter().map(|row| self.point(*row)).collect::<Vec<_>>());
        let mut ranked: Vec<(bool, usize, usize)> =
            order.iter().zip(front).map(|(row, front)| (!rows[*row].candidate.is_present, front, *row)).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, _, row)| row).collect()
    }

    /// Number of solvers, with the present one as it is set.
    fn solvers(&self) -> usize {
        let rows = &self.findings.rows;
        1 + rows.windows(2).filter(|pair| pair[0].candidate.place >= pair[1].candidate.place).count()
    }

    /// Cost and error of a candidate.
    fn point(&self, row: usize) -> [Real; 2] {
        let row = &self.findings.rows[row];
        [row.step.unwrap_or(Real::INFINITY), row.error.map_or(Real::INFINITY, |error| error.total())]
    }

    /// Steps a candidate from the states of a look, and runs it in the first and the last one.
    /// `left` candidates share the time that is left.
    fn look_at(&mut self, row: usize, look: usize, left: usize) -> Result<(), Interrupted> {
        let candidate = self.findings.rows[row].candidate;
        self.findings.rows[row].stage = Standing::Looked;
        self.simulation.restore(self.start.checkpoint());
        apply(&candidate, &mut self.simulation);
        self.steps[row].resize(self.targets.len(), None);
        for at in spread(states(self.plan, look), self.targets.len()) {
            if self.steps[row][at].is_none() && !self.step(row, at)? {
                return Ok(());
            }
        }
        self.note_error(row);
        let is_last = look + 1 == ENDS.len();
        let limits = match (look, is_last) {
            (0, _) => bounds(Real::INFINITY, LOOK_STEPS, LOOK_SECONDS),
            (_, true) => {
                let seconds = (ENDS[look] - self.passed()) * self.plan.seconds / left as Real;
                bounds(self.plan.run, u64::MAX, GENEROUS * seconds.max(0.0))
            }
            _ => return Ok(()),
        };
        let Self { start, simulation, plan, tell, .. } = self;
        let change = |simulation: &mut Simulation| apply(&candidate, simulation);
        let mut go_on = || tell(Event::Progress(if is_last { ENDS[2] } else { 0.0 }));
        let ran = run_over_time(start, simulation, change, (limits, plan.cost), &mut go_on);
        let ControlFlow::Continue(run) = ran else { return Err(Interrupted::Cancelled) };
        self.note_run(row, run, is_last);
        Ok(())
    }

    /// One step from a target. Whether it succeeded.
    fn step(&mut self, row: usize, at: usize) -> Result<bool, Interrupted> {
        match step_from(&mut self.simulation, &self.targets[at]) {
            Ok(step) => self.steps[row][at] = Some(step),
            Err(StepError::Cancelled) => return Err(Interrupted::Cancelled),
            Err(_) => {
                let row = &mut self.findings.rows[row];
                (row.stage, row.fails_after) = (Standing::Failed, Some(0.0));
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn note_error(&mut self, row: usize) {
        let steps = self.steps[row].iter().zip(&self.targets);
        let steps: Vec<_> = steps.filter_map(|(step, target)| Some(((*step)?, target))).collect();
        let row = &mut self.findings.rows[row];
        row.states = steps.len();
        row.error = relative(&steps);
        row.drift = drift(&steps, self.findings.time_step);
        row.scatter.error = scatter(&steps);
    }

    fn note_run(&mut self, row: usize, run: Run, is_last: bool) {
        let slowest = self.plan.slowest * self.findings.time_step;
        let row = &mut self.findings.rows[row];
        row.step = run.step.or(row.step);
        row.scatter.cost = run.scatter;
        row.fails_after = run.fails_after;
        let is_hopeless = row.error.is_some_and(|error| error.total() >= 1.0) && !row.candidate.is_present;
        let too_slow = row.step.is_some_and(|step| step > slowest) && !row.candidate.is_present;
        row.stage = match (run.fails_after, is_last) {
            (Some(_), _) => Standing::Failed,
            (None, _) if is_hopeless => Standing::Hopeless,
            (None, _) if too_slow => Standing::TooSlow,
            (None, true) => Standing::Measured,
            (None, false) => Standing::Looked,
        };
        row.run = if is_last { beside(&run.series, self.reference.as_ref()) } else { None };
        row.film = is_last.then(|| Arc::new(run.film));
    }

    /// Drops the candidates behind the foremost fronts, half of those that are left, but for those that
    /// are equal to one of a front.
    fn halve(&mut self) {
        let alive: Vec<usize> =
            (0..self.findings.rows.len()).filter(|row| self.findings.rows[*row].stage == Standing::Looked).collect();
        let points: Vec<_> = alive.iter().map(|row| self.point(*row)).collect();
        let ahead = survivors(&points, alive.len().div_ceil(2));
        // a tie is not decided by the scatter of a short look
        let is_equal = |[step, error]: [Real; 2]| {
            let within = [step / (1.0 + SAME_COST), error / (1.0 + SAME_ERROR)];
            points.iter().zip(&ahead).all(|(other, goes_on)| !goes_on || !dominates(*other, within))
        };
        let stays: Vec<bool> = points.iter().zip(&ahead).map(|(point, goes_on)| *goes_on || is_equal(*point)).collect();
        for (row, stays) in alive.iter().zip(stays) {
            let row = &mut self.findings.rows[*row];
            if !stays && !row.candidate.is_present {
                row.stage = Standing::Behind;
            }
        }
    }

    /// Leaves out efforts of which that of the same solver that was looked at lets expect that
    /// another candidate is both cheaper and nearer: cost is taken as in proportion to the work,
    /// half of that for more work, and the error to fall with the square of the work at best.
    fn foresee(&mut self) {
        let rows = &self.findings.rows;
        let seen: Vec<usize> = (0..rows.len()).filter(|row| rows[*row].stage == Standing::Looked).collect();
        let expected = |row: usize| {
            let own = &rows[row].candidate;
            let is_like = |of: &&usize| std::ptr::eq(rows[**of].candidate.solver, own.solver);
            let known = seen.iter().filter(|of| !rows[**of].candidate.is_present).find(is_like)?;
            let (work, [step, error]) = (own.work_beside(&rows[*known].candidate)?, self.point(*known));
            Some(if work > 1.0 { [step * (0.5 * work).max(1.0), error / (work * work)] } else { [step * work, error] })
        };
        let is_behind = |at: [Real; 2]| {
            let slowest = self.plan.slowest * self.findings.time_step;
            at[0] > slowest || seen.iter().any(|of| dominates(self.point(*of), at))
        };
        let behind: Vec<usize> = (0..rows.len())
            .filter(|row| rows[*row].stage == Standing::Waiting && expected(*row).is_some_and(is_behind))
            .collect();
        behind.into_iter().for_each(|row| self.findings.rows[row].stage = Standing::Foreseen);
    }

    /// Runs those that would be recommended beside the reference once more, from the last state of
    /// it: the present one first, as far as the time allows.
    fn confirm(&mut self) -> Result<(), Interrupted> {
        let wanted = self.recommended();
        let Some(last) = self.targets.last().filter(|_| !wanted.is_empty()) else { return Ok(()) };
        self.simulation.restore(self.start.checkpoint());
        self.simulation.return_to(&last.start);
        let start = Start::of(&self.simulation).tolerating(ANY_STRAIN);
        let run = AGAIN * self.plan.run;
        let Self { simulation, tell, plan, .. } = self;
        let seconds = (REFERENCE_AGAIN * plan.seconds - ((plan.clock.0)() - self.began)).max(0.05 * plan.seconds);
        let limits = (bounds(run, u64::MAX, seconds), plan.cost);
        let mut go_on = || tell(Event::Progress(ENDS[3]));
        let ran = run_over_time(&start, simulation, step_by_reference, limits, &mut go_on);
        let ControlFlow::Continue(reference) = ran else { return Err(Interrupted::Cancelled) };
        for (done, &row) in wanted.iter().enumerate() {
            let left = 1.0 - self.passed();
            if left <= 0.0 {
                break;
            }
            let candidate = self.findings.rows[row].candidate;
            let seconds = GENEROUS * left * self.plan.seconds / (wanted.len() - done) as Real;
            let Self { simulation, tell, plan, .. } = self;
            let limits = (bounds(run, u64::MAX, seconds), plan.cost);
            let mut go_on = || tell(Event::Progress(REFERENCE_AGAIN));
            simulation.restore(self.start.checkpoint());
            let change = |simulation: &mut Simulation| apply(&candidate, simulation);
            let ran = run_over_time(&start, simulation, change, limits, &mut go_on);
            let ControlFlow::Continue(run) = ran else { return Err(Interrupted::Cancelled) };
            let of = &mut self.findings.rows[row];
            of.again = beside(&run.series, Some(&reference.series));
            if run.fails_after.is_some() {
                (of.stage, of.fails_after) = (Standing::Failed, run.fails_after);
            }
            continued((self.tell)(Event::Row(row, &self.findings.rows[row])))?;
        }
        Ok(())
    }

    /// The candidates that some purpose and budget would recommend: the present one first, then the
    /// nearest.
    fn recommended(&self) -> Vec<usize> {
        let rows = &self.findings.rows;
        let mut found: Vec<(bool, Real, usize)> = Vec::new();
        for profile in PROFILES {
            let advice = Advice::of(&self.findings, Real::INFINITY, profile);
            for one in advice.judged.iter().filter(|one| one.fault.is_none() && one.is_run) {
                let is_present = rows[one.row].candidate.is_present;
                let is_new = found.iter().all(|(_, _, row)| *row != one.row);
                if is_new && (is_present || one.is_on_front) {
                    found.push((!is_present, one.error, one.row));
                }
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        found.into_iter().map(|(_, _, row)| row).collect()
    }

    fn tell_look(&mut self) -> Result<(), Interrupted> {
        self.findings.looks.push((self.plan.clock.0)() - self.began);
        continued((self.tell)(Event::Look(&self.findings)))
    }
}

/// The figures of a run, beside those of the reference for as long as both have run.
fn beside(own: &Series, reference: Option<&Series>) -> Option<RunFigures> {
    let lasted = own.lasted();
    let compared = reference.map_or(lasted, |reference| reference.lasted().min(lasted));
    let figures = own.until(compared)?;
    Some(RunFigures {
        lasted,
        own: figures,
        reference: reference.and_then(|reference| reference.until(compared)),
        departures: reference.map(|reference| departures(own, reference)),
    })
}

/// States of the reference in a look.
fn states(plan: &AdvicePlan, look: usize) -> usize {
    plan.states[look.min(plan.states.len() - 1)]
}

/// `count` of so many places, spread evenly.
fn spread(count: usize, of: usize) -> impl Iterator<Item = usize> {
    let count = count.min(of);
    (0..count).map(move |at| if count == 1 { of / 2 } else { at * (of - 1) / (count - 1) })
}
