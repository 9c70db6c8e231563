//! Common part of `fast-mass-spring` and `projective-dynamics`: alternation of projections with one
//! constant linear system.
//!
//! ```text
//! y = x + h v + h² M⁻¹ f_ext,   q = y, or q = x
//! local:   p_c = projection of A_c q, for every constraint
//! global:  (M/h² + Σ w A_cᵀA_c + L_c/h + B Q) q = M y/h² + Σ w A_cᵀ p_c + L_c x/h
//! v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Liu et al. 2013; Bouaziz et al. 2014, algorithm 1; damping as in `physics.md` section 3; `B Q`
//! is the matrix of isometric bending, if there is any. Everything is stored in the elimination
//! order of the factor, so a step needs permutations only at its start and end. All loops of a step
//! use one thread pool; sums are gathered per vertex.
//!
//! If the factor is larger than a cache, the global step is a correction of `q`, solved in single
//! precision from the residual in double precision: the iterates differ by some 1e-4 of the change
//! in an iteration, and have the same limit.

mod acceleration;
mod anderson;
mod balance;
mod blocks;
mod chebyshev;
mod coordinates;
mod descent;
mod elastic;
mod history;
mod iterates;
mod length_terms;
mod mass_matrix;
mod products;
mod quasi_newton;
mod sliding;
mod start;
mod stopping;
mod terms;
mod velocity_filter;

pub use acceleration::{Acceleration, IterationPlan};
pub use coordinates::Coordinates;
pub use iterates::{damps_as_potential, objective};
pub use mass_matrix::MassMatrix;
pub use start::Start;
pub use terms::Weights;
pub use velocity_filter::{MovingPoint, RigidMotion, VelocityFilter};

use blocks::Blocks;
use descent::Descent;
use length_terms::LengthTerms;
use sliding::Sliding;
use terms::{Sparsity, Terms};

use crate::sim::contact::Contact;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;
use crate::sim::linear::{ConstantSystem, FactorHistory, FactorWork, WholeShape};
use crate::sim::measure::ExampleWeights;
use crate::sim::solver_interface::{Rung, StepStage, Stopwatch, Wholes};
use crate::sim::{Cloth, Real, StepError, StepInput, StepStats, Vec3};

/// Places, and batches of four lengths, per task.
const PLACES: usize = 512;
const BATCHES: usize = 512;

/// Why these methods damp by one law alone.
pub const CONSTANT_MATRIX: &str = "its matrix is constant; that of damping along the springs rotates with them";

/// How contacts are held.
#[derive(Debug, Clone, Copy)]
pub struct BoundaryConditions {
    /// Weight of a contact relative to all else that acts on its vertex; zero leaves contacts to
    /// the response after the step.
    pub contacts: Real,
}

/// Implements [`Minimiser`](crate::sim::solver_interface::Minimiser) by the solver's `engine`, with
/// `settings.problem()`: weights, boundary conditions and plan.
macro_rules! minimise_by_engine {
    () => {
        fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
            let (weights, boundary, plan) = self.settings.problem();
            let weights = weights.with_membrane(input.material);
            self.engine.iterate(cloth, input, &weights, boundary, &plan, q)
        }

        fn start(&mut self, cloth: &Cloth, input: &StepInput, q: &mut Vec<Vec3>) -> Result<(), StepError> {
            let (weights, boundary, plan) = self.settings.problem();
            let weights = weights.with_membrane(input.material);
            self.engine.start(cloth, input, (&weights, boundary), &plan, q)
        }

        fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
            let (weights, boundary, _) = self.settings.problem();
            objective(cloth, input, &weights.with_membrane(input.material), boundary, q)
        }

        fn objective_near(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3], near: &[Vec3]) -> Option<Real> {
            let (weights, ..) = self.settings.problem();
            Some(self.engine.objective_near(cloth, input, &weights.with_membrane(input.material), q, near))
        }

        fn limit_iterations(&mut self, most: u32) {
            (self.settings.iterations, self.settings.stop_by_error) = (most, false);
        }

        fn accelerate(&mut self, choice: usize) {
            self.settings.acceleration.assign(Setting::Choice(choice));
        }
    };
}
pub(super) use minimise_by_engine;

/// Few plain iterations, accelerated ones up to a small error of the energy, then substeps.
pub(super) const LADDER: &[Rung] = &[
    Rung(&[("substeps", "1"), ("acceleration", "none"), ("stop_by_error", "false"), ("iterations", "2")]),
    Rung(&[("substeps", "1"), ("acceleration", "none"), ("stop_by_error", "false"), ("iterations", "5")]),
    Rung(&[("substeps", "1"), ("acceleration", "quasi_newton"), ("stop_by_error", "false"), ("iterations", "5")]),
    Rung(&[("substeps", "1"), ("acceleration", "quasi_newton"), ("stop_by_error", "false"), ("iterations", "10")]),
    Rung(&[
        ("substeps", "1"),
        ("acceleration", "quasi_newton"),
        ("stop_by_error", "true"),
        ("energy_error", "1e-8"),
        ("iterations", "50"),
    ]),
    Rung(&[("substeps", "2"), ("acceleration", "quasi_newton"), ("stop_by_error", "false"), ("iterations", "20")]),
    Rung(&[("substeps", "4"), ("acceleration", "quasi_newton"), ("stop_by_error", "false"), ("iterations", "20")]),
];

/// Implements [`Solver`](crate::sim::Solver) by the solver's `engine`.
macro_rules! solve_by_engine {
    () => {
        fn suit(&mut self, _: &Demand) {
            self.settings.acceleration = Acceleration::QuasiNewton;
        }

        fn work_setting(&self) -> WorkSetting {
            WorkSetting::of("iterations")
        }

        fn step(
            &mut self,
            cloth: &mut Cloth,
            carried: &mut SolverState,
            input: &StepInput,
        ) -> Result<StepStats, StepError> {
            let (weights, boundary, plan) = self.settings.problem();
            let weights = weights.with_membrane(input.material);
            self.engine.follow(&carried.factor);
            let stats = self.engine.step(cloth, input, &weights, boundary, &plan)?;
            self.engine.note_history(&mut carried.factor);
            Ok(stats)
        }

        fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
            Some(self)
        }

        fn projections(&self, system: &crate::sim::measure::SpringSystem) -> Option<crate::sim::measure::Projections> {
            let (weights, ..) = self.settings.problem();
            Some(self.engine.projections(system, &weights))
        }

        fn reset(&mut self) {
            self.engine.reset();
        }

        fn passes(&self) -> u32 {
            // the solves cost more than the springs
            16
        }
    };
}
pub(super) use solve_by_engine;

/// The state of the method.
#[derive(Debug, Default)]
pub struct LocalGlobal {
    terms: Terms,
    lengths: LengthTerms,
    blocks: Blocks,
    /// Shape of the factor of the whole cloth.
    whole: WholeShape<Option<Sparsity>>,
    system: Option<ConstantSystem>,
    /// How the next factor is to come about.
    resumed: Option<FactorHistory>,
    /// Input of the diagonal of the matrix.
    masses: Vec<Real>,
    inertia: Real,
    /// Positions by places [m].
    q: Vec<F64x4>,
    /// Right-hand side, then solution.
    b: Vec<F64x4>,
    /// The part of the right-hand side that iterations do not change [N].
    constant: Vec<F64x4>,
    /// Vertices that are held softly, by rising place: place, weight [N/m] and point [m].
    targets: Vec<(u32, Real, Vec3)>,
    /// Prescribed vertices by rising place, with their positions [m].
    prescribed: Vec<(u32, F64x4)>,
    /// Contacts by rising place, with their weight [N/m].
    contacts: Vec<(u32, Real, Contact)>,
    wholes: Wholes,
    /// Of accelerated iterations.
    descent: Descent,
    sliding: Sliding,
    filter: VelocityFilter,
}

impl LocalGlobal {
    /// One step with the iterations of `plan`.
    ///
    /// # Errors
    /// [`StepError::Factor`] when the matrix has no factor, [`StepError::Cancelled`] when the step
    /// has been called off.
    pub fn step(
        &mut self,
        cloth: &mut Cloth,
        input: &StepInput,
        weights: &Weights,
        boundary: BoundaryConditions,
        plan: &IterationPlan,
    ) -> Result<StepStats, StepError> {
        let mut watch = Stopwatch::start(input.clock);
        let pool = input.pool;
        let mut stats = StepStats::default();
        let work = self.prepare(cloth, input, weights, boundary, pool)?;
        (stats.factorisations, stats.updates) = (work.factorisations, work.updates);
        watch.lap(&mut stats, StepStage::Factor);
        self.blocks.begin();
        self.predict(cloth, input, plan.start, pool);
        watch.lap(&mut stats, StepStage::Assemble);
        if plan.is_plain() {
            self.iterate_plainly(cloth, input, weights, plan.iterations, (&mut watch, &mut stats))?;
            stats.residual = self.last_motion();
        } else {
            self.descend(cloth, input, weights, plan, (&mut watch, &mut stats))?;
            stats.residual = self.last_step();
        }
        let system = self.system.as_ref().expect("`prepare` has made it");
        let (q, column_of) = (&self.q, &system.symbolic().column_of);
        input.arrive(cloth, |i| q[column_of[i] as usize].to_vec3());
        if plan.velocity_filter > 0.0 {
            let share = -(-plan.velocity_filter * input.dt).exp_m1();
            let Cloth { masses, positions, velocities, .. } = cloth;
            let held = &input.partition.prescribed;
            self.filter.damp(input.pattern, (&masses[..], &positions[..]), velocities, held, share);
        }
        Ok(stats)
    }

    /// Plain local/global iterations from `q`.
    fn iterate_plainly(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        weights: &Weights,
        iterations: u32,
        (watch, stats): (&mut Stopwatch, &mut StepStats),
    ) -> Result<(), StepError> {
        let work = self.work_of_iteration();
        for iteration in 1..=iterations {
            if !input.budget.spend_on(iteration, work)? {
                stats.exhausted = 1;
                break;
            }
            self.improve(cloth, weights, input.pool, watch, stats);
            stats.iterations = iteration;
        }
        Ok(())
    }

    /// Cost of an iteration in spring updates: a row of a triangle or of bending takes some eight
    /// times as long, an entry of the factor half as long.
    fn work_of_iteration(&self) -> usize {
        let entries = self.system.as_ref().map_or(0, |system| system.symbolic().entries());
        let Terms { lengths, projected, .. } = &self.terms;
        lengths + 8 * (projected - lengths) + entries / 2
    }

    /// One iteration, from `q` to `q`.
    fn improve(
        &mut self,
        cloth: &Cloth,
        weights: &Weights,
        pool: &ThreadPool,
        watch: &mut Stopwatch,
        stats: &mut StepStats,
    ) {
        self.project(weights, pool);
        self.sum(cloth, pool);
        watch.lap(stats, StepStage::Local);
        let system = self.system.as_mut().expect("`prepare` has made it");
        system.solve_near(&self.q, &mut self.b, pool);
        std::mem::swap(&mut self.q, &mut self.b);
        watch.lap(stats, StepStage::Solve);
    }

    /// The weights of examples after the last iteration, piece by piece.
    pub fn example_weights(&self, weights: &Weights) -> Vec<ExampleWeights> {
        self.blocks.example_weights(weights)
    }

    /// Makes the next factor come about as `history` tells, unless the one at hand did.
    pub fn follow(&mut self, history: &FactorHistory) {
        let same = self.system.as_ref().map_or(history.is_empty(), |system| system.history() == history);
        self.resumed = (!same).then(|| history.clone());
    }

    /// Notes how the factor at hand came about.
    pub fn note_history(&self, history: &mut FactorHistory) {
        if let Some(system) = &self.system {
            history.clone_from(system.history());
        }
    }

    /// Forgets the matrix.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Brings the matrix and its factor up to date.
    fn prepare(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        weights: &Weights,
        boundary: BoundaryConditions,
        pool: &ThreadPool,
    ) -> Result<FactorWork, StepError> {
        let (new, mut reweighted) = self.terms.update(input, weights, &cloth.masses);
        let mut places = None;
        let system = match self.system.take() {
            Some(same) if !new => same,
            last => {
                let (pattern, terms) = (input.pattern, &self.terms);
                let graph = || terms.graph_of_whole(pattern, weights);
                let key = terms.sparsity_of_whole(pattern);
                let (origins, rest) = (pattern.origins(), pattern.rest_positions());
                let system = self.whole.system(key, &terms.rows, &origins, rest, graph, last, input.budget)?;
                let n = cloth.len();
                for array in [&mut self.q, &mut self.b, &mut self.constant] {
                    array.resize(n, F64x4::ZERO);
                }
                places = Some(system.symbolic().column_of.clone());
                reweighted = true;
                system
            }
        };
        let system = self.system.insert(system);
        let inertia = 1.0 / (input.dt * input.dt);
        let remade = reweighted || self.inertia != inertia || self.masses != cloth.masses;
        if remade {
            self.inertia = inertia;
            self.masses.clone_from(&cloth.masses);
        }
        let Self { terms, lengths, blocks, .. } = self;
        let gather = || {
            if let Some(places) = &places {
                lengths.gather(terms, places);
                blocks.gather(terms, places);
            }
            if reweighted {
                lengths.weigh(terms);
                blocks.weigh(terms);
            }
        };
        let mut assemble = || system.assemble(|vertex| inertia * cloth.masses[vertex], &terms.rows);
        match (remade, reweighted) {
            (true, true) => drop(pool.join(assemble, gather)),
            (true, false) => assemble(),
            _ => {}
        }
        if let Some(history) = self.resumed.take() {
            system.resume(history);
        }

        self.hold(cloth, input, boundary, pool)
    }

    /// Finds the places of contacts and of prescribed and softly held vertices, and has the system
    /// hold them.
    fn hold(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        boundary: BoundaryConditions,
        pool: &ThreadPool,
    ) -> Result<FactorWork, StepError> {
        let terms = &self.terms;
        let Some(system) = &mut self.system else { return Ok(FactorWork::default()) };
        let column_of = &system.symbolic().column_of;
        self.targets.clear();
        self.targets.extend(input.partition.soft.iter().map(|pin| {
            let (weight, point) = pin.in_step(cloth.positions[pin.vertex as usize], input.dt);
            (column_of[pin.vertex as usize], weight, point)
        }));
        self.targets.sort_unstable_by_key(|target| target.0);
        self.contacts.clear();
        if boundary.contacts > 0.0 {
            let targets = &self.targets;
            let of_pin = |place: u32| {
                let at = targets.binary_search_by_key(&place, |target| target.0);
                at.map_or(0.0, |at| targets[at].1)
            };
            self.contacts.extend(input.contacts.iter().map(|contact| {
                let place = column_of[contact.vertex as usize];
                // without kept motions, so that coordinates do not change the energy
                let kept = terms.kept_diagonal.get(contact.vertex as usize).copied().unwrap_or(0.0);
                let diagonal = system.diagonal(place as usize) - kept;
                let weight = match contact.load_share {
                    Some(_) => diagonal,
                    None => boundary.contacts * (diagonal + of_pin(place)),
                };
                (place, weight, *contact)
            }));
        }
        self.contacts.sort_unstable_by_key(|contact| contact.0);
        self.prescribed.clear();
        let prescribed = input.partition.prescribed.iter();
        self.prescribed
            .extend(prescribed.map(|held| (column_of[held.vertex as usize], F64x4::from_vec3(held.position))));
        self.prescribed.sort_unstable_by_key(|held| held.0);
        let places = self.prescribed.iter().map(|held| held.0 as usize);
        let touching = self.contacts.iter().map(|&(place, weight, _)| (place as usize, weight));
        let held = touching.chain(self.targets.iter().map(|&(place, weight, _)| (place as usize, weight)));
        Ok(system.constrain(places, held, input.budget, pool)?)
    }

    /// Sets `q = y`, or `q = x`, and collects the constant part of the right-hand side. `q = y`
    /// leaves out the contact forces among the external ones: they are far larger than the sum of
    /// all forces there and differ from vertex to vertex, and the iterations would have to undo
    /// them.
    fn predict(&mut self, cloth: &Cloth, input: &StepInput, start: Start, pool: &ThreadPool) {
        let Self { terms, system, lengths, q, b, constant, prescribed, targets, inertia, .. } = self;
        let Some(system) = system else { return };
        let vertex_of = &system.symbolic().vertex_of;
        let h = input.dt;
        // positions before the step, in `b` for the while
        pool.update(b, PLACES, |place, x| *x = F64x4::from_vec3(cloth.positions[vertex_of[place] as usize]));
        pool.update(q, PLACES, |place, y| {
            let i = vertex_of[place] as usize;
            let change = cloth.velocities[i] * h + input.external[i] * (h * h / cloth.masses[i]);
            *y = F64x4::from_vec3(cloth.positions[i] + change);
        });
        for (place, target) in prescribed.iter() {
            q[*place as usize] = *target;
        }
        let (x, y, inertia) = (&*b, &*q, *inertia);
        let shared = Shared::new(constant);
        pool.for_parts(shared.len(), PLACES, |range| {
            // SAFETY: the parts do not overlap.
            let part = unsafe { shared.part(range.clone()) };
            for (place, constant) in range.clone().zip(&mut *part) {
                let mass = cloth.masses[vertex_of[place] as usize];
                *constant = y[place] * F64x4::splat(inertia * mass);
            }
            lengths.damp(x, range, part);
        });
        terms.add_momentum(cloth, h, |vertex, pull| {
            let constant = &mut constant[system.symbolic().column_of[vertex] as usize];
            *constant = *constant + F64x4::from_vec3(pull);
        });
        for &(place, weight, target) in targets.iter() {
            let pull = F64x4::from_vec3(target * weight);
            constant[place as usize] = constant[place as usize] + pull;
        }
        system.prescribe(prescribed.iter().map(|&(place, target)| (place as usize, target)), constant);
        if start == Start::Last {
            std::mem::swap(q, b);
        } else if !input.pressed.is_empty() {
            pool.update(q, PLACES, |place, q| {
                let i = vertex_of[place] as usize;
                let load = input.pressed[i];
                if load != Vec3::ZERO {
                    *q = *q - F64x4::from_vec3(load * (h * h / cloth.masses[i]));
                }
            });
        } else {
            return;
        }
        for (place, target) in prescribed.iter() {
            q[*place as usize] = *target;
        }
    }

    /// The local step: projects every constraint at `q`.
    fn project(&mut self, weights: &Weights, pool: &ThreadPool) {
        let Self { lengths, blocks, q, .. } = self;
        let mut factors = std::mem::take(&mut lengths.factors);
        let shared = Shared::new(&mut factors);
        pool.for_parts(lengths.batches(), BATCHES, |range| {
            // SAFETY: the parts do not overlap.
            let part = unsafe { shared.part(range.clone()) };
            lengths.project(q, range, part);
        });
        lengths.factors = factors;
        blocks.project(q, weights, pool);
    }

    /// Sums the forces of the projections at every vertex to the right-hand side `b`.
    fn sum(&mut self, cloth: &Cloth, pool: &ThreadPool) {
        let Self { lengths, blocks, q, b, constant, prescribed, contacts, .. } = self;
        let shared = Shared::new(b);
        pool.for_parts(shared.len(), PLACES, |range| {
            // SAFETY: the parts do not overlap.
            let part = unsafe { shared.part(range.clone()) };
            part.copy_from_slice(&constant[range.clone()]);
            lengths.pull(q, range.clone(), part);
            blocks.pull(range.clone(), part);
            pull_contacts(contacts, q, cloth, &range, part);
            for (place, target) in within(prescribed, &range, |held| held.0) {
                part[*place as usize - range.start] = *target;
            }
        });
    }

    /// How far the last iteration has moved a vertex, at most [m].
    fn last_motion(&self) -> Real {
        let moved = self.q.iter().zip(&self.b).map(|(now, before)| {
            let d = *now - *before;
            (d * d).sum()
        });
        moved.fold(0.0, Real::max).sqrt()
    }
}

/// Adds the forces of the contacts at the places in `range` to `b`, with the positions `q` of all
/// places.
fn pull_contacts(
    contacts: &[(u32, Real, Contact)],
    q: &[F64x4],
    cloth: &Cloth,
    range: &std::ops::Range<usize>,
    b: &mut [F64x4],
) {
    for (place, weight, contact) in within(contacts, range, |contact| contact.0) {
        let at = *place as usize;
        let nearest = contact.project(q[at].to_vec3(), cloth.positions[contact.vertex as usize]);
        b[at - range.start] = b[at - range.start] + F64x4::from_vec3(nearest * *weight);
    }
}

/// The entries of a list, sorted by place, whose place is in `range`.
fn within<'a, T>(sorted: &'a [T], range: &std::ops::Range<usize>, place: impl Fn(&T) -> u32) -> &'a [T] {
    let start = sorted.partition_point(|entry| (place(entry) as usize) < range.start);
    let end = sorted.partition_point(|entry| (place(entry) as usize) < range.end);
    &sorted[start..end]
}
