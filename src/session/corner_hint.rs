//! The offer to keep edges of colliders out of the cloth, once a corner is seen through it.

use super::{Command, Offer};
use crate::scene::Scalar;
use crate::sim::Simulation;
use crate::sim::contact::Intersections;

/// Steps from one look to the next.
const STEPS: u64 = 30;

/// When it is looked for a corner.
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
                command: Command::Set { key: "edges".to_owned(), value: Scalar::Toggle(true) },
            }
        })
    }
}
