//! Single iterations and their energy, constraint by constraint in the order of the vertices: for
//! measuring, not for stepping.

use super::coordinates::Coordinates;
use super::descent::Descent;
use super::start::Start;
use super::terms::{Terms, Weights};
use super::{BoundaryConditions, IterationPlan, LocalGlobal};
use crate::sim::contact::Contact;
use crate::sim::exec::simd::F64x4;
use crate::sim::linear::FactorWork;
use crate::sim::model::material::DampingModel;
use crate::sim::solver_interface::{Iteration, Stopwatch};
use crate::sim::{Cloth, Real, StepError, StepInput, StepStats, Vec3};

impl LocalGlobal {
    /// One iteration of a step, from the positions `x` [m] of all vertices to the next. The first,
    /// from the inertial target, starts without memory of earlier ones; each later one starts with
    /// that of the one before.
    ///
    /// # Errors
    /// [`StepError::Factor`] when the matrix has no factor.
    pub fn iterate(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        weights: &Weights,
        boundary: BoundaryConditions,
        plan: &IterationPlan,
        x: &mut [Vec3],
    ) -> Result<Iteration, StepError> {
        let pool = input.pool;
        if self.prepare(cloth, input, weights, boundary, pool)? != FactorWork::default() {
            self.descent = Descent::default();
        }
        self.predict(cloth, input, Start::Target, pool);
        let place = |this: &Self, vertex: usize| {
            this.system.as_ref().map_or(vertex, |system| system.symbolic().column_of[vertex] as usize)
        };
        let mut begins = true;
        for (vertex, x) in x.iter().enumerate() {
            let place = place(self, vertex);
            begins &= self.q[place] == F64x4::from_vec3(*x);
            self.q[place] = F64x4::from_vec3(*x);
        }
        if begins {
            self.blocks.begin();
        }
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        let plain = plan.is_plain();
        let mut solved = false;
        if plain {
            self.improve(cloth, weights, pool, &mut watch, &mut stats);
        } else {
            solved = self.descend_alone(cloth, weights, plan, pool, (&mut watch, &mut stats));
        }
        for (vertex, x) in x.iter_mut().enumerate() {
            *x = self.q[place(self, vertex)].to_vec3();
        }
        let motion = if plain { self.last_motion() } else { self.last_step() };
        Ok(Iteration { seconds: stats.total_seconds(), solved: solved || motion == 0.0 })
    }
}

impl LocalGlobal {
    /// [`objective`], where there is friction with its limits at the positions `near` [m]. The step
    /// is that of the last iteration.
    pub fn objective_near(
        &self,
        cloth: &Cloth,
        input: &StepInput,
        weights: &Weights,
        q: &[Vec3],
        near: &[Vec3],
    ) -> Real {
        let of_contact = |(_, weight, contact): &(u32, Real, Contact)| {
            let vertex = contact.vertex as usize;
            weight * contact.energy(q[vertex], near[vertex], cloth.positions[vertex])
        };
        let free = |(_, _, contact): &&(u32, Real, Contact)| input.partition.is_free(contact.vertex);
        let of_contacts: Real = self.contacts.iter().filter(free).map(of_contact).sum();
        without_contacts(cloth, input, weights, q) + of_contacts
    }
}

impl LocalGlobal {
    /// Where a step starts, an entry per vertex [m].
    ///
    /// # Errors
    /// [`StepError::Factor`] when the matrix has no factor.
    pub fn start(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        (weights, boundary): (&Weights, BoundaryConditions),
        plan: &IterationPlan,
        x: &mut Vec<Vec3>,
    ) -> Result<(), StepError> {
        self.prepare(cloth, input, weights, boundary, input.pool)?;
        self.predict(cloth, input, plan.start, input.pool);
        if plan.holds_back() {
            self.begin_descent(weights, plan, input.pool);
            self.hold_back(cloth, input, weights, input.pool);
            self.balance(cloth, input, input.pool);
        }
        let Some(system) = &self.system else { return Ok(()) };
        x.clear();
        x.extend(system.symbolic().column_of.iter().map(|&place| self.q[place as usize].to_vec3()));
        Ok(())
    }
}

/// Whether the incremental potential of the material has the damping of these methods, which is
/// isotropic.
pub fn damps_as_potential(input: &StepInput) -> bool {
    input.material.damping_model == DampingModel::Isotropic || input.material.damping == 0.0
}

/// ```text
/// E(q) = 1/(2h²) Σ m |q - y|² + Σ w/2 |A q - p(A q)|² + c/(2h) Σ |(q_j - q_i) - (x_j - x_i)|²   [J]
/// ```
///
/// `None` with contacts, as in [`Minimiser::objective`](crate::sim::solver_interface::Minimiser::objective).
pub fn objective(
    cloth: &Cloth,
    input: &StepInput,
    weights: &Weights,
    boundary: BoundaryConditions,
    q: &[Vec3],
) -> Option<Real> {
    let with_contacts = boundary.contacts > 0.0 && !input.contacts.is_empty();
    (!with_contacts).then(|| without_contacts(cloth, input, weights, q))
}

/// [`objective`] as it is without contacts [J].
fn without_contacts(cloth: &Cloth, input: &StepInput, weights: &Weights, q: &[Vec3]) -> Real {
    let mut target = Vec::new();
    input.predict(cloth, &mut target);
    let h = input.dt;
    let inertia = |&vertex: &u32| {
        let i = vertex as usize;
        cloth.masses[i] * q[i].distance_squared(target[i])
    };
    let mut sum = input.partition.free.iter().map(inertia).sum::<Real>() / (2.0 * h * h);
    for pin in &input.partition.soft {
        let i = pin.vertex as usize;
        let (weight, point) = pin.in_step(cloth.positions[i], h);
        sum += 0.5 * weight * q[i].distance_squared(point);
    }

    let mut terms = Terms::default();
    // coordinates do not change the energy
    let weights = &Weights { coordinates: Coordinates::Differences, ..*weights };
    terms.update(input, weights, &cloth.masses);
    sum += terms.energy_of_momentum(cloth, h, q);
    for row in 0..terms.springs {
        let [i, j] = [0, 1].map(|end| terms.rows.row(row).0[end] as usize);
        let d = q[i] - q[j];
        let stretch = d.length() - terms.rest_lengths[row];
        sum += 0.5 * terms.pulls[row] * stretch * stretch;
        sum += 0.5 * terms.damping[row] * d.distance_squared(cloth.positions[i] - cloth.positions[j]);
    }
    if weights.springs && input.material.isometric_stiffness() > 0.0 {
        sum += input.material.isometric_stiffness() * input.bending.energy(q);
    }
    let q: Vec<F64x4> = q.iter().map(|x| F64x4::from_vec3(*x)).collect();
    let list = weights.list();
    for block in &terms.blocks {
        sum += list[block.place].map_or(0.0, |constraint| block.elements.energies(constraint, &q).iter().sum());
    }
    sum
}
