//! The one decoder of text files: encodings, byte order marks and line ends.
//!
//! UTF-8 and UTF-16 are read, with and without a byte order mark. Lines may end in LF, CR LF or CR;
//! the decoded text has LF.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::{InputError, files};
use crate::sim::Real;

/// Whether characters outside ASCII matter in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// They do: the file has to be UTF-8 or UTF-16.
    Kept,
    /// They do not: numbers and keywords are ASCII, and invalid bytes in names and comments are
    /// replaced.
    Ignored,
}

/// Reads the text of a file on disk. `what` names it in messages, like "the commands".
///
/// # Errors
/// [`InputError`] when the file cannot be read or is no text.
pub fn read_text(path: impl AsRef<Path>, what: &str) -> Result<String, InputError> {
    let file = path.as_ref().to_string_lossy();
    decode(read_bytes(path.as_ref(), what)?, &file, Names::Kept)
}

/// Reads a text file that may have been cut off within its last character, which is left out.
///
/// # Errors
/// As [`read_text`].
pub fn read_text_up_to_a_cut(path: impl AsRef<Path>, what: &str) -> Result<String, InputError> {
    let file = path.as_ref().to_string_lossy();
    let mut bytes = read_bytes(path.as_ref(), what)?;
    if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
    decode(bytes, &file, Names::Kept)
}

/// Reads a file of numbers, whose names do not matter, from disk or from the files that come with
/// the program.
pub(super) fn read_numbers(file: &str, what: &str) -> Result<String, InputError> {
    let embedded = || if Path::new(file).exists() { None } else { files::embedded(file) };
    match embedded() {
        Some(text) => Ok(text.into_owned()),
        None if cfg!(not(feature = "embedded")) && file.starts_with("assets/") && !Path::new(file).exists() => {
            Err(InputError::new(file, format!("{}{}; name a file of your own", subject(what), files::WITHOUT)))
        }
        None => decode(read_bytes(Path::new(file), what)?, file, Names::Ignored),
    }
}

/// Most bytes of a file that are read.
const MOST_BYTES: u64 = 1 << 30;

/// Reads the bytes of a file on disk, but no device or pipe: they may have no end.
fn read_bytes(path: &Path, what: &str) -> Result<Vec<u8>, InputError> {
    let file = path.to_string_lossy();
    let mut bytes = Vec::with_capacity(check_file(path, what)? as usize);
    // the file of a running process may grow, and those of the system have no length
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| unreadable(&file, what, &error))?;
    if bytes.len() as u64 > MOST_BYTES { Err(too_long(&file, what)) } else { Ok(bytes) }
}

/// The length of a file before it is opened [bytes]. `what` names it in messages.
///
/// # Errors
/// [`InputError`] when it is none, longer than a gigabyte or not to be found.
pub fn check_file(path: &Path, what: &str) -> Result<u64, InputError> {
    let file = path.to_string_lossy();
    // opening a pipe would wait for its writer
    let found = std::fs::metadata(path).map_err(|error| unreadable(&file, what, &error))?;
    if !found.is_file() {
        let kind = if found.is_dir() { "a folder" } else { "a device or a pipe" };
        let message = format!("{}cannot be read: it is {kind}; name a file", subject(what));
        return Err(InputError::new(&*file, message));
    }
    if found.len() > MOST_BYTES { Err(too_long(&file, what)) } else { Ok(found.len()) }
}

fn too_long(file: &str, what: &str) -> InputError {
    let message = format!("{}has more than {MOST_BYTES} bytes; is it the right file?", subject(what));
    InputError::new(file, message)
}

/// The beginning of a message about a file, with a space after it.
fn subject(what: &str) -> String {
    if what.is_empty() { String::new() } else { format!("{what} ") }
}

fn unreadable(file: &str, what: &str, error: &std::io::Error) -> InputError {
    let reason = match error.kind() {
        ErrorKind::NotFound => "there is no such file; check the name and the folder".to_owned(),
        ErrorKind::PermissionDenied => "reading is not permitted; change its permissions".to_owned(),
        _ => error.to_string(),
    };
    InputError::new(file, format!("{}cannot be read: {reason}", subject(what)))
}

/// The text of `bytes`, with every line end as LF; `file` is for messages.
fn decode(bytes: Vec<u8>, file: &str, names: Names) -> Result<String, InputError> {
    let text = match bytes[..] {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => {
            return Err(InputError::new(file, "is text in UTF-32; save it as UTF-8"));
        }
        [0xFF, 0xFE, ref rest @ ..] => utf_16(rest, u16::from_le_bytes, file)?,
        [0xFE, 0xFF, ref rest @ ..] => utf_16(rest, u16::from_be_bytes, file)?,
        // without a byte order mark: the first two characters are ASCII
        [1..=u8::MAX, 0, 1..=u8::MAX, 0, ..] => utf_16(&bytes, u16::from_le_bytes, file)?,
        [0, 1..=u8::MAX, 0, 1..=u8::MAX, ..] => utf_16(&bytes, u16::from_be_bytes, file)?,
        [0xEF, 0xBB, 0xBF, ref rest @ ..] => utf_8(rest.to_vec(), file, names)?,
        _ => utf_8(bytes, file, names)?,
    };
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
    match text.find('\0') {
        Some(at) => Err(InputError::new(
            format!("{file}, line {}", lines_to(&text.as_bytes()[..at])),
            "there is a zero byte in it, so it is no text; save it in the text form of its format",
        )),
        None => Ok(text),
    }
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16, file: &str) -> Result<String, InputError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    match String::from_utf16(&units) {
        Ok(text) if rest.is_empty() => Ok(text),
        Ok(_) => Err(InputError::new(file, "is text in UTF-16 that ends within a character; save it again, as UTF-8")),
        Err(_) => Err(InputError::new(file, "begins like text in UTF-16, but is none; save it as UTF-8")),
    }
}

fn utf_8(bytes: Vec<u8>, file: &str, names: Names) -> Result<String, InputError> {
    String::from_utf8(bytes).or_else(|error| match names {
        Names::Ignored => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Names::Kept => {
            let line = lines_to(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
            Err(InputError::new(
                format!("{file}, line {line}"),
                "a character that is not UTF-8; save the file as UTF-8",
            ))
        }
    })
}

/// The number of the line in which `before` ends, from 1.
fn lines_to(before: &[u8]) -> usize {
    let is_end = |(at, byte): (usize, &u8)| match byte {
        b'\r' => before.get(at + 1) != Some(&b'\n'),
        byte => *byte == b'\n',
    };
    1 + before.iter().enumerate().filter(|pair| is_end(*pair)).count()
}

/// The remedy if a number is expected, and `word` shows it: another separator, or a decimal comma.
/// Begins with "; ".
pub(super) fn mend_of_number(word: &str) -> &'static str {
    let is_number = |word: &str| word.parse::<Real>().is_ok();
    if word.contains(';') {
        "; separate numbers by spaces, not by semicolons"
    } else if word.ends_with(',') || word.matches(',').count() > 1 {
        "; separate numbers by spaces, not by commas"
    } else if word.contains(',') && is_number(&word.replace(',', ".")) {
        "; write decimals with a point, not with a comma"
    } else {
        ""
    }
}
