//! Recorded paths: tables of times and positions in files.

use super::{InputError, text};
use crate::sim::params::quote::quote_within;
use crate::sim::{Path, Real, Vec3};

/// Reads a path from a table with four columns, time [s] and x, y, z [m], separated by commas or
/// tabs, with or without a line of titles. The path is the offset from its first position.
///
/// # Errors
/// [`InputError`] with file and line when the file cannot be read or a row is none of four finite
/// numbers in rising time.
pub fn read(file: &str) -> Result<Path, InputError> {
    parse(&text::read_numbers(file, "the recorded path")?, file)
}

fn parse(content: &str, file: &str) -> Result<Path, InputError> {
    let plain: String = content.lines().flat_map(|line| [line.split('#').next().unwrap_or_default(), "\n"]).collect();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(separator(&plain, file)?)
        .from_reader(plain.as_bytes());
    let mut points: Vec<(Real, Vec3)> = Vec::new();
    let mut start = None;
    for (number, row) in reader.records().enumerate() {
        let row = row.map_err(|error| InputError::new(file, quote_within(&error.to_string())))?;
        let line = row.position().map_or(0, csv::Position::line);
        let numbers: Option<Vec<Real>> = row.iter().map(|cell| cell.parse().ok()).collect();
        let Some([time, x, y, z]) = numbers.as_deref().and_then(|numbers| <[Real; 4]>::try_from(numbers).ok()) else {
            let like_number = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            if number == 0 && numbers.is_none() && !row.iter().any(like_number) {
                continue; // the titles
            }
            let mend = row.iter().map(text::mend_of_number).find(|mend| !mend.is_empty()).unwrap_or_default();
            let message = format!("a recorded path needs rows of four numbers: time, x, y, z{mend}");
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

/// Separator of the columns: tabs if the first row has four of them by tabs, commas otherwise.
fn separator(text: &str, file: &str) -> Result<u8, InputError> {
    let mut rows = (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty());
    let Some((line, row)) = rows.next() else { return Ok(b',') };
    if row.contains(';') {
        let message = "the columns are separated by semicolons; save the table with commas or tabs between the columns, \
                       and points in the numbers";
        return Err(InputError::new(format!("{file}, line {line}"), message));
    }
    let cells: Vec<&str> = row.split('\t').collect();
    let has_commas_too = cells[..cells.len() - 1].iter().all(|cell| cell.trim_end().ends_with(','));
    Ok(if cells.len() == 4 && !has_commas_too { b'\t' } else { b',' })
}
