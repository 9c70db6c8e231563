//! "Report": the experiment in the window as one page, with all that was made of it.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::pictures::{camera_words, quantity_word};
use super::writing::{fault, write_text};
use super::{Appearance, Ended, Files, Written, draw_shots};
use crate::app::desk::{ReportPart, Reported};
use crate::app::session::SessionHandle;
use crate::app::task::Reporter;
use crate::app::view::paint_quantity::PaintQuantity;
use crate::documents::report::{Experiment, LaneRun, Machine, Pictures, Repetition};
use crate::scene::{CommandLine, InputError, Scene, View, shell};
use crate::session::{Frame, captions};

/// Size of the pictures of one lane, and of several [pixels].
const SIZES: [&str; 2] = ["960x600", "1200x520"];

/// An experiment without pictures, and what it lacks to be written.
struct Draft {
    experiment: Experiment,
    /// Arguments of the pictures beside lanes and times.
    look: Vec<String>,
    /// Number of actions by hand.
    actions: u64,
    /// The state, for the commands that continue from it.
    state: PathBuf,
}

impl Files {
    /// Writes the report, and the present state beside it, while time stands still.
    pub fn save_report(
        &mut self,
        path: PathBuf,
        session: &mut SessionHandle,
        parts: &[&dyn ReportPart],
        appearance: Appearance,
    ) {
        let resumes = !session.paused();
        if resumes {
            session.pause(true);
        }
        let scene = session.ask(|session| (session.scene_to_save(), session.snapshot().to_json()));
        let draft = Draft::of(session, parts, (appearance, self.camera), &path);
        self.start(path.clone(), Written::Export, move |reporter| {
            let (scene, state) = scene.recv().map_err(|_| "The session has ended.".to_owned())?;
            let draft = draft.map_err(|error| error.to_string())?;
            let scene = scene.map_err(|error| error.to_string())?;
            write_text(&draft.state, &state)?;
            draft.write(&scene, &path, reporter)
        });
        if let Some(job) = &mut self.job {
            job.resumes |= resumes;
        }
    }
}

impl Draft {
    /// The lanes as they are, the one first that the others are measured against.
    fn of(
        session: &SessionHandle,
        parts: &[&dyn ReportPart],
        (appearance, camera): (Appearance, Option<View>),
        path: &Path,
    ) -> Result<Self, InputError> {
        let mut lanes = session.lanes();
        lanes.sort_by_key(|lane| !lane.is_reference);
        let frames: Vec<&Frame> = lanes.iter().map(|lane| &**lane.frame).collect();
        let runs: Vec<LaneRun> =
            lanes.iter().zip(captions(&frames)).map(|(lane, name)| lane.frame.lane_run(name, Vec::new())).collect();
        let first = &runs[0].scene;
        let scenes: Vec<&Scene> = runs.iter().map(|run| &run.scene).collect();
        let state = path.with_extension("state.json");
        let file = shell(&state.file_name().unwrap_or_default().to_string_lossy());
        let machine = Machine::this(crate::gpu::choice::adapters().into_iter().next().map(|device| device.to_string()));
        let (size, one) = (SIZES[usize::from(runs.len() > 1)], runs.len() == 1);
        let mut look = vec!["--size".to_owned(), size.to_owned()];
        if appearance.quantity != PaintQuantity::default() {
            look.extend(["--paint".to_owned(), quantity_word(appearance.quantity)]);
        }
        look.extend(camera.filter(|_| one).into_iter().flat_map(|view| ["--camera".to_owned(), camera_words(view)]));
        let mut experiment = Experiment {
            defaults: Scene::load(&first.name).ok(),
            advice: None,
            stability: None,
            convergence: None,
            pictures: Pictures::default(),
            repetition: Repetition::of(&scenes, runs[0].steps, runs[0].time)?,
            lanes: runs,
            machine,
        };
        let slots: Vec<usize> = lanes.iter().map(|lane| lane.slot).collect();
        let about = Reported { frame: session.frame(), state: &file, slots: &slots };
        parts.iter().for_each(|part| part.add_to(&mut experiment, &about));
        experiment.repetition.remarks.extend(session.equal_cost_found().map(|found| found.text));
        Ok(Self { experiment, look, actions: session.frame().timeline.newest_action, state })
    }

    /// Draws the pictures in a copy that starts again, and writes the page.
    fn write(mut self, scene: &Scene, path: &Path, reporter: &Reporter<Ended>) -> Ended {
        self.remark(scene, path);
        let Self { experiment, look, .. } = &mut self;
        let end = experiment.lanes.iter().map(|lane| lane.time).fold(0.0, f64::max);
        let times = if end > 0.0 { vec![0.0, 0.5 * end, end] } else { vec![0.0] };
        let drawn = draw_shots(&experiment.repetition, &times, look, &mut |done| match reporter
            .tell(f64::from(done) / times.len() as f64)
        {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::ErrorKind::Interrupted.into()),
        });
        let at: Vec<String> = times.iter().map(f64::to_string).collect();
        let after: Vec<&str> = look.iter().map(String::as_str).chain(["--out", "pictures"]).collect();
        let command = experiment.repetition.line(&["render", "--times", &at.join(",")], &after);
        experiment.pictures = match drawn {
            Ok(shots) => Pictures { shots, lack: None, command },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(fault(path, &error)),
            Err(error) => {
                let lack = format!("The pictures could not be drawn: {error}.");
                Pictures { shots: Vec::new(), lack: Some(lack), command }
            }
        };
        write_text(path, &experiment.report().html())
    }

    /// Says what the commands leave out.
    fn remark(&mut self, scene: &Scene, path: &Path) {
        let remarks = &mut self.experiment.repetition.remarks;
        let missing = CommandLine::of(scene).map(|command| command.missing).unwrap_or_default();
        if !missing.is_empty() {
            remarks.push(format!("The commands leave out {}.", missing.join(" and ")));
        }
        if self.actions > 0 {
            remarks.push(format!(
                "{} in the window changed this run while it went on. The commands and the pictures start the scene \
                 again with its last values; the numbers and plots are of the run in the window.",
                if self.actions == 1 { "An action".to_owned() } else { format!("{} actions", self.actions) },
            ));
        }
        let beside = self.state.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let page = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        remarks.push(format!("The state of the first lane when {page} was written is in {beside}."));
    }
}
