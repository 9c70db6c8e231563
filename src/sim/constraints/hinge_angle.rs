//! Hinges keep the angle between two triangles (Bouaziz et al. 2014, section 6).
//!
//! Rows of the hinge of two triangles `(a, b, c)` and `(b, a, d)`: three orthonormal combinations of
//! `a`, `b`, `c` and `d` without their mean, so that distances are those of the four vertices. The
//! projection is the nearest shape with the angle `θ₀` at rest, by sequential quadratic programming
//! (`nearest.rs`). Energy
//!
//! ```text
//! w/2 · μ |z - p|² ≈ w/2 · l²/(A₁ + A₂) (θ - θ₀)²,   μ = |∇θ|² l²/(A₁ + A₂)
//! ```
//!
//! near rest, with `w` in N·m, the length `l` of the edge at rest and the areas of its triangles: a
//! grid rolled along its lines, or a mesh of equilateral triangles rolled in any direction, has
//! `w κ²/2` per area.

use std::f64::consts::{PI, TAU};

use super::hinge::{bend, hinges};
use super::nearest::{Linearised, nearest};
use super::{Chunk, Constraint, Elements};
use crate::sim::math::Quat;
use crate::sim::{Pattern, Real, Vec3};

/// Error of an angle that counts as none [rad].
const TOLERANCE: Real = 1e-13;
/// Rows: the coefficients of `a`, `b`, `c` and `d`, orthonormal and without sum.
const ROWS: [[Real; 4]; 3] = [[0.5, 0.5, -0.5, -0.5], [0.5, -0.5, 0.5, -0.5], [0.5, -0.5, -0.5, 0.5]];

/// The angle between two triangles at an edge keeps its value at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HingeAngle {
    /// Bending stiffness `w` [N·m].
    pub stiffness: Real,
}

impl HingeAngle {
    /// Settings for its tests.
    pub const SAMPLES: &[Self] = &[Self { stiffness: 1e-3 }];
}

impl Constraint for HingeAngle {
    fn weight(&self) -> Real {
        self.stiffness
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        let (rest, mut elements) = (pattern.rest_positions(), Elements::new(3, 1));
        for hinge in hinges(pattern) {
            let points = hinge.vertices.map(|vertex| rest[vertex as usize]);
            let Some(bent) = bend(points) else { continue };
            let [a, b, c, d] = points;
            let double = (b - a).cross(c - a).length() + (b - a).cross(d - a).length();
            let squares: Real = bent.gradient.iter().map(|g| g.length_squared()).sum();
            let entries = (0..4).map(|corner| (hinge.vertices[corner], ROWS.map(|row| row[corner])));
            elements.push(entries, squares * a.distance_squared(b) / (double / 2.0), &[hinge.rest_angle]);
        }
        elements
    }

    fn project(&self, chunk: &mut Chunk) {
        chunk.project_each(|z, rest| with_angle(z, rest[0]));
    }

    // of a hinge far from its angle another shape may be nearer
    fn is_nearest(&self) -> bool {
        false
    }
}

/// The vertices `a`, `b`, `c`, `d` about their mean, of the values of the rows.
fn vertices(z: &[Vec3; 3]) -> [Vec3; 4] {
    std::array::from_fn(|corner| (0..3).map(|row| z[row] * ROWS[row][corner]).sum())
}

fn values(x: &[Vec3; 4]) -> [Vec3; 3] {
    ROWS.map(|row| (0..4).map(|corner| x[corner] * row[corner]).sum())
}

/// The hinge nearest to `z` whose angle is `angle` [rad], both as values of the three rows. `z`
/// itself if it has the angle, or a triangle without area and so no angle.
#[must_use]
pub fn with_angle(z: [Vec3; 3], angle: Real) -> [Vec3; 3] {
    let constraint = |p: &[Vec3; 3]| -> Linearised<3> {
        let bent = bend(vertices(p))?;
        Some(((bent.angle - angle + PI).rem_euclid(TAU) - PI, values(&bent.gradient)))
    };
    let Some((error, _)) = constraint(&z) else { return z };
    if error.abs() <= TOLERANCE {
        return z;
    }
    nearest(&z, values(&turned(vertices(&z), error)), TOLERANCE, constraint).unwrap_or(z)
}

/// The hinge with both triangles turned about the edge, so that the angle is less by `error` [rad].
fn turned([a, b, c, d]: [Vec3; 4], error: Real) -> [Vec3; 4] {
    let turn = |x: Vec3, angle: Real| a + Quat::from_axis_angle((b - a).normalize(), angle) * (x - a);
    [a, b, turn(c, error / 2.0), turn(d, -error / 2.0)]
}
