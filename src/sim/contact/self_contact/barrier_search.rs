//! Pairs of cloth and collision meshes that may meet in a motion: every leaf of the cloth near a
//! mesh descends the tree of the mesh, in the frame of the mesh.

use super::barrier::Barrier;
use super::clearance::{Frame, Kept};
use super::neighbourhoods::range;
use super::pair::Pair;
use super::part::{Bounds, Part};
use super::surface::Surface;
use crate::sim::contact::exact::triangles_meet;
use crate::sim::contact::mesh_tree::{Leaf as MeshLeaf, MeshTree, Node};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Real, Vec3};

/// Tasks of a search.
const TASKS: usize = 32;

/// Which part of a pair belongs to the cloth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OfCloth {
    First,
    Second,
}

impl OfCloth {
    pub const fn is_first(self) -> bool {
        matches!(self, Self::First)
    }
}

/// A pair of a part of the cloth and a part of a collision mesh.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Vertices of the cloth and points of the mesh.
    pub pair: Pair,
    pub barrier: u32,
    pub of_cloth: OfCloth,
}

/// Result of a task.
#[derive(Debug, Default)]
pub(super) struct Task {
    pub found: Vec<Found>,
    /// Collision mesh and triangle of the cloth that intersect at the start.
    pub crossing: Vec<[u32; 2]>,
    stack: Vec<u32>,
    /// Known clearance between leaves and meshes.
    kept: Vec<Kept>,
}

/// A search, with its memory.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub tasks: Vec<Task>,
    frames: Vec<Frame>,
}

impl Leaves {
    /// Finds the pairs with a vertex in `asked` that are not parted by `room` [m] in a motion, and
    /// the triangles of the cloth that intersect a mesh at its start. No search uses more than the
    /// second `room`. A task ends after more than `most` pairs.
    #[expect(clippy::too_many_arguments, reason = "what a search depends on")]
    pub fn find(
        &mut self,
        barriers: &[Barrier],
        surface: &Surface,
        motion: [&[Vec3]; 2],
        [room, most_room]: [Real; 2],
        asked: &[bool],
        most: usize,
        pool: &ThreadPool,
    ) {
        let Self { tasks, frames } = self;
        tasks.resize_with(TASKS, Task::default);
        frames.clear();
        frames.extend(barriers.iter().map(|barrier| Frame::new(barrier, surface, most_room)));
        let (count, frames) = (surface.leaves.len(), &frames[..]);
        pool.update(tasks, 1, |number, task| {
            task.found.clear();
            task.crossing.clear();
            let at = |k: usize| k * count / TASKS;
            let leaves = at(number)..at(number + 1);
            if leaves.is_empty() {
                return;
            }
            let first = surface.corners.range(leaves.start).start;
            let corners = surface.corners.range(leaves.end - 1).end - first;
            for (frame, of) in frames.iter().zip(barriers) {
                let number = of.number as usize;
                task.kept.resize_with(task.kept.len().max(number + 1), Kept::default);
                task.kept[number].prepare(frame, leaves.len(), corners);
            }
            for leaf in leaves.clone() {
                let corners = surface.corners.row(leaf);
                if !corners.iter().any(|&vertex| asked[vertex as usize]) {
                    continue;
                }
                let [x, y] = motion;
                let mut around = Bounds { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
                for &vertex in corners {
                    let (x, y) = (x[vertex as usize], y[vertex as usize]);
                    around.low = around.low.min(x.min(y));
                    around.high = around.high.max(x.max(y));
                }
                for ((barrier, of), frame) in (0..).zip(barriers).zip(frames) {
                    if around.meets(of.low, of.high, room) && task.found.len() <= most {
                        let place = (leaf - leaves.start, surface.corners.range(leaf).start - first);
                        let Task { kept, stack, .. } = &mut *task;
                        if kept[of.number as usize].is_far(frame, (surface, leaf), place, motion, stack) {
                            continue;
                        }
                        let part = Part::new(surface, leaf, motion, of.places);
                        let visit = Visit { surface, part: &part, tree: &of.tree, barrier, room, asked };
                        visit.descend(task);
                    }
                }
            }
        });
    }
}

/// A leaf of the cloth near a collision mesh.
struct Visit<'a> {
    surface: &'a Surface,
    part: &'a Part<'a>,
    tree: &'a MeshTree,
    barrier: u32,
    room: Real,
    asked: &'a [bool],
}

impl Visit<'_> {
    fn descend(&self, task: &mut Task) {
        // the margin covers rounding
        let near = self.room * (1.0 + 1e-6) + 1e-12 * self.tree.size();
        let Task { found, crossing, stack, .. } = task;
        let enters = |node: &Node| self.part.meets(node.low, node.high, near);
        self.tree.descend(stack, enters, |leaf| self.meet(leaf, near, found, crossing));
    }

    fn meet(&self, other: &MeshLeaf, near: Real, found: &mut Vec<Found>, crossing: &mut Vec<[u32; 2]>) {
        let Self { surface, part, tree, .. } = *self;
        let at = |corner: u32| tree.points[corner as usize];
        let triangles = &surface.triangles[range(part.leaf.triangles)];
        for &corners in &tree.triangles[range(other.triangles)] {
            let points = corners.map(at);
            let bounds = Bounds::of(points.into_iter());
            if !part.meets(bounds.low, bounds.high, near) {
                continue;
            }
            for &vertex in &surface.vertices[range(part.leaf.vertices)] {
                let [[x, y]] = part.of([vertex]);
                if Bounds::of([x, y].into_iter()).meets(bounds.low, bounds.high, near) {
                    let [a, b, c] = points;
                    self.take(
                        Pair::vertex_triangle(vertex, corners),
                        OfCloth::First,
                        [[x, a, b, c], [y, a, b, c]],
                        found,
                    );
                }
            }
            for (own, &triangle) in range(part.leaf.triangles).zip(triangles) {
                let start = part.of(triangle).map(|[x, _]| x);
                if Bounds::of(start.into_iter()).meets(bounds.low, bounds.high, 0.0) && triangles_meet(start, points) {
                    crossing.push([self.barrier, own as u32]);
                }
            }
        }
        for &corner in &tree.corners[range(other.corners)] {
            let p = at(corner);
            if !part.meets(p, p, near) {
                continue;
            }
            for &triangle in triangles {
                let ways = part.of(triangle);
                if Bounds::of(ways.into_iter().flatten()).meets(p, p, near) {
                    let [[a, d], [b, e], [c, f]] = ways;
                    self.take(
                        Pair::vertex_triangle(corner, triangle),
                        OfCloth::Second,
                        [[p, a, b, c], [p, d, e, f]],
                        found,
                    );
                }
            }
        }
        for &ends in &tree.edges[range(other.edges)] {
            let [p, q] = ends.map(at);
            let bounds = Bounds::of([p, q].into_iter());
            if !part.meets(bounds.low, bounds.high, near) {
                continue;
            }
            for &edge in &surface.edges[range(part.leaf.edges)] {
                let ways = part.of(edge);
                if Bounds::of(ways.into_iter().flatten()).meets(bounds.low, bounds.high, near) {
                    let [[a, c], [b, d]] = ways;
                    self.take(Pair::edge_edge(edge, ends), OfCloth::First, [[a, b, p, q], [c, d, p, q]], found);
                }
            }
        }
    }

    #[inline]
    fn take(&self, pair: Pair, of_cloth: OfCloth, [x, y]: [[Vec3; 4]; 2], found: &mut Vec<Found>) {
        let own = if of_cloth.is_first() { &pair.vertices[..usize::from(pair.first)] } else { &pair.vertices[1..] };
        if own.iter().any(|&vertex| self.asked[vertex as usize])
            && !pair.is_parted(&x, &y, self.room)
            && !pair.is_out_of_reach(&x, &y, self.room)
        {
            found.push(Found { pair, barrier: self.barrier, of_cloth });
        }
    }
}

/// The parts of a cloth that are excluded from contact with a mesh, because all their triangles
/// intersect it.
#[derive(Debug, Default)]
pub(super) struct Seen {
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

impl Seen {
    /// Classifies a cloth of which the triangles with these numbers intersect a mesh. Triangles
    /// beside them that lie inside a closed mesh are excluded as well: `holds` says which vertices
    /// are inside. Returns whether anything is excluded.
    pub fn look(
        &mut self,
        surface: &Surface,
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

    /// Whether a part of the cloth is excluded: the vertices of a pair that are not `u32::MAX`.
    pub fn is_let_go(&self, of_cloth: &[u32; 4]) -> bool {
        let Self { crossing, inside, outside, kept } = self;
        if crossing.is_empty() {
            return false;
        }
        let mut part = of_cloth.iter().copied().filter(|vertex| *vertex != u32::MAX);
        match [part.next(), part.next(), part.next()] {
            [Some(vertex), None, _] => inside[vertex as usize] && !outside[vertex as usize],
            [Some(a), Some(b), None] => {
                let crosses = |triangle: &[u32; 3]| triangle.contains(&a) && triangle.contains(&b);
                kept.binary_search(&[a.min(b), a.max(b)]).is_err() && crossing.iter().any(crosses)
            }
            [Some(a), Some(b), Some(c)] => crossing.binary_search(&rising([a, b, c])).is_ok(),
            _ => false,
        }
    }
}
