//! Row of a collider and a contact point inside a triangle or an edge of the cloth.

use serde::{Deserialize, Serialize};

use super::touches::Touch;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// A point slides beyond this share of the largest friction.
const SLIDES: Real = 1.0 - 1e-6;

/// Contact force of a collider at a point between the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolidForce {
    /// The three vertices of a triangle, or the two of an edge with the second one twice.
    pub vertices: [u32; 3],
    /// Number of the solid: floor and table first, then the colliders of the scene.
    pub solid: u32,
    /// Number of its edge, corner or thin part.
    pub feature: u32,
    /// Weights of the vertices in the point.
    pub weights: [Real; 3],
    /// Outward unit normal of the collider.
    pub normal: Vec3,
    /// Force on the cloth in the last step [N].
    pub force: Vec3,
    /// Force given to the solver of the next step [N]: the mean of the force given to the last one,
    /// and of the present force as far as it acted in the step before.
    pub lasting: Vec3,
    /// Whether the point sticks.
    pub sticks: bool,
}

impl SolidForce {
    /// Its identity.
    #[must_use]
    pub fn key(&self) -> ([u32; 3], [u32; 2]) {
        (self.vertices, [self.solid, self.feature])
    }

    /// The point, with vertices at `positions` [m].
    pub(super) fn point(&self, positions: &[Vec3]) -> Vec3 {
        self.vertices.iter().zip(self.weights).map(|(&vertex, weight)| positions[vertex as usize] * weight).sum()
    }

    /// Adds the forces for the solver to the sums per vertex [N].
    pub fn add(forces: &[Self], sums: &mut [Vec3]) {
        for SolidForce { vertices, weights, lasting, .. } in forces {
            for (&vertex, weight) in vertices.iter().zip(weights) {
                sums[vertex as usize] += *lasting * *weight;
            }
        }
    }

    /// Undoes its effect on the vertices of a free cloth in a step of `dt` [s].
    pub(super) fn take_back(&self, dt: Real, q: &mut [F64x4]) {
        for (&vertex, weight) in self.vertices.iter().zip(self.weights) {
            let x = &mut q[vertex as usize];
            *x = *x - F64x4::from_vec3(self.lasting * (dt * dt * weight * x.0[3]));
        }
    }
}

/// Reaction of a solver to a load that it took as contacts of the vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Borne {
    /// Reaction beyond the load [N].
    pub force: Vec3,
    /// Weight of the point in the solver [N/m].
    pub weight: Real,
}

/// State of a contact from the last step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Load {
    /// Force on the point [N].
    pub force: Vec3,
    /// Size of the force in the last step [N].
    pub last: Real,
    /// Force given to the solver then [N].
    pub given: Vec3,
}

/// A row of a contact point.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolidContact {
    pub touch: Touch,
    /// Effective mass `1/Σ wᵢ²/mᵢ` [kg].
    mass: Real,
    /// Accumulated impulse times the step [kg·m]: along the normal, and across it.
    pressure: Real,
    shear: Vec3,
    /// Lower bound along the normal, times the step [kg·m]: the reaction of the solver.
    least: Real,
    /// Size of the force in the last step [N], and the force given to the solver.
    last: Real,
    given: Vec3,
}

impl SolidContact {
    /// The row at a contact point with a `load` in a step of `dt` [s]. The load acts on the
    /// vertices as on those of a free cloth and moves the positions in `q` [m], unless the solver
    /// took it (`borne`). None if no vertex can move.
    pub fn new(touch: Touch, load: &Load, borne: bool, dt: Real, q: &mut [F64x4]) -> Option<Self> {
        let inverse = touch.vertices.map(|vertex| q[vertex as usize].0[3]);
        let [u, v, w] = touch.weights;
        let sum = if touch.vertices[1] == touch.vertices[2] {
            u * u * inverse[0] + (v + w) * (v + w) * inverse[1]
        } else {
            u * u * inverse[0] + v * v * inverse[1] + w * w * inverse[2]
        };
        if sum <= 0.0 {
            return None;
        }
        let impulse = load.force * (dt * dt);
        let pressure = touch.normal.dot(impulse).max(0.0);
        let shear = impulse.reject_from_normalized(touch.normal).clamp_length_max(touch.friction * pressure);
        let least = if borne { pressure } else { 0.0 };
        let contact = Self { touch, mass: 1.0 / sum, pressure, shear, least, last: load.last, given: load.given };
        if !borne {
            contact.move_by(touch.normal * pressure + shear, q);
        }
        Some(contact)
    }

    /// Pushes the point out to its height, and reduces sliding as far as friction can. Returns its
    /// displacement [m].
    pub fn push(&mut self, q: &mut [F64x4]) -> Real {
        let Touch { vertices, weights, normal, height, start, friction, .. } = self.touch;
        let point: Vec3 =
            vertices.iter().zip(weights).map(|(&vertex, weight)| q[vertex as usize].to_vec3() * weight).sum();
        let pressure = (self.pressure + self.mass * (height - normal.dot(point))).max(self.least);
        let slid = (point - start).reject_from_normalized(normal);
        let shear = (self.shear - slid * self.mass).clamp_length_max(friction * pressure);
        let impulse = normal * (pressure - self.pressure) + (shear - self.shear);
        if impulse == Vec3::ZERO {
            return 0.0;
        }
        (self.pressure, self.shear) = (pressure, shear);
        self.move_by(impulse, q);
        impulse.length() / self.mass
    }

    fn move_by(&self, impulse: Vec3, q: &mut [F64x4]) {
        for (&vertex, weight) in self.touch.vertices.iter().zip(self.touch.weights) {
            let x = &mut q[vertex as usize];
            *x = *x + F64x4::from_vec3(impulse * (weight * x.0[3]));
        }
    }

    /// Contact force in a step of `dt` [s], if it presses.
    pub fn force(&self, dt: Real) -> Option<SolidForce> {
        if self.pressure <= 0.0 {
            return None;
        }
        let Touch { vertices, solid, feature, weights, normal, friction, .. } = self.touch;
        let force = (normal * self.pressure + self.shear) / (dt * dt);
        // half of the change: a solver with few iterations responds to a load too late, and would
        // tremble
        let lasting = (force.clamp_length_max(self.last) + self.given) * 0.5;
        let sticks = self.shear.length() < SLIDES * friction * self.pressure;
        Some(SolidForce { vertices, solid, feature, weights, normal, force, lasting, sticks })
    }
}
