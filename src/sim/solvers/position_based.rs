//! Common part of `pbd` and `xpbd`: prediction, projection of the constraints one after the other,
//! and velocity from the change of position.

use crate::sim::constraints::{ColouredMembrane, Curvatures, Projection, SpringBatches};
use crate::sim::contact::cloth::ContactRow;
use crate::sim::exec::simd::F64x4;
use crate::sim::pattern::ByKind;
use crate::sim::solver_interface::{Demand, Rung, StepStage, Stopwatch};
use crate::sim::{Cloth, Real, StepError, StepInput, StepStats, Vec3};

/// Sweeps in each small step that suit a cloth, and the least and the most small steps. More of
/// these would do the same with fewer sweeps in all, but each of them looks for contacts.
const SWEEPS: u32 = 4;
const SMALL_STEPS: [u32; 2] = [10, 44];

/// Small steps, which bring more than iterations.
pub(super) const LADDER: &[Rung] = &[
    Rung(&[("small_steps", "2"), ("iterations", "2")]),
    Rung(&[("small_steps", "5"), ("iterations", "2")]),
    Rung(&[("small_steps", "10"), ("iterations", "2")]),
    Rung(&[("small_steps", "20"), ("iterations", "2")]),
    Rung(&[("small_steps", "40"), ("iterations", "2")]),
    Rung(&[("small_steps", "80"), ("iterations", "2")]),
];

/// Sweeps and small steps that suit a cloth.
pub(super) fn suiting(demand: &Demand) -> (u32, u32) {
    (SWEEPS, demand.small_steps(SWEEPS, SMALL_STEPS))
}

/// The scratch memory of a step.
#[derive(Debug, Default)]
pub(super) struct PositionBased {
    springs: SpringBatches,
    membrane: ColouredMembrane,
    curvatures: Curvatures,
    target: Vec<Vec3>,
    /// Positions [m] and inverse masses [1/kg].
    q: Vec<F64x4>,
    /// Positions at the start of the step [m].
    before: Vec<F64x4>,
    /// Contact rows of cloth on cloth.
    contact_rows: Vec<ContactRow>,
}

impl PositionBased {
    /// Contact rows of cloth on cloth after the last step.
    pub fn contact_rows(&self) -> &[ContactRow] {
        &self.contact_rows
    }

    /// One step with `iterations` sweeps over the springs, projected by kind, over the membrane, over
    /// isometric bending, and over the contacts.
    ///
    /// # Errors
    /// [`StepError::Cancelled`].
    pub fn step(
        &mut self,
        cloth: &mut Cloth,
        input: &StepInput,
        iterations: u32,
        by_kind: ByKind<Projection>,
    ) -> Result<StepStats, StepError> {
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        let bending_stiffness = input.material.isometric_stiffness() * input.dt * input.dt;
        self.begin(cloth, input, bending_stiffness, &by_kind);
        watch.lap(&mut stats, StepStage::Assemble);

        // a hinge takes as long as a spring
        let surface = self.membrane.len() + self.curvatures.len();
        let work = input.pattern.springs().len() + surface + input.contacts.len() + self.contact_rows.len();
        for iteration in 1..=iterations {
            if !input.budget.spend_on(iteration, work)? {
                stats.exhausted = 1;
                break;
            }
            stats.iterations = iteration;
            self.springs.sweep(&mut self.q, &self.before, &by_kind, input.pool);
            if !self.membrane.is_empty() {
                self.membrane.sweep(&mut self.q, input.material, input.dt, input.pool);
            }
            if bending_stiffness > 0.0 {
                self.curvatures.sweep(&mut self.q, input.bending, bending_stiffness, input.pool);
            }
            let project = |row: &mut ContactRow| row.project(&mut self.q);
            if iteration % 2 == 0 {
                self.contact_rows.iter_mut().rev().for_each(project);
            } else {
                self.contact_rows.iter_mut().for_each(project);
            }
            for contact in input.contacts {
                let i = contact.vertex as usize;
                let Vec3 { x, y, z } = contact.project(self.q[i].to_vec3(), cloth.positions[i]);
                self.q[i].0[..3].copy_from_slice(&[x, y, z]);
            }
        }
        input.arrive(cloth, |i| self.q[i].to_vec3());
        watch.lap(&mut stats, StepStage::Local);
        Ok(stats)
    }

    /// Takes the constraints, and puts all vertices at the inertial target.
    fn begin(&mut self, cloth: &Cloth, input: &StepInput, bending_stiffness: Real, by_kind: &ByKind<Projection>) {
        self.springs.start(input.pattern, by_kind.by_family().map(|projection| projection.active));
        if input.material.has_membrane() {
            self.membrane.start(input.pattern);
        } else {
            self.membrane.clear();
        }
        if bending_stiffness > 0.0 {
            self.curvatures.start(input.pattern, input.bending);
        } else {
            self.curvatures.clear();
        }
        input.predict(cloth, &mut self.target);
        let vertices = self.springs.vertices();
        self.q.resize(vertices, F64x4::ZERO);
        let (of_cloth, spare) = self.q.split_at_mut(cloth.len());
        input.pool.fill(of_cloth, 512, |i| {
            let Vec3 { x, y, z } = self.target[i];
            F64x4([x, y, z, 1.0 / cloth.masses[i]])
        });
        spare.fill(F64x4::ZERO);
        for prescribed in &input.partition.prescribed {
            self.q[prescribed.vertex as usize].0[3] = 0.0;
        }
        self.before.clear();
        if by_kind.iter().any(|projection| projection.damping > 0.0) {
            self.before.extend(cloth.positions.iter().map(|x| F64x4::from_vec3(*x)));
            self.before.resize(vertices, F64x4::ZERO);
        }
        input.contact_rows.clone_into(&mut self.contact_rows);
        self.contact_rows.iter().for_each(|row| row.start(&mut self.q));
    }
}
