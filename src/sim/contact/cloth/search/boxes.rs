//! Swept bounding boxes of parts of a cloth.
//!
//! Two parts cannot meet if their boxes are apart along one axis, on the same side at both ends of
//! a motion: motions are straight, so the boxes in between lie between. A common translation brings
//! nothing nearer and is subtracted.

use glam::Vec3A;

use crate::sim::Vec3;

/// Bounding boxes at both ends of a motion, in single precision [m], rounded outwards. Coordinates
/// are relative to one vertex of the cloth at each end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sweep {
    pub low: [Vec3A; 2],
    pub high: [Vec3A; 2],
}

impl Sweep {
    pub const EMPTY: Self = Self { low: [Vec3A::INFINITY; 2], high: [Vec3A::NEG_INFINITY; 2] };

    #[inline(always)]
    pub fn join(&self, other: &Self) -> Self {
        let low = [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])];
        let high = [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])];
        Self { low, high }
    }

    /// Distance of two boxes along each axis, on the same side at both ends [m]; negative if they
    /// overlap.
    #[inline(always)]
    pub fn gap(&self, other: &Self) -> Vec3A {
        let above = (self.low[0] - other.high[0]).min(self.low[1] - other.high[1]);
        let below = (other.low[0] - self.high[0]).min(other.low[1] - self.high[1]);
        above.max(below)
    }

    /// Box of a vertex at `x` and `y` [m], relative to the reference vertex, enlarged by more than
    /// rounding.
    pub fn point(x: Vec3, y: Vec3) -> Self {
        let at = [x.as_vec3a(), y.as_vec3a()];
        let error = at.map(|at| at.abs() * (2.0 * f32::EPSILON) + f32::MIN_POSITIVE);
        Self { low: [at[0] - error[0], at[1] - error[1]], high: [at[0] + error[0], at[1] + error[1]] }
    }

    /// Middle of the box at the end of the motion [m].
    pub fn end(&self) -> Vec3A {
        0.5 * (self.low[1] + self.high[1])
    }

    pub fn around(vertices: &[u32], points: &[Self]) -> Self {
        vertices.iter().fold(Self::EMPTY, |sum, &vertex| sum.join(&points[vertex as usize]))
    }

    /// Whether two boxes may come closer than `near` [m] along every axis.
    #[inline]
    pub fn meets(&self, other: &Self, near: Vec3A) -> bool {
        !self.gap(other).cmpgt(near).any()
    }

    /// Lower corners at both ends, higher corners at both ends, and a reach along the axes.
    #[inline(always)]
    pub fn lanes(&self, reach: Vec3A) -> [f32; NUMBERS] {
        let [[a, b, c], [d, e, f]] = [self.low[0].to_array(), self.low[1].to_array()];
        let [[g, h, i], [j, k, l]] = [self.high[0].to_array(), self.high[1].to_array()];
        let [m, n, o] = reach.to_array();
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o]
    }
}

/// Boxes of a block.
pub(super) const LANES: usize = 8;
/// Numbers of a box with its reach.
pub(super) const NUMBERS: usize = 15;

/// Eight boxes side by side, component by component, each with its reach along the axes. Empty
/// lanes meet nothing.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Block(pub [[f32; LANES]; NUMBERS]);

impl Block {
    pub const EMPTY: Self = {
        let (low, high, reach) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES], [0.0; LANES]);
        Self([low, low, low, low, low, low, high, high, high, high, high, high, reach, reach, reach])
    };

    /// Fills blocks with some boxes and reaches.
    pub fn fill(blocks: &mut [Self], of: impl ExactSizeIterator<Item = (Sweep, Vec3A)>) {
        blocks[..of.len().div_ceil(LANES)].fill(Self::EMPTY);
        for (at, (own, reach)) in of.enumerate() {
            let block = &mut blocks[at / LANES];
            block.0.iter_mut().zip(own.lanes(reach)).for_each(|(all, number)| all[at % LANES] = number);
        }
    }

    /// The box of a lane with its reach.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> [f32; NUMBERS] {
        let mut numbers = [0.0; NUMBERS];
        let mut k = 0;
        while k < NUMBERS {
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
