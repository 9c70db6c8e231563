//! Lanes put aside while others are shown, and brought back as they were.
//!
//! They keep their threads, states, time lines and files of the crash recovery; nobody orders a
//! step or sends a command to them.

use bevy::prelude::info;

use super::SessionHandle;
use super::lane::Lane;
use super::lane_actions::LaneActions;
use super::lanes::WindowLanes;
use crate::session::{Command, Keeping, Session, Watch};
use crate::sim::Clock;

/// Lanes that were put aside, with all that the window knows of them.
pub(super) struct Aside {
    lanes: WindowLanes,
    lane_actions: LaneActions,
    watch: Watch,
    opening: Option<(u64, String)>,
    going: Option<(u64, Option<u64>)>,
    /// The clock of their steps.
    clock: Clock,
}

impl SessionHandle {
    /// Puts all lanes aside, and starts others in their place. Ticks that have not passed are
    /// called off. Where lanes are aside already, those that are shown end.
    pub fn put_in_place(&mut self, sessions: Vec<Session>) {
        let last_number = self.lanes.last_number;
        let clock = if let Some(aside) = &self.aside {
            aside.clock
        } else {
            self.finish_gesture();
            self.cancel_ticks();
            // at the latest when the step at work has been called off
            self.ask(|session| session.simulation().clock).recv().unwrap_or_default()
        };
        let lanes = started(sessions, clock, last_number, self.watch);
        let lanes = std::mem::replace(&mut self.lanes, lanes);
        let lane_actions = std::mem::take(&mut self.lane_actions);
        let (opening, going) = (self.opening.take(), self.going.take());
        (self.is_editing, self.is_given) = (false, false);
        if self.aside.is_none() {
            info!("put {} lanes aside", lanes.all.len());
            let watch = self.watch;
            self.aside = Some(Box::new(Aside { lanes, lane_actions, watch, opening, going, clock }));
        }
    }

    /// Brings lanes back, as they were when they were put aside. Those that are shown end.
    pub fn bring_back(&mut self) {
        let Some(aside) = self.aside.take() else { return };
        let last_number = self.lanes.last_number;
        let Aside { lanes, lane_actions, watch, opening, going, .. } = *aside;
        (self.lanes, self.lane_actions, self.opening, self.going) = (lanes, lane_actions, opening, going);
        // no lane to come has the number of one that was shown meanwhile
        self.lanes.last_number = last_number;
        (self.is_editing, self.is_given) = (false, false);
        self.watch(watch);
        info!("brought {} lanes back", self.lane_count());
    }

    /// Gives commands as a panel does: parameters are set in the chosen lane, time runs in all.
    pub fn give(&mut self, commands: Vec<Command>) {
        for command in commands {
            match command {
                Command::Pause { on } => self.pause(on),
                command => self.edit(vec![command]),
            }
        }
        self.finish_gesture();
    }
}

/// Lanes of sessions, the first one being chosen, with numbers after `last`.
fn started(sessions: Vec<Session>, clock: Clock, last: u64, watch: Watch) -> WindowLanes {
    let lane = |(number, session): (u64, Session)| {
        let mut session = session.with(Vec::new(), |what| info!("lesson: {what}"));
        session.simulation_mut().clock = clock;
        session.keep_time(Keeping::default());
        let mut lane = Lane::start(session, number);
        let of_others = Watch { air_work: watch.air_work, ..Watch::default() };
        lane.worker().watch(if number == last + 1 { watch } else { of_others });
        lane
    };
    let mut all = (last + 1..).zip(sessions).map(lane);
    let mut lanes = WindowLanes::of(all.next().expect("a stage has a lane at least"));
    lanes.all.extend(all);
    lanes.last_number = last + lanes.all.len() as u64;
    lanes
}
