//! The window fits the monitor that it opens on, and is not too small to be read there.

use bevy::prelude::*;
use bevy::window::{Monitor, PrimaryMonitor, PrimaryWindow};

use super::preferences::HasRememberedSize;

/// Room for the bar of the window and other bars on a low screen [points].
const BAR: f32 = 40.0;
/// Rows of a monitor from which on points are enlarged where the system does not do it, and by how
/// much.
const FINE: u32 = 1800;
const ENLARGED: f32 = 1.5;

pub(in crate::app) fn plugin(app: &mut App) {
    app.add_systems(Update, fit);
}

/// Once, as soon as the monitor is known.
fn fit(
    mut window: Single<&mut Window, With<PrimaryWindow>>,
    monitors: Query<(&Monitor, Has<PrimaryMonitor>)>,
    is_remembered: Res<HasRememberedSize>,
    mut is_done: Local<bool>,
) {
    let Some((monitor, _)) = monitors.iter().max_by_key(|(_, is_primary)| *is_primary).filter(|_| !*is_done) else {
        return;
    };
    *is_done = true;
    let [width, height] = [window.resolution.width(), window.resolution.height()];
    let scale = if monitor.scale_factor == 1.0 && monitor.physical_height >= FINE {
        window.resolution.set_scale_factor_override(Some(ENLARGED));
        ENLARGED
    } else {
        monitor.scale_factor as f32
    };
    let room = [monitor.physical_width, monitor.physical_height].map(|pixels| pixels as f32 / scale);
    let fitted = fitted([width, height], room, is_remembered.0);
    if fitted != [width, height] || scale == ENLARGED {
        info!("window of {} x {} points on a monitor of {} x {}", fitted[0], fitted[1], room[0], room[1]);
        window.resolution.set(fitted[0], fitted[1]);
    }
}

/// The size of a window [points] that is to be `wanted` where there is `room`. One of an earlier run
/// that fits was fitted by the window system.
fn fitted([width, height]: [f32; 2], room: [f32; 2], is_remembered: bool) -> [f32; 2] {
    let lowest = room[1] - BAR;
    let low = if height > room[1] || !is_remembered { height.min(lowest) } else { height };
    // a monitor that tells no size is no reason to open nothing
    if room[0] < 100.0 || room[1] < 100.0 { [width, height] } else { [width.min(room[0]), low] }
}
