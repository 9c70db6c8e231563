//! One hand for all lanes: commands of the hand for the chosen lane are sent to the others,
//! commands of panels are not.

use std::sync::Arc;

use super::SessionHandle;
use crate::scene::IMAGE;
use crate::session::{Command, Frame, TimelineSummary};

impl SessionHandle {
    /// Sends commands of the hand to the other lanes.
    pub(super) fn tell_others(&mut self, command: &Command) {
        let is_urgent = command.effects().is_urgent;
        let pattern = Arc::clone(&self.frame().pattern);
        // the action that undo or redo concerns, and whether it was done in all lanes
        let next_of = |frame: &Frame| {
            let TimelineSummary { undo, redo, shared, .. } = &frame.timeline;
            match command {
                Command::Undo => Some((undo.clone(), shared[0])),
                Command::Redo => Some((redo.clone(), shared[1])),
                _ => None,
            }
        };
        let next = next_of(self.frame());
        if next.as_ref().is_some_and(|(_, shared)| !shared) {
            return;
        }
        for other in self.lanes.others_mut() {
            let frame = Arc::clone(&other.frame);
            if next_of(&frame) != next {
                continue;
            }
            let Some(command) = other.of_chosen.forward(command, &pattern, &frame.pattern) else { continue };
            if is_urgent {
                other.worker().cancel_ticks();
            }
            other.edit(command);
        }
    }

    /// Whether setting a parameter makes the cloth start again: it belongs to the construction of
    /// the cloth, and is no parameter or setting.
    #[must_use]
    pub fn starts_again(&self, key: &str) -> bool {
        let is_common = self.parameters().groups().any(|group| group.index_of(key).is_some());
        !is_common && self.solver().settings().index_of(key).is_none() && key != IMAGE
    }
}
