//! Where the pictures go: files of pictures, an animation, a film.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::RenderArgs;
use crate::app::{Picture, Reel, RenderError, render as draw};
use crate::cli::interruption::Interruption;
use crate::cli::output::counting_bar;
use crate::cli::targets::{Targets, check_folder};
use crate::documents::{LEAST_GIF_RATE, MOST_GIF_RATE, NumberedFiles, gif_delays, save_whole, write_whole};
use crate::scene::InputError;
use crate::sim::params::quote::quote;

/// Output of the pictures.
pub(super) enum Output {
    Folder(PathBuf),
    Png(PathBuf),
    Gif(PathBuf),
    Film(PathBuf),
}

impl Output {
    /// The output that the arguments ask for, if it can be written.
    pub fn of(args: &RenderArgs) -> Result<Self, InputError> {
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
            _ => {
                check_folder(&path)?;
                return Ok(Self::Folder(path));
            }
        };
        targets(args).whole("--out", Some(&args.out)).check()?;
        if matches!(output, Self::Gif(_)) && args.fps < LEAST_GIF_RATE {
            return Err(InputError::new("--fps", "a GIF shows a picture for at most 655.35 s; take a higher rate"));
        }
        if matches!(output, Self::Gif(_) | Self::Film(_)) && !args.times.is_empty() {
            return Err(InputError::new(&args.out, "shows an even rate; name a folder or a .png for --times"));
        }
        let many = args.frames > 1 || args.times.len() > 1;
        if matches!(output, Self::Png(_)) && many && args.replay.is_none() {
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

    /// The number of pictures per second that it has in place of so many, and a sentence if that is
    /// another one.
    pub fn rate(&self, wanted: f64) -> (f64, Option<String>) {
        let Self::Gif(path) = self else { return (wanted, None) };
        if wanted <= MOST_GIF_RATE {
            return (wanted, None);
        }
        let file = quote(&path.to_string_lossy());
        let note = format!(
            "{file}: a GIF has at most {MOST_GIF_RATE} pictures per second, which are drawn in place of {wanted}; it \
             lasts as long as the motion"
        );
        (MOST_GIF_RATE, Some(note))
    }
}

/// The files that are read.
pub(super) fn targets(args: &RenderArgs) -> Targets<'_> {
    Targets::default()
        .reads("--scene", args.scene.scene.as_ref())
        .reads("--from", args.from.as_ref())
        .reads("--replay", args.replay.as_ref())
        .reads("--commands", args.commands.as_ref())
}

fn has_ffmpeg() -> bool {
    let started = Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    started.is_ok_and(|status| status.success())
}

/// Tells how many pictures have been drawn: people by a bar, another program by lines.
pub(super) struct Drawn {
    bar: indicatif::ProgressBar,
    all: u32,
    tells_lines: bool,
    interruption: Interruption,
}

impl Drawn {
    /// None of so many pictures yet. From now on Ctrl+C ends the drawing after a picture.
    pub fn none_of(all: u32, tells_lines: bool) -> Self {
        let bar = counting_bar(u64::from(all), "drawn");
        Self { bar, all, tells_lines, interruption: Interruption::listen(None) }
    }

    /// One more. An error if the user wants no more.
    fn one_more(&self) -> io::Result<()> {
        self.bar.inc(1);
        if self.tells_lines {
            // the reader may have gone
            let _ = writeln!(io::stdout(), "{} of {}", self.bar.position(), self.all);
        }
        if self.interruption.is_by_user() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }

    /// Removes the bar. Returns a message if the user has ended the drawing early.
    pub fn end(&self) -> Option<String> {
        // the bar counts all as done when it goes
        let done = self.bar.position();
        self.bar.finish_and_clear();
        (self.interruption.is_by_user() && done < u64::from(self.all))
            .then(|| format!("interrupted after {done} of {} pictures", self.all))
    }
}

/// Draws the pictures and writes them; the files `inputs` stay as they are.
pub(super) fn write(output: &Output, reel: Reel, inputs: Vec<PathBuf>, bar: &Drawn) -> Result<(), RenderError> {
    match output {
        Output::Folder(folder) => {
            std::fs::create_dir_all(folder)?;
            let mut files = NumberedFiles::frames_in(folder, reel.pace.times.len()).except(inputs);
            let drawn = draw(reel, |picture| {
                files.write(|path| write_png(path, &picture))?;
                bar.one_more()
            });
            files.note().iter().for_each(|note| crate::cli::output::report(note));
            drawn
        }
        Output::Png(path) => draw(reel, |picture| {
            write_png(path, &picture)?;
            bar.one_more()
        }),
        Output::Gif(path) => {
            let mut ended = Ok(());
            write_whole(path, |out| {
                ended = draw_gif(reel, bar, out);
                // a part of an animation is none
                if ended.is_ok() { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
            })
            .or_else(|error| if ended.is_err() { Ok(()) } else { Err(error) })?;
            ended
        }
        Output::Film(path) => {
            let mut ended = Ok(());
            save_whole(path, |beside| {
                ended = draw_film(reel, bar, beside);
                if ended.is_ok() { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
            })
            .or_else(|error| if ended.is_err() { Ok(()) } else { Err(error) })?;
            ended
        }
    }
}

fn write_png(path: &Path, picture: &Picture) -> io::Result<()> {
    write_whole(path, |out| picture.write_png(out))
}

fn draw_gif(reel: Reel, bar: &Drawn, out: &mut dyn Write) -> Result<(), RenderError> {
    let [width, height] = reel.size.map(|side| side as u16);
    let mut encoder = gif::Encoder::new(out, width, height, &[]).map_err(io::Error::other)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
    let mut delays = gif_delays(1.0 / reel.pace.interval);
    draw(reel, |picture| {
        let mut frame = gif::Frame::from_rgb_speed(width, height, &picture.rgb, 10);
        frame.delay = delays.next().unwrap_or_default();
        encoder.write_frame(&frame).map_err(io::Error::other)?;
        bar.one_more()
    })
}

fn draw_film(reel: Reel, bar: &Drawn, path: &Path) -> Result<(), RenderError> {
    let [width, height] = reel.size;
    let rate = format!("{}", 1.0 / reel.pace.interval);
    let size = format!("{width}x{height}");
    let mut ffmpeg = Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size, "-r", &rate, "-i", "-"])
        // players want even sides and this pixel format
        .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-crf", "18"])
        .arg(path)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut pictures = ffmpeg.stdin.take().ok_or_else(|| io::Error::other("ffmpeg takes no pictures"))?;
    let drawn = draw(reel, |picture| {
        pictures.write_all(&picture.rgb)?;
        bar.one_more()
    });
    drop(pictures);
    let done = ffmpeg.wait_with_output()?;
    let is_of_ffmpeg = match &drawn {
        Ok(()) => true,
        Err(RenderError::Write(error)) => error.kind() == io::ErrorKind::BrokenPipe,
        Err(_) => false,
    };
    if is_of_ffmpeg && !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(RenderError::Film(said.lines().last().unwrap_or("it failed").to_owned()));
    }
    drawn
}
