//! `weft`: the window.

use clap::Args;

use super::adapter::AdapterArgs;
use super::output::Failure;
use super::scene_args::SceneArgs;
use crate::scene::InputError;

#[derive(Args)]
pub(super) struct OpenArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Continue from a snapshot instead of a scene
    #[arg(long, value_name = "SNAPSHOT", conflicts_with = "scene")]
    from: Option<String>,
    /// Open with a lane for each of these settings, key=value,key=value, instead of those that the
    /// scene comes with: the same cloth by up to four methods
    #[arg(long, value_name = "KEY=VALUE,...", conflicts_with_all = ["from", "commands", "record"])]
    lane: Vec<String>,
    /// Image quality; low is drawn several times faster, with shadows at the vertices alone
    /// [default: as last time]
    #[arg(long, value_name = "low|high")]
    quality: Option<String>,
    /// Close the window after so many seconds
    #[arg(long, value_name = "SECONDS")]
    exit_after: Option<f64>,
    /// Write a picture of the window at exit
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<String>,
    /// Write the state at exit
    #[arg(long, value_name = "FILE.json")]
    snapshot: Option<String>,
    /// Apply commands at their ticks, one JSON object per line, like
    /// {"tick":30,"command":{"solver":{"id":"xpbd"}}}
    #[arg(long, value_name = "FILE.jsonl")]
    commands: Option<String>,
    /// Write all that happens, as it happens, with a hash of the state after every step; "weft
    /// replay" repeats it bit for bit
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<String>,
}

#[cfg(not(feature = "app"))]
pub(super) fn open_window(_: &OpenArgs) -> Result<(), Failure> {
    let message = "this build has no window; use \"weft run\", or build with the default features";
    Err(InputError::new("", message).into())
}

#[cfg(feature = "app")]
pub(super) fn open_window(args: &OpenArgs) -> Result<(), Failure> {
    use super::interruption::Interruption;
    use super::lanes::{lane_args, too_many_lanes};
    use super::output::clock;
    use super::targets::Targets;
    use crate::app::{self, Exit, OpenError, Options, Quality};
    use crate::scene::Scene;
    use crate::session::Lanes;
    use bevy::app::AppExit;

    args.adapter.choose()?;
    let quality = args.quality.as_deref().map(Quality::parse).transpose()?;
    let targets = Targets::default()
        .reads("--scene", args.scene.scene.as_ref())
        .reads("--from", args.from.as_ref())
        .reads("--commands", args.commands.as_ref())
        .whole("--screenshot", args.screenshot.as_ref())
        .whole("--snapshot", args.snapshot.as_ref())
        .grows("--record", args.record.as_ref());
    targets.check()?;
    if let Some(file) = args.screenshot.as_ref().filter(|file| !file.to_ascii_lowercase().ends_with(".png")) {
        return Err(InputError::new(file, "the picture is a PNG; let the name end in .png").into());
    }
    if args.exit_after.is_some_and(|seconds| !(seconds.is_finite() && seconds >= 0.0)) {
        return Err(InputError::new("--exit-after", "needs a number of seconds of at least 0").into());
    }
    let mut start = args.scene.clone();
    start.scene.get_or_insert_with(|| Scene::FIRST.to_owned());
    if args.lane.len() > Lanes::MOST {
        return Err(too_many_lanes().into());
    }
    let mut lanes = Vec::new();
    for lane in &args.lane {
        let (mut scene, mut simulation) = lane_args(&start, lane)?.start(None)?;
        simulation.clock = clock();
        scene.lanes.clear();
        lanes.push((scene, simulation));
    }
    let further = lanes.split_off(lanes.len().min(1));
    let (scene, mut simulation) = match lanes.pop() {
        Some(first) => first,
        None => start.start(args.from.as_deref())?,
    };
    targets.spare(&scene.files())?;
    simulation.clock = clock();
    let script = super::scene_args::read_commands(args.commands.as_deref())?;
    let interruption = Interruption::listen(None);
    let exit = Exit::new(args.exit_after, args.screenshot.clone(), args.snapshot.clone()).on(interruption.flag());
    match app::run(Options { scene, simulation, lanes: further, script, quality, record: args.record.clone(), exit }) {
        Ok(AppExit::Success) if interruption.is_by_user() => {
            Err(Failure::Interrupted("interrupted; the window was closed, and its files are written".to_owned()))
        }
        Ok(AppExit::Success) => Ok(()),
        Err(OpenError::Input(error)) => Err(error.into()),
        Err(OpenError::Lacking(what)) => Err(Failure::Ran(what.to_string())),
        Ok(AppExit::Error(_)) => {
            Err(Failure::Ran("the window closed after an error; see the messages above".to_owned()))
        }
    }
}
