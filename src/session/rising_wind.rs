//! Wind that is turned on rises from a light breeze within two seconds of simulated time: no real
//! wind begins with 20 m/s at once.

use super::countdown::Countdown;
use crate::sim::{Real, Simulation};

/// How long it rises [s].
const DURATION: Real = 2.0;
/// The breeze that it begins with [m/s].
const BREEZE: Real = 1.5;

/// A wind that may still be rising.
#[derive(Debug, Clone, Copy)]
pub(super) struct RisingWind {
    /// For how long it rises.
    pub time: Countdown,
}

impl Default for RisingWind {
    fn default() -> Self {
        Self { time: Countdown::of(DURATION) }
    }
}

impl RisingWind {
    /// Why it cannot rise for so long [s], if it cannot.
    pub fn fault(left: Real) -> Option<String> {
        Self::default().time.fault("wind rises", left)
    }

    /// Limits the wind of the next step, while it rises.
    pub fn blow(&self, simulation: &mut Simulation) {
        if !self.time.is_on() {
            return;
        }
        let speed = simulation.parameters.air.wind_speed;
        let least = if speed > BREEZE { BREEZE / speed } else { 1.0 };
        let t = self.time.share();
        simulation.wind_share = least + (1.0 - least) * t * t * (3.0 - 2.0 * t);
    }

    /// A step of `step` [s] is over.
    pub fn rise(&mut self, simulation: &mut Simulation, step: Real) {
        simulation.wind_share = 1.0;
        self.time.pass(step);
    }
}
