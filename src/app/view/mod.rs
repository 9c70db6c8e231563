//! The view: the studio, the cloths and the colliders in it, and the camera.

pub mod axis_views;
pub mod camera;
mod cloth_material;
pub mod cloth_mesh;
mod cloths;
pub mod collider_mesh;
pub mod colliders;
mod contact_shadow;
pub mod displayed;
pub mod edge_smoothing;
mod embedded;
pub mod expected_mark;
mod hem;
pub mod lane_layout;
pub mod lighting;
pub mod overlays;
pub mod paint_quantity;
mod painted_values;
pub mod painting;
pub mod pipelines;
pub mod printed;
mod rim;
mod room;
pub mod scene;
mod self_shadow;
pub mod shading;
mod shot;
mod surface;

use bevy::prelude::*;

use axis_views::CameraState;
use lane_layout::LaneLayout;
use overlays::Overlays;
use painting::Painting;

/// Settings of the view, changed by panels.
#[derive(Resource, Default)]
pub struct ViewState {
    /// The quantity that is painted on the cloths.
    pub painting: Painting,
    /// Lines drawn over the chosen one.
    pub overlays: Overlays,
    /// What is written at the mark of a motion with a closed formula.
    pub expected: Option<expected_mark::Label>,
    /// Where the cloth of each lane stands.
    pub lanes: LaneLayout,
    /// Direction and projection of the camera.
    pub camera: CameraState,
    /// See [`Edited`].
    pub edited: Edited,
}

/// The editor, as far as the camera has to know.
#[derive(Default)]
pub struct Edited {
    /// Whether scenes are edited at the moment.
    pub is_open: bool,
    /// Bounding box of the chosen part [m].
    pub bounds: Option<(crate::sim::Vec3, crate::sim::Vec3)>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ViewState>().add_plugins((
        room::plugin,
        camera::plugin,
        contact_shadow::plugin,
        overlays::plugin,
        printed::plugin,
        cloth_material::plugin,
        cloths::plugin,
        colliders::plugin,
        pipelines::plugin,
    ));
}

/// Keys, overlays and lanes, for the window.
pub(super) fn by_hand(app: &mut App) {
    app.add_plugins((
        camera::by_hand,
        painting::by_hand,
        overlays::by_hand,
        lane_layout::plugin,
        expected_mark::plugin,
        edge_smoothing::plugin,
    ));
}
