//! The camera: its target, and its part of the window.

use bevy::camera::{CameraOutputMode, Viewport, visibility::RenderLayers};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::ecs::message::MessageCursor;
use bevy::input::InputSystems;
use bevy::input::mouse::MouseMotion;
use bevy::light::ShadowFilteringMethod;
use bevy::prelude::*;
use bevy::render::render_resource::BlendState;
use bevy_egui::{EguiGlobalSettings, PrimaryEguiContext};
use bevy_panorbit_camera::{PanOrbitCamera, PanOrbitCameraPlugin};

use super::ViewState;
use super::axis_views::{self, LEAST_PITCH, MOST_PITCH, Order};
use super::displayed::ChosenCloth;
use super::lane_layout::LaneLayout;
use super::lighting::Studio;
use super::scene::{ClothView, MARKS, MainCamera};
use super::shot::{Shot, YAW};
use crate::app::key_focus::keys_are_free;
use crate::app::session::SessionHandle;
use crate::scene::bounds;
use crate::sim::Vec3 as SimVec3;

/// For how long the cloth may be out of view before the camera follows [s].
const PATIENCE: f32 = 0.6;

/// A point to move near to [m].
#[derive(Resource, Default)]
pub struct Wanted(pub Option<Vec3>);

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(PanOrbitCameraPlugin)
        .init_resource::<ClothView>()
        .init_resource::<Wanted>()
        .add_systems(Startup, spawn)
        .add_systems(Update, frame_scene);
}

pub(super) fn by_hand(app: &mut App) {
    app.add_systems(Startup, spawn_for_panels)
        .add_systems(PreUpdate, follow_absolute_pointers.after(InputSystems))
        .add_systems(
            Update,
            (axis_views::follow_keys.run_if(keys_are_free), execute, go_near, follow_cloth, fit_viewport)
                .chain()
                .after(frame_scene),
        )
        .add_systems(Update, fit_distance.before(frame_scene))
        .add_plugins(axis_views::by_hand);
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        (MainCamera, RenderLayers::from_layers(&[0, MARKS])),
        Camera3d::default(),
        // the shaders have their own film
        Tonemapping::None,
        ShadowFilteringMethod::Gaussian,
        PanOrbitCamera {
            button_pan: MouseButton::Middle,
            pitch_lower_limit: Some(LEAST_PITCH),
            pitch_upper_limit: Some(MOST_PITCH),
            zoom_lower_limit: 0.1,
            zoom_upper_limit: Some(2000.0),
            use_real_time: true,
            ..default()
        },
        axis_views::perspective(),
    ));
}

/// The panels have a camera of their own, because the cloth's covers only a part of the window.
fn spawn_for_panels(mut commands: Commands, mut egui: ResMut<EguiGlobalSettings>) {
    egui.auto_create_primary_context = false;
    commands.spawn((
        PrimaryEguiContext,
        Camera2d,
        RenderLayers::none(),
        Msaa::Off,
        Camera {
            order: 1,
            output_mode: CameraOutputMode::Write {
                blend_state: Some(BlendState::ALPHA_BLENDING),
                clear_color: ClearColorConfig::None,
            },
            clear_color: ClearColorConfig::Custom(Color::NONE),
            ..default()
        },
    ));
}

/// The scene and cloth that the camera has been pointed at.
#[derive(PartialEq)]
struct Subject {
    scene: String,
    /// Corners of the cloth's box at rest [m].
    low: SimVec3,
    high: SimVec3,
}

/// The same with all lanes in view.
fn of_lanes(mut shot: Shot, layout: &LaneLayout, view: &ClothView) -> Shot {
    (shot.focus, shot.distance) = layout.widened(shot.focus, shot.distance, view.wide());
    shot
}

/// Looks at a new scene so that all of it is in view, with the lights beside the camera.
fn frame_scene(
    session: Res<SessionHandle>,
    view: Res<ClothView>,
    mut camera: Single<&mut PanOrbitCamera>,
    mut studio: ResMut<Studio>,
    mut state: ResMut<ViewState>,
    mut framed: Local<Option<(Subject, u64)>>,
) {
    // resetting makes a new cloth and tearing another pattern, but nobody wants the view to jump
    // back for that
    if view.0.is_empty() || framed.as_ref().is_some_and(|(_, generation)| *generation == session.frame().generation) {
        return;
    }
    let (low, high) = bounds(session.frame().pattern.rest_positions());
    let subject = Subject { scene: session.frame().scene.name.clone(), low, high };
    let same = framed.as_ref().is_some_and(|(framed, _)| *framed == subject);
    *framed = Some((subject, session.frame().generation));
    if same {
        return;
    }
    let shot = Shot::of_scene(session.frame());
    let yaw = shot.turn.map_or(YAW, |[yaw, _]| yaw);
    studio.light_from(yaw);
    state.lanes.stand_across(Vec3::new(yaw.cos(), 0.0, -yaw.sin()), &session);
    of_lanes(shot, &state.lanes, &view).point(&mut camera, view.narrow());
}

/// Carries out the order of a key or of the menu.
fn execute(
    session: Res<SessionHandle>,
    displayed: ChosenCloth,
    (view, mut state): (Res<ClothView>, ResMut<ViewState>),
    mut camera: Single<&mut PanOrbitCamera>,
) {
    if view.0.is_empty() {
        return;
    }
    let state = state.bypass_change_detection();
    match state.camera.order.take() {
        Some(Order::Along(axis)) => state.camera.look_along(axis, &mut camera),
        Some(Order::Projection) => state.camera.switch_projection(),
        Some(Order::Frame) => {
            if let Some((low, high)) = state.edited.bounds {
                let middle = (0.5 * (low + high) - session.frame().pattern.origin()).as_vec3();
                Shot::around(middle, 0.5 * (high - low).as_vec3().length(), None).point(&mut camera, view.narrow());
            } else if !displayed.positions.is_empty() {
                of_lanes(Shot::of_cloth(&displayed.positions), &state.lanes, &view).point(&mut camera, view.narrow());
            }
        }
        Some(Order::Scene) => {
            of_lanes(Shot::of_scene(session.frame()), &state.lanes, &view).point(&mut camera, view.narrow());
        }
        None => {}
    }
}

/// Moves to half the distance from the wanted point.
fn go_near(mut wanted: ResMut<Wanted>, mut camera: Single<&mut PanOrbitCamera>) {
    if wanted.0.is_none() {
        return;
    }
    if let Some(focus) = wanted.0.take() {
        camera.target_focus = focus;
        camera.target_radius *= 0.5;
        camera.force_update = true;
    }
}

/// Tablets and remote desktops tell where the pointer is, and not how it moves, which is what turns
/// the camera.
fn follow_absolute_pointers(
    mut moved: MessageReader<CursorMoved>,
    mut motions: ResMut<Messages<MouseMotion>>,
    mut seen: Local<MessageCursor<MouseMotion>>,
    mut has_motions: Local<bool>,
    mut last: Local<Option<Vec2>>,
) {
    *has_motions |= seen.read(&motions).len() > 0;
    let mut way = Vec2::ZERO;
    for to in moved.read() {
        way += to.position - last.replace(to.position).unwrap_or(to.position);
    }
    if !*has_motions && way != Vec2::ZERO {
        motions.write(MouseMotion { delta: way });
        seen.clear(&motions);
    }
}

/// Visibility of the cloth so far.
#[derive(Default)]
struct Sight {
    /// The cloth that has been in view.
    of: Option<u64>,
    /// For how long it has not been since [s].
    lost_for: f32,
    /// Where its middle was in the last frame [m].
    middle: SimVec3,
    /// The scene that was shown in the last frame, its cloth and the simulated time [s].
    shown: (String, u64, f64),
}

/// For how long a cloth may be out of view after time has gone to another moment [s].
const PATIENCE_AFTER_JUMP: f32 = 0.1;

/// Turns to the cloth again when it has left the view and the user is not turning the camera, nor
/// looking at another thing in the editor. A cloth that falls away faster than it could be looked
/// at is left alone, so that the rest of the scene stays in view.
fn follow_cloth(
    session: Res<SessionHandle>,
    displayed: ChosenCloth,
    (view, state): (Res<ClothView>, Res<ViewState>),
    buttons: Res<ButtonInput<MouseButton>>,
    time: Res<Time<Real>>,
    camera: Single<(&mut PanOrbitCamera, &Camera, &GlobalTransform)>,
    mut sight: Local<Sight>,
) {
    let (mut orbit, camera, place) = camera.into_inner();
    if displayed.positions.is_empty() || !orbit.initialized || view.0.is_empty() || state.edited.is_open {
        return;
    }
    let (low, high) = bounds(&displayed.positions);
    let is_seen = |point: SimVec3| {
        camera
            .world_to_ndc(place, point.as_vec3())
            .is_some_and(|at| at.truncate().abs().max_element() < 1.0 && at.z > 0.0)
    };
    let middle = 0.5 * (low + high);
    let seen = is_seen(middle);
    let frame = session.frame();
    let before = std::mem::replace(&mut sight.shown, (frame.scene.name.clone(), frame.generation, frame.time));
    let jumps = before.0 == frame.scene.name && (before.1 != frame.generation || frame.time < before.2);
    // a scene may begin with the cloth out of view
    if seen || jumps {
        sight.of = Some(frame.generation);
    }
    if jumps {
        sight.middle = middle;
        sight.lost_for = PATIENCE - PATIENCE_AFTER_JUMP;
    }
    let seconds = time.delta_secs();
    let way = std::mem::replace(&mut sight.middle, middle).distance(middle) as f32;
    let flees = way * PATIENCE > (high - low).max_element() as f32 * seconds;
    let out = (high - low).is_finite() && !seen && !flees && sight.of == Some(session.frame().generation);
    sight.lost_for = if out && buttons.get_pressed().len() == 0 { sight.lost_for + seconds } else { 0.0 };
    if sight.lost_for > PATIENCE {
        sight.lost_for = 0.0;
        of_lanes(Shot::of_cloth(&displayed.positions), &state.lanes, &view).point(&mut orbit, view.narrow());
    }
}

/// What is in view stays in it when the view becomes narrower, and comes nearer when it becomes
/// wider again.
fn fit_distance(view: Res<ClothView>, mut camera: Single<&mut PanOrbitCamera>, mut before: Local<Option<ClothView>>) {
    if view.0.is_empty() || !camera.initialized {
        return;
    }
    let ratio = before.replace(*view).map_or(1.0, |before| before.narrow() / view.narrow());
    if (ratio - 1.0).abs() > 1e-6 {
        camera.target_radius *= ratio;
        camera.force_update = true;
    }
}

/// The cloth's camera draws beside the panels, not under them.
fn fit_viewport(view: Res<ClothView>, window: Single<&Window>, mut camera: Single<&mut Camera, With<MainCamera>>) {
    let physical = |point: Vec2| (point * window.scale_factor()).as_uvec2();
    let limit = window.physical_size();
    let low = physical(view.0.min).min(limit);
    let size = physical(view.0.max).min(limit).saturating_sub(low);
    if size.x == 0 || size.y == 0 {
        return;
    }
    let unchanged = camera
        .viewport
        .as_ref()
        .is_some_and(|viewport| viewport.physical_position == low && viewport.physical_size == size);
    if !unchanged {
        camera.viewport = Some(Viewport { physical_position: low, physical_size: size, ..default() });
    }
}
