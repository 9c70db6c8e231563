//! Files that are written in the background.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Ended;
use crate::app::task::Reporter;
use crate::scene::{MeshFormat, Moment, Surface, why_not_written, write_whole};
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
    Ok(path.to_owned())
}

/// Writes the cloth of `frame` at `moments`; all its digits where there is only the present one.
pub fn write_mesh(
    format: MeshFormat,
    frame: &Frame,
    moments: &[Arc<Moment>],
    path: &Path,
    reporter: &Reporter<Ended>,
) -> Ended {
    let surface = Surface::new(Arc::clone(&frame.pattern), &frame.scene);
    let written: io::Result<PathBuf> = if moments.len() == 1 {
        write_whole(path, |out| format.write(&surface, frame.time, &frame.positions, out)).map(|()| path.to_owned())
    } else {
        let moments: Vec<&Moment> = moments.iter().map(Arc::as_ref).collect();
        format.write_motion(&surface, &moments, path, &mut |share| reporter.tell(share))
    };
    written.map_err(|error| fault(path, &error))
}
