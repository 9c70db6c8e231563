//! Isometric bending: an energy that is quadratic in the positions, with a matrix that stays the same while the cloth moves.
//!
//! ```text
//! E(x) = ½ B Σ_e w_e |Σ_v k_ev x_v|² = ½ B xᵀ Q x   [J],   f = -B Q x,   B in N·m
//! ```
//!
//! Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006: as long as a cloth hardly stretches, the angle at the edge `e` between two triangles is
//! linear in the four positions, with cotangents of the rest shape. There is no state that the cloth could snap over to, as there is with
//! springs that skip a vertex: flat is the only minimum. The weights `w` are fitted, see [`stencils`], so that a cylinder of radius `R`
//! costs `½ B A/R²` on any mesh; the `3/(A_1 + A_2)` of the paper is up to three times that. The cloth is flat at rest whatever the rest shape
//! of the mesh is: only lengths of edges enter.

mod fit;
mod stencils;

pub use stencils::{Stencil, stencils};

use crate::sim::csr::Csr;
use crate::sim::{Pattern, Real, Vec3};

/// The stencils of a pattern, and their matrix.
#[derive(Debug, Clone, Default)]
pub struct IsometricBending {
    stencils: Vec<Stencil>,
    /// `Q` [1/m²] by rows, each by rising vertex, with the diagonal.
    matrix: Csr<(u32, Real)>,
    /// The pattern of the stencils, and whether there is a matrix as well.
    of: Option<(u64, bool)>,
}

impl IsometricBending {
    /// The stencils of `pattern` with their matrix.
    #[must_use]
    pub fn of(pattern: &Pattern) -> Self {
        let mut bending = Self::default();
        bending.update(pattern, true);
        bending
    }

    /// Makes these the stencils of `pattern`, with their matrix if that is wanted. The work is done once per pattern.
    pub fn update(&mut self, pattern: &Pattern, with_matrix: bool) {
        let known = |with_matrix: bool| Some((pattern.revision(), with_matrix));
        if self.of == known(true) || self.of == known(with_matrix) {
            return;
        }
        self.stencils = stencils(pattern);
        let makeups = pattern.makeup_of_vertices();
        if !makeups.is_empty() {
            for stencil in &mut self.stencils {
                stencil.weight *= makeups[stencil.vertices[0] as usize].bending;
            }
        }
        if with_matrix {
            self.matrix = matrix(pattern.len(), &self.stencils);
        } else {
            self.matrix.clear();
        }
        self.of = known(with_matrix);
    }

    /// Whether these are the stencils of `pattern`.
    #[must_use]
    pub fn is_of(&self, pattern: &Pattern) -> bool {
        self.of.is_some_and(|(revision, _)| revision == pattern.revision())
    }

    /// The stencils.
    #[must_use]
    pub fn stencils(&self) -> &[Stencil] {
        &self.stencils
    }

    /// The row of a vertex in `Q` [1/m²]: by rising vertex, with itself. Empty where there is no matrix.
    #[inline]
    #[must_use]
    pub fn row(&self, vertex: usize) -> &[(u32, Real)] {
        if vertex < self.matrix.rows() { self.matrix.row(vertex) } else { &[] }
    }

    /// `Q_vv` [1/m²].
    #[must_use]
    pub fn diagonal(&self, vertex: usize) -> Real {
        self.row(vertex).iter().find(|(other, _)| *other as usize == vertex).map_or(0.0, |(_, q)| *q)
    }

    /// The row of `Q x` of a vertex, where `x` has an entry per vertex [m].
    #[inline]
    #[must_use]
    pub fn apply(&self, vertex: usize, x: &[Vec3]) -> Vec3 {
        self.row(vertex).iter().fold(Vec3::ZERO, |sum, &(other, q)| sum + x[other as usize] * q)
    }

    /// `½ xᵀ Q x`: the energy [J] for a stiffness of 1 N·m.
    #[must_use]
    pub fn energy(&self, x: &[Vec3]) -> Real {
        self.stencils.iter().map(|stencil| 0.5 * stencil.weight * stencil.value(x).length_squared()).sum()
    }

    /// Minus the row of `Q x` of a vertex, from the stencils: the force [N] for a stiffness of 1 N·m.
    #[must_use]
    pub fn force_on(&self, vertex: u32, x: &[Vec3]) -> Vec3 {
        let mut force = Vec3::ZERO;
        for stencil in &self.stencils {
            for (_, k) in stencil.entries().filter(|(other, _)| *other == vertex) {
                force -= stencil.value(x) * (stencil.weight * k);
            }
        }
        force
    }
}

/// `Σ w k kᵀ`, row by row.
fn matrix(vertices: usize, stencils: &[Stencil]) -> Csr<(u32, Real)> {
    let pairs = stencils.iter().flat_map(|stencil| {
        let row =
            move |(i, k): (u32, Real)| stencil.entries().map(move |(j, other)| (i, (j, stencil.weight * k * other)));
        stencil.entries().flat_map(row)
    });
    let scattered = Csr::from_pairs(vertices, pairs);
    let mut matrix = Csr::default();
    let mut entries: Vec<(u32, Real)> = Vec::new();
    for vertex in 0..vertices {
        entries.clear();
        entries.extend_from_slice(scattered.row(vertex));
        // stable, so that sums have one order
        entries.sort_by_key(|entry| entry.0);
        matrix.push(
            entries
                .chunk_by(|a, b| a.0 == b.0)
                .map(|of_other| (of_other[0].0, of_other.iter().map(|entry| entry.1).sum())),
        );
    }
    matrix
}
