//! Swept bounding boxes of parts of a cloth.
//!
//! Two parts cannot meet if their boxes are apart along one axis, on the same side at both ends of
//! a motion: motions are straight, so the boxes in between lie between. A common translation brings
//! nothing nearer and is subtracted.

use glam::Vec3A;

use crate::sim::contact::aabb::Swept;
use crate::sim::{Real, Vec3};

/// Bounding boxes at both ends of a motion, in single precision [m], rounded outwards. Coordinates
/// are relative to one vertex of the cloth at each end.
pub(super) type Sweep = Swept<Vec3A>;

impl Sweep {
    /// Box of a vertex at `x` and `y` [m], relative to the reference vertex, enlarged by more than
    /// rounding.
    pub fn point(x: Vec3, y: Vec3) -> Self {
        let at = [x.as_vec3a(), y.as_vec3a()];
        let error = at.map(|at| at.abs() * (2.0 * f32::EPSILON) + f32::MIN_POSITIVE);
        Self { low: [at[0] - error[0], at[1] - error[1]], high: [at[0] + error[0], at[1] + error[1]] }
    }

    pub fn around(vertices: &[u32], points: &[Self]) -> Self {
        vertices.iter().fold(Self::EMPTY, |sum, &vertex| sum.join(&points[vertex as usize]))
    }

    /// Whether two boxes may come closer than `near` [m] along every axis.
    #[inline]
    pub fn meets(&self, other: &Self, near: Vec3A) -> bool {
        !self.gap(other).cmpgt(near).any()
    }

    /// Its numbers: lower corners at both ends, then higher corners at both ends.
    #[inline(always)]
    pub fn lanes(&self) -> [f32; 12] {
        let [[a, b, c], [d, e, f]] = [self.low[0].to_array(), self.low[1].to_array()];
        let [[g, h, i], [j, k, l]] = [self.high[0].to_array(), self.high[1].to_array()];
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }
}

/// Boxes of a block.
pub(super) const LANES: usize = 8;

/// Eight boxes side by side, component by component. Empty lanes meet nothing.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Block(pub [[f32; LANES]; 12]);

impl Block {
    pub const EMPTY: Self = {
        let (low, high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        Self([low, low, low, low, low, low, high, high, high, high, high, high])
    };

    /// Sets the box of a lane.
    pub fn set(&mut self, lane: usize, of: &Sweep) {
        self.0.iter_mut().zip(of.lanes()).for_each(|(all, number)| all[lane] = number);
    }

    /// The box of a lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> [f32; 12] {
        let mut numbers = [0.0; 12];
        let mut k = 0;
        while k < 12 {
            numbers[k] = self.0[k][lane];
            k += 1;
        }
        numbers
    }
}

/// Bits of the lanes from `start` on that lie behind lane `i`.
#[inline(always)]
pub(super) const fn above(start: usize, i: usize) -> u8 {
    if i < start {
        u8::MAX
    } else if i - start >= LANES - 1 {
        0
    } else {
        u8::MAX << (i - start + 1)
    }
}

/// A distance for boxes [m], rounded up.
pub(super) fn wide(near: Real) -> Vec3A {
    Vec3A::splat(near as f32 * (1.0 + 4.0 * f32::EPSILON))
}
