//! Where a report goes: a page, or Markdown with a folder of files.

use std::path::{Path, PathBuf};

use crate::cli::output::{Failure, check_output};
use crate::scene::report::Report;
use crate::scene::{InputError, why_not_written, write_whole};
use crate::sim::params::quote::quote;

/// Form and place of a report.
pub(super) enum Output {
    /// One page.
    Html(PathBuf),
    /// Markdown, and the folder of its files as seen from the text.
    Markdown { text: PathBuf, folder: String },
}

impl Output {
    /// The form that a name asks for.
    ///
    /// # Errors
    /// Another ending, or a folder that is not there.
    pub fn of(out: &str) -> Result<Self, InputError> {
        let path = PathBuf::from(out);
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("html" | "md") => check_output(Some(&out.to_owned()))?,
            Some(_) if !path.is_dir() => {
                return Err(InputError::new(
                    out,
                    "is no name of a report; let it end in .html or .md, or name a folder",
                ));
            }
            _ => {
                if path.is_file() {
                    return Err(InputError::new(out, "is a file; name a folder, or let it end in .html or .md"));
                }
                check_output(Some(&path.join("x").to_string_lossy().into_owned()).filter(|_| path.is_dir()))?;
                return Ok(Self::Markdown { text: path.join("report.md"), folder: String::new() });
            }
        }
        if ending.as_deref() == Some("html") {
            return Ok(Self::Html(path));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::Markdown { text: path, folder: format!("{stem}-files") })
    }

    /// Writes the report; of Markdown the files first, so that the text never lacks one.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn write(&self, report: &Report) -> Result<(), Failure> {
        match self {
            Self::Html(path) => write(path, report.html().as_bytes()),
            Self::Markdown { text, folder } => {
                let markdown = report.markdown(folder);
                let files = crate::scene::folder(text).join(folder);
                std::fs::create_dir_all(&files).map_err(|error| failed(&files, &error))?;
                for (name, bytes) in &markdown.files {
                    write(&files.join(name), bytes)?;
                }
                write(text, markdown.text.as_bytes())
            }
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, |out| out.write_all(bytes)).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Ran(format!("{}: {}", quote(&path.to_string_lossy()), why_not_written(error)))
}
