//! Connected parts of the cloth. A part without a held vertex moves as a whole under the
//! forces from outside, whatever its springs do; iterations that pass motion from vertex to vertex
//! find that last, so some methods solve for it directly.

use crate::sim::{Pattern, StepInput};

/// The connected parts, and which of them have a held vertex in this step.
#[derive(Debug, Default)]
pub struct Components {
    /// Revision of the pattern.
    of: Option<u64>,
    of_vertex: Vec<u32>,
    count: usize,
    held: Vec<bool>,
}

impl Components {
    /// Brings all up to date for a step.
    pub fn update(&mut self, input: &StepInput) {
        if self.of != Some(input.pattern.revision()) {
            self.of = Some(input.pattern.revision());
            self.of_vertex = parts_of_vertices(input.pattern);
            self.count = self.of_vertex.iter().max().map_or(0, |last| *last as usize + 1);
        }
        self.held.clear();
        self.held.resize(self.count, false);
        for vertex in input.partition.held_vertices() {
            self.held[self.of_vertex[vertex as usize] as usize] = true;
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The one that `vertex` belongs to.
    pub fn of(&self, vertex: usize) -> usize {
        self.of_vertex[vertex] as usize
    }

    /// Whether it has no vertex that is prescribed or held softly.
    pub fn is_free(&self, component: usize) -> bool {
        !self.held[component]
    }
}

/// The connected part of each vertex, counted from 0 in the order of their first vertices.
/// Springs, triangles and tetrahedra connect.
#[must_use]
pub fn parts_of_vertices(pattern: &Pattern) -> Vec<u32> {
    // a vertex of the same component that is nearer to its first
    let mut up: Vec<u32> = (0..pattern.len() as u32).collect();
    let first = |up: &mut [u32], mut vertex: u32| {
        while up[vertex as usize] != vertex {
            up[vertex as usize] = up[up[vertex as usize] as usize];
            vertex = up[vertex as usize];
        }
        vertex
    };
    let springs = pattern.springs().ends.iter().copied();
    let triangles = pattern.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c]]);
    let tetrahedra = pattern.tetrahedra().iter().flat_map(|&[a, b, c, d]| [[a, b], [b, c], [c, d]]);
    for pair in springs.chain(triangles).chain(tetrahedra) {
        let [a, b] = pair.map(|vertex| first(&mut up, vertex));
        up[a.max(b) as usize] = a.min(b);
    }
    let mut count = 0;
    let mut numbers = vec![0; up.len()];
    for vertex in 0..up.len() as u32 {
        let first = first(&mut up, vertex);
        numbers[vertex as usize] = if first == vertex {
            count += 1;
            count - 1
        } else {
            numbers[first as usize]
        };
    }
    numbers
}
