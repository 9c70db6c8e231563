//! A contact: a vertex on a surface, and its half-space.

use crate::sim::math::outer;
use crate::sim::{Mat3, Real, Vec3};

/// Relative error of friction that is left uncorrected.
const TOLERANCE: Real = 0.05;
/// Share of its weight that a sticking contact has along the surface.
const STICKS: Real = 0.99;

/// A vertex that lies on a collider and presses on it, with its half-space for the step:
/// `n·(x - b) ≥ 0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The vertex.
    pub vertex: u32,
    /// `b`, the point of the boundary nearest to the vertex, moved with the collider to the end of
    /// the step [m].
    pub point: Vec3,
    /// `n`, the outward unit normal, likewise.
    pub normal: Vec3,
    /// Displacement of that point by the collider in the step [m].
    pub motion: Vec3,
    /// Coulomb friction coefficient.
    pub friction: Real,
    /// For a sliding vertex the weight `w` [N/m] of the friction force `w (b - x)` along the
    /// surface. It is the largest friction at the expected speed, and less at a lower speed, so
    /// that it never adds energy. `None` for a sticking vertex.
    pub drag: Option<Real>,
    /// Load of a contact point between the vertices, if the vertex itself does not lie on the
    /// surface.
    pub load_share: Option<LoadShare>,
}

/// Share of a vertex in the load on a contact point between the vertices. Beyond its share the
/// vertex is slowed down, in both directions and as stiffly as everything else that acts on it;
/// that force becomes a part of the load in the next step (method of multipliers, Hestenes 1969).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadShare {
    /// The share, divided by the weight of the contact [m].
    pub load: Vec3,
    /// The same as an impulse over the step [N·s].
    pub impulse: Vec3,
    /// Whether the vertex is slowed down in all directions, because the point sticks, or along the
    /// normal alone.
    pub sticks: bool,
}

/// A surface with a vertex on it: `n·(x - b) ≥ 0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// The vertex.
    pub vertex: u32,
    /// A point of the surface [m].
    pub point: Vec3,
    /// Outward unit normal.
    pub normal: Vec3,
}

impl Contact {
    /// The surface that the vertex lies on.
    #[must_use]
    pub const fn wall(&self) -> Wall {
        Wall { vertex: self.vertex, point: self.point, normal: self.normal }
    }

    /// The matrix `W` [N/m] of the force `W (b - x)` on the vertex with `weight` [N/m]: in all
    /// directions if it sticks, otherwise along the normal, with friction along the surface.
    #[must_use]
    pub fn hold(&self, weight: Real) -> Mat3 {
        let along = match (self.load_share, self.drag) {
            (Some(load_share), _) => {
                if load_share.sticks {
                    weight
                } else {
                    0.0
                }
            }
            (None, drag) => drag.map_or(weight, |drag| drag.min(weight)),
        };
        self.held_along(along, weight)
    }

    /// The matrix that `held` [N/m] becomes with Coulomb's friction for a vertex that has moved to
    /// `q` [m], and the excess of friction before [N]. Everything else that acts on the vertex has
    /// the stiffness `own` [N/m]. `None` if friction is right, or not that of this contact.
    #[must_use]
    pub fn corrected(&self, held: &Mat3, q: Vec3, own: Real) -> Option<(Mat3, Real)> {
        if self.load_share.is_some() || self.drag == Some(0.0) {
            return None;
        }
        let away = q - self.point;
        let slid = away.reject_from_normalized(self.normal);
        let slip = slid.length();
        if slip == 0.0 {
            return None;
        }
        let weight = self.normal.dot(*held * self.normal);
        let limit = self.friction * (-self.normal.dot(away) * weight).max(0.0);
        // rounding can make it negative
        let along = (slid.dot(*held * slid) / (slip * slip)).max(0.0);
        let excess = along * slip - limit;
        let is_wrong = excess > TOLERANCE * limit || (-excess > TOLERANCE * limit && along <= STICKS * weight);
        is_wrong.then(|| {
            // its sliding distance while its neighbours stay
            let expected = slip.max(excess / own);
            (self.held_along((limit / expected).min(weight), weight), excess)
        })
    }

    /// The matrix of a vertex with `weight` along the normal and `along` along the surface [N/m].
    fn held_along(&self, along: Real, weight: Real) -> Mat3 {
        Mat3::from_diagonal(Vec3::splat(along)) + outer(self.normal) * (weight - along)
    }

    /// Whether the vertex sticks with the matrix `held` of its contact.
    #[must_use]
    pub fn sticks(&self, held: &Mat3) -> bool {
        let along = self.normal.any_orthonormal_vector();
        along.dot(*held * along) > STICKS * self.normal.dot(*held * self.normal)
    }

    /// The impulse on the vertex that does not depend on its position [N·s]: that of a load that it
    /// carries.
    #[must_use]
    pub fn impulse(&self) -> Vec3 {
        self.load_share.map_or(Vec3::ZERO, |load_share| load_share.impulse)
    }

    /// Whether the surface moves towards the vertex.
    #[must_use]
    pub fn pushes(&self) -> bool {
        self.motion.dot(self.normal) > 0.0
    }

    /// Share of the weight of the contact that holds a vertex at `q` along the surface, which was at
    /// `before` [m] at the start of the step: 1 if it sticks.
    #[must_use]
    pub fn held_share(&self, q: Vec3, before: Vec3) -> Real {
        if let Some(load_share) = self.load_share {
            return if load_share.sticks { 1.0 } else { 0.0 };
        }
        let limit = self.friction * self.normal.dot(self.point - q).max(0.0);
        let slid = (q - before - self.motion).reject_from_normalized(self.normal).length();
        if slid <= limit { 1.0 } else { limit / slid }
    }

    /// Nearest admissible point to `q` for a vertex that was at `before` [m] at the start of the
    /// step: out along the normal if it is inside, and then back along the surface, relative to
    /// which it has slid, by at most the friction coefficient times the depth.
    #[must_use]
    pub fn project(&self, q: Vec3, before: Vec3) -> Vec3 {
        let depth = self.normal.dot(self.point - q);
        if let Some(LoadShare { load, sticks, .. }) = self.load_share {
            return load + if sticks { self.point } else { q + self.normal * depth };
        }
        if depth <= 0.0 {
            return q;
        }
        let slid = (q - before - self.motion).reject_from_normalized(self.normal);
        q + self.normal * depth - slid.clamp_length_max(self.friction * depth)
    }
}

/// Energy of a contact as a half-space of local/global iterations:
///
/// ```text
/// w (½ depth² + H_r(|slid|)),   H_r(s) = ½ s² up to s = r, r s - ½ r² beyond,   r = μ depth
/// ```
///
/// Friction has no energy, since its limit `r` changes with the depth. With the limit of the last
/// iterate it has one for one iteration, and its gradient there is `w (q - p(q))`, the pull of the
/// local step. Both parts are at most as curved as the weight `w` on the diagonal of the matrix, so
/// a local/global iteration never raises it. Without friction the function is the same in all
/// iterations.
impl Contact {
    /// The energy at `q` for `w = 1` [m²], up to a constant, with the limit of friction at `near`.
    /// The vertex was at `before` at the start of the step; all in metres.
    #[must_use]
    pub fn energy(&self, q: Vec3, near: Vec3, before: Vec3) -> Real {
        let depth = |q: Vec3| self.normal.dot(self.point - q);
        if let Some(LoadShare { load, sticks, .. }) = self.load_share {
            let held = if sticks { q.distance_squared(self.point) } else { depth(q).powi(2) };
            return 0.5 * held - load.dot(q - self.point);
        }
        let limit = self.friction * depth(near).max(0.0);
        let slid = (q - before - self.motion).reject_from_normalized(self.normal).length();
        let along = if slid < limit { 0.5 * slid * slid } else { limit * (slid - 0.5 * limit) };
        0.5 * depth(q).max(0.0).powi(2) + along
    }

    /// Change of that energy from `from` to `to` with the limit at `from`, less the change of
    /// `½ |q|²` by the weight on the diagonal of the matrix [m²].
    #[must_use]
    pub fn energy_change(&self, from: Vec3, to: Vec3, before: Vec3) -> Real {
        self.energy(to, from, before) - self.energy(from, from, before) - 0.5 * (to + from).dot(to - from)
    }
}
