//! Axis-aligned bounding boxes, at rest and in a motion.

use std::ops::Sub;

use glam::Vec3A;

use crate::sim::{Real, Vec3};

/// A box [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Aabb {
    pub low: Vec3,
    pub high: Vec3,
}

impl Aabb {
    pub const EMPTY: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    /// Around some points [m].
    #[inline]
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |all, x| Self { low: all.low.min(x), high: all.high.max(x) })
    }

    #[inline]
    pub fn join(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub fn loosened(self, by: Real) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// Largest coordinate [m].
    pub fn size(&self) -> Real {
        self.low.abs().max(self.high.abs()).max_element()
    }

    /// Whether the two have a common point.
    #[inline]
    pub fn touches(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Whether the two may be closer than `near` [m] along every axis.
    #[inline]
    pub fn meets(&self, other: &Self, near: Real) -> bool {
        (self.low - other.high).max(other.low - self.high).max_element() <= near
    }
}

/// A corner of a box, in double or in single precision.
pub(super) trait Corner: Copy + Sub<Output = Self> {
    const INFINITY: Self;
    const NEG_INFINITY: Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
}

macro_rules! corners {
    ($($vector:ty),*) => {$(
        impl Corner for $vector {
            const INFINITY: Self = <$vector>::INFINITY;
            const NEG_INFINITY: Self = <$vector>::NEG_INFINITY;

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                <$vector>::min(self, other)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                <$vector>::max(self, other)
            }
        }
    )*};
}
corners!(Vec3, Vec3A);

/// Boxes at the start and at the end of a motion [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Swept<V = Vec3> {
    pub low: [V; 2],
    pub high: [V; 2],
}

impl<V: Corner> Swept<V> {
    pub const EMPTY: Self = Self { low: [V::INFINITY; 2], high: [V::NEG_INFINITY; 2] };

    #[inline(always)]
    pub fn join(&self, other: &Self) -> Self {
        let low = [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])];
        let high = [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])];
        Self { low, high }
    }

    /// Distance of two boxes along each axis, on the same side at both ends [m]; negative if they
    /// overlap.
    #[inline(always)]
    pub fn gap(&self, other: &Self) -> V {
        let above = (self.low[0] - other.high[0]).min(self.low[1] - other.high[1]);
        let below = (other.low[0] - self.high[0]).min(other.low[1] - self.high[1]);
        above.max(below)
    }
}

impl Swept {
    /// Extended by a point that moves from `x` to `y` [m].
    #[inline]
    pub fn with(self, x: Vec3, y: Vec3) -> Self {
        self.join(&Self { low: [x, y], high: [x, y] })
    }

    pub fn loosened(self, by: Real) -> Self {
        Self { low: self.low.map(|x| x - by), high: self.high.map(|x| x + by) }
    }

    /// Whether the two may come closer than `near` [m] along every axis.
    #[inline]
    pub fn meets(&self, other: &Self, near: Real) -> bool {
        self.gap(other).max_element() <= near
    }

    /// Axes and sides along which a point that moves from `x` to `y` [m] stays farther than `near`
    /// [m] from this: a bit each. A common bit of several points also separates everything between
    /// them.
    #[inline]
    pub fn sides(&self, x: Vec3, y: Vec3, near: Real) -> u32 {
        let above = (x - self.high[0]).min(y - self.high[1]).cmpgt(Vec3::splat(near));
        let below = (self.low[0] - x).min(self.low[1] - y).cmpgt(Vec3::splat(near));
        above.bitmask() | below.bitmask() << 3
    }
}
