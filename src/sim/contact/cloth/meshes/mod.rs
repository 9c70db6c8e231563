//! Collision meshes: colliders of triangles (meshes, hulls, boxes) that the cloth cannot pass, as
//! it cannot pass itself.
//!
//! A collider moves as a rigid body in a step. In its frame a vertex goes in a straight line from
//! the place where the collider has carried its starting point to its end point, past triangles at
//! rest; so pairs of cloth and mesh are judged as pairs of the cloth are, and their planes stand
//! still.
//!
//! Points of meshes that are in pairs are numbered behind the vertices of the cloth, in the order
//! in which they are found.

mod clearance;
mod excluded;
mod pairs;
mod points;
mod search;

use std::collections::HashMap;
use std::sync::Arc;

use super::MOST_PAIRS;
use super::pair::{Pair, Verdict};
use super::response::ContactPoint;
use super::surface::ContactSurface;
use crate::sim::contact::aabb::Aabb;
use crate::sim::contact::colliders::{Solid, SurfaceSettings};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Real, Vec3};
use excluded::Excluded;
use pairs::{CollisionMesh, MeshPair};
use search::{Search, TASKS, Task};

/// Largest gap beside a collider, as a share of its thickness.
const GAP_OF_THICKNESS: Real = 0.25;

/// The rigid motion of a part of the cloth beside collision meshes: none, or that of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeshMotion {
    Resting,
    Moving(u32),
}

/// The collision meshes of a step, with the pairs of the last search.
#[derive(Debug, Default)]
pub(super) struct CollisionMeshes {
    all: Vec<CollisionMesh>,
    /// Meshes that the cloth may reach in the step, and how many of these are classified.
    near: Vec<CollisionMesh>,
    classified: usize,
    tasks: Vec<Task>,
    pairs: Vec<Pair>,
    /// Mesh and point number of each mesh point in a pair.
    points: Vec<[u32; 2]>,
    numbers: HashMap<[u32; 2], u32>,
    /// Parts of the cloth that are excluded beside each near mesh.
    excluded: Vec<Excluded>,
    stack: Vec<u32>,
    /// Triangles of the cloth that intersect a mesh.
    crossing: Vec<u32>,
    vertices: usize,
    /// True for every vertex.
    changed: Vec<bool>,
    /// Whether the meshes are at the end of their motion.
    is_over: bool,
    /// Numbers of the solids whose motion is given up for the step.
    stopped: Vec<u32>,
}

impl CollisionMeshes {
    /// Sets the collision meshes of a step: those of all `solids`, or of those that keep the cloth
    /// off between its vertices, which have edges up to `length` [m].
    pub fn set(&mut self, solids: &[Solid], length: Real, inner: bool) {
        self.all.clear();
        self.stopped.clear();
        for (number, solid) in (0..).zip(solids) {
            if let Some((tree, radius)) = solid.collision_mesh(length).filter(|_| !inner || solid.has_edges()) {
                let (poses, radius, is_closed) = (solid.places(), *radius, *radius == 0.0 && !solid.is_sheet());
                let SurfaceSettings { thickness, friction, .. } = solid.surface;
                let (tree, bounds) = (Arc::clone(tree), solid.extent());
                let (solid, number) = (number, self.all.len() as u32);
                self.all.push(CollisionMesh {
                    tree,
                    poses,
                    number,
                    solid,
                    thickness,
                    friction,
                    radius,
                    is_closed,
                    bounds,
                });
            }
        }
    }

    /// Numbers of the solids that stop in this step, because the cloth in their path cannot move.
    pub fn stopped(&self) -> &[u32] {
        &self.stopped
    }

    /// Starts with another motion of so many vertices.
    pub fn begin(&mut self, vertices: usize) {
        self.vertices = vertices;
        self.is_over = false;
        self.near.clear();
        self.classified = 0;
        self.points.clear();
        self.numbers.clear();
    }

    /// Finds the meshes that a motion from `start` to `target` [m] may reach, with gaps up to
    /// `reach` [m]. Returns whether there is one, or was one before.
    pub fn approach(&mut self, [start, target]: [&[Vec3]; 2], reach: Real) -> bool {
        if self.near.len() < self.all.len() {
            let bounds = Aabb::of(start.iter().chain(target).copied());
            let known = self.near.len();
            for of in &self.all {
                let is_known = self.near[..known].iter().any(|near| near.solid == of.solid);
                if !is_known && of.bounds.meets(&bounds, reach) {
                    let waits = self.stopped.contains(&of.solid);
                    let poses = [of.poses[usize::from(self.is_over && !waits)], of.poses[usize::from(!waits)]];
                    self.near.push(CollisionMesh { poses, tree: Arc::clone(&of.tree), ..*of });
                }
            }
        }
        !self.near.is_empty()
    }

    /// Whether a cloth at `positions` [m] can be translated as a whole without reaching a mesh.
    pub fn leave_way(&self, positions: &[Vec3], shift: Vec3) -> bool {
        let moved = positions.iter().flat_map(|x| [*x, *x + shift]);
        self.near.is_empty() && {
            let bounds = Aabb::of(moved);
            !self.all.iter().any(|of| of.bounds.meets(&bounds, 0.0))
        }
    }

    /// Whether a near mesh moves.
    pub fn move_on(&self) -> bool {
        self.near.iter().any(CollisionMesh::moves)
    }

    /// Stops moving meshes for the rest of the step. The next motion [begins](Self::begin) anew.
    pub fn stop(&mut self) {
        let moving = self.near.iter().filter(|of| of.moves()).map(|of| of.solid);
        self.stopped.extend(moving);
    }

    /// Starts a further round: the motion starts at its present end, with the meshes at the end of
    /// theirs.
    pub fn go_on(&mut self) {
        self.is_over = true;
        for of in &mut self.near {
            of.poses[0] = of.poses[1];
        }
    }

    /// Number of mesh points in pairs.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// Position of such a point at the end of the step [m].
    pub fn point(&self, number: usize) -> Vec3 {
        let [mesh, corner] = self.points[number];
        let of = &self.near[mesh as usize];
        of.poses[1].transform_point(of.tree.points[corner as usize])
    }

    /// The mesh of a pair; none if both parts belong to the cloth.
    fn of(&self, pair: &Pair) -> Option<u32> {
        let point = pair.vertices.into_iter().find(|&vertex| vertex as usize >= self.vertices)?;
        Some(self.points[point as usize - self.vertices][0])
    }

    /// The rigid motion that leaves a pair unchanged, if it is one with a mesh.
    pub fn mesh_motion(&self, pair: &Pair) -> Option<MeshMotion> {
        let mesh = self.of(pair)?;
        Some(if self.near[mesh as usize].moves() { MeshMotion::Moving(mesh) } else { MeshMotion::Resting })
    }

    /// Image of the point `x` [m] under a rigid motion.
    pub fn carry(&self, mesh_motion: MeshMotion, x: Vec3) -> Vec3 {
        match mesh_motion {
            MeshMotion::Resting => x,
            MeshMotion::Moving(mesh) => self.near[mesh as usize].carry(x),
        }
    }

    /// Image of a direction under a rigid motion.
    pub fn turn(&self, mesh_motion: MeshMotion, direction: Vec3) -> Vec3 {
        match mesh_motion {
            MeshMotion::Resting => direction,
            MeshMotion::Moving(mesh) => {
                let [from, to] = self.near[mesh as usize].poses;
                to.rotation * (from.rotation.inverse() * direction)
            }
        }
    }

    /// Start positions of the vertices of a pair [m], and its least gap where `gap` [m] is that of
    /// cloth and cloth. Beside a mesh the start positions are those after its motion.
    pub fn start(&self, pair: &Pair, start: &[Vec3], gap: Real) -> ([Vec3; 4], Real) {
        let x = pair.corners(start);
        let Some(mesh) = self.of(pair) else { return (x, gap) };
        let of = &self.near[mesh as usize];
        let carry = |k: usize| if pair.vertices[k] as usize >= self.vertices { x[k] } else { of.carry(x[k]) };
        (std::array::from_fn(carry), gap.min(GAP_OF_THICKNESS * of.thickness))
    }

    /// Finds the pairs with a vertex that has `changed` and that no fixed planes are known to part
    /// by `room` [m] in a `motion` [m]. Returns false if there are too many.
    pub fn find(
        &mut self,
        surface: &ContactSurface,
        motion: [&[Vec3]; 2],
        changed: &[bool],
        room: Real,
        pool: &ThreadPool,
    ) -> bool {
        self.search(surface, motion, (changed, false), room, pool);
        let tasks = std::mem::take(&mut self.tasks);
        self.pairs.clear();
        let found: usize = tasks.iter().map(|task| task.found.len()).sum();
        let is_complete = found <= MOST_PAIRS * self.vertices;
        if is_complete {
            tasks.iter().flat_map(|task| &task.found).for_each(|(mesh, pair)| self.take(*mesh, pair));
        }
        self.tasks = tasks;
        is_complete
    }

    /// Searches with all tasks: pairs with a vertex that has `changed`, or the `inner` ones of
    /// these, without vertices of the cloth.
    fn search(
        &mut self,
        surface: &ContactSurface,
        motion: [&[Vec3]; 2],
        (changed, inner): (&[bool], bool),
        room: Real,
        pool: &ThreadPool,
    ) {
        let Self { near, tasks, classified, vertices, .. } = self;
        let known = std::mem::replace(classified, near.len());
        tasks.resize_with(TASKS, Task::default);
        let most = MOST_PAIRS * *vertices;
        let search = Search { meshes: near, known, surface, motion, changed, room, most, inner };
        pool.update(tasks, 1, |number, task| search.run(number, task));
        if known < near.len() {
            self.classify(surface, motion[0]);
        }
    }

    /// Finds the contact points of the cloth between its vertices in a `motion` [m] of `dt` [s],
    /// by rising keys.
    pub fn find_points(
        &mut self,
        surface: &ContactSurface,
        motion: [&[Vec3]; 2],
        dt: Real,
        points: &mut Vec<ContactPoint>,
        pool: &ThreadPool,
    ) {
        let reach = self.all.iter().map(points::reach).fold(0.0, Real::max);
        self.begin(motion[0].len());
        if !self.approach(motion, reach) {
            return;
        }
        self.changed.resize(motion[0].len(), true);
        let changed = std::mem::take(&mut self.changed);
        self.search(surface, motion, (&changed, true), reach, pool);
        for (mesh, pair) in self.tasks.iter().flat_map(|task| &task.found) {
            if !self.excluded[*mesh as usize].contains(pair.of_cloth()) {
                points.extend(points::of_pair(&self.near[*mesh as usize], pair, dt));
            }
        }
        self.changed = changed;
        points.sort_unstable_by_key(ContactPoint::key);
        points.dedup_by_key(|point| point.key());
    }

    /// Finds the parts of the cloth that are excluded: all their triangles intersect a mesh, or are
    /// inside a closed one.
    fn classify(&mut self, surface: &ContactSurface, start: &[Vec3]) {
        let Self { excluded, near, stack, tasks, crossing: own, .. } = self;
        excluded.resize_with(near.len().max(excluded.len()), Excluded::default);
        for ((number, mesh), excluded) in (0..).zip(&*near).zip(excluded) {
            let crossing = tasks.iter().flat_map(|task| &task.crossing);
            own.clear();
            own.extend(crossing.filter(|of| of[0] == number).map(|of| of[1]));
            own.sort_unstable();
            own.dedup();
            let holds = |vertex: u32| {
                let local = mesh.poses[0].inverse_transform_point(start[vertex as usize]);
                mesh.is_closed && mesh.tree.holds(local, stack)
            };
            excluded.classify(surface, own.iter().copied(), holds);
        }
    }

    /// Adds a pair, unless its part of the cloth is excluded, and numbers its points.
    fn take(&mut self, mesh: u32, of: &MeshPair) {
        let MeshPair { pair, cloth_first, .. } = *of;
        if self.excluded[mesh as usize].contains(of.of_cloth()) {
            return;
        }
        let Self { points, numbers, vertices, .. } = self;
        let mut number = |corner: u32| {
            *numbers.entry([mesh, corner]).or_insert_with(|| {
                points.push([mesh, corner]);
                (*vertices + points.len() - 1) as u32
            })
        };
        let is_of_cloth = |k: usize| (k < usize::from(pair.first)) == cloth_first;
        let vertices =
            std::array::from_fn(|k| if is_of_cloth(k) { pair.vertices[k] } else { number(pair.vertices[k]) });
        self.pairs.push(Pair { vertices, first: pair.first });
    }

    /// Adds the pairs of the last [`find`](Self::find) that are in conflict or touching to `found`.
    /// The points of meshes stand behind the vertices of the motion [m]; `least` is the least gap
    /// [m].
    pub fn add_conflicts(&self, [start, target]: [&[Vec3]; 2], least: Real, found: &mut Vec<Pair>) {
        found.extend(self.pairs.iter().copied().filter(|pair| {
            let (x, gap) = self.start(pair, start, least);
            pair.judge(&x, &pair.corners(target), gap) != Verdict::Apart
        }));
    }
}
