//! Time: steps the cloth each fixed tick, as fast as the machine allows and no faster than the user wants.

use std::time::{Duration, Instant};

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;

use super::lab::Lab;

/// Most that the simulated time may catch up per frame [s]. Beyond it the cloth runs slower than real time.
const LARGEST_CATCH_UP: Duration = Duration::from_millis(500);
/// Time per frame that stepping may take at least [s], and as a share of the last frame.
const LEAST_BUDGET: f64 = 0.03;
const SHARE_OF_FRAME: f64 = 0.5;
/// Time over which the real-time factor is averaged [s].
const AVERAGE_OVER: f64 = 1.0;

/// How fast time passes, as the user wants it.
#[derive(Resource)]
pub struct Pace {
    /// Whether time stands still.
    pub paused: bool,
    /// Simulated seconds per second.
    pub speed: f64,
    /// Whether a single step is wanted while time stands still.
    pub single_step: bool,
    /// Whether it was a blow-up that stopped the time.
    stopped_by_failure: bool,
}

impl Pace {
    /// Goes back to the last good state, with time standing still: the same solver would only blow up again.
    pub fn restore(&mut self, lab: &mut Lab) {
        self.stopped_by_failure = false;
        lab.restore_last_good();
    }

    /// Stops with a blow-up, and goes on when it has been overcome, by whatever: another scene, a reset.
    fn follow(&mut self, lab: &Lab) {
        if lab.failure.is_some() {
            self.stopped_by_failure |= !self.paused;
            self.paused = true;
        } else if std::mem::take(&mut self.stopped_by_failure) {
            self.paused = false;
        }
    }

    /// Changes the solver. After a blow-up that is the way on: from the last good state, by the new solver.
    pub fn set_solver(&mut self, lab: &mut Lab, id: &str) {
        lab.set_solver(id);
        if lab.failure.is_some() {
            lab.restore_last_good();
            self.paused = false;
        }
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self { paused: false, speed: 1.0, single_step: false, stopped_by_failure: false }
    }
}

/// How well the machine keeps up.
#[derive(Resource, Default)]
pub struct Throughput {
    /// Simulated seconds per second, averaged over about a second.
    pub real_time_factor: f64,
    /// Milliseconds per time step, averaged likewise.
    pub step_ms: f64,
    /// Frames per second, averaged likewise.
    pub frames_per_second: f64,
    /// Whether steps were left out in this frame because there was no time for them.
    pub behind: bool,
    /// Time that steps took in this frame [s].
    spent: f64,
    window: Window,
}

/// What is being averaged.
#[derive(Default)]
struct Window {
    started: Option<Instant>,
    simulated: f64,
    stepping: f64,
    steps: u32,
    frames: u32,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Pace>()
        .init_resource::<Throughput>()
        .add_systems(Startup, |mut time: ResMut<Time<Virtual>>| time.set_max_delta(LARGEST_CATCH_UP))
        .add_systems(
            RunFixedMainLoop,
            (keyboard, set_time).chain().in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, step_cloth)
        .add_systems(RunFixedMainLoop, average.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop));
}

fn keyboard(
    keys: Res<ButtonInput<KeyCode>>,
    typing: Res<bevy_egui::input::EguiWantsInput>,
    mut pace: ResMut<Pace>,
    mut lab: ResMut<Lab>,
) {
    if typing.wants_keyboard_input() {
        return;
    }
    if keys.just_pressed(KeyCode::Space) {
        pace.paused = !pace.paused;
        info!("{}", if pace.paused { "paused" } else { "running" });
    }
    if keys.just_pressed(KeyCode::ArrowRight) || keys.just_pressed(KeyCode::Period) {
        pace.paused = true;
        pace.single_step = true;
    }
    if keys.just_pressed(KeyCode::KeyR) {
        lab.reset();
    }
}

/// The tick is the time step; pausing and slow motion act on the clock that the ticks count.
fn set_time(
    mut lab: ResMut<Lab>,
    mut pace: ResMut<Pace>,
    mut virtual_time: ResMut<Time<Virtual>>,
    mut fixed: ResMut<Time<Fixed>>,
    mut throughput: ResMut<Throughput>,
) {
    pace.follow(&lab);
    let tick = Duration::from_secs_f64(lab.simulation.parameters.timing.time_step);
    if fixed.timestep() != tick {
        fixed.set_timestep(tick);
    }
    if virtual_time.is_paused() != pace.paused {
        if pace.paused { virtual_time.pause() } else { virtual_time.unpause() }
    }
    virtual_time.set_relative_speed_f64(pace.speed);
    throughput.spent = 0.0;
    throughput.behind = false;
    if std::mem::take(&mut pace.single_step) {
        lab.step();
        info!("stepped to t = {:.4} s", lab.simulation.time());
    }
}

fn step_cloth(
    mut lab: ResMut<Lab>,
    mut pace: ResMut<Pace>,
    mut fixed: ResMut<Time<Fixed>>,
    mut throughput: ResMut<Throughput>,
    real: Res<Time<Real>>,
) {
    if pace.paused {
        return;
    }
    if throughput.spent > LEAST_BUDGET.max(SHARE_OF_FRAME * real.delta_secs_f64().min(LARGEST_CATCH_UP.as_secs_f64())) {
        // no time left in this frame: the cloth falls behind real time, and the window stays responsive
        let owed = fixed.overstep();
        fixed.discard_overstep(owed);
        throughput.behind = true;
        return;
    }
    let (start, time) = (Instant::now(), lab.simulation.time());
    lab.step();
    pace.follow(&lab);
    let seconds = start.elapsed().as_secs_f64();
    throughput.spent += seconds;
    throughput.window.stepping += seconds;
    throughput.window.simulated += lab.simulation.time() - time;
    throughput.window.steps += 1;
}

fn average(mut throughput: ResMut<Throughput>, lab: Res<Lab>) {
    let started = *throughput.window.started.get_or_insert_with(Instant::now);
    let elapsed = started.elapsed().as_secs_f64();
    throughput.window.frames += 1;
    if elapsed < AVERAGE_OVER {
        return;
    }
    let Window { simulated, stepping, steps, frames, .. } = std::mem::take(&mut throughput.window);
    throughput.real_time_factor = simulated / elapsed;
    throughput.frames_per_second = f64::from(frames) / elapsed;
    let Throughput { frames_per_second, real_time_factor, .. } = *throughput;
    let time = lab.simulation.time();
    debug!("{frames_per_second:.1} frames per second, {real_time_factor:.2} x real time, t = {time:.2} s");
    if steps > 0 {
        throughput.step_ms = 1e3 * stepping / f64::from(steps);
    }
    throughput.window.started = Some(Instant::now());
}
