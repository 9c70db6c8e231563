//! Isometric bending: an energy that is quadratic in the positions, with a matrix that stays the
//! same while the cloth moves.
//!
//! ```text
//! E(x) = ½ B Σ_s Σ_c w_sc |Σ_v k_scv x_v|² = ½ B xᵀ Q x   [J],   f = -B Q x,   B in N·m
//! ```
//!
//! As long as a cloth hardly stretches, the angle at an edge between two triangles is linear in the
//! four positions, with cotangents of the rest shape (Bergou, Wardetzky, Harmon, Zorin, Grinspun
//! 2006), and so is the curvature at a vertex. A stencil `s` is a vertex with its neighbours, the
//! components `c` are the curvatures along warp and weft and the twist between them, see
//! `curvature.rs`: `E` is `½ ∫ B_1 κ_11² + B_2 κ_22² + 2 √(B_1 B_2) κ_12²` (Huber's orthotropic
//! plate without Poisson's ratio), `½ B ∫ κ_1² + κ_2²` if warp and weft are alike. There is no state
//! that the cloth could snap over to, as there is with springs that skip a vertex: flat is the only
//! minimum. The cloth is flat at rest whatever the rest shape of the mesh is: only lengths of edges
//! and directions of the warp enter.
//!
//! A cylinder of radius `R` costs `½ B A/R²` both with all vertices on it and at rest, with vertices
//! free between its ends. Energies of single hinges with the same sum do not: neighbours of unequal
//! valence move apart and save a quarter of it. Curvature across a free rim counts from half an
//! edge inside it; there it is zero at rest.

mod curvature;
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
    /// What they were made from.
    key: Option<BendingKey>,
}

/// Input of the stencils: the revision of the pattern, and the bits of the stiffness of the weft.
pub type BendingKey = (u64, u64);

impl IsometricBending {
    /// The stencils of `pattern`, whose weft is `weft` times as stiff as its warp.
    #[must_use]
    pub fn of(pattern: &Pattern, weft: Real) -> Self {
        let mut bending = Self::default();
        bending.update(pattern, weft);
        bending
    }

    /// Makes these the stencils of `pattern`, whose weft is `weft` times as stiff as its warp. The
    /// work is done once per pattern, and after a tear around it only.
    pub fn update(&mut self, pattern: &Pattern, weft: Real) {
        if self.is_of(pattern, weft) {
            return;
        }
        self.stencils.update(pattern, weft);
        self.vertices = pattern.len();
        self.matrix = OnceLock::new();
        self.key = Some((pattern.revision(), weft.to_bits()));
    }

    /// Whether these are the stencils of `pattern` with this stiffness of the weft.
    #[must_use]
    pub fn is_of(&self, pattern: &Pattern, weft: Real) -> bool {
        self.key == Some((pattern.revision(), weft.to_bits()))
    }

    /// What the stencils were made from; none before the first [`update`](Self::update).
    #[must_use]
    pub fn key(&self) -> Option<BendingKey> {
        self.key
    }

    /// The stencils.
    #[must_use]
    pub fn stencils(&self) -> &Stencils {
        &self.stencils
    }

    /// The row of a vertex in `Q` [1/m²]: by rising vertex, with itself. Empty where there are no
    /// stencils.
    #[inline]
    #[must_use]
    pub fn row(&self, vertex: usize) -> &[(u32, Real)] {
        let matrix = self.matrix.get_or_init(|| matrix(self.vertices, &self.stencils));
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

    /// The same stencil by stencil, each with its vertex.
    pub fn energies(&self, x: &[Vec3]) -> impl Iterator<Item = (u32, Real)> {
        self.stencils.iter().map(move |stencil| (stencil.vertices[0], stencil.energy(x)))
    }

    /// Minus the row of `Q x` of a vertex, from the stencils: the force [N] for a stiffness of 1
    /// N·m.
    #[must_use]
    pub fn force_on(&self, vertex: u32, x: &[Vec3]) -> Vec3 {
        let mut force = Vec3::ZERO;
        for stencil in self.stencils.iter() {
            if let Some(at) = stencil.vertices.iter().position(|other| *other == vertex) {
                let value = stencil.value(x);
                (0..3).for_each(|c| force -= value[c] * (stencil.weights[c] * stencil.coefficients[at][c]));
            }
        }
        force
    }
}

/// `Σ w k kᵀ`, row by row.
fn matrix(vertices: usize, stencils: &Stencils) -> Csr<(u32, Real)> {
    let pairs = (0..)
        .zip(stencils.iter())
        .flat_map(|(s, stencil)| (0_u32..).zip(stencil.vertices).map(move |(at, &v)| (v, (s, at))));
    let of_vertex: Csr<(u32, u32)> = Csr::from_pairs(vertices, pairs);
    let mut matrix = Csr::default();
    let mut row: Vec<(u32, Real)> = Vec::new();
    // place in the row of each vertex that is in it
    let mut places = vec![u32::MAX; vertices];
    for vertex in 0..vertices {
        row.clear();
        for &(s, at) in of_vertex.row(vertex) {
            let stencil = stencils.get(s as usize);
            let own: [Real; 3] = std::array::from_fn(|c| stencil.weights[c] * stencil.coefficients[at as usize][c]);
            let couples = |k: &[Real; 3]| (0..3).any(|c| own[c] != 0.0 && k[c] != 0.0);
            for (&other, k) in stencil.vertices.iter().zip(stencil.coefficients).filter(|(_, k)| couples(k)) {
                let (place, term) = (&mut places[other as usize], own[0] * k[0] + own[1] * k[1] + own[2] * k[2]);
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
