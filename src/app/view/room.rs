//! The room around the cloth: a seamless floor and wall, light or dark, and the light that casts
//! shadows.

use bevy::asset::uuid_handle;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, NotShadowCaster, NotShadowReceiver};
use bevy::pbr::MaterialExtension;
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Face};
use bevy::shader::{Shader, ShaderRef};
use bevy_panorbit_camera::PanOrbitCamera;

use super::ViewState;
use super::axis_views::{self, Axis};
use super::contact_shadow::ContactShadow;
use super::lighting::{Studio, StudioUniform};
use super::scene::{MainCamera, SeenThrough};
use super::shading::{self, Lit, in_studio};
use crate::app::session::SessionHandle;
use crate::app::window::device::Device;
use crate::app::window::preferences::{CurrentBackdrop, CurrentQuality, Quality};

/// Side of the floor [m]; it has become the wall long before its border.
const FLOOR: f32 = 4_000.0;
/// Half the length of its line in a view from the side, as a multiple of the distance to the camera.
const LINE: f32 = 4.0;
/// Distance of the wall [m].
const WALL: f32 = 900.0;

const LIGHTING: Handle<Shader> = uuid_handle!("0b8f2f6e-9d0b-4c57-a4a5-5a0a4f2d6a03");
const FLOOR_SHADER: Handle<Shader> = uuid_handle!("0b8f2f6e-9d0b-4c57-a4a5-5a0a4f2d6a02");
const WALL_SHADER: Handle<Shader> = uuid_handle!("0b8f2f6e-9d0b-4c57-a4a5-5a0a4f2d6a04");

/// The floor.
#[derive(Component)]
struct Floor;

/// The background.
#[derive(Component)]
struct Wall;

/// Extension of the standard material by the floor's shader.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone)]
struct FloorPaint {
    #[uniform(101)]
    studio: StudioUniform,
    #[texture(102)]
    #[sampler(103)]
    shade: Handle<Image>,
}

impl MaterialExtension for FloorPaint {
    fn fragment_shader() -> ShaderRef {
        FLOOR_SHADER.into()
    }
}

/// Extension of the standard material by the wall's shader.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone)]
struct WallPaint {
    #[uniform(101)]
    studio: StudioUniform,
}

impl MaterialExtension for WallPaint {
    fn fragment_shader() -> ShaderRef {
        WALL_SHADER.into()
    }
}

in_studio!(FloorPaint);
in_studio!(WallPaint);

pub(super) fn plugin(app: &mut App) {
    shading::store(app, &LIGHTING, "shaders/studio.wgsl");
    shading::add::<FloorPaint>(app, &FLOOR_SHADER, "shaders/floor.wgsl");
    shading::add::<WallPaint>(app, &WALL_SHADER, "shaders/wall.wgsl");
    let mut studio = Studio::default();
    studio.light_from(0.45);
    app.insert_resource(studio)
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        .add_systems(Startup, (spawn_light, spawn_room))
        .add_systems(
            Update,
            (paint, turn_light, follow_shadow, (show_floor, draw_floor_line).chain(), move_wall, apply_quality),
        );
}

/// The light that casts the shadows of high quality; what it lights is up to the shaders.
fn spawn_light(mut commands: Commands, studio: Res<Studio>) {
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        CascadeShadowConfigBuilder {
            num_cascades: 2,
            maximum_distance: 12.0,
            first_cascade_far_bound: 4.0,
            ..default()
        }
        .build(),
        Transform::default().looking_to(-studio.key(), Vec3::Y),
    ));
}

fn spawn_room(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut floors: ResMut<Assets<Lit<FloorPaint>>>,
    mut walls: ResMut<Assets<Lit<WallPaint>>>,
    shadow: Res<ContactShadow>,
) {
    // the side towards an orthographic camera would cover all
    let base = StandardMaterial { cull_mode: Some(Face::Front), ..default() };
    let studio = StudioUniform::default();
    let paint = FloorPaint { studio, shade: shadow.image.clone() };
    commands.spawn((
        Floor,
        Mesh3d(meshes.add(Plane3d::default().mesh().size(FLOOR, FLOOR))),
        MeshMaterial3d(floors.add(Lit { base: StandardMaterial::default(), extension: paint })),
        NotShadowCaster,
        NotShadowReceiver,
    ));
    commands.spawn((
        (Wall, SeenThrough),
        Mesh3d(meshes.add(Cuboid::from_length(2.0 * WALL))),
        MeshMaterial3d(walls.add(Lit { base, extension: WallPaint { studio } })),
        Transform::default(),
        NotShadowCaster,
        NotShadowReceiver,
        NoFrustumCulling,
    ));
}

fn paint(stage: Res<CurrentBackdrop>, mut studio: ResMut<Studio>, mut clear: ResMut<ClearColor>) {
    if stage.is_changed() {
        studio.paint(stage.0);
        let [r, g, b, _] = studio.uniform.wall.to_array();
        clear.0 = Color::linear_rgb(r, g, b);
    }
}

fn turn_light(studio: Res<Studio>, mut light: Single<&mut Transform, With<DirectionalLight>>) {
    let wanted = Transform::default().looking_to(-studio.key(), Vec3::Y);
    light.set_if_neq(wanted);
}

fn follow_shadow(shadow: Res<ContactShadow>, mut studio: ResMut<Studio>) {
    let [x, z] = shadow.corner;
    let at = Vec4::new(x, z, shadow.side, 0.0);
    if studio.uniform.shadow != at {
        studio.uniform.shadow = at;
    }
}

fn show_floor(session: Res<SessionHandle>, mut floor: Single<&mut Visibility, With<Floor>>) {
    let frame = session.frame();
    // a cloth hundreds of metres up is drawn relative to a place there
    let is_near = frame.pattern.origin().y == 0.0;
    let is_seen = frame.parameters.contact.ground && is_near;
    let wanted = if is_seen { Visibility::Inherited } else { Visibility::Hidden };
    floor.set_if_neq(wanted);
}

/// In orthographic views from the side the floor is a line.
fn draw_floor_line(
    state: Res<ViewState>,
    studio: Res<Studio>,
    camera: Single<(&PanOrbitCamera, &GlobalTransform), With<MainCamera>>,
    floor: Single<&Visibility, With<Floor>>,
    mut gizmos: Gizmos,
) {
    let is_level = state.camera.is_orthographic() && state.camera.axis().is_some_and(Axis::is_level);
    if !is_level || **floor == Visibility::Hidden {
        return;
    }
    let (orbit, place) = *camera;
    let middle = orbit.focus.with_y(0.0);
    let half = place.right() * (LINE * orbit.radius.unwrap_or(1.0));
    // darker on a light wall, lighter on a dark one
    let shade = if studio.uniform.wall.y > 0.2 { 0.5 } else { 3.0 };
    let [r, g, b, _] = (shade * studio.uniform.wall).to_array();
    gizmos.line(middle - half, middle + half, Color::linear_rgb(r, g, b));
}

/// Place and projection of the camera.
type Looking<'a> = (&'a Transform, &'a Projection);

/// The wall is as far from everywhere, within the depth of the projection.
fn move_wall(camera: Single<Looking, (With<MainCamera>, Without<Wall>)>, mut wall: Single<&mut Transform, With<Wall>>) {
    let (place, projection) = *camera;
    let distance = match projection {
        Projection::Orthographic(projection) => axis_views::WALL * projection.scale.max(1.0),
        _ => WALL,
    };
    let wanted = Transform::from_translation(place.translation).with_scale(Vec3::splat(distance / WALL));
    wall.set_if_neq(wanted);
}

fn apply_quality(
    quality: Res<CurrentQuality>,
    device: Option<Res<Device>>,
    mut light: Single<&mut DirectionalLight>,
    camera: Single<Entity, With<MainCamera>>,
    mut commands: Commands,
) {
    if quality.is_changed() {
        let high = quality.0 == Quality::High;
        // a software renderer draws a third fewer images with them; pictures have the time
        let smooth = high || device.is_none_or(|device| *device == Device::Hardware);
        commands.entity(*camera).insert(if smooth { Msaa::Sample4 } else { Msaa::Off });
        light.shadow_maps_enabled = high;
    }
}
