//! Coarse levels of any cloth: some of its vertices, far apart along the springs, each with a hat
//! function over the vertices around.
//!
//! Seeds are taken in the order of the vertices, each more than two springs from all others. A hat
//! falls by a fifth with every spring from its seed, and the hats at a vertex are scaled to sum to
//! one. Seeds with overlapping hats are neighbours in the next level. The corrections are those of
//! [`super::levels`], with the stiffness of every hat summed from the springs; torn parts share no
//! hat.

use super::levels::MOST_LEVELS;
use super::springs::Springs;
use crate::sim::math::csr::Csr;
use crate::sim::pattern::Family;
use crate::sim::{Pattern, Real};

/// Threads from a seed within which there is no other.
const APART: u32 = 2;
/// Threads from a seed at which its hat is zero.
const WIDTH: u32 = 5;
/// Nodes below which there is no coarser level.
const COARSEST: usize = 8;

/// A node with the weight of its hat.
type Link = (u32, f32);

/// One level.
#[derive(Debug, Default)]
struct Level {
    /// By node of the next finer level, or by vertex: the nodes of this level whose hats reach it.
    links: Csr<Link>,
    /// By vertex: the same.
    hats: Csr<Link>,
    /// Number of nodes.
    nodes: usize,
}

/// The levels of a cloth, as the kernels have them. Nodes are numbered after the vertices, level by
/// level.
#[derive(Debug, Default)]
pub struct Clusters {
    of: Option<u64>,
    levels: Vec<Level>,
    /// First node and number of nodes of each level.
    pub ranges: Vec<[u32; 2]>,
    /// By node: where its list begins, and its stiffness [N/m] as bits; and where the last list
    /// ends.
    pub nodes: Vec<[u32; 2]>,
    /// Contributions to each node: number and weight as bits.
    pub lists: Vec<[u32; 2]>,
    /// By vertex and node: where the nodes of the next level that reach it begin; and where the
    /// last ends.
    pub starts: Vec<u32>,
    /// These nodes: number and weight as bits.
    pub parents: Vec<[u32; 2]>,
}

impl Clusters {
    /// Makes these the levels of `pattern` with these springs; `new` tells whether the springs have
    /// changed. Returns whether the levels have.
    pub fn update(&mut self, pattern: &Pattern, springs: &Springs, new: bool) -> bool {
        let same = self.of == Some(pattern.revision());
        if same && !new {
            return false;
        }
        if !same {
            self.levels = levels(pattern);
            self.of = Some(pattern.revision());
            self.number(pattern.len());
        }
        self.stiffen(springs);
        true
    }

    /// Writes lists and parents.
    fn number(&mut self, vertices: usize) {
        let Self { levels, ranges, nodes, lists, starts, parents, .. } = self;
        ranges.clear();
        nodes.clear();
        lists.clear();
        starts.clear();
        parents.clear();
        let (mut finer, mut first) = (0, vertices);
        for level in levels.iter() {
            ranges.push([first as u32, level.nodes as u32]);
            for row in 0..level.links.rows() {
                starts.push(parents.len() as u32);
                parents
                    .extend(level.links.row(row).iter().map(|(node, weight)| [first as u32 + node, weight.to_bits()]));
            }
            let pairs = (0..level.links.rows()).flat_map(|row| {
                let links = level.links.row(row).iter();
                links.map(move |(node, weight)| (*node, [(finer + row) as u32, weight.to_bits()]))
            });
            let gathered: Csr<[u32; 2]> = Csr::from_pairs(level.nodes, pairs);
            for node in 0..level.nodes {
                nodes.push([lists.len() as u32, 0]);
                lists.extend_from_slice(gathered.row(node));
            }
            (finer, first) = (first, first + level.nodes);
        }
        nodes.push([lists.len() as u32, 0]);
        // the coarsest nodes have none
        let last = levels.last().map_or(vertices, |level| level.nodes);
        starts.resize(starts.len() + last + 1, parents.len() as u32);
    }

    /// Sums the stiffness of every hat: `Σ w (φ_i - φ_j)²` over all couplings.
    fn stiffen(&mut self, springs: &Springs) {
        let mut node = 0;
        for level in &self.levels {
            let mut sums = vec![0.0; level.nodes];
            for i in 0..level.hats.rows() {
                for (j, weight) in springs.couplings(i).filter(|(j, _)| *j as usize >= i) {
                    add_difference(level.hats.row(i), level.hats.row(j as usize), weight, &mut sums);
                }
            }
            for sum in sums {
                self.nodes[node][1] = (sum as f32).to_bits();
                node += 1;
            }
        }
    }
}

/// Adds `weight (a - b)²` to the sum of every node in the sorted lists `a` and `b`.
fn add_difference(mut a: &[Link], mut b: &[Link], weight: Real, sums: &mut [Real]) {
    loop {
        let (node, difference) = match (a.first(), b.first()) {
            (None, None) => return,
            (Some(one), Some(other)) if one.0 == other.0 => {
                (a, b) = (&a[1..], &b[1..]);
                (one.0, one.1 - other.1)
            }
            (Some(one), other) if other.is_none_or(|other| one.0 < other.0) => {
                a = &a[1..];
                *one
            }
            (_, Some(other)) => {
                b = &b[1..];
                *other
            }
            (Some(_), None) => return,
        };
        sums[node as usize] += weight * Real::from(difference * difference);
    }
}

fn levels(pattern: &Pattern) -> Vec<Level> {
    let springs = pattern.springs();
    let threads = springs.ends.iter().zip(&springs.families).filter(|(_, family)| **family == Family::Structural);
    let mut graph: Csr<u32> = Csr::from_pairs(pattern.len(), threads.flat_map(|(&[i, j], _)| [(i, j), (j, i)]));
    let mut levels: Vec<Level> = Vec::new();
    while graph.rows() > COARSEST && levels.len() < MOST_LEVELS {
        let (links, nodes) = hats(&graph);
        if 2 * nodes > graph.rows() {
            break;
        }
        let next = coarser(&graph, &links, nodes);
        let hats = match levels.last() {
            None => copy(&links),
            Some(last) => compose(&last.hats, &links),
        };
        levels.push(Level { links, hats, nodes });
        graph = next;
    }
    levels
}

/// The hats at every node of `graph`, and their number.
fn hats(graph: &Csr<u32>) -> (Csr<Link>, usize) {
    let mut search = Search { seen: vec![u32::MAX; graph.rows()], found: Vec::new() };
    let mut covered = vec![false; graph.rows()];
    let mut pairs: Vec<(u32, Link)> = Vec::new();
    let mut seeds = 0;
    for node in 0..graph.rows() as u32 {
        if covered[node as usize] {
            continue;
        }
        for &(other, threads) in search.around(graph, node) {
            if threads <= APART {
                covered[other as usize] = true;
            }
            pairs.push((other, (seeds, 1.0 - threads as f32 / WIDTH as f32)));
        }
        seeds += 1;
    }
    let raw: Csr<Link> = Csr::from_pairs(graph.rows(), pairs.iter().copied());
    let mut links = Csr::default();
    for node in 0..graph.rows() {
        let sum: f32 = raw.row(node).iter().map(|(_, weight)| weight).sum();
        links.push(raw.row(node).iter().map(|(seed, weight)| (*seed, weight / sum)));
    }
    (links, seeds as usize)
}

/// A search in breadth from one node after the other.
struct Search {
    /// By node the last search that found it.
    seen: Vec<u32>,
    found: Vec<(u32, u32)>,
}

impl Search {
    /// The nodes less than the width of a hat from `node`, with their distances in springs.
    fn around(&mut self, graph: &Csr<u32>, node: u32) -> &[(u32, u32)] {
        self.found.clear();
        self.found.push((node, 0));
        self.seen[node as usize] = node;
        let mut at = 0;
        while let Some(&(here, threads)) = self.found.get(at) {
            at += 1;
            if threads + 1 == WIDTH {
                break;
            }
            for &other in graph.row(here as usize) {
                if self.seen[other as usize] != node {
                    self.seen[other as usize] = node;
                    self.found.push((other, threads + 1));
                }
            }
        }
        &self.found
    }
}

/// The graph of the hats: those with the largest values at the two ends of a spring are neighbours.
fn coarser(graph: &Csr<u32>, links: &Csr<Link>, nodes: usize) -> Csr<u32> {
    let highest: Vec<u32> = (0..graph.rows())
        .map(|node| {
            let higher = |best: Link, link: &Link| if link.1 > best.1 { *link } else { best };
            links.row(node).iter().fold((0, 0.0), higher).0
        })
        .collect();
    let highest = &highest;
    let pairs = (0..graph.rows()).flat_map(|node| {
        let own = highest[node];
        graph.row(node).iter().map(move |other| (own, highest[*other as usize])).filter(|(own, other)| own != other)
    });
    let mut next = Csr::from_pairs(nodes, pairs);
    next.sort_and_dedup();
    next
}

fn copy(links: &Csr<Link>) -> Csr<Link> {
    let mut copy = Csr::default();
    (0..links.rows()).for_each(|row| copy.push(links.row(row).iter().copied()));
    copy
}

/// The hats of a level at every vertex, from those of the finer level and its links.
fn compose(hats: &Csr<Link>, links: &Csr<Link>) -> Csr<Link> {
    let mut composed = Csr::default();
    let mut row: Vec<Link> = Vec::new();
    for vertex in 0..hats.rows() {
        row.clear();
        for &(node, part) in hats.row(vertex) {
            for &(coarse, weight) in links.row(node as usize) {
                match row.iter_mut().find(|known| known.0 == coarse) {
                    Some(known) => known.1 += part * weight,
                    None => row.push((coarse, part * weight)),
                }
            }
        }
        row.sort_unstable_by_key(|link| link.0);
        composed.push(row.iter().copied());
    }
    composed
}
