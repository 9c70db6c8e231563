//! Conjugate gradients for the system of an implicit step, preconditioned with the constant matrix of projective dynamics.
//!
//! That matrix needs no new factorisation while the cloth moves, and it knows what a block diagonal does not: how far a pull on
//! one side is felt on the other. But it counts every spring as if it were as stiff across as along, and out of its plane
//! a cloth is soft. So it stands in for the tangential part alone, `z = T P⁻¹ T r + n (n·r)/(nᵀ A_ii n)` with
//! `T = I - n nᵀ` at every vertex: a third of the iterations.

use super::spring_operator::{PLACES, SpringOperator};
use super::{ConstantSystem, FactorHistory, LaplacianSystem, Upkeep};
use crate::sim::lanes::Lanes;
use crate::sim::team::{Shared, Team};
use crate::sim::{Cloth, Mat3, Pattern, Real, StepError, StepInput, Vec3};

/// How a solve went.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Solved {
    /// Number of iterations.
    pub iterations: u32,
    /// What is left of the residual, relative to the right-hand side.
    pub residual: Real,
}

/// The system of an implicit step with its preconditioner and scratch memory. All vectors are by places.
#[derive(Debug, Default)]
pub struct SpringCg {
    preconditioner: LaplacianSystem,
    /// The matrix.
    pub operator: SpringOperator,
    /// What the operator was gathered for.
    gathered: Option<(u64, [bool; 3])>,
    /// The solution; before a solve, where it starts.
    pub x: Vec<Lanes>,
    /// The right-hand side; in a solve the residual.
    pub b: Vec<Lanes>,
    z: Vec<Lanes>,
    /// Unit normal of the cloth at every vertex, or zero, with `1/(nᵀ A_ii n)`.
    normals: Vec<Lanes>,
    direction: Vec<Lanes>,
    image: Vec<Lanes>,
    partial: Vec<[Real; 2]>,
}

impl SpringCg {
    /// Brings preconditioner and sparsity up to date for a matrix `inertia M + Σ springs`, whose springs weigh at most
    /// `weights` by family. Contacts add the blocks `holds`, by rising vertex.
    ///
    /// # Errors
    /// [`StepError::Factor`] when the preconditioner has no factor.
    pub fn prepare(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        inertia: Real,
        weights: [Real; 3],
        holds: impl Iterator<Item = (u32, Mat3)>,
        team: &Team,
    ) -> Result<Upkeep, StepError> {
        let system = self.preconditioner.prepare(cloth, input, inertia, weights);
        let key = Some((input.pattern.revision(), weights.map(|weight| weight > 0.0)));
        let operator = &mut self.operator;
        if self.gathered != key {
            let families = &input.pattern.springs().families;
            operator.gather(input.pattern, system.symbolic(), |e| weights[families[e] as usize] > 0.0);
            self.gathered = key;
        }
        let symbolic = system.symbolic();
        operator.holds.clear();
        operator.holds.extend(holds.map(|(vertex, hold)| (symbolic.place_of[vertex as usize], hold)));
        operator.holds.sort_unstable_by_key(|(place, _)| *place);
        // between the axes that a sliding contact holds and those that it leaves free
        let held: Vec<(usize, Real)> = (operator.holds.iter())
            .map(|(place, hold)| {
                let axes = [hold.x_axis.x, hold.y_axis.y, hold.z_axis.z];
                let (least, most) =
                    (axes.into_iter().fold(Real::MAX, Real::min), axes.into_iter().fold(0.0, Real::max));
                let own = system.diagonal(*place as usize);
                (*place as usize, if least > 0.99 * most { most } else { (most * own).sqrt() })
            })
            .collect();
        let upkeep = system.hold_prescribed(input.partition, held.into_iter(), team)?;
        let symbolic = system.symbolic();
        for (place, &vertex) in symbolic.vertex_at.iter().enumerate() {
            operator.diagonal[place] = inertia * cloth.masses[vertex as usize];
            operator.free[place] = input.partition.is_free(vertex);
        }
        let n = cloth.len();
        for array in [&mut self.x, &mut self.b, &mut self.z, &mut self.direction, &mut self.image, &mut self.normals] {
            array.resize(n, Lanes::ZERO);
        }
        self.partial.resize(n.div_ceil(PLACES), [0.0; 2]);
        Ok(upkeep)
    }

    /// The preconditioner with the places of the vertices, once [`prepare`](Self::prepare) has been called.
    #[must_use]
    pub fn system(&self) -> Option<&ConstantSystem> {
        self.preconditioner.system()
    }

    /// Sets every entry of an array to `value(vertex)`.
    pub fn fill(&self, array: &mut [Lanes], value: impl Fn(usize) -> Vec3 + Sync, team: &Team) {
        if let Some(system) = self.system() {
            let vertex_at = &system.symbolic().vertex_at;
            team.update(array, PLACES, |place, entry| *entry = Lanes::from_vec3(value(vertex_at[place] as usize)));
        }
    }

    /// The solution at `vertex`.
    #[must_use]
    pub fn solution(&self, vertex: usize) -> Vec3 {
        self.system().map_or(Vec3::ZERO, |system| self.x[system.symbolic().place_of[vertex] as usize].to_vec3())
    }

    /// Sets the couplings of all springs at the positions `q` by places, with the Jacobians times `elastic` and the damping times
    /// `viscous` as in `physics.md` section 1, clamped.
    pub fn couple(&mut self, q: &[Lanes], pattern: &Pattern, stiffness: [Real; 3], elastic: Real, team: &Team) {
        let springs = pattern.springs();
        let coupling = |e: usize, d: Vec3| {
            let (k, rest_length) = (elastic * stiffness[springs.families[e] as usize], springs.rest_lengths[e]);
            let l = d.length();
            if l <= 0.0 {
                return (Vec3::ZERO, 0.0);
            }
            let a = (1.0 - rest_length / l).max(0.0);
            (d * ((k * (1.0 - a)).sqrt() / l), k * a)
        };
        self.operator.couple(q, coupling, team);
    }

    /// Sets the normals of the cloth for the preconditioner: one per vertex, of unit length or zero.
    pub fn set_normals(&mut self, normals: &[Vec3], team: &Team) {
        let mut array = std::mem::take(&mut self.normals);
        self.fill(&mut array, |i| normals[i], team);
        self.operator.stiffness_along(&mut array, team);
        self.normals = array;
    }

    /// Shifts the solution as a whole so that what is left of the equations sums to zero: that of a free cloth then keeps the
    /// momentum, whatever the tolerance.
    pub fn balance(&mut self) {
        let left = self.b.iter().fold(Lanes::ZERO, |sum, b| sum + *b);
        let shift = left * Lanes::splat(1.0 / self.operator.diagonal.iter().sum::<Real>());
        self.x.iter_mut().for_each(|x| *x = *x + shift);
    }

    /// Solves `A x = b` from the present `x` until the residual is below `tolerance` times `|b|`. Prescribed vertices keep the `x` that
    /// they have.
    pub fn solve(&mut self, tolerance: Real, most_iterations: u32, team: &Team) -> Solved {
        let Self { preconditioner, operator, x, b, z, normals, direction, image, partial, .. } = self;
        let Some(system) = preconditioner.system_mut() else { return Solved::default() };
        // b := b - A x
        let free = &operator.free;
        let masked = |place: usize, v: Lanes| if free[place] { v } else { Lanes::ZERO };
        operator.apply(x, image, team);
        let norms = reduce(partial, b, team, |place, b| {
            let before = masked(place, *b);
            *b = before - masked(place, image[place]);
            [dot(before, before), dot(*b, *b)]
        });
        let (size, mut left) = (norms[0].sqrt(), norms[1].sqrt());
        let mut solved = Solved::default();
        let mut last = 0.0;
        while left > tolerance * size && solved.iterations < most_iterations {
            let (residual, normals) = (&*b, &*normals);
            team.update(z, PLACES, |place, z| *z = tangent(residual[place], normals[place]));
            system.solve(z, team);
            let [gain, _] = reduce(partial, z, team, |place, z| {
                let (r, n) = (residual[place], normals[place]);
                let across = n.to_vec3() * (n.to_vec3().dot(r.to_vec3()) * n.0[3]);
                *z = tangent(*z, n) + Lanes::from_vec3(across);
                [dot(*z, r), 0.0]
            });
            let turn = if solved.iterations == 0 { 0.0 } else { gain / last };
            last = gain;
            let preconditioned = &*z;
            team.update(direction, PLACES, |place, p| *p = preconditioned[place] + *p * Lanes::splat(turn));
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
            if !(curvature > 0.0 && gain > 0.0) {
                break;
            }
            let step = Lanes::splat(gain / curvature);
            let image = &*image;
            team.update(x, PLACES, |place, x| *x = *x + p[place] * step);
            let [square, _] = reduce(partial, b, team, |place, b| {
                *b = *b - image[place] * step;
                [dot(*b, *b), 0.0]
            });
            left = square.sqrt();
        }
        solved.residual = if size > 0.0 { left / size } else { 0.0 };
        solved
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

/// What of `v` lies in the plane with the normal `n`.
#[inline(always)]
fn tangent(v: Lanes, n: Lanes) -> Lanes {
    let n = n.to_vec3();
    v - Lanes::from_vec3(n * n.dot(v.to_vec3()))
}

#[inline(always)]
fn dot(a: Lanes, b: Lanes) -> Real {
    (a * b).sum()
}

/// Changes every entry and adds up what that returns, part by part, so that the sum does not depend on the threads.
fn reduce(
    partial: &mut [[Real; 2]],
    entries: &mut [Lanes],
    team: &Team,
    change: impl Fn(usize, &mut Lanes) -> [Real; 2] + Sync,
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
