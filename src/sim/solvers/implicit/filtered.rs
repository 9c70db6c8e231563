//! Spring forces that see a step ahead, for the methods of Kang, Cho and Park.

use crate::sim::forces::SpringSum;
use crate::sim::forces::springs::VERTICES;
use crate::sim::{Cloth, StepInput, Vec3};

/// The forces `F̃ = F + h Σ k (v_j - v_i)` on each vertex [N], which see the springs a step ahead.
#[derive(Debug, Clone, Default)]
pub struct FilteredForces {
    /// `F̃`, one entry per vertex.
    pub forces: Vec<Vec3>,
    ahead: Vec<Vec3>,
}

impl FilteredForces {
    /// Computes them from the state of `cloth`.
    pub fn compute(&mut self, sum: &mut SpringSum, cloth: &Cloth, input: &StepInput) {
        let StepInput { dt, pattern, external, team, .. } = *input;
        let springs = pattern.springs();
        let (kinds, stiffness) = (pattern.kinds(), input.material.stiffness_by_kind(pattern));
        sum.add_up_forces(pattern, input.material, cloth, &mut self.forces, team);
        sum.add_up(pattern, &mut self.ahead, team, |e| {
            let [i, j] = springs.ends[e].map(|end| end as usize);
            (cloth.velocities[j] - cloth.velocities[i]) * (dt * stiffness[kinds[e]])
        });
        let ahead = &self.ahead;
        team.update(&mut self.forces, VERTICES, |i, force| *force += ahead[i] + external[i]);
    }
}
