//! The judgement of the measurements for a budget and a purpose.

use super::halving::dominates;
use super::{CandidateRow, Findings, Profile, Standing};
use crate::sim::Real;

/// A cheaper candidate is worth naming from this share of the cost on, and if its error is not so
/// many times as large.
const CHEAPER: Real = 0.5;
const WORSE: Real = 5.0;
/// A better one from this share of the error on.
const BETTER: Real = 0.7;
/// The present solver is near the front if its error is at most so many times the least one at its
/// cost.
pub(super) const NEAR: Real = 2.0;

/// Why a candidate cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault {
    /// It fails after so much simulated time [s].
    Fails(Real),
    /// It stretches by so much more than the reference.
    Stretches(Real),
    /// It jitters at rest by so much of a spring's length.
    Jitters(Real),
}

/// A candidate as it is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Its number in the findings.
    pub row: usize,
    /// Cost of a step [s].
    pub step: Real,
    /// Error with the weights of the purpose.
    pub error: Real,
    /// Why it cannot be taken, if so.
    pub fault: Option<Fault>,
    /// Whether no other candidate without fault is both cheaper and nearer.
    pub is_on_front: bool,
}

/// The judgement.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The candidates that have come to the last look, or failed, the cheapest first. Of those that
    /// ran out of time the run is not known.
    pub judged: Vec<Judged>,
    /// The one to take, as a place in `judged`; none if none fits the budget.
    pub take: Option<usize>,
    /// The one to take if cost matters more.
    pub cheaper: Option<usize>,
    /// The one to take if quality matters more.
    pub better: Option<usize>,
    /// Times the least error at its cost that the present solver has; none if it fails, or was not
    /// measured.
    pub present: Option<Real>,
}

impl Advice {
    /// Judges `findings` for a budget per step [s] and a purpose.
    #[must_use]
    pub fn of(findings: &Findings, budget: Real, profile: &Profile) -> Self {
        let mut judged: Vec<Judged> =
            (0..findings.rows.len()).filter_map(|row| judge(findings, row, profile)).collect();
        judged.sort_by(|a, b| a.step.total_cmp(&b.step).then(a.error.total_cmp(&b.error)).then(a.row.cmp(&b.row)));
        let sound: Vec<[Real; 2]> = judged.iter().filter(|it| it.fault.is_none()).map(point).collect();
        for one in &mut judged {
            let own = point(one);
            one.is_on_front = one.fault.is_none() && !sound.iter().any(|other| dominates(*other, own));
        }
        let mut advice = Self { judged, take: None, cheaper: None, better: None, present: None };
        advice.choose(budget);
        advice.present = advice.present(findings);
        advice
    }

    fn choose(&mut self, budget: Real) {
        let judged = &self.judged;
        let front = || (0..judged.len()).filter(|at| judged[*at].is_on_front);
        let nearest = |a: &usize, b: &usize| judged[*a].error.total_cmp(&judged[*b].error);
        self.take = front().filter(|at| judged[*at].step <= budget).min_by(nearest);
        // without one in the budget the others are compared with the cheapest
        let Some(base) = self.take.or_else(|| front().next()).map(|at| judged[at]) else { return };
        let cheap = |at: &usize| judged[*at].step <= CHEAPER * base.step && judged[*at].error <= WORSE * base.error;
        self.cheaper = front().filter(cheap).min_by(nearest);
        self.better = front().find(|at| judged[*at].error <= BETTER * base.error);
    }

    /// Times the least error at its cost that the present solver has.
    fn present(&self, findings: &Findings) -> Option<Real> {
        let own = self.judged.iter().find(|it| findings.rows[it.row].candidate.is_present && it.fault.is_none())?;
        let as_cheap = self.judged.iter().filter(|it| it.fault.is_none() && it.step <= own.step);
        let least = as_cheap.map(|it| it.error).fold(own.error, Real::min);
        Some(if least > 0.0 { own.error / least } else { 1.0 })
    }
}

/// Cost and error.
fn point(one: &Judged) -> [Real; 2] {
    [one.step, one.error]
}

/// A candidate, if it has come to the last look or has failed.
fn judge(findings: &Findings, row: usize, profile: &Profile) -> Option<Judged> {
    let it = &findings.rows[row];
    let has_figures = it.error.is_some() && it.step.is_some();
    let is_known = match it.stage {
        Standing::Measured | Standing::Failed => true,
        Standing::OutOfTime | Standing::Looked => has_figures,
        Standing::Waiting | Standing::Hopeless | Standing::TooSlow | Standing::Behind => false,
    };
    if !is_known {
        return None;
    }
    // the error of a step that fails is not known
    let error = it.error.map_or(Real::INFINITY, |error| error.weighted(&profile.weights));
    let step = it.step.unwrap_or(Real::INFINITY);
    Some(Judged { row, step, error, fault: fault(it, findings.spring, profile), is_on_front: false })
}

fn fault(row: &CandidateRow, spring: Real, profile: &Profile) -> Option<Fault> {
    if let Some(time) = row.fails_after {
        return Some(Fault::Fails(time));
    }
    let run = row.run?;
    let beyond = run.reference.map_or(0.0, |reference| run.own.stretch - reference.stretch);
    if beyond > profile.stretch {
        return Some(Fault::Stretches(beyond));
    }
    // a cloth that the reference does not bring to rest either does not jitter
    let rests = run.reference.is_none_or(|reference| reference.jitter.is_some());
    let jitter = run.own.jitter.filter(|_| rests && spring > 0.0).map(|jitter| jitter / spring);
    jitter.filter(|jitter| *jitter > profile.jitter).map(Fault::Jitters)
}
