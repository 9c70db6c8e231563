//! A crowd of figures with capes in an app without a window, to measure what cloths cost.

use bevy::asset::AssetPlugin;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;

use super::{
    Cloth, ClothCollider, ClothInterval, ClothPins, ClothStatus, ClothSteps, WeftPlugin, WeftSystems, WindZone,
};

/// Vertices of a cape along its width and its height.
const CAPE: [u32; 2] = [15, 20];

/// Walks along z.
#[derive(Component)]
struct Walks;

/// Capsules that walk side by side in the wind, or stand, each with a cape.
pub struct CapeCrowd {
    app: App,
    ticks: u32,
}

impl CapeCrowd {
    /// So many figures, which walk through wind or stand in still air; each cape steps once in
    /// `interval` ticks.
    #[must_use]
    pub fn new(figures: u32, walk: bool, interval: u32) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, MeshPlugin, WeftPlugin::default()));
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.add_systems(FixedUpdate, walk_on.before(WeftSystems::ReadColliders));
        let world = app.world_mut();
        for number in 0..figures {
            let x = 2.0 * number as f32;
            let figure = (ClothCollider::from(Capsule3d::new(0.25, 1.0)), Transform::from_xyz(x, 0.75, 0.0));
            let figure = world.spawn(figure).id();
            if walk {
                world.entity_mut(figure).insert(Walks);
            }
            world.spawn((
                Cloth::grid(CAPE[0], CAPE[1], 0.5, 1.0).of("wool"),
                ClothPins::numbers(0..CAPE[0], figure),
                ClothInterval(interval),
                Transform::from_xyz(x, 1.35, -0.3),
            ));
        }
        if walk {
            world.spawn((WindZone { speed: 3.0, ..default() }, Transform::default().looking_to(Vec3::X, Vec3::Y)));
        }
        app.finish();
        app.cleanup();
        Self { app, ticks: 0 }
    }

    /// One picture with one tick: what a frame of the game costs. Steps go on beside it.
    pub fn update(&mut self) {
        self.app.update();
        self.ticks += 1;
    }

    /// Waits for the steps.
    pub fn wait(&mut self) {
        self.app.world_mut().resource_mut::<ClothSteps>().wait();
    }

    /// An [`update`](Self::update) with its steps.
    pub fn tick(&mut self) {
        self.update();
        self.wait();
    }

    /// Number of updates so far.
    #[must_use]
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Whether all capes do that.
    #[must_use]
    pub fn are_all(&mut self, status: ClothStatus) -> bool {
        let world = self.app.world_mut();
        world.query::<&ClothStatus>().iter(world).all(|own| *own == status)
    }
}

/// 1.4 m/s ahead, with a sway.
fn walk_on(time: Res<Time>, mut figures: Query<&mut Transform, With<Walks>>) {
    for mut figure in &mut figures {
        figure.translation.z += 1.4 * time.delta_secs();
        figure.rotation = Quat::from_rotation_y(0.2 * (6.0 * time.elapsed_secs()).sin());
    }
}
