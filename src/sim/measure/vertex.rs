//! Readings of one vertex: motion, forces, springs.

use super::SpringSystem;
use crate::sim::forces::springs::{damping_force, spring_force_on};
use crate::sim::pattern::Family;
use crate::sim::{Cloth, Real, Vec3};

/// The most vertices that a simulation tells everything of.
pub const MOST_PROBES: usize = 4;

/// Vertices of which everything is to be told.
pub type Probes = [Option<u32>; MOST_PROBES];

/// Motion and forces of a vertex after a step.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexReading {
    /// Index of the vertex.
    pub vertex: u32,
    /// Its mass [kg].
    pub mass: Real,
    /// Its position [m].
    pub position: Vec3,
    /// Its velocity [m/s].
    pub velocity: Vec3,
    /// Change of the velocity in the last substep over its length, or as the scheme has it [m/s²],
    /// where that was [observed](crate::sim::Observe).
    pub acceleration: Option<Vec3>,
    /// Forces on it [N].
    pub forces: VertexForces,
    /// Its springs, in the order of the pattern's neighbours.
    pub springs: Vec<SpringReading>,
}

/// Forces on a vertex by kind [N]. Elastic force and damping are those at the end of the step, as
/// implicit Euler and BDF2 have them, or within it, where those of the θ method balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexForces {
    /// Of springs or constraints and of bending; `None` where the method knows no forces.
    pub elastic: Option<Vec3>,
    /// Of their damping; likewise.
    pub damping: Option<Vec3>,
    /// Weight of the vertex [N].
    pub gravity: Vec3,
    /// Of the air; `None` before a step that was observed.
    pub air: Option<Vec3>,
    /// Difference of mass times acceleration and these forces, and its cause; `None` before a step
    /// that was observed.
    pub rest: Option<(Rest, Vec3)>,
}

/// Cause of the force that the others do not account for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// The pin or the hand that holds the vertex.
    Holding,
    /// Contact with colliders and of cloth with cloth, with friction.
    Contact,
    /// All that the constraints of a method without forces have done.
    Constraints,
    /// Residual of the method in the equations of implicit Euler or of the scheme.
    Unbalanced,
}

/// A spring as seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringReading {
    /// Its number in the pattern.
    pub spring: u32,
    /// Its other end.
    pub other: u32,
    /// Its family.
    pub family: Family,
    /// Its length at rest [m].
    pub rest_length: Real,
    /// Its length [m].
    pub length: Real,
    /// Its stiffness `k` [N/m]; zero if its family is left out.
    pub stiffness: Real,
    /// Its elastic force `k (l - L)` [N], positive where it pulls.
    pub tension: Real,
    /// The part of its damping along it [N], positive where it pulls.
    pub damping: Real,
    /// `ω = √(k (1/m + 1/m'))` of the two masses with nothing but this spring between them [1/s], a
    /// held one being infinitely heavy.
    pub frequency: Real,
}

impl SpringReading {
    /// Strain `l/L - 1`.
    #[must_use]
    pub fn strain(&self) -> Real {
        if self.rest_length > 0.0 { self.length / self.rest_length - 1.0 } else { 0.0 }
    }
}

impl VertexForces {
    /// Those that are known, by name, in the order in which they are told [N].
    pub fn by_kind(&self) -> impl Iterator<Item = (&'static str, Vec3)> {
        let rest = self.rest.map(|(rest, force)| (rest.name(), force));
        [
            self.elastic.map(|force| ("Elastic", force)),
            self.damping.map(|force| ("Damping", force)),
            Some(("Gravity", self.gravity)),
            self.air.map(|force| ("Air", force)),
            rest,
        ]
        .into_iter()
        .flatten()
    }
}

impl Rest {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holding => "Pin or hand",
            Self::Contact => "Contact",
            Self::Constraints => "Constraints",
            Self::Unbalanced => "Residual",
        }
    }
}

impl SpringSystem<'_> {
    /// The springs of a vertex.
    #[must_use]
    pub fn springs_of(&self, vertex: u32) -> Vec<SpringReading> {
        let Self { cloth, pattern, material, .. } = *self;
        let springs = pattern.springs();
        let read = |&(spring, other): &(u32, u32)| {
            let (e, [i, j]) = (spring as usize, [vertex, other].map(|end| end as usize));
            let (k, rest_length) = (self.stiffness(e), springs.rest_lengths[e]);
            let offset = cloth.positions[j] - cloth.positions[i];
            let relative = cloth.velocities[j] - cloth.velocities[i];
            let damping = if k > 0.0 { material.damping_of(pattern, e) } else { 0.0 };
            let damping = damping_force(material.damping_model, damping, offset, relative);
            let length = offset.length();
            SpringReading {
                spring,
                other,
                family: springs.families[e],
                rest_length,
                length,
                stiffness: k,
                tension: k * (length - rest_length),
                damping: damping.dot(offset.normalize_or_zero()),
                frequency: self.reduced_mass(e).map_or(0.0, |mass| (k / mass).sqrt()),
            }
        };
        pattern.neighbours().of_vertex(vertex).iter().map(read).collect()
    }
}

/// Force [N] that a hand or pin exerts on `vertex` to hold it against the `elastic` force of the
/// cloth and its own weight under a downward acceleration of `gravity` [m/s²]. Inertia is left out:
/// it is the load that a spring balance would show.
#[must_use]
pub fn reaction(cloth: &Cloth, gravity: Real, elastic: Vec3, vertex: u32) -> Vec3 {
    let weight = Vec3::NEG_Y * (gravity * cloth.masses[vertex as usize]);
    -(weight + elastic)
}

impl SpringSystem<'_> {
    /// Force [N] of its springs, their damping, and isometric bending on one vertex.
    #[must_use]
    pub fn force_on(&self, vertex: u32) -> Vec3 {
        spring_force_on(self.cloth, self.pattern, self.material, vertex) + self.bending_force_on(vertex)
    }

    /// Force [N] of isometric bending on one vertex; zero where bending is by springs.
    #[must_use]
    pub fn bending_force_on(&self, vertex: u32) -> Vec3 {
        let stiffness = self.material.isometric_stiffness();
        let force = || self.bending.force_on(vertex, &self.cloth.positions) * stiffness;
        if stiffness > 0.0 { force() } else { Vec3::ZERO }
    }
}
