//! What a step tells only to those who ask, since it costs passes over the cloth: which forces it leaves unbalanced, the work of the air, how
//! single vertices are accelerated.

use crate::sim::contact::self_contact::LayerContact;
use crate::sim::forces::SpringSum;
use crate::sim::measure::{MOST_PROBES, Potential, Probes};
use crate::sim::model::material::BendingModel;
use crate::sim::{Cloth, Real, StepInput, Vec3};

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Observe {
    /// The force that the solver leaves unbalanced at each vertex.
    pub residual: bool,
    /// The work of the air.
    pub air_work: bool,
    /// How these vertices are accelerated, and by which force of the air.
    pub probes: Probes,
}

impl Observe {
    /// Whether the force of the air is to be kept by itself.
    pub(super) fn keeps_air(&self) -> bool {
        self.air_work || self.probes.iter().any(Option::is_some)
    }
}

/// What was seen of the last substep, and memory.
#[derive(Default)]
pub(super) struct Observer {
    /// The state at its start.
    start: Cloth,
    target: Vec<Vec3>,
    springs: SpringSum,
    unbalanced: Vec<Vec3>,
    /// Size of that at each vertex [N]; empty before somebody asks.
    pub residuals: Vec<Real>,
    /// How the probed vertices were accelerated.
    accelerated: [Option<Accelerated>; MOST_PROBES],
}

/// How a vertex was accelerated in the last substep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accelerated {
    vertex: u32,
    /// Its velocity before the substep [m/s].
    from: Vec3,
    /// Mean acceleration [m/s²].
    pub acceleration: Vec3,
    /// Force of the air on it [N].
    pub air: Vec3,
}

impl Observer {
    /// Keeps how the probed vertices move at the start of a substep, with the forces of the `air` on all [N].
    pub fn begin_probes(&mut self, probes: &Probes, velocities: &[Vec3], air: &[Vec3]) {
        self.accelerated = probes.map(|probe| {
            let vertex = probe.filter(|&vertex| (vertex as usize) < velocities.len())?;
            let air = air.get(vertex as usize).copied().unwrap_or_default();
            Some(Accelerated { vertex, from: velocities[vertex as usize], acceleration: Vec3::ZERO, air })
        });
    }

    /// Takes how they move after it, `dt` later [s].
    pub fn end_probes(&mut self, velocities: &[Vec3], dt: Real) {
        for probe in self.accelerated.iter_mut().flatten() {
            probe.acceleration = (velocities[probe.vertex as usize] - probe.from) / dt;
        }
    }

    /// How a vertex was accelerated in the last substep, if it was probed then.
    pub fn accelerated(&self, vertex: u32) -> Option<Accelerated> {
        self.accelerated.iter().flatten().find(|probe| probe.vertex == vertex).copied()
    }

    /// Forgets what was seen: the state or the method is another.
    pub fn forget(&mut self) {
        self.accelerated = Default::default();
        self.residuals.clear();
    }

    /// Keeps where a substep starts.
    pub fn begin(&mut self, cloth: &Cloth, input: &StepInput) {
        self.start.clone_from(cloth);
        input.predict(cloth, &mut self.target);
    }

    /// Takes what the solver has left unbalanced in the equations of implicit Euler (the gradient of the [`Potential`]), before the response to
    /// contacts. Isometric bending counts as a force of the start where the solver takes it so. What a surface or another layer pushes with is not told apart, so vertices in contact count as balanced.
    pub fn end(&mut self, cloth: &Cloth, input: &StepInput, bends_as_force: bool) {
        let mut material = *input.material;
        if bends_as_force {
            material.bending_model = BendingModel::Springs;
        }
        let input = &StepInput { material: &material, ..*input };
        let potential = Potential { cloth: &self.start, input, target: &self.target, holds: &[] };
        potential.descent(&cloth.positions, &mut self.springs, &mut self.unbalanced);
        self.residuals.clear();
        self.residuals.extend(self.unbalanced.iter().map(|force| force.length()));
        let on_solids = input.contacts.iter().map(|contact| contact.vertex);
        let on_layers = input.layers.contacts.iter().flat_map(LayerContact::vertices);
        for vertex in on_solids.chain(on_layers) {
            self.residuals[vertex as usize] = 0.0;
        }
    }
}

/// Work [J] of forces [N] on the way from the positions `before` to `after` [m].
pub(super) fn work(forces: &[Vec3], before: &[Vec3], after: &[Vec3]) -> Real {
    forces.iter().zip(before.iter().zip(after)).map(|(force, (before, after))| force.dot(*after - *before)).sum()
}
