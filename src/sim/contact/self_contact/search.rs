//! Which pairs could meet during a motion: boxes around what each node of the tree of neighbourhoods holds at both ends of the
//! motion, and a descent of the tree against itself.
//!
//! Two nodes need not be looked at when their boxes are apart along one axis, on the same side at both ends: everything moves
//! in straight lines, so the boxes at any time between lie between. Nor need two leaves when they are apart along the normal of one of
//! them in the same way. A motion that all have in common brings nothing nearer.

use glam::Vec3A;

use super::pair::Pair;
use super::surface::{Leaf, Node, Surface};
use crate::sim::exec::team::Team;
use crate::sim::{Real, Vec3};

/// Leaves, and pairs of nodes, that a thread takes at a time.
const LEAVES: usize = 64;
/// Pairs of nodes into which a descent is divided.
const TASKS: usize = 96;

/// The boxes around something at both ends of its motion, in single precision [m], rounded outwards. Both are relative to one vertex of
/// the cloth, so that they say where things are with regard to each other.
#[derive(Debug, Clone, Copy)]
struct Sweep {
    low: [Vec3A; 2],
    high: [Vec3A; 2],
}

impl Sweep {
    const EMPTY: Self = Self { low: [Vec3A::INFINITY; 2], high: [Vec3A::NEG_INFINITY; 2] };

    /// Around a vertex at `x` and `y` [m], relative to the one, with more than enough for rounding.
    fn point(x: Vec3, y: Vec3) -> Self {
        let at = [x.as_vec3a(), y.as_vec3a()];
        let error = at.map(|at| at.abs() * (2.0 * f32::EPSILON) + f32::MIN_POSITIVE);
        Self { low: [at[0] - error[0], at[1] - error[1]], high: [at[0] + error[0], at[1] + error[1]] }
    }

    fn join(&self, other: &Self) -> Self {
        let low = [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])];
        let high = [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])];
        Self { low, high }
    }

    fn around(vertices: &[u32], points: &[Self]) -> Self {
        vertices.iter().fold(Self::EMPTY, |sum, &vertex| sum.join(&points[vertex as usize]))
    }

    /// Whether the two may come closer than `near` [m] along every axis.
    #[inline]
    fn meets(&self, other: &Self, near: Vec3A) -> bool {
        let above = (self.low[0] - other.high[0]).min(self.low[1] - other.high[1]);
        let below = (other.low[0] - self.high[0]).min(other.low[1] - self.high[1]);
        !above.max(below).cmpgt(near).any()
    }
}

/// The normal of a leaf at the start of a motion, and how far the leaf reaches along it at both ends [m].
#[derive(Debug, Clone, Copy)]
struct Plate {
    normal: Vec3,
    low: [Real; 2],
    high: [Real; 2],
}

impl Plate {
    const NONE: Self = Self { normal: Vec3::ZERO, low: [0.0; 2], high: [0.0; 2] };

    /// How far vertices that go from `x` to `y` [m] reach along a `normal`.
    fn of(normal: Vec3, vertices: &[u32], x: &[Vec3], y: &[Vec3]) -> Self {
        let (mut low, mut high) = ([Real::INFINITY; 2], [Real::NEG_INFINITY; 2]);
        for &vertex in vertices {
            let at = [x[vertex as usize].dot(normal), y[vertex as usize].dot(normal)];
            low = [low[0].min(at[0]), low[1].min(at[1])];
            high = [high[0].max(at[0]), high[1].max(at[1])];
        }
        Self { normal, low, high }
    }

    /// Whether other vertices are apart from it along its normal by `near` [m], on the same side at both ends.
    fn is_apart(&self, vertices: &[u32], [x, y]: [&[Vec3]; 2], near: Real) -> bool {
        let other = Self::of(self.normal, vertices, x, y);
        let above = (other.low[0] - self.high[0]).min(other.low[1] - self.high[1]);
        let below = (self.low[0] - other.high[0]).min(self.low[1] - other.high[1]);
        above.max(below) > near
    }
}

/// A descent of the tree, with the memory that it works in.
#[derive(Debug, Default)]
pub(super) struct Search {
    points: Vec<Sweep>,
    triangles: Vec<Sweep>,
    edges: Vec<Sweep>,
    /// Of every node, with whether one of its vertices is asked about.
    nodes: Vec<(Sweep, bool)>,
    leaves: Vec<(Sweep, bool)>,
    plates: Vec<Plate>,
    frontier: Vec<[u32; 2]>,
    tasks: Vec<Task>,
}

/// A part of a descent.
#[derive(Debug, Default)]
struct Task {
    starts: Vec<[u32; 2]>,
    stack: Vec<[u32; 2]>,
    found: Vec<Pair>,
}

impl Search {
    /// Writes to `found` the pairs that may come closer than `near` [m] along every axis while the vertices move in straight lines from `x` to
    /// `y` [m], that contain a vertex for which `asked` holds, and for which `keep` holds. The order depends on the surface alone.
    /// Returns false if there are more than `most`, or too many in one part of the descent; then not all are there.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a simulation, which are borrowed apart from each other"
    )]
    pub fn find(
        &mut self,
        surface: &Surface,
        [x, y]: [&[Vec3]; 2],
        near: Real,
        asked: impl Fn(u32) -> bool + Sync,
        keep: impl Fn(&Pair) -> bool + Sync,
        found: &mut Vec<Pair>,
        most: usize,
        team: &Team,
    ) -> bool {
        found.clear();
        if surface.nodes.is_empty() {
            return true;
        }
        let most_of_task = most.div_ceil(4);
        // a little more than is asked for, so that rounding hides nothing
        let near = near * (1.0 + 1e-6);
        self.refit(surface, [x, y], &asked, team);
        self.divide(surface, near);
        let Self { points, triangles, edges, nodes, plates, tasks, .. } = self;
        let wide = wide(near);
        let descent = Descent { surface, positions: [x, y], points, triangles, edges, nodes, plates, near, wide };
        team.update(tasks, 1, |_, task| {
            let Task { starts, stack, found } = task;
            found.clear();
            for &start in &*starts {
                stack.push(start);
                while let Some([a, b]) = stack.pop() {
                    if !descent.is_worth_it(a, b) {
                        continue;
                    }
                    if !descent.descend(a, b, |pair| stack.push(pair)) {
                        descent.meet(a, b, &asked, |pair| {
                            if found.len() < most_of_task && keep(&pair) {
                                found.push(pair);
                            }
                        });
                        if found.len() >= most_of_task {
                            stack.clear();
                            return;
                        }
                    }
                }
            }
        });
        let mut complete = true;
        for task in &self.tasks {
            complete &= task.found.len() < most_of_task && found.len() + task.found.len() <= most;
            if complete {
                found.extend_from_slice(&task.found);
            }
        }
        complete
    }

    /// Takes the boxes of a motion.
    fn refit(&mut self, surface: &Surface, [x, y]: [&[Vec3]; 2], asked: &(impl Fn(u32) -> bool + Sync), team: &Team) {
        let Self { points, triangles, edges, nodes, leaves, plates, .. } = self;
        let none = (Sweep::EMPTY, false);
        triangles.resize(surface.triangles.len(), Sweep::EMPTY);
        edges.resize(surface.edges.len(), Sweep::EMPTY);
        leaves.resize(surface.leaves.len(), none);
        nodes.resize(surface.nodes.len(), none);
        points.resize(x.len(), Sweep::EMPTY);
        let [from, to] = [x[0], y[0]];
        team.fill(points, 4 * LEAVES, |i| Sweep::point(x[i] - from, y[i] - to));
        let points = &*points;
        team.fill(edges, 4 * LEAVES, |i| Sweep::around(&surface.edges[i], points));
        team.fill(triangles, 4 * LEAVES, |i| Sweep::around(&surface.triangles[i], points));
        let triangles = &*triangles;
        team.fill(leaves, LEAVES, |i| {
            let own = range(surface.leaves[i].triangles);
            let sweep = triangles[own.clone()].iter().fold(Sweep::EMPTY, |sum, sweep| sum.join(sweep));
            (sweep, surface.triangles[own].iter().flatten().any(|&vertex| asked(vertex)))
        });
        plates.resize(surface.leaves.len(), Plate::NONE);
        team.fill(plates, LEAVES, |i| {
            let normal = |&[a, b, c]: &[u32; 3]| {
                let [a, b, c] = [a, b, c].map(|vertex| x[vertex as usize]);
                (b - a).cross(c - a)
            };
            let sum: Vec3 = surface.triangles[range(surface.leaves[i].triangles)].iter().map(normal).sum();
            Plate::of(sum.normalize_or_zero(), surface.corners.row(i), x, y)
        });
        for (at, node) in surface.nodes.iter().enumerate().rev() {
            nodes[at] = match node.children {
                None => leaves[node.leaf as usize],
                Some([left, right]) => {
                    let (left, right) = (nodes[left as usize], nodes[right as usize]);
                    (left.0.join(&right.0), left.1 || right.1)
                }
            };
        }
    }

    /// Divides the descent into parts.
    fn divide(&mut self, surface: &Surface, near: Real) {
        let Self { points, triangles, edges, nodes, plates, frontier, tasks, .. } = self;
        let wide = wide(near);
        let descent = Descent { surface, positions: [&[], &[]], points, triangles, edges, nodes, plates, near, wide };
        frontier.clear();
        frontier.push([0, 0]);
        let mut at = 0;
        // breadth first, so that the parts are of like size
        while at < frontier.len() && frontier.len() - at < 8 * TASKS {
            let [a, b] = frontier[at];
            if descent.is_worth_it(a, b) && !descent.descend(a, b, |pair| frontier.push(pair)) {
                // two leaves wait for their task
                frontier.push([a, b]);
                if frontier[at + 1..].iter().all(|&[a, b]| descent.are_leaves(a, b)) {
                    at += 1;
                    break;
                }
            }
            at += 1;
        }
        tasks.resize_with(TASKS, Task::default);
        for task in &mut *tasks {
            task.starts.clear();
        }
        for (k, &pair) in frontier[at..].iter().enumerate() {
            tasks[k % TASKS].starts.push(pair);
        }
    }
}

/// What a descent reads.
struct Descent<'a> {
    surface: &'a Surface,
    positions: [&'a [Vec3]; 2],
    points: &'a [Sweep],
    triangles: &'a [Sweep],
    edges: &'a [Sweep],
    nodes: &'a [(Sweep, bool)],
    plates: &'a [Plate],
    near: Real,
    /// The same for boxes.
    wide: Vec3A,
}

/// A distance [m], rounded up.
fn wide(near: Real) -> Vec3A {
    Vec3A::splat(near as f32 * (1.0 + 4.0 * f32::EPSILON))
}

impl Descent<'_> {
    fn node(&self, at: u32) -> &Node {
        &self.surface.nodes[at as usize]
    }

    fn are_leaves(&self, a: u32, b: u32) -> bool {
        self.node(a).children.is_none() && self.node(b).children.is_none()
    }

    /// Whether two nodes may hold a pair.
    fn is_worth_it(&self, a: u32, b: u32) -> bool {
        let ((a_sweep, a_asked), (b_sweep, b_asked)) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        (*a_asked || *b_asked) && (a == b || a_sweep.meets(b_sweep, self.wide))
    }

    /// Calls `push` for the pairs of children of two nodes; false when both are leaves.
    fn descend(&self, a: u32, b: u32, mut push: impl FnMut([u32; 2])) -> bool {
        let (na, nb) = (self.node(a), self.node(b));
        match (na.children, nb.children) {
            (None, None) => return false,
            (Some([left, right]), _) if a == b => {
                push([left, left]);
                push([right, right]);
                push([left, right]);
            }
            (Some([left, right]), other) if other.is_none() || na.count >= nb.count => {
                push([left, b]);
                push([right, b]);
            }
            (_, Some([left, right])) => {
                push([a, left]);
                push([a, right]);
            }
            // a leaf and a leaf were seen above; this says so to the compiler
            (Some(_), None) => return false,
        }
        true
    }

    /// Calls `take` for the pairs of two leaves.
    fn meet(&self, a: u32, b: u32, asked: &impl Fn(u32) -> bool, mut take: impl FnMut(Pair)) {
        let number = |at: u32| self.node(at).leaf as usize;
        let is_apart = |a: u32, b: u32| {
            self.plates[number(a)].is_apart(self.surface.corners.row(number(b)), self.positions, self.near)
        };
        if a != b && (is_apart(a, b) || is_apart(b, a)) {
            return;
        }
        let leaf = |at: u32| &self.surface.leaves[number(at)];
        let mut take = |pair: Pair| {
            if pair.vertices.iter().any(|&vertex| asked(vertex)) {
                take(pair);
            }
        };
        self.vertices_and_triangles(leaf(a), leaf(b), b, &mut take);
        if a != b {
            self.vertices_and_triangles(leaf(b), leaf(a), a, &mut take);
        }
        let other = &self.nodes[b as usize].0;
        for i in range(leaf(a).edges) {
            let (sweep, ends) = (&self.edges[i], self.surface.edges[i]);
            if a != b && !sweep.meets(other, self.wide) {
                continue;
            }
            let seconds = if a == b { i + 1..leaf(a).edges[1] as usize } else { range(leaf(b).edges) };
            for j in seconds {
                let others = self.surface.edges[j];
                let apart = || ends.iter().all(|end| !others.contains(end));
                if sweep.meets(&self.edges[j], self.wide) && apart() {
                    // always the same first, whoever asks
                    take(if i < j { Pair::edge_edge(ends, others) } else { Pair::edge_edge(others, ends) });
                }
            }
        }
    }

    fn vertices_and_triangles(&self, of: &Leaf, with: &Leaf, node: u32, take: &mut impl FnMut(Pair)) {
        let surface = self.surface;
        for &vertex in &surface.vertices[range(of.vertices)] {
            let point = &self.points[vertex as usize];
            if !point.meets(&self.nodes[node as usize].0, self.wide) {
                continue;
            }
            for t in range(with.triangles) {
                let corners = surface.triangles[t];
                if !corners.contains(&vertex) && point.meets(&self.triangles[t], self.wide) {
                    take(Pair::vertex_triangle(vertex, corners));
                }
            }
        }
    }
}

fn range([start, end]: [u32; 2]) -> std::ops::Range<usize> {
    start as usize..end as usize
}
