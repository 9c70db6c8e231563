//! Autotuning of the thread pool: on a busy machine steps with and without workers are timed in
//! turns, and the faster way is kept for a while.
//!
//! A worker without a processor of its own is not only late: its waking and waiting take time from
//! the caller. That shows only in the time of whole steps. The decision changes times, never
//! results.

use crate::sim::Real;

/// Least length of a turn [s]: some time slices of a system.
const TURN: Real = 0.008;
/// Turns with workers in a trial, each followed by one without.
const PAIRS: usize = 3;
/// How long what a trial has found holds, in lengths of the trial: at first and, while trials
/// agree, at most. On a quiet machine trials take about 3 % at first, and 0.2 % then.
const SHORTEST_TERM: Real = 8.0;
const LONGEST_TERM: Real = 128.0;
/// Longest term [s].
const LONGEST: Real = 10.0;
/// What steps without workers may take of the time of the others to be preferred.
const CLEARLY_LESS: Real = 0.97;

/// Steps of one kind in a row.
#[derive(Debug, Clone, Copy, Default)]
struct Turn {
    /// Time of these steps [s].
    seconds: Real,
    steps: Real,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Autotuner {
    /// What a step amounts to; another amount needs another trial.
    work: [usize; 2],
    /// What the last trial has found: whether workers are worth it.
    together: bool,
    /// Time until the next trial [s].
    left: Real,
    /// Length of the last term, in trials.
    term: Real,
    /// The turns of the trial, and which of them it is.
    turns: [Turn; 2 * PAIRS],
    turn: usize,
}

impl Default for Autotuner {
    fn default() -> Self {
        Self::new([0; 2])
    }
}

impl Autotuner {
    /// A trial that is about to begin.
    #[must_use]
    pub const fn new(work: [usize; 2]) -> Self {
        let turns = [Turn { seconds: 0.0, steps: 0.0 }; 2 * PAIRS];
        Self { work, together: true, left: 0.0, term: 0.5 * SHORTEST_TERM, turns, turn: 0 }
    }

    /// Whether the next step, which amounts to so much `work`, is to be done with workers.
    pub fn is_together(&mut self, work: [usize; 2]) -> bool {
        if self.work != work {
            *self = Self::new(work);
        }
        if self.left > 0.0 { self.together } else { self.turn.is_multiple_of(2) }
    }

    /// Hears that this step took so many `seconds`. Where there is no clock, and all take none,
    /// workers stay.
    pub fn hear(&mut self, seconds: Real) {
        if self.left > 0.0 {
            self.left -= seconds;
            return;
        }
        let turn = &mut self.turns[self.turn];
        turn.seconds += seconds;
        turn.steps += 1.0;
        if turn.seconds >= TURN {
            self.turn += 1;
        }
        if self.turn == self.turns.len() {
            self.decide();
        }
    }

    /// Ends the trial.
    fn decide(&mut self) {
        let mean = |turn: &Turn| turn.seconds / turn.steps;
        let pairs = self.turns.as_chunks::<2>().0.iter().map(|[with, without]| (mean(with), mean(without)));
        // a single turn may have had bad luck
        let won = pairs.clone().filter(|(with, without)| without < with).count();
        let (with, without) = pairs.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let together = if self.turns.iter().all(|turn| turn.steps == 1.0) {
            // long steps may be of different kinds, one tried in two ways and the next in one: the
            // quickest are alike
            let best =
                |first: usize| self.turns.iter().skip(first).step_by(2).map(mean).fold(Real::INFINITY, Real::min);
            best(1) > CLEARLY_LESS * best(0)
        } else {
            2 * won <= PAIRS || without > CLEARLY_LESS * with
        };
        self.term = if together == self.together { (2.0 * self.term).min(LONGEST_TERM) } else { SHORTEST_TERM };
        self.together = together;
        let length: Real = self.turns.iter().map(|turn| turn.seconds).sum();
        self.left = (self.term * length).min(LONGEST);
        self.turns = Default::default();
        self.turn = 0;
    }
}
