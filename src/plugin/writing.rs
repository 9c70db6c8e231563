//! The system that writes the meshes of cloths, once per picture.

use bevy::prelude::*;

use super::frames::affine;
use super::running::Running;

/// Whether meshes of hidden entities are left as they are: there is a plugin that finds out what is
/// hidden.
#[derive(Resource, Default)]
pub(super) struct HiddenIsKnown(pub bool);

/// Writes the meshes of the cloths that are seen and have changed.
pub(super) fn write_meshes(
    time: Res<Time<Fixed>>,
    hidden_is_known: Res<HiddenIsKnown>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut cloths: Query<(&mut Running, &GlobalTransform, Option<&InheritedVisibility>)>,
    holders: Query<&GlobalTransform>,
) {
    for (mut running, own, visible) in &mut cloths {
        running.is_drawn = true;
        if hidden_is_known.0 && visible.is_some_and(|visible| !visible.get()) {
            continue;
        }
        let ticks = f64::from(running.ticks) + time.overstep_fraction_f64();
        let share = (ticks / f64::from(running.spans[0].max(1))).min(1.0);
        let holder = running.holders.first().and_then(|holder| holders.get(*holder).ok()).map(affine);
        let Running { shown, output, .. } = &mut *running;
        let frame = shown.frame(share, affine(own), holder);
        if shown.is_written(share, frame) || !frame.is_finite() {
            continue;
        }
        // looking at a mesh to change it sends it to the graphics device again
        let Some(mut mesh) = meshes.get_mut(&*output) else { continue };
        if !shown.write(&mut mesh, share, frame) {
            // somebody has replaced it
            running.is_replaced = true;
        }
    }
}
