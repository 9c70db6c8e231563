//! The present moment of a session, from which runs with other values of a parameter start while the session goes on.

use super::Session;
use crate::scene::{InputError, Scalar, Scene, set_parameter};
use crate::sim::{Checkpoint, Clock, Simulation};

/// A copy of the present moment.
#[derive(Debug, Clone)]
pub struct Present {
    checkpoint: Checkpoint,
    scene: Scene,
    clock: Clock,
}

impl Session {
    /// The present moment, to try something from there.
    #[must_use]
    pub fn present(&self) -> Present {
        let clock = self.simulation().clock;
        Present { checkpoint: self.simulation().checkpoint(), scene: self.scene(), clock }
    }
}

impl Present {
    /// The simulation that the session has after parameters, settings of the solver or the shape of
    /// the cloth were [set](super::Command::Set), by key and value, with the hand off the cloth.
    /// With another shape the cloth starts again, as it does there.
    ///
    /// # Errors
    /// [`InputError`] for what cannot be set.
    pub fn with(&self, changes: &[(&str, &str)]) -> Result<Simulation, InputError> {
        let mut simulation = Simulation::resume(&self.checkpoint);
        (simulation.clock, simulation.state.grab) = (self.clock, None);
        for (at, (key, value)) in changes.iter().enumerate() {
            let value = Scalar::Text((*value).to_owned());
            let is_set = set_parameter(&mut simulation, key, &value);
            if !is_set.map_err(|error| InputError::new("", error.to_string()))? {
                return self.rebuilt(&changes[at..], &changes[..at]);
            }
        }
        Ok(simulation)
    }

    /// The simulation of the scene with another shape.
    fn rebuilt(&self, shape: &[(&str, &str)], others: &[(&str, &str)]) -> Result<Simulation, InputError> {
        let mut scene = self.scene.clone();
        for (key, value) in others.iter().chain(shape) {
            scene.set(key, value)?;
        }
        let mut simulation = scene.build()?;
        simulation.clock = self.clock;
        Ok(simulation)
    }
}
