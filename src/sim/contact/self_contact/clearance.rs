//! How far leaves of the cloth are from the surfaces of colliders, kept from step to step.
//!
//! Where a leaf was measured, its corners may go as far as it was from a surface, less what a search looks for, until a search can find
//! anything there. As long as they have not, it is left out. What is left out has no pair and no triangle that the search would have found,
//! so that these distances are never seen in its result.

use std::sync::Arc;

use parry3d_f64::math::Pose;

use super::barrier::Barrier;
use super::distance::{edge_edge, vertex_triangle};
use super::neighbourhoods::range;
use super::part::{Bounds, Part};
use super::surface::Surface;
use crate::sim::contact::mesh_tree::{Leaf as MeshLeaf, MeshTree, Node};
use crate::sim::math::Mat3;
use crate::sim::{Real, Vec3};

/// How far is measured at first: as a share of the mean length of an edge at rest, in thicknesses of the collider and in ways of a step, whichever is
/// the most.
const OF_EDGE: Real = 0.25;
const OF_THICKNESS: Real = 1.0;
const STEPS: Real = 4.0;
/// Where nothing is found, so many times as far is looked, twice.
const FARTHER: Real = 4.0;
/// What is near is measured anew when a corner has gone that share of what is measured at first.
const AGAIN: Real = 0.25;

/// What distances are true of.
#[derive(Debug, Clone)]
struct Key {
    tree: Arc<MeshTree>,
    /// Where the surface stands, if it does not move.
    place: Option<Pose>,
    revision: Option<u64>,
    /// What a search looks for at most [m].
    room: Real,
}

/// How far a leaf may go from where it was measured [m].
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// Until a search can find something.
    free: Real,
    /// Until it is measured anew; not less than that.
    lasting: Real,
}

/// The distances of some leaves from one surface.
#[derive(Debug, Default)]
pub(super) struct Kept {
    key: Option<Key>,
    /// Where the corners of the leaves were measured [m]: in the frame of a surface that moves.
    places: Vec<Vec3>,
    ways: Vec<Way>,
}

/// A surface in a step, as distances from it are kept.
#[derive(Debug)]
pub(super) struct Frame {
    key: Key,
    /// Where it is at the start [m].
    start: Pose,
    thickness: Real,
    /// From the world to the surface at both ends of the step, if it moves.
    local: Option<[(Mat3, Vec3); 2]>,
}

impl Frame {
    /// Of searches that look for what is nearer than `room` [m] at most.
    pub fn new(barrier: &Barrier, surface: &Surface, room: Real) -> Self {
        let [from, to] = barrier.places;
        let still = from == to;
        let inverse = |place: Pose| (Mat3::from_quat(place.rotation.inverse()), place.translation);
        let key =
            Key { tree: Arc::clone(&barrier.tree), place: still.then_some(from), revision: surface.revision(), room };
        let local = (!still).then(|| [inverse(from), inverse(to)]);
        Self { key, start: from, thickness: barrier.thickness, local }
    }

    /// Where a point of the cloth is at both ends of the step [m].
    #[inline(always)]
    fn places(&self, x: Vec3, y: Vec3) -> [Vec3; 2] {
        match &self.local {
            None => [x, y],
            Some([(a, p), (b, q)]) => [*a * (x - *p), *b * (y - *q)],
        }
    }
}

impl Kept {
    /// Forgets what is not true of this step, for `leaves` with so many `corners`.
    pub fn prepare(&mut self, frame: &Frame, leaves: usize, corners: usize) {
        let is_same = |key: &Key| {
            let Key { tree, place, revision, room } = &frame.key;
            Arc::ptr_eq(&key.tree, tree) && (&key.place, &key.revision) == (place, revision) && key.room == *room
        };
        if !self.key.as_ref().is_some_and(is_same) || self.ways.len() != leaves {
            self.key = Some(frame.key.clone());
            self.ways.clear();
            self.ways.resize(leaves, Way { free: -1.0, lasting: -1.0 });
            self.places.clear();
            self.places.resize(corners, Vec3::ZERO);
        }
    }

    /// Whether leaf `number` of these, whose corners begin at place `first` in all of theirs, is so far from the surface in a motion that
    /// nothing can be found. It is measured if that is not known.
    pub fn is_far(
        &mut self,
        frame: &Frame,
        (surface, leaf): (&Surface, usize),
        (number, first): (usize, usize),
        [x, y]: [&[Vec3]; 2],
        stack: &mut Vec<u32>,
    ) -> bool {
        let corners = surface.corners.row(leaf);
        let places = &mut self.places[first..first + corners.len()];
        let (mut gone, mut step, mut sum): (Real, Real, Real) = (0.0, 0.0, 0.0);
        for (place, &vertex) in places.iter().zip(corners) {
            let [from, to] = frame.places(x[vertex as usize], y[vertex as usize]);
            let own = from.distance(to);
            step = step.max(own);
            gone = gone.max(from.distance(*place) + own);
            sum += from.distance(*place) + own;
        }
        let way = &mut self.ways[number];
        if !sum.is_finite() {
            return false;
        }
        if gone <= way.lasting {
            return gone <= way.free;
        }
        for (place, &vertex) in places.iter_mut().zip(corners) {
            *place = frame.places(x[vertex as usize], x[vertex as usize])[0];
        }
        let least = (OF_EDGE * surface.edge_length).max(OF_THICKNESS * frame.thickness).max(STEPS * step);
        let part = Part::new(surface, leaf, [x, x], [frame.start; 2]);
        let mut free = 0.0;
        for reach in [least, FARTHER * least, FARTHER * FARTHER * least] {
            free = Measure { surface, part: &part, tree: &frame.key.tree }.free(frame.key.room, reach, stack);
            if free < reach {
                break;
            }
        }
        // less what rounding may take away
        free = free * (1.0 - 1e-6) - 1e-11 * (frame.key.tree.size() + part.size());
        *way = Way { free, lasting: free.max(AGAIN * least) };
        step <= free
    }
}

/// A leaf of the cloth that stands still beside a surface.
struct Measure<'a> {
    surface: &'a Surface,
    part: &'a Part<'a>,
    tree: &'a MeshTree,
}

impl Measure<'_> {
    /// How far its corners may go until a search for what is nearer than `room` can find something, `reach` at most [m].
    fn free(&self, room: Real, reach: Real, stack: &mut Vec<u32>) -> Real {
        // how far is free is told while the tree is descended, and limits how far is looked
        let free = std::cell::Cell::new(reach);
        let enters = |node: &Node| free.get() > 0.0 && self.part.meets(node.low, node.high, room + free.get());
        self.tree.descend(stack, enters, |leaf| free.set(self.beside(leaf, room, free.get())));
        free.get()
    }

    /// Likewise beside one leaf of the surface.
    fn beside(&self, other: &MeshLeaf, room: Real, mut free: Real) -> Real {
        let Self { surface, part, tree } = *self;
        let at = |corner: u32| tree.points[corner as usize];
        let triangles = &surface.triangles[range(part.leaf.triangles)];
        let start = |triangle: [u32; 3]| part.of(triangle).map(|[x, _]| x);
        for &corners in &tree.triangles[range(other.triangles)] {
            let points = corners.map(at);
            let bounds = Bounds::of(points.into_iter());
            if !part.meets(bounds.low, bounds.high, room + free) {
                continue;
            }
            let [a, b, c] = points;
            for &vertex in &surface.vertices[range(part.leaf.vertices)] {
                let [[x, _]] = part.of([vertex]);
                if bounds.meets(x, x, room + free) {
                    free = free.min(vertex_triangle(&[x, a, b, c]).distance() - room);
                }
            }
            for &triangle in triangles {
                let own = start(triangle);
                let around = Bounds::of(own.into_iter());
                if bounds.meets(around.low, around.high, free) {
                    free = free.min(gap_along(own, points).max(gap_along(points, own)));
                }
            }
        }
        for &corner in &tree.corners[range(other.corners)] {
            let p = at(corner);
            if part.meets(p, p, room + free) {
                for &triangle in triangles {
                    let [a, b, c] = start(triangle);
                    if Bounds::of([a, b, c].into_iter()).meets(p, p, room + free) {
                        free = free.min(vertex_triangle(&[p, a, b, c]).distance() - room);
                    }
                }
            }
        }
        for &ends in &tree.edges[range(other.edges)] {
            let [p, q] = ends.map(at);
            let bounds = Bounds::of([p, q].into_iter());
            if part.meets(bounds.low, bounds.high, room + free) {
                for &edge in &surface.edges[range(part.leaf.edges)] {
                    let [a, b] = part.of(edge).map(|[x, _]| x);
                    let around = Bounds::of([a, b].into_iter());
                    if bounds.meets(around.low, around.high, room + free) {
                        free = free.min(edge_edge(&[a, b, p, q]).distance() - room);
                    }
                }
            }
        }
        free
    }
}

/// How far a triangle is from the plane of another, if it is on one side of it: negative where it is on both [m].
fn gap_along([a, b, c]: [Vec3; 3], other: [Vec3; 3]) -> Real {
    let Some(normal) = (b - a).cross(c - a).try_normalize() else { return -1.0 };
    let heights = other.map(|x| (x - a).dot(normal));
    let low = heights[0].min(heights[1]).min(heights[2]);
    let high = heights[0].max(heights[1]).max(heights[2]);
    low.max(-high)
}
