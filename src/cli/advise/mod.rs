//! `weft advise`: which solver to take for a scene, a budget and a purpose, measured.

mod page;

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::interruption::Interruption;
use super::output::{Failure, check_output, clock, print, print_json, share_bar};
use super::scene_args::SceneArgs;
use crate::scene::{
    ADVICE_HEADER, InputError, Scene, advice_choice, advice_row, advice_settings, why_not_written, write_whole,
};
use crate::sim::Real;
use crate::sim::params::quote::quote;
use crate::sim::params::units::significant;
use crate::sim::study::advice::{
    Advice, Event, Findings, PROFILES, Plan, Profile, Question, Row, TimeFigures, measure,
};
use crate::sim::study::run::Interrupted;

const EXAMPLES: &str = "\
Examples:
  weft advise --scene flag                                 within half a frame at 60 Hz, for a game
  weft advise --scene flag --budget 4 --profile film       within 4 ms per frame, for a film
  weft advise --scene table --weight bending=1             folds count as much as stretch
  weft advise --scene flag --html flag.html                a page with a picture of cost and error
  weft advise --scene flag --csv > flag.csv                all candidates with all figures

Candidates are all solvers with the settings of their effort: iterations, sweeps, substeps. The
error is that of single steps from states of a converged run, relative to their motion, so that
chaos does not decide; the cost is the median time of a step on this machine, one time step per
frame. Physics and limits are in the manual.";

/// Ticks of the progress bar.
const TICKS: u64 = 1000;

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AdviseArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Start from the state of a snapshot instead of a scene
    #[arg(long, value_name = "FILE.json", conflicts_with = "scene")]
    from: Option<String>,
    /// Most time per frame, which is one time step, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 25.0 / 3.0, hide_default_value = true)]
    budget: f64,
    /// What matters: game, film, robotics or teaching
    #[arg(long, value_name = "NAME", default_value = "game")]
    profile: String,
    /// Another weight of a part of the error (stretch, bending, whole), or another limit
    /// (stretch_limit, jitter_limit), as often as wanted
    #[arg(long, value_name = "KEY=VALUE")]
    weight: Vec<String>,
    /// Most time for the measurements, about; what is not finished then is left out
    #[arg(long, value_name = "SECONDS", default_value_t = 75.0)]
    seconds: f64,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print all candidates as CSV
    #[arg(long)]
    csv: bool,
    /// Write a page with the picture, the sentences and the table
    #[arg(long, value_name = "FILE.html")]
    html: Option<String>,
}

/// What is judged, for the outputs.
pub(super) struct Answer<'a> {
    scene: &'a Scene,
    /// The arguments that name the scene, as they were given.
    place: String,
    findings: Findings,
    advice: Advice,
    /// [s]
    budget: Real,
    profile: Profile,
}

pub(super) fn advise(args: &AdviseArgs) -> Result<(), Failure> {
    let profile = profile(args)?;
    let positive = |name: &str, value: f64| {
        let message = "needs a number above 0";
        if value.is_finite() && value > 0.0 { Ok(value) } else { Err(InputError::new(name, message)) }
    };
    let budget = 1e-3 * positive("--budget", args.budget)?;
    let seconds = positive("--seconds", args.seconds)?;
    check_output(args.html.as_ref())?;
    if let Some(file) = args.html.as_ref().filter(|file| !file.to_ascii_lowercase().ends_with(".html")) {
        return Err(InputError::new(file, "is no name of a page; let it end in .html").into());
    }
    let (scene, simulation) = args.scene.start(args.from.as_deref())?;
    let interruption = Interruption::listen(None);
    let plan = Plan { seconds, ..Plan::new(clock(), interruption.token()) };
    let bar = share_bar(TICKS);
    let (findings, ended) = run(&Question::of(&simulation), &plan, &bar, &interruption);
    bar.finish_and_clear();
    if let Some(findings) = findings {
        let advice = Advice::of(&findings, budget, &profile);
        let answer = Answer { scene: &scene, place: place(args), findings, advice, budget, profile };
        write(args, &answer)?;
    }
    match ended {
        Ok(()) => Ok(()),
        Err(Interrupted::Cancelled) => {
            Err(Failure::Interrupted("interrupted before everything was measured".to_owned()))
        }
        Err(error) => Err(Failure::Ran(format!("the reference cannot be computed: {error}"))),
    }
}

/// The profile with the weights that the arguments ask for.
fn profile(args: &AdviseArgs) -> Result<Profile, InputError> {
    let mut profile = Profile::named(&args.profile).ok_or_else(|| {
        let names: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
        InputError::new(
            "--profile",
            format!("there is no \"{}\"; take one of {}", quote(&args.profile), names.join(", ")),
        )
    })?;
    for text in &args.weight {
        let place = format!("--weight {}", quote(text));
        let pair = text.split_once('=').and_then(|(key, value)| Some((key.trim(), value.trim().parse::<f64>().ok()?)));
        let (key, value) =
            pair.ok_or_else(|| InputError::new(place.as_str(), "needs the form key=number, like bending=1"))?;
        profile.set(key, value).map_err(|message| InputError::new(place.as_str(), message))?;
    }
    Ok(profile)
}

/// Measures, with the findings of the last look that was finished when something ends it early.
fn run(
    question: &Question,
    plan: &Plan,
    bar: &ProgressBar,
    interruption: &Interruption,
) -> (Option<Findings>, Result<(), Interrupted>) {
    let mut last = None;
    let found = measure(question, plan, &mut |event| {
        match event {
            Event::Progress(share) => {
                let ticks = (share * TICKS as Real) as u64;
                if ticks > bar.position() {
                    bar.set_position(ticks);
                }
            }
            Event::Row(..) => {}
            Event::Look(findings) => last = Some(findings.clone()),
        }
        if interruption.is_by_user() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match found {
        Ok(findings) => (Some(findings), Ok(())),
        Err(interrupted) => (last, Err(interrupted)),
    }
}

/// The arguments that name the scene.
fn place(args: &AdviseArgs) -> String {
    let mut text = match (&args.from, &args.scene.scene) {
        (Some(file), _) => format!("--from {file}"),
        (None, Some(scene)) => format!("--scene {scene}"),
        (None, None) => String::new(),
    };
    args.scene.set.iter().for_each(|set| text += &format!(" --set {set}"));
    text.trim_start().to_owned()
}

fn write(args: &AdviseArgs, answer: &Answer) -> Result<(), Failure> {
    if let Some(file) = &args.html {
        let page = page::page(answer);
        write_whole(Path::new(file), |out| out.write_all(page.as_bytes()))
            .map_err(|error| Failure::Ran(format!("{}: {}", quote(file), why_not_written(&error))))?;
    }
    match (args.json, args.csv) {
        (true, _) => print_json(&answer.json()),
        (_, true) => print(&answer.csv()?),
        _ => print(&answer.text()),
    }
}

impl Answer<'_> {
    /// The command that runs the scene with the settings of a row.
    fn command(&self, row: &Row) -> String {
        let mut text = format!("weft run {}", self.place).trim_end().to_owned();
        if !row.candidate.is_present {
            text += &format!(" --solver {}", row.candidate.solver.id);
            row.candidate.rung.0.iter().for_each(|(key, value)| text += &format!(" --set {key}={value}"));
        }
        text + " --steps 300"
    }

    /// The number of the row to take.
    fn taken(&self) -> Option<usize> {
        self.advice.take.map(|at| self.advice.judged[at].row)
    }

    /// The rows of the front and the present one, the cheapest first.
    fn shown(&self) -> impl Iterator<Item = (usize, &Row)> {
        let judged = self.advice.judged.iter();
        let shown = judged.filter(|it| it.is_on_front || self.findings.rows[it.row].candidate.is_present);
        shown.map(|it| (it.row, &self.findings.rows[it.row]))
    }

    fn text(&self) -> String {
        let Self { findings, profile, .. } = self;
        let mut text = format!(
            "{:<20} {:<44} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}  \n",
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
                "{:<20} {effort:<44} {:>8} {:>8} {:>8} {:>8} {:>8} {longest:>8}  {note}",
                row.candidate.solver.id,
                row.step.map_or_else(|| "–".to_owned(), |step| significant(1e3 * step)),
                percent(parts.weighted(&profile.weights)),
                percent(parts.stretch),
                percent(parts.bending),
                percent(parts.whole),
            );
        }
        let reference = findings.reference;
        let _ = writeln!(
            text,
            "\n{} candidates; errors against {} with {} and {} parts of a step, extrapolated, from {} states; they are \
             {} % of the motion apart.\nProfile {}: weights stretch {}, bending {}, whole {}; {}.\n",
            findings.rows.len(),
            reference.solver,
            reference.parts,
            2 * reference.parts,
            reference.states,
            significant(100.0 * reference.difference),
            profile.name,
            profile.weights.stretch,
            profile.weights.bending,
            profile.weights.whole,
            profile.purpose,
        );
        self.advice.sentences.iter().for_each(|sentence| text += &format!("{}\n", sentence.text));
        if let Some(row) = self.taken() {
            text += &format!("\n  {}\n", self.command(&findings.rows[row]));
        }
        text
    }

    fn csv(&self) -> Result<String, Failure> {
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

    fn json(&self) -> Value {
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
            },
            "reference": {
                "solver": findings.reference.solver,
                "parts": findings.reference.parts,
                "states": findings.reference.states,
                "difference": findings.reference.difference,
            },
            "rows": (0..findings.rows.len()).map(|at| self.json_row(at)).collect::<Vec<_>>(),
            "skipped": findings.skipped.iter().map(|it| json!({ "solver": it.solver, "reason": it.reason })).collect::<Vec<_>>(),
            "take": row(advice.take),
            "cheaper": row(advice.cheaper),
            "better": row(advice.better),
            "present_error_factor": advice.present,
            "sentences": advice.sentences.iter().map(|it| json!({
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
                "held_back": it.held_back,
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

fn parts(of: &crate::sim::study::advice::Parts) -> Value {
    json!({ "stretch": of.stretch, "bending": of.bending, "whole": of.whole })
}
