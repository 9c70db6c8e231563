//! The run of an experiment: its lanes, their steps, and the commands that repeat it.

use std::time::{Duration, Instant};

use super::ReportArgs;
use crate::cli::interruption::Interruption;
use crate::cli::lanes::lane_args;
use crate::cli::output::{Failure, clock, counting_bar};
use crate::cli::scene_args::{SceneArgs, read_commands};
use crate::documents::report::{LaneRun, PLOTTED, Repetition};
use crate::scene::{CommandLine, InputError, Scene};
use crate::session::{Frame, Lanes, Session, Stopped, captions};
use crate::sim::quantities::{Numbers, Quantity, StepReading};
use crate::sim::{Real, Simulation};

/// What is run.
pub(super) struct Setup<'a> {
    args: &'a ReportArgs,
    /// Settings of each lane, `key=value,...`; none of a single one.
    lanes: Vec<String>,
    /// The arguments of each lane as a run of its own.
    pub each: Vec<SceneArgs>,
    /// Length of a tick [s], and number of ticks.
    tick: Real,
    ticks: u64,
    /// Simulated time at the start [s].
    start: Real,
}

impl<'a> Setup<'a> {
    pub fn of(args: &'a ReportArgs, lanes: Vec<String>) -> Result<Self, InputError> {
        let each: Vec<SceneArgs> = if lanes.is_empty() {
            vec![args.scene.clone()]
        } else {
            lanes.iter().map(|lane| lane_args(&args.scene, lane)).collect::<Result<_, _>>()?
        };
        if each.len() > Lanes::MOST {
            let message = format!("there are at most {} lanes; leave some out", Lanes::MOST);
            return Err(InputError::new("--lane", message));
        }
        let starts = each.iter().map(|lane| lane.start(args.from.as_deref()));
        let starts: Vec<(Scene, Simulation)> = starts.collect::<Result<_, _>>()?;
        let tick = starts.iter().map(|(_, it)| it.parameters.timing.time_step).fold(0.0, Real::max);
        // a duration that is off by rounding is that of whole ticks
        let ticks = args.steps.unwrap_or_else(|| (args.seconds / tick - 1e-6).ceil().max(1.0) as u64);
        let start = starts.iter().map(|(_, simulation)| simulation.time()).fold(0.0, Real::max);
        Ok(Self { args, lanes, each, tick, ticks, start })
    }

    /// A lane as it starts.
    pub fn start(&self, lane: usize) -> Result<(Scene, Simulation), InputError> {
        let (scene, mut simulation) = self.each[lane].start(self.args.from.as_deref())?;
        simulation.clock = clock();
        Ok((scene, simulation))
    }

    /// Times of the pictures from the start of the run [s].
    pub fn times(&self, args: &ReportArgs) -> Result<Vec<Real>, InputError> {
        let end = self.tick * self.ticks as Real;
        if args.times.is_empty() {
            return Ok(vec![0.0, 0.5 * end, end]);
        }
        if args.times.iter().any(|time| *time > end * (1.0 + 1e-6)) {
            let message =
                format!("a picture after the end of the run, which takes {end} s; raise --seconds or --steps");
            return Err(InputError::new("--times", message));
        }
        Ok(args.times.clone())
    }

    /// Runs all lanes, with the numbers of their steps.
    pub fn run(&self, interruption: &Interruption) -> Result<(Lanes, Vec<LaneRun>), Failure> {
        let mut sessions = Vec::new();
        for lane in 0..self.each.len() {
            let (scene, mut simulation) = self.start(lane)?;
            simulation.cancel = interruption.token();
            sessions.push(Session::new(scene, simulation));
        }
        let lanes = Lanes::new(sessions).ok_or_else(|| InputError::new("--lane", "needs a lane"))?;
        let mut lanes = lanes.with(read_commands(self.args.commands.as_deref())?);
        let samples = self.take_ticks(&mut lanes)?;
        let frames: Vec<Frame> = lanes.lanes().iter().map(|lane| lane.session().frame(0)).collect();
        let names = captions(&frames.iter().collect::<Vec<_>>());
        let runs = frames.iter().zip(samples).zip(names);
        let runs = runs.map(|((frame, samples), name)| frame.lane_run(name, samples)).collect();
        Ok((lanes, runs))
    }

    fn take_ticks(&self, lanes: &mut Lanes) -> Result<Vec<Vec<Numbers>>, Failure> {
        let mut samples = vec![Vec::new(); self.each.len()];
        let (started, mut bar) = (Instant::now(), None);
        while lanes.ticks() < self.ticks && lanes.lanes().iter().any(|lane| lane.session().failure().is_none()) {
            match lanes.tick() {
                Ok(()) => {}
                Err(Stopped::Cancelled) => return Err(interrupted()),
                Err(Stopped::Command(error)) => {
                    let place =
                        format!("{}, tick {}", self.args.commands.as_deref().unwrap_or_default(), lanes.ticks());
                    return Err(InputError::new(place, error.to_string()).into());
                }
            }
            for (number, samples) in samples.iter_mut().enumerate() {
                let lane = &lanes.lanes()[number];
                let (stats, steps) = lane.last_tick();
                if steps > 0 {
                    let distance = lanes.distance(number).filter(|_| number > 0);
                    let now = StepReading::new(lane.session().simulation(), stats)
                        .with_distance(distance.map(|distance| distance.both()));
                    let mut sample = Numbers::of(PLOTTED, &now);
                    // of a lane with several steps in a tick the mean
                    sample[Quantity::StepTime] /= f64::from(steps);
                    samples.push(sample);
                }
            }
            if started.elapsed() > Duration::from_secs(2) {
                bar.get_or_insert_with(|| counting_bar(self.ticks, "steps")).set_position(lanes.ticks());
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        Ok(samples)
    }

    /// The commands that repeat the run as it went.
    pub fn repetition(&self, ran: &Lanes) -> Repetition {
        let mut common = self.common();
        common.arguments.extend(self.args.commands.iter().flat_map(|file| ["--commands".to_owned(), file.clone()]));
        Repetition { common, lanes: self.lanes.clone(), ticks: ran.ticks(), remarks: Vec::new() }
    }

    /// The command line of a lane by itself.
    pub fn alone(&self, lane: usize) -> CommandLine {
        command_line(&self.each[lane], self.args.from.as_deref())
    }

    /// What the commands of all lanes have in common, but the commands of a script.
    pub fn common(&self) -> CommandLine {
        command_line(&self.args.scene, self.args.from.as_deref())
    }

    /// The arguments of the command.
    pub fn arguments(&self) -> &ReportArgs {
        self.args
    }

    /// Simulated time at the start [s].
    pub fn begins(&self) -> Real {
        self.start
    }
}

/// What the run says when the user ends it.
pub(super) fn interrupted() -> Failure {
    Failure::Interrupted("interrupted; no report is written".to_owned())
}

/// The arguments that name a scene, as a command has them.
pub(super) fn command_line(scene: &SceneArgs, from: Option<&str>) -> CommandLine {
    let mut arguments = Vec::new();
    let mut add = |option: &str, value: &str| arguments.extend([option.to_owned(), value.to_owned()]);
    from.iter().for_each(|file| add("--from", file));
    scene.scene.iter().for_each(|name| add("--scene", name));
    scene.solver.iter().for_each(|id| add("--solver", id));
    scene.set.iter().for_each(|set| add("--set", set));
    CommandLine { arguments, missing: Vec::new() }
}
