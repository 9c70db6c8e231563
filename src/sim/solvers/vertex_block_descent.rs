//! Vertex block descent: implicit Euler as a minimisation, one vertex after the other.
//!
//! ```text
//! q = y;   n times, colour after colour, for every vertex i of the colour at the same time:
//! H_i dq = f_i,   H_i = ∂²E/∂q_i²,   f_i = -∂E/∂q_i,   q_i ← q_i + dq;   v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Chen, Liu, Yuksel, Yang 2024. `E` is the incremental potential of `implicit-newton`; no matrix
//! of the cloth is assembled. First order. The stiffness of springs across their direction counts
//! as far as they are stretched, so that `H_i` is positive definite. That does not prevent a rise
//! of `E`, so each vertex computes the change of its share of `E` in its own step; if the share
//! would rise, `H_i` is replaced by an upper bound, the matrix of the local/global methods, with
//! which it cannot rise. So `E` falls with every vertex, and a step with any number of iterations
//! ends no higher than its start: the inertial target, or the force-free position `x + h v` if `E`
//! is lower there. Motion across the whole cloth takes as many iterations as the cloth has vertices
//! across: few iterations of a stiff cloth look soft. Connected parts of the cloth choose their
//! start independently. A part without prescribed vertices is shifted as a whole to the lowest `E`,
//! at the start and after every pass: that conserves its momentum and lets it slide as fast as
//! friction allows, with any number of passes.
//!
//! ```text
//! q̂ = q_k + k/(k+3) (q_k - q_{k-1}),   q_{k+1} = pass from q̂;   from q_k, with k = 0, if E(q_{k+1}) > E(q_k)
//! ```
//!
//! The momentum of Nesterov 1983, with the restart of O'Donoghue and Candès 2015, brings slow
//! motions down in about the square root of the passes: a cantilever of 48 cells comes down to
//! 2 % of the elastica in 6 s with 40 passes, and to 23 % without. It costs a tenth more.

use crate::sim::exec::colouring::Colouring;
use crate::sim::forces::IsometricBending;
use crate::sim::forces::bending::BendingKey;
use crate::sim::forces::springs::{Blocks, direction};
use crate::sim::measure::Potential;
use crate::sim::model::material::DampingModel;
use crate::sim::model::partition::Partition;
use crate::sim::params::{Tunable, count};
use crate::sim::pattern::{Membrane, SpringCoefficients, TriangleStiffness};
use crate::sim::solver_interface::{
    BendingRule, Capabilities, Components, ContactLaw, ContactRule, Demand, Group, HeldWholes, Info, Iteration, Keeps,
    MembraneRule, Minimiser, Rung, SeenRange, Stability, StepStage, Stopwatch, WorkSetting, describe_solver,
    start_lower,
};
use crate::sim::{Cloth, Mat3, Material, Pattern, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "vertex-block-descent",
    name: "Vertex block descent",
    group: Group::Implicit,
    source: "Chen et al. 2024",
    order: 1,
    stability: Stability::Seen(SeenRange {
        stiffness: 1e6,
        step: 0.1,
        remark: "its potential never rises within a step",
    }),
    cost: "per iteration three passes over the springs of every vertex, and one for the potential",
    summary: "Implicit Euler by block descent over the vertices: no matrix, every iteration lowers the energy. A stiff or large cloth needs many iterations.",
    formula: "per vertex: H dx = f,  x' = x + dx  (H, f: second and minus first derivative of the potential)",
    algorithm: include_str!("algorithms/vertex-block-descent.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::HeldInMatrix,
        bending: BendingRule::Matrix,
        membrane: MembraneRule::Matrix,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[
        (ContactLaw::Slide, 0.025_7),
        (ContactLaw::SlideByFrames, 0.002_63),
        (ContactLaw::Slip, 0.001_12),
        (ContactLaw::Load, 3.81),
    ],
};

/// Iterations, then substeps.
pub(super) const LADDER: &[Rung] = &[
    Rung(&[("substeps", "1"), ("iterations", "5")]),
    Rung(&[("substeps", "1"), ("iterations", "10")]),
    Rung(&[("substeps", "1"), ("iterations", "20")]),
    Rung(&[("substeps", "1"), ("iterations", "40")]),
    Rung(&[("substeps", "2"), ("iterations", "40")]),
    Rung(&[("substeps", "4"), ("iterations", "40")]),
];

crate::parameters! {
    /// Settings of [`VertexBlockDescent`].
    pub struct VertexBlockDescentSettings {
        /// Iterations over all vertices per step. More approach implicit Euler: less stretch, less
        /// lag, more work.
        pub iterations: u32 = 20, "Iterations", "", count(1, 1000);
    }
}

/// Vertices per task.
const VERTICES: usize = 64;
/// Rounding error of the share that a vertex has of the potential, relative to it.
const ROUNDING: Real = 1e-14;

/// Vertices by colour: no two of a colour share a spring or a stencil of bending.
#[derive(Debug, Default)]
struct Colours {
    /// Pattern, families that act, and what isometric bending was made from, if it takes part.
    of: Option<(u64, [bool; 3], Option<BendingKey>)>,
    by: Colouring,
}

impl Colours {
    fn update(&mut self, input: &StepInput) {
        let pattern = input.pattern;
        let active = input.material.stiffness_by_family().map(|k| k > 0.0);
        let bent = input.material.isometric_stiffness() > 0.0;
        let key = Some((pattern.revision(), active, input.bending.key().filter(|_| bent)));
        if self.of == key {
            return;
        }
        self.of = key;
        let families = &pattern.springs().families;
        self.by = Colouring::greedy(pattern.len(), |vertex, near| {
            let springs = pattern.neighbours().of_vertex(vertex).iter();
            let springs = springs.filter(|(spring, _)| active[families[*spring as usize] as usize]);
            let stencils = if bent { input.bending.row(vertex as usize) } else { &[] };
            springs.map(|&(_, other)| other).chain(stencils.iter().map(|&(other, _)| other)).for_each(near);
        });
    }
}

/// A contact of a vertex, as [`Potential`] has it.
#[derive(Debug, Clone, Copy)]
struct Held {
    vertex: u32,
    weight: Mat3,
    point: Vec3,
    load: Vec3,
}

/// See the module.
#[derive(Debug, Default)]
pub struct VertexBlockDescent {
    /// Number of iterations.
    pub settings: VertexBlockDescentSettings,
    colours: Colours,
    target: Vec<Vec3>,
    /// Positions, one entry per vertex [m].
    q: Vec<Vec3>,
    /// Those of a colour.
    moved: Vec<Vec3>,
    held: Vec<Held>,
    holds: Vec<Mat3>,
    parts: Components,
    momentum: Momentum,
    /// By how much the potential of each part is lower where no force acts [J].
    gains: Vec<Real>,
    wholes: HeldWholes,
}

/// Momentum of the iterations of a step.
#[derive(Debug, Default)]
struct Momentum {
    /// Iterations since it began.
    age: u32,
    /// Potential of the last iterate [J].
    energy: Real,
    /// The last iterate and the one before [m].
    last: Vec<Vec3>,
    before: Vec<Vec3>,
}

/// Surroundings of a vertex.
struct Surroundings<'a> {
    cloth: &'a Cloth,
    partition: &'a Partition,
    pattern: &'a Pattern,
    law: DampingModel,
    /// `1/h²` [1/s²].
    rate: Real,
    stiffness: SpringCoefficients<'a>,
    /// `c/h` [N/m].
    damping: SpringCoefficients<'a>,
    target: &'a [Vec3],
    q: &'a [Vec3],
    held: &'a [Held],
    material: &'a Material,
    /// The membrane, if it is at work.
    membrane: Option<&'a Membrane>,
    stencils: &'a IsometricBending,
    /// Stiffness of isometric bending [N·m].
    bending: Real,
}

impl Surroundings<'_> {
    /// Calls `visit` for every spring of `vertex` that acts, with its stiffness, damping, rest
    /// length, other end, and the distance of the ends at the start of the step.
    #[inline(always)]
    fn springs(&self, vertex: u32, mut visit: impl FnMut(Real, Real, Real, Vec3, Vec3)) {
        let springs = self.pattern.springs();
        let x = &self.cloth.positions;
        for &(spring, other) in self.pattern.neighbours().of_vertex(vertex) {
            let (spring, other) = (spring as usize, other as usize);
            let k = self.stiffness.at(spring);
            if k > 0.0 {
                let before = x[other] - x[vertex as usize];
                visit(k, self.damping.at(spring), springs.rest_lengths[spring], self.q[other], before);
            }
        }
    }

    /// The triangles of the membrane around `vertex`: the stiffness of each, the coefficients of the
    /// vertex, and the images of warp and weft with the vertex at `q`.
    fn triangles(&self, vertex: u32, q: Vec3) -> impl Iterator<Item = (TriangleStiffness, [Real; 2], [Vec3; 2])> {
        let around = self.membrane.into_iter().flat_map(move |membrane| membrane.around(vertex));
        around.map(move |(triangle, corner)| {
            let place = |other: u32| if other == vertex { q } else { self.q[other as usize] };
            (self.material.stiffness_of_triangle(triangle), triangle.corner(corner), triangle.images(place))
        })
    }

    fn contacts(&self, vertex: u32) -> &[Held] {
        let start = self.held.partition_point(|held| held.vertex < vertex);
        let end = self.held.partition_point(|held| held.vertex <= vertex);
        &self.held[start..end]
    }

    /// The part of the potential that depends on `vertex`, with the vertex at `q` [J]. `bent` is
    /// the row of the bending matrix at `from`, the present position of the vertex [N].
    fn energy(&self, vertex: u32, q: Vec3, from: Vec3, bent: Vec3, curvature: Real) -> Real {
        let i = vertex as usize;
        let mut sum = 0.5 * self.cloth.masses[i] * self.rate * q.distance_squared(self.target[i]);
        let law = self.law;
        self.springs(vertex, |k, c, rest, other, before| {
            let d = other - q;
            let length = d.length();
            let moved = match law {
                DampingModel::Isotropic => d.distance_squared(before),
                DampingModel::AlongSpring => (length - before.length()).powi(2),
            };
            sum += 0.5 * k * (length - rest).powi(2) + 0.5 * c * moved;
        });
        sum += self.triangles(vertex, q).map(|(stiffness, _, images)| stiffness.energy(images)).sum::<Real>();
        sum += bent.dot(q - from) + 0.5 * curvature * q.distance_squared(from);
        for held in self.contacts(vertex) {
            let gap = held.point - q;
            sum += 0.5 * gap.dot(held.weight * gap) - held.load.dot(q - from);
        }
        sum
    }

    /// Where `vertex` goes while all others stay.
    fn relax(&self, vertex: u32) -> Vec3 {
        let i = vertex as usize;
        let from = self.q[i];
        if !self.partition.is_free(vertex) {
            return from;
        }
        let inertia = self.cloth.masses[i] * self.rate;
        let mut force = (self.target[i] - from) * inertia;
        // of all that is as stiff in all directions, and its upper bound
        let (mut even, mut bound) = (inertia, inertia);
        let mut block = Mat3::ZERO;
        let law = self.law;
        let mut add = |k: Real, length: Real, rest: Real, u: Vec3| {
            let across = if length > 0.0 { (1.0 - rest / length).max(0.0) } else { 1.0 };
            even += k * across;
            block += crate::sim::math::outer(u) * (k * (1.0 - across));
            bound += k;
            u * (k * (length - rest))
        };
        let mut even_damping = 0.0;
        self.springs(vertex, |k, c, rest, other, before| {
            let d = other - from;
            let (length, u) = (d.length(), direction(d));
            force += add(k, length, rest, u);
            if c > 0.0 {
                match law {
                    DampingModel::Isotropic => {
                        force += (d - before) * c;
                        even_damping += c;
                    }
                    DampingModel::AlongSpring => force += add(c, length, before.length(), u),
                }
            }
        });
        for (stiffness, [a, b], images) in self.triangles(vertex, from) {
            let [of_a, of_b] = stiffness.gradient(images);
            force -= of_a * a + of_b * b;
            block += stiffness.hessian(images, Blocks::Clamped).block([a, b], [a, b]);
            bound += stiffness.bound([a, b]);
        }
        let (mut bent, mut curvature) = (Vec3::ZERO, 0.0);
        if self.bending > 0.0 {
            bent = self.stencils.apply(i, self.q) * self.bending;
            curvature = self.stencils.diagonal(i) * self.bending;
            force -= bent;
        }
        let mut hold = Mat3::from_diagonal(Vec3::splat(even_damping + curvature));
        for held in self.contacts(vertex) {
            hold += held.weight;
            force += held.weight * (held.point - from) + held.load;
        }
        let here = self.energy(vertex, from, from, bent, curvature);
        let whole = Mat3::from_diagonal(Vec3::splat(even)) + block + hold;
        let to = from + whole.inverse() * force;
        let slack = ROUNDING * here.abs();
        if self.energy(vertex, to, from, bent, curvature) <= here + slack {
            return to;
        }
        let safe = from + (Mat3::from_diagonal(Vec3::splat(bound)) + hold).inverse() * force;
        // rounding is all that can speak against it
        if self.energy(vertex, safe, from, bent, curvature) <= here + slack { safe } else { from }
    }
}

/// Share of the potential elsewhere up to which a part starts from where it is.
const STOPPED: Real = 0.5;

impl VertexBlockDescent {
    /// Brings all up to date for a step, with `q` where it starts.
    fn begin(&mut self, cloth: &Cloth, input: &StepInput) {
        self.colours.update(input);
        self.parts.update(input);
        input.predict(cloth, &mut self.target);
        self.held.clear();
        self.holds.clear();
        for contact in input.contacts {
            let weight = input.hold(contact, cloth.masses[contact.vertex as usize]);
            let load = contact.impulse() / input.dt;
            self.held.push(Held { vertex: contact.vertex, weight, point: contact.point, load });
            self.holds.push(weight);
        }
        self.q.clone_from(&self.target);
        self.momentum.age = 0;
        self.moved.resize(cloth.len(), Vec3::ZERO);
    }

    /// Takes each connected part back to where it would go without any force, if its potential is
    /// lower there, or to where it is, if it is much lower there: where a surface stops a flat cloth,
    /// all springs are compressed at the other places. A part that slides starts with its motion,
    /// which the iterations do not find.
    fn hold_back(&mut self, cloth: &Cloth, input: &StepInput) {
        let Self { target, q, moved, holds, parts, gains, .. } = self;
        let potential = Potential { cloth, input, target, holds };
        for (share, least) in [(1.0, 1.0), (0.0, STOPPED)] {
            input.coast(cloth, share, moved);
            gains.clear();
            gains.resize(parts.count(), 0.0);
            potential.add_up(q, |vertex, energy| gains[parts.of(vertex)] += least * energy);
            potential.add_up(moved, |vertex, energy| gains[parts.of(vertex)] -= energy);
            for &i in &input.partition.free {
                if gains[parts.of(i as usize)] > 0.0 {
                    q[i as usize] = moved[i as usize];
                }
            }
        }
    }

    /// Shifts each connected part that nothing prescribes as a whole. Returns the longest shift
    /// [m].
    fn balance(&mut self, cloth: &Cloth, input: &StepInput) -> Real {
        let Self { target, q, holds, parts, wholes, .. } = self;
        wholes.balance(parts, cloth, input, target, holds, q)
    }

    /// One iteration: a pass with momentum, or without if that raises the potential. Returns the
    /// longest way of a vertex or of a part in the pass [m].
    fn advance(&mut self, cloth: &Cloth, input: &StepInput) -> Real {
        let Self { q, momentum: Momentum { age, last, before, .. }, .. } = self;
        last.clone_from(q);
        if *age > 0 {
            let share = Real::from(*age) / Real::from(*age + 3);
            q.iter_mut().zip(&*before).for_each(|(q, before)| *q += (*q - *before) * share);
        }
        let mut moved = self.sweep(cloth, input);
        let mut energy = self.potential(cloth, input);
        if self.momentum.age > 0 && energy > self.momentum.energy {
            self.momentum.age = 0;
            self.q.clone_from(&self.momentum.last);
            moved = self.sweep(cloth, input);
            energy = self.potential(cloth, input);
        }
        let Momentum { age, last, before, .. } = &mut self.momentum;
        *age += 1;
        std::mem::swap(last, before);
        self.momentum.energy = energy;
        moved
    }

    /// The potential of the iterate [J].
    fn potential(&self, cloth: &Cloth, input: &StepInput) -> Real {
        Potential { cloth, input, target: &self.target, holds: &self.holds }.value(&self.q)
    }

    /// One pass over all vertices, then over all parts as wholes. Returns the longest way of a
    /// vertex or of a part [m].
    fn sweep(&mut self, cloth: &Cloth, input: &StepInput) -> Real {
        let Self { colours, target, q, moved, held, .. } = self;
        let StepInput { pattern, partition, dt: h, pool, bending: stencils, .. } = *input;
        let stiffness = input.material.stiffness_by_kind(pattern).on(pattern);
        let damping = input.material.damping_by_kind(pattern).map(|c| c / h).on(pattern);
        let (law, rate, bending) = (input.material.damping_model, 1.0 / (h * h), input.material.isometric_stiffness());
        let membrane = input.material.has_membrane().then(|| pattern.membrane());
        let mut farthest: Real = 0.0;
        for colour in colours.by.colours() {
            let moved = &mut moved[..colour.len()];
            let around = Surroundings {
                cloth,
                partition,
                pattern,
                law,
                rate,
                stiffness,
                damping,
                target,
                q,
                held,
                material: input.material,
                membrane,
                stencils,
                bending,
            };
            pool.fill(moved, VERTICES, |at| around.relax(colour[at]));
            for (&vertex, to) in colour.iter().zip(&*moved) {
                let place = &mut q[vertex as usize];
                farthest = farthest.max(place.distance_squared(*to));
                *place = *to;
            }
        }
        farthest.sqrt().max(self.balance(cloth, input))
    }
}

impl Minimiser for VertexBlockDescent {
    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        let (age, left) = (self.momentum.age, [self.q.clone(), self.target.clone()]);
        self.begin(cloth, input);
        if left[0] == q && left[1] == self.target {
            self.momentum.age = age;
        }
        self.q.copy_from_slice(q);
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        let moved = self.advance(cloth, input);
        watch.lap(&mut stats, StepStage::Local);
        q.copy_from_slice(&self.q);
        Ok(Iteration { seconds: stats.total_seconds(), solved: moved == 0.0 })
    }

    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
        Some(Potential::of_step(cloth, input, q))
    }

    fn start(&mut self, cloth: &Cloth, input: &StepInput, q: &mut Vec<Vec3>) -> Result<(), StepError> {
        start_lower(self, cloth, input, q);
        Ok(())
    }

    fn limit_iterations(&mut self, most: u32) {
        self.settings.iterations = most;
    }

    fn minimises_potential(&self, _: &StepInput) -> bool {
        true
    }
}

impl Solver for VertexBlockDescent {
    describe_solver!();

    fn suit(&mut self, _: &Demand) {
        // with half of them the hem of a landing skirt is stretched, and friction holds a cloth
        // that should slide
        self.settings.iterations = 40;
    }

    fn work_setting(&self) -> WorkSetting {
        WorkSetting::of("iterations")
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        self.begin(cloth, input);
        self.hold_back(cloth, input);
        self.balance(cloth, input);
        watch.lap(&mut stats, StepStage::Assemble);
        let work = 6 * input.pattern.springs().len();
        for iteration in 1..=self.settings.iterations {
            if !input.budget.spend_on(iteration, work)? {
                stats.exhausted = 1;
                break;
            }
            stats.residual = self.advance(cloth, input);
            stats.iterations = iteration;
            let Self { held, holds, q, settings, .. } = self;
            if iteration < settings.iterations && input.correct_friction(&cloth.masses, holds, |i| q[i], |_, _| {}) {
                held.iter_mut().zip(holds).for_each(|(held, hold)| held.weight = *hold);
                // another potential
                self.momentum.age = 0;
            }
        }
        watch.lap(&mut stats, StepStage::Local);
        input.arrive(cloth, |i| self.q[i]);
        Ok(stats)
    }

    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        Some(self)
    }

    fn reset(&mut self) {
        *self = Self { settings: self.settings, ..Self::default() };
    }

    fn passes(&self) -> u32 {
        6 * self.settings.iterations
    }
}
