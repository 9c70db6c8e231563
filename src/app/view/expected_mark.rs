//! The mark of a motion with a closed formula: where a place of the chosen cloth must be now.

use bevy::prelude::*;

use super::ViewState;
use super::displayed::ChosenCloth;
use super::scene::MainCamera;
use crate::app::session::SessionHandle;

/// Half the length of the mark as a share of the size of the cloth.
const HALF: f64 = 0.12;
/// Colour of what an expected motion and a lesson mark.
pub const MARK: Color = Color::srgb(0.92, 0.55, 0.08);

/// What is written at the mark, and where in the view [logical pixels].
pub type Label = (Vec2, String);

/// Lines that are seen through the cloth.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct Marks;

pub(super) fn plugin(app: &mut App) {
    app.init_gizmo_group::<Marks>().add_systems(Startup, see_through).add_systems(Update, draw);
}

fn see_through(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<Marks>();
    config.depth_bias = -1.0;
    config.line.width = 3.0;
}

fn draw(
    session: Res<SessionHandle>,
    displayed: ChosenCloth,
    camera: Single<(&Camera, &GlobalTransform), With<MainCamera>>,
    mut state: ResMut<ViewState>,
    mut gizmos: Gizmos<Marks>,
) {
    state.expected = None;
    let frame = session.frame();
    let Some(motion) = frame.scene.motion.filter(|_| displayed.is_of(frame)) else { return };
    let parameters = &frame.parameters;
    if motion.has_ended(parameters, frame.time) {
        return;
    }
    let place = motion.place(parameters, frame.time);
    // what slips has no place; its label stands at the start
    let at = place.unwrap_or(motion.from()).as_vec3();
    let (camera, view) = *camera;
    let half = (HALF * frame.pattern.size()) as f32;
    let aside = view.right() * half;
    if place.is_some() {
        gizmos.line(at - aside, at + aside, MARK);
    }
    if let Ok(beside) = camera.world_to_viewport(view, at + aside) {
        state.expected = Some((beside, motion.describe(parameters)));
    }
}
