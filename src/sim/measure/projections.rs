//! Elements of a local step with the places that their vertices have in the projection.

use crate::sim::Vec3;

/// Elements with the way of each of their vertices to its place in the projection.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Projections {
    /// Where the vertices of each element end.
    ends: Vec<u32>,
    vertices: Vec<u32>,
    ways: Vec<Vec3>,
}

impl Projections {
    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The vertices of an element, and their ways [m].
    #[must_use]
    pub fn element(&self, element: usize) -> (&[u32], &[Vec3]) {
        let start = element.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let range = start..self.ends[element] as usize;
        (&self.vertices[range.clone()], &self.ways[range])
    }

    /// Appends an element: its vertices with their ways [m].
    pub fn push(&mut self, ways: impl IntoIterator<Item = (u32, Vec3)>) {
        for (vertex, way) in ways {
            self.vertices.push(vertex);
            self.ways.push(way);
        }
        self.ends.push(self.vertices.len() as u32);
    }
}
