//! A moment of a session, to go on from there as if nothing had happened since.

use std::sync::Arc;

use super::ironing::Ironing;
use super::rising_wind::RisingWind;
use crate::scene::Scene;
use crate::sim::Checkpoint;
use crate::sim::topology::cut_path::CutPath;

/// All that the future of a session depends on, but for what comes from outside.
#[derive(Debug)]
pub(super) struct SessionState {
    pub checkpoint: Checkpoint,
    pub scene: Arc<Scene>,
    pub defaults: Arc<Scene>,
    pub generation: u64,
    pub paused: bool,
    pub ironing: Ironing,
    pub rising_wind: RisingWind,
    pub knife: CutPath,
    pub hand_work: f64,
    pub air_work: f64,
}

impl SessionState {
    /// Memory that it takes beside what it shares with others [bytes].
    pub fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<Checkpoint>() + self.checkpoint.bytes()
    }
}
