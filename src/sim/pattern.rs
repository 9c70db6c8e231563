//! What the cloth is made of: the rest mesh, and the springs laid over it.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::{Real, Vec3};

/// What a spring resists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Along the threads: stretch.
    Structural,
    /// Across a cell: shear.
    Shear,
    /// To the vertex after the next: bending.
    Bend,
}

impl Family {
    /// All families, in the order of their index.
    pub const ALL: [Self; 3] = [Self::Structural, Self::Shear, Self::Bend];
}

/// The springs, one entry per spring in each array.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Springs {
    /// The two vertices.
    pub ends: Vec<[u32; 2]>,
    /// Length at which the spring is at rest [m].
    pub rest_lengths: Vec<Real>,
    /// What the spring resists.
    pub families: Vec<Family>,
}

impl Springs {
    /// Number of springs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no spring.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// The springs of each vertex, in compressed rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Neighbours {
    /// Where the entries of vertex `i` start; `n + 1` entries.
    offsets: Vec<u32>,
    /// Spring and vertex at its other end, by rising spring.
    entries: Vec<(u32, u32)>,
}

impl Neighbours {
    fn of(vertices: usize, ends: &[[u32; 2]]) -> Self {
        let mut offsets = vec![0_u32; vertices + 1];
        for &end in ends.as_flattened() {
            offsets[end as usize + 1] += 1;
        }
        for i in 0..vertices {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut entries = vec![(0, 0); 2 * ends.len()];
        for (spring, &[i, j]) in ends.iter().enumerate() {
            for (vertex, other) in [(i, j), (j, i)] {
                entries[next[vertex as usize] as usize] = (spring as u32, other);
                next[vertex as usize] += 1;
            }
        }
        Self { offsets, entries }
    }

    /// The springs of `vertex` with the vertex at their other end, by rising spring.
    #[must_use]
    pub fn of_vertex(&self, vertex: u32) -> &[(u32, u32)] {
        let at = vertex as usize;
        &self.entries[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}

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

/// The rest mesh and the springs over it. Changes only by tearing or cutting; the state lives in [`super::Cloth`].
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    rest_positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    springs: Springs,
    neighbours: Neighbours,
    revision: u64,
}

impl Pattern {
    /// A pattern from its parts. Springs and triangles must name existing vertices.
    #[must_use]
    pub fn new(rest_positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, springs: Springs) -> Self {
        let neighbours = Neighbours::of(rest_positions.len(), &springs.ends);
        let mut hasher = DefaultHasher::new();
        rest_positions.len().hash(&mut hasher);
        rest_positions.iter().for_each(|x| x.to_array().map(Real::to_bits).hash(&mut hasher));
        triangles.hash(&mut hasher);
        springs.ends.hash(&mut hasher);
        springs.families.hash(&mut hasher);
        for length in &springs.rest_lengths {
            length.to_bits().hash(&mut hasher);
        }
        Self { rest_positions, triangles, springs, neighbours, revision: hasher.finish() }
    }

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

    /// Rest position of each vertex [m].
    #[must_use]
    pub fn rest_positions(&self) -> &[Vec3] {
        &self.rest_positions
    }

    /// The triangles, counter-clockwise seen from the front.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The springs.
    #[must_use]
    pub fn springs(&self) -> &Springs {
        &self.springs
    }

    /// The springs of each vertex.
    #[must_use]
    pub fn neighbours(&self) -> &Neighbours {
        &self.neighbours
    }

    /// A hash of the rest shape, the connectivity and the rest lengths: equal patterns have equal revisions, so caches keyed by it stay
    /// right across undo and restore.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rest_positions.len()
    }

    /// Whether the pattern has no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest_positions.is_empty()
    }
}
