//! Features of a collider in a tree of boxes, at both ends of its motion in a step.

use parry3d_f64::math::Pose;

use super::Feature;
use crate::sim::{Real, Vec3};

/// Most features of a leaf.
const LEAF: usize = 4;

/// Bounding boxes at the start and at the end of a motion [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::sim::contact) struct Span {
    low: [Vec3; 2],
    high: [Vec3; 2],
}

impl Span {
    pub const EMPTY: Self = Self { low: [Vec3::INFINITY; 2], high: [Vec3::NEG_INFINITY; 2] };

    /// Extended by a point that moves from `x` to `y` [m].
    #[inline]
    pub fn with(self, x: Vec3, y: Vec3) -> Self {
        let [a, b] = self.low;
        let [c, d] = self.high;
        Self { low: [a.min(x), b.min(y)], high: [c.max(x), d.max(y)] }
    }

    #[inline]
    pub fn join(self, other: &Self) -> Self {
        let low = [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])];
        let high = [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])];
        Self { low, high }
    }

    fn loosened(self, by: Real) -> Self {
        Self { low: self.low.map(|x| x - by), high: self.high.map(|x| x + by) }
    }

    /// Whether the two may come closer than `near` [m] along every axis.
    #[inline]
    pub fn meets(&self, other: &Self, near: Real) -> bool {
        let above = (self.low[0] - other.high[0]).min(self.low[1] - other.high[1]);
        let below = (other.low[0] - self.high[0]).min(other.low[1] - self.high[1]);
        above.max(below).max_element() <= near
    }
}

impl Span {
    /// Axes and sides along which a point that moves from `x` to `y` [m] stays farther than `near`
    /// [m] from this: a bit each. A common bit of several points also separates everything between
    /// them.
    #[inline]
    pub fn sides(&self, x: Vec3, y: Vec3, near: Real) -> u32 {
        let above = (x - self.high[0]).min(y - self.high[1]).cmpgt(Vec3::splat(near));
        let below = (self.low[0] - x).min(self.low[1] - y).cmpgt(Vec3::splat(near));
        above.bitmask() | below.bitmask() << 3
    }
}

/// A node: its features, and its second child if it is no leaf; the first is the next node.
#[derive(Debug, Clone, Copy)]
pub(in crate::sim::contact) struct Node {
    pub features: [u32; 2],
    pub second: Option<u32>,
}

impl Node {
    /// Number of its features.
    pub fn count(&self) -> u32 {
        self.features[1] - self.features[0]
    }
}

/// The tree.
#[derive(Debug, Default)]
pub(in crate::sim::contact) struct FeatureTree {
    /// Features in the frame of the collider; those of a node are consecutive.
    pub features: Vec<Feature>,
    pub nodes: Vec<Node>,
    /// Boxes of every node, and of every feature.
    pub node_spans: Vec<Span>,
    pub spans: Vec<Span>,
    /// Ends of every feature at the start and at the end of the step [m].
    pub ends: Vec<[[Vec3; 2]; 2]>,
    places: Option<[Pose; 2]>,
}

impl FeatureTree {
    /// Builds the tree of these features.
    pub fn new(mut features: Vec<Feature>) -> Self {
        let mut nodes = Vec::new();
        if !features.is_empty() {
            split(&mut features, 0, &mut nodes);
        }
        let (spans, node_spans) = (vec![Span::EMPTY; features.len()], vec![Span::EMPTY; nodes.len()]);
        let ends = features.iter().map(|feature| [feature.ends; 2]).collect();
        Self { features, nodes, node_spans, spans, ends, places: None }
    }

    /// Moves the features to the poses of the collider at the start and at the end of a step; its
    /// points deviate from straight paths by at most `swing` [m].
    pub fn place(&mut self, places: [Pose; 2], swing: Real) {
        if self.places.replace(places) == Some(places) {
            return;
        }
        for ((feature, ends), span) in self.features.iter().zip(&mut self.ends).zip(&mut self.spans) {
            *ends = places.map(|place| feature.ends.map(|end| place.transform_point(end)));
            let [from, to] = *ends;
            let both = Span::EMPTY.with(from[0], to[0]).with(from[1], to[1]);
            *span = both.loosened(feature.radius + swing);
        }
        for (at, node) in self.nodes.iter().enumerate().rev() {
            self.node_spans[at] = match node.second {
                Some(second) => self.node_spans[at + 1].join(&self.node_spans[second as usize]),
                None => {
                    let [first, end] = node.features.map(|k| k as usize);
                    self.spans[first..end].iter().fold(Span::EMPTY, Span::join)
                }
            };
        }
    }
}

/// Appends the node over some features, numbered from `first`, and all below it.
fn split(features: &mut [Feature], first: u32, nodes: &mut Vec<Node>) {
    let at = nodes.len();
    let count = features.len();
    nodes.push(Node { features: [first, first + count as u32], second: None });
    if count <= LEAF {
        return;
    }
    let middle = |feature: &Feature| feature.ends[0] + feature.ends[1];
    let low = features.iter().map(middle).fold(Vec3::INFINITY, Vec3::min);
    let high = features.iter().map(middle).fold(Vec3::NEG_INFINITY, Vec3::max);
    let axis = (high - low).max_position();
    let half = count / 2;
    // at equal heights in the order of listing
    features.sort_by(|a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
    let (left, right) = features.split_at_mut(half);
    split(left, first, nodes);
    nodes[at].second = Some(nodes.len() as u32);
    split(right, first + half as u32, nodes);
}
