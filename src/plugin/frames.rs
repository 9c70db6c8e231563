//! Where entities are: their transforms as they stand in this tick, in double precision.

use bevy::ecs::system::SystemParam;
use bevy::math::{DAffine3, DQuat};
use bevy::prelude::*;

use crate::sim::Vec3 as SimVec3;

/// The frames of entities. In a tick [`GlobalTransform`] is that of the last picture, so they are
/// computed from the [`Transform`]s of an entity and its parents.
#[derive(SystemParam)]
pub(super) struct Frames<'w, 's> {
    helper: TransformHelper<'w, 's>,
    others: Query<'w, 's, &'static GlobalTransform>,
}

impl Frames<'_, '_> {
    /// The frame of an entity; none if it is gone or has no transform.
    pub fn of(&self, entity: Entity) -> Option<DAffine3> {
        let now = self.helper.compute_global_transform(entity).ok();
        now.or_else(|| self.others.get(entity).ok().copied()).map(|transform| affine(&transform))
    }
}

/// A transform in double precision.
pub(super) fn affine(transform: &GlobalTransform) -> DAffine3 {
    let of = transform.affine();
    let [x, y, z] = [of.matrix3.x_axis, of.matrix3.y_axis, of.matrix3.z_axis].map(|axis| axis.as_dvec3());
    DAffine3::from_cols(x, y, z, of.translation.as_dvec3())
}

/// Rotation and place of a frame [m].
pub(super) fn rigid(frame: DAffine3) -> (DQuat, SimVec3) {
    let (_, rotation, translation) = frame.to_scale_rotation_translation();
    // of a frame without volume there is none
    (if rotation.is_finite() { rotation.normalize() } else { DQuat::IDENTITY }, translation)
}

/// The rigid motion from one frame to another.
pub(super) fn motion(from: DAffine3, to: DAffine3) -> DAffine3 {
    let ((from_rotation, start), (to_rotation, end)) = (rigid(from), rigid(to));
    let rotation = to_rotation * from_rotation.inverse();
    DAffine3::from_rotation_translation(rotation, end - rotation * start)
}
