//! A picture that is printed on the cloth.

use std::fs::File;
use std::io::Read;

use super::{InputError, text};

/// How a PNG file begins, with the first part of it, its head.
const SIGNATURE: [u8; 16] = *b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
/// Most pixels along an edge, and in all: with four bytes each they fit into memory and onto any
/// graphics device.
const MOST_ALONG: u32 = 16_384;
const MOST_PIXELS: u64 = 1 << 26;

/// Looks whether a file can be read and begins as a picture does that is not too large. It is
/// decoded where it is drawn.
///
/// # Errors
/// [`InputError`] that names the file.
pub fn check_picture(file: &str) -> Result<(), InputError> {
    text::check_file(file.as_ref(), "the picture")?;
    let mut head = [0; 24];
    let read = File::open(file).and_then(|mut open| open.read_exact(&mut head));
    match read {
        Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => {
            Err(InputError::new(file, format!("the picture cannot be read: {error}")))
        }
        _ if head[..16] != SIGNATURE => Err(InputError::new(file, "is no PNG picture; convert it to one")),
        _ => {
            let edge = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
            fault_of_picture([edge(16), edge(20)]).map_or(Ok(()), |message| Err(InputError::new(file, message)))
        }
    }
}

/// Why a picture of so many pixels along its edges cannot be read, if it cannot.
#[must_use]
pub fn fault_of_picture([width, height]: [u32; 2]) -> Option<String> {
    let fits = u64::from(width) * u64::from(height) <= MOST_PIXELS;
    let fits = fits && (1..=MOST_ALONG).contains(&width) && (1..=MOST_ALONG).contains(&height);
    (!fits).then(|| {
        format!(
            "the picture has {width} × {height} pixels; there may be {MOST_ALONG} along an edge and {MOST_PIXELS} in \
             all, scale it down"
        )
    })
}
