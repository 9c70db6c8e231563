//! Optional measurements of a step, which cost passes over the cloth: residual forces, the work of
//! the air, the acceleration of single vertices.

use crate::sim::contact::cloth::ContactRow;
use crate::sim::forces::SpringSum;
use crate::sim::measure::{MOST_PROBES, Potential, Probes};
use crate::sim::model::material::BendingModel;
use crate::sim::step::SchemeStep;
use crate::sim::{Cloth, Real, StepInput, Vec3};

/// Wanted measurements.
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

/// Measurements of the last substep, and memory.
#[derive(Default)]
pub(super) struct Observer {
    /// The state at its start.
    start: Cloth,
    target: Vec<Vec3>,
    /// Where it has come to [m].
    ended: Vec<Vec3>,
    springs: SpringSum,
    unbalanced: Vec<Vec3>,
    /// Size of the residual force at each vertex [N]; empty before it is wanted.
    pub residuals: Vec<Real>,
    /// Where the forces on the probed vertices balanced, if that was not the end of the substep;
    /// without vertices otherwise.
    stage: Cloth,
    /// How the probed vertices were accelerated.
    accelerated: [Option<Accelerated>; MOST_PROBES],
}

/// How a vertex was accelerated in the last substep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accelerated {
    vertex: u32,
    /// Its velocity before the substep [m/s], and how long it takes to change [s].
    from: Vec3,
    span: Real,
    /// Mean acceleration [m/s²].
    pub acceleration: Vec3,
    /// Force of the air on it [N].
    pub air: Vec3,
}

impl Observer {
    /// Keeps how the probed vertices move at the start of a substep of `dt` [s], with the forces of
    /// the `air` on all [N].
    pub fn begin_probes(&mut self, probes: &Probes, velocities: &[Vec3], air: &[Vec3], dt: Real) {
        self.stage.positions.clear();
        self.accelerated = probes.map(|probe| {
            let vertex = probe.filter(|&vertex| (vertex as usize) < velocities.len())?;
            let air = air.get(vertex as usize).copied().unwrap_or_default();
            let from = velocities[vertex as usize];
            Some(Accelerated { vertex, from, span: dt, acceleration: Vec3::ZERO, air })
        });
    }

    /// The same of the step that the solver is given, with its `velocities` at the start [m/s], if
    /// that is another one.
    pub fn begin_stage(&mut self, stage: &SchemeStep, velocities: &[Vec3]) {
        let (Some(air), Some(span)) = (stage.air(), stage.span()) else { return };
        for probe in self.accelerated.iter_mut().flatten() {
            let i = probe.vertex as usize;
            (probe.from, probe.span) = (velocities[i], span);
            probe.air = air.get(i).copied().unwrap_or_default();
        }
    }

    /// Keeps where the solver has brought the cloth in that step.
    pub fn end_stage(&mut self, stage: &SchemeStep, cloth: &Cloth) {
        if stage.is_another() && self.accelerated.iter().any(Option::is_some) {
            self.stage.positions.clone_from(&cloth.positions);
            self.stage.velocities.clone_from(&cloth.velocities);
            self.stage.masses.clone_from(&cloth.masses);
            stage.place_prescribed(&mut self.stage);
        }
    }

    /// Takes how they move after it.
    pub fn end_probes(&mut self, velocities: &[Vec3]) {
        for probe in self.accelerated.iter_mut().flatten() {
            probe.acceleration = (velocities[probe.vertex as usize] - probe.from) / probe.span;
        }
    }

    /// Where the forces on the probed vertices balanced in the last substep, if that was not its
    /// end.
    pub fn stage(&self) -> Option<&Cloth> {
        (!self.stage.is_empty()).then_some(&self.stage)
    }

    /// How a vertex was accelerated in the last substep, if it was probed then.
    pub fn accelerated(&self, vertex: u32) -> Option<Accelerated> {
        self.accelerated.iter().flatten().find(|probe| probe.vertex == vertex).copied()
    }

    /// Drops the measurements: the state or the method is another.
    pub fn forget(&mut self) {
        self.accelerated = Default::default();
        self.residuals.clear();
        self.stage.positions.clear();
    }

    /// Keeps where a substep starts.
    pub fn begin(&mut self, cloth: &Cloth, input: &StepInput) {
        self.start.clone_from(cloth);
        input.predict(cloth, &mut self.target);
    }

    /// Measures the residual of the solver in the equations of implicit Euler or of the scheme (the
    /// gradient of the [`Potential`]), before the response to contacts. Isometric bending counts as
    /// a force of the start if the solver takes it so. Contact forces are not separated, so
    /// vertices in contact have no residual.
    pub fn end(&mut self, cloth: &Cloth, input: &StepInput, bends_as_force: bool) {
        let mut material = *input.material;
        if bends_as_force {
            material.bending_model = BendingModel::Springs;
        }
        let input = &StepInput { material: &material, ..*input };
        let potential = Potential { cloth: &self.start, input, target: &self.target, holds: &[] };
        self.ended.clone_from(&cloth.positions);
        for held in &input.partition.prescribed {
            self.ended[held.vertex as usize] = held.position;
        }
        potential.descent(&self.ended, &mut self.springs, &mut self.unbalanced);
        self.residuals.clear();
        self.residuals.extend(self.unbalanced.iter().map(|force| force.length()));
        let on_solids = input.contacts.iter().map(|contact| contact.vertex);
        let of_rows = input.contact_rows.iter().flat_map(ContactRow::vertices);
        for vertex in on_solids.chain(of_rows) {
            self.residuals[vertex as usize] = 0.0;
        }
    }
}

/// Work [J] of forces [N] on the way from the positions `before` to `after` [m].
pub(super) fn work(forces: &[Vec3], before: &[Vec3], after: &[Vec3]) -> Real {
    forces.iter().zip(before.iter().zip(after)).map(|(force, (before, after))| force.dot(*after - *before)).sum()
}
