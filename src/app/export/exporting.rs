//! Exports: the cloth for other programs, pictures, tables, snapshots.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Appearance, Files, Kind, RecordedSpan, Written, pictures, recorder, writing};
use crate::app::desk::{Request, Shown};
use crate::app::plots::history::History;
use crate::app::session::SessionHandle;
use crate::app::view::paint_quantity::PaintQuantity;
use crate::documents::Moment;

impl Files {
    pub(super) fn export(&mut self, kind: Kind, path: PathBuf, shown: &mut Shown, appearance: Appearance) {
        let session = &mut *shown.session;
        let frame = session.frame().clone();
        let choice = self.choice;
        let moments = match choice.part {
            _ if !choice.is_motion(kind) => vec![recorder::moment(&frame).into()],
            RecordedSpan::All => self.recorder.all(&frame),
            RecordedSpan::Last => self.recorder.part(choice.seconds, choice.ago, &frame),
        };
        match kind {
            Kind::Mesh(format) => {
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
            Kind::Picture | Kind::Gif | Kind::Film => self.draw(kind, path, moments, session, appearance),
        }
    }

    /// Draws pictures while time stands still: drawing and stepping would wait for each other.
    fn draw(
        &mut self,
        kind: Kind,
        path: PathBuf,
        moments: Vec<Arc<Moment>>,
        session: &mut SessionHandle,
        appearance: Appearance,
    ) {
        let resumes = !session.paused();
        if resumes {
            session.pause(true);
        }
        let state = session.ask(|session| session.snapshot().to_json());
        let (camera, drawing) = (self.camera, Arc::default());
        let shown = Arc::clone(&drawing);
        let choice = self.choice;
        let inputs = session.frame().scene.files();
        let order = pictures::Order { path, inputs, moments, choice, kind, appearance, camera, drawing };
        self.start(order.path.clone(), Written::Export, move |reporter| {
            order.draw(state.recv().map_err(|_| "The session has ended.".to_owned())?, reporter)
        });
        if let Some(job) = &mut self.job {
            job.drawing = shown;
            job.resumes |= resumes;
        }
    }
}
