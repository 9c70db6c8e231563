//! Values and groups of parameters in the text of a scene file.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;

use super::settings::Scalar;
use crate::sim::params::Tunable;

/// Longest line of a file that has a choice.
const WIDTH: usize = 110;

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

/// The parameters of `group` that differ from `default`, if any: the field of the file with its
/// text.
pub(super) fn group<G: Tunable>(name: &'static str, group: &G, default: &G) -> Option<(&'static str, String)> {
    let changed = |index: &usize| group.get(*index) != default.get(*index);
    let text = |index: usize| match Scalar::of(&group.params()[index], group.get(index)) {
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
