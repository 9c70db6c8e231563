//! The meshes that colliders are drawn with, and coarser ones that their shadows are found with.

use std::collections::HashMap;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use crate::sim::Vec3 as SimVec3;
use crate::sim::contact::Shape;
use crate::sim::math::csr::Csr;

/// Radius to which the edges of a box are rounded where they are drawn [m], and the most of that as
/// a share of its least half side.
const ROUNDING: f32 = 0.006;
const MOST_ROUNDING: f32 = 0.25;
/// Cosine of the angle from which on two faces of a mesh meet in an edge.
const CREASE: f64 = 0.6;
/// A mesh of fewer triangles is divided, so that its outline is round where its faces are smooth.
const FINE: usize = 4_000;
/// How far a point between vertices is moved from the plane of the triangle towards the tangent
/// planes of the vertices.
const ROUNDNESS: f64 = 0.75;

/// What a mesh is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// To be drawn: outlines are round.
    Picture,
    /// To cast shadows.
    Shadow,
}

/// The mesh of a shape. A plane is drawn in part, with its normal up.
#[must_use]
pub fn mesh_of(shape: &Shape, detail: Detail) -> Mesh {
    let fine = detail == Detail::Picture;
    match *shape {
        Shape::Plane { .. } => Plane3d::default().mesh().size(4.0, 4.0).into(),
        Shape::Sphere { radius } => {
            let ball = Sphere::new(radius as f32);
            ball.mesh().ico(if fine { 12 } else { 5 }).unwrap_or_else(|_| ball.into())
        }
        Shape::Box { half_extents } => rounded_box(half_extents.as_vec3()),
        Shape::Capsule { half_height, radius } => {
            let (around, along) = if fine { (48, 24) } else { (16, 8) };
            let capsule = Capsule3d::new(radius as f32, 2.0 * half_height as f32);
            capsule.mesh().longitudes(around).latitudes(along).into()
        }
        Shape::Cylinder { half_height, radius } => {
            let cylinder = Cylinder::new(radius as f32, 2.0 * half_height as f32);
            cylinder.mesh().resolution(if fine { 128 } else { 16 }).into()
        }
        Shape::Hull { .. } | Shape::Mesh { .. } => {
            let (points, triangles) = shape.triangles().unwrap_or_default();
            let (mut points, mut triangles) = (points.to_vec(), triangles.to_vec());
            while fine && !triangles.is_empty() && triangles.len() < FINE {
                (points, triangles) = divided(&points, &triangles);
            }
            creased(&points, &triangles)
        }
    }
}

/// Each triangle in four, with the middles of the edges moved towards the tangent planes of their
/// ends (Boubekeur and Alexa, *Phong Tessellation*, 2008), but on a crease.
fn divided(points: &[SimVec3], triangles: &[[u32; 3]]) -> (Vec<SimVec3>, Vec<[u32; 3]>) {
    let normals = corner_normals(points, triangles);
    let mut all = points.to_vec();
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut parts = Vec::with_capacity(4 * triangles.len());
    for (triangle, normals) in triangles.iter().zip(&normals) {
        let [d, e, f] = [0, 1, 2].map(|side| {
            let (from, to) = (side, (side + 1) % 3);
            let [a, b] = [triangle[from], triangle[to]];
            let [x, y] = [points[a as usize], points[b as usize]];
            let flat = x.midpoint(y);
            let onto = |corner: SimVec3, normal: SimVec3| flat - normal * normal.dot(flat - corner);
            let round = flat.lerp(onto(x, normals[from]).midpoint(onto(y, normals[to])), ROUNDNESS);
            let number = *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                all.push(round);
                all.len() as u32 - 1
            });
            // the triangles on the two sides of a crease disagree
            let known = &mut all[number as usize];
            if known.distance(round) > 1e-9 * x.distance(y) {
                *known = flat;
            }
            number
        });
        let [a, b, c] = *triangle;
        parts.extend([[a, d, f], [d, b, e], [f, e, c], [d, e, f]]);
    }
    (all, parts)
}

/// A box whose edges catch the light: its faces lie in those of the collider, its edges are
/// rounded.
fn rounded_box(half: Vec3) -> Mesh {
    const STEPS: usize = 4;
    let radius = ROUNDING.min(MOST_ROUNDING * half.min_element());
    let core = half - radius;
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    // along a side of a face: the rounding, and the flat part in one
    let side: Vec<f32> = (0..=STEPS).map(|k| (k as f32 / STEPS as f32 - 1.0) * std::f32::consts::FRAC_PI_4).collect();
    let along: Vec<(f32, f32)> = side
        .iter()
        .map(|angle| (-1.0, angle.tan()))
        .chain(side.iter().rev().map(|angle| (1.0, -angle.tan())))
        .collect();
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0_f32)] {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let first = positions.len() as u32;
        for &(side_u, bend_u) in &along {
            for &(side_v, bend_v) in &along {
                let mut normal = Vec3::ZERO;
                (normal[axis], normal[u], normal[v]) = (sign, bend_u, bend_v * sign);
                let normal = normal.normalize();
                let mut corner = core;
                (corner[axis], corner[u], corner[v]) = (sign * core[axis], side_u * core[u], side_v * sign * core[v]);
                positions.push((corner + radius * normal).to_array());
                normals.push(normal.to_array());
            }
        }
        let count = along.len() as u32;
        for i in 0..count - 1 {
            for j in 0..count - 1 {
                let [a, b] = [first + i * count + j, first + (i + 1) * count + j];
                indices.extend([a, b, b + 1, a, b + 1, a + 1]);
            }
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32(indices))
}

/// A mesh whose corners have the normals of [`corner_normals`].
fn creased(points: &[SimVec3], triangles: &[[u32; 3]]) -> Mesh {
    let normals = corner_normals(points, triangles);
    let positions: Vec<[f32; 3]> =
        triangles.iter().flatten().map(|&corner| points[corner as usize].as_vec3().to_array()).collect();
    let normals: Vec<[f32; 3]> = normals.iter().flatten().map(|normal| normal.as_vec3().to_array()).collect();
    let count = positions.len() as u32;
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32((0..count).collect()))
}

/// Unit normals of the corners of each triangle: the mean of those faces around a corner that are
/// not folded more than [`CREASE`]. Round parts look round, edges stay edges.
fn corner_normals(points: &[SimVec3], triangles: &[[u32; 3]]) -> Vec<[SimVec3; 3]> {
    let areas: Vec<SimVec3> = triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|corner| points[corner as usize]);
            (b - a).cross(c - a)
        })
        .collect();
    let entries = (0..).zip(triangles).flat_map(|(t, triangle): (u32, _)| triangle.map(|corner| (corner, t)));
    let around = Csr::from_pairs(points.len(), entries);
    let units: Vec<SimVec3> = areas.iter().map(|area| area.normalize_or(SimVec3::Y)).collect();
    let of_corner = |corner: u32, own: SimVec3| {
        let faces = around.row(corner as usize).iter().map(|&t| t as usize);
        let sum: SimVec3 = faces.filter(|&other| units[other].dot(own) > CREASE).map(|other| areas[other]).sum();
        sum.normalize_or(own)
    };
    triangles.iter().zip(&units).map(|(triangle, own)| triangle.map(|corner| of_corner(corner, *own))).collect()
}
