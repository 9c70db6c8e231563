//! Contact points of the cloth between its vertices and collision meshes (`physics.md` section
//! 11.2).
//!
//! A triangle of the cloth can rest on a point of the mesh, and an edge on an edge or a point, if
//! that part of the mesh stands out along the normal of the pair. Any other pair belongs to a
//! neighbour, or to a vertex of the cloth: pushing along its normal would drive the cloth sideways.

use super::pairs::{CollisionMesh, MeshPair};
use crate::sim::contact::cloth::nearness::Crossing;
use crate::sim::contact::cloth::response::{ContactPoint, Plane, RECOVERY, RECOVERY_SPEED};
use crate::sim::{Real, Vec3};

/// Share of the thickness that the cloth keeps between its vertices. Below one, so that triangles
/// lying flat on vertices at the full thickness are not in contact.
const SHARE: Real = 0.5;
/// Reach of contact points as a multiple of the distance to be kept: pushing one brings others
/// closer.
const REACH: Real = 1.5;

/// Sine of the angle up to which the mesh may rise beside the part of it that touches, outside and
/// inside of the mesh.
const OUTSIDE: Real = 0.02;
const INSIDE: Real = 0.3;

/// Cosine of the angle by which the normal of a pair may turn in a step in which it comes inside.
const TURNED: Real = 0.5;

/// Largest distance of a contact point from the parts of a mesh [m].
pub(super) fn reach(mesh: &CollisionMesh) -> Real {
    mesh.radius + REACH * SHARE * mesh.thickness
}

/// The contact point of a pair of an edge or a triangle of the cloth and a part of a mesh in a step
/// of `dt` [s], if it is near.
pub(super) fn of_pair(mesh: &CollisionMesh, of: &MeshPair, dt: Real) -> Option<ContactPoint> {
    let MeshPair { pair, cloth_first, motion: [x, y], .. } = of;
    let side = if *cloth_first { 1.0 } else { -1.0 };
    let from = pair.closest(x);
    let crossing = Crossing::of(pair, x, y);
    let has_passed = crossing.is_some() && pair.first == 1;
    let (weights, across) = if let Some(crossing) = crossing {
        (crossing.weights, crossing.normal)
    } else {
        let to = pair.closest(y);
        (to.weights, to.normal()?)
    };
    // the point of the cloth stays on the side from which it came
    let came_from: Vec3 = x.iter().zip(weights).map(|(x, weight)| *x * (weight * side)).sum();
    let mut normal = across * across.dot(came_from).signum();
    let apart: Vec3 = y.iter().zip(weights).map(|(y, weight)| *y * (weight * side)).sum();
    if normal.dot(apart) < mesh.radius && across.dot(came_from).abs() < TURNED * came_from.length() {
        // it has gone past
        normal = came_from.try_normalize()?;
    }
    let is_of_cloth = |k: usize| (k < usize::from(pair.first)) == *cloth_first;
    // the points of cloth and mesh, and the vertices of the cloth with their weights
    let (mut start, mut of_mesh, mut distance) = (Vec3::ZERO, Vec3::ZERO, -mesh.radius);
    let (mut vertices, mut shares, mut count) = ([0; 3], [0.0; 3], 0);
    for (k, weight) in weights.into_iter().enumerate() {
        distance += normal.dot(y[k]) * weight * side;
        if is_of_cloth(k) {
            start += x[k] * (weight * side);
            (vertices[count], shares[count]) = (pair.vertices[k], weight * side);
            count += 1;
        } else {
            of_mesh -= y[k] * (weight * side);
        }
    }
    if count == 2 {
        vertices[2] = vertices[1];
    }
    let keep = SHARE * mesh.thickness;
    let tolerance = if distance < 0.0 { INSIDE } else { OUTSIDE };
    let counts = || has_passed || of.stands_out(mesh, &weights, normal, tolerance);
    if shares[..count].contains(&0.0) || distance > REACH * keep || !counts() {
        return None;
    }
    let at_start = (from.distance() - mesh.radius).min(keep);
    let target = at_start + (RECOVERY * (keep - at_start)).min(RECOVERY_SPEED * dt);
    let end = &mesh.poses[1];
    let plane = Plane {
        normal: end.rotation * normal,
        height: (end.rotation * normal).dot(end.transform_point(of_mesh)) + mesh.radius + target,
        start: end.transform_point(start),
        friction: mesh.friction,
    };
    let feature = of.feature(mesh, &weights);
    Some(ContactPoint { vertices, weights: shares, solid: mesh.solid, feature, plane, gap: (distance - keep).max(0.0) })
}

impl MeshPair {
    /// The point of the mesh with all of its weight, if there is one.
    fn point(&self, weights: &[Real; 4]) -> Option<u32> {
        match (self.pair.first, self.cloth_first) {
            (1, _) => Some(self.pair.vertices[0]),
            _ if weights[2] == 0.0 => Some(self.pair.vertices[3]),
            _ if weights[3] == 0.0 => Some(self.pair.vertices[2]),
            _ => None,
        }
    }

    /// Whether the part of the mesh at these weights stands out along a normal.
    fn stands_out(&self, mesh: &CollisionMesh, weights: &[Real; 4], normal: Vec3, tolerance: Real) -> bool {
        match self.point(weights) {
            Some(point) => mesh.tree.point_stands_out(point, normal, tolerance),
            None => mesh.tree.edge_stands_out(self.edge, normal, tolerance),
        }
    }

    /// Number of that part: edges first, then points.
    fn feature(&self, mesh: &CollisionMesh, weights: &[Real; 4]) -> u32 {
        self.point(weights).map_or(self.edge as u32, |point| mesh.tree.edges.len() as u32 + point)
    }
}
