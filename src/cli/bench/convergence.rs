//! `weft bench --convergence`: the error of every iterate of one step, as CSV.

use std::ops::ControlFlow;

use serde_json::json;

use super::args::BenchArgs;
use crate::cli::output::{Failure, clock, print, print_json, share_bar};
use crate::documents::{CONVERGENCE_HEADER, convergence_rows};
use crate::scene::InputError;
use crate::sim::study::convergence::{Curve, Study, methods};
use crate::sim::{Real, Simulation};

/// Steps before the one that is measured: half a second, in which the hanging cloth falls and
/// begins to swing.
const MOTION: u32 = 30;
/// Moves the cloth until then, unless another solver is asked for.
const MOVER: &str = "fast-mass-spring";
/// Ticks of the progress bar per size.
const TICKS: u64 = 200;

/// Measures and prints all sizes, for the solvers `named`, or all that minimise.
pub(super) fn convergence(args: &BenchArgs, named: Option<&[String]>, pool: &rayon::ThreadPool) -> Result<(), Failure> {
    let (all, body) = (methods(), args.body()?);
    // a body is moved by its own solver, and measured with that and the others that minimise its
    // energy
    let mut solvers: Vec<&str> = match &body {
        Some(body) => all.iter().copied().filter(|id| *id == body.solver).collect(),
        None => all.clone(),
    };
    if let Some(named) = named {
        for id in named {
            // an unknown name is told apart from a solver that does not minimise
            if body.is_none() && args.from.is_none() {
                args.scene_of(id, args.sizes[0])?;
            }
            if !all.contains(&id.as_str()) {
                let message = format!("\"{id}\" minimises nothing; take some of {}", all.join(", "));
                return Err(InputError::new("--solvers", message).into());
            }
        }
        solvers = named.iter().map(String::as_str).collect();
    }
    let mover = args.scene.solver.as_deref().unwrap_or(MOVER);
    let mut simulations = Vec::new();
    match body {
        _ if args.from.is_some() => simulations.push((None, args.scene.start(args.from.as_deref())?.1)),
        Some(body) => simulations.push((None, body.build()?)),
        None => {
            for &size in &args.sizes {
                simulations.push((Some(size), args.scene_of(mover, size)?.build()?));
            }
        }
    }

    let bar = share_bar(simulations.len() as u64 * TICKS);
    let mut measured = Vec::new();
    for (at, (size, simulation)) in simulations.iter_mut().enumerate() {
        let tell = |share: Real| bar.set_position(at as u64 * TICKS + (share * TICKS as Real) as u64);
        let curves = pool.install(|| {
            if args.from.is_none() {
                move_on(simulation)?;
            }
            measure(simulation, &solvers, args.iterations, &tell)
        });
        let place = size.map_or_else(|| "the cloth".to_owned(), |size| format!("{size}×{size}"));
        let curves = curves.map_err(|message| Failure::Ran(format!("{place}: {message}")))?;
        measured.extend(curves.into_iter().map(|curve| (*size, curve)));
    }
    bar.finish_and_clear();
    if args.json { print_json(&to_json(&measured)) } else { print(&to_csv(&measured)?) }
}

/// Takes the steps before the one that is measured.
fn move_on(simulation: &mut Simulation) -> Result<(), String> {
    (0..MOTION).try_for_each(|_| simulation.step().map(drop).map_err(|error| error.to_string()))
}

/// The curves of the next step of `simulation`.
pub(in crate::cli) fn measure(
    simulation: &mut Simulation,
    solvers: &[&str],
    iterations: u32,
    tell: &dyn Fn(Real),
) -> Result<Vec<Curve>, String> {
    simulation.clock = clock();
    let mut study = Study::of(simulation, solvers);
    let curves = study.measure(iterations, &mut |share| {
        tell(share);
        ControlFlow::Continue(())
    });
    curves.map_err(|error| error.to_string())
}

fn to_csv(measured: &[(Option<u32>, Curve)]) -> Result<String, Failure> {
    let failed = |error: &dyn std::error::Error| Failure::Ran(format!("the CSV cannot be written: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(CONVERGENCE_HEADER).map_err(|error| failed(&error))?;
    for (size, curve) in measured {
        for row in convergence_rows(curve, size.map(|size| [size; 2])) {
            writer.write_record(row).map_err(|error| failed(&error))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn to_json(measured: &[(Option<u32>, Curve)]) -> serde_json::Value {
    let points = |size: Option<u32>, curve: &Curve| -> Vec<serde_json::Value> {
        let entry = |point: &crate::sim::study::convergence::Point| {
            json!({
                "solver": curve.solver.id,
                "acceleration": curve.acceleration,
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
