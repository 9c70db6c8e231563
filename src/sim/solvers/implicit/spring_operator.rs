//! The matrix of an implicit step over a network of springs, applied to vectors without being
//! assembled.
//!
//! A spring's block `s k (a I + (1 - a) u uᵀ) + d I` is `α I + w wᵀ` with `w = √(s k (1 - a)) u`:
//! four numbers. Its contribution to `A x` at an end is `α (x_i - x_j) + w (w·(x_i - x_j))`. The
//! rows of the matrix `Q` of isometric bending sum to zero, so it has the same form with
//! `α = -Q_ij`: it adds to the springs between two of its vertices, and is a spring of its own if
//! there is none.

use std::ops::Range;

use super::membrane_operator::MembraneOperator;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::{F64x4, FourVertices, RegF64x4, vectorised};
use crate::sim::forces::IsometricBending;
use crate::sim::linear::Symbolic;
use crate::sim::math::csr::Csr;
use crate::sim::{Mat3, Pattern, Real, Vec3};

/// Vertices per task.
pub(super) const PLACES: usize = 512;

/// Four ends of springs at one vertex; the last four are filled up with springs without stiffness.
#[derive(Debug, Clone, Copy)]
struct Ends {
    /// Places of the other vertices.
    others: [u32; 4],
    springs: [u32; 4],
}

/// Marks bending without a spring.
const BENDING: u32 = u32::MAX;

/// See the module. All vectors are by places.
#[derive(Debug, Default)]
pub struct SpringOperator {
    /// The vertices of each spring, by rising place, and its number in the pattern, or [`BENDING`].
    springs: Vec<([u32; 2], u32)>,
    /// `-Q_ij` of isometric bending between the ends of each spring [1/m²], and zero; empty where
    /// bending is by springs.
    bending: Vec<Real>,
    /// Factor of those in the matrix.
    pub bending_factor: Real,
    /// `w` and `α` of each spring, and zero.
    pub couplings: Vec<F64x4>,
    /// The springs at each place; every other place is less than the number of rows.
    ends: Csr<Ends>,
    /// The factor of the identity at each vertex: masses.
    pub diagonal: Vec<Real>,
    /// Further blocks on the diagonal, by rising place.
    pub holds: Vec<(u32, Mat3)>,
    /// Second derivatives of the membrane.
    pub membrane: MembraneOperator,
    /// Whether each vertex is an unknown.
    pub free: Vec<bool>,
}

impl SpringOperator {
    /// Collects those springs of `pattern` that `takes_part` by number, and isometric `bending`
    /// with its matrix.
    pub fn gather(
        &mut self,
        pattern: &Pattern,
        symbolic: &Symbolic,
        takes_part: impl Fn(usize) -> bool,
        bending: Option<&IsometricBending>,
    ) {
        let n = symbolic.len();
        let place = |vertex: u32| symbolic.column_of[vertex as usize];
        self.springs.clear();
        for (e, ends) in pattern.springs().ends.iter().enumerate() {
            if takes_part(e) && ends[0] != ends[1] {
                let [i, j] = ends.map(place);
                self.springs.push(([i.min(j), i.max(j)], e as u32));
            }
        }
        self.springs.sort_unstable();
        self.bending.clear();
        if let Some(bending) = bending {
            self.gather_bending(pattern.len(), bending, place);
        }
        self.couplings.clear();
        self.couplings.resize(self.springs.len() + 1, F64x4::ZERO);
        let both = (0_u32..).zip(&self.springs).flat_map(|(spring, &([i, j], _))| [(i, (j, spring)), (j, (i, spring))]);
        let of_place = Csr::from_pairs(n, both);
        let none = self.springs.len() as u32;
        self.ends.clear();
        for at in 0..n {
            self.ends.push(of_place.row(at).chunks(4).map(|four| {
                let mut ends = Ends { others: [at as u32; 4], springs: [none; 4] };
                for (lane, &(other, spring)) in four.iter().enumerate() {
                    (ends.others[lane], ends.springs[lane]) = (other, spring);
                }
                ends
            }));
        }
        self.diagonal.resize(n, 0.0);
        self.free.resize(n, true);
    }

    /// Adds the couplings of bending to the springs.
    fn gather_bending(&mut self, vertices: usize, bending: &IsometricBending, place: impl Fn(u32) -> u32) {
        let couplings = (0..vertices as u32).flat_map(|i| {
            let others = bending.row(i as usize).iter().filter(move |(j, _)| i < *j);
            others.map(move |&(j, q)| ([i, j], q))
        });
        let springs = self.springs.iter().map(|&(ends, spring)| (ends, spring, 0.0));
        let between = couplings.map(|(ends, q)| {
            let [i, j] = ends.map(&place);
            ([i.min(j), i.max(j)], BENDING, -q)
        });
        let mut all: Vec<([u32; 2], u32, Real)> = springs.chain(between).collect();
        all.sort_unstable_by_key(|&(ends, spring, _)| (ends, spring));
        self.springs.clear();
        for (ends, spring, alpha) in all {
            match self.springs.last() {
                // a spring comes before the bending between its ends
                Some((last, _)) if spring == BENDING && *last == ends => {
                    *self.bending.last_mut().expect("as many") += alpha
                }
                _ => {
                    self.springs.push((ends, spring));
                    self.bending.push(alpha);
                }
            }
        }
        self.bending.push(0.0);
    }

    /// Sets the coupling of every spring to `coupling(spring, d)`, `w` and `α`, with the number of
    /// the spring in the pattern and its extent `d` at the positions `q` [m] by places.
    pub fn couple(&mut self, q: &[F64x4], coupling: impl Fn(usize, Vec3) -> (Vec3, Real) + Sync, pool: &ThreadPool) {
        let Self { springs, couplings, bending, bending_factor, .. } = self;
        let count = springs.len();
        if bending.is_empty() {
            pool.update(&mut couplings[..count], 4 * PLACES, |at, entry| {
                let ([i, j], spring) = springs[at];
                let (w, alpha) = coupling(spring as usize, (q[j as usize] - q[i as usize]).to_vec3());
                *entry = F64x4([w.x, w.y, w.z, alpha]);
            });
            return;
        }
        pool.update(&mut couplings[..count], 4 * PLACES, |at, entry| {
            let ([i, j], spring) = springs[at];
            let (w, alpha) = match spring {
                BENDING => (Vec3::ZERO, 0.0),
                _ => coupling(spring as usize, (q[j as usize] - q[i as usize]).to_vec3()),
            };
            *entry = F64x4([w.x, w.y, w.z, alpha + *bending_factor * bending[at]]);
        });
    }

    /// Number of springs that take part.
    #[must_use]
    pub fn springs(&self) -> usize {
        self.springs.len()
    }

    /// Whether isometric bending takes part.
    pub(super) fn has_bending(&self) -> bool {
        !self.bending.is_empty()
    }

    /// Adds `α(spring)` to the coupling of every spring, with its number in the pattern.
    pub fn add_damping(&mut self, alpha: impl Fn(usize) -> Real) {
        for (entry, (_, spring)) in self.couplings.iter_mut().zip(&self.springs).filter(|(_, (_, e))| *e != BENDING) {
            entry.0[3] += alpha(*spring as usize);
        }
    }

    /// Writes `A x` to `out` at all free vertices, zero at the others. The fourth number of every
    /// entry of `x` has to be zero.
    pub fn apply(&self, x: &[F64x4], out: &mut [F64x4], pool: &ThreadPool) {
        let shared = Shared::new(out);
        pool.for_parts(shared.len(), PLACES, |range| {
            // SAFETY: the parts do not overlap.
            self.apply_part(x, range.clone(), unsafe { shared.part(range) });
        });
    }

    /// A bound on the entries of the diagonal, for an estimate of rounding errors.
    #[must_use]
    pub fn largest_diagonal(&self) -> Real {
        let coupling = |c: &F64x4| c.0[3].max(0.0) + (0..3).map(|axis| c.0[axis] * c.0[axis]).sum::<Real>();
        let stiffest = self.couplings.iter().map(coupling).fold(0.0, Real::max);
        let most = (0..self.ends.rows()).map(|place| 4 * self.ends.row(place).len() as u32).max().unwrap_or(0);
        let heaviest = self.diagonal.iter().copied().fold(0.0, Real::max);
        // the largest entry of a semidefinite block is on its diagonal, and a sliding contact holds
        // any of the axes
        let most_of = |hold: &Mat3| hold.x_axis.x.max(hold.y_axis.y).max(hold.z_axis.z);
        let held = self.holds.iter().map(|(_, hold)| most_of(hold)).fold(0.0, Real::max);
        heaviest + stiffest * Real::from(most) + held + self.membrane.largest_diagonal()
    }

    /// Whether a contact at a place with the normal `n` is stiffer along its surface than all else
    /// there.
    pub(super) fn is_held_across(&self, place: usize, n: Vec3) -> bool {
        self.holds.binary_search_by_key(&place, |(held, _)| *held as usize).is_ok_and(|at| {
            let across = n.any_orthonormal_vector();
            across.dot(self.holds[at].1 * across) > 0.5 * self.stiffness_along(place, across)
        })
    }

    /// `nᵀ A_ii n` at a place, without the negative part of compressed springs.
    pub(super) fn stiffness_along(&self, place: usize, n: Vec3) -> Real {
        let held = self.holds.binary_search_by_key(&place, |(held, _)| *held as usize);
        let held = held.map_or(0.0, |at| n.dot(self.holds[at].1 * n));
        let mut sum = held + self.diagonal[place] + self.membrane.stiffness_along(place, n);
        for ends in self.ends.row(place) {
            for spring in ends.springs {
                let coupling = self.couplings[spring as usize];
                let bending = self.bending.get(spring as usize).map_or(0.0, |alpha| self.bending_factor * alpha);
                sum += (coupling.0[3] - bending).max(0.0) + bending + coupling.to_vec3().dot(n).powi(2);
            }
        }
        sum
    }

    /// Writes the contribution of springs and membrane alone to `A x` to `out`, at all vertices.
    pub fn apply_springs(&self, x: &[F64x4], out: &mut [F64x4], pool: &ThreadPool) {
        assert!(x.len() == self.ends.rows() && self.couplings.len() == self.springs.len() + 1);
        let shared = Shared::new(out);
        pool.for_parts(shared.len(), PLACES, |range| {
            // SAFETY: the parts do not overlap.
            let out = unsafe { shared.part(range.clone()) };
            apply(self, x, range.clone(), out);
            self.membrane.add_product(x, range.clone(), out);
            for (out, place) in out.iter_mut().zip(range) {
                *out = *out - x[place] * F64x4::splat(self.diagonal[place]);
            }
        });
    }

    /// [`apply`](Self::apply) at the places in `range`.
    pub(super) fn apply_part(&self, x: &[F64x4], range: Range<usize>, out: &mut [F64x4]) {
        assert!(x.len() == self.ends.rows() && self.couplings.len() == self.springs.len() + 1);
        apply(self, x, range.clone(), out);
        self.membrane.add_product(x, range.clone(), out);
        let start = self.holds.partition_point(|(place, _)| (*place as usize) < range.start);
        for (place, hold) in self.holds[start..].iter().take_while(|(place, _)| (*place as usize) < range.end) {
            let at = *place as usize;
            let out = &mut out[at - range.start];
            *out = *out + F64x4::from_vec3(*hold * x[at].to_vec3());
        }
        for (out, free) in out.iter_mut().zip(&self.free[range]) {
            if !free {
                *out = F64x4::ZERO;
            }
        }
    }
}

vectorised! {
    /// All places and springs in the ends have to be in `x` and the couplings: `gather` and
    /// `apply_part` see to that.
    fn apply(operator: &SpringOperator, x: &[F64x4], range: Range<usize>, out: &mut [F64x4]) = apply_generic
}

#[inline(always)]
fn apply_generic<const FMA: bool>(operator: &SpringOperator, x: &[F64x4], range: Range<usize>, out: &mut [F64x4]) {
    for (place, out) in range.zip(out) {
        let here = x[place];
        let [x0, y0, z0] = [0, 1, 2].map(|axis| RegF64x4::<FMA>::splat(here.0[axis]));
        let mut sums = [RegF64x4::<FMA>::ZERO; 3];
        for ends in operator.ends.row(place) {
            // SAFETY: as promised above.
            let (others, couplings) = unsafe {
                (
                    FourVertices::<FMA>::gather(x.as_ptr(), &ends.others),
                    FourVertices::<FMA>::gather(operator.couplings.as_ptr(), &ends.springs),
                )
            };
            let ([x, y, z, _], [wx, wy, wz, alpha]) = (others.columns(), couplings.columns());
            let (dx, dy, dz) = (x0 - x, y0 - y, z0 - z);
            let along = (wx * dx).plus(wy, dy).plus(wz, dz);
            sums = [
                sums[0].plus(alpha, dx).plus(wx, along),
                sums[1].plus(alpha, dy).plus(wy, along),
                sums[2].plus(alpha, dz).plus(wz, along),
            ];
        }
        let mass = operator.diagonal[place];
        let [sx, sy, sz] = sums.map(|sum| sum.0.sum());
        *out = F64x4([sx + mass * here.0[0], sy + mass * here.0[1], sz + mass * here.0[2], 0.0]);
    }
}
