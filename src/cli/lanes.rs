//! `weft run --lane`: the same scene by several methods at once.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::interruption::Interruption;
use super::output::{Failure, clock, counting_bar, not_written, open_table, print};
use super::plotting::PlotFile;
use super::scene_args::{SceneArgs, read_commands};
use crate::documents::{Table, csv_header, csv_row};
use crate::scene::{InputError, LaneChanges, Scalar};
use crate::session::{Command, Frame, Lanes, Session, Stopped};
use crate::sim::Real;
use crate::sim::params::quote::quote;
use crate::sim::quantities::StepReading;
use crate::sim::study::correspondence::Distance;
use crate::sim::study::equal_cost::{Subject, equal_cost};
use crate::sim::study::jitter::jitter;

/// Arguments of a run of lanes.
pub(super) struct LaneRun<'a> {
    /// Common settings of all lanes.
    pub scene: &'a SceneArgs,
    /// Further settings of each lane, `key=value,...`.
    pub lanes: &'a [String],
    /// Number of ticks, each as long as the longest time step of a lane.
    pub steps: u64,
    pub from: Option<&'a str>,
    pub jitter: Option<u64>,
    pub commands: Option<&'a str>,
    pub csv: Option<&'a str>,
    /// Whether every lane is to cost as much as the first one.
    pub equal_cost: bool,
    pub plot: Option<&'a str>,
    /// The time on the clock that it may take [s], which `Interruption` looks after.
    pub timeout: Option<f64>,
}

impl LaneRun<'_> {
    /// Runs the lanes, and prints each result.
    ///
    /// # Errors
    /// Bad input, a lane that failed, a table that could not be written, the end of the time.
    pub fn run(&self, interruption: &Interruption) -> Result<(), Failure> {
        let sessions = self.lanes.iter().map(|lane| self.session(lane, interruption));
        let mut sessions = sessions.collect::<Result<Vec<_>, _>>()?;
        if self.equal_cost {
            self.equalise(&mut sessions)?;
        }
        let lanes = Lanes::new(sessions).ok_or_else(too_many_lanes)?;
        let mut lanes = lanes.with(read_commands(self.commands)?);
        let mut plot = self.plot.map(|file| PlotFile::new(file, self.lanes.len())).transpose()?;
        let mut table = self.csv.map(|file| open_table(file, &header())).transpose()?;
        let ended = self.take_ticks(&mut lanes, table.as_mut(), plot.as_mut());
        let written = table.map_or(Ok(()), Table::finish).map_err(|error| self.not_written(&error));
        let done = format!("{} of {} steps, t = {:.4} s", lanes.ticks(), self.steps, lanes.clock());
        // where one cannot be written, the other still is
        let plotted = plot.map_or(Ok(()), |plot| self.write_plot(plot, &lanes));
        match ended {
            Err(End::NotWritten(failure)) => return Err(failure),
            _ => written.and(plotted)?,
        }
        print(&self.summary(&lanes))?;
        match ended {
            Err(End::Stopped(Stopped::Command(error))) => {
                let place = format!("{}, tick {}", self.commands.unwrap_or_default(), lanes.ticks());
                Err(InputError::new(place, error.to_string()).into())
            }
            Err(End::Stopped(Stopped::Cancelled)) if interruption.is_by_user() => {
                Err(Failure::Interrupted(format!("interrupted after {done}; what was finished is written")))
            }
            Err(End::Stopped(Stopped::Cancelled)) => {
                let seconds = self.timeout.unwrap_or_default();
                Err(Failure::Ran(format!(
                    "the {seconds} s of --timeout are over after {done}; what was finished is written"
                )))
            }
            _ => self.judge(&lanes),
        }
    }

    fn session(&self, lane: &str, interruption: &Interruption) -> Result<Session, InputError> {
        let (scene, mut simulation) = lane_args(self.scene, lane)?.start(self.from)?;
        if let Some(seed) = self.jitter {
            jitter(&mut simulation, seed);
        }
        simulation.clock = clock();
        simulation.cancel = interruption.token();
        Ok(Session::new(scene, simulation))
    }

    /// Gives every lane the value of its work setting with which it costs as much as the first one,
    /// and tells it.
    fn equalise(&self, sessions: &mut [Session]) -> Result<(), Failure> {
        let subjects: Vec<Subject> = sessions.iter().map(|session| Subject::of(session.simulation())).collect();
        let found = equal_cost(&subjects, 0, &mut |_| ControlFlow::Continue(()))
            .map_err(|error| Failure::Ran(format!("--equal-cost: {error}")))?;
        for (number, (session, of_it)) in (1..).zip(sessions.iter_mut().zip(&found)) {
            let settings = quote(&self.lanes[number - 1]);
            let set: String = of_it.settings().map(|(param, value)| format!(", {}={value}", param.key)).collect();
            let shortfall = of_it.shortfall(&found[0]).map_or_else(String::new, |why| format!(", {why}"));
            print(&format!("lane {number}, {settings}{set}: {:.3} ms per step{shortfall}\n", 1e3 * of_it.step))?;
            for (param, value) in of_it.settings().filter(|_| number > 1) {
                session.apply(Command::Set { key: param.key.to_owned(), value: Scalar::Integer(value) });
            }
        }
        Ok(())
    }

    fn write_plot(&self, plot: PlotFile, lanes: &Lanes) -> Result<(), Failure> {
        let frames: Vec<Frame> = lanes.lanes().iter().map(|lane| lane.session().frame(0)).collect();
        plot.finish(&lanes.lanes()[0].session().scene(), &frames)
            .map_err(|error| not_written(self.plot.unwrap_or_default(), &error))
    }

    fn take_ticks(
        &self,
        lanes: &mut Lanes,
        mut table: Option<&mut Table>,
        mut plot: Option<&mut PlotFile>,
    ) -> Result<(), End> {
        let started = Instant::now();
        let mut bar = None;
        let mut take = || -> Result<(), End> {
            // once all have failed there is nothing to wait for
            while lanes.ticks() < self.steps && lanes.lanes().iter().any(|lane| lane.session().failure().is_none()) {
                if lanes.lanes()[0].session().simulation().cancel.is_cancelled() {
                    return Err(End::Stopped(Stopped::Cancelled));
                }
                lanes.tick().map_err(End::Stopped)?;
                if let Some(plot) = &mut plot {
                    note(lanes, plot);
                }
                if let Some(table) = &mut table {
                    self.write_rows(lanes, table).map_err(|error| End::NotWritten(self.not_written(&error)))?;
                }
                if started.elapsed() > Duration::from_secs(2) {
                    bar.get_or_insert_with(|| counting_bar(self.steps, "steps")).set_position(lanes.ticks());
                }
            }
            Ok(())
        };
        let ended = take();
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        ended
    }

    /// A row for each lane that has taken steps in the last tick.
    fn write_rows(&self, lanes: &Lanes, table: &mut Table) -> std::io::Result<()> {
        for (number, lane) in lanes.lanes().iter().enumerate() {
            let (stats, steps) = lane.last_tick();
            if steps == 0 {
                continue;
            }
            let distance = lanes.distance(number);
            let millimetres = |part: fn(&Distance) -> Real| {
                distance.as_ref().map_or_else(String::new, |distance| (1e3 * part(distance)).to_string())
            };
            let mut row = vec![(number + 1).to_string(), self.lanes[number].clone()];
            row.extend(csv_row(&StepReading::new(lane.session().simulation(), stats)));
            row.extend([millimetres(|distance| distance.root_mean_square), millimetres(|distance| distance.largest)]);
            table.push(&row)?;
        }
        Ok(())
    }

    fn summary(&self, lanes: &Lanes) -> String {
        let mut text = String::new();
        for (number, (lane, settings)) in lanes.lanes().iter().zip(self.lanes).enumerate() {
            let simulation = lane.session().simulation();
            let _ = write!(
                text,
                "lane {}, {}: {} steps, t = {:.4} s, {:.3} ms per step, largest stretch {:.2} %",
                number + 1,
                quote(settings),
                simulation.steps(),
                simulation.time(),
                1e3 * lane.seconds_per_step(),
                100.0 * simulation.largest_stretch()
            );
            if let Some(Distance { root_mean_square, largest, vertex }) = lanes.distance(number).filter(|_| number > 0)
            {
                let _ = write!(
                    text,
                    ", {:.3} mm from lane 1, at most {:.3} mm, at vertex {vertex}",
                    1e3 * root_mean_square,
                    1e3 * largest
                );
            }
            text.push('\n');
        }
        text
    }

    /// Whether all lanes came through.
    fn judge(&self, lanes: &Lanes) -> Result<(), Failure> {
        let fault = |(number, lane): (usize, &crate::session::Lane)| {
            let failure = lane.session().failure()?;
            let settings = quote(&self.lanes[number]);
            let number = number + 1;
            Some(format!("lane {number}, {settings}, failed at t = {:.4} s: {}", failure.time, failure.cause))
        };
        let faults: Vec<String> = lanes.lanes().iter().enumerate().filter_map(fault).collect();
        if faults.is_empty() {
            return Ok(());
        }
        let verdict = if self.equal_cost { "not comparable at equal cost: " } else { "" };
        Err(Failure::Ran(format!("{verdict}{}; its last good state was kept", faults.join("; "))))
    }

    fn not_written(&self, error: &std::io::Error) -> Failure {
        not_written(self.csv.unwrap_or_default(), error)
    }
}

/// Adds the steps of all lanes in the last tick to the plot.
fn note(lanes: &Lanes, plot: &mut PlotFile) {
    for (number, lane) in lanes.lanes().iter().enumerate() {
        let (stats, steps) = lane.last_tick();
        if steps > 0 {
            let distance = lanes.distance(number).filter(|_| number > 0);
            let now = StepReading::new(lane.session().simulation(), stats);
            plot.note(number, &now.with_distance(distance.map(|distance| distance.both())));
        }
    }
}

/// Why a run ended early.
enum End {
    Stopped(Stopped),
    NotWritten(Failure),
}

/// That there are more lanes than there may be.
pub(super) fn too_many_lanes() -> InputError {
    InputError::new("--lane", format!("there are at most {} lanes; leave some out", Lanes::MOST))
}

/// The arguments of a lane, `key=value,...`, where a solver counts before everything else.
pub(super) fn lane_args(common: &SceneArgs, lane: &str) -> Result<SceneArgs, InputError> {
    let LaneChanges { solver, set } =
        LaneChanges::parse(lane).map_err(|error| InputError::new(format!("--lane {lane}"), error.to_string()))?;
    let mut args = common.clone();
    args.solver = solver.map(str::to_owned).or(args.solver);
    args.set.extend(set.iter().map(|(key, value)| format!("{key}={value}")));
    Ok(args)
}

/// The lanes that were asked for: those that are named, or those that the scene comes with.
pub(super) fn lanes_asked_for(named: &[String], of_scene: bool, scene: &SceneArgs) -> Result<Vec<String>, InputError> {
    if !of_scene {
        return Ok(named.to_vec());
    }
    let scene = scene.load()?;
    let lanes = scene.all_lanes();
    if lanes.is_empty() {
        return Err(InputError::new(
            "--lanes",
            format!("the scene \"{}\" comes without lanes; name them by --lane", quote(&scene.name)),
        ));
    }
    Ok(lanes)
}

/// The columns of the table.
fn header() -> Vec<String> {
    let own = |names: [&str; 2]| names.map(str::to_owned);
    own(["lane", "settings"]).into_iter().chain(csv_header()).chain(own(["rms_mm", "largest_mm"])).collect()
}
