//! The answer as text, CSV and JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::cli::output::Failure;
use crate::documents::{ADVICE_HEADER, advice_choice, advice_row, advice_settings};
use crate::scene::Scene;
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::advice::{Advice, CandidateRow, Findings, Parts, Profile, Sentence, TimeFigures};

/// What is judged, for the outputs.
pub(super) struct Answer<'a> {
    pub scene: &'a Scene,
    /// The arguments that name the scene, as they were given.
    pub place: String,
    pub findings: Findings,
    pub advice: Advice,
    /// Solver time per frame that the user asked for [s].
    pub budget: Real,
    pub profile: Profile,
}

impl Answer<'_> {
    /// The command that runs the scene with the settings of a row.
    pub(super) fn command(&self, row: &CandidateRow) -> String {
        let mut text = format!("weft run {}", self.place).trim_end().to_owned();
        if !row.candidate.is_present {
            text += &format!(" --solver {}", row.candidate.solver.id);
            row.candidate.rung.0.iter().for_each(|(key, value)| text += &format!(" --set {key}={value}"));
        }
        text + " --steps 300"
    }

    /// The advice in words.
    pub(super) fn sentences(&self) -> Vec<Sentence> {
        self.advice.sentences(&self.findings, self.budget, &self.profile)
    }

    /// The number of the row to take.
    pub(super) fn taken(&self) -> Option<usize> {
        self.advice.take.map(|at| self.advice.judged[at].row)
    }

    /// The rows of the front and the present one, the cheapest first.
    fn shown(&self) -> impl Iterator<Item = (usize, &CandidateRow)> {
        let judged = self.advice.judged.iter();
        let shown = judged.filter(|it| it.is_on_front || self.findings.rows[it.row].candidate.is_present);
        shown.map(|it| (it.row, &self.findings.rows[it.row]))
    }

    pub(super) fn text(&self) -> String {
        let Self { findings, profile, .. } = self;
        let width = self.shown().map(|(_, row)| row.effort.chars().count()).fold(12, usize::max);
        let mut text = format!(
            "{:<20} {:<width$} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}  \n",
            "solver", "effort", "ms/frame", "error %", "stretch", "bending", "whole", "longest %"
        );
        for (at, row) in self.shown() {
            let parts = row.error.unwrap_or_default();
            let percent = |share: Real| significant(100.0 * share);
            let longest = row.run.map_or_else(|| "–".to_owned(), |run| percent(run.own.stretch));
            let effort = if row.candidate.is_present { "as it is set" } else { &row.effort };
            let note = match (advice_choice(&self.advice, at), row.fails_after) {
                (_, Some(time)) => format!("fails after {} s", significant(time)),
                (choice, None) => choice.to_owned(),
            };
            let _ = writeln!(
                text,
                "{:<20} {effort:<width$} {:>8} {:>8} {:>8} {:>8} {:>8} {longest:>8}  {note}",
                row.candidate.solver.id,
                row.step.map_or_else(|| "–".to_owned(), |step| significant(1e3 * step)),
                percent(parts.weighted(&profile.weights)),
                percent(parts.stretch),
                percent(parts.bending),
                percent(parts.whole),
            );
        }
        let _ = writeln!(
            text,
            "\n{} {}\nProfile {}: weights stretch {}, bending {}, whole {}; {}.\n",
            findings.describe_extent(),
            findings.reference.describe(),
            profile.name,
            profile.weights.stretch,
            profile.weights.bending,
            profile.weights.whole,
            profile.purpose,
        );
        self.sentences().iter().for_each(|sentence| text += &format!("{}\n", sentence.text));
        if let Some(row) = self.taken() {
            text += &format!("\n  {}\n", self.command(&findings.rows[row]));
        }
        text
    }

    pub(super) fn csv(&self) -> Result<String, Failure> {
        let failed = |error: String| Failure::Ran(error);
        let mut rows = csv::Writer::from_writer(Vec::new());
        rows.write_record(ADVICE_HEADER).map_err(|error| failed(error.to_string()))?;
        for (at, row) in self.findings.rows.iter().enumerate() {
            let judged = self.advice.judged.iter().find(|it| it.row == at);
            let record = advice_row(row, judged, advice_choice(&self.advice, at), &self.profile);
            rows.write_record(record).map_err(|error| failed(error.to_string()))?;
        }
        let bytes = rows.into_inner().map_err(|error| failed(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
    }

    pub(super) fn json(&self) -> Value {
        let Self { findings, advice, profile, .. } = self;
        let row = |at: Option<usize>| at.map(|at| advice.judged[at].row);
        json!({
            "scene": self.scene.name,
            "time_step": findings.time_step,
            "budget_ms": 1e3 * self.budget,
            "profile": {
                "name": profile.name,
                "weights": parts(&profile.weights),
                "stretch_limit": profile.stretch,
                "jitter_limit": profile.jitter,
                "times_limit": profile.times,
            },
            "reference": {
                "solver": findings.reference.solver,
                "parts": findings.reference.parts,
                "states": findings.reference.states,
                "difference": findings.reference.difference,
            },
            "looks_s": findings.looks,
            "rows": (0..findings.rows.len()).map(|at| self.json_row(at)).collect::<Vec<_>>(),
            "skipped": findings.skipped.iter().map(|it| json!({ "solver": it.solver, "reason": it.reason })).collect::<Vec<_>>(),
            "take": row(advice.take),
            "equal": advice.equal.iter().map(|at| advice.judged[*at].row).collect::<Vec<_>>(),
            "extent": findings.describe_extent(),
            "cheaper": row(advice.cheaper),
            "better": row(advice.better),
            "present_error_factor": advice.present,
            "sentences": self.sentences().iter().map(|it| json!({
                "rule": it.rule,
                "row": it.row,
                "text": it.text,
                "figures": it.figures.iter().map(|(name, value)| ((*name).to_owned(), json!(value)))
                    .collect::<serde_json::Map<_, _>>(),
            })).collect::<Vec<_>>(),
            "command": self.taken().map(|row| self.command(&findings.rows[row])),
        })
    }

    fn json_row(&self, at: usize) -> Value {
        let row = &self.findings.rows[at];
        let judged = self.advice.judged.iter().find(|it| it.row == at);
        let figures = |it: TimeFigures| {
            json!({
                "largest_stretch": it.stretch,
                "sag": it.sag,
                "decay": it.decay,
                "jitter": it.jitter,
                "truncated": it.truncated,
            })
        };
        json!({
            "solver": row.candidate.solver.id,
            "settings": advice_settings(row),
            "effort": row.effort,
            "present": row.candidate.is_present,
            "stage": row.stage.describe(),
            "ms_per_frame": row.step.map(|step| 1e3 * step),
            "error": row.error.map(|error| error.weighted(&self.profile.weights)),
            "parts": row.error.as_ref().map(parts),
            "states": row.states,
            "momentum_drift": row.drift,
            "scatter": { "cost": row.scatter.cost, "error": row.scatter.error },
            "departs": row.farthest().map(|it| json!({ "by": it.way.describe(), "times": it.times, "seconds": it.time })),
            "confirmed": row.again.is_some(),
            "fails_after": row.fails_after,
            "run": row.run.map(|run| json!({
                "seconds": run.lasted,
                "own": figures(run.own),
                "reference": run.reference.map(figures),
            })),
            "front": judged.is_some_and(|it| it.is_on_front),
        })
    }
}

fn parts(of: &Parts) -> Value {
    json!({ "stretch": of.stretch, "bending": of.bending, "whole": of.whole })
}
