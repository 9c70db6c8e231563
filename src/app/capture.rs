//! The end of the program: when, and what is written before it.

use bevy::ecs::observer::On;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::WindowCloseRequested;

use super::lab::Lab;
use super::preferences;
use super::stepping::Pace;
use crate::scene::{Snapshot, save_whole, write_whole};

/// When to end, and what to write then.
#[derive(Resource)]
pub struct Exit {
    after: Option<f64>,
    screenshot: Option<String>,
    snapshot: Option<String>,
    stage: Stage,
}

#[derive(PartialEq, Eq)]
enum Stage {
    Running,
    /// The picture is being taken.
    Capturing,
    Done,
}

impl Exit {
    /// Ends after `after` [s] or when the window is closed, and then writes a picture and a snapshot, each if wanted.
    #[must_use]
    pub fn new(after: Option<f64>, screenshot: Option<String>, snapshot: Option<String>) -> Self {
        Self { after, screenshot, snapshot, stage: Stage::Running }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Last, end);
}

fn end(
    mut exit: ResMut<Exit>,
    lab: Res<Lab>,
    mut pace: ResMut<Pace>,
    time: Res<Time<Real>>,
    mut close: MessageReader<WindowCloseRequested>,
    keys: Res<ButtonInput<KeyCode>>,
    mut commands: Commands,
) {
    // pressed or let go within the frame still counts
    let control = [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft];
    let held = keys.any_pressed(control) || keys.any_just_pressed(control) || keys.any_just_released(control);
    let quit = held && keys.just_pressed(KeyCode::KeyQ);
    let wanted = quit || close.read().count() > 0 || exit.after.is_some_and(|after| time.elapsed_secs_f64() >= after);
    if exit.stage == Stage::Capturing && wanted && exit.after.is_none() {
        // asked again: a window that is not being drawn gives no picture
        error!("no picture was taken");
        exit.stage = Stage::Done;
        commands.write_message(AppExit::error());
    }
    if exit.stage != Stage::Running || !wanted {
        return;
    }
    preferences::save_now(&mut commands);
    pace.paused = true;
    let mut result = AppExit::Success;
    if let Some(file) = &exit.snapshot
        && let Err(error) = write_whole(file.as_ref(), |out| {
            out.write_all(Snapshot::of(&lab.scene, &lab.simulation).to_json().as_bytes())
        })
    {
        error!("{file}: {error}");
        result = AppExit::error();
    }
    if exit.screenshot.is_some() && result.is_success() {
        exit.stage = Stage::Capturing;
        commands.spawn(Screenshot::primary_window()).observe(save_picture);
    } else {
        exit.stage = Stage::Done;
        commands.write_message(result);
    }
}

fn save_picture(captured: On<ScreenshotCaptured>, mut exit: ResMut<Exit>, mut commands: Commands) {
    let file = exit.screenshot.clone().unwrap_or_default();
    exit.stage = Stage::Done;
    let saved = captured.image.clone().try_into_dynamic().map_err(|error| error.to_string()).and_then(|image| {
        let save = |path: &std::path::Path| image.to_rgb8().save(path).map_err(std::io::Error::other);
        save_whole(file.as_ref(), save).map_err(|error| error.to_string())
    });
    commands.write_message(match saved {
        Ok(()) => AppExit::Success,
        Err(error) => {
            error!("{file}: {error}");
            AppExit::error()
        }
    });
}
