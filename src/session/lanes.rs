//! Lanes on one thread: the same scene several times, each time with a solver and parameters of its
//! own, under the same commands and on one clock.
//!
//! A tick of the lanes is as long as the longest time step among them, so that every lane takes a
//! step in it. Commands act between ticks, on all lanes: vertices and positions in them are those
//! of the reference, which is the first lane, and in other lanes those nearest at rest.
//!
//! A lane that fails keeps its last good state, and the others continue.

use super::command::Script;
use super::lane_places::LanePlaces;
use super::lane_state::{LaneState, LaneTime};
use super::{Command, Scope, Session, Stamped};
use crate::scene::{InputError, Scene};
use crate::sim::study::correspondence::Distance;
use crate::sim::{CancelToken, Real, StepError, StepStats};

/// One of them.
pub struct Lane {
    session: Session,
    /// Where the places of the reference are in it.
    places: LanePlaces,
    /// Statistics of its steps in the last tick.
    stats: StepStats,
    /// How many these were.
    steps: u32,
}

impl Lane {
    /// Its session, to read.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Statistics of its steps in the last tick, and their number.
    #[must_use]
    pub fn last_tick(&self) -> (&StepStats, u32) {
        (&self.stats, self.steps)
    }

    /// Mean cost of its steps so far [s].
    #[must_use]
    pub fn seconds_per_step(&self) -> Real {
        self.session.totals.stepping_seconds / self.session.totals.steps.max(1) as Real
    }

    /// Whether it takes part in further ticks.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.session.failure().is_none() && !self.session.state.paused
    }

    fn at(&self) -> LaneTime {
        LaneState::from(&self.session).at
    }

    /// Takes steps, if it is running, until it is at the time of the clock.
    fn follow(&mut self, clock: Real) -> Result<(), Stopped> {
        while self.is_running() && self.at().is_behind(clock) {
            match self.session.tick() {
                Ok(Some(stats)) => {
                    self.stats.add(&stats);
                    self.steps += 1;
                }
                Err(StepError::Cancelled) => return Err(Stopped::Cancelled),
                // stopped, or failed, which the session knows
                Ok(None) | Err(_) => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Several of them.
pub struct Lanes {
    lanes: Vec<Lane>,
    /// Simulated time that all lanes reach in this tick, or have reached [s].
    clock: Real,
    /// Whether the tick was called off before all lanes had reached its end.
    unfinished: bool,
    script: Script,
}

/// Why a tick did not pass, or not wholly.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Stopped {
    /// It was cancelled; the next tick continues it.
    #[error("called off")]
    Cancelled,
    /// A command of the script could not be carried out by all lanes.
    #[error("{0}")]
    Command(InputError),
}

impl Lanes {
    /// Most lanes.
    pub const MOST: usize = Scene::MOST_LANES;

    /// Lanes of these sessions, of which the first is the reference. None of no session, nor of
    /// more than [`MOST`](Self::MOST).
    #[must_use]
    pub fn new(sessions: Vec<Session>) -> Option<Self> {
        if sessions.is_empty() || sessions.len() > Self::MOST {
            return None;
        }
        let lane = |session| Lane { session, places: LanePlaces::default(), stats: StepStats::default(), steps: 0 };
        let lanes: Vec<Lane> = sessions.into_iter().map(lane).collect();
        let clock = latest(&lanes);
        let mut lanes = Self { lanes, clock, unfinished: false, script: Script::default() };
        lanes.find_places();
        Some(lanes)
    }

    /// The same with commands to come, by rising ticks of the lanes.
    #[must_use]
    pub fn with(mut self, script: Vec<Stamped>) -> Self {
        self.script.commands = script.into();
        self
    }

    /// The lanes, the reference first.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// The sessions of the lanes, the reference first.
    #[must_use]
    pub fn into_sessions(self) -> Vec<Session> {
        self.lanes.into_iter().map(|lane| lane.session).collect()
    }

    /// Simulated time that all lanes have reached that have not failed [s].
    #[must_use]
    pub fn clock(&self) -> Real {
        self.clock
    }

    /// Length of a tick [s]: the longest time step, including those of lanes that have failed, so
    /// that the ticks stay the same.
    #[must_use]
    pub fn tick_length(&self) -> Real {
        self.lanes.iter().map(|lane| lane.at().step).fold(0.0, Real::max)
    }

    /// Number of ticks that have passed.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.script.ticks()
    }

    /// Gives all lanes a token by which their steps can be called off.
    pub fn lend_token(&mut self, token: &CancelToken) {
        self.lanes.iter_mut().for_each(|lane| lane.session.simulation_mut().cancel = token.clone());
    }

    /// A tick: the commands that are due, and steps of every lane that is running.
    ///
    /// # Errors
    /// [`Stopped`]. A step that fails is none: its lane knows.
    pub fn tick(&mut self) -> Result<(), Stopped> {
        if !self.unfinished {
            self.run_script()?;
            for lane in &mut self.lanes {
                (lane.stats, lane.steps) = (StepStats::default(), 0);
            }
            if self.lanes.iter().any(Lane::is_running) {
                self.clock += self.tick_length();
            }
        }
        self.unfinished = true;
        for lane in &mut self.lanes {
            lane.follow(self.clock)?;
        }
        self.unfinished = false;
        self.script.pass_tick();
        // due commands must not wait for another tick, which may never come
        self.run_script()
    }

    /// How far a lane is from the reference, both at the time of the clock; none while one of them
    /// has failed or is behind.
    #[must_use]
    pub fn distance(&self, lane: usize) -> Option<Distance> {
        let (reference, lane) = (LaneState::from(&self.lanes.first()?.session), self.lanes.get(lane)?);
        let state = LaneState::from(&lane.session);
        let places = lane.places.known(reference.pattern, state.pattern)?;
        state.distance(&reference, places, self.clock)
    }

    /// Executes a command in every lane.
    ///
    /// # Errors
    /// [`InputError`] with the lane that cannot execute it; the others have. A command by which
    /// lanes would differ in more than their solvers and parameters is executed by none.
    pub fn apply(&mut self, command: &Command) -> Result<(), InputError> {
        if matches!(command.effects().scope, Scope::Scene | Scope::Time) {
            return Err(InputError::new("", "lanes are of one scene and one time; begin again with another scene"));
        }
        command.check()?;
        if *command == Command::Step {
            return self.step();
        }
        let commands = self.for_lanes(command);
        let before = self.times();
        let mut refused = None;
        for (number, (lane, command)) in (1..).zip(self.lanes.iter_mut().zip(commands)) {
            lane.session.messages.message = None;
            lane.session.apply(command);
            if let Some(message) = lane.session.message() {
                refused.get_or_insert_with(|| InputError::new(format!("lane {number}"), message));
            }
        }
        // lanes that went back in time wait for the others, or follow the latest
        if self.times() != before {
            self.clock = latest(&self.lanes);
        }
        self.find_places();
        refused.map_or(Ok(()), Err)
    }

    /// Executes a command in one lane.
    ///
    /// # Errors
    /// [`InputError`] when the lane cannot execute it.
    pub fn apply_to(&mut self, lane: usize, command: &Command) -> Result<(), InputError> {
        command.check()?;
        let session = &mut self.lanes[lane].session;
        session.messages.message = None;
        session.apply(command.clone());
        let refused = session.messages.message.clone();
        self.find_places();
        refused.map_or(Ok(()), |message| Err(InputError::new("", message)))
    }

    /// One tick's length of time, also while time stands still.
    fn step(&mut self) -> Result<(), InputError> {
        self.clock += self.tick_length();
        for (number, lane) in (1..).zip(&mut self.lanes) {
            while lane.session.failure().is_none() && lane.at().is_behind(self.clock) {
                let before = lane.at();
                lane.session.apply(Command::Step);
                if lane.at().time == before.time {
                    return Err(InputError::new(format!("lane {number}"), "the step was not taken"));
                }
            }
        }
        Ok(())
    }

    /// A command as each lane gets it. None of them is chosen, so that parameters are set in all.
    fn for_lanes(&mut self, command: &Command) -> Vec<Command> {
        let reference = self.lanes[0].session.simulation().shared_pattern();
        let for_lane = |Lane { places, session, .. }: &mut Lane| {
            let forwarded = places.forward(command, &reference, session.simulation().pattern());
            forwarded.unwrap_or_else(|| command.clone())
        };
        self.lanes.iter_mut().map(for_lane).collect()
    }

    fn find_places(&mut self) {
        let reference = self.lanes[0].session.simulation().shared_pattern();
        for Lane { places, session, .. } in &mut self.lanes {
            places.between(&reference, session.simulation().pattern());
        }
    }

    fn run_script(&mut self) -> Result<(), Stopped> {
        while let Some(command) = self.script.next_due() {
            self.apply(&command).map_err(Stopped::Command)?;
        }
        Ok(())
    }

    fn times(&self) -> Vec<Real> {
        self.lanes.iter().map(|lane| lane.at().time).collect()
    }
}

/// The latest time of some lanes [s].
fn latest(lanes: &[Lane]) -> Real {
    lanes.iter().map(|lane| lane.at().time).fold(Real::NEG_INFINITY, Real::max)
}
