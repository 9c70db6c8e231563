//! A cost of steps that is counted and not timed: the same on every machine, however busy it is.

use weft::sim::solver::Group;
use weft::sim::{Simulation, StepStats};

/// Updates of springs in a step, at 5 ns each [s].
pub fn work(simulation: &Simulation, stats: &StepStats) -> f64 {
    let solver = simulation.solver();
    // a linear system costs more than the springs
    let couples = matches!(solver.info().group, Group::Implicit | Group::ApproximateImplicit | Group::LocalGlobal);
    let passes = stats.substeps * solver.passes().max(if couples { 16 } else { 1 });
    5e-9 * f64::from(passes + stats.iterations) * simulation.pattern().springs().len() as f64
}
