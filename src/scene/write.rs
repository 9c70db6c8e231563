//! Writing scene files: what differs from a scene of which nothing is said, so that they read like those that people write.

use std::path::Path;

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;

use super::{Scalar, Scene, files, settings};
use crate::sim::params::Tunable;

/// Longest line of a file that has a choice.
const WIDTH: usize = 110;

impl Scene {
    /// The text of a file that [`Scene::parse`] makes this scene of, to the same bits; only the name is the file's.
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
            // what comes with the program is found from anywhere
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

/// A value in the text of a scene file: on one line if it fits, else with an entry per line.
pub(super) fn value<T: Serialize>(value: &T) -> String {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let flat = PrettyConfig::new().depth_limit(0);
    let whole =
        |config: PrettyConfig| options.to_string_pretty(value, config).expect("scenes hold nothing that RON does not");
    let line = whole(flat);
    // numbers of vertices stand one after another, however many there are
    if line.len() <= WIDTH || !line.contains('(') {
        return line;
    }
    whole(PrettyConfig::new().depth_limit(2)).replace('\n', "\n    ")
}

/// The parameters of `group` that differ from `default`, if any: the field of the file with its text.
pub(super) fn group<G: Tunable>(name: &'static str, group: &G, default: &G) -> Option<(&'static str, String)> {
    let changed = |index: &usize| group.get(*index) != default.get(*index);
    let text = |index: usize| match settings::scalar(group.params()[index].kind, group.get(index)) {
        Scalar::Real(x) => value(&x),
        // choices are no texts in quotation marks
        other => other.to_string(),
    };
    let count = group.params().len();
    let entries: Vec<(&str, String)> =
        (0..count).filter(changed).map(|index| (group.params()[index].key, text(index))).collect();
    match &entries[..] {
        [] => None,
        // a group of one parameter of its own name is a plain value
        [(key, text)] if count == 1 && *key == name => Some((name, text.clone())),
        entries => {
            let parts: Vec<String> = entries.iter().map(|(key, text)| format!("{key}: {text}")).collect();
            Some((name, format!("({})", parts.join(", "))))
        }
    }
}
