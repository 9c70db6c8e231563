//! Lanes on their way: copies of the chosen one, and lanes of an earlier window.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Mutex, PoisonError};

use bevy::prelude::{info, warn};

use super::SessionHandle;
use super::lane::{Lane, as_lane};
use crate::scene::InputError;
use crate::session::{Command, Session, Watch};

/// A session that is being copied.
pub(super) struct Coming {
    copy: Mutex<Receiver<Result<Session, InputError>>>,
    /// The place that it gets, if not the last one.
    slot: Option<usize>,
    /// Whether it becomes the chosen lane.
    pub is_chosen: bool,
}

/// Lanes of an earlier window.
#[derive(Default)]
pub(super) struct Back {
    /// The command that brings the first one back.
    with: Option<Command>,
    /// The states of the others.
    files: VecDeque<String>,
    /// The order after which they come, once the first one does.
    after: Option<u64>,
}

impl Back {
    /// Lanes that come, each from its file, when the first one does by a command.
    pub fn with(command: Command, files: Vec<String>) -> Self {
        Self { with: Some(command), files: files.into(), after: None }
    }

    /// Whether other lanes are to come when a command is carried out.
    pub fn come_with(&mut self, command: &Command) -> bool {
        self.with.take_if(|with| with == command).is_some()
    }

    /// Has them come after an order.
    pub fn wait_for(&mut self, order: u64) {
        self.after = Some(order);
    }
}

impl SessionHandle {
    /// Has a copy of the chosen lane made in which these commands were obeyed.
    pub(super) fn ask_for_lane(&mut self, commands: Vec<Command>, slot: Option<usize>) {
        self.lanes.of_scene.are_there = false;
        let copy = self.ask(|session| Ok(as_lane(Session::resume(&session.start())?, session, commands)));
        self.lanes.coming = Some(Coming { copy: Mutex::new(copy), slot, is_chosen: false });
    }

    /// Takes in the lane that has been copied, and has the next one of an earlier window copied.
    pub(super) fn take_coming_lanes(&mut self) {
        if self.lanes.back.after.is_some_and(|order| self.frame().seen >= order)
            && self.can_add_lane()
            && let Some(file) = self.lanes.back.files.pop_front()
        {
            self.ask_for_lane(vec![Command::Open { file }], None);
        }
        let Some(coming) = &mut self.lanes.coming else { return };
        let copy = match coming.copy.get_mut().unwrap_or_else(PoisonError::into_inner).try_recv() {
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => None,
            Ok(Ok(copy)) => Some(copy),
            Ok(Err(error)) => {
                warn!("no lane could be added: {error}");
                None
            }
        };
        let Some((Coming { slot, is_chosen, .. }, copy)) = self.lanes.coming.take().zip(copy) else { return };
        let slot = slot.unwrap_or(usize::MAX).min(self.lane_count());
        info!("added lane {}", slot + 1);
        self.start_lane(copy, slot);
        if is_chosen {
            self.choose_lane(slot);
        }
    }

    /// Starts the thread of a lane; those behind its place make room.
    fn start_lane(&mut self, mut session: Session, slot: usize) {
        self.forget_equal_costs();
        self.lanes.last_number += 1;
        let number = self.lanes.last_number;
        if let Some(safe) = &self.lanes.safe {
            session.keep_safe(safe.autosave(number));
        }
        let mut lane = Lane::start(session, number);
        // the plots show it of all lanes
        lane.worker().watch(Watch { air_work: self.watch.air_work, ..Watch::default() });
        let after = |place: usize| if place >= slot { place + 1 } else { place };
        (self.lanes.chosen, self.lanes.reference) = (after(self.lanes.chosen), after(self.lanes.reference));
        self.lanes.all.insert(slot, lane);
    }

    /// Adds a lane of a session, behind the others.
    pub fn take_in(&mut self, session: Session) {
        let slot = self.lane_count();
        self.start_lane(session, slot);
    }
}
