//! Keys of the panels, and files that are dropped on the window.

use bevy::prelude::*;

use super::{find, keys as help};
use crate::app::desk::Desk;
use crate::app::export::is_table;
use crate::app::session::SessionHandle;
use crate::app::window::{CONTROL, SHIFT};
use crate::session::Command;

/// Ctrl+K opens and closes Find.
pub fn find_by_key(keys: Res<ButtonInput<KeyCode>>, mut desk: ResMut<Desk>) {
    if keys.any_pressed(CONTROL) && keys.just_pressed(KeyCode::KeyK) {
        desk.windows.toggle(find::TITLE);
    }
}

/// Tab puts the panels away and brings them back; ? and F1 tell the keys.
pub fn follow_keys(keys: Res<ButtonInput<KeyCode>>, mut desk: ResMut<Desk>) {
    if keys.just_pressed(KeyCode::Tab) {
        desk.hidden = !desk.hidden;
    }
    if keys.just_pressed(KeyCode::F1) || (keys.any_pressed(SHIFT) && keys.just_pressed(KeyCode::Slash)) {
        let open = desk.windows.toggle(help::TITLE);
        info!("keys are {}", if open { "shown" } else { "put away" });
    }
}

/// Opens a dropped file: tables of sweeps in their panel, everything else in the session.
pub fn open_dropped_file(
    mut dropped: MessageReader<FileDragAndDrop>,
    mut session: ResMut<SessionHandle>,
    mut desk: ResMut<Desk>,
) {
    for event in dropped.read() {
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = event {
            if is_table(path_buf) {
                desk.open_table(path_buf);
            } else {
                session.send(Command::Open { file: path_buf.to_string_lossy().into_owned() });
            }
        }
    }
}
