//! Frames at a rate that the steps do not hit, interpolated between the states after steps.
//!
//! Between two states a vertex moves on a parabola through three of them: of the two parabolas,
//! with the state before and with the one after, that which bends less (Harten, Engquist, Osher,
//! Chakravarthy 1987, "ENO"). A free fall is met exactly, and where a vertex hits something it does
//! not swing through. A frame at the time of a state is that state, to the bit.
//!
//! Pictures of a GIF have delays of whole hundredths of a second.

use std::collections::VecDeque;

use super::surface::extended;
use crate::sim::{Pattern, Real, Vec3};

/// Times closer than this are the same [s]: those of states are sums of steps.
const SAME: Real = 1e-9;
/// States that are kept: two around a frame, one before and one after.
const STATES: usize = 4;

/// A shape at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameState {
    /// Simulated time [s].
    pub time: Real,
    /// Position of each vertex [m].
    pub positions: Vec<Vec3>,
}

/// Makes frames of a motion that is given state by state.
#[derive(Debug, Clone)]
pub struct FrameSampler {
    /// Frames per second.
    rate: Real,
    /// Time before which there is no frame [s].
    earliest: Real,
    /// Time of the first frame [s], once it is known.
    first: Option<Real>,
    /// Number of frames since then.
    count: u64,
    /// Stands for the whole cloth that the states are of.
    cloth: u64,
    states: VecDeque<FrameState>,
}

impl FrameSampler {
    /// `rate` frames per second, which is above zero, from the time `earliest` [s] on.
    #[must_use]
    pub fn new(rate: Real, earliest: Real) -> Self {
        Self { rate, earliest, first: None, count: 0, cloth: 0, states: VecDeque::new() }
    }

    /// Adds a state, and hands `emit` the frames that later states cannot change. `pattern` is that
    /// of the present cloth: in earlier states, torn-off vertices are at the vertices that they
    /// were torn off. If the time has gone back or the cloth is another one, frames begin anew.
    ///
    /// # Errors
    /// The error of `emit`.
    pub fn push<E>(
        &mut self,
        state: FrameState,
        pattern: &Pattern,
        emit: &mut dyn FnMut(FrameState) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_other = !self.states.is_empty() && self.cloth != pattern.whole_revision();
        if is_other || self.states.back().is_some_and(|last| last.time >= state.time) {
            // of another mesh there is no surface to show them on
            let is_shown = self.states.iter().all(|state| state.positions.len() <= pattern.len());
            if is_shown && !is_other {
                self.finish(emit)?;
            }
            *self = Self::new(self.rate, self.earliest);
        }
        self.cloth = pattern.whole_revision();
        for earlier in &mut self.states {
            if earlier.positions.len() < state.positions.len() {
                earlier.positions = extended(pattern, &earlier.positions).into_owned();
            }
        }
        if self.first.is_none() && state.time >= self.earliest - SAME {
            // a motion that begins later has its first frame at its beginning
            let first = if self.states.is_empty() { state.time.max(self.earliest) } else { self.earliest };
            self.first = Some(first);
        }
        let last = self.states.back().map(|last| last.time);
        self.states.push_back(state);
        if self.states.len() > STATES {
            self.states.pop_front();
        }
        last.map_or(Ok(()), |last| self.emit_until(last, emit))
    }

    /// Hands `emit` the frames up to the last state.
    ///
    /// # Errors
    /// The error of `emit`.
    pub fn finish<E>(&mut self, emit: &mut dyn FnMut(FrameState) -> Result<(), E>) -> Result<(), E> {
        self.states.back().map(|last| last.time).map_or(Ok(()), |last| self.emit_until(last, emit))
    }

    fn emit_until<E>(&mut self, last: Real, emit: &mut dyn FnMut(FrameState) -> Result<(), E>) -> Result<(), E> {
        let Some(first) = self.first else { return Ok(()) };
        loop {
            let time = first + self.count as Real / self.rate;
            if time > last + SAME {
                return Ok(());
            }
            let Some(frame) = self.at(time) else { return Ok(()) };
            self.count += 1;
            emit(frame)?;
        }
    }

    /// The shape at `time`, which is not outside the states.
    fn at(&self, time: Real) -> Option<FrameState> {
        if let Some(state) = self.states.iter().find(|state| (state.time - time).abs() <= SAME) {
            return Some(state.clone());
        }
        let after = self.states.iter().position(|state| state.time > time)?;
        let (from, to) = (self.states.get(after.checked_sub(1)?)?, &self.states[after]);
        let before = after.checked_sub(2).and_then(|at| self.states.get(at));
        let beyond = self.states.get(after + 1);
        let share = (time - from.time) / (to.time - from.time);
        let bow = (time - from.time) * (time - to.time);
        let positions = (0..from.positions.len())
            .map(|vertex| {
                let of = |state: &FrameState| (state.time, state.positions[vertex]);
                let curvatures = [
                    before.map(|before| curvature(of(before), of(from), of(to))),
                    beyond.map(|beyond| curvature(of(from), of(to), of(beyond))),
                ];
                let least = curvatures.into_iter().flatten();
                let least = least.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
                from.positions[vertex].lerp(to.positions[vertex], share) + bow * least.unwrap_or_default()
            })
            .collect();
        Some(FrameState { time, positions })
    }
}

/// The second divided difference of three points in time [m/s²]: half of the acceleration of the
/// parabola through them.
fn curvature(a: (Real, Vec3), b: (Real, Vec3), c: (Real, Vec3)) -> Vec3 {
    ((c.1 - b.1) / (c.0 - b.0) - (b.1 - a.1) / (b.0 - a.0)) / (c.0 - a.0)
}

/// Most pictures per second: viewers take a delay below 2 hundredths of a second for 10.
pub const MOST_GIF_RATE: f64 = 50.0;
/// Fewest, as a delay has 16 bits.
pub const LEAST_GIF_RATE: f64 = 100.0 / 65_535.0;

/// Delays of pictures, so many per second [hundredths of a second]. Each picture begins as near to
/// its time as possible, so that all take as long as the motion.
pub fn gif_delays(rate: f64) -> impl Iterator<Item = u16> {
    let begins = move |picture: u64| (100.0 * picture as f64 / rate).round() as u64;
    (0..).map(move |picture| (begins(picture + 1) - begins(picture)) as u16)
}
