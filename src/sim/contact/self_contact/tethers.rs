//! Edges of the cloth, which contacts hardly stretch or compress: so that the neighbours share in what pushes a vertex.

use super::pushed::PushedVertices;
use super::surface::Surface;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Share of its length to which an edge is compressed at most. Where no edge gives way at all, few pairs can be parted.
pub(super) const LEAST_LENGTH: Real = 0.9;

/// An edge of the cloth, and the lengths between which it is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tether {
    pub ends: [u32; 2],
    /// Length at rest [m].
    pub rest: Real,
    /// Length beyond which it is not stretched [m].
    pub length: Real,
    /// Length below which it is not compressed [m].
    pub least: Real,
    /// Impulse so far, times the step [kg·m].
    tension: Real,
}

impl Tether {
    /// The edges of a cloth and of bodies, with their lengths at rest: those inside bodies as well, or their insides would go on through the
    /// surface that contacts have stopped.
    pub fn of(surface: &Surface) -> impl Iterator<Item = Self> {
        let tether = |(ends, rest)| Self { ends, rest, length: rest, least: 0.0, tension: 0.0 };
        let outer = surface.edges.iter().copied().zip(surface.lengths.iter().copied());
        outer.chain(surface.inner.iter().copied()).map(tether)
    }

    /// With vertices that are `at` their places [m].
    fn present_length(&self, at: impl Fn(u32) -> Vec3) -> Real {
        at(self.ends[0]).distance(at(self.ends[1]))
    }

    /// Begins with vertices that are `at` their places [m]: what it is stretched or compressed by there stays.
    pub fn begin(&mut self, at: impl Fn(u32) -> Vec3) {
        let length = self.present_length(at);
        self.length = self.rest.max(length);
        self.begin_between(self.length, length);
    }

    /// Begins with a `present` length [m]: what it is compressed by there stays, and it is not stretched beyond `length` [m].
    fn begin_between(&mut self, length: Real, present: Real) {
        self.length = length;
        self.least = LEAST_LENGTH * self.rest.min(present);
        self.tension = 0.0;
    }

    /// Takes away what it is stretched or compressed by; momentum is kept. It does not remember what it did.
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

    /// Takes away what it would be stretched or compressed by without the impulse that it has had so far, if one of its ends has been moved; momentum
    /// is kept. The ends are noted if it moves them against each other by more than the `tolerance` [m].
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
            // without its own tension it would be that much longer
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

/// Takes away the stretch of all, forth and back in turn, and notes vertices that are moved by more than the `tolerance` [m].
pub(super) fn keep_tethers(tethers: &mut [Tether], sweep: usize, tolerance: Real, vertices: &mut PushedVertices) {
    let keep = |tether: &mut Tether| tether.keep(tolerance, vertices);
    if sweep.is_multiple_of(2) {
        tethers.iter_mut().for_each(keep);
    } else {
        tethers.iter_mut().rev().for_each(keep);
    }
}
