//! How far the vertices of a cloth are from its rim, which is hemmed.

use super::surface::DividedSurface;
use crate::sim::{Pattern, Vec3};

/// Distance that is beyond every hem of the shader [m].
const BEYOND: f32 = 0.03;
/// Most edges to go along from the rim.
const MOST: f32 = 16.0;

/// How far each drawn vertex is from the rim at rest, along edges [m].
pub fn distances(pattern: &Pattern, surface: &DividedSurface) -> Vec<f32> {
    let rim = surface.rim();
    let whole = distances_of_whole(pattern, surface);
    let own: Vec<[f32; 1]> = rim.origins.iter().map(|origin| [whole[*origin as usize]]).collect();
    let mut all = surface.spread(own);
    // an edge from rim to rim leads through the cloth
    let mut at_vertex: Vec<Vec<usize>> = vec![Vec::new(); whole.len()];
    for (number, ends) in rim.edges.iter().enumerate() {
        ends.iter().for_each(|&vertex| at_vertex[vertex as usize].push(number));
    }
    let rest = pattern.rest_positions();
    for (middle, &[a, b]) in (pattern.len()..).zip(surface.middles()) {
        let ends = [a, b].map(|vertex| rim.origins[vertex as usize] as usize);
        if ends.iter().any(|&end| whole[end] > 0.0) || rim.has(a, b) {
            continue;
        }
        let point = rest[ends[0]].midpoint(rest[ends[1]]);
        let near = ends.iter().flat_map(|&end| &at_vertex[end]);
        let distance = |edge: &usize| distance(point, rim.edges[*edge].map(|vertex| rest[vertex as usize]));
        all[middle] = [near.map(distance).fold(f32::INFINITY, f32::min)];
    }
    all.into_iter().map(|[distance]| distance).collect()
}

/// Distance of each vertex of the whole cloth [m], along as many edges as lead beyond every hem, and
/// the largest of these farther in, so that it does not rise steeply.
fn distances_of_whole(pattern: &Pattern, surface: &DividedSurface) -> Vec<f32> {
    let rim = surface.rim();
    let mut distances = vec![f32::INFINITY; pattern.whole_len()];
    for edge in &rim.edges {
        edge.iter().for_each(|&vertex| distances[vertex as usize] = 0.0);
    }
    let rest = pattern.rest_positions();
    let rounds = (BEYOND / surface.edge_length().max(1e-6)).ceil().clamp(2.0, MOST) as usize;
    for _ in 0..rounds {
        let before = distances.clone();
        for edge in surface.edges() {
            let [a, b] = edge.map(|vertex| rim.origins[vertex as usize] as usize);
            let length = rest[a].distance(rest[b]) as f32;
            distances[a] = distances[a].min(before[b] + length);
            distances[b] = distances[b].min(before[a] + length);
        }
    }
    let largest = distances.iter().copied().filter(|distance| distance.is_finite()).fold(0.0, f32::max);
    let far = if largest > 0.0 { largest.max(BEYOND) } else { pattern.size() as f32 };
    distances.into_iter().map(|distance| distance.min(far)).collect()
}

/// Distance of a point from a line between two others [m].
fn distance(point: Vec3, [from, to]: [Vec3; 2]) -> f32 {
    let along = to - from;
    let share = ((point - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    point.distance(from + share * along) as f32
}
