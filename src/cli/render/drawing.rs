//! The pictures to be drawn, from the arguments.

use std::io;
use std::path::Path;
use std::process::Command;

use super::RenderArgs;
use super::writing::{Drawn, Output, targets, write};
use crate::app::{Backdrop, LaneReel, Pace, PaintQuantity, Quality, Reel, RenderError, Replay};
use crate::cli::lanes::{lane_args, lanes_asked_for, too_many_lanes};
use crate::cli::output::{Failure, clock, counting_bar, not_written, report};
use crate::cli::render::check_times;
use crate::cli::scene_args::{SceneArgs, read_commands};
use crate::cli::targets::check_folder;
use crate::documents::{RecordedClip, common_span, read_clips};
use crate::scene::{InputError, Scene, View, check_file, scene_names};
use crate::session::{Lanes, Session, Watch};
use crate::sim::Vec3;
use crate::sim::params::quote::quote;

/// Size of a picture of the gallery [pixels].
const THUMBNAIL: &str = "240x160";

/// Draws the thumbnail of each scene, each in a program of its own: a device draws for one window
/// or picture at a time.
fn draw_thumbnails(folder: &str, only: Option<&str>) -> Result<(), Failure> {
    check_folder(Path::new(folder))?;
    let failed = |error: io::Error| not_written(folder, &error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let program = std::env::current_exe().map_err(failed)?;
    let names = only.map_or_else(scene_names, |name| vec![name.to_owned()]);
    let bar = counting_bar(names.len() as u64, "drawn");
    for name in names {
        let file = Path::new(folder).join(format!("{name}.png"));
        let time = Scene::load(&name)?.pictured.to_string();
        let status = Command::new(&program)
            .args(["render", "--scene", &name, "--size", THUMBNAIL, "--start", &time, "--out"])
            .arg(file)
            .status()
            .map_err(failed)?;
        if !status.success() {
            return Err(Failure::Ran(format!("the thumbnail of {name} could not be drawn")));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

pub(in crate::cli) fn render(args: &RenderArgs) -> Result<(), Failure> {
    args.adapter.choose()?;
    if let Some(folder) = &args.thumbnails {
        return draw_thumbnails(folder, args.scene.scene.as_deref());
    }
    let output = Output::of(args)?;
    let (rate, note) = output.rate(args.fps);
    let reel = reel(args, rate)?;
    let files = reel.scene.files();
    let targets = targets(args).whole("--out", Some(&args.out));
    targets.spare(&files)?;
    let inputs = targets.inputs().chain(files).collect();
    note.iter().for_each(|note| report(note));
    let drawn = Drawn::none_of(reel.pace.times.len() as u32, args.count);
    let result = write(&output, reel, inputs, &drawn);
    if let Some(message) = drawn.end() {
        return Err(Failure::Interrupted(message));
    }
    result.map_err(|error| match error {
        RenderError::Input(error) => error.into(),
        RenderError::Write(error) => not_written(&args.out, &error),
        RenderError::Film(_) => Failure::Ran(format!("{}: {error}", quote(&args.out))),
        error => Failure::Ran(error.to_string()),
    })
}

/// What is to be drawn, at `rate` pictures per second.
fn reel(args: &RenderArgs, rate: f64) -> Result<Reel, Failure> {
    let number = |name: &str, value: f64, least: f64| {
        let fault = || InputError::new(name, format!("needs a number above {least}"));
        (value.is_finite() && value > least).then_some(value).ok_or_else(fault)
    };
    number("--fps", args.fps, 0.0)?;
    number("--start", args.start, -1e-300)?;
    let mut replay = args.replay.as_deref().map(read_replay).transpose()?;
    let lanes = lanes_asked_for(&args.lane, args.lanes, &args.scene)?;
    let (mut scene, mut simulation) = match &mut replay {
        Some(clips) => {
            let snapshot = &mut clips[0].state;
            snapshot.change(|scene| args.scene.change(scene))?;
            snapshot.restore()?
        }
        None => first_lane(args, &lanes)?.start(args.from.as_deref())?,
    };
    if let Some(camera) = &args.camera {
        scene.camera = Some(parse_camera(camera)?);
    }
    simulation.clock = clock();
    let lanes = if lanes.is_empty() { None } else { Some(read_lanes(args, &lanes)?) };
    let tick = lanes.as_ref().map(|reel| reel.lanes.tick_length());
    let step = tick.unwrap_or(simulation.parameters.timing.time_step);
    let count = match &replay {
        Some(clips) => {
            let moments = &clips[0].moments;
            let own = || [moments[0].time, moments[moments.len() - 1].time];
            let [start, end] = span_of(clips).unwrap_or_else(own);
            1 + ((end - start) * rate + 1e-6) as u32
        }
        None => (f64::from(args.frames) * rate / args.fps).round().max(1.0) as u32,
    };
    Ok(Reel {
        scene,
        // that of lanes is theirs
        script: if lanes.is_some() { Vec::new() } else { read_commands(args.commands.as_deref())? },
        lanes,
        size: args.size,
        pace: Pace { step, interval: 1.0 / rate, times: times(args, count, rate)? },
        quality: Quality::parse(&args.quality)?,
        stage: Backdrop::parse(&args.stage)?,
        quantity: PaintQuantity::parse(&args.paint)?,
        pins: args.pins,
        simulation,
        replay: replay.map(|clips| replay_of(clips, args)).transpose()?,
    })
}

/// The times of the pictures [s]: those that are named, or `count` at an even rate.
fn times(args: &RenderArgs, count: u32, rate: f64) -> Result<Vec<f64>, InputError> {
    if args.times.is_empty() {
        let interval = 1.0 / rate;
        return Ok((0..count).map(|picture| args.start + f64::from(picture) * interval).collect());
    }
    check_times(&args.times)?;
    Ok(args.times.clone())
}

/// The start of the first lane, or of the only cloth.
fn first_lane(args: &RenderArgs, lanes: &[String]) -> Result<SceneArgs, InputError> {
    lanes.first().map_or_else(|| Ok(args.scene.clone()), |lane| lane_args(&args.scene, lane))
}

fn read_lanes(args: &RenderArgs, lanes: &[String]) -> Result<LaneReel, InputError> {
    let quantity = PaintQuantity::parse(&args.paint)?;
    let session = |lane: &String| {
        let (scene, mut simulation) = lane_args(&args.scene, lane)?.start(args.from.as_deref())?;
        simulation.clock = clock();
        let mut session = Session::new(scene, simulation);
        let (contacts, residuals) = (quantity == PaintQuantity::Contact, quantity == PaintQuantity::Residual);
        session.watch(Watch { contacts, residuals, ..Watch::default() });
        Ok(session)
    };
    let sessions = lanes.iter().map(session).collect::<Result<_, InputError>>()?;
    let reel = Lanes::new(sessions).ok_or_else(too_many_lanes)?;
    let reel = reel.with(read_commands(args.commands.as_deref())?);
    Ok(LaneReel::new(reel))
}

/// The simulated time that all motions show.
fn span_of(clips: &[RecordedClip]) -> Option<[f64; 2]> {
    common_span(&clips.iter().map(|clip| (&*clip.moments, clip.failed)).collect::<Vec<_>>())
}

/// The motions of all lanes; the first one has its simulation already.
fn replay_of(clips: Vec<RecordedClip>, args: &RenderArgs) -> Result<Replay, InputError> {
    let start = span_of(&clips).map(|[start, _]| start);
    let mut clips = clips.into_iter();
    let first = clips.next().map(|clip| (clip.moments, clip.failed)).unwrap_or_default();
    let lane = |RecordedClip { state, moments, failed }: RecordedClip| {
        let (scene, simulation) = state.restore()?;
        Ok((scene, simulation, (moments, failed)))
    };
    let others = clips.map(lane).collect::<Result<_, InputError>>()?;
    let fault = || InputError::new("--lane-step", "needs three numbers, like 1.1,0,0");
    let step = args.lane_step.as_deref().map(|text| place(text).ok_or_else(fault)).transpose()?;
    Ok(Replay { first, others, start, step: step.map(|step| step.as_vec3()) })
}

/// A place, like `1,2,3`.
fn place(text: &str) -> Option<Vec3> {
    let numbers: Vec<f64> = text.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
    <[f64; 3]>::try_from(numbers).ok().map(Vec3::from)
}

fn read_replay(file: &str) -> Result<Vec<RecordedClip>, InputError> {
    check_file(file.as_ref(), "the export")?;
    let from = std::fs::File::open(file).map_err(|error| InputError::new(file, format!("cannot be read: {error}")))?;
    read_clips(io::BufReader::new(from), file)
}

fn parse_camera(text: &str) -> Result<View, InputError> {
    let fault = || {
        InputError::new(
            format!("--camera {text}"),
            "needs where it is and what it looks at, like 2,1.5,3:0,1,0, two different places",
        )
    };
    let (from, at) = text.split_once(':').ok_or_else(fault)?;
    let view = View { from: place(from).ok_or_else(fault)?, at: place(at).ok_or_else(fault)? };
    if view.fault().is_some() { Err(fault()) } else { Ok(view) }
}
