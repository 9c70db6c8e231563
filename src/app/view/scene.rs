//! Common part of the view: the camera, its part of the window, and marks.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use crate::scene::View;
use crate::sim::Vec3 as SimVec3;

/// Steepest pitch of a view that a scene states [rad].
const STEEPEST: f32 = std::f32::consts::FRAC_PI_2 - 0.005;

/// The camera that looks at the cloth.
#[derive(Component)]
pub struct MainCamera;

/// Layer of marks and of the handles of the editor, which pictures of own files leave out.
pub const MARKS: usize = 1;

/// The camera, for the size of marks and their place before the cloth.
#[derive(SystemParam)]
pub struct Viewpoint<'w, 's> {
    camera: Single<'w, 's, (&'static GlobalTransform, &'static Projection), With<MainCamera>>,
}

impl Viewpoint<'_, '_> {
    /// Place and directions of the camera.
    #[must_use]
    pub fn transform(&self) -> &GlobalTransform {
        self.camera.0
    }

    /// Distance of a point for the size of marks there: on the screen a length is as large as its
    /// share of this distance [m].
    #[must_use]
    pub fn distance(&self, point: Vec3) -> f32 {
        match self.camera.1 {
            Projection::Orthographic(projection) => projection.scale,
            _ => self.transform().translation().distance(point),
        }
    }

    /// Depth [m] along the view of what was at `depth` and moves away to `factor` times its distance.
    #[must_use]
    pub fn moved_away(&self, depth: f32, factor: f32) -> f32 {
        match self.camera.1 {
            Projection::Orthographic(projection) => depth + (factor - 1.0) * projection.scale,
            _ => depth * factor,
        }
    }

    /// Direction from a point to the camera.
    #[must_use]
    pub fn towards(&self, point: Vec3) -> Vec3 {
        let back = *self.transform().back();
        match self.camera.1 {
            Projection::Orthographic(_) => back,
            _ => (self.transform().translation() - point).normalize_or(back),
        }
    }

    /// A point nearer to the camera by a share of the distance: marks there are drawn before the
    /// cloth.
    #[must_use]
    pub fn before(&self, point: Vec3, share: f32) -> Vec3 {
        point + share * self.distance(point) * self.towards(point)
    }
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
        // from straight above, two points do not tell what is up in the picture
        let (yaw, pitch) = (camera.target_yaw, camera.target_pitch.clamp(-STEEPEST, STEEPEST));
        let away = Vec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos());
        let from = camera.target_focus + away * (camera.target_radius * self.narrow());
        View { from: from.as_dvec3() + origin, at: camera.target_focus.as_dvec3() + origin }
    }

    /// Width over height, at most 1.
    #[must_use]
    pub fn narrow(&self) -> f32 {
        (self.0.width() / self.0.height()).min(1.0)
    }

    /// Width over height, at least 1.
    #[must_use]
    pub fn wide(&self) -> f32 {
        (self.0.width() / self.0.height()).max(1.0)
    }
}
