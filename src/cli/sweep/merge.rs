//! `weft sweep --merge`: the shards of a sweep in one table.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::runs::{argument, ranges};
use super::table::write_sheet;
use crate::cli::output::{Failure, print};
use crate::cli::targets::Targets;
use crate::documents::{SweepRow, SweepSheet};
use crate::scene::{InputError, read_text};
use crate::sim::params::quote::quote;

/// Most runs, or ranges of them, that a message names.
const MOST_NAMED: usize = 8;
/// Most ranges of runs that are named as an argument.
const MOST_RANGES: usize = 1000;

/// Joins tables of one sweep in the order of its runs. A run in several tables is taken once, and
/// left out if they do not agree.
pub(super) fn merge(files: &[String], out: &String) -> Result<(), Failure> {
    // it may be one of the tables, which are read before
    Targets::default().whole("--out", Some(out)).check()?;
    let mut sheets = Vec::new();
    for file in files {
        let text = read_text(file, "the table")?;
        sheets.push((file, SweepSheet::parse(&text, file)?));
    }
    // a shard without runs says less
    let first = sheets.iter().find(|(_, sheet)| sheet.id.is_some()).or(sheets.first());
    let Some((first_file, first)) = first.map(|(file, sheet)| (*file, sheet.clone())) else { return Ok(()) };
    for (file, sheet) in &sheets {
        if sheet.header() != first.header() || (sheet.id.is_some() && sheet.id != first.id) {
            return Err(InputError::new(
                *file,
                format!("is of another sweep than {}; leave one out", quote(first_file)),
            )
            .into());
        }
    }
    let Some(id) = first.id.clone() else {
        return Err(InputError::new(first_file, "has no runs, nor has any other of these tables").into());
    };
    let mut runs: BTreeMap<usize, (&String, SweepRow)> = BTreeMap::new();
    let mut contradictions: BTreeMap<usize, String> = BTreeMap::new();
    for (file, sheet) in &mut sheets {
        for row in std::mem::take(&mut sheet.rows) {
            let Some((other_file, other)) = runs.get(&row.run) else {
                runs.insert(row.run, (file, row));
                continue;
            };
            if let Some([name, before, now]) = other.difference(&row, &first.measures) {
                let place = format!("run {} differs between {} and {}", row.run, quote(other_file), quote(file));
                contradictions.insert(row.run, format!("{place}: {name} is {} and {}", quote(before), quote(now)));
            }
        }
    }
    runs.retain(|run, _| !contradictions.contains_key(run));
    let absent: Vec<usize> = (1..=id.runs).filter(|run| !runs.contains_key(run)).collect();
    let missing: Vec<usize> = absent.iter().copied().filter(|run| !contradictions.contains_key(run)).collect();
    let merged = SweepSheet { rows: runs.into_values().map(|(_, row)| row).collect(), ..first };
    write_sheet(out, &merged)?;
    print(&format!("{} of {} runs, from {} tables\n", merged.rows.len(), id.runs, files.len()))?;
    let mut faults: Vec<String> = contradictions.into_values().take(MOST_NAMED).collect();
    if !missing.is_empty() {
        let are = if missing.len() == 1 { "run is" } else { "runs are" };
        faults.push(format!("{} {are} missing: {}", missing.len(), named(&missing)));
    }
    if faults.is_empty() {
        return Ok(());
    }
    let mut mend = "the same sweep with this --out adds what is not in it".to_owned();
    let ranges = ranges(&absent);
    if ranges.len() <= MOST_RANGES {
        let _ = write!(mend, ", with --runs {} in place of --shard it runs just that", argument(&ranges));
    }
    Err(Failure::Ran(format!("{}: {}; {mend}", quote(out), faults.join("; "))))
}

/// Rising numbers in words: `3, 7 to 12`.
fn named(numbers: &[usize]) -> String {
    let ranges = ranges(numbers);
    let name = |[from, to]: &[usize; 2]| if from == to { from.to_string() } else { format!("{from} to {to}") };
    let shown = ranges.iter().take(MOST_NAMED).map(name).collect::<Vec<_>>().join(", ");
    if ranges.len() > MOST_NAMED { format!("{shown} and so on") } else { shown }
}
