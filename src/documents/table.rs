//! Tables that grow for hours: written in place, row by row.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A table of comma-separated values that is written row by row, each with one call, so that it has
/// whole rows, and at most a part of the one that is being written.
#[derive(Debug)]
pub struct Table {
    file: File,
    /// Length of the whole rows [bytes].
    whole: u64,
}

impl Table {
    /// A table with `header` in the file `path`, in place of its content.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path, header: &[String]) -> io::Result<Self> {
        let mut table = Self { file: File::create(path)?, whole: 0 };
        table.push(header)?;
        Ok(table)
    }

    /// The table in a file that is open for writing at its end, whose first `whole` bytes are whole
    /// rows and all that is in it.
    #[must_use]
    pub fn go_on(file: File, whole: u64) -> Self {
        Self { file, whole }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When the disk fails; the part of the row that was written is then taken off again.
    pub fn push(&mut self, row: &[String]) -> io::Result<()> {
        let mut line = csv::Writer::from_writer(Vec::new());
        line.write_record(row)?;
        let line = line.into_inner().map_err(csv::IntoInnerError::into_error)?;
        let written = self.file.write_all(&line);
        match written {
            Ok(()) => self.whole += line.len() as u64,
            // a pipe cannot be shortened
            Err(_) => drop(self.file.set_len(self.whole)),
        }
        written
    }

    /// Waits until all rows are on the disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn finish(self) -> io::Result<()> {
        // a pipe or a device has nothing to wait for
        if self.file.metadata()?.is_file() { self.file.sync_all() } else { Ok(()) }
    }
}
