//! Which pairs could meet during a motion: a descent of the tree of neighbourhoods against itself finds the leaves that meet, past all
//! that is too flat to touch itself; then the parts of these leaves are compared.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec3A;

use super::boxes::{Block, LANES, Plate, Sweep, wide};
use super::comparison::{Comparison, EDGE_BLOCKS, Meetings};
use super::flatness::Flatness;
use super::pair::Pair;
use super::screen::{Batch, Hint, Limits, Spots};
use super::surface::{Node, Surface, range};
use crate::sim::exec::team::Team;
use crate::sim::{Real, Vec3};

/// Leaves that a thread takes at a time.
const LEAVES: usize = 64;
/// Tasks into which a search is divided.
const TASKS: usize = 96;
/// Lists into which pairs go.
pub(super) const LISTS: usize = 3;

/// What is asked for.
#[derive(Clone, Copy)]
pub(super) struct Query<'a, Asked, Sort> {
    /// Where the vertices are at the start and at the end of the motion, which is in straight lines [m].
    pub motion: [&'a [Vec3]; 2],
    /// Pairs of a vertex and a triangle, and of two edges, that come closer than this along every axis, rounded up [m].
    pub near: [Real; 2],
    /// Pairs that end closer than this are near [m].
    pub reach: Real,
    /// Pairs that come closer than this are close. Parts of the cloth in which all is farther apart, and half as far as at rest, are passed
    /// over [m].
    pub close: Real,
    /// Whether pairs with a vertex are asked for.
    pub is_asked: Asked,
    /// Into which of the lists a pair goes, given what may be the case with it.
    pub sort: Sort,
}

/// A search, with the memory that it works in.
#[derive(Debug, Default)]
pub(super) struct Search {
    flatness: Flatness,
    points: Vec<Sweep>,
    spots: Spots,
    /// Of the leaves that meet others.
    triangles: Vec<Block>,
    edges: Vec<[Block; EDGE_BLOCKS]>,
    plates: Vec<Plate>,
    /// Of every node, with whether one of its vertices is asked about.
    nodes: Vec<(Sweep, bool)>,
    leaves: Vec<(Sweep, bool)>,
    frontier: Vec<[u32; 2]>,
    descents: Vec<Task>,
    /// Leaves that meet, and which those are.
    meetings: Vec<[u32; 2]>,
    meeting: Vec<bool>,
    comparisons: Vec<[Vec<Pair>; LISTS]>,
}

/// A part of a descent.
#[derive(Debug, Default)]
struct Task {
    stack: Vec<[u32; 2]>,
    found: Vec<[u32; 2]>,
}

impl Search {
    /// Writes the pairs that are asked for to their lists. The order depends on the surface and the motion alone. Returns for each list
    /// whether all are there: false, and it is empty, if there are more than `most` of them.
    pub fn find<Asked, Sort>(
        &mut self,
        surface: &Surface,
        query: &Query<'_, Asked, Sort>,
        lists: [&mut Vec<Pair>; LISTS],
        most: [usize; LISTS],
        team: &Team,
    ) -> [bool; LISTS]
    where
        Asked: Fn(u32) -> bool + Sync,
        Sort: Fn(&Pair, Hint) -> [bool; LISTS] + Sync,
    {
        let lists = lists.map(|list| {
            list.clear();
            list
        });
        if surface.nodes.is_empty() {
            return [true; LISTS];
        }
        // a little more than is asked for, so that rounding hides nothing
        let near = query.near.map(|near| near * (1.0 + 1e-6));
        self.flatness.update(surface, query.motion, query.close, team);
        self.refit(surface, query.motion, &query.is_asked, team);
        self.descend(surface, near[0].max(near[1]), team);
        self.compare(surface, query, near, most, team);
        let mut complete = [true; LISTS];
        for (k, list) in lists.into_iter().enumerate() {
            let count: usize = self.comparisons.iter().map(|found| found[k].len()).sum();
            complete[k] = count <= most[k];
            if complete[k] {
                self.comparisons.iter().for_each(|found| list.extend_from_slice(&found[k]));
            }
        }
        complete
    }

    /// Takes the boxes of the nodes.
    fn refit(
        &mut self,
        surface: &Surface,
        [x, y]: [&[Vec3]; 2],
        is_asked: &(impl Fn(u32) -> bool + Sync),
        team: &Team,
    ) {
        let Self { points, spots, nodes, leaves, .. } = self;
        let none = (Sweep::EMPTY, false);
        leaves.resize(surface.leaves.len(), none);
        nodes.resize(surface.nodes.len(), none);
        points.resize(x.len(), Sweep::EMPTY);
        let [from, to] = [x[0], y[0]];
        team.fill(points, 4 * LEAVES, |i| Sweep::point(x[i] - from, y[i] - to));
        let points = &*points;
        for (spots, (at, from)) in spots.at.iter_mut().zip([(x, from), (y, to)]) {
            spots.resize(at.len(), Vec3A::ZERO);
            team.fill(spots, 16 * LEAVES, |i| (at[i] - from).as_vec3a());
        }
        team.fill(leaves, LEAVES, |i| {
            let corners = surface.corners.row(i);
            (Sweep::around(corners, points), corners.iter().any(|&vertex| is_asked(vertex)))
        });
        for (at, node) in surface.nodes.iter().enumerate().rev() {
            nodes[at] = match node.children {
                None => leaves[node.leaves[0] as usize],
                Some([left, right]) => {
                    let (left, right) = (nodes[left as usize], nodes[right as usize]);
                    (left.0.join(&right.0), left.1 || right.1)
                }
            };
        }
        spots.error = nodes[0].0.size() * f32::EPSILON;
    }

    /// Finds the leaves that meet.
    fn descend(&mut self, surface: &Surface, near: Real, team: &Team) {
        let Self { flatness, nodes, frontier, descents, meetings, meeting, .. } = self;
        let descent = Descent { surface, flatness, nodes, wide: wide(near) };
        frontier.clear();
        meetings.clear();
        frontier.push([0, 0]);
        let mut at = 0;
        // breadth first, so that the tasks are of like size
        while at < frontier.len() && frontier.len() - at < 8 * TASKS {
            descent.visit(frontier[at], |pair| frontier.push(pair), |leaves| meetings.push(leaves));
            at += 1;
        }
        descents.resize_with(TASKS, Task::default);
        let starts = &frontier[at..];
        if !starts.is_empty() {
            team.update(descents, 1, |k, Task { stack, found }| {
                found.clear();
                stack.extend(starts[k * starts.len() / TASKS..(k + 1) * starts.len() / TASKS].iter().rev());
                while let Some(next) = stack.pop() {
                    descent.visit(next, |pair| stack.push(pair), |leaves| found.push(leaves));
                }
            });
            descents.iter().for_each(|task| meetings.extend_from_slice(&task.found));
        }
        meeting.clear();
        meeting.resize(surface.leaves.len(), false);
        meetings.iter().flatten().for_each(|&leaf| meeting[leaf as usize] = true);
    }

    /// Compares the parts of the leaves that meet.
    fn compare<Asked, Sort>(
        &mut self,
        surface: &Surface,
        query: &Query<'_, Asked, Sort>,
        near: [Real; 2],
        most: [usize; LISTS],
        team: &Team,
    ) where
        Asked: Fn(u32) -> bool + Sync,
        Sort: Fn(&Pair, Hint) -> [bool; LISTS] + Sync,
    {
        self.prepare(surface, query.motion, team);
        let Self { points, spots, triangles, edges, plates, leaves, meetings, comparisons, .. } = self;
        let limits = Limits { near: wide(query.reach).x, room: wide(query.close).x };
        let motion = query.motion;
        let (nearest, near) = (near[0].max(near[1]), near.map(|near| wide(near).x));
        let close = wide(query.close * (1.0 + 1e-6)).x;
        let comparison = Comparison { surface, motion, points, triangles, edges, plates, leaves, near, close, nearest };
        let counts = [const { AtomicUsize::new(0) }; LISTS];
        comparisons.resize_with(TASKS, Default::default);
        let (meetings, spots) = (&meetings[..], &*spots);
        let take = |pair: &Pair, hint: Hint, found: &mut [Vec<Pair>; LISTS], open: [bool; LISTS]| {
            let goes = (query.sort)(pair, hint);
            (0..LISTS).filter(|k| goes[*k] && open[*k]).for_each(|k| found[k].push(*pair));
        };
        team.update(comparisons, 1, |task, found| {
            found.iter_mut().for_each(Vec::clear);
            let at = |k: usize| k * meetings.len() / TASKS;
            let mut batches = [Batch::VERTICES, Batch::EDGES];
            let parts = &mut Meetings::default();
            let mut open = [true; LISTS];
            for leaves in &meetings[at(task)..at(task + 1)] {
                // a list that is too long is empty in the end, so it may be cut short
                open = std::array::from_fn(|k| counts[k].load(Ordering::Relaxed) <= most[k]);
                let before = found.each_ref().map(Vec::len);
                comparison.meet(*leaves, &query.is_asked, parts, |pair, touch, close| {
                    let batch = &mut batches[usize::from(pair.first) - 1];
                    if batch.push(&pair, touch, close) {
                        batch.screen(spots, &limits, |pair, hint| take(&pair, hint, found, open));
                    }
                });
                for k in 0..LISTS {
                    if found[k].len() > before[k] {
                        counts[k].fetch_add(found[k].len() - before[k], Ordering::Relaxed);
                    }
                }
            }
            for batch in &mut batches {
                batch.screen(spots, &limits, |pair, hint| take(&pair, hint, found, open));
            }
        });
    }

    /// Takes the boxes of the parts of the leaves that meet.
    fn prepare(&mut self, surface: &Surface, motion: [&[Vec3]; 2], team: &Team) {
        let Self { points, triangles, edges, plates, meetings, meeting, .. } = self;
        if meetings.is_empty() {
            return;
        }
        triangles.resize(surface.leaves.len(), Block::EMPTY);
        edges.resize(surface.leaves.len(), [Block::EMPTY; EDGE_BLOCKS]);
        plates.resize(surface.leaves.len(), Plate::NONE);
        let (points, meeting) = (&*points, &*meeting);
        team.update(triangles, LEAVES, |i, block| {
            if meeting[i] {
                let own = &surface.triangles[range(surface.leaves[i].triangles)];
                *block = Block::EMPTY;
                own.iter().enumerate().for_each(|(lane, corners)| block.set(lane, &Sweep::around(corners, points)));
            }
        });
        team.update(edges, LEAVES, |i, blocks| {
            if meeting[i] {
                let own = &surface.edges[range(surface.leaves[i].edges)];
                *blocks = [Block::EMPTY; EDGE_BLOCKS];
                for (at, ends) in own.iter().enumerate() {
                    blocks[at / LANES].set(at % LANES, &Sweep::around(ends, points));
                }
            }
        });
        team.update(plates, LEAVES, |i, plate| {
            if meeting[i] {
                let normal = |&[a, b, c]: &[u32; 3]| {
                    let [a, b, c] = [a, b, c].map(|vertex| motion[0][vertex as usize]);
                    (b - a).cross(c - a)
                };
                let sum: Vec3 = surface.triangles[range(surface.leaves[i].triangles)].iter().map(normal).sum();
                *plate = Plate::of(sum.normalize_or_zero(), surface.corners.row(i), motion);
            }
        });
    }
}

/// What a descent reads.
struct Descent<'a> {
    surface: &'a Surface,
    flatness: &'a Flatness,
    nodes: &'a [(Sweep, bool)],
    wide: Vec3A,
}

impl Descent<'_> {
    fn node(&self, at: u32) -> &Node {
        &self.surface.nodes[at as usize]
    }

    /// Calls `push` for the pairs of children of two nodes that may hold a pair, or `meet` with their leaves if both are leaves.
    #[inline]
    fn visit(&self, [a, b]: [u32; 2], mut push: impl FnMut([u32; 2]), mut meet: impl FnMut([u32; 2])) {
        let ((a_sweep, a_asked), (b_sweep, b_asked)) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        if !a_asked && !b_asked {
            return;
        }
        let (na, nb) = (self.node(a), self.node(b));
        if a == b {
            if self.flatness.is_flat(a) {
                return;
            }
            match na.children {
                None => meet([na.leaves[0]; 2]),
                Some([left, right]) => {
                    push([left, left]);
                    push([right, right]);
                    push([left, right]);
                }
            }
            return;
        }
        if !a_sweep.meets(b_sweep, self.wide) {
            return;
        }
        match (na.children, nb.children) {
            (None, None) => {
                let leaves = [na.leaves[0], nb.leaves[0]];
                if !self.flatness.are_flat(self.surface, leaves[0], leaves[1]) {
                    meet(leaves);
                }
            }
            (Some([left, right]), other) if other.is_none() || na.count >= nb.count => {
                push([left, b]);
                push([right, b]);
            }
            (_, Some([left, right])) => {
                push([a, left]);
                push([a, right]);
            }
            (Some(_), None) => unreachable!("a node with children and a leaf were seen above"),
        }
    }
}
