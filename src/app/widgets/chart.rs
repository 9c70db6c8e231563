//! Charts with fixed axes, on which panels draw and listen themselves.

use egui::{Color32, Sense};
use egui_plot::Plot;

/// Colour of the lines behind.
const GRID: Color32 = Color32::from_rgb(60, 64, 72);

/// A chart of this height [points] that the pointer neither shifts nor zooms.
pub fn fixed_chart<'a>(id: &str, height: f32) -> Plot<'a> {
    Plot::new(id)
        .grid_color(GRID)
        .grid_fade(0.0)
        .show_x(false)
        .show_y(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .sense(Sense::click_and_drag())
        .height(height)
}
