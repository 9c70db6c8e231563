//! Implicit Euler solved to convergence: Newton's method on the incremental potential.
//!
//! ```text
//! q = y;   ∇²E(q) dq = -∇E(q),   q ← q + t dq;   v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Liu et al. 2013, section 2, the method that fast mass-spring is compared with; `E` as in `physics.md` section 3. The Hessian
//! has clamped blocks, so it is positive definite and every direction descends; the step `t` is halved until `E` falls enough.
//! Each direction is found by conjugate gradients, the more exactly the nearer the minimum is (Dembo, Eisenstat, Steihaug
//! 1982), so convergence stays quadratic where no spring is compressed. First order (it is implicit Euler, without the
//! linearisation), bounded for any step.

use crate::sim::contact::Touch;
use crate::sim::forces::SpringSum;
use crate::sim::forces::air::vertex_normals;
use crate::sim::linear::SpringCg;
use crate::sim::measure::Potential;
use crate::sim::params::{Tunable, count, logarithmic};
use crate::sim::solver::{Group, Info, Iteration, Keeps, Minimiser, Stability, Stage, Stopwatch, describe_solver};
use crate::sim::{Cloth, Mat3, Real, Solver, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "implicit-newton",
    name: "Implicit Newton",
    group: Group::Implicit,
    source: "Liu et al. 2013, section 2",
    order: 1,
    stability: Stability::Unconditional,
    cost: "per iteration a linear solve by conjugate gradients",
    summary: "Implicit Euler solved exactly: the reference for what the faster methods approximate, and the slowest.",
    ignores: &[],
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
};

crate::parameters! {
    /// Settings of [`ImplicitNewton`].
    pub struct Settings {
        /// Unbalanced force on any vertex and axis at which the step counts as solved.
        pub gradient_tolerance: Real = 1e-9, "Tolerance", "N", logarithmic(1e-12, 1.0);
        /// Most Newton iterations per step; a step that is not solved by then goes on with what it has.
        pub newton_iterations: u32 = 50, "Iterations", "", count(1, 200);
    }
}

/// Least and most exact solve of a direction, relative to its right-hand side.
const FORCING: [Real; 2] = [1e-2, 1e-10];
/// Most iterations of conjugate gradients for a direction.
const MOST_ITERATIONS: u32 = 500;
/// Rounding error of a sum of spring forces, relative to its largest term.
const ROUNDING: Real = 4.0 * Real::EPSILON;
/// Most halvings of a Newton step.
const HALVINGS: u32 = 30;

/// See the module.
#[derive(Debug, Default)]
pub struct ImplicitNewton {
    /// Tolerance and limit.
    pub settings: Settings,
    target: Vec<Vec3>,
    holds: Vec<Mat3>,
    iterate: Iterate,
    normals: Vec<Vec3>,
    /// The system of `∇²E` [N/m].
    gradients: SpringCg,
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
}

impl Iterate {
    /// Finds the unbalanced force, and returns the largest of its components [N].
    fn unbalance(&mut self, potential: &Potential) -> Real {
        potential.descent(&self.q, &mut self.springs, &mut self.force);
        self.force.iter().map(|f| f.abs().max_element()).fold(0.0, Real::max)
    }

    /// Moves `q` along the Newton direction as far as the potential falls. Returns whether it moved.
    fn search(&mut self, potential: &Potential, energy: &mut Real) -> bool {
        let free = &potential.input.partition.free;
        let slope: Real = free.iter().map(|&i| -self.force[i as usize].dot(self.step[i as usize])).sum();
        let mut t = 1.0;
        for _ in 0..HALVINGS {
            self.trial.clone_from(&self.q);
            for &i in free {
                self.trial[i as usize] += self.step[i as usize] * t;
            }
            let value = potential.value(&self.trial);
            // without the last term rounding stalls the search near the minimum
            if value <= *energy + 1e-4 * t * slope + 1e-13 * energy.abs() {
                *energy = value;
                std::mem::swap(&mut self.q, &mut self.trial);
                return true;
            }
            t *= 0.5;
        }
        false
    }
}

impl ImplicitNewton {
    /// Iterates from `start` [m], or from the inertial target if that is not given, at most so many times. Returns what it
    /// did, and whether the step is solved; the positions are in `self.iterate.q`.
    fn descend(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        iterations: u32,
        start: Option<&[Vec3]>,
    ) -> Result<(StepStats, bool), StepError> {
        let Self { settings, target, holds, iterate, normals, gradients } = self;
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        let (h, team) = (input.dt, input.team);
        let (stiffness, damping) = (input.material.stiffness_by_family(), input.material.damping_by_family());
        let families = &input.pattern.springs().families;
        holds.clear();
        holds.extend(input.contacts.iter().map(|touch| input.hold(touch, cloth.masses[touch.vertex as usize])));
        let weights = std::array::from_fn(|family| stiffness[family] + damping[family] / h);
        let held = input.contacts.iter().map(|touch| touch.vertex).zip(holds.iter().copied());
        let upkeep = gradients.prepare(cloth, input, 1.0 / (h * h), weights, held, team)?;
        (stats.updates, stats.factorisations) = (upkeep.updates, upkeep.factorisations);
        watch.lap(&mut stats, Stage::Factor);

        input.predict(cloth, target);
        iterate.q.clear();
        iterate.q.extend_from_slice(start.unwrap_or(target));
        iterate.step.resize(cloth.len(), Vec3::ZERO);
        let potential = Potential { cloth, input, target, holds };
        let mut energy = potential.value(&iterate.q);
        let mut tolerance = settings.gradient_tolerance;
        let mut solved;
        loop {
            stats.residual = iterate.unbalance(&potential);
            watch.lap(&mut stats, Stage::Assemble);
            solved = stats.residual <= tolerance;
            if solved || stats.iterations == iterations || !energy.is_finite() {
                break;
            }
            let mut x = std::mem::take(&mut gradients.x);
            gradients.fill(&mut x, |i| iterate.q[i], team);
            gradients.couple(&x, input.pattern, stiffness, 1.0, team);
            gradients.operator.add_damping(|e| damping[families[e] as usize] / h);
            vertex_normals(input.pattern, &iterate.q, normals);
            gradients.set_normals(normals, team);
            x.fill(Default::default());
            gradients.x = x;
            let mut b = std::mem::take(&mut gradients.b);
            gradients.fill(&mut b, |i| iterate.force[i], team);
            gradients.b = b;
            // no less than rounding leaves of the largest terms
            let largest = gradients.operator.largest_diagonal();
            let extent = iterate.q.iter().map(|x| x.abs().max_element()).fold(0.0, Real::max);
            tolerance = tolerance.max(ROUNDING * largest * extent);
            watch.lap(&mut stats, Stage::Assemble);

            stats.iterations += 1;
            let [most, least] = FORCING;
            // as exact as the motion that is left is small, compared with the cloth
            let left = stats.residual / (largest * extent);
            let exactness = left.max(0.1 * tolerance / stats.residual).clamp(least, most);
            gradients.solve(exactness, MOST_ITERATIONS, team);
            for &vertex in &input.partition.free {
                iterate.step[vertex as usize] = gradients.solution(vertex as usize);
            }
            watch.lap(&mut stats, Stage::Solve);
            let moved = iterate.search(&potential, &mut energy);
            watch.lap(&mut stats, Stage::Local);
            if !moved {
                solved = true;
                break;
            }
        }
        Ok((stats, solved))
    }
}

impl Minimiser for ImplicitNewton {
    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        let (stats, solved) = self.descend(cloth, input, 1, Some(q))?;
        q.copy_from_slice(&self.iterate.q);
        Ok(Iteration { seconds: stats.total_seconds(), solved })
    }

    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
        let hold = |touch: &Touch| input.hold(touch, cloth.masses[touch.vertex as usize]);
        let holds: Vec<Mat3> = input.contacts.iter().map(hold).collect();
        let mut target = Vec::new();
        input.predict(cloth, &mut target);
        Some(Potential { cloth, input, target: &target, holds: &holds }.value(q))
    }

    fn minimises_potential(&self, _: &StepInput) -> bool {
        true
    }
}

impl Solver for ImplicitNewton {
    describe_solver!();

    fn step(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let most = self.settings.newton_iterations;
        let (stats, _) = self.descend(cloth, input, most, None)?;
        input.arrive(cloth, |i| self.iterate.q[i]);
        Ok(stats)
    }

    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        Some(self)
    }

    fn reset(&mut self) {
        self.gradients.reset();
    }

    fn passes(&self) -> u32 {
        // so much cost the solves
        64
    }
}
