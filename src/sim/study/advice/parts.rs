//! The parts of an error of positions: motion of the whole, stretch and bending.
//!
//! ```text
//! e_i = (t + ω × r_i) + s_i + b_i,     |e|² = Σ m |e|² = |whole|² + |stretch|² + |bending|²
//! ```
//!
//! The whole is the rigid motion of each piece that is nearest to the error; what it leaves is
//! orthogonal to every rigid motion. Of that, the part along the normal of the sheet bends it and
//! the part within the sheet stretches it, both to first order. The three add up by Pythagoras. A
//! vertex without triangles has no normal: inside a body all deformation counts as stretch.

use crate::sim::math::outer;
use crate::sim::{Mat3, Pattern, Real, Vec3};

/// A number for each part of an error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Parts {
    /// Deformation within the sheet.
    pub stretch: Real,
    /// Deformation across the sheet.
    pub bending: Real,
    /// Rigid motion of the pieces.
    pub whole: Real,
}

impl Parts {
    /// Root of the sum of the squares, each with its weight.
    #[must_use]
    pub fn weighted(&self, weights: &Self) -> Real {
        let Self { stretch, bending, whole } = self;
        let squares = weights.stretch * stretch * stretch + weights.bending * bending * bending;
        (squares + weights.whole * whole * whole).sqrt()
    }

    /// Root of the sum of the squares: the size of the error.
    #[must_use]
    pub fn total(&self) -> Real {
        self.weighted(&Self { stretch: 1.0, bending: 1.0, whole: 1.0 })
    }

    /// Each part as the root of a square sum, relative to `scale`.
    pub(super) fn root(squares: &Self, scale: Real) -> Self {
        let of = |square: Real| (square / scale).sqrt();
        Self { stretch: of(squares.stretch), bending: of(squares.bending), whole: of(squares.whole) }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.stretch += other.stretch;
        self.bending += other.bending;
        self.whole += other.whole;
    }
}

/// Moments of a piece.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Mass of the piece [kg].
    mass: Real,
    centre: Vec3,
    /// Mean of the error [m].
    shift: Vec3,
    spin: Vec3,
    inertia: Mat3,
    /// Angle of the nearest rotation [rad].
    turn: Vec3,
}

impl Piece {
    const EMPTY: Self = Self {
        mass: 0.0,
        centre: Vec3::ZERO,
        shift: Vec3::ZERO,
        spin: Vec3::ZERO,
        inertia: Mat3::ZERO,
        turn: Vec3::ZERO,
    };
}

/// Determinant of an inertia relative to the cube of its mean, below which a piece lies on a line
/// and has no rotation that could be told.
const FLAT: Real = 1e-9;

/// `Σ m |·|²` of each part [kg m²] of the `error` [m] of a cloth at `positions` [m] with unit
/// `normals`; lists have an entry per vertex.
#[must_use]
pub fn squares(pattern: &Pattern, masses: &[Real], positions: &[Vec3], normals: &[Vec3], error: &[Vec3]) -> Parts {
    let piece_of = pattern.piece_of_vertices();
    let pieces = rigid_motions(&piece_of, masses, positions, error);
    let mut sum = Parts::default();
    for (i, &piece) in piece_of.iter().enumerate() {
        let piece = &pieces[piece as usize];
        let whole = piece.shift + piece.turn.cross(positions[i] - piece.centre);
        let rest = error[i] - whole;
        let across = rest.dot(normals[i]);
        sum.add(&Parts {
            stretch: masses[i] * (rest - normals[i] * across).length_squared(),
            bending: masses[i] * across * across,
            whole: masses[i] * whole.length_squared(),
        });
    }
    sum
}

/// The rigid motion of each piece that is nearest to `error`.
fn rigid_motions(piece_of: &[u32], masses: &[Real], positions: &[Vec3], error: &[Vec3]) -> Vec<Piece> {
    let count = piece_of.iter().max().map_or(0, |last| *last as usize + 1);
    let mut pieces = vec![Piece::EMPTY; count];
    for (i, &at) in piece_of.iter().enumerate() {
        let piece = &mut pieces[at as usize];
        piece.mass += masses[i];
        piece.centre += positions[i] * masses[i];
        piece.shift += error[i] * masses[i];
    }
    for piece in &mut pieces {
        let mass = if piece.mass > 0.0 { piece.mass } else { 1.0 };
        (piece.centre, piece.shift) = (piece.centre / mass, piece.shift / mass);
    }
    for (i, &at) in piece_of.iter().enumerate() {
        let piece = &mut pieces[at as usize];
        let arm = positions[i] - piece.centre;
        piece.spin += arm.cross(error[i] - piece.shift) * masses[i];
        piece.inertia += (Mat3::from_diagonal(Vec3::splat(arm.length_squared())) - outer(arm)) * masses[i];
    }
    for piece in &mut pieces {
        let mean = (piece.inertia.x_axis.x + piece.inertia.y_axis.y + piece.inertia.z_axis.z) / 3.0;
        if piece.inertia.determinant() > FLAT * mean.powi(3) {
            piece.turn = piece.inertia.inverse() * piece.spin;
        }
    }
    pieces
}
