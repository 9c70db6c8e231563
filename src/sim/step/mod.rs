//! Input of the solver in a step: computed from the cloth and its surroundings, by simulations and
//! studies alike.

mod input;
pub mod parameters;
mod scheme;
pub mod timing;

pub use input::StepInput;
pub use scheme::SchemeStep;

use super::contact::SolidForce;
use super::contact::cloth::ClothContactForce;
use super::contact::{Contact, Loads, Obstacles};
use super::forces::air::{AirMode, AirModel, add_air, linear_drag, vertex_normals};
use super::forces::wind::Wind;
use super::forces::{IsometricBending, TriangleAir};
use super::{Cloth, Material, Parameters, Pattern, Real, State, Vec3};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::model::partition::Partition;

/// Vertices per task.
const VERTICES: usize = 8192;

/// Where a step starts.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The state.
    pub state: &'a State,
    /// Rest mesh and springs.
    pub pattern: &'a Pattern,
    /// Parameters of the user.
    pub parameters: &'a Parameters,
    /// The forces of cloth on cloth that are external to the solver.
    pub cloth_contact: &'a [ClothContactForce],
    /// Those of colliders on points between the vertices.
    pub solids: &'a [SolidForce],
}

/// Which vertices on a surface count as contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// None: the response after the step sees to them.
    None,
    /// Those that the forces of their springs press on it.
    Pressing,
    /// All: the method releases separating contacts by itself.
    All,
}

/// The inputs of a step, with the memory and the caches that they are computed in. None of that
/// shows in them: they are those of the situation alone.
#[derive(Default)]
pub struct StepInputs {
    partition: Partition,
    external: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Velocity of the air at each vertex.
    wind: Vec<Vec3>,
    triangle_air: TriangleAir,
    /// Whether the force of the air is kept by itself, and that force on each vertex [N].
    keeps_air: bool,
    /// Whether the air may use up only half of a velocity within the step.
    is_air_halved: bool,
    air: Vec<Vec3>,
    bending: IsometricBending,
    gusts: Option<Wind>,
    /// Share of the wind that blows.
    wind_share: Option<Real>,
    obstacles: Obstacles,
    contacts: Vec<Contact>,
    /// Contact forces among the external ones on each vertex [N]; empty if there are none.
    contact_loads: Vec<Vec3>,
    /// Length of the step [s].
    dt: Real,
}

impl StepInputs {
    /// Takes the wind at every vertex, once per time step: gusts change slowly.
    pub fn sample_wind(&mut self, now: &Situation, pool: &ThreadPool) {
        let air = &now.parameters.air;
        if air.air == AirMode::Vacuum {
            return;
        }
        let gusts = match self.gusts.take() {
            Some(same) if same.is_of(air) => self.gusts.insert(same),
            _ => self.gusts.insert(Wind::new(air)),
        };
        gusts.sample(&now.state.cloth.positions, now.state.time, &mut self.wind, pool);
        if let Some(share) = self.wind_share {
            pool.update(&mut self.wind, 512, |_, wind| *wind *= share);
        }
    }

    /// Lets only this share of the wind blow from now on, or all of it.
    pub fn limit_wind(&mut self, share: Option<Real>) {
        self.wind_share = share;
    }

    /// Finds the stencils of isometric bending, where bending is isometric.
    pub fn gather_bending(&mut self, pattern: &Pattern, material: &Material) {
        if material.isometric_stiffness() > 0.0 {
            self.bending.update(pattern, material.bending_weft);
        }
    }

    /// Keeps the force of the air by itself from now on, or no longer.
    pub fn keep_air(&mut self, keep: bool) {
        self.keeps_air = keep;
    }

    /// From now on, limits the force of the air to half of the relative velocity within the step,
    /// or no longer: a scheme that extrapolates it adds up to half of it.
    pub fn halve_air(&mut self, halve: bool) {
        self.is_air_halved = halve;
    }

    /// Holds pins and hand by springs of this stiffness [N/m] from now on, or prescribes them.
    pub fn set_pin_stiffness(&mut self, stiffness: Option<Real>) {
        self.partition.pin_stiffness = stiffness;
    }

    /// Force of the air on each vertex [N], where that is kept; empty otherwise and without any.
    #[must_use]
    pub fn air(&self) -> &[Vec3] {
        &self.air
    }

    /// Adds the force of isometric bending to the external forces, for solvers that take it as one.
    pub fn add_bending_force(&mut self, cloth: &Cloth, material: &Material, pool: &ThreadPool) {
        let stiffness = material.isometric_stiffness();
        if stiffness > 0.0 {
            let bending = &self.bending;
            pool.update(&mut self.external, 512, |i, force| *force -= bending.apply(i, &cloth.positions) * stiffness);
        }
    }

    /// The stencils of isometric bending; of an earlier pattern, or none, where bending is by
    /// springs.
    #[must_use]
    pub fn bending(&self) -> &IsometricBending {
        &self.bending
    }

    /// Computes the inputs of a step of `dt` [s] with the `material` at work, with the wind as it
    /// was sampled last.
    pub fn fill(&mut self, now: &Situation, material: &Material, dt: Real, support: Support, pool: &ThreadPool) {
        let State { cloth, world, grab, time, .. } = now.state;
        let (grab, time, solids) = (grab.as_ref(), *time, now.solids);
        self.dt = dt;
        self.partition.update(cloth, grab, time, dt);
        self.sum_external_forces(now, pool);

        let Parameters { contact, table, timing, .. } = now.parameters;
        let Self { partition, external, contact_loads, obstacles, contacts, .. } = self;
        // floor and table come first
        let common = world.solids(contact, table).count() - world.colliders.len();
        let hand = world.follow_hand(dt).map(|(number, place)| (common + number, place));
        obstacles.update(|| world.solids(contact, table), hand, contact, time, dt);
        partition.hold_back(cloth, grab, time, dt, |from, to| obstacles.hold_back(from, to));
        if support == Support::None {
            contacts.clear();
            SolidForce::add(solids, external);
            return;
        }
        let material = (support == Support::Pressing).then_some(material);
        let loads = Loads { pattern: now.pattern, material, partition, external, dt };
        obstacles.find_contacts(cloth, &loads, timing.time_step, contacts, pool);
        if support == Support::All {
            SolidForce::add(solids, external);
        } else if !solids.is_empty() {
            let loads = Loads { pattern: now.pattern, material, partition, external: &[], dt };
            obstacles.carry_loads(cloth, &loads, solids, (external, contact_loads), contacts);
        }
    }

    /// Gravity, air and contact forces of cloth on cloth on every vertex.
    fn sum_external_forces(&mut self, now: &Situation, pool: &ThreadPool) {
        let limit = if self.is_air_halved { 2.0 * self.dt } else { self.dt };
        let Self { external, contact_loads, normals, wind, triangle_air, air: kept, .. } = self;
        let Situation { state: State { cloth, .. }, pattern, parameters: Parameters { gravity, air, .. }, .. } = now;
        let gravity = Vec3::NEG_Y * gravity.gravity;
        external.resize(cloth.len(), Vec3::ZERO);
        pool.fill(external, VERTICES, |i| gravity * cloth.masses[i]);
        match (air.air, air.air_model) {
            (AirMode::Vacuum, _) => {}
            (_, AirModel::PerVertex) => {
                vertex_normals(pattern, &cloth.positions, normals);
                add_air(air, cloth, normals, wind, limit, external, pool);
            }
            (_, AirModel::PerTriangle) => triangle_air.add(air, cloth, pattern, wind, limit, external, pool),
        }
        if air.linear_drag > 0.0 {
            let is_still = air.air == AirMode::Vacuum;
            pool.update(external, VERTICES, |i, force| {
                let wind = if is_still { Vec3::ZERO } else { wind[i] };
                *force += linear_drag(cloth.velocities[i] - wind, air.linear_drag, cloth.masses[i], limit);
            });
        }
        kept.clear();
        if self.keeps_air && air.acts() {
            kept.extend(external.iter().zip(&cloth.masses).map(|(force, &mass)| *force - gravity * mass));
        }
        contact_loads.clear();
        if now.cloth_contact.iter().any(|force| force.lasting != Vec3::ZERO) {
            contact_loads.resize(cloth.len(), Vec3::ZERO);
            ClothContactForce::add(now.cloth_contact, &cloth.positions, contact_loads);
            external.iter_mut().zip(&*contact_loads).for_each(|(sum, load)| *sum += *load);
        }
    }

    /// Contact forces that are among the external forces on each vertex [N]: of cloth on cloth, and
    /// shares of contact points beside a vertex that lies on the collider itself; empty if there
    /// are none.
    #[must_use]
    pub fn contact_loads(&self) -> &[Vec3] {
        &self.contact_loads
    }

    /// Which vertices are free, and the motion of the others.
    #[must_use]
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Gravity, air and contact forces of cloth on cloth on each vertex [N].
    #[must_use]
    pub fn external(&self) -> &[Vec3] {
        &self.external
    }

    /// The vertices that press on a collider, by rising vertex.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Length of the step [s].
    #[must_use]
    pub fn dt(&self) -> Real {
        self.dt
    }

    /// The colliders on their way through the step, and which vertices are free.
    #[must_use]
    pub fn obstacles(&self) -> (&Obstacles, &Partition) {
        (&self.obstacles, &self.partition)
    }

    /// Moves the free vertices of `cloth` out of the colliders at the end of the step, which
    /// started at the positions `before` [m].
    pub fn resolve_contacts(&mut self, parameters: &Parameters, before: &[Vec3], cloth: &mut Cloth, pool: &ThreadPool) {
        let Self { obstacles, partition, .. } = self;
        obstacles.resolve(before, partition, cloth, parameters.timing.time_step, pool);
    }
}
