//! Edge length limits: contacts hardly stretch or compress the edges of the cloth, so that
//! neighbours share the push on a vertex (`physics.md` section 11.4).

use super::pushed::PushedVertices;
use super::surface::Surface;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Least length of an edge as a share of its length. With rigid edges few pairs could be parted.
pub(super) const LEAST_LENGTH: Real = 0.9;

/// An edge with its length limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tether {
    pub ends: [u32; 2],
    /// Rest length [m].
    pub rest: Real,
    /// Largest length [m].
    pub length: Real,
    /// Least length [m].
    pub least: Real,
    /// Accumulated impulse times the step [kg·m].
    tension: Real,
}

impl Tether {
    /// The edges of a cloth and of bodies, with their rest lengths; inner edges of bodies as well,
    /// or their inside would continue through a surface that contacts have stopped.
    pub fn of(surface: &Surface) -> impl Iterator<Item = Self> {
        let tether = |(ends, rest)| Self { ends, rest, length: rest, least: 0.0, tension: 0.0 };
        let outer = surface.edges.iter().copied().zip(surface.lengths.iter().copied());
        outer.chain(surface.inner.iter().copied()).map(tether)
    }

    /// Length with the vertices `at` their positions [m].
    fn present_length(&self, at: impl Fn(u32) -> Vec3) -> Real {
        at(self.ends[0]).distance(at(self.ends[1]))
    }

    /// Starts with the vertices `at` their positions [m]: present stretch and compression stay.
    pub fn begin(&mut self, at: impl Fn(u32) -> Vec3) {
        let length = self.present_length(at);
        self.length = self.rest.max(length);
        self.begin_between(self.length, length);
    }

    /// Starts with a `present` length [m]: present compression stays, and the largest length is
    /// `length` [m].
    fn begin_between(&mut self, length: Real, present: Real) {
        self.length = length;
        self.least = LEAST_LENGTH * self.rest.min(present);
        self.tension = 0.0;
    }

    /// Moves the ends to the limits, without accumulation; momentum is kept.
    pub fn cut(&self, inverse_masses: &[Real], positions: &mut [Vec3]) {
        let [i, j] = self.ends.map(|end| end as usize);
        let along = positions[j] - positions[i];
        let squared = along.length_squared();
        let inverse = inverse_masses[i] + inverse_masses[j];
        let bound = if squared > self.length * self.length {
            self.length
        } else if squared < self.least * self.least {
            self.least
        } else {
            return;
        };
        if squared > 0.0 && inverse > 0.0 {
            let impulse = along * ((1.0 - bound / squared.sqrt()) / inverse);
            positions[i] += impulse * inverse_masses[i];
            positions[j] -= impulse * inverse_masses[j];
        }
    }

    /// Applies the limits if an end has moved, accumulating the impulse; momentum is kept. The ends
    /// are noted if they move against each other by more than the `tolerance` [m].
    fn keep(&mut self, tolerance: Real, vertices: &mut PushedVertices) {
        let [i, j] = self.ends;
        if !vertices.has_moved(i) && !vertices.has_moved(j) {
            return;
        }
        let [a, b] = self.ends.map(|end| vertices.q[end as usize]);
        let along = b.to_vec3() - a.to_vec3();
        let squared = along.length_squared();
        let inverse = a.0[3] + b.0[3];
        let (least, most) = (self.least, self.length);
        if (self.tension != 0.0 || squared > most * most || squared < least * least) && inverse > 0.0 && squared > 0.0 {
            let length = squared.sqrt();
            // length without the accumulated impulse
            let free = length + self.tension * inverse;
            let tension = if free > most {
                free - most
            } else if free < least {
                free - least
            } else {
                0.0
            } / inverse;
            let change = tension - self.tension;
            let impulse = F64x4::from_vec3(along * (change / length));
            self.tension = tension;
            vertices.q[i as usize] = a + impulse * F64x4::splat(a.0[3]);
            vertices.q[j as usize] = b - impulse * F64x4::splat(b.0[3]);
            if change.abs() * inverse > tolerance {
                vertices.note(i);
                vertices.note(j);
            }
        }
    }
}

/// Applies all limits, forth and back in turn, and notes vertices that move by more than the
/// `tolerance` [m].
pub(super) fn keep_tethers(tethers: &mut [Tether], sweep: usize, tolerance: Real, vertices: &mut PushedVertices) {
    let keep = |tether: &mut Tether| tether.keep(tolerance, vertices);
    if sweep.is_multiple_of(2) {
        tethers.iter_mut().for_each(keep);
    } else {
        tethers.iter_mut().rev().for_each(keep);
    }
}
