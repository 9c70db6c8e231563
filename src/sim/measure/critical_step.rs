//! The longest step that symplectic Euler survives.
//!
//! For small motions about rest, with stiffness matrix `K` and damping matrix `C`, the method stays bounded while
//! `h² λ(M⁻¹K) + 2 h λ(M⁻¹C) < 4` for the largest eigenvalues `λ` (`physics.md` section 2.2 without the damping term).
//! Both are found by power iteration.

use crate::sim::pins::Partition;
use crate::sim::{Cloth, Material, Pattern, Real, Vec3};

/// Power iteration ends when the estimate changes by less than this share, or after so many rounds.
const TOLERANCE: Real = 1e-5;
const ROUNDS: usize = 1000;

/// Critical step [s] of symplectic Euler for small motions about the rest shape; infinite for a cloth without springs.
#[must_use]
pub fn critical_step(cloth: &Cloth, pattern: &Pattern, material: &Material, partition: &Partition) -> Real {
    let springs = pattern.springs();
    let rest = pattern.rest_positions();
    let stiffness = material.stiffness_by_family();
    let along = |e: usize| -> Vec3 {
        let [i, j] = springs.ends[e].map(|end| rest[end as usize]);
        (j - i).normalize_or_zero()
    };
    let k = |e: usize| stiffness[springs.families[e] as usize];
    let elastic = largest_eigenvalue(cloth, pattern, partition, |e, d| {
        let u = along(e);
        u * (k(e) * u.dot(d))
    });
    let damping =
        largest_eigenvalue(
            cloth,
            pattern,
            partition,
            |e, d| {
                if k(e) > 0.0 { d * material.damping } else { Vec3::ZERO }
            },
        );
    // the smaller root of λ_K h² + 2 λ_C h - 4 = 0, in the form that does not cancel
    4.0 / (damping + (damping * damping + 4.0 * elastic).sqrt())
}

/// Largest eigenvalue [1/s² or 1/s] of `M⁻¹ A` over the free vertices, where `A` sums `force(spring, d)` of the
/// differences `d` along the springs.
fn largest_eigenvalue(
    cloth: &Cloth,
    pattern: &Pattern,
    partition: &Partition,
    force: impl Fn(usize, Vec3) -> Vec3,
) -> Real {
    let n = cloth.len();
    // alternating signs: close to the stiffest vibration of a lattice; the irrational steps exclude an unlucky start
    let mut x: Vec<Vec3> = (0..n)
        .map(|i| {
            let phase = i as Real * 2.399_963;
            Vec3::new((phase * 1.3).sin(), (phase * 1.7).cos(), (phase * 2.1).sin())
        })
        .collect();
    let mut eigenvalue = 0.0;
    for _ in 0..ROUNDS {
        let length = x.iter().map(|v| v.length_squared()).sum::<Real>().sqrt();
        if length == 0.0 {
            return 0.0;
        }
        let mut next = vec![Vec3::ZERO; n];
        for (e, &[i, j]) in pattern.springs().ends.iter().enumerate() {
            let (i, j) = (i as usize, j as usize);
            let pull = force(e, (x[i] - x[j]) / length);
            next[i] += pull;
            next[j] -= pull;
        }
        for (i, v) in next.iter_mut().enumerate() {
            *v = if partition.is_free(i as u32) { *v / cloth.masses[i] } else { Vec3::ZERO };
        }
        let last = eigenvalue;
        eigenvalue = next.iter().map(|v| v.length_squared()).sum::<Real>().sqrt();
        x = next;
        if (eigenvalue - last).abs() <= TOLERANCE * eigenvalue {
            break;
        }
    }
    eigenvalue
}
