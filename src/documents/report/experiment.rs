//! An experiment: what was simulated, with which outcome, and the report of it.

use super::{Block, Machine, Report};
use crate::documents::StabilityChart;
use crate::scene::{CommandLine, InputError, Scene};
use crate::sim::Real;
use crate::sim::params::Setting;
use crate::sim::quantities::{Numbers, Quantity};
use crate::sim::solver_interface::{Capabilities, Info};
use crate::sim::step::timing::Rule;
use crate::sim::study::advice::{Findings, Profile};
use crate::sim::study::convergence::Curve;

/// All that is known of an experiment.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The scene as it comes, without changes; none if it cannot be loaded any more.
    pub defaults: Option<Scene>,
    /// The lanes, the reference first; at least one.
    pub lanes: Vec<LaneRun>,
    /// Pictures of the cloth.
    pub pictures: Pictures,
    /// The measurements of solvers, if they were made.
    pub advice: Option<AdviceStudy>,
    /// The stability chart, if it was made.
    pub stability: Option<CompassStudy>,
    /// The convergence of a step, if it was measured.
    pub convergence: Option<ConvergenceStudy>,
    /// The machine.
    pub machine: Machine,
    /// The commands that repeat the run.
    pub repetition: Repetition,
}

/// A run of a method.
#[derive(Debug, Clone)]
pub struct LaneRun {
    /// Its name in legends.
    pub name: String,
    /// The scene with its changes.
    pub scene: Scene,
    /// Its solver.
    pub solver: &'static Info,
    /// Capabilities of the solver with these settings.
    pub capabilities: Capabilities,
    /// The settings of the solver, in the order of their declaration.
    pub settings: Vec<Setting>,
    /// By which rule a step is made.
    pub rule: Rule,
    /// Number of vertices, and of triangles.
    pub counts: [usize; 2],
    /// Number of steps since the start.
    pub steps: u64,
    /// Simulated time [s].
    pub time: Real,
    /// Numbers of the steps, by rising time; of a long run a part of them.
    pub samples: Vec<Numbers>,
    /// Time [s] and cause of a blow-up.
    pub failure: Option<(Real, String)>,
}

/// Pictures of all lanes side by side.
#[derive(Debug, Clone, Default)]
pub struct Pictures {
    /// The pictures, by rising time.
    pub shots: Vec<Shot>,
    /// Why there are none, as a sentence, if there are none.
    pub lack: Option<String>,
    /// The command that draws them.
    pub command: String,
}

/// A picture of a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// Simulated time [s].
    pub time: Real,
    /// A PNG file.
    pub png: Vec<u8>,
}

/// Measurements of solvers, and for what they are judged.
#[derive(Debug, Clone)]
pub struct AdviceStudy {
    /// The measurements.
    pub findings: Findings,
    /// Most time per frame [s].
    pub budget: Real,
    /// What matters.
    pub profile: Profile,
    /// The command that repeats them.
    pub command: String,
    /// The command that runs the scene with the choice, if there is one.
    pub choice: Option<String>,
}

/// Where the methods are stable.
#[derive(Debug, Clone)]
pub struct CompassStudy {
    /// The chart, with a region per lane or solver.
    pub chart: StabilityChart,
    /// The command that repeats it.
    pub command: String,
}

/// Convergence of a step.
#[derive(Debug, Clone)]
pub struct ConvergenceStudy {
    /// The errors of the iterates of each method.
    pub curves: Vec<Curve>,
    /// Simulated time at which the step begins [s].
    pub time: Real,
    /// The command that repeats it.
    pub command: String,
}

/// The commands that repeat a run.
#[derive(Debug, Clone)]
pub struct Repetition {
    /// What the commands of all lanes have in common; for a single lane all of it.
    pub common: CommandLine,
    /// What each lane sets, `key=value,...`; none of a single one.
    pub lanes: Vec<String>,
    /// Number of steps of the first lane, or ticks of several.
    pub ticks: u64,
    /// What the commands leave out, in sentences.
    pub remarks: Vec<String>,
}

impl Repetition {
    /// The commands that start these scenes again, each a lane, with their present values, and go
    /// as far: so many `steps` of a single one, a `time` [s] in ticks of the longest time step
    /// otherwise.
    ///
    /// # Errors
    /// [`InputError`] when a scene does not exist any more, or a lane cannot be named.
    pub fn of(scenes: &[&Scene], steps: u64, time: Real) -> Result<Self, InputError> {
        let tick = scenes.iter().map(|scene| scene.parameters.timing.time_step).fold(1e-9, Real::max);
        let ticks = if scenes.len() == 1 { steps } else { (time / tick).round() as u64 };
        let commands = scenes.iter().map(|scene| CommandLine::of(scene)).collect::<Result<Vec<_>, _>>()?;
        let mut missing: Vec<&str> = Vec::new();
        for what in commands.iter().flat_map(|command| &command.missing) {
            if !missing.contains(what) {
                missing.push(what);
            }
        }
        let mut repetition =
            Self { common: CommandLine::unchanged(&scenes[0].name), lanes: Vec::new(), ticks, remarks: Vec::new() };
        if let [command] = &commands[..] {
            repetition.common = command.clone();
        } else {
            let message = "a value of a lane has a comma, which no command can name; rename the file";
            let lane = |(scene, command): (&&Scene, &CommandLine)| {
                command.lane(&scene.solver).ok_or_else(|| InputError::new(&scene.solver, message))
            };
            repetition.lanes = scenes.iter().zip(&commands).map(lane).collect::<Result<_, _>>()?;
        }
        repetition.common.missing = missing;
        Ok(repetition)
    }

    /// A command about all lanes: `weft`, `before`, what names them, `after`.
    #[must_use]
    pub fn line(&self, before: &[&str], after: &[&str]) -> String {
        let lanes = self.lanes.iter().flat_map(|lane| ["--lane", lane]);
        let after: Vec<&str> = lanes.chain(after.iter().copied()).collect();
        self.common.line(before, &after)
    }

    /// The run with a plot and a table.
    pub(super) fn run(&self) -> String {
        self.line(&["run", "--steps", &self.ticks.to_string()], &["--plot", "run.svg", "--csv", "run.csv"])
    }
}

/// The letter of a lane.
#[must_use]
pub fn lane_letter(lane: usize) -> char {
    char::from(b'A' + (lane % 26) as u8)
}

impl LaneRun {
    /// Letter and name where there are several lanes, else the name.
    pub(super) fn label(&self, lane: usize, of: usize) -> String {
        if of > 1 && !self.name.starts_with(&format!("{}: ", lane_letter(lane))) {
            format!("{}: {}", lane_letter(lane), self.name)
        } else {
            self.name.clone()
        }
    }

    /// The last sample up to a time [s].
    pub(super) fn sample_at(&self, time: Real) -> Option<&Numbers> {
        let count = self.samples.partition_point(|sample| sample[Quantity::Time] <= time + 1e-9);
        self.samples[..count].last()
    }
}

impl Experiment {
    /// Its report: the outcome first, then pictures and plots, the studies, the arrangement, and
    /// the commands that repeat all of it.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut blocks = self.outcome();
        blocks.extend(self.shown());
        blocks.extend(self.over_time());
        blocks.extend(self.studies());
        blocks.extend(self.arrangement());
        blocks.extend(self.solver_cards());
        blocks.push(Block::Heading("How to repeat it".to_owned()));
        blocks.push(Block::Paragraph(
            "Each table and each figure is repeated by the command below its number, in the folder with the files \
             that the scene names. Computing times belong to the machine and differ from run to run; all other \
             numbers are the same."
                .to_owned(),
        ));
        blocks.extend(self.repetition.remarks.iter().cloned().map(Block::Paragraph));
        blocks.push(Block::Table(super::Table::facts(self.machine.facts())));
        blocks.push(Block::Commands);
        Report { title: self.title(), blocks }
    }

    fn title(&self) -> String {
        let scene = &self.lanes[0].scene;
        let name = if scene.title.is_empty() { &scene.name } else { &scene.title };
        let mut solvers: Vec<&str> = Vec::new();
        for lane in &self.lanes {
            if !solvers.contains(&lane.solver.name) {
                solvers.push(lane.solver.name);
            }
        }
        format!("{name}: {}", listed(&solvers))
    }
}

/// Names in a row: "a", "a and b", "a, b and c".
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [name] => name.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}
