//! `weft stability --chart`: for which time steps and stiffnesses methods are stable, as a picture.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::StabilityArgs;
use crate::cli::interruption::Interruption;
use crate::cli::lanes::lane_args;
use crate::cli::output::{Failure, not_written, print, share_bar};
use crate::cli::targets::Targets;
use crate::documents::{ChartRegion, StabilityChart, write_whole};
use crate::scene::{InputError, Scene};
use crate::session::{Frame, Lanes, Session, captions};
use crate::sim::params::units::quantity;
use crate::sim::study::compass::{Chart, Region};
use crate::sim::{Real, Simulation};

/// Ticks of the progress bar per lane.
const TICKS: u64 = 200;

/// Writes the chart, and prints the longest stable step of each lane.
pub(super) fn chart(args: &StabilityArgs, file: &String) -> Result<(), Failure> {
    let targets = Targets::default().reads("--scene", args.scene.scene.as_ref()).reads("--from", args.from.as_ref());
    targets.whole("--chart", Some(file)).check()?;
    if !file.to_ascii_lowercase().ends_with(".svg") {
        return Err(InputError::new(file, "is no name of a chart; let it end in .svg").into());
    }
    let own = [args.scene.clone()];
    let lanes = args.lane.iter().map(|lane| lane_args(&args.scene, lane)).collect::<Result<Vec<_>, _>>()?;
    let lanes = if lanes.is_empty() { &own[..] } else { &lanes };
    if lanes.len() > Lanes::MOST {
        let message = format!("there are at most {} lanes; leave some out", Lanes::MOST);
        return Err(InputError::new("--lane", message).into());
    }
    let starts = lanes.iter().map(|lane| lane.start(args.from.as_deref())).collect::<Result<Vec<_>, _>>()?;
    let chart = survey(starts, &Interruption::listen(None))?;
    write_whole(Path::new(file), |out| out.write_all(chart.drawing().svg().as_bytes()))
        .map_err(|error| not_written(file, &error))?;
    let mut text = String::new();
    for ChartRegion { name, region, present, .. } in &chart.regions {
        let limit = chart.chart.longest_step(region, present[1]);
        let last = chart.chart.time_steps[1];
        let limit = match limit {
            None => "none".to_owned(),
            Some(limit) if limit >= last => format!("over {}", quantity(last, "s")),
            Some(limit) => quantity(limit, "s"),
        };
        let [step, stiffness] = [quantity(present[0], "s"), quantity(present[1], "N/m")];
        text += &format!("{name}: longest stable step {limit} at {stiffness}, set to {step}\n");
    }
    print(&text)
}

/// The regions of lanes at their start, in one chart. Without a clock every trial takes all its
/// steps, so the result is the same on any machine.
pub(in crate::cli) fn survey(
    lanes: Vec<(Scene, Simulation)>,
    interruption: &Interruption,
) -> Result<StabilityChart, Failure> {
    let title = lanes.first().map_or_else(String::new, |(scene, _)| scene.title.clone());
    let mut sessions: Vec<Session> =
        lanes.into_iter().map(|(scene, simulation)| Session::new(scene, simulation)).collect();
    let frames: Vec<Frame> = sessions.iter().map(|session| session.frame(0)).collect();
    let names = captions(&frames.iter().collect::<Vec<_>>());
    let charts = frames.iter().map(|frame| Chart::around(&frame.parameters.material, &frame.parameters.material));
    let whole = charts.reduce(|a, b| {
        let [[low, high], [other_low, other_high]] = [a.stiffnesses, b.stiffnesses];
        Chart { stiffnesses: [low.min(other_low), high.max(other_high)], ..a }
    });
    let chart = whole.ok_or_else(|| InputError::new("--lane", "needs a lane"))?;
    let bar = share_bar(sessions.len() as u64 * TICKS);
    let of = |session: &mut Session| -> ControlFlow<(), (Region, [Real; 2], &'static str)> {
        let simulation = session.simulation_mut();
        let (present, solver) = (Chart::present(simulation), simulation.solver().info().id);
        let told = AtomicU64::new(0);
        let mut progress = |share: Real| {
            let ticks = (share * TICKS as Real) as u64;
            let before = told.fetch_max(ticks, Ordering::Relaxed);
            if ticks > before {
                bar.inc(ticks - before);
            }
            if interruption.is_by_user() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let region = chart.survey(simulation, &mut progress, &mut |_| {})?;
        ControlFlow::Continue((region, present, solver))
    };
    let found: Vec<_> = sessions.par_iter_mut().map(of).collect();
    bar.finish_and_clear();
    let mut regions = Vec::new();
    for (name, found) in names.into_iter().zip(found) {
        match found {
            ControlFlow::Continue((region, present, solver)) => {
                regions.push(ChartRegion { solver, name, region, present });
            }
            ControlFlow::Break(()) => {
                return Err(Failure::Interrupted("interrupted before the chart was whole".to_owned()));
            }
        }
    }
    Ok(StabilityChart { title: format!("Stability, {title}"), chart, regions })
}
