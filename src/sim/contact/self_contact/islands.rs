//! Vertices that are held by the same pairs, and how each such island moves as a whole.
//!
//! What all vertices of a pair do in common never brings its parts together, and needs no cutting. So the planes of an island move
//! along with the mean motion of its vertices, weighted by mass; where some of them cannot be moved, with the mean motion of these; and beside the
//! surface of a collider with that, which turns them as well.

use super::barriers::Carrier;
use crate::sim::math::union_find::UnionFind;
use crate::sim::{Real, Vec3};

/// Islands of vertices, with memory.
#[derive(Debug, Default)]
pub(super) struct Islands {
    sets: UnionFind,
    /// For each root the sums of mass and of mass times motion, of all its vertices, and number and sum of those that cannot move.
    sums: Vec<(Real, Vec3, u32, Vec3)>,
    /// Islands that only move as a whole, by root.
    rigid: Vec<bool>,
    /// What carries an island, by root.
    carriers: Vec<Option<Carrier>>,
    /// Whether an island lies on two surfaces that move otherwise than each other.
    torn: bool,
}

impl Islands {
    /// No pair is held.
    pub fn clear(&mut self, vertices: usize) {
        self.sets.reset(vertices);
        self.rigid.clear();
        self.rigid.resize(vertices, false);
        self.carriers.clear();
        self.carriers.resize(vertices, None);
        self.torn = false;
    }

    /// Joins the islands of the vertices of a pair; those of surfaces are in none, but may carry the island.
    pub fn join(&mut self, vertices: [u32; 4], carrier: Option<Carrier>) {
        let count = self.sets.len();
        let mut own = vertices.into_iter().filter(|&vertex| (vertex as usize) < count);
        let Some(first) = own.next() else { return };
        self.set_carrier(first, carrier);
        for other in own {
            let [root, joined] = self.sets.join(first, other);
            self.rigid[root as usize] |= self.rigid[joined as usize];
            self.set_carrier(root, self.carriers[joined as usize]);
        }
    }

    fn set_carrier(&mut self, vertex: u32, carrier: Option<Carrier>) {
        let root = self.sets.root(vertex) as usize;
        self.torn |= carrier.is_some() && self.carriers[root].is_some_and(|own| Some(own) != carrier);
        self.carriers[root] = self.carriers[root].or(carrier);
    }

    /// Whether an island lies on two surfaces that move otherwise than each other, so that nothing keeps it beside both.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// From now on the island of `vertex` only moves as a whole.
    pub fn stiffen(&mut self, vertex: u32) {
        let root = self.sets.root(vertex);
        self.rigid[root as usize] = true;
    }

    /// Measures how the islands move when vertices with `inverse_masses` [1/kg], 0 for those that cannot be moved, go from `x` to `y`
    /// [m].
    pub fn measure(&mut self, x: &[Vec3], y: &[Vec3], inverse_masses: &[Real]) {
        self.sums.clear();
        self.sums.resize(x.len(), (0.0, Vec3::ZERO, 0, Vec3::ZERO));
        self.sets.settle();
        for i in 0..x.len() {
            let (motion, inverse) = (y[i] - x[i], inverse_masses[i]);
            let sum = &mut self.sums[self.sets.known_root(i as u32) as usize];
            if inverse > 0.0 {
                *sum = (sum.0 + 1.0 / inverse, sum.1 + motion / inverse, sum.2, sum.3);
            } else {
                *sum = (sum.0, sum.1, sum.2 + 1, sum.3 + motion);
            }
        }
    }

    /// What carries the island of vertex `i`, if it is beside a surface.
    pub fn carrier(&self, i: usize) -> Option<Carrier> {
        self.carriers[self.sets.known_root(i as u32) as usize]
    }

    /// The motion of the island of vertex `i` [m], as it was measured, and whether it moves as a whole only.
    pub fn motion(&self, i: usize) -> (Vec3, bool) {
        let root = self.sets.known_root(i as u32) as usize;
        let (mass, sum, fixed, of_fixed) = self.sums[root];
        (if fixed > 0 { of_fixed / Real::from(fixed) } else { sum / mass }, self.rigid[root])
    }
}
