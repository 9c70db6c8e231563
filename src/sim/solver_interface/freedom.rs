//! In which directions contacts leave a part of the cloth free to move as a whole.

use crate::sim::math::outer;
use crate::sim::{Mat3, Real, Vec3};

/// Share of their number that the sum of the normals of contacts has at least where they lie on
/// something flat.
const FLAT: Real = 0.99;

/// The normals of the contacts of a part, added up.
#[derive(Debug, Clone, Copy, Default)]
pub struct NormalSum {
    sum: Vec3,
    count: u32,
}

/// The directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Freedom {
    /// All, where it touches nothing.
    All,
    /// Across this normal, on a flat contact. Along it a cloth that meets a surface would be
    /// stopped as a whole, with its parts still in the air.
    Across(Vec3),
    /// None, where it lies on something else: it cannot slide there without changing its shape.
    None,
}

impl NormalSum {
    /// Adds the unit normal of a contact.
    pub fn add(&mut self, normal: Vec3) {
        self.sum += normal;
        self.count += 1;
    }

    /// The directions that the contacts leave.
    pub fn freedom(&self) -> Freedom {
        let length = self.sum.length();
        if self.count == 0 {
            Freedom::All
        } else if length > FLAT * Real::from(self.count) {
            Freedom::Across(self.sum / length)
        } else {
            Freedom::None
        }
    }
}

impl Freedom {
    /// The part of a vector in these directions.
    #[must_use]
    pub fn part(self, v: Vec3) -> Vec3 {
        match self {
            Self::All => v,
            Self::Across(normal) => v - normal * normal.dot(v),
            Self::None => Vec3::ZERO,
        }
    }

    /// Solves `M x = b` for an `x` in these directions.
    #[must_use]
    pub fn solve(self, matrix: Mat3, b: Vec3) -> Vec3 {
        match self {
            Self::All => matrix.inverse() * b,
            Self::Across(normal) => {
                let across = Mat3::IDENTITY - outer(normal);
                // its size along the normal does not matter
                let size = matrix.determinant().abs().cbrt().max(Real::MIN_POSITIVE);
                self.part((across * matrix * across + outer(normal) * size).inverse() * self.part(b))
            }
            Self::None => Vec3::ZERO,
        }
    }
}
