//! Time: orders a step of the cloth at each fixed tick, as fast as the machine allows and no faster
//! than the user wants.

use std::time::Duration;

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;

use crate::app::desk::Desk;
use crate::app::key_focus::keys_are_free;
use crate::app::letters::Letters;
use crate::app::session::{Pacing, SessionHandle, TakeFrame};
use crate::app::window::{CONTROL, SHIFT};
use crate::session::Command;

/// Most that the simulated time may catch up per frame [s]. Beyond it the cloth runs slower than
/// real time.
const LARGEST_CATCH_UP: Duration = Duration::from_millis(500);
/// Most waiting ticks [s of simulated time]. More would only delay the response of the cloth.
const MOST_WAITING: f64 = 0.1;

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
fn order_step(mut session: ResMut<SessionHandle>, desk: Res<Desk>, mut fixed: ResMut<Time<Fixed>>) {
    if let Some(until) = desk.pace.until
        && session.is_ordered_until(until)
    {
        return;
    }
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
    desk.throughput.follow(&session);
}
