//! The table of a sweep: a row per finished run, with the command that repeats it.
//!
//! ```text
//! run,runs,sweep,<varied parameters>,<measures>,status,command
//! ```
//!
//! Runs are numbered from 1. `runs` is their number in the whole sweep, and `sweep` the same for
//! all of its rows and for no other sweep, so that every row identifies its sweep, and a program
//! that reads CSV needs to know nothing else.

use crate::scene::InputError;
use crate::sim::params::quote::{quote, quote_within};
use crate::sim::quantities::{MEASURES, Measure};

const BEFORE: [&str; 3] = ["run", "runs", "sweep"];
const BEHIND: [&str; 2] = ["status", "command"];

/// A finished run, as its row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepRow {
    /// Its number, from 1.
    pub run: usize,
    /// The values that were varied.
    pub values: Vec<String>,
    /// The measures; empty if there is no such number.
    pub measures: Vec<String>,
    /// `ok`, or how it failed.
    pub status: String,
    /// The command that repeats it.
    pub command: String,
}

/// Identity of the sweep of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepId {
    /// Number of runs of the whole sweep.
    pub runs: usize,
    /// Identifier of the sweep.
    pub sweep: String,
}

/// A table, or a part of one.
#[derive(Debug, Clone)]
pub struct SweepSheet {
    /// The parameters that are varied.
    pub axes: Vec<String>,
    /// The measures.
    pub measures: Vec<&'static Measure>,
    /// Which sweep it is; unknown while there are no rows.
    pub id: Option<SweepId>,
    /// The rows, in the order of the file.
    pub rows: Vec<SweepRow>,
}

impl SweepSheet {
    /// The part of `text` that consists of whole rows: the end of the program may have left a part
    /// of one behind them.
    #[must_use]
    pub fn whole_rows(text: &str) -> &str {
        &text[..text.rfind('\n').map_or(0, |end| end + 1)]
    }

    /// Reads the whole rows of a table. `file` is for messages.
    ///
    /// # Errors
    /// [`InputError`] with file and line when it is no table of one sweep.
    pub fn parse(text: &str, file: &str) -> Result<Self, InputError> {
        let mut reader = csv::Reader::from_reader(Self::whole_rows(text).as_bytes());
        let unreadable = |error: csv::Error| InputError::new(file, quote_within(&error.to_string()));
        let header = reader.headers().map_err(unreadable)?.clone();
        let header: Vec<&str> = header.iter().collect();
        let inner = (header.strip_prefix(&BEFORE[..])).and_then(|header| header.strip_suffix(&BEHIND[..]));
        let Some((axes, measures)) = inner.and_then(divide) else {
            let first = text.lines().next().unwrap_or_default();
            let mend = match first.contains([';', '\t']) && !first.contains(',') {
                true => "; save it with commas between the columns",
                false => "",
            };
            let message = format!("is no table of a sweep, which begins with run,runs,sweep{mend}");
            return Err(InputError::new(file, message));
        };
        let mut sheet = Self { axes, measures, id: None, rows: Vec::new() };
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            let line = record.position().map_or(0, csv::Position::line);
            let wrong = |message: String| InputError::new(format!("{file}, line {line}"), message);
            let (row, id) = sheet.row(&record).map_err(wrong)?;
            if let Some(known) = sheet.id.as_ref().filter(|known| **known != id) {
                return Err(wrong(format!(
                    "is of another sweep ({}) than the rows above it ({})",
                    id.sweep, known.sweep
                )));
            }
            sheet.id = Some(id);
            sheet.rows.push(row);
        }
        Ok(sheet)
    }

    /// Reads a row; the reader has seen to it that it has as many fields as the header.
    fn row(&self, record: &csv::StringRecord) -> Result<(SweepRow, SweepId), String> {
        let fields: Vec<&str> = record.iter().collect();
        let number = |at: usize| {
            let number = fields[at].parse::<usize>().ok().filter(|number| *number > 0);
            number.ok_or_else(|| format!("{} is \"{}\", which is no number of a run", BEFORE[at], quote(fields[at])))
        };
        let (run, runs) = (number(0)?, number(1)?);
        if run > runs {
            return Err(format!("there is no run {run} of {runs}"));
        }
        let texts = |fields: &[&str]| fields.iter().map(|field| (*field).to_owned()).collect::<Vec<_>>();
        let (values, rest) = fields[BEFORE.len()..].split_at(self.axes.len());
        let (measures, behind) = rest.split_at(self.measures.len());
        let (status, command) = (behind[0].to_owned(), behind[1].to_owned());
        let row = SweepRow { run, values: texts(values), measures: texts(measures), status, command };
        Ok((row, SweepId { runs, sweep: fields[2].to_owned() }))
    }

    /// The names of the columns.
    #[must_use]
    pub fn header(&self) -> Vec<String> {
        let measures = self.measures.iter().map(|measure| measure.key.to_owned());
        let inner = self.axes.iter().cloned().chain(measures);
        let fixed = |names: &'static [&'static str]| names.iter().map(|name| (*name).to_owned());
        fixed(&BEFORE).chain(inner).chain(fixed(&BEHIND)).collect()
    }
}

impl SweepRow {
    /// The fields of the row in a table of the sweep `id`.
    #[must_use]
    pub fn record(&self, id: &SweepId) -> Vec<String> {
        let before = [self.run.to_string(), id.runs.to_string(), id.sweep.clone()];
        let behind = [self.status.clone(), self.command.clone()];
        before.into_iter().chain(self.values.iter().chain(&self.measures).cloned()).chain(behind).collect()
    }

    /// A difference between this and another row of the same run, except in times of the machine:
    /// name and both values.
    #[must_use]
    pub fn difference<'a>(&'a self, other: &'a Self, measures: &[&'static Measure]) -> Option<[&'a str; 3]> {
        let measured = measures.iter().zip(self.measures.iter().zip(&other.measures));
        let measured =
            measured.filter(|(measure, _)| !measure.is_timing()).map(|(measure, (a, b))| (measure.key, (a, b)));
        let fixed = [("status", (&self.status, &other.status)), ("command", (&self.command, &other.command))];
        let values = self.values.iter().zip(&other.values).map(|pair| ("a varied value", pair));
        let mut all = fixed.into_iter().chain(measured).chain(values);
        all.find(|(_, (a, b))| a != b).map(|(name, (a, b))| [name, a.as_str(), b.as_str()])
    }
}

/// The varied parameters and the measures among the names of columns; no parameter is called as a
/// measure is.
fn divide(names: &[&str]) -> Option<(Vec<String>, Vec<&'static Measure>)> {
    let known = |name: &str| MEASURES.iter().find(|measure| measure.key == name);
    let first = names.iter().position(|name| known(name).is_some()).unwrap_or(names.len());
    let (axes, measures) = names.split_at(first);
    let measures: Option<Vec<_>> = measures.iter().map(|name| known(name)).collect();
    Some((axes.iter().map(|name| (*name).to_owned()).collect(), measures?))
}
