//! Energy of contacts as half-spaces of local/global iterations.
//!
//! ```text
//! w (½ depth² + H_r(|slid|)),   H_r(s) = ½ s² up to s = r, r s - ½ r² beyond,   r = μ depth
//! ```
//!
//! Friction has no energy, since its limit `r` changes with the depth. With the limit of the last
//! iterate it has one for one iteration, and its gradient there is `w (q - p(q))`, the pull of the
//! local step. Both parts are at most as curved as the weight `w` on the diagonal of the matrix, so
//! a local/global iteration never raises it. Without friction the function is the same in all
//! iterations.

use super::{Contact, LoadShare};
use crate::sim::{Real, Vec3};

/// The energy at `q` for `w = 1` [m²], up to a constant, with the limit of friction at `near`. The
/// vertex was at `before` at the start of the step; all in metres.
pub fn energy(contact: &Contact, q: Vec3, near: Vec3, before: Vec3) -> Real {
    let depth = |q: Vec3| contact.normal.dot(contact.point - q);
    if let Some(LoadShare { load, sticks, .. }) = contact.load_share {
        let held = if sticks { q.distance_squared(contact.point) } else { depth(q).powi(2) };
        return 0.5 * held - load.dot(q - contact.point);
    }
    let limit = contact.friction * depth(near).max(0.0);
    let slid = (q - before - contact.motion).reject_from_normalized(contact.normal).length();
    let along = if slid < limit { 0.5 * slid * slid } else { limit * (slid - 0.5 * limit) };
    0.5 * depth(q).max(0.0).powi(2) + along
}

/// Change of that energy from `from` to `to` with the limit at `from`, less the change of `½ |q|²`
/// by the weight on the diagonal of the matrix [m²].
pub fn change(contact: &Contact, from: Vec3, to: Vec3, before: Vec3) -> Real {
    energy(contact, to, from, before) - energy(contact, from, from, before) - 0.5 * (to + from).dot(to - from)
}
