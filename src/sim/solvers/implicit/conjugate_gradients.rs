//! Conjugate gradients for the system of an implicit step, preconditioned with the constant matrix of projective dynamics.
//!
//! That matrix needs no new factorisation while the cloth moves, and it knows what a block diagonal does not: how far a pull on
//! one side is felt on the other. But it counts every spring as if it were as stiff across as along, and out of its plane
//! a cloth is soft. So it stands in for what lies in the cloth alone, with the directions that it had at rest:
//! `z = Uᵀ P⁻¹ U r + n (n·r)/(nᵀ A_ii n)` with the [frames](crate::sim::solvers::implicit::frames) `U`, `n` of the vertices. Against `P⁻¹ r` alone that is a third
//! of the iterations where a cloth hangs smoothly; against a `U` that knows the normal but not the turn, 47 instead of 118 of them
//! per step where it is draped over a table.
//!
//! The matrix may be indefinite: the way then ends where its curvature is negative, at the latest at the edge of a trust region
//! (Steihaug 1983) in the norm of the preconditioner.

use super::frames::Frames;
use super::laplacian::LaplacianSystem;
use super::spring_operator::{PLACES, SpringOperator};
use crate::sim::exec::simd::F64x4;
use crate::sim::exec::team::{Shared, Team};
use crate::sim::forces::springs::Blocks;
use crate::sim::linear::{ConstantSystem, FactorHistory, FactorWork};
use crate::sim::{Cloth, Effort, Mat3, Pattern, Real, StepError, StepInput, Vec3};

/// Least `1 - L/l` that counts: a spring that is pressed together to nearly nothing has a curvature beyond all bounds.
const MOST_COMPRESSED: Real = -10.0;

/// How a solve went.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Solved {
    /// Number of iterations.
    pub iterations: u32,
    /// What is left of the residual, relative to the right-hand side.
    pub residual: Real,
    /// By how much `½ xᵀ A x - bᵀ x` has fallen.
    pub decrease: Real,
    /// Length of the way from the start, in the norm of the preconditioner.
    pub length: Real,
    /// Whether the work of the step was used up on the way.
    pub exhausted: bool,
}

/// The system of an implicit step with its preconditioner and scratch memory. All vectors are by places.
#[derive(Debug, Default)]
pub struct SpringCg {
    preconditioner: LaplacianSystem,
    /// The matrix.
    pub operator: SpringOperator,
    /// The vertices that stick to a collider, by place, and how the preconditioner holds them.
    sticking: Vec<(usize, Real)>,
    /// What the operator was gathered for.
    gathered: Option<(u64, [bool; 3], bool)>,
    /// Stiffness of isometric bending [N·m].
    bending: Real,
    /// The solution; before a solve, where it starts.
    pub x: Vec<F64x4>,
    /// The right-hand side; in a solve the residual.
    pub b: Vec<F64x4>,
    z: Vec<F64x4>,
    frames: Frames,
    direction: Vec<F64x4>,
    image: Vec<F64x4>,
    partial: Vec<[Real; 2]>,
}

impl SpringCg {
    /// Brings preconditioner and sparsity up to date for a matrix `inertia M + Σ springs`. Contacts add the blocks `holds`, by rising
    /// vertex. The preconditioner is that of `stand_in`: a factor of the masses, and what the springs weigh at most by family.
    ///
    /// # Errors
    /// [`StepError::Factor`] when the preconditioner has no factor.
    pub fn prepare(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        inertia: Real,
        stand_in: (Real, [Real; 3]),
        holds: impl Iterator<Item = (u32, Mat3)>,
        team: &Team,
    ) -> Result<FactorWork, StepError> {
        let (mass_factor, weights) = stand_in;
        self.bending = input.material.isometric_stiffness();
        let bent = self.bending > 0.0;
        let Self { preconditioner, operator, sticking, gathered, .. } = self;
        let system = preconditioner.prepare(cloth, input, mass_factor, weights);
        let key = Some((input.pattern.revision(), weights.map(|weight| weight > 0.0), bent));
        if *gathered != key {
            let families = &input.pattern.springs().families;
            let takes_part = |e: usize| weights[families[e] as usize] > 0.0;
            operator.gather(input.pattern, system.symbolic(), takes_part, bent.then_some(input.bending));
            *gathered = key;
        }
        let symbolic = system.symbolic();
        operator.holds.clear();
        operator.holds.extend(holds.map(|(vertex, hold)| (symbolic.column_of[vertex as usize], hold)));
        operator.holds.sort_unstable_by_key(|(place, _)| *place);
        // a contact that slides holds along its normal alone, which the frames see to
        let sticks = |hold: &Mat3| {
            let axes = [hold.x_axis.x, hold.y_axis.y, hold.z_axis.z];
            axes.into_iter().fold(Real::MAX, Real::min) > 0.99 * axes.into_iter().fold(0.0, Real::max)
        };
        sticking.clear();
        sticking.extend(
            (operator.holds.iter())
                .filter(|(_, hold)| sticks(hold))
                .map(|(place, _)| (*place as usize, StepInput::CONTACT_STIFFER * system.diagonal(*place as usize))),
        );
        let operations = system.symbolic().operations();
        input.effort.spend(operator.springs())?;
        let work = system.hold_prescribed(input.partition.prescribed_vertices(), sticking.iter().copied(), team)?;
        input.effort.spend(work.factorisations as usize * operations as usize / 10)?;
        let symbolic = system.symbolic();
        for (place, &vertex) in symbolic.vertex_of.iter().enumerate() {
            operator.diagonal[place] = inertia * cloth.masses[vertex as usize];
            operator.free[place] = input.partition.is_free(vertex);
        }
        let n = cloth.len();
        for array in [&mut self.x, &mut self.b, &mut self.z, &mut self.direction, &mut self.image] {
            array.resize(n, F64x4::ZERO);
        }
        self.partial.resize(n.div_ceil(PLACES), [0.0; 2]);
        Ok(work)
    }

    /// The preconditioner with the places of the vertices, once [`prepare`](Self::prepare) has been called.
    #[must_use]
    pub fn system(&self) -> Option<&ConstantSystem> {
        self.preconditioner.system()
    }

    /// Sets every entry of an array to `value(vertex)`.
    pub fn fill(&self, array: &mut [F64x4], value: impl Fn(usize) -> Vec3 + Sync, team: &Team) {
        if let Some(system) = self.system() {
            let vertex_of = &system.symbolic().vertex_of;
            team.update(array, PLACES, |place, entry| *entry = F64x4::from_vec3(value(vertex_of[place] as usize)));
        }
    }

    /// The solution at `vertex`.
    #[must_use]
    pub fn solution(&self, vertex: usize) -> Vec3 {
        self.system().map_or(Vec3::ZERO, |system| self.x[system.symbolic().column_of[vertex] as usize].to_vec3())
    }

    /// Sets the couplings of all springs at the positions `q` by places, with the Jacobians times `elastic` as in `physics.md` section 1,
    /// clamped or raw.
    pub fn couple(
        &mut self,
        q: &[F64x4],
        pattern: &Pattern,
        stiffness: [Real; 3],
        elastic: Real,
        blocks: Blocks,
        team: &Team,
    ) {
        let springs = pattern.springs();
        let least = if blocks == Blocks::Raw { MOST_COMPRESSED } else { 0.0 };
        let coupling = |e: usize, d: Vec3| {
            let (k, rest_length) = (elastic * stiffness[springs.families[e] as usize], springs.rest_lengths[e]);
            let l = d.length();
            if l <= 0.0 {
                return (Vec3::ZERO, 0.0);
            }
            let a = (1.0 - rest_length / l).max(least);
            (d * ((k * (1.0 - a)).sqrt() / l), k * a)
        };
        self.operator.bending_factor = elastic * self.bending;
        self.operator.couple(q, coupling, team);
    }

    /// The same for springs that beside their own stiffness have a second one: `second(e)`, a stiffness [as `elastic` times
    /// N/m] and a rest length [m]. Damping along the springs is such a one; with an infinite rest length its block is `k u uᵀ`.
    #[expect(clippy::too_many_arguments, reason = "those of `couple`, and the second spring")]
    pub fn couple_twice(
        &mut self,
        q: &[F64x4],
        pattern: &Pattern,
        stiffness: [Real; 3],
        elastic: Real,
        blocks: Blocks,
        second: impl Fn(usize) -> (Real, Real) + Sync,
        team: &Team,
    ) {
        let springs = pattern.springs();
        let least = if blocks == Blocks::Raw { MOST_COMPRESSED } else { 0.0 };
        let coupling = |e: usize, d: Vec3| {
            let l = d.length();
            if l <= 0.0 {
                return (Vec3::ZERO, 0.0);
            }
            let own = (elastic * stiffness[springs.families[e] as usize], springs.rest_lengths[e]);
            let [along, across] = [own, second(e)].iter().fold([0.0; 2], |[along, across], (k, rest_length)| {
                let least = if rest_length.is_finite() { least } else { 0.0 };
                let a = (1.0 - rest_length / l).max(least);
                [along + k * (1.0 - a), across + k * a]
            });
            (d * (along.sqrt() / l), across)
        };
        self.operator.bending_factor = elastic * self.bending;
        self.operator.couple(q, coupling, team);
    }

    /// Work of an iteration, as [`Effort`] counts it.
    fn work(&self) -> usize {
        let entries = self.system().map_or(0, |system| system.symbolic().entries());
        self.operator.springs() + entries / 2
    }

    /// How many iterations cost as much as a factorisation of the whole matrix, blocks of three by three numbers: by the
    /// operations of both, and the ratio of their speed as measured on cloths of 41×41 and 81×81 vertices.
    #[must_use]
    pub fn iterations_per_factorisation(&self) -> u32 {
        const FASTER: Real = 6.0;
        let operations = self.system().map_or(0.0, |system| 27.0 * system.symbolic().operations());
        let entries = self.system().map_or(0, |system| system.symbolic().entries());
        (operations / (FASTER * (entries + 10 * self.operator.springs()) as Real)) as u32 + 1
    }

    /// Tells the preconditioner how the cloth lies: its positions `q` [m] and normals, of unit length or zero, both one per
    /// vertex.
    pub fn set_frames(&mut self, pattern: &Pattern, q: &[Vec3], normals: &[Vec3], team: &Team) {
        let Self { preconditioner, operator, frames, .. } = self;
        let Some(system) = preconditioner.system() else { return };
        let compliance = |place: usize, n: Vec3| 1.0 / operator.stiffness_along(place, n);
        frames.turn(pattern, system.symbolic(), q, normals, compliance, team);
    }

    /// Shifts the solution as a whole so that what is left of the equations sums to zero: that of a free cloth then keeps the
    /// momentum, whatever the tolerance.
    pub fn balance(&mut self) {
        let left = self.b.iter().fold(F64x4::ZERO, |sum, b| sum + *b);
        let shift = left * F64x4::splat(1.0 / self.operator.diagonal.iter().sum::<Real>());
        self.x.iter_mut().for_each(|x| *x = *x + shift);
    }

    /// Solves `A x = b` from the present `x` until the residual is below `tolerance` times `|b|`, not going farther than `radius`.
    /// Prescribed vertices keep the `x` that they have.
    ///
    /// # Errors
    /// [`StepError::Cancelled`].
    pub fn solve(
        &mut self,
        tolerance: Real,
        most_iterations: u32,
        radius: Real,
        effort: &Effort,
        team: &Team,
    ) -> Result<Solved, StepError> {
        let work = self.work();
        let Self { preconditioner, operator, x, b, z, frames, direction, image, partial, .. } = self;
        let Some(system) = preconditioner.system_mut() else { return Ok(Solved::default()) };
        // b := b - A x
        let free = &operator.free;
        let masked = |place: usize, v: F64x4| if free[place] { v } else { F64x4::ZERO };
        operator.apply(x, image, team);
        let norms = reduce(partial, b, team, |place, b| {
            let before = masked(place, *b);
            *b = before - masked(place, image[place]);
            [dot(before, before), dot(*b, *b)]
        });
        let (size, mut left) = (norms[0].sqrt(), norms[1].sqrt());
        let mut solved = Solved::default();
        let mut last = 0.0;
        // of the way x - x₀ and the direction p, in the norm of the preconditioner
        let (mut way_way, mut way_p, mut p_p) = (0.0, 0.0, 0.0);
        while left > tolerance * size && solved.iterations < most_iterations {
            if !effort.spend(work)? {
                solved.exhausted = true;
                break;
            }
            let (residual, frames) = (&*b, &**frames);
            team.update(z, PLACES, |place, z| *z = frames[place].at_rest(residual[place]));
            system.solve(z, team);
            let [gain, _] = reduce(partial, z, team, |place, z| {
                *z = frames[place].turned(*z, residual[place]);
                [dot(*z, residual[place]), 0.0]
            });
            let turn = if solved.iterations == 0 { 0.0 } else { gain / last };
            last = gain;
            let preconditioned = &*z;
            team.update(direction, PLACES, |place, p| *p = preconditioned[place] + *p * F64x4::splat(turn));
            let p = &*direction;
            let shared = Shared::new(image);
            let [curvature, _] = parts(partial, p.len(), team, |range| {
                // SAFETY: the parts do not overlap.
                let image = unsafe { shared.part(range.clone()) };
                operator.apply_part(p, range.clone(), image);
                [p[range].iter().zip(image).map(|(p, image)| dot(*p, *image)).sum(), 0.0]
            });
            solved.iterations += 1;
            // rounding is all that is left
            if !(gain > 0.0 && curvature != 0.0 && curvature.is_finite()) {
                break;
            }
            (p_p, way_p) = (gain + turn * turn * p_p, turn * way_p);
            // where the curvature is negative the potential falls for ever; the mirrored parabola at least knows a scale
            let longest = ((way_p * way_p + p_p * (radius * radius - way_way)).max(0.0).sqrt() - way_p) / p_p;
            let wanted = gain / curvature.abs();
            let ends = curvature < 0.0 || wanted > longest;
            let length = wanted.min(longest);
            solved.decrease += length * (gain - 0.5 * length * curvature);
            way_way += length * (2.0 * way_p + length * p_p);
            way_p += length * p_p;
            let (step, image) = (F64x4::splat(length), &*image);
            team.update(x, PLACES, |place, x| *x = *x + p[place] * step);
            let [square, _] = reduce(partial, b, team, |place, b| {
                *b = *b - image[place] * step;
                [dot(*b, *b), 0.0]
            });
            left = square.sqrt();
            if ends {
                break;
            }
        }
        solved.length = way_way.max(0.0).sqrt();
        solved.residual = if size > 0.0 { left / size } else { 0.0 };
        Ok(solved)
    }

    /// How the factor of the preconditioner came about.
    #[must_use]
    pub fn history(&self) -> Option<&FactorHistory> {
        self.preconditioner.history()
    }

    /// Makes the next factor of the preconditioner come about like this.
    pub fn resume(&mut self, history: FactorHistory) {
        self.preconditioner.resume(history);
    }

    /// Forgets everything, numbers that are none included.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}

#[inline(always)]
fn dot(a: F64x4, b: F64x4) -> Real {
    (a * b).sum()
}

/// Changes every entry and adds up what that returns, part by part, so that the sum does not depend on the threads.
fn reduce(
    partial: &mut [[Real; 2]],
    entries: &mut [F64x4],
    team: &Team,
    change: impl Fn(usize, &mut F64x4) -> [Real; 2] + Sync,
) -> [Real; 2] {
    let shared = Shared::new(entries);
    parts(partial, shared.len(), team, |range| {
        // SAFETY: the parts do not overlap.
        let part = unsafe { shared.part(range.clone()) };
        part.iter_mut().zip(range).fold([0.0; 2], |sum, (entry, place)| {
            let [a, b] = change(place, entry);
            [sum[0] + a, sum[1] + b]
        })
    })
}

/// Adds up what `run` returns for the parts of `0..length`.
fn parts(
    partial: &mut [[Real; 2]],
    length: usize,
    team: &Team,
    run: impl Fn(std::ops::Range<usize>) -> [Real; 2] + Sync,
) -> [Real; 2] {
    let shared = Shared::new(partial);
    team.for_parts(length, PLACES, |range| {
        let part = range.start / PLACES;
        let sum = run(range);
        // SAFETY: every part has a sum of its own.
        unsafe { shared.part(part..part + 1)[0] = sum };
    });
    partial.iter().fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]])
}
