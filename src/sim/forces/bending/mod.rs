//! Isometric bending: an energy that is quadratic in the positions, with a matrix that stays the
//! same while the cloth moves.
//!
//! ```text
//! E(x) = ½ B Σ_e w_e |Σ_v k_ev x_v|² = ½ B xᵀ Q x   [J],   f = -B Q x,   B in N·m
//! ```
//!
//! Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006: as long as a cloth hardly stretches, the angle
//! at the edge `e` between two triangles is linear in the four positions, with cotangents of the
//! rest shape. There is no state that the cloth could snap over to, as there is with springs that
//! skip a vertex: flat is the only minimum. The weights `w` are fitted, see `stencils.rs`, so that
//! a cylinder of radius `R` costs `½ B A/R²` on any mesh; the `3/(A_1 + A_2)` of the paper is up to
//! three times that. The cloth is flat at rest whatever the rest shape of the mesh is: only lengths
//! of edges enter.

mod fit;
mod stencils;

pub use stencils::{Stencil, Stencils};

use std::sync::OnceLock;

use crate::sim::math::csr::Csr;
use crate::sim::{Pattern, Real, Vec3};

/// The stencils of a pattern, and their matrix.
#[derive(Debug, Clone, Default)]
pub struct IsometricBending {
    stencils: Stencils,
    vertices: usize,
    /// `Q` [1/m²] by rows, each by rising vertex, with the diagonal; made when it is first asked
    /// for.
    matrix: OnceLock<Csr<(u32, Real)>>,
    /// The revision of the pattern.
    of: Option<u64>,
}

impl IsometricBending {
    /// The stencils of `pattern`.
    #[must_use]
    pub fn of(pattern: &Pattern) -> Self {
        let mut bending = Self::default();
        bending.update(pattern);
        bending
    }

    /// Makes these the stencils of `pattern`. The work is done once per pattern, and after a tear
    /// around it only.
    pub fn update(&mut self, pattern: &Pattern) {
        if self.is_of(pattern) {
            return;
        }
        self.stencils.update(pattern);
        self.vertices = pattern.len();
        self.matrix = OnceLock::new();
        self.of = Some(pattern.revision());
    }

    /// Whether these are the stencils of `pattern`.
    #[must_use]
    pub fn is_of(&self, pattern: &Pattern) -> bool {
        self.of == Some(pattern.revision())
    }

    /// The stencils.
    #[must_use]
    pub fn stencils(&self) -> &[Stencil] {
        self.stencils.list()
    }

    /// The row of a vertex in `Q` [1/m²]: by rising vertex, with itself. Empty where there are no
    /// stencils.
    #[inline]
    #[must_use]
    pub fn row(&self, vertex: usize) -> &[(u32, Real)] {
        let matrix = self.matrix.get_or_init(|| matrix(self.vertices, self.stencils()));
        if vertex < matrix.rows() { matrix.row(vertex) } else { &[] }
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
        self.energies(x).map(|(_, energy)| energy).sum()
    }

    /// The same stencil by stencil, each with one of its vertices.
    pub fn energies(&self, x: &[Vec3]) -> impl Iterator<Item = (u32, Real)> {
        let energy = |stencil: &Stencil| 0.5 * stencil.weight * stencil.value(x).length_squared();
        self.stencils().iter().map(move |stencil| (stencil.vertices[0], energy(stencil)))
    }

    /// Minus the row of `Q x` of a vertex, from the stencils: the force [N] for a stiffness of 1
    /// N·m.
    #[must_use]
    pub fn force_on(&self, vertex: u32, x: &[Vec3]) -> Vec3 {
        let mut force = Vec3::ZERO;
        for stencil in self.stencils() {
            for (_, k) in stencil.entries().filter(|(other, _)| *other == vertex) {
                force -= stencil.value(x) * (stencil.weight * k);
            }
        }
        force
    }
}

/// `Σ w k kᵀ`, row by row.
fn matrix(vertices: usize, stencils: &[Stencil]) -> Csr<(u32, Real)> {
    let numbered = (0_u32..).zip(stencils);
    let of_vertex = Csr::from_pairs(vertices, numbered.flat_map(|(s, stencil)| stencil.vertices.map(|v| (v, s))));
    let mut matrix = Csr::default();
    let mut row: Vec<(u32, Real)> = Vec::new();
    // place in the row of each vertex that is in it
    let mut places = vec![u32::MAX; vertices];
    for vertex in 0..vertices {
        row.clear();
        for &s in of_vertex.row(vertex) {
            let stencil = &stencils[s as usize];
            let own = stencil.entries().find(|(other, _)| *other as usize == vertex).map_or(0.0, |(_, k)| k);
            for (other, k) in stencil.entries() {
                let (place, term) = (&mut places[other as usize], stencil.weight * own * k);
                if *place == u32::MAX {
                    *place = row.len() as u32;
                    row.push((other, term));
                } else {
                    row[*place as usize].1 += term;
                }
            }
        }
        row.iter().for_each(|(other, _)| places[*other as usize] = u32::MAX);
        row.sort_unstable_by_key(|entry| entry.0);
        matrix.push(row.iter().copied());
    }
    matrix
}
