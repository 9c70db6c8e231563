//! Faces that are there twice, as where a mesh shows its back by a second set of faces.
//!
//! A polygon is found again by its outline, from whatever corner and in whatever direction. Of two
//! layers of triangles the diagonals may differ: four triangles that cover the two sides of a flat
//! quadrilateral are two faces of it.

use std::collections::HashMap;

use crate::sim::{Real, Vec3};

/// Distance of the diagonals of a quadrilateral, over the shorter of them, up to which it is flat.
const FLAT: Real = 0.1;

/// An outline of vertices from its lowest one, in the direction of the lower next one.
pub(super) fn canonical(outline: &[u32]) -> Vec<u32> {
    let lowest = outline.iter().min().copied().unwrap_or_default();
    let (n, starts) = (outline.len(), (0..outline.len()).filter(|&at| outline[at] == lowest));
    let both = starts.flat_map(|start| {
        let forward = (0..n).map(|k| outline[(start + k) % n]).collect::<Vec<_>>();
        [forward, (0..n).map(|k| outline[(start + n - k) % n]).collect()]
    });
    both.min().unwrap_or_default()
}

/// Whether each triangle is half of a quadrilateral that two triangles before it cover with the
/// other diagonal.
pub(super) fn other_diagonals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<bool> {
    let mut sides: Vec<([u32; 2], u32, u32)> = Vec::with_capacity(3 * triangles.len());
    for (number, &[a, b, c]) in (0..).zip(triangles) {
        for (i, j, facing) in [(a, b, c), (b, c, a), (c, a, b)] {
            sides.push(([i.min(j), i.max(j)], number, facing));
        }
    }
    sides.sort_unstable();
    // the halves of each quadrilateral with its diagonal
    let mut halves: HashMap<[u32; 4], ([u32; 2], [u32; 2])> = HashMap::new();
    let mut is_doubled = vec![false; triangles.len()];
    for side in sides.chunk_by(|a, b| a.0 == b.0) {
        let &[(diagonal, first, b), (_, second, d)] = side else { continue };
        if b == d || !is_crossed(diagonal, [b, d], positions) {
            continue;
        }
        let mut corners = [diagonal[0], diagonal[1], b, d];
        corners.sort_unstable();
        let Some((other, before)) = halves.insert(corners, (diagonal, [first, second])) else { continue };
        if !other.contains(&diagonal[0]) && !other.contains(&diagonal[1]) {
            let later = before.max([first, second]);
            later.into_iter().for_each(|triangle| is_doubled[triangle as usize] = true);
        }
    }
    is_doubled
}

/// Whether two lines between vertices cross, nearly at a point.
fn is_crossed([a, c]: [u32; 2], [b, d]: [u32; 2], positions: &[Vec3]) -> bool {
    let [a, b, c, d] = [a, b, c, d].map(|vertex| positions[vertex as usize]);
    let (along, across, between) = (c - a, d - b, b - a);
    let normal = along.cross(across);
    let squared = normal.length_squared();
    let shares = [between.cross(across).dot(normal) / squared, between.cross(along).dot(normal) / squared];
    let apart = between.dot(normal).abs() / squared.sqrt();
    let is_inside = shares.iter().all(|share| *share > 0.0 && *share < 1.0);
    is_inside && apart <= FLAT * along.length().min(across.length())
}
