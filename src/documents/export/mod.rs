//! Export for other programs: meshes as OBJ, PLY and glTF, and rows of CSV.
//!
//! Metres, y up, triangles counter-clockwise seen from the front, as glTF has it; the other two
//! leave it open.

mod clip;
mod clip_file;
mod frames;
mod gltf;
mod surface;
mod tables;
mod text;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use clip::{Clip, Moment};
pub use clip_file::{RecordedClip, common_span, read_clips, write_clip};
pub use frames::{FrameSampler, FrameState};
pub use frames::{LEAST_GIF_RATE, MOST_GIF_RATE, gif_delays};
pub use gltf::write_glb;
pub use surface::{ClothSurface, texture_coordinates};
pub use tables::{csv_header, csv_row, write_convergence};
pub use text::{write_obj, write_ply};

use super::{NumberedFiles, write_whole};
use crate::scene::InputError;
use crate::sim::{Real, Vec3};

/// Hears the share of the work that is done, and says whether to continue.
pub type Tell<'a> = &'a mut dyn FnMut(Real) -> ControlFlow<()>;

/// A kind of file that holds a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshFormat {
    /// Wavefront OBJ, text.
    Obj,
    /// Stanford PLY, binary.
    Ply,
    /// glTF 2.0 in one file, with the motion if there is one.
    Glb,
}

impl MeshFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Obj, Self::Ply, Self::Glb];

    /// The ending of its files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Glb => "glb",
        }
    }

    /// The format that a file has by its name.
    ///
    /// # Errors
    /// [`InputError`] that names the endings that are known.
    pub fn of(file: &str) -> Result<Self, InputError> {
        let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        Self::ALL
            .into_iter()
            .find(|format| ending.as_deref() == Some(format.ending()))
            .ok_or_else(|| InputError::new(file, "is no kind of mesh that is known; let it end in .obj, .ply or .glb"))
    }

    /// Whether one file holds a motion; of the others there is a file for each picture of it.
    #[must_use]
    pub const fn is_animated(self) -> bool {
        matches!(self, Self::Glb)
    }

    /// Writes one shape, with its vertices at `positions` [m] at `time` [s].
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write(self, surface: &ClothSurface, time: Real, positions: &[Vec3], out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Obj => write_obj(surface, time, positions, out),
            Self::Ply => write_ply(surface, positions, out),
            Self::Glb => {
                let moment = Moment::at(time, positions);
                write_glb(surface, &[&moment], out, &mut |_| ControlFlow::Continue(()))
            }
        }
    }

    /// Writes the motion of `moments`, which rise in time, to `path`: in one file if the format
    /// holds motion, in numbered files beside it otherwise. Returns the first file that was
    /// written.
    ///
    /// # Errors
    /// When a file cannot be written, or [`io::ErrorKind::Interrupted`] when it was called off;
    /// numbered files before it stay.
    pub fn write_motion(
        self,
        surface: &ClothSurface,
        moments: &[&Moment],
        path: &Path,
        tell: Tell,
    ) -> io::Result<PathBuf> {
        if self.is_animated() {
            write_whole(path, |out| write_glb(surface, moments, out, tell))?;
            return Ok(path.to_owned());
        }
        let mut files = NumberedFiles::beside(path, moments.len());
        self.write_shapes(surface, moments, &mut files, tell)?;
        Ok(files.file(1))
    }

    /// Writes the shapes of `moments` to numbered files.
    ///
    /// # Errors
    /// Those of [`write_motion`](Self::write_motion).
    pub fn write_shapes(
        self,
        surface: &ClothSurface,
        moments: &[&Moment],
        files: &mut NumberedFiles,
        tell: Tell,
    ) -> io::Result<()> {
        for (number, moment) in (1..).zip(moments) {
            let positions = surface.extended(&moment.positions);
            let positions: Vec<Vec3> = positions.iter().map(|x| moment.place(*x)).collect();
            files.write(|file| write_whole(file, |out| self.write(surface, moment.time, &positions, out)))?;
            go_on(tell, number as Real / moments.len() as Real)?;
        }
        Ok(())
    }
}

/// An error if `tell` says that it is to end.
fn go_on(tell: Tell, share: Real) -> io::Result<()> {
    match tell(share) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(io::Error::new(io::ErrorKind::Interrupted, "it was called off")),
    }
}
