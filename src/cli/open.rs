//! `weft`: the window.

use bevy::app::AppExit;

use super::run::clock;
use super::{Failure, OpenArgs, check_output};
use crate::app::{self, Exit, Options, Quality};
use crate::scene::InputError;

pub(super) fn open_window(args: &OpenArgs) -> Result<(), Failure> {
    let quality = args.quality.as_deref().map(Quality::parse).transpose()?;
    for file in [&args.screenshot, &args.snapshot, &args.record] {
        check_output(file.as_ref())?;
    }
    if let Some(file) = args.screenshot.as_ref().filter(|file| !file.to_ascii_lowercase().ends_with(".png")) {
        return Err(InputError::new(file, "the picture is a PNG; let the name end in .png").into());
    }
    if args.exit_after.is_some_and(|seconds| !(seconds.is_finite() && seconds >= 0.0)) {
        return Err(InputError::new("--exit-after", "needs a number of seconds of at least 0").into());
    }
    let (scene, mut simulation) = args.scene.start(args.from.as_deref())?;
    simulation.clock = clock();
    let script = super::read_commands(args.commands.as_deref())?;
    let exit = Exit::new(args.exit_after, args.screenshot.clone(), args.snapshot.clone(), args.record.clone());
    match app::run(Options { scene, simulation, script, quality, exit })? {
        AppExit::Success => Ok(()),
        AppExit::Error(_) => Err(Failure::Ran("the window closed after an error; see the messages above".to_owned())),
    }
}
