//! Writing scene files: only values that differ from their defaults, so that they read like files
//! written by hand.

use std::path::Path;

use super::{Scene, files};

impl Scene {
    /// The text of a file that [`Scene::parse`] makes this scene of, to the same bits; only the
    /// name is the file's.
    #[must_use]
    pub fn to_ron(&self) -> String {
        let fields: String =
            self.changed_fields().iter().map(|(key, value)| format!("    {key}: {value},\n")).collect();
        format!("(\n{fields})\n")
    }

    /// The same for a file in `folder`: other files are named so that they are found from there.
    #[must_use]
    pub fn to_ron_in(&self, folder: &Path) -> String {
        let mut scene = self.clone();
        for file in scene.files_mut() {
            // files that come with the program are found from anywhere
            if Path::new(&*file).is_relative() && files::embedded(file).is_some() {
                continue;
            }
            let (Ok(whole), Ok(folder)) = (Path::new(&*file).canonicalize(), folder.canonicalize()) else { continue };
            let named = whole.strip_prefix(folder).map_or(whole.as_path(), |within| within);
            *file = named.to_string_lossy().into_owned();
        }
        scene.to_ron()
    }
}
