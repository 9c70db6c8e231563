//! The cloth as it is drawn: between its last two states, in the frame of what holds it, written
//! into the mesh of its entity.

use std::sync::Arc;

use bevy::math::{DAffine3, DMat3};
use bevy::mesh::{MeshVertexAttribute, VertexAttributeValues};
use bevy::prelude::*;

use super::rest_mesh::{NONE, RestMesh};
use crate::sim::{Pattern, Simulation, Vec3 as SimVec3, vertex_normals};

/// Copies vectors into an attribute of a mesh, one for each vertex, as far as both go.
pub(crate) fn copy_vectors(mesh: &mut Mesh, attribute: MeshVertexAttribute, vectors: impl Iterator<Item = Vec3>) {
    if let Ok(VertexAttributeValues::Float32x3(values)) = mesh.try_attribute_mut(attribute) {
        values.iter_mut().zip(vectors).for_each(|(value, vector)| *value = vector.to_array());
    }
}

/// The last two states of a cloth, and how they are drawn.
pub(super) struct ShownCloth {
    /// Positions of the vertices [m].
    pub previous: Vec<SimVec3>,
    pub current: Vec<SimVec3>,
    /// Frame of the first holder in each of them.
    pub frames: [DAffine3; 2],
    pattern: Arc<Pattern>,
    /// For each vertex of the mesh that of the cloth, or [`NONE`].
    vertices: Vec<u32>,
    /// Whether each triangle of the mesh has its own vertices, since the cloth is torn.
    is_apart: bool,
    /// Whether the mesh does not show these vertices yet.
    is_new: bool,
    /// What the mesh was written with last: share of the way between the states, and frame.
    written: Option<(f64, DAffine3)>,
    blended: Vec<SimVec3>,
    normals: Vec<SimVec3>,
}

impl ShownCloth {
    pub fn new(simulation: &Simulation, rest: &RestMesh, frame: DAffine3) -> Self {
        Self {
            previous: simulation.state.cloth.positions.clone(),
            current: simulation.state.cloth.positions.clone(),
            frames: [frame; 2],
            pattern: simulation.shared_pattern(),
            vertices: rest.vertices.clone(),
            is_apart: false,
            is_new: true,
            written: None,
            blended: Vec::new(),
            normals: Vec::new(),
        }
    }

    /// The next state, with the frame of the first holder in it, after the cloth was put elsewhere
    /// by the motion `carried`.
    pub fn take(&mut self, simulation: &Simulation, rest: &RestMesh, frame: DAffine3, carried: Option<DAffine3>) {
        std::mem::swap(&mut self.previous, &mut self.current);
        self.current.clone_from(&simulation.state.cloth.positions);
        self.frames = [self.frames[1], frame];
        if let Some(motion) = carried {
            self.previous.iter_mut().for_each(|x| *x = motion.transform_point3(*x));
            self.frames[0] = motion * self.frames[0];
        }
        if self.pattern.revision() != simulation.pattern().revision() {
            self.pattern = simulation.shared_pattern();
            for parent in &self.pattern.parents()[self.previous.len() - self.pattern.whole_len()..] {
                self.previous.push(self.previous[*parent as usize]);
            }
            self.vertices = rest.torn_corners(self.pattern.triangles());
            // corners that were one vertex of the mesh go apart
            self.is_new |= !self.is_apart;
            self.is_apart = true;
        }
        self.written = None;
    }

    /// The cloth stays in its last state.
    pub fn settle(&mut self) {
        if self.frames[0] != self.frames[1] || self.previous != self.current {
            self.previous.clone_from(&self.current);
            self.frames[0] = self.frames[1];
            self.written = None;
        }
    }

    /// The mesh is another one, with the vertices of the cloth at rest.
    pub fn show_in_another(&mut self) {
        (self.is_new, self.written) = (true, None);
    }

    /// The map from the states, at a share of the way between them, to the frame `own` of the
    /// entity: moved along with the holder, which has a frame of its own by now.
    pub fn frame(&self, share: f64, own: DAffine3, holder: Option<DAffine3>) -> DAffine3 {
        let carried = holder.map(|now| {
            let [a, b] = self.frames;
            let matrix3 = a.matrix3 * (1.0 - share) + b.matrix3 * share;
            now * DAffine3 { matrix3, translation: a.translation.lerp(b.translation, share) }.inverse()
        });
        own.inverse() * carried.filter(DAffine3::is_finite).unwrap_or(DAffine3::IDENTITY)
    }

    /// Whether the mesh shows this already.
    pub fn is_written(&self, share: f64, frame: DAffine3) -> bool {
        self.written.is_some_and(|(of, seen)| {
            let rests = || self.previous == self.current && self.frames[0] == self.frames[1];
            seen == frame && (of == share || rests())
        })
    }

    /// Writes positions and normals at a share of the way between the states into a mesh. Returns
    /// false if that is not the mesh of this cloth.
    pub fn write(&mut self, mesh: &mut Mesh, share: f64, frame: DAffine3) -> bool {
        if std::mem::take(&mut self.is_new) && self.is_apart && mesh.try_duplicate_vertices().is_err() {
            return false;
        }
        let positions = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION).map_or(0, VertexAttributeValues::len);
        if positions != self.vertices.len() {
            return false;
        }
        let Self { previous, current, blended, normals, vertices, .. } = self;
        blended.clear();
        blended.extend(previous.iter().zip(&*current).map(|(a, b)| a.lerp(*b, share)));
        vertex_normals(&self.pattern, blended, normals);
        let turn = normal_matrix(frame.matrix3);
        let of = |x: &SimVec3| frame.transform_point3(*x).as_vec3();
        scatter(mesh, Mesh::ATTRIBUTE_POSITION, vertices, blended, of);
        scatter(mesh, Mesh::ATTRIBUTE_NORMAL, vertices, normals, |n| (turn * *n).normalize_or_zero().as_vec3());
        self.written = Some((share, frame));
        true
    }
}

/// The matrix that takes normals along with a linear map: its cofactors, which need no inverse.
fn normal_matrix(m: DMat3) -> DMat3 {
    let side = m.determinant().signum();
    DMat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis)) * side
}

/// Writes a value of each vertex of the cloth to the vertices of the mesh that show it.
fn scatter(
    mesh: &mut Mesh,
    attribute: MeshVertexAttribute,
    vertices: &[u32],
    values: &[SimVec3],
    of: impl Fn(&SimVec3) -> Vec3,
) {
    if vertices.iter().all(|vertex| *vertex != NONE) {
        copy_vectors(mesh, attribute, vertices.iter().map(|vertex| of(&values[*vertex as usize])));
    } else if let Ok(VertexAttributeValues::Float32x3(old)) = mesh.try_attribute_mut(attribute) {
        for (value, vertex) in old.iter_mut().zip(vertices).filter(|(_, vertex)| **vertex != NONE) {
            *value = of(&values[*vertex as usize]).to_array();
        }
    }
}
