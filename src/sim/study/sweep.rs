//! A run of a sweep: its steps and measures.

use std::ops::ControlFlow;

use super::run::{self, End};
use crate::sim::contact::Intersections;
use crate::sim::quantities::{Measure, Quantity, StepReading, Tally};
use crate::sim::{Real, Simulation, StepStats};

/// Result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The measures, in the order in which they were asked for, each in its unit; none where there
    /// is no such number.
    pub values: Vec<Option<Real>>,
    /// Simulated time at the end [s].
    pub time: Real,
    /// How it ended.
    pub end: End,
}

/// Takes `steps` steps, or as many as succeed, and measures.
pub fn measure_run(simulation: &mut Simulation, steps: u64, measures: &[&'static Measure]) -> Outcome {
    let mut last = StepStats::default();
    let mut tally = Tally::new(measures, &StepReading::new(simulation, &last));
    let end = run::run(simulation, steps, &mut run::always, |simulation, stats| {
        tally.follow(&StepReading::new(simulation, stats));
        last = *stats;
        ControlFlow::Continue(())
    });
    let time = simulation.time();
    let counts = measures.iter().any(|measure| measure.of.0 == Quantity::Intersections);
    let intersections = counts.then(|| {
        let mut search = Intersections::default();
        simulation.find_intersections(&mut search).iter().map(|pairs| pairs.len()).sum()
    });
    let failed_at = (end != End::Done).then_some(time);
    let reading = StepReading::new(simulation, &last).with_intersections(intersections).with_failure(failed_at);
    Outcome { values: tally.values(&reading), time, end }
}
