//! A picture that is printed on the cloth.

use std::fs::File;
use std::io::Read;

use super::InputError;

/// How a PNG file begins.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Looks whether a file can be read and begins as a picture does. It is decoded where it is drawn.
///
/// # Errors
/// [`InputError`] that names the file.
pub fn check_picture(file: &str) -> Result<(), InputError> {
    let mut begin = [0; 8];
    let read = File::open(file).and_then(|mut open| open.read_exact(&mut begin));
    match read {
        Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => {
            Err(InputError::new(file, format!("the picture cannot be read: {error}")))
        }
        _ if begin != SIGNATURE => Err(InputError::new(file, "is no PNG picture; convert it to one")),
        _ => Ok(()),
    }
}
