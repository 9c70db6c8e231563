//! Vertices on the surfaces of colliders in a step: those that colliders hold, and those that they
//! have moved since the contacts of the cloth were found.

use crate::sim::contact::colliders::Wall;
use crate::sim::{Cloth, Real, Vec3};

/// The vertices on surfaces, with memory.
#[derive(Debug, Default)]
pub(in crate::sim::contact::cloth) struct Walls {
    /// Positions [m] and velocities [m/s] before the contacts of colliders.
    proposed: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// The surfaces, each with the displacement of its vertex by it [m].
    pub all: Vec<(Wall, Real)>,
}

impl Walls {
    /// Forgets the vertices of the last step.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// Notes the state before the contacts of colliders.
    pub fn propose(&mut self, cloth: &Cloth) {
        self.proposed.clone_from(&cloth.positions);
        self.velocities.clone_from(&cloth.velocities);
    }

    /// Finds the vertices in contact with colliders: `held`, and those that colliders have moved to
    /// `positions` [m] since the proposal.
    pub fn find(&mut self, held: impl Iterator<Item = Wall>, positions: &[Vec3]) {
        let Self { proposed, all, .. } = self;
        all.clear();
        all.extend(held.map(|wall| (wall, 0.0)));
        for (vertex, (from, to)) in (0..).zip(proposed.iter().zip(positions)) {
            if let Some(normal) = (*to - *from).try_normalize() {
                all.push((Wall { vertex, point: *to, normal }, to.distance(*from)));
            }
        }
    }

    /// Sets the velocities of vertices that colliders have moved, but whose surface is `released`
    /// after a step of `dt` [s]: a surface that holds nothing in the end has stopped nothing.
    pub fn release(&self, released: impl Iterator<Item = bool>, cloth: &mut Cloth, dt: Real) {
        for ((Wall { vertex, .. }, pushed), released) in self.all.iter().zip(released) {
            if released && *pushed > 0.0 {
                let i = *vertex as usize;
                cloth.velocities[i] = self.velocities[i] + (cloth.positions[i] - self.proposed[i]) / dt;
            }
        }
    }
}
