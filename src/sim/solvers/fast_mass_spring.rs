//! Fast mass-spring: implicit Euler as a minimisation, by local/global alternation with one constant matrix.
//!
//! ```text
//! y = x + h v + h² M⁻¹ f_ext,   q = y
//! local:   t_e = L (q_i - q_j)/|q_i - q_j|
//! global:  (M/h² + L_k + L_c/h) q = M y/h² + J t + L_c x/h
//! v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Liu, Bargteil, O'Brien, Kavan 2013; damping as in `physics.md` section 3: quadratic in the motion over the step, so
//! it is implicit and constant in the matrix. `L_k` and `L_c` are the graph Laplacians weighted with stiffness and
//! damping. First order; bounded for any step, since no iteration raises the objective. The scalar matrix serves all
//! three coordinates and is factored only when the pattern, the pins, a mass, a stiffness, the damping or the step
//! change, or another set of vertices presses on a collider: contacts are constraints `w/2 |q - p(q)|²` in the same loop,
//! `p` being the nearest point outside the collider that friction allows.

use crate::parameters;
use crate::sim::forces::SpringSum;
use crate::sim::forces::springs::direction;
use crate::sim::linear::{LaplacianSystem, Weights};
use crate::sim::params::{Tunable, count};
use crate::sim::solver::{Group, Info, Keeps, PREFACTORED, Stability, Stage, Stopwatch, describe_solver};
use crate::sim::{Cloth, Material, Real, Solver, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "fast-mass-spring",
    name: "Fast mass-spring",
    group: Group::LocalGlobal,
    source: "Liu et al. 2013",
    order: 1,
    stability: Stability::Unconditional,
    cost: "per iteration a pass over the springs and a solve with a stored factor",
    summary: "Implicit Euler by alternating projections with one stored factor: fast and holds at any step; few iterations look softer.",
    ignores: PREFACTORED,
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
};

parameters! {
    /// Settings of [`FastMassSpring`].
    pub struct Settings {
        /// Local/global iterations per step. More come closer to implicit Euler: less stretch, less lag, more work.
        pub iterations: u32 = 10, "Iterations", "", count(1, 1000);
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct FastMassSpring {
    /// Number of iterations.
    pub settings: Settings,
    system: Option<LaplacianSystem>,
    iterate: Iterate,
    /// The vertices held by a contact, with the weight of each [N/m].
    contacts: Vec<(u32, Real)>,
}

/// The iterate of a step and its scratch memory.
#[derive(Debug, Default)]
struct Iterate {
    /// Positions, one entry per vertex [m].
    q: Vec<Vec3>,
    /// The part of the right-hand side that iterations do not change, one entry per unknown [N].
    constant: Vec<Vec3>,
    springs: SpringSum,
    /// `J t`, one entry per vertex [N].
    pull: Vec<Vec3>,
}

/// Weight `k + c/h` of a spring in the matrix [N/m], by family.
fn weight_by_family(material: &Material, h: Real) -> [Real; 3] {
    let (k, c) = (material.stiffness_by_family(), material.damping_by_family());
    std::array::from_fn(|family| k[family] + c[family] / h)
}

impl Iterate {
    /// Sets `q = y`, prescribed vertices at their targets, and collects `M y/h² + L_c x/h` and the pull of prescribed
    /// neighbours.
    fn predict(&mut self, cloth: &Cloth, input: &StepInput) {
        let h = input.dt;
        let partition = input.partition;
        input.predict(cloth, &mut self.q);
        self.constant.resize(partition.free.len(), Vec3::ZERO);
        for (constant, &vertex) in self.constant.iter_mut().zip(&partition.free) {
            let i = vertex as usize;
            *constant = self.q[i] * (cloth.masses[i] / (h * h));
        }
        let springs = input.pattern.springs();
        let damping = input.material.damping_by_family().map(|c| c / h);
        let weights = weight_by_family(input.material, h);
        for (e, &[i, j]) in springs.ends.iter().enumerate() {
            let family = springs.families[e] as usize;
            let (c, weight) = (damping[family], weights[family]);
            if weight == 0.0 {
                continue;
            }
            let apart = (cloth.positions[i as usize] - cloth.positions[j as usize]) * c;
            for (vertex, other, apart) in [(i, j, apart), (j, i, -apart)] {
                if partition.is_free(vertex) {
                    let constant = &mut self.constant[partition.unknown_of[vertex as usize] as usize];
                    *constant += apart;
                    if !partition.is_free(other) {
                        *constant += self.q[other as usize] * weight;
                    }
                }
            }
        }
    }

    /// The local step: `k t_e` of every spring, summed per vertex to `J t`; and the projections of the contacts.
    fn project(&mut self, cloth: &Cloth, input: &StepInput, contacts: &[(u32, Real)]) {
        let springs = input.pattern.springs();
        let stiffness = input.material.stiffness_by_family();
        let q = &self.q;
        self.springs.add_up(input.pattern, &mut self.pull, |e| {
            let [i, j] = springs.ends[e].map(|end| end as usize);
            direction(q[i] - q[j]) * (stiffness[springs.families[e] as usize] * springs.rest_lengths[e])
        });
        for (touch, &(vertex, weight)) in input.contacts.iter().zip(contacts) {
            let i = vertex as usize;
            self.pull[i] += touch.project(self.q[i], cloth.positions[i]) * weight;
        }
    }
}

impl Solver for FastMassSpring {
    describe_solver!();

    fn step(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let mut watch = Stopwatch::start(input.clock);
        let h = input.dt;
        self.contacts.clear();
        self.contacts.extend(input.contacts.iter().map(|touch| {
            let vertex = touch.vertex;
            (vertex, input.contact_weight(vertex, cloth.masses[vertex as usize]))
        }));
        let springs = weight_by_family(input.material, h);
        let weights = Weights { inertia: 1.0 / (h * h), springs, vertices: &self.contacts };
        let (system, factorisations) = LaplacianSystem::prepare(&mut self.system, cloth, input, &weights)?;
        let mut stats = StepStats { iterations: self.settings.iterations, factorisations, ..StepStats::default() };
        watch.lap(&mut stats, Stage::Factor);
        let iterate = &mut self.iterate;
        iterate.predict(cloth, input);
        watch.lap(&mut stats, Stage::Assemble);
        for _ in 0..self.settings.iterations {
            iterate.project(cloth, input, &self.contacts);
            watch.lap(&mut stats, Stage::Local);
            let Iterate { q, constant, pull, .. } = iterate;
            system.solve(&input.partition.free, |unknown, i| constant[unknown] + pull[i], |i, x| q[i] = x);
            watch.lap(&mut stats, Stage::Solve);
        }
        input.arrive(cloth, |i| iterate.q[i]);
        Ok(stats)
    }

    fn reset(&mut self) {
        self.system = None;
    }
}
