//! The plots as a picture, cut out of the image of the window.

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::PrimaryWindow;

use crate::app::picture::Picture;
use crate::app::plots::history::History;
use crate::app::widgets::study;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, take);
}

fn take(mut history: ResMut<History>, window: Single<&Window, With<PrimaryWindow>>, mut commands: Commands) {
    let Some(place) = history.picture.take() else { return };
    // in pixels of the picture
    let (scale, [left, top, right, bottom]) = (window.scale_factor(), place);
    let corners = [left, top, right, bottom].map(|edge| (edge * scale).round().max(0.0) as u32);
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>, mut history: ResMut<History>| {
            history.message = Some(save(&captured.image, corners));
        },
    );
}

/// Writes the part of an image between left, top, right and bottom [pixels]; returns the outcome in
/// a sentence.
fn save(image: &Image, [left, top, right, bottom]: [u32; 4]) -> Result<String, String> {
    let whole = image.clone().try_into_dynamic().map_err(|error| format!("The picture cannot be written: {error}"))?;
    let (right, bottom) = (right.min(whole.width()), bottom.min(whole.height()));
    let part = whole.crop_imm(left, top, right.saturating_sub(left), bottom.saturating_sub(top)).to_rgb8();
    let picture = Picture { size: [part.width(), part.height()], rgb: part.into_raw() };
    study::save(["plots", "png"], "picture", |out| picture.write_png(out))
}
