//! Readings of single vertices.

use super::{Simulation, Vec3};
use crate::sim::Material;
use crate::sim::contact::SolidForce;
use crate::sim::measure::{Rest, SpringSystem, VertexForces, VertexReading};
use crate::sim::solver_interface::{DampingLaws, Elasticity};

impl Simulation {
    /// Motion, forces and springs of a vertex; `None` if the cloth has no such vertex.
    ///
    /// Elastic force and damping are those at the time at which the scheme balances forces.
    /// Acceleration and air, and the remainder of the forces, are those of the last substep, if it
    /// was [observed](super::Observe).
    #[must_use]
    pub fn read_vertex(&self, vertex: u32) -> Option<VertexReading> {
        let i = vertex as usize;
        let (position, velocity) = (*self.state.cloth.positions.get(i)?, self.state.cloth.velocities[i]);
        let mass = self.state.cloth.masses[i];
        let seen = self.scratch.observer.accelerated(vertex);
        let stage =
            self.scratch.observer.stage().filter(|stage| seen.is_some() && stage.len() == self.state.cloth.len());
        let (elastic, damping, springs) = self.with_spring_system(|system| {
            let (elastic, damping) =
                self.forces_of_springs(&SpringSystem { cloth: stage.unwrap_or(system.cloth), ..*system }, vertex);
            (elastic, damping, system.springs_of(vertex))
        });
        let gravity = Vec3::NEG_Y * (mass * self.parameters.gravity.gravity);
        let rest = seen.map(|seen| {
            let named = elastic.unwrap_or_default() + damping.unwrap_or_default() + gravity + seen.air;
            (self.kind_of_rest(vertex), seen.acceleration * mass - named)
        });
        let air = seen.map(|seen| seen.air);
        let forces = VertexForces { elastic, damping, gravity, air, rest };
        let acceleration = seen.map(|seen| seen.acceleration);
        Some(VertexReading { vertex, mass, position, velocity, acceleration, forces, springs })
    }

    /// Elastic force and damping on a vertex [N], as far as the solver at work knows them.
    fn forces_of_springs(&self, system: &SpringSystem, vertex: u32) -> (Option<Vec3>, Option<Vec3>) {
        let undamped = Material { damping: 0.0, ..*system.material };
        let without = SpringSystem { material: &undamped, ..*system };
        let elastic = self.solver.elastic_force(&without, vertex);
        let damping = match self.solver.capabilities().damping {
            DampingLaws::None(_) => elastic.map(|_| Vec3::ZERO),
            _ => elastic.zip(self.solver.elastic_force(system, vertex)).map(|(elastic, both)| both - elastic),
        };
        (elastic, damping)
    }

    /// Cause of the remainder of the forces at a vertex.
    fn kind_of_rest(&self, vertex: u32) -> Rest {
        let is_held = self.state.grab.is_some_and(|grab| grab.vertex == vertex)
            || self.state.cloth.pins().binary_search_by_key(&vertex, |pin| pin.vertex).is_ok();
        if is_held {
            return Rest::Holding;
        }
        if matches!(self.solver.capabilities().elasticity, Elasticity::Unknown(_)) {
            return Rest::Constraints;
        }
        let (obstacles, _) = self.scratch.inputs.obstacles();
        let is_apart = self.parameters.contact.self_contact;
        let touches = |of: &SolidForce| of.vertices.contains(&vertex) && of.force != Vec3::ZERO;
        let is_in_contact = obstacles.rests_on(self.state.cloth.positions[vertex as usize]).is_some()
            || self.state.contact_forces.cloth_contact.iter().any(|of| of.vertices.contains(&vertex))
            || self.state.contact_forces.solids.iter().any(touches)
            || (is_apart && self.scratch.self_contact.truncated().any(|held| held == vertex));
        if is_in_contact { Rest::Contact } else { Rest::Unbalanced }
    }
}
