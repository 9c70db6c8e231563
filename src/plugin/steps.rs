//! Steps under way, beside the game.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use bevy::prelude::*;

use super::run::{ClothRun, StepInputs, StepReport};

/// A cloth that comes back from its step.
pub(super) struct Arrival {
    pub cloth: Entity,
    /// Which of the runs that the cloth has had.
    pub generation: u64,
    /// None if it must not be used any more.
    pub run: Option<Box<ClothRun>>,
    pub report: StepReport,
}

/// The steps of all cloths that are under way. No system waits for them.
///
/// A step is a task in the pool of Rayon, whose threads also serve the step of a large cloth. The
/// [worker](crate::session::Worker) of a session is not used: its frames carry history, readouts
/// and measurements for panels, and a thread for each of twenty capes would be switched more often
/// than it steps. A cloth is moved into its task and back, so nothing is shared, and a large cloth
/// does not keep the others waiting.
#[derive(Resource)]
pub struct ClothSteps {
    sender: Sender<Arrival>,
    // a receiver is not `Sync`; it is only reached through `&mut`
    receiver: Mutex<Receiver<Arrival>>,
    arrived: Vec<Arrival>,
    under_way: usize,
    generations: u64,
}

impl Default for ClothSteps {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver: Mutex::new(receiver), arrived: Vec::new(), under_way: 0, generations: 0 }
    }
}

impl ClothSteps {
    /// Number of steps that have begun and not ended.
    #[must_use]
    pub fn under_way(&mut self) -> usize {
        self.receive();
        self.under_way
    }

    /// Waits until all steps that have begun have ended: for tests, and before a game is saved. The
    /// next tick takes their results.
    pub fn wait(&mut self) {
        while self.under_way > 0 {
            let receiver = self.receiver.get_mut().unwrap_or_else(PoisonError::into_inner);
            // a sender is kept here, so there is no other end
            let Ok(arrival) = receiver.recv() else { return };
            self.arrived.push(arrival);
            self.under_way -= 1;
        }
    }

    fn receive(&mut self) {
        let receiver = self.receiver.get_mut().unwrap_or_else(PoisonError::into_inner);
        let before = self.arrived.len();
        self.arrived.extend(receiver.try_iter());
        self.under_way -= self.arrived.len() - before;
    }

    /// A number for the run of a cloth that no other run has.
    pub(super) fn next_generation(&mut self) -> u64 {
        self.generations += 1;
        self.generations
    }

    /// Begins a step.
    pub(super) fn begin(&mut self, cloth: Entity, generation: u64, mut run: Box<ClothRun>, inputs: StepInputs) {
        let sender = self.sender.clone();
        self.under_way += 1;
        rayon::spawn(move || {
            let (report, usable) = run.step(inputs);
            // the game may have ended
            let _ = sender.send(Arrival { cloth, generation, run: usable.then_some(run), report });
        });
    }

    /// The cloths that have come back, by rising entity.
    pub(super) fn take(&mut self) -> Vec<Arrival> {
        self.receive();
        self.arrived.sort_by_key(|arrival| arrival.cloth);
        std::mem::take(&mut self.arrived)
    }
}
