//! `--curve`: a measured curve of tension from a file.

use crate::scene::{InputError, read_text};
use crate::sim::Real;
use crate::sim::params::quote::quote;

/// The columns: strain, and force per width [N/m].
const HEADER: [&str; 2] = ["strain", "force_n_per_m"];
/// Most points, and largest strain.
const MOST: usize = 20;
const LARGEST: Real = 0.2;

/// Strains and forces per width [N/m] of a file.
///
/// # Errors
/// [`InputError`] with file and line when it is no such curve.
pub(super) fn read(file: &str) -> Result<Vec<[Real; 2]>, InputError> {
    let text = read_text(file, "the curve")?;
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let at = |line: u64, message: String| InputError::new(format!("{file}, line {line}"), message);
    let mut points: Vec<[Real; 2]> = Vec::new();
    let mut has_header = false;
    for row in rows.records() {
        let row = row.map_err(|error| InputError::new(file, format!("is no table: {error}")))?;
        let line = row.position().map_or(1, csv::Position::line);
        if !has_header {
            if row.iter().ne(HEADER) {
                let found = quote(&row.iter().collect::<Vec<_>>().join(","));
                let message = format!("the header is \"{found}\"; let the first line be {}", HEADER.join(","));
                return Err(at(line, message));
            }
            has_header = true;
            continue;
        }
        let point = point(&row).map_err(|message| at(line, message))?;
        if points.last().is_some_and(|last| last[0] >= point[0]) {
            return Err(at(line, "the strain is no larger than the one before it; sort the rows by strain".into()));
        }
        if points.len() == MOST {
            return Err(at(line, format!("there are more than {MOST} points; leave some out")));
        }
        points.push(point);
    }
    if points.iter().all(|point| point[1] == 0.0) {
        let message = format!("has no point with a force; add rows of {}", HEADER.join(","));
        return Err(InputError::new(file, message));
    }
    Ok(points)
}

/// The numbers of a row.
fn point(row: &csv::StringRecord) -> Result<[Real; 2], String> {
    if row.len() != HEADER.len() {
        return Err(format!("there are {} columns; write a strain and a force", row.len()));
    }
    let number = |at: usize| {
        let text = row.get(at).unwrap_or_default();
        let fault = || format!("{} is \"{}\"; write a number", HEADER[at], quote(text));
        text.parse::<Real>().ok().filter(|number| number.is_finite()).ok_or_else(fault)
    };
    let point = [number(0)?, number(1)?];
    if !(0.0..=LARGEST).contains(&point[0]) {
        return Err(format!("the strain {} is outside 0 to {LARGEST}; write 0.01 for 1 %", point[0]));
    }
    Ok(point)
}
