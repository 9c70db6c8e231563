//! The last step, and the positions before it and before the steps before.

use std::collections::VecDeque;

use crate::sim::{Real, Simulation, StepStats, Vec3};

/// Most steps before a failure whose states are kept, and the memory that they may take [bytes].
pub(super) const REPLAYED: usize = 10;
const MEMORY: usize = 64 << 20;

/// The last step, for frames.
#[derive(Debug, Default)]
pub(super) struct LastStep {
    pub stats: StepStats,
    /// Positions before it [m].
    pub previous: Vec<Vec3>,
    /// Simulated time before it [s].
    pub previous_time: Real,
    /// Memory for positions before the step that is being taken.
    pub start: Vec<Vec3>,
    /// Positions before the steps before it [m], the oldest first.
    earlier: VecDeque<Vec<Vec3>>,
}

impl LastStep {
    /// Takes the step from `start` at a simulated `time` [s], which has succeeded. The memory of
    /// the oldest positions is used again.
    pub fn pass(&mut self, time: Real, stats: StepStats) {
        std::mem::swap(&mut self.previous, &mut self.start);
        (self.previous_time, self.stats) = (time, stats);
        let most = (MEMORY / size_of_val(&self.start[..]).max(1)).min(REPLAYED);
        self.earlier.push_back(std::mem::take(&mut self.start));
        while self.earlier.len() > most {
            self.start = self.earlier.pop_front().unwrap_or_default();
        }
    }

    /// Takes the present of a simulation, which was set rather than stepped to.
    pub fn forget(&mut self, simulation: &Simulation) {
        self.previous.clone_from(&simulation.state.cloth.positions);
        self.previous_time = simulation.time();
        self.stats = StepStats::default();
        self.earlier.clear();
    }

    /// Positions before the last steps [m], the oldest first.
    pub fn states(&self) -> impl Iterator<Item = &[Vec3]> {
        self.earlier.iter().chain([&self.previous]).map(|positions| &positions[..])
    }
}
