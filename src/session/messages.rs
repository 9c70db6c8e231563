//! Messages of a session to its user.

use super::{Command, Offer};
use crate::scene::Scalar;
use crate::sim::Simulation;
use crate::sim::contact::{ContactSettings, Intersections};

/// What the last command and the last steps have to say.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Why the last command could not be executed, or another message on it.
    pub message: Option<String>,
    /// Parts of the opened files that were left out, joined or divided.
    pub note: Option<String>,
    /// Fault of a device, and the solver that continues.
    pub device_fault: Option<String>,
    /// The file that the last command to open one has opened.
    pub opened: Option<String>,
    pub offer: Option<Offer>,
    pub corner_hint: CornerHint,
}

impl Messages {
    /// Puts message, note and offer away.
    pub fn dismiss(&mut self) {
        (self.message, self.note, self.offer) = (None, None, None);
    }
}

/// Steps from one look to the next.
const STEPS: u64 = 30;

/// The offer to keep edges of colliders out of the cloth, once a corner is seen through it.
#[derive(Debug, Default)]
pub(super) struct CornerHint {
    /// The cloth for which it was offered.
    offered: Option<u64>,
    /// Whether the last search found a corner: one that slips through for a moment does not count.
    seen: bool,
}

impl CornerHint {
    /// Searches for a corner now and then. Returns an offer to keep it out, once for each cloth,
    /// which `generation` counts.
    pub fn look(&mut self, simulation: &Simulation, generation: u64) -> Option<Offer> {
        if self.offered == Some(generation) || !simulation.steps().is_multiple_of(STEPS) {
            return None;
        }
        let seen = simulation.is_pierced(&mut Intersections::default());
        let is_to_stay = std::mem::replace(&mut self.seen, seen) && seen;
        is_to_stay.then(|| {
            self.offered = Some(generation);
            Offer {
                reason: "A corner passes through the cloth between its vertices: only vertices are tested.".to_owned(),
                label: "Test edges as well".to_owned(),
                command: Command::Set { key: ContactSettings::edges.to_owned(), value: Scalar::Toggle(true) },
            }
        })
    }
}
