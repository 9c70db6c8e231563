//! Colliders: what the cloths of a game meet, read from the world once per tick.

use std::collections::{HashMap, HashSet};

use bevy::math::{DAffine3, DMat3};
use bevy::prelude::*;

use super::collider_shape::ColliderShape;
use super::frames::{Frames, rigid};
use super::messages::ClothRefused;
use super::rest_mesh::changed_mesh;
use super::run::PlacedCollider;
use crate::sim::{Shape, Vec3 as SimVec3};

/// Share of the scale by which a matrix differs from one that was seen before.
const SAME: f64 = 1e-5;

/// Makes its entity solid for all cloths. It follows the transform of its entity, scale and parents
/// included; a shape that is stretched unevenly is met as it is drawn.
///
/// A system that moves it belongs into `FixedUpdate`, before
/// [`WeftSystems::ReadColliders`](super::WeftSystems::ReadColliders); moved once per frame instead,
/// it stands still in some ticks and jerks in others.
#[derive(Component, Reflect, Debug, Clone, PartialEq, Default)]
#[reflect(Component, Default)]
#[require(Transform)]
pub struct ClothCollider {
    /// Its shape.
    pub shape: ColliderShape,
    /// Coulomb friction coefficient, if not that of the fabric.
    pub friction: Option<f32>,
    /// Distance that cloth keeps from it, if not that of the cloth [m].
    pub thickness: Option<f32>,
}

impl<S: Into<ColliderShape>> From<S> for ClothCollider {
    fn from(shape: S) -> Self {
        Self { shape: shape.into(), ..Self::default() }
    }
}

/// A shape as it was prepared.
struct Prepared {
    made_of: ColliderShape,
    linear: DMat3,
    mesh: Option<AssetId<Mesh>>,
    /// None if it cannot be used.
    shape: Option<Shape>,
}

/// The colliders of this tick.
#[derive(Resource, Default)]
pub(super) struct Colliders {
    prepared: HashMap<Entity, Prepared>,
    /// Sorted by entity, so that their order does not depend on archetypes.
    placed: Vec<PlacedCollider>,
}

impl Colliders {
    /// Those that a cloth between two corners [m] may meet in a step of so many ticks.
    pub(super) fn near(&self, [low, high]: [SimVec3; 2], reach: f64, ticks: f64) -> Vec<PlacedCollider> {
        let is_near = |placed: &&PlacedCollider| {
            let distance = placed.position.distance(placed.position.clamp(low, high));
            distance <= placed.radius + ticks * placed.motion + reach
        };
        self.placed.iter().filter(is_near).cloned().collect()
    }
}

/// Reads where the colliders are, and prepares shapes that are new or have changed.
pub(super) fn read_colliders(
    mut colliders: ResMut<Colliders>,
    found: Query<(Entity, &ClothCollider, Option<&Mesh3d>)>,
    frames: Frames,
    meshes: Res<Assets<Mesh>>,
    mut changed: MessageReader<AssetEvent<Mesh>>,
    mut refused: MessageWriter<ClothRefused>,
) {
    let changed: HashSet<AssetId<Mesh>> = changed.read().filter_map(changed_mesh).collect();
    let Colliders { prepared, placed } = &mut *colliders;
    let before: HashMap<Entity, SimVec3> = placed.iter().map(|placed| (placed.entity, placed.position)).collect();
    placed.clear();
    for (entity, collider, mesh) in &found {
        let Some(frame) = frames.of(entity) else { continue };
        let (linear, position, rotation) = parts(frame);
        let mesh = mesh.filter(|_| collider.shape.needs_mesh()).map(|mesh| mesh.id());
        if mesh.is_some_and(|id| meshes.get(id).is_none()) {
            // it is still on its way
            continue;
        }
        let is_known = prepared.get(&entity).is_some_and(|known| {
            let differs = (known.linear - linear).to_cols_array().iter().any(|x| x.abs() > SAME);
            let is_changed = mesh.is_some_and(|id| changed.contains(&id));
            known.made_of == collider.shape && known.mesh == mesh && !differs && !is_changed
        });
        if !is_known {
            let shape = collider.shape.stretched(linear, mesh.and_then(|id| meshes.get(id)));
            let shape = shape.map_err(|fault| super::refuse(&mut refused, entity, fault)).ok();
            prepared.insert(entity, Prepared { made_of: collider.shape.clone(), linear, mesh, shape });
        }
        let Some(shape) = prepared.get(&entity).and_then(|known| known.shape.clone()) else { continue };
        let motion = before.get(&entity).map_or(0.0, |before| before.distance(position));
        let radius = radius(&shape);
        let surface = |value: Option<f32>| value.map(f64::from).filter(|value| value.is_finite() && *value >= 0.0);
        placed.push(PlacedCollider {
            entity,
            shape,
            friction: surface(collider.friction),
            thickness: surface(collider.thickness).filter(|thickness| *thickness > 0.0),
            position,
            rotation,
            radius,
            motion,
        });
    }
    placed.sort_unstable_by_key(|placed| placed.entity);
    prepared.retain(|entity, _| found.contains(*entity));
}

/// Scale and shear, place [m] and rotation of a frame.
fn parts(frame: DAffine3) -> (DMat3, SimVec3, bevy::math::DQuat) {
    let (rotation, position) = rigid(frame);
    (DMat3::from_quat(rotation.inverse()) * frame.matrix3, position, rotation)
}

/// Radius of a ball around the origin of a shape that has all of it [m].
fn radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Plane { .. } => f64::INFINITY,
        Shape::Sphere { radius } => *radius,
        Shape::Box { half_extents } => half_extents.length(),
        Shape::Capsule { half_height, radius } => half_height + radius,
        Shape::Cylinder { half_height, radius } => half_height.hypot(*radius),
        Shape::Hull { .. } | Shape::Mesh { .. } => {
            let points = shape.triangles().map_or(&[][..], |(points, _)| points);
            points.iter().map(|x| x.length()).fold(0.0, f64::max)
        }
    }
}
