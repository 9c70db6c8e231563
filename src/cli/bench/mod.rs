//! `weft bench`: the cost of a step, of a factor and of contact, and the convergence of iterations.

mod args;
mod contact;
mod convergence;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "app")]
mod interface;
mod linear;
#[cfg(feature = "plugin")]
mod plugin;
mod scenes;
mod step;

pub(super) use args::BenchArgs;
pub(super) use convergence::measure as measure_convergence;

use std::ops::RangeInclusive;
use std::time::Instant;

use super::output::Failure;
use crate::scene::InputError;
use crate::sim::Real;
use crate::sim::solvers::REGISTRY;

pub(super) fn bench(args: &BenchArgs) -> Result<(), Failure> {
    let args = &args.with_sizes();
    args.adapter.choose()?;
    let solvers: Vec<String> = match (&args.scene.solver, &args.solvers[..]) {
        (Some(solver), []) => vec![solver.clone()],
        (None, []) => REGISTRY.iter().map(|entry| entry.info.id.to_owned()).collect(),
        (_, named) => named.to_vec(),
    };
    let threads = args.threads.map_or_else(rayon::current_num_threads, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Ran(format!("{threads} threads cannot be started: {error}")))?;
    #[cfg(feature = "app")]
    if args.interface {
        return interface::interface(&args.sizes, args.json);
    }
    #[cfg(feature = "plugin")]
    if args.plugin {
        return plugin::plugin(args.json);
    }
    if args.gpu {
        #[cfg(feature = "gpu")]
        return gpu::gpu(args);
        #[cfg(not(feature = "gpu"))]
        return Err(InputError::new(
            "--gpu",
            "this build has no solvers on graphics devices; build it with the feature gpu",
        )
        .into());
    }
    if args.contact {
        return contact::contact(args, &pool);
    }
    if args.scenes {
        return scenes::scenes(args, &solvers, &pool);
    }
    if args.convergence || args.to_error {
        let chosen = args.scene.solver.is_some() || !args.solvers.is_empty();
        return convergence::convergence(args, chosen.then_some(&solvers[..]), &pool);
    }
    if args.linear {
        let solver = "fast-mass-spring";
        let scenes = args.sizes.iter().map(|&size| Ok((size, args.scene_of(solver, size)?)));
        return linear::linear(&scenes.collect::<Result<Vec<_>, InputError>>()?, &pool, args.json);
    }
    step::steps(args, &solvers, &pool)
}

/// Takes as many samples as there is time for within `budget` [s], but as many as `count` says at
/// least and at most.
fn repeat<T>(
    count: RangeInclusive<usize>,
    budget: Real,
    mut sample: impl FnMut() -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let started = Instant::now();
    let mut samples = Vec::new();
    while samples.len() < *count.start() || (samples.len() < *count.end() && started.elapsed().as_secs_f64() < budget) {
        samples.push(sample()?);
    }
    Ok(samples)
}
