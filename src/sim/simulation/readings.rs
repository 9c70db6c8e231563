//! Readings of a simulation: energy, the force on a held vertex, the longest stable step, and
//! parameters without effect. They are the solver's own, or missing if the solver has no such
//! quantity.

use std::borrow::Cow;

use super::{Ability, Parameters, Partition, Real, Simulation, State, Vec3, measure};
use crate::sim::Material;
use crate::sim::contact::{Contact, ContactMarks, Intersections, SolidForce};
use crate::sim::forces::IsometricBending;
use crate::sim::measure::{Projections, Rest, SpringSystem, VertexForces, VertexReading};
use crate::sim::model::material::{BendingModel, MembraneModel};
use crate::sim::params::{Need, Param, Setting, Tunable};
use crate::sim::pattern::Family;
use crate::sim::solver_interface::{DampingLaws, Elasticity};
use crate::sim::step::timing::Rule;

impl Simulation {
    /// Energies of the cloth [J]; the elastic one is that of the solver at work, with its soft pins.
    #[must_use]
    pub fn energy(&self) -> measure::Energy {
        let elastic = self.with_spring_system(|springs| {
            let soft = springs.partition.soft_energy(&springs.cloth.positions);
            self.solver.elastic_energy(springs).map(|elastic| elastic + soft)
        });
        measure::energy(&self.state.cloth, self.parameters.gravity.gravity, elastic)
    }

    /// Force [N] that it takes to hold `vertex` where it is; `None` where the solver knows no
    /// forces.
    #[must_use]
    pub fn reaction(&self, vertex: u32) -> Option<Vec3> {
        let elastic = self.with_spring_system(|springs| self.solver.elastic_force(springs, vertex))?;
        Some(measure::reaction(&self.state.cloth, self.parameters.gravity.gravity, elastic, vertex))
    }

    /// The projections of the solver's local step at the present positions; `None` if it has none.
    #[must_use]
    pub fn projections(&self) -> Option<Projections> {
        self.with_spring_system(|springs| self.solver.projections(springs))
    }

    /// The pairs of triangles that intersect, and the triangles that intersect a collider made of
    /// triangles, each with the number of that: floor and table first, then the colliders of the
    /// scene.
    pub fn find_intersections<'a>(&self, search: &'a mut Intersections) -> [&'a [[u32; 2]]; 2] {
        let Self { state: State { cloth, world, time, .. }, pattern, parameters, .. } = self;
        search.find(pattern, &cloth.positions);
        search.find_in_colliders(
            pattern,
            &cloth.positions,
            world.solids(&parameters.contact, &parameters.table),
            *time,
        );
        search.found()
    }

    /// Whether a corner of a collider comes through the cloth between its vertices, by more than
    /// the thickness of contact. Floor, table and colliders with `edges` are skipped.
    pub fn is_pierced(&self, search: &mut Intersections) -> bool {
        let Self { state: State { cloth, world, time, .. }, pattern, parameters, .. } = self;
        let contact = &parameters.contact;
        let colliders = world.colliders.iter().filter(|collider| !collider.edges.unwrap_or(contact.edges));
        let at = (*time, contact.thickness);
        search.find_corner(pattern, &cloth.positions, colliders.map(Cow::Borrowed), at)
    }

    /// The contacts that the solver was given in the last substep, without those of the response
    /// after the step.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        self.scratch.inputs.contacts()
    }

    /// Size of the residual force at each vertex in the last substep [N], in the equations of
    /// implicit Euler or of the scheme, if it is [wanted](super::Observe); empty before. Zero for
    /// vertices in contact, since contact forces are not separated.
    #[must_use]
    pub fn residuals(&self) -> &[Real] {
        &self.scratch.observer.residuals
    }

    /// Where the cloth touched something in the last step.
    #[must_use]
    pub fn contact_marks(&self) -> ContactMarks {
        let (obstacles, _) = self.scratch.inputs.obstacles();
        let truncated = if self.parameters.contact.self_contact {
            let truncated = self.scratch.self_contact.truncated();
            truncated.filter(|&vertex| (vertex as usize) < self.state.cloth.len()).collect()
        } else {
            Vec::new()
        };
        ContactMarks {
            on_colliders: obstacles.resting(&self.state.cloth.positions),
            cloth_contact: self.state.contact_forces.cloth_contact.to_vec(),
            truncated,
        }
    }

    /// Why `param`, a common one or one of the solver at work, has no effect at the moment because
    /// of the solver, the cloth or the kind of step. Reasons within its own group
    /// ([`Tunable::idle`]) are left out.
    #[must_use]
    pub fn ignored(&self, param: &Param) -> Option<&'static str> {
        let need = param.need?;
        self.solver.capabilities().lacks(need).or_else(|| match need {
            Need::EqualSubsteps => self.is_adaptive().then_some("the adaptive step chooses its own substeps"),
            Need::ShearSprings => {
                let has_shear = self.pattern.springs().families.contains(&Family::Shear)
                    || self.material_at_work().has_membrane() && self.pattern.has_membrane();
                (!has_shear).then_some("a mesh has no shear springs, its edges carry shear already")
            }
            Need::MembraneChoice | Need::Membrane if !self.pattern.has_membrane() => {
                Some("there is no mesh of cloth, and grids have springs")
            }
            Need::Membrane => {
                let springs = self.parameters.material.membrane == MembraneModel::Springs;
                springs.then_some("the stretch is carried by springs")
            }
            Need::BendSprings | Need::BendingChoice | Need::IsometricBending | Need::Cloth
                if !self.pattern.has_cloth() =>
            {
                Some("there is no cloth, only bodies of tetrahedra")
            }
            Need::Bodies => self.pattern.tetrahedra().is_empty().then_some("there is no body of tetrahedra"),
            Need::Examples => self.pattern.examples().is_empty().then_some("the scene has no examples"),
            Need::BendSprings => {
                let isometric = self.material_at_work().bending_model == BendingModel::Isometric;
                isometric.then_some("bending is isometric")
            }
            Need::IsometricBending => {
                let springs = self.parameters.material.bending_model == BendingModel::Springs;
                springs.then_some("bending is by springs")
            }
            Need::Stiffness
            | Need::BendingChoice
            | Need::MembraneChoice
            | Need::Cloth
            | Need::Damping
            | Need::DampingChoice
            | Need::Schemes
            | Need::Adaptivity => None,
        })
    }

    /// The common parameters and the settings of the solver that have an effect now, each with the
    /// title of its group, its unit and its value; those of the solver come last.
    #[must_use]
    pub fn acting(&self) -> Vec<(&'static str, Param, Setting)> {
        let common = Parameters::TITLES.iter().copied().zip(self.parameters.groups());
        let groups = common.chain([(self.solver.info().name, self.solver.settings())]);
        let of_group = |(title, group): (&'static str, &dyn Tunable)| {
            let acts = |&index: &usize| {
                let param = &group.params()[index];
                group.is_switched_on(index) && group.idle(index).is_none() && self.ignored(param).is_none()
            };
            let indices = (0..group.params().len()).filter(acts);
            indices.map(|index| (title, group.param(index), group.get(index))).collect::<Vec<_>>()
        };
        groups.flat_map(of_group).collect()
    }

    /// The material with the law of damping and the model of bending that are at work: those that
    /// are chosen, or the only ones that the solver knows.
    pub(super) fn material_at_work(&self) -> Material {
        let (chosen, can) = (self.parameters.material, self.solver.capabilities());
        let damping_model = can.damping.at_work(chosen.damping_model);
        let bending_model = can.bending.at_work(chosen.bending_model);
        Material { damping_model, bending_model, membrane: can.membrane.at_work(chosen.membrane), ..chosen }
    }

    /// Longest substep [s] that symplectic Euler survives with the present cloth: a measure of its
    /// stiffness.
    #[must_use]
    pub fn critical_step(&self) -> Real {
        self.with_spring_system(|springs| springs.critical_step())
    }

    /// Angular frequency [rad/s] of the stiffest undamped vibration of the springs about rest.
    #[must_use]
    pub fn stiffest_frequency(&self) -> Real {
        self.with_spring_system(|springs| springs.stiffest_frequency())
    }

    /// Shortest period of a spring that oscillates alone [s]; none without springs.
    #[must_use]
    pub fn shortest_period(&self) -> Option<Real> {
        self.with_spring_system(|springs| springs.shortest_period())
    }

    /// Stiffness [N/m] and reduced mass [kg] of a spring, by its number; `None` between two held
    /// ends.
    #[must_use]
    pub fn spring(&self, spring: usize) -> Option<(Real, Real)> {
        self.with_spring_system(|springs| Some((springs.stiffness(spring), springs.reduced_mass(spring)?)))
    }

    /// Angular frequency of each spring [rad/s], with which its ends vibrate against each other: the
    /// root of its stiffness over their reduced mass. Zero between two held ends.
    #[must_use]
    pub fn spring_frequencies(&self) -> Vec<f32> {
        self.with_spring_system(|springs| {
            let of_spring = |spring: usize| {
                springs.reduced_mass(spring).map_or(0.0, |mass| (springs.stiffness(spring) / mass).sqrt() as f32)
            };
            (0..self.pattern.springs().len()).map(of_spring).collect()
        })
    }

    /// Positions that a step proposed before it failed [m], while the step before the present
    /// moment is one that failed; any others otherwise.
    #[must_use]
    pub fn failed_positions(&self) -> &[Vec3] {
        &self.scratch.start.cloth.positions
    }

    /// Longest substep [s] that the solver at work survives, if it has such a limit.
    #[must_use]
    pub fn solver_critical_step(&self) -> Option<Real> {
        self.with_spring_system(|springs| self.solver.critical_step(springs))
    }

    /// The springs, with the law of damping and the model of bending that are at work.
    pub(super) fn with_spring_system<T>(&self, measure: impl FnOnce(&SpringSystem) -> T) -> T {
        let pin_stiffness = self.solver.capabilities().pin_stiffness;
        let mut partition = Partition { pin_stiffness, ..Partition::default() };
        // soft pins where they are now
        let dt = self.parameters.timing.time_step;
        partition.update(&self.state.cloth, self.state.grab.as_ref(), self.state.time - dt, dt);
        let Self { state: State { cloth, .. }, pattern, .. } = self;
        let (material, mut own) = (self.material_at_work(), IsometricBending::default());
        let known = self.scratch.inputs.bending();
        let bending = if material.isometric_stiffness() == 0.0 || known.is_of(pattern, material.bending_weft) {
            known
        } else {
            own.update(pattern, material.bending_weft);
            &own
        };
        measure(&SpringSystem { cloth, pattern, material: &material, bending, partition: &partition })
    }
}

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

impl Simulation {
    /// By which rule a substep is made: the one that is chosen, if the solver knows others than its
    /// own.
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self.solver.capabilities().schemes {
            Ability::Yes => self.parameters.timing.rule(),
            Ability::No(_) => Rule::Own,
        }
    }

    /// Order of convergence in time of the steps as they are made.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.solver.info().order_by(self.rule())
    }
}
