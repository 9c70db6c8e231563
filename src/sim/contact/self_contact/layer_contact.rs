//! The contact of two parts of a cloth: where it acts, in which direction, and how it pushes.

use super::distance::{Closest, edge_edge, vertex_triangle};
use super::layer_force::LayerForce;
use super::pair::Pair;
use super::pushed::PushedVertices;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Share of a lack of distance that a step makes up for: all at once would throw the layers apart.
const RECOVERY: Real = 0.2;
/// Share of the distance at rest beyond which neighbours in the cloth count as layers.
const AT_REST: Real = 0.5;
/// Cosine of the steepest angle between the normal of a triangle and the line to a vertex above it.
const STEEP: Real = 0.98;
/// Squared sine of the angle below which two edges keep less: parallel ones have no line between them that lasts.
const NEARLY_PARALLEL: Real = 0.1;

/// How many times as far as two parts are to be moved apart one of their vertices may be moved for it, at most.
const LONGEST_LEVER: Real = 4.0;

/// Two closest points of layers.
#[derive(Debug, Clone, Copy)]
pub struct LayerContact {
    pub(super) pair: Pair,
    weights: [Real; 4],
    /// Unit vector from the second part to the first.
    pub(super) normal: Vec3,
    /// The distance to be kept [m].
    target: Real,
    /// Difference of the two points at the start of the step [m].
    start: Vec3,
    /// `1/Σ wᵢ²/mᵢ` [kg].
    mass: Real,
    /// Impulse so far, times the step [kg·m]: along the normal, and across it.
    pub(super) pressure: Real,
    pub(super) shear: Vec3,
    /// Most that it may press with, times the step [kg·m].
    most: Real,
    /// What it pressed with in the last step, times the step [kg·m].
    pub(super) last: Real,
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

/// What a contact pressed its first part with, times the step [kg·m].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pressed {
    /// In the last step.
    pub last: Vec3,
    /// What of it has acted in this step as well, on the closest points at the start.
    pub acted: Vec3,
}

/// How near two parts come in a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nearness {
    Far,
    /// They end near each other, and their contact is their own.
    Near,
    /// They pass through each other.
    Passing,
}

impl Nearness {
    /// Of a pair that moves from `x` to `y` [m]; less than `distance` [m] is near.
    pub fn of(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4], distance: Real) -> Self {
        if changes_sides(pair, x, y) {
            return if Crossing::of(pair, x, y).is_some() { Self::Passing } else { Self::Far };
        }
        let closest = closest(pair, y);
        let is_near = closest.difference.length_squared() < distance * distance && counts(pair, y, &closest);
        if is_near { Self::Near } else { Self::Far }
    }
}

/// Where two parts pass through each other.
pub(in crate::sim::contact) struct Crossing {
    pub weights: [Real; 4],
    normal: Vec3,
}

impl Crossing {
    /// Of a pair that changes sides while it moves from `x` to `y` [m], if its parts meet then: about when they lie in one plane, which is
    /// taken from a straight line between both ends.
    pub fn of(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4]) -> Option<Self> {
        let (from, to) = (side(pair, x), side(pair, y));
        let time = from / (from - to);
        let middle: [Vec3; 4] = std::array::from_fn(|i| x[i].lerp(y[i], time));
        let weights = closest(pair, &middle).weights;
        if weights.contains(&0.0) {
            return None;
        }
        let across = if pair.first == 1 {
            (middle[2] - middle[1]).cross(middle[3] - middle[1])
        } else {
            (middle[1] - middle[0]).cross(middle[3] - middle[2])
        };
        Some(Self { weights, normal: across.try_normalize()? * from.signum() })
    }
}

/// A number whose sign says on which side of the second part the first is.
pub(in crate::sim::contact) fn side(pair: &Pair, x: &[Vec3; 4]) -> Real {
    if pair.first == 1 {
        (x[2] - x[1]).cross(x[3] - x[1]).dot(x[0] - x[1])
    } else {
        (x[1] - x[0]).cross(x[3] - x[2]).dot(x[0] - x[2])
    }
}

/// Whether two parts that move from `x` to `y` [m] pass through each other.
pub(super) fn crosses(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4]) -> bool {
    changes_sides(pair, x, y) && Crossing::of(pair, x, y).is_some()
}

/// Whether the first of two parts that move from `x` to `y` [m] changes from one side of the second to the other.
pub(in crate::sim::contact) fn changes_sides(pair: &Pair, x: &[Vec3; 4], y: &[Vec3; 4]) -> bool {
    side(pair, x) * side(pair, y) < 0.0
}

/// Whether the contact of a pair is its own. Where the closest points lie at the rim of a triangle or at the end of an edge, there is a
/// neighbour that has them as well, and the line between them may point along the layers: pushing along it would drive them sideways.
fn counts(pair: &Pair, x: &[Vec3; 4], closest: &Closest) -> bool {
    if pair.first == 2 {
        return closest.weights.iter().all(|weight| *weight != 0.0);
    }
    let across = (x[2] - x[1]).cross(x[3] - x[1]);
    let along = across.dot(closest.difference);
    along * along >= STEEP * STEEP * across.length_squared() * closest.difference.length_squared()
}

pub(in crate::sim::contact) fn closest(pair: &Pair, x: &[Vec3; 4]) -> Closest {
    if pair.first == 1 { vertex_triangle(x) } else { edge_edge(x) }
}

/// The distance that a pair is to keep: that of layers, but no more than a part of what it has at rest in one piece of cloth.
pub(super) fn distance_of(pair: &Pair, x: &[Vec3; 4], pieces: &[u32], rest: &[Vec3], layers: Real) -> Real {
    let of_pair = if pair.first == 2 {
        let (u, v) = (x[1] - x[0], x[3] - x[2]);
        let lengths = u.length_squared() * v.length_squared();
        let sine = if lengths > 0.0 { u.cross(v).length_squared() / lengths } else { 0.0 };
        layers * (sine / NEARLY_PARALLEL).min(1.0)
    } else {
        layers
    };
    let [a, _, _, d] = pair.vertices.map(|vertex| pieces[vertex as usize]);
    if a == d { of_pair.min(AT_REST * closest(pair, &pair.corners(rest)).distance()) } else { of_pair }
}

impl LayerContact {
    /// The vertices of the two parts that meet.
    #[must_use]
    pub fn vertices(&self) -> [u32; 4] {
        self.pair.vertices
    }

    /// The contact of a pair in a `motion` from its start to its end [m], if it can have one. What has acted in this step as well is taken from the
    /// closest points at the start to where these have moved, which corrects the positions of the vertices.
    pub(super) fn new(
        pair: &Pair,
        keeping: &Keeping,
        pressed: &Pressed,
        vertices: &mut PushedVertices,
        motion: &[[Vec3; 4]; 2],
    ) -> Option<Self> {
        let Keeping { distance, friction, recovery } = *keeping;
        let Pressed { last, acted } = *pressed;
        let PushedVertices { positions, inverse_masses, .. } = vertices;
        let [x, y] = motion;
        let (from, to) = (closest(pair, x), closest(pair, y));
        let apart = from.normal()?;
        let crossing = if changes_sides(pair, x, y) { Crossing::of(pair, x, y) } else { None };
        let counts = crossing.is_some() || counts(pair, y, &to);
        if !counts && acted == Vec3::ZERO {
            return None;
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
        let inverse = pair.vertices.map(|vertex| inverse_masses[vertex as usize]);
        let sum: Real = weights.iter().zip(inverse).map(|(weight, inverse)| weight * weight * inverse).sum();
        // where nearly all hangs on what cannot be moved, the rest would be thrown by many times what is missing
        let longest =
            weights.iter().zip(inverse).map(|(weight, inverse)| (weight * inverse).abs()).fold(0.0, Real::max);
        if sum <= 0.0 || longest > LONGEST_LEVER * sum {
            return None;
        }
        let pressure = normal.dot(acted).max(0.0);
        let shear = acted.reject_from_normalized(normal).clamp_length_max(friction * pressure);
        let kept = from.distance().min(distance);
        let contact = Self {
            pair: *pair,
            weights,
            normal,
            target: kept + (RECOVERY * (distance - kept)).min(recovery),
            start: x.iter().zip(weights).map(|(x, weight)| *x * weight).sum(),
            mass: 1.0 / sum,
            pressure,
            shear,
            most: if counts { Real::INFINITY } else { pressure },
            last: last.length(),
        };
        if acted != Vec3::ZERO {
            contact.move_by(normal * pressure + shear, inverse_masses, positions);
            Self { weights: from.weights, ..contact }.move_by(-acted, inverse_masses, positions);
        }
        Some(contact)
    }

    /// What it presses with in a step of `dt` [s].
    pub(super) fn force(&self, dt: Real) -> LayerForce {
        let force = (self.normal * self.pressure + self.shear) / (dt * dt);
        let lasting = force.clamp_length_max(self.last / (dt * dt));
        LayerForce { vertices: self.pair.vertices, first: self.pair.first, force, lasting }
    }

    /// Pushes the two parts apart if they are too close, and takes their sliding away as far as friction can. Returns how far that
    /// moved them against each other [m].
    pub(super) fn push(&mut self, friction: Real, inverse_masses: &[Real], positions: &mut [Vec3]) -> Real {
        let Self { pair: Pair { vertices, .. }, weights, .. } = *self;
        let difference: Vec3 =
            vertices.iter().zip(weights).map(|(&vertex, weight)| positions[vertex as usize] * weight).sum();
        let impulse = self.press(friction, difference);
        if impulse == Vec3::ZERO {
            return 0.0;
        }
        self.move_by(impulse, inverse_masses, positions);
        impulse.length() / self.mass
    }

    /// The change of the impulse, times the step [kg·m], that makes up for what is missing where the closest points have this `difference` [m].
    fn press(&mut self, friction: Real, difference: Vec3) -> Vec3 {
        let normal = self.normal;
        let lack = self.target - normal.dot(difference);
        let pressure = (self.pressure + self.mass * lack).clamp(0.0, self.most);
        if pressure == 0.0 && self.pressure == 0.0 {
            return Vec3::ZERO;
        }
        let slid = (difference - self.start).reject_from_normalized(normal);
        let shear = (self.shear - slid * self.mass).clamp_length_max(friction * pressure);
        let impulse = normal * (pressure - self.pressure) + (shear - self.shear);
        (self.pressure, self.shear) = (pressure, shear);
        impulse
    }

    /// Starts with an `impulse`, times the step [kg·m], which has not acted yet; [`start`](Self::start) lets it act.
    pub(super) fn warm(&mut self, impulse: Vec3, friction: Real) {
        self.pressure = self.normal.dot(impulse).max(0.0);
        self.shear = impulse.reject_from_normalized(self.normal).clamp_length_max(friction * self.pressure);
    }

    /// Lets the impulse that it starts with act on `q`, positions [m] with inverse masses [1/kg] in the fourth lane.
    pub fn start(&self, q: &mut [F64x4]) {
        if self.pressure > 0.0 {
            self.move_lanes(self.normal * self.pressure + self.shear, q);
        }
    }

    /// [`push`](Self::push) of `q`, positions [m] with inverse masses [1/kg] in the fourth lane.
    pub fn project(&mut self, friction: Real, q: &mut [F64x4]) {
        let mut difference = F64x4::ZERO;
        for (&vertex, weight) in self.pair.vertices.iter().zip(self.weights) {
            difference = difference + q[vertex as usize] * F64x4::splat(weight);
        }
        let impulse = self.press(friction, difference.to_vec3());
        if impulse != Vec3::ZERO {
            self.move_lanes(impulse, q);
        }
    }

    /// Lets an impulse, times the step [kg·m], act on the first part and its opposite on the second.
    fn move_lanes(&self, impulse: Vec3, q: &mut [F64x4]) {
        let impulse = F64x4::from_vec3(impulse);
        for (&vertex, weight) in self.pair.vertices.iter().zip(self.weights) {
            let x = &mut q[vertex as usize];
            *x = *x + impulse * F64x4::splat(weight * x.0[3]);
        }
    }

    /// Lets an impulse, times the step [kg·m], act on the first part and its opposite on the second.
    fn move_by(&self, impulse: Vec3, inverse_masses: &[Real], positions: &mut [Vec3]) {
        for (&vertex, weight) in self.pair.vertices.iter().zip(self.weights) {
            positions[vertex as usize] += impulse * (weight * inverse_masses[vertex as usize]);
        }
    }
}
