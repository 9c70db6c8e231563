//! Marks at the vertices that a step of a lesson points at.

use bevy::prelude::*;

use super::Lessons;
use crate::app::session::SessionHandle;
use crate::app::view::displayed::ChosenCloth;
use crate::app::view::expected_mark::{MARK, Marks};

/// Radius of a mark as a share of the size of the cloth.
const RADIUS: f64 = 0.035;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, draw);
}

fn draw(lessons: Res<Lessons>, session: Res<SessionHandle>, displayed: ChosenCloth, mut gizmos: Gizmos<Marks>) {
    let frame = session.frame();
    if !displayed.is_of(frame) {
        return;
    }
    let radius = (RADIUS * frame.pattern.size()) as f32;
    for vertex in lessons.vertices() {
        if let Some(at) = displayed.positions.get(vertex as usize) {
            gizmos.sphere(at.as_vec3(), radius, MARK);
        }
    }
}
