#![allow(missing_docs)]

use bevy::prelude::*;
use bevy::{asset::AssetPlugin, mesh::MeshPlugin, time::TimeUpdateStrategy};
use weft::plugin::{Cloth, ClothCollider, ClothPins, WeftPlugin, WeftSystems, WindZone};

/// Half of the distance between the ends of the capsule, and its radius [m].
pub const FIGURE: (f32, f32) = (0.5, 0.25);

#[derive(Component)]
struct Walks;

/// The figure, a capsule that stands on the floor, with its cape, the floor and the wind.
fn set_up(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>) {
    let (half_length, radius) = FIGURE;
    let capsule = Capsule3d { radius, half_length };
    let figure = commands.spawn((
        Walks,
        Mesh3d(meshes.add(capsule)),
        ClothCollider::from(capsule),
        Transform::from_xyz(0.0, half_length + radius, 0.0),
    ));
    let figure = figure.id();
    // 15 × 20 vertices behind the back, which the figure holds by the upper edge
    commands.spawn((
        Cloth::grid(15, 20, 0.5, 1.0).of("wool"),
        ClothPins::numbers(0..15, figure),
        Transform::from_xyz(0.0, 1.35, -0.3),
    ));
    commands.spawn(ClothCollider { shape: weft::plugin::ColliderShape::HalfSpace, ..default() });
    // from the right
    commands.spawn((WindZone { speed: 3.0, ..default() }, Transform::default().looking_to(Vec3::NEG_X, Vec3::Y)));
}

/// Walks along z at 1.4 m/s.
fn walk(time: Res<Time>, mut figures: Query<&mut Transform, With<Walks>>) {
    for mut figure in &mut figures {
        figure.translation.z += 1.4 * time.delta_secs();
    }
}

/// Everything but Bevy's own plugins.
pub fn game(app: &mut App) {
    app.add_plugins(WeftPlugin::default())
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, walk.before(WeftSystems::ReadColliders));
}

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, MeshPlugin));
    // one tick per picture
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    game(&mut app);
    app.finish();
    (0..128).for_each(|_| app.update());
}
