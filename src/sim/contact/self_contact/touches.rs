//! Where colliders touch a cloth between its vertices.
//!
//! The features of a collider say at which point of a triangle or an edge of the cloth it may come too near. What it does to that point is
//! asked as exactly as for a vertex. A part of the cloth that passes a feature in the step is met at the point where it passes.

use super::nearness::{Crossing, changes_sides, closest, side};
use super::neighbourhoods::range;
use super::pair::Pair;
use super::surface::Surface;
use crate::sim::contact::collider::Collider;
use crate::sim::contact::features::{FeatureTree, SHARE, Span, features_of};
use crate::sim::contact::solid::Solid;
use crate::sim::exec::team::Team;
use crate::sim::{Pattern, Real, Vec3};

/// How many times the distance to be kept those points are off the surface that are looked at: pushing one brings others closer.
const REACH: Real = 1.5;
/// Tasks into which a search is divided.
const TASKS: usize = 32;
/// Share of a lack of distance that a step makes up for, and the fastest [m/s]: all at once would throw the cloth off.
const RECOVERY: Real = 0.2;
const RECOVERY_SPEED: Real = 0.05;

/// A point of the cloth that is near a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touch {
    /// The vertices whose point it is, with their weights; an edge has its second vertex twice.
    pub vertices: [u32; 3],
    pub weights: [Real; 3],
    /// The solid and the number of its feature.
    pub solid: u32,
    pub feature: u32,
    /// Outward unit normal of the collider.
    pub normal: Vec3,
    /// How high along it the point is to be [m].
    pub height: Real,
    /// Where the collider has carried the point from its place at the start of the step [m].
    pub start: Vec3,
    /// The distance to be kept from the surface [m].
    pub keep: Real,
    /// How far it is beyond that [m].
    pub gap: Real,
    /// Coulomb friction.
    pub friction: Real,
}

impl Touch {
    /// Where the point is, with the vertices at `positions` [m].
    pub fn point(&self, positions: &[Vec3]) -> Vec3 {
        self.vertices.iter().zip(self.weights).map(|(&vertex, weight)| positions[vertex as usize] * weight).sum()
    }

    /// What tells it from others.
    pub fn key(&self) -> ([u32; 3], [u32; 2]) {
        (self.vertices, [self.solid, self.feature])
    }
}

/// The features of all solids, and the search, with its memory.
#[derive(Debug, Default)]
pub(super) struct FeatureSearch {
    /// The pattern, and the solids that they are listed for.
    pattern: Option<u64>,
    revision: u64,
    /// Longest edge at rest that they are listed for [m].
    length: Real,
    trees: Vec<FeatureTree>,
    leaves: Vec<Span>,
    nodes: Vec<Span>,
    /// Leaves of the cloth that meet features of a solid.
    meetings: Vec<[u32; 3]>,
    stack: Vec<[u32; 2]>,
    found: Vec<Vec<Touch>>,
}

/// A motion in a step of `dt` [s].
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    /// Positions at its start and at its end [m].
    pub motion: [&'a [Vec3]; 2],
    /// Its length [s].
    pub dt: Real,
}
impl FeatureSearch {
    /// Lists the features of solids for a cloth of a `pattern`, if they are not listed. Another `revision` tells that the solids are others. Returns
    /// whether there are any.
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

    /// Finds the points of a cloth that are near solids, by rising keys.
    pub fn find(&mut self, solids: &[Solid], surface: &Surface, step: &Step, touches: &mut Vec<Touch>, team: &Team) {
        touches.clear();
        self.meet(solids, surface, step, team);
        let Self { trees, meetings, found, .. } = self;
        let meetings = &meetings[..];
        if !meetings.is_empty() {
            found.resize_with(TASKS, Vec::new);
            let trees = &trees[..];
            team.update(found, 1, |task, found| {
                found.clear();
                let at = |k: usize| k * meetings.len() / TASKS;
                for &[leaf, solid, feature] in &meetings[at(task)..at(task + 1)] {
                    let at = solid as usize;
                    let meeting =
                        Meeting { surface, step, solid: &solids[at], tree: &trees[at], number: solid, feature };
                    meeting.touches(leaf as usize, found);
                }
            });
            found.iter().for_each(|found| touches.extend_from_slice(found));
        }
        touches.sort_by_key(Touch::key);
    }

    /// Finds the leaves of the cloth that come near features.
    fn meet(&mut self, solids: &[Solid], surface: &Surface, step: &Step, team: &Team) {
        let Self { trees, leaves, nodes, meetings, stack, .. } = self;
        meetings.clear();
        let [x, y] = step.motion;
        let has_features = |(solid, tree): (&Solid, &FeatureTree)| solid.has_edges() && !tree.features.is_empty();
        if surface.nodes.is_empty() {
            return;
        }
        let all = x.iter().zip(y).fold(Span::EMPTY, |all, (x, y)| all.with(*x, *y));
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
                refit(surface, step, leaves, nodes, team);
            }
            stack.clear();
            stack.push([0, 0]);
            while let Some([a, b]) = stack.pop() {
                if !nodes[a as usize].meets(&tree.node_spans[b as usize], near) {
                    continue;
                }
                let (node, other) = (&surface.nodes[a as usize], &tree.nodes[b as usize]);
                match (node.children, other.second) {
                    (Some([left, right]), second) if second.is_none() || node.count >= other.count() => {
                        stack.extend([[right, b], [left, b]]);
                    }
                    (_, Some(second)) => stack.extend([[a, second], [a, b + 1]]),
                    _ => {
                        for feature in other.features[0]..other.features[1] {
                            if nodes[a as usize].meets(&tree.spans[feature as usize], near) {
                                meetings.push([node.leaves[0], number as u32, feature]);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Takes the boxes of the leaves and nodes of a cloth in a motion.
fn refit(surface: &Surface, step: &Step, leaves: &mut Vec<Span>, nodes: &mut Vec<Span>, team: &Team) {
    /// Leaves that a thread takes at a time.
    const LEAVES: usize = 64;
    let [x, y] = step.motion;
    leaves.resize(surface.leaves.len(), Span::EMPTY);
    nodes.resize(surface.nodes.len(), Span::EMPTY);
    team.fill(leaves, LEAVES, |i| {
        let corners = surface.corners.row(i).iter().map(|&vertex| vertex as usize);
        corners.fold(Span::EMPTY, |span, vertex| span.with(x[vertex], y[vertex]))
    });
    for (at, node) in surface.nodes.iter().enumerate().rev() {
        nodes[at] = match node.children {
            None => leaves[node.leaves[0] as usize],
            Some([left, right]) => nodes[left as usize].join(&nodes[right as usize]),
        };
    }
}

/// A point of the cloth, and that of a feature which is nearest to it, at the end of a step.
struct Closest {
    /// Weights of the vertices of the cloth.
    weights: [Real; 3],
    /// From the feature to the cloth, as it was at the start of the step, across both.
    normal: Option<Vec3>,
    /// Whether it passes in the step.
    passes: bool,
    /// [m]
    of_feature: Vec3,
}

/// A feature with the cloth.
struct Meeting<'a> {
    surface: &'a Surface,
    step: &'a Step<'a>,
    solid: &'a Solid,
    tree: &'a FeatureTree,
    number: u32,
    feature: u32,
}

impl Meeting<'_> {
    /// Finds the points of a leaf that are near.
    fn touches(&self, leaf: usize, found: &mut Vec<Touch>) {
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

    /// The corners of some vertices of the cloth and the ends of the feature, at the start and at the end of the step [m].
    fn places<const N: usize>(&self, vertices: [u32; N]) -> [([Vec3; N], [Vec3; 2]); 2] {
        let [from, to] = self.tree.ends[self.feature as usize];
        let [x, y] = self.step.motion;
        [(vertices.map(|vertex| x[vertex as usize]), from), (vertices.map(|vertex| y[vertex as usize]), to)]
    }

    /// The point inside a triangle of the cloth that is nearest to the feature, a point, or passes it in the step. At the rim of the triangle
    /// others have it as well.
    fn triangle_and_point(&self, corners: [u32; 3]) -> Option<Closest> {
        let pair = Pair { vertices: [0; 4], first: 1 };
        let [x, y] = self.places(corners).map(|([a, b, c], [p, _])| [p, a, b, c]);
        let passes = changes_sides(&pair, &x, &y);
        let crossing = if passes { Crossing::of(&pair, &x, &y) } else { None };
        let passes = crossing.is_some();
        let [_, u, v, w] = crossing.map_or_else(|| closest(&pair, &y).weights, |crossing| crossing.weights);
        let normal = (y[2] - y[1]).cross(y[3] - y[1]).try_normalize().map(|normal| -normal * side(&pair, &x).signum());
        (u < 0.0 && v < 0.0 && w < 0.0).then_some(Closest { weights: [-u, -v, -w], normal, passes, of_feature: y[0] })
    }

    /// The point inside an edge of the cloth that is nearest to the feature, an edge, or passes it in the step. At the ends of either others have it
    /// as well.
    fn edge_and_edge(&self, ends: [u32; 2]) -> Option<Closest> {
        let pair = Pair { vertices: [0; 4], first: 2 };
        let [x, y] = self.places(ends).map(|([a, b], [c, d])| [a, b, c, d]);
        let passes = changes_sides(&pair, &x, &y);
        let crossing = if passes { Crossing::of(&pair, &x, &y) } else { None };
        let passes = crossing.is_some();
        let weights = crossing.map_or_else(|| closest(&pair, &y).weights, |crossing| crossing.weights);
        let [u, v, p, q] = weights;
        let normal = (y[1] - y[0]).cross(y[3] - y[2]).try_normalize().map(|normal| normal * side(&pair, &x).signum());
        let of_feature = y[2] * -p + y[3] * -q;
        (!weights.contains(&0.0)).then_some(Closest { weights: [u, v, 0.0], normal, passes, of_feature })
    }

    /// The point inside an edge of the cloth that is nearest to the feature, a point.
    fn edge_and_point(&self, ends: [u32; 2]) -> Option<Closest> {
        let [_, ([a, b], [p, _])] = self.places(ends);
        let along = b - a;
        let share = (p - a).dot(along) / along.length_squared();
        let weights = [1.0 - share, share, 0.0];
        (share > 0.0 && share < 1.0).then_some(Closest { weights, normal: None, passes: false, of_feature: p })
    }

    /// What the solid does to a point of the cloth, if it is near.
    fn touch(&self, vertices: [u32; 3], closest: &Closest) -> Option<Touch> {
        let Self { step, solid, tree, number, feature, .. } = *self;
        let Closest { weights, of_feature, .. } = *closest;
        let at = |x: &[Vec3]| -> Vec3 { vertices.iter().zip(weights).map(|(&i, w)| x[i as usize] * w).sum() };
        let [from, to] = step.motion.map(at);
        let keep = SHARE * solid.surface.thickness;
        // what starts inside is pushed out vertex by vertex first
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
        let (start, friction) = (solid.carried(from), solid.surface.friction);
        let gap = (distance - keep).max(0.0);
        Some(Touch { vertices, weights, solid: number, feature, normal, height, start, keep, gap, friction })
    }
}
