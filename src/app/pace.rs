//! How fast time passes: as the user wants it, and as the machine can.

use std::collections::BTreeMap;
use std::time::Instant;

use bevy::log::debug;

use super::session::SessionHandle;
use crate::session::Totals;

/// Time over which the real-time factor is averaged [s].
const AVERAGE_OVER: f64 = 1.0;

/// How fast time passes, as the user wants it.
pub struct Pace {
    /// Simulated seconds per second.
    pub speed: f64,
    /// Whether time runs backwards.
    pub backwards: bool,
    /// Simulated time beyond which no steps are ordered [s].
    pub until: Option<f64>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { speed: 1.0, backwards: false, until: None }
    }
}

/// How well the machine keeps up.
#[derive(Default)]
pub struct Throughput {
    /// Simulated seconds per second, averaged over about a second.
    pub real_time_factor: f64,
    /// Milliseconds per time step, averaged likewise.
    pub step_ms: f64,
    /// The part of it that contact took.
    pub contact_ms: f64,
    /// Frames per second, averaged likewise.
    pub frames_per_second: f64,
    /// The newest milliseconds per time step of each solver on the present cloth, by id.
    pub costs: BTreeMap<&'static str, f64>,
    /// The cloth of the costs.
    cloth: u64,
    window: Window,
}

/// The values at the start of the time that is averaged over.
#[derive(Default)]
struct Window {
    started: Option<Instant>,
    totals: Totals,
    frames: u32,
    /// Whether time stood still in between.
    had_pause: bool,
    /// The solver at its start.
    solver: &'static str,
}

impl Throughput {
    /// Averages over the last second, once per frame.
    pub fn follow(&mut self, session: &SessionHandle) {
        let started = *self.window.started.get_or_insert_with(Instant::now);
        let elapsed = started.elapsed().as_secs_f64();
        self.window.frames += 1;
        self.window.had_pause |= session.paused();
        if elapsed < AVERAGE_OVER {
            return;
        }
        let frame = session.frame();
        let (now, before) = (frame.totals, self.window.totals);
        let (steps, simulated) = (now.steps.saturating_sub(before.steps), (now.time - before.time).max(0.0));
        if !self.window.had_pause {
            self.real_time_factor = simulated / elapsed;
        }
        self.frames_per_second = f64::from(self.window.frames) / elapsed;
        if steps > 0 {
            self.step_ms = 1e3 * (now.stepping_seconds - before.stepping_seconds) / steps as f64;
            self.contact_ms = 1e3 * (now.contact_seconds - before.contact_seconds) / steps as f64;
        }
        let cloth = frame.pattern.whole_revision();
        if std::mem::replace(&mut self.cloth, cloth) != cloth {
            self.costs.clear();
        }
        if steps > 0 && self.window.solver == frame.solver.id {
            let cost = self.step_ms;
            self.costs.insert(frame.solver.id, cost);
        }
        let Throughput { frames_per_second, real_time_factor, .. } = *self;
        let time = frame.time;
        debug!("{frames_per_second:.1} frames per second, {real_time_factor:.2} x real time, t = {time:.2} s");
        self.window =
            Window { started: Some(Instant::now()), totals: now, solver: frame.solver.id, ..Window::default() };
    }
}
