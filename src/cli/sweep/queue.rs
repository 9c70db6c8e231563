//! The runs of a sweep on all cores, each on one thread: as many at a time as there are threads,
//! from one queue.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use rayon::ThreadPoolBuilder;

use super::plan::SweepPlan;
use crate::cli::interruption::Interruption;
use crate::cli::output::{Failure, clock};
use crate::documents::SweepRow;
use crate::sim::params::quote::quote_within;
use crate::sim::study::run::End;
use crate::sim::study::sweep::measure_run;
use crate::sim::{Real, StepError};

/// Runs those of `pending`, counted from zero, on so many threads, and calls `done` with each
/// finished one. Cancelled runs are not reported.
///
/// # Errors
/// The error of `done`, after which no further run begins.
pub(super) fn run_all(
    plan: &SweepPlan,
    pending: &[usize],
    threads: usize,
    interruption: &Interruption,
    mut done: impl FnMut(SweepRow) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let work = |rows: &mpsc::Sender<SweepRow>| {
        while let Some(&run) = pending.get(next.fetch_add(1, Ordering::Relaxed)) {
            // after a failure the receiver is gone
            let Some(row) = row_of(plan, run, interruption) else { return };
            if rows.send(row).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, rows) = mpsc::channel();
        for _ in 0..threads.min(pending.len()) {
            // a step asks for its number of threads
            let alone = ThreadPoolBuilder::new().num_threads(1).build();
            let alone = alone.map_err(|error| Failure::Ran(format!("no thread can be started: {error}")))?;
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || alone.install(|| work(&sender)));
        }
        drop(sender);
        for row in rows {
            done(row).inspect_err(|_| interruption.call_off())?;
        }
        Ok(())
    })
}

/// The row of a run; none if it was called off.
fn row_of(plan: &SweepPlan, number: usize, interruption: &Interruption) -> Option<SweepRow> {
    if interruption.token().is_cancelled() {
        return None;
    }
    let built = plan.scene(number).and_then(|scene| Ok((plan.steps(&scene), scene.build()?)));
    let (measures, status) = match built {
        Ok((steps, mut simulation)) => {
            simulation.clock = clock();
            simulation.cancel = interruption.token();
            let outcome = measure_run(&mut simulation, steps, &plan.measures);
            let shown = |(value, timing): (&Option<Real>, bool)| match value {
                None => String::new(),
                Some(milliseconds) if timing => format!("{milliseconds:.4}"),
                Some(value) => value.to_string(),
            };
            let timings = plan.measures.iter().map(|measure| measure.is_timing());
            let time = outcome.time;
            let status = match outcome.end {
                End::Done => "ok".to_owned(),
                End::Cancelled => return None,
                End::Failed(StepError::Diverged(why)) => format!("diverged at t = {time:.4} s: {why}"),
                End::Failed(error) => format!("failed at t = {time:.4} s: {error}"),
            };
            (outcome.values.iter().zip(timings).map(shown).collect(), status)
        }
        // values that cannot be had together
        Err(error) => {
            (vec![String::new(); plan.measures.len()], format!("not begun: {}", quote_within(&error.to_string())))
        }
    };
    let values = plan.grid.values(number).into_iter().map(str::to_owned).collect();
    Some(SweepRow { run: number + 1, values, measures, status, command: plan.command(number) })
}
