//! Search for pairs of the cloth and collision meshes: every leaf of the cloth near a mesh descends
//! the tree of the mesh.

use super::clearance::Clearances;
use super::pairs::{CollisionMesh, MeshFrameLeaf, MeshPair};
use crate::sim::contact::aabb::Aabb;
use crate::sim::contact::bvh::share;
use crate::sim::contact::cloth::surface::ContactSurface;
use crate::sim::contact::exact::triangles_meet;
use crate::sim::{Real, Vec3};

/// Tasks of a search.
pub(super) const TASKS: usize = 32;

/// Result and memory of a task.
#[derive(Debug, Default)]
pub(super) struct Task {
    /// Pairs, each with the number of its mesh.
    pub found: Vec<(u32, MeshPair)>,
    /// Mesh and triangle of the cloth that intersect at the start.
    pub crossing: Vec<[u32; 2]>,
    stack: Vec<u32>,
    /// Known clearances between leaves and each mesh.
    clearances: Vec<Clearances>,
}

/// Input of a search.
pub(super) struct Search<'a> {
    pub meshes: &'a [CollisionMesh],
    /// Number of meshes whose intersections with the cloth are known.
    pub known: usize,
    pub surface: &'a ContactSurface,
    pub motion: [&'a [Vec3]; 2],
    pub changed: &'a [bool],
    pub room: Real,
    /// Most pairs of a task.
    pub most: usize,
    /// Whether pairs with a vertex of the cloth are left out.
    pub inner: bool,
}

impl Search<'_> {
    /// Searches the leaves of task `number`.
    pub fn run(&self, number: usize, task: &mut Task) {
        let Self { meshes, known, surface, motion, changed, room, most, .. } = *self;
        task.found.clear();
        task.crossing.clear();
        let leaves = share(surface.leaves.len(), number, TASKS);
        if leaves.is_empty() {
            return;
        }
        let first = surface.corners.range(leaves.start).start;
        let corners = surface.corners.range(leaves.end - 1).end - first;
        for of in meshes {
            let number = of.number as usize;
            task.clearances.resize_with(task.clearances.len().max(number + 1), Clearances::default);
            task.clearances[number].prepare(of, surface, room, [leaves.len(), corners]);
        }
        for leaf in leaves.clone() {
            let corners = surface.corners.row(leaf);
            let is_asked = corners.iter().any(|&vertex| changed[vertex as usize]);
            if !is_asked && known == meshes.len() {
                continue;
            }
            let ends = corners.iter().flat_map(|&vertex| motion.map(|x| x[vertex as usize]));
            let around = Aabb::of(ends);
            let place = (leaf - leaves.start, surface.corners.range(leaf).start - first);
            for (mesh, of) in meshes.iter().enumerate() {
                let Task { found, clearances, stack, .. } = &mut *task;
                if (is_asked || mesh >= known)
                    && found.len() <= most
                    && around.meets(&of.bounds, room)
                    && !clearances[of.number as usize].is_far(of, (surface, leaf), place, motion, stack)
                {
                    self.descend(leaf, mesh, task);
                }
            }
        }
    }

    /// Finds the pairs of a leaf and a mesh.
    fn descend(&self, leaf: usize, mesh: usize, task: &mut Task) {
        let Self { meshes, known, surface, motion, changed, room, .. } = *self;
        let CollisionMesh { tree, poses, .. } = &meshes[mesh];
        let leaf = MeshFrameLeaf::new(surface, leaf, motion, *poses);
        // the margin covers rounding
        let near = room * (1.0 + 1e-6) + 1e-12 * tree.size();
        let Task { found, crossing, stack, .. } = task;
        let enters = |around: &Aabb| leaf.meets(around, near);
        tree.descend(stack, enters, |other| {
            let visit = |of: MeshPair| {
                let MeshPair { pair, motion: [x, y], .. } = &of;
                let own = of.of_cloth();
                // beside a mesh that is new, the vertices that have not changed count as well
                if (mesh >= known || own.iter().any(|&vertex| changed[vertex as usize]))
                    && !pair.is_parted(x, y, room)
                    && !pair.is_out_of_reach(x, y, room)
                {
                    found.push((mesh as u32, of));
                }
            };
            if self.inner {
                leaf.inner_pairs(tree, other, || near, visit);
            } else {
                leaf.pairs(tree, other, || near, visit);
            }
            if mesh >= known {
                let cross = |number: usize, [own, points]: [_; 2]| {
                    if triangles_meet(own, points) {
                        crossing.push([mesh as u32, number as u32]);
                    }
                };
                leaf.triangle_pairs(tree, other, || 0.0, cross);
            }
        });
    }
}
