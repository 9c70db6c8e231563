//! Wind that is turned on rises from a light breeze within two seconds of simulated time: no real
//! wind begins with 20 m/s at once.

use serde::{Deserialize, Serialize};

use super::countdown::Countdown;
use crate::sim::{Real, Simulation};

/// How long it rises [s].
const DURATION: Real = 2.0;
/// The breeze that it begins with [m/s].
const BREEZE: Real = 1.5;

/// A wind that may still be rising, by the remaining time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RisingWind(Countdown);

impl RisingWind {
    /// The wind begins to rise.
    pub(super) fn begin(&mut self) {
        self.0.begin(DURATION);
    }

    /// Why it cannot rise for so long, if it cannot.
    pub(super) fn fault(self) -> Option<String> {
        self.0.fault("wind rises", DURATION)
    }

    /// Limits the wind of the next step, while it rises.
    pub(super) fn blow(self, simulation: &mut Simulation) {
        if !self.0.is_on() {
            return;
        }
        let speed = simulation.parameters.air.wind_speed;
        let least = if speed > BREEZE { BREEZE / speed } else { 1.0 };
        let t = self.0.share(DURATION);
        simulation.wind_share = least + (1.0 - least) * t * t * (3.0 - 2.0 * t);
    }

    /// A step of `step` [s] is over.
    pub(super) fn rise(&mut self, simulation: &mut Simulation, step: Real) {
        simulation.wind_share = 1.0;
        self.0.pass(step);
    }
}
