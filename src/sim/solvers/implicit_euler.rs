//! Implicit Euler, one linearised step.
//!
//! ```text
//! (M - h² Jˣ - h Jᵛ) dv = h F + h² Jˣ v;   v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, algorithms 1 and 3 (with the sign of `physics.md` section 2), after Baraff and Witkin
//! 1998. First order. With clamped blocks the matrix is positive definite, also under compression,
//! so every step has a solution; steps of any length have been bounded in all tests, without a
//! proof. The system is solved by conjugate gradients with the constant matrix of projective
//! dynamics as preconditioner, or by a sparse factorisation in every step. If conjugate gradients
//! have not converged at the cost of a factorisation, the step is factored instead, and so are some
//! of the next steps before conjugate gradients are tried again. Costs are counted in operations,
//! and the remaining number of factored steps is part of the warm start, so that every run takes
//! the same decisions. Raw blocks are those of the papers: exact, until compressed springs make the
//! matrix indefinite; the step is then solved by `L D Lᵀ` and reports this.

use crate::sim::exec::simd::F64x4;
use crate::sim::forces::SpringSum;
use crate::sim::forces::springs::Blocks;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Kind, Tunable, logarithmic};
use crate::sim::pattern::Coefficients;
use crate::sim::solver_interface::{
    BendingRule, Capabilities, ContactLaw, ContactRule, Group, Info, Keeps, MembraneRule, Rung, SeenRange, Stability,
    StepStage, Stopwatch, describe_solver,
};
use crate::sim::solvers::implicit::blocks::BlockSystem;
use crate::sim::solvers::implicit::conjugate_gradients::SpringCg;
use crate::sim::solvers::implicit::friction::Friction;
use crate::sim::solvers::implicit::linearised::{
    Linearised, apply_changes, damping_in_matrix, frame_normals, neighbours, prescribed_changes,
};
use crate::sim::solvers::implicit::membrane_operator::add_to_right_hand_side;
use crate::sim::{Cloth, Mat3, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "implicit-euler",
    name: "Implicit Euler",
    group: Group::Implicit,
    source: "Kang, algorithms 1 and 3; Baraff and Witkin 1998",
    order: 1,
    stability: Stability::Seen(SeenRange {
        stiffness: 1e6,
        step: 0.1,
        remark: "table 1 of Kang: clamped blocks are stable up to 10¹² N/m, raw blocks fail near 10 GN/m",
    }),
    cost: "conjugate gradients with a stored factor, or a sparse factorisation of 3n unknowns; two solves where a cloth begins to slide",
    summary: "One linearised implicit step: stable at any stiffness and step, damps fine motion, expensive. Fast motion stretches the cloth for a moment; substeps reduce that.",
    formula: "(M − h² ∂F/∂x − h ∂F/∂v) Δv = h F + h² ∂F/∂x v,  x' = x + h v'",
    algorithm: include_str!("algorithms/implicit-euler.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::HeldInMatrix,
        bending: BendingRule::Matrix,
        membrane: MembraneRule::Matrix,
        warm_start: true,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[
        (ContactLaw::Slide, 0.163),
        (ContactLaw::SlideByFrames, 0.077_8),
        (ContactLaw::Slip, 0.000_859),
        (ContactLaw::Lay, 1.08),
        (ContactLaw::Load, 7.61),
    ],
};

crate::choices! {
    /// Solver of the linear system of a step.
    pub enum LinearSolver {
        /// Conjugate gradients, preconditioned by a stored factor, to a tolerance.
        ConjugateGradients = "conjugate_gradients",
        /// A new sparse factorisation in every step: exact to rounding.
        Direct = "direct",
    }
}

/// A solution of the linear system closer and closer, then substeps.
pub(super) const LADDER: &[Rung] = &[
    Rung(&[("substeps", "1"), ("residual_tolerance", "0.1")]),
    Rung(&[("substeps", "1"), ("residual_tolerance", "0.01")]),
    Rung(&[("substeps", "1"), ("residual_tolerance", "1e-4")]),
    Rung(&[("substeps", "1"), ("residual_tolerance", "1e-6")]),
    Rung(&[("substeps", "2"), ("residual_tolerance", "1e-6")]),
    Rung(&[("substeps", "4"), ("residual_tolerance", "1e-6")]),
    Rung(&[("substeps", "8"), ("residual_tolerance", "1e-6")]),
];

crate::parameters! {
    /// Settings of [`ImplicitEuler`].
    pub struct ImplicitEulerSettings {
        /// Jacobian of compressed springs: in full and indefinite (raw, as in the paper), or
        /// without the destabilising part (clamped).
        pub blocks: Blocks = Blocks::Clamped, "Blocks", "", Blocks::KIND;
        /// Whether the derivative of the damping is in the matrix (Kang, algorithms 3 and 4). Without
        /// it (algorithms 1 and 2) damping is an explicit force, and strong damping is unstable.
        pub implicit_damping: bool = true, "Implicit damping", "", Kind::Toggle;
        /// Solver of the linear system. Conjugate gradients are several times faster; raw blocks
        /// always use the direct solver.
        pub linear_solver: LinearSolver = LinearSolver::ConjugateGradients, "Linear solver", "", LinearSolver::KIND,
            idle |euler| (euler.blocks == Blocks::Raw).then_some("raw blocks are factored");
        /// Residual at which the linear system counts as solved, relative to its right-hand side.
        pub residual_tolerance: Real = 1e-6, "Tolerance", "", logarithmic(1e-12, 0.1),
            idle |euler| (!euler.iterates()).then_some("the factorisation is exact");
    }
}

impl ImplicitEulerSettings {
    fn iterates(&self) -> bool {
        self.blocks == Blocks::Clamped && self.linear_solver == LinearSolver::ConjugateGradients
    }
}

/// Steps that are factored before conjugate gradients are tried again. A warm start is the change
/// of velocity in the last step, three numbers per vertex, and then the number of these steps that
/// are left.
const FACTORED_STEPS: Real = 16.0;

/// See the module.
#[derive(Debug, Default)]
pub struct ImplicitEuler {
    /// Kind of blocks.
    pub settings: ImplicitEulerSettings,
    terms: Linearised,
    change: Vec<Vec3>,
    system: Option<BlockSystem>,
    gradients: SpringCg,
    springs: SpringSum,
    normals: Vec<Vec3>,
    /// The right-hand side, by places [N·s].
    rhs: Vec<F64x4>,
    friction: Friction,
}

impl ImplicitEuler {
    fn step_directly(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let mut stats = StepStats { iterations: 1, factorisations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        let system = BlockSystem::prepare(&mut self.system, input)?;
        // there is no state to end with but that of the whole step
        input.budget.spend(system.blocks.work())?;
        watch.lap(&mut stats, StepStage::Factor);

        let (terms, change) = (&mut self.terms, &mut self.change);
        terms.compute(cloth, input, self.settings.blocks, self.settings.implicit_damping);
        terms.hold_contacts(cloth, input);
        self.friction.begin(cloth, input);
        prescribed_changes(cloth, input, change);
        add_bending(terms, cloth, input, change);
        let (x, v) = (&cloth.positions[..], &cloth.velocities[..]);
        add_to_right_hand_side(input, (x, v, change), self.settings.blocks, &mut terms.rhs);
        for prescribed in &input.partition.prescribed {
            let i = prescribed.vertex as usize;
            for (e, other) in neighbours(input.pattern, i) {
                terms.rhs[other] += terms.matrix.couplings[e] * change[i];
            }
        }
        loop {
            system.assemble(input, |i| terms.matrix.diagonal[i], |e| terms.matrix.couplings[e]);
            system.add_bending(input, input.dt * input.dt * input.material.isometric_stiffness());
            system.add_membrane(input, &cloth.positions, input.dt * input.dt, self.settings.blocks);
            watch.lap(&mut stats, StepStage::Assemble);

            match self.settings.blocks {
                Blocks::Clamped => system.blocks.factor(input.budget, input.pool)?,
                Blocks::Raw => stats.indefinite = u32::from(!system.blocks.factor_any(input.budget, input.pool)?),
            }
            watch.lap(&mut stats, StepStage::Factor);

            system.blocks.solve(&input.partition.free, |i| terms.rhs[i], |i, dv| change[i] = dv, input.pool);
            let add = |i: usize, matrix: Mat3, impulse: Vec3| {
                terms.matrix.diagonal[i] += matrix;
                terms.rhs[i] += impulse;
            };
            if stats.iterations > 1 || !self.friction.correct(cloth, input, |i| change[i], add) {
                break;
            }
            input.budget.spend(system.blocks.work())?;
            stats.iterations += 1;
            stats.factorisations += 1;
            watch.lap(&mut stats, StepStage::Solve);
        }
        apply_changes(cloth, input, |i| change[i]);
        watch.lap(&mut stats, StepStage::Solve);
        Ok(stats)
    }

    /// The step by conjugate gradients, from the warm start `last`. Returns whether it has been
    /// made; it is not where a factorisation is cheaper.
    fn step_by_gradients(
        &mut self,
        cloth: &mut Cloth,
        last: &mut Vec<Real>,
        input: &StepInput,
    ) -> Result<(StepStats, bool), StepError> {
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        self.friction.begin(cloth, input);
        self.prepare(cloth, input, &mut stats)?;
        watch.lap(&mut stats, StepStage::Factor);
        self.set_system(cloth, last, input);
        watch.lap(&mut stats, StepStage::Assemble);

        let (tolerance, most) = (self.settings.residual_tolerance, self.gradients.iterations_per_factorisation());
        let mut solved = self.gradients.solve(tolerance, most, Real::INFINITY, input.budget, input.pool)?;
        (stats.iterations, stats.residual) = (solved.iterations, solved.residual);
        if solved.residual <= tolerance && self.correct_friction(cloth, input) {
            self.prepare(cloth, input, &mut stats)?;
            self.set_frames(cloth, input);
            std::mem::swap(&mut self.gradients.b, &mut self.rhs);
            solved = self.gradients.solve(tolerance, most, Real::INFINITY, input.budget, input.pool)?;
            stats.iterations += solved.iterations;
            stats.residual = solved.residual;
        }
        stats.exhausted = u32::from(solved.exhausted);
        stats.unconverged = stats.exhausted;
        if solved.residual > tolerance && !solved.exhausted {
            watch.lap(&mut stats, StepStage::Solve);
            return Ok((stats, false));
        }
        let Self { gradients, .. } = self;
        if input.partition.prescribed.is_empty() && input.contacts.is_empty() {
            gradients.balance();
        }
        last.clear();
        last.extend((0..cloth.len()).flat_map(|i| gradients.solution(i).to_array()));
        last.push(0.0);
        apply_changes(cloth, input, |i| Vec3::from_slice(&last[3 * i..]));
        watch.lap(&mut stats, StepStage::Solve);
        Ok((stats, true))
    }

    /// Brings the preconditioner of the gradients up to date for the friction as it is.
    fn prepare(&mut self, cloth: &Cloth, input: &StepInput, stats: &mut StepStats) -> Result<(), StepError> {
        let shared = input.preconditioner_dt;
        // springs stand in for a membrane
        let stiffness = input.material.of_springs().stiffness_by_kind(input.pattern);
        let damping = damping_in_matrix(input, self.settings.implicit_damping);
        let stand_in = (1.0, stiffness.with(damping, |k, c| shared * shared * k + shared * c));
        let work = self.gradients.prepare(cloth, input, 1.0, stand_in, self.friction.blocks(input), input.pool)?;
        stats.updates += work.updates;
        stats.factorisations += work.factorisations;
        Ok(())
    }

    /// Sets matrix and right-hand side of the gradients, and where they begin, from the warm start
    /// `last`.
    fn set_system(&mut self, cloth: &Cloth, last: &[Real], input: &StepInput) {
        let (h, pool) = (input.dt, input.pool);
        let stiffness = input.material.stiffness_by_kind(input.pattern);
        let damping = damping_in_matrix(input, self.settings.implicit_damping);
        let elastic = stiffness.map(|k| h * h * k);
        let mut x = std::mem::take(&mut self.gradients.x);
        self.set_right_hand_side(cloth, input, &elastic, &mut x);
        let Self { gradients, change, .. } = self;
        let damping = damping.on(input.pattern);
        match input.material.damping_model {
            DampingModel::Isotropic => gradients.operator.add_damping(|e| h * damping.at(e)),
            DampingModel::AlongSpring => {
                let along = |e: usize| Some((h * damping.at(e), Real::INFINITY));
                gradients.fill(&mut x, |i| cloth.positions[i], pool);
                gradients.operator.set_jacobians(&x, input.pattern, &elastic, Blocks::Clamped, along, pool);
            }
        }

        // from the change of the last step; at first from free fall, which is exact for a cloth at
        // rest
        prescribed_changes(cloth, input, change);
        let warm = last.len() > 3 * cloth.len();
        let start = |i: usize| {
            if !input.partition.is_free(i as u32) {
                change[i]
            } else if warm {
                Vec3::from_slice(&last[3 * i..])
            } else {
                input.external[i] * (h / cloth.masses[i])
            }
        };
        gradients.fill(&mut x, start, pool);
        gradients.x = x;
        self.set_frames(cloth, input);
    }

    /// Sets `b = h F + h² Jˣ v`, and what contacts add to it, with the `elastic` part of the
    /// operator, `h² k` by kind. `x` is room for a vector.
    fn set_right_hand_side(&mut self, cloth: &Cloth, input: &StepInput, elastic: &Coefficients, x: &mut [F64x4]) {
        let Self { gradients, springs, terms, rhs, .. } = self;
        let (h, pool) = (input.dt, input.pool);
        let bending = input.material.isometric_stiffness();
        gradients.fill(x, |i| cloth.positions[i], pool);
        gradients.operator.bending_factor = h * h * bending;
        gradients.operator.set_jacobians(x, input.pattern, elastic, Blocks::Clamped, |_| None, pool);
        gradients.operator.membrane.set(x, input.material, h * h, Blocks::Clamped);
        gradients.fill(x, |i| cloth.velocities[i], pool);
        let mut b = std::mem::take(&mut gradients.b);
        gradients.operator.apply_springs(x, &mut b, pool);
        let forces = &mut terms.forces;
        springs.add_up_forces(input.pattern, input.material, cloth, forces, pool);
        if bending > 0.0 {
            pool.update(forces, 512, |i, force| *force -= input.bending.apply(i, &cloth.positions) * bending);
        }
        for contact in input.contacts {
            let i = contact.vertex as usize;
            let gap = contact.point - cloth.positions[i] - cloth.velocities[i] * h;
            forces[i] += input.hold(contact, cloth.masses[i]) * gap + contact.impulse() / h;
        }
        if let Some(system) = gradients.system() {
            let vertex_of = &system.symbolic().vertex_of;
            pool.update(&mut b, 512, |place, b| {
                let i = vertex_of[place] as usize;
                *b = F64x4::from_vec3((forces[i] + input.external[i]) * h) - *b;
            });
        }
        if !input.contacts.is_empty() {
            rhs.clone_from(&b);
        }
        gradients.b = b;
    }

    /// Tells the preconditioner how the cloth lies.
    fn set_frames(&mut self, cloth: &Cloth, input: &StepInput) {
        frame_normals(input, self.friction.holds(), &cloth.positions, &mut self.normals);
        self.gradients.set_frames(input.pattern, &cloth.positions, &self.normals, input.pool);
    }

    /// Has friction hold what it can at the solution, in the right-hand side too. Returns whether
    /// that changes anything.
    fn correct_friction(&mut self, cloth: &Cloth, input: &StepInput) -> bool {
        let Self { gradients, rhs, friction, .. } = self;
        let place = |i: usize| gradients.system().map_or(0, |system| system.symbolic().column_of[i] as usize);
        let add = |i: usize, _, impulse: Vec3| rhs[place(i)] = rhs[place(i)] + F64x4::from_vec3(impulse);
        friction.correct(cloth, input, |i| gradients.solution(i), add)
    }
}

/// The part of isometric bending in the right-hand side, `-h B Q (x + h v)`, and the known part of
/// `h² B Q dv`: the `change` of prescribed vertices.
fn add_bending(terms: &mut Linearised, cloth: &Cloth, input: &StepInput, change: &[Vec3]) {
    let (h, stiffness) = (input.dt, input.material.isometric_stiffness());
    if stiffness == 0.0 {
        return;
    }
    input.pool.update(&mut terms.rhs, 512, |i, rhs| {
        for &(j, q) in input.bending.row(i) {
            let j = j as usize;
            *rhs -= (cloth.positions[j] + (cloth.velocities[j] + change[j]) * h) * (h * stiffness * q);
        }
    });
}

impl Solver for ImplicitEuler {
    describe_solver!();

    fn step(
        &mut self,
        cloth: &mut Cloth,
        carried: &mut SolverState,
        input: &StepInput,
    ) -> Result<StepStats, StepError> {
        if !self.settings.iterates() {
            return self.step_directly(cloth, input);
        }
        let mut tried = StepStats::default();
        let SolverState { warm_start, factor } = carried;
        let mut to_factor = warm_start.get(3 * cloth.len()).copied().unwrap_or(0.0);
        if to_factor == 0.0 {
            self.gradients.follow(factor);
            let (stats, done) = self.step_by_gradients(cloth, warm_start, input)?;
            self.gradients.note_history(factor);
            if done {
                return Ok(stats);
            }
            tried = StepStats { residual: 0.0, ..stats };
            to_factor = FACTORED_STEPS;
        }
        let mut stats = self.step_directly(cloth, input)?;
        stats.add(&tried);
        warm_start.clear();
        warm_start.extend(self.change.iter().flat_map(Vec3::to_array));
        warm_start.push(to_factor - 1.0);
        Ok(stats)
    }

    fn reset(&mut self) {
        self.system = None;
        self.gradients.reset();
    }

    fn passes(&self) -> u32 {
        // so much costs the solve
        64
    }
}
