//! Implicit Euler solved to convergence: Newton's method on the incremental potential.
//!
//! ```text
//! q = y;   ∇²E(q) dq = -∇E(q),   q ← q + t dq;   v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Liu et al. 2013, section 2, the reference method of fast mass-spring; `E` as in `physics.md`
//! section 3. First order (it is implicit Euler, without the linearisation). A converged step is
//! bounded for any step length ([`Stability::Proven`]); for a step that ends at the limit of
//! iterations only `E` below that of the inertial target is known.
//!
//! The Hessian is exact. With compressed springs it need not be positive definite, and the usual
//! remedy is to clamp it, spring by spring. Clamping stiffens the model just where a cloth buckles,
//! although the neighbouring springs often make the sum positive definite already: convergence is
//! linear then, and slow (27 iterations per step on a hanging cloth of 40×40 vertices, 26 on one
//! that drapes over a table, where a third of the steps ended at the limit of 50). So no block is
//! clamped, as proposed by Longva, Löschner, Fernández-Fernández, Larionov, Ascher, Bender
//! ("Pitfalls of Projection", 2023): each direction comes from conjugate gradients in a trust
//! region, which end at negative curvature (Steihaug 1983), and a line search halves it until `E`
//! falls enough (Nocedal and Yuan 1998). The radius shrinks with the halvings, and grows if the
//! model predicted the decrease: 10 iterations on either cloth, all converged, in less than half of
//! the time. Switching between clamped and exact blocks by the model's error (as Chen et al. 2024
//! switch between filters) took 7 and 10 iterations with exact directions, but no less time.
//!
//! The start matters as much. The inertial target lies `h² g` from a hanging cloth, and all its
//! springs are stretched there; at the force-free position `x + h v` they are not. Where a surface
//! stops a flat cloth, it is compressed at both, and an unfinished descent ends anywhere below.
//! The start is the one of the target, `x + h v` and `x` with the lowest `E`: 4 iterations on the
//! hanging cloth, 9 on the table, with those after corrections of friction.
//!
//! Friction has no potential. Contacts stick or slide by the state at the start of the step; the
//! solved step is solved again with the friction at the new positions, twice at most: a contact
//! that begins to slide loads the next one.
//!
//! The tolerance of a direction depends on the accuracy of the model and on the remaining motion,
//! relative to the cloth (after Eisenstat and Walker 1996): convergence is quadratic at the end.

use crate::sim::forces::SpringSum;
use crate::sim::forces::springs::Blocks;
use crate::sim::measure::Potential;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Tunable, count, logarithmic};
use crate::sim::solver_interface::{
    Ability, BendingRule, Capabilities, Components, ContactLaw, ContactRule, Demand, Group, HeldWholes, Info,
    Iteration, Keeps, MembraneRule, Minimiser, Rung, Stability, StepStage, Stopwatch, WorkSetting, describe_solver,
    start_lower,
};
use crate::sim::solvers::implicit::conjugate_gradients::{Solved, SpringCg};
use crate::sim::solvers::implicit::linearised::frame_normals;
use crate::sim::{Cloth, Mat3, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "implicit-newton",
    name: "Implicit Newton",
    group: Group::Implicit,
    source: "Liu et al. 2013, section 2",
    order: 1,
    stability: Stability::Proven("for steps that reach the tolerance, but for contacts"),
    cost: "some 4 to 12 iterations, each a linear solve by conjugate gradients",
    summary: "Implicit Euler solved exactly: the reference for the faster methods, and the slowest.",
    formula: "x' = argmin m/2h² |q − y|² + E(q),  y = x + h v + h² f/m",
    algorithm: include_str!("algorithms/implicit-newton.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::HeldInMatrix,
        schemes: Ability::Yes,
        bending: BendingRule::Matrix,
        membrane: MembraneRule::Matrix,
        converges: true,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[(ContactLaw::Slip, 0.000_837), (ContactLaw::Load, 8.32)],
};

/// Iterations up to the solution of the step, then substeps.
pub(super) const LADDER: &[Rung] = &[
    Rung(&[("substeps", "1"), ("newton_iterations", "1")]),
    Rung(&[("substeps", "1"), ("newton_iterations", "2")]),
    Rung(&[("substeps", "1"), ("newton_iterations", "4")]),
    Rung(&[("substeps", "1"), ("newton_iterations", "10")]),
    Rung(&[("substeps", "2"), ("newton_iterations", "10")]),
    Rung(&[("substeps", "4"), ("newton_iterations", "10")]),
];

crate::parameters! {
    /// Settings of [`ImplicitNewton`].
    pub struct ImplicitNewtonSettings {
        /// Residual force on any vertex and axis at which the step counts as solved.
        pub gradient_tolerance: Real = 1e-9, "Tolerance", "N", logarithmic(1e-12, 1.0);
        /// Largest number of Newton iterations per step; a step that is not solved by then ends
        /// with its last iterate.
        pub newton_iterations: u32 = 50, "Iterations", "", count(1, 200);
    }
}

/// Least and most exact solve of a direction, relative to its right-hand side.
const FORCING: [Real; 2] = [0.1, 1e-10];
/// How exact a solve is worth while where the model is off by so much: this share of it.
const MODEL_ERROR: Real = 0.1;
/// Most iterations of conjugate gradients for a direction.
const MOST_ITERATIONS: u32 = 500;
/// Rounding error of a sum of spring forces, relative to its largest term.
const ROUNDING: Real = 4.0 * Real::EPSILON;
/// Rounding error of the potential, relative to it.
const ENERGY_ROUNDING: Real = 1e-13;
/// Most corrections of friction in a step.
const CORRECTIONS: u32 = 2;
/// Most halvings of a Newton step.
const HALVINGS: u32 = 30;

/// See the module.
#[derive(Debug, Default)]
pub struct ImplicitNewton {
    /// Tolerance and limit.
    pub settings: ImplicitNewtonSettings,
    target: Vec<Vec3>,
    holds: Vec<Mat3>,
    iterate: Iterate,
    normals: Vec<Vec3>,
    /// The system of `∇²E` [N/m].
    gradients: SpringCg,
    parts: Components,
    wholes: HeldWholes,
}

/// The iterate of a step and where it goes.
#[derive(Debug, Default)]
struct Iterate {
    /// Positions, one entry per vertex [m].
    q: Vec<Vec3>,
    trial: Vec<Vec3>,
    /// Newton direction, one entry per vertex [m].
    step: Vec<Vec3>,
    /// `-∂E/∂q`, one entry per vertex [N].
    force: Vec<Vec3>,
    springs: SpringSum,
    /// Radius of the trust region around `q`, in the norm of the preconditioner.
    radius: Real,
    /// Relative error of the decrease that the model foretold on the way to `q`.
    model_error: Real,
}

/// Statistics of a descent.
struct Descent {
    stats: StepStats,
    /// Whether the step is solved: to the tolerance, or to rounding.
    solved: bool,
    /// Time of work that every descent does once, however many iterations it has [s].
    once: Real,
}

impl Iterate {
    /// Forgets how far the model can be trusted.
    fn trust_anything(&mut self) {
        (self.radius, self.model_error) = (Real::INFINITY, Real::INFINITY);
    }

    /// Starts at `start` [m], or at the inertial target or nearer if that is not given. Returns the
    /// potential there.
    fn begin(&mut self, potential: &Potential, start: Option<&[Vec3]>) -> Real {
        let from = start.unwrap_or(potential.target);
        // the model belongs to the place where it was computed
        if self.q != from {
            self.trust_anything();
        }
        self.q.clear();
        self.q.extend_from_slice(from);
        self.step.resize(from.len(), Vec3::ZERO);
        let mut energy = potential.value(&self.q);
        if start.is_none() {
            self.hold_back(potential, &mut energy);
        }
        energy
    }

    /// Learns how far the model can be trusted from a step of this share of the direction, whose
    /// `length` is that in the norm of the preconditioner: `truth` is the decrease of the potential
    /// relative to that of the model.
    fn learn(&mut self, share: Real, truth: Real, length: Real) {
        self.model_error = (truth - 1.0).abs();
        if share < 1.0 {
            // as far as was tried last and was too far
            self.radius = 2.0 * share * length;
        } else if truth < 0.25 {
            self.radius = 0.25 * length;
        } else if truth > 0.75 {
            self.radius = self.radius.max(2.0 * length);
        }
    }

    /// Finds the unbalanced force, and returns the largest of its components [N].
    fn unbalance(&mut self, potential: &Potential) -> Real {
        potential.descent(&self.q, &mut self.springs, &mut self.force);
        self.force.iter().map(|f| f.abs().max_element()).fold(0.0, Real::max)
    }

    /// Takes `q` back from the inertial target to where the cloth would go without any force, or to
    /// where it is, if the potential is lower there: where the cloth hangs or lies, its springs
    /// balance the other forces, and it hardly accelerates; where a contact stops it, its springs are
    /// compressed at the other two places. In free fall it stays.
    fn hold_back(&mut self, potential: &Potential, energy: &mut Real) {
        for share in [1.0, 0.0] {
            potential.input.coast(potential.cloth, share, &mut self.trial);
            let value = potential.value(&self.trial);
            if value < *energy {
                *energy = value;
                std::mem::swap(&mut self.q, &mut self.trial);
            }
        }
    }

    /// Moves `q` along the Newton direction as far as the potential falls. Returns the share of the
    /// direction that it went, if it moved.
    fn search(&mut self, potential: &Potential, energy: &mut Real) -> Result<Option<Real>, StepError> {
        let free = &potential.input.partition.free;
        let slope: Real = free.iter().map(|&i| -self.force[i as usize].dot(self.step[i as usize])).sum();
        let mut t = 1.0;
        for _ in 0..HALVINGS {
            // one more is no harm where the work is used up
            potential.input.budget.spend(potential.input.pattern.springs().len())?;
            self.trial.clone_from(&self.q);
            for &i in free {
                self.trial[i as usize] += self.step[i as usize] * t;
            }
            let value = potential.value(&self.trial);
            // without the last term rounding stalls the search near the minimum
            if value <= *energy + 1e-4 * t * slope + ENERGY_ROUNDING * energy.abs() {
                *energy = value;
                std::mem::swap(&mut self.q, &mut self.trial);
                return Ok(Some(t));
            }
            t *= 0.5;
        }
        Ok(None)
    }
}

impl ImplicitNewton {
    /// Iterates from `start` [m], or from the inertial target if that is not given, at most so many
    /// times. The positions are in `self.iterate.q` then.
    fn descend(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        iterations: u32,
        start: Option<&[Vec3]>,
    ) -> Result<Descent, StepError> {
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        self.holds.clear();
        self.holds.extend(input.holds(&cloth.masses));
        self.prepare(cloth, input, &mut stats)?;
        watch.lap(&mut stats, StepStage::Factor);

        input.predict(cloth, &mut self.target);
        let potential = Potential { cloth, input, target: &self.target, holds: &self.holds };
        let mut energy = self.iterate.begin(&potential, start);
        let mut tolerance = self.settings.gradient_tolerance;
        watch.lap(&mut stats, StepStage::Assemble);
        let mut once = stats.total_seconds();
        let mut solved;
        let mut goes_on = true;
        let mut corrections = 0;
        loop {
            let before = stats.total_seconds();
            let potential = Potential { cloth, input, target: &self.target, holds: &self.holds };
            stats.residual = self.iterate.unbalance(&potential);
            watch.lap(&mut stats, StepStage::Assemble);
            solved = stats.residual <= tolerance;
            let corrects = solved && start.is_none() && corrections < CORRECTIONS && stats.iterations < iterations;
            if corrects && let Some(value) = self.correct_friction(cloth, input, &mut stats)? {
                (energy, corrections) = (value, corrections + 1);
                continue;
            }
            if solved || stats.iterations == iterations || !goes_on || !energy.is_finite() {
                if stats.iterations > 0 {
                    once += stats.total_seconds() - before;
                }
                break;
            }
            if !input.budget.spend(4 * input.pattern.kinds().len())? {
                stats.exhausted = 1;
                break;
            }
            self.set_model(cloth, input);
            let way = self.find_direction(input, &mut tolerance, &mut stats, &mut watch)?;
            let high = energy;
            let potential = Potential { cloth, input, target: &self.target, holds: &self.holds };
            let share = self.iterate.search(&potential, &mut energy)?;
            watch.lap(&mut stats, StepStage::Local);
            stats.exhausted = u32::from(way.exhausted);
            // of a change as small as its rounding error nothing can be learned
            let visible = way.decrease > 1e3 * ENERGY_ROUNDING * high.abs();
            let Some(share) = share else {
                solved = !visible;
                break;
            };
            if visible {
                self.iterate.learn(share, (high - energy) / way.decrease, way.length);
            }
            goes_on = !way.exhausted;
        }
        // a step that is solved has not ended early
        stats.exhausted *= u32::from(!solved);
        Ok(Descent { stats, solved, once })
    }

    /// Has friction hold what it can at the iterate. Returns the potential there if that changes
    /// it.
    fn correct_friction(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        stats: &mut StepStats,
    ) -> Result<Option<Real>, StepError> {
        let q = &self.iterate.q;
        if !input.correct_friction(&cloth.masses, &mut self.holds, |i| q[i], |_, _| {}) {
            return Ok(None);
        }
        self.prepare(cloth, input, stats)?;
        let potential = Potential { cloth, input, target: &self.target, holds: &self.holds };
        Ok(Some(potential.value(&self.iterate.q)))
    }

    /// Brings the preconditioner up to date for what holds the vertices.
    fn prepare(&mut self, cloth: &Cloth, input: &StepInput, stats: &mut StepStats) -> Result<(), StepError> {
        let (h, shared) = (input.dt, input.preconditioner_dt);
        // springs stand in for a membrane
        let stiffness = input.material.of_springs().stiffness_by_kind(input.pattern);
        let weights = stiffness.with(input.material.damping_by_kind(input.pattern), |k, c| k + c / shared);
        let held = input.contacts.iter().map(|contact| contact.vertex).zip(self.holds.iter().copied());
        let stand_in = (1.0 / (shared * shared), weights);
        let work = self.gradients.prepare(cloth, input, 1.0 / (h * h), stand_in, held, input.pool)?;
        stats.updates += work.updates;
        stats.factorisations += work.factorisations;
        Ok(())
    }

    /// Makes the quadratic model of the potential at the iterate: its Hessian and, for the
    /// right-hand side, its force.
    fn set_model(&mut self, cloth: &Cloth, input: &StepInput) {
        let Self { iterate, holds, normals, gradients, .. } = self;
        let (h, pool) = (input.dt, input.pool);
        let stiffness = input.material.stiffness_by_kind(input.pattern);
        let damping = input.material.damping_by_kind(input.pattern).on(input.pattern);
        let mut x = std::mem::take(&mut gradients.x);
        gradients.fill(&mut x, |i| iterate.q[i], pool);
        gradients.operator.bending_factor = input.material.isometric_stiffness();
        match input.material.damping_model {
            DampingModel::Isotropic => {
                gradients.operator.set_jacobians(&x, input.pattern, &stiffness, Blocks::Raw, |_| None, pool);
                gradients.operator.add_damping(|e| damping.at(e) / h);
            }
            DampingModel::AlongSpring => {
                let ends = &input.pattern.springs().ends;
                let along = |e: usize| {
                    let [i, j] = ends[e].map(|end| cloth.positions[end as usize]);
                    Some((damping.at(e) / h, i.distance(j)))
                };
                gradients.operator.set_jacobians(&x, input.pattern, &stiffness, Blocks::Raw, along, pool);
            }
        }
        gradients.operator.membrane.set(&x, input.material, 1.0, Blocks::Raw);
        frame_normals(input, holds, &iterate.q, normals);
        gradients.set_frames(input.pattern, &iterate.q, normals, pool);
        x.fill(Default::default());
        gradients.x = x;
        let mut b = std::mem::take(&mut gradients.b);
        gradients.fill(&mut b, |i| iterate.force[i], pool);
        gradients.b = b;
    }

    /// Finds the direction in which the model falls, as exactly as is worth while. Raises the
    /// tolerance to what rounding leaves.
    fn find_direction(
        &mut self,
        input: &StepInput,
        tolerance: &mut Real,
        stats: &mut StepStats,
        watch: &mut Stopwatch,
    ) -> Result<Solved, StepError> {
        let Self { iterate, gradients, .. } = self;
        // no less than rounding leaves of the largest terms
        let largest = gradients.operator.largest_diagonal();
        let extent = iterate.q.iter().map(|x| x.abs().max_element()).fold(0.0, Real::max);
        *tolerance = tolerance.max(ROUNDING * largest * extent);
        watch.lap(stats, StepStage::Assemble);

        stats.iterations += 1;
        let [most, least] = FORCING;
        let left = stats.residual / (largest * extent);
        let worth = left.max(MODEL_ERROR * iterate.model_error).min(left.sqrt());
        let exactness = worth.max(0.1 * *tolerance / stats.residual).clamp(least, most);
        let way = gradients.solve(exactness, MOST_ITERATIONS, iterate.radius, input.budget, input.pool)?;
        for &vertex in &input.partition.free {
            iterate.step[vertex as usize] = gradients.solution(vertex as usize);
        }
        watch.lap(stats, StepStage::Solve);
        Ok(way)
    }
}

impl Minimiser for ImplicitNewton {
    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        let done = self.descend(cloth, input, 1, Some(q))?;
        q.copy_from_slice(&self.iterate.q);
        Ok(Iteration { seconds: done.stats.total_seconds() - done.once, solved: done.solved })
    }

    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
        Some(Potential::of_step(cloth, input, q))
    }

    fn start(&mut self, cloth: &Cloth, input: &StepInput, q: &mut Vec<Vec3>) -> Result<(), StepError> {
        start_lower(self, cloth, input, q);
        Ok(())
    }

    fn limit_iterations(&mut self, most: u32) {
        self.settings.newton_iterations = most;
    }

    fn minimises_potential(&self, _: &StepInput) -> bool {
        true
    }
}

impl Solver for ImplicitNewton {
    describe_solver!();

    fn suit(&mut self, _: &Demand) {
        // past that few steps come much closer, and some take a second
        (self.settings.gradient_tolerance, self.settings.newton_iterations) = (1e-6, 10);
    }

    fn work_setting(&self) -> WorkSetting {
        WorkSetting::of("newton_iterations")
    }

    fn step(
        &mut self,
        cloth: &mut Cloth,
        carried: &mut SolverState,
        input: &StepInput,
    ) -> Result<StepStats, StepError> {
        let most = self.settings.newton_iterations;
        // no step depends on the end of the last one
        self.iterate.q.clear();
        self.gradients.follow(&carried.factor);
        let Descent { mut stats, solved, .. } = self.descend(cloth, input, most, None)?;
        self.gradients.note_history(&mut carried.factor);
        stats.unconverged = u32::from(!solved);
        if !solved {
            // in free fall the errors of the springs must not move a part as a whole
            let Self { parts, wholes, target, holds, iterate, .. } = self;
            parts.update(input);
            wholes.balance(parts, cloth, input, target, holds, &mut iterate.q);
        }
        input.arrive(cloth, |i| self.iterate.q[i]);
        Ok(stats)
    }

    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        Some(self)
    }

    fn reset(&mut self) {
        self.gradients.reset();
        self.iterate = Iterate::default();
    }

    fn passes(&self) -> u32 {
        // so much cost the solves
        64
    }
}
