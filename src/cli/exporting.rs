//! `--export`: the cloth, or its motion, as a mesh that other programs read.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::output::{Failure, check_output};
use crate::scene::{Clip, InputError, MeshFormat, Moment, numbered, why_not_written, write_whole};
use crate::session::Session;
use crate::sim::Real;
use crate::sim::quote::quote;

/// Most memory that a motion may take before it is written [bytes].
const MOST_BYTES: usize = 4 << 30;

#[derive(Args)]
pub(super) struct ExportArgs {
    /// Write the final shape as a mesh with normals and texture coordinates: .obj, .ply or .glb (glTF). With --fps the motion: a
    /// .glb holds all of it, of the others there are numbered files
    #[arg(long, value_name = "FILE.obj|FILE.ply|FILE.glb")]
    export: Option<String>,
    /// Export so many shapes per simulated second; rounded to whole time steps
    #[arg(long, value_name = "N", requires = "export")]
    fps: Option<f64>,
    /// Simulated time at which the exported motion begins [s]
    #[arg(long, value_name = "SECONDS", requires = "fps", default_value_t = 0.0)]
    start: f64,
}

/// What is exported while a run goes on.
pub(super) struct Export<'a> {
    file: &'a str,
    format: MeshFormat,
    /// Steps from one shape to the next; none if only the last shape is wanted.
    every: Option<u64>,
    /// Time of the first shape [s].
    start: Real,
    /// Steps since the first shape.
    since: Option<u64>,
    clip: Clip,
    written: usize,
}

impl ExportArgs {
    /// Begins with the state as it is, if something is to be exported.
    pub fn begin(&self, session: &Session) -> Result<Option<Export<'_>>, Failure> {
        let Some(file) = self.export.as_deref() else { return Ok(None) };
        let format = MeshFormat::of(file)?;
        check_output(self.export.as_ref())?;
        let step = session.simulation().parameters.timing.time_step;
        let every = self.fps.map(|fps| match fps.is_finite() && fps > 0.0 {
            true => Ok(((1.0 / fps / step).round() as u64).max(1)),
            false => Err(InputError::new("--fps", "needs a number above 0")),
        });
        if !(self.start.is_finite() && self.start >= 0.0) {
            return Err(InputError::new("--start", "needs a number of seconds of at least 0").into());
        }
        let clip = Clip::new(Real::INFINITY, MOST_BYTES);
        let mut export =
            Export { file, format, every: every.transpose()?, start: self.start, since: None, clip, written: 0 };
        export.follow(session)?;
        Ok(Some(export))
    }
}

impl Export<'_> {
    /// Takes the state after a step, if it is its turn.
    pub fn follow(&mut self, session: &Session) -> Result<(), Failure> {
        let Some(every) = self.every else { return Ok(()) };
        let simulation = session.simulation();
        // times are sums of steps
        if simulation.time() < self.start - 1e-9 {
            return Ok(());
        }
        let since = self.since.map_or(0, |since| since + 1);
        self.since = Some(since);
        if !since.is_multiple_of(every) {
            return Ok(());
        }
        if self.format.is_animated() {
            let moment = Moment::at(simulation.time(), &simulation.cloth.positions);
            if self.clip.bytes() + moment.bytes() > MOST_BYTES {
                let message = "the motion would take more than 4 GiB; take a lower --fps or fewer steps";
                return Err(Failure::Ran(format!("{}: {message}", quote(self.file))));
            }
            self.clip.push(moment);
            return Ok(());
        }
        self.written += 1;
        self.write_shape(session, &numbered(Path::new(self.file), self.written))
    }

    /// Writes what is not on the disk yet.
    pub fn finish(self, session: &Session) -> Result<(), Failure> {
        if self.every.is_none() {
            return self.write_shape(session, Path::new(self.file));
        }
        if self.since.is_none() {
            return Err(Failure::Ran(format!("{}: the run ended before --start", quote(self.file))));
        }
        if !self.format.is_animated() {
            return Ok(());
        }
        let moments = self.clip.last_seconds(Real::INFINITY);
        let moments: Vec<&Moment> = moments.iter().map(Arc::as_ref).collect();
        let surface = session.surface();
        let written =
            self.format.write_motion(&surface, &moments, Path::new(self.file), &mut |_| ControlFlow::Continue(()));
        written.map(drop).map_err(|error| not_written(Path::new(self.file), &error))
    }

    fn write_shape(&self, session: &Session, path: &Path) -> Result<(), Failure> {
        let (surface, simulation) = (session.surface(), session.simulation());
        let write = |out: &mut dyn std::io::Write| {
            self.format.write(&surface, simulation.time(), &simulation.cloth.positions, out)
        };
        write_whole(path, write).map_err(|error| not_written(path, &error))
    }
}

fn not_written(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Ran(format!("{}: {}", quote(&path.to_string_lossy()), why_not_written(error)))
}
