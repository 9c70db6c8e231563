//! Soft constraints: springs and hinges as velocity constraints, by sequential impulses with warm
//! starting.
//!
//! ```text
//! Ċ + (β/h) C + (γ/h) λ = 0,   γ = 1/(c + h k),   β = h k/(c + h k)
//! Δλ = -(J v + β C/h + γ λ/h) / (J M⁻¹ Jᵀ + γ/h);   v += M⁻¹ Jᵀ Δλ;   then x⁺ = x + h v⁺
//! ```
//!
//! Catto 2011 (`physics.md` section 4). `C` is a spring's stretch, or the angle between two
//! triangles minus its rest value. One spring to a fixed point is implicit Euler exactly; in a
//! cloth the sweeps converge to the implicit step with constant directions of the springs, so the
//! method has first order. It leaves out the stiffness across a taut spring: along the springs no
//! step is too long, but a vertex between two springs of length `L` under tension `T` moves
//! sideways explicitly, and is unstable above `h = √(2 m L/T)` (`√(m L/T)` in a net). O(springs +
//! hinges) per sweep, colour by colour.

use std::f64::consts::TAU;

use crate::sim::constraints::{ColouredHinges, ColouredSprings, hinge};
use crate::sim::contact::Contact;
use crate::sim::exec::colouring::sweep;
use crate::sim::exec::pool::Shared;
use crate::sim::forces::springs::{direction, direction_of_change};
use crate::sim::measure::SpringSystem;
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Kind, Tunable, count, linear, logarithmic};
use crate::sim::solver_interface::{
    BendingRule, Capabilities, ContactLaw, ContactRule, DampingLaws, Demand, Elasticity, Group, Info, Iterations,
    Keeps, Rung, Stability, StepStage, Stopwatch, WorkSetting, describe_solver,
};
use crate::sim::solvers::velocity_constraint::{ConstraintRow, Softness, SpringRow};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "soft-constraints",
    name: "Soft constraints",
    group: Group::VelocityConstraints,
    source: "Catto 2011",
    order: 1,
    stability: Stability::Taut,
    cost: "per sweep a pass over the springs and hinges",
    summary: "Springs and hinges as impulses, as in game engines: robust, but light taut cloth needs substeps. Tuning by frequency is optional.",
    formula: "Δλ = −(J v + β C/h + γ λ/h)/(J W J^T + γ/h),  v' = v + W J^T Δλ",
    algorithm: include_str!("algorithms/soft-constraints.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::TouchingConstraints,
        bending: BendingRule::SpringsOnly("it has hinges of its own, tuned by a frequency"),
        damping: DampingLaws::Only(
            DampingModel::AlongSpring,
            "its constraints are the lengths of the springs, and so is their damping",
        ),
        warm_start: true,
        iterations: Iterations::Sweeps,
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: true, free_fall: true },
    breaches: &[(ContactLaw::SlideByFrames, -0.104), (ContactLaw::Lay, 34.1), (ContactLaw::Load, 4.71)],
};

crate::choices! {
    /// Tuning of the springs of [`SoftConstraints`].
    pub enum Tuning {
        /// The stiffness and damping of the cloth.
        Stiffness = "stiffness",
        /// A frequency and a damping ratio, whatever the masses.
        Frequency = "frequency",
    }
}

fn not_by_frequency(settings: &SoftConstraintsSettings) -> Option<&'static str> {
    (settings.tuning != Tuning::Frequency).then_some("the springs are tuned by the cloth's stiffness")
}

fn no_hinges(settings: &SoftConstraintsSettings) -> Option<&'static str> {
    (settings.hinge_frequency == 0.0).then_some("the hinges are left out at a frequency of 0")
}

/// Sweeps, then small steps.
pub(super) const LADDER: &[Rung] = &[
    Rung(&[("small_steps", "4"), ("sweeps", "2")]),
    Rung(&[("small_steps", "8"), ("sweeps", "4")]),
    Rung(&[("small_steps", "8"), ("sweeps", "10")]),
    Rung(&[("small_steps", "16"), ("sweeps", "10")]),
    Rung(&[("small_steps", "32"), ("sweeps", "10")]),
    Rung(&[("small_steps", "64"), ("sweeps", "10")]),
];

crate::parameters! {
    /// Settings of [`SoftConstraints`].
    pub struct SoftConstraintsSettings {
        /// Sweeps over all constraints per step. More transfer forces farther and approach the
        /// implicit step; fewer look softer.
        pub sweeps: u32 = 4, "Sweeps", "", count(1, 1000);
        /// Equal parts of the step, each with all its sweeps. More keep light and taut cloth
        /// stable, whose transverse motion is explicit.
        pub small_steps: u32 = 8, "Small steps", "", count(1, 100), needs EqualSubsteps;
        /// Start from the impulses of the last step: a cloth at rest needs far fewer sweeps.
        pub warm_start: bool = true, "Warm start", "", Kind::Toggle;
        /// Tuning of the springs: the stiffness and damping of the cloth, or a frequency and a
        /// damping ratio.
        pub tuning: Tuning = Tuning::Stiffness, "Tuned by", "", Tuning::KIND;
        /// Frequency of each spring with its two vertices alone. Higher is stiffer, up to about the
        /// rate of the small steps; the cloth's stiffness then only selects the families of
        /// springs.
        pub spring_frequency: Real = 10.0, "Springs", "Hz", logarithmic(0.1, 1e4), idle not_by_frequency;
        /// Damping ratio of the springs: 0 oscillates undamped, 1 comes to rest without overshoot.
        pub spring_damping_ratio: Real = 0.1, "Damping ratio", "", linear(0.0, 5.0), idle not_by_frequency;
        /// Frequency of each hinge between two triangles, beside the bend springs. Higher resists
        /// folding more; 0 leaves the hinges out.
        pub hinge_frequency: Real = 0.0, "Hinges", "Hz", logarithmic(0.0, 1e4);
        /// Damping ratio of the hinges: 0 oscillates undamped, 1 comes to rest without overshoot.
        pub hinge_damping_ratio: Real = 0.5, "Damping ratio", "", linear(0.0, 5.0), idle no_hinges;
    }
}

/// Rows per task.
const ROWS: usize = 512;

/// See the module.
#[derive(Debug, Default)]
pub struct SoftConstraints {
    /// Sweeps and tuning.
    pub settings: SoftConstraintsSettings,
    springs: ColouredSprings,
    hinges: ColouredHinges,
    spring_rows: Vec<SpringRow>,
    hinge_rows: Vec<ConstraintRow<4>>,
    /// Normal impulse and friction of each contact.
    contact_impulses: Vec<(Real, Vec3)>,
    inverse_masses: Vec<Real>,
    velocities: Vec<Vec3>,
}

impl SoftConstraints {
    /// Takes the constraints that there are. Makes the forces of the last step impulses, if they
    /// are of as many.
    fn choose_constraints(&mut self, input: &StepInput, impulses: &mut Vec<Real>) {
        let active = input.material.stiffness_by_family().map(|k| k > 0.0);
        let hinged = self.settings.hinge_frequency > 0.0;
        self.springs.update(input.pattern, active);
        self.hinges.update(input.pattern, hinged);
        let count = self.springs.springs().len() + self.hinges.hinges().len();
        if impulses.len() != count || !self.settings.warm_start {
            impulses.clear();
        }
        impulses.resize(count, 0.0);
        impulses.iter_mut().for_each(|force| *force *= input.dt);
    }

    /// Velocities after the external forces, and inverse masses; prescribed vertices have their
    /// motion and are immovable.
    fn predict(&mut self, cloth: &Cloth, input: &StepInput) {
        self.inverse_masses.clear();
        self.inverse_masses.extend(cloth.masses.iter().map(|m| 1.0 / m));
        self.velocities.clone_from(&cloth.velocities);
        for &vertex in &input.partition.free {
            let i = vertex as usize;
            self.velocities[i] += input.external[i] * (input.dt * self.inverse_masses[i]);
        }
        for prescribed in &input.partition.prescribed {
            self.inverse_masses[prescribed.vertex as usize] = 0.0;
            self.velocities[prescribed.vertex as usize] = prescribed.velocity;
        }
    }

    /// The constraints as they are at the start of the step.
    fn linearise(&mut self, cloth: &Cloth, input: &StepInput) {
        let Self { settings, springs, hinges, spring_rows, hinge_rows, inverse_masses, velocities, .. } = self;
        let (h, x, v) = (input.dt, &cloth.positions, &*velocities);
        let stiffness = input.material.stiffness_by_kind(input.pattern);
        let damping = input.material.damping_by_kind(input.pattern);
        spring_rows.resize(springs.springs().len(), SpringRow::idle());
        input.pool.fill(spring_rows, ROWS, |at| {
            let spring = &springs.springs()[at];
            let [i, j] = spring.ends.map(|end| end as usize);
            let d = x[j] - x[i];
            let u = direction_of_change(spring.rest_length, d, v[j] - v[i]);
            let softness = |mass| match settings.tuning {
                Tuning::Stiffness => {
                    let [k, c] = [stiffness, damping].map(|table| table.of(spring.kind, spring.rest_length));
                    Softness::from_stiffness(k, c, h)
                }
                Tuning::Frequency => {
                    Softness::from_frequency(settings.spring_frequency, settings.spring_damping_ratio, mass, h)
                }
            };
            SpringRow::new(spring.ends, u, d.length() - spring.rest_length, h, inverse_masses, softness)
        });
        hinge_rows.resize(hinges.hinges().len(), ConstraintRow::idle([0; 4]));
        input.pool.fill(hinge_rows, ROWS, |at| {
            let hinge = &hinges.hinges()[at];
            let Some(bend) = hinge::bend(hinge.vertices.map(|vertex| x[vertex as usize])) else {
                return ConstraintRow::idle(hinge.vertices);
            };
            // the short way round
            let error = (bend.angle - hinge.rest_angle + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
            let softness =
                |mass| Softness::from_frequency(settings.hinge_frequency, settings.hinge_damping_ratio, mass, h);
            ConstraintRow::new(hinge.vertices, bend.gradient, error, h, inverse_masses, softness)
        });
    }
}

impl SoftConstraints {
    /// Stiffness [N/m] of spring `e` by its frequency; none of a family that is left out, or
    /// between two held vertices.
    fn tuned_stiffness(&self, system: &SpringSystem, e: usize) -> Real {
        let omega = TAU * self.settings.spring_frequency;
        let mass = system.reduced_mass(e).filter(|_| system.stiffness(e) > 0.0);
        mass.map_or(0.0, |mass| mass * omega * omega)
    }

    /// Force [N] on `vertex` of the springs as they are tuned by frequency and damping ratio.
    fn tuned_force(&self, system: &SpringSystem, vertex: u32) -> Vec3 {
        let (springs, cloth) = (system.pattern.springs(), system.cloth);
        let omega = TAU * self.settings.spring_frequency;
        let pull = |&(e, other): &(u32, u32)| {
            let (e, i, j) = (e as usize, vertex as usize, other as usize);
            let k = self.tuned_stiffness(system, e);
            let c = 2.0 * self.settings.spring_damping_ratio * k / omega;
            let d = cloth.positions[j] - cloth.positions[i];
            let u = direction(d);
            let rate = u.dot(cloth.velocities[j] - cloth.velocities[i]);
            u * (k * (d.length() - springs.rest_lengths[e]) + c * rate)
        };
        system.pattern.neighbours().of_vertex(vertex).iter().map(pull).sum()
    }
}

/// Keeps a vertex from moving into the collider within the step, and slows its sliding by Coulomb
/// friction.
fn solve_contact(
    contact: &Contact,
    position: Vec3,
    h: Real,
    mass: Real,
    velocity: &mut Vec3,
    (normal_impulse, friction): &mut (Real, Vec3),
) {
    let gap = contact.normal.dot(position - contact.point);
    let v = *velocity;
    let wanted = (*normal_impulse - mass * (v.dot(contact.normal) + gap / h)).max(0.0);
    let v = v + contact.normal * ((wanted - *normal_impulse) / mass);
    *normal_impulse = wanted;
    let sliding = (v - contact.motion / h).reject_from_normalized(contact.normal);
    let held = (*friction - sliding * mass).clamp_length_max(contact.friction * wanted);
    *velocity = v + (held - *friction) / mass;
    *friction = held;
}

impl Solver for SoftConstraints {
    describe_solver!();

    fn suit(&mut self, demand: &Demand) {
        self.settings.sweeps = 10;
        // below the step at which taut springs become unstable, as in the summary, which is the
        // root of two pulls
        self.settings.small_steps = ((4.0 * demand.pull).sqrt().ceil() as u32).clamp(8, 32);
    }

    fn capabilities(&self) -> Capabilities {
        let mut can = INFO.capabilities;
        if self.settings.tuning == Tuning::Frequency {
            can.damping = DampingLaws::None("the springs are tuned by a frequency and a damping ratio of their own");
            can.elasticity = Elasticity::Own;
        }
        if self.settings.hinge_frequency > 0.0 {
            can.elasticity =
                Elasticity::Unknown("the stiffness of its hinges changes with their shape, so they have no energy");
        }
        can.warm_start = self.settings.warm_start;
        can
    }

    fn elastic_energy(&self, system: &SpringSystem) -> Option<Real> {
        match self.capabilities().elasticity {
            Elasticity::Springs => Some(system.elastic_energy()),
            Elasticity::Own => Some(system.sum_over_springs(|e| self.tuned_stiffness(system, e))),
            Elasticity::Unknown(_) => None,
        }
    }

    fn elastic_force(&self, system: &SpringSystem, vertex: u32) -> Option<Vec3> {
        match self.capabilities().elasticity {
            Elasticity::Springs => Some(system.force_on(vertex)),
            Elasticity::Own => Some(self.tuned_force(system, vertex)),
            Elasticity::Unknown(_) => None,
        }
    }

    fn work_setting(&self) -> WorkSetting {
        WorkSetting::of("sweeps")
    }

    fn step(
        &mut self,
        cloth: &mut Cloth,
        carried: &mut SolverState,
        input: &StepInput,
    ) -> Result<StepStats, StepError> {
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        let h = input.dt;
        // between steps the forces of the springs, then of the hinges, which do not change with the
        // step; in it impulses
        let impulses = &mut carried.warm_start;
        self.choose_constraints(input, impulses);
        self.predict(cloth, input);
        self.linearise(cloth, input);
        self.contact_impulses.clear();
        self.contact_impulses.resize(input.contacts.len(), (0.0, Vec3::ZERO));
        watch.lap(&mut stats, StepStage::Assemble);

        let Self { settings, springs, hinges, spring_rows, hinge_rows, inverse_masses, velocities, .. } = self;
        let (pool, shared) = (input.pool, Shared::new(velocities));
        let (spring_impulses, hinge_impulses) = impulses.split_at_mut(spring_rows.len());
        let inverse_masses = &*inverse_masses;
        // SAFETY: the rows of a colour, which are all that is at work at a time, have no vertex in
        // common. The same below.
        let start = |row: &SpringRow, impulse: &mut Real| unsafe { row.start(&shared, inverse_masses, impulse) };
        sweep(springs.colours(), spring_rows, spring_impulses, pool, start);
        // SAFETY: as above.
        let start = |row: &ConstraintRow<4>, impulse: &mut Real| unsafe { row.start(&shared, inverse_masses, impulse) };
        sweep(hinges.colours(), hinge_rows, hinge_impulses, pool, start);
        // a row of a spring takes three times as long as a projection of position-based dynamics,
        // one of a hinge six times
        let work = 3 * spring_rows.len() + 6 * hinge_rows.len() + input.contacts.len();
        for number in 1..=settings.sweeps {
            if !input.budget.spend_on(number, work)? {
                stats.exhausted = 1;
                break;
            }
            stats.iterations = number;
            // SAFETY: as above.
            let solve = |row: &SpringRow, impulse: &mut Real| unsafe { row.solve(&shared, inverse_masses, impulse) };
            sweep(springs.colours(), spring_rows, spring_impulses, pool, solve);
            // SAFETY: as above.
            let solve =
                |row: &ConstraintRow<4>, impulse: &mut Real| unsafe { row.solve(&shared, inverse_masses, impulse) };
            sweep(hinges.colours(), hinge_rows, hinge_impulses, pool, solve);
            for (contact, impulses) in input.contacts.iter().zip(&mut self.contact_impulses) {
                let i = contact.vertex as usize;
                // SAFETY: no other thread is at work
                let velocity = unsafe { shared.entry(i) };
                solve_contact(contact, cloth.positions[i], h, cloth.masses[i], velocity, impulses);
            }
        }
        impulses.iter_mut().for_each(|impulse| *impulse /= h);
        for &vertex in &input.partition.free {
            let i = vertex as usize;
            cloth.velocities[i] = velocities[i];
            cloth.positions[i] += cloth.velocities[i] * h;
        }
        watch.lap(&mut stats, StepStage::Local);
        Ok(stats)
    }

    fn small_steps(&self) -> u32 {
        self.settings.small_steps
    }

    fn passes(&self) -> u32 {
        2 * self.settings.sweeps
    }
}
