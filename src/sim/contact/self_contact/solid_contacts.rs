//! Rows of colliders and contact points between the vertices, and their forces from step to step.

use super::pushed::PushedVertices;
use super::solid_contact::{Borne, Load, SolidContact, SolidForce};
use super::tethers::{Tether, keep_tethers};
use super::touches::Touch;
use super::walls::{WallContact, push_walls};
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Sweeps over points, their walls and the edges around.
const SWEEPS: usize = 20;
/// Sweeps over the points alone, after those.
const LAST: usize = 20;
/// Displacements, as a share of the distance from a collider: below the first a sweep is the last,
/// beyond the second the cloth around takes part.
const CLOSE: Real = 1e-3;
const FAR: Real = 0.05;
/// Rings of vertices around the points that take part.
const RINGS: usize = 8;

/// The rows, with their memory.
#[derive(Debug, Default)]
pub(super) struct SolidContacts {
    contacts: Vec<SolidContact>,
    /// Contact forces, by rising keys.
    pub forces: Vec<SolidForce>,
    /// Reaction of the solver to each of these, if it took them as contacts of the vertices.
    pub borne: Vec<Borne>,
    /// State of each contact point from the last step.
    loads: Vec<Load>,
    /// Edges and walls around the points, and which vertices are near.
    near_tethers: Vec<Tether>,
    near_walls: Vec<WallContact>,
    near: Vec<bool>,
    /// Positions before the sweeps [m].
    start: Vec<F64x4>,
}

impl SolidContacts {
    /// Drops the rows of the last step.
    pub fn clear(&mut self) {
        self.contacts.clear();
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Whether no point is near and none pressed in the last step.
    pub fn is_idle(&self, touches: &[Touch]) -> bool {
        touches.is_empty() && self.forces.is_empty()
    }

    /// Builds the rows of `touches`, sorted by keys, in a step of `dt` [s] to the `proposed`
    /// positions [m]. The force of a point that is not near any more passes to the nearest point of
    /// the same part of the collider or of the cloth.
    pub fn begin(&mut self, touches: &[Touch], proposed: &[Vec3], vertices: &mut PushedVertices, dt: Real) {
        let Self { contacts, forces, borne, loads, .. } = self;
        let q = &mut vertices.q;
        contacts.clear();
        loads.clear();
        loads.resize(touches.len(), Load::default());
        let is_borne = !borne.is_empty();
        for (at, force) in forces.iter().enumerate() {
            let borne = borne.get(at);
            if borne.is_none() {
                force.take_back(dt, q);
            }
            let here = force.point(proposed);
            let to = touches.binary_search_by(|touch| touch.key().cmp(&force.key())).ok().or_else(|| {
                let is_next = |touch: &Touch| {
                    touch.solid == force.solid && (touch.feature == force.feature || touch.vertices == force.vertices)
                };
                let next = touches.iter().enumerate().filter(|(_, touch)| is_next(touch));
                let next = next.map(|(k, touch)| (k, touch.point(proposed).distance_squared(here)));
                next.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
            });
            let Some(to) = to else { continue };
            let mut acts = force.lasting;
            if let Some(Borne { force: more, weight }) = borne {
                // a point above the surface is dropped
                let touch = &touches[to];
                acts += *more - touch.normal * (weight * touch.gap).min(touch.normal.dot(acts + *more).max(0.0));
            }
            loads[to].force += acts;
            loads[to].last += force.force.length();
            loads[to].given += force.lasting;
        }
        for (touch, load) in touches.iter().zip(&*loads) {
            contacts.extend(SolidContact::new(*touch, load, is_borne, dt, q));
        }
    }

    /// Pushes the points off the colliders, forth and back in turn. Returns the largest
    /// displacement as a share of the distance kept.
    pub fn push(&mut self, sweep: usize, vertices: &mut PushedVertices) -> Real {
        let mut largest: Real = 0.0;
        let mut push = |contact: &mut SolidContact| {
            let change = contact.push(&mut vertices.q) / contact.touch.keep;
            if change > CLOSE {
                contact.touch.vertices.iter().for_each(|&vertex| vertices.note(vertex));
            }
            largest = largest.max(change);
        };
        if sweep.is_multiple_of(2) {
            self.contacts.iter_mut().for_each(&mut push);
        } else {
            self.contacts.iter_mut().rev().for_each(&mut push);
        }
        largest
    }

    /// Pushes the points off once more: no collider passes through the cloth, at the cost of edge
    /// lengths.
    pub fn keep_off(&mut self, vertices: &mut PushedVertices) {
        for sweep in 0..LAST {
            if self.push(sweep, vertices) < CLOSE {
                break;
            }
        }
    }

    /// Solves the rows if there are none of cloth and cloth, with the `walls` and the edges around.
    pub fn solve(&mut self, walls: &[WallContact], tethers: &[Tether], vertices: &mut PushedVertices) {
        vertices.begin_rounds();
        self.start.clone_from(&vertices.q);
        if self.push(0, vertices) > FAR {
            // the cloth around takes part
            self.gather_near(walls, tethers);
            for sweep in 0..SWEEPS {
                push_walls(&mut self.near_walls, 0.0, vertices);
                if self.push(sweep, vertices) < CLOSE {
                    break;
                }
                keep_tethers(&mut self.near_tethers, sweep, 0.0, vertices);
                vertices.next_round();
            }
        }
        self.keep_off(vertices);
    }

    /// Collects the walls and edges around the points.
    fn gather_near(&mut self, walls: &[WallContact], tethers: &[Tether]) {
        let Self { contacts, near, near_tethers, near_walls, start, .. } = self;
        near.clear();
        near.resize(start.len(), false);
        let at_points = contacts.iter().flat_map(|contact| contact.touch.vertices);
        at_points.for_each(|vertex| near[vertex as usize] = true);
        for _ in 0..RINGS {
            let beside = |tether: &Tether| near[tether.ends[0] as usize] != near[tether.ends[1] as usize];
            near_tethers.clear();
            near_tethers.extend(tethers.iter().filter(|tether| beside(tether)).copied());
            near_tethers.iter().flat_map(|tether| tether.ends).for_each(|end| near[end as usize] = true);
        }
        let inside = |tether: &&Tether| near[tether.ends[0] as usize] && near[tether.ends[1] as usize];
        near_tethers.clear();
        near_tethers.extend(tethers.iter().filter(inside).copied());
        near_tethers.iter_mut().for_each(|tether| tether.begin(|vertex| start[vertex as usize].to_vec3()));
        near_walls.clear();
        near_walls.extend(walls.iter().copied().filter(|contact| near[contact.wall.vertex as usize]));
    }

    /// Stores the contact forces of a step of `dt` [s].
    pub fn note_forces(&mut self, dt: Real) {
        self.forces.extend(self.contacts.iter().filter_map(|contact| contact.force(dt)));
    }
}
