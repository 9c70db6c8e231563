//! The window of the system: the drawing device, its size on the monitor, preferences, and the end.

pub mod device;
pub mod monitor;
pub mod preferences;
pub mod title;

use bevy::prelude::KeyCode;

/// The keys of shortcuts: Control, or Command on a Mac.
pub const CONTROL: [KeyCode; 4] =
    [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight];
/// The Shift keys.
pub const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];
