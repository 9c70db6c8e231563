//! The longest step that an explicit method survives.
//!
//! For small motions about rest, with stiffness matrix `K` and damping matrix `C`, symplectic Euler
//! stays bounded while `h² λ(M⁻¹K) + 2 h λ(M⁻¹C) < 4` for the largest eigenvalues `λ` (`physics.md`
//! section 2.2 without the damping term). Both are found by power iteration.

use std::f64::consts::TAU;

use crate::sim::forces::springs::{Blocks, damping_block};
use crate::sim::forces::{IsometricBending, membrane};
use crate::sim::math::outer;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Mat3, Material, Pattern, Real, Vec3};

/// Power iteration ends when the estimate changes by less than this share, or after so many rounds.
const TOLERANCE: Real = 1e-5;
const ROUNDS: usize = 1000;

/// A network of masses and springs, with bending, for questions about the forces in a cloth, at its
/// present positions and velocities or near rest.
#[derive(Debug, Clone, Copy)]
pub struct SpringSystem<'a> {
    /// The state; near rest only the masses matter.
    pub cloth: &'a Cloth,
    /// Springs and rest shape.
    pub pattern: &'a Pattern,
    /// Stiffness and damping.
    pub material: &'a Material,
    /// Stencils of isometric bending; they count where the material has a stiffness of it.
    pub bending: &'a IsometricBending,
    /// Which vertices are held.
    pub partition: &'a Partition,
}

impl SpringSystem<'_> {
    /// Critical step [s] of symplectic Euler; infinite without springs.
    #[must_use]
    pub fn critical_step(&self) -> Real {
        let elastic = self.largest_eigenvalue_with(1.0, |e, u| outer(u) * self.stiffness(e));
        let damping = self.largest_eigenvalue(|e, u| self.damping_block(e, u));
        // the smaller root of λ_K h² + 2 λ_C h - 4 = 0, in the form that does not cancel
        4.0 / (damping + (damping * damping + 4.0 * elastic).sqrt())
    }

    /// Angular frequency of the stiffest undamped vibration [rad/s]; zero without springs.
    #[must_use]
    pub fn stiffest_frequency(&self) -> Real {
        self.largest_eigenvalue_with(1.0, |e, u| outer(u) * self.stiffness(e)).sqrt()
    }

    /// Shortest period `2π/ω` of a spring that oscillates alone [s], `h_c` of Kang, section 2.4;
    /// none without springs.
    #[must_use]
    pub fn shortest_period(&self) -> Option<Real> {
        let count = self.pattern.springs().len();
        let square = |e: usize| self.reduced_mass(e).map_or(0.0, |mass| self.stiffness(e) / mass);
        let largest = (0..count).map(square).fold(0.0, Real::max);
        (largest > 0.0).then(|| TAU / largest.sqrt())
    }

    /// Stiffness of spring `e` [N/m].
    #[must_use]
    pub fn stiffness(&self, e: usize) -> Real {
        self.material.stiffness_of(self.pattern, e)
    }

    /// Damping of spring `e` [N·s/m]: none for a family that is left out.
    #[must_use]
    pub fn damping(&self, e: usize) -> Real {
        self.material.damping_of(self.pattern, e)
    }

    /// Damping block of spring `e` with the direction `u` [N·s/m], by the law of the material.
    #[must_use]
    pub fn damping_block(&self, e: usize, u: Vec3) -> Mat3 {
        damping_block(self.material.damping_model, self.damping(e), u)
    }

    /// Reduced mass of the ends of spring `e` [kg], a held end being infinitely heavy; `None`
    /// between two held ends.
    #[must_use]
    pub fn reduced_mass(&self, e: usize) -> Option<Real> {
        let ends = self.pattern.springs().ends[e];
        let free = ends.into_iter().filter(|&end| self.partition.is_free(end));
        let inverse: Real = free.map(|end| 1.0 / self.cloth.masses[end as usize]).sum();
        (inverse > 0.0).then(|| 1.0 / inverse)
    }

    /// Largest eigenvalue of `M⁻¹ A` over the free vertices, where `A` is assembled from
    /// `block(e, u)`, the matrix that takes the difference of a spring's ends to its force; `u` is
    /// the spring's direction at rest.
    #[must_use]
    pub fn largest_eigenvalue(&self, block: impl Fn(usize, Vec3) -> Mat3) -> Real {
        self.largest_eigenvalue_with(0.0, block)
    }

    /// The same with `surface` times the matrices of membrane and isometric bending.
    #[must_use]
    pub fn largest_eigenvalue_with(&self, surface: Real, block: impl Fn(usize, Vec3) -> Mat3) -> Real {
        let bending = surface * self.material.isometric_stiffness();
        let n = self.cloth.len();
        let rest = self.pattern.rest_positions();
        let springs: Vec<(usize, usize, Mat3)> = (self.pattern.springs().ends.iter().enumerate())
            .map(|(e, &[i, j])| {
                let (i, j) = (i as usize, j as usize);
                (i, j, block(e, (rest[j] - rest[i]).normalize_or_zero()))
            })
            .collect();
        let triangles: Vec<_> = membrane::triangles(self.pattern, self.material)
            .filter(|_| surface > 0.0)
            .map(|(triangle, stiffness)| {
                let at_rest = triangle.images(|vertex| rest[vertex as usize]);
                (triangle, stiffness.hessian(at_rest, Blocks::Clamped).times(surface))
            })
            .collect();
        // irregular phases exclude an unlucky start
        let mut x: Vec<Vec3> = (0..n)
            .map(|i| {
                let phase = i as Real * 2.399_963;
                Vec3::new((phase * 1.3).sin(), (phase * 1.7).cos(), (phase * 2.1).sin())
            })
            .collect();
        let mut next = vec![Vec3::ZERO; n];
        let mut eigenvalue = 0.0;
        for _ in 0..ROUNDS {
            let length = x.iter().map(|v| v.length_squared()).sum::<Real>().sqrt();
            if length == 0.0 {
                return 0.0;
            }
            next.fill(Vec3::ZERO);
            for &(i, j, block) in &springs {
                let pull = block * ((x[i] - x[j]) / length);
                next[i] += pull;
                next[j] -= pull;
            }
            for (triangle, hessian) in &triangles {
                let [of_a, of_b] = hessian.apply(triangle.images(|vertex| x[vertex as usize] / length));
                for (corner, vertex) in triangle.vertices.into_iter().enumerate() {
                    let [a, b] = triangle.corner(corner);
                    next[vertex as usize] += of_a * a + of_b * b;
                }
            }
            if bending > 0.0 {
                for stencil in self.bending.stencils().iter() {
                    let value = stencil.value(&x);
                    let [warp, weft, twist] = [0, 1, 2].map(|c| value[c] * (bending * stencil.weights[c] / length));
                    for (&vertex, k) in stencil.vertices.iter().zip(stencil.coefficients) {
                        next[vertex as usize] += warp * k[0] + weft * k[1] + twist * k[2];
                    }
                }
            }
            for (i, v) in next.iter_mut().enumerate() {
                *v = if self.partition.is_free(i as u32) { *v / self.cloth.masses[i] } else { Vec3::ZERO };
            }
            let last = eigenvalue;
            eigenvalue = next.iter().map(|v| v.length_squared()).sum::<Real>().sqrt();
            std::mem::swap(&mut x, &mut next);
            if (eigenvalue - last).abs() <= TOLERANCE * eigenvalue {
                break;
            }
        }
        eigenvalue
    }
}
