//! Where a report goes: a page, or Markdown with a folder of files.

use std::path::{Path, PathBuf};

use crate::cli::output::{self, Failure, not_written};
use crate::cli::targets::{Targets, check_folder};
use crate::documents::report::Report;
use crate::documents::{NumberedFiles, write_whole};
use crate::scene::InputError;

/// Form and place of a report.
pub(super) enum Output {
    /// One page.
    Html(PathBuf),
    /// Markdown, and the folder of its files as seen from the text.
    Markdown { text: PathBuf, folder: String },
}

impl Output {
    /// The form that the option `--out` asks for, if the other files of `targets` allow it.
    ///
    /// # Errors
    /// Another ending, or files that cannot be written.
    pub fn of(out: &String, targets: Targets) -> Result<Self, InputError> {
        let path = PathBuf::from(out);
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("html" | "md") => targets.whole("--out", Some(out)).check()?,
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
                check_folder(&path)?;
                let text = path.join("report.md");
                if path.is_dir() {
                    targets.whole("--out", Some(&text.to_string_lossy().into_owned())).check()?;
                }
                return Ok(Self::Markdown { text, folder: String::new() });
            }
        }
        if ending.as_deref() == Some("html") {
            return Ok(Self::Html(path));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = format!("{stem}-files");
        check_folder(&crate::documents::folder(&path).join(&folder))?;
        Ok(Self::Markdown { text: path, folder })
    }

    /// Writes the report; of Markdown the files first, so that the text never lacks one. Pictures of
    /// an older one are removed, but for `inputs`.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn write(&self, report: &Report, inputs: Vec<PathBuf>) -> Result<(), Failure> {
        match self {
            Self::Html(path) => write(path, report.html().as_bytes()),
            Self::Markdown { text, folder } => {
                let markdown = report.markdown(folder);
                let files = crate::documents::folder(text).join(folder);
                std::fs::create_dir_all(&files).map_err(|error| not_written(&files, &error))?;
                let mut pictures = NumberedFiles::pictures_in(&files, 0);
                let is_picture = |name: &str| pictures.number_of(name).is_some();
                let (numbered, others): (Vec<_>, Vec<_>) =
                    markdown.files.iter().partition(|(name, _)| is_picture(name));
                pictures = NumberedFiles::pictures_in(&files, numbered.len()).except(inputs);
                for (_, bytes) in numbered {
                    let next = pictures.next_file();
                    let written = pictures.write(|path| write_whole(path, |out| out.write_all(bytes)));
                    written.map_err(|error| not_written(next, &error))?;
                }
                pictures.note().iter().for_each(|note| output::report(note));
                for (name, bytes) in others {
                    write(&files.join(name), bytes)?;
                }
                write(text, markdown.text.as_bytes())
            }
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, |out| out.write_all(bytes)).map_err(|error| not_written(path, &error))
}
