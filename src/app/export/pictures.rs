//! Pictures and films of the recorded motion: drawn by `weft render` in a separate process, since a
//! device draws for one window or picture at a time.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use bevy::log::debug;
use bevy::math::Vec3;

use super::drawing::Drawing;
use super::writing::fault;
use super::{Appearance, Choice, Ended, Finished, Kind};
use crate::app::task::Reporter;
use crate::app::view::paint_quantity::PaintQuantity;
use crate::app::window::preferences::{Backdrop, Quality};
use crate::documents::{MOST_GIF_RATE, Moment, NumberedFiles, folder_beside, place_of, write_clip};
use crate::scene::View;
use crate::sim::params::quote::quote;

/// The pictures to draw.
pub struct Order {
    pub path: PathBuf,
    /// Files that the scene is made from, which stay as they are.
    pub inputs: Vec<PathBuf>,
    /// Of each lane.
    pub moments: Vec<Vec<Arc<Moment>>>,
    /// Simulated time at which each lane failed [s], if it stands there.
    pub failed: Vec<Option<f64>>,
    pub choice: Choice,
    pub kind: Kind,
    pub look: Look,
    pub drawing: Arc<Drawing>,
}

/// Look of pictures.
pub struct Look {
    pub appearance: Appearance,
    pub camera: Option<View>,
    /// The way from one of several lanes to the next [m]; zero if all stand in one place.
    pub step: Option<Vec3>,
}

impl Order {
    /// Draws it; `states` are the present snapshots of the lanes as JSON. What is not finished is
    /// beside its place, in a folder that goes away with the work.
    pub fn draw(self, states: Vec<String>, reporter: &Reporter<Ended>) -> Ended {
        let path = self.path.clone();
        let failed = |error: &io::Error| fault(&path, error);
        // a link stays, and the file that it names is replaced
        let place = place_of(&path).map_err(|error| failed(&error))?;
        let (beside, _held) = folder_beside(&place).map_err(|error| failed(&error))?;
        let motion = beside.path().join("motion");
        self.write_motion(states, &motion).map_err(|error| failed(&error))?;
        let many = self.kind == Kind::Picture && self.moments[0].len() > 1;
        let out =
            beside.path().join(if many { "pictures".to_owned() } else { format!("picture.{}", self.kind.ending()) });
        let mut program = self.program(&motion, &out).map_err(|error| failed(&error))?;
        let followed = follow(&mut program, &mut |counted| {
            let Some((done, all)) = counted else {
                return if reporter.is_cancelled() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) };
            };
            self.drawing.note(done, all);
            debug!("drawn: {}", self.drawing.line().unwrap_or_default());
            tell(reporter, f64::from(done) / f64::from(all))
        });
        match followed {
            Ok(said) if said.is_empty() => {}
            Ok(said) => return Err(format!("{}: {said}", quote(&path.to_string_lossy()))),
            Err(error) => {
                // it may have ended by itself
                let _ = program.kill();
                let _ = program.wait();
                return Err(failed(&error));
            }
        }
        if !many {
            fs::rename(&out, place).map_err(|error| failed(&error))?;
            let is_slower = self.kind == Kind::Gif && self.choice.fps > MOST_GIF_RATE;
            let note = is_slower.then(|| format!("{MOST_GIF_RATE} pictures per second, the most that a GIF has"));
            return Ok(Finished { path, note });
        }
        self.put_in_place(&out).map_err(|error| failed(&error))
    }

    fn write_motion(&self, states: Vec<String>, file: &Path) -> io::Result<()> {
        let mut out = io::BufWriter::new(fs::File::create(file)?);
        for ((state, moments), failed) in states.into_iter().zip(&self.moments).zip(&self.failed) {
            let state = serde_json::value::RawValue::from_string(state)?;
            let moments: Vec<&Moment> = moments.iter().map(Arc::as_ref).collect();
            write_clip(&state, &moments, *failed, &mut out)?;
        }
        out.flush()
    }

    fn program(&self, motion: &Path, out: &Path) -> io::Result<Child> {
        let [width, height] = self.choice.size;
        let Look { appearance: Appearance { quality, stage, quantity }, camera, step } = &self.look;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["render", "--count", "--replay"])
            .arg(motion)
            .arg("--out")
            .arg(out)
            .args(["--size", &format!("{width}x{height}"), "--fps", &self.choice.fps.to_string()])
            .args([
                "--quality",
                quality_word(*quality),
                "--stage",
                stage_word(*stage),
                "--paint",
                &quantity_word(*quantity),
            ]);
        if self.choice.pins {
            command.arg("--pins");
        }
        if let Some(camera) = camera {
            command.args(["--camera", &camera_words(*camera)]);
        }
        if let Some(step) = step {
            command.args(["--lane-step", &format!("{},{},{}", step.x, step.y, step.z)]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    /// Moves the pictures of a folder to numbered names.
    fn put_in_place(self, folder: &Path) -> io::Result<Finished> {
        let mut pictures: Vec<PathBuf> =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        pictures.sort();
        let mut files = NumberedFiles::beside(&self.path, pictures.len()).except(self.inputs);
        for picture in pictures {
            files.write(|path| fs::rename(&picture, path))?;
        }
        if files.written() == 0 {
            return Err(io::Error::other("there is no picture"));
        }
        Ok(Finished { path: files.file(1), note: files.note() })
    }
}

/// Follows the process until it ends; returns its error message, nothing on success. `told` hears
/// how many of all pictures are done, and nothing every tenth of a second; its error ends it.
pub fn follow(program: &mut Child, told: &mut dyn FnMut(Option<(u32, u32)>) -> io::Result<()>) -> io::Result<String> {
    let (lines, errors) = (listen(program.stdout.take()), listen(program.stderr.take()));
    loop {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(line) => {
                let count =
                    line.split_once(" of ").and_then(|(done, all)| Some((done.parse().ok()?, all.parse().ok()?)));
                if count.is_some() {
                    told(count)?;
                }
            }
            Err(RecvTimeoutError::Timeout) => told(None)?,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if program.wait()?.success() {
        return Ok(String::new());
    }
    let last = errors.iter().last().unwrap_or_else(|| "the drawing has broken off".to_owned());
    Ok(last.strip_prefix("weft: ").map_or(last.clone(), str::to_owned))
}

fn tell(reporter: &Reporter<Ended>, share: f64) -> io::Result<()> {
    match reporter.tell(share) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(io::ErrorKind::Interrupted.into()),
    }
}

/// The output lines of a process, read on a separate thread.
fn listen(output: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, lines) = channel();
    if let Some(output) = output {
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    lines
}

pub fn quality_word(quality: Quality) -> &'static str {
    if quality == Quality::Low { "low" } else { "high" }
}

pub fn stage_word(stage: Backdrop) -> &'static str {
    if stage == Backdrop::Dark { "dark" } else { "light" }
}

/// A quantity as `weft render --paint` takes it.
pub fn quantity_word(quantity: PaintQuantity) -> String {
    quantity.name().split(' ').next().unwrap_or_default().to_lowercase()
}

/// A camera as `weft render --camera` takes it.
pub fn camera_words(View { from, at }: View) -> String {
    let words = |x: crate::sim::Vec3| format!("{},{},{}", x.x, x.y, x.z);
    format!("{}:{}", words(from), words(at))
}
