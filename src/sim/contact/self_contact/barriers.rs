//! Collision meshes: colliders of triangles (meshes, hulls, boxes) that the cloth cannot pass, as
//! it cannot pass itself.
//!
//! A collider moves as a rigid body in a step. In its frame a vertex goes in a straight line from
//! the place where the collider has carried its starting point to its end point, past triangles at
//! rest; so pairs of cloth and mesh are judged as pairs of the cloth are, and their planes stand
//! still.
//!
//! Points of meshes that are in pairs are numbered behind the vertices of the cloth, in the order
//! in which they are found. A part of the cloth stays on its side of a mesh if one of its triangles
//! does not intersect it. Parts of which all triangles intersect the mesh at the start are
//! excluded, so that they can come out and no further triangle comes in.

use std::collections::HashMap;
use std::sync::Arc;

use super::barrier::Barrier;
use super::barrier_search::{Found, Leaves, Seen};
use super::pair::{Pair, Verdict};
use super::surface::Surface;
use super::{MOST_PAIRS, aim_of};
use crate::sim::contact::solid::Solid;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Real, Vec3};

/// How far vertices may move without another search, as a share of the cloth-cloth distance, and of
/// the mean edge length at rest.
const MARGIN_OF_DISTANCE: Real = 0.25;
const MARGIN_OF_EDGE: Real = 0.08;
/// Largest gap beside a collider, as a share of its thickness.
const GAP_OF_THICKNESS: Real = 0.25;
/// Most pairs that are watched, as a multiple of the pairs that are truncated.
const WATCHED: usize = 4;
/// Tasks into which the watched pairs are divided.
const TASKS: usize = 16;

/// Corners of the bounding box of some points [m].
fn around<'a>(points: impl Iterator<Item = &'a Vec3>) -> [Vec3; 2] {
    points.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)])
}

/// The rigid motion of a part of the cloth beside collision meshes: none, or that of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    Resting,
    Moving(u32),
}

/// The collision meshes of a step, with their watched pairs.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    all: Vec<Barrier>,
    /// Meshes that the cloth may reach in the step.
    near: Vec<Barrier>,
    leaves: Leaves,
    watched: Vec<Pair>,
    /// Mesh and point number of each mesh point in a pair.
    points: Vec<[u32; 2]>,
    numbers: HashMap<[u32; 2], u32>,
    /// The place of each vertex around which its pairs are watched [m]; empty while nothing is
    /// watched.
    places: [Vec<Vec3>; 2],
    beyond: Vec<bool>,
    judged: Vec<Vec<Pair>>,
    /// Mesh and triangle of the cloth that intersect at the start.
    crossing: Vec<[u32; 2]>,
    seen: Vec<Seen>,
    /// Whether any part of the cloth is excluded.
    lets_go: bool,
    stack: Vec<u32>,
    too_many: bool,
    vertices: usize,
    /// Whether the meshes are at the end of their motion.
    goes_on: bool,
    /// Numbers of the solids whose motion is given up for the step.
    stopped: Vec<u32>,
}

impl Barriers {
    /// Sets the collision meshes of a step.
    pub fn set(&mut self, solids: &[Solid]) {
        self.all.clear();
        self.stopped.clear();
        for (number, solid) in (0..).zip(solids) {
            if let Some(tree) = solid.barrier() {
                let [low, high] = solid.extent();
                let (places, thickness, is_solid) = (solid.places(), solid.surface.thickness, !solid.is_sheet());
                let tree = Arc::clone(tree);
                let (solid, number) = (number, self.all.len() as u32);
                self.all.push(Barrier { tree, places, number, solid, thickness, is_solid, low, high });
            }
        }
    }

    /// Numbers of the solids that stop in this step, because the cloth in their path cannot move.
    pub fn stopped(&self) -> &[u32] {
        &self.stopped
    }

    /// Drops the watched pairs and starts with another motion of so many vertices.
    pub fn begin(&mut self, vertices: usize) {
        self.vertices = vertices;
        self.goes_on = false;
        self.near.clear();
        self.points.clear();
        self.numbers.clear();
        self.watch_anew();
    }

    /// Finds the meshes that a motion from `start` to `target` [m] may reach, with gaps up to
    /// `reach` [m]. Returns whether there is one, or was one before.
    pub fn approach(&mut self, [start, target]: [&[Vec3]; 2], reach: Real) -> bool {
        if self.near.len() < self.all.len() {
            let [low, high] = around(start.iter().chain(target));
            let known = self.near.len();
            for of in &self.all {
                let is_known = self.near[..known].iter().any(|near| near.solid == of.solid);
                if !is_known && of.meets(low - reach, high + reach) {
                    let waits = self.stopped.contains(&of.solid);
                    let places = [of.places[usize::from(self.goes_on && !waits)], of.places[usize::from(!waits)]];
                    self.near.push(Barrier { places, tree: Arc::clone(&of.tree), ..*of });
                }
            }
            if self.near.len() > known {
                self.watch_anew();
            }
        }
        !self.near.is_empty()
    }

    /// Drops the watched pairs.
    pub fn watch_anew(&mut self) {
        self.watched.clear();
        self.places.iter_mut().for_each(Vec::clear);
        self.crossing.clear();
        self.too_many = false;
    }

    /// Whether a cloth at `positions` [m] can be translated as a whole without reaching a mesh.
    pub fn leave_way(&self, positions: &[Vec3], shift: Vec3) -> bool {
        let [low, high] = around(positions.iter());
        let (low, high) = (low.min(low + shift), high.max(high + shift));
        self.near.is_empty() && !self.all.iter().any(|of| of.meets(low, high))
    }

    /// Whether a mesh with watched pairs moves.
    pub fn move_on(&self) -> bool {
        self.near.iter().any(Barrier::moves)
    }

    /// Stops moving meshes for the rest of the step. The next motion [begins](Self::begin) anew.
    pub fn stop(&mut self) {
        let moving = self.near.iter().filter(|of| of.moves()).map(|of| of.solid);
        self.stopped.extend(moving);
    }

    /// Starts a further round: the motion starts at its present end, with the meshes at the end of
    /// theirs.
    pub fn go_on(&mut self) {
        self.goes_on = true;
        for of in &mut self.near {
            of.places[0] = of.places[1];
        }
        let [from, to] = &mut self.places;
        from.clone_from(to);
    }

    /// Number of mesh points in pairs.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// Position of such a point at the end of the step [m].
    pub fn point(&self, number: usize) -> Vec3 {
        let [barrier, corner] = self.points[number];
        let of = &self.near[barrier as usize];
        of.places[1].transform_point(of.tree.points[corner as usize])
    }

    /// The mesh of a pair; none if both parts belong to the cloth.
    fn of(&self, pair: &Pair) -> Option<u32> {
        let point = pair.vertices.into_iter().find(|&vertex| vertex as usize >= self.vertices)?;
        Some(self.points[point as usize - self.vertices][0])
    }

    /// The rigid motion that leaves a pair unchanged, if it is one with a mesh.
    pub fn carrier(&self, pair: &Pair) -> Option<Carrier> {
        let barrier = self.of(pair)?;
        Some(if self.near[barrier as usize].moves() { Carrier::Moving(barrier) } else { Carrier::Resting })
    }

    /// Image of the point `x` [m] under a rigid motion.
    pub fn carry(&self, carrier: Carrier, x: Vec3) -> Vec3 {
        match carrier {
            Carrier::Resting => x,
            Carrier::Moving(barrier) => self.near[barrier as usize].carry(x),
        }
    }

    /// Image of a direction under a rigid motion.
    pub fn turn(&self, carrier: Carrier, direction: Vec3) -> Vec3 {
        match carrier {
            Carrier::Resting => direction,
            Carrier::Moving(barrier) => {
                let [from, to] = self.near[barrier as usize].places;
                to.rotation * (from.rotation.inverse() * direction)
            }
        }
    }

    /// Start positions of the vertices of a pair [m], and its least gap where `gap` [m] is that of
    /// cloth and cloth. Beside a mesh the start positions are those after its motion.
    pub fn start(&self, pair: &Pair, start: &[Vec3], gap: Real) -> ([Vec3; 4], Real) {
        let x = pair.corners(start);
        let Some(barrier) = self.of(pair) else { return (x, gap) };
        let of = &self.near[barrier as usize];
        let carry = |k: usize| if pair.vertices[k] as usize >= self.vertices { x[k] } else { of.carry(x[k]) };
        (std::array::from_fn(carry), gap.min(GAP_OF_THICKNESS * of.thickness))
    }

    /// Searches for the pairs of the vertices that left the margin around their places in a motion,
    /// and watches them there. Returns false if there are too many pairs.
    pub fn follow(&mut self, surface: &Surface, motion: [&[Vec3]; 2], distance: Real, pool: &ThreadPool) -> bool {
        let margin = (MARGIN_OF_DISTANCE * distance).min(MARGIN_OF_EDGE * surface.edge_length);
        let Self { places, beyond, .. } = self;
        let is_first = places[0].is_empty();
        beyond.clear();
        if is_first {
            beyond.resize(self.vertices, true);
            for (places, at) in places.iter_mut().zip(motion) {
                at.clone_into(places);
            }
        } else {
            let is_far = |a: Vec3, b: Vec3| a != b && (a.distance_squared(b) > margin * margin || (a - b).is_nan());
            let [from, to] = &*places;
            let is_beyond = |i: usize| is_far(motion[0][i], from[i]) || is_far(motion[1][i], to[i]);
            beyond.extend((0..self.vertices).map(is_beyond));
            for (places, at) in places.iter_mut().zip(motion) {
                for ((place, at), _) in places.iter_mut().zip(at).zip(&*beyond).filter(|(_, beyond)| **beyond) {
                    *place = *at;
                }
            }
        }
        if self.too_many || !self.beyond.contains(&true) {
            return !self.too_many;
        }
        let most = WATCHED * MOST_PAIRS * self.vertices;
        // in a later search the other vertices of a pair may be at one side of their margin, and at
        // the other afterwards
        let [room, most_room] = [if is_first { 1.0 } else { 2.0 }, 2.0]
            .map(|margins| aim_of(distance, surface.edge_length) + margins * margin);
        let Self { near, leaves, beyond, .. } = self;
        leaves.find(near, surface, motion, [room, most_room], beyond, most, pool);
        if is_first {
            let Self { leaves, crossing, .. } = self;
            leaves.tasks.iter().for_each(|task| crossing.extend_from_slice(&task.crossing));
            crossing.sort_unstable();
            crossing.dedup();
            self.see(surface, motion[0]);
        }
        let tasks = std::mem::take(&mut self.leaves.tasks);
        let count: usize = tasks.iter().map(|task| task.found.len()).sum();
        self.too_many = self.watched.len() + count > most;
        if !self.too_many {
            tasks.iter().flat_map(|task| &task.found).for_each(|found| self.watch(found));
        }
        self.leaves.tasks = tasks;
        !self.too_many
    }

    /// Finds the excluded parts of the cloth: all their triangles intersect a mesh, or are inside a
    /// closed one.
    fn see(&mut self, surface: &Surface, start: &[Vec3]) {
        let Self { seen, crossing, near, stack, lets_go, .. } = self;
        seen.resize_with(near.len().max(seen.len()), Seen::default);
        *lets_go = false;
        for ((number, barrier), seen) in (0..).zip(&*near).zip(seen) {
            let from = crossing.partition_point(|[other, _]| *other < number);
            let end = crossing.partition_point(|[other, _]| *other <= number);
            let of = crossing[from..end].iter().map(|[_, triangle]| *triangle);
            let holds = |vertex: u32| {
                let local = barrier.places[0].inverse_transform_point(start[vertex as usize]);
                barrier.is_solid && barrier.tree.holds(local, stack)
            };
            *lets_go |= seen.look(surface, of, holds);
        }
    }

    fn watch(&mut self, found: &Found) {
        let Found { pair, barrier, of_cloth } = *found;
        let is_of_cloth = |k: usize| (k < usize::from(pair.first)) == of_cloth.is_first();
        if self.lets_go {
            let vertices = std::array::from_fn(|k| if is_of_cloth(k) { pair.vertices[k] } else { u32::MAX });
            if self.seen[barrier as usize].is_let_go(&vertices) {
                return;
            }
        }
        let Self { points, numbers, vertices, .. } = self;
        let mut number = |corner: u32| {
            *numbers.entry([barrier, corner]).or_insert_with(|| {
                points.push([barrier, corner]);
                (*vertices + points.len() - 1) as u32
            })
        };
        let at = std::array::from_fn(|k| if is_of_cloth(k) { pair.vertices[k] } else { number(pair.vertices[k]) });
        self.watched.push(Pair { vertices: at, first: pair.first });
    }

    /// Adds the pairs with meshes that are in conflict and have a vertex that has `changed` to
    /// `found`. The points of meshes stand behind the vertices of the motion [m]; `least` is the
    /// least gap [m].
    pub fn find_conflicts(
        &mut self,
        [start, target]: [&[Vec3]; 2],
        changed: &[bool],
        least: Real,
        found: &mut Vec<Pair>,
        pool: &ThreadPool,
    ) {
        let mut judged = std::mem::take(&mut self.judged);
        judged.resize_with(TASKS, Vec::new);
        let (this, watched) = (&*self, &self.watched[..]);
        let is_asked = |vertex: u32| changed.get(vertex as usize).is_some_and(|changed| *changed);
        pool.update(&mut judged, 1, |task, judged| {
            judged.clear();
            let at = |k: usize| k * watched.len() / TASKS;
            for pair in &watched[at(task)..at(task + 1)] {
                if pair.vertices.into_iter().any(is_asked) {
                    let (x, gap) = this.start(pair, start, least);
                    if pair.judge(&x, &pair.corners(target), gap) != Verdict::Apart {
                        judged.push(*pair);
                    }
                }
            }
        });
        judged.iter().for_each(|judged| found.extend_from_slice(judged));
        self.judged = judged;
    }
}
