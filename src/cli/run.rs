//! `weft run`: simulate without a window.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use super::adapter::AdapterArgs;
use super::exporting::{Export, ExportArgs};
use super::interruption::Interruption;
use super::intersections::IntersectionCheck;
use super::jittered::Runs;
use super::lanes::{LaneRun, lanes_asked_for};
use super::output::{Failure, clock, counting_bar, not_written, open_table, print, report, timeout};
use super::plotting::{PlotFile, check_plot};
use super::scene_args::{SceneArgs, read_commands};
use super::targets::Targets;
use crate::documents::{Table, csv_header, csv_row, folder, write_obj, write_whole};
use crate::scene::{InputError, comment_lines_of};
use crate::session::{Autosave, Session};
use crate::sim::measure::ExampleWeights;
use crate::sim::quantities::StepReading;
use crate::sim::study::jitter::jitter;
use crate::sim::study::run::{End, run_by};
use crate::sim::{Real, Simulation, StepStats};

const EXAMPLES: &str = "\
Examples:
  weft run --steps 600 --scene table --obj draped.obj      drape a cloth, export the mesh
  weft run --steps 300 --scene flag --export flag.glb --fps 30
                                                           the motion as one animated glTF file
  weft run --steps 60 --set gravity=1.6 --save-scene moon.ron
                                                           the changes as a scene of your own
  weft run --steps 300 --csv run.csv                       energies, strain and times of every step
  weft run --steps 300 --plot run.pdf                      the same as a figure to print
  weft run --steps 100 --snapshot a.json                   stop half-way ...
  weft run --from a.json --steps 100 --snapshot b.json     ... and go on: the same bits as 200 steps at once
  weft run --steps 100000 --timeout 60 --snapshot a.json   as far as it gets in a minute
  weft run --steps 600 --record run.jsonl                  all that happened, for weft replay run.jsonl
  weft run --steps 300 --lane solver=pbd,iterations=5 --lane solver=xpbd --csv lanes.csv
                                                           two methods at once, with the distance between them
  weft run --steps 600 --check-intersections               prove that the cloth never goes through itself
  weft run --scene heap --steps 600 --check-intersections --runs 10 --set columns=81 --set rows=81
                                                           ... from ten starts that differ a little

When the time is over, or with Ctrl+C, SIGTERM or SIGHUP, the files are written with what was finished.
Exit status 0: fine. 1: it diverged, the cloth intersected itself (if that was checked), a file could not be written, or the time was
over. 2: bad input, or a file that cannot be written, before the first step. 130: Ctrl+C, SIGTERM or SIGHUP.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Number of time steps
    #[arg(long)]
    steps: u64,
    /// Continue from a snapshot instead of a scene
    #[arg(long, value_name = "SNAPSHOT", conflicts_with = "scene")]
    from: Option<String>,
    /// Write the final state
    #[arg(long, value_name = "FILE.json")]
    snapshot: Option<String>,
    /// Write the final shape as a mesh
    #[arg(long, value_name = "FILE.obj")]
    obj: Option<String>,
    #[command(flatten)]
    export: ExportArgs,
    /// Write the scene with all changes, what --commands pinned and moved included, as a scene file;
    /// a file with comments is not written over
    #[arg(long, value_name = "FILE.ron")]
    save_scene: Option<String>,
    /// Write a row per step: time, energies, largest strain, intersections if they are checked,
    /// milliseconds per stage
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<String>,
    /// Write a figure of energies, largest stretch and time per step over the simulated time, of
    /// lanes a curve each with the distance to the first one
    #[arg(long, value_name = "FILE.svg|.pdf")]
    plot: Option<String>,
    /// Count the pairs of triangles that intersect, exactly, at the start and after every step;
    /// touching counts. The last line is the largest count, "intersections: N"
    #[arg(long)]
    check_intersections: bool,
    /// Start from positions that differ a little from those of the scene, each vertex by up to a
    /// hundredth of an edge length, by this seed
    #[arg(long, value_name = "SEED", conflicts_with = "from")]
    jitter: Option<u64>,
    /// Run the scene so many times from jittered starts, with the seeds 1, 2 and so on, or from
    /// that of --jitter on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
          conflicts_with_all = ["from", "snapshot", "obj", "export", "save_scene", "csv", "plot", "commands", "record", "autosave"])]
    runs: Option<u32>,
    /// Run the scene several times at once, with these solvers and parameters, up to four times.
    /// --csv has a row per lane and step with the distance to the first lane [mm]: the root of its
    /// mean square over the vertices, and the largest. A step is as long as the longest time_step
    /// of a lane; the others take as many of their own, and what is in between is interpolated.
    /// --commands act on all lanes, at the same vertices, or where the cloths differ at those that
    /// are nearest at rest
    #[arg(long, value_name = "KEY=VALUE,...",
          conflicts_with_all = ["runs", "snapshot", "obj", "export", "save_scene", "check_intersections", "record"])]
    lane: Vec<String>,
    /// Run the lanes that the scene comes with, as --lane does
    #[arg(long,
          conflicts_with_all = ["lane", "from", "runs", "snapshot", "obj", "export", "save_scene", "check_intersections", "record"])]
    lanes: bool,
    /// Give every lane the number of iterations, sweeps or substeps with which it costs as much
    /// time as the first one
    #[arg(long)]
    equal_cost: bool,
    /// End after so much time on the clock, with what is finished by then
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Apply commands at their ticks, one JSON object per line, like
    /// {"tick":30,"command":{"solver":{"id":"xpbd"}}}
    #[arg(long, value_name = "FILE.jsonl")]
    commands: Option<String>,
    /// Keep the state in a file while it runs, always whole, so that a run that was killed goes on
    /// with --from
    #[arg(long, value_name = "FILE.json")]
    autosave: Option<String>,
    /// At most how often that is written
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, requires = "autosave")]
    autosave_every: f64,
    /// Write all that happens, as it happens, with a hash of the state after every step, for "weft
    /// replay": what ends the run, whatever it is, leaves a recording up to there
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<String>,
}

pub(super) fn run(args: &RunArgs) -> Result<(), Failure> {
    let started = Instant::now();
    let timeout = args.timeout.map(timeout).transpose()?;
    args.adapter.choose()?;
    let targets = targets(args)?;
    targets.check()?;
    args.save_scene.as_deref().map_or(Ok(()), check_scene_file)?;
    if let Some(count) = args.runs {
        let runs =
            Runs { count, first_seed: args.jitter.unwrap_or(1), steps: args.steps, check: args.check_intersections };
        let scene = args.scene.load()?;
        return runs.run(&scene, &Interruption::listen(timeout));
    }
    let lanes = lanes_asked_for(&args.lane, args.lanes, &args.scene)?;
    if args.equal_cost && lanes.len() < 2 {
        return Err(InputError::new("--equal-cost", "needs two lanes or more; name them by --lane").into());
    }
    if lanes.is_empty() {
        return run_alone(args, &targets, timeout, started);
    }
    targets.spare(&args.scene.load()?.files())?;
    run_lanes(args, &lanes, timeout)
}

/// The files that are read and written.
fn targets(args: &RunArgs) -> Result<Targets<'_>, InputError> {
    let targets = Targets::default()
        .reads("--scene", args.scene.scene.as_ref())
        .reads("--from", args.from.as_ref())
        .reads("--commands", args.commands.as_ref())
        .whole("--snapshot", args.snapshot.as_ref())
        .whole("--obj", args.obj.as_ref())
        .whole("--save-scene", args.save_scene.as_ref())
        .grows("--csv", args.csv.as_ref())
        .whole("--plot", args.plot.as_ref())
        .grows("--record", args.record.as_ref())
        .again("--autosave", args.autosave.as_ref());
    args.plot.as_deref().map_or(Ok(()), check_plot)?;
    args.export.add_to(targets)
}

fn run_lanes(args: &RunArgs, lanes: &[String], timeout: Option<Duration>) -> Result<(), Failure> {
    let run = LaneRun {
        scene: &args.scene,
        lanes,
        steps: args.steps,
        from: args.from.as_deref(),
        jitter: args.jitter,
        commands: args.commands.as_deref(),
        csv: args.csv.as_deref(),
        equal_cost: args.equal_cost,
        plot: args.plot.as_deref(),
        timeout: args.timeout,
    };
    run.run(&Interruption::listen(timeout))
}

/// The session as it starts.
fn begin(args: &RunArgs) -> Result<Session, Failure> {
    let (scene, mut simulation) = args.scene.start(args.from.as_deref())?;
    if let Some(seed) = args.jitter {
        jitter(&mut simulation, seed);
    }
    simulation.clock = clock();
    let mut session = Session::new(scene, simulation).with(read_commands(args.commands.as_deref())?, |_| {});
    if let Some(file) = &args.autosave {
        let every = Duration::try_from_secs_f64(args.autosave_every)
            .map_err(|_| InputError::new("--autosave-every", "needs a number of seconds of at least 0"))?;
        session.keep_safe(Autosave::new(Path::new(file), every));
    }
    Ok(session)
}

fn run_alone(args: &RunArgs, targets: &Targets, timeout: Option<Duration>, started: Instant) -> Result<(), Failure> {
    let mut session = begin(args)?;
    let files = session.scene().files();
    targets.spare(&files)?;
    // before there is anything to be finished
    let interruption = Interruption::listen(timeout.map(|timeout| timeout.saturating_sub(started.elapsed())));
    let mut outputs = Outputs::open(args, &session, targets.inputs().chain(files).collect())?;
    if let Some(file) = &args.record {
        session.record_to(Path::new(file))?;
    }
    session.simulation_mut().cancel = interruption.token();

    let mut totals = Totals::default();
    let mut check = args.check_intersections.then(|| IntersectionCheck::begin(session.simulation()));
    let end = take_steps(&mut session, args.steps, &mut totals, |session, stats| {
        let intersections = check.as_mut().map(|check| check.count(session.simulation()));
        outputs.follow(session, stats, intersections)
    });

    // whatever ended the run, everything finished is written; faults of writing are reported first
    if let Some(fault) = session.device_fault() {
        report(fault);
    }
    let written = outputs.finish(&mut session);
    match end {
        End::Stopped(Stop::NotWritten(failure)) => return Err(failure),
        _ => written?,
    }
    if matches!(end, End::Done) {
        print(&summary(session.simulation(), &totals, started.elapsed()))?;
    }
    if let Some(check) = &check {
        print(&format!("intersections: {}\n", check.largest()))?;
    }
    judge(args, end, &session, totals.steps, &interruption)?;
    check.as_ref().map_or(Ok(()), IntersectionCheck::judge)
}

/// What the end of a run after so many `steps` means for the exit status.
fn judge(
    args: &RunArgs,
    end: End<Stop>,
    session: &Session,
    steps: u64,
    interruption: &Interruption,
) -> Result<(), Failure> {
    let simulation = session.simulation();
    let time = simulation.time();
    let done = format!("{steps} of {} steps, t = {time:.4} s; what was finished is written", args.steps);
    match end {
        End::Cancelled if interruption.is_by_user() => Err(Failure::Interrupted(format!("interrupted after {done}"))),
        End::Cancelled => {
            let seconds = args.timeout.unwrap_or_default();
            Err(Failure::Ran(format!("the {seconds} s of --timeout are over after {done}")))
        }
        End::Stopped(Stop::Command(message)) => {
            let file = args.commands.as_deref().unwrap_or_default();
            Err(InputError::new(file, format!("tick {}: {message}", session.ticks())).into())
        }
        End::Stopped(Stop::NotWritten(failure)) => Err(failure),
        End::Failed(error) => Err(Failure::Ran(session.describe_failure(&error))),
        End::Done => Ok(()),
    }
}

/// The files that a run writes while it goes on, and at its end.
struct Outputs<'a> {
    args: &'a RunArgs,
    export: Option<Export<'a>>,
    table: Option<Table>,
    plot: Option<PlotFile<'a>>,
}

impl<'a> Outputs<'a> {
    /// Opens those of a run that reads the files `inputs`.
    fn open(args: &'a RunArgs, session: &Session, inputs: Vec<PathBuf>) -> Result<Self, Failure> {
        let plot = args.plot.as_deref().map(|file| PlotFile::new(file, 1)).transpose()?;
        let export = args.export.begin(session, args.steps, inputs)?;
        let header = csv_header();
        let table = args.csv.as_ref().map(|file| open_table(file, &header)).transpose()?;
        Ok(Self { args, export, table, plot })
    }

    /// After a step, and the count of intersections if they are counted.
    fn follow(&mut self, session: &Session, stats: &StepStats, intersections: Option<usize>) -> Result<(), Failure> {
        let now = StepReading::new(session.simulation(), stats).with_intersections(intersections);
        if let Some(table) = &mut self.table {
            table.push(&csv_row(&now)).map_err(|error| failed(self.args.csv.as_deref(), &error))?;
        }
        if let Some(plot) = &mut self.plot {
            plot.note(0, &now);
        }
        self.export.as_mut().map_or(Ok(()), |export| export.follow(session))
    }

    /// Writes all of them; where one cannot be written, the rest still is.
    fn finish(self, session: &mut Session) -> Result<(), Failure> {
        let Self { args, export, table, plot } = self;
        let recorded = session.end_record_file().map_err(|error| Failure::Ran(error.to_string()));
        let plotted = plot.map_or(Ok(()), |plot| plot.finish(&session.scene(), &[session.frame(0)]));
        write_files(args, table, session)
            .and(plotted.map_err(|error| failed(args.plot.as_deref(), &error)))
            .and(recorded)
            .and(export.map_or(Ok(()), |export| export.finish(session)))
            .and(save_scene(args.save_scene.as_deref(), session))
    }
}

/// Why a run is stopped after a step.
enum Stop {
    /// A command of the script could not be carried out.
    Command(String),
    /// What belongs to a step could not be written.
    NotWritten(Failure),
}

/// What all steps did.
#[derive(Default)]
struct Totals {
    steps: u64,
    /// Number of steps whose work limit was reached.
    exhausted: u64,
    /// Number of steps whose motion was limited since there were too many self-collisions.
    limited: u64,
    /// Number of steps that did not converge.
    unconverged: u64,
}

impl Totals {
    fn note(&mut self, stats: &StepStats) {
        self.exhausted += u64::from(stats.exhausted > 0);
        self.limited += u64::from(stats.too_many_pairs > 0);
        self.unconverged += u64::from(stats.unconverged > 0);
    }
}

/// Takes `steps` steps, each followed by `report`, with a bar once they take more than two seconds.
fn take_steps(
    session: &mut Session,
    steps: u64,
    totals: &mut Totals,
    mut report: impl FnMut(&Session, &StepStats) -> Result<(), Failure>,
) -> End<Stop> {
    let started = Instant::now();
    let mut progress: Option<ProgressBar> = None;
    let cancel = session.simulation().cancel.clone();
    let mut warned = false;
    let mut go_on = || if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let ended = run_by(session, steps, &mut go_on, Session::tick, |session, stats| {
        totals.steps += 1;
        warn_of_autosave(session, &mut warned);
        if let Some(stop) = fault_of(session) {
            return ControlFlow::Break(End::Stopped(stop));
        }
        // while a script has stopped the time there is nothing to report
        if let Some(stats) = stats {
            totals.note(stats);
            if let Err(failure) = report(session, stats) {
                return ControlFlow::Break(End::Stopped(Stop::NotWritten(failure)));
            }
        }
        if progress.is_none() && started.elapsed() > Duration::from_secs(2) {
            progress = Some(counting_bar(steps, "steps"));
        }
        if let Some(bar) = &progress {
            bar.set_position(totals.steps);
        }
        ControlFlow::Continue(())
    });
    if let Some(bar) = progress {
        bar.finish_and_clear();
    }
    session.settle_autosave();
    warn_of_autosave(session, &mut warned);
    ended
}

/// Tells once that the state cannot be saved automatically, and once that it is again.
fn warn_of_autosave(session: &Session, warned: &mut bool) {
    match session.autosave_fault() {
        Some(fault) if !*warned => report(&format!("{fault}; the run continues, and saving is tried again")),
        None if *warned => report("the state is saved again"),
        _ => return,
    }
    *warned = !*warned;
}

/// What went wrong beside a step: a recording that cannot be written, a command that cannot be
/// carried out.
fn fault_of(session: &Session) -> Option<Stop> {
    if let Some(fault) = session.recording_fault() {
        return Some(Stop::NotWritten(Failure::Ran(fault.to_owned())));
    }
    // a command that cannot be carried out is bad input
    let message = session.message().filter(|message| session.device_fault() != Some(message));
    message.map(|message| Stop::Command(message.to_owned()))
}

/// Writes what was asked for; where something cannot be written, the rest still is.
fn write_files(args: &RunArgs, table: Option<Table>, session: &Session) -> Result<(), Failure> {
    let written = [
        (args.csv.as_deref(), table.map_or(Ok(()), Table::finish)),
        write(args.snapshot.as_deref(), |out| session.snapshot().write(out)),
        write(args.obj.as_deref(), |out| {
            let simulation = session.simulation();
            write_obj(&session.surface(), simulation.time(), &simulation.state.cloth.positions, out)
        }),
    ];
    written.into_iter().try_for_each(|(file, written)| written.map_err(|error| failed(file, &error)))
}

/// Writes `file`, if it is wanted.
fn write(
    file: Option<&str>,
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> (Option<&str>, std::io::Result<()>) {
    (file, file.map_or(Ok(()), |file| write_whole(Path::new(file), write)))
}

fn summary(simulation: &Simulation, totals: &Totals, elapsed: Duration) -> String {
    let energy = simulation.energy();
    // unknown numbers of the solver, such as an elastic energy, are a dash
    let known = |energy: Option<Real>| energy.map_or_else(|| "–".to_owned(), |energy| format!("{energy:.6}"));
    let mut text = format!(
        "{} steps, t = {:.4} s, {} vertices, {}\n\
         energy {} J (kinetic {:.6}, elastic {}, potential {:.6}), largest stretch {:.2} %\n\
         {:.3} s\n",
        simulation.steps(),
        simulation.time(),
        simulation.state.cloth.len(),
        simulation.solver().info().id,
        known(energy.total()),
        energy.kinetic,
        known(energy.elastic),
        energy.potential,
        100.0 * simulation.largest_stretch(),
        elapsed.as_secs_f64(),
    );
    for ExampleWeights { piece, mean } in simulation.solver().example_weights() {
        let weights: Vec<String> = mean.iter().map(|weight| format!("{weight:.3}")).collect();
        text += &format!("piece {}: weights of its examples {}\n", piece + 1, weights.join(", "));
    }
    if totals.exhausted > 0 {
        text += &format!(
            "{} of {} steps reached the work limit and ended with their last iterate; raise it with --set work_limit=…\n",
            totals.exhausted, totals.steps
        );
    }
    if totals.limited > 0 {
        text += &format!(
            "{} of {} steps had too many self-collisions: their motion was limited\n",
            totals.limited, totals.steps
        );
    }
    if totals.unconverged > 0 {
        text += &format!(
            "{} of {} steps did not converge: they continued with the best state found\n",
            totals.unconverged, totals.steps
        );
    }
    text
}

/// Refuses a file that is no scene, or whose comments would be lost, before any work is done for it.
fn check_scene_file(file: &str) -> Result<(), InputError> {
    if !file.to_ascii_lowercase().ends_with(".ron") {
        return Err(InputError::new(file, "is no name of a scene; let it end in .ron"));
    }
    let comments = comment_lines_of(Path::new(file));
    let Some(first) = comments.first() else { return Ok(()) };
    let message = match comments.len() {
        1 => "has a comment, which saving would remove".to_owned(),
        count => format!("has {count} comments, the first one here, which saving would remove"),
    };
    Err(InputError::new(format!("{file}, line {first}"), format!("{message}; name another file, or remove this one")))
}

/// Writes the scene, if it is wanted.
fn save_scene(file: Option<&str>, session: &Session) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    let text = session.scene_to_save()?.to_ron_in(folder(Path::new(file)));
    write_whole(Path::new(file), |out| out.write_all(text.as_bytes())).map_err(|error| failed(Some(file), &error))
}

fn failed(file: Option<&str>, error: &std::io::Error) -> Failure {
    not_written(file.unwrap_or_default(), error)
}
