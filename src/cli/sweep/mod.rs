//! `weft sweep`: grids of parameters as independent runs.

mod array;
mod merge;
mod plan;
mod queue;
mod runs;
mod table;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Instant;

use clap::Args;

use super::interruption::Interruption;
use super::output::{Failure, counting_bar, print, timeout};
use super::scene_args::SceneArgs;
use super::targets::Targets;
use crate::documents::SweepSheet;
use crate::scene::InputError;
use crate::sim::params::quote::quote;
use crate::sim::quantities::MEASURES;
use crate::sim::study::grid::Shard;
use plan::{Length, SweepPlan};
use table::SweepTable;

const EXAMPLES: &str = "\
Examples:
  weft sweep --vary time_step=0.001:0.03:log:20 --steps 300 --out sweep.csv
  weft sweep --vary structural_stiffness=10:1e5:log:20 --vary solver=pbd,xpbd \\
    --seconds 2 --measure max_strain,energy,ms --out sweep.csv
  weft sweep ... --out sweep.csv                  again: what is in the file is not run again
  weft sweep ... --shard 3/64 --out part-3.csv    every 64th run, on the third of 64 machines
  weft sweep ... --shard auto --out part-$I.csv   the same in a job of an array of a batch system
  weft sweep --merge part-*.csv --out sweep.csv   all parts in one table, and what is missing
  weft sweep ... --runs 3,7-12 --out rest.csv     just these runs

Values: a list, 1,2,5; a range with equal differences, from:to:count; or one with equal ratios,
from:to:log:count. Numbers may have units, like 5 mm. Every value of each parameter meets every
value of the others; the parameter named last changes from run to run.

Columns: run; runs, how many the sweep has; sweep, the same in all of its rows; the parameters;
the measures; status, ok or what went wrong and when; the command that repeats the run. Rows come
as runs finish, and are in order at the end. Where a run failed, the measures are those of its
last good state. But for ms they are the same for any number of threads and shards.

Exit status 0: all runs are in the file, whatever the cloth did in them. 1: the file could not be
written, the time was over, or runs are missing or contradict each other in a --merge. 2: bad
input. 130: Ctrl+C. What was finished is in the file.";

/// The examples, and the measures that there are.
fn help() -> String {
    let mut text = format!("{EXAMPLES}\n\nMeasures:");
    for measure in MEASURES {
        let unit = if measure.unit().is_empty() { String::new() } else { format!(" [{}]", measure.unit()) };
        let _ = write!(text, "\n  {:<18} {}{unit}", measure.key, measure.help);
    }
    text
}

/// Run a scene with every combination of some values of parameters, on all cores, and write a row
/// for each run
#[derive(Args)]
#[command(after_help = help())]
pub(super) struct SweepArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// A parameter, or solver, fabric or mesh, with its values; as often as wanted
    #[arg(long, value_name = "KEY=VALUES", required_unless_present = "merge")]
    vary: Vec<String>,
    /// What to measure of each run; the list is below
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "max_strain,energy,ms")]
    measure: Vec<String>,
    /// Number of time steps of each run
    #[arg(long, value_name = "N", required_unless_present_any = ["merge", "seconds"], conflicts_with = "seconds")]
    steps: Option<u64>,
    /// Simulated time of each run instead of --steps, so that runs with different time steps end at
    /// the same time
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// The table; runs that are in it already are not run again
    #[arg(long, value_name = "FILE.csv")]
    out: String,
    /// Take the runs of one shard only, K of N: the runs K, K + N, K + 2 N and so on. In a job of an
    /// array "auto" is the shard of the job (Slurm, Grid Engine, LSF), and "auto/N" its shard of N
    /// (PBS, Torque and Kubernetes as well)
    #[arg(long, value_name = "K/N|auto|auto/N")]
    shard: Option<String>,
    /// Take these runs only
    #[arg(long, value_name = "NUMBER|FROM-TO,...", value_delimiter = ',', conflicts_with = "shard")]
    runs: Vec<String>,
    /// Number of runs at a time, each on one thread [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// End after so much time on the clock, with the runs that are finished by then
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Join the tables of shards instead, in the order of the runs
    #[arg(long, value_name = "FILE.csv", num_args = 1..,
        conflicts_with_all = ["vary", "measure", "steps", "seconds", "shard", "runs", "threads", "timeout", "scene", "solver", "set"])]
    merge: Vec<String>,
}

pub(super) fn sweep(args: &SweepArgs) -> Result<(), Failure> {
    if !args.merge.is_empty() {
        return merge::merge(&args.merge, &args.out);
    }
    let started = Instant::now();
    let time = args.timeout.map(timeout).transpose()?;
    let shard = args.shard.as_deref().map_or(Ok(Shard::ALL), read_shard)?;
    let length = match (args.steps, args.seconds) {
        (_, Some(seconds)) => Length::Seconds(seconds),
        (steps, None) => Length::Steps(steps.unwrap_or_default()),
    };
    Targets::default().reads("--scene", args.scene.scene.as_ref()).grows("--out", Some(&args.out)).check()?;
    let plan = SweepPlan::new(&args.scene, &args.vary, &args.measure, length)?;
    let wanted: Vec<usize> = match runs::numbers(&args.runs, plan.grid.runs())? {
        Some(runs) => runs.into_iter().collect(),
        None => shard.runs(plan.grid.runs()).collect(),
    };
    let mut table = SweepTable::open(&args.out, &plan)?;
    let known: BTreeSet<usize> = table.sheet.rows.iter().map(|row| row.run - 1).collect();
    let pending: Vec<usize> = wanted.iter().copied().filter(|run| !known.contains(run)).collect();

    let interruption = Interruption::listen(time.map(|time| time.saturating_sub(started.elapsed())));
    let threads = args.threads.map_or_else(rayon::current_num_threads, usize::from);
    let bar = counting_bar(wanted.len() as u64, "runs").with_position((wanted.len() - pending.len()) as u64);
    bar.reset_eta();
    let mut finished = 0;
    let ended = queue::run_all(&plan, &pending, threads, &interruption, |row| {
        table.push(row)?;
        finished += 1;
        bar.inc(1);
        Ok(())
    });
    bar.finish_and_clear();
    // finished runs are in order, whatever ended the sweep
    let sheet = table.finish();
    ended?;
    let sheet = sheet?;
    if finished == pending.len() {
        return print(&summary(&sheet, &wanted, wanted.len() - pending.len(), &args.out));
    }
    let there = wanted.len() - pending.len() + finished;
    let done = format!("{there} of {} runs, which are in {}; the same command goes on", wanted.len(), quote(&args.out));
    Err(match (interruption.is_by_user(), args.timeout) {
        (false, Some(seconds)) => Failure::Ran(format!("the {seconds} s of --timeout are over after {done}")),
        _ => Failure::Interrupted(format!("interrupted after {done}")),
    })
}

fn read_shard(text: &str) -> Result<Shard, InputError> {
    if let Some(shard) = array::shard_of_job(text, |name| std::env::var(name).ok()) {
        return shard;
    }
    Shard::parse(text).ok_or_else(|| {
        let message = "needs the form K/N, K from 1 to N, like 3/64, or auto in a job of an array";
        InputError::new(format!("--shard {text}"), message)
    })
}

/// What came of the runs that were `wanted`.
fn summary(sheet: &SweepSheet, wanted: &[usize], known: usize, out: &str) -> String {
    let wanted: BTreeSet<usize> = wanted.iter().map(|run| run + 1).collect();
    let fine = sheet.rows.iter().filter(|row| wanted.contains(&row.run) && row.status == "ok").count();
    let runs = if wanted.len() == 1 { "run" } else { "runs" };
    let mut text = format!("{} {runs}: {fine} ok", wanted.len());
    if fine < wanted.len() {
        let _ = write!(text, ", {} failed", wanted.len() - fine);
    }
    if known > 0 {
        let _ = write!(text, "; {known} of them were in {} already", quote(out));
    }
    text + "\n"
}
