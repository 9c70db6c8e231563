//! A contact: a vertex on a surface, and the half-space that it has to stay in.

use crate::sim::math::outer;
use crate::sim::{Mat3, Real, Vec3};

/// A vertex that lies on a collider and presses on it, with the half-space that it has to stay in for the step:
/// `n·(x - b) ≥ 0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The vertex.
    pub vertex: u32,
    /// `b`, the point of the boundary nearest to the vertex, where the collider has it at the end of the step [m].
    pub point: Vec3,
    /// `n`, the outward unit normal, likewise.
    pub normal: Vec3,
    /// How far the collider carries that point in the step [m].
    pub motion: Vec3,
    /// Coulomb friction.
    pub friction: Real,
    /// If the vertex slides, the weight `w` [N/m] of the force `w (b - x)` along the surface by which friction slows it down. It is
    /// the largest friction at the speed that is expected, and less if the vertex turns out slower: so it gives no energy, whatever the
    /// springs do in the step. `None` if friction can hold the vertex.
    pub drag: Option<Real>,
    /// If the vertex does not lie on the surface itself but carries a point of the cloth that does, beside others.
    pub carried: Option<Carried>,
}

/// A load on a point of the cloth that a vertex carries beside others. Beyond its share of it the vertex is slowed down, in both directions and
/// as hard as all else acts on it; what that takes is a part of the load in the next step (the method of multipliers, Hestenes 1969).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// The share of the vertex, divided by the weight of the contact [m].
    pub load: Vec3,
    /// The same as an impulse over the step [N·s].
    pub impulse: Vec3,
    /// Whether the vertex is slowed down in all directions, because friction holds the point, and not along the normal alone.
    pub sticks: bool,
}

/// A surface of something solid that a vertex lies on: `n·(x - b) ≥ 0`.
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

    /// The matrix `W` [N/m] of the force `W (b - x)` that holds the vertex with `weight` [N/m]: in all directions where
    /// friction holds, otherwise along the normal, and along the surface as much as friction slows it down.
    #[must_use]
    pub fn hold(&self, weight: Real) -> Mat3 {
        let along = match (self.carried, self.drag) {
            (Some(carried), _) => {
                if carried.sticks {
                    weight
                } else {
                    0.0
                }
            }
            (None, drag) => drag.map_or(weight, |drag| drag.min(weight)),
        };
        Mat3::from_diagonal(Vec3::splat(along)) + outer(self.normal) * (weight - along)
    }

    /// The impulse on the vertex that does not depend on where it goes [N·s]: that of a load that it carries.
    #[must_use]
    pub fn impulse(&self) -> Vec3 {
        self.carried.map_or(Vec3::ZERO, |carried| carried.impulse)
    }

    /// Nearest admissible point to `q` for a vertex that was at `before` [m] at the start of the step: out along the
    /// normal if it is inside, and then back along the surface, relative to which it has slid, by at most the friction times the depth.
    #[must_use]
    pub fn project(&self, q: Vec3, before: Vec3) -> Vec3 {
        let depth = self.normal.dot(self.point - q);
        if let Some(Carried { load, sticks, .. }) = self.carried {
            return load + if sticks { self.point } else { q + self.normal * depth };
        }
        if depth <= 0.0 {
            return q;
        }
        let slid = (q - before - self.motion).reject_from_normalized(self.normal);
        q + self.normal * depth - slid.clamp_length_max(self.friction * depth)
    }
}
