//! The energies of a cloth.

use super::SpringSystem;
use crate::sim::forces::membrane;
use crate::sim::{Cloth, Real};

/// Energies of a cloth [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// `Σ ½ m |v|²`.
    pub kinetic: Real,
    /// Elastic energy of the solver, if it states one: for springs `Σ ½ k (l - L)²`.
    pub elastic: Option<Real>,
    /// `Σ m g y`, zero at height zero.
    pub potential: Real,
}

impl Energy {
    /// Sum of all three [J], if all are known.
    #[must_use]
    pub fn total(&self) -> Option<Real> {
        self.elastic.map(|elastic| self.kinetic + elastic + self.potential)
    }
}

/// The energies of `cloth` under a downward acceleration of `gravity` [m/s²], with the `elastic`
/// one that its solver states.
#[must_use]
pub fn energy(cloth: &Cloth, gravity: Real, elastic: Option<Real>) -> Energy {
    let vertices = || cloth.masses.iter().zip(cloth.positions.iter().zip(&cloth.velocities));
    Energy {
        kinetic: vertices().map(|(m, (_, v))| 0.5 * m * v.length_squared()).sum(),
        potential: vertices().map(|(m, (x, _))| m * gravity * x.y).sum(),
        elastic,
    }
}

impl SpringSystem<'_> {
    /// Energy of the springs, `Σ ½ k (l - L)²`, of the membrane and of isometric bending [J].
    #[must_use]
    pub fn elastic_energy(&self) -> Real {
        let stiffness = self.material.stiffness_by_kind(self.pattern).on(self.pattern);
        let springs = self.sum_over_springs(|e| stiffness.at(e));
        springs + self.membrane_energy() + self.bending_energy()
    }

    /// Energy of the membrane [J]; zero where the stretch is carried by springs.
    #[must_use]
    pub fn membrane_energy(&self) -> Real {
        membrane::energies(self.pattern, self.material, &self.cloth.positions).map(|(_, energy)| energy).sum()
    }

    /// Energy of isometric bending [J]; zero where bending is by springs.
    #[must_use]
    pub fn bending_energy(&self) -> Real {
        let stiffness = self.material.isometric_stiffness();
        if stiffness > 0.0 { stiffness * self.bending.energy(&self.cloth.positions) } else { 0.0 }
    }

    /// `Σ ½ k (l - L)²` [J] with the stiffness `k(e)` [N/m] of each spring.
    #[must_use]
    pub fn sum_over_springs(&self, stiffness: impl Fn(usize) -> Real) -> Real {
        let (springs, x) = (self.pattern.springs(), &self.cloth.positions);
        (springs.ends.iter().zip(&springs.rest_lengths).enumerate())
            .map(|(e, (&[i, j], rest_length))| {
                let length = x[i as usize].distance(x[j as usize]);
                0.5 * stiffness(e) * (length - rest_length).powi(2)
            })
            .sum()
    }
}
