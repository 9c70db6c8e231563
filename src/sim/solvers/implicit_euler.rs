//! Implicit Euler, one linearised step.
//!
//! ```text
//! (M - h² Jˣ - h Jᵛ) dv = h F + h² Jˣ v;   v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, algorithms 1 and 3 (with the sign of `physics.md` section 2), after Baraff and Witkin 1998. First order.
//! Bounded for any step with clamped blocks: the matrix is positive definite, also under compression. It is solved by conjugate
//! gradients with the constant matrix of projective dynamics as preconditioner, or by a sparse factorisation in every step.
//! Raw blocks are what the papers run: exact, until compressed springs make the matrix indefinite; the step is then solved
//! by `L D Lᵀ` and says so.

use crate::sim::forces::Linearised;
use crate::sim::forces::SpringSum;
use crate::sim::forces::air::vertex_normals;
use crate::sim::forces::linearised::{apply_changes, neighbours, prescribed_changes};
use crate::sim::forces::springs::Blocks;
use crate::sim::lanes::Lanes;
use crate::sim::linear::{BlockSystem, SpringCg};
use crate::sim::params::{Tunable, logarithmic};
use crate::sim::solver::{Group, Info, Keeps, Stability, Stage, Stopwatch, describe_solver};
use crate::sim::{Cloth, Real, Solver, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "implicit-euler",
    name: "Implicit Euler",
    group: Group::Implicit,
    source: "Kang, algorithms 1 and 3; Baraff and Witkin 1998",
    order: 1,
    stability: Stability::Unconditional,
    cost: "conjugate gradients with a stored factor, or a sparse factorisation of 3n unknowns",
    summary: "One linearised implicit step: holds at any stiffness and step, damps fine motion, and costs much.",
    ignores: &[],
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
};

crate::choices! {
    /// How the linear system of a step is solved.
    pub enum LinearSolver {
        /// Conjugate gradients with a stored factor, to a tolerance.
        ConjugateGradients = "conjugate_gradients",
        /// A new sparse factorisation in every step: exact to rounding.
        Direct = "direct",
    }
}

crate::parameters! {
    /// Settings of [`ImplicitEuler`].
    pub struct Settings {
        /// Whether compressed springs count with their full, indefinite Jacobian (raw, as in the paper) or without the part that destabilises (clamped).
        pub blocks: Blocks = Blocks::Clamped, "Blocks", "", Blocks::KIND;
        /// How the linear system is solved. Conjugate gradients are several times faster; raw blocks always take the direct way.
        pub linear_solver: LinearSolver = LinearSolver::ConjugateGradients, "Linear solver", "", LinearSolver::KIND,
            idle |euler| (euler.blocks == Blocks::Raw).then_some("raw blocks are factored");
        /// Residual at which the linear system counts as solved, relative to its right-hand side.
        pub residual_tolerance: Real = 1e-6, "Residual", "", logarithmic(1e-12, 0.1),
            idle |euler| (!euler.iterates()).then_some("the factorisation is exact");
    }
}

impl Settings {
    fn iterates(&self) -> bool {
        self.blocks == Blocks::Clamped && self.linear_solver == LinearSolver::ConjugateGradients
    }
}

/// Most iterations of conjugate gradients in a step; a step that is not solved by then goes on with what it has.
const MOST_ITERATIONS: u32 = 1000;

/// See the module.
#[derive(Debug, Default)]
pub struct ImplicitEuler {
    /// Kind of blocks.
    pub settings: Settings,
    terms: Linearised,
    change: Vec<Vec3>,
    system: Option<BlockSystem>,
    gradients: SpringCg,
    springs: SpringSum,
    normals: Vec<Vec3>,
    /// Change of velocity in the last step, three numbers per vertex: where the next begins.
    last: Vec<Real>,
}

impl ImplicitEuler {
    fn step_directly(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let mut stats = StepStats { iterations: 1, factorisations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        let system = BlockSystem::prepare(&mut self.system, input)?;
        watch.lap(&mut stats, Stage::Factor);

        let (terms, change) = (&mut self.terms, &mut self.change);
        terms.compute(cloth, input, self.settings.blocks);
        add_contacts(terms, cloth, input);
        prescribed_changes(cloth, input, change);
        for prescribed in &input.partition.prescribed {
            let i = prescribed.vertex as usize;
            for (e, other) in neighbours(input.pattern, i) {
                terms.rhs[other] += terms.matrix.couplings[e] * change[i];
            }
        }
        system.assemble(input, |i| terms.matrix.diagonal[i], |e| terms.matrix.couplings[e]);
        watch.lap(&mut stats, Stage::Assemble);

        match self.settings.blocks {
            Blocks::Clamped => system.factor()?,
            Blocks::Raw => stats.indefinite = u32::from(!system.factor_any()?),
        }
        watch.lap(&mut stats, Stage::Factor);

        system.solve(&input.partition.free, |i| terms.rhs[i], |i, dv| change[i] = dv);
        apply_changes(cloth, input, |i| change[i]);
        watch.lap(&mut stats, Stage::Solve);
        Ok(stats)
    }

    fn step_by_gradients(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        let (h, team) = (input.dt, input.team);
        let Self { gradients, springs, terms, change, last, normals, .. } = self;
        let (stiffness, damping) = (input.material.stiffness_by_family(), input.material.damping_by_family());
        let weights = std::array::from_fn(|family| h * h * stiffness[family] + h * damping[family]);
        let holds = input.contacts.iter().map(|touch| {
            let hold = input.hold(touch, cloth.masses[touch.vertex as usize]);
            (touch.vertex, hold * (h * h))
        });
        let upkeep = gradients.prepare(cloth, input, 1.0, weights, holds, team)?;
        (stats.updates, stats.factorisations) = (upkeep.updates, upkeep.factorisations);
        watch.lap(&mut stats, Stage::Factor);

        // b = h F + h² Jˣ v, and what contacts add to it
        let mut x = std::mem::take(&mut gradients.x);
        gradients.fill(&mut x, |i| cloth.positions[i], team);
        gradients.couple(&x, input.pattern, stiffness, h * h, team);
        gradients.fill(&mut x, |i| cloth.velocities[i], team);
        let mut b = std::mem::take(&mut gradients.b);
        gradients.operator.apply_springs(&x, &mut b, team);
        let forces = &mut terms.forces;
        springs.add_up_forces(input.pattern, input.material, cloth, forces, team);
        for touch in input.contacts {
            let i = touch.vertex as usize;
            let gap = touch.point - cloth.positions[i] - cloth.velocities[i] * h;
            forces[i] += input.hold(touch, cloth.masses[i]) * gap + touch.sliding.unwrap_or(Vec3::ZERO) / h;
        }
        if let Some(system) = gradients.system() {
            let vertex_at = &system.symbolic().vertex_at;
            team.update(&mut b, 512, |place, b| {
                let i = vertex_at[place] as usize;
                *b = Lanes::from_vec3((forces[i] + input.external[i]) * h) - *b;
            });
        }
        gradients.b = b;
        let families = &input.pattern.springs().families;
        gradients.operator.add_damping(|e| h * damping[families[e] as usize]);

        vertex_normals(input.pattern, &cloth.positions, normals);
        gradients.set_normals(normals, team);

        // from the change of the last step; at first from free fall, which is exact for a cloth at rest
        prescribed_changes(cloth, input, change);
        let warm = last.len() == 3 * cloth.len();
        gradients.fill(
            &mut x,
            |i| {
                if !input.partition.is_free(i as u32) {
                    change[i]
                } else if warm {
                    Vec3::from_slice(&last[3 * i..])
                } else {
                    input.external[i] * (h / cloth.masses[i])
                }
            },
            team,
        );
        gradients.x = x;
        watch.lap(&mut stats, Stage::Assemble);
        let solved = gradients.solve(self.settings.residual_tolerance, MOST_ITERATIONS, team);
        (stats.iterations, stats.residual) = (solved.iterations, solved.residual);
        if input.partition.prescribed.is_empty() && input.contacts.is_empty() {
            gradients.balance();
        }
        last.clear();
        last.extend((0..cloth.len()).flat_map(|i| gradients.solution(i).to_array()));
        apply_changes(cloth, input, |i| Vec3::from_slice(&last[3 * i..]));
        watch.lap(&mut stats, Stage::Solve);
        Ok(stats)
    }
}

/// Holds the vertices that press on a collider: `W (b - x - h v⁺)`, and the sliding friction.
fn add_contacts(terms: &mut Linearised, cloth: &Cloth, input: &StepInput) {
    let h = input.dt;
    for touch in input.contacts {
        let i = touch.vertex as usize;
        let hold = input.hold(touch, cloth.masses[i]);
        terms.matrix.diagonal[i] += hold * (h * h);
        let gap = touch.point - cloth.positions[i] - cloth.velocities[i] * h;
        terms.rhs[i] += hold * gap * h + touch.sliding.unwrap_or(Vec3::ZERO);
    }
}

impl Solver for ImplicitEuler {
    describe_solver!();

    fn step(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        if !self.settings.iterates() {
            return self.step_directly(cloth, input);
        }
        self.step_by_gradients(cloth, input)
    }

    fn reset(&mut self) {
        self.system = None;
        self.gradients.reset();
        self.last.clear();
    }

    fn memory(&self) -> &[Real] {
        &self.last
    }

    fn remember(&mut self, memory: &[Real]) {
        self.last.clear();
        self.last.extend_from_slice(memory);
    }

    fn passes(&self) -> u32 {
        // so much costs the solve
        64
    }
}
