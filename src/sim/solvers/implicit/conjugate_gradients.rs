//! Conjugate gradients for the system of an implicit step, with a preconditioner
//! (`preconditioner.rs`) that is seldom factored.
//!
//! The matrix may be indefinite: the way then ends where its curvature is negative, at the latest
//! at the edge of a trust region (Steihaug 1983) in the norm of the preconditioner.

use super::preconditioner::Preconditioner;
use super::reduction::{dot, parts, reduce};
use super::spring_operator::{PLACES, SpringOperator};
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;
use crate::sim::forces::bending::BendingKey;
use crate::sim::linear::{ConstantSystem, FactorHistory, FactorWork};
use crate::sim::pattern::Coefficients;
use crate::sim::{Cloth, Mat3, Pattern, Real, StepError, StepInput, Vec3, WorkBudget};

/// How a solve went.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Solved {
    /// Number of iterations.
    pub iterations: u32,
    /// Residual relative to the right-hand side.
    pub residual: Real,
    /// By how much `½ xᵀ A x - bᵀ x` has fallen.
    pub decrease: Real,
    /// Length of the way from the start, in the norm of the preconditioner.
    pub length: Real,
    /// Whether the work of the step was used up on the way.
    pub exhausted: bool,
}

/// `b := b - A x`, and zero at prescribed vertices. Returns the norms of `b` before and after.
fn subtract_product(
    operator: &SpringOperator,
    x: &[F64x4],
    b: &mut [F64x4],
    (image, partial): (&mut [F64x4], &mut [[Real; 2]]),
    pool: &ThreadPool,
) -> [Real; 2] {
    let free = &operator.free;
    let masked = |place: usize, v: F64x4| if free[place] { v } else { F64x4::ZERO };
    operator.apply(x, image, pool);
    let squares = reduce(partial, b, pool, |place, b| {
        let before = masked(place, *b);
        *b = before - masked(place, image[place]);
        [dot(before, before), dot(*b, *b)]
    });
    squares.map(Real::sqrt)
}

/// `image := A p`. Returns `pᵀ A p`.
fn apply(
    operator: &SpringOperator,
    p: &[F64x4],
    (image, partial): (&mut [F64x4], &mut [[Real; 2]]),
    pool: &ThreadPool,
) -> Real {
    let shared = Shared::new(image);
    let [curvature, _] = parts(partial, p.len(), pool, |range| {
        // SAFETY: the parts do not overlap.
        let image = unsafe { shared.part(range.clone()) };
        operator.apply_part(p, range.clone(), image);
        [p[range].iter().zip(image).map(|(p, image)| dot(*p, *image)).sum(), 0.0]
    });
    curvature
}

/// Scalar products of the way `x - x₀` and of the direction `p`, in the norm of the preconditioner.
#[derive(Debug, Default)]
struct Way {
    /// Of the way with itself.
    square: Real,
    /// Of the way and the direction.
    along: Real,
    /// Of the direction with itself.
    direction: Real,
}

impl Way {
    /// The direction becomes a new one with the square `gain`, plus `turn` times the old one.
    fn turn(&mut self, gain: Real, turn: Real) {
        (self.direction, self.along) = (gain + turn * turn * self.direction, turn * self.along);
    }

    /// How many times the direction leads to the edge of the trust region.
    fn longest(&self, radius: Real) -> Real {
        let Self { square, along, direction } = *self;
        ((along * along + direction * (radius * radius - square)).max(0.0).sqrt() - along) / direction
    }

    /// Goes `length` times the direction.
    fn go(&mut self, length: Real) {
        self.square += length * (2.0 * self.along + length * self.direction);
        self.along += length * self.direction;
    }
}

/// The system of an implicit step with its preconditioner and scratch memory. All vectors are by
/// places.
#[derive(Debug, Default)]
pub struct SpringCg {
    preconditioner: Preconditioner,
    /// The matrix.
    pub operator: SpringOperator,
    /// Pattern, families, bending, and whether there is a membrane, that the operator was gathered
    /// for.
    gathered: Option<(u64, [bool; 3], Option<BendingKey>, bool)>,
    /// The solution; before a solve, where it starts.
    pub x: Vec<F64x4>,
    /// The right-hand side; in a solve the residual.
    pub b: Vec<F64x4>,
    z: Vec<F64x4>,
    direction: Vec<F64x4>,
    image: Vec<F64x4>,
    partial: Vec<[Real; 2]>,
}

impl SpringCg {
    /// Updates preconditioner and sparsity for a matrix `inertia M + Σ springs`. Contacts add the
    /// blocks `holds`, by rising vertex. The preconditioner is that of `stand_in`: a factor of the
    /// masses, and the largest weights of the springs by family.
    ///
    /// # Errors
    /// [`StepError::Factor`] when the preconditioner has no factor.
    pub fn prepare(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        inertia: Real,
        stand_in: (Real, Coefficients),
        holds: impl Iterator<Item = (u32, Mat3)>,
        pool: &ThreadPool,
    ) -> Result<FactorWork, StepError> {
        let Self { preconditioner, operator, gathered, .. } = self;
        let symbolic = preconditioner.assemble(cloth, input, stand_in)?.symbolic();
        let active = stand_in.1.families();
        let bent = input.material.isometric_stiffness() > 0.0;
        let bending = input.bending.key().filter(|_| bent);
        let key = Some((input.pattern.revision(), active, bending, input.material.has_membrane()));
        if *gathered != key {
            let families = &input.pattern.springs().families;
            let takes_part = |e: usize| active[families[e] as usize];
            operator.gather(input.pattern, symbolic, takes_part, bent.then_some(input.bending));
            operator.membrane.gather(input.pattern, input.material, symbolic);
            *gathered = key;
        }
        operator.holds.clear();
        operator.holds.extend(holds.map(|(vertex, hold)| (symbolic.column_of[vertex as usize], hold)));
        operator.holds.sort_unstable_by_key(|(place, _)| *place);
        for (place, &vertex) in symbolic.vertex_of.iter().enumerate() {
            operator.diagonal[place] = inertia * cloth.masses[vertex as usize];
            operator.free[place] = input.partition.is_free(vertex);
        }
        input.budget.spend(operator.springs())?;
        let work = preconditioner.hold(input, &operator.holds, pool)?;
        let n = cloth.len();
        for array in [&mut self.x, &mut self.b, &mut self.z, &mut self.direction, &mut self.image] {
            array.resize(n, F64x4::ZERO);
        }
        self.partial.resize(n.div_ceil(PLACES), [0.0; 2]);
        Ok(work)
    }

    /// The preconditioner with the places of the vertices, once [`prepare`](Self::prepare) has been
    /// called.
    #[must_use]
    pub fn system(&self) -> Option<&ConstantSystem> {
        self.preconditioner.system()
    }

    /// Sets every entry of an array to `value(vertex)`.
    pub fn fill(&self, array: &mut [F64x4], value: impl Fn(usize) -> Vec3 + Sync, pool: &ThreadPool) {
        if let Some(system) = self.system() {
            let vertex_of = &system.symbolic().vertex_of;
            pool.update(array, PLACES, |place, entry| *entry = F64x4::from_vec3(value(vertex_of[place] as usize)));
        }
    }

    /// The solution at `vertex`.
    #[must_use]
    pub fn solution(&self, vertex: usize) -> Vec3 {
        self.system().map_or(Vec3::ZERO, |system| self.x[system.symbolic().column_of[vertex] as usize].to_vec3())
    }

    /// Work of an iteration, as [`WorkBudget`] counts it.
    fn work(&self) -> usize {
        let entries = self.system().map_or(0, |system| system.symbolic().entries());
        self.operator.springs() + 6 * self.operator.membrane.count() + entries / 2
    }

    /// How many iterations cost as much as a factorisation of the whole matrix, blocks of three by
    /// three numbers: by the operations of both, and the ratio of their speed as measured on cloths
    /// of 41×41 and 81×81 vertices. Isometric bending, which the preconditioner is without, couples
    /// vertices two edges apart: the factorisation then took 3 and 3.8 times as long.
    #[must_use]
    pub fn iterations_per_factorisation(&self) -> u32 {
        const FASTER: Real = 6.0;
        const WIDER: Real = 3.0;
        let factor = if self.operator.has_bending() { 27.0 * WIDER } else { 27.0 };
        let operations = self.system().map_or(0.0, |system| factor * system.symbolic().operations());
        let entries = self.system().map_or(0, |system| system.symbolic().entries());
        let springs = self.operator.springs() + 6 * self.operator.membrane.count();
        (operations / (FASTER * (entries + 10 * springs) as Real)) as u32 + 1
    }

    /// Tells the preconditioner how the cloth lies: its positions `q` [m] and normals, of unit
    /// length or zero, both one per vertex.
    pub fn set_frames(&mut self, pattern: &Pattern, q: &[Vec3], normals: &[Vec3], pool: &ThreadPool) {
        self.preconditioner.turn(&self.operator, pattern, q, normals, pool);
    }

    /// Translates the solution as a whole such that the residuals sum to zero: a free cloth then
    /// keeps its momentum, whatever the tolerance.
    pub fn balance(&mut self) {
        let left = self.b.iter().fold(F64x4::ZERO, |sum, b| sum + *b);
        let shift = left * F64x4::splat(1.0 / self.operator.diagonal.iter().sum::<Real>());
        self.x.iter_mut().for_each(|x| *x = *x + shift);
    }

    /// Solves `A x = b` from the present `x` until the residual is below `tolerance` times `|b|`,
    /// not going farther than `radius`. Prescribed vertices keep the `x` that they have.
    ///
    /// # Errors
    /// [`StepError::Cancelled`].
    pub fn solve(
        &mut self,
        tolerance: Real,
        most_iterations: u32,
        radius: Real,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<Solved, StepError> {
        let work = self.work();
        let Self { preconditioner, operator, x, b, z, direction, image, partial, .. } = self;
        let [size, mut left] = subtract_product(operator, x, b, (image, partial), pool);
        let (mut solved, mut last) = (Solved::default(), 0.0);
        let mut way = Way::default();
        while left > tolerance * size && solved.iterations < most_iterations {
            if !budget.spend(work)? {
                solved.exhausted = true;
                break;
            }
            let gain = preconditioner.apply(b, z, partial, pool);
            let turn = if solved.iterations == 0 { 0.0 } else { gain / last };
            last = gain;
            let preconditioned = &*z;
            pool.update(direction, PLACES, |place, p| *p = preconditioned[place] + *p * F64x4::splat(turn));
            let p = &*direction;
            let curvature = apply(operator, p, (image, partial), pool);
            solved.iterations += 1;
            // rounding is all that is left
            if !(gain > 0.0 && curvature != 0.0 && curvature.is_finite()) {
                break;
            }
            way.turn(gain, turn);
            // where the curvature is negative the potential falls for ever; the mirrored parabola
            // at least knows a scale
            let longest = way.longest(radius);
            let wanted = gain / curvature.abs();
            let ends = curvature < 0.0 || wanted > longest;
            let length = wanted.min(longest);
            solved.decrease += length * (gain - 0.5 * length * curvature);
            way.go(length);
            let (step, image) = (F64x4::splat(length), &*image);
            pool.update(x, PLACES, |place, x| *x = *x + p[place] * step);
            let [square, _] = reduce(partial, b, pool, |place, b| {
                *b = *b - image[place] * step;
                [dot(*b, *b), 0.0]
            });
            left = square.sqrt();
            if ends {
                break;
            }
        }
        solved.length = way.square.max(0.0).sqrt();
        solved.residual = if size > 0.0 { left / size } else { 0.0 };
        Ok(solved)
    }

    /// [`LaplacianSystem::follow`](super::laplacian::LaplacianSystem::follow) for the
    /// preconditioner.
    pub fn follow(&mut self, history: &FactorHistory) {
        self.preconditioner.follow(history);
    }

    /// [`LaplacianSystem::note_history`](super::laplacian::LaplacianSystem::note_history) of the
    /// preconditioner.
    pub fn note_history(&self, history: &mut FactorHistory) {
        self.preconditioner.note_history(history);
    }

    /// Forgets everything, numbers that are none included.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}
