//! Leaves of a cloth that may come near each other in a motion: a descent of the tree against
//! itself, without flat parts; then the parts of these leaves are compared.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use glam::Vec3A;

use super::boxes::{Block, NUMBERS, Sweep};
use super::comparison::{BLOCKS, Comparison};
use super::reach::{self, Width};
use crate::sim::Vec3;
use crate::sim::contact::bvh::{self, Leaf, range, share};
use crate::sim::contact::cloth::surface::{ContactSurface, Flatness};
use crate::sim::exec::budget::CancelToken;
use crate::sim::exec::pool::ThreadPool;

/// Most pairs of leaves per leaf on average.
const MOST_MEETINGS: usize = 256;
/// Pairs of nodes between two checks of the token.
const VISITS: usize = 4096;
/// Leaves per task.
const LEAVES: usize = 64;
/// Tasks of a search.
pub(super) const TASKS: usize = 96;
/// The node above all others.
pub(super) const ROOT: [u32; 1] = [0];

/// Boxes of a cloth in a motion, with the memory of searches.
#[derive(Debug, Default)]
pub(super) struct Tree {
    points: Vec<Sweep>,
    /// Blocks of the leaves that are compared.
    vertices: Vec<[Block; BLOCKS]>,
    triangles: Vec<[Block; 1]>,
    edges: Vec<[Block; BLOCKS]>,
    /// Box of every node, and whether it contains a vertex in question.
    nodes: Vec<(Sweep, bool)>,
    leaves: Vec<(Sweep, bool)>,
    /// Boxes of the leaves, with unlimited reach.
    around: Vec<[f32; NUMBERS]>,
    frontier: Vec<[u32; 2]>,
    descents: Vec<Task>,
    /// Pairs of leaves that meet, and the leaves that are compared.
    meetings: Vec<[u32; 2]>,
    meeting: Vec<bool>,
    /// Token of the step.
    pub token: CancelToken,
}

/// A task of a descent.
#[derive(Debug, Default)]
struct Task {
    stack: Vec<[u32; 2]>,
    found: Found,
}

/// Result of a descent.
#[derive(Debug, Default)]
struct Found {
    meetings: Vec<[u32; 2]>,
    skipped: Vec<u32>,
}

impl Tree {
    /// Updates the boxes of the nodes, and marks the vertices in question.
    pub fn refit(
        &mut self,
        surface: &ContactSurface,
        [x, y]: [&[Vec3]; 2],
        is_asked: &(impl Fn(u32) -> bool + Sync),
        pool: &ThreadPool,
    ) {
        let points = &mut self.points;
        points.resize(x.len(), Sweep::EMPTY);
        let [from, to] = [x[0], y[0]];
        pool.fill(points, 4 * LEAVES, |i| Sweep::point(x[i] - from, y[i] - to));
        self.leaves.resize(surface.leaves.len(), (Sweep::EMPTY, false));
        let points = &*points;
        pool.fill(&mut self.leaves, LEAVES, |i| {
            let corners = surface.corners.row(i);
            (Sweep::around(corners, points), corners.iter().any(|&vertex| is_asked(vertex)))
        });
        let leaves = &*self.leaves;
        self.around.resize(leaves.len(), [0.0; NUMBERS]);
        pool.fill(&mut self.around, LEAVES, |i| leaves[i].0.lanes(Vec3A::INFINITY));
        self.nodes.resize(surface.nodes.len(), (Sweep::EMPTY, false));
        let Self { nodes, leaves, .. } = self;
        let of_leaf = |node: &bvh::Node| leaves[node.leaves[0] as usize];
        bvh::refit(&surface.nodes, nodes, of_leaf, |left, right| (left.0.join(&right.0), left.1 || right.1));
    }

    /// Finds the pairs of leaves below each of the nodes `tops` that meet, with a vertex in
    /// question. Flat nodes are added to `skipped`. Returns false, with an incomplete result, if
    /// there are too many or the step is cancelled.
    pub fn descend(
        &mut self,
        (surface, flatness): (&ContactSurface, &Flatness),
        tops: &[u32],
        width: &Width,
        skipped: &mut Vec<u32>,
        pool: &ThreadPool,
    ) -> bool {
        let Self { nodes, frontier, descents, meetings, token, .. } = self;
        let descent = Descent { surface, flatness, nodes, wide: width.along(Vec3A::ONE) };
        frontier.clear();
        frontier.extend(tops.iter().map(|top| [*top; 2]));
        let mut found = Found { meetings: std::mem::take(meetings), skipped: std::mem::take(skipped) };
        found.meetings.clear();
        let mut at = 0;
        // breadth first, so that tasks are of similar size
        while at < frontier.len() && frontier.len() - at < 8 * TASKS {
            descent.visit(frontier[at], |pair| frontier.push(pair), &mut found);
            at += 1;
        }
        Found { meetings: *meetings, skipped: *skipped } = found;
        descents.resize_with(TASKS, Task::default);
        let starts = &frontier[at..];
        let most = MOST_MEETINGS * surface.leaves.len();
        let (count, ended) = (AtomicUsize::new(meetings.len()), AtomicBool::new(false));
        if !starts.is_empty() {
            pool.update(descents, 1, |k, Task { stack, found }| {
                found.meetings.clear();
                found.skipped.clear();
                stack.clear();
                stack.extend(starts[share(starts.len(), k, TASKS)].iter().rev());
                let (mut visits, mut known) = (0, 0);
                while let Some(next) = stack.pop() {
                    descent.visit(next, |pair| stack.push(pair), found);
                    visits += 1;
                    if visits % VISITS == 0 {
                        let more = found.meetings.len() - std::mem::replace(&mut known, found.meetings.len());
                        if count.fetch_add(more, Ordering::Relaxed) + more > most || token.is_cancelled() {
                            ended.store(true, Ordering::Relaxed);
                        }
                        if ended.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                }
            });
            for task in &*descents {
                meetings.extend_from_slice(&task.found.meetings);
                skipped.extend_from_slice(&task.found.skipped);
            }
        }
        !ended.into_inner() && meetings.len() <= most
    }

    /// Pairs of leaves that met in the last [`descend`](Self::descend).
    pub fn meetings(&self) -> &[[u32; 2]] {
        &self.meetings
    }

    /// Whether a leaf has a vertex in question since the last [`refit`](Self::refit).
    pub fn is_asked(&self, leaf: u32) -> bool {
        self.leaves[leaf as usize].1
    }

    /// The comparison of leaves that are prepared.
    pub fn comparison<'a>(&'a self, surface: &'a ContactSurface) -> Comparison<'a> {
        let Self { vertices, triangles, edges, around, .. } = self;
        Comparison { surface, vertices, triangles, edges, leaves: around }
    }

    /// Puts all vertices in question; the boxes stay.
    pub fn ask_all(&mut self) {
        self.nodes.iter_mut().for_each(|(_, is_asked)| *is_asked = true);
    }

    /// Updates the boxes of the vertices and triangles of the leaves that met.
    pub fn prepare(&mut self, surface: &ContactSurface, width: &Width, pool: &ThreadPool) {
        let Self { points, vertices, triangles, meetings, meeting, .. } = self;
        mark(meeting, surface, meetings);
        let (points, all) = (&*points, width.along(Vec3A::ONE));
        let own = |leaf: &Leaf| &surface.vertices[range(leaf.vertices)];
        fill(vertices, (surface, meeting), own, |&vertex| (points[vertex as usize], all), pool);
        let own = |leaf: &Leaf| &surface.triangles[range(leaf.triangles)];
        let of = |corners: &[u32; 3]| (Sweep::around(corners, points), reach::of_triangle(corners, points, width));
        fill(triangles, (surface, meeting), own, of, pool);
    }

    /// Updates the boxes of the edges of the leaves that met.
    pub fn prepare_all_edges(&mut self, surface: &ContactSurface, width: &Width, pool: &ThreadPool) {
        let meetings = std::mem::take(&mut self.meetings);
        self.prepare_edges(surface, &meetings, width, pool);
        self.meetings = meetings;
    }

    /// Updates the boxes of the edges of some pairs of leaves.
    pub fn prepare_edges(&mut self, surface: &ContactSurface, pairs: &[[u32; 2]], width: &Width, pool: &ThreadPool) {
        let Self { points, edges, meeting, .. } = self;
        mark(meeting, surface, pairs);
        let points = &*points;
        let own = |leaf: &Leaf| &surface.edges[range(leaf.edges)];
        let of = |ends: &[u32; 2]| (Sweep::around(ends, points), reach::of_edge(ends, points, width));
        fill(edges, (surface, meeting), own, of, pool);
    }
}

/// Marks the leaves of some pairs.
fn mark(marked: &mut Vec<bool>, surface: &ContactSurface, pairs: &[[u32; 2]]) {
    marked.clear();
    marked.resize(surface.leaves.len(), false);
    pairs.iter().flatten().for_each(|&leaf| marked[leaf as usize] = true);
}

/// Writes the boxes with the reaches `of` the parts that marked leaves have as their `own`.
fn fill<'a, P: Sync + 'a, const N: usize>(
    blocks: &mut Vec<[Block; N]>,
    (surface, marked): (&'a ContactSurface, &[bool]),
    own: impl Fn(&'a Leaf) -> &'a [P] + Sync,
    of: impl Fn(&P) -> (Sweep, Vec3A) + Sync,
    pool: &ThreadPool,
) {
    blocks.resize(surface.leaves.len(), [Block::EMPTY; N]);
    pool.update(blocks, LEAVES, |i, blocks| {
        if marked[i] {
            Block::fill(blocks, own(&surface.leaves[i]).iter().map(&of));
        }
    });
}

/// Input of a descent.
struct Descent<'a> {
    surface: &'a ContactSurface,
    flatness: &'a Flatness,
    nodes: &'a [(Sweep, bool)],
    wide: Vec3A,
}

impl Descent<'_> {
    /// Calls `push` for the pairs of children of two nodes that may contain a pair, or adds their
    /// leaves if both are leaves.
    #[inline]
    fn visit(&self, [a, b]: [u32; 2], push: impl FnMut([u32; 2]), found: &mut Found) {
        let ((a_sweep, a_asked), (b_sweep, b_asked)) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        if !a_asked && !b_asked {
            return;
        }
        let nodes = &self.surface.nodes[..];
        let leaf = |at: u32| nodes[at as usize].leaves[0];
        if a == b {
            if self.flatness.is_flat(a) {
                found.skipped.push(a);
            } else if let Some(below) = bvh::own_pairs_below(nodes, a) {
                below.into_iter().for_each(push);
            } else {
                found.meetings.push([leaf(a); 2]);
            }
        } else if a_sweep.meets(b_sweep, self.wide) {
            if let Some(below) = bvh::pairs_below([nodes, nodes], [a, b]) {
                below.into_iter().for_each(push);
            } else {
                found.meetings.push([leaf(a), leaf(b)]);
            }
        }
    }
}
