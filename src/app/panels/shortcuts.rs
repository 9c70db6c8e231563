//! Keys of the panels, and files that are dropped on the window.

use bevy::prelude::*;

use super::{find, keys as help};
use crate::app::desk::{Desk, Request};
use crate::app::export::is_table;
use crate::app::key_focus::{KeyFocus, shortcuts_are_free};
use crate::app::letters::Letters;
use crate::app::session::SessionHandle;
use crate::app::window::CONTROL;

/// Ctrl+K opens Find, and closes it from its own text field as well.
pub fn find_by_key(
    (keys, letters): (Res<ButtonInput<KeyCode>>, Res<Letters>),
    focus: Res<KeyFocus>,
    mut desk: ResMut<Desk>,
) {
    let is_wanted = keys.any_pressed(CONTROL) && letters.just_pressed('k');
    if is_wanted && (shortcuts_are_free(focus) || desk.windows.is_open(find::TITLE)) {
        desk.windows.toggle(find::TITLE);
    }
}

/// H puts the panels away and brings them back; ? and F1 tell the keys.
pub fn follow_keys(keys: Res<ButtonInput<KeyCode>>, letters: Res<Letters>, mut desk: ResMut<Desk>) {
    if letters.just_pressed('h') {
        desk.hidden = !desk.hidden;
    }
    if keys.just_pressed(KeyCode::F1) || letters.just_pressed('?') {
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
                desk.requests.push(Request::OpenTable(path_buf.clone()));
            } else {
                session.open_file(path_buf.to_string_lossy().into_owned());
            }
        }
    }
}
