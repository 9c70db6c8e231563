//! The contact of two parts of a cloth: where it acts, in which direction, and how it pushes.

use super::nearness::{Crossing, changes_sides, closest, counts};
use super::pair::Pair;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Share of a lack of distance that a step makes up for: all at once would throw the layers apart.
pub(super) const RECOVERY: Real = 0.2;
/// Up to how many times the distance to be kept parts that have pressed on each other come down to it as slowly as they recover from a lack. They
/// would fall on each other otherwise.
pub(super) const SETTLING: Real = 1.3;

/// How many times as far as two parts are to be moved apart one of their vertices may be moved for it, at most.
pub(super) const LONGEST_LEVER: Real = 4.0;

/// Two closest points of layers.
#[derive(Debug, Clone, Copy)]
pub struct LayerContact {
    /// `wᵢ` of the four vertices.
    weights: F64x4,
    /// Unit vector from the second part to the first, and the distance to be kept [m].
    normal: F64x4,
    /// Difference of the two points at the start of the step [m], and `1/Σ wᵢ²/mᵢ` [kg].
    start: F64x4,
    /// Impulse so far, times the step [kg·m]: across the normal, and along it.
    impulse: F64x4,
    /// Most that it may press with, times the step [kg·m].
    most: Real,
    pub(super) pair: Pair,
}

/// What a contact is to keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keeping {
    /// [m]
    pub distance: Real,
    /// Coulomb friction.
    pub friction: Real,
    /// The most by which it moves parts that are too close apart in the step [m].
    pub recovery: Real,
}

/// What a contact presses with, times the step [kg·m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Pressing {
    pub normal: Vec3,
    pub along: Real,
    pub across: Vec3,
}

/// All numbers of a contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    pub weights: [Real; 4],
    pub normal: [Real; 3],
    /// [m]
    pub target: Real,
    /// [m]
    pub start: [Real; 3],
    /// [kg]
    pub mass: Real,
    /// Impulse so far and the most along the normal, times the step [kg·m].
    pub pressure: Real,
    pub shear: [Real; 3],
    pub most: Real,
}

/// How far the parts of a contact may be from where they are to be against each other [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// Along the normal, and the distance at which one begins to press.
    pub distance: Real,
    /// Across it.
    pub sliding: Real,
}

impl LayerContact {
    /// The vertices of the two parts that meet.
    #[must_use]
    pub fn vertices(&self) -> [u32; 4] {
        self.pair.vertices
    }

    /// Of a pair that has no contact, or one that nothing can move: it does nothing.
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

    /// The contact of a pair in a `motion` from its start to its end [m]. It starts with what `lasts` of the last steps, an impulse on the first part times
    /// the step [kg·m], as far as it can press so now; with the weights of what has acted of it, on the closest points at the start.
    #[inline(always)]
    pub(super) fn new(
        pair: &Pair,
        keeping: &Keeping,
        lasts: Vec3,
        q: &[F64x4],
        motion: &[[Vec3; 4]; 2],
    ) -> (Self, [Real; 4]) {
        let Keeping { distance, friction, recovery } = *keeping;
        let [x, y] = motion;
        let idle = (Self::idle(pair), [0.0; 4]);
        let (from, to) = (closest(pair, x), closest(pair, y));
        let Some(apart) = from.normal() else { return idle };
        let crossing = if changes_sides(pair, x, y) { Crossing::of(pair, x, y) } else { None };
        let counts = crossing.is_some() || counts(pair, y, &to);
        if !counts && lasts == Vec3::ZERO {
            return idle;
        }
        // one that no longer counts is the one that it was, and only lets go
        let (weights, normal) = if let Some(Crossing { weights, normal }) = crossing {
            (weights, normal)
        } else if counts {
            // on the other side than at the start they have passed through each other
            (to.weights, to.normal().map_or(apart, |n| if n.dot(apart) < 0.0 { -n } else { n }))
        } else {
            (from.weights, apart)
        };
        let inverse = pair.vertices.map(|vertex| q[vertex as usize].0[3]);
        let sum: Real = weights.iter().zip(inverse).map(|(weight, inverse)| weight * weight * inverse).sum();
        // where nearly all hangs on what cannot be moved, the rest would be thrown by many times what is missing
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
        (contact, from.weights)
    }

    /// Starts with an `impulse` on the first part, times the step [kg·m], as far as it can press so; [`start`](Self::start) lets it act.
    fn warm(&mut self, impulse: Vec3, friction: Real) {
        let normal = self.normal.to_vec3();
        let pressure = normal.dot(impulse).max(0.0);
        let shear = impulse.reject_from_normalized(normal).clamp_length_max(friction * pressure);
        self.impulse = with_fourth(shear, pressure);
    }

    /// Whether it does nothing.
    pub(super) fn is_idle(&self) -> bool {
        self.start.0[3] == 0.0
    }

    /// Impulse along the normal so far, times the step [kg·m].
    fn pressure(&self) -> Real {
        self.impulse.0[3]
    }

    /// Lets the impulse that it starts with act on `q`, positions [m] with inverse masses [1/kg] in the fourth lane.
    pub fn start(&self, q: &mut [F64x4]) {
        if self.pressure() > 0.0 {
            self.move_by(self.normal.to_vec3() * self.pressure() + self.impulse.to_vec3(), self.weights, q);
        }
    }

    /// Pushes the two parts apart in `q`, positions [m] with inverse masses [1/kg] in the fourth lane, if they are too close, and takes their
    /// sliding away as far as friction can.
    pub fn project(&mut self, friction: Real, q: &mut [F64x4]) {
        if let Some((impulse, next)) = self.press(friction, q) {
            self.impulse = next;
            self.move_by(impulse, self.weights, q);
        }
    }

    /// Its numbers.
    #[inline(always)]
    pub(super) fn numbers(&self) -> Numbers {
        let ([nx, ny, nz, target], [x, y, z, mass]) = (self.normal.0, self.start.0);
        let [sx, sy, sz, pressure] = self.impulse.0;
        let (weights, normal, start, shear) = (self.weights.0, [nx, ny, nz], [x, y, z], [sx, sy, sz]);
        Numbers { weights, normal, target, start, mass, pressure, shear, most: self.most }
    }

    /// [`project`](Self::project), if it changes the distance or the sliding of the parts by more than the `tolerance`. Returns by how much it moved the
    /// parts against each other [m].
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

    /// Whether another impulse moves the parts by less than what is tolerated. A contact that lets go does so altogether: what is left of it would
    /// press for ever.
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

    /// What it presses with, if it does.
    pub(super) fn pressing(&self) -> Option<Pressing> {
        let (normal, along, across) = (self.normal.to_vec3(), self.pressure(), self.impulse.to_vec3());
        (along > 0.0).then_some(Pressing { normal, along, across })
    }

    /// The change of the impulse on the first part, times the step [kg·m], that makes up for what is missing in `q`, and what it has had then: across the
    /// normal and along it. None if it presses neither now nor then.
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

    /// Lets an impulse, times the step [kg·m], act on the first part and its opposite on the second.
    #[inline(always)]
    fn move_by(&self, impulse: Vec3, weights: F64x4, q: &mut [F64x4]) {
        let impulse = F64x4::from_vec3(impulse);
        for (&vertex, weight) in self.pair.vertices.iter().zip(weights.0) {
            let x = &mut q[vertex as usize];
            *x = *x + impulse * F64x4::splat(weight * x.0[3]);
        }
    }
}

/// A vector with a number to spare.
const fn with_fourth(v: Vec3, fourth: Real) -> F64x4 {
    F64x4([v.x, v.y, v.z, fourth])
}
