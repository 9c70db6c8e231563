//! Detection of explosions under cloth-cloth contact.
//!
//! Truncation stops an exploding cloth at every step, so that no vertex becomes [far or
//! fast](crate::sim::measure::guard). What shows is the state that the solver proposes before: its
//! kinetic energy is compared with what can be accounted for,
//!
//! ```text
//! A = ½ Σ m |v + h f/m|²  +  ½ Σ m (u + J/m)²  +  U(x)  +  ½ Σ m (s/h)²  +  ½ M v₀²
//! ```
//!
//! the motion under weight, air and contact forces `f`; that of vertices in contact with colliders
//! at speed `u`, under the impulse `J` of contact points beside them; the elastic energy at the
//! start, with prescribed vertices and the ends of soft pins where they go; and, for solvers that
//! move positions, the correction of the longest error `s` of a spring at each vertex within the
//! step `h`.

use crate::sim::contact::Contact;
use crate::sim::forces::IsometricBending;
use crate::sim::measure::SpringSystem;
use crate::sim::measure::guard::Absurd;
use crate::sim::model::material::Material;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Pattern, Real, Solver, Vec3};

/// A step that ends with more than so many times the energy that is accounted for is an explosion.
const GAIN: Real = 10.0;
/// A speed at which nothing has exploded, `v₀` [m/s].
const SLOW: Real = 2.0;

/// Kinetic energy of the free vertices [J], with the velocity changes that `kick` returns [m/s].
fn kinetic(cloth: &Cloth, partition: &Partition, kick: impl Fn(usize) -> Vec3) -> Real {
    let of_vertex = |&vertex: &u32| {
        let i = vertex as usize;
        0.5 * cloth.masses[i] * (cloth.velocities[i] + kick(i)).length_squared()
    };
    partition.free.iter().map(of_vertex).sum()
}

/// Kinetic energy [J] of the free vertices after a step of `dt` [s] in which springs have no
/// effect, under `external` forces [N].
pub(super) fn of_free_flight(cloth: &Cloth, partition: &Partition, external: &[Vec3], dt: Real) -> Real {
    kinetic(cloth, partition, |i| external[i] * (dt / cloth.masses[i]))
}

/// Kinetic energy [J] that colliders give to the vertices in `contacts` in a step of `dt` [s].
pub(super) fn of_colliders(cloth: &Cloth, contacts: &[Contact], dt: Real) -> Real {
    let of_contact = |contact: &Contact| {
        let mass = cloth.masses[contact.vertex as usize];
        let impulse = contact.load_share.map_or(0.0, |share| share.impulse.length());
        0.5 * mass * (contact.motion.length() / dt + impulse / mass).powi(2)
    };
    contacts.iter().map(of_contact).sum()
}

/// The start of a step.
pub(super) struct Start<'a> {
    pub positions: &'a [Vec3],
    /// [`of_free_flight`] and [`of_colliders`] [J].
    pub flight: Real,
    /// Length of the step [s].
    pub dt: Real,
    pub pattern: &'a Pattern,
    pub material: &'a Material,
    pub bending: &'a IsometricBending,
    pub partition: &'a Partition,
}

impl Start<'_> {
    /// Checks the proposal of a solver, before contact.
    ///
    /// # Errors
    /// [`Absurd::GainsEnergy`].
    pub fn check(&self, cloth: &Cloth, solver: &dyn Solver) -> Result<(), Absurd> {
        let Self { positions, flight, dt, pattern, material, bending, partition } = *self;
        let kinetic = kinetic(cloth, partition, |_| Vec3::ZERO);
        let mass: Real = partition.free.iter().map(|&i| cloth.masses[i as usize]).sum();
        let moving = flight + 0.5 * mass * SLOW * SLOW;
        if kinetic <= GAIN * moving {
            return Ok(());
        }
        let mut start = cloth.clone();
        start.positions.copy_from_slice(positions);
        for prescribed in &partition.prescribed {
            start.positions[prescribed.vertex as usize] = prescribed.position;
        }
        let springs = SpringSystem { cloth: &start, pattern, material, bending, partition };
        let soft = partition.soft_energy(&start.positions);
        let stored = solver.elastic_energy(&springs).unwrap_or_default() + soft;
        let accounted = moving + stored + of_corrections(&start, pattern, dt);
        if kinetic <= GAIN * accounted { Ok(()) } else { Err(Absurd::GainsEnergy { kinetic, accounted }) }
    }
}

/// Kinetic energy [J] of vertices that each move by the largest error of their springs in `dt` [s].
fn of_corrections(cloth: &Cloth, pattern: &Pattern, dt: Real) -> Real {
    let mut errors = vec![0.0; cloth.len()];
    let springs = pattern.springs();
    for (&[i, j], &rest) in springs.ends.iter().zip(&springs.rest_lengths) {
        let error = (cloth.positions[i as usize].distance(cloth.positions[j as usize]) - rest).abs();
        for end in [i, j] {
            errors[end as usize] = Real::max(errors[end as usize], error);
        }
    }
    errors.iter().zip(&cloth.masses).map(|(error, mass)| 0.5 * mass * (error / dt).powi(2)).sum()
}
