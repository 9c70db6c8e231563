//! A moment of a session, to go on from there as if nothing had happened since.

use std::sync::Arc;

use super::Session;
use super::ironing::Ironing;
use crate::scene::Scene;
use crate::sim::State;
use crate::sim::topology::cut_path::CutPath;

/// All that the future of a session depends on, but for what comes from outside.
#[derive(Debug)]
pub(super) struct Saved {
    pub state: State,
    scene: Arc<Scene>,
    defaults: Arc<Scene>,
    generation: u64,
    paused: bool,
    ironing: Ironing,
    knife: CutPath,
    hand_work: f64,
    air_work: f64,
}

impl Saved {
    /// Memory that it takes beside what it shares with others [bytes].
    pub fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<State>() + self.state.bytes()
    }
}

impl Session {
    /// The present moment.
    pub(super) fn saved(&self) -> Saved {
        Saved {
            state: self.simulation.state(),
            scene: Arc::clone(&self.shared.0),
            defaults: Arc::clone(&self.shared.1),
            generation: self.generation,
            paused: self.paused,
            ironing: self.ironing,
            knife: self.knife.clone(),
            hand_work: self.hand_work,
            air_work: self.air_work,
        }
    }

    /// Goes to a moment.
    pub(super) fn load(&mut self, saved: &Saved) {
        self.simulation.set_state(&saved.state);
        self.scene.clone_from(&saved.scene);
        self.defaults.clone_from(&saved.defaults);
        self.shared = (Arc::clone(&saved.scene), Arc::clone(&saved.defaults));
        self.generation = saved.generation;
        self.paused = saved.paused;
        self.ironing = saved.ironing;
        self.knife.clone_from(&saved.knife);
        (self.hand_work, self.air_work) = (saved.hand_work, saved.air_work);
        self.failure = None;
        self.stopped_by_failure = false;
        self.checkpoints.clear();
        self.forget_motion();
    }
}
