//! A moment of a session, to be continued as if nothing had happened since.

use std::sync::Arc;

use super::ironing::Ironing;
use super::rising_wind::RisingWind;
use crate::scene::Scene;
use crate::sim::Checkpoint;
use crate::sim::topology::cut_path::CutPath;

/// Everything that the session depends on, except input from outside.
#[derive(Debug)]
pub(super) struct SessionState {
    pub checkpoint: Checkpoint,
    pub scene: Arc<Scene>,
    pub defaults: Arc<Scene>,
    pub generation: u64,
    pub paused: bool,
    pub ironing: Ironing,
    pub rising_wind: RisingWind,
    pub cut_path: CutPath,
    pub hand_work: f64,
    pub air_work: f64,
}

impl SessionState {
    /// Memory without shared data [bytes].
    pub fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<Checkpoint>() + self.checkpoint.bytes()
    }
}
