//! Tetrahedra: the elements of bodies that fill space, and the surface that follows from them.
//!
//! A body is a part of the pattern like a cloth: its vertices are vertices, its surface is
//! triangles (which are drawn, grabbed and in contact), and the edges of its tetrahedra are
//! springs, for the methods that know springs alone. It shares no vertex with a cloth.

use std::collections::BTreeSet;

use super::{Family, Pattern, Springs};
use crate::sim::math::fingerprint::{fingerprint, fingerprint_of_rows};
use crate::sim::{Mat3, Real, Vec3};

/// Volume of a tetrahedron over the cube of its longest edge below which it has none to speak of. A
/// deformation gradient is found by dividing by the height, so its entries would be lost in
/// rounding.
const FLAT: Real = 1e-7;

/// The faces of a tetrahedron of positive volume, by the places of their corners, seen from outside
/// counter-clockwise.
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// The edges of a tetrahedron, by the places of their ends.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The edges of tetrahedra, each once, from the lower vertex to the higher.
fn edges(tetrahedra: &[[u32; 4]]) -> BTreeSet<[u32; 2]> {
    let of = |corners: &[u32; 4]| EDGES.map(|[i, j]| [corners[i].min(corners[j]), corners[i].max(corners[j])]);
    tetrahedra.iter().flat_map(of).collect()
}

/// A tetrahedron of the rest shape, ready for measuring its strain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tetrahedron {
    /// `D_m⁻¹` [1/m], with `D_m = (X₁ - X₀, X₂ - X₀, X₃ - X₀)` by columns.
    pub inverse: Mat3,
    /// Volume at rest [m³], positive.
    pub volume: Real,
}

impl Tetrahedron {
    /// Of the rest positions [m] of its vertices. `None` where it has no volume to speak of, or a
    /// negative one.
    #[must_use]
    pub fn of_rest(rest: [Vec3; 4]) -> Option<Self> {
        let volume = signed_volume(rest);
        let longest = EDGES.map(|[i, j]| rest[i].distance(rest[j])).into_iter().fold(0.0, Real::max);
        let [a, b, c, d] = rest;
        (volume > FLAT * longest.powi(3))
            .then(|| Self { inverse: Mat3::from_cols(b - a, c - a, d - a).inverse(), volume })
    }

    /// The coefficients `G` [1/m] of the four vertices in the three columns of
    /// `F = D_s D_m⁻¹ = Σ x_v G_v`: those of the last three vertices are the rows of `D_m⁻¹`, the
    /// first has minus their sum.
    #[must_use]
    pub fn coefficients(&self) -> [[Real; 3]; 4] {
        let [a, b, c] = [0, 1, 2].map(|row| self.inverse.row(row));
        [-(a + b + c), a, b, c].map(|row| row.to_array())
    }
}

/// Volume [m³] of the tetrahedron with these vertices [m]; negative where the last one lies behind
/// the other three, seen counter-clockwise.
#[must_use]
pub fn signed_volume([a, b, c, d]: [Vec3; 4]) -> Real {
    (b - a).cross(c - a).dot(d - a) / 6.0
}

/// The triangles that belong to one tetrahedron alone, in the order of the tetrahedra, seen from
/// outside counter-clockwise if all volumes are positive.
#[must_use]
pub fn surface(tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let faces = tetrahedra.iter().flat_map(|corners| FACES.map(|face| face.map(|at| corners[at])));
    let mut sorted: Vec<([u32; 3], u32)> = faces
        .clone()
        .zip(0..)
        .map(|(mut face, number)| {
            face.sort_unstable();
            (face, number)
        })
        .collect();
    sorted.sort_unstable();
    let mut is_outside = vec![false; sorted.len()];
    for same in sorted.chunk_by(|a, b| a.0 == b.0) {
        is_outside[same[0].1 as usize] = same.len() == 1;
    }
    faces.zip(is_outside).filter_map(|(face, outside)| outside.then_some(face)).collect()
}

/// The tetrahedra of a pattern, and derived data.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Bodies {
    tetrahedra: Vec<[u32; 4]>,
    /// Whether each vertex is one of a tetrahedron; nothing where there is none.
    vertices: Vec<bool>,
    /// Whether there is nothing but them.
    alone: bool,
}

impl Pattern {
    /// A body of these tetrahedra of positive volume, which name existing vertices: its surface is
    /// the triangles, and along every edge there is a structural spring. Rest lengths are the
    /// distances in `rest_positions` [m].
    #[must_use]
    pub fn body(rest_positions: Vec<Vec3>, tetrahedra: Vec<[u32; 4]>) -> Self {
        let edges = edges(&tetrahedra);
        let mut springs = Springs::default();
        springs.reserve(edges.len());
        for [i, j] in edges {
            let length = rest_positions[i as usize].distance(rest_positions[j as usize]);
            springs.push([i, j], length, Family::Structural);
        }
        let triangles = surface(&tetrahedra);
        Self::new(rest_positions, triangles, springs).with_tetrahedra(tetrahedra)
    }

    /// The pattern with these tetrahedra, whose surface is among its triangles already, and whose
    /// vertices exist.
    #[must_use]
    pub fn with_tetrahedra(mut self, tetrahedra: Vec<[u32; 4]>) -> Self {
        if tetrahedra.is_empty() {
            return self;
        }
        let mut vertices = vec![false; self.len()];
        tetrahedra.as_flattened().iter().for_each(|&vertex| vertices[vertex as usize] = true);
        let corners = tetrahedra.iter().map(|corners| corners.map(u64::from));
        self.revision = fingerprint([self.revision, fingerprint_of_rows(corners)].into_iter());
        let alone = self.triangles.iter().all(|corners| vertices[corners[0] as usize]);
        self.bodies = Bodies { tetrahedra, vertices, alone };
        self = self.renew_membrane();
        self.whole_revision = if self.parents.is_empty() { self.revision } else { self.whole().revision };
        self
    }

    /// The tetrahedra of the bodies, each with its vertices in an order of positive volume at rest.
    #[must_use]
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.bodies.tetrahedra
    }

    /// The edges of all tetrahedra, each once, from the lower vertex to the higher, rising.
    #[must_use]
    pub fn body_edges(&self) -> BTreeSet<[u32; 2]> {
        edges(&self.bodies.tetrahedra)
    }

    /// Whether `vertex` is one of a body.
    #[must_use]
    pub fn is_in_body(&self, vertex: u32) -> bool {
        self.bodies.vertices.get(vertex as usize).copied().unwrap_or(false)
    }

    /// Whether there is cloth, not bodies alone.
    #[must_use]
    pub fn has_cloth(&self) -> bool {
        !self.bodies.alone
    }

    /// Whether triangle `triangle` is cloth, and not the surface of a body.
    #[must_use]
    pub fn is_cloth(&self, triangle: u32) -> bool {
        !self.is_in_body(self.triangles[triangle as usize][0])
    }

    /// The triangles that are cloth, and not the surface of a body, in their order.
    pub fn cloth_triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.triangles.iter().copied().filter(|corners| !self.is_in_body(corners[0]))
    }
}
