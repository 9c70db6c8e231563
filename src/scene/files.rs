//! The files that come with the program. With the feature `embedded` they are part of it, so the
//! installed binary works from any folder; while developing (under `cargo run` and `cargo test`, or
//! with `BEVY_ASSET_ROOT` set, as Bevy itself does it) the files on disk win.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::InputError;

#[cfg(feature = "embedded")]
mod parts {
    use std::path::Path;

    use include_dir::{Dir, include_dir};

    static FOLDERS: [(&str, Dir); 6] = [
        (super::SCENES, include_dir!("$CARGO_MANIFEST_DIR/assets/scenes")),
        (super::LESSONS, include_dir!("$CARGO_MANIFEST_DIR/assets/lessons")),
        ("assets/meshes", include_dir!("$CARGO_MANIFEST_DIR/assets/meshes")),
        ("assets/paths", include_dir!("$CARGO_MANIFEST_DIR/assets/paths")),
        ("assets/thumbnails", include_dir!("$CARGO_MANIFEST_DIR/assets/thumbnails")),
        ("shaders", include_dir!("$CARGO_MANIFEST_DIR/shaders")),
    ];

    fn folder(path: &str) -> Option<&'static Dir<'static>> {
        FOLDERS.iter().find(|(folder, _)| *folder == path).map(|(_, dir)| dir)
    }

    /// The bytes of a file.
    pub fn file(path: &str) -> Option<&'static [u8]> {
        let (parent, name) = path.rsplit_once('/')?;
        Some(folder(parent)?.get_file(name)?.contents())
    }

    /// The files in a folder.
    pub fn files(path: &str) -> impl Iterator<Item = &'static Path> {
        folder(path).into_iter().flat_map(Dir::files).map(include_dir::File::path)
    }
}

#[cfg(not(feature = "embedded"))]
mod parts {
    use std::path::Path;

    pub fn file(_: &str) -> Option<&'static [u8]> {
        None
    }

    pub fn files(_: &str) -> impl Iterator<Item = &'static Path> {
        std::iter::empty()
    }
}

/// The folder of the scenes, and that of the lessons.
const SCENES: &str = "assets/scenes";
const LESSONS: &str = "assets/lessons";

/// Folder whose `assets` and `shaders` override the embedded ones, if there is one.
fn override_root() -> Option<PathBuf> {
    ["BEVY_ASSET_ROOT", "CARGO_MANIFEST_DIR"]
        .into_iter()
        .filter_map(std::env::var_os)
        .map(PathBuf::from)
        .find(|root| root.join("assets/scenes").is_dir() && root.join("shaders").is_dir())
}

/// The text of a file by its path in the project, like `assets/scenes/flag.ron` or
/// `shaders/cloth.wgsl`.
#[must_use]
pub fn embedded(path: &str) -> Option<Cow<'static, str>> {
    if let Some(text) = override_root().and_then(|root| std::fs::read_to_string(root.join(path)).ok()) {
        return Some(Cow::Owned(text));
    }
    parts::file(path).and_then(|bytes| std::str::from_utf8(bytes).ok()).map(Cow::Borrowed)
}

/// The bytes of a file, like [`embedded`].
#[must_use]
pub fn embedded_bytes(path: &str) -> Option<Cow<'static, [u8]>> {
    if let Some(bytes) = override_root().and_then(|root| std::fs::read(root.join(path)).ok()) {
        return Some(Cow::Owned(bytes));
    }
    parts::file(path).map(Cow::Borrowed)
}

/// The names of the scenes that come with the program, sorted. A scene is a file in
/// `assets/scenes`; nothing else registers it. Those for a graphics device, which begin with
/// `gpu-`, are there where its solvers are.
#[must_use]
pub fn names() -> Vec<String> {
    files_of(SCENES).filter(|name| cfg!(feature = "gpu") || !name.starts_with("gpu-")).collect()
}

/// The names of the lessons that come with the program, sorted. A lesson is a file in
/// `assets/lessons`; nothing else registers it.
#[must_use]
pub fn lesson_names() -> Vec<String> {
    files_of(LESSONS).collect()
}

/// The names, without the ending, of the `.ron` files in a folder, sorted.
fn files_of(folder: &'static str) -> impl Iterator<Item = String> {
    let stem = |path: &Path| -> Option<String> {
        let is_ours = path.extension().is_some_and(|extension| extension == "ron");
        is_ours.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
    };
    let mut names: BTreeSet<String> = parts::files(folder).filter_map(stem).collect();
    let on_disk = override_root().and_then(|root| std::fs::read_dir(root.join(folder)).ok());
    names.extend(on_disk.into_iter().flatten().flatten().filter_map(|entry| stem(&entry.path())));
    names.into_iter()
}

/// The end of a sentence that says that `unknown` is none of the `known` scenes or lessons.
#[must_use]
pub fn suggested_name(unknown: &str, known: &[String]) -> String {
    match known {
        [] => format!("none {WITHOUT}."),
        known => InputError::suggestion(unknown, known.iter().map(String::as_str)),
    }
}

/// Why a file that comes with the program is not there.
pub const WITHOUT: &str = "comes with this program, which was built without its feature `embedded`";
