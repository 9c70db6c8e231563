//! Cloth in a game made with Bevy: [`WeftPlugin`] and its components.

mod begin;
mod build;
mod cloth;
mod collider;
mod collider_shape;
#[cfg(feature = "cli")]
mod crowd;
mod frames;
mod messages;
mod pins;
mod rest_mesh;
mod run;
mod running;
mod shown;
mod steps;
mod wind;
mod writing;

use bevy::asset::AssetEventSystems;
use bevy::camera::visibility::{VisibilityPlugin, VisibilitySystems};
use bevy::prelude::*;

pub use cloth::{Cloth, ClothInterval, ClothShape, ClothStatus};
pub use collider::ClothCollider;
pub use collider_shape::ColliderShape;
#[cfg(feature = "cli")]
pub use crowd::CapeCrowd;
pub use messages::{ClothBlewUp, ClothRefused, ClothTooSlow, ClothTorn};
pub use pins::{ClothPin, ClothPins, PinnedVertices};
#[cfg(feature = "app")]
pub(crate) use shown::copy_vectors;
pub use steps::ClothSteps;
pub use wind::WindZone;

/// Where a game orders its systems around those of the plugin.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WeftSystems {
    /// Where colliders and wind are read, in `FixedUpdate`. What moves them goes before it.
    ReadColliders,
    /// Where cloths are taken back from their steps and begin the next ones, in `FixedUpdate`. It
    /// never waits for a step.
    Step,
    /// Where the meshes of cloths are written, once per picture, in `PostUpdate`: after transforms
    /// have been propagated, since a mesh is in the frame of its entity, and before bounding boxes
    /// are computed.
    WriteMeshes,
}

/// Cloth for a Bevy app.
///
/// In every tick of `FixedUpdate` the plugin takes the cloths back whose steps have ended, and
/// begins their next ones beside the game, over the length of a tick: no system waits for them.
/// What is drawn is one tick late and interpolated between the last two states; a cloth with pins
/// is drawn in the frame of the entity that holds it, and does not trail behind. When
/// `Time<Virtual>` is paused, or its speed is zero, nothing moves.
///
/// It needs assets, meshes, transforms and time, which `DefaultPlugins` has; without a window add
/// `MinimalPlugins`, `AssetPlugin`, `TransformPlugin` and `MeshPlugin`.
///
/// # Example
///
/// A figure that walks in the wind with a cape on its shoulders. In a game with a window it is
/// `DefaultPlugins` that stands in place of the four plugins of `main`.
///
/// ```no_run
#[doc = include_str!("../../tests/examples/cape.rs")]
/// ```
#[derive(Debug, Clone, Default)]
pub struct WeftPlugin {
    /// Whether each tick waits for the steps that began in the tick before: for tests and servers,
    /// whose runs then have the same bits on every machine and at any speed.
    pub waits: bool,
}

impl Plugin for WeftPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Cloth>()
            .register_type::<ClothInterval>()
            .register_type::<ClothStatus>()
            .register_type::<ClothPins>()
            .register_type::<ClothCollider>()
            .register_type::<WindZone>()
            .add_message::<ClothBlewUp>()
            .add_message::<ClothTorn>()
            .add_message::<ClothTooSlow>()
            .add_message::<ClothRefused>()
            .init_resource::<ClothSteps>()
            .init_resource::<collider::Colliders>()
            .init_resource::<wind::Winds>()
            .init_resource::<writing::HiddenIsKnown>()
            .insert_resource(running::Waits(self.waits))
            .configure_sets(FixedUpdate, (WeftSystems::ReadColliders, WeftSystems::Step).chain())
            .configure_sets(
                PostUpdate,
                WeftSystems::WriteMeshes
                    .after(TransformSystems::Propagate)
                    .after(VisibilitySystems::VisibilityPropagate)
                    .before(VisibilitySystems::CalculateBounds)
                    .before(AssetEventSystems),
            )
            .add_systems(FixedUpdate, (collider::read_colliders, wind::read_winds).in_set(WeftSystems::ReadColliders))
            .add_systems(
                FixedUpdate,
                (running::take_steps, begin::end_cloths, begin::begin_cloths, running::begin_steps)
                    .chain()
                    .in_set(WeftSystems::Step),
            )
            .add_systems(PostUpdate, writing::write_meshes.in_set(WeftSystems::WriteMeshes));
    }

    fn finish(&self, app: &mut App) {
        let known = app.is_plugin_added::<VisibilityPlugin>();
        app.insert_resource(writing::HiddenIsKnown(known));
    }
}

/// Reports what cannot be used, to the game and in the log.
fn refuse(refused: &mut MessageWriter<ClothRefused>, entity: Entity, fault: String) {
    error!("{entity}: {fault}");
    refused.write(ClothRefused { entity, fault });
}
