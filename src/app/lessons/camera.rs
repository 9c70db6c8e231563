//! The view of one's own cloth, which comes back after a lesson.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::Lessons;

/// Frames after which the camera has been pointed at the cloth that came back.
const POINTED: u8 = 3;

/// Where the camera looks, and from where.
#[derive(Clone, Copy)]
struct Aim {
    focus: Vec3,
    radius: f32,
    yaw: f32,
    pitch: f32,
}

/// The view before a lesson.
#[derive(Default)]
struct Kept {
    aim: Option<Aim>,
    /// Frames until it comes back.
    left: u8,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, keep);
}

fn keep(lessons: Res<Lessons>, mut camera: Single<&mut PanOrbitCamera>, mut kept: Local<Kept>) {
    if lessons.walk().is_some() {
        kept.left = POINTED;
        return;
    }
    if kept.left > 0 {
        kept.left -= 1;
        if let Some(aim) = kept.aim.filter(|_| kept.left == 0) {
            (camera.target_focus, camera.target_radius) = (aim.focus, aim.radius);
            (camera.target_yaw, camera.target_pitch) = (aim.yaw, aim.pitch);
            camera.force_update = true;
        }
        return;
    }
    let PanOrbitCamera { target_focus, target_radius, target_yaw, target_pitch, .. } = **camera;
    kept.aim = Some(Aim { focus: target_focus, radius: target_radius, yaw: target_yaw, pitch: target_pitch });
}
