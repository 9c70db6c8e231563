//! Islands: vertices connected by held pairs (union-find), and the common motion of each.
//!
//! A common displacement of all vertices of a pair changes no difference of positions and needs no
//! truncation. So the planes of an island move with it: with the mean motion of its vertices,
//! weighted by mass; with the mean of its prescribed vertices, if it has any; beside a collision
//! mesh with the mesh, which turns them as well.

use crate::sim::contact::cloth::meshes::MeshMotion;
use crate::sim::math::union_find::UnionFind;
use crate::sim::{Real, Vec3};

/// Islands of vertices, with memory.
#[derive(Debug, Default)]
pub(super) struct Islands {
    sets: UnionFind,
    /// Per root: sums of mass and of mass times motion of movable vertices, number and sum of
    /// motions of the others.
    sums: Vec<(Real, Vec3, u32, Vec3)>,
    /// Whether an island is rigid, per root.
    rigid: Vec<bool>,
    /// Rigid motion beside a collision mesh, per root.
    mesh_motions: Vec<Option<MeshMotion>>,
    /// Whether an island lies beside two meshes of different motion.
    torn: bool,
}

impl Islands {
    /// Starts without pairs.
    pub fn clear(&mut self, vertices: usize) {
        self.sets.reset(vertices);
        self.rigid.clear();
        self.rigid.resize(vertices, false);
        self.mesh_motions.clear();
        self.mesh_motions.resize(vertices, None);
        self.torn = false;
    }

    /// Joins the islands of the vertices of a pair. Mesh points are in no island, but their motion
    /// becomes that of the island.
    pub fn join(&mut self, vertices: [u32; 4], mesh_motion: Option<MeshMotion>) {
        let count = self.sets.len();
        let mut own = vertices.into_iter().filter(|&vertex| (vertex as usize) < count);
        let Some(first) = own.next() else { return };
        self.set_mesh_motion(first, mesh_motion);
        for other in own {
            let [root, joined] = self.sets.join(first, other);
            self.rigid[root as usize] |= self.rigid[joined as usize];
            self.set_mesh_motion(root, self.mesh_motions[joined as usize]);
        }
    }

    fn set_mesh_motion(&mut self, vertex: u32, mesh_motion: Option<MeshMotion>) {
        let root = self.sets.root(vertex) as usize;
        self.torn |= mesh_motion.is_some() && self.mesh_motions[root].is_some_and(|own| Some(own) != mesh_motion);
        self.mesh_motions[root] = self.mesh_motions[root].or(mesh_motion);
    }

    /// Whether an island lies beside two meshes of different motion, so that it cannot follow both.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// Makes the island of `vertex` rigid.
    pub fn stiffen(&mut self, vertex: u32) {
        let root = self.sets.root(vertex);
        self.rigid[root as usize] = true;
    }

    /// Measures the motion of the islands when vertices go from `x` to `y` [m]; `inverse_masses`
    /// are 0 for vertices that cannot be moved [1/kg].
    pub fn measure(&mut self, x: &[Vec3], y: &[Vec3], inverse_masses: &[Real]) {
        self.sums.clear();
        self.sums.resize(x.len(), (0.0, Vec3::ZERO, 0, Vec3::ZERO));
        self.sets.settle();
        for i in 0..x.len() {
            let (motion, inverse) = (y[i] - x[i], inverse_masses[i]);
            let sum = &mut self.sums[self.sets.known_root(i as u32) as usize];
            if inverse > 0.0 {
                *sum = (sum.0 + 1.0 / inverse, sum.1 + motion / inverse, sum.2, sum.3);
            } else {
                *sum = (sum.0, sum.1, sum.2 + 1, sum.3 + motion);
            }
        }
    }

    /// Rigid motion of the island of vertex `i`, if it is beside a collision mesh.
    pub fn mesh_motion(&self, i: usize) -> Option<MeshMotion> {
        self.mesh_motions[self.sets.known_root(i as u32) as usize]
    }

    /// Motion of the island of vertex `i` [m], and whether it is rigid.
    pub fn motion(&self, i: usize) -> (Vec3, bool) {
        let root = self.sets.known_root(i as u32) as usize;
        let (mass, sum, fixed, of_fixed) = self.sums[root];
        (if fixed > 0 { of_fixed / Real::from(fixed) } else { sum / mass }, self.rigid[root])
    }
}
