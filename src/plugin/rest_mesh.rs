//! From a mesh of Bevy to the rest mesh of a cloth: vertices at the same place become one, triangles
//! that are there twice or have no area are left out.

use std::collections::HashMap;

use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::prelude::*;

use crate::sim::Vec3 as SimVec3;

/// Stands for a vertex of the mesh that is none of the cloth.
pub(super) const NONE: u32 = u32::MAX;

/// Largest coordinate of a vertex [m].
const FARTHEST: f32 = 1e9;

/// A cloth at rest in the frame of its entity, and its place in the mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RestMesh {
    /// Position of each vertex of the cloth [m].
    pub positions: Vec<SimVec3>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// For each vertex of the mesh that of the cloth, or [`NONE`].
    pub vertices: Vec<u32>,
    /// For each triangle of the mesh, the triangle of the cloth that it shows, with the place of
    /// each of its corners in that; `None` if it has no area.
    shown: Vec<Option<(u32, [u8; 3])>>,
}

impl RestMesh {
    /// The rest mesh of `mesh`.
    ///
    /// # Errors
    /// A sentence if it cannot be a cloth.
    pub fn of_mesh(mesh: &Mesh) -> Result<Self, String> {
        let (positions, triangles) = triangles_of(mesh)?;
        let mut rest = Self { vertices: vec![NONE; positions.len()], ..Self::default() };
        let mut at_places: HashMap<[u32; 3], u32> = HashMap::new();
        let mut known: HashMap<[u32; 3], u32> = HashMap::new();
        for corners in triangles {
            let triangle = corners.map(|corner| {
                let position = Vec3::from(positions[corner as usize]);
                // minus zero is zero
                let key = (position + Vec3::ZERO).to_array().map(f32::to_bits);
                let vertex = *at_places.entry(key).or_insert_with(|| {
                    rest.positions.push(position.as_dvec3());
                    rest.positions.len() as u32 - 1
                });
                rest.vertices[corner as usize] = vertex;
                vertex
            });
            let [a, b, c] = triangle;
            if a == b || b == c || c == a {
                rest.shown.push(None);
                continue;
            }
            let mut sorted = triangle;
            sorted.sort_unstable();
            let number = *known.entry(sorted).or_insert_with(|| {
                rest.triangles.push(triangle);
                rest.triangles.len() as u32 - 1
            });
            let own = rest.triangles[number as usize];
            let place = |vertex: u32| own.iter().position(|other| *other == vertex).unwrap_or_default() as u8;
            rest.shown.push(Some((number, triangle.map(place))));
        }
        if rest.triangles.is_empty() {
            return Err("the mesh has no triangle with an area to make a cloth of".to_owned());
        }
        Ok(rest)
    }

    /// A cloth that is shown by a mesh with the same vertices and triangles.
    pub fn of_cloth(positions: Vec<SimVec3>, triangles: Vec<[u32; 3]>) -> Self {
        let vertices = (0..positions.len() as u32).collect();
        let shown = (0..triangles.len() as u32).map(|number| Some((number, [0, 1, 2]))).collect();
        Self { positions, triangles, vertices, shown }
    }

    /// For each corner of the triangles of the mesh the vertex of a torn cloth with these
    /// `triangles`, in the order of the cloth at rest.
    pub fn torn_corners(&self, triangles: &[[u32; 3]]) -> Vec<u32> {
        let corners = |shown: &Option<(u32, [u8; 3])>| {
            let whole = |(number, places): (u32, [u8; 3])| {
                triangles.get(number as usize).map(|triangle| places.map(|place| triangle[place as usize]))
            };
            shown.and_then(whole).unwrap_or([NONE; 3])
        };
        self.shown.iter().flat_map(corners).collect()
    }
}

/// Positions of the vertices of a mesh, and its triangles.
type Triangles<'a> = (&'a [[f32; 3]], Vec<[u32; 3]>);

/// Positions and triangles of a mesh.
///
/// # Errors
/// A sentence if it has none.
pub(super) fn triangles_of(mesh: &Mesh) -> Result<Triangles<'_>, String> {
    if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
        return Err("the mesh is no list of triangles".to_owned());
    }
    let only_drawn = "the mesh is on the graphics device alone; load it with RenderAssetUsages::default()";
    let positions = mesh.try_attribute_option(Mesh::ATTRIBUTE_POSITION).map_err(|_| only_drawn.to_owned())?;
    let Some(VertexAttributeValues::Float32x3(positions)) = positions else {
        return Err("the mesh has no positions of three numbers".to_owned());
    };
    if !positions.as_flattened().iter().all(|x| x.abs() <= FARTHEST) {
        return Err("a vertex of the mesh is farther than 10⁹ m from its origin, or no number".to_owned());
    }
    let corners: Vec<u32> = match mesh.try_indices_option().map_err(|_| only_drawn.to_owned())? {
        Some(Indices::U16(indices)) => indices.iter().map(|index| u32::from(*index)).collect(),
        Some(Indices::U32(indices)) => indices.clone(),
        None => (0..positions.len() as u32).collect(),
    };
    if let Some(corner) = corners.iter().find(|corner| **corner as usize >= positions.len()) {
        return Err(format!("a triangle of the mesh uses vertex {corner}; the mesh has {}", positions.len()));
    }
    let triangles: Vec<[u32; 3]> = corners.as_chunks().0.to_vec();
    if triangles.is_empty() {
        return Err("the mesh has no triangles".to_owned());
    }
    Ok((positions, triangles))
}

/// The mesh that has changed, by an event.
pub(super) fn changed_mesh(event: &AssetEvent<Mesh>) -> Option<AssetId<Mesh>> {
    match event {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    }
}
