//! A lane: the window's handle of a session on a separate thread.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::prelude::info;

use super::edited::Edited;
use crate::session::{Arrangement, Command, Frame, Keeping, LanePlaces, LaneState, LaneTime, Session, Worker};
use crate::sim::study::correspondence::Distance;

/// The letter of a lane.
#[must_use]
pub fn letter(slot: usize) -> char {
    char::from(b'A' + slot as u8)
}

/// Clock of the lanes when one is slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pacing {
    /// All wait for it, so that all are at the same time.
    #[default]
    Wait,
    /// Each goes as fast as it can.
    Race,
}

/// A lane.
pub(super) struct Lane {
    /// Its number, which no other lane gets.
    pub number: u64,
    // an order sender is not `Sync`, as a resource has to be
    worker: Mutex<Worker>,
    /// The state after the last step that is finished.
    pub frame: Arc<Frame>,
    /// Parameters and solver as the panels show them: those of the frame, with later edits.
    pub edited: Edited,
    /// The last order that may lead to another time: before a frame has seen it that is unknown.
    pub jump: u64,
    /// The last order that builds another cloth.
    pub building: u64,
    /// Where the places of the chosen lane are in it, for commands.
    pub of_chosen: LanePlaces,
    /// Where the places of the reference are in it, for its distance.
    pub of_reference: LanePlaces,
    /// Where its places are in the reference, for the distance of each vertex.
    pub in_reference: LanePlaces,
    /// How far it was from the reference when both covered the same time last.
    pub distance: Option<Distance>,
}

impl Lane {
    /// Starts the thread that steps.
    pub fn start(session: Session, number: u64) -> Self {
        let (worker, frame) = Worker::start(session);
        let edited = Edited::of(&frame);
        Self {
            number,
            worker: Mutex::new(worker),
            frame,
            edited,
            jump: 0,
            building: 0,
            of_chosen: LanePlaces::default(),
            of_reference: LanePlaces::default(),
            in_reference: LanePlaces::default(),
            distance: None,
        }
    }

    pub fn worker(&mut self) -> &mut Worker {
        self.worker.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a command, and returns the number of the order.
    pub fn send(&mut self, command: Command) -> u64 {
        let changes_time = command.effects().changes_time;
        let order = self.worker().send(command);
        if changes_time {
            self.jump = order;
        }
        order
    }

    /// Sends a command that changes the contents of panels.
    pub fn edit(&mut self, command: Command) {
        if let Command::Pause { on } = command {
            self.edited.paused = on;
        }
        self.edited.order = self.send(command);
    }

    /// Takes the newest frame. Returns whether there is one that has not been taken yet.
    pub fn take_frame(&mut self) -> bool {
        let Some(frame) = self.worker().take_frame() else { return false };
        if frame.seen >= self.edited.order {
            self.edited.follow(&frame);
        }
        self.frame = frame;
        true
    }

    /// Its last two states.
    pub fn state(&self) -> LaneState<'_> {
        LaneState::from(&*self.frame)
    }

    /// Its place on the clock after all steps that were ordered; none while it is on the way to
    /// another time.
    pub fn expected(&mut self) -> Option<LaneTime> {
        let steps = self.worker().steps_to_come();
        (self.frame.seen >= self.jump).then(|| self.state().at.after(steps))
    }

    /// Whether it takes part in further ticks.
    pub fn is_running(&self) -> bool {
        self.frame.failure.is_none() && !self.edited.paused
    }

    /// Whether it runs, or its last frame does not show every order.
    pub fn is_moving(&mut self) -> bool {
        let seen = self.frame.seen;
        let worker = self.worker();
        let has_orders = seen < worker.last_order() || worker.is_busy();
        has_orders || self.is_running()
    }

    /// The values that panels have set in it.
    pub fn arrangement(&self) -> Arrangement {
        Arrangement::of(&self.edited.parameters, self.edited.solver.as_ref(), &self.frame.scene)
    }
}

/// A session that was made from another one, as a lane beside it in which these commands were
/// obeyed.
pub(super) fn as_lane(lane: Session, beside: &Session, commands: Vec<Command>) -> Session {
    let mut lane = lane.with(Vec::new(), |what| info!("lane: {what}"));
    lane.simulation_mut().clock = beside.simulation().clock;
    commands.into_iter().for_each(|command| lane.apply(command));
    // these commands are the start of the lane: undo does not reach them
    lane.keep_time(Keeping::default());
    lane
}

/// A lane to be shown.
pub struct LaneView<'a> {
    /// Its place among all.
    pub slot: usize,
    /// Its number, which no other lane gets.
    pub number: u64,
    /// Its state.
    pub frame: &'a Arc<Frame>,
    /// Whether it is the chosen one.
    pub is_chosen: bool,
    /// Whether the others are measured against it.
    pub is_reference: bool,
}
