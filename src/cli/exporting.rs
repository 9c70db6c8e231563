//! `--export`: the cloth, or its motion, as a mesh that other programs read.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::output::{Failure, check_output};
use crate::scene::{
    Clip, FrameSampler, FrameState, InputError, MeshFormat, Moment, numbered, why_not_written, write_whole,
};
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
    written: usize,
}

impl ExportArgs {
    /// Begins with the state as it is, if something is to be exported.
    pub fn begin(&self, session: &Session) -> Result<Option<Export<'_>>, Failure> {
        let Some(file) = self.export.as_deref() else { return Ok(None) };
        let format = MeshFormat::of(file)?;
        check_output(self.export.as_ref())?;
        if self.fps.is_some_and(|fps| !(fps > 0.0 && fps <= MOST_FRAMES)) {
            return Err(InputError::new("--fps", "needs a number above 0, and at most 100000").into());
        }
        if !(self.start.is_finite() && self.start >= 0.0) {
            return Err(InputError::new("--start", "needs a number of seconds of at least 0").into());
        }
        let frames = self.fps.map(|fps| FrameSampler::new(fps, self.start));
        let clip = Clip::new(Real::INFINITY, MOST_BYTES);
        let mut export = Export { frames, output: Output { file, format, clip, written: 0 } };
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
            return output.write_shape(session, &FrameState { time, positions }, Path::new(output.file));
        };
        frames.finish(&mut |frame| output.take(session, frame))?;
        if output.written == 0 {
            return Err(Failure::Ran(format!("{}: the run ended before --start", quote(output.file))));
        }
        if !output.format.is_animated() {
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
        self.written += 1;
        if !self.format.is_animated() {
            return self.write_shape(session, &frame, &numbered(Path::new(self.file), self.written));
        }
        let moment = Moment::at(frame.time, &frame.positions);
        if self.clip.bytes() + moment.bytes() > MOST_BYTES {
            let message = "the motion would take more than 4 GiB; take a lower --fps or fewer steps";
            return Err(Failure::Ran(format!("{}: {message}", quote(self.file))));
        }
        self.clip.push(moment);
        Ok(())
    }

    fn write_shape(&self, session: &Session, frame: &FrameState, path: &Path) -> Result<(), Failure> {
        let surface = session.surface();
        let positions = surface.extended(&frame.positions);
        let write = |out: &mut dyn std::io::Write| self.format.write(&surface, frame.time, &positions, out);
        write_whole(path, write).map_err(|error| not_written(path, &error))
    }
}

fn not_written(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Ran(format!("{}: {}", quote(&path.to_string_lossy()), why_not_written(error)))
}
