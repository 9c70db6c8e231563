//! `--export`: the cloth, or its motion, as a mesh that other programs read.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::output::{Failure, not_written, report};
use super::targets::Targets;
use crate::documents::{
    Clip, FrameSampler, FrameState, MeshFormat, Moment, NumberedFiles, folder, place_of, write_whole,
};
use crate::scene::InputError;
use crate::session::Session;
use crate::sim::Real;
use crate::sim::params::quote::quote;

/// Most memory that a motion may take before it is written [bytes].
const MOST_BYTES: usize = 4 << 30;
/// Most shapes per simulated second.
const MOST_FRAMES: f64 = 1e5;

#[derive(Args)]
pub(super) struct ExportArgs {
    /// Write the final shape as a mesh with normals and texture coordinates: .obj, .ply or .glb
    /// (glTF). With --fps the motion: a .glb holds all of it, of the others there are numbered
    /// files
    #[arg(long, value_name = "FILE.obj|FILE.ply|FILE.glb")]
    export: Option<String>,
    /// Export so many shapes per simulated second, interpolated between time steps
    #[arg(long, value_name = "N", requires = "export")]
    fps: Option<f64>,
    /// Simulated time at which the exported motion begins [s]
    #[arg(long, value_name = "SECONDS", requires = "fps", default_value_t = 0.0)]
    start: f64,
}

/// What is exported while a run goes on.
pub(super) struct Export<'a> {
    /// The frames of the motion; none if only the last shape is wanted.
    frames: Option<FrameSampler>,
    output: Output<'a>,
}

/// Where frames go.
struct Output<'a> {
    file: &'a str,
    format: MeshFormat,
    clip: Clip,
    /// Number of frames so far.
    taken: usize,
    /// The files of frames that have one each.
    files: NumberedFiles,
}

impl ExportArgs {
    /// Adds the files that are written.
    pub fn add_to<'a>(&'a self, targets: Targets<'a>) -> Result<Targets<'a>, InputError> {
        let Some(file) = &self.export else { return Ok(targets) };
        let is_numbered = self.fps.is_some() && !MeshFormat::of(file)?.is_animated();
        let add = if is_numbered { Targets::numbered } else { Targets::whole };
        Ok(add(targets, "--export", Some(file)))
    }

    /// Begins with the state as it is, if something is to be exported, in a run of so many
    /// `steps` that reads the files `inputs`.
    pub fn begin(&self, session: &Session, steps: u64, inputs: Vec<PathBuf>) -> Result<Option<Export<'_>>, Failure> {
        let Some(file) = self.export.as_deref() else { return Ok(None) };
        let format = MeshFormat::of(file)?;
        if self.fps.is_some_and(|fps| !(fps > 0.0 && fps <= MOST_FRAMES)) {
            return Err(InputError::new("--fps", "needs a number above 0, and at most 100000").into());
        }
        if !(self.start.is_finite() && self.start >= 0.0) {
            return Err(InputError::new("--start", "needs a number of seconds of at least 0").into());
        }
        let frames = self.fps.map(|fps| FrameSampler::new(fps, self.start));
        let clip = Clip::new(Real::INFINITY, MOST_BYTES);
        let files = NumberedFiles::beside(Path::new(file), 0);
        if let Some(fps) = self.fps.filter(|_| !format.is_animated()) {
            let seconds = steps as Real * session.simulation().parameters.timing.time_step - self.start;
            refuse_inputs(&files, file, 1 + (seconds * fps) as usize, &inputs)?;
        }
        let files = files.except(inputs);
        let mut export = Export { frames, output: Output { file, format, clip, taken: 0, files } };
        export.follow(session)?;
        Ok(Some(export))
    }
}

impl Export<'_> {
    /// Takes the state after a step.
    pub fn follow(&mut self, session: &Session) -> Result<(), Failure> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        let simulation = session.simulation();
        let state = FrameState { time: simulation.time(), positions: simulation.state.cloth.positions.clone() };
        let output = &mut self.output;
        frames.push(state, simulation.pattern(), &mut |frame| output.take(session, frame))
    }

    /// Writes what is not on the disk yet.
    pub fn finish(self, session: &Session) -> Result<(), Failure> {
        let Self { frames, mut output } = self;
        let Some(mut frames) = frames else {
            let simulation = session.simulation();
            let (time, positions) = (simulation.time(), simulation.state.cloth.positions.clone());
            let (path, frame) = (Path::new(output.file), FrameState { time, positions });
            return write_shape(output.format, session, &frame, path).map_err(|error| not_written(path, &error));
        };
        frames.finish(&mut |frame| output.take(session, frame))?;
        if output.taken == 0 {
            return Err(Failure::Ran(format!("{}: the run ended before --start", quote(output.file))));
        }
        if !output.format.is_animated() {
            output.files.note().iter().for_each(|note| report(note));
            return Ok(());
        }
        let moments = output.clip.last_seconds(Real::INFINITY);
        let moments: Vec<&Moment> = moments.iter().map(Arc::as_ref).collect();
        let (surface, path) = (session.surface(), Path::new(output.file));
        let written = output.format.write_motion(&surface, &moments, path, &mut |_| ControlFlow::Continue(()));
        written.map(drop).map_err(|error| not_written(path, &error))
    }
}

impl Output<'_> {
    /// Keeps a frame, or writes it where each has a file.
    fn take(&mut self, session: &Session, frame: FrameState) -> Result<(), Failure> {
        self.taken += 1;
        if !self.format.is_animated() {
            let next = self.files.next_file();
            let Self { files, format, .. } = self;
            let written = files.write(|path| write_shape(*format, session, &frame, path));
            return written.map(drop).map_err(|error| not_written(next, &error));
        }
        let moment = Moment::at(frame.time, &frame.positions);
        if self.clip.bytes() + moment.bytes() > MOST_BYTES {
            let message = "the motion would take more than 4 GiB; take a lower --fps or fewer steps";
            return Err(Failure::Ran(format!("{}: {message}", quote(self.file))));
        }
        self.clip.push(moment);
        Ok(())
    }
}

fn write_shape(format: MeshFormat, session: &Session, frame: &FrameState, path: &Path) -> io::Result<()> {
    let surface = session.surface();
    let positions = surface.extended(&frame.positions);
    write_whole(path, |out| format.write(&surface, frame.time, &positions, out))
}

/// Refuses numbered files, about `count` of them, of which one would replace a file that is read.
fn refuse_inputs(files: &NumberedFiles, file: &str, count: usize, inputs: &[PathBuf]) -> Result<(), InputError> {
    let Ok(folder_of) = place_of(folder(Path::new(file))) else { return Ok(()) };
    let is_replaced = |input: &&PathBuf| {
        let Ok(place) = place_of(input) else { return false };
        let number = place.file_name().and_then(|name| files.number_of(&name.to_string_lossy()));
        place.parent() == Some(&folder_of) && number.is_some_and(|number| number <= count)
    };
    let Some(input) = inputs.iter().find(is_replaced) else { return Ok(()) };
    let message =
        format!("{} is read by this run and would be written; choose another name", quote(&input.to_string_lossy()));
    Err(InputError::new(file, message))
}
