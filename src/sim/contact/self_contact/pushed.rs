//! The vertices of a cloth while contacts push them.

use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Real, Vec3};

/// The vertices of a cloth while contacts push them.
#[derive(Debug, Default)]
pub(super) struct PushedVertices {
    /// [m]
    pub positions: Vec<Vec3>,
    /// `1/m`; 0 for prescribed vertices [1/kg].
    pub inverse_masses: Vec<Real>,
    /// Which have been moved since it was asked last.
    pub moved: Vec<bool>,
}

impl PushedVertices {
    /// Takes the positions of `cloth` and the masses of what can be moved.
    pub fn take(&mut self, cloth: &Cloth, partition: &Partition) {
        self.positions.clone_from(&cloth.positions);
        self.take_masses(&cloth.masses, partition);
    }

    /// Takes the `masses` [kg] of what can be moved.
    pub fn take_masses(&mut self, masses: &[Real], partition: &Partition) {
        self.inverse_masses.clear();
        let inverse = |(i, mass): (u32, &Real)| if partition.is_free(i) { 1.0 / mass } else { 0.0 };
        self.inverse_masses.extend((0..).zip(masses).map(inverse));
    }

    /// From now on none has been moved.
    pub fn forget_moves(&mut self) {
        self.moved.clear();
        self.moved.resize(self.positions.len(), false);
    }

    /// Moves the vertices of `cloth` to the positions in the rest of a step of `dt` [s].
    pub fn give(&self, cloth: &mut Cloth, dt: Real) {
        for ((x, v), y) in cloth.positions.iter_mut().zip(&mut cloth.velocities).zip(&self.positions) {
            if x != y {
                *v += (*y - *x) / dt;
                *x = *y;
            }
        }
    }
}
