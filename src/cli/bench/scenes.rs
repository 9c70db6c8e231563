//! `weft bench --scenes`: stretch, blow-ups and cost of solvers in the scenes that a newcomer
//! opens, with the settings that they have there.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use serde_json::{Value, json};

use super::args::BenchArgs;
use crate::cli::output::{Failure, clock, counting_bar, median, print, print_json};
use crate::scene::{InputError, Scene};
use crate::sim::solver_interface::{StepStage, StepStats};
use crate::sim::study::run::{End, always, run};
use crate::sim::{Real, Simulation, StepError};

/// The scenes, with their changes.
const SCENES: [(&str, &[(&str, &str)]); 5] = [
    (Scene::FIRST, &[]),
    ("mesh", &[("fabric", "silk"), ("air", "wind")]),
    ("skirt", &[]),
    ("table", &[("fabric", "cotton")]),
    ("flag", &[("wind_speed", "12")]),
];

/// Measurements of a solver in a scene.
struct SceneFigures {
    scene: String,
    solver: String,
    /// Medians of the milliseconds of a step, and of its contact.
    step_ms: Real,
    contact_ms: Real,
    /// Largest strain of a structural spring at any time, and in the end.
    largest: Real,
    last: Real,
    /// Most vertices that were held back in a step.
    truncated: u32,
    /// Why the steps ended early, if they did.
    ended: Option<String>,
}

/// Measures and prints `solvers` in all scenes, for so many steps.
pub(super) fn scenes(args: &BenchArgs, solvers: &[String], pool: &rayon::ThreadPool) -> Result<(), Failure> {
    let mut cloths = Vec::new();
    for (name, changes) in SCENES {
        for solver in solvers {
            cloths.push((caption(name, changes), scene(name, changes, solver)?));
        }
    }
    let bar = counting_bar(cloths.len() as u64, "measured");
    let mut rows = Vec::new();
    for (caption, scene) in cloths {
        let mut simulation = scene.build()?;
        rows.push(pool.install(|| measure(&mut simulation, caption, args.steps)));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        return print_json(&json!(rows.iter().map(to_json).collect::<Vec<_>>()));
    }
    print(&table(&rows, args.steps, pool.current_num_threads()))
}

fn scene(name: &str, changes: &[(&str, &str)], solver: &str) -> Result<Scene, InputError> {
    let mut scene = Scene::load(name)?;
    scene.set_solver(solver).map_err(|error| InputError::new("--solvers", error.to_string()))?;
    for (key, value) in changes {
        scene.set(key, value)?;
    }
    Ok(scene)
}

fn caption(name: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(name.to_owned(), |text, (key, value)| format!("{text} {key}={value}"))
}

fn measure(simulation: &mut Simulation, scene: String, steps: u32) -> SceneFigures {
    simulation.clock = clock();
    let mut measured: Vec<(Real, StepStats)> = Vec::new();
    let mut largest: Real = 0.0;
    let mut started = Instant::now();
    let end: End = run(simulation, u64::from(steps), &mut always, |simulation, stats| {
        measured.push((1e3 * started.elapsed().as_secs_f64(), *stats));
        largest = largest.max(simulation.largest_stretch());
        started = Instant::now();
        ControlFlow::Continue(())
    });
    let ended = match end {
        End::Failed(StepError::Diverged(_)) => Some("blows up".to_owned()),
        End::Failed(error) => Some(error.to_string()),
        End::Done | End::Cancelled => None,
    };
    let middle = |of: &dyn Fn(&(Real, StepStats)) -> Real| {
        let mut all: Vec<Real> = measured.iter().map(of).collect();
        all.sort_by(Real::total_cmp);
        if all.is_empty() { 0.0 } else { median(&all) }
    };
    let of_contact = [StepStage::Contact, StepStage::Detection, StepStage::Truncation];
    let contact = |(_, stats): &(Real, StepStats)| {
        of_contact.iter().map(|stage| 1e3 * stats.seconds[*stage as usize]).sum::<Real>()
    };
    SceneFigures {
        scene,
        solver: simulation.solver().info().id.to_owned(),
        step_ms: middle(&|(ms, _)| *ms),
        contact_ms: middle(&contact),
        largest,
        last: simulation.largest_stretch(),
        truncated: measured.iter().map(|(_, stats)| stats.truncated).max().unwrap_or(0),
        ended,
    }
}

fn to_json(row: &SceneFigures) -> Value {
    json!({
        "scene": row.scene,
        "solver": row.solver,
        "step_ms": row.step_ms,
        "contact_ms": row.contact_ms,
        "largest_stretch": row.largest,
        "last_stretch": row.last,
        "truncated": row.truncated,
        "ended": row.ended,
    })
}

fn table(rows: &[SceneFigures], steps: u32, threads: usize) -> String {
    let mut text = format!("milliseconds per step, median of {steps}, {threads} threads; stretch in per cent\n");
    for of_scene in rows.chunk_by(|a, b| a.scene == b.scene) {
        let _ = writeln!(text, "\n{}", of_scene[0].scene);
        let _ = writeln!(
            text,
            "{:<26} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "solver", "step", "contact", "at most", "last", "truncated"
        );
        for row in of_scene {
            let SceneFigures { solver, step_ms, contact_ms, largest, last, truncated, ended, .. } = row;
            let (most, last) = (100.0 * largest, 100.0 * last);
            let ended = ended.as_ref().map_or(String::new(), |why| format!("  {why}"));
            let _ = writeln!(
                text,
                "{solver:<26} {step_ms:>9.3} {contact_ms:>9.3} {most:>9.1} {last:>9.1} {truncated:>9}{ended}"
            );
        }
    }
    text
}
