//! Flat parts of a cloth at rest, for the curvature culling of [`Flatness`](super::flatness).
//!
//! A component that is flat at rest has coordinates in its plane ([`Chart`]). A rectangle there is
//! *whole* if no boundary of the cloth lies inside it and the cloth covers it once: then the
//! straight line between any two of its points runs through connected triangles.

use glam::DVec2;

use super::chart::{Chart, OFF_PLANE};
use crate::sim::Real;
use crate::sim::contact::bvh::{Leaf, Node, range};
use crate::sim::math::csr::Csr;

/// Component of nodes with none, with several, or with one that is not flat.
const NONE: u32 = u32::MAX;

/// A rectangle in the plane of a component [m].
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rectangle {
    component: u32,
    low: DVec2,
    high: DVec2,
}

impl Rectangle {
    const EMPTY: Self = Self { component: NONE, low: DVec2::INFINITY, high: DVec2::NEG_INFINITY };

    fn join(&self, other: &Self) -> Self {
        let component = if self.component == other.component { self.component } else { NONE };
        Self { component, low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn grown(&self, by: Real) -> Self {
        Self { low: self.low - by, high: self.high + by, ..*self }
    }

    /// The rectangle without its margin.
    fn inside(&self) -> Self {
        self.grown(-OFF_PLANE * (self.high - self.low).max_element())
    }

    fn meets(&self, other: &Self) -> bool {
        self.component == other.component && self.low.cmplt(other.high).all() && other.low.cmplt(self.high).all()
    }

    fn contains(&self, other: &Self) -> bool {
        self.component == other.component && self.low.cmple(other.low).all() && other.high.cmple(self.high).all()
    }

    /// Whether a part of the segment from `a` to `b` lies in it.
    fn cuts(&self, a: DVec2, b: DVec2) -> bool {
        let (mut from, mut to): (Real, Real) = (0.0, 1.0);
        for axis in 0..2 {
            let (start, along) = (a[axis], b[axis] - a[axis]);
            let (low, high) = (self.low[axis] - start, self.high[axis] - start);
            if along == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
                continue;
            }
            let (enter, leave) = if along > 0.0 { (low / along, high / along) } else { (high / along, low / along) };
            (from, to) = (from.max(enter), to.min(leave));
        }
        from <= to
    }
}

/// A rectangle of the cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Patch {
    /// Whether it is whole.
    pub whole: bool,
    /// Least height of the triangles that cover it [m]: at rest, parts without a common vertex are
    /// at least this far apart.
    pub height: Real,
}

/// Rectangles of the nodes of a [`ContactSurface`](super::ContactSurface).
#[derive(Debug, Clone, Default)]
pub(super) struct Charts {
    /// Inverse of the matrix of the first two sides of each triangle in the plane, by columns
    /// [1/m]; zeros for a component that is not flat.
    pub inverses: Vec<[f32; 4]>,
    pub nodes: Vec<Patch>,
    /// Leaves of other nodes that cover the rectangle of a node.
    pub beside: Csr<u32>,
}

/// The triangles of a surface, with its tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'a> {
    pub triangles: &'a [[u32; 3]],
    pub nodes: &'a [Node],
    pub leaves: &'a [Leaf],
}

/// Data of the nodes of a tree.
struct Tree<'a> {
    parts: Parts<'a>,
    chart: &'a Chart,
    rim: &'a Csr<[u32; 2]>,
    /// Rectangle of each node.
    rectangles: Vec<Rectangle>,
    /// Whether a node contains boundary.
    has_rim: Vec<bool>,
}

impl Charts {
    /// Rectangles of a surface, with the boundary edges of each leaf.
    pub fn new(parts: Parts, chart: &Chart, rim: &Csr<[u32; 2]>) -> Self {
        let flat = |corners: &[u32; 3]| chart.is_flat(corners[0]);
        let (mut charts, mut leaves) = (Self::default(), Vec::with_capacity(parts.leaves.len()));
        let mut heights = Vec::with_capacity(parts.triangles.len());
        for corners in parts.triangles {
            let [a, b, c] = corners.map(|vertex| chart.in_plane(vertex));
            let (u, v) = (b - a, c - a);
            let area = u.perp_dot(v);
            let known = flat(corners) && area > 0.0;
            charts.inverses.push(if known { [v.y, -u.y, -v.x, u.x].map(|of| (of / area) as f32) } else { [0.0; 4] });
            heights.push(if known { area / u.length().max(v.length()).max(u.distance(v)) } else { 0.0 });
        }
        for leaf in parts.leaves {
            let mut sum: Option<Rectangle> = None;
            for corners in &parts.triangles[range(leaf.triangles)] {
                let component = if flat(corners) { chart.component(corners[0]) } else { NONE };
                for vertex in corners {
                    let at = chart.in_plane(*vertex);
                    let point = Rectangle { component, low: at, high: at };
                    sum = Some(sum.map_or(point, |sum| sum.join(&point)));
                }
            }
            leaves.push(sum.unwrap_or(Rectangle::EMPTY));
        }
        let mut rectangles = vec![Rectangle::EMPTY; parts.nodes.len()];
        let mut has_rim = vec![false; parts.nodes.len()];
        for (at, node) in parts.nodes.iter().enumerate().rev() {
            (rectangles[at], has_rim[at]) = match node.children(at) {
                None => (leaves[node.leaves[0] as usize], !rim.row(node.leaves[0] as usize).is_empty()),
                Some([left, right]) => (rectangles[left].join(&rectangles[right]), has_rim[left] || has_rim[right]),
            };
        }
        let tree = Tree { parts, chart, rim, rectangles, has_rim };
        let leaf_height = |leaf: u32| {
            let own = range(parts.leaves[leaf as usize].triangles);
            heights[own].iter().copied().fold(Real::INFINITY, Real::min)
        };
        let mut beside = Vec::new();
        for (at, node) in parts.nodes.iter().enumerate() {
            let whole = tree.is_whole(&tree.rectangles[at], node.leaves, &mut beside);
            let height = (node.leaves[0]..node.leaves[1]).chain(beside.iter().copied()).map(leaf_height);
            let height = if whole { height.fold(Real::INFINITY, Real::min) } else { 0.0 };
            charts.nodes.push(Patch { whole, height });
            charts.beside.push(if whole { &beside[..] } else { &[] }.iter().copied());
        }
        charts
    }
}

impl Tree<'_> {
    /// Whether a rectangle is whole. Collects the leaves that cover it, except the `own`.
    fn is_whole(&self, rectangle: &Rectangle, own: [u32; 2], beside: &mut Vec<u32>) -> bool {
        beside.clear();
        rectangle.component != NONE
            && self.is_free_of_rims(0, &rectangle.inside(), own, beside)
            && [DVec2::new(0.46, 0.53), DVec2::new(0.57, 0.41), DVec2::new(0.38, 0.61)].iter().any(|share| {
                let at = rectangle.low + (rectangle.high - rectangle.low) * *share;
                self.cover(0, &Rectangle { low: at, high: at, ..*rectangle }) == 1
            })
    }

    fn is_free_of_rims(&self, at: usize, inside: &Rectangle, own: [u32; 2], beside: &mut Vec<u32>) -> bool {
        let node = &self.parts.nodes[at];
        let is_own = node.leaves[0] >= own[0] && node.leaves[1] <= own[1];
        if !self.meets(at, inside) || (is_own && !self.has_rim[at]) {
            return true;
        }
        if let Some(children) = node.children(at) {
            return children.iter().all(|&child| self.is_free_of_rims(child, inside, own, beside));
        }
        if !is_own {
            beside.push(node.leaves[0]);
        }
        let ends = |edge: &[u32; 2]| edge.map(|vertex| self.chart.in_plane(vertex));
        let of_component = |edge: &&[u32; 2]| self.chart.component(edge[0]) == inside.component;
        let mut rim = self.rim.row(node.leaves[0] as usize).iter().filter(of_component).map(ends);
        !rim.any(|[a, b]| inside.cuts(a, b))
    }

    /// Whether a node may contain part of a rectangle; a node with several components may.
    fn meets(&self, at: usize, inside: &Rectangle) -> bool {
        let own = &self.rectangles[at];
        let component = if own.component == NONE { inside.component } else { own.component };
        Rectangle { component, ..*own }.meets(inside)
    }

    /// Number of triangles of its component that cover a point, boundaries included.
    fn cover(&self, at: usize, point: &Rectangle) -> usize {
        let node = &self.parts.nodes[at];
        let own = &self.rectangles[at];
        let component = if own.component == NONE { point.component } else { own.component };
        if !(Rectangle { component, ..*own }).contains(point) {
            return 0;
        }
        if let Some(children) = node.children(at) {
            return children.iter().map(|&child| self.cover(child, point)).sum();
        }
        let p = point.low;
        let covers = |corners: &&[u32; 3]| {
            let [a, b, c] = corners.map(|vertex| self.chart.in_plane(vertex));
            let area = (b - a).perp_dot(c - a);
            let inside = |a: DVec2, b: DVec2| (b - a).perp_dot(p - a) >= -1e-9 * area;
            self.chart.component(corners[0]) == point.component && inside(a, b) && inside(b, c) && inside(c, a)
        };
        self.parts.triangles[range(self.parts.leaves[node.leaves[0] as usize].triangles)].iter().filter(covers).count()
    }
}
