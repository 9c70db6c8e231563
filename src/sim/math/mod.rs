//! Scalars, vectors and blocks, in double precision; imported from here by the whole library; lists
//! of rows, hashes.

pub mod csr;
pub mod fingerprint;
pub mod union_find;

/// The scalar of the simulation.
pub type Real = f64;
/// Point, direction, force or velocity in space.
pub type Vec3 = glam::DVec3;
/// Rotation in space.
pub type Quat = glam::DQuat;
/// 3×3 block of a Jacobian.
pub type Mat3 = glam::DMat3;

/// The whole kilometres nearest to `x` [m]. Single precision resolves a fourth of a metre at survey
/// coordinates, so what is drawn, or written in it, is relative to such a point.
#[must_use]
pub fn whole_kilometres(x: Vec3) -> Vec3 {
    const KILOMETRE: Real = 1000.0;
    (x / KILOMETRE).round() * KILOMETRE
}

/// `u uᵀ`.
#[inline]
#[must_use]
pub fn outer(u: Vec3) -> Mat3 {
    Mat3::from_cols(u * u.x, u * u.y, u * u.z)
}
