//! Clearance spheres: distances between leaves of the cloth and collision meshes, kept from step to
//! step.
//!
//! Around the place where a leaf was measured, its corners may move by the clearance, less the room
//! of a search, before a search can find anything there. Until then the leaf is skipped. A skipped
//! leaf has no pair and no triangle that the search would find, so clearances never show in its
//! result.

use std::sync::Arc;

use parry3d_f64::math::Pose;

use super::pairs::{CollisionMesh, MeshFrameLeaf};
use crate::sim::contact::aabb::Aabb;
use crate::sim::contact::cloth::surface::ContactSurface;
use crate::sim::contact::colliders::MeshTree;
use crate::sim::{Real, Vec3};

/// The radius of the first measurement is this share of the mean edge length at rest, the thickness
/// of the collider, or this many displacements of a step, whichever is largest. It grows by the
/// factor while nothing is found, twice, and a near leaf is measured again after its corners moved
/// by that share of it.
const FACTOR: Real = 4.0;

/// Conditions under which clearances are valid.
#[derive(Debug, Clone)]
struct Key {
    tree: Arc<MeshTree>,
    /// Pose of the mesh, if it does not move.
    place: Option<Pose>,
    revision: Option<u64>,
    /// Room of a search [m].
    room: Real,
}

/// How far the corners of a leaf may move from the place of measurement [m].
#[derive(Debug, Clone, Copy, Default)]
struct Clearance {
    /// Before a search can find anything.
    free: Real,
    /// Before it is measured again; at least `free`.
    lasting: Real,
}

/// Clearances between some leaves and one mesh.
#[derive(Debug, Default)]
pub(super) struct Clearances {
    key: Option<Key>,
    /// Where the corners of the leaves were measured [m]: in the frame of a moving mesh.
    places: Vec<Vec3>,
    leaves: Vec<Clearance>,
}

impl Clearances {
    /// Drops invalid clearances at the start of a step, for so many leaves and corners, beside a
    /// mesh and for searches with this `room` [m].
    pub fn prepare(
        &mut self,
        mesh: &CollisionMesh,
        surface: &ContactSurface,
        room: Real,
        [leaves, corners]: [usize; 2],
    ) {
        let (place, revision) = ((!mesh.moves()).then_some(mesh.poses[0]), surface.revision());
        let is_same = |key: &Key| {
            Arc::ptr_eq(&key.tree, &mesh.tree) && (key.place, key.revision, key.room) == (place, revision, room)
        };
        if !self.key.as_ref().is_some_and(is_same) || self.leaves.len() != leaves {
            self.key = Some(Key { tree: Arc::clone(&mesh.tree), place, revision, room });
            self.leaves.clear();
            self.leaves.resize(leaves, Clearance { free: -1.0, lasting: -1.0 });
            self.places.clear();
            self.places.resize(corners, Vec3::ZERO);
        }
    }

    /// Whether leaf `number`, whose corners begin at place `first`, is so far from the mesh in a
    /// motion that a search finds nothing there. It is measured if that is unknown.
    pub fn is_far(
        &mut self,
        mesh: &CollisionMesh,
        (surface, leaf): (&ContactSurface, usize),
        (number, first): (usize, usize),
        [x, y]: [&[Vec3]; 2],
        stack: &mut Vec<u32>,
    ) -> bool {
        let corners = surface.corners.row(leaf);
        let places = &mut self.places[first..first + corners.len()];
        let (Some(Key { room, .. }), moves) = (&self.key, mesh.moves()) else { return false };
        let local = |x: Vec3, y: Vec3| if moves { mesh.local(x, y) } else { [x, y] };
        let (mut gone, mut step, mut sum): (Real, Real, Real) = (0.0, 0.0, 0.0);
        for (place, &vertex) in places.iter().zip(corners) {
            let [from, to] = local(x[vertex as usize], y[vertex as usize]);
            let own = from.distance(to);
            step = step.max(own);
            gone = gone.max(from.distance(*place) + own);
            sum += from.distance(*place) + own;
        }
        let known = &mut self.leaves[number];
        if !sum.is_finite() {
            return false;
        }
        if gone <= known.lasting {
            return gone <= known.free;
        }
        for (place, &vertex) in places.iter_mut().zip(corners) {
            *place = local(x[vertex as usize], x[vertex as usize])[0];
        }
        let least = (surface.edge_length / FACTOR).max(mesh.thickness).max(FACTOR * step);
        let part = MeshFrameLeaf::new(surface, leaf, [x, x], [mesh.poses[0]; 2]);
        let mut free = 0.0;
        for reach in [least, FACTOR * least, FACTOR * FACTOR * least] {
            free = measure(&part, &mesh.tree, *room, reach, stack);
            if free < reach {
                break;
            }
        }
        // less the rounding error
        free = free * (1.0 - 1e-6) - 1e-11 * (mesh.tree.size() + part.size());
        *known = Clearance { free, lasting: free.max(least / FACTOR) };
        step <= free
    }
}

/// How far the corners of a leaf may move before a search with a given `room` can find anything,
/// `reach` at most [m].
fn measure(leaf: &MeshFrameLeaf, tree: &MeshTree, room: Real, reach: Real, stack: &mut Vec<u32>) -> Real {
    // the clearance found so far limits the descent
    let free = std::cell::Cell::new(reach);
    let shorten = |to: Real| free.set(free.get().min(to));
    let enters = |around: &Aabb| free.get() > 0.0 && leaf.meets(around, room + free.get());
    tree.descend(stack, enters, |other| {
        let near = || room + free.get();
        leaf.pairs(tree, other, near, |of| shorten(of.pair.closest(&of.motion[0]).distance() - room));
        let meets = |_, [own, points]: [_; 2]| shorten(gap_along(own, points).max(gap_along(points, own)));
        leaf.triangle_pairs(tree, other, || free.get(), meets);
    });
    free.get()
}

/// Distance of a triangle from the plane of another [m]; negative if it is on both sides.
fn gap_along([a, b, c]: [Vec3; 3], other: [Vec3; 3]) -> Real {
    let Some(normal) = (b - a).cross(c - a).try_normalize() else { return -1.0 };
    let heights = other.map(|x| (x - a).dot(normal));
    let low = heights[0].min(heights[1]).min(heights[2]);
    let high = heights[0].max(heights[1]).max(heights[2]);
    low.max(-high)
}
