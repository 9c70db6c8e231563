//! The title of the window: the scene that it shows.

use bevy::prelude::*;

use crate::app::session::SessionHandle;
use crate::scene::Scene;

pub(in crate::app) fn plugin(app: &mut App) {
    app.add_systems(Update, follow);
}

/// The title of a scene, or the name of its file if it has none.
#[must_use]
pub fn title_of(scene: &Scene) -> String {
    let name = if scene.title.is_empty() { &scene.name } else { &scene.title };
    format!("Weft: {name}")
}

fn follow(session: Res<SessionHandle>, mut window: Single<&mut Window>) {
    let title = title_of(&session.frame().scene);
    if window.title != title {
        window.title = title;
    }
}
