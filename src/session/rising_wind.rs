//! Wind that is turned on rises from a light breeze within two seconds of simulated time: no real
//! wind begins with 20 m/s at once.

use crate::sim::quote::number;
use crate::sim::{Real, Simulation};

/// How long it rises [s].
const DURATION: Real = 2.0;
/// The breeze that it begins with [m/s].
const BREEZE: Real = 1.5;

/// A wind that may still be rising.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RisingWind {
    /// Simulated time for which it rises [s].
    left: Real,
}

impl RisingWind {
    /// Begins.
    pub fn begin(&mut self) {
        self.left = DURATION;
    }

    /// Ends at once.
    pub fn end(&mut self) {
        self.left = 0.0;
    }

    /// For how long it rises [s].
    pub fn left(&self) -> Real {
        self.left
    }

    /// Why it cannot rise for so long [s], if it cannot.
    pub fn fault(left: Real) -> Option<String> {
        let possible = (0.0..=DURATION).contains(&left);
        (!possible).then(|| format!("wind rises for 0 to {DURATION} s, not for {} s", number(left)))
    }

    /// Lets it rise for so long [s].
    pub fn set_left(&mut self, left: Real) {
        self.left = left.clamp(0.0, DURATION);
    }

    /// Limits the wind of the next step, while it rises.
    pub fn blow(&self, simulation: &mut Simulation) {
        if self.left == 0.0 {
            return;
        }
        let speed = simulation.parameters.air.wind_speed;
        let least = if speed > BREEZE { BREEZE / speed } else { 1.0 };
        let t = 1.0 - self.left / DURATION;
        simulation.wind_share = least + (1.0 - least) * t * t * (3.0 - 2.0 * t);
    }

    /// A step of `step` [s] is over.
    pub fn rise(&mut self, simulation: &mut Simulation, step: Real) {
        simulation.wind_share = 1.0;
        self.left = (self.left - step).max(0.0);
    }
}
