//! A simulation after a step, as [quantities](super::Quantity) read it.

use std::cell::OnceCell;

use super::Reading;
use crate::sim::measure::{Energy, Stretch};
use crate::sim::{Pattern, Real, Simulation, StepStats, Vec3};

/// A simulation and its last step; the rest where it is known.
pub struct StepReading<'a> {
    simulation: &'a Simulation,
    stats: &'a StepStats,
    intersections: Option<usize>,
    distance: Option<[Real; 2]>,
    failed_at: Option<Real>,
    energy: OnceCell<Energy>,
}

impl<'a> StepReading<'a> {
    /// Of a step that succeeded, alone.
    #[must_use]
    pub fn new(simulation: &'a Simulation, stats: &'a StepStats) -> Self {
        let (intersections, distance, failed_at) = Default::default();
        Self { simulation, stats, intersections, distance, failed_at, energy: OnceCell::new() }
    }

    /// With a count of intersections.
    #[must_use]
    pub fn with_intersections(self, intersections: Option<usize>) -> Self {
        Self { intersections, ..self }
    }

    /// With the distance to the first lane [m]: root of the mean square over the vertices, and the
    /// largest.
    #[must_use]
    pub fn with_distance(self, distance: Option<[Real; 2]>) -> Self {
        Self { distance, ..self }
    }

    /// With the time of a failure [s].
    #[must_use]
    pub fn with_failure(self, failed_at: Option<Real>) -> Self {
        Self { failed_at, ..self }
    }
}

impl Reading for StepReading<'_> {
    fn time(&self) -> Real {
        self.simulation.time()
    }

    fn steps(&self) -> u64 {
        self.simulation.steps()
    }

    fn pattern(&self) -> &Pattern {
        self.simulation.pattern()
    }

    fn positions(&self) -> &[Vec3] {
        &self.simulation.state.cloth.positions
    }

    fn fastest(&self) -> Option<Real> {
        Some(self.simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, Real::max))
    }

    fn stats(&self) -> &StepStats {
        self.stats
    }

    fn energy(&self) -> Energy {
        *self.energy.get_or_init(|| self.simulation.energy())
    }

    fn stretch(&self) -> Stretch {
        Stretch::of(self.pattern(), &self.simulation.parameters.material, self.positions())
    }

    fn intersections(&self) -> Option<usize> {
        self.intersections
    }

    fn distance(&self) -> Option<[Real; 2]> {
        self.distance
    }

    fn shortest_period(&self) -> Option<Real> {
        self.simulation.shortest_period()
    }

    fn substep_length(&self) -> Option<Real> {
        Some(self.simulation.substep_length())
    }

    fn failed_at(&self) -> Option<Real> {
        self.failed_at
    }
}
