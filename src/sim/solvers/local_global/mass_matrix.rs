//! Lumped or consistent mass (Bouaziz et al. 2014, section 8; Hughes 2000).
//!
//! ```text
//! M_ij = ρ ∫ N_i N_j = m_e/((n + 1) n) (1 + δ_ij)   on an element of n vertices with the mass m_e
//!      = lumped - Σ κ_ij (e_i - e_j)(e_i - e_j)ᵀ,   κ_ij = Σ_e m_e/(n (n + 1))
//! ```
//!
//! for linear shape functions, so the consistent mass is the lumped one and a negative coupling
//! along each edge. Rows and columns sum up to the lumped masses: momentum is the same. Where the
//! vertices of an element have other masses per area than their neighbours, `m_e` is `n` times the
//! least share of a vertex, with which the matrix stays positive definite.

use std::collections::BTreeMap;

use crate::sim::{Pattern, Real};

crate::choices! {
    /// Mass matrix of triangles and tetrahedra.
    #[derive(Default)]
    pub enum MassMatrix {
        /// The mass of each vertex is its own.
        #[default]
        Lumped = "lumped",
        /// Elements move with their interior: neighbours have inertia in common.
        Consistent = "consistent",
    }
}

/// A negative coupling of the consistent mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassEdge {
    /// The two vertices.
    pub ends: [u32; 2],
    /// `κ` [kg].
    pub mass: Real,
}

/// The edges of the consistent mass, by rising ends. `masses` has an entry per vertex [kg].
pub fn mass_edges(pattern: &Pattern, masses: &[Real]) -> Vec<MassEdge> {
    let rest = pattern.rest_positions();
    let at = |vertex: u32| rest[vertex as usize];
    let triangles = pattern.cloth_triangles().map(|[a, b, c]| {
        let area = (at(b) - at(a)).cross(at(c) - at(a)).length() / 2.0;
        (vec![a, b, c], area)
    });
    let tetrahedra = pattern.tetrahedra().iter().map(|&[a, b, c, d]| {
        let volume = (at(b) - at(a)).cross(at(c) - at(a)).dot(at(d) - at(a)).abs() / 6.0;
        (vec![a, b, c, d], volume)
    });
    let elements: Vec<(Vec<u32>, Real)> = triangles.chain(tetrahedra).filter(|(_, size)| *size > 0.0).collect();
    let mut around = vec![0.0; rest.len()];
    for (vertices, size) in &elements {
        vertices.iter().for_each(|&vertex| around[vertex as usize] += size);
    }
    let mut edges: BTreeMap<[u32; 2], Real> = BTreeMap::new();
    for (vertices, size) in &elements {
        let share = |&vertex: &u32| masses[vertex as usize] * size / around[vertex as usize];
        let least = vertices.iter().map(share).fold(Real::INFINITY, Real::min);
        for (k, &i) in vertices.iter().enumerate() {
            for &j in &vertices[k + 1..] {
                *edges.entry([i.min(j), i.max(j)]).or_default() += least / (vertices.len() + 1) as Real;
            }
        }
    }
    edges.into_iter().map(|(ends, mass)| MassEdge { ends, mass }).collect()
}
