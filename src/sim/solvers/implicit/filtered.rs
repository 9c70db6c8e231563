//! Spring forces that see a step ahead, for the methods of Kang, Cho and Park.

use crate::sim::forces::SpringSum;
use crate::sim::forces::springs::VERTICES;
use crate::sim::model::material::StiffnessLaw;
use crate::sim::pattern::{Coefficients, strain_length};
use crate::sim::{Cloth, Real, StepInput, Vec3};

/// Share of the damping at which an explicit force overshoots that stays one.
const BEARABLE: Real = 0.5;

/// Weight of each spring in a filter, by kind: `h² k + h (c - c₀)₊` [kg]. The damping up to
/// `c₀ = ½ (m/(h n) + h k)` is an explicit force, as in the paper, with the least mass `m` and the
/// most springs `n` of a vertex; more of it would overshoot, and the filter takes it as implicit
/// Euler does. Per strain `m` is times the shortest length of a spring, since `c` and `k` are.
pub fn filter_weights(cloth: &Cloth, input: &StepInput) -> Coefficients {
    let (h, pattern) = (input.dt, input.pattern);
    let stiffness = input.material.stiffness_by_kind(pattern);
    if input.material.damping == 0.0 {
        return stiffness.map(|k| h * h * k);
    }
    let least = cloth.masses.iter().copied().fold(Real::INFINITY, Real::min);
    let most = (0..pattern.len() as u32).map(|vertex| pattern.neighbours().of_vertex(vertex).len()).max();
    let shortest = match input.material.stiffness_law {
        StiffnessLaw::PerLength => 1.0,
        StiffnessLaw::PerStrain => {
            pattern.springs().rest_lengths.iter().copied().map(strain_length).fold(1.0, Real::min)
        }
    };
    let inertia = shortest * least / (h * most.unwrap_or(0).max(1) as Real);
    let damping = input.material.damping_by_kind(pattern);
    stiffness.with(damping, |k, c| h * h * k + h * (c - BEARABLE * (inertia + h * k)).max(0.0))
}

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
        let StepInput { dt, pattern, external, pool, .. } = *input;
        let springs = pattern.springs();
        let stiffness = input.material.stiffness_by_kind(pattern).on(pattern);
        sum.add_up_forces(pattern, input.material, cloth, &mut self.forces, pool);
        sum.add_up(pattern, &mut self.ahead, pool, |e| {
            let [i, j] = springs.ends[e].map(|end| end as usize);
            (cloth.velocities[j] - cloth.velocities[i]) * (dt * stiffness.at(e))
        });
        let ahead = &self.ahead;
        pool.update(&mut self.forces, VERTICES, |i, force| *force += ahead[i] + external[i]);
    }
}
