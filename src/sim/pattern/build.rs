//! Patterns from scratch: grids, and triangle meshes.

use super::{Family, Pattern, Springs};
use crate::sim::{Real, Vec3};

/// Least length at rest of a spring that is not zero [m]: the stretch of shorter ones overflows.
pub const LEAST_LENGTH: Real = 1e-12;

/// The plane in which a grid is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plane {
    /// Flat: columns along +x, rows along +z.
    Xz,
    /// Upright, seen from the front: columns along +x, rows down (−y).
    Xy,
    /// Upright, seen from the side: columns along +z, rows down (−y).
    Zy,
}

crate::choices! {
    /// Diagonals of the cells of a grid.
    pub enum Diagonals {
        /// Both have a shear spring, and the triangles alternate: no direction is preferred.
        Crossed = "crossed",
        /// From the upper left to the lower right alone: a hanging cloth sags more on the left.
        OneWay = "one_way",
    }
}

/// Input of a pattern: the mesh at rest, and its springs.
#[derive(Debug, Clone, Default)]
pub struct Blank {
    /// Rest position of each vertex [m].
    pub rest_positions: Vec<Vec3>,
    /// The triangles, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// The springs.
    pub springs: Springs,
}

impl Blank {
    /// Of [`Pattern::grid`]. The rest lengths stay as they are when the vertices are moved before
    /// the pattern is made.
    #[must_use]
    pub fn grid(columns: usize, rows: usize, width: Real, height: Real, plane: Plane) -> Self {
        Self::grid_with(columns, rows, [width, height], plane, Diagonals::Crossed)
    }

    /// Likewise, of a width and height [m] and with these diagonals.
    #[must_use]
    pub fn grid_with(
        columns: usize,
        rows: usize,
        [width, height]: [Real; 2],
        plane: Plane,
        diagonals: Diagonals,
    ) -> Self {
        let place = |extent: Real, at: usize, count: usize| extent * at as Real / (count.max(2) - 1) as Real;
        let mut rest_positions = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            let along = place(height, row, rows);
            rest_positions.extend((0..columns).map(|column| {
                let across = place(width, column, columns);
                match plane {
                    Plane::Xz => Vec3::new(across, 0.0, along),
                    Plane::Xy => Vec3::new(across, -along, 0.0),
                    Plane::Zy => Vec3::new(0.0, -along, across),
                }
            }));
        }

        let cells = columns.saturating_sub(1) * rows.saturating_sub(1);
        let mut springs = Springs::default();
        springs.reserve(Self::springs_of_grid(columns, rows));
        let mut link = |i: usize, j: usize, family: Family| {
            springs.push([i as u32, j as u32], rest_positions[i].distance(rest_positions[j]), family);
        };
        let mut triangles = Vec::with_capacity(2 * cells);
        for row in 0..rows {
            for column in 0..columns {
                let here = row * columns + column;
                let (right, down) = (column + 1 < columns, row + 1 < rows);
                if right {
                    link(here, here + 1, Family::Structural);
                }
                if down {
                    link(here, here + columns, Family::Structural);
                }
                if right && down {
                    let (b, c, d) = (here + 1, here + columns, here + columns + 1);
                    link(here, d, Family::Shear);
                    let crossed = diagonals == Diagonals::Crossed;
                    if crossed {
                        link(b, c, Family::Shear);
                    }
                    let [a, b, c, d] = [here, b, c, d].map(|vertex| vertex as u32);
                    // the diagonal alternates, so that the mesh has no preferred direction
                    if crossed && (column + row) % 2 == 0 {
                        triangles.extend([[a, c, b], [b, c, d]]);
                    } else {
                        triangles.extend([[a, c, d], [a, d, b]]);
                    }
                }
                if column + 2 < columns {
                    link(here, here + 2, Family::Bend);
                }
                if row + 2 < rows {
                    link(here, here + 2 * columns, Family::Bend);
                }
            }
        }
        Self { rest_positions, triangles, springs }
    }

    /// Number of springs of a grid with crossed diagonals.
    #[must_use]
    pub fn springs_of_grid(columns: usize, rows: usize) -> usize {
        let lines = |apart: usize| columns.saturating_sub(apart) * rows + columns * rows.saturating_sub(apart);
        lines(1) + 2 * columns.saturating_sub(1) * rows.saturating_sub(1) + lines(2)
    }
}

impl Pattern {
    /// Number of further triangles at an edge that each one has a bend spring to: all pairs of up
    /// to eight triangles, and no square of their number beyond.
    const MOST_FACING: usize = 7;

    /// A pattern from a blank, whose springs and triangles must name existing vertices.
    #[must_use]
    pub fn of(blank: Blank) -> Self {
        Self::new(blank.rest_positions, blank.triangles, blank.springs)
    }

    /// A rectangular grid of `columns` × `rows` vertices over `width` × `height` [m], vertex 0 at
    /// the origin, vertex index `row · columns + column`. Springs as in `physics.md` section 1: per
    /// vertex right, down, diagonal, anti-diagonal, two to the right, two down.
    #[must_use]
    pub fn grid(columns: usize, rows: usize, width: Real, height: Real, plane: Plane) -> Self {
        Self::of(Blank::grid(columns, rows, width, height, plane))
    }

    /// A triangle mesh: structural springs along the edges, bend springs between the two vertices
    /// opposite each interior edge (where more than two triangles meet, each with the next
    /// seven), no shear springs, since the edges carry shear already. Rest lengths
    /// are the distances in `rest_positions` [m].
    #[must_use]
    pub fn mesh(rest_positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let rising = |i: u32, j: u32| [i.min(j), i.max(j)];
        // the sides of the triangles by rising ends, each with its number and the corner opposite
        // it
        let mut sides: Vec<([u32; 2], u32, u32)> = Vec::with_capacity(3 * triangles.len());
        for &[a, b, c] in &triangles {
            for (i, j, k) in [(a, b, c), (b, c, a), (c, a, b)] {
                sides.push((rising(i, j), sides.len() as u32, k));
            }
        }
        sides.sort_unstable();
        let edges = || sides.chunk_by(|a, b| a.0 == b.0);
        // vertices that face each other across an edge, each pair with its number, and then only
        // where it comes first
        let mut facing: Vec<([u32; 2], u32)> = Vec::with_capacity(sides.len() / 2);
        for edge in edges() {
            for (at, &(_, _, i)) in edge.iter().enumerate() {
                let others = edge[at + 1..].iter().take(Self::MOST_FACING).filter(|&&(_, _, j)| j != i);
                others.for_each(|&(_, _, j)| facing.push((rising(i, j), facing.len() as u32)));
            }
        }
        facing.sort_unstable();
        facing.dedup_by_key(|pair| pair.0);
        let is_edge = |ends: &[u32; 2]| {
            let at = sides.partition_point(|side| side.0 < *ends);
            sides.get(at).is_some_and(|side| side.0 == *ends)
        };
        facing.retain(|(ends, _)| !is_edge(ends));
        facing.sort_unstable_by_key(|pair| pair.1);

        let mut springs = Springs::default();
        springs.reserve(edges().count() + facing.len());
        let mut link = |[i, j]: [u32; 2], family: Family| {
            let length = rest_positions[i as usize].distance(rest_positions[j as usize]);
            springs.push([i, j], if length < LEAST_LENGTH { 0.0 } else { length }, family);
        };
        edges().for_each(|edge| link(edge[0].0, Family::Structural));
        facing.iter().for_each(|(ends, _)| link(*ends, Family::Bend));
        drop((sides, facing));
        Self::new(rest_positions, triangles, springs)
    }
}
