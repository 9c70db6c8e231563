//! `weft report`: an experiment as a page that can be handed in.

mod output;
mod pictures;
mod run;
mod studies;

use clap::Args;

use super::adapter::AdapterArgs;
use super::interruption::Interruption;
use super::lanes::lanes_asked_for;
use super::output::Failure;
use super::render::{check_times, parse_size};
use super::scene_args::SceneArgs;
use super::targets::Targets;
use crate::documents::report::{Experiment, Machine};
use crate::scene::{InputError, Scene};
use crate::sim::solver_interface::Processor;
use output::Output;
use run::Setup;

const EXAMPLES: &str = "\
Examples:
  weft report --scene flag --seconds 3 --out flag.html                 pictures, plots, solver card, commands
  weft report --scene flag --lane solver=xpbd --lane solver=pbd --times 0,1,3 --out flag.html
                                                                       two methods side by side
  weft report --scene table --advise --stability --convergence --out table.html
                                                                       with the studies; takes minutes
  weft report --scene flag --no-pictures --out flag.md                 Markdown, its plots beside it
  weft report --scene flag --out flag                                  the same in a folder

Exit status 0: fine, also if a method blew up, which the report tells. 1: there is no graphics device, or a file could not be written. 2: bad
input. 130: Ctrl+C.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Continue from a snapshot instead of a scene
    #[arg(long, value_name = "SNAPSHOT", conflicts_with = "scene")]
    from: Option<String>,
    /// Run a lane with these settings, key=value,key=value, beside the others: the same scene by up
    /// to four methods
    #[arg(long, value_name = "KEY=VALUE,...")]
    lane: Vec<String>,
    /// Run the lanes that the scene comes with
    #[arg(long, conflicts_with_all = ["lane", "from"])]
    lanes: bool,
    /// Simulated time
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0, conflicts_with = "steps")]
    seconds: f64,
    /// Number of time steps instead; with lanes of the longest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Simulated times of the pictures, rising, from the start of the run [s]
    /// [default: start, middle and end]
    #[arg(long, value_name = "SECONDS,...", value_delimiter = ',')]
    times: Vec<f64>,
    /// What the cloth is painted with in the pictures: cloth, stretch, warp, weft, shear, bending,
    /// speed, tension, tearing
    #[arg(long, value_name = "WHAT", default_value = "cloth")]
    paint: String,
    /// Where the camera is and what it looks at, in metres [default: as the scene says]
    #[arg(long, value_name = "X,Y,Z:X,Y,Z", allow_hyphen_values = true)]
    camera: Option<String>,
    /// Width and height of the pictures in pixels [default: as many lanes need]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Leave out the pictures, which need a graphics device
    #[arg(long)]
    no_pictures: bool,
    /// Measure which solver to take, as "weft advise" does, from the start of the first lane
    #[arg(long)]
    advise: bool,
    /// Most time per frame for --advise, in milliseconds [default: half a frame at 60 Hz]
    #[arg(long, value_name = "MS", requires = "advise")]
    budget: Option<f64>,
    /// What matters for --advise: game, film, robotics or teaching
    #[arg(long, value_name = "NAME", requires = "advise")]
    profile: Option<String>,
    /// Most time for the measurements of --advise, about
    #[arg(long, value_name = "SECONDS", requires = "advise")]
    advise_seconds: Option<f64>,
    /// Chart for which time steps and stiffnesses each lane is stable, as "weft stability --chart"
    /// does
    #[arg(long)]
    stability: bool,
    /// Measure the convergence of the step after the run, for the solvers of the lanes that
    /// minimise
    #[arg(long)]
    convergence: bool,
    /// Iterations of --convergence
    #[arg(long, value_name = "N", default_value_t = 100, requires = "convergence",
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: u32,
    /// Apply commands at their ticks, one JSON object per line, like
    /// {"tick":30,"command":{"solver":{"id":"xpbd"}}}
    #[arg(long, value_name = "FILE.jsonl")]
    commands: Option<String>,
    /// Where the report goes: an .html page, or Markdown as an .md file with a folder beside it, or
    /// a folder for both
    #[arg(long, value_name = "FILE.html|FILE.md|DIR")]
    out: String,
}

pub(super) fn report(args: &ReportArgs) -> Result<(), Failure> {
    let targets = Targets::default()
        .reads("--scene", args.scene.scene.as_ref())
        .reads("--from", args.from.as_ref())
        .reads("--commands", args.commands.as_ref());
    let output = Output::of(&args.out, targets)?;
    args.adapter.choose()?;
    check_times(&args.times)?;
    if !(args.seconds.is_finite() && args.seconds > 0.0) {
        return Err(InputError::new("--seconds", "needs a number above 0").into());
    }
    let judgement = studies::judgement(args)?;
    let lanes = lanes_asked_for(&args.lane, args.lanes, &args.scene)?;
    if !args.no_pictures {
        pictures::check()?;
    }
    let interruption = Interruption::listen(None);
    let setup = Setup::of(args, lanes)?;
    let times = setup.times(args)?;
    let (ran, runs) = setup.run(&interruption)?;
    let repetition = setup.repetition(&ran);
    let pictures = pictures::draw(args, &repetition, &runs, (setup.begins(), &times), &interruption)?;
    let advice = judgement.map(|judged| studies::advise(&setup, judged, &interruption)).transpose()?;
    let stability = args.stability.then(|| studies::stability(&setup, &repetition, &interruption)).transpose()?;
    let convergence = args.convergence.then(|| studies::convergence(args, &setup, &ran, &interruption)).transpose()?;
    let uses_device =
        !pictures.shots.is_empty() || runs.iter().any(|lane| lane.capabilities.processor == Processor::Device);
    let experiment = Experiment {
        defaults: Scene::load(&runs[0].scene.name).ok(),
        lanes: runs,
        pictures,
        advice,
        stability,
        convergence,
        machine: Machine::this(if uses_device { device() } else { None }),
        repetition,
    };
    output.write(&experiment.report(), args.scene.load().map(|scene| scene.files()).unwrap_or_default())
}

/// The graphics device that solvers and drawing use.
#[cfg(feature = "gpu")]
fn device() -> Option<String> {
    use crate::gpu::choice::{adapters, chosen};
    chosen().or_else(|| adapters().into_iter().next()).map(|device| device.to_string())
}

#[cfg(not(feature = "gpu"))]
fn device() -> Option<String> {
    None
}
