//! The chosen part in the view: its box, and handles that shift, turn or scale it. The handles are
//! dragged by Bevy's transform gizmo on a stand-in for the part; the edit is sent at the end of a
//! drag.

use bevy::camera::visibility::RenderLayers;
use bevy::gizmos::transform_gizmo::{
    AXIS_LENGTH, AXIS_START_OFFSET, ROTATE_RING_RADIUS, TransformGizmoAxis, TransformGizmoCamera, TransformGizmoFocus,
    TransformGizmoMode, TransformGizmoPlugin, TransformGizmoSettings, TransformGizmoState, VIEW_CIRCLE_MAJOR,
    VIEW_RING_MAJOR,
};
use bevy::prelude::*;

use super::{Handle, send};
use crate::app::desk::Desk;
use crate::app::input::picking::Surroundings;
use crate::app::input::pointer::Pointer;
use crate::app::session::SessionHandle;
use crate::app::view::scene::{MARKS, MainCamera};
use crate::scene::{Edit, Part};

/// Length of the handles, as a share of the distance to the camera.
const SCREEN: f32 = 0.12;
/// How near the pointer has to be to a handle [logical pixels].
const NEAR: f32 = 12.0;
/// Width of the lines [pixels].
const WIDTH: f32 = 2.5;
/// Steps of shifts [m], turns [rad] and scales.
const SHIFT: f32 = 0.05;
const TURN: f32 = std::f32::consts::PI / 12.0;
const SCALE: f32 = 0.1;
/// Least change that counts, of any of them.
const LEAST: f32 = 1e-4;
/// Colours of the box and of the axes.
const BOX: Color = Color::srgb(0.93, 0.45, 0.22);
const AXES: [Color; 3] = [Color::srgb(0.86, 0.2, 0.27), Color::srgb(0.35, 0.65, 0.15), Color::srgb(0.2, 0.45, 0.9)];
const VIEW: Color = Color::srgb(0.6, 0.6, 0.6);
const HOVERED: Color = Color::srgb(1.0, 0.75, 0.1);

/// The stand-in for the chosen part.
#[derive(Component)]
struct StandIn;

/// Lines of the handles, which are seen through everything.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Handles;

/// The part that is being dragged.
#[derive(Resource, Default)]
struct Dragged(Option<Part>);

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(TransformGizmoPlugin)
        .init_resource::<Dragged>()
        .init_gizmo_group::<Handles>()
        .add_systems(PreStartup, hide_settings)
        .add_systems(PostStartup, spawn)
        .add_systems(Update, (mark_camera, follow, draw).chain());
}

/// Where Bevy finds settings at the start, it adds a camera for its own handles, which would cover
/// the part of the window that the cloth has not.
fn hide_settings(mut commands: Commands) {
    commands.remove_resource::<TransformGizmoSettings>();
}

fn spawn(mut commands: Commands, mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<Handles>();
    (config.depth_bias, config.line.width) = (-1.0, WIDTH);
    config.render_layers = RenderLayers::layer(MARKS);
    commands.spawn((StandIn, Transform::default()));
    commands.insert_resource(TransformGizmoSettings {
        axis_hit_distance: NEAR,
        screen_scale_factor: SCREEN,
        confine_cursor: false,
        ..default()
    });
}

fn mark_camera(camera: Query<Entity, (With<MainCamera>, Without<TransformGizmoCamera>)>, mut commands: Commands) {
    for camera in &camera {
        commands.entity(camera).try_insert(TransformGizmoCamera);
    }
}

/// Keeps the stand-in in the middle of the chosen part, and sends the edit when a drag has ended.
fn follow(
    (mut desk, mut session, pointer): (ResMut<Desk>, ResMut<SessionHandle>, Res<Pointer>),
    mut stand_in: Single<(Entity, &mut Transform), With<StandIn>>,
    (state, mut settings, mut dragged): (Res<TransformGizmoState>, ResMut<TransformGizmoSettings>, ResMut<Dragged>),
    mut around: Surroundings,
    mut commands: Commands,
) {
    let (entity, transform) = &mut *stand_in;
    let editor = &mut desk.bypass_change_detection().editor;
    if state.active {
        dragged.0 = editor.chosen;
        return;
    }
    if let Some(part) = dragged.0.take()
        && let Some(edit) = edit_of(part, editor.handle, &state.start_transform, transform)
    {
        editor.sent = Some(send(&mut session, edit));
    }
    // the handles stay where they are until the scene is there
    if editor.awaits(session.frame()) {
        return;
    }
    let middle = editor.bounds(session.frame()).map(|(low, high)| 0.5 * (low + high));
    let Some(middle) = middle else {
        commands.entity(*entity).remove::<TransformGizmoFocus>();
        return;
    };
    **transform = Transform::from_translation((middle - session.frame().pattern.origin()).as_vec3());
    if pointer.cursor.is_some_and(|cursor| !around.panels_have(cursor)) {
        commands.entity(*entity).insert(TransformGizmoFocus);
    } else {
        commands.entity(*entity).remove::<TransformGizmoFocus>();
    }
    let steps = |step| editor.snaps.then_some(step);
    (settings.snap_translate, settings.snap_rotate, settings.snap_scale) = (steps(SHIFT), steps(TURN), steps(SCALE));
    settings.mode = match editor.handle {
        Handle::Shift => TransformGizmoMode::Translate,
        Handle::Turn => TransformGizmoMode::Rotate,
        Handle::Scale => TransformGizmoMode::Scale,
    };
}

/// The edit that a drag from `start` to `end` means, if it means any.
fn edit_of(part: Part, handle: Handle, start: &Transform, end: &Transform) -> Option<Edit> {
    match handle {
        Handle::Shift => {
            let by = end.translation - start.translation;
            // whole millimetres, as one would write them
            let by = by.as_dvec3().map(|x| (1000.0 * x).round() / 1000.0);
            (by.length() > f64::from(LEAST)).then_some(Edit::Shift { part, by })
        }
        Handle::Turn => {
            let by = (end.rotation * start.rotation.inverse()).to_scaled_axis();
            (by.length() > LEAST).then_some(Edit::Turn { part, by: by.as_dvec3() })
        }
        Handle::Scale => {
            let by = factor(start, end);
            ((by - 1.0).abs() > LEAST).then(|| Edit::Scale { part, by: (1000.0 * f64::from(by)).round() / 1000.0 })
        }
    }
}

/// The factor of a drag along one axis, which is meant for all.
fn factor(start: &Transform, end: &Transform) -> f32 {
    let factors = (end.scale / start.scale).to_array();
    factors.into_iter().max_by(|a, b| (a - 1.0).abs().total_cmp(&(b - 1.0).abs())).unwrap_or(1.0).max(0.01)
}

fn draw(
    desk: Res<Desk>,
    session: Res<SessionHandle>,
    stand_in: Single<&Transform, With<StandIn>>,
    camera: Single<&GlobalTransform, With<MainCamera>>,
    state: Res<TransformGizmoState>,
    mut gizmos: Gizmos<Handles>,
) {
    let editor = &desk.editor;
    let bounds = editor.bounds(session.frame());
    let Some((low, high)) = bounds else { return };
    let transform = **stand_in;
    let size = (high - low).as_vec3();
    let scale =
        if editor.handle == Handle::Scale && state.active { factor(&state.start_transform, &transform) } else { 1.0 };
    let rotation = if state.active { transform.rotation } else { Quat::IDENTITY };
    let middle = transform.translation;
    gizmos.cube(Transform { translation: middle, rotation, scale: scale * size.max(Vec3::splat(0.004)) }, BOX);

    let length = SCREEN * camera.translation().distance(middle);
    let active = state.axis.or(state.hovered_axis);
    let axes = [TransformGizmoAxis::X, TransformGizmoAxis::Y, TransformGizmoAxis::Z];
    for ((axis, colour), along) in axes.into_iter().zip(AXES).zip([Vec3::X, Vec3::Y, Vec3::Z]) {
        let colour = if active == Some(axis) { HOVERED } else { colour };
        let [from, to] = [AXIS_START_OFFSET, AXIS_LENGTH].map(|share| middle + share * length * along);
        match editor.handle {
            Handle::Shift => drop(gizmos.arrow(from, to, colour).with_tip_length(0.2 * length)),
            Handle::Turn => {
                let facing = Quat::from_rotation_arc(Vec3::Z, along);
                gizmos.circle(Isometry3d::new(middle, facing), ROTATE_RING_RADIUS * length, colour).resolution(48);
            }
            Handle::Scale => {
                gizmos.line(from, to, colour);
                gizmos.cube(Transform::from_translation(to).with_scale(Vec3::splat(0.1 * length)), colour);
            }
        }
    }
    let radius = match editor.handle {
        Handle::Shift => VIEW_CIRCLE_MAJOR,
        Handle::Turn => VIEW_RING_MAJOR,
        Handle::Scale => return,
    };
    let colour = if active == Some(TransformGizmoAxis::View) { HOVERED } else { VIEW };
    gizmos.circle(Isometry3d::new(middle, camera.rotation()), radius * length, colour).resolution(32);
}
