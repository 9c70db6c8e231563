//! Where a camera stands so that a scene or a cloth is in view.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::axis_views::ANGLE;
use crate::scene::bounds;
use crate::session::Frame;
use crate::sim::Vec3 as SimVec3;

/// Share of the view's height that the cloth takes.
const SHARE: f32 = 0.6;
/// From where a scene is looked at that does not say so [rad].
pub const YAW: f32 = 0.45;
const PITCH: f32 = 0.2;

/// A place to look at, and from where.
pub struct Shot {
    /// The point in the middle [m].
    pub focus: Vec3,
    /// Distance from it [m].
    pub distance: f32,
    /// Yaw and pitch [rad]; as they are if not given.
    pub turn: Option<[f32; 2]>,
}

impl Shot {
    /// All of a ball [m] around `focus`.
    pub fn around(focus: Vec3, radius: f32, turn: Option<[f32; 2]>) -> Self {
        Self { focus, distance: radius.max(0.05) / (SHARE * (0.5 * ANGLE).tan()), turn }
    }

    /// That of the scene of `frame`, or of its cloth at rest.
    pub fn of_scene(frame: &Frame) -> Self {
        let origin = frame.pattern.origin();
        if let Some(view) = frame.scene.camera {
            let away = (view.from - view.at).as_vec3();
            let turn = [away.x.atan2(away.z), (away.y / away.length()).asin()];
            return Self { focus: (view.at - origin).as_vec3(), distance: away.length(), turn: Some(turn) };
        }
        // a cloth that starts flat will hang below its pins, or fall below where it starts
        let (low, high) = bounds(frame.pattern.rest_positions());
        let size = high - low;
        let (pins_low, pins_high) = bounds(&frame.pins.iter().map(|pin| pin.1).collect::<Vec<_>>());
        let middle = 0.5 * (low + high);
        let across = if frame.pins.is_empty() { middle } else { middle.midpoint(0.5 * (pins_low + pins_high)) };
        let bottom = (high.y - size.max_element()).max(0.0).min(low.y);
        let focus = (SimVec3::new(across.x, 0.5 * (bottom + high.y), across.z) - origin).as_vec3();
        let tall = (high.y - bottom).max(0.5 * size.z);
        let radius = 0.5 * tall.max(0.8 * size.x) as f32;
        Self::around(focus, radius, Some([YAW, PITCH]))
    }

    /// The cloth as it is.
    pub fn of_cloth(positions: &[SimVec3]) -> Self {
        let (low, high) = bounds(positions);
        let size = (high - low).as_vec3();
        let radius = 0.5 * size.y.max(0.8 * size.x.max(size.z));
        Self::around((0.5 * (low + high)).as_vec3(), radius, None)
    }

    /// Points the camera, whose view may be `narrow`er than high.
    pub fn point(&self, camera: &mut PanOrbitCamera, narrow: f32) {
        camera.target_focus = self.focus;
        camera.target_radius = self.distance / narrow;
        if let Some([yaw, pitch]) = self.turn {
            (camera.target_yaw, camera.target_pitch) = (yaw, pitch);
        }
        if !camera.initialized {
            camera.focus = camera.target_focus;
            camera.radius = Some(camera.target_radius);
            camera.yaw = Some(camera.target_yaw);
            camera.pitch = Some(camera.target_pitch);
        }
        camera.force_update = true;
    }
}
