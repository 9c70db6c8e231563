//! The local step of the constraints that are no springs: strain and area of triangles, and bending.

use std::ops::Range;

use super::terms::{Limits, Mix, Terms};
use crate::sim::constraints::{clamp_anisotropic, clamp_area, clamp_strain, with_length};
use crate::sim::lanes::Lanes;
use crate::sim::linear::Symbolic;
use crate::sim::team::{Shared, Team};
use crate::sim::{Real, Vec3};

/// Constraints that a thread takes at a time.
const GRAIN: usize = 128;

/// A row's coefficient at a vertex.
#[derive(Debug, Clone, Copy)]
struct Entry {
    row: u32,
    coefficient: Real,
}

/// The rows of triangles and bending by places.
#[derive(Debug, Default)]
pub struct Surface {
    /// First of these rows in the terms.
    first: usize,
    starts: Vec<u32>,
    places: Vec<u32>,
    coefficients: Vec<Real>,
    pulls: Vec<Real>,
    /// `w p` of each row [N].
    projected: Vec<Lanes>,
    /// Number of triangles with strain, with area, and of bending rows.
    counts: [usize; 3],
    rest_curvatures: Vec<Real>,
    vertex_starts: Vec<u32>,
    entries: Vec<Entry>,
}

impl Surface {
    /// Collects the rows of `terms`.
    pub fn gather(&mut self, terms: &Terms, symbolic: &Symbolic) {
        self.first = terms.edges.end;
        self.starts.clear();
        self.starts.push(0);
        self.places.clear();
        self.coefficients.clear();
        for row in self.first..terms.rows.len() {
            let (vertices, coefficients) = terms.rows.row(row);
            self.places.extend(vertices.iter().map(|&vertex| symbolic.place_of[vertex as usize]));
            self.coefficients.extend_from_slice(coefficients);
            self.starts.push(self.places.len() as u32);
        }
        self.counts = [terms.strain.len() / 2, terms.area.len() / 2, terms.curvature.len()];
        self.rest_curvatures.clone_from(&terms.bending.rest_lengths);
        let rows = self.starts.len() - 1;
        self.projected.clear();
        self.projected.resize(rows, Lanes::ZERO);

        self.vertex_starts.clear();
        self.vertex_starts.resize(symbolic.len() + 1, 0);
        for &place in &self.places {
            self.vertex_starts[place as usize + 1] += 1;
        }
        for place in 0..symbolic.len() {
            self.vertex_starts[place + 1] += self.vertex_starts[place];
        }
        let mut next = self.vertex_starts.clone();
        self.entries.clear();
        self.entries.resize(self.places.len(), Entry { row: 0, coefficient: 0.0 });
        for row in 0..rows {
            for at in self.starts[row] as usize..self.starts[row + 1] as usize {
                let place = self.places[at] as usize;
                self.entries[next[place] as usize] = Entry { row: row as u32, coefficient: self.coefficients[at] };
                next[place] += 1;
            }
        }
    }

    /// Takes over the weights of `terms`.
    pub fn weigh(&mut self, terms: &Terms) {
        self.pulls.clear();
        self.pulls.extend_from_slice(&terms.pulls[self.first..]);
    }

    /// Projects every constraint at the positions `q` by places.
    pub fn project(&mut self, q: &[Lanes], mix: &Mix, team: &Team) {
        if self.projected.is_empty() {
            return;
        }
        let mut projected = std::mem::take(&mut self.projected);
        let (this, shared) = (&*self, Shared::new(&mut projected));
        let [strained, areas, bends] = self.counts;
        let write = |row: usize, p: Vec3| {
            // SAFETY: every constraint is projected once, and writes its own rows.
            let out = unsafe { &mut shared.part(row..row + 1)[0] };
            *out = Lanes::from_vec3(p * this.pulls[row]);
        };
        let triangles = |range: Range<usize>, first: usize, clamp: &dyn Fn([Vec3; 2]) -> [Vec3; 2]| {
            for row in range.map(|at| first + 2 * at) {
                let [p, r] = clamp([this.value(row, q), this.value(row + 1, q)]);
                write(row, p);
                write(row + 1, r);
            }
        };
        team.for_parts(strained, GRAIN, |range| match &mix.limits {
            Limits::Isotropic([low, high]) => triangles(range, 0, &|f| clamp_strain(f, *low, *high)),
            Limits::Anisotropic(limits) => triangles(range, 0, &|f| clamp_anisotropic(f, limits)),
        });
        let [low, high] = mix.area_range;
        team.for_parts(areas, GRAIN, |range| triangles(range, 2 * strained, &|f| clamp_area(f, low, high)));
        let first = 2 * (strained + areas);
        team.for_parts(bends, GRAIN, |range| {
            for at in range {
                write(first + at, with_length(this.value(first + at, q), this.rest_curvatures[at]));
            }
        });
        self.projected = projected;
    }

    /// `Σ a_v q_v` of a row.
    fn value(&self, row: usize, q: &[Lanes]) -> Vec3 {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        let terms = self.places[range.clone()].iter().zip(&self.coefficients[range]);
        terms.fold(Lanes::ZERO, |sum, (&place, a)| sum + q[place as usize] * Lanes::splat(*a)).to_vec3()
    }

    /// Adds to `b` what the constraints pull at the places in `range`.
    pub fn pull(&self, range: Range<usize>, b: &mut [Lanes]) {
        if self.projected.is_empty() {
            return;
        }
        for (place, b) in range.zip(b) {
            let entries = self.vertex_starts[place] as usize..self.vertex_starts[place + 1] as usize;
            for entry in &self.entries[entries] {
                *b = *b + self.projected[entry.row as usize] * Lanes::splat(entry.coefficient);
            }
        }
    }
}
