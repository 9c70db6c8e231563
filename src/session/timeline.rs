//! The way that a session has gone: from any moment of the last minute one can go on.
//!
//! Key states are kept, and the commands between them; a moment between two key states is stepped to again from the first of them, with
//! the same bits. Going on from a moment of the past begins another line; the one that was left stays until it is dropped or too old.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Command;
use super::course::{Course, LeftLine, Segment};
use super::session_state::SessionState;
use crate::sim::Real;

/// A point of the way: after so many steps and commands of the session. Neither number ever goes back, whatever the simulated time does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Point {
    /// Steps that the session has taken.
    pub step: u64,
    /// Commands that it has executed.
    pub command: u64,
}

/// A command, with the point at which it had been executed.
#[derive(Debug)]
struct Executed {
    at: Point,
    command: Command,
}

/// A state to step on from.
#[derive(Debug)]
struct Key {
    at: Point,
    /// Whether it is what the last step has led to.
    is_stepped_to: bool,
    saved: Arc<SessionState>,
}

/// What happened.
pub(super) enum Event {
    /// The session went to the state at a point.
    State(Point),
    /// A command was executed.
    Command(Command),
    /// A step was taken, to a state with this hash.
    Step(u64),
}

/// What was done without going back.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Line {
    first: Point,
    last: Point,
    /// Where it left the line before.
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
    /// Length [s] and the hash of the state after each step that is kept, the first one that of `first_step`.
    steps: VecDeque<(Real, u64)>,
    first_step: u64,
    lines: Vec<Line>,
    /// The line that is shown: the one that goes on.
    shown: usize,
    /// All that has happened.
    head: Point,
    /// Where the session stands.
    at: Point,
    bytes: usize,
}

impl Timeline {
    /// Begins with the present.
    pub fn new(keeping: Keeping, present: SessionState) -> Self {
        let at = Point::default();
        let line = Line { first: at, last: at, parent: None };
        let mut timeline = Self {
            keeping,
            keys: VecDeque::new(),
            commands: VecDeque::new(),
            steps: VecDeque::new(),
            first_step: 1,
            lines: vec![line],
            shown: 0,
            head: at,
            at,
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
        self.lines[self.shown].last
    }

    /// Whether what comes next leaves the line.
    pub fn is_in_the_past(&self) -> bool {
        self.at != self.head
    }

    /// Notes a command that has been executed.
    pub fn note_command(&mut self, command: &Command) {
        self.advance(Point { command: self.head.command + 1, ..self.head });
        self.bytes += size_of::<Executed>();
        self.commands.push_back(Executed { at: self.head, command: command.clone() });
    }

    /// Notes a step of `dt` [s] to a state with this `hash`.
    pub fn note_step(&mut self, dt: Real, hash: u64, present: impl FnOnce() -> SessionState) {
        self.advance(Point { step: self.head.step + 1, ..self.head });
        self.steps.push_back((dt, hash));
        if self.head.step >= self.keys.back().map_or(0, |key| key.at.step) + self.interval(dt) {
            self.push_key(present(), true);
        }
        self.forget();
    }

    /// Notes that the session has gone to the `present` in another way than by steps and commands that can be repeated.
    pub fn note_jump(&mut self, present: SessionState) {
        self.advance(Point { command: self.head.command + 1, ..self.head });
        self.push_key(present, false);
        self.forget();
    }

    /// Leaves the line where the session stands, in the `present`, if that is in the past. Returns whether it was.
    pub fn leave(&mut self, present: impl FnOnce() -> SessionState) -> bool {
        if !self.is_in_the_past() {
            return false;
        }
        let parent = Some(self.at);
        self.head.command += 1;
        self.at = self.head;
        self.lines.push(Line { first: self.head, last: self.head, parent });
        self.shown = self.lines.len() - 1;
        self.push_key(present(), false);
        self.forget();
        true
    }

    /// Goes on to a point, which is the newest.
    fn advance(&mut self, to: Point) {
        (self.head, self.at) = (to, to);
        self.lines[self.shown].last = to;
    }

    /// The state to step on from to a point.
    pub fn key_before(&self, point: Point) -> Option<(Point, Arc<SessionState>)> {
        let end = self.keys.partition_point(|key| key.at <= point);
        let mut key = self.keys.get(end.checked_sub(1)?)?;
        // one more step, for what is told of the last one
        if key.is_stepped_to && key.at.step == point.step {
            key = end.checked_sub(2).and_then(|before| self.keys.get(before)).unwrap_or(key);
        }
        Some((key.at, Arc::clone(&key.saved)))
    }

    /// The last key state on the branch that goes on, where the session stands at its end.
    pub fn key_here(&self) -> Option<Arc<SessionState>> {
        let first = self.lines[self.shown].first;
        let key = self.keys.back().filter(|key| self.at == self.head && key.at >= first)?;
        Some(Arc::clone(&key.saved))
    }

    /// The commands after `from` and up to `to`, each with the number of the step after which it was executed.
    pub fn commands_between(&self, from: Point, to: Point) -> Vec<(u64, Command)> {
        let begin = self.commands.partition_point(|executed| executed.at <= from);
        let between = self.commands.range(begin..).take_while(|executed| executed.at <= to);
        between.map(|executed| (executed.at.step, executed.command.clone())).collect()
    }

    /// Notes that the session stands at a point, on its way to another.
    pub fn stand_at(&mut self, point: Point) {
        self.at = point;
        // a line that was left is shown again
        let holds = |line: &Line| line.first <= point && point <= line.last;
        let path = self.path();
        let on_path = path.iter().any(|(line, end)| holds(&self.lines[*line]) && point <= *end);
        if let Some(line) = self.lines.iter().position(holds).filter(|_| !on_path) {
            self.shown = line;
        }
    }

    /// The point after the step of this number, with all that was done before the next; that of the way that is shown, if it is on it.
    pub fn point_of(&self, step: u64) -> Option<Point> {
        let path = self.path();
        let on_path = path.iter().map(|(line, end)| (self.lines[*line].first, *end));
        let parts: Vec<(Point, Point)> = on_path.chain(self.lines.iter().map(|line| (line.first, line.last))).collect();
        // a line begins at the step after which it was begun, which is of another one
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
        for (line, end) in self.path().into_iter().rev() {
            let first = self.lines[line].first;
            events.push(Event::State(first));
            let jumps = self.keys.iter().filter(|key| !key.is_stepped_to).map(|key| (key.at, Event::State(key.at)));
            let commands = self.commands.iter().map(|executed| (executed.at, Event::Command(executed.command.clone())));
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
            && self.lines.iter().any(|line| line.first <= point && point <= line.last)
    }

    /// The key states around a simulated time [s] in the future that was left last, and how far that is from the first to the second; at its
    /// end the last one. None before it was left.
    pub fn left_at(&self, time: Real) -> Option<(&SessionState, &SessionState, Real)> {
        let path = self.path();
        let left = |(number, line): (usize, &Line)| {
            let cut = path.iter().find(|(on, _)| *on == number).map(|(_, end)| *end);
            let from = cut.unwrap_or(line.first);
            (line.last.step > from.step).then_some((from, line.last))
        };
        let (from, to) = self.lines.iter().enumerate().filter_map(left).max_by_key(|(_, last)| *last)?;
        let begin = self.keys.partition_point(|key| key.at < from);
        let end = self.keys.partition_point(|key| key.at <= to);
        let keys = || self.keys.range(begin..end.max(begin)).map(|key| &*key.saved);
        let before = keys().rfind(|saved| saved.checkpoint.state.time <= time)?;
        let after = keys().find(|saved| saved.checkpoint.state.time > time).unwrap_or(before);
        let (start, span) = (before.checkpoint.state.time, after.checkpoint.state.time - before.checkpoint.state.time);
        Some((before, after, if span > 0.0 { (time - start) / span } else { 0.0 }))
    }

    /// Forgets the lines that were left.
    pub fn drop_left(&mut self) {
        let path = self.path();
        let kept = |at: Point| path.iter().any(|(line, end)| self.lines[*line].first <= at && at <= *end);
        let mut keys = std::mem::take(&mut self.keys);
        keys.retain(|key| kept(key.at));
        let mut commands = std::mem::take(&mut self.commands);
        commands.retain(|executed| kept(executed.at));
        let states: usize = keys.iter().map(|key| key.saved.bytes()).sum();
        self.bytes = states + commands.len() * size_of::<Executed>();
        (self.keys, self.commands) = (keys, commands);
        self.lines = path.iter().rev().map(|(line, end)| Line { last: *end, ..self.lines[*line] }).collect();
        self.shown = self.lines.len() - 1;
    }

    /// The lines of the way that is shown with the point up to which each belongs to it, the newest first.
    fn path(&self) -> Vec<(usize, Point)> {
        let mut path = vec![(self.shown, self.lines[self.shown].last)];
        let mut line = self.lines[self.shown];
        while let Some(parent) = line.parent
            && let Some(at) = self.lines.iter().position(|line| line.first <= parent && parent <= line.last)
        {
            path.push((at, parent));
            line = self.lines[at];
        }
        path
    }

    /// The way as panels show it, without what can be taken back.
    pub fn course(&self) -> Course {
        let path = self.path();
        let segment = |(line, end): &(usize, Point)| Segment { start: self.lines[*line].first.step, end: end.step };
        let segments: Vec<Segment> = path.iter().rev().map(segment).collect();
        let mut course = Course { at: self.at.step, is_newest: !self.is_in_the_past(), segments, ..Course::default() };
        course.bytes = self.bytes;
        for segment in &course.segments {
            let middle = self.at.step.clamp(segment.start, segment.end);
            course.behind += self.seconds(segment.start, middle);
            course.ahead += self.seconds(middle, segment.end);
        }
        for (number, line) in self.lines.iter().enumerate() {
            let cut = path.iter().find(|(on, _)| *on == number).map(|(_, end)| *end);
            let fork = cut.or(line.parent).unwrap_or(line.first).step;
            let start = cut.map_or(line.first.step, |cut| cut.step);
            if line.last.step > start {
                let seconds = self.seconds(start, line.last.step);
                course.left.push(LeftLine { fork, end: line.last.step, seconds });
            }
        }
        course
    }

    /// Simulated time that the steps after number `from` up to `to` took [s].
    fn seconds(&self, from: u64, to: u64) -> Real {
        let index = |step: u64| (step + 1).saturating_sub(self.first_step) as usize;
        let (from, to) = (index(from).min(self.steps.len()), index(to).min(self.steps.len()));
        self.steps.range(from..to.max(from)).map(|(dt, _)| dt).sum()
    }

    fn push_key(&mut self, saved: SessionState, is_stepped_to: bool) {
        self.bytes += saved.bytes();
        self.keys.push_back(Key { at: self.head, is_stepped_to, saved: Arc::new(saved) });
    }

    /// Number of steps of `dt` [s] between two key states, so that those of the whole time find room.
    fn interval(&self, dt: Real) -> u64 {
        let size = self.keys.back().map_or(0, |key| key.saved.bytes());
        let all = self.keeping.seconds / dt * size as Real;
        (all / (0.9 * self.keeping.bytes as Real)).ceil().max(1.0) as u64
    }

    /// Forgets what is too old, or too much.
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
            self.bytes -= first.map_or(0, |key| key.saved.bytes());
            let executed = self.commands.partition_point(|executed| executed.at <= second);
            self.commands.drain(..executed);
            self.bytes -= executed * size_of::<Executed>();
            let steps = (second.step + 1 - self.first_step) as usize;
            self.steps.drain(..steps.min(self.steps.len()));
            self.first_step = second.step + 1;
            let shown = self.lines[self.shown];
            self.lines.retain(|line| line.last >= second);
            for line in &mut self.lines {
                line.first = line.first.max(second);
                line.parent = line.parent.filter(|parent| *parent >= second);
            }
            let is_shown = |line: &Line| line.last == shown.last;
            self.shown = self.lines.iter().position(is_shown).unwrap_or(self.lines.len() - 1);
        }
    }
}
