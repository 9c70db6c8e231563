//! Ctrl+O opens, Ctrl+S saves the scene, Ctrl+E exports.

use bevy::prelude::*;

use super::{Files, Purpose};
use crate::app::panels::{OpenWindows, files};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, follow);
}

fn follow(keys: Res<ButtonInput<KeyCode>>, mut windows: ResMut<OpenWindows>, mut files: ResMut<Files>) {
    // pressed or let go within the frame still counts
    let controls = [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft];
    let control = keys.any_pressed(controls) || keys.any_just_pressed(controls) || keys.any_just_released(controls);
    if !control {
        return;
    }
    let files = files.bypass_change_detection();
    if keys.just_pressed(KeyCode::KeyO) {
        files.ask(Purpose::Open);
    } else if keys.just_pressed(KeyCode::KeyS) {
        files.ask(Purpose::SaveScene);
    } else if keys.just_pressed(KeyCode::KeyE) {
        let open = !windows.is_open(files::TITLE);
        windows.set(files::TITLE, open);
        files.wants_focus = open;
    }
}
