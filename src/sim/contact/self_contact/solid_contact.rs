//! The contact of a collider with a point of the cloth between its vertices: how it pushes.

use serde::{Deserialize, Serialize};

use super::touches::Touch;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Share of what friction can hold beyond which a point slides.
const SLIDES: Real = 1.0 - 1e-6;

/// The force with which a collider presses on a point of the cloth between its vertices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolidForce {
    /// The three vertices of a triangle, or the two of an edge, the second of them twice.
    pub vertices: [u32; 3],
    /// The solid: floor and table first, then the colliders of the scene.
    pub solid: u32,
    /// Which of its edges, corners and thin parts.
    pub feature: u32,
    /// The share of each vertex in the point.
    pub weights: [Real; 3],
    /// Outward unit normal of the collider there.
    pub normal: Vec3,
    /// Force on the cloth in the last step [N].
    pub force: Vec3,
    /// The mean of the part of it that the step before had as well, and of what the solver was given then [N]: what the solver of the next
    /// step is given.
    pub lasting: Vec3,
    /// Whether friction holds the point.
    pub sticks: bool,
}

impl SolidForce {
    /// What tells it from others.
    #[must_use]
    pub fn key(&self) -> ([u32; 3], [u32; 2]) {
        (self.vertices, [self.solid, self.feature])
    }

    /// Where the point is, with the vertices at `positions` [m].
    pub(super) fn point(&self, positions: &[Vec3]) -> Vec3 {
        self.vertices.iter().zip(self.weights).map(|(&vertex, weight)| positions[vertex as usize] * weight).sum()
    }

    /// Adds what lasts of the forces to the sums of the vertices [N].
    pub fn add(forces: &[Self], sums: &mut [Vec3]) {
        for SolidForce { vertices, weights, lasting, .. } in forces {
            for (&vertex, weight) in vertices.iter().zip(weights) {
                sums[vertex as usize] += *lasting * *weight;
            }
        }
    }

    /// Takes back what it did to the vertices of a free cloth in a step of `dt` [s].
    pub(super) fn take_back(&self, dt: Real, q: &mut [F64x4]) {
        for (&vertex, weight) in self.vertices.iter().zip(self.weights) {
            let x = &mut q[vertex as usize];
            *x = *x - F64x4::from_vec3(self.lasting * (dt * dt * weight * x.0[3]));
        }
    }
}

/// What a solver has borne of a load that it took as contacts of the vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Borne {
    /// Beyond the load that it was given [N].
    pub force: Vec3,
    /// The weight that the point has there [N/m].
    pub weight: Real,
}

/// What is known of a contact from the last step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Load {
    /// What acts on the point [N].
    pub force: Vec3,
    /// How large it was in the last step [N].
    pub last: Real,
    /// What the solver was given of it then [N].
    pub given: Vec3,
}

/// A point of the cloth that a collider pushes.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolidContact {
    pub touch: Touch,
    /// `1/Σ wᵢ²/mᵢ` [kg].
    mass: Real,
    /// Impulse so far, times the step [kg·m]: along the normal, and across it.
    pressure: Real,
    shear: Vec3,
    /// The least that it presses with, times the step [kg·m]: what the solver has borne.
    least: Real,
    /// What it pressed with in the last step [N], and what of that the solver was given.
    last: Real,
    given: Vec3,
}

impl SolidContact {
    /// The contact at a touch with a `load` in a step of `dt` [s]. It acts on the vertices as on those of a free cloth, which moves the positions in `q`
    /// [m], unless it is `borne` by the solver. None if no vertex can be moved.
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

    /// Pushes the point out if it is too low, and takes its sliding away as far as friction can. Returns how far it was moved [m].
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

    /// What it presses with in a step of `dt` [s], if it does.
    pub fn force(&self, dt: Real) -> Option<SolidForce> {
        if self.pressure <= 0.0 {
            return None;
        }
        let Touch { vertices, solid, feature, weights, normal, friction, .. } = self.touch;
        let force = (normal * self.pressure + self.shear) / (dt * dt);
        // half of what is new: a solver that iterates a few times answers a load too late, and would tremble
        let lasting = (force.clamp_length_max(self.last) + self.given) * 0.5;
        let sticks = self.shear.length() < SLIDES * friction * self.pressure;
        Some(SolidForce { vertices, solid, feature, weights, normal, force, lasting, sticks })
    }
}
