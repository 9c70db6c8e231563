//! `weft bench --to-error`: iterations and milliseconds to an error of the energy, method by
//! method.

use std::fmt::Write;
use std::ops::ControlFlow;

use serde_json::json;

use super::args::BenchArgs;
use crate::cli::output::{Failure, clock, median, print, print_json, share_bar};
use crate::scene::InputError;
use crate::sim::Real;
use crate::sim::study::convergence::methods;
use crate::sim::study::to_error::{Cost, to_error as measure};

const SCENES: [&str; 3] = ["hanging", "flag", "table"];
/// Steps before the first that is measured: a second, after which the cloths swing, flutter and
/// drape.
const MOTION: u32 = 60;
/// Ticks of the progress bar per scene and size.
const TICKS: u64 = 200;

/// Measurements of one scene at one size.
struct Measured {
    scene: String,
    size: u32,
    costs: Vec<Cost>,
}

/// Measures and prints all scenes and sizes, for the solvers `named`, or all that minimise.
pub(super) fn to_error(args: &BenchArgs, named: Option<&[String]>, pool: &rayon::ThreadPool) -> Result<(), Failure> {
    let all = methods();
    let solvers: Vec<&str> = named.map_or(all.clone(), |named| named.iter().map(String::as_str).collect());
    if let Some(id) = solvers.iter().find(|id| !all.contains(id)) {
        let message = format!("\"{id}\" minimises nothing; take some of {}", all.join(", "));
        return Err(InputError::new("--solvers", message).into());
    }
    if let Some(error) = args.errors.iter().find(|error| !(0.0..1.0).contains(*error) || **error == 0.0) {
        return Err(InputError::new("--errors", format!("{error} is not between 0 and 1")).into());
    }
    let scenes = match &args.scene.scene {
        Some(scene) => vec![scene.clone()],
        None => SCENES.map(str::to_owned).to_vec(),
    };
    let mut simulations = Vec::new();
    for scene in &scenes {
        for &size in &args.sizes {
            simulations.push((scene, size, args.live_scene(scene, size)?.build()?));
        }
    }

    let bar = share_bar(simulations.len() as u64 * TICKS);
    let mut measured = Vec::new();
    for (at, (scene, size, simulation)) in simulations.iter_mut().enumerate() {
        let failed = |message: String| Failure::Ran(format!("{scene} at {size}×{size}: {message}"));
        let mut tell = |share: Real| {
            bar.set_position(at as u64 * TICKS + (share * TICKS as Real) as u64);
            ControlFlow::Continue(())
        };
        let costs = pool.install(|| {
            for _ in 0..MOTION {
                simulation.step().map_err(|error| failed(error.to_string()))?;
            }
            simulation.clock = clock();
            measure(simulation, &solvers, &args.errors, args.steps, &mut tell)
                .map_err(|error| failed(error.to_string()))
        })?;
        let of_scene = Measured { scene: (*scene).clone(), size: *size, costs };
        if !args.json {
            // one by one: all of them take long
            let title =
                format!("iterations and milliseconds to an error of the energy, medians of {} steps\n", args.steps);
            let title = if at == 0 { title } else { String::new() };
            bar.suspend(|| print(&(title + &table(&of_scene, &args.errors))))?;
        }
        measured.push(of_scene);
    }
    bar.finish_and_clear();
    if args.json { print_json(&to_json(&measured)) } else { Ok(()) }
}

/// The median of the steps.
fn middle(values: &[Real]) -> Real {
    let mut sorted = values.to_vec();
    sorted.sort_by(Real::total_cmp);
    median(&sorted)
}

fn to_json(measured: &[Measured]) -> serde_json::Value {
    let finite = |value: Real| value.is_finite().then_some(value);
    let entry = |Measured { scene, size, .. }: &Measured, cost: &Cost| {
        json!({
            "solver": cost.solver.id,
            "acceleration": cost.acceleration,
            "scene": scene,
            "columns": size,
            "error": cost.error,
            "iterations": finite(middle(&cost.iterations)),
            "ms": finite(middle(&cost.milliseconds)),
        })
    };
    let all = measured.iter().flat_map(|measured| measured.costs.iter().map(move |cost| entry(measured, cost)));
    json!(all.collect::<Vec<_>>())
}

fn table(Measured { scene, size, costs }: &Measured, errors: &[Real]) -> String {
    let mut text = format!("\n{:<38}", format!("{scene}, {size}×{size}"));
    for error in errors {
        let _ = write!(text, " {:>17}", format!("{error:.0e}"));
    }
    for of_method in costs.chunks(errors.len()) {
        let name = format!("{} {}", of_method[0].solver.id, of_method[0].acceleration.unwrap_or_default());
        let _ = write!(text, "\n{name:<38}");
        for cost in of_method {
            let (iterations, ms) = (middle(&cost.iterations), middle(&cost.milliseconds));
            let shown = if iterations.is_finite() { format!("{iterations:.0} {ms:>9.3}") } else { "-".to_owned() };
            let _ = write!(text, " {shown:>17}");
        }
    }
    text + "\n"
}
