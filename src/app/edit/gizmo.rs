//! The chosen part in the view: its box, and handles that shift, turn or scale it. The handles are
//! dragged by Bevy's transform gizmo on a stand-in for the part; the edit is sent at the end of a
//! drag.

use bevy::camera::visibility::RenderLayers;
use bevy::gizmos::transform_gizmo::{
    AXIS_LENGTH, AXIS_START_OFFSET, ROTATE_RING_RADIUS, TransformGizmoAxis, TransformGizmoCamera, TransformGizmoFocus,
    TransformGizmoMode, TransformGizmoPlugin, TransformGizmoSettings, TransformGizmoState, TransformGizmoSystems,
    VIEW_CIRCLE_MAJOR, VIEW_RING_MAJOR,
};
use bevy::math::DVec3;
use bevy::prelude::*;

use super::keyframes::set_key;
use super::{Editor, Gesture, send};
use crate::app::picking::{Pointer, Surroundings};
use crate::app::session::SessionHandle;
use crate::app::view::scene::{MARKS, MainCamera, Viewpoint};
use crate::scene::{Edit, ScenePart};
use crate::sim::Path;

/// Length of the handles, as a share of the distance to the camera.
const SCREEN: f32 = 0.12;
/// Cosine of the angle to the view from which on an axis is too short on the screen to be dragged
/// along, and to which a ring about it is too narrow.
const END_ON: f32 = 0.98;
const EDGE_ON: f32 = 0.1;
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
const PATH: Color = Color::srgb(0.3, 0.75, 0.75);
const HOVERED: Color = Color::srgb(1.0, 0.75, 0.1);

/// The stand-in for the chosen part.
#[derive(Component)]
struct StandIn;

/// Lines of the editor, which are seen through everything.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub(super) struct Handles;

/// The part that is being dragged.
#[derive(Resource, Default)]
struct Dragged(Option<ScenePart>);

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(TransformGizmoPlugin)
        .init_resource::<Dragged>()
        .init_gizmo_group::<Handles>()
        .add_systems(PreStartup, hide_settings)
        .add_systems(PostStartup, spawn)
        .add_systems(Update, (mark_camera, follow, draw).chain())
        .add_systems(PostUpdate, skip_unusable.after(TransformGizmoSystems));
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
    (mut editor, mut session, pointer): (ResMut<Editor>, ResMut<SessionHandle>, Res<Pointer>),
    mut stand_in: Single<(Entity, &mut Transform), With<StandIn>>,
    (state, mut settings, mut dragged): (Res<TransformGizmoState>, ResMut<TransformGizmoSettings>, ResMut<Dragged>),
    mut around: Surroundings,
    mut commands: Commands,
) {
    let (entity, transform) = &mut *stand_in;
    let editor = editor.bypass_change_detection();
    if state.active {
        dragged.0 = editor.chosen;
        return;
    }
    if let Some(part) = dragged.0.take()
        && let Some(edit) = edit_of(part, editor.gesture, &state.start_transform, transform)
    {
        let edit = editor.with_key(edit, &session);
        editor.sent = Some(send(&mut session, edit));
    }
    // the handles stay where they are until the scene is there
    if editor.awaits(session.frame()) {
        return;
    }
    let middle = editor.bounds(session.frame()).map(|(low, high)| 0.5 * (low + high));
    let Some(middle) = middle.filter(|_| editor.has_gizmo(&session)) else {
        commands.entity(*entity).remove::<TransformGizmoFocus>();
        return;
    };
    let place = middle + editor.offset_of_key(&session);
    **transform = Transform::from_translation((place - session.frame().pattern.origin()).as_vec3());
    if pointer.cursor.is_some_and(|cursor| !around.panels_have(cursor)) {
        commands.entity(*entity).insert(TransformGizmoFocus);
    } else {
        commands.entity(*entity).remove::<TransformGizmoFocus>();
    }
    let viewpoint = &around.viewpoint;
    let apart = viewpoint.transform().translation().distance(transform.translation).max(LEAST);
    settings.screen_scale_factor = SCREEN * viewpoint.distance(transform.translation) / apart;
    let steps = |step| editor.snaps.then_some(step);
    (settings.snap_translate, settings.snap_rotate, settings.snap_scale) = (steps(SHIFT), steps(TURN), steps(SCALE));
    settings.mode = match editor.gesture {
        Gesture::Shift => TransformGizmoMode::Translate,
        Gesture::Turn => TransformGizmoMode::Rotate,
        Gesture::Scale => TransformGizmoMode::Scale,
    };
}

/// Skips handles that are not usable; an arrow along the view shifts across it.
fn skip_unusable(
    editor: Res<Editor>,
    viewpoint: Viewpoint,
    stand_in: Single<&Transform, With<StandIn>>,
    mut state: ResMut<TransformGizmoState>,
) {
    let (handle, towards) = (editor.gesture, viewpoint.towards(stand_in.translation));
    if state.hovered_axis.and_then(direction).is_some_and(|along| !is_usable(handle, along, towards)) {
        state.hovered_axis = (handle == Gesture::Shift).then_some(TransformGizmoAxis::View);
    }
}

/// Direction of an axis of the handles.
fn direction(axis: TransformGizmoAxis) -> Option<Vec3> {
    match axis {
        TransformGizmoAxis::X => Some(Vec3::X),
        TransformGizmoAxis::Y => Some(Vec3::Y),
        TransformGizmoAxis::Z => Some(Vec3::Z),
        TransformGizmoAxis::View => None,
    }
}

/// Whether a handle `along` an axis can be dragged when the camera is `towards` it.
fn is_usable(gesture: Gesture, along: Vec3, towards: Vec3) -> bool {
    let cosine = along.dot(towards).abs();
    if gesture == Gesture::Turn { cosine > EDGE_ON } else { cosine < END_ON }
}

/// The edit that a drag from `start` to `end` means, if it means any.
fn edit_of(part: ScenePart, gesture: Gesture, start: &Transform, end: &Transform) -> Option<Edit> {
    match gesture {
        Gesture::Shift => {
            let by = end.translation - start.translation;
            // whole millimetres, as one would write them
            let by = by.as_dvec3().map(|x| (1000.0 * x).round() / 1000.0);
            (by.length() > f64::from(LEAST)).then_some(Edit::Shift { part, by })
        }
        Gesture::Turn => {
            let by = (end.rotation * start.rotation.inverse()).to_scaled_axis();
            (by.length() > LEAST).then_some(Edit::Turn { part, by: by.as_dvec3() })
        }
        Gesture::Scale => {
            let by = factor(start, end);
            ((by - 1.0).abs() > LEAST).then(|| Edit::Scale { part, by: (1000.0 * f64::from(by)).round() / 1000.0 })
        }
    }
}

impl Editor {
    /// The path of the chosen part, if it has one.
    fn path<'a>(&self, session: &'a SessionHandle) -> Option<&'a Path> {
        session.frame().scene.path_of(self.chosen?)
    }

    /// The keys of the path of the chosen part [s], [m].
    fn keys(&self, session: &SessionHandle) -> Vec<(f64, DVec3)> {
        match self.path(session) {
            Some(Path::Waypoints { points, .. }) => points.clone(),
            _ => Vec::new(),
        }
    }

    /// Where the chosen part is at the time of the key, from where it starts [m].
    fn offset_of_key(&self, session: &SessionHandle) -> DVec3 {
        self.path(session).map_or(DVec3::ZERO, |path| path.offset(self.key_time))
    }

    /// Whether the chosen part has handles: pins are where their cloth is, a handle of the cloth
    /// where it starts until a later key moves it, and a locked thing stays.
    fn has_gizmo(&self, session: &SessionHandle) -> bool {
        self.chosen.is_some_and(|part| match part {
            ScenePart::Pins(_) => false,
            ScenePart::Handle { .. } => self.key_time > 0.0 && self.gesture == Gesture::Shift,
            thing => !session.frame().scene.is_locked(thing),
        })
    }

    /// The edit that a drag means at the time of the key: at a later one than 0 it sets a key.
    fn with_key(&self, edit: Edit, session: &SessionHandle) -> Edit {
        match edit {
            Edit::Shift { part: part @ (ScenePart::Collider(_) | ScenePart::Handle { .. }), by }
                if self.key_time > 0.0 =>
            {
                let offset = self.offset_of_key(session) + by;
                Edit::SetPath { part, path: Some(set_key(self.path(session), self.key_time, offset)) }
            }
            edit => edit,
        }
    }
}

/// The factor of a drag along one axis, which is meant for all.
fn factor(start: &Transform, end: &Transform) -> f32 {
    let factors = (end.scale / start.scale).to_array();
    factors.into_iter().max_by(|a, b| (a - 1.0).abs().total_cmp(&(b - 1.0).abs())).unwrap_or(1.0).max(0.01)
}

fn draw(
    editor: Res<Editor>,
    session: Res<SessionHandle>,
    stand_in: Single<&Transform, With<StandIn>>,
    viewpoint: Viewpoint,
    state: Res<TransformGizmoState>,
    mut gizmos: Gizmos<Handles>,
) {
    let bounds = editor.bounds(session.frame());
    let Some((low, high)) = bounds else { return };
    let transform = **stand_in;
    let size = (high - low).as_vec3();
    let scale =
        if editor.gesture == Gesture::Scale && state.active { factor(&state.start_transform, &transform) } else { 1.0 };
    let rotation = if state.active { transform.rotation } else { Quat::IDENTITY };
    let middle = transform.translation;
    gizmos.cube(Transform { translation: middle, rotation, scale: scale * size.max(Vec3::splat(0.004)) }, BOX);
    let start = (0.5 * (low + high) - session.frame().pattern.origin()).as_vec3();
    let keys = editor.keys(&session).into_iter().map(|(_, offset)| start + offset.as_vec3());
    gizmos.linestrip(keys, PATH);
    if !editor.has_gizmo(&session) {
        return;
    }

    let length = SCREEN * viewpoint.distance(middle);
    let towards = viewpoint.towards(middle);
    let active = state.axis.or(state.hovered_axis);
    let axes = [TransformGizmoAxis::X, TransformGizmoAxis::Y, TransformGizmoAxis::Z];
    for (axis, colour) in axes.into_iter().zip(AXES) {
        let Some(along) = direction(axis).filter(|along| is_usable(editor.gesture, *along, towards)) else { continue };
        let colour = if active == Some(axis) { HOVERED } else { colour };
        let [from, to] = [AXIS_START_OFFSET, AXIS_LENGTH].map(|share| middle + share * length * along);
        match editor.gesture {
            Gesture::Shift => drop(gizmos.arrow(from, to, colour).with_tip_length(0.2 * length)),
            Gesture::Turn => {
                let facing = Quat::from_rotation_arc(Vec3::Z, along);
                gizmos.circle(Isometry3d::new(middle, facing), ROTATE_RING_RADIUS * length, colour).resolution(48);
            }
            Gesture::Scale => {
                gizmos.line(from, to, colour);
                gizmos.cube(Transform::from_translation(to).with_scale(Vec3::splat(0.1 * length)), colour);
            }
        }
    }
    let radius = match editor.gesture {
        Gesture::Shift => VIEW_CIRCLE_MAJOR,
        Gesture::Turn => VIEW_RING_MAJOR,
        Gesture::Scale => return,
    };
    let colour = if active == Some(TransformGizmoAxis::View) { HOVERED } else { VIEW };
    gizmos.circle(Isometry3d::new(middle, viewpoint.transform().rotation()), radius * length, colour).resolution(32);
}
