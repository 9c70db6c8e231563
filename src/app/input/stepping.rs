//! Time: orders a step of the cloth at each fixed tick, as fast as the machine allows and no faster
//! than the user wants.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;

use super::letters::Letters;
use crate::app::desk::Desk;
use crate::app::key_focus::keys_are_free;
use crate::app::session::{Pacing, SessionHandle, TakeFrame};
use crate::app::window::{CONTROL, SHIFT};
use crate::session::{Command, Totals};

/// Most that the simulated time may catch up per frame [s]. Beyond it the cloth runs slower than
/// real time.
const LARGEST_CATCH_UP: Duration = Duration::from_millis(500);
/// Most waiting ticks [s of simulated time]. More would only delay the response of the cloth.
const MOST_WAITING: f64 = 0.1;
/// Time over which the real-time factor is averaged [s].
const AVERAGE_OVER: f64 = 1.0;

/// How fast time passes, as the user wants it.
pub struct Pace {
    /// Simulated seconds per second.
    pub speed: f64,
    /// Whether time runs backwards.
    pub backwards: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self { speed: 1.0, backwards: false }
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

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, |mut time: ResMut<Time<Virtual>>| time.set_max_delta(LARGEST_CATCH_UP))
        .add_systems(
            RunFixedMainLoop,
            (keyboard.run_if(keys_are_free), undo_by_key.run_if(keys_are_free), rewind, set_time)
                .chain()
                .after(TakeFrame)
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, order_step)
        .add_systems(RunFixedMainLoop, average.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop));
}

fn keyboard(keys: Res<ButtonInput<KeyCode>>, letters: Res<Letters>, mut session: ResMut<SessionHandle>) {
    if keys.just_pressed(KeyCode::Space) {
        let paused = session.paused();
        session.pause(!paused);
    }
    if keys.just_pressed(KeyCode::ArrowRight) || letters.just_pressed('.') {
        session.step_forth();
    }
    if keys.just_pressed(KeyCode::ArrowLeft) || letters.just_pressed(',') {
        session.go_by(-1);
    }
    if letters.just_pressed('r') {
        session.send(Command::Reset);
    }
}

/// Ctrl+Z undoes the last action, with Shift, or Ctrl+Y, it is done again.
fn undo_by_key(
    letters: Res<Letters>,
    held: Res<ButtonInput<KeyCode>>,
    mouse: Res<ButtonInput<MouseButton>>,
    mut session: ResMut<SessionHandle>,
) {
    if !mouse.pressed(MouseButton::Left) {
        session.bypass_change_detection().finish_gesture();
    }
    if !held.any_pressed(CONTROL) {
        return;
    }
    if letters.just_pressed('z') {
        session.undo_or_redo(held.any_pressed(SHIFT));
    } else if letters.just_pressed('y') {
        session.undo_or_redo(true);
    }
}

/// Plays the time line backwards, until its beginning.
fn rewind(mut desk: ResMut<Desk>, mut session: ResMut<SessionHandle>, time: Res<Time<Real>>, mut owed: Local<f64>) {
    let pace = &mut desk.pace;
    if !pace.backwards {
        *owed = 0.0;
        return;
    }
    *owed += time.delta_secs_f64().min(0.1) * pace.speed;
    if session.is_going() {
        return;
    }
    let frame = session.frame();
    // resuming ends backward play
    let is_over = frame.timeline.place() == 0 || (!session.paused() && *owed > 0.2);
    let steps = *owed / frame.parameters.timing.time_step;
    if is_over {
        pace.backwards = false;
    } else if steps >= 1.0 {
        *owed = 0.0;
        session.go_by(-(steps as i64));
    }
}

/// The tick is the time step; pausing and slow motion act on the clock that the ticks count.
fn set_time(
    session: Res<SessionHandle>,
    desk: Res<Desk>,
    mut virtual_time: ResMut<Time<Virtual>>,
    mut fixed: ResMut<Time<Fixed>>,
) {
    let tick = Duration::from_secs_f64(session.frame().parameters.timing.time_step);
    if fixed.timestep() != tick {
        fixed.set_timestep(tick);
    }
    if virtual_time.is_paused() != session.paused() {
        if session.paused() { virtual_time.pause() } else { virtual_time.unpause() }
    }
    virtual_time.set_relative_speed_f64(desk.pace.speed);
}

/// Orders the step of a tick. It never waits: while too many are waiting, the cloth falls behind
/// real time instead.
fn order_step(mut session: ResMut<SessionHandle>, mut fixed: ResMut<Time<Fixed>>) {
    let most = (MOST_WAITING / fixed.timestep().as_secs_f64()).ceil().max(1.0);
    if session.pacing() == Pacing::Race && session.lane_count() > 1 {
        session.race(most as u64);
        return;
    }
    if !session.tick(most as u64) {
        let owed = fixed.overstep();
        fixed.discard_overstep(owed);
    }
}

fn average(mut desk: ResMut<Desk>, session: Res<SessionHandle>) {
    let throughput = &mut desk.throughput;
    let started = *throughput.window.started.get_or_insert_with(Instant::now);
    let elapsed = started.elapsed().as_secs_f64();
    throughput.window.frames += 1;
    throughput.window.had_pause |= session.paused();
    if elapsed < AVERAGE_OVER {
        return;
    }
    let frame = session.frame();
    let (now, before) = (frame.totals, throughput.window.totals);
    let (steps, simulated) = (now.steps.saturating_sub(before.steps), (now.time - before.time).max(0.0));
    if !throughput.window.had_pause {
        throughput.real_time_factor = simulated / elapsed;
    }
    throughput.frames_per_second = f64::from(throughput.window.frames) / elapsed;
    if steps > 0 {
        throughput.step_ms = 1e3 * (now.stepping_seconds - before.stepping_seconds) / steps as f64;
        throughput.contact_ms = 1e3 * (now.contact_seconds - before.contact_seconds) / steps as f64;
    }
    let cloth = frame.pattern.whole_revision();
    if std::mem::replace(&mut throughput.cloth, cloth) != cloth {
        throughput.costs.clear();
    }
    if steps > 0 && throughput.window.solver == frame.solver.id {
        let cost = throughput.step_ms;
        throughput.costs.insert(frame.solver.id, cost);
    }
    let Throughput { frames_per_second, real_time_factor, .. } = *throughput;
    let time = frame.time;
    debug!("{frames_per_second:.1} frames per second, {real_time_factor:.2} x real time, t = {time:.2} s");
    throughput.window =
        Window { started: Some(Instant::now()), totals: now, solver: frame.solver.id, ..Window::default() };
}
