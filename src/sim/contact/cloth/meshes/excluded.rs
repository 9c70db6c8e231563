//! Parts of a cloth that are excluded from contact with a collision mesh because all their
//! triangles intersect it at the start: they can come out, and no further triangle comes in.

use crate::sim::contact::cloth::surface::ContactSurface;

/// The excluded parts beside a mesh.
#[derive(Debug, Default)]
pub(super) struct Excluded {
    /// Triangles that intersect the mesh, with rising corners.
    crossing: Vec<[u32; 3]>,
    /// Vertices of these triangles, and vertices of the others.
    inside: Vec<bool>,
    outside: Vec<bool>,
    /// Edges of the others between vertices of both kinds.
    kept: Vec<[u32; 2]>,
}

fn rising([a, b, c]: [u32; 3]) -> [u32; 3] {
    let mut corners = [a, b, c];
    corners.sort_unstable();
    corners
}

impl Excluded {
    /// Classifies a cloth of which the triangles with these numbers intersect a mesh. Triangles
    /// beside them that lie inside a closed mesh are excluded as well: `holds` says which vertices
    /// are inside. Returns whether anything is excluded.
    pub fn classify(
        &mut self,
        surface: &ContactSurface,
        crossing: impl Iterator<Item = u32>,
        mut holds: impl FnMut(u32) -> bool,
    ) -> bool {
        let Self { crossing: own, inside, outside, kept } = self;
        own.clear();
        own.extend(crossing.map(|t| rising(surface.triangles[t as usize])));
        let count = own.len();
        own.sort_unstable();
        let first = surface.triangles.first().map(|triangle| triangle[0]);
        if count == 0 && !first.is_some_and(&mut holds) {
            return false;
        }
        // `inside` first holds the vertices inside the mesh
        let size = surface.triangles.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        inside.clear();
        inside.resize(size, false);
        let mut starts = own.iter().flatten().copied().chain(first).filter(|&vertex| holds(vertex)).peekable();
        let mut grows = starts.peek().is_some();
        starts.for_each(|vertex| inside[vertex as usize] = true);
        while grows {
            grows = false;
            for triangle in &surface.triangles {
                let held = triangle.iter().filter(|&&vertex| inside[vertex as usize]).count();
                if (1..3).contains(&held) && own[..count].binary_search(&rising(*triangle)).is_err() {
                    triangle.iter().for_each(|&vertex| inside[vertex as usize] = true);
                    grows = true;
                }
            }
        }
        let is_held = |triangle: &&[u32; 3]| triangle.iter().all(|&vertex| inside[vertex as usize]);
        for triangle in surface.triangles.iter().filter(is_held) {
            if own[..count].binary_search(&rising(*triangle)).is_err() {
                own.push(rising(*triangle));
            }
        }
        own.sort_unstable();
        kept.clear();
        if own.is_empty() {
            return false;
        }
        for marks in [&mut *inside, &mut *outside] {
            marks.clear();
            marks.resize(size, false);
        }
        own.iter().flatten().for_each(|&vertex| inside[vertex as usize] = true);
        for &[a, b, c] in surface.triangles.iter().filter(|triangle| own.binary_search(&rising(**triangle)).is_err()) {
            let edges = [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
            kept.extend(edges.into_iter().filter(|ends| ends.iter().all(|&end| inside[end as usize])));
            [a, b, c].into_iter().for_each(|vertex| outside[vertex as usize] = true);
        }
        kept.sort_unstable();
        true
    }

    /// Whether a part of the cloth is excluded, with these vertices.
    pub fn contains(&self, of_cloth: &[u32]) -> bool {
        let Self { crossing, inside, outside, kept } = self;
        if crossing.is_empty() {
            return false;
        }
        match *of_cloth {
            [vertex] => inside[vertex as usize] && !outside[vertex as usize],
            [a, b] => {
                let crosses = |triangle: &[u32; 3]| triangle.contains(&a) && triangle.contains(&b);
                kept.binary_search(&[a.min(b), a.max(b)]).is_err() && crossing.iter().any(crosses)
            }
            [a, b, c] => crossing.binary_search(&rising([a, b, c])).is_ok(),
            _ => false,
        }
    }
}
