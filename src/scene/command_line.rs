//! The command that repeats the state of a window.

use super::settings::{self, SolverSettings};
use super::{Body, InputError, Scene};
use crate::sim::params::Tunable;

/// The arguments that start a scene with the changes that were made to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// `--scene`, `--solver`, and `--set` as often as needed, each followed by its value.
    pub arguments: Vec<String>,
    /// Settings that the arguments cannot express, in words; a saved scene has them.
    pub missing: Vec<&'static str>,
}

impl CommandLine {
    /// Of `scene`, as compared with the scene of its name, or with the file that it was read from.
    ///
    /// # Errors
    /// [`InputError`] when there is no such scene any more.
    pub fn of(scene: &Scene) -> Result<Self, InputError> {
        let mut base = Scene::load(&scene.name)?;
        let mut arguments = vec!["--scene".to_owned(), scene.name.clone()];
        if base.solver != scene.solver {
            arguments.extend(["--solver".to_owned(), scene.solver.clone()]);
            base.set_solver(&scene.solver)?;
        }
        let mut set = |base: &mut Scene, key: &str, value: &str| {
            arguments.extend(["--set".to_owned(), format!("{key}={value}")]);
            base.set(key, value)
        };
        if base.fabric != scene.fabric {
            set(&mut base, "fabric", &scene.fabric)?;
        }
        if let Some(mesh) = scene.first.mesh.as_ref().filter(|mesh| base.first.mesh.as_ref() != Some(mesh)) {
            set(&mut base, "mesh", &mesh.file)?;
        }
        if let Some(Body::File { file, .. }) =
            scene.first.body.as_ref().filter(|body| base.first.body.as_ref() != Some(body))
        {
            set(&mut base, "body", file)?;
        }
        if base.has_dummy() != scene.has_dummy() {
            set(&mut base, "dummy", &scene.has_dummy().to_string())?;
        }
        if base.image != scene.image {
            set(&mut base, "image", scene.image.as_deref().unwrap_or("none"))?;
        }
        let wanted = all(scene);
        for (key, value) in &wanted {
            if all(&base).get(key) != Some(value) {
                set(&mut base, key, &value.to_string())?;
            }
        }
        if let Some((key, value)) = scene.settings.first_key_value().filter(|_| base.settings.is_empty()) {
            // with none named the settings would suit the cloth
            set(&mut base, key, &value.to_string())?;
        }
        let (now, then) = (&scene.first, &base.first);
        let pieces = scene.pieces != base.pieces
            || now.body != then.body
            || (now.position, now.rotation) != (then.position, then.rotation);
        let missing = [
            ("pins that were set or moved by hand", (&now.pinned, &now.handles) != (&then.pinned, &then.handles)),
            ("colliders that were moved", !same_places(scene, &base)),
            ("further cloths", pieces),
        ];
        Ok(Self { arguments, missing: missing.into_iter().filter(|(_, is)| *is).map(|(what, _)| what).collect() })
    }

    /// The scene by its name alone, without changes.
    #[must_use]
    pub fn unchanged(name: &str) -> Self {
        Self { arguments: vec!["--scene".to_owned(), name.to_owned()], missing: Vec::new() }
    }

    /// The changes as `--lane` takes them, with the `solver` named; none if a value has a comma.
    #[must_use]
    pub fn lane(&self, solver: &str) -> Option<String> {
        let sets = self.arguments.chunks_exact(2).filter(|pair| pair[0] == "--set").map(|pair| &pair[1]);
        let parts: Vec<String> = std::iter::once(format!("solver={solver}")).chain(sets.cloned()).collect();
        parts.iter().all(|part| !part.contains(',')).then(|| parts.join(","))
    }

    /// The command as a line for a shell: `weft`, then `before`, then the arguments, then `after`.
    #[must_use]
    pub fn line(&self, before: &[&str], after: &[&str]) -> String {
        let words =
            before.iter().copied().chain(self.arguments.iter().map(String::as_str)).chain(after.iter().copied());
        std::iter::once("weft".to_owned()).chain(words.map(shell)).collect::<Vec<_>>().join(" ")
    }
}

/// Whether the colliders stand where they start, whatever their files hold.
fn same_places(now: &Scene, then: &Scene) -> bool {
    let places = |scene: &Scene| -> Vec<_> {
        scene.colliders.iter().map(|collider| (collider.position, collider.rotation)).collect()
    };
    places(now) == places(then)
}

/// All declared parameters with their values, those of the solver included.
fn all(scene: &Scene) -> SolverSettings {
    scene.clone().visit(|group: &mut dyn Tunable| settings::collect(group)).into_iter().flatten().collect()
}

/// Whether a shell takes a letter as it is.
fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-_=./,:+%@".contains(letter)
}

/// `word` as a shell takes it for one.
#[must_use]
pub fn shell(word: &str) -> String {
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Whether a line is one command of Weft, in the words of [`shell`]: nothing that a shell would take
/// for another command, and no letter that is not shown.
#[must_use]
pub fn is_command(line: &str) -> bool {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mut letters = line.chars();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            _ if is_hidden(letter) => return false,
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '\\' if letters.next() == Some('\'') => {}
            ' ' => {}
            _ if is_plain(letter) => {}
            _ => return false,
        }
    }
    !quoted && line.starts_with("weft ")
}
