//! The file of a sweep while it grows: rows are added as runs finish, and put in the order of the
//! grid at the end.

use std::fs::{self, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;

use super::plan::SweepPlan;
use crate::cli::output::{Failure, not_written};
use crate::documents::{SweepRow, SweepSheet, Table, write_whole};
use crate::scene::InputError;
use crate::sim::params::quote::quote;

/// The file of a sweep.
pub(super) struct SweepTable<'a> {
    file: &'a str,
    plan: &'a SweepPlan,
    table: Table,
    /// Its rows, in the order in which they came.
    pub sheet: SweepSheet,
    /// Whether it can be read, and replaced; a pipe cannot.
    is_file: bool,
}

impl<'a> SweepTable<'a> {
    /// The file called `file`, with the runs that it holds already.
    ///
    /// # Errors
    /// When it cannot be written, another program writes it, or it holds something else than runs
    /// of this sweep.
    pub fn open(file: &'a str, plan: &'a SweepPlan) -> Result<Self, Failure> {
        let path = Path::new(file);
        let failed = |error: io::Error| not_written(file, &error);
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let table = Table::create(path, &plan.sheet().header()).map_err(failed)?;
            return Ok(Self { file, plan, table, sheet: plan.sheet(), is_file: false });
        }
        let mut open = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        // where a file system knows no locks there is none; it is dropped with the file
        if matches!(open.try_lock(), Err(TryLockError::WouldBlock)) {
            let message = "is being written by another sweep; give each shard a file of its own";
            return Err(InputError::new(file, message).into());
        }
        let mut text = String::new();
        open.read_to_string(&mut text).map_err(|error| InputError::new(file, format!("cannot be read: {error}")))?;
        let whole = SweepSheet::whole_rows(&text);
        // of a first row that is not whole, the program may have left a part as well
        let is_begun = whole.is_empty() && plan.sheet().header().join(",").starts_with(text.as_str());
        let sheet = if is_begun { plan.sheet() } else { known_runs(whole, file, plan)? };
        if whole.len() < text.len() {
            // the end of the program has left a part of a row
            open.set_len(whole.len() as u64).map_err(failed)?;
        }
        let mut table = Table::go_on(open, whole.len() as u64);
        if whole.is_empty() {
            table.push(&sheet.header()).map_err(failed)?;
        }
        Ok(Self { file, plan, table, sheet, is_file: true })
    }

    /// Adds a finished run.
    ///
    /// # Errors
    /// When the disk fails; there are whole rows in the file then.
    pub fn push(&mut self, row: SweepRow) -> Result<(), Failure> {
        self.table.push(&row.record(&self.plan.id)).map_err(|error| not_written(self.file, &error))?;
        self.sheet.rows.push(row);
        Ok(())
    }

    /// Puts the rows in the order of their runs.
    ///
    /// # Errors
    /// When the disk fails; the file is then as it was.
    pub fn finish(mut self) -> Result<SweepSheet, Failure> {
        let sorted = self.sheet.rows.is_sorted_by_key(|row| row.run);
        self.sheet.rows.sort_by_key(|row| row.run);
        if self.is_file && !sorted {
            write_sheet(self.file, &self.sheet)?;
        }
        self.table.finish().map_err(|error| not_written(self.file, &error))?;
        Ok(self.sheet)
    }
}

/// The runs of this sweep in `text`.
fn known_runs(text: &str, file: &str, plan: &SweepPlan) -> Result<SweepSheet, InputError> {
    let mend = "choose another file with --out, or remove it to begin again";
    let mut sheet = SweepSheet::parse(text, file).map_err(|error| InputError::new("", format!("{error}; {mend}")))?;
    let (here, there) = (plan.sheet().header().join(","), sheet.header().join(","));
    if here != there {
        return Err(InputError::new(file, format!("holds a sweep with other columns, {}; {mend}", quote(&there))));
    }
    if sheet.id.as_ref().is_some_and(|id| *id != plan.id) {
        let message = "holds another sweep: of other values, steps or settings, of a scene that has changed since, or by another \
                       version of Weft";
        return Err(InputError::new(file, format!("{message}; {mend}")));
    }
    sheet.id = Some(plan.id.clone());
    if let Some(row) = sheet.rows.iter().find(|row| row.command != plan.command(row.run - 1)) {
        let message = format!("run {} has another command than this sweep has for it", row.run);
        return Err(InputError::new(file, format!("{message}; {mend}")));
    }
    Ok(sheet)
}

/// Writes a whole table.
///
/// # Errors
/// When the disk fails; the file is then as it was before.
pub(super) fn write_sheet(file: &str, sheet: &SweepSheet) -> Result<(), Failure> {
    let write = |out: &mut dyn Write| {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(sheet.header())?;
        if let Some(id) = &sheet.id {
            sheet.rows.iter().try_for_each(|row| rows.write_record(row.record(id)))?;
        }
        rows.flush()
    };
    write_whole(Path::new(file), write).map_err(|error| not_written(file, &error))
}
