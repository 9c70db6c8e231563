//! Cutting by hand: the edges that a stroke over the cloth opens.
//!
//! The stroke is followed along the mesh: the cut path has a tip at a vertex, which walks along
//! edges towards the points of the stroke on the cloth. These edges are opened with
//! [`crate::sim::Simulation::cut`]. Only the sheet that the stroke meets is cut, and a slow stroke
//! grows with the hand: the tip of a cut is never split, so it still exists when the next point
//! comes.

use serde::{Deserialize, Serialize};

use crate::sim::pattern::OneRings;
use crate::sim::{Real, Vec3};

/// A point of the cloth that a stroke meets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hit {
    /// Index of the triangle.
    pub triangle: u32,
    /// Where [m].
    pub point: Vec3,
}

/// Share of its length by which an edge has to bring the tip nearer to be walked along. Keeps a
/// trembling hand between two rows of vertices from cutting zigzags.
const PROGRESS: Real = 0.3;

/// The cut path, between two points of a stroke.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutPath {
    /// Where the cut ends, while the stroke is on the cloth.
    tip: Option<u32>,
    /// The edge walked along last: inside the cloth an edge alone opens nothing, only together with
    /// the next one.
    last: Option<[u32; 2]>,
    /// The last point that was met.
    met: Option<Hit>,
    /// Whether the stroke has begun: whether it comes from beside the cloth when it meets it.
    begun: bool,
}

impl CutPath {
    /// A fault of it for a cloth of so many vertices and triangles, if any.
    #[must_use]
    pub fn fault(&self, vertices: usize, triangles: usize) -> Option<String> {
        let named = self.tip.into_iter().chain(self.last.into_iter().flatten());
        if let Some(vertex) = named.into_iter().find(|&vertex| vertex as usize >= vertices) {
            return Some(format!("the cut is at vertex {vertex}, but there are only {vertices}"));
        }
        let met = self.met?;
        if met.triangle as usize >= triangles {
            return Some(format!("the cut is at triangle {}, but there are only {triangles}", met.triangle));
        }
        (!met.point.is_finite()).then(|| "the cut needs a finite point".to_owned())
    }

    /// Follows a stroke through `points`, which are so dense that they leave out no triangle, and
    /// returns the edges to open, as pairs of vertices. `None` is a point beside the cloth: a
    /// stroke that comes onto the cloth or leaves it cuts through to the rim. `positions` [m] has
    /// an entry per vertex.
    pub fn follow(&mut self, rings: &OneRings, positions: &[Vec3], points: &[Option<Hit>]) -> Vec<[u32; 2]> {
        let mut path: Vec<[u32; 2]> = self.last.into_iter().collect();
        for &point in points {
            match (point, self.tip) {
                (Some(met), Some(tip)) => {
                    let tip = self.walk(rings, positions, tip, met.point, &mut path);
                    let corners = rings.corners(met.triangle);
                    // the stroke has gone over to another sheet, above or below this one
                    if !corners.into_iter().any(|corner| corner == tip || rings.has_edge(corner, tip)) {
                        (self.tip, self.last) = (nearest(positions, met.point, corners), None);
                    }
                }
                (Some(met), None) => {
                    let corners = rings.corners(met.triangle);
                    let rim = corners.into_iter().filter(|&corner| self.begun && rings.is_on_rim(corner));
                    let start = nearest(positions, met.point, rim).or(nearest(positions, met.point, corners));
                    self.tip = start;
                }
                (None, Some(tip)) => {
                    if let Some(met) = self.met {
                        let rim = rings.corners(met.triangle).into_iter().filter(|&corner| rings.is_on_rim(corner));
                        if let Some(end) = nearest(positions, met.point, rim) {
                            self.walk(rings, positions, tip, positions[end as usize], &mut path);
                        }
                    }
                    (self.tip, self.last) = (None, None);
                }
                (None, None) => {}
            }
            self.met = point;
            self.begun = true;
        }
        path
    }

    /// Walks from `tip` towards `goal` [m] as long as that brings it nearer, and returns where that
    /// ends.
    fn walk(
        &mut self,
        rings: &OneRings,
        positions: &[Vec3],
        mut tip: u32,
        goal: Vec3,
        path: &mut Vec<[u32; 2]>,
    ) -> u32 {
        let x = |vertex: u32| positions[vertex as usize];
        loop {
            let neighbours = rings.ring_edges(tip).into_iter().map(|(neighbour, _)| neighbour);
            let Some(next) = nearest(positions, goal, neighbours) else { break };
            let gain = x(tip).distance(goal) - x(next).distance(goal);
            if gain <= PROGRESS * x(tip).distance(x(next)) || gain <= 0.0 {
                break;
            }
            path.push([tip, next]);
            self.last = Some([tip, next]);
            tip = next;
        }
        self.tip = Some(tip);
        tip
    }
}

/// The one of `vertices` that is nearest to `point` [m].
fn nearest(positions: &[Vec3], point: Vec3, vertices: impl IntoIterator<Item = u32>) -> Option<u32> {
    let distance = |vertex: u32| positions[vertex as usize].distance_squared(point);
    vertices.into_iter().min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
}
