//! A contact row: up to four weighted vertices whose sum keeps to one side of a plane, with
//! friction across it (`physics.md` section 11.2). Pairs of the cloth, contact points of colliders
//! inside triangles and edges, and vertices on surfaces all give such rows.

use crate::sim::contact::cloth::nearness::{Crossing, counts};
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::contact::colliders::Wall;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Share of a lack of distance that is recovered per step; all at once would throw the parts apart.
pub(in crate::sim::contact::cloth) const RECOVERY: Real = 0.2;
/// Largest speed of recovery from a lack of distance [m/s].
pub(in crate::sim::contact::cloth) const RECOVERY_SPEED: Real = 0.05;
/// Up to this multiple of their distance, parts that pressed on each other come down to it as
/// slowly as they recover from a lack; otherwise they would fall on each other.
const SETTLING: Real = 1.3;
/// Largest displacement of a vertex for a unit of distance gained between the parts.
const LONGEST_LEVER: Real = 4.0;
/// A row slides beyond this share of the largest friction.
const SLIDES: Real = 1.0 - 1e-6;

/// Distance and friction of cloth-cloth contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClothContactSettings {
    /// Cloth-cloth distance [m].
    pub distance: Real,
    /// Coulomb friction coefficient of cloth on cloth.
    pub friction: Real,
}

/// A contact row.
#[derive(Debug, Clone, Copy)]
pub struct ContactRow {
    /// Its vertices; the first one in place of those that it has not, with weight zero.
    pub(super) vertices: [u32; 4],
    pub(super) weights: F64x4,
    /// Unit normal from the second part to the first, and the target height along it [m].
    pub(super) normal: F64x4,
    /// Weighted sum of the vertices from which sliding is measured [m], and the effective mass
    /// `1/Σ wᵢ²/mᵢ` [kg].
    pub(super) start: F64x4,
    /// Accumulated impulse times the step [kg·m]: across the normal, and along it.
    pub(super) impulse: F64x4,
    /// Bounds of the impulse along the normal, times the step [kg·m].
    pub(super) bounds: [Real; 2],
    /// Coulomb friction coefficient.
    pub(super) friction: Real,
}

/// The plane of a row.
#[derive(Debug, Clone, Copy)]
pub(in crate::sim::contact::cloth) struct Plane {
    /// Unit normal, and the height to be kept along it [m].
    pub normal: Vec3,
    pub height: Real,
    /// Point from which sliding is measured [m].
    pub start: Vec3,
    /// Coulomb friction coefficient.
    pub friction: Real,
}

/// Two vertices with their weights that are to be on one side of a plane after an impact.
#[derive(Debug, Clone, Copy)]
pub(in crate::sim::contact::cloth) struct Impact {
    pub ends: [(u32, Real); 2],
    pub plane: Plane,
}

/// Impulse of a row, times the step [kg·m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Pressing {
    pub normal: Vec3,
    pub along: Real,
    pub across: Vec3,
    /// Whether friction is below its limit.
    pub sticks: bool,
}

/// Errors of a row below which it is left alone [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// Along the normal.
    pub distance: Real,
    /// Across it.
    pub sliding: Real,
}

impl ContactRow {
    /// A row without effect: for a pair without contact, or one that nothing can move.
    pub(super) const IDLE: Self = Self {
        vertices: [0; 4],
        weights: F64x4::ZERO,
        normal: F64x4::ZERO,
        start: F64x4::ZERO,
        impulse: F64x4::ZERO,
        bounds: [0.0; 2],
        friction: 0.0,
    };

    /// Its vertices; some may occur twice.
    #[must_use]
    pub fn vertices(&self) -> [u32; 4] {
        self.vertices
    }

    /// The row of a pair in a `motion` from its start to its end [m], in which it recovers at most
    /// the distance `recovery` [m], with inverse masses [1/kg] in the fourth lane of `q`. It starts
    /// with `lasts`, the impulse on the first part that the
    /// solver was given, times the step [kg·m], as far as it can press so; if it `fades`, it may
    /// only let go.
    #[inline(always)]
    pub(super) fn of_pair(
        pair: &Pair,
        keeping: &ClothContactSettings,
        recovery: Real,
        (lasts, fades): (Vec3, bool),
        q: &[F64x4],
        motion: &[[Vec3; 4]; 2],
    ) -> Self {
        let ClothContactSettings { distance, friction } = *keeping;
        let [x, y] = motion;
        let idle = Self { vertices: pair.vertices, ..Self::IDLE };
        let (from, to) = (pair.closest(x), pair.closest(y));
        let Some(apart) = from.normal() else { return idle };
        let crossing = if fades { None } else { Crossing::of(pair, x, y) };
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
        let most = if lasts == Vec3::ZERO { distance } else { SETTLING * distance };
        let kept = from.distance().min(most);
        let height = kept + (RECOVERY * (distance - kept)).clamp(-recovery, recovery);
        let start = x.iter().zip(weights).map(|(x, weight)| *x * weight).sum();
        let mut row = Self::new(pair.vertices, weights, &Plane { normal, height, start, friction }, q);
        row.warm(lasts);
        if !counts {
            row.bounds[1] = row.pressure();
        }
        row
    }

    /// The row of some weighted vertices on one side of a plane, with inverse masses [1/kg] in the
    /// fourth lane of `q`. It is idle if no vertex can move, or if a vertex with a small share
    /// would be moved by many times the lack of distance.
    #[inline(always)]
    pub(super) fn new(vertices: [u32; 4], weights: [Real; 4], plane: &Plane, q: &[F64x4]) -> Self {
        let inverse = vertices.map(|vertex| q[vertex as usize].0[3]);
        let sum: Real = weights.iter().zip(inverse).map(|(weight, inverse)| weight * weight * inverse).sum();
        let longest =
            weights.iter().zip(inverse).map(|(weight, inverse)| (weight * inverse).abs()).fold(0.0, Real::max);
        if sum <= 0.0 || longest > LONGEST_LEVER * sum {
            return Self { vertices, ..Self::IDLE };
        }
        Self {
            vertices,
            weights: F64x4(weights),
            normal: with_fourth(plane.normal, plane.height),
            start: with_fourth(plane.start, 1.0 / sum),
            impulse: F64x4::ZERO,
            bounds: [0.0, Real::INFINITY],
            friction: plane.friction,
        }
    }

    /// The row of an impact.
    pub(super) fn of_impact(Impact { ends: [(a, s), (b, t)], plane }: &Impact, q: &[F64x4]) -> Self {
        Self::new([*a, *b, *a, *a], [*s, *t, 0.0, 0.0], plane, q)
    }

    /// The row of a vertex on a surface that has moved it by `pushed` [m], without friction.
    pub(super) fn of_wall(wall: &Wall, pushed: Real, q: &[F64x4]) -> Self {
        let Wall { vertex, point, normal } = *wall;
        let plane = Plane { normal, height: normal.dot(point), start: point, friction: 0.0 };
        let mut row = Self::new([vertex; 4], [1.0, 0.0, 0.0, 0.0], &plane, q);
        row.impulse.0[3] = pushed * row.mass();
        row
    }

    /// Starts with an `impulse` on the first part, times the step [kg·m], as far as the row can
    /// press so; [`start`](Self::start) applies it.
    pub(super) fn warm(&mut self, impulse: Vec3) {
        let normal = self.normal.to_vec3();
        let pressure = normal.dot(impulse).max(0.0);
        let shear = impulse.reject_from_normalized(normal).clamp_length_max(self.friction * pressure);
        self.impulse = with_fourth(shear, pressure);
    }

    /// Keeps the row from pressing less than now.
    pub(super) fn keep_pressing(&mut self) {
        self.bounds[0] = self.pressure();
    }

    /// Whether it has no effect.
    pub(super) fn is_idle(&self) -> bool {
        self.mass() == 0.0
    }

    /// Effective mass [kg].
    pub(super) fn mass(&self) -> Real {
        self.start.0[3]
    }

    /// Accumulated impulse along the normal, times the step [kg·m].
    pub(super) fn pressure(&self) -> Real {
        self.impulse.0[3]
    }

    /// Applies the starting impulse to `q`, positions [m] with inverse masses [1/kg] in the fourth
    /// lane.
    pub fn start(&self, q: &mut [F64x4]) {
        self.take_over(Vec3::ZERO, q);
    }

    /// Takes the effect of an impulse that the solver was given, times the step [kg·m], over as
    /// that of the row, and undoes the part of it that the row cannot have.
    pub(super) fn take_over(&self, given: Vec3, q: &mut [F64x4]) {
        if !self.is_idle() {
            self.move_by(self.normal.to_vec3() * self.pressure() + self.impulse.to_vec3() - given, q);
        }
    }

    /// Solves the row in `q`, positions [m] with inverse masses [1/kg] in the fourth lane: pushes
    /// its parts to their distance, and reduces sliding as far as friction can.
    pub fn project(&mut self, q: &mut [F64x4]) {
        if let Some((impulse, next)) = self.press(q) {
            self.impulse = next;
            self.move_by(impulse, q);
        }
    }

    /// Sets the accumulated impulse: displacements of the parts across and along the normal [m].
    #[inline(always)]
    pub(super) fn set_displacement(&mut self, displacement: F64x4) {
        self.impulse = displacement * F64x4::splat(self.mass());
    }

    /// [`project`](Self::project), if it changes distance or sliding by more than the `tolerance`.
    /// Returns the displacement of the parts against each other [m].
    #[inline(always)]
    pub(super) fn push(&mut self, tolerance: &Tolerance, q: &mut [F64x4]) -> Real {
        let Some((impulse, next)) = self.press(q) else { return 0.0 };
        if self.is_within(&next, tolerance) {
            return 0.0;
        }
        self.impulse = next;
        self.move_by(impulse, q);
        impulse.length() / self.mass()
    }

    /// Whether another impulse moves the parts by less than the tolerance. A row lets go
    /// completely: a remainder would press for ever.
    #[inline(always)]
    fn is_within(&self, next: &F64x4, tolerance: &Tolerance) -> bool {
        if next.0[3] == 0.0 && self.pressure() != 0.0 {
            return false;
        }
        let change = *next - self.impulse;
        let mass = self.mass();
        let (along, across) = (tolerance.distance * mass, tolerance.sliding * mass);
        change.0[3].abs() <= along && change.to_vec3().length_squared() <= across * across
    }

    /// Its impulse, if it presses.
    pub(super) fn pressing(&self) -> Option<Pressing> {
        let (normal, along, across) = (self.normal.to_vec3(), self.pressure(), self.impulse.to_vec3());
        let sticks = across.length() < SLIDES * self.friction * along;
        (along > 0.0).then_some(Pressing { normal, along, across, sticks })
    }

    /// Change of the impulse on the first part, times the step [kg·m], that solves the row in `q`,
    /// and the impulse after it: across the normal and along it. None if the row presses neither
    /// before nor after.
    #[inline(always)]
    fn press(&self, q: &[F64x4]) -> Option<(Vec3, F64x4)> {
        let mut sum = F64x4::ZERO;
        for (&vertex, weight) in self.vertices.iter().zip(self.weights.0) {
            sum = sum + q[vertex as usize] * F64x4::splat(weight);
        }
        let (sum, normal) = (sum.to_vec3(), self.normal.to_vec3());
        let (target, mass, [least, most]) = (self.normal.0[3], self.mass(), self.bounds);
        let pressure = (self.pressure() + mass * (target - normal.dot(sum))).max(least).min(most);
        if pressure == 0.0 && self.pressure() == 0.0 {
            return None;
        }
        let slid = (sum - self.start.to_vec3()).reject_from_normalized(normal);
        let shear = (self.impulse.to_vec3() - slid * mass).clamp_length_max(self.friction * pressure);
        let impulse = normal * (pressure - self.pressure()) + (shear - self.impulse.to_vec3());
        Some((impulse, with_fourth(shear, pressure)))
    }

    /// Applies an impulse, times the step [kg·m], to the vertices by their weights.
    #[inline(always)]
    fn move_by(&self, impulse: Vec3, q: &mut [F64x4]) {
        let impulse = F64x4::from_vec3(impulse);
        for (&vertex, weight) in self.vertices.iter().zip(self.weights.0) {
            let x = &mut q[vertex as usize];
            *x = *x + impulse * F64x4::splat(weight * x.0[3]);
        }
    }
}

/// A vector with a fourth component.
const fn with_fourth(v: Vec3, fourth: Real) -> F64x4 {
    F64x4([v.x, v.y, v.z, fourth])
}
