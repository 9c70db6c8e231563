//! `weft take-home`: the solver of a scene as text for an engine.

use std::path::Path;

use clap::Args;

use super::interruption::Interruption;
use super::output::{Failure, clock, median, not_written, print_file, report};
use super::scene_args::SceneArgs;
use super::targets::Targets;
use crate::documents::take_home::{Target, take_home as text_of};
use crate::documents::write_whole;
use crate::scene::InputError;
use crate::sim::params::quote::quote;
use crate::sim::{Real, Simulation, StepError};

const EXAMPLES: &str = "\
Examples:
  weft take-home --scene flag --for unity --out Flag.cs                  parameters and pseudocode in C#
  weft take-home --scene hanging --solver xpbd --for c                   the same in C, printed
  weft take-home --scene table --set friction=0.2 --for godot --steps 0  without the time of a step";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TakeHomeArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Engine or language: bevy, unity, godot or c
    #[arg(long = "for", value_name = "ENGINE")]
    target: String,
    /// Measure the time of a step over so many steps, for the comment at the head; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 30)]
    steps: u32,
    /// Write a file instead of printing the text
    #[arg(long, value_name = "FILE")]
    out: Option<String>,
}

pub(super) fn take_home(args: &TakeHomeArgs) -> Result<(), Failure> {
    let target = target_of(&args.target)?;
    let targets = Targets::default().reads("--scene", args.scene.scene.as_ref());
    let targets = targets.whole("--out", args.out.as_ref());
    targets.check()?;
    let (scene, simulation) = args.scene.start(None)?;
    targets.spare(&scene.files())?;
    let seconds = measured(&simulation, args.steps)?;
    let text = text_of(&scene, &simulation, seconds, target);
    let Some(file) = &args.out else { return print_file(&text) };
    write_whole(Path::new(file), |out| out.write_all(text.as_bytes())).map_err(|error| not_written(file, &error))
}

/// The engine of a name.
fn target_of(name: &str) -> Result<Target, InputError> {
    let names = Target::ALL.map(|target| target.name().to_lowercase());
    let at = names.iter().position(|of| *of == name.to_lowercase()).ok_or_else(|| {
        InputError::new("--for", format!("there is no \"{}\"; take one of {}", quote(name), names.join(", ")))
    })?;
    Ok(Target::ALL[at])
}

/// Most time that is measured [s].
const LONGEST: Real = 2.0;

/// The middle time of at most so many steps from the state of `simulation`, which stays as it is
/// [s]; none if the first one fails.
fn measured(simulation: &Simulation, steps: u32) -> Result<Option<Real>, Failure> {
    let interruption = Interruption::listen(None);
    let mut run = Simulation::resume(&simulation.checkpoint());
    (run.clock, run.cancel) = (clock(), interruption.token());
    let mut times = Vec::new();
    while times.len() < steps as usize && times.iter().sum::<Real>() < LONGEST {
        match run.step() {
            Ok(stats) => times.push(stats.total_seconds()),
            Err(StepError::Cancelled) => {
                return Err(Failure::Interrupted("interrupted; no text is written".to_owned()));
            }
            Err(error) => {
                report(&format!("the time of a step is not measured to the end: {error}"));
                break;
            }
        }
    }
    times.sort_by(Real::total_cmp);
    Ok((!times.is_empty()).then(|| median(&times)))
}
