//! The energy of contacts as the half-spaces of local/global iterations hold them.
//!
//! ```text
//! w (½ depth² + H_r(|slid|)),   H_r(s) = ½ s² up to s = r, r s - ½ r² beyond,   r = μ depth
//! ```
//!
//! Friction has no energy, since its limit `r` changes with the depth. With the limit of the iterate before it has one for the length of an
//! iteration, and its gradient there is `w (q - p(q))`, what the local step pulls with. Both parts are as curved as the weight `w` on the
//! diagonal of the matrix at most, so a local/global iteration never raises it. Without friction it is the same function in all
//! iterations.

use super::{Carried, Contact};
use crate::sim::{Real, Vec3};

/// The energy at `q` for `w = 1` [m²], up to a constant, with the limit of friction at `near`. The vertex was at `before` at the start of
/// the step, all in metres.
pub fn energy(contact: &Contact, q: Vec3, near: Vec3, before: Vec3) -> Real {
    let depth = |q: Vec3| contact.normal.dot(contact.point - q);
    if let Some(Carried { load, sticks, .. }) = contact.carried {
        let held = if sticks { q.distance_squared(contact.point) } else { depth(q).powi(2) };
        return 0.5 * held - load.dot(q - contact.point);
    }
    let limit = contact.friction * depth(near).max(0.0);
    let slid = (q - before - contact.motion).reject_from_normalized(contact.normal).length();
    let along = if slid < limit { 0.5 * slid * slid } else { limit * (slid - 0.5 * limit) };
    0.5 * depth(q).max(0.0).powi(2) + along
}

/// By how much that changes from `from` to `to` with the limit at `from`, less what the weight on the diagonal of the matrix has
/// of it, `½ |to|² - ½ |from|²` [m²].
pub fn change(contact: &Contact, from: Vec3, to: Vec3, before: Vec3) -> Real {
    energy(contact, to, from, before) - energy(contact, from, from, before) - 0.5 * (to + from).dot(to - from)
}
