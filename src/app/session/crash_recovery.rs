//! Crash recovery: the state of a running window is always on the disk, that of each lane in a
//! separate file, and the next window offers the state left by a killed one.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bevy::platform::dirs::preferences_dir;
use bevy::prelude::warn;

use crate::scene::{Scene, Snapshot, read_text};
use crate::session::{Autosave, Command, Offer};

/// Largest age of the state on the disk.
const EVERY: Duration = Duration::from_secs(1);
/// Beginning of the names of files that were found.
const FOUND: &str = "last-session";

/// The place of this window's state.
pub struct CrashRecovery {
    /// Held as long as the window is there.
    lock: File,
    /// The file of the state, without its ending.
    stem: PathBuf,
}

/// Files left by an earlier window.
pub enum Left {
    /// A state to continue from, and the files of the other lanes.
    State(Offer, Vec<String>),
    /// A file that cannot be read, and was set aside: a sentence.
    Damaged(String),
}

impl CrashRecovery {
    /// Takes a place, and looks for the state left by an earlier window. There is none if the
    /// folder is not writable.
    pub fn begin() -> Option<(Self, Option<Left>)> {
        let folder = preferences_dir()?.join("weft").join("sessions");
        match Self::begin_in(&folder) {
            Ok(begun) => Some(begun),
            Err(error) => {
                warn!("{}: the session is not saved automatically: {error}", folder.display());
                None
            }
        }
    }

    fn begin_in(folder: &Path) -> std::io::Result<(Self, Option<Left>)> {
        fs::create_dir_all(folder)?;
        let left = find(folder)?;
        let stem = folder.join(format!("session-{}", std::process::id()));
        let lock = File::create(stem.with_extension("lock"))?;
        lock.lock()?;
        Ok((Self { lock, stem }, left))
    }

    /// The autosaves of this window.
    pub fn safe(&self) -> Safe {
        Safe { stem: self.stem.clone() }
    }

    /// The window was closed as it should be.
    pub fn end(self) {
        // a state that is still being written comes too late to be offered
        let _ = File::create(self.stem.with_extension("closed"));
        drop(self.lock);
        clear(&self.stem);
    }
}

/// Where the states of a window's lanes are kept.
#[derive(Debug, Clone)]
pub struct Safe {
    stem: PathBuf,
}

impl Safe {
    /// The autosave of the lane of this number.
    pub fn autosave(&self, lane: u64) -> Autosave {
        let ending = if lane == 0 { "json".to_owned() } else { format!("lane-{lane}.json") };
        Autosave::new(&self.stem.with_extension(ending), EVERY).fleeting()
    }
}

/// The place of the window that a state is of: its file without all endings.
fn stem_of(state: &Path) -> PathBuf {
    let name = state.file_name().unwrap_or_default().to_string_lossy();
    state.with_file_name(name.split('.').next().unwrap_or_default())
}

/// The states of the lanes of a window, in the order in which they were added.
fn states_of(stem: &Path) -> Vec<PathBuf> {
    let folder = stem.parent().and_then(|folder| fs::read_dir(folder).ok());
    let paths = folder.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_state = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json") && stem_of(path) == stem;
    let mut states: Vec<PathBuf> = paths.filter(is_state).collect();
    states.sort_by_key(|path| {
        let lane = path
            .file_stem()
            .and_then(|name| name.to_string_lossy().rsplit_once("lane-").map(|(_, lane)| lane.parse::<u64>()));
        lane.and_then(Result::ok).unwrap_or(0)
    });
    states
}

/// Removes the files of a window that was closed.
fn clear(stem: &Path) {
    for state in states_of(stem) {
        let _ = fs::remove_file(state);
    }
    for ending in ["lock", "closed"] {
        let _ = fs::remove_file(stem.with_extension(ending));
    }
}

/// The newest state whose window is gone.
fn find(folder: &Path) -> std::io::Result<Option<Left>> {
    let mut newest: Option<(SystemTime, PathBuf)> = None;
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        let stem = stem_of(&path);
        let is_state = path.extension().is_some_and(|ending| ending == "json")
            && stem.file_name().is_some_and(|name| name.to_string_lossy().starts_with("session-"));
        if !is_state || is_alive(&stem) {
            continue;
        }
        if stem.with_extension("closed").exists() {
            clear(&stem);
            continue;
        }
        let written = entry.metadata().and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if newest.as_ref().is_none_or(|(when, _)| written > *when) {
            newest = Some((written, stem));
        }
    }
    let Some((written, stem)) = newest else { return Ok(None) };
    let found = folder.join(FOUND);
    states_of(&found).iter().for_each(|old| drop(fs::remove_file(old)));
    let mut places = Vec::new();
    for (number, state) in states_of(&stem).into_iter().enumerate() {
        let ending = if number == 0 { "json".to_owned() } else { format!("lane-{number}.json") };
        let place = found.with_extension(ending);
        fs::rename(&state, &place)?;
        places.push(place);
    }
    clear(&stem);
    let Some((first, others)) = places.split_first() else { return Ok(None) };
    Ok(Some(judge(first, others, written)))
}

/// Whether the window that has this place is still there.
fn is_alive(stem: &Path) -> bool {
    let file = stem.with_extension("lock");
    // opening a pipe of this name would wait for its writer
    if !file.is_file() {
        return false;
    }
    let Ok(lock) = File::open(file) else { return false };
    matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
}

/// Offers a state with those of the other lanes that can be read, or sets it aside.
fn judge(file: &Path, others: &[PathBuf], written: SystemTime) -> Left {
    let name = file.to_string_lossy().into_owned();
    let read = |file: &Path, name: &str| {
        let text = read_text(file, "").map_err(|error| error.message().to_owned())?;
        Snapshot::parse(&text, name).map_err(|error| error.to_string())
    };
    match read(file, &name) {
        Ok(snapshot) => {
            let age = SystemTime::now().duration_since(written).unwrap_or_default();
            let (scene, time) = (title_of(snapshot.scene()), snapshot.time());
            let others = others.iter().map(|other| (other, other.to_string_lossy().into_owned()));
            let lanes: Vec<String> =
                others.filter(|(other, name)| read(other, name).is_ok()).map(|(_, name)| name).collect();
            let count = if lanes.is_empty() { String::new() } else { format!(", {} lanes", lanes.len() + 1) };
            let reason = format!("Weft ended unexpectedly {} ago: {scene}{count}, t = {time:.1} s.", words(age));
            let command = Command::Open { file: name };
            Left::State(Offer { reason, label: "Restore it".to_owned(), command }, lanes)
        }
        Err(error) => {
            let aside = file.with_file_name("damaged-session.json");
            let _ = fs::rename(file, &aside);
            Left::Damaged(format!("The last session cannot be restored; it was moved to {}: {error}", aside.display()))
        }
    }
}

/// The title of a scene, or the name of its file without folder and ending.
fn title_of(name: &str) -> String {
    let title = Scene::load(name).map(|scene| scene.title).unwrap_or_default();
    let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
    if title.is_empty() { stem.into_owned() } else { title }
}

/// A time in words.
fn words(age: Duration) -> String {
    match age.as_secs() {
        0..60 => "less than a minute".to_owned(),
        60..120 => "a minute".to_owned(),
        seconds @ 120..7200 => format!("{} minutes", seconds / 60),
        seconds @ 7200..172_800 => format!("{} hours", seconds / 3600),
        seconds => format!("{} days", seconds / 86_400),
    }
}
