//! Mouse, keys and clock: what they do with the cloth, the colliders and the time.

mod collider_hand;
mod cutting;
mod event_queue;
pub mod gizmos;
mod picking;
pub mod pointer;
pub mod stepping;
mod wind_hand;

use bevy::prelude::{App, KeyCode};

pub use event_queue::of_one_frame;

/// The keys of shortcuts: Control, or Command on a Mac.
pub const CONTROL: [KeyCode; 4] =
    [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight];
/// The Shift keys.
pub const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((event_queue::plugin, gizmos::plugin, pointer::plugin, stepping::plugin, wind_hand::plugin));
}
