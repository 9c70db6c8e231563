//! "Report": the experiment in the window as one page, with all that was made of it.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::pictures::{camera_words, quantity_word};
use super::writing::{fault, write_text};
use super::{Appearance, Ended, Files, Written, draw_shots};
use crate::app::advice::Advisor;
use crate::app::compass::Compass;
use crate::app::convergence::Convergence;
use crate::app::plots::history::History;
use crate::app::session::SessionHandle;
use crate::app::task::Reporter;
use crate::app::view::paint_quantity::PaintQuantity;
use crate::documents::report::{
    AdviceStudy, CompassStudy, ConvergenceStudy, Experiment, LaneRun, Machine, Pictures, Repetition,
};
use crate::scene::{CommandLine, InputError, Scene, View, shell};
use crate::session::{Frame, captions};
use crate::sim::params::units::significant;
use crate::sim::quantities::{Numbers, Quantity};

/// Size of the pictures of one lane, and of several [pixels].
const SIZES: [&str; 2] = ["960x600", "1200x520"];

/// What the window has made of the experiment.
pub struct Made<'a> {
    /// The numbers of the run.
    pub history: &'a History,
    /// The measurements of solvers.
    pub advisor: &'a Advisor,
    /// The stability chart.
    pub compass: &'a Compass,
    /// The convergence of a step.
    pub convergence: &'a Convergence,
}

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
    pub(super) fn save_report(
        &mut self,
        path: PathBuf,
        session: &mut SessionHandle,
        made: &Made,
        appearance: Appearance,
    ) {
        let resumes = !session.paused();
        if resumes {
            session.pause(true);
        }
        let scene = session.ask(|session| (session.scene_to_save(), session.snapshot().to_json()));
        let draft = Draft::of(session, made, (appearance, self.camera), &path);
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
        made: &Made,
        (appearance, camera): (Appearance, Option<View>),
        path: &Path,
    ) -> Result<Self, InputError> {
        let mut lanes = session.lanes();
        lanes.sort_by_key(|lane| !lane.is_reference);
        let frames: Vec<&Frame> = lanes.iter().map(|lane| &**lane.frame).collect();
        let runs: Vec<LaneRun> = lanes
            .iter()
            .zip(captions(&frames))
            .map(|(lane, name)| lane.frame.lane_run(name, samples(made.history, lane.slot, lane.frame.time)))
            .collect();
        let first = &runs[0].scene;
        let state = path.with_extension("state.json");
        let file = shell(&state.file_name().unwrap_or_default().to_string_lossy());
        let machine = Machine::this(crate::gpu::choice::adapters().into_iter().next().map(|device| device.to_string()));
        let (size, one) = (SIZES[usize::from(runs.len() > 1)], runs.len() == 1);
        let mut look = vec!["--size".to_owned(), size.to_owned()];
        if appearance.quantity != PaintQuantity::default() {
            look.extend(["--paint".to_owned(), quantity_word(appearance.quantity)]);
        }
        look.extend(camera.filter(|_| one).into_iter().flat_map(|view| ["--camera".to_owned(), camera_words(view)]));
        let mut repetition = repetition(&runs, &frames)?;
        let advice = advice(made.advisor, session.frame(), &file);
        let measured = made.advisor.measured.as_ref().filter(|_| advice.is_some());
        if let Some(measured) = measured.filter(|measured| measured.time() != session.frame().time) {
            repetition.remarks.push(format!(
                "The solvers were measured from the state at t = {} s; the command measures them from that of this \
                 report.",
                significant(measured.time()),
            ));
        }
        let experiment = Experiment {
            defaults: Scene::load(&first.name).ok(),
            advice,
            stability: made.compass.chart(session.frame()).map(|chart| {
                let command = stability_command(first, &chart.1);
                CompassStudy { chart: chart.0, command }
            }),
            convergence: made.convergence.findings.as_ref().map(|findings| ConvergenceStudy {
                curves: findings.curves.clone(),
                time: findings.time,
                command: format!("weft bench --convergence --from {file} --iterations {}", made.convergence.iterations),
            }),
            pictures: Pictures::default(),
            lanes: runs,
            machine,
            repetition,
        };
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

/// The numbers of a lane up to a time [s].
fn samples(history: &History, slot: usize, end: f64) -> Vec<Numbers> {
    let Some(lane) = history.lanes().iter().find(|lane| lane.slot == slot) else { return Vec::new() };
    let own = lane.series.samples.iter().map(|own| own.numbers);
    own.filter(|own| own[Quantity::Time] <= end + 1e-9 && own[Quantity::Time] > 0.0).collect()
}

/// The commands that start the lanes again with their present values.
fn repetition(runs: &[LaneRun], frames: &[&Frame]) -> Result<Repetition, InputError> {
    if let [run] = runs {
        let common = CommandLine::of(&run.scene)?;
        return Ok(Repetition { common, lanes: Vec::new(), ticks: run.steps, remarks: Vec::new() });
    }
    let mut lanes = Vec::new();
    for run in runs {
        let lane = CommandLine::of(&run.scene)?.lane(&run.scene.solver);
        let message = "a value of a lane has a comma, which no command can name; rename the file";
        lanes.push(lane.ok_or_else(|| InputError::new(&run.name, message))?);
    }
    let tick = frames.iter().map(|frame| frame.parameters.timing.time_step).fold(1e-9, f64::max);
    let ticks = (runs[0].time / tick).round() as u64;
    Ok(Repetition { common: CommandLine::unchanged(&runs[0].scene.name), lanes, ticks, remarks: Vec::new() })
}

/// The measurements of the cloth in a frame, if there are any.
fn advice(advisor: &Advisor, frame: &Frame, state: &str) -> Option<AdviceStudy> {
    let measured = advisor.measured.as_ref().filter(|_| advisor.is_about(frame) && !advisor.study.is_running())?;
    let (budget, profile) = (advisor.budget, advisor.profile);
    let mut command = format!("weft advise --from {state} --budget {} --profile {}", 1e3 * budget, profile.name);
    profile.changes().iter().for_each(|(key, value)| command += &format!(" --weight {key}={value}"));
    Some(AdviceStudy { findings: (*measured.findings).clone(), budget, profile, command, choice: None })
}

/// The command that charts the stability of a scene and of other solvers on it.
fn stability_command(scene: &Scene, solvers: &[&'static str]) -> String {
    let lane = |id: &&'static str| {
        let mut scene = scene.clone();
        scene.set_solver(id).ok()?;
        CommandLine::of(&scene).ok()?.lane(id)
    };
    let lanes = solvers.iter().filter_map(lane).collect();
    let common = CommandLine::unchanged(&scene.name);
    Repetition { common, lanes, ticks: 0, remarks: Vec::new() }.line(&["stability"], &["--chart", "stability.svg"])
}
