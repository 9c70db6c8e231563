//! What is seen: the studio, the cloth and the colliders in it, and the camera.

pub mod camera;
pub mod cloth_mesh;
pub mod colliders;
mod contact_shadow;
pub mod lanes;
pub mod lighting;
pub mod overlays;
pub mod painting;
pub mod pipelines;
pub mod printed;
mod self_shadow;
pub mod shading;
mod surface;

use bevy::prelude::*;

use lanes::LaneLayout;
use overlays::Overlays;
use painting::Painting;

/// How the cloths are shown: what the panels change of the view.
#[derive(Resource, Default)]
pub struct ViewState {
    /// The quantity that is painted on the cloths.
    pub painting: Painting,
    /// What is drawn over the chosen one.
    pub overlays: Overlays,
    /// Where the cloth of each lane stands.
    pub lanes: LaneLayout,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ViewState>().add_plugins((
        lighting::plugin,
        camera::plugin,
        contact_shadow::plugin,
        painting::plugin,
        printed::plugin,
        cloth_mesh::plugin,
        colliders::plugin,
    ));
}

/// What keys and the pointer change of it; for the window.
pub(super) fn by_hand(app: &mut App) {
    app.add_plugins((camera::by_hand, painting::by_hand, overlays::plugin, pipelines::plugin, lanes::plugin));
}
