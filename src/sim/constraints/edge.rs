//! Edge strain with the stiffness of the sheet: the share of the cloth that each edge of a triangle
//! mesh represents.
//!
//! An edge of length `L` is a strap of length `L` and width `b`: `w/2 (l - L)²` with `w = Y b/L`,
//! where `Y = E · thickness` [N/m] is the membrane stiffness. Each triangle counts in full for each
//! of its three edges, `b L = Σ area` of the triangles at the edge. Under a uniform strain an edge
//! is stretched by `ε_e`, and the energy is `Σ_e ½ Y (b L) ε_e² = Σ_triangles area · ½ Y (ε_1² +
//! ε_2² + ε_3²)`: per area it depends on the directions of the edges but not on their lengths, so
//! refining a mesh does not make the cloth softer or stiffer. On equilateral triangles, `b` being
//! the distance of parallel edges, it is `½ Y (¾ |ε|² + ⅜ (tr ε)²)`, which is the isotropic sheet
//! of Young's modulus `E` and Poisson's ratio ⅓. On a square grid the threads have `b` = their
//! distance, half of it at the border.

use std::collections::BTreeMap;

use super::{Chunk, Constraint, Elements};
use crate::sim::forces::springs::direction;
use crate::sim::{Pattern, Real, Vec3};

/// Edges of triangles keep their length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeStrain {
    /// Membrane stiffness `Y`, Young's modulus times thickness [N/m].
    pub membrane_stiffness: Real,
}

impl EdgeStrain {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] = &[Self { membrane_stiffness: 300.0 }];
}

impl Constraint for EdgeStrain {
    fn weight(&self) -> Real {
        self.membrane_stiffness
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        let mut elements = Elements::new(1, 1);
        for edge in tributary_widths(pattern).iter().filter(|edge| edge.width > 0.0) {
            let [i, j] = edge.ends;
            elements.push([(i, [1.0]), (j, [-1.0])], edge.weight(1.0), &[edge.rest_length]);
        }
        elements
    }

    fn project(&self, chunk: &mut Chunk) {
        chunk.project_each(|[z], rest| [with_length(z, rest[0])]);
    }

    fn keeps_lengths(&self) -> bool {
        true
    }
}

/// An edge of the mesh at rest. Its row is `+1` at the first end and `-1` at the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The two vertices, the smaller first.
    pub ends: [u32; 2],
    /// Length at rest `L` [m], never zero.
    pub rest_length: Real,
    /// Width of the strap that the edge stands for, `b` [m].
    pub width: Real,
}

impl Edge {
    /// The weight `w` [N/m] of the edge in a cloth of this membrane stiffness [N/m] (Young's
    /// modulus times thickness).
    #[must_use]
    pub fn weight(&self, membrane_stiffness: Real) -> Real {
        membrane_stiffness * self.width / self.rest_length
    }
}

/// The edges of the cloth, sorted by their ends, without those of length zero.
#[must_use]
pub fn tributary_widths(pattern: &Pattern) -> Vec<Edge> {
    let rest = pattern.rest_positions();
    let mut areas: BTreeMap<[u32; 2], Real> = BTreeMap::new();
    for triangle in pattern.cloth_triangles() {
        let [a, b, c] = triangle.map(|vertex| rest[vertex as usize]);
        let area = (b - a).cross(c - a).length() / 2.0;
        let [i, j, k] = triangle;
        for (i, j) in [(i, j), (j, k), (k, i)] {
            *areas.entry([i.min(j), i.max(j)]).or_default() += area;
        }
    }
    let edge = |(ends, area): ([u32; 2], Real)| {
        let rest_length = rest[ends[0] as usize].distance(rest[ends[1] as usize]);
        (rest_length > 0.0).then(|| Edge { ends, rest_length, width: area / rest_length })
    };
    areas.into_iter().filter_map(edge).collect()
}

/// `z` brought to this length, the projection of edge strain and of bending: zero where `z` is zero
/// and so has no direction.
#[must_use]
pub fn with_length(z: Vec3, length: Real) -> Vec3 {
    direction(z) * length
}
