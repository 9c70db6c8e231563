//! Patterns from scratch: grids, and triangle meshes.

use std::collections::{BTreeMap, HashSet};

use super::{Family, Pattern, Springs};
use crate::sim::{Real, Vec3};

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

impl Pattern {
    /// A rectangular grid of `columns` × `rows` vertices over `width` × `height` [m], vertex 0 at the origin, vertex
    /// index `row · columns + column`. Springs as in `physics.md` section 1: per vertex right, down, diagonal,
    /// anti-diagonal, two to the right, two down.
    #[must_use]
    pub fn grid(columns: usize, rows: usize, width: Real, height: Real, plane: Plane) -> Self {
        let index = |column: usize, row: usize| (row * columns + column) as u32;
        let place = |extent: Real, at: usize, count: usize| extent * at as Real / (count.max(2) - 1) as Real;
        let rest_positions: Vec<Vec3> = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .map(|(column, row)| {
                let (across, along) = (place(width, column, columns), place(height, row, rows));
                match plane {
                    Plane::Xz => Vec3::new(across, 0.0, along),
                    Plane::Xy => Vec3::new(across, -along, 0.0),
                    Plane::Zy => Vec3::new(0.0, -along, across),
                }
            })
            .collect();

        let mut springs = Springs::default();
        let mut link = |i: u32, j: u32, family: Family| {
            springs.ends.push([i, j]);
            springs.rest_lengths.push(rest_positions[i as usize].distance(rest_positions[j as usize]));
            springs.families.push(family);
        };
        let mut triangles = Vec::with_capacity(2 * columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let here = index(column, row);
                let (right, down) = (column + 1 < columns, row + 1 < rows);
                if right {
                    link(here, index(column + 1, row), Family::Structural);
                }
                if down {
                    link(here, index(column, row + 1), Family::Structural);
                }
                if right && down {
                    let [b, c, d] = [index(column + 1, row), index(column, row + 1), index(column + 1, row + 1)];
                    link(here, d, Family::Shear);
                    link(b, c, Family::Shear);
                    // the diagonal alternates, so that the mesh has no preferred direction
                    if (column + row) % 2 == 0 {
                        triangles.extend([[here, c, b], [b, c, d]]);
                    } else {
                        triangles.extend([[here, c, d], [here, d, b]]);
                    }
                }
                if column + 2 < columns {
                    link(here, index(column + 2, row), Family::Bend);
                }
                if row + 2 < rows {
                    link(here, index(column, row + 2), Family::Bend);
                }
            }
        }
        Self::new(rest_positions, triangles, springs)
    }

    /// A triangle mesh: structural springs along the edges, bend springs between the two vertices opposite each
    /// interior edge (every pair of them where more than two triangles meet), no shear springs, since the edges carry
    /// shear already. Rest lengths are the distances in `rest_positions` [m].
    #[must_use]
    pub fn mesh(rest_positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let edge = |i: u32, j: u32| [i.min(j), i.max(j)];
        let mut opposite: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for &[a, b, c] in &triangles {
            for (i, j, k) in [(a, b, c), (b, c, a), (c, a, b)] {
                opposite.entry(edge(i, j)).or_default().push(k);
            }
        }
        let mut springs = Springs::default();
        let mut link = |[i, j]: [u32; 2], family: Family| {
            springs.ends.push([i, j]);
            springs.rest_lengths.push(rest_positions[i as usize].distance(rest_positions[j as usize]));
            springs.families.push(family);
        };
        for &ends in opposite.keys() {
            link(ends, Family::Structural);
        }
        let mut linked: HashSet<[u32; 2]> = opposite.keys().copied().collect();
        for vertices in opposite.values() {
            for (at, &i) in vertices.iter().enumerate() {
                for &j in &vertices[at + 1..] {
                    if i != j && linked.insert(edge(i, j)) {
                        link(edge(i, j), Family::Bend);
                    }
                }
            }
        }
        Self::new(rest_positions, triangles, springs)
    }
}
