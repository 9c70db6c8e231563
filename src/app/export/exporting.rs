//! Exports: the cloth for other programs, pictures, tables, snapshots.

use std::path::PathBuf;
use std::sync::Arc;

use super::recorder::{self, Recorder};
use super::{Appearance, Files, Kind, RecordedSpan, Written, pictures, writing};
use crate::app::desk::{Request, Shown};
use crate::app::plots::history::History;
use crate::app::session::{LaneView, SessionHandle};
use crate::app::view::paint_quantity::PaintQuantity;
use crate::documents::Moment;
use crate::scene::View;
use crate::session::{Frame, Session};

impl Files {
    pub(super) fn export(&mut self, kind: Kind, path: PathBuf, shown: &mut Shown, appearance: Appearance) {
        let session = &mut *shown.session;
        let frame = session.frame().clone();
        let choice = self.choice;
        let part = |recorder: &Recorder, frame: &Frame| match choice.part {
            _ if !choice.is_motion(kind) => vec![recorder::moment(frame).into()],
            RecordedSpan::All => recorder.all(frame),
            RecordedSpan::Last => recorder.part(choice.seconds, choice.ago, frame),
        };
        let chosen = session.chosen_lane();
        let mut moments = self.recorders.of_each(&session.lanes(), part);
        match kind {
            Kind::Mesh(format) => {
                let moments = moments.swap_remove(chosen);
                self.start(path.clone(), Written::Export, move |reporter| {
                    writing::write_mesh(format, &frame, &moments, &path, reporter)
                });
            }
            Kind::Table => {
                let table = shown.states.of::<History>().csv();
                self.start(path.clone(), Written::Export, move |_| writing::write_text(&path, &table));
            }
            Kind::Snapshot => {
                let json = session.ask(|session| session.snapshot().to_json());
                self.start(path.clone(), Written::Export, move |_| {
                    writing::write_text(&path, &json.recv().map_err(|_| "The session has ended.".to_owned())?)
                });
            }
            Kind::Report => shown.desk.requests.push(Request::WriteReport(path)),
            Kind::Picture | Kind::Gif | Kind::Film if appearance.quantity == PaintQuantity::Contact => {
                let mend = "paint it with something else, or copy the command that draws this picture";
                self.tell(format!("Contacts are not recorded; {mend}."), true);
            }
            Kind::Picture | Kind::Gif | Kind::Film => {
                let camera = self.camera.map(|camera| of_all_lanes(camera, shown, chosen, self.choice.size));
                let step = shown.view_state.lanes.step().filter(|_| moments.len() > 1);
                let look = pictures::Look { appearance, camera, step };
                self.draw(kind, path, moments, shown.session, look);
            }
        }
    }

    /// Draws pictures while time stands still: drawing and stepping would wait for each other.
    fn draw(
        &mut self,
        kind: Kind,
        path: PathBuf,
        moments: Vec<Vec<Arc<Moment>>>,
        session: &mut SessionHandle,
        look: pictures::Look,
    ) {
        let resumes = !session.paused();
        if resumes {
            session.pause(true);
        }
        let states = session.ask_all(|session: &Session| session.snapshot().to_json());
        let drawing = Arc::default();
        let shown = Arc::clone(&drawing);
        let choice = self.choice;
        let inputs = session.frame().scene.files();
        let failed_at = |lane: &LaneView| lane.frame.failure.as_ref().map(|failure| failure.time);
        let failed = session.lanes().iter().map(failed_at).collect();
        let order = pictures::Order { path, inputs, moments, failed, choice, kind, look, drawing };
        self.start(order.path.clone(), Written::Export, move |reporter| {
            let states: Result<_, _> = states.into_iter().map(|state| state.recv()).collect();
            order.draw(states.map_err(|_| "The session has ended.".to_owned())?, reporter)
        });
        if let Some(job) = &mut self.job {
            job.drawing = shown;
            job.resumes |= resumes;
        }
    }
}

/// The camera as seen from the first of several lanes, with as much to the left and right in a
/// picture of `size` [pixels] as the window shows.
fn of_all_lanes(camera: View, shown: &Shown, chosen: usize, size: [u32; 2]) -> View {
    let Some(step) = shown.view_state.lanes.step() else { return camera };
    let way = chosen as f64 * step.as_dvec3();
    let (width, height) = (f64::from(shown.view.width()), f64::from(shown.view.height()));
    let wider = if height > 0.0 { width / height * f64::from(size[1]) / f64::from(size[0]) } else { 1.0 };
    let away = (camera.from - camera.at) * wider.max(1.0);
    View { from: camera.at + away + way, at: camera.at + way }
}
