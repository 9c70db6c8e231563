//! Recorded paths: tables of times and positions in files.

use super::{InputError, text};
use crate::sim::params::quote::{number, quote, quote_within};
use crate::sim::{Path, Real, Vec3};

/// Reads a path from a table with four columns, time [s] and x, y, z [m], separated by commas or
/// tabs, with or without a line of titles. The path is the offset from its first position. Empty
/// cells at the end of a row, and rows that repeat the one before, are harmless.
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
    let mut rows: Vec<[Real; 4]> = Vec::new();
    for (at, row) in reader.records().enumerate() {
        let row = row.map_err(|error| InputError::new(file, quote_within(&error.to_string())))?;
        let line = row.position().map_or(0, csv::Position::line);
        let mut cells: Vec<&str> = row.iter().collect();
        cells.truncate(cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1));
        let like_number = |cell: &&str| cell.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        let is_number = |cell: &&str| cell.parse::<Real>().is_ok();
        if cells.is_empty() || at == 0 && !cells.iter().any(like_number) && !cells.iter().all(is_number) {
            continue; // nothing, or the titles
        }
        let row = numbers(&cells).and_then(|row| follow(rows.last(), row).map(|is_new| is_new.then_some(row)));
        rows.extend(row.map_err(|message| InputError::new(format!("{file}, line {line}"), message))?);
    }
    let Some(&[_, x, y, z]) = rows.first() else {
        return Err(InputError::new(file, "there is no row in it; a recorded path needs rows of time, x, y, z"));
    };
    let start = Vec3::new(x, y, z);
    let points = rows.iter().map(|&[time, x, y, z]| (time, Vec3::new(x, y, z) - start)).collect();
    let path = Path::Waypoints { points, repeat: false };
    path.fault().map_or(Ok(path), |message| Err(InputError::new(file, message)))
}

/// The four numbers of a row.
fn numbers(cells: &[&str]) -> Result<[Real; 4], String> {
    let numbers: Option<Vec<Real>> = cells.iter().map(|cell| cell.parse().ok()).collect();
    let Some(row) = numbers.and_then(|numbers| <[Real; 4]>::try_from(numbers).ok()) else {
        let mend = cells.iter().map(|cell| text::mend_of_number(cell)).find(|mend| !mend.is_empty());
        let by_spaces = cells.len() == 1 && cells[0].split_whitespace().count() > 1;
        let mend = mend.unwrap_or(if by_spaces { "; separate them by commas, not by spaces" } else { "" });
        return Err(format!("a recorded path needs rows of four numbers: time, x, y, z{mend}"));
    };
    match row.iter().zip(cells).find(|(x, _)| !x.is_finite()) {
        Some((_, cell)) => Err(format!("\"{}\" is no finite number; correct the row or take it out", quote(cell))),
        None => Ok(row),
    }
}

/// Whether `row` goes on after the row `before`, rather than to repeat it.
fn follow(before: Option<&[Real; 4]>, row: [Real; 4]) -> Result<bool, String> {
    let Some(before) = before.filter(|before| before[0] >= row[0]) else { return Ok(true) };
    if *before == row {
        return Ok(false);
    }
    let (last, time) = (number(before[0]), number(row[0]));
    Err(match before[0] == row[0] {
        true => format!("time {time} s is there twice, with two positions; take one of the rows out"),
        false => format!("times must rise, but {time} s follows {last} s; sort the rows by time"),
    })
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
    let cells: Vec<&str> = row.trim_end().split('\t').collect();
    let has_commas_too = cells[..cells.len() - 1].iter().all(|cell| cell.trim_end().ends_with(','));
    Ok(if cells.len() == 4 && !has_commas_too { b'\t' } else { b',' })
}
