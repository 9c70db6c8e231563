//! The way that a session has gone, as panels show it.

use crate::sim::Real;

/// A part of the way, for a slider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Number of the step before it, of all steps of the session.
    pub start: u64,
    /// Number of its last step.
    pub end: u64,
}

/// A line that was left, and could be gone on with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftBranch {
    /// Number of the step at which the way that is shown left it.
    pub fork: u64,
    /// Number of its last step.
    pub end: u64,
    /// Simulated time from there to its end [s].
    pub seconds: Real,
}

/// The way as panels show it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TimelineSummary {
    /// The way from the oldest moment to the newest.
    pub segments: Vec<Segment>,
    /// Number of the step after which the session stands.
    pub at: u64,
    /// Whether that is the newest moment.
    pub is_newest: bool,
    /// Simulated time between where it stands and the oldest and the newest moment [s].
    pub behind: Real,
    /// See `behind`.
    pub ahead: Real,
    /// Lines that were left.
    pub left: Vec<LeftBranch>,
    /// Memory that it takes [bytes].
    pub bytes: usize,
    /// Next action to undo.
    pub undo: Option<String>,
    /// Number of that action, which rises from action to action; zero if there is none.
    pub newest_action: u64,
    /// Next action to redo.
    pub redo: Option<String>,
    /// Whether these two were done in all lanes.
    pub shared: [bool; 2],
}

impl TimelineSummary {
    /// Number of steps on the way.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.segments.iter().map(|segment| segment.end - segment.start).sum()
    }

    /// Whether there is nothing to go back to.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of steps on the way from its beginning to where the session stands.
    #[must_use]
    pub fn place(&self) -> u64 {
        self.place_of(self.at)
    }

    /// Number of steps on the way to the step of this number.
    #[must_use]
    pub fn place_of(&self, step: u64) -> u64 {
        let before = |segment: &Segment| step.clamp(segment.start, segment.end) - segment.start;
        self.segments.iter().map(before).sum()
    }

    /// Number of the step that is so many steps from the beginning of the way.
    #[must_use]
    pub fn step_at(&self, mut place: u64) -> u64 {
        for segment in &self.segments {
            if place <= segment.end - segment.start {
                return segment.start + place;
            }
            place -= segment.end - segment.start;
        }
        self.segments.last().map_or(0, |segment| segment.end)
    }
}
