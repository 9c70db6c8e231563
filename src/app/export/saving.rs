//! Saving: the scene, recordings and plots.

use std::path::PathBuf;

use super::{Files, Written, writing};
use crate::app::session::SessionHandle;
use crate::scene::{InputError, View};
use crate::session::Watch;

impl Files {
    pub(super) fn save_scene(&mut self, path: PathBuf, session: &mut SessionHandle) {
        let camera = self.camera;
        let scene = session.ask(crate::session::Session::scene_to_save);
        self.start(path.clone(), Written::Scene, move |_| {
            let mut scene =
                scene.recv().map_err(|_| "The session has ended.".to_owned())?.map_err(|e| e.to_string())?;
            scene.camera = camera
                .map(|seen| scene.camera.filter(|own| is_same(*own, seen)).unwrap_or_else(|| rounded(seen)))
                .or(scene.camera);
            writing::write_text(&path, &scene.to_ron_in(crate::scene::folder(&path)))
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
            Some("svg") => figure.svg().into_bytes(),
            Some("csv") => table().into_bytes(),
            _ => figure.pdf(),
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
