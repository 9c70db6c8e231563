//! Nested dissection: an elimination order that keeps the factor sparse and its tree wide.
//!
//! The vertices are cut in two by a plane across the longest side of their bounding box at rest;
//! those of one side that have neighbours on the other are the separator and come last. The halves
//! are cut in the same way (George 1973). For cloth, a surface, separators are short, and for a
//! grid this is the closed form. Small parts are ordered by minimum degree instead, which is
//! sparser there; the separators around them count as neighbours but come later.

use super::{Graph, approximate_minimum_degree};
use crate::sim::exec::budget::{Cancelled, WorkBudget};
use crate::sim::{Real, Vec3};

/// Sets of this size, or of this share of all vertices, are not cut any more: from there on minimum
/// degree is sparser.
const LEAF: usize = 400;
const LEAF_SHARE: usize = 4;
/// How far from the middle a cut may move to lie between two rows of a grid, as a share of the set.
const LEEWAY: usize = 8;

/// The elimination order of the vertices of `graph` at `points` [m], one per vertex.
///
/// # Errors
/// [`Cancelled`].
pub fn nested_dissection(graph: &Graph, points: &[Vec3], budget: &WorkBudget) -> Result<Vec<u32>, Cancelled> {
    let mut order: Vec<u32> = (0..graph.len() as u32).collect();
    let mut side = vec![Side::Elsewhere; graph.len()];
    let largest_leaf = LEAF.max(graph.len().div_ceil(LEAF_SHARE));
    let mut local = vec![u32::MAX; graph.len()];
    let mut parts: Vec<&mut [u32]> = vec![&mut order];
    while let Some(part) = parts.pop() {
        budget.check()?;
        if part.len() <= largest_leaf {
            minimum_degree(part, graph, &mut local);
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
    Ok(order)
}

/// Where a vertex lies with respect to the cut at hand.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Elsewhere,
    First,
    Second,
}

/// Sorts `part` along its longest side and returns where to cut it: near the middle, between two
/// different coordinates if there are any.
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

/// Reorders `part`, cut at `middle`, into first half, second half and separator, each by rising
/// vertex.
fn separate(part: &mut [u32], middle: usize, graph: &Graph, side: &mut [Side]) -> Cut {
    for (at, &vertex) in part.iter().enumerate() {
        side[vertex as usize] = if at < middle { Side::First } else { Side::Second };
    }
    let contacts = |vertex: u32, other: Side| graph.of_vertex(vertex).iter().any(|&n| side[n as usize] == other);
    let rim = |range: &[u32], other: Side| range.iter().filter(|&&vertex| contacts(vertex, other)).count();
    let of_first = rim(&part[..middle], Side::Second);
    let of_second = rim(&part[middle..], Side::First);
    // of equal rims, the one of the larger half
    let from_first = (of_first, part.len() - middle) < (of_second, middle);
    let class = |vertex: u32| match side[vertex as usize] {
        Side::First if from_first && contacts(vertex, Side::Second) => 2,
        Side::Second if !from_first && contacts(vertex, Side::First) => 2,
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

/// Orders `part` by approximate minimum degree. The neighbours outside it come later, when all else
/// around them is gone and they are all coupled: so they are here, which keeps them to the end.
/// `local` has an entry per vertex of the graph and is all `u32::MAX` before and after.
fn minimum_degree(part: &mut [u32], graph: &Graph, local: &mut [u32]) {
    let mut members: Vec<u32> = part.to_vec();
    members.sort_unstable();
    let count = members.len();
    for at in 0..count {
        local[members[at] as usize] = at as u32;
    }
    for at in 0..count {
        for &neighbour in graph.of_vertex(members[at]) {
            if local[neighbour as usize] == u32::MAX {
                local[neighbour as usize] = members.len() as u32;
                members.push(neighbour);
            }
        }
    }
    let inner = (0..count as u32).flat_map(|at| {
        let near = graph.of_vertex(members[at as usize]).iter();
        near.map(move |&neighbour| [at, neighbour]).collect::<Vec<_>>()
    });
    let inner = inner.map(|[at, neighbour]| [at, local[neighbour as usize]]);
    let rim = count as u32..members.len() as u32;
    let clique = rim.clone().flat_map(|i| (i + 1..rim.end).map(move |j| [i, j]));
    let order = approximate_minimum_degree(&Graph::of(members.len(), inner.chain(clique)));
    let inside = order.into_iter().filter(|&at| (at as usize) < count);
    part.iter_mut().zip(inside).for_each(|(place, at)| *place = members[at as usize]);
    members.iter().for_each(|&vertex| local[vertex as usize] = u32::MAX);
}
