//! Mouse, keys and clock: their effects on the cloth, the colliders and the time.

mod cloth_hand;
mod collider_hand;
mod cutting;
mod event_queue;
pub mod gizmos;
pub mod pointer;
pub mod stepping;
mod wind_hand;

use bevy::prelude::App;

pub use event_queue::of_one_frame;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((event_queue::plugin, gizmos::plugin, pointer::plugin, stepping::plugin, wind_hand::plugin));
}
