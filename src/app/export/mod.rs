//! Files and the clipboard: files opened, scenes saved, the cloth and its motion exported, pictures
//! drawn, commands copied. The motion is recorded continuously from the shown frames; all slow work
//! is done in the background.

mod clipboard;
mod command;
mod dialog;
mod drawing;
mod exporting;
mod kind;
pub mod panel;
mod pictures;
mod recorded_motion;
mod recorder;
mod report;
mod saving;
mod shots;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::library::Library;
use super::session::{SessionHandle, TakeFrame};
use super::task::Task;
use super::view::paint_quantity::PaintQuantity;
use super::view::printed::Printed;
use super::view::scene::ClothView;
use super::window::preferences::{Backdrop, Quality};
use crate::app::desk::{Request, Shown};
use crate::app::plots::history::History;
use crate::documents::Figure;
use crate::documents::take_home::{Target, take_home};
use crate::scene::{View, is_command, shell};
use crate::session::Command;
pub use command::Copied;
pub use dialog::Purpose;
pub use kind::{Choice, Kind, RecordedSpan};
pub use recorded_motion::RecordedMotion;
pub use recorder::{MOST_BYTES, MOST_SECONDS};
pub use shots::draw_shots;

/// Frames between a key and the dialog: the letter of the key would otherwise be typed into it.
const SETTLE: u8 = 2;
/// For how long good news are shown, and what was copied.
const NEWS: Duration = Duration::from_secs(8);
const COPIED: Duration = Duration::from_secs(4);
/// How news of what was copied begin.
const WAS_COPIED: &str = "Copied: ";

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Files>()
        .add_plugins(clipboard::plugin)
        .add_systems(RunFixedMainLoop, record.after(TakeFrame).in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop))
        .add_systems(Update, (note_camera, collect, tell_of_picture));
}

/// Recording, choices and running work.
#[derive(Resource, Default)]
pub struct Files {
    recorders: recorder::Recorders,
    /// From where the cloth is looked at.
    camera: Option<View>,
    dialog: dialog::Dialog,
    /// Purpose of the wanted file, and the number of frames until the dialog opens.
    asked: Option<(Purpose, u8)>,
    job: Option<Job>,
    copying: Option<command::Copying>,
    /// The plots for which a file is asked.
    figure: Option<Figure>,
    /// A line that is to be copied next.
    copied: Option<String>,
    /// The solver that is being copied as text for another program.
    taken_home: Option<TakenHome>,
    news: Option<News>,
    /// Kind and settings of the export.
    pub choice: Choice,
    /// Saved scenes, and the open question before a file is overwritten.
    saving: saving::Saving,
    /// Whether the window has just been asked for, so that its button is to have the keyboard.
    pub wants_focus: bool,
    /// Whether a file has just been opened.
    is_opened: bool,
    /// Of a mesh that was put into the scene: the order, the number of things before it, and
    /// whether it is a collider.
    added: Option<(u64, usize, bool)>,
}

/// A solver that is being copied as text for another program.
struct TakenHome {
    // a receiver alone is not `Sync`, as a resource has to be
    text: Mutex<Receiver<String>>,
    /// Name of the solver.
    name: &'static str,
    target: Target,
}

/// A file that is being written.
struct Job {
    /// Its name for people.
    name: String,
    task: Task<Ended>,
    kept: Written,
    /// Whether the user has called it off, which is no fault.
    is_cancelled: bool,
    /// Pictures that are drawn for it.
    drawing: Arc<drawing::Drawing>,
    /// Whether time resumes when it is done.
    resumes: bool,
}

/// Purpose of a written file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Written {
    /// The scene of this name, to be saved in the same place again.
    Scene(String),
    /// A recording, which a command repeats.
    Recording,
    Export,
}

/// How the writing of a file ended: the file, or a sentence that says why there is none.
type Ended = Result<Finished, String>;

/// A file that has been written.
struct Finished {
    path: PathBuf,
    /// What else there is to tell.
    note: Option<String>,
}

impl From<PathBuf> for Finished {
    fn from(path: PathBuf) -> Self {
        Self { path, note: None }
    }
}

/// A message to the user.
pub struct News {
    /// A sentence.
    pub text: String,
    /// Whether something went wrong.
    pub is_fault: bool,
    /// When it goes.
    until: Instant,
}

/// Appearance of pictures, as in the window.
#[derive(Debug, Clone, Copy)]
pub struct Appearance {
    /// Image quality.
    pub quality: Quality,
    /// Light or dark.
    pub stage: Backdrop,
    /// The painted quantity.
    pub quantity: PaintQuantity,
}

impl Files {
    /// The simulated time [s] of the chosen lane that is recorded, and the memory that all lanes take
    /// [bytes].
    #[must_use]
    pub fn recorded(&self) -> (f64, usize) {
        let seconds = self.recorders.chosen().map_or(0.0, recorder::Recorder::seconds);
        (seconds, self.recorders.bytes())
    }

    /// Simulated time at which the recorded motion begins [s].
    #[must_use]
    pub fn recorded_from(&self) -> f64 {
        self.recorders.chosen().map_or(0.0, recorder::Recorder::start)
    }

    /// Whether a file is being written.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// The work being done, its finished share, and for pictures a line with their number and the
    /// time left.
    #[must_use]
    pub fn progress(&self) -> Option<(&str, f32, Option<String>)> {
        self.job.as_ref().map(|job| (job.name.as_str(), job.task.progress(), job.drawing.line()))
    }

    /// Cancels the work.
    pub fn cancel(&mut self) {
        if let Some(job) = &mut self.job {
            job.task.cancel();
            job.is_cancelled = true;
        }
    }

    /// The mesh that was put into the scene, once: the order, the number of things before it, and
    /// whether it is a collider.
    pub fn take_added(&mut self) -> Option<(u64, usize, bool)> {
        self.added.take()
    }

    /// Whether a file has been opened since this was asked last.
    pub fn take_opened(&mut self) -> bool {
        std::mem::take(&mut self.is_opened)
    }

    /// The message for the user, until it is old.
    pub fn news(&mut self) -> Option<&News> {
        if self.news.as_ref().is_some_and(|news| !news.is_fault && news.until <= Instant::now()) {
            self.news = None;
        }
        self.news.as_ref()
    }

    /// Puts the message away.
    pub fn dismiss(&mut self) {
        self.news = None;
    }

    fn tell(&mut self, text: String, is_fault: bool) {
        info!("{text}");
        let lasts = if text.starts_with(WAS_COPIED) { COPIED } else { NEWS };
        self.news = Some(News { text, is_fault, until: Instant::now() + lasts });
    }

    /// Whether the dialog for a file or a question about one is open, which takes what is typed.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.dialog.is_open() || self.saving.is_asking()
    }

    /// Asks where to, or for which file.
    pub fn ask(&mut self, purpose: Purpose) {
        if !self.is_asking() {
            self.asked = Some((purpose, SETTLE));
        }
    }

    /// Asks where to write these plots.
    pub fn ask_for_plot(&mut self, figure: Figure) {
        self.figure = Some(figure);
        self.ask(Purpose::SavePlot);
    }

    /// Draws the file dialog, and executes its purpose once a file has been picked.
    pub fn show_dialog(&mut self, ctx: &egui::Context, shown: &mut Shown, appearance: Appearance) {
        let session = &mut *shown.session;
        if let Some((purpose, frames)) = self.asked.take() {
            if frames > 0 {
                self.asked = Some((purpose, frames - 1));
            } else {
                let scene = &session.frame().scene.name;
                let name = self.saving.name(scene, &self.dialog.folder()).filter(|_| purpose == Purpose::SaveScene);
                self.dialog.open(purpose, scene, name);
                info!("asking for a file to {}", purpose.verb());
            }
        }
        let Some((purpose, path)) = self.dialog.update(ctx) else { return };
        self.is_opened |= purpose == Purpose::Open;
        match purpose {
            Purpose::Open if is_table(&path) => shown.desk.requests.push(Request::OpenTable(path)),
            Purpose::Open => session.open_file(path.to_string_lossy().into_owned()),
            Purpose::AddMesh { is_collider } => {
                let file = path.to_string_lossy();
                let scene = Arc::clone(&session.frame().scene);
                match scene.addition_of_file(&file, is_collider) {
                    Ok(edit) => {
                        let order = session.send(Command::Edit { edit });
                        self.added = Some((order, scene.parts().len(), is_collider));
                    }
                    Err(error) => self.tell(error.to_string(), true),
                }
            }
            Purpose::Scan => shown.desk.requests.push(Request::TakeScan(path)),
            Purpose::SaveScene => self.save_or_ask(path, session),
            Purpose::SaveRecording { way } => self.save_recording(path, way, session),
            Purpose::SavePlot => self.save_plot(path, || shown.states.of::<History>().csv()),
            Purpose::Export(kind) => self.export(kind, path, shown, appearance),
        }
    }

    fn start(
        &mut self,
        path: PathBuf,
        kept: Written,
        work: impl FnOnce(&super::task::Reporter<Ended>) -> Ended + Send + 'static,
    ) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        info!("writing {name}");
        self.news = None;
        // work cancelled by another file was drawn while time was paused
        let resumes = self.job.take().is_some_and(|job| job.resumes);
        let task = Task::start(|reporter| reporter.send(work(reporter)));
        self.job = Some(Job { name, kept, is_cancelled: false, task, drawing: Arc::default(), resumes });
    }

    /// Copies the command that repeats the state of the window, in the form of `copied`, once the
    /// session has returned the state.
    pub fn copy_command(&mut self, copied: Copied, session: &mut SessionHandle, appearance: Appearance) {
        self.copying = Some(command::Copying::start(copied, session, self.camera, appearance));
    }

    /// Copies the solver at work as text for another program, once the session has given it.
    pub fn take_home(&mut self, target: Target, shown: &mut Shown) {
        let (name, seconds) = (shown.session.frame().solver.name, 1e-3 * shown.desk.throughput.step_ms);
        let seconds = Some(seconds).filter(|seconds| *seconds > 0.0);
        let text = shown.session.ask(move |session| {
            let scene = session.scene_to_save().unwrap_or_else(|_| session.scene());
            take_home(&scene, session.simulation(), seconds, target)
        });
        self.taken_home = Some(TakenHome { text: Mutex::new(text), name, target });
    }

    /// The text of the solver for another program, once it is there.
    fn take_text_of_solver(&mut self) -> Option<String> {
        let TakenHome { text, name, target } = self.taken_home.as_mut()?;
        let news = (*name, target.name());
        match text.get_mut().unwrap_or_else(PoisonError::into_inner).try_recv() {
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.taken_home = None;
                None
            }
            Ok(text) => {
                self.taken_home = None;
                self.tell(format!("{WAS_COPIED}{} for {}, {} lines", news.0, news.1, text.lines().count()), false);
                Some(text)
            }
        }
    }

    /// The text that is to be copied now, if there is one.
    pub fn take_copied(&mut self) -> Option<String> {
        if let Some(line) = self.copied.take() {
            return Some(line);
        }
        if let Some(text) = self.take_text_of_solver() {
            return Some(text);
        }
        let ended = self.copying.as_mut()?.poll()?;
        self.copying = None;
        match ended {
            Ok(command::Line { text, .. }) if !is_command(&text) => {
                self.tell(
                    "The command has the name of a file with letters that are not shown; rename it.".into(),
                    true,
                );
                None
            }
            Ok(command::Line { text, missing }) => {
                let mut news = format!("{WAS_COPIED}{text}");
                if !missing.is_empty() {
                    news += &format!("  ·  It leaves out {}; save the scene to keep them.", missing.join(" and "));
                }
                self.tell(news, false);
                Some(text)
            }
            Err(error) => {
                self.tell(error, true);
                None
            }
        }
    }

    /// Reports the outcome of the work, once it has ended; returns whether time is to resume. The
    /// library gets a saved scene.
    fn collect(&mut self, library: &mut Library) -> bool {
        let Some(job) = &mut self.job else { return false };
        let (found, ended) = job.task.poll();
        if !ended {
            return false;
        }
        let Some(job) = self.job.take() else { return false };
        match found.into_iter().next() {
            Some(Ok(Finished { path, note })) => {
                let file = absolute(&path).display().to_string();
                let mut news = format!("Written: {file}");
                news.extend(note.map(|note| format!("  ·  {note}")));
                match job.kept {
                    Written::Scene(scene) => {
                        self.saving.note(scene, path);
                        library.note_saved(&file);
                    }
                    Written::Recording => {
                        let line = format!("weft replay {}", shell(&file));
                        if is_command(&line) {
                            news += &format!("  ·  {WAS_COPIED}{line}");
                            self.copied = Some(line);
                        }
                    }
                    Written::Export => {}
                }
                self.tell(news, false);
            }
            Some(Err(sentence)) => self.tell(sentence, !job.is_cancelled),
            None => self.tell(format!("{}: the writing has broken off", job.name), true),
        }
        job.resumes
    }
}

/// Whether a file is the table of a sweep, by its ending.
#[must_use]
pub fn is_table(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn record(session: Res<SessionHandle>, mut files: ResMut<Files>) {
    files.recorders.follow(&session.lanes());
}

fn note_camera(
    session: Res<SessionHandle>,
    camera: Single<&PanOrbitCamera>,
    view: Res<ClothView>,
    mut files: ResMut<Files>,
) {
    if !view.0.is_empty() {
        let seen = view.seen_by(&camera, session.frame().pattern.origin());
        files.camera = Some(seen);
    }
}

fn tell_of_picture(mut printed: ResMut<Printed>, mut files: ResMut<Files>) {
    if let Some(fault) = printed.bypass_change_detection().fault.take() {
        files.tell(fault, true);
    }
}

fn collect(mut files: ResMut<Files>, mut library: ResMut<Library>, mut session: ResMut<SessionHandle>) {
    // the user may have resumed it meanwhile
    if files.collect(&mut library) && session.paused() {
        session.pause(false);
    }
}
