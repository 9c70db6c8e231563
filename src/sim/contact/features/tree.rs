//! Features of a collider in a tree of boxes, at both ends of its motion in a step.

use parry3d_f64::math::Pose;

use super::Feature;
use crate::sim::contact::aabb::Swept;
use crate::sim::contact::bvh::{self, Node, range};
use crate::sim::{Real, Vec3};

/// Most features of a leaf.
const LEAF: usize = 4;

/// The tree.
#[derive(Debug, Default)]
pub(in crate::sim::contact) struct FeatureTree {
    /// Features in the frame of the collider; those of a node are consecutive.
    pub features: Vec<Feature>,
    pub nodes: Vec<Node>,
    /// Boxes of every node, and of every feature.
    pub node_spans: Vec<Swept>,
    pub spans: Vec<Swept>,
    /// Ends of every feature at the start and at the end of the step [m].
    pub ends: Vec<[[Vec3; 2]; 2]>,
    places: Option<[Pose; 2]>,
}

impl FeatureTree {
    /// Builds the tree of these features.
    pub fn new(mut features: Vec<Feature>) -> Self {
        let mut nodes = Vec::new();
        bvh::build(&mut nodes, &mut features, LEAF, |own| {
            let middle = |feature: &Feature| feature.ends[0] + feature.ends[1];
            let axis = bvh::longest_axis(own.iter().map(middle));
            // at equal heights in the order of listing
            own.sort_by(|a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
            own.len() / 2
        });
        let (spans, node_spans) = (vec![Swept::EMPTY; features.len()], vec![Swept::EMPTY; nodes.len()]);
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
            let both = Swept::<Vec3>::EMPTY.with(from[0], to[0]).with(from[1], to[1]);
            *span = both.loosened(feature.radius + swing);
        }
        let around = |leaf: &Node| self.spans[range(leaf.items)].iter().fold(Swept::EMPTY, |all, own| all.join(own));
        bvh::refit(&self.nodes, &mut self.node_spans, around, Swept::join);
    }
}
