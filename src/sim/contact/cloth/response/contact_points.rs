//! Contact points of colliders and the cloth between its vertices.
//!
//! The features of a collider tell at which point of a triangle or an edge it may come too near.
//! There the collider is queried as exactly as for a vertex. If a part of the cloth passes a
//! feature in the step, the contact point is the point of passing.

use super::row::{Plane, RECOVERY, RECOVERY_SPEED};
use crate::sim::contact::aabb::Swept;
use crate::sim::contact::bvh::{self, range, share};
use crate::sim::contact::cloth::nearness::Crossing;
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::contact::cloth::surface::Surface;
use crate::sim::contact::colliders::Collider;
use crate::sim::contact::colliders::Solid;
use crate::sim::contact::colliders::{FeatureTree, SHARE, features_of};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Pattern, Real, Vec3};

/// Reach of contact points as a multiple of the distance to be kept: pushing one brings others
/// closer.
const REACH: Real = 1.5;
/// Tasks of a search.
const TASKS: usize = 32;

/// A contact point of the cloth near a collider.
#[derive(Debug, Clone, Copy)]
pub(in crate::sim::contact::cloth) struct ContactPoint {
    /// Vertices of the point with their weights; an edge has its second vertex twice.
    pub vertices: [u32; 3],
    pub weights: [Real; 3],
    /// Numbers of the solid and of its feature.
    pub solid: u32,
    pub feature: u32,
    /// The tangent plane of the collider at the distance to be kept; sliding is measured from the
    /// position to which the collider has carried the point from its start.
    pub(super) plane: Plane,
    /// Height above the plane at the end of the step [m], at least zero.
    pub gap: Real,
}

impl ContactPoint {
    /// The point, with vertices at `positions` [m].
    pub fn point(&self, positions: &[Vec3]) -> Vec3 {
        self.vertices.iter().zip(self.weights).map(|(&vertex, weight)| positions[vertex as usize] * weight).sum()
    }

    /// Its identity.
    pub fn key(&self) -> ([u32; 3], [u32; 2]) {
        (self.vertices, [self.solid, self.feature])
    }
}

/// Features of all solids, and the search, with its memory.
#[derive(Debug, Default)]
pub(in crate::sim::contact::cloth) struct FeatureSearch {
    /// Pattern and solids that the features are listed for.
    pattern: Option<u64>,
    revision: u64,
    /// Longest edge at rest that they are listed for [m].
    length: Real,
    trees: Vec<FeatureTree>,
    leaves: Vec<Swept>,
    nodes: Vec<Swept>,
    /// Leaves of the cloth near features of a solid.
    meetings: Vec<[u32; 3]>,
    stack: Vec<[u32; 2]>,
    found: Vec<Vec<ContactPoint>>,
}

/// A motion in a step of `dt` [s].
#[derive(Clone, Copy)]
pub(in crate::sim::contact::cloth) struct Step<'a> {
    /// Positions at the start and at the end [m].
    pub motion: [&'a [Vec3]; 2],
    /// Its length [s].
    pub dt: Real,
}
impl FeatureSearch {
    /// Lists the features of solids for a `pattern`, unless they are listed. Another `revision`
    /// means other solids. Returns whether there are any.
    pub fn prepare(&mut self, (colliders, solids, revision): (&[Collider], &[Solid], u64), pattern: &Pattern) -> bool {
        let is_other = self.pattern != Some(pattern.revision());
        if is_other {
            self.pattern = Some(pattern.revision());
            let rest = pattern.rest_positions();
            let length = |i: u32, j: u32| rest[i as usize].distance(rest[j as usize]);
            let sides = pattern.triangles().iter().flat_map(|&[a, b, c]| [length(a, b), length(b, c), length(c, a)]);
            self.length = sides.fold(0.0, Real::max);
        }
        if is_other || self.revision != revision || self.trees.len() != solids.len() {
            self.revision = revision;
            let tree = |(collider, solid): (&Collider, &Solid)| {
                FeatureTree::new(features_of(&collider.shape, self.length, &solid.surface))
            };
            self.trees = colliders.iter().zip(solids).map(tree).collect();
        }
        solids.iter().zip(&self.trees).any(|(solid, tree)| solid.has_edges() && !tree.features.is_empty())
    }

    /// Finds the contact points of a cloth near solids, by rising keys.
    pub fn find(
        &mut self,
        solids: &[Solid],
        surface: &Surface,
        step: &Step,
        points: &mut Vec<ContactPoint>,
        pool: &ThreadPool,
    ) {
        points.clear();
        self.meet(solids, surface, step, pool);
        let Self { trees, meetings, found, .. } = self;
        let meetings = &meetings[..];
        if !meetings.is_empty() {
            found.resize_with(TASKS, Vec::new);
            let trees = &trees[..];
            pool.update(found, 1, |task, found| {
                found.clear();
                for &[leaf, solid, feature] in &meetings[share(meetings.len(), task, TASKS)] {
                    let at = solid as usize;
                    let meeting =
                        Meeting { surface, step, solid: &solids[at], tree: &trees[at], number: solid, feature };
                    meeting.points(leaf as usize, found);
                }
            });
            found.iter().for_each(|found| points.extend_from_slice(found));
        }
        points.sort_by_key(ContactPoint::key);
    }

    /// Finds the leaves of the cloth that come near features.
    fn meet(&mut self, solids: &[Solid], surface: &Surface, step: &Step, pool: &ThreadPool) {
        let Self { trees, leaves, nodes, meetings, stack, .. } = self;
        meetings.clear();
        let [x, y] = step.motion;
        let has_features = |(solid, tree): (&Solid, &FeatureTree)| solid.has_edges() && !tree.features.is_empty();
        if surface.nodes.is_empty() {
            return;
        }
        let all = x.iter().zip(y).fold(Swept::<Vec3>::EMPTY, |all, (x, y)| all.with(*x, *y));
        let mut are_fit = false;
        for (number, (solid, tree)) in solids.iter().zip(trees).enumerate() {
            let near = REACH * SHARE * solid.surface.thickness;
            if !has_features((solid, tree)) || !solid.span().meets(&all, near) {
                continue;
            }
            tree.place(solid.places(), solid.swing());
            if !tree.node_spans[0].meets(&all, near) {
                continue;
            }
            if !std::mem::replace(&mut are_fit, true) {
                refit(surface, step, leaves, nodes, pool);
            }
            stack.clear();
            stack.push([0, 0]);
            while let Some([a, b]) = stack.pop() {
                if !nodes[a as usize].meets(&tree.node_spans[b as usize], near) {
                    continue;
                }
                if let Some(below) = bvh::pairs_below([&surface.nodes, &tree.nodes], [a, b]) {
                    stack.extend(below);
                    continue;
                }
                let leaf = surface.nodes[a as usize].leaves[0];
                for feature in range(tree.nodes[b as usize].items) {
                    if nodes[a as usize].meets(&tree.spans[feature], near) {
                        meetings.push([leaf, number as u32, feature as u32]);
                    }
                }
            }
        }
    }
}

/// Updates the boxes of leaves and nodes for a motion.
fn refit(surface: &Surface, step: &Step, leaves: &mut Vec<Swept>, nodes: &mut Vec<Swept>, pool: &ThreadPool) {
    /// Leaves per task.
    const LEAVES: usize = 64;
    let [x, y] = step.motion;
    leaves.resize(surface.leaves.len(), Swept::EMPTY);
    nodes.resize(surface.nodes.len(), Swept::EMPTY);
    pool.fill(leaves, LEAVES, |i| {
        let corners = surface.corners.row(i).iter().map(|&vertex| vertex as usize);
        corners.fold(Swept::<Vec3>::EMPTY, |span, vertex| span.with(x[vertex], y[vertex]))
    });
    bvh::refit(&surface.nodes, nodes, |node| leaves[node.leaves[0] as usize], Swept::join);
}

/// A point of the cloth and the nearest point of a feature, at the end of a step.
struct Closest {
    /// Weights of the vertices of the cloth.
    weights: [Real; 3],
    /// Unit vector from the feature to the cloth across both, at the start of the step.
    normal: Option<Vec3>,
    /// Whether it passes in the step.
    passes: bool,
    /// Point of the feature [m].
    of_feature: Vec3,
}

/// Weights of the closest points of a pair at the end of a motion [m], or where its parts pass each
/// other; the unit normal at the end, on the side of the start; and whether they pass.
fn closest(pair: &Pair, [x, y]: &[[Vec3; 4]; 2]) -> ([Real; 4], Option<Vec3>, bool) {
    let crossing = Crossing::of(pair, x, y);
    let normal = pair.across(y).try_normalize().map(|normal| normal * pair.side(x).signum());
    let passes = crossing.is_some();
    (crossing.map_or_else(|| pair.closest(y).weights, |crossing| crossing.weights), normal, passes)
}

/// A feature and a leaf of the cloth.
struct Meeting<'a> {
    surface: &'a Surface,
    step: &'a Step<'a>,
    solid: &'a Solid,
    tree: &'a FeatureTree,
    number: u32,
    feature: u32,
}

impl Meeting<'_> {
    /// Adds the contact points of a leaf.
    fn points(&self, leaf: usize, found: &mut Vec<ContactPoint>) {
        let Self { surface, step: Step { motion: [x, y], .. }, solid, tree, feature, .. } = *self;
        let near = REACH * SHARE * solid.surface.thickness;
        let span = &tree.spans[feature as usize];
        let leaf = &surface.leaves[leaf];
        let is_near = |vertices: &[u32]| {
            let mut sides = u32::MAX;
            vertices.iter().any(|&vertex| {
                sides &= span.sides(x[vertex as usize], y[vertex as usize], near);
                sides == 0
            })
        };
        let is_point = tree.features[feature as usize].is_point();
        for &[a, b] in &surface.edges[range(leaf.edges)] {
            if is_near(&[a, b]) {
                let closest = if is_point { self.edge_and_point([a, b]) } else { self.edge_and_edge([a, b]) };
                found.extend(closest.and_then(|closest| self.touch([a, b, b], &closest)));
            }
        }
        for corners in surface.triangles[range(leaf.triangles)].iter().filter(|corners| is_point && is_near(*corners)) {
            found.extend(self.triangle_and_point(*corners).and_then(|closest| self.touch(*corners, &closest)));
        }
    }

    /// Positions of some vertices and of the ends of the feature, at the start and at the end of
    /// the step [m].
    fn places<const N: usize>(&self, vertices: [u32; N]) -> [([Vec3; N], [Vec3; 2]); 2] {
        let [from, to] = self.tree.ends[self.feature as usize];
        let [x, y] = self.step.motion;
        [(vertices.map(|vertex| x[vertex as usize]), from), (vertices.map(|vertex| y[vertex as usize]), to)]
    }

    /// The point inside a triangle that is nearest to a corner feature, or passes it in the step.
    /// Points on the boundary belong to edges.
    fn triangle_and_point(&self, corners: [u32; 3]) -> Option<Closest> {
        let motion = self.places(corners).map(|([a, b, c], [p, _])| [p, a, b, c]);
        let ([_, u, v, w], normal, passes) = closest(&Pair { vertices: [0; 4], first: 1 }, &motion);
        let (normal, of_feature) = (normal.map(|normal| -normal), motion[1][0]);
        (u < 0.0 && v < 0.0 && w < 0.0).then_some(Closest { weights: [-u, -v, -w], normal, passes, of_feature })
    }

    /// The point inside an edge that is nearest to an edge feature, or passes it in the step. Ends
    /// belong to other pairs.
    fn edge_and_edge(&self, ends: [u32; 2]) -> Option<Closest> {
        let motion = self.places(ends).map(|([a, b], [c, d])| [a, b, c, d]);
        let (weights, normal, passes) = closest(&Pair { vertices: [0; 4], first: 2 }, &motion);
        let [u, v, p, q] = weights;
        let of_feature = motion[1][2] * -p + motion[1][3] * -q;
        (!weights.contains(&0.0)).then_some(Closest { weights: [u, v, 0.0], normal, passes, of_feature })
    }

    /// The point inside an edge that is nearest to a corner feature.
    fn edge_and_point(&self, ends: [u32; 2]) -> Option<Closest> {
        let [_, ([a, b], [p, _])] = self.places(ends);
        let along = b - a;
        let share = (p - a).dot(along) / along.length_squared();
        let weights = [1.0 - share, share, 0.0];
        (share > 0.0 && share < 1.0).then_some(Closest { weights, normal: None, passes: false, of_feature: p })
    }

    /// The contact point of a part of the cloth, if it is near.
    fn touch(&self, vertices: [u32; 3], closest: &Closest) -> Option<ContactPoint> {
        let Self { step, solid, tree, number, feature, .. } = *self;
        let Closest { weights, of_feature, .. } = *closest;
        let at = |x: &[Vec3]| -> Vec3 { vertices.iter().zip(weights).map(|(&i, w)| x[i as usize] * w).sum() };
        let [from, to] = step.motion.map(at);
        let keep = SHARE * solid.surface.thickness;
        // vertices that start inside are pushed out first
        let starts_inside = |&vertex: &u32| {
            solid.nearest_at_start(step.motion[0][vertex as usize]).is_some_and(|surface| surface.distance < 0.0)
        };
        if vertices.iter().any(starts_inside) {
            return None;
        }
        let met = solid.meet(from, to)?;
        let (mut distance, mut normal) = (met.distance, met.normal);
        let at_start = solid.nearest_at_start(from).map_or(keep, |surface| surface.distance);
        if at_start > 0.0 && (distance < 0.0 || met.entered || closest.passes) {
            // it has passed the feature, and goes back over it
            let way = of_feature - to;
            let across = closest.normal.or_else(|| way.try_normalize());
            if let Some(across) = across {
                (distance, normal) = (-way.dot(across) - tree.features[feature as usize].radius, across);
            }
        }
        if distance > REACH * keep {
            return None;
        }
        let at_start = at_start.min(keep);
        let target = at_start + (RECOVERY * (keep - at_start)).min(RECOVERY_SPEED * step.dt);
        let height = normal.dot(to) + target - distance;
        let plane = Plane { normal, height, start: solid.carried(from), friction: solid.surface.friction };
        Some(ContactPoint { vertices, weights, solid: number, feature, plane, gap: (distance - keep).max(0.0) })
    }
}
