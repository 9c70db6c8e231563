//! The energies of a cloth.

use crate::sim::{Cloth, Material, Pattern, Real};

/// Energies of a cloth [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// `Σ ½ m |v|²`.
    pub kinetic: Real,
    /// `Σ ½ k (l - L)²`.
    pub elastic: Real,
    /// `Σ m g y`, zero at height zero.
    pub potential: Real,
}

impl Energy {
    /// Sum of all three [J].
    #[must_use]
    pub fn total(&self) -> Real {
        self.kinetic + self.elastic + self.potential
    }
}

/// The energies of `cloth` under a downward acceleration of `gravity` [m/s²].
#[must_use]
pub fn energy(cloth: &Cloth, pattern: &Pattern, material: &Material, gravity: Real) -> Energy {
    let springs = pattern.springs();
    let stiffness = material.stiffness_by_family();
    let vertices = || cloth.masses.iter().zip(cloth.positions.iter().zip(&cloth.velocities));
    Energy {
        kinetic: vertices().map(|(m, (_, v))| 0.5 * m * v.length_squared()).sum(),
        potential: vertices().map(|(m, (x, _))| m * gravity * x.y).sum(),
        elastic: springs
            .ends
            .iter()
            .zip(springs.rest_lengths.iter().zip(&springs.families))
            .map(|(&[i, j], (rest_length, &family))| {
                let length = cloth.positions[i as usize].distance(cloth.positions[j as usize]);
                0.5 * stiffness[family as usize] * (length - rest_length).powi(2)
            })
            .sum(),
    }
}
