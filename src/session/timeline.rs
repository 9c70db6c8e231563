//! The time line of a session: any moment of the last minute can be restored and continued.
//!
//! Key states are kept, and the commands between them; a moment between two key states is reached
//! by stepping from the first of them, with the same bits. Continuing from an earlier moment begins
//! another branch; the old one stays until it is deleted or too old.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Command;
use super::controls::Controls;
use super::state::SessionCheckpoint;
use super::timeline_summary::{LeftBranch, Segment, TimelineSummary};
use crate::sim::Real;

/// A point of the way: after so many steps and commands of the session. Neither number ever goes
/// back, whatever the simulated time does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Point {
    /// Steps that the session has taken.
    pub step: u64,
    /// Commands that it has executed.
    pub command: u64,
}

/// What was done at a point, to be repeated.
#[derive(Debug, Clone)]
pub(super) enum Done {
    Command(Command),
    /// Controls were restored.
    Controls(Arc<Controls>),
}

/// The same, with the point at which it had been done.
#[derive(Debug)]
struct Executed {
    at: Point,
    done: Done,
}

impl Executed {
    /// Memory without the content of commands [bytes].
    fn bytes(&self) -> usize {
        let content = match &self.done {
            Done::Command(_) => 0,
            Done::Controls(controls) => controls.bytes(),
        };
        size_of::<Self>() + content
    }
}

/// A state to step on from.
#[derive(Debug)]
struct Key {
    at: Point,
    /// Whether it is the result of the last step.
    is_stepped_to: bool,
    state: Arc<SessionCheckpoint>,
}

/// An event.
pub(super) enum Event {
    /// The session went to the state at a point.
    State(Point),
    /// A command was executed.
    Command(Command),
    /// A step was taken, to a state with this hash.
    Step(u64),
}

/// A branch: events without going back.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Branch {
    first: Point,
    last: Point,
    /// Where it left the branch before.
    parent: Option<Point>,
}

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keeping {
    /// Simulated time [s].
    pub seconds: Real,
    /// Memory [bytes].
    pub bytes: usize,
}

impl Default for Keeping {
    fn default() -> Self {
        Self { seconds: 60.0, bytes: 256 << 20 }
    }
}

/// The way so far.
#[derive(Debug)]
pub(super) struct Timeline {
    keeping: Keeping,
    keys: VecDeque<Key>,
    commands: VecDeque<Executed>,
    /// Length [s] and the hash of the state after each step that is kept, the first one that of
    /// `first_step`.
    steps: VecDeque<(Real, u64)>,
    first_step: u64,
    branches: Vec<Branch>,
    /// The shown branch, which grows.
    shown: usize,
    /// All that has happened.
    head: Point,
    /// Where the session stands.
    at: Point,
    /// Whether time stands still at the head.
    is_paused: bool,
    bytes: usize,
}

impl Timeline {
    /// Begins with the present.
    pub fn new(keeping: Keeping, present: SessionCheckpoint) -> Self {
        let at = Point::default();
        let branch = Branch { first: at, last: at, parent: None };
        let mut timeline = Self {
            keeping,
            keys: VecDeque::new(),
            commands: VecDeque::new(),
            steps: VecDeque::new(),
            first_step: 1,
            branches: vec![branch],
            shown: 0,
            head: at,
            at,
            is_paused: present.state.paused,
            bytes: 0,
        };
        timeline.push_key(present, false);
        timeline
    }

    /// Where the session stands.
    pub fn at(&self) -> Point {
        self.at
    }

    /// The newest moment of the way that is shown.
    pub fn newest(&self) -> Point {
        self.branches[self.shown].last
    }

    /// Whether the next event leaves the branch.
    pub fn is_in_the_past(&self) -> bool {
        self.at != self.head
    }

    /// Whether time stands still at the newest moment.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Notes a command that has been executed.
    pub fn note_command(&mut self, command: &Command) {
        if let Command::Pause { on } = command {
            self.is_paused = *on;
        }
        self.note(Done::Command(command.clone()));
    }

    /// Notes that controls have been restored.
    pub fn note_controls(&mut self, controls: &Arc<Controls>) {
        self.note(Done::Controls(Arc::clone(controls)));
    }

    fn note(&mut self, done: Done) {
        self.advance(Point { command: self.head.command + 1, ..self.head });
        let executed = Executed { at: self.head, done };
        self.bytes += executed.bytes();
        self.commands.push_back(executed);
    }

    /// Notes a step of `dt` [s] to a state with this `hash`.
    pub fn note_step(&mut self, dt: Real, hash: u64, present: impl FnOnce() -> SessionCheckpoint) {
        self.advance(Point { step: self.head.step + 1, ..self.head });
        self.steps.push_back((dt, hash));
        if self.head.step >= self.keys.back().map_or(0, |key| key.at.step) + self.interval(dt) {
            self.push_key(present(), true);
        }
        self.forget();
    }

    /// Notes that the session has gone to the `present` in another way than by steps and commands
    /// that can be repeated.
    pub fn note_jump(&mut self, present: SessionCheckpoint) {
        self.is_paused = present.state.paused;
        self.advance(Point { command: self.head.command + 1, ..self.head });
        self.push_key(present, false);
        self.forget();
    }

    /// Begins another branch with the `present`, in the past.
    pub fn leave(&mut self, present: SessionCheckpoint) {
        self.is_paused = present.state.paused;
        let parent = Some(self.at);
        self.head.command += 1;
        self.at = self.head;
        self.branches.push(Branch { first: self.head, last: self.head, parent });
        self.shown = self.branches.len() - 1;
        self.push_key(present, false);
        self.forget();
    }

    /// Goes on to a point, which is the newest.
    fn advance(&mut self, to: Point) {
        (self.head, self.at) = (to, to);
        self.branches[self.shown].last = to;
    }

    /// The state to step on from to a point.
    pub fn key_before(&self, point: Point) -> Option<(Point, Arc<SessionCheckpoint>)> {
        let end = self.keys.partition_point(|key| key.at <= point);
        let mut key = self.keys.get(end.checked_sub(1)?)?;
        // one more step, for the measurements of the last one
        if key.is_stepped_to && key.at.step == point.step {
            key = end.checked_sub(2).and_then(|before| self.keys.get(before)).unwrap_or(key);
        }
        Some((key.at, Arc::clone(&key.state)))
    }

    /// The last key state on the growing branch, if the session is at its end.
    pub fn key_here(&self) -> Option<Arc<SessionCheckpoint>> {
        let first = self.branches[self.shown].first;
        let key = self.keys.back().filter(|key| self.at == self.head && key.at >= first)?;
        Some(Arc::clone(&key.state))
    }

    /// The commands after `from` and up to `to`, each with the number of the step after which it
    /// was executed.
    pub fn commands_between(&self, from: Point, to: Point) -> Vec<(u64, Done)> {
        let begin = self.commands.partition_point(|executed| executed.at <= from);
        let between = self.commands.range(begin..).take_while(|executed| executed.at <= to);
        between.map(|executed| (executed.at.step, executed.done.clone())).collect()
    }

    /// Notes that the session stands at a point, on its way to another.
    pub fn stand_at(&mut self, point: Point) {
        self.at = point;
        // a branch that was left is shown again
        let holds = |branch: &Branch| branch.first <= point && point <= branch.last;
        let path = self.path();
        let on_path = path.iter().any(|(branch, end)| holds(&self.branches[*branch]) && point <= *end);
        if let Some(branch) = self.branches.iter().position(holds).filter(|_| !on_path) {
            self.shown = branch;
        }
    }

    /// The point after the step of this number, with all that was done before the next; that of the
    /// way that is shown, if it is on it.
    pub fn point_of(&self, step: u64) -> Option<Point> {
        let path = self.path();
        let on_path = path.iter().map(|(branch, end)| (self.branches[*branch].first, *end));
        let parts: Vec<(Point, Point)> =
            on_path.chain(self.branches.iter().map(|branch| (branch.first, branch.last))).collect();
        // the first step of a branch belongs to its parent
        let within = |(first, end): &&(Point, Point)| first.step < step && step <= end.step;
        let (_, end) = *parts.iter().find(within).or_else(|| parts.iter().find(|(first, _)| first.step == step))?;
        if step == end.step {
            return Some(end);
        }
        // with all that was done before the next step
        let points = self.commands.iter().map(|executed| executed.at).chain(self.keys.iter().map(|key| key.at));
        let last = points.filter(|at| at.step == step && *at <= end).max();
        Some(last.unwrap_or(Point { step, command: self.commands_before(step) }))
    }

    /// Number of commands that had been executed when the step of this number was taken.
    fn commands_before(&self, step: u64) -> u64 {
        let points = self.commands.iter().map(|executed| executed.at).chain(self.keys.iter().map(|key| key.at));
        points.filter(|at| at.step < step).map(|at| at.command).max().unwrap_or(0)
    }

    /// All that happened on the way that is shown, in order.
    pub fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        for (branch, end) in self.path().into_iter().rev() {
            let first = self.branches[branch].first;
            events.push(Event::State(first));
            let jumps = self.keys.iter().filter(|key| !key.is_stepped_to).map(|key| (key.at, Event::State(key.at)));
            let event = |Executed { at, done }: &Executed| match done {
                Done::Command(command) => (*at, Event::Command(command.clone())),
                Done::Controls(_) => (*at, Event::State(*at)),
            };
            let commands = self.commands.iter().map(event);
            let within = |(at, _): &(Point, Event)| first < *at && *at <= end;
            let mut done: Vec<(Point, Event)> = jumps.chain(commands).filter(within).collect();
            done.sort_by_key(|(at, _)| *at);
            let mut done = done.into_iter().peekable();
            for step in first.step..=end.step {
                if step > first.step {
                    let hash = self.steps.get((step - self.first_step) as usize).map_or(0, |(_, hash)| *hash);
                    events.push(Event::Step(hash));
                }
                while let Some((_, event)) = done.next_if(|(at, _)| at.step == step) {
                    events.push(event);
                }
            }
        }
        events
    }

    /// Whether a point can be gone to.
    pub fn holds(&self, point: Point) -> bool {
        self.keys.front().is_some_and(|key| key.at <= point)
            && self.branches.iter().any(|branch| branch.first <= point && point <= branch.last)
    }

    /// The key states around a simulated time [s] in the future that was left last, and how far
    /// that is from the first to the second; at its end the last one. None before it was left.
    pub fn left_at(&self, time: Real) -> Option<(&SessionCheckpoint, &SessionCheckpoint, Real)> {
        let path = self.path();
        let left = |(number, branch): (usize, &Branch)| {
            let cut = path.iter().find(|(on, _)| *on == number).map(|(_, end)| *end);
            let from = cut.unwrap_or(branch.first);
            (branch.last.step > from.step).then_some((from, branch.last))
        };
        let (from, to) = self.branches.iter().enumerate().filter_map(left).max_by_key(|(_, last)| *last)?;
        let begin = self.keys.partition_point(|key| key.at < from);
        let end = self.keys.partition_point(|key| key.at <= to);
        let keys = || self.keys.range(begin..end.max(begin)).map(|key| &*key.state);
        let before = keys().rfind(|saved| saved.simulation.state.time <= time)?;
        let after = keys().find(|saved| saved.simulation.state.time > time).unwrap_or(before);
        let (start, span) = (before.simulation.state.time, after.simulation.state.time - before.simulation.state.time);
        Some((before, after, if span > 0.0 { (time - start) / span } else { 0.0 }))
    }

    /// Forgets the branches that were left.
    pub fn drop_left(&mut self) {
        let path = self.path();
        let kept = |at: Point| path.iter().any(|(branch, end)| self.branches[*branch].first <= at && at <= *end);
        let mut keys = std::mem::take(&mut self.keys);
        keys.retain(|key| kept(key.at));
        let mut commands = std::mem::take(&mut self.commands);
        commands.retain(|executed| kept(executed.at));
        let states: usize = keys.iter().map(|key| key.state.bytes()).sum();
        self.bytes = states + commands.iter().map(Executed::bytes).sum::<usize>();
        (self.keys, self.commands) = (keys, commands);
        self.branches =
            path.iter().rev().map(|(branch, end)| Branch { last: *end, ..self.branches[*branch] }).collect();
        self.shown = self.branches.len() - 1;
    }

    /// The branches of the way that is shown with the point up to which each belongs to it, the
    /// newest first.
    fn path(&self) -> Vec<(usize, Point)> {
        let mut path = vec![(self.shown, self.branches[self.shown].last)];
        let mut branch = self.branches[self.shown];
        while let Some(parent) = branch.parent
            && let Some(at) = self.branches.iter().position(|branch| branch.first <= parent && parent <= branch.last)
        {
            path.push((at, parent));
            branch = self.branches[at];
        }
        path
    }

    /// The time line as panels show it, without undo.
    pub fn summary(&self) -> TimelineSummary {
        let path = self.path();
        let segment =
            |(branch, end): &(usize, Point)| Segment { start: self.branches[*branch].first.step, end: end.step };
        let segments: Vec<Segment> = path.iter().rev().map(segment).collect();
        let mut summary = TimelineSummary {
            at: self.at.step,
            is_newest: !self.is_in_the_past(),
            segments,
            ..TimelineSummary::default()
        };
        summary.bytes = self.bytes;
        for segment in &summary.segments {
            let middle = self.at.step.clamp(segment.start, segment.end);
            summary.behind += self.seconds(segment.start, middle);
            summary.ahead += self.seconds(middle, segment.end);
        }
        for (number, branch) in self.branches.iter().enumerate() {
            let cut = path.iter().find(|(on, _)| *on == number).map(|(_, end)| *end);
            let fork = cut.or(branch.parent).unwrap_or(branch.first).step;
            let start = cut.map_or(branch.first.step, |cut| cut.step);
            if branch.last.step > start {
                let seconds = self.seconds(start, branch.last.step);
                summary.left.push(LeftBranch { fork, end: branch.last.step, seconds });
            }
        }
        summary
    }

    /// Simulated time that the steps after number `from` up to `to` took [s].
    fn seconds(&self, from: u64, to: u64) -> Real {
        let index = |step: u64| (step + 1).saturating_sub(self.first_step) as usize;
        let (from, to) = (index(from).min(self.steps.len()), index(to).min(self.steps.len()));
        self.steps.range(from..to.max(from)).map(|(dt, _)| dt).sum()
    }

    fn push_key(&mut self, state: SessionCheckpoint, is_stepped_to: bool) {
        self.bytes += state.bytes();
        self.keys.push_back(Key { at: self.head, is_stepped_to, state: Arc::new(state) });
    }

    /// Number of steps of `dt` [s] between two key states, so that those of the whole time find
    /// room.
    fn interval(&self, dt: Real) -> u64 {
        let size = self.keys.back().map_or(0, |key| key.state.bytes());
        let all = self.keeping.seconds / dt * size as Real;
        (all / (0.9 * self.keeping.bytes as Real)).ceil().max(1.0) as u64
    }

    /// Drops old events beyond the limits.
    fn forget(&mut self) {
        let mut kept: Real = self.steps.iter().map(|(dt, _)| dt).sum();
        while let Some(second) = self.keys.get(1).map(|key| key.at) {
            let dropped = self.seconds(self.first_step - 1, second.step);
            let too_old = kept - dropped >= self.keeping.seconds;
            if !too_old && self.bytes <= self.keeping.bytes {
                return;
            }
            kept -= dropped;
            let first = self.keys.pop_front();
            self.bytes -= first.map_or(0, |key| key.state.bytes());
            let executed = self.commands.partition_point(|executed| executed.at <= second);
            self.bytes -= self.commands.drain(..executed).map(|executed| executed.bytes()).sum::<usize>();
            let steps = (second.step + 1 - self.first_step) as usize;
            self.steps.drain(..steps.min(self.steps.len()));
            self.first_step = second.step + 1;
            let shown = self.branches[self.shown];
            self.branches.retain(|branch| branch.last >= second);
            for branch in &mut self.branches {
                branch.first = branch.first.max(second);
                branch.parent = branch.parent.filter(|parent| *parent >= second);
            }
            let is_shown = |branch: &Branch| branch.last == shown.last;
            self.shown = self.branches.iter().position(is_shown).unwrap_or(self.branches.len() - 1);
        }
    }
}
