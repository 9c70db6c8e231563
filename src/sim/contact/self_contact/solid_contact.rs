//! The contact of a collider with a point of the cloth between its vertices: how it pushes.

use serde::{Deserialize, Serialize};

use crate::sim::contact::features::Touch;
use crate::sim::{Real, Vec3};

/// The force with which a collider presses on a point of the cloth between its vertices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolidForce {
    /// The three vertices of a triangle, or the two of an edge, the second of them twice.
    pub vertices: [u32; 3],
    /// The solid, floor and table first, then the colliders of the scene; and which of its edges, corners and thin parts.
    pub solid: u32,
    /// The number of its edge or corner.
    pub feature: u32,
    /// The share of each vertex in the point.
    pub weights: [Real; 3],
    /// Outward unit normal of the collider there.
    pub normal: Vec3,
    /// Force on the cloth in the last step [N].
    pub force: Vec3,
    /// The part of it that the step before had as well [N]: what the solver of the next step is given.
    pub lasting: Vec3,
}

impl SolidForce {
    /// What tells it from others.
    #[must_use]
    pub fn key(&self) -> ([u32; 3], [u32; 2]) {
        (self.vertices, [self.solid, self.feature])
    }

    /// Adds what lasts of the forces to the sums of the vertices [N].
    pub fn add(forces: &[Self], sums: &mut [Vec3]) {
        for SolidForce { vertices, weights, lasting, .. } in forces {
            for (&vertex, weight) in vertices.iter().zip(weights) {
                sums[vertex as usize] += *lasting * *weight;
            }
        }
    }
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
    /// What it pressed with in the last step [N].
    last: Real,
}

impl SolidContact {
    /// The contact at a touch, which pressed with a force in the last step, of which a part has acted in this one of `dt` [s] as well.
    /// `borne` is what the solver has borne beyond that, if it took the load as contacts of the vertices [N]; otherwise `positions` [m] are changed
    /// where it cannot press like that any more. None if no vertex can be moved.
    pub fn new(
        touch: Touch,
        force: Option<(&SolidForce, Option<Real>)>,
        dt: Real,
        inverse_masses: &[Real],
        positions: &mut [Vec3],
    ) -> Option<Self> {
        let inverse = touch.vertices.map(|vertex| inverse_masses[vertex as usize]);
        let [u, v, w] = touch.weights;
        let sum = if touch.vertices[1] == touch.vertices[2] {
            u * u * inverse[0] + (v + w) * (v + w) * inverse[1]
        } else {
            u * u * inverse[0] + v * v * inverse[1] + w * w * inverse[2]
        };
        if sum <= 0.0 {
            return None;
        }
        let (force, borne) = force.map_or((None, None), |(force, borne)| (Some(force), borne));
        let acted = force.map_or(Vec3::ZERO, |force| force.lasting * (dt * dt));
        let pressure = (touch.normal.dot(acted) + borne.unwrap_or(0.0) * (dt * dt)).max(0.0);
        let shear = acted.reject_from_normalized(touch.normal).clamp_length_max(touch.friction * pressure);
        let last = force.map_or(0.0, |force| force.force.length());
        let least = if borne.is_some() { pressure } else { 0.0 };
        let contact = Self { touch, mass: 1.0 / sum, pressure, shear, least, last };
        if let Some(force) = force
            && borne.is_none()
        {
            release(force, dt, inverse_masses, positions);
            contact.move_by(touch.normal * pressure + shear, inverse_masses, positions);
        }
        Some(contact)
    }

    /// Pushes the point out if it is too low, and takes its sliding away as far as friction can. Returns how far it was moved [m].
    pub fn push(&mut self, inverse_masses: &[Real], positions: &mut [Vec3]) -> Real {
        let Touch { vertices, weights, normal, height, start, friction, .. } = self.touch;
        let point: Vec3 = vertices.iter().zip(weights).map(|(&vertex, weight)| positions[vertex as usize] * weight).sum();
        let pressure = (self.pressure + self.mass * (height - normal.dot(point))).max(self.least);
        let slid = (point - start).reject_from_normalized(normal);
        let shear = (self.shear - slid * self.mass).clamp_length_max(friction * pressure);
        let impulse = normal * (pressure - self.pressure) + (shear - self.shear);
        if impulse == Vec3::ZERO {
            return 0.0;
        }
        (self.pressure, self.shear) = (pressure, shear);
        self.move_by(impulse, inverse_masses, positions);
        impulse.length() / self.mass
    }

    fn move_by(&self, impulse: Vec3, inverse_masses: &[Real], positions: &mut [Vec3]) {
        for (&vertex, weight) in self.touch.vertices.iter().zip(self.touch.weights) {
            positions[vertex as usize] += impulse * (weight * inverse_masses[vertex as usize]);
        }
    }

    /// What it presses with in a step of `dt` [s], if it does.
    pub fn force(&self, dt: Real) -> Option<SolidForce> {
        if self.pressure <= 0.0 {
            return None;
        }
        let Touch { vertices, solid, feature, weights, normal, .. } = self.touch;
        let force = (normal * self.pressure + self.shear) / (dt * dt);
        Some(SolidForce { vertices, solid, feature, weights, normal, force, lasting: force.clamp_length_max(self.last) })
    }
}

/// Takes back what a force did in a step of `dt` [s].
pub(super) fn release(force: &SolidForce, dt: Real, inverse_masses: &[Real], positions: &mut [Vec3]) {
    for (&vertex, weight) in force.vertices.iter().zip(force.weights) {
        positions[vertex as usize] -= force.lasting * (dt * dt * weight * inverse_masses[vertex as usize]);
    }
}
