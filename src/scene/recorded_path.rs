//! Recorded paths: tables of times and positions in files.

use super::{InputError, files};
use crate::sim::quote::quote_within;
use crate::sim::{Path, Real, Vec3};

/// Reads a path from a table with four columns, time [s] and x, y, z [m], separated by commas, with or without a line of
/// titles. The path is the offset from its first position.
///
/// # Errors
/// [`InputError`] with file and line when the file cannot be read or a row is none of four finite numbers in rising time.
pub fn read(file: &str) -> Result<Path, InputError> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text.into(),
        Err(error) => files::embedded(file)
            .ok_or_else(|| InputError::new(file, format!("the recorded path cannot be read: {error}")))?,
    };
    parse(&text, file)
}

fn parse(text: &str, file: &str) -> Result<Path, InputError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut points: Vec<(Real, Vec3)> = Vec::new();
    let mut start = None;
    for (number, row) in reader.records().enumerate() {
        let row = row.map_err(|error| InputError::new(file, quote_within(&error.to_string())))?;
        let line = row.position().map_or(0, csv::Position::line);
        let numbers: Option<Vec<Real>> = row.iter().map(|cell| cell.parse().ok()).collect();
        let Some([time, x, y, z]) = numbers.as_deref().and_then(|numbers| <[Real; 4]>::try_from(numbers).ok()) else {
            if number == 0 && numbers.is_none() {
                continue; // the titles
            }
            let message = "a recorded path needs rows of four numbers: time, x, y, z";
            return Err(InputError::new(format!("{file}, line {line}"), message));
        };
        let position = Vec3::new(x, y, z);
        let start = *start.get_or_insert(position);
        points.push((time, position - start));
    }
    if points.is_empty() {
        return Err(InputError::new(file, "there is no row in it; a recorded path needs rows of time, x, y, z"));
    }
    let path = Path::Waypoints { points, repeat: false };
    path.fault().map_or(Ok(path), |message| Err(InputError::new(file, message)))
}
