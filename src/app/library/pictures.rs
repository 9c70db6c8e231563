//! Pictures of own files, kept beside the preferences under a hash of the file's path.

use std::io;
use std::path::{Path, PathBuf};

use bevy::platform::dirs::preferences_dir;
use egui::ColorImage;

use crate::app::picture::Picture;
use crate::app::view::printed;
use crate::documents::write_whole;
use crate::sim::math::fingerprint::fingerprint;

/// Width and height, as of the pictures of the scenes that come with the program [pixels].
pub const SIZE: [u32; 2] = [240, 160];
/// Ending of their names.
const ENDING: &str = "png";

/// The folder of the pictures; none without one for preferences.
#[derive(Debug, Clone, Default)]
pub struct Pictures(Option<PathBuf>);

impl Pictures {
    /// Those beside the preferences.
    #[must_use]
    pub fn of_user() -> Self {
        Self(preferences_dir().map(|folder| folder.join("weft").join("pictures")))
    }

    /// Those in a folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self(Some(folder.to_owned()))
    }

    /// Place of the picture of a file with this absolute path.
    fn place(&self, file: &str) -> Option<PathBuf> {
        Some(self.0.as_ref()?.join(name(file)))
    }

    /// Whether there is a picture of a file.
    #[must_use]
    pub fn has(&self, file: &str) -> bool {
        self.place(file).is_some_and(|place| place.exists())
    }

    /// The picture of a file, if there is one that can be read.
    #[must_use]
    pub fn read(&self, file: &str) -> Option<ColorImage> {
        decode(&std::fs::read(self.place(file)?).ok()?)
    }

    /// Keeps a picture of a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, file: &str, picture: &Picture) -> io::Result<()> {
        let (Some(folder), Some(place)) = (&self.0, self.place(file)) else { return Ok(()) };
        std::fs::create_dir_all(folder)?;
        write_whole(&place, |out| picture.write_png(out))
    }

    /// Deletes all pictures but those of these files. One that cannot be deleted stays.
    pub fn keep_only(&self, files: &[String]) {
        let Some(folder) = &self.0 else { return };
        let kept: Vec<String> = files.iter().map(|file| name(file)).collect();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            // a file that is being written begins with a dot
            let is_picture = path.extension().is_some_and(|ending| ending == ENDING) && !name.starts_with('.');
            if is_picture && !kept.contains(&name) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// Name of the picture of a file with this absolute path.
fn name(file: &str) -> String {
    format!("{:016x}.{ENDING}", fingerprint(file.bytes().map(u64::from)))
}

/// The image of a PNG picture; none if it is damaged.
pub fn decode(bytes: &[u8]) -> Option<ColorImage> {
    let ([width, height], pixels) = printed::decode(bytes).ok()?;
    Some(ColorImage::from_rgba_unmultiplied([width as usize, height as usize], &pixels))
}
