//! One hand for all lanes: commands of the hand for the chosen lane are sent to the others,
//! commands of panels are not.

use std::sync::Arc;

use super::SessionHandle;
use crate::scene::IMAGE;
use crate::session::{Command, Frame, Scope, TimelineSummary};
use crate::sim::study::correspondence::Correspondence;

impl SessionHandle {
    /// Sends commands of the hand to the other lanes.
    pub(super) fn tell_others(&mut self, command: &Command) {
        let is_urgent = command.effects().is_urgent;
        // a lane that gets another cloth starts again, and the others with it
        let starts_again = matches!(command, Command::Set { key, .. } if self.starts_again(key));
        let command = if starts_again { &Command::Reset } else { command };
        if matches!(command.effects().scope, Scope::Chosen | Scope::Time) {
            return;
        }
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
            if is_urgent {
                other.worker().cancel_ticks();
            }
            if other.places.as_ref().is_none_or(|places| !places.is_of(&pattern, &frame.pattern)) {
                other.places = Some(Correspondence::between(&pattern, &frame.pattern));
            }
            if let Some(places) = &other.places {
                let command = command.within(places, &pattern, &frame.pattern);
                other.edit(command);
            }
        }
    }

    /// Whether setting a parameter makes the cloth start again: it belongs to the construction of
    /// the cloth, and is no parameter or setting.
    #[must_use]
    pub fn starts_again(&self, key: &str) -> bool {
        let is_common = self.parameters().groups().any(|group| group.index_of(key).is_some());
        !is_common && self.solver().settings().index_of(key).is_none() && key != IMAGE
    }

    /// Takes the others as far back as the chosen lane goes.
    pub(super) fn take_others_to(&mut self, step: u64) {
        let frame = Arc::clone(self.frame());
        let timeline = &frame.timeline;
        let back =
            timeline.len().saturating_sub(timeline.place_of(step)) as f64 * self.frame().parameters.timing.time_step;
        let is_on_way = timeline.segments.iter().any(|segment| (segment.start..=segment.end).contains(&step));
        for other in self.lanes.others_mut().filter(|_| is_on_way) {
            let timeline = &other.frame.timeline;
            let place = timeline.len().saturating_sub((back / other.step()).round() as u64);
            let step = timeline.step_at(place);
            other.owed = 0.0;
            other.edit(Command::GoTo { step });
        }
    }
}
