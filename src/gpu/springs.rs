//! Springs and triangles for the kernels: rows of entries, or five directions of a grid; and the
//! diagonal of Jacobi's iteration.

use std::ops::Range;

use super::entry::{BENDING, Entry, entry};
use super::grid::{DIRECTIONS, Grid};
use super::triangles::{Corner, StrainLimit, Triangles};
use crate::sim::exec::colouring::Colouring;
use crate::sim::pattern::{Coefficients, SpringCoefficients};
use crate::sim::{Cloth, Pattern, Real, StepInput};

/// Vertices per task.
const VERTICES: usize = 16_384;

/// Input that the rows were made from.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    pattern: u64,
    stiffness: Coefficients,
    /// `c/h` [N/m].
    damping: Coefficients,
    bending: Real,
    weft: Real,
    /// Weight of the triangles per area [J/m²].
    strain: Real,
}

/// The springs of a cloth for the kernels.
#[derive(Debug, Default)]
pub struct Springs {
    key: Option<Key>,
    /// The pattern that was looked at, and the grid that it is.
    looked_at: Option<(u64, Option<Grid>)>,
    masses: Vec<Real>,
    rate: Real,
    /// The grid that the springs are of, if they are.
    whole: Option<Grid>,
    /// Likewise, where the kernels of a grid are to be used.
    pub grid: Option<Grid>,
    /// By direction of a grid: stiffness, rest length, damping.
    pub directions: [[f32; 4]; DIRECTIONS],
    /// By vertex: where its springs and then its corners of triangles begin in the rows; and where
    /// the last row ends. A single zero for a grid.
    pub starts: Vec<u32>,
    /// The rows.
    pub entries: Vec<Entry>,
    triangles: Triangles,
    /// Least and largest stretch of the triangles.
    pub range: [Real; 2],
    /// Contribution of springs and bending to the diagonal of the matrix, and to that of the
    /// iteration [N/m].
    elastic: Vec<[Real; 2]>,
    /// Diagonal of the matrix [N/m].
    pub matrix: Vec<Real>,
    /// Diagonal of the iteration [N/m]: no less than half of any eigenvalue, so that an iteration
    /// never raises the energy.
    pub diagonal: Vec<Real>,
    /// Least `m/(h² D)`: by so much a plain iteration reduces the error at least.
    pub least_gap: Real,
}

impl Springs {
    /// Brings all up to date with the step, with triangles if they are limited. Returns whether
    /// rows or directions have changed.
    pub fn update(&mut self, cloth: &Cloth, input: &StepInput, limit: Option<&StrainLimit>) -> bool {
        let (pattern, material) = (input.pattern, input.material);
        let key = Key {
            pattern: pattern.revision(),
            stiffness: material.stiffness_by_kind(pattern),
            damping: material.damping_by_kind(pattern).map(|c| c / input.dt),
            bending: material.isometric_stiffness(),
            weft: material.bending_weft,
            strain: limit.map_or(0.0, |limit| limit.weight),
        };
        self.range = limit.map_or([0.0; 2], |limit| limit.range);
        let springs = self.key.as_ref() != Some(&key);
        if springs {
            self.make_rows(&key, input);
            self.key = Some(key);
        }
        let rate = 1.0 / (input.dt * input.dt);
        let same = |range: Range<usize>| self.masses[range.clone()] == cloth.masses[range];
        let known = self.masses.len() == cloth.len() && input.pool.all(cloth.len(), VERTICES, same);
        if springs || self.rate != rate || !known {
            self.rate = rate;
            self.masses.clone_from(&cloth.masses);
            self.least_gap = 1.0;
            self.matrix.clear();
            self.diagonal.clear();
            for (mass, [matrix, iteration]) in cloth.masses.iter().zip(&self.elastic) {
                let inertia = rate * mass;
                self.matrix.push(inertia + matrix);
                self.diagonal.push(inertia + iteration);
                self.least_gap = self.least_gap.min(inertia / (inertia + iteration));
            }
        }
        springs
    }

    /// Whether springs are damped.
    #[must_use]
    pub fn are_damped(&self) -> bool {
        self.key.as_ref().is_some_and(|key| key.damping.are_some())
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Vertices by colour: no two of a colour share a spring or a stencil of bending. Five for a
    /// grid; greedy ones for any other.
    #[must_use]
    pub fn colouring(&self) -> Colouring {
        let of_grid = self.whole.map(|Grid { columns, rows, .. }| {
            let of_row = |row: u32| (0..columns).map(move |column| ((column + 2 * row) % 5) as usize);
            (0..rows).flat_map(of_row).collect::<Vec<_>>()
        });
        match of_grid.filter(|colours| self.triangles.are_parted_by(colours)) {
            Some(colours) => Colouring::by(&colours),
            None => Colouring::greedy(self.matrix.len(), |vertex, near| {
                self.couplings(vertex as usize).for_each(|(other, _)| near(other));
            }),
        }
    }

    /// The vertices that a vertex has springs, a stencil of bending or triangles with, in rows,
    /// each with how strongly they are coupled [N/m].
    pub fn couplings(&self, vertex: usize) -> impl Iterator<Item = (u32, Real)> {
        let springs = self.starts[2 * vertex] as usize..self.starts[2 * vertex + 1] as usize;
        let of_entry = |&[other, stiffness, _, linear]: &Entry| {
            (other, Real::from(f32::from_bits(stiffness).max(0.0) + f32::from_bits(linear).abs()))
        };
        let of_corner =
            |corner: &Corner| self.triangles.couplings(*corner).map(|(other, weight)| (other, weight.abs()));
        let corners = self.triangles.at(vertex).iter().flat_map(of_corner);
        self.entries[springs].iter().map(of_entry).chain(corners.filter(move |(other, _)| *other as usize != vertex))
    }

    fn grid_of(&mut self, pattern: &Pattern) -> Option<Grid> {
        let revision = pattern.revision();
        match self.looked_at {
            Some((of, grid)) if of == revision => grid,
            _ => {
                let grid = Grid::of(pattern);
                self.looked_at = Some((revision, grid));
                grid
            }
        }
    }

    fn make_rows(&mut self, key: &Key, input: &StepInput) {
        let pattern = input.pattern;
        self.starts.clear();
        self.entries.clear();
        self.elastic.clear();
        self.elastic.resize(pattern.len(), [0.0; 2]);
        let tables = [key.stiffness, key.damping].map(|table| table.on(pattern));
        for (e, ends) in pattern.springs().ends.iter().enumerate() {
            let [stiffness, damping] = tables.each_ref().map(|table| table.at(e));
            if stiffness == 0.0 {
                continue;
            }
            let weight = stiffness + damping;
            for end in ends {
                self.elastic[*end as usize].iter_mut().for_each(|sum| *sum += weight);
            }
        }
        self.triangles = Triangles::new(pattern, key.strain);
        self.whole = if key.bending > 0.0 { None } else { self.grid_of(pattern) };
        self.grid = self.whole.filter(|_| key.strain == 0.0);
        if let Some(grid) = self.grid {
            let [stiffness, damping] = [&key.stiffness, &key.damping].map(|table| grid.by_direction(table));
            self.directions =
                std::array::from_fn(|d| [stiffness[d] as f32, grid.rests[d] as f32, damping[d] as f32, 0.0]);
            self.starts.push(0);
            return;
        }
        self.directions = [[0.0; 4]; DIRECTIONS];
        for vertex in 0..pattern.len() {
            self.make_row(key, &tables, input, vertex);
        }
        self.starts.push(self.entries.len() as u32);
    }

    /// The entries of a vertex: its springs, with `tables` of stiffness and damping, its bending,
    /// its triangles.
    fn make_row(&mut self, key: &Key, tables: &[SpringCoefficients; 2], input: &StepInput, vertex: usize) {
        let pattern = input.pattern;
        self.starts.push(self.entries.len() as u32);
        for &(spring, other) in pattern.neighbours().of_vertex(vertex as u32) {
            let [stiffness, damping] = tables.each_ref().map(|table| table.at(spring as usize));
            if stiffness > 0.0 {
                let rest = pattern.springs().rest_lengths[spring as usize];
                self.entries.push(entry(other, stiffness as f32, rest as f32, damping as f32));
            }
        }
        if key.bending > 0.0 {
            let mut sizes = 0.0;
            for &(other, value) in input.bending.row(vertex) {
                let value = key.bending * value;
                sizes += value.abs();
                if other as usize == vertex {
                    self.elastic[vertex][0] += value;
                } else {
                    self.entries.push(entry(other, BENDING, 0.0, -value as f32));
                }
            }
            // Gershgorin: twice this is at least any eigenvalue
            self.elastic[vertex][1] += 0.5 * sizes;
        }
        self.starts.push(self.entries.len() as u32);
        for &corner in self.triangles.at(vertex) {
            self.entries.extend(self.triangles.entries(corner));
            for (other, value) in self.triangles.couplings(corner) {
                let [matrix, iteration] = &mut self.elastic[vertex];
                *matrix += if other as usize == vertex { value } else { 0.0 };
                *iteration += 0.5 * value.abs();
            }
        }
    }
}
