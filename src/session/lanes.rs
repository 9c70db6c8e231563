//! Lanes: the same scene several times, each time with a solver and parameters of its own, under
//! the same commands and on one clock.
//!
//! A tick of the lanes is as long as the longest time step among them. In it every lane takes its
//! own steps until it is at the time of the clock or has just passed it, so that no step is ever
//! shortened and a lane goes through the states that it would go through alone. A lane that has
//! passed the time of the clock is compared at that time, interpolated linearly between its last
//! two states. Commands act between ticks, on all lanes: vertices and positions in them are those
//! of the reference, which is the first lane, and in other lanes those nearest at rest.
//!
//! A lane that fails keeps its last good state, and the others continue.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::{Command, CutHit, Scope, Session, Stamped};
use crate::scene::{InputError, Scene};
use crate::sim::study::correspondence::{Correspondence, Distance, Place};
use crate::sim::{CancelToken, Pattern, Real, StepError, StepStats, Vec3};

/// Share of a time step by which a lane may be short of the clock, since times are sums.
const SHORT: Real = 1e-3;

/// One of them.
pub struct Lane {
    session: Session,
    /// Where the places of the reference are in it.
    places: Correspondence,
    /// Statistics of its steps in the last tick.
    stats: StepStats,
    /// How many these were.
    steps: u32,
    /// Time before its last step [s].
    before: Real,
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
        self.session.stepping_seconds / self.session.taken.0.max(1) as Real
    }

    /// Whether it takes part in further ticks.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.session.failure().is_none() && !self.session.paused
    }

    /// Its time step [s].
    #[must_use]
    pub fn time_step(&self) -> Real {
        self.session.simulation().parameters.timing.time_step
    }

    fn is_behind(&self, clock: Real) -> bool {
        self.session.simulation().time() < clock - SHORT * self.time_step()
    }

    /// Takes steps, if it is running, until it is at the time of the clock.
    fn follow(&mut self, clock: Real) -> Result<(), Stopped> {
        while self.is_running() && self.is_behind(clock) {
            let before = self.session.simulation().time();
            match self.session.tick() {
                Ok(Some(stats)) => {
                    self.stats.add(&stats);
                    self.steps += 1;
                    self.before = before;
                }
                Err(StepError::Cancelled) => return Err(Stopped::Cancelled),
                // stopped, or failed, which the session knows
                Ok(None) | Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// The positions [m] at the time of the clock, which it has reached.
    fn positions_at(&self, clock: Real) -> Cow<'_, [Vec3]> {
        let (simulation, previous) = (self.session.simulation(), &self.session.previous);
        let now = &simulation.state.cloth.positions;
        let (ahead, step) = (simulation.time() - clock, simulation.time() - self.before);
        if ahead <= SHORT * self.time_step() || step <= 0.0 || previous.len() != now.len() {
            return Cow::Borrowed(now);
        }
        let share = (1.0 - ahead / step).clamp(0.0, 1.0);
        previous.iter().zip(now).map(|(before, now)| before.lerp(*now, share)).collect()
    }
}

/// Several of them.
pub struct Lanes {
    lanes: Vec<Lane>,
    /// Simulated time that all lanes reach in this tick, or have reached [s].
    clock: Real,
    ticks: u64,
    /// Whether the tick was called off before all lanes had reached its end.
    unfinished: bool,
    /// Commands to come, by rising ticks.
    script: VecDeque<Stamped>,
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
        let reference = sessions[0].simulation().shared_pattern();
        let lane = |session: Session| Lane {
            places: Correspondence::between(&reference, session.simulation().pattern()),
            before: session.simulation().time(),
            session,
            stats: StepStats::default(),
            steps: 0,
        };
        let lanes: Vec<Lane> = sessions.into_iter().map(lane).collect();
        let clock = latest(&lanes);
        Some(Self { lanes, clock, ticks: 0, unfinished: false, script: VecDeque::new() })
    }

    /// The same with commands to come, by rising ticks of the lanes.
    #[must_use]
    pub fn with(mut self, script: Vec<Stamped>) -> Self {
        self.script = script.into();
        self
    }

    /// The lanes, the reference first.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Simulated time that all lanes have reached that have not failed [s].
    #[must_use]
    pub fn clock(&self) -> Real {
        self.clock
    }

    /// Number of ticks that have passed.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
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
                self.clock += self.length();
            }
        }
        self.unfinished = true;
        for lane in &mut self.lanes {
            lane.follow(self.clock)?;
        }
        self.unfinished = false;
        self.ticks += 1;
        // due commands must not wait for another tick, which may never come
        self.run_script()
    }

    /// How far a lane is from the reference, both at the time of the clock; none while one of them
    /// has failed or is behind.
    #[must_use]
    pub fn distance(&self, lane: usize) -> Option<Distance> {
        let (reference, lane) = (self.lanes.first()?, self.lanes.get(lane)?);
        if [reference, lane].iter().any(|lane| lane.session.failure().is_some() || lane.is_behind(self.clock)) {
            return None;
        }
        let positions = lane.positions_at(self.clock);
        let other = (lane.session.simulation().pattern(), &positions[..]);
        lane.places.distance(&reference.positions_at(self.clock), other)
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
        let commands: Vec<Command> = self.lanes.iter().map(|lane| self.in_lane(lane, command)).collect();
        let before = self.times();
        let mut refused = None;
        for (number, (lane, command)) in (1..).zip(self.lanes.iter_mut().zip(commands)) {
            lane.session.message = None;
            lane.session.apply(command);
            if let Some(message) = lane.session.message() {
                refused.get_or_insert_with(|| InputError::new(format!("lane {number}"), message));
            }
        }
        // lanes that went back in time wait for the others, or follow the latest
        if self.times() != before {
            self.clock = latest(&self.lanes);
            for lane in &mut self.lanes {
                lane.before = lane.session.simulation().time();
            }
        }
        let reference = self.lanes[0].session.simulation().shared_pattern();
        for lane in &mut self.lanes {
            let pattern = lane.session.simulation().pattern();
            if !lane.places.is_of(&reference, pattern) {
                lane.places = Correspondence::between(&reference, pattern);
            }
        }
        refused.map_or(Ok(()), Err)
    }

    /// One tick's length of time, also while time stands still.
    fn step(&mut self) -> Result<(), InputError> {
        self.clock += self.length();
        for (number, lane) in (1..).zip(&mut self.lanes) {
            while lane.session.failure().is_none() && lane.is_behind(self.clock) {
                let before = lane.session.simulation().time();
                lane.session.apply(Command::Step);
                if lane.session.simulation().time() == before {
                    return Err(InputError::new(format!("lane {number}"), "the step was not taken"));
                }
                lane.before = before;
            }
        }
        Ok(())
    }

    /// `command` as `lane` is to be told it.
    fn in_lane(&self, lane: &Lane, command: &Command) -> Command {
        let reference = self.lanes[0].session.simulation().pattern();
        command.within(&lane.places, reference, lane.session.simulation().pattern())
    }

    fn run_script(&mut self) -> Result<(), Stopped> {
        while let Some(due) = self.script.pop_front_if(|next| next.tick <= self.ticks) {
            self.apply(&due.command).map_err(Stopped::Command)?;
        }
        Ok(())
    }

    /// The longest time step [s], including lanes that have failed, so that the ticks stay the
    /// same.
    fn length(&self) -> Real {
        self.lanes.iter().map(Lane::time_step).fold(0.0, Real::max)
    }

    fn times(&self) -> Vec<Real> {
        self.lanes.iter().map(|lane| lane.session.simulation().time()).collect()
    }
}

impl Command {
    /// The command, which is about a cloth of the pattern `reference`, as one of the pattern
    /// `other` is to be told it, whose `places` are known.
    #[must_use]
    pub fn within(&self, places: &Correspondence, reference: &Pattern, other: &Pattern) -> Self {
        // vertices that the reference lacks exist in no lane
        let vertex_of = |vertex: u32| places.vertex(vertex, reference, other).unwrap_or(u32::MAX);
        let hit_of = |hit: CutHit| {
            let place = places.place(Place { triangle: hit.triangle, weights: hit.weights }, reference)?;
            Some(CutHit { triangle: place.triangle, weights: place.weights })
        };
        match self {
            Self::Grab { vertex, target } => Self::Grab { vertex: vertex_of(*vertex), target: *target },
            Self::Pin { vertex } => Self::Pin { vertex: vertex_of(*vertex) },
            Self::Unpin { vertex } => Self::Unpin { vertex: vertex_of(*vertex) },
            Self::Cut { begin, hits } => {
                Self::Cut { begin: *begin, hits: hits.iter().map(|hit| hit.and_then(hit_of)).collect() }
            }
            command => command.clone(),
        }
    }
}

/// The latest time of some lanes [s].
fn latest(lanes: &[Lane]) -> Real {
    lanes.iter().map(|lane| lane.session.simulation().time()).fold(Real::NEG_INFINITY, Real::max)
}
