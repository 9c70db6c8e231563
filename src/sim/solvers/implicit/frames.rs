//! Rotation of the neighbourhood of every vertex since rest, for a preconditioner in the cloth's
//! own directions.
//!
//! A sheet is stiff along itself and soft across, in any orientation. Let `n⁰`, `n` be the normals
//! at rest and now and `R` the rotation that takes `n⁰` to `n` and, about it, fits the springs at
//! the vertex best (Müller et al. 2005, in the plane). Then `U = Σ e (R e)ᵀ` over two tangents
//! `e ⟂ n⁰` projects a vector onto the sheet and rotates it to the rest orientation. Two vertices
//! of a fold that move along the sheet have nearly the same `U v`, for any angle between their
//! planes.

use super::spring_operator::PLACES;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::linear::Symbolic;
use crate::sim::{Pattern, Vec3};

/// Error in how the factor of the preconditioner constrains a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// As it should.
    Right,
    /// Not at all, though it sticks to a collider.
    Missing,
    /// Though it no longer sticks to a collider.
    Outdated,
}

/// `U` by columns, and the normal `n` with `1/(nᵀ A_ii n)` as fourth number. Without a normal `U`
/// is the identity, and `n` is zero. The fourth number of the first column is a compliance `c` in
/// all directions across the normal, for a vertex that the factor does not hold as it should.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    columns: [F64x4; 3],
    pub normal: F64x4,
}

impl Frame {
    /// `U v`.
    #[inline(always)]
    pub fn at_rest(&self, v: F64x4) -> F64x4 {
        let [a, b, c] = [0, 1, 2].map(|axis| self.columns[axis] * F64x4::splat(v.0[axis]));
        let [x, y, z, _] = (a + b + c).0;
        F64x4([x, y, z, 0.0])
    }

    /// `Uᵀ w + n (n·r)/(nᵀ A_ii n) + c (r - n (n·r))`.
    #[inline(always)]
    pub fn turned(&self, w: F64x4, r: F64x4) -> F64x4 {
        let (n, r) = (self.normal.to_vec3(), r.to_vec3());
        let above = n.dot(r);
        let across = n * (above * self.normal.0[3]) + (r - n * above) * self.columns[0].0[3];
        let along = self.columns.map(|column| (column * w).sum());
        F64x4([along[0] + across.x, along[1] + across.y, along[2] + across.z, 0.0])
    }
}

/// The frames of all vertices, by places.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Pattern of the normals at rest.
    revision: Option<u64>,
    /// Normals at rest, one per vertex.
    at_rest: Vec<Vec3>,
    frames: Vec<Frame>,
}

impl std::ops::Deref for Frames {
    type Target = [Frame];

    fn deref(&self) -> &[Frame] {
        &self.frames
    }
}

impl Frames {
    /// Computes the frames at the positions `q` [m] with the normals `normals`, of unit length or
    /// zero, both one per vertex. The compliance of a place along `n` is `compliance(place, n)`,
    /// and `hold(place, n)` says how the factor holds it.
    #[expect(clippy::too_many_arguments, reason = "the cloth, at rest and now, and what is asked about a place")]
    pub fn turn(
        &mut self,
        pattern: &Pattern,
        symbolic: &Symbolic,
        q: &[Vec3],
        normals: &[Vec3],
        compliance: impl Fn(usize, Vec3) -> f64 + Sync,
        hold: impl Fn(usize, Vec3) -> Hold + Sync,
        pool: &ThreadPool,
    ) {
        if self.revision != Some(pattern.revision()) {
            self.revision = Some(pattern.revision());
            crate::sim::forces::air::vertex_normals(pattern, pattern.rest_positions(), &mut self.at_rest);
        }
        let (rest, at_rest) = (pattern.rest_positions(), &self.at_rest);
        self.frames.resize(symbolic.len(), Frame::default());
        pool.update(&mut self.frames, PLACES, |place, frame| {
            let i = symbolic.vertex_of[place] as usize;
            let (n0, n) = (at_rest[i], normals[i]);
            let hold = hold(place, n);
            if hold == Hold::Missing {
                // its own stiffness is nearly all that there is
                let (n, across) = if n == Vec3::ZERO { (Vec3::Y, Vec3::X) } else { (n, n.any_orthonormal_vector()) };
                let own = F64x4([0.0, 0.0, 0.0, compliance(place, across)]);
                let [x, y, z] = n.to_array();
                let normal = F64x4([x, y, z, compliance(place, n)]);
                *frame = Frame { columns: [own, F64x4::ZERO, F64x4::ZERO], normal };
                return;
            }
            if n0 == Vec3::ZERO || n == Vec3::ZERO {
                *frame = Frame { columns: Vec3::AXES.map(F64x4::from_vec3), normal: F64x4::ZERO };
                return;
            }
            let ((e1, e2), (f1, f2)) = (n0.any_orthonormal_pair(), n.any_orthonormal_pair());
            let (mut cosine, mut sine) = (0.0, 0.0);
            for &(_, j) in pattern.neighbours().of_vertex(i as u32) {
                let (d0, d) = (rest[j as usize] - rest[i], q[j as usize] - q[i]);
                let ([a, b], [c, s]) = ([d0.dot(e1), d0.dot(e2)], [d.dot(f1), d.dot(f2)]);
                cosine += a * c + b * s;
                sine += a * s - b * c;
            }
            let length = cosine.hypot(sine);
            let (c, s) = if length > 0.0 { (cosine / length, sine / length) } else { (1.0, 0.0) };
            let (t1, t2) = (f1 * c + f2 * s, f2 * c - f1 * s);
            let column = |axis: usize| F64x4::from_vec3(e1 * t1[axis] + e2 * t2[axis]);
            let [x, y, z] = n.to_array();
            let normal = F64x4([x, y, z, compliance(place, n)]);
            *frame = Frame { columns: [column(0), column(1), column(2)], normal };
            if hold == Hold::Outdated {
                frame.columns[0].0[3] = compliance(place, t1);
            }
        });
    }
}
