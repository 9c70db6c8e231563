//! `weft run`: simulate without a window.

use std::fs::File;
use std::io::BufWriter;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, SceneArgs, check_output, print};
use crate::scene::{InputError, Snapshot, csv_header, csv_row, write_obj};
use crate::sim::Simulation;
use crate::sim::solver::Clock;

const EXAMPLES: &str = "\
Examples:
  weft run --steps 600 --scene table --obj draped.obj      drape a cloth, export the mesh
  weft run --steps 300 --csv run.csv                       energies, strain and times of every step
  weft run --steps 100 --snapshot a.json                   stop half-way ...
  weft run --from a.json --steps 100 --snapshot b.json     ... and go on: the same bits as 200 steps at once";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    #[command(flatten)]
    scene: SceneArgs,
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
    /// Write a row per step: time, energies, largest strain, milliseconds per stage
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<String>,
}

/// A clock for the times in step statistics.
pub(super) fn clock() -> Clock {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    Clock(|| START.elapsed().as_secs_f64())
}

pub(super) fn run(args: &RunArgs) -> Result<(), Failure> {
    for file in [&args.snapshot, &args.obj, &args.csv] {
        check_output(file.as_ref())?;
    }
    let (scene, mut simulation) = args.scene.start(args.from.as_deref())?;
    simulation.clock = clock();
    let mut csv = args.csv.as_deref().map(open_csv).transpose()?;

    let started = Instant::now();
    let mut progress: Option<ProgressBar> = None;
    let mut diverged = None;
    let mut unconverged = 0_u64;
    for done in 0..args.steps {
        match simulation.step() {
            Ok(stats) => {
                unconverged += u64::from(stats.unconverged > 0);
                if let Some(csv) = &mut csv {
                    csv.write_record(csv_row(&simulation, &stats)).map_err(|error| failed(&args.csv, &error))?;
                }
            }
            Err(error) => {
                diverged = Some(error);
                break;
            }
        }
        if progress.is_none() && started.elapsed() > Duration::from_secs(2) {
            progress = Some(bar(args.steps));
        }
        if let Some(bar) = &progress {
            bar.set_position(done + 1);
        }
    }
    if let Some(bar) = progress {
        bar.finish_and_clear();
    }

    if let Some(mut csv) = csv {
        csv.flush().map_err(|error| failed(&args.csv, &error))?;
    }
    if let Some(file) = &args.snapshot {
        let json = Snapshot::of(&scene, &simulation).to_json();
        std::fs::write(file, json).map_err(|error| failed(&args.snapshot, &error))?;
    }
    if let Some(file) = &args.obj {
        let write = |file: &str| write_obj(&simulation, BufWriter::new(File::create(file)?));
        write(file).map_err(|error| failed(&args.obj, &error))?;
    }
    if let Some(error) = diverged {
        let (solver, time) = (simulation.solver().info().id, simulation.time());
        return Err(Failure::Ran(format!(
            "{solver} failed at t = {time:.4} s: {error}; the state before that step was kept. \
             Try a smaller time_step, more substeps, or another solver"
        )));
    }
    print(&summary(&simulation, unconverged, started.elapsed()))
}

fn summary(simulation: &Simulation, unconverged: u64, elapsed: Duration) -> String {
    let unsolved = match unconverged {
        0 => String::new(),
        1 => "1 step did not converge: it went on with the best state that was found\n".to_owned(),
        many => format!("{many} steps did not converge: they went on with the best state that was found\n"),
    };
    let energy = simulation.energy();
    format!(
        "{} steps, t = {:.4} s, {} vertices, {}\n\
         energy {:.6} J (kinetic {:.6}, elastic {:.6}, potential {:.6}), largest stretch {:.2} %\n\
         {unsolved}{:.3} s\n",
        simulation.steps(),
        simulation.time(),
        simulation.cloth.len(),
        simulation.solver().info().id,
        energy.total(),
        energy.kinetic,
        energy.elastic,
        energy.potential,
        100.0 * simulation.largest_stretch(),
        elapsed.as_secs_f64(),
    )
}

fn open_csv(file: &str) -> Result<csv::Writer<File>, Failure> {
    let mut writer =
        csv::Writer::from_path(file).map_err(|error| InputError::new(file, format!("cannot be written: {error}")))?;
    writer.write_record(csv_header()).map_err(|error| Failure::Ran(format!("{file}: {error}")))?;
    Ok(writer)
}

fn failed(file: &Option<String>, error: &dyn std::error::Error) -> Failure {
    Failure::Ran(format!("{}: {error}", file.as_deref().unwrap_or_default()))
}

/// Shown on a terminal only; indicatif hides it elsewhere.
fn bar(steps: u64) -> ProgressBar {
    ProgressBar::new(steps).with_style(bar_style("steps"))
}

/// A bar that counts `what`.
pub(super) fn bar_style(what: &str) -> ProgressStyle {
    ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left"))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
