//! The stage: camera, light and ground.

use bevy::asset::uuid_handle;
use bevy::camera::{CameraOutputMode, Viewport, visibility::RenderLayers};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, ShadowFilteringMethod};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, BlendState, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::{Shader, ShaderRef};
use bevy_egui::{EguiGlobalSettings, PrimaryEguiContext};
use bevy_panorbit_camera::{PanOrbitCamera, PanOrbitCameraPlugin};

use super::preferences::{CurrentQuality, Quality};
use super::session::SessionHandle;
use super::shading::{self, Grade, Graded};
use crate::scene::bounds;
use crate::sim::Vec3 as SimVec3;

/// Colour behind everything.
const BACKGROUND: Color = Color::srgb(0.105, 0.115, 0.13);
const GROUND: Color = Color::srgb(0.155, 0.163, 0.175);
const GRID: Color = Color::srgb(0.27, 0.283, 0.30);
/// Brightness of the light that casts shadows [lux].
const KEY_LIGHT: f32 = 7_500.0;
/// Distance at which the ground has faded into the background [m].
const REACH: f32 = 14.0;

const GROUND_SHADER: Handle<Shader> = uuid_handle!("0b8f2f6e-9d0b-4c57-a4a5-5a0a4f2d6a02");

/// The camera that looks at the cloth.
#[derive(Component)]
pub struct MainCamera;

/// Marks what the pointer passes through on its way to the cloth.
#[derive(Component)]
pub struct SeenThrough;

#[derive(Component)]
struct Floor;

/// The part of the window that shows the cloth [logical pixels].
#[derive(Resource, Default, Clone, Copy, PartialEq)]
pub struct ClothView(pub Rect);

/// What the ground's shader adds to the standard material.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone)]
#[bind_group_data(Grade)]
struct Grid {
    #[uniform(100)]
    line: LinearRgba,
    #[uniform(100)]
    background: LinearRgba,
    #[uniform(100)]
    reach: f32,
    plain: bool,
}

impl From<&Grid> for Grade {
    fn from(grid: &Grid) -> Self {
        Self { plain: grid.plain }
    }
}

impl MaterialExtension for Grid {
    fn fragment_shader() -> ShaderRef {
        GROUND_SHADER.into()
    }

    fn specialize(
        pipeline: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        key: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        shading::specialize(pipeline, descriptor, layout, key)
    }
}

pub(super) fn plugin(app: &mut App) {
    shading::add::<Grid>(app, &GROUND_SHADER, "shaders/ground.wgsl");
    app.add_plugins(PanOrbitCameraPlugin)
        .insert_resource(ClearColor(BACKGROUND))
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        .insert_resource(GlobalAmbientLight { brightness: 160.0, ..default() })
        .init_resource::<ClothView>()
        .add_systems(Startup, (spawn_cameras, spawn_light, spawn_ground))
        .add_systems(Update, (frame_scene, show_ground, apply_quality, fit_viewport));
}

fn spawn_cameras(mut commands: Commands, mut egui: ResMut<EguiGlobalSettings>) {
    commands.spawn((
        MainCamera,
        Camera3d::default(),
        Tonemapping::TonyMcMapface,
        ShadowFilteringMethod::Gaussian,
        PanOrbitCamera {
            button_pan: MouseButton::Middle,
            pitch_lower_limit: Some(-0.2),
            zoom_lower_limit: 0.1,
            zoom_upper_limit: Some(2000.0),
            use_real_time: true,
            ..default()
        },
        Projection::Perspective(PerspectiveProjection { fov: 0.7, near: 0.01, ..default() }),
    ));
    // the panels have a camera of their own, because the cloth's covers only a part of the window
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

fn spawn_light(mut commands: Commands) {
    commands.spawn((
        DirectionalLight { illuminance: KEY_LIGHT, shadow_maps_enabled: true, ..default() },
        CascadeShadowConfigBuilder {
            num_cascades: 2,
            maximum_distance: 12.0,
            first_cascade_far_bound: 4.0,
            ..default()
        }
        .build(),
        Transform::from_xyz(2.0, 4.0, 2.5).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    // a weak light from the other side keeps folds in the shade readable
    commands.spawn((
        DirectionalLight {
            illuminance: 1_500.0,
            color: Color::srgb(0.75, 0.85, 1.0),
            shadow_maps_enabled: false,
            ..default()
        },
        Transform::from_xyz(-3.0, 1.5, -1.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

fn spawn_ground(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ExtendedMaterial<StandardMaterial, Grid>>>,
) {
    let mut material = |plain| {
        materials.add(ExtendedMaterial {
            base: StandardMaterial { base_color: GROUND, perceptual_roughness: 0.95, reflectance: 0.1, ..default() },
            extension: Grid { line: GRID.into(), background: BACKGROUND.into(), reach: REACH, plain },
        })
    };
    commands.spawn((
        Floor,
        Mesh3d(meshes.add(Plane3d::default().mesh().size(2.0 * REACH, 2.0 * REACH))),
        Graded { plain: material(true), full: material(false) },
    ));
}

fn show_ground(session: Res<SessionHandle>, mut ground: Single<&mut Visibility, With<Floor>>) {
    let wanted = if session.frame.parameters.contact.ground { Visibility::Inherited } else { Visibility::Hidden };
    ground.set_if_neq(wanted);
}

/// What the camera has been pointed at.
#[derive(PartialEq)]
struct Subject {
    scene: String,
    /// Corners of the cloth's box at rest [m].
    low: SimVec3,
    high: SimVec3,
}

/// Looks at a new scene so that all of it is in view.
fn frame_scene(
    session: Res<SessionHandle>,
    view: Res<ClothView>,
    mut camera: Single<&mut PanOrbitCamera>,
    mut framed: Local<Option<(Subject, u64)>>,
) {
    // resetting makes a new cloth and tearing another pattern, but nobody wants the view to jump back for that
    if view.0.is_empty() || framed.as_ref().is_some_and(|(_, generation)| *generation == session.frame.generation) {
        return;
    }
    let (low, high) = bounds(session.frame.pattern.rest_positions());
    let subject = Subject { scene: session.frame.scene.name.clone(), low, high };
    let same = framed.as_ref().is_some_and(|(framed, _)| *framed == subject);
    *framed = Some((subject, session.frame.generation));
    if same {
        return;
    }
    // a cloth that starts flat will hang below its pins, or fall below where it starts
    let size = high - low;
    let pins = &session.frame.pins;
    let (pins_low, pins_high) = bounds(&pins.iter().map(|pin| pin.1).collect::<Vec<_>>());
    let middle = 0.5 * (low + high);
    let across = if pins.is_empty() { middle } else { middle.midpoint(0.5 * (pins_low + pins_high)) };
    let bottom = (high.y - size.max_element()).max(0.0).min(low.y);
    let focus = SimVec3::new(across.x, 0.5 * (bottom + high.y), across.z).as_vec3();
    let radius = 0.5 * SimVec3::new(size.x, high.y - bottom, 0.5 * size.z).length() as f32;
    let narrow = (view.0.width() / view.0.height()).min(1.0);
    camera.target_focus = focus;
    // a cloth that is not held gathers where it lands
    let distance = if pins.is_empty() { 2.5 } else { 3.0 };
    camera.target_radius = distance * radius.max(0.05) / narrow;
    camera.target_yaw = 0.45;
    camera.target_pitch = 0.25;
    if let Some(view) = session.frame.scene.camera {
        let away = (view.from - view.at).as_vec3();
        camera.target_focus = view.at.as_vec3();
        camera.target_radius = away.length() / narrow;
        camera.target_yaw = away.x.atan2(away.z);
        camera.target_pitch = (away.y / away.length()).asin();
    }
    if !camera.initialized {
        camera.focus = camera.target_focus;
        camera.radius = Some(camera.target_radius);
        camera.yaw = Some(camera.target_yaw);
        camera.pitch = Some(camera.target_pitch);
    }
    camera.force_update = true;
}

fn apply_quality(
    quality: Res<CurrentQuality>,
    mut lights: Query<&mut DirectionalLight, With<bevy::light::CascadeShadowConfig>>,
    camera: Single<Entity, With<MainCamera>>,
    mut commands: Commands,
) {
    if !quality.is_changed() {
        return;
    }
    let high = quality.0 == Quality::High;
    commands.entity(*camera).insert(if high { Msaa::Sample4 } else { Msaa::Off });
    for mut light in &mut lights {
        light.shadow_maps_enabled = high && light.illuminance == KEY_LIGHT;
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
