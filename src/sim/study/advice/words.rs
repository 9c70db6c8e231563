//! The words of an advice: rules in one table, each of which makes one sentence of figures, or
//! none.

use super::judgement::{Advice, Fault, Judged, NEAR};
use super::{CandidateRow, Departure, Findings, Profile, ReferenceFigures, RunFigures, Standing, Way};
use crate::sim::Real;
use crate::sim::params::units::significant;

/// A sentence, with the figures that it names.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The rule that made it.
    pub rule: &'static str,
    /// Number of the candidate that it is about, in the findings.
    pub row: usize,
    /// The sentence.
    pub text: String,
    /// Its figures by name: times in ms, errors and shares in percent.
    pub figures: Vec<(&'static str, Real)>,
}

/// What the rules know.
pub struct Facts<'a> {
    advice: &'a Advice,
    findings: &'a Findings,
    /// Budget per step [s].
    budget: Real,
    profile: &'a Profile,
}

/// A rule.
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// Whether it says what not to take: of these rules the first that applies is said.
    pub is_warning: bool,
    say: fn(&Facts) -> Option<Sentence>,
}

const fn rule(name: &'static str, is_warning: bool, say: fn(&Facts) -> Option<Sentence>) -> Rule {
    Rule { name, is_warning, say }
}

/// The rules, in the order of their sentences: at most four of them apply.
pub static RULES: &[Rule] = &[
    rule("take", false, take),
    rule("more-time", false, more_time),
    rule("over-budget", false, over_budget),
    rule("cheaper", false, cheaper),
    rule("better", false, better),
    rule("present-fails", true, present_fails),
    rule("present-over-budget", true, present_over_budget),
    rule("present-behind", true, present_behind),
    rule("tempting", true, tempting),
];

impl Sentence {
    /// Whether it says what not to take.
    #[must_use]
    pub fn is_warning(&self) -> bool {
        RULES.iter().any(|rule| rule.is_warning && rule.name == self.rule)
    }
}

impl Advice {
    /// The advice on `findings` for this budget per step [s] and this purpose in words: at most
    /// four sentences.
    #[must_use]
    pub fn sentences(&self, findings: &Findings, budget: Real, profile: &Profile) -> Vec<Sentence> {
        let facts = Facts { advice: self, findings, budget, profile };
        let (warnings, others): (Vec<&Rule>, Vec<&Rule>) = RULES.iter().partition(|rule| rule.is_warning);
        let mut said: Vec<Sentence> = others.iter().filter_map(|rule| (rule.say)(&facts)).collect();
        said.extend(warnings.iter().find_map(|rule| (rule.say)(&facts)));
        said
    }
}

/// Most candidates that a sentence names as equal.
const NAMED: usize = 3;

/// A number in a sentence: a time in ms or a length in mm, or a share in percent.
fn milli(value: Real) -> Real {
    1e3 * value
}
fn percent(share: Real) -> Real {
    100.0 * share
}

impl CandidateRow {
    /// Name and settings of the candidate, like "XPBD (small steps 10, iterations 2)".
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.candidate.solver.name;
        match (self.candidate.is_present, self.effort.is_empty()) {
            (true, _) => format!("{name} as it is set"),
            (false, true) => name.to_owned(),
            (false, false) => format!("{name} ({})", self.effort),
        }
    }
}

impl ReferenceFigures {
    /// How the errors were measured, in a sentence.
    #[must_use]
    pub fn describe(&self) -> String {
        format!(
            "Errors are of single steps from {} states, against {} in {} and {} parts of a step, extrapolated; these \
             two are {} % of the motion apart.",
            self.states,
            self.solver,
            self.parts,
            2 * self.parts,
            significant(percent(self.difference)),
        )
    }
}

impl Facts<'_> {
    fn row(&self, one: &Judged) -> &CandidateRow {
        &self.findings.rows[one.row]
    }

    fn sentence(
        &self,
        rule: &'static str,
        row: usize,
        text: String,
        figures: &[(&'static str, Real)],
    ) -> Option<Sentence> {
        Some(Sentence { rule, row, text, figures: figures.to_vec() })
    }

    fn present(&self) -> Option<&Judged> {
        self.advice.judged.iter().find(|one| self.row(one).candidate.is_present)
    }

    /// The one to take, or where none fits the budget the cheapest.
    fn base(&self) -> Option<&Judged> {
        let first = self.advice.judged.iter().position(|one| one.is_on_front);
        self.advice.take.or(first).map(|at| &self.advice.judged[at])
    }
}

fn take(facts: &Facts) -> Option<Sentence> {
    let one = &facts.advice.judged[facts.advice.take?];
    let row = facts.row(one);
    let parts = row.error?;
    let verb = match (one.is_confirmed, row.candidate.is_present) {
        (true, true) => "Keep",
        (true, false) => "Take",
        (false, true) => "So far: keep",
        (false, false) => "So far: take",
    };
    let mut text = format!(
        "{verb} {}: {} ms per frame of the {} ms, for an error of {} % of the motion of a step (stretch {} %, bending {} %, \
         whole {} %).",
        row.name(),
        significant(milli(one.step)),
        significant(milli(facts.budget)),
        significant(percent(one.error)),
        significant(percent(parts.stretch)),
        significant(percent(parts.bending)),
        significant(percent(parts.whole)),
    );
    let mut figures = vec![
        ("ms", milli(one.step)),
        ("budget", milli(facts.budget)),
        ("error", percent(one.error)),
        ("stretch", percent(parts.stretch)),
        ("bending", percent(parts.bending)),
        ("whole", percent(parts.whole)),
    ];
    text += &seen(row, &mut figures);
    text += &equals(facts, row.candidate.is_present, &mut figures);
    facts.sentence("take", one.row, text, &figures)
}

/// What the eye sees of a run, beside the reference.
fn seen(row: &CandidateRow, figures: &mut Vec<(&'static str, Real)>) -> String {
    let beside = |run: RunFigures| Some((run.lasted, run.own, run.reference?));
    let Some((seconds, own, reference)) = row.run.and_then(beside) else { return String::new() };
    let named = [
        ("seconds", seconds),
        ("own_stretch", percent(own.stretch)),
        ("reference_stretch", percent(reference.stretch)),
    ];
    figures.extend(named);
    figures
        .extend([("own_sag", own.sag), ("reference_sag", reference.sag)].map(|(name, sag)| (name, milli(sag.abs()))));
    let [seconds, stretch, other_stretch] = named.map(|(_, value)| significant(value));
    format!(
        " After {seconds} s it is stretched by {stretch} %, the reference by {other_stretch} %, and {}.",
        heights(own.sag, reference.sag)
    )
}

/// Where a cloth is beside its start, and the reference, from the descents of their lowest vertices
/// [m].
fn heights(own: Real, reference: Real) -> String {
    let mm = |sag: Real| significant(milli(sag.abs()));
    let place = |sag: Real| match sag < 0.0 {
        true => format!("rises {} mm above its start", mm(sag)),
        false => format!("hangs {} mm lower than at the start", mm(sag)),
    };
    if (own < 0.0) == (reference < 0.0) {
        format!("{}, the reference {} mm", place(own), mm(reference))
    } else {
        format!("{}, while the reference {}", place(own), place(reference))
    }
}

/// The candidates that are equal to the one to take.
fn equals(facts: &Facts, is_present: bool, figures: &mut Vec<(&'static str, Real)>) -> String {
    let equal = facts.advice.equal.iter().map(|at| facts.row(&facts.advice.judged[*at]).name());
    let mut names: Vec<String> = equal.collect();
    if names.is_empty() {
        return String::new();
    }
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let mut text = format!(" Equal to it within the scatter of the measurement: {}", names.join(", "));
    if more > 0 {
        figures.push(("more", more as Real));
        text += &format!(" and {more} more");
    }
    text + if is_present { "; stay with yours." } else { "." }
}

/// Without a run over time nothing is recommended.
fn more_time(facts: &Facts) -> Option<Sentence> {
    let judged = &facts.advice.judged;
    if judged.iter().any(|one| one.is_run) {
        return None;
    }
    let one = judged.iter().filter(|one| one.fault.is_none()).min_by(|a, b| a.error.total_cmp(&b.error))?;
    let text = format!(
        "Nothing has run over time beside the reference yet, so nothing is recommended; of single steps those of {} \
         are nearest so far, with an error of {} %. Measure with more time.",
        facts.row(one).name(),
        significant(percent(one.error)),
    );
    facts.sentence("more-time", one.row, text, &[("error", percent(one.error))])
}

fn over_budget(facts: &Facts) -> Option<Sentence> {
    if facts.advice.take.is_some() {
        return None;
    }
    let one = facts.base()?;
    let text = format!(
        "Nothing that holds here costs at most {} ms per frame; the cheapest is {} with {} ms, for an error of {} % \
         of the motion of a step.",
        significant(milli(facts.budget)),
        facts.row(one).name(),
        significant(milli(one.step)),
        significant(percent(one.error)),
    );
    let figures = [("budget", milli(facts.budget)), ("ms", milli(one.step)), ("error", percent(one.error))];
    facts.sentence("over-budget", one.row, text, &figures)
}

fn cheaper(facts: &Facts) -> Option<Sentence> {
    let one = &facts.advice.judged[facts.advice.cheaper?];
    let text = format!(
        "If cost matters more, take {}: {} ms per frame, and an error of {} %.",
        facts.row(one).name(),
        significant(milli(one.step)),
        significant(percent(one.error)),
    );
    facts.sentence("cheaper", one.row, text, &[("ms", milli(one.step)), ("error", percent(one.error))])
}

fn better(facts: &Facts) -> Option<Sentence> {
    let one = &facts.advice.judged[facts.advice.better?];
    let text = format!(
        "If quality matters more, take {}: an error of {} %, for {} ms per frame.",
        facts.row(one).name(),
        significant(percent(one.error)),
        significant(milli(one.step)),
    );
    facts.sentence("better", one.row, text, &[("error", percent(one.error)), ("ms", milli(one.step))])
}

impl Fault {
    /// Why a candidate cannot be taken, in words.
    #[must_use]
    pub fn describe(self, profile: &Profile) -> String {
        because(self, profile).0
    }
}

/// Why a candidate cannot be taken, with its figures.
fn because(fault: Fault, profile: &Profile) -> (String, Vec<(&'static str, Real)>) {
    match fault {
        Fault::Fails(0.0) => ("a single step fails".to_owned(), Vec::new()),
        Fault::Fails(time) => (format!("it fails after {} s", significant(time)), vec![("fails_after", time)]),
        Fault::Stretches(by) => {
            let (by, limit) = (percent(by), percent(profile.stretch));
            let text = format!(
                "it stretches {} % more than the reference, where {} % are tolerated",
                significant(by),
                significant(limit)
            );
            (text, vec![("stretch", by), ("limit", limit)])
        }
        Fault::Departs(Departure { way, time, own, reference, .. }) => departure(way, time, own, reference),
        Fault::Jitters(by) => {
            let (by, limit) = (percent(by), percent(profile.jitter));
            let text = format!(
                "at rest it jitters by {} % of a spring, where {} % are tolerated",
                significant(by),
                significant(limit)
            );
            (text, vec![("jitter", by), ("limit", limit)])
        }
    }
}

/// How a run leaves the reference, with its figures.
fn departure(way: Way, time: Real, own: Real, reference: Real) -> (String, Vec<(&'static str, Real)>) {
    let [own, reference] = match way {
        Way::Stretch => [own, reference].map(percent),
        Way::Sag | Way::Hover | Way::Rise | Way::Energy => [own, reference].map(milli),
    };
    let [at, a, b] = [time, own, reference].map(significant);
    let text = match way {
        Way::Stretch => format!("after {at} s it is stretched by {a} %, the reference by {b} %"),
        Way::Sag => format!("after {at} s it hangs {a} mm lower than at the start, the reference {b} mm"),
        Way::Hover => format!("after {at} s it has come down by {a} mm, the reference by {b} mm"),
        Way::Rise => format!("after {at} s it stands {a} mm above its start, the reference {b} mm"),
        Way::Energy => format!("after {at} s it has gained {a} mJ of energy, the reference {b} mJ"),
    };
    (text, vec![("time", time), ("own", own), ("reference", reference)])
}

impl Departure {
    /// How the run leaves the reference, in words.
    #[must_use]
    pub fn describe(&self) -> String {
        departure(self.way, self.time, self.own, self.reference).0
    }
}

impl Findings {
    /// How much of the candidates was measured, in sentences.
    #[must_use]
    pub fn describe_extent(&self) -> String {
        let count = |is: fn(&CandidateRow) -> bool| self.rows.iter().filter(|row| is(row)).count();
        let all = self.rows.len();
        let known = count(|row| row.error.is_some() || row.fails_after.is_some());
        let (run, again) = (count(|row| row.run.is_some()), count(|row| row.again.is_some()));
        let late = count(|row| row.stage == Standing::OutOfTime);
        let mut text =
            format!("{known} of {all} candidates measured, {run} of them run over time, {again} of these once more.");
        if late > 0 {
            text += &format!(" {late} were not run, since the time was over: they need more.");
        }
        text
    }
}

fn present_fails(facts: &Facts) -> Option<Sentence> {
    let one = facts.present()?;
    let (reason, figures) = because(one.fault?, facts.profile);
    let text = format!("Not {}: {reason}.", facts.row(one).name());
    facts.sentence("present-fails", one.row, text, &figures)
}

fn present_over_budget(facts: &Facts) -> Option<Sentence> {
    facts.advice.take?;
    let one = facts.present().filter(|one| one.step > facts.budget)?;
    let text = format!(
        "Not {}: it costs {} ms per frame of the {} ms, for an error of {} %.",
        facts.row(one).name(),
        significant(milli(one.step)),
        significant(milli(facts.budget)),
        significant(percent(one.error)),
    );
    let figures = [("ms", milli(one.step)), ("budget", milli(facts.budget)), ("error", percent(one.error))];
    facts.sentence("present-over-budget", one.row, text, &figures)
}

fn present_behind(facts: &Facts) -> Option<Sentence> {
    facts.advice.present.filter(|times| *times > NEAR)?;
    let one = facts.present()?;
    let as_cheap = facts.advice.judged.iter().filter(|it| it.is_on_front && it.step <= one.step);
    let other = as_cheap.min_by(|a, b| a.error.total_cmp(&b.error))?;
    let text = format!(
        "Not {}: it costs {} ms for an error of {} %, where {} needs {} ms for {} %.",
        facts.row(one).name(),
        significant(milli(one.step)),
        significant(percent(one.error)),
        facts.row(other).name(),
        significant(milli(other.step)),
        significant(percent(other.error)),
    );
    let figures = [
        ("ms", milli(one.step)),
        ("error", percent(one.error)),
        ("other_ms", milli(other.step)),
        ("other_error", percent(other.error)),
    ];
    facts.sentence("present-behind", one.row, text, &figures)
}

/// A candidate that looks better than the one to take, but has a fault: nearer within the budget,
/// or else the cheapest.
fn tempting(facts: &Facts) -> Option<Sentence> {
    let base = facts.base()?;
    let with_fault = || facts.advice.judged.iter().filter(|one| one.fault.is_some());
    let nearer = with_fault().filter(|one| one.step <= facts.budget && one.error < base.error);
    let nearest = nearer.min_by(|a, b| a.error.total_cmp(&b.error));
    let one = nearest.or_else(|| with_fault().find(|one| one.step < base.step))?;
    let (reason, mut figures) = because(one.fault?, facts.profile);
    figures.insert(0, ("ms", milli(one.step)));
    let text = format!(
        "Not {}, though it costs only {} ms per frame: {reason}.",
        facts.row(one).name(),
        significant(milli(one.step))
    );
    facts.sentence("tempting", one.row, text, &figures)
}
