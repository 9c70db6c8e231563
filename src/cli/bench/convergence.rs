//! `weft bench --convergence`: the error of every iterate of one step, as CSV; and with
//! `--to-error` iterations and milliseconds to an error of the energy, method by method.

use std::fmt::Write;
use std::ops::ControlFlow;

use indicatif::ProgressBar;
use serde_json::json;

use super::args::BenchArgs;
use crate::cli::output::{Failure, clock, median, print, print_json, share_bar};
use crate::documents::write_convergence;
use crate::scene::{InputError, Scene};
use crate::sim::study::convergence::{Cost, Curve, Study, cost_of_errors, methods};
use crate::sim::{Real, Simulation};

/// Steps before the one that is measured: half a second, in which the hanging cloth falls and
/// begins to swing.
const MOTION: u32 = 30;
/// Moves the cloth until then, unless another solver is asked for.
const MOVER: &str = "fast-mass-spring";
/// Scenes of `--to-error`, and steps before the first that is measured: a second, after which the
/// cloths swing, flutter and drape.
const SCENES: [&str; 3] = ["hanging", "flag", "table"];
const LONG_MOTION: u32 = 60;
/// Ticks of the progress bar per cloth.
const TICKS: u64 = 200;

/// The costs of errors on one scene at one size.
struct Measured {
    scene: String,
    size: u32,
    costs: Vec<Cost>,
}

/// Measures and prints all cloths, for the solvers `named`, or all that minimise.
pub(super) fn convergence(args: &BenchArgs, named: Option<&[String]>, pool: &rayon::ThreadPool) -> Result<(), Failure> {
    let all = methods();
    for id in named.into_iter().flatten() {
        // an unknown name is told apart from a solver that does not minimise
        Scene::default().set_solver(id)?;
        if !all.contains(&id.as_str()) {
            let message = format!("\"{id}\" minimises nothing; take some of {}", all.join(", "));
            return Err(InputError::new("--solvers", message).into());
        }
    }
    let named = named.map(|named| named.iter().map(String::as_str).collect());
    if args.to_error { costs(args, &named.unwrap_or(all), pool) } else { curves(args, named, all, pool) }
}

/// The errors of the iterates of one step of each cloth.
fn curves(
    args: &BenchArgs,
    named: Option<Vec<&str>>,
    mut all: Vec<&str>,
    pool: &rayon::ThreadPool,
) -> Result<(), Failure> {
    let mover = args.scene.solver.as_deref().unwrap_or(MOVER);
    let mut cloths = Vec::new();
    match args.body()? {
        _ if args.from.is_some() => cloths.push((None, args.scene.start(args.from.as_deref())?.1)),
        Some(body) => {
            // moved by its own solver, and measured with that and Newton's method on its energy
            all.retain(|id| *id == body.solver);
            cloths.push((None, body.build()?));
        }
        None => {
            for &size in &args.sizes {
                cloths.push((Some(size), args.scene_of(mover, size)?.build()?));
            }
        }
    }
    let solvers = named.unwrap_or(all);
    let motion = if args.from.is_some() { 0 } else { MOTION };
    let name = |size: &Option<u32>| size.map_or_else(|| "the cloth".to_owned(), |size| format!("{size}×{size}"));
    let of = |simulation: &mut Simulation, tell: &dyn Fn(Real)| {
        simulation.clock = clock();
        let study = if args.coordinates { Study::in_all_coordinates } else { Study::of };
        measure_study(&mut study(simulation, &solvers), args.iterations, tell)
    };
    let mut measured = Vec::new();
    each(cloths, motion, pool, name, of, |_, size, curves| {
        measured.extend(curves.into_iter().map(|curve| (size, curve)));
        Ok(())
    })?;
    if args.json { print_json(&to_json(&measured)) } else { print(&to_csv(&measured)?) }
}

/// The costs of errors on all scenes at all sizes.
fn costs(args: &BenchArgs, solvers: &[&str], pool: &rayon::ThreadPool) -> Result<(), Failure> {
    if let Some(error) = args.errors.iter().find(|error| !(0.0..1.0).contains(*error) || **error == 0.0) {
        return Err(InputError::new("--errors", format!("{error} is not between 0 and 1")).into());
    }
    let scenes = args.scene.scene.as_ref().map_or(SCENES.map(str::to_owned).to_vec(), |scene| vec![scene.clone()]);
    let mut cloths = Vec::new();
    for scene in &scenes {
        for &size in &args.sizes {
            cloths.push(((scene, size), args.live_scene(scene, size)?.build()?));
        }
    }
    let name = |(scene, size): &(&String, u32)| format!("{scene} at {size}×{size}");
    let of = |simulation: &mut Simulation, tell: &dyn Fn(Real)| {
        simulation.clock = clock();
        let costs = cost_of_errors(simulation, solvers, &args.errors, args.steps, &mut |share| {
            tell(share);
            ControlFlow::Continue(())
        });
        costs.map_err(|error| error.to_string())
    };
    let mut measured = Vec::new();
    each(cloths, LONG_MOTION, pool, name, of, |bar, (scene, size), costs| {
        let of_scene = Measured { scene: scene.clone(), size, costs };
        if !args.json {
            // one by one: all of them take long
            let title =
                format!("iterations and milliseconds to an error of the energy, medians of {} steps\n", args.steps);
            let title = if measured.is_empty() { title } else { String::new() };
            bar.suspend(|| print(&(title + &table(&of_scene, &args.errors))))?;
        }
        measured.push(of_scene);
        Ok(())
    })?;
    if args.json { print_json(&costs_to_json(&measured)) } else { Ok(()) }
}

/// Measures every cloth after so many steps, with a progress bar. `take` is given the results.
fn each<K, T: Send>(
    cloths: Vec<(K, Simulation)>,
    motion: u32,
    pool: &rayon::ThreadPool,
    name: impl Fn(&K) -> String,
    measure: impl Fn(&mut Simulation, &dyn Fn(Real)) -> Result<T, String> + Sync,
    mut take: impl FnMut(&ProgressBar, K, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let bar = share_bar(cloths.len() as u64 * TICKS);
    for (at, (cloth, mut simulation)) in cloths.into_iter().enumerate() {
        let found = pool.install(|| {
            (0..motion).try_for_each(|_| simulation.step().map(drop).map_err(|error| error.to_string()))?;
            let tell = |share: Real| bar.set_position(at as u64 * TICKS + (share * TICKS as Real) as u64);
            measure(&mut simulation, &tell)
        });
        let found = found.map_err(|message| Failure::Ran(format!("{}: {message}", name(&cloth))))?;
        take(&bar, cloth, found)?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// The curves of the next step of `simulation`.
pub(in crate::cli) fn measure(
    simulation: &mut Simulation,
    solvers: &[&str],
    iterations: u32,
    tell: &dyn Fn(Real),
) -> Result<Vec<Curve>, String> {
    simulation.clock = clock();
    measure_study(&mut Study::of(simulation, solvers), iterations, tell)
}

fn measure_study(study: &mut Study, iterations: u32, tell: &dyn Fn(Real)) -> Result<Vec<Curve>, String> {
    let curves = study.measure(iterations, &mut |share, _| {
        tell(share);
        ControlFlow::Continue(())
    });
    curves.map_err(|error| error.to_string())
}

fn to_csv(measured: &[(Option<u32>, Curve)]) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let curves = measured.iter().map(|(size, curve)| (size.map(|size| [size; 2]), curve));
    write_convergence(curves, &mut bytes)
        .map_err(|error| Failure::Ran(format!("the CSV cannot be written: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn to_json(measured: &[(Option<u32>, Curve)]) -> serde_json::Value {
    let points = |size: Option<u32>, curve: &Curve| -> Vec<serde_json::Value> {
        let entry = |point: &crate::sim::study::convergence::Point| {
            json!({
                "solver": curve.solver.id,
                "acceleration": curve.acceleration,
                "coordinates": curve.coordinates,
                "columns": size,
                "rows": size,
                "iteration": point.iteration,
                "milliseconds": 1e3 * point.seconds,
                "relative_error": point.distance,
                "relative_energy": point.energy,
            })
        };
        curve.points.iter().map(entry).collect()
    };
    json!(measured.iter().flat_map(|(size, curve)| points(*size, curve)).collect::<Vec<_>>())
}

/// The median of the steps.
fn middle(values: &[Real]) -> Real {
    let mut sorted = values.to_vec();
    sorted.sort_by(Real::total_cmp);
    median(&sorted)
}

fn costs_to_json(measured: &[Measured]) -> serde_json::Value {
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
