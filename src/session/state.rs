//! State of a session beside its simulation.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use super::ironing::Ironing;
use super::rising_wind::RisingWind;
use crate::scene::{InputError, Scene};
use crate::sim::topology::cut_path::CutPath;
use crate::sim::{Checkpoint, Real, Simulation};

/// Everything that a session depends on, except its simulation and input from outside. Time line,
/// undo, recordings and replay keep and restore all of it: a new field is declared here, and
/// nowhere else. A field that older recordings lack gets its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionState {
    /// Where the cloth came from; the parameters in it are those of the start. A recording has it
    /// in its snapshot.
    #[serde(skip)]
    pub scene: Arc<Scene>,
    /// The scene as it was loaded, for resetting single parameters.
    #[serde(serialize_with = "Scene::serialize", deserialize_with = "shared")]
    pub defaults: Arc<Scene>,
    /// Whether time stands still.
    #[serde(default)]
    pub paused: bool,
    /// Whether the cloth is being ironed.
    #[serde(default)]
    pub ironing: Ironing,
    /// Whether the wind is still rising.
    #[serde(default)]
    pub rising_wind: RisingWind,
    /// The cut path, within a stroke.
    #[serde(default, rename = "knife")]
    pub cut_path: CutPath,
    /// Work that the hand has done since time zero [J].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hand_work: Real,
    /// Work that the air has done since time zero while that was watched [J].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub air_work: Real,
}

/// Zero is left out, so that programs that know no work read the file.
fn is_zero(work: &Real) -> bool {
    *work == 0.0
}

fn shared<'de, D: Deserializer<'de>>(file: D) -> Result<Arc<Scene>, D::Error> {
    Scene::deserialize(file).map(Arc::new)
}

impl SessionState {
    /// Whether it can belong to a cloth of so many vertices and triangles.
    ///
    /// # Errors
    /// [`InputError`] without a place, with the fault.
    pub(super) fn check(&self, [vertices, triangles]: [usize; 2]) -> Result<(), InputError> {
        self.defaults.check_parameters()?;
        let fault = self.cut_path.fault(vertices, triangles);
        let fault = fault.or_else(|| self.ironing.fault()).or_else(|| self.rising_wind.fault());
        fault.map_or(Ok(()), |message| Err(InputError::new("", message)))
    }
}

/// A session at one time, to be continued as if nothing had happened since.
#[derive(Debug)]
pub struct SessionCheckpoint {
    pub(super) simulation: Checkpoint,
    /// Number of the cloth.
    pub(super) generation: u64,
    pub(super) state: SessionState,
}

impl SessionCheckpoint {
    pub(super) fn of(simulation: &Simulation, generation: u64, state: &SessionState) -> Self {
        Self { simulation: simulation.checkpoint(), generation, state: state.clone() }
    }

    /// The simulation.
    #[must_use]
    pub fn simulation(&self) -> &Checkpoint {
        &self.simulation
    }

    /// The scene that the cloth came from.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.state.scene
    }

    /// Memory without shared data [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<Checkpoint>() + self.simulation.bytes()
    }
}
