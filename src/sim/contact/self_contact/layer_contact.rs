//! A contact row between two parts of a cloth (`physics.md` section 11.2).

use super::nearness::{Crossing, changes_sides, closest, counts};
use super::pair::Pair;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Share of a lack of distance that is recovered per step; all at once would throw the parts apart.
const RECOVERY: Real = 0.2;
/// Up to this multiple of their distance, parts that pressed on each other come down to it as
/// slowly as they recover from a lack; otherwise they would fall on each other.
const SETTLING: Real = 1.3;

/// Largest displacement of a vertex for a unit of distance gained between the parts.
const LONGEST_LEVER: Real = 4.0;

/// A contact row.
#[derive(Debug, Clone, Copy)]
pub struct LayerContact {
    /// Weights of the four vertices.
    weights: F64x4,
    /// Unit normal from the second part to the first, and the target distance [m].
    normal: F64x4,
    /// Difference of the contact points at the start of the step [m], and the effective mass
    /// `1/Σ wᵢ²/mᵢ` [kg].
    start: F64x4,
    /// Accumulated impulse times the step [kg·m]: across the normal, and along it.
    impulse: F64x4,
    /// Upper bound of the impulse along the normal, times the step [kg·m].
    most: Real,
    pub(super) pair: Pair,
}

/// Settings of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keeping {
    /// Distance to be kept [m].
    pub distance: Real,
    /// Coulomb friction coefficient.
    pub friction: Real,
    /// Largest change of distance by recovery in the step [m].
    pub recovery: Real,
}

/// Impulse of a row, times the step [kg·m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Pressing {
    pub normal: Vec3,
    pub along: Real,
    pub across: Vec3,
}

/// All numbers of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    pub weights: [Real; 4],
    pub normal: [Real; 3],
    /// Target distance [m].
    pub target: Real,
    /// Difference of the contact points at the start of the step [m].
    pub start: [Real; 3],
    /// Effective mass [kg].
    pub mass: Real,
    /// Accumulated impulse, and its upper bound along the normal, times the step [kg·m].
    pub pressure: Real,
    pub shear: [Real; 3],
    pub most: Real,
}

/// Errors of a row below which it is left alone [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// Along the normal.
    pub distance: Real,
    /// Across it.
    pub sliding: Real,
}

impl LayerContact {
    /// The vertices of the pair.
    #[must_use]
    pub fn vertices(&self) -> [u32; 4] {
        self.pair.vertices
    }

    /// A row without effect: for a pair without contact, or one that nothing can move.
    pub(super) const fn idle(pair: &Pair) -> Self {
        Self {
            weights: F64x4::ZERO,
            normal: F64x4::ZERO,
            start: F64x4::ZERO,
            impulse: F64x4::ZERO,
            most: 0.0,
            pair: *pair,
        }
    }

    /// The row of a pair in a `motion` from its start to its end [m]. It starts with `lasts`, the
    /// impulse on the first part that the solver was given, times the step [kg·m], as far as it can
    /// press so; if it `fades`, it may only let go.
    #[inline(always)]
    pub(super) fn new(
        pair: &Pair,
        keeping: &Keeping,
        (lasts, fades): (Vec3, bool),
        q: &[F64x4],
        motion: &[[Vec3; 4]; 2],
    ) -> Self {
        let Keeping { distance, friction, recovery } = *keeping;
        let [x, y] = motion;
        let idle = Self::idle(pair);
        let (from, to) = (closest(pair, x), closest(pair, y));
        let Some(apart) = from.normal() else { return idle };
        let crossing = if !fades && changes_sides(pair, x, y) { Crossing::of(pair, x, y) } else { None };
        let counts = !fades && counts(pair, y, &to) || crossing.is_some();
        if !counts && lasts == Vec3::ZERO {
            return idle;
        }
        // a pair that is not near any more keeps weights and normal, and may only let go
        let (weights, normal) = if let Some(Crossing { weights, normal }) = crossing {
            (weights, normal)
        } else if counts {
            // on the other side than at the start, the parts have passed through each other
            (to.weights, to.normal().map_or(apart, |n| if n.dot(apart) < 0.0 { -n } else { n }))
        } else {
            (from.weights, apart)
        };
        let inverse = pair.vertices.map(|vertex| q[vertex as usize].0[3]);
        let sum: Real = weights.iter().zip(inverse).map(|(weight, inverse)| weight * weight * inverse).sum();
        // a vertex with a small share would be moved by many times the lack of distance
        let longest =
            weights.iter().zip(inverse).map(|(weight, inverse)| (weight * inverse).abs()).fold(0.0, Real::max);
        if sum <= 0.0 || longest > LONGEST_LEVER * sum {
            return idle;
        }
        let most = if lasts == Vec3::ZERO { distance } else { SETTLING * distance };
        let kept = from.distance().min(most);
        let target = kept + (RECOVERY * (distance - kept)).clamp(-recovery, recovery);
        let start: Vec3 = x.iter().zip(weights).map(|(x, weight)| *x * weight).sum();
        let mut contact = Self {
            weights: F64x4(weights),
            normal: with_fourth(normal, target),
            start: with_fourth(start, 1.0 / sum),
            impulse: F64x4::ZERO,
            most: Real::INFINITY,
            pair: *pair,
        };
        contact.warm(lasts, friction);
        if !counts {
            contact.most = contact.pressure();
        }
        contact
    }

    /// Starts with an `impulse` on the first part, times the step [kg·m], as far as it can press
    /// so; [`start`](Self::start) applies it.
    fn warm(&mut self, impulse: Vec3, friction: Real) {
        let normal = self.normal.to_vec3();
        let pressure = normal.dot(impulse).max(0.0);
        let shear = impulse.reject_from_normalized(normal).clamp_length_max(friction * pressure);
        self.impulse = with_fourth(shear, pressure);
    }

    /// Whether it has no effect.
    pub(super) fn is_idle(&self) -> bool {
        self.start.0[3] == 0.0
    }

    /// Accumulated impulse along the normal, times the step [kg·m].
    fn pressure(&self) -> Real {
        self.impulse.0[3]
    }

    /// Applies the starting impulse to `q`, positions [m] with inverse masses [1/kg] in the fourth
    /// lane.
    pub fn start(&self, q: &mut [F64x4]) {
        if self.pressure() > 0.0 {
            self.move_by(self.normal.to_vec3() * self.pressure() + self.impulse.to_vec3(), self.weights, q);
        }
    }

    /// Takes the effect of an impulse that the solver was given, times the step [kg·m], over as that of
    /// the row, and undoes the part of it that the row cannot have.
    pub(super) fn take_over(&self, given: Vec3, q: &mut [F64x4]) {
        if !self.is_idle() {
            let more = self.normal.to_vec3() * self.pressure() + self.impulse.to_vec3() - given;
            self.move_by(more, self.weights, q);
        }
    }

    /// Solves the row in `q`, positions [m] with inverse masses [1/kg] in the fourth lane: pushes
    /// its parts to their distance, and reduces sliding as far as friction can.
    pub fn project(&mut self, friction: Real, q: &mut [F64x4]) {
        if let Some((impulse, next)) = self.press(friction, q) {
            self.impulse = next;
            self.move_by(impulse, self.weights, q);
        }
    }

    /// All numbers of the row.
    #[inline(always)]
    pub(super) fn numbers(&self) -> Numbers {
        let ([nx, ny, nz, target], [x, y, z, mass]) = (self.normal.0, self.start.0);
        let [sx, sy, sz, pressure] = self.impulse.0;
        let (weights, normal, start, shear) = (self.weights.0, [nx, ny, nz], [x, y, z], [sx, sy, sz]);
        Numbers { weights, normal, target, start, mass, pressure, shear, most: self.most }
    }

    /// [`project`](Self::project), if it changes distance or sliding by more than the `tolerance`.
    /// Returns the displacement of the parts against each other [m].
    #[inline(always)]
    pub(super) fn push(&mut self, friction: Real, tolerance: &Tolerance, q: &mut [F64x4]) -> Real {
        let Some((impulse, next)) = self.press(friction, q) else { return 0.0 };
        if self.is_within(&next, tolerance) {
            return 0.0;
        }
        self.impulse = next;
        self.move_by(impulse, self.weights, q);
        impulse.length() / self.start.0[3]
    }

    /// Whether another impulse moves the parts by less than the tolerance. A row lets go
    /// completely: a remainder would press for ever.
    #[inline(always)]
    fn is_within(&self, next: &F64x4, tolerance: &Tolerance) -> bool {
        if next.0[3] == 0.0 && self.pressure() != 0.0 {
            return false;
        }
        let change = *next - self.impulse;
        let mass = self.start.0[3];
        let (along, across) = (tolerance.distance * mass, tolerance.sliding * mass);
        change.0[3].abs() <= along && change.to_vec3().length_squared() <= across * across
    }

    /// Its impulse, if it presses.
    pub(super) fn pressing(&self) -> Option<Pressing> {
        let (normal, along, across) = (self.normal.to_vec3(), self.pressure(), self.impulse.to_vec3());
        (along > 0.0).then_some(Pressing { normal, along, across })
    }

    /// Change of the impulse on the first part, times the step [kg·m], that solves the row in `q`,
    /// and the impulse after it: across the normal and along it. None if the row presses neither
    /// before nor after.
    #[inline(always)]
    fn press(&self, friction: Real, q: &[F64x4]) -> Option<(Vec3, F64x4)> {
        let mut difference = F64x4::ZERO;
        for (&vertex, weight) in self.pair.vertices.iter().zip(self.weights.0) {
            difference = difference + q[vertex as usize] * F64x4::splat(weight);
        }
        let (difference, normal) = (difference.to_vec3(), self.normal.to_vec3());
        let (target, mass) = (self.normal.0[3], self.start.0[3]);
        let pressure = (self.pressure() + mass * (target - normal.dot(difference))).clamp(0.0, self.most);
        if pressure == 0.0 && self.pressure() == 0.0 {
            return None;
        }
        let slid = (difference - self.start.to_vec3()).reject_from_normalized(normal);
        let shear = (self.impulse.to_vec3() - slid * mass).clamp_length_max(friction * pressure);
        let impulse = normal * (pressure - self.pressure()) + (shear - self.impulse.to_vec3());
        Some((impulse, with_fourth(shear, pressure)))
    }

    /// Applies an impulse, times the step [kg·m], to the first part and its opposite to the second.
    #[inline(always)]
    fn move_by(&self, impulse: Vec3, weights: F64x4, q: &mut [F64x4]) {
        let impulse = F64x4::from_vec3(impulse);
        for (&vertex, weight) in self.pair.vertices.iter().zip(weights.0) {
            let x = &mut q[vertex as usize];
            *x = *x + impulse * F64x4::splat(weight * x.0[3]);
        }
    }
}

/// A vector with a fourth component.
const fn with_fourth(v: Vec3, fourth: Real) -> F64x4 {
    F64x4([v.x, v.y, v.z, fourth])
}
