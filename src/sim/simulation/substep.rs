//! A substep: its calls in the order of the algorithm.

use super::observing::work;
use super::{Scratch, Simulation, explosion};
use crate::sim::contact::cloth::{ClothContactSettings, ClothContacts, ContactForces, ContactRow, ContactStep};
use crate::sim::contact::{Contact, ContactSettings};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::solver_interface::{
    BendingRule, ClothContactRule, ContactRule, StepError, StepStage, StepStats, Stopwatch,
};
use crate::sim::step::timing::Rule;
use crate::sim::step::{Situation, Support};
use crate::sim::{Material, Pattern, Real, State, StepInput, Vec3};

/// A substep that is to be taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Substep {
    /// Its length [s].
    pub dt: Real,
    /// That of the step whose preconditioner it takes [s].
    pub preconditioner_dt: Real,
    /// How many times as long as the last one it may be by a scheme that needs that.
    pub longest: Real,
    /// If the stretch is limited at its end, the time in which springs were stretched since they
    /// were limited last [s].
    pub limited_over: Option<Real>,
}

/// Constants of a substep.
struct SubstepSettings {
    part: Substep,
    material: Material,
    rule: Rule,
    /// Which vertices on a surface the solver takes as contacts.
    support: Support,
    bending: BendingRule,
    /// That of springs which hold pins and hand, if the solver does not prescribe them [N/m].
    pin_stiffness: Option<Real>,
    /// Whether the cloth is kept from passing through itself, with these settings.
    self_contact: bool,
    settings: ClothContactSettings,
    /// Whether the solver takes these contacts, and those of colliders between the vertices, as
    /// constraints.
    by_constraints: bool,
}

impl SubstepSettings {
    /// The motion of a cloth of `pattern` from the positions `before` [m], for a search for
    /// contacts.
    fn contact_step<'a>(&self, pattern: &'a Pattern, before: &'a [Vec3], pool: &'a ThreadPool) -> ContactStep<'a> {
        ContactStep { settings: self.settings, pattern, before, dt: self.part.dt, pool }
    }
}

impl Simulation {
    /// One substep, in the order of the algorithm.
    pub(super) fn substep(&mut self, part: Substep, stats: &mut StepStats, pool: &ThreadPool) -> Result<(), StepError> {
        let plan = self.plan(part);
        self.carry_through_jumps(part.dt);
        let flight = self.gather_inputs(&plan, stats, pool);
        let solved_contacts = self.solve(&plan, stats, pool)?;
        self.move_prescribed();
        if plan.self_contact {
            self.check_for_explosion(&plan, flight, pool)?;
        }
        self.limit_stretch(&plan, stats, pool)?;
        self.resolve_contacts(&plan, solved_contacts, stats, pool)?;
        if plan.self_contact {
            self.truncate(&plan, stats, pool)?;
        }
        self.finish(&plan, stats, pool)
    }

    fn plan(&mut self, part: Substep) -> SubstepSettings {
        let capabilities = self.solver.capabilities();
        let ContactSettings { self_contact, layer_distance, layer_friction, .. } = self.parameters.contact;
        let contact = &mut self.scratch.self_contact;
        let distance =
            if self_contact { contact.acting_distance(&self.pattern, layer_distance) } else { layer_distance };
        SubstepSettings {
            part,
            material: self.material_at_work(),
            rule: self.rule(),
            support: match capabilities.contacts {
                ContactRule::HeldInMatrix | ContactRule::PressingConstraints => Support::Pressing,
                ContactRule::TouchingConstraints => Support::All,
                ContactRule::Response => Support::None,
            },
            bending: capabilities.bending,
            pin_stiffness: capabilities.pin_stiffness,
            self_contact,
            settings: ClothContactSettings { distance, friction: layer_friction },
            by_constraints: capabilities.cloth_contact == ClothContactRule::Constraints,
        }
    }

    /// Computes the input of the solver: forces, prescribed motions, contacts with colliders.
    /// Returns the kinetic energy of a flight without springs, pushed by colliders [J].
    fn gather_inputs(&mut self, plan: &SubstepSettings, stats: &mut StepStats, pool: &ThreadPool) -> Real {
        let mut watch = Stopwatch::start(self.clock);
        let Self { state, pattern, parameters, scratch, observe, .. } = self;
        let Scratch { inputs, before, self_contact, observer, .. } = scratch;
        let SubstepSettings { part: Substep { dt, .. }, material, rule, .. } = plan;
        if !plan.self_contact {
            state.contact_forces.cloth_contact.clear();
        }
        let ContactForces { cloth_contact, solids } = &state.contact_forces;
        let forces = (&cloth_contact[..], &solids[..]);
        let (cloth_contact, solids) = if plan.by_constraints { Default::default() } else { forces };
        inputs.gather_bending(pattern, material);
        inputs.keep_air(observe.keeps_air() || *rule != Rule::Own);
        inputs.halve_air(*rule != Rule::Own);
        inputs.set_pin_stiffness(plan.pin_stiffness);
        inputs.fill(
            &Situation { state, pattern, parameters, cloth_contact, solids },
            material,
            *dt,
            plan.support,
            pool,
        );
        let cloth = &state.cloth;
        if plan.bending == BendingRule::Force {
            inputs.add_bending_force(cloth, material, pool);
        }
        pool.copy(&cloth.positions, before);
        observer.begin_probes(&observe.probes, &cloth.velocities, inputs.air(), *dt);
        self_contact.begin(&mut state.contact_forces);
        let flight = match plan.self_contact {
            true => {
                explosion::of_free_flight(&state.cloth, inputs.partition(), inputs.external(), *dt)
                    + explosion::of_colliders(&state.cloth, inputs.contacts(), *dt)
            }
            false => 0.0,
        };
        watch.lap(stats, StepStage::External);
        flight
    }

    /// The step of the solver. Returns the contacts of the cloth with itself that are left.
    fn solve(
        &mut self,
        plan: &SubstepSettings,
        stats: &mut StepStats,
        pool: &ThreadPool,
    ) -> Result<ClothContacts, StepError> {
        let mut watch = Stopwatch::start(self.clock);
        let Self { state, pattern, solver, clock, scratch, observe, .. } = self;
        let Scratch { inputs, stage, before, budget, self_contact, predicted, observer, .. } = scratch;
        let State { cloth, previous, solver: carried, .. } = state;
        let mut contacts = if plan.self_contact { ClothContacts::Sought } else { ClothContacts::Ignored };
        if inputs.partition().free.is_empty() {
            return Ok(contacts);
        }
        budget.spend(pattern.springs().len())?;
        let input = StepInput::new(inputs, pattern, &plan.material, *clock, budget, pool);
        let input = StepInput { preconditioner_dt: plan.part.preconditioner_dt, ..input };
        let mut contact_rows: &[ContactRow] = &[];
        if plan.by_constraints {
            let step = plan.contact_step(pattern, before, pool);
            input.predict(cloth, predicted);
            let (obstacles, partition) = inputs.obstacles();
            let solids = obstacles.solids().1;
            let of_vertices = (&predicted[..], &cloth.masses[..], partition);
            (contacts, contact_rows) = self_contact.constrain(&step, contacts, solids, of_vertices);
            budget.check()?;
            watch.lap(stats, StepStage::Detection);
        }
        stage.begin(plan.rule, previous, cloth, &input, inputs.air(), plan.part.longest);
        let given = StepInput { contact_rows, ..stage.input(input) };
        observer.begin_stage(stage, &cloth.velocities);
        if observe.residual {
            observer.begin(cloth, &given);
        }
        stats.add(&solver.step(cloth, carried, &given)?);
        if observe.residual {
            observer.end(cloth, &given, plan.bending == BendingRule::Force);
        }
        let given = stage.input(input);
        let carriers = given.contacts.iter().filter(|contact| contact.load_share.is_some()).map(|contact| {
            let mass = cloth.masses[contact.vertex as usize];
            (*contact, given.contact_weight(contact.vertex, mass))
        });
        self_contact.take_reactions((plan.support == Support::Pressing).then_some(carriers), &cloth.positions);
        observer.end_stage(stage, cloth);
        stage.arrive(cloth);
        stage.note_solved(plan.rule, cloth);
        Ok(contacts)
    }

    fn move_prescribed(&mut self) {
        let cloth = &mut self.state.cloth;
        for prescribed in &self.scratch.inputs.partition().prescribed {
            cloth.positions[prescribed.vertex as usize] = prescribed.position;
            cloth.velocities[prescribed.vertex as usize] = prescribed.velocity;
        }
    }

    /// Checks the proposal of the solver for an explosion, which truncation would stop.
    fn check_for_explosion(
        &mut self,
        plan: &SubstepSettings,
        flight: Real,
        pool: &ThreadPool,
    ) -> Result<(), StepError> {
        let Self { state: State { cloth, .. }, pattern, solver, scratch, .. } = self;
        let Scratch { inputs, before, guard, .. } = scratch;
        let (bending, partition) = (inputs.bending(), inputs.partition());
        let (dt, material) = (plan.part.dt, &plan.material);
        let start = explosion::Start { positions: before, flight, dt, pattern, material, bending, partition };
        guard.set_handles(partition.prescribed_vertices());
        // a vertex that is not finite, too far or too fast is named
        let check =
            start.check(cloth, solver.as_ref()).or_else(|gain| guard.check(cloth, pattern, pool).and(Err(gain)));
        check.and_then(|()| guard.check_motion(before, dt, cloth, pattern)).map_err(StepError::Diverged)
    }

    fn limit_stretch(
        &mut self,
        plan: &SubstepSettings,
        stats: &mut StepStats,
        pool: &ThreadPool,
    ) -> Result<(), StepError> {
        let Self { state: State { cloth, .. }, pattern, parameters, scratch, clock, .. } = self;
        let Scratch { inputs, limiter, budget, .. } = scratch;
        let Some(time) = plan.part.limited_over.filter(|_| parameters.stretch.limit_stretch) else { return Ok(()) };
        let mut watch = Stopwatch::start(*clock);
        let left = limiter.apply(&parameters.stretch, pattern, inputs.partition(), time, cloth, budget, pool)?;
        stats.stretch_left = stats.stretch_left.max(left);
        watch.lap(stats, StepStage::Stretch);
        Ok(())
    }

    /// Response of contacts to the proposal of the solver: the `contacts` of cloth on cloth, and
    /// colliders.
    fn resolve_contacts(
        &mut self,
        plan: &SubstepSettings,
        contacts: ClothContacts,
        stats: &mut StepStats,
        pool: &ThreadPool,
    ) -> Result<(), StepError> {
        let mut watch = Stopwatch::start(self.clock);
        let Self { state, pattern, parameters, solver, scratch, .. } = self;
        let State { cloth, contact_forces, .. } = state;
        let Scratch { inputs, before, budget, self_contact, .. } = scratch;
        let step = plan.contact_step(pattern, before, pool);
        let (obstacles, partition) = inputs.obstacles();
        if plan.by_constraints && !partition.free.is_empty() {
            self_contact.take_solved(&step, solver.contact_rows(), &cloth.positions);
        }
        self_contact.find(&step, contacts, obstacles.solids().1, partition, cloth);
        budget.check()?;
        watch.lap(stats, StepStage::Detection);
        inputs.resolve_contacts(parameters, before, cloth, pool);
        let held = inputs.contacts().iter().filter(|contact| contact.load_share.is_none()).map(Contact::wall);
        let pressing = self_contact.solve(&step, held, cloth, contact_forces);
        budget.check()?;
        stats.pressing_rows = stats.pressing_rows.max(pressing);
        if pressing > 0 {
            // vertices that other cloth has pushed into a collider
            inputs.resolve_contacts(parameters, before, cloth, pool);
        }
        watch.lap(stats, StepStage::Contact);
        Ok(())
    }

    /// Truncates the motion of the substep so that no two parts of the cloth meet.
    fn truncate(&mut self, plan: &SubstepSettings, stats: &mut StepStats, pool: &ThreadPool) -> Result<(), StepError> {
        let Self { state: State { cloth, .. }, pattern, scratch, clock, .. } = self;
        let Scratch { inputs, before, budget, self_contact, .. } = scratch;
        let (obstacles, partition) = inputs.obstacles();
        let step = plan.contact_step(pattern, before, pool);
        let solids = obstacles.solids().1;
        let done = self_contact.truncate(&step, solids, cloth, |vertex| partition.is_free(vertex), *clock);
        budget.check()?;
        stats.near_pairs = stats.near_pairs.max(done.near_pairs);
        stats.too_many_pairs += u32::from(done.too_many_near || done.halvings > 0 || done.too_many);
        stats.truncated = stats.truncated.max(done.truncated);
        stats.searches += done.searches;
        stats.given_up = stats.given_up.max(done.given_up);
        stats.touching = stats.touching.max(done.touching);
        stats.waiting = stats.waiting.max(done.stopped);
        stats.seconds[StepStage::Detection as usize] += done.detection_seconds;
        stats.seconds[StepStage::Truncation as usize] += done.truncation_seconds;
        Ok(())
    }

    /// Checks the state at the end, and advances everything beside the cloth.
    fn finish(&mut self, plan: &SubstepSettings, stats: &mut StepStats, pool: &ThreadPool) -> Result<(), StepError> {
        let Self { state, pattern, parameters, scratch, observe, .. } = self;
        let Scratch { inputs, stage, before, guard, self_contact, observer, .. } = scratch;
        let State { cloth, contact_forces, world, time, previous, .. } = state;
        let dt = plan.part.dt;
        if observe.air_work {
            let has_stage = !inputs.partition().free.is_empty();
            let air = stage.air().filter(|_| has_stage).unwrap_or(inputs.air());
            stats.air_work += work(air, before, &cloth.positions);
        }
        observer.end_probes(&cloth.velocities);
        guard.set_handles(inputs.partition().prescribed_vertices());
        guard.check(cloth, pattern, pool).map_err(StepError::Diverged)?;
        stage.end((plan.rule, dt), previous, cloth, inputs.partition(), inputs.contacts(), inputs.air());
        let stopped = if plan.self_contact { self_contact.stopped() } else { &[] };
        // the motion that these forces respond to has not taken place
        contact_forces.solids.retain(|force| !stopped.contains(&force.solid));
        let common = world.solids(&parameters.contact, &parameters.table).count() - world.colliders.len();
        let waits = |number: usize| stopped.contains(&((common + number) as u32));
        world.update_lags(*time, dt, waits);
        if let Some(placement) = world.follow_hand(dt).filter(|(number, _)| !waits(*number)) {
            world.place(placement);
        }
        *time += dt;
        stats.substeps += 1;
        Ok(())
    }
}
