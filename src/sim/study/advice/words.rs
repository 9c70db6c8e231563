//! The words of an advice: rules in one table, each of which makes one sentence of figures, or
//! none.

use super::judgement::{Advice, Fault, Judged, NEAR};
use super::{CandidateRow, Findings, Profile, ReferenceFigures};
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
    rule("over-budget", false, over_budget),
    rule("cheaper", false, cheaper),
    rule("better", false, better),
    rule("present-fails", true, present_fails),
    rule("present-over-budget", true, present_over_budget),
    rule("present-behind", true, present_behind),
    rule("tempting", true, tempting),
];

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

/// A number in a sentence: a time in ms, or a share in percent.
fn ms(seconds: Real) -> Real {
    1e3 * seconds
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
    let verb = if row.candidate.is_present { "Keep" } else { "Take" };
    let text = format!(
        "{verb} {}: {} ms per frame of the {} ms, for an error of {} % of the motion of a step (stretch {} %, bending {} %, \
         whole {} %).",
        row.name(),
        significant(ms(one.step)),
        significant(ms(facts.budget)),
        significant(percent(one.error)),
        significant(percent(parts.stretch)),
        significant(percent(parts.bending)),
        significant(percent(parts.whole)),
    );
    let figures = [
        ("ms", ms(one.step)),
        ("budget", ms(facts.budget)),
        ("error", percent(one.error)),
        ("stretch", percent(parts.stretch)),
        ("bending", percent(parts.bending)),
        ("whole", percent(parts.whole)),
    ];
    facts.sentence("take", one.row, text, &figures)
}

fn over_budget(facts: &Facts) -> Option<Sentence> {
    if facts.advice.take.is_some() {
        return None;
    }
    let one = facts.base()?;
    let text = format!(
        "Nothing that holds here costs at most {} ms per frame; the cheapest is {} with {} ms, for an error of {} % \
         of the motion of a step.",
        significant(ms(facts.budget)),
        facts.row(one).name(),
        significant(ms(one.step)),
        significant(percent(one.error)),
    );
    let figures = [("budget", ms(facts.budget)), ("ms", ms(one.step)), ("error", percent(one.error))];
    facts.sentence("over-budget", one.row, text, &figures)
}

fn cheaper(facts: &Facts) -> Option<Sentence> {
    let one = &facts.advice.judged[facts.advice.cheaper?];
    let text = format!(
        "If cost matters more, take {}: {} ms per frame, and an error of {} %.",
        facts.row(one).name(),
        significant(ms(one.step)),
        significant(percent(one.error)),
    );
    facts.sentence("cheaper", one.row, text, &[("ms", ms(one.step)), ("error", percent(one.error))])
}

fn better(facts: &Facts) -> Option<Sentence> {
    let one = &facts.advice.judged[facts.advice.better?];
    let text = format!(
        "If quality matters more, take {}: an error of {} %, for {} ms per frame.",
        facts.row(one).name(),
        significant(percent(one.error)),
        significant(ms(one.step)),
    );
    facts.sentence("better", one.row, text, &[("error", percent(one.error)), ("ms", ms(one.step))])
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
        significant(ms(one.step)),
        significant(ms(facts.budget)),
        significant(percent(one.error)),
    );
    let figures = [("ms", ms(one.step)), ("budget", ms(facts.budget)), ("error", percent(one.error))];
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
        significant(ms(one.step)),
        significant(percent(one.error)),
        facts.row(other).name(),
        significant(ms(other.step)),
        significant(percent(other.error)),
    );
    let figures = [
        ("ms", ms(one.step)),
        ("error", percent(one.error)),
        ("other_ms", ms(other.step)),
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
    figures.insert(0, ("ms", ms(one.step)));
    let text = format!(
        "Not {}, though it costs only {} ms per frame: {reason}.",
        facts.row(one).name(),
        significant(ms(one.step))
    );
    facts.sentence("tempting", one.row, text, &figures)
}
