//! Surfaces embedded in bodies: drawn in place of the surface of a coarse body, and carried by its
//! tetrahedra.
//!
//! A vertex of such a surface is at `x = Σ w_k x_k` of the four vertices of a tetrahedron, with its
//! barycentric coordinates `w` at rest, so that any affine map of a tetrahedron carries what is in
//! it alike. It has no mass and no forces (Projective Dynamics, section 6, figure 8).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Pattern, Tetrahedron};
use crate::sim::{Mat3, Real, Vec3};

/// Surfaces carried by the tetrahedra of a pattern.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmbeddedSurface {
    /// The vertices of the tetrahedron that carries each vertex.
    carriers: Vec<[u32; 4]>,
    /// Its barycentric coordinates in it, with a sum of 1; a negative one outside.
    weights: Vec<[Real; 4]>,
    /// The triangles between its vertices, counter-clockwise seen from outside.
    triangles: Vec<[u32; 3]>,
}

impl EmbeddedSurface {
    /// Largest barycentric coordinate that a file may name.
    const MOST_WEIGHT: Real = 1e6;

    /// The surface with vertices at `points` [m] in the rest shape `rest` [m] of a body with these
    /// tetrahedra of positive volume. Of all tetrahedra the one carries a vertex in which its least
    /// barycentric coordinate is largest: the one around it, or a near one.
    #[must_use]
    pub fn bind(points: &[Vec3], triangles: Vec<[u32; 3]>, rest: &[Vec3], tetrahedra: &[[u32; 4]]) -> Self {
        let shapes: Vec<_> = (tetrahedra.iter())
            .filter_map(|corners| {
                let shape = Tetrahedron::of_rest(corners.map(|vertex| rest[vertex as usize]))?;
                Some((*corners, rest[corners[0] as usize], shape.inverse))
            })
            .collect();
        let coordinates = |x: Vec3, origin: Vec3, inverse: &Mat3| {
            let [a, b, c] = (*inverse * (x - origin)).to_array();
            [1.0 - a - b - c, a, b, c]
        };
        let least = |weights: &[Real; 4]| weights.iter().copied().fold(Real::INFINITY, Real::min);
        let carrier = |x: &Vec3| {
            let all = shapes.iter().map(|(corners, origin, inverse)| (*corners, coordinates(*x, *origin, inverse)));
            all.max_by(|a, b| least(&a.1).total_cmp(&least(&b.1)))
        };
        let (carriers, weights): (Vec<_>, Vec<_>) = points.iter().filter_map(carrier).unzip();
        // without a tetrahedron nothing can be carried
        let triangles = if carriers.len() == points.len() { triangles } else { Vec::new() };
        Self { carriers, weights, triangles }
    }

    /// The vertices of the tetrahedron that carries each vertex.
    #[must_use]
    pub fn carriers(&self) -> &[[u32; 4]] {
        &self.carriers
    }

    /// The triangles, counter-clockwise seen from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.carriers.is_empty()
    }

    /// The barycentric coordinates of each vertex in the tetrahedron that carries it.
    #[must_use]
    pub fn weights(&self) -> &[[Real; 4]] {
        &self.weights
    }

    /// The position [m] of each vertex where those of the pattern are at `positions` [m].
    pub fn carry<'a>(&'a self, positions: &'a [Vec3]) -> impl Iterator<Item = Vec3> + 'a {
        self.carriers.iter().zip(&self.weights).map(|(corners, weights)| {
            corners.iter().zip(weights).map(|(&vertex, &weight)| positions[vertex as usize] * weight).sum()
        })
    }

    /// Those of several patterns one after another, each with its number of vertices.
    fn join<'a>(parts: impl Iterator<Item = (&'a Self, usize)>) -> Self {
        let (mut whole, mut first) = (Self::default(), 0);
        for (part, vertices) in parts {
            let own = whole.carriers.len() as u32;
            whole.carriers.extend(part.carriers.iter().map(|corners| corners.map(|vertex| first + vertex)));
            whole.weights.extend_from_slice(&part.weights);
            whole.triangles.extend(part.triangles.iter().map(|corners| corners.map(|corner| own + corner)));
            first += vertices as u32;
        }
        whole
    }

    /// What does not fit to a cloth of so many vertices, if anything.
    pub(crate) fn fault(&self, vertices: usize) -> Option<String> {
        let count = self.carriers.len();
        if self.weights.len() != count {
            return Some(format!("surface.weights has {} entries where {count} are needed", self.weights.len()));
        }
        if let Some(vertex) = self.carriers.as_flattened().iter().find(|vertex| **vertex as usize >= vertices) {
            return Some(format!("surface.carriers names vertex {vertex}, but the whole cloth has only {vertices}"));
        }
        if let Some(corner) = self.triangles.as_flattened().iter().find(|corner| **corner as usize >= count) {
            return Some(format!("surface.triangles names {corner}, but there are {count} vertices of the surface"));
        }
        let near = |weight: &Real| weight.abs() <= Self::MOST_WEIGHT;
        let fine = self.weights.as_flattened().iter().all(near);
        (!fine).then(|| "surface.weights need finite numbers within 10⁶".to_owned())
    }
}

impl Pattern {
    /// The pattern with these surfaces, whose carriers are tetrahedra of it.
    #[must_use]
    pub fn with_embedded(self, embedded: EmbeddedSurface) -> Self {
        Self { embedded: Arc::new(embedded), ..self }
    }

    /// The surfaces embedded in its bodies.
    #[must_use]
    pub fn embedded(&self) -> &EmbeddedSurface {
        &self.embedded
    }

    /// The surfaces of several patterns as those of one.
    pub(super) fn joined_surfaces(parts: &[&Self]) -> EmbeddedSurface {
        EmbeddedSurface::join(parts.iter().map(|part| (part.embedded(), part.len())))
    }
}
