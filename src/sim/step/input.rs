//! All that a solver may read.

use super::StepInputs;
use crate::sim::contact::Contact;
use crate::sim::contact::cloth::ContactRow;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::forces::IsometricBending;
use crate::sim::model::partition::Partition;
use crate::sim::{Clock, Cloth, Mat3, Material, Pattern, Real, Vec3, WorkBudget};

/// Vertices per task.
const VERTICES: usize = 512;

/// All that a solver may read.
#[derive(Clone, Copy)]
pub struct StepInput<'a> {
    /// Time step `h` [s].
    pub dt: Real,
    /// Time step [s] for which a preconditioner may be factored instead: `dt`, or one that the next
    /// adaptive substeps share, at most twice as long or half as long.
    pub preconditioner_dt: Real,
    /// Rest mesh and springs.
    pub pattern: &'a Pattern,
    /// Stiffness and damping.
    pub material: &'a Material,
    /// Which vertices are free, and the motion of those that are not.
    pub partition: &'a Partition,
    /// Stencils of isometric bending. They count where the material's
    /// [stiffness](Material::isometric_stiffness) of it is not zero.
    pub bending: &'a IsometricBending,
    /// Gravity, air and contact forces of cloth on cloth on each vertex [N], and isometric bending
    /// if the solver takes it as a force.
    pub external: &'a [Vec3],
    /// Contact forces in that [N]: of cloth on cloth, and shares of contact points beside a vertex
    /// that lies on the collider itself; empty if there are none.
    pub pressed: &'a [Vec3],
    /// The vertices that press on a collider, by rising vertex. A solver may leave them to the
    /// response after the step.
    pub contacts: &'a [Contact],
    /// Contact rows of cloth on cloth by rising pairs, for a method that takes them as constraints;
    /// their forces are not among the external ones then.
    pub contact_rows: &'a [ContactRow],
    /// For the times in [`StepStats`](crate::sim::StepStats).
    pub clock: Clock,
    /// Work budget of the step; to be checked before every iteration.
    pub budget: &'a WorkBudget,
    /// The thread pool.
    pub pool: &'a ThreadPool,
}

impl<'a> StepInput<'a> {
    /// The step that `inputs` were filled for.
    #[must_use]
    pub fn new(
        inputs: &'a StepInputs,
        pattern: &'a Pattern,
        material: &'a Material,
        clock: Clock,
        budget: &'a WorkBudget,
        pool: &'a ThreadPool,
    ) -> Self {
        let (partition, external, contacts) = (inputs.partition(), inputs.external(), inputs.contacts());
        Self {
            dt: inputs.dt(),
            preconditioner_dt: inputs.dt(),
            pattern,
            material,
            partition,
            bending: inputs.bending(),
            external,
            pressed: inputs.contact_loads(),
            contacts,
            contact_rows: &[],
            clock,
            budget,
            pool,
        }
    }
}

impl StepInput<'_> {
    /// Ratio of the stiffness of a contact in an implicit method to all other stiffness at the
    /// vertex.
    pub const CONTACT_STIFFER: Real = 100.0;

    /// Weight [N/m] with which a solver holds a contact: as much as everything else that acts on
    /// the vertex, its inertia and all its springs. A load of the vertex's own order then sinks in
    /// by no more than it would move a free vertex in a step.
    #[must_use]
    pub fn contact_weight(&self, vertex: u32, mass: Real) -> Real {
        let springs = self.pattern.neighbours().of_vertex(vertex).iter();
        let material = self.material.of_springs();
        let stiffness: Real = springs.map(|&(spring, _)| material.stiffness_of(self.pattern, spring as usize)).sum();
        mass / (self.dt * self.dt) + stiffness
    }

    /// Corrects `holds`, the matrices of the contacts [N/m], to the friction at the new positions
    /// `q(vertex)` [m]. The friction of the start of the step is too large for a cloth that begins
    /// to slide and is faster at the end. Calls `wrong(vertex, friction)` for each changed vertex
    /// with the excess or lack of friction [N], and returns whether there was any.
    pub fn correct_friction(
        &self,
        masses: &[Real],
        holds: &mut [Mat3],
        q: impl Fn(usize) -> Vec3,
        mut wrong: impl FnMut(usize, Real),
    ) -> bool {
        let mut any = false;
        for (contact, hold) in self.contacts.iter().zip(holds) {
            let i = contact.vertex as usize;
            let own = self.contact_weight(contact.vertex, masses[i]);
            if let Some((corrected, excess)) = contact.corrected(hold, q(i), own) {
                wrong(i, excess.abs());
                *hold = corrected;
                any = true;
            }
        }
        any
    }

    /// The matrix `W` [N/m] of the force `W (b - x)` with which an implicit method holds a contact:
    /// far stiffer than all else that acts on the vertex.
    #[must_use]
    pub fn hold(&self, contact: &Contact, mass: Real) -> Mat3 {
        let stiffer = if contact.load_share.is_some() { 1.0 } else { Self::CONTACT_STIFFER };
        contact.hold(stiffer * self.contact_weight(contact.vertex, mass))
    }

    /// The [matrix](Self::hold) of each contact [N/m], for vertices of these `masses` [kg].
    pub fn holds(&self, masses: &[Real]) -> impl Iterator<Item = Mat3> {
        self.contacts.iter().map(|contact| self.hold(contact, masses[contact.vertex as usize]))
    }

    /// Writes the inertial target to `target`, one entry per vertex [m]: `y = x + h v + h² f_ext/m`
    /// for the free vertices, the end of their motion for the prescribed ones.
    pub fn predict(&self, cloth: &Cloth, target: &mut Vec<Vec3>) {
        let Self { dt: h, partition, external, .. } = *self;
        target.resize(cloth.len(), Vec3::ZERO);
        self.pool.fill(target, VERTICES, |i| {
            let x = cloth.positions[i];
            if partition.is_free(i as u32) {
                x + (cloth.velocities[i] * h + external[i] * (h * h / cloth.masses[i]))
            } else {
                x
            }
        });
        for prescribed in &self.partition.prescribed {
            target[prescribed.vertex as usize] = prescribed.position;
        }
    }

    /// Writes to `q`, one entry per vertex [m], where the vertices would go without any force: `x`
    /// and a `share` of `h v` for the free ones, with those that press on a surface on its plane;
    /// the end of their motion for the prescribed ones.
    pub fn coast(&self, cloth: &Cloth, share: Real, q: &mut Vec<Vec3>) {
        let time = share * self.dt;
        q.clear();
        q.extend(cloth.positions.iter().zip(&cloth.velocities).map(|(x, v)| *x + *v * time));
        for contact in self.contacts.iter().filter(|contact| contact.load_share.is_none()) {
            let q = &mut q[contact.vertex as usize];
            *q += contact.normal * contact.normal.dot(contact.point - *q);
        }
        for prescribed in &self.partition.prescribed {
            q[prescribed.vertex as usize] = prescribed.position;
        }
    }

    /// Ends a step that found the new positions: `v⁺ = (q - x)/h`, `x⁺ = q` for the free vertices.
    pub fn arrive(&self, cloth: &mut Cloth, q: impl Fn(usize) -> Vec3 + Sync) {
        let Self { dt, partition, .. } = *self;
        let state = (Shared::new(&mut cloth.positions), Shared::new(&mut cloth.velocities));
        self.pool.change(state, VERTICES, |range, (positions, velocities)| {
            for (i, (x, v)) in range.zip(positions.iter_mut().zip(velocities)) {
                if partition.is_free(i as u32) {
                    let position = q(i);
                    *v = (position - *x) / dt;
                    *x = position;
                }
            }
        });
    }
}
