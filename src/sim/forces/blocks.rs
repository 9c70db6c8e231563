//! What springs and triangles share: the direction of a force, and the choice of its Jacobian.

use crate::sim::Vec3;

/// Unit vector along `d`; zero for a degenerate spring, which has no direction and therefore no
/// force.
#[inline]
#[must_use]
pub fn direction(d: Vec3) -> Vec3 {
    let length = d.length();
    if length > 0.0 { d / length } else { Vec3::ZERO }
}

crate::choices! {
    /// Jacobian block of compressed springs, which is indefinite.
    pub enum Blocks {
        /// Without the negative part: the matrix stays positive definite.
        Clamped = "clamped",
        /// In full, as in the papers: exact, but fails at high stiffness.
        Raw = "raw",
    }
}
