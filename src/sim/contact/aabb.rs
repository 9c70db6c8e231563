//! Axis-aligned bounding boxes.

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
