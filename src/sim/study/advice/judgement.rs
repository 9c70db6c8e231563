//! The judgement of the measurements for a budget and a purpose.

use super::halving::dominates;
use super::{CandidateRow, Departure, Findings, Profile, Scatter, Standing};
use crate::sim::Real;
use crate::sim::solver_interface::Stability;

/// A cheaper candidate is worth naming from this share of the cost on, and if its error is not so
/// many times as large.
const CHEAPER: Real = 0.5;
const WORSE: Real = 5.0;
/// A better one from this share of the error on.
const BETTER: Real = 0.7;
/// The present solver is near the front if its error is at most so many times the least one at its
/// cost.
pub(super) const NEAR: Real = 2.0;

/// Errors and costs are equal within this share, or within their scatter where that is larger, up to
/// a most.
pub(super) const SAME_ERROR: Real = 0.1;
pub(super) const SAME_COST: Real = 0.2;
const MOST_SAME: Real = 0.5;
/// A run of so much simulated time shows what time does [s].
const ENOUGH: Real = 1.0;

/// Why a candidate cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault {
    /// It fails after so much simulated time [s].
    Fails(Real),
    /// It stretches by so much more than the reference.
    Stretches(Real),
    /// It jitters at rest by so much of a spring's length.
    Jitters(Real),
    /// At some moment it leaves the reference.
    Departs(Departure),
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
    /// Whether it was run over time beside the reference, so that it can be recommended.
    pub is_run: bool,
    /// Whether another run from a later state has found no fault either.
    pub is_confirmed: bool,
    /// Whether it can be recommended, and no other such candidate is both cheaper and nearer.
    pub is_on_front: bool,
    scatter: Scatter,
}

/// The judgement.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The candidates that have come to the last look, or failed, the cheapest first. Of those that
    /// ran out of time the run is not known.
    pub judged: Vec<Judged>,
    /// Those within the budget that are equal to the one to take within the scatter of their errors,
    /// or nearer where they are as cheap, as places in `judged`, the nearest first.
    pub equal: Vec<usize>,
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
        let sound: Vec<[Real; 2]> = judged.iter().filter(|it| it.is_sound()).map(point).collect();
        for one in &mut judged {
            let own = point(one);
            one.is_on_front = one.is_sound() && !sound.iter().any(|other| dominates(*other, own));
        }
        let mut advice = Self { judged, equal: Vec::new(), take: None, cheaper: None, better: None, present: None };
        advice.choose_within(budget, findings);
        advice.choose_others();
        advice.present = advice.present(findings);
        advice
    }

    /// The one to take: the present one where within its cost none is nearer by more than the
    /// scatter, so that what is only dearer and nearer, whose cost other programs may raise beyond
    /// the budget, is an offer and no reason to change; or else of those that are as near as the
    /// nearest the cheapest, and of those as cheap the most robust.
    fn choose_within(&mut self, budget: Real, findings: &Findings) {
        let judged = &self.judged;
        let within = || (0..judged.len()).filter(|at| judged[*at].is_sound() && judged[*at].step <= budget);
        let nearest = |a: &usize, b: &usize| judged[*a].error.total_cmp(&judged[*b].error);
        let candidate = |at: &usize| &findings.rows[judged[*at].row].candidate;
        let least_for = |most: Real| within().filter(|at| judged[*at].step <= most).min_by(nearest);
        let is_kept = |at: &usize| {
            let least = least_for(judged[*at].step).unwrap_or(*at);
            candidate(at).is_present && judged[*at].is_as_near_as(&judged[least])
        };
        let present = within().find(is_kept);
        // beside one that is kept those are equal that are as cheap
        let most = present.map_or(budget, |at| judged[at].step * (1.0 + MOST_SAME));
        let Some(least) = least_for(most).map(|at| judged[at]) else { return };
        let base = present.map_or(least, |at| judged[at]);
        let is_equal = |at: &usize| judged[*at].step <= most && judged[*at].is_as_near_as(&base);
        let mut equal: Vec<usize> = within().filter(is_equal).collect();
        equal.sort_by(nearest);
        let cheapest = equal.iter().copied().min_by(|a, b| judged[*a].step.total_cmp(&judged[*b].step));
        let robust = cheapest.and_then(|cheapest| {
            let as_cheap = equal.iter().copied().filter(|at| judged[*at].is_as_cheap_as(&judged[cheapest]));
            as_cheap.min_by(|a, b| {
                let rank = |at: &usize| (!judged[*at].is_confirmed, robustness(&candidate(at).solver.stability));
                rank(a).cmp(&rank(b)).then(judged[*a].step.total_cmp(&judged[*b].step))
            })
        });
        self.take = present.or(robust);
        self.equal = equal.into_iter().filter(|at| Some(*at) != self.take).collect();
    }

    fn choose_others(&mut self) {
        let judged = &self.judged;
        let front = || (0..judged.len()).filter(|at| judged[*at].is_on_front && !self.equal.contains(at));
        let nearest = |a: &usize, b: &usize| judged[*a].error.total_cmp(&judged[*b].error);
        // without one in the budget the others are compared with the cheapest
        let Some(base) = self.take.or_else(|| front().next()).map(|at| judged[at]) else { return };
        let cheap = |at: &usize| judged[*at].step <= CHEAPER * base.step && judged[*at].error <= WORSE * base.error;
        self.cheaper = front().filter(cheap).min_by(nearest);
        self.better = front().find(|at| judged[*at].error <= BETTER * base.error);
    }

    /// Times the least error at its cost that the present solver has.
    fn present(&self, findings: &Findings) -> Option<Real> {
        let own = self.judged.iter().find(|it| findings.rows[it.row].candidate.is_present && it.fault.is_none())?;
        let as_cheap = self.judged.iter().filter(|it| it.is_sound() && it.step <= own.step);
        let least = as_cheap.map(|it| it.error).fold(own.error, Real::min);
        Some(if least > 0.0 { own.error / least } else { 1.0 })
    }
}

impl Judged {
    /// Whether it can be recommended.
    fn is_sound(&self) -> bool {
        self.fault.is_none() && self.is_run
    }

    /// Whether its error is that of `other`, which is nearer, within their scatter.
    fn is_as_near_as(&self, other: &Self) -> bool {
        let scatter = self.scatter.error.hypot(other.scatter.error).clamp(SAME_ERROR, MOST_SAME);
        self.error <= other.error * (1.0 + scatter)
    }

    /// Whether its cost is that of `other`, which is cheaper, within their scatter.
    fn is_as_cheap_as(&self, other: &Self) -> bool {
        let scatter = self.scatter.cost.hypot(other.scatter.cost).clamp(SAME_COST, MOST_SAME);
        self.step <= other.step * (1.0 + scatter)
    }
}

/// Place in the order of what is known of stability, the most robust first.
const fn robustness(stability: &Stability) -> u8 {
    match stability {
        Stability::Proven(_) => 0,
        Stability::Seen(_) => 1,
        Stability::Neutral | Stability::Taut => 2,
        Stability::Conditional => 3,
        Stability::Damped => 4,
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
        Standing::Waiting | Standing::Hopeless | Standing::TooSlow | Standing::Behind | Standing::Foreseen => false,
    };
    if !is_known {
        return None;
    }
    // the error of a step that fails is not known
    let error = it.error.map_or(Real::INFINITY, |error| error.weighted(&profile.weights));
    let step = it.step.unwrap_or(Real::INFINITY);
    let is_run = it.run.is_some_and(|run| run.lasted >= ENOUGH.min(findings.run) * (1.0 - 1e-6));
    let (fault, is_confirmed) = (fault(it, findings.spring, profile), it.again.is_some());
    Some(Judged { row, step, error, fault, is_run, is_confirmed, is_on_front: false, scatter: it.scatter })
}

fn fault(row: &CandidateRow, spring: Real, profile: &Profile) -> Option<Fault> {
    if let Some(time) = row.fails_after {
        return Some(Fault::Fails(time));
    }
    let run = row.run?;
    if let Some(departure) = row.farthest().filter(|farthest| farthest.times > profile.times) {
        return Some(Fault::Departs(departure));
    }
    let beyond = run.reference.map_or(0.0, |reference| run.own.stretch - reference.stretch);
    if beyond > profile.stretch {
        return Some(Fault::Stretches(beyond));
    }
    // a cloth that the reference does not bring to rest either does not jitter
    let rests = run.reference.is_none_or(|reference| reference.jitter.is_some());
    let jitter = run.own.jitter.filter(|_| rests && spring > 0.0).map(|jitter| jitter / spring);
    jitter.filter(|jitter| *jitter > profile.jitter).map(Fault::Jitters)
}
