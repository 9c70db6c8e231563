//! Common part of the view: the camera, its part of the window, and marks.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use crate::scene::View;
use crate::sim::Vec3 as SimVec3;

/// The camera that looks at the cloth.
#[derive(Component)]
pub struct MainCamera;

/// Layer of marks and of the handles of the editor, which pictures of own files leave out.
pub const MARKS: usize = 1;

/// A point a little nearer to a camera, by a share of the distance: marks there are drawn before
/// the cloth.
#[must_use]
pub fn before(camera: &GlobalTransform, point: Vec3, share: f32) -> Vec3 {
    point.move_towards(camera.translation(), share * point.distance(camera.translation()))
}

/// Marks objects that the pointer ignores on its way to the cloth.
#[derive(Component)]
pub struct SeenThrough;

/// The part of the window that shows the cloth [logical pixels].
#[derive(Resource, Default, Clone, Copy, PartialEq)]
pub struct ClothView(pub Rect);

impl ClothView {
    /// View of a camera with this part of the window, as a scene states it. Positions drawn are
    /// relative to `origin` [m].
    pub fn seen_by(&self, camera: &PanOrbitCamera, origin: SimVec3) -> View {
        let (yaw, pitch) = (camera.target_yaw, camera.target_pitch);
        let away = Vec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos());
        let from = camera.target_focus + away * (camera.target_radius * self.narrow());
        View { from: from.as_dvec3() + origin, at: camera.target_focus.as_dvec3() + origin }
    }

    /// Width over height, at most 1.
    #[must_use]
    pub fn narrow(&self) -> f32 {
        (self.0.width() / self.0.height()).min(1.0)
    }
}
