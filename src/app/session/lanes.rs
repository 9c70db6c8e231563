//! Lanes: the same cloth under several methods at once, each on a separate thread, under one hand
//! and one clock.
//!
//! One of them is chosen: panels, plots and the time line show it. Commands of the hand are sent to
//! all; parameters and solvers are set in the chosen one alone. The rules of clock, comparison and
//! commands are those of [`LaneState`](crate::session::LaneState) and
//! [`LanePlaces`](crate::session::LanePlaces), as in runs without a window.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use bevy::prelude::info;

use super::SessionHandle;
use super::crash_recovery::Safe;
use super::lane::{Lane, LaneView, Pacing};
use super::lane_arrival::{Back, Coming};
use super::lane_costs::LaneCosts;
use super::scene_lanes::SceneLanes;
use crate::session::{Arrangement, Command, Frame, Lanes, Session, TimelineSummary};

/// All lanes, and their common state.
pub(super) struct WindowLanes {
    /// By their places, one at least.
    pub all: Vec<Lane>,
    /// The place of the chosen one.
    pub chosen: usize,
    /// The highest number of a lane so far.
    pub last_number: u64,
    /// The lane that the others are measured against, by its place.
    pub reference: usize,
    pub pacing: Pacing,
    pub coming: Option<Coming>,
    /// The settings with which all lanes cost the same.
    pub costs: LaneCosts,
    /// Those that the scene comes with.
    pub of_scene: SceneLanes,
    /// Where their states are kept on the disk.
    pub safe: Option<Safe>,
    pub back: Back,
    /// Simulated time to which the ticks so far take the lanes [s].
    pub clock: f64,
}

impl WindowLanes {
    /// A single one.
    pub fn of(lane: Lane) -> Self {
        Self {
            last_number: lane.number,
            clock: lane.frame.time,
            all: vec![lane],
            chosen: 0,
            reference: 0,
            pacing: Pacing::default(),
            coming: None,
            costs: LaneCosts::default(),
            of_scene: SceneLanes::default(),
            safe: None,
            back: Back::default(),
        }
    }

    /// The one that panels are about.
    pub fn chosen(&self) -> &Lane {
        &self.all[self.chosen]
    }

    /// See [`chosen`](Self::chosen).
    pub fn chosen_mut(&mut self) -> &mut Lane {
        &mut self.all[self.chosen]
    }

    /// All but the chosen one.
    pub fn others_mut(&mut self) -> impl Iterator<Item = &mut Lane> {
        let chosen = self.chosen;
        self.all.iter_mut().enumerate().filter(move |(slot, _)| *slot != chosen).map(|(_, lane)| lane)
    }

    /// Whether there is more than one.
    pub fn are_several(&self) -> bool {
        self.all.len() > 1
    }
}

impl SessionHandle {
    /// All lanes, by their places.
    #[must_use]
    pub fn lanes(&self) -> Vec<LaneView<'_>> {
        let WindowLanes { all, chosen, reference, .. } = &self.lanes;
        let views = all.iter().enumerate().map(|(slot, lane)| LaneView {
            slot,
            number: lane.number,
            frame: &lane.frame,
            is_chosen: slot == *chosen,
            is_reference: slot == *reference,
        });
        views.collect()
    }

    /// Reads the sessions of all lanes, by their places, after all that was ordered so far.
    pub fn ask_all<T: Send + 'static>(&mut self, read: fn(&Session) -> T) -> Vec<Receiver<T>> {
        self.lanes.all.iter_mut().map(|lane| lane.worker().ask(read)).collect()
    }

    /// Number of lanes.
    #[must_use]
    pub fn lane_count(&self) -> usize {
        self.lanes.all.len()
    }

    /// Place of the chosen lane.
    #[must_use]
    pub fn chosen_lane(&self) -> usize {
        self.lanes.chosen
    }

    /// Whether there is room for another lane, and none on its way.
    #[must_use]
    pub fn can_add_lane(&self) -> bool {
        self.lane_count() < Lanes::MOST && self.lanes.coming.is_none()
    }

    /// Adds a copy of the chosen lane at this moment, changed by these commands. It becomes the
    /// chosen one.
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

    /// Takes a lane away; the last one stays.
    pub fn remove_lane(&mut self, slot: usize) {
        if !self.lanes.are_several() {
            return;
        }
        let arrangement = self.arrangement_of(slot);
        self.note_removed(slot, arrangement);
        self.take_away(slot);
    }

    pub(super) fn take_away(&mut self, slot: usize) {
        if !self.lanes.are_several() || slot >= self.lane_count() {
            return;
        }
        if slot == self.lanes.chosen {
            self.choose_lane(usize::from(slot == 0));
        }
        self.forget_equal_costs();
        self.lanes.all.remove(slot);
        // the places close up
        let after = |place: usize| if place > slot { place - 1 } else { place };
        let reference = self.lanes.reference;
        (self.lanes.chosen, self.lanes.reference) = (after(self.lanes.chosen), after(reference));
        if reference == slot {
            self.set_reference(self.lanes.chosen);
        }
        info!("removed lane {}", slot + 1);
    }

    /// Lets two lanes change places.
    pub fn swap_lanes(&mut self, slots: [usize; 2]) {
        self.note_swapped(slots);
        self.exchange(slots);
    }

    pub(super) fn exchange(&mut self, [a, b]: [usize; 2]) {
        if a.max(b) >= self.lane_count() {
            return;
        }
        self.forget_equal_costs();
        let exchanged = |slot: usize| match slot {
            slot if slot == a => b,
            slot if slot == b => a,
            slot => slot,
        };
        self.lanes.all.swap(a, b);
        self.lanes.chosen = exchanged(self.lanes.chosen);
        self.lanes.reference = exchanged(self.lanes.reference);
        info!("swapped lanes {} and {}", a + 1, b + 1);
    }

    /// The number of the chosen lane, which no other lane gets.
    pub(super) fn lane_number(&self) -> u64 {
        self.lanes.chosen().number
    }

    /// The newest action of each lane, by the lanes' numbers.
    pub(super) fn newest_actions(&self) -> Vec<(u64, u64)> {
        self.lanes.all.iter().map(|lane| (lane.number, lane.frame.timeline.newest_action)).collect()
    }

    /// The values that panels have set in a lane.
    pub(super) fn arrangement_of(&self, slot: usize) -> Option<Arrangement> {
        self.lanes.all.get(slot).map(Lane::arrangement)
    }

    /// Copies parameters and fabric from one lane to another, which becomes the chosen one, and the
    /// solver as well if `with_solver`.
    pub fn copy_lane(&mut self, [from, to]: [usize; 2], with_solver: bool) {
        let (Some(mut set), Some(own)) = (self.arrangement_of(from), self.arrangement_of(to)) else { return };
        if !with_solver {
            (set.solver, set.settings) = (own.solver, own.settings);
        }
        self.choose_lane(to);
        self.edit(vec![Command::Arrange { arrangement: set }]);
        info!("lane {} has what lane {} has", to + 1, from + 1);
    }

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

    /// Makes a lane the one that panels are about.
    pub fn choose_lane(&mut self, slot: usize) {
        if slot == self.lanes.chosen || slot >= self.lanes.all.len() {
            return;
        }
        self.lanes.chosen = slot;
        (self.going, self.is_editing) = (None, false);
        let watch = self.watch;
        self.worker().watch(watch);
        info!("chose lane {}", slot + 1);
    }

    /// Measures the others against a lane.
    pub fn set_reference(&mut self, slot: usize) {
        self.forget_equal_costs();
        self.lanes.reference = slot;
        self.lanes.all.iter_mut().for_each(|lane| lane.distance = None);
    }

    /// Clock of the lanes when one is slow.
    #[must_use]
    pub fn pacing(&self) -> Pacing {
        self.lanes.pacing
    }

    /// See [`pacing`](Self::pacing).
    pub fn set_pacing(&mut self, pacing: Pacing) {
        self.lanes.pacing = pacing;
    }

    pub(super) fn take_frames_of_others(&mut self) {
        for lane in self.lanes.others_mut() {
            lane.take_frame();
        }
        self.take_lanes_of_scene();
        self.take_equal_costs();
        self.take_coming_lanes();
    }

    /// Shows these states of the lanes, by their places, which others have computed, until the next
    /// command.
    pub fn show(&mut self, frames: Vec<Arc<Frame>>) {
        self.is_given = true;
        for (lane, frame) in self.lanes.all.iter_mut().zip(frames) {
            lane.frame = frame;
        }
        self.compare();
    }
}
