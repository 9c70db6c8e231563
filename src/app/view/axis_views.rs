//! Views along the axes and the projection of the camera, by the rules of Blender: a view along an
//! axis is orthographic, and the former projection comes back when the camera is turned away from
//! it. What is seen at the focus has the same size in both projections.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use bevy::camera::{CameraUpdateSystems, ScalingMode};
use bevy::prelude::*;
use bevy_panorbit_camera::{PanOrbitCamera, PanOrbitCameraSystemSet};

use super::ViewState;
use super::scene::MainCamera;
use crate::app::letters::Letters;
use crate::app::window::CONTROL;

/// Vertical angle of view: that of 35 mm on a full frame [rad].
pub(super) const ANGLE: f32 = 0.66;
/// Least pitch while the camera is above the floor, and the greatest [rad]. From straight above
/// rounding would decide which way is up.
pub(super) const LEAST_PITCH: f32 = -0.2;
pub(super) const MOST_PITCH: f32 = FRAC_PI_2 - 1e-4;
/// How far things before and behind the focus are drawn by the orthographic camera, as a multiple
/// of the distance of a perspective one, which counts as a metre at least.
const DEEP: f32 = 200.0;
/// Likewise the distance of the wall: its corners are within the depth.
pub(super) const WALL: f32 = 0.5 * DEEP;

/// A view along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Against z.
    Front,
    /// Along z.
    Back,
    /// Against x.
    Right,
    /// Along x.
    Left,
    /// From above.
    Top,
    /// From below.
    Bottom,
}

impl Axis {
    /// All of them, each before its opposite.
    pub const ALL: [Self; 6] = [Self::Front, Self::Back, Self::Right, Self::Left, Self::Top, Self::Bottom];

    /// Name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Back => "Back",
            Self::Right => "Right",
            Self::Left => "Left",
            Self::Top => "Top",
            Self::Bottom => "Bottom",
        }
    }

    /// The keys that choose it.
    #[must_use]
    pub const fn keys(self) -> &'static str {
        match self {
            Self::Front => "Numpad 1",
            Self::Back => "Ctrl+Numpad 1",
            Self::Right => "Numpad 3",
            Self::Left => "Ctrl+Numpad 3",
            Self::Top => "Numpad 7",
            Self::Bottom => "Ctrl+Numpad 7",
        }
    }

    /// Whether the floor is seen edge-on.
    pub(super) const fn is_level(self) -> bool {
        !matches!(self, Self::Top | Self::Bottom)
    }

    /// Yaw and pitch of the camera [rad].
    const fn direction(self) -> [f32; 2] {
        match self {
            Self::Front => [0.0, 0.0],
            Self::Back => [PI, 0.0],
            Self::Right => [FRAC_PI_2, 0.0],
            Self::Left => [-FRAC_PI_2, 0.0],
            Self::Top => [0.0, MOST_PITCH],
            Self::Bottom => [0.0, -MOST_PITCH],
        }
    }
}

/// What a key or the menu wants of the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// A view along an axis.
    Along(Axis),
    /// The other projection.
    Projection,
    /// The chosen thing or the cloth in view.
    Frame,
    /// The view of the scene.
    Scene,
}

/// Direction and projection of the camera.
#[derive(Debug, Default)]
pub struct CameraState {
    /// The order to be carried out.
    pub order: Option<Order>,
    is_orthographic: bool,
    axis: Option<AxisView>,
}

/// A view along an axis that is shown.
#[derive(Debug, Clone, Copy)]
struct AxisView {
    axis: Axis,
    /// Yaw and pitch of the camera [rad].
    direction: [f32; 2],
    /// Whether the projection was orthographic before it.
    was_orthographic: bool,
}

impl CameraState {
    /// Whether the projection is orthographic.
    #[must_use]
    pub fn is_orthographic(&self) -> bool {
        self.is_orthographic
    }

    /// The axis of the view, if it is along one.
    #[must_use]
    pub fn axis(&self) -> Option<Axis> {
        self.axis.map(|view| view.axis)
    }

    /// Turns the camera to an axis, the short way.
    pub(super) fn look_along(&mut self, axis: Axis, camera: &mut PanOrbitCamera) {
        let [yaw, pitch] = axis.direction();
        let direction = [yaw + TAU * ((camera.target_yaw - yaw) / TAU).round(), pitch];
        [camera.target_yaw, camera.target_pitch] = direction;
        let was_orthographic = self.axis.map_or(self.is_orthographic, |view| view.was_orthographic);
        (self.axis, self.is_orthographic) = (Some(AxisView { axis, direction, was_orthographic }), true);
    }

    /// Chooses the other projection, to be kept when the camera is turned.
    pub(super) fn switch_projection(&mut self) {
        self.is_orthographic = !self.is_orthographic;
        if let Some(view) = &mut self.axis {
            view.was_orthographic = self.is_orthographic;
        }
    }

    /// Ends the view along an axis when the camera has been turned away from it.
    fn follow(&mut self, camera: &PanOrbitCamera) {
        if let Some(view) = self.axis
            && view.direction != [camera.target_yaw, camera.target_pitch]
        {
            (self.axis, self.is_orthographic) = (None, view.was_orthographic);
        }
    }
}

pub(super) fn by_hand(app: &mut App) {
    app.add_systems(Update, log).add_systems(
        PostUpdate,
        (
            project.before(PanOrbitCameraSystemSet),
            place.after(PanOrbitCameraSystemSet).before(TransformSystems::Propagate).before(CameraUpdateSystems),
        ),
    );
}

/// Numpad 1, 3 and 7 look along the axes, with Ctrl from the other side, 5 chooses the projection;
/// F or numpad . frames, Home looks as the scene says.
pub(super) fn follow_keys(keys: Res<ButtonInput<KeyCode>>, letters: Res<Letters>, mut state: ResMut<ViewState>) {
    let pick = |axis, opposite| Order::Along(if keys.any_pressed(CONTROL) { opposite } else { axis });
    let orders = [
        (KeyCode::Numpad1, pick(Axis::Front, Axis::Back)),
        (KeyCode::Numpad3, pick(Axis::Right, Axis::Left)),
        (KeyCode::Numpad7, pick(Axis::Top, Axis::Bottom)),
        (KeyCode::Numpad5, Order::Projection),
        (KeyCode::NumpadDecimal, Order::Frame),
        (KeyCode::Home, Order::Scene),
    ];
    let by_letter = letters.just_pressed('f').then_some(Order::Frame);
    let by_place = || orders.into_iter().find(|(key, _)| keys.just_pressed(*key)).map(|(_, order)| order);
    if let Some(order) = by_letter.or_else(by_place) {
        state.camera.order = Some(order);
    }
}

/// Gives the camera the projection of the state.
fn project(mut state: ResMut<ViewState>, camera: Single<(&mut PanOrbitCamera, &mut Projection), With<MainCamera>>) {
    let (mut orbit, mut projection) = camera.into_inner();
    let state = &mut state.bypass_change_detection().camera;
    state.follow(&orbit);
    // from below one may go on to look from below
    let least = Some(LEAST_PITCH).filter(|least| orbit.target_pitch >= *least);
    if orbit.pitch_lower_limit != least {
        orbit.pitch_lower_limit = least;
    }
    if state.is_orthographic != matches!(*projection, Projection::Orthographic(_)) {
        *projection = if state.is_orthographic { orthographic(&orbit) } else { perspective() };
        orbit.force_update = true;
    }
}

/// The perspective projection.
pub(super) fn perspective() -> Projection {
    Projection::Perspective(PerspectiveProjection { fov: ANGLE, near: 0.01, ..default() })
}

/// The orthographic projection with the same extent at the focus.
fn orthographic(orbit: &PanOrbitCamera) -> Projection {
    let scaling_mode = ScalingMode::FixedVertical { viewport_height: 2.0 * (0.5 * ANGLE).tan() };
    let scale = orbit.radius.unwrap_or(orbit.target_radius);
    Projection::Orthographic(OrthographicProjection { scaling_mode, scale, ..OrthographicProjection::default_3d() })
}

/// Places an orthographic camera where a perspective one would be: marks, lights and the floor
/// depend on its distance. Things beside it and behind it are drawn as well.
fn place(camera: Single<(&PanOrbitCamera, &mut Transform, &mut Projection), With<MainCamera>>) {
    let (orbit, mut transform, mut projection) = camera.into_inner();
    let Projection::Orthographic(shown) = &*projection else { return };
    let depth = DEEP * shown.scale.max(1.0);
    let (near, far) = (-depth, shown.scale + depth);
    let translation = orbit.focus + shown.scale * transform.back();
    if (shown.near, shown.far) != (near, far)
        && let Projection::Orthographic(shown) = &mut *projection
    {
        (shown.near, shown.far) = (near, far);
    }
    if transform.translation != translation {
        transform.translation = translation;
    }
}

/// Tells the log what another view shows once the camera has arrived: bug reports and tests of the
/// real window need to know.
fn log(
    state: Res<ViewState>,
    camera: Single<(&PanOrbitCamera, &Camera, &GlobalTransform), With<MainCamera>>,
    mut told: Local<(Option<Axis>, bool)>,
) {
    let (orbit, camera, place) = *camera;
    let shown = (state.camera.axis(), state.camera.is_orthographic());
    let is_there = [orbit.yaw, orbit.pitch, orbit.radius]
        == [Some(orbit.target_yaw), Some(orbit.target_pitch), Some(orbit.target_radius)];
    if *told == shown || !is_there {
        return;
    }
    let Some(height) = height(orbit.focus, camera, place) else { return };
    *told = shown;
    let direction = shown.0.map_or("free", Axis::name);
    let projection = if shown.1 { "orthographic" } else { "perspective" };
    debug!("view {direction}, {projection}, {height:.4} m high at the focus");
}

/// Height of what is seen at the focus [m].
fn height(focus: Vec3, camera: &Camera, place: &GlobalTransform) -> Option<f32> {
    let shown = camera.logical_viewport_rect()?;
    let at = |y: f32| {
        let ray = camera.viewport_to_world(place, Vec2::new(shown.center().x, y)).ok()?;
        ray.plane_intersection_point(focus, InfinitePlane3d::new(place.back()))
    };
    Some(at(shown.min.y)?.distance(at(shown.max.y)?))
}
