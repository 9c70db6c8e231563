//! `weft advise`: which solver to take for a scene, a budget and a purpose, measured.

mod answer;

use std::ops::ControlFlow;
use std::path::Path;

use clap::Args;

use super::interruption::Interruption;
use super::output::{Failure, clock, not_written, print, print_json, share_bar};
use super::scene_args::SceneArgs;
use super::targets::Targets;
use crate::documents::report::{AdviceStudy, Report, advice_report};
use crate::documents::write_whole;
use crate::scene::InputError;
use crate::sim::Real;
use crate::sim::params::quote::quote;
use crate::sim::study::advice::{Advice, AdvicePlan, Event, Findings, PROFILES, Profile, Question, measure};
use crate::sim::study::run::Interrupted;
use answer::Answer;

const EXAMPLES: &str = "\
Examples:
  weft advise --scene flag                                 within half a frame at 60 Hz, for a game
  weft advise --scene flag --budget 4 --profile film       within 4 ms per frame, for a film
  weft advise --scene table --weight bending=1             folds count as much as stretch
  weft advise --scene flag --html flag.html                a page with a picture of cost and error
  weft advise --scene flag --csv > flag.csv                all candidates with all figures

Candidates are all solvers with the settings of their effort: iterations, sweeps, substeps. The
error is that of single steps from states of a converged run, relative to their motion, so that
chaos does not decide; the cost is the time of a step on this machine, one time step per frame. Physics and limits are in the manual.";

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
    /// (stretch_limit, jitter_limit, times_limit), as often as wanted
    #[arg(long, value_name = "KEY=VALUE")]
    weight: Vec<String>,
    /// Most time for the measurements, about; what is not run over time until then is not
    /// recommended
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

pub(super) fn advise(args: &AdviseArgs) -> Result<(), Failure> {
    let profile = profile_of(&args.profile, &args.weight)?;
    let budget = 1e-3 * positive("--budget", args.budget)?;
    let seconds = positive("--seconds", args.seconds)?;
    let targets = Targets::default().reads("--scene", args.scene.scene.as_ref()).reads("--from", args.from.as_ref());
    targets.whole("--html", args.html.as_ref()).check()?;
    if let Some(file) = args.html.as_ref().filter(|file| !file.to_ascii_lowercase().ends_with(".html")) {
        return Err(InputError::new(file, "is no name of a page; let it end in .html").into());
    }
    let (scene, simulation) = args.scene.start(args.from.as_deref())?;
    let interruption = Interruption::listen(None);
    let plan = AdvicePlan { seconds, ..AdvicePlan::new(clock(), interruption.token()) };
    let (findings, ended) = measured(&Question::of(&simulation), &plan, &interruption);
    if let Some(findings) = findings {
        let advice = Advice::of(&findings, budget, &profile);
        let answer = Answer { scene: &scene, place: place(args), findings, advice, budget, profile };
        write(args, &answer)?;
    }
    ended.map_err(failure)
}

/// Why not everything was measured.
pub(super) fn failure(interrupted: Interrupted) -> Failure {
    match interrupted {
        Interrupted::Cancelled => Failure::Interrupted("interrupted before everything was measured".to_owned()),
        error => Failure::Ran(format!("the reference cannot be computed: {error}")),
    }
}

/// A value of an option that has to be above zero.
pub(super) fn positive(option: &str, value: f64) -> Result<f64, InputError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(InputError::new(option, "needs a number above 0")) }
}

/// The profile of a name with other weights, `key=number`.
pub(super) fn profile_of(name: &str, weights: &[String]) -> Result<Profile, InputError> {
    let mut profile = Profile::named(name).ok_or_else(|| {
        let names: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
        InputError::new("--profile", format!("there is no \"{}\"; take one of {}", quote(name), names.join(", ")))
    })?;
    for text in weights {
        let place = format!("--weight {}", quote(text));
        let pair = text.split_once('=').and_then(|(key, value)| Some((key.trim(), value.trim().parse::<f64>().ok()?)));
        let (key, value) =
            pair.ok_or_else(|| InputError::new(place.as_str(), "needs the form key=number, like bending=1"))?;
        profile.set(key, value).map_err(|message| InputError::new(place.as_str(), message))?;
    }
    Ok(profile)
}

/// Measures, with the findings of the last look that was finished when something ends it early.
pub(super) fn measured(
    question: &Question,
    plan: &AdvicePlan,
    interruption: &Interruption,
) -> (Option<Findings>, Result<(), Interrupted>) {
    let (mut last, bar) = (None, share_bar(TICKS));
    let found = measure(question, plan, &mut |event| {
        match event {
            Event::Progress(share) => {
                let ticks = (share * TICKS as Real) as u64;
                if ticks > bar.position() {
                    bar.set_position(ticks);
                }
            }
            Event::Begun(_) | Event::Row(..) => {}
            Event::Look(findings) => last = Some(findings.clone()),
        }
        if interruption.is_by_user() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    match found {
        Ok(findings) => (Some(findings), Ok(())),
        Err(interrupted) => (last, Err(interrupted)),
    }
}

/// The page of an answer.
fn page(args: &AdviseArgs, answer: &Answer) -> Report {
    let name = if answer.scene.title.is_empty() { &answer.scene.name } else { &answer.scene.title };
    let study = AdviceStudy {
        findings: answer.findings.clone(),
        budget: answer.budget,
        profile: answer.profile,
        command: format!("weft advise {}", place(args)).trim_end().to_owned(),
        choice: answer.taken().map(|row| answer.command(&answer.findings.rows[row])),
    };
    advice_report(format!("Which solver for {name}?"), &study)
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
        let page = page(args, answer).html();
        write_whole(Path::new(file), |out| out.write_all(page.as_bytes()))
            .map_err(|error| not_written(file, &error))?;
    }
    match (args.json, args.csv) {
        (true, _) => print_json(&answer.json()),
        (_, true) => print(&answer.csv()?),
        _ => print(&answer.text()),
    }
}
