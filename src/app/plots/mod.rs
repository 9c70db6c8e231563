//! Plots over the simulated time: the samples of every shown frame, and the drawer that draws them.

mod catalogue;
mod chart;
mod curves;
pub mod history;
pub mod panel;
mod picture;
mod samples;

use bevy::prelude::App;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((history::plugin, picture::plugin));
}
