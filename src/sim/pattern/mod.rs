//! What the cloth is made of: the rest mesh, and the springs laid over it.

mod build;
mod fans;
mod open;

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::{Real, Vec3};
pub use build::Plane;
pub use fans::Fans;

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

/// The rest mesh and the springs over it. Changes only by tearing or cutting; the state lives in [`super::Cloth`].
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    rest_positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    springs: Springs,
    neighbours: Neighbours,
    parents: Vec<u32>,
    revision: u64,
}

impl Pattern {
    /// A pattern from its parts. Springs and triangles must name existing vertices.
    #[must_use]
    pub fn new(rest_positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, springs: Springs) -> Self {
        Self::torn(rest_positions, triangles, springs, Vec::new())
    }

    /// A pattern that has been torn: the last vertices, one for each of `parents`, were split off, each from a vertex
    /// before it.
    #[must_use]
    pub fn torn(rest_positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, springs: Springs, parents: Vec<u32>) -> Self {
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
        parents.hash(&mut hasher);
        Self { rest_positions, triangles, springs, neighbours, parents, revision: hasher.finish() }
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

    /// The vertex that each of the last vertices was split from, in the order in which that happened; empty while the
    /// cloth is whole.
    #[must_use]
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Number of vertices that the cloth had when it was whole.
    #[must_use]
    pub fn whole_len(&self) -> usize {
        self.len() - self.parents.len()
    }

    /// For each vertex the one that it was in the whole cloth.
    #[must_use]
    pub fn origins(&self) -> Vec<u32> {
        let mut origins: Vec<u32> = (0..self.whole_len() as u32).collect();
        for &parent in &self.parents {
            origins.push(origins[parent as usize]);
        }
        origins
    }

    /// A hash of the rest shape, the connectivity and the rest lengths: equal patterns have equal revisions, so caches keyed by it stay
    /// right across undo and restore.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Longest side of the bounding box at rest [m]; a metre where that has no size.
    #[must_use]
    pub fn size(&self) -> Real {
        let low = self.rest_positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = self.rest_positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let side = (high - low).max_element();
        if side > 0.0 { side } else { 1.0 }
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
