//! Surfaces of colliders that the cloth cannot pass, as it cannot pass itself: meshes, hulls and boxes, triangle by triangle.
//!
//! A collider moves in a step as a whole, and the cloth is looked at from there: where the collider has carried each vertex from its
//! place at the start of the step, and where the vertex is to be at the end. Between the two everything moves in straight lines past
//! triangles that stand still, so the pairs of a part of the cloth and a part of the surface are judged as those of two parts of the cloth are,
//! and their planes stand still as well. Being carried along is no conflict.
//!
//! The points of surfaces that are in pairs with the cloth are numbered behind its vertices, in the order in which they are found. What a triangle of
//! the cloth shares with others that do not intersect the surface is kept on its side; parts of which all triangles intersect it at the start
//! are not held, so that what is in a surface can come out of it, and no further triangle of the cloth comes into it.

use std::collections::HashMap;
use std::sync::Arc;

use super::barrier::Barrier;
use super::barrier_search::{Found, Leaves, Seen};
use super::pair::{Pair, Verdict};
use super::surface::Surface;
use super::{MOST_PAIRS, aim_of};
use crate::sim::contact::solid::Solid;
use crate::sim::exec::team::Team;
use crate::sim::{Real, Vec3};

/// How far vertices may be moved without a further search, as a share of the distance of layers, and of the mean length of an edge at rest.
const MARGIN_OF_DISTANCE: Real = 0.25;
const MARGIN_OF_EDGE: Real = 0.08;
/// The gap that is left beside a collider, as a share of the thickness that its surface keeps off, at most.
const GAP_OF_THICKNESS: Real = 0.25;
/// How many times as many pairs are watched as are dealt with, at most.
const WATCHED: usize = 4;
/// Tasks into which the watched pairs are divided.
const TASKS: usize = 16;

/// The corners of a box around some points [m].
fn around<'a>(points: impl Iterator<Item = &'a Vec3>) -> [Vec3; 2] {
    points.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)])
}

/// How a part of the cloth moves that is held beside surfaces: with none that moves, or with this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    Resting,
    Moving(u32),
}

/// The surfaces of a step, with the pairs of them and the cloth that are watched.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    all: Vec<Barrier>,
    /// Those that the cloth may come to in the step.
    near: Vec<Barrier>,
    leaves: Leaves,
    watched: Vec<Pair>,
    /// Of each point of a surface that is in a pair: which surface, and which of its points.
    points: Vec<[u32; 2]>,
    numbers: HashMap<[u32; 2], u32>,
    /// The places of each vertex around which it is watched [m]. Nothing is watched while they are empty.
    places: [Vec<Vec3>; 2],
    beyond: Vec<bool>,
    judged: Vec<Vec<Pair>>,
    /// Surface and triangle of the cloth that intersect at the start.
    crossing: Vec<[u32; 2]>,
    seen: Vec<Seen>,
    /// Whether something is not held.
    lets_go: bool,
    stack: Vec<u32>,
    too_many: bool,
    vertices: usize,
    /// Whether surfaces are at the end of their way.
    goes_on: bool,
    /// Surfaces whose motion is given up for the step, by the number of their solids.
    stopped: Vec<u32>,
}

impl Barriers {
    /// Makes these the surfaces that the cloth cannot pass.
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

    /// Numbers of the solids that have to wait, so that the cloth can stay on its side of them.
    pub fn stopped(&self) -> &[u32] {
        &self.stopped
    }

    /// Forgets what was watched; another motion of so many vertices is looked at.
    pub fn begin(&mut self, vertices: usize) {
        self.vertices = vertices;
        self.goes_on = false;
        self.near.clear();
        self.points.clear();
        self.numbers.clear();
        self.watch_anew();
    }

    /// Notes to which surfaces a motion from `start` to `target` [m] may come, with gaps up to `reach` [m]. Returns whether there is one, or was
    /// before.
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

    /// Forgets what is watched.
    pub fn watch_anew(&mut self) {
        self.watched.clear();
        self.places.iter_mut().for_each(Vec::clear);
        self.crossing.clear();
        self.too_many = false;
    }

    /// Whether a cloth that is at `positions` [m] can be shifted as a whole without coming to any.
    pub fn leave_way(&self, positions: &[Vec3], shift: Vec3) -> bool {
        let [low, high] = around(positions.iter());
        let (low, high) = (low.min(low + shift), high.max(high + shift));
        self.near.is_empty() && !self.all.iter().any(|of| of.meets(low, high))
    }

    /// Whether one of those that pairs are watched with moves.
    pub fn move_on(&self) -> bool {
        self.near.iter().any(Barrier::moves)
    }

    /// From now on those that move stand still for the step. The next motion [begins](Self::begin) anew.
    pub fn stop(&mut self) {
        let moving = self.near.iter().filter(|of| of.moves()).map(|of| of.solid);
        self.stopped.extend(moving);
    }

    /// From now on the motion starts where it ended so far, with the surfaces at the end of their way.
    pub fn go_on(&mut self) {
        self.goes_on = true;
        for of in &mut self.near {
            of.places[0] = of.places[1];
        }
        let [from, to] = &mut self.places;
        from.clone_from(to);
    }

    /// Number of points of surfaces that are in pairs.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// Where such a point is at the end of the step [m].
    pub fn point(&self, number: usize) -> Vec3 {
        let [barrier, corner] = self.points[number];
        let of = &self.near[barrier as usize];
        of.places[1].transform_point(of.tree.points[corner as usize])
    }

    /// The surface in a pair, if it is no pair of the cloth with itself.
    fn of(&self, pair: &Pair) -> Option<u32> {
        let point = pair.vertices.into_iter().find(|&vertex| vertex as usize >= self.vertices)?;
        Some(self.points[point as usize - self.vertices][0])
    }

    /// Which motion keeps a pair as it is, if it is one with a surface.
    pub fn carrier(&self, pair: &Pair) -> Option<Carrier> {
        let barrier = self.of(pair)?;
        Some(if self.near[barrier as usize].moves() { Carrier::Moving(barrier) } else { Carrier::Resting })
    }

    /// Where what is at `x` [m] is brought by a carrier.
    pub fn carry(&self, carrier: Carrier, x: Vec3) -> Vec3 {
        match carrier {
            Carrier::Resting => x,
            Carrier::Moving(barrier) => self.near[barrier as usize].carry(x),
        }
    }

    /// The direction to which a carrier turns another.
    pub fn turn(&self, carrier: Carrier, direction: Vec3) -> Vec3 {
        match carrier {
            Carrier::Resting => direction,
            Carrier::Moving(barrier) => {
                let [from, to] = self.near[barrier as usize].places;
                to.rotation * (from.rotation.inverse() * direction)
            }
        }
    }

    /// Where the vertices of a pair start from [m], and how large its gap is to be of one of `gap` [m]. Beside a surface they start where it has
    /// carried them.
    pub fn start(&self, pair: &Pair, start: &[Vec3], gap: Real) -> ([Vec3; 4], Real) {
        let x = pair.corners(start);
        let Some(barrier) = self.of(pair) else { return (x, gap) };
        let of = &self.near[barrier as usize];
        let carry = |k: usize| if pair.vertices[k] as usize >= self.vertices { x[k] } else { of.carry(x[k]) };
        (std::array::from_fn(carry), gap.min(GAP_OF_THICKNESS * of.thickness))
    }

    /// Watches the vertices that have gone farther from their places than the margin, around where they are in a motion. Returns false if there
    /// are more pairs than are dealt with.
    pub fn follow(&mut self, surface: &Surface, motion: [&[Vec3]; 2], distance: Real, team: &Team) -> bool {
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
        // in a later search the other vertices of a part may be on one side of their margin, and afterwards on the other
        let [room, most_room] = [if is_first { 1.0 } else { 2.0 }, 2.0]
            .map(|margins| aim_of(distance, surface.edge_length) + margins * margin);
        let Self { near, leaves, beyond, .. } = self;
        leaves.find(near, surface, motion, [room, most_room], beyond, most, team);
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

    /// Finds which parts of the cloth are not held: all their triangles intersect a surface, or are inside of one that encloses a volume.
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

    /// Adds the pairs with surfaces that are in conflict and have a vertex that has `changed` to `found`. The motion has the points of surfaces
    /// behind the vertices of the cloth [m]; a gap is to be `least` [m].
    pub fn find_conflicts(
        &mut self,
        [start, target]: [&[Vec3]; 2],
        changed: &[bool],
        least: Real,
        found: &mut Vec<Pair>,
        team: &Team,
    ) {
        let mut judged = std::mem::take(&mut self.judged);
        judged.resize_with(TASKS, Vec::new);
        let (this, watched) = (&*self, &self.watched[..]);
        let is_asked = |vertex: u32| changed.get(vertex as usize).is_some_and(|changed| *changed);
        team.update(&mut judged, 1, |task, judged| {
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
