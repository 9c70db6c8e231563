//! Lanes: the same cloth under several methods at once, each on a thread of its own, under one hand and one clock.
//!
//! One of them is chosen: panels, plots and the time line are about it. What a hand does is done to all; parameters and solvers are set in the
//! chosen one alone. A vertex of the chosen lane means the nearest one at rest in a lane with another mesh.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};

use bevy::prelude::{info, warn};

use super::crash_recovery::Safe;
use super::lane_costs::LaneCosts;
use super::scene_lanes::SceneLanes;
use super::{Edited, SessionHandle};
use crate::scene::InputError;
use crate::session::{Arrangement, Command, Frame, Keeping, Lanes as Headless, Session, Watch, Worker};
use crate::sim::study::correspondence::{Correspondence, Distance};

/// The letter of a lane.
#[must_use]
pub fn letter(slot: usize) -> char {
    char::from(b'A' + slot as u8)
}

/// What becomes of the others when one lane is slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pacing {
    /// All wait for it, so that all are at the same time.
    #[default]
    Wait,
    /// Each goes as fast as it can.
    Race,
}

/// A lane that is not the chosen one.
pub(super) struct Other {
    pub slot: usize,
    /// Its number, which no other lane gets.
    pub number: u64,
    pub worker: Mutex<Worker>,
    pub frame: Arc<Frame>,
    pub edited: Edited,
    /// Simulated time that has passed for the chosen lane and not yet for this one [s].
    pub owed: f64,
    /// Where the places of the chosen lane are in it.
    pub places: Option<Correspondence>,
}

impl Other {
    pub fn worker(&mut self) -> &mut Worker {
        self.worker.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its time step [s].
    pub fn step(&self) -> f64 {
        self.frame.parameters.timing.time_step
    }
}

/// A session that is being copied.
struct Coming {
    copy: Mutex<Receiver<Result<Session, InputError>>>,
    /// The place that it gets, if not the last one.
    slot: Option<usize>,
    /// Whether it becomes the chosen lane.
    is_chosen: bool,
}

/// All that concerns lanes.
#[derive(Default)]
pub(super) struct Lanes {
    pub others: Vec<Other>,
    /// Where the chosen lane stands among all.
    pub slot: usize,
    /// Its number, and the highest number so far.
    number: u64,
    last_number: u64,
    /// The lane that the others are measured against, by its place.
    pub reference: usize,
    pub pacing: Pacing,
    coming: Option<Coming>,
    /// The settings with which all lanes cost the same.
    pub costs: LaneCosts,
    /// Those that the scene comes with.
    pub of_scene: SceneLanes,
    /// Where their states are kept on the disk.
    safe: Option<Safe>,
    back: Back,
    /// Where the places of the reference are in each lane, by the lanes' places.
    pub counterparts: Vec<Option<Correspondence>>,
    /// Where the places of each lane are in the reference, where the meshes differ.
    pub in_reference: Vec<Option<Correspondence>>,
    /// How far each lane was from the reference when both were at the same time.
    pub distances: Vec<Option<Distance>>,
}

/// Lanes of an earlier window.
#[derive(Default)]
struct Back {
    /// What brings the first one back.
    with: Option<Command>,
    /// The states of the others.
    files: VecDeque<String>,
    /// The order after which they come, once the first one does.
    after: Option<u64>,
}

impl Lanes {
    pub fn keep_safe(&mut self, safe: Option<Safe>) {
        self.safe = safe;
    }

    pub fn bring_back_with(&mut self, command: Command, files: Vec<String>) {
        self.back = Back { with: Some(command), files: files.into(), after: None };
    }

    /// Whether other lanes are to come when a command is obeyed.
    pub fn come_with(&mut self, command: &Command) -> bool {
        self.back.with.take_if(|with| with == command).is_some()
    }

    pub fn wait_for(&mut self, order: u64) {
        self.back.after = Some(order);
    }
}

/// A session that was made from another one, as a lane beside it in which these commands were
/// obeyed.
pub(super) fn as_lane(lane: Session, beside: &Session, commands: Vec<Command>) -> Session {
    let mut lane = lane.with(Vec::new(), |what| info!("lane: {what}"));
    lane.simulation_mut().clock = beside.simulation().clock;
    commands.into_iter().for_each(|command| lane.apply(command));
    // that is how it begins, and nothing that could be taken back
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

impl SessionHandle {
    /// All lanes, by their places.
    #[must_use]
    pub fn lanes(&self) -> Vec<LaneView<'_>> {
        let view = |slot, number, frame, is_chosen| {
            let is_reference = slot == self.lanes.reference;
            LaneView { slot, number, frame, is_chosen, is_reference }
        };
        let others = self.lanes.others.iter().map(|other| view(other.slot, other.number, &other.frame, false));
        let chosen = view(self.lanes.slot, self.lanes.number, &self.frame, true);
        let mut lanes: Vec<LaneView> = others.chain([chosen]).collect();
        lanes.sort_by_key(|lane| lane.slot);
        lanes
    }

    /// Number of lanes.
    #[must_use]
    pub fn lane_count(&self) -> usize {
        self.lanes.others.len() + 1
    }

    /// Place of the chosen lane.
    #[must_use]
    pub fn chosen_lane(&self) -> usize {
        self.lanes.slot
    }

    /// Whether there is room for another lane, and none on its way.
    #[must_use]
    pub fn can_add_lane(&self) -> bool {
        self.lane_count() < Headless::MOST && self.lanes.coming.is_none()
    }

    /// Adds a lane that is like the chosen one at this moment.
    pub fn add_lane(&mut self) {
        self.add_lane_with(Vec::new());
    }

    /// Adds a lane that is like the chosen one at this moment but for what these commands do. It
    /// becomes the chosen one.
    pub fn add_lane_with(&mut self, commands: Vec<Command>) {
        if self.can_add_lane() {
            self.note_added(self.lane_count());
            self.ask_for_lane(commands, None);
            self.lanes.coming.iter_mut().for_each(|coming| coming.is_chosen = true);
        }
    }

    /// Has a copy of the chosen lane made in which these commands were obeyed.
    pub(super) fn ask_for_lane(&mut self, commands: Vec<Command>, slot: Option<usize>) {
        self.lanes.of_scene.are_there = false;
        let copy = self.ask(|session| Ok(as_lane(Session::resume(&session.start())?, session, commands)));
        self.lanes.coming = Some(Coming { copy: Mutex::new(copy), slot, is_chosen: false });
    }

    /// Takes a lane away; the last one stays.
    pub fn remove_lane(&mut self, slot: usize) {
        if self.lanes.others.is_empty() {
            return;
        }
        let arrangement = self.arrangement_of(slot);
        self.note_removed(slot, arrangement);
        self.take_away(slot);
    }

    pub(super) fn take_away(&mut self, slot: usize) {
        if self.lanes.others.is_empty() {
            return;
        }
        if slot == self.lanes.slot {
            let next = self.lanes.others[0].slot;
            self.choose_lane(next);
        }
        self.forget_equal_costs();
        self.lanes.others.retain(|other| other.slot != slot);
        // the places close up
        for other in self.lanes.others.iter_mut().filter(|other| other.slot > slot) {
            other.slot -= 1;
        }
        let after = |place: usize| if place > slot { place - 1 } else { place };
        self.lanes.slot = after(self.lanes.slot);
        self.lanes.reference = if self.lanes.reference == slot { self.lanes.slot } else { after(self.lanes.reference) };
        info!("removed lane {}", slot + 1);
    }

    /// Lets two lanes change places.
    pub fn swap_lanes(&mut self, slots: [usize; 2]) {
        self.note_swapped(slots);
        self.exchange(slots);
    }

    pub(super) fn exchange(&mut self, [a, b]: [usize; 2]) {
        self.forget_equal_costs();
        let exchanged = |slot: usize| match slot {
            slot if slot == a => b,
            slot if slot == b => a,
            slot => slot,
        };
        for other in &mut self.lanes.others {
            other.slot = exchanged(other.slot);
        }
        self.lanes.slot = exchanged(self.lanes.slot);
        self.lanes.reference = exchanged(self.lanes.reference);
        self.forget_counterparts();
        info!("swapped lanes {} and {}", a + 1, b + 1);
    }

    /// The number of the chosen lane, which no other lane gets.
    pub(super) fn lane_number(&self) -> u64 {
        self.lanes.number
    }

    /// The newest act of each lane, by the lanes' numbers.
    pub(super) fn newest_acts(&self) -> Vec<(u64, u64)> {
        let others = self.lanes.others.iter().map(|other| (other.number, other.frame.course.newest_act));
        others.chain([(self.lanes.number, self.frame.course.newest_act)]).collect()
    }

    /// What panels have set in a lane.
    pub(super) fn arrangement_of(&self, slot: usize) -> Option<Arrangement> {
        let of =
            |edited: &Edited, frame: &Frame| Arrangement::of(&edited.parameters, edited.solver.as_ref(), &frame.scene);
        if slot == self.lanes.slot {
            return Some(of(&self.edited, &self.frame));
        }
        let other = self.lanes.others.iter().find(|other| other.slot == slot)?;
        Some(of(&other.edited, &other.frame))
    }

    /// Sets in a lane, which becomes the chosen one, what another has: parameters and fabric, and the solver as well if `with_solver`.
    pub fn copy_lane(&mut self, [from, to]: [usize; 2], with_solver: bool) {
        let (Some(mut set), Some(own)) = (self.arrangement_of(from), self.arrangement_of(to)) else { return };
        if !with_solver {
            (set.solver, set.settings) = (own.solver, own.settings);
        }
        self.choose_lane(to);
        self.edit(vec![Command::Arrange { arrangement: set }]);
        info!("lane {} has what lane {} has", to + 1, from + 1);
    }

    /// Makes a lane the one that panels are about.
    pub fn choose_lane(&mut self, slot: usize) {
        let Some(other) = self.lanes.others.iter_mut().find(|other| other.slot == slot) else { return };
        std::mem::swap(&mut other.worker, &mut self.worker);
        std::mem::swap(&mut other.frame, &mut self.frame);
        std::mem::swap(&mut other.edited, &mut self.edited);
        std::mem::swap(&mut other.slot, &mut self.lanes.slot);
        std::mem::swap(&mut other.number, &mut self.lanes.number);
        for other in &mut self.lanes.others {
            (other.places, other.owed) = (None, 0.0);
        }
        (self.going, self.is_editing) = (None, false);
        let watch = self.watch;
        self.worker().watch(watch);
        info!("chose lane {}", slot + 1);
    }

    /// Measures the others against a lane.
    pub fn set_reference(&mut self, slot: usize) {
        self.forget_equal_costs();
        self.lanes.reference = slot;
    }

    /// What becomes of the others when one lane is slow.
    #[must_use]
    pub fn pacing(&self) -> Pacing {
        self.lanes.pacing
    }

    /// See [`pacing`](Self::pacing).
    pub fn set_pacing(&mut self, pacing: Pacing) {
        self.lanes.pacing = pacing;
    }

    pub(super) fn take_frames_of_others(&mut self) {
        for other in &mut self.lanes.others {
            let Some(frame) = other.worker().take_frame() else { continue };
            if frame.seen >= other.edited.order {
                other.edited.follow(&frame);
            }
            other.frame = frame;
        }
        self.take_lanes_of_scene();
        self.take_equal_costs();
        if self.lanes.back.after.is_some_and(|order| self.frame.seen >= order)
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
        let (mut worker, frame) = Worker::start(session);
        // the plots show it of all lanes
        worker.watch(Watch { air_work: self.watch.air_work, ..Watch::default() });
        let edited = Edited::of(&frame);
        let owed = self.frame.time - frame.time;
        let after = |place: usize| if place >= slot { place + 1 } else { place };
        self.lanes.others.iter_mut().for_each(|other| other.slot = after(other.slot));
        (self.lanes.slot, self.lanes.reference) = (after(self.lanes.slot), after(self.lanes.reference));
        let worker = Mutex::new(worker);
        self.lanes.others.push(Other { slot, number, worker, frame, edited, owed, places: None });
        self.forget_counterparts();
    }

    /// Adds a lane of a session, behind the others.
    pub fn take_in(&mut self, session: Session) {
        let slot = self.lane_count();
        self.start_lane(session, slot);
    }

    /// Shows these states of the lanes, by their places, which others have computed, until the next command.
    pub fn show(&mut self, frames: Vec<Arc<Frame>>) {
        self.is_given = true;
        for (slot, frame) in frames.into_iter().enumerate() {
            match self.lanes.others.iter_mut().find(|other| other.slot == slot) {
                Some(other) => other.frame = frame,
                None => self.frame = frame,
            }
        }
        self.compare();
    }
}
