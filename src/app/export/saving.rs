//! Saving: the scene, recordings and plots.

use std::path::{Path, PathBuf};

use egui::{Frame, Id, Modal};

use super::{Files, Purpose, Written, writing};
use crate::app::session::SessionHandle;
use crate::app::widgets::note_place;
use crate::scene::{InputError, View, comment_lines_of};
use crate::session::Watch;

/// Saved scenes, and what there is to know before the next one is.
#[derive(Default)]
pub struct Saving {
    /// Name of the scene that was saved last, and its file.
    last: Option<(String, PathBuf)>,
    /// Name of the scene that is to have a file of its own.
    copied: Option<String>,
    /// A file that is not written over without an answer, and the number of its comments.
    doubted: Option<(PathBuf, usize)>,
}

/// An answer to the question whether a file with comments is to be written over.
#[derive(Clone, Copy)]
enum Answer {
    Save,
    SaveAs,
    Cancel,
}

impl Saving {
    /// Whether a question waits for its answer.
    pub fn is_asking(&self) -> bool {
        self.doubted.is_some()
    }

    /// The name to offer for the file of a scene, if it is not that of the scene: the one that it
    /// was saved by, or one of its own in `folder`.
    pub fn name(&self, scene: &str, folder: &Path) -> Option<String> {
        if self.copied.as_deref() == Some(scene) {
            return Some(free_name(folder, &Path::new(scene).file_stem().unwrap_or_default().to_string_lossy()));
        }
        let (_, file) = self.last.as_ref().filter(|(saved, _)| saved == scene)?;
        Some(file.file_name()?.to_string_lossy().into_owned())
    }

    /// Notes that a scene was saved.
    pub fn note(&mut self, scene: String, file: PathBuf) {
        self.copied = None;
        self.last = Some((scene, file));
    }
}

/// The first name for a copy that no file in `folder` has.
fn free_name(folder: &Path, stem: &str) -> String {
    let name = |number: u32| if number == 1 { format!("{stem}-copy.ron") } else { format!("{stem}-copy-{number}.ron") };
    (1..).map(name).find(|name| !folder.join(name).exists()).unwrap_or_default()
}

impl Files {
    /// Has the next file of a scene get a name of its own.
    pub fn save_as_copy(&mut self, scene: &str) {
        self.saving.copied = Some(scene.to_owned());
    }

    /// Saves the scene, or asks before if comments in the file would be lost.
    pub(super) fn save_or_ask(&mut self, path: PathBuf, session: &mut SessionHandle) {
        match comment_lines_of(&path).len() {
            0 => self.save_scene(path, session),
            count => self.saving.doubted = Some((path, count)),
        }
    }

    /// Asks whether a file with comments is to be written over, and follows the answer.
    pub(super) fn show_question(&mut self, ctx: &egui::Context, session: &mut SessionHandle) {
        let Some((path, count)) = &self.saving.doubted else { return };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let comments = if *count == 1 { "a comment".to_owned() } else { format!("{count} comments") };
        let frame = Frame::popup(&ctx.global_style()).inner_margin(14);
        let modal = Modal::new(Id::new("comments of a file")).frame(frame).show(ctx, |ui| {
            ui.set_max_width(380.0);
            ui.label(format!("{name} has {comments}, which saving would remove."));
            ui.add_space(6.0);
            let answers = [("Save anyway", Answer::Save), ("Save as…", Answer::SaveAs), ("Cancel", Answer::Cancel)];
            let button = |ui: &mut egui::Ui, (text, answer): (&str, Answer)| {
                let button = ui.button(text);
                note_place(ui, &format!("comments {}", text.to_lowercase()), button.rect);
                button.clicked().then_some(answer)
            };
            ui.horizontal(|ui| answers.into_iter().filter_map(|answer| button(ui, answer)).last()).inner
        });
        let answer = modal.inner.or_else(|| modal.should_close().then_some(Answer::Cancel));
        if let Some(answer) = answer
            && let Some((path, _)) = self.saving.doubted.take()
        {
            match answer {
                Answer::Save => self.save_scene(path, session),
                Answer::SaveAs => {
                    self.save_as_copy(&session.frame().scene.name);
                    self.ask(Purpose::SaveScene);
                }
                Answer::Cancel => {}
            }
        }
    }

    fn save_scene(&mut self, path: PathBuf, session: &mut SessionHandle) {
        let camera = self.camera;
        let scene = session.ask(crate::session::Session::scene_to_save);
        let name = session.frame().scene.name.clone();
        self.start(path.clone(), Written::Scene(name), move |_| {
            let mut scene =
                scene.recv().map_err(|_| "The session has ended.".to_owned())?.map_err(|e| e.to_string())?;
            scene.camera = camera
                .map(|seen| scene.camera.filter(|own| is_same(*own, seen)).unwrap_or_else(|| rounded(seen)))
                .or(scene.camera);
            writing::write_text(&path, &scene.to_ron_in(crate::documents::folder(&path)))
        });
    }

    pub(super) fn save_recording(&mut self, path: PathBuf, way: bool, session: &mut SessionHandle) {
        let recording = if way {
            session.record_way()
        } else {
            let recorded =
                session.ask(|session| session.recorded().ok_or_else(|| InputError::new("", "nothing was recorded")));
            session.watch(Watch { recording: false, ..session.watched() });
            recorded
        };
        self.start(path.clone(), Written::Recording, move |_| {
            let text = recording.recv().map_err(|_| "The session has ended.".to_owned())?;
            writing::write_text(&path, &text.map_err(|error| error.to_string())?)
        });
    }

    /// Writes the plots that were asked for, in the format that the ending of the file tells.
    pub(super) fn save_plot(&mut self, path: PathBuf, table: impl FnOnce() -> String) {
        let Some(figure) = self.figure.take() else { return };
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let bytes = match ending.to_str() {
            Some("svg") => figure.drawing().svg().into_bytes(),
            Some("csv") => table().into_bytes(),
            _ => figure.drawing().pdf(),
        };
        self.start(path.clone(), Written::Export, move |_| writing::write_bytes(&path, &bytes));
    }
}

/// Whether two views differ by no more than single precision and a camera that still eases towards
/// its place make them.
fn is_same(a: View, b: View) -> bool {
    a.from.distance(b.from).max(a.at.distance(b.at)) < 1e-4 * a.from.distance(a.at)
}

/// A view with no more digits than can be seen.
fn rounded(View { from, at }: View) -> View {
    let places = 10_f64.powf((1e4 / from.distance(at)).log10().floor());
    let round = |x: crate::sim::Vec3| (x * places).round() / places;
    View { from: round(from), at: round(at) }
}
