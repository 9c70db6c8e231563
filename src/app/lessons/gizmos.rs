//! Marks at the vertices that a step of a lesson points at.

use bevy::prelude::*;

use crate::app::desk::Desk;
use crate::app::session::SessionHandle;
use crate::app::view::displayed::ChosenCloth;

/// Radius of a mark as a share of the size of the cloth.
const RADIUS: f64 = 0.035;
const MARK: Color = Color::srgb(0.92, 0.55, 0.08);

/// Lines that are seen through the cloth.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Marks;

pub(super) fn plugin(app: &mut App) {
    app.init_gizmo_group::<Marks>().add_systems(Startup, see_through).add_systems(Update, draw);
}

fn see_through(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<Marks>();
    config.depth_bias = -1.0;
    config.line.width = 3.0;
}

fn draw(desk: Res<Desk>, session: Res<SessionHandle>, displayed: ChosenCloth, mut gizmos: Gizmos<Marks>) {
    let frame = session.frame();
    if !displayed.is_of(frame) {
        return;
    }
    let radius = (RADIUS * frame.pattern.size()) as f32;
    for vertex in desk.lessons.vertices() {
        if let Some(at) = displayed.positions.get(vertex as usize) {
            gizmos.sphere(at.as_vec3(), radius, MARK);
        }
    }
}
