//! The rim of a cloth.

use crate::sim::Pattern;

/// The edges of the rim of the whole cloth; a tear is no rim.
#[derive(Default)]
pub struct Rim {
    /// The vertices of each, the lower one first, in rising order.
    pub edges: Vec<[u32; 2]>,
    /// The vertex of the whole cloth that each vertex was.
    pub origins: Vec<u32>,
}

impl Rim {
    /// That of a pattern.
    pub fn of(pattern: &Pattern) -> Self {
        let origins = pattern.origins();
        let mut edges = sides(pattern, &origins);
        edges.sort_unstable();
        let single = edges.chunk_by(|a, b| a == b).filter(|group| group.len() == 1).map(|group| group[0]);
        Self { edges: single.collect(), origins }
    }

    /// Whether the edge between two vertices of a triangle is one of the rim.
    pub fn has(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|vertex| self.origins[vertex as usize]);
        self.edges.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }
}

/// The sides of all triangles of the whole cloth.
fn sides(pattern: &Pattern, origins: &[u32]) -> Vec<[u32; 2]> {
    let whole = |corners: &[u32; 3]| corners.map(|vertex| origins[vertex as usize]);
    let triangles = pattern.triangles().iter().map(whole);
    triangles.flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]).map(|[a, b]| [a.min(b), a.max(b)]).collect()
}
