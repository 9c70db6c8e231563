//! What the kernels know of the springs: rows of entries, or five directions of a grid; and the diagonal of Jacobi's iteration.

use super::grid::{DIRECTIONS, Grid};
use crate::sim::colouring::Colouring;
use crate::sim::pattern::ByKind;
use crate::sim::{Cloth, Pattern, Real, StepInput};

/// An entry of a row, as the kernels have it: vertex, stiffness [N/m], rest length [m], linear coefficient [N/m].
pub type Entry = [u32; 4];

/// Stiffness of an entry of isometric bending.
const BENDING: f32 = -1.0;

/// What the rows were made from.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    pattern: u64,
    stiffness: ByKind<Real>,
    /// `c/h` [N/m].
    damping: ByKind<Real>,
    bending: Real,
}

/// The springs of a cloth for the kernels.
#[derive(Debug, Default)]
pub struct Springs {
    key: Option<Key>,
    /// The pattern that was looked at, and the grid that it is.
    looked_at: Option<(u64, Option<Grid>)>,
    masses: Vec<Real>,
    rate: Real,
    /// Whether the kernels of a grid are to be used.
    pub grid: Option<Grid>,
    /// By direction of a grid: stiffness, rest length, damping.
    pub directions: [[f32; 4]; DIRECTIONS],
    /// Where the row of each vertex begins, and where the last one ends. A single zero for a grid.
    pub starts: Vec<u32>,
    /// The rows.
    pub entries: Vec<Entry>,
    /// What springs and bending add to the diagonal of the matrix, and to that of the iteration [N/m].
    elastic: Vec<[Real; 2]>,
    /// Diagonal of the matrix [N/m].
    pub matrix: Vec<Real>,
    /// Diagonal of the iteration [N/m]: no less than half of any eigenvalue, so that an iteration never raises the energy.
    pub diagonal: Vec<Real>,
    /// Least `m/(h² D)`: by so much a plain iteration reduces the error at least.
    pub least_gap: Real,
}

impl Springs {
    /// Brings all up to date with the step. Returns whether rows or directions have changed.
    pub fn update(&mut self, cloth: &Cloth, input: &StepInput) -> bool {
        let (pattern, material) = (input.pattern, input.material);
        let key = Key {
            pattern: pattern.revision(),
            stiffness: material.stiffness_by_kind(pattern),
            damping: material.damping_by_kind(pattern).map(|c| c / input.dt),
            bending: material.isometric_stiffness(),
        };
        let springs = self.key.as_ref() != Some(&key);
        if springs {
            self.make_rows(&key, input);
            self.key = Some(key);
        }
        let rate = 1.0 / (input.dt * input.dt);
        if springs || self.rate != rate || self.masses != cloth.masses {
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

    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Vertices by colour: no two of a colour share a spring or a stencil of bending. Five for a grid; greedy ones for any other.
    #[must_use]
    pub fn colouring(&self) -> Colouring {
        match self.grid {
            Some(Grid { columns, rows, .. }) => {
                let of_row = |row: u32| (0..columns).map(move |column| ((column + 2 * row) % 5) as usize);
                Colouring::by(&(0..rows).flat_map(of_row).collect::<Vec<_>>())
            }
            None => Colouring::greedy(self.starts.len() - 1, |vertex, near| {
                let row = self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize;
                self.entries[row].iter().for_each(|[other, ..]| near(*other));
            }),
        }
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
        let springs = pattern.springs();
        for (ends, kind) in springs.ends.iter().zip(pattern.kinds()) {
            if key.stiffness[*kind] == 0.0 {
                continue;
            }
            let weight = key.stiffness[*kind] + key.damping[*kind];
            for end in ends {
                self.elastic[*end as usize].iter_mut().for_each(|sum| *sum += weight);
            }
        }
        self.grid = if key.bending > 0.0 { None } else { self.grid_of(pattern) };
        if let Some(grid) = self.grid {
            let [stiffness, damping] = [&key.stiffness, &key.damping].map(Grid::by_direction);
            self.directions =
                std::array::from_fn(|d| [stiffness[d] as f32, grid.rests[d] as f32, damping[d] as f32, 0.0]);
            self.starts.push(0);
            return;
        }
        self.directions = [[0.0; 4]; DIRECTIONS];
        for vertex in 0..pattern.len() {
            self.starts.push(self.entries.len() as u32);
            for &(spring, other) in pattern.neighbours().of_vertex(vertex as u32) {
                let kind = pattern.kinds()[spring as usize];
                let (stiffness, damping) = (key.stiffness[kind], key.damping[kind]);
                if stiffness > 0.0 {
                    let rest = springs.rest_lengths[spring as usize];
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
        }
        self.starts.push(self.entries.len() as u32);
    }
}

fn entry(other: u32, stiffness: f32, rest: f32, linear: f32) -> Entry {
    [other, stiffness.to_bits(), rest.to_bits(), linear.to_bits()]
}
