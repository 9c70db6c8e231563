//! `weft stability`: the largest stiffness or time step that each method survives.

mod chart;
mod windows;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use super::interruption::Interruption;
use super::output::{Failure, print, print_json, share_bar};
use super::scene_args::SceneArgs;
use crate::documents::StabilityRow;
use crate::scene::{InputError, Scene};
use crate::sim::study::stability::{Criterion, Experiment, Finding, Vary};
use crate::sim::{Real, Simulation};
pub(super) use chart::survey;

const EXAMPLES: &str = "\
Examples:
  weft stability                                      table 1 of Kang beside our figures
  weft stability --solver jacobi-implicit             the rows of one solver
  weft stability --solver hybrid --set share=0.8      one solver with these settings
  weft stability --criterion folded                   folding counts as failure, too
  weft stability --vary step                          the longest time step instead
  weft stability --scene flag --solver xpbd           another cloth
  weft stability --windows windows.svg                steps beyond the period of a spring, Kang's figure 2
  weft stability --scene flag --chart flag.svg        all time steps and stiffnesses, as a picture
  weft stability --scene flag --lane solver=pbd --lane solver=symplectic-euler --chart flag.svg
                                                      the same of several methods";

/// Ticks of the progress bar per search.
const TICKS: u64 = 200;

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct StabilityArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// What is made larger until the method fails
    #[arg(long, value_name = "stiffness|step", default_value = "stiffness")]
    vary: String,
    /// What counts as failure: leaving a box of 20 m, or ending up folded, too
    #[arg(long, value_name = "box|folded", default_value = "box")]
    criterion: String,
    /// Draw for which time steps and stiffnesses a scene is stable, 300 steps from its start
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["vary", "criterion", "json"])]
    chart: Option<String>,
    /// Draw several methods in the chart, with these settings
    #[arg(long, value_name = "KEY=VALUE,...", requires = "chart")]
    lane: Vec<String>,
    /// Draw the chart from a snapshot instead of a scene
    #[arg(long, value_name = "SNAPSHOT", requires = "chart", conflicts_with = "scene")]
    from: Option<String>,
    /// Draw steps longer than the period of a spring at which the harmonic oscillator holds a pair
    #[arg(long, value_name = "FILE.svg|.pdf",
          conflicts_with_all = ["vary", "criterion", "chart", "scene", "solver"])]
    windows: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn stability(args: &StabilityArgs) -> Result<(), Failure> {
    if let Some(file) = &args.chart {
        return chart::chart(args, file);
    }
    if let Some(file) = &args.windows {
        return windows::windows(args, file);
    }
    let vary = Vary::parse(&args.vary).map_err(|message| InputError::new("--vary", message))?;
    let criterion = Criterion::parse(&args.criterion).map_err(|message| InputError::new("--criterion", message))?;
    let experiment = Experiment { vary, criterion, ..Experiment::default() };
    let mut rows = rows(&args.scene)?;
    if vary == Vary::Step {
        rows.iter_mut().for_each(|row| row.paper = None);
    }
    let mut simulations = Vec::new();
    for row in &rows {
        simulations.push(row.scene.build()?);
    }
    let name = match vary {
        Vary::Stiffness => "k_max",
        Vary::Step => "h_max",
    };
    let unit = if vary == Vary::Stiffness { "N/m" } else { "s" };
    if !args.json {
        let [limit, paper] = [format!("{name} [{unit}]"), if vary == Vary::Stiffness { "Kang" } else { "" }.to_owned()];
        print(&format!("{:<20} {:<20} {:>7} {limit:>14} {paper:>14}\n", "solver", "variant", "mass"))?;
    }
    let (_, last) = experiment.range();
    let tell = |row: usize, finding: Finding| if args.json { Ok(()) } else { print(&line(&rows[row], finding, last)) };
    let findings = search(&experiment, &mut simulations, &Interruption::listen(None), &tell)?;
    if args.json {
        let rows = rows.iter().zip(&findings).map(|(row, finding)| {
            json!({
                "solver": row.solver,
                "variant": row.variant,
                "mass": row.mass,
                name: limit(*finding),
                "paper": row.paper,
                "interrupted": *finding == Finding::Cancelled,
            })
        });
        print_json(&json!({ "rows": rows.collect::<Vec<_>>() }))?;
    }
    end(&findings)
}

/// The line of a row, with the end of the scan `last`.
fn line(row: &StabilityRow, finding: Finding, last: Real) -> String {
    let ours = match finding {
        Finding::Limit(value) => significant(value),
        Finding::NoLimit => format!("> {last:.0e}"),
        Finding::Cancelled => "interrupted".to_owned(),
    };
    let paper = row.paper.map_or(String::new(), significant);
    format!("{:<20} {:<20} {:>7.3} {ours:>14} {paper:>14}\n", row.solver, row.variant, row.mass)
}

/// After an interruption what was found until then is printed, and the exit status says that it is
/// not all.
fn end(findings: &[Finding]) -> Result<(), Failure> {
    let left = findings.iter().filter(|finding| **finding == Finding::Cancelled).count();
    if left > 0 { Err(Failure::Interrupted(format!("interrupted: {left} rows were not finished"))) } else { Ok(()) }
}

/// The rows that the arguments ask for: those of table 1, or one solver with settings of one's own,
/// on the cloth of table 1 with both masses, or on another scene.
fn rows(args: &SceneArgs) -> Result<Vec<StabilityRow>, InputError> {
    let name = args.scene.as_deref().unwrap_or(Scene::TABLE_1);
    let scene = SceneArgs { scene: Some(name.to_owned()), ..args.clone() }.load()?;
    let base = Scene::load(name)?;
    let mut rows = scene
        .table_1(args.solver.as_deref(), name == Scene::TABLE_1 && scene.parameters.mass == base.parameters.mass)?;
    // the paper's figures are those of its own cloth
    let same_cloth = Scene { solver: base.solver.clone(), settings: base.settings.clone(), ..scene } == base;
    if !same_cloth {
        rows.iter_mut().for_each(|row| row.paper = None);
    }
    Ok(rows)
}

/// All searches, several at a time, with a progress bar. Each is told with its number as soon as it
/// and those before it are through. After Ctrl+C those that are not are called off.
fn search(
    experiment: &Experiment,
    simulations: &mut [Simulation],
    interruption: &Interruption,
    tell: &(dyn Fn(usize, Finding) -> Result<(), Failure> + Sync),
) -> Result<Vec<Finding>, Failure> {
    let bar = share_bar(simulations.len() as u64 * TICKS);
    let through = Mutex::new((0, vec![None; simulations.len()]));
    // in their order, so that the first are told first
    let told: Result<(), Failure> =
        simulations.iter_mut().enumerate().par_bridge().try_for_each(|(row, simulation)| {
            let ticked = AtomicU64::new(0);
            let tick = |share: Real| {
                let ticks = (share * TICKS as Real) as u64;
                // asked at every step, while the bar has a lock and few ticks
                let before = ticked.fetch_max(ticks, Ordering::Relaxed);
                if ticks > before {
                    bar.inc(ticks - before);
                }
            };
            let finding = experiment.search(simulation, &mut |share| {
                tick(share);
                if interruption.is_by_user() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            tick(1.0);
            let mut through = through.lock().unwrap_or_else(PoisonError::into_inner);
            let (next, findings) = &mut *through;
            findings[row] = Some(finding);
            while let Some(Some(finding)) = findings.get(*next) {
                bar.suspend(|| tell(*next, *finding))?;
                *next += 1;
            }
            Ok(())
        });
    bar.finish_and_clear();
    told?;
    Ok(through.into_inner().unwrap_or_else(PoisonError::into_inner).1.into_iter().flatten().collect())
}

fn limit(finding: Finding) -> Option<Real> {
    match finding {
        Finding::Limit(value) => Some(value),
        Finding::NoLimit | Finding::Cancelled => None,
    }
}

/// Four significant digits.
fn significant(value: Real) -> String {
    if value == 0.0 {
        return "none".to_owned();
    }
    if (1e-4..1e6).contains(&value) {
        let digits = (3 - value.log10().floor() as i32).max(0) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.3e}")
    }
}
