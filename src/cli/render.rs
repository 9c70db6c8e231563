//! `weft render`: pictures and films without a window.

use clap::Args;

#[cfg(not(feature = "app"))]
use super::output::Failure;
use super::scene_args::SceneArgs;

const EXAMPLES: &str = "\
Examples:
  weft render --scene flag --start 3 --out flag.png                 one picture, after 3 s
  weft render --scene table --frames 90 --out table.gif             three seconds as an animation
  weft render --scene heap --frames 120 --size 1920x1080 --quality high --out frames
                                                                    numbered pictures in a folder
  weft render --scene hanging --frames 90 --paint stretch --stage dark --out stretch.mp4
                                                                    a film; needs ffmpeg
  weft render --scene flag --lane solver=pbd --lane solver=xpbd,iterations=20 --start 2 --out lanes.png
                                                                    the same cloth by two methods
  weft render --thumbnails assets/thumbnails                        the pictures of the gallery
  weft render --scene poncho.ron --camera 2,1.5,3:0,1,0 --out a.png seen from (2, 1.5, 3), looking at (0, 1, 0)

Exit status 0: fine. 1: the simulation diverged or a file could not be written. 2: bad input.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RenderArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Continue from a snapshot instead of a scene
    #[arg(long, value_name = "SNAPSHOT", conflicts_with = "scene")]
    from: Option<String>,
    /// Draw a motion that the window has recorded, from its file
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["scene", "from", "frames", "start", "commands"])]
    replay: Option<String>,
    /// Draw a lane with these settings, key=value,key=value, beside the others: the same scene by up to four methods
    #[arg(long, value_name = "KEY=VALUE,...", conflicts_with_all = ["replay", "thumbnails"])]
    lane: Vec<String>,
    /// Print a line for each picture
    #[arg(long, hide = true)]
    count: bool,
    /// Where the pictures go: a .png for one, a .gif or .mp4 for a film, or a folder for numbered ones
    #[arg(
        long,
        value_name = "DIR|FILE.png|FILE.gif|FILE.mp4",
        required_unless_present = "thumbnails",
        default_value = ""
    )]
    out: String,
    /// Draw the picture of every scene, or of the given one, that the gallery shows
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "from", "frames"])]
    thumbnails: Option<String>,
    /// Number of pictures
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: u32,
    /// Pictures per simulated second; rounded to whole time steps
    #[arg(long, default_value_t = 30.0)]
    fps: f64,
    /// Simulated time before the first picture [s]
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    start: f64,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "960x720", value_parser = parse_size)]
    size: [u32; 2],
    /// Where the camera is and what it looks at, in metres [default: as the scene says]
    #[arg(long, value_name = "X,Y,Z:X,Y,Z", allow_hyphen_values = true)]
    camera: Option<String>,
    /// What the cloth is painted with: cloth, stretch, warp, weft, shear, bending, speed, tension, tearing
    #[arg(long, value_name = "WHAT", default_value = "cloth")]
    paint: String,
    /// Image quality; low leaves out shadows on the cloth and smooth edges
    #[arg(long, value_name = "low|high", default_value = "high")]
    quality: String,
    /// Light or dark studio
    #[arg(long, value_name = "light|dark", default_value = "light")]
    stage: String,
    /// Apply commands at their ticks, one JSON object per line, like {"tick":30,"command":{"solver":{"id":"xpbd"}}}
    #[arg(long, value_name = "FILE.jsonl")]
    commands: Option<String>,
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (16..=8192).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| "needs the form 1280x720, with sides from 16 to 8192".to_owned())
}

#[cfg(not(feature = "app"))]
pub(super) fn render(_: &RenderArgs) -> Result<(), Failure> {
    let message = "this build cannot draw; use \"weft run\", or build with the default features";
    Err(crate::scene::InputError::new("", message).into())
}

#[cfg(feature = "app")]
pub(super) use with_device::render;

#[cfg(feature = "app")]
mod with_device {
    use std::io::{self, Write};
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use super::RenderArgs;
    use crate::app::{LaneReel, Picture, Quality, Quantity, Reel, RenderError, Stage, render as draw};
    use crate::cli::lanes::lane_args;
    use crate::cli::output::{Failure, check_output, clock, counting_bar};
    use crate::cli::scene_args::{SceneArgs, read_commands};
    use crate::scene::{InputError, Moment, Scene, Snapshot, View, read_clip, save_whole, scene_names, write_whole};
    use crate::session::{Lanes, Session, Watch};
    use crate::sim::Vec3;
    use crate::sim::quote::quote;

    /// Size of a picture of the gallery [pixels].
    const THUMBNAIL: &str = "240x160";

    /// What the pictures become.
    enum Output {
        Folder(PathBuf),
        Png(PathBuf),
        Gif(PathBuf),
        Film(PathBuf),
    }

    impl Output {
        fn of(args: &RenderArgs) -> Result<Self, InputError> {
            let path = PathBuf::from(&args.out);
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
            let output = match ending.as_deref() {
                Some("png") => Self::Png(path),
                Some("gif") => Self::Gif(path),
                Some("mp4") => Self::Film(path),
                Some(_) if !path.is_dir() => {
                    return Err(InputError::new(
                        &args.out,
                        "is no kind of picture that is known; take .png, .gif, .mp4 or a folder",
                    ));
                }
                _ => return Ok(Self::Folder(path)),
            };
            check_output(Some(&args.out))?;
            if matches!(output, Self::Png(_)) && args.frames > 1 && args.replay.is_none() {
                return Err(InputError::new(&args.out, "holds one picture; name a folder, a .gif or an .mp4 for more"));
            }
            if matches!(output, Self::Film(_)) && !has_ffmpeg() {
                return Err(InputError::new(
                    &args.out,
                    "films are made by ffmpeg, which is not installed; take .gif or a folder",
                ));
            }
            Ok(output)
        }
    }

    /// Draws the thumbnail of each scene, each in a program of its own: a device draws for one window or picture at a time.
    fn draw_thumbnails(folder: &str, only: Option<&str>) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::Ran(format!("{folder}: {error}"));
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

    fn has_ffmpeg() -> bool {
        let started = Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        started.is_ok_and(|status| status.success())
    }

    pub(in crate::cli) fn render(args: &RenderArgs) -> Result<(), Failure> {
        if let Some(folder) = &args.thumbnails {
            return draw_thumbnails(folder, args.scene.scene.as_deref());
        }
        let output = Output::of(args)?;
        let number = |name: &str, value: f64, least: f64| {
            let fault = || InputError::new(name, format!("needs a number above {least}"));
            (value.is_finite() && value > least).then_some(value).ok_or_else(fault)
        };
        number("--fps", args.fps, 0.0)?;
        number("--start", args.start, -1e-300)?;
        let mut replay = args.replay.as_deref().map(read_replay).transpose()?;
        let (mut scene, mut simulation) = match &mut replay {
            Some((snapshot, _)) => {
                snapshot.change(|scene| args.scene.change(scene))?;
                snapshot.restore()?
            }
            None => first_lane(args)?.start(args.from.as_deref())?,
        };
        if let Some(camera) = &args.camera {
            scene.camera = Some(parse_camera(camera)?);
        }
        simulation.clock = clock();
        let lanes = if args.lane.is_empty() { None } else { Some(read_lanes(args)?) };
        let longest = |lanes: &LaneReel| lanes.lanes.lanes().iter().map(|lane| lane.time_step()).fold(0.0, f64::max);
        let step = lanes.as_ref().map_or(simulation.parameters.timing.time_step, longest);
        let steps_between = ((1.0 / args.fps / step).round() as u64).max(1);
        let frames = match &replay {
            Some((_, moments)) => {
                let seconds = moments[moments.len() - 1].time - moments[0].time;
                1 + (seconds * args.fps + 1e-6) as u32
            }
            None => args.frames,
        };
        let reel = Reel {
            scene,
            // that of lanes is theirs
            script: if lanes.is_some() { Vec::new() } else { read_commands(args.commands.as_deref())? },
            lanes,
            size: args.size,
            steps_before: (args.start / step).round() as u64,
            steps_between,
            frames,
            quality: Quality::parse(&args.quality)?,
            stage: Stage::parse(&args.stage)?,
            quantity: Quantity::parse(&args.paint)?,
            simulation,
            replay: replay.map(|(_, moments)| (moments, 1.0 / args.fps)),
        };
        let bar = Drawn { bar: counting_bar(u64::from(frames), "drawn"), of: args.count.then_some(frames) };
        // what a film or an animation plays at is what was simulated
        let seconds = if reel.replay.is_some() { 1.0 / args.fps } else { steps_between as f64 * step };
        let result = write(&output, reel, seconds, &bar);
        bar.bar.finish_and_clear();
        result.map_err(|error| match error {
            RenderError::NoDevice(error) => error.into(),
            RenderError::Write(error) => Failure::Ran(format!("{}: {error}", args.out)),
            error => Failure::Ran(error.to_string()),
        })
    }

    /// What the first lane starts with, or the only cloth there is.
    fn first_lane(args: &RenderArgs) -> Result<SceneArgs, InputError> {
        args.lane.first().map_or_else(|| Ok(args.scene.clone()), |lane| lane_args(&args.scene, lane))
    }

    /// The lanes, each with what it is.
    fn read_lanes(args: &RenderArgs) -> Result<LaneReel, InputError> {
        let quantity = Quantity::parse(&args.paint)?;
        let session = |lane: &String| {
            let (scene, mut simulation) = lane_args(&args.scene, lane)?.start(args.from.as_deref())?;
            simulation.clock = clock();
            let mut session = Session::new(scene, simulation);
            let (contacts, residuals) = (quantity == Quantity::Contact, quantity == Quantity::Residual);
            session.watch(Watch { contacts, residuals, ..Watch::default() });
            Ok(session)
        };
        let sessions = args.lane.iter().map(session).collect::<Result<_, InputError>>()?;
        let lanes = Lanes::new(sessions).ok_or_else(|| {
            InputError::new("--lane", format!("there are at most {} lanes; leave some out", Lanes::MOST))
        })?;
        let lanes = lanes.with(read_commands(args.commands.as_deref())?);
        Ok(LaneReel { lanes, captions: args.lane.iter().map(|lane| quote(lane).replace(',', ", ")).collect() })
    }

    fn read_replay(file: &str) -> Result<(Snapshot, Vec<Moment>), InputError> {
        let from =
            std::fs::File::open(file).map_err(|error| InputError::new(file, format!("cannot be read: {error}")))?;
        read_clip(io::BufReader::new(from), file)
    }

    /// Tells how many pictures have been drawn: people by a bar, another program by lines.
    struct Drawn {
        bar: indicatif::ProgressBar,
        /// Number of all pictures, if lines are wanted.
        of: Option<u32>,
    }

    impl Drawn {
        fn inc(&self) {
            self.bar.inc(1);
            if let Some(all) = self.of {
                // who asked for it may have gone
                let _ = writeln!(io::stdout(), "{} of {all}", self.bar.position());
            }
        }
    }

    /// Draws the pictures and writes them; `seconds` is the simulated time between two.
    fn write(output: &Output, reel: Reel, seconds: f64, bar: &Drawn) -> Result<(), RenderError> {
        match output {
            Output::Folder(folder) => {
                std::fs::create_dir_all(folder)?;
                let mut count = 0;
                draw(reel, |picture| {
                    count += 1;
                    bar.inc();
                    write_png(&folder.join(format!("frame-{count:05}.png")), &picture)
                })
            }
            Output::Png(path) => draw(reel, |picture| {
                bar.inc();
                write_png(path, &picture)
            }),
            Output::Gif(path) => {
                let mut ended = Ok(());
                write_whole(path, |out| {
                    ended = draw_gif(reel, seconds, bar, out);
                    // a part of an animation is none
                    if ended.is_ok() { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
                })
                .or_else(|error| if ended.is_err() { Ok(()) } else { Err(error) })?;
                ended
            }
            Output::Film(path) => {
                let mut ended = Ok(());
                save_whole(path, |beside| {
                    ended = draw_film(reel, seconds, bar, beside);
                    if ended.is_ok() { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
                })
                .or_else(|error| if ended.is_err() { Ok(()) } else { Err(error) })?;
                ended
            }
        }
    }

    fn write_png(path: &Path, picture: &Picture) -> io::Result<()> {
        write_whole(path, |out| {
            let mut encoder = png::Encoder::new(out, picture.size[0], picture.size[1]);
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_depth(png::BitDepth::Eight);
            let mut writer = encoder.write_header().map_err(io::Error::other)?;
            writer.write_image_data(&picture.rgb).map_err(io::Error::other)
        })
    }

    fn draw_gif(reel: Reel, seconds: f64, bar: &Drawn, out: &mut dyn Write) -> Result<(), RenderError> {
        let [width, height] = reel.size.map(|side| side as u16);
        let mut encoder = gif::Encoder::new(out, width, height, &[]).map_err(io::Error::other)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
        // delays are whole hundredths of a second: what is left over goes to the next picture
        let (mut shown, mut due) = (0.0, 0.0);
        draw(reel, |picture| {
            due += 100.0 * seconds;
            let mut frame = gif::Frame::from_rgb_speed(width, height, &picture.rgb, 10);
            frame.delay = (due - shown).round().max(2.0) as u16;
            shown += f64::from(frame.delay);
            bar.inc();
            encoder.write_frame(&frame).map_err(io::Error::other)
        })
    }

    fn draw_film(reel: Reel, seconds: f64, bar: &Drawn, path: &Path) -> Result<(), RenderError> {
        let [width, height] = reel.size;
        let rate = format!("{}", 1.0 / seconds);
        let size = format!("{width}x{height}");
        let mut ffmpeg = Command::new("ffmpeg")
            .args([
                "-y",
                "-loglevel",
                "error",
                "-f",
                "rawvideo",
                "-pix_fmt",
                "rgb24",
                "-s",
                &size,
                "-r",
                &rate,
                "-i",
                "-",
            ])
            // players want even sides and this format of pixels
            .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-crf", "18"])
            .arg(path)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut pictures = ffmpeg.stdin.take().ok_or_else(|| io::Error::other("ffmpeg takes no pictures"))?;
        let drawn = draw(reel, |picture| {
            bar.inc();
            pictures.write_all(&picture.rgb)
        });
        drop(pictures);
        let done = ffmpeg.wait_with_output()?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            return Err(io::Error::other(format!("ffmpeg: {}", said.lines().last().unwrap_or("it failed"))).into());
        }
        drawn
    }

    fn parse_camera(text: &str) -> Result<View, InputError> {
        let fault = || {
            InputError::new(
                format!("--camera {text}"),
                "needs where it is and what it looks at, like 2,1.5,3:0,1,0, two different places",
            )
        };
        let place = |text: &str| -> Option<Vec3> {
            let numbers: Vec<f64> = text.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
            <[f64; 3]>::try_from(numbers).ok().map(Vec3::from)
        };
        let (from, at) = text.split_once(':').ok_or_else(fault)?;
        let view = View { from: place(from).ok_or_else(fault)?, at: place(at).ok_or_else(fault)? };
        if view.fault().is_some() { Err(fault()) } else { Ok(view) }
    }
}
