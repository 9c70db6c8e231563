//! Files that are written in the background.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::{Ended, Finished};
use crate::app::task::Reporter;
use crate::documents::{ClothSurface, MeshFormat, Moment, NumberedFiles, why_not_written, write_whole};
use crate::session::Frame;
use crate::sim::params::quote::quote;

/// The message for an error.
pub fn fault(path: &Path, error: &io::Error) -> String {
    let place = quote(&path.to_string_lossy());
    match error.kind() {
        io::ErrorKind::Interrupted => format!("{place}: called off"),
        _ => format!("{place}: {}", why_not_written(error)),
    }
}

/// Writes a text.
pub fn write_text(path: &Path, text: &str) -> Ended {
    write_bytes(path, text.as_bytes())
}

/// Writes a file of these bytes.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Ended {
    write_whole(path, |out| out.write_all(bytes)).map_err(|error| fault(path, &error))?;
    Ok(path.to_owned().into())
}

/// Writes the cloth of `frame` at `moments`; all its digits where there is only the present one.
pub fn write_mesh(
    format: MeshFormat,
    frame: &Frame,
    moments: &[Arc<Moment>],
    path: &Path,
    reporter: &Reporter<Ended>,
) -> Ended {
    let surface = ClothSurface::new(Arc::clone(&frame.pattern), &frame.scene);
    let is_one = moments.len() == 1;
    let moments: Vec<&Moment> = moments.iter().map(Arc::as_ref).collect();
    let tell = &mut |share| reporter.tell(share);
    let written: io::Result<Finished> = if is_one {
        let write = |out: &mut dyn io::Write| format.write(&surface, frame.time, &frame.positions, out);
        write_whole(path, write).map(|()| path.to_owned().into())
    } else if format.is_animated() {
        format.write_motion(&surface, &moments, path, tell).map(Finished::from)
    } else {
        let mut files = NumberedFiles::beside(path, moments.len()).except(frame.scene.files());
        let written = format.write_shapes(&surface, &moments, &mut files, tell);
        written.map(|()| Finished { path: files.file(1), note: files.note() })
    };
    written.map_err(|error| fault(path, &error))
}
