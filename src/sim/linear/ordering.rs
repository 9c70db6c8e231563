//! Nested dissection: an elimination order that keeps the factor sparse and its tree wide.
//!
//! The vertices are cut in two by a plane across the longest side of their bounding box at rest; those of one side that
//! have neighbours on the other are the separator and come last. The halves are cut in the same way (George 1973). For
//! cloth, a surface, separators are short, and for a grid this is the closed form.

use super::Graph;
use crate::sim::{Real, Vec3};

/// Sets of this size are not cut any more: they become one dense block of the factor.
const LEAF: usize = 24;
/// How far from the middle a cut may move to lie between two rows of a grid, as a share of the set.
const LEEWAY: usize = 8;

/// The elimination order of the vertices of `graph` at `points` [m], one per vertex.
#[must_use]
pub fn nested_dissection(graph: &Graph, points: &[Vec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.len() as u32).collect();
    let mut side = vec![Side::Elsewhere; graph.len()];
    let mut parts: Vec<&mut [u32]> = vec![&mut order];
    while let Some(part) = parts.pop() {
        if part.len() <= LEAF {
            continue;
        }
        let middle = halve(part, points);
        let separator = separate(part, middle, graph, &mut side);
        let (halves, _) = part.split_at_mut(separator.start);
        let (first, second) = halves.split_at_mut(separator.second);
        // a set whose vertices all touch each other cannot be cut
        if !first.is_empty() || !second.is_empty() {
            parts.push(first);
            parts.push(second);
        }
    }
    order
}

/// Where a vertex lies with respect to the cut at hand.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Elsewhere,
    First,
    Second,
}

/// Sorts `part` along its longest side and returns where to cut it: near the middle, between two different coordinates
/// if there are any.
fn halve(part: &mut [u32], points: &[Vec3]) -> usize {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for &vertex in &*part {
        low = low.min(points[vertex as usize]);
        high = high.max(points[vertex as usize]);
    }
    let extent = high - low;
    let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
    let place = |vertex: u32| points[vertex as usize][axis];
    part.sort_unstable_by(|&a, &b| place(a).total_cmp(&place(b)).then(a.cmp(&b)));
    let middle = part.len() / 2;
    let tiny: Real = 1e-9 * extent[axis];
    let between = |at: &usize| place(part[*at]) - place(part[*at - 1]) > tiny;
    let nearest = (0..part.len() / LEEWAY).flat_map(|off| [middle - off, middle + off]).find(between);
    nearest.unwrap_or(middle)
}

/// Where the second half and the separator begin.
struct Cut {
    second: usize,
    start: usize,
}

/// Reorders `part`, cut at `middle`, into first half, second half and separator, each by rising vertex.
fn separate(part: &mut [u32], middle: usize, graph: &Graph, side: &mut [Side]) -> Cut {
    for (at, &vertex) in part.iter().enumerate() {
        side[vertex as usize] = if at < middle { Side::First } else { Side::Second };
    }
    let touches = |vertex: u32, other: Side| graph.of_vertex(vertex).iter().any(|&n| side[n as usize] == other);
    let rim = |range: &[u32], other: Side| range.iter().filter(|&&vertex| touches(vertex, other)).count();
    let of_first = rim(&part[..middle], Side::Second);
    let of_second = rim(&part[middle..], Side::First);
    // of equal rims, the one of the larger half
    let from_first = (of_first, part.len() - middle) < (of_second, middle);
    let class = |vertex: u32| match side[vertex as usize] {
        Side::First if from_first && touches(vertex, Side::Second) => 2,
        Side::Second if !from_first && touches(vertex, Side::First) => 2,
        Side::First => 0,
        _ => 1,
    };
    let mut classes: Vec<(u8, u32)> = part.iter().map(|&vertex| (class(vertex), vertex)).collect();
    classes.sort_unstable();
    for (place, &(_, vertex)) in part.iter_mut().zip(&classes) {
        *place = vertex;
        side[vertex as usize] = Side::Elsewhere;
    }
    let before = |limit: u8| classes.partition_point(|(class, _)| *class < limit);
    Cut { second: before(1), start: before(2) }
}
