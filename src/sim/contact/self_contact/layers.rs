//! Layers of cloth push each other apart and rub against each other, before what is left of a conflict is cut.
//!
//! Where two parts are closer than the distance of layers at the end of a step, their closest points get a constraint along the
//! line between them, `n·Σ wᵢ yᵢ ≥ r`, and one across it, Coulomb friction on how far they slid in the step. All of them, and the
//! surfaces of colliders that vertices lie on, are solved together by projected Gauss-Seidel sweeps (Macklin et al. 2014, *Unified
//! Particle Physics*, with accumulated impulses and a warm start as in Catto 2005): so the weight of the upper layers goes through the
//! lower ones to the table. Every impulse acts on both parts of its pair, so contact changes no momentum. Velocities follow
//! the positions: nothing bounces.
//!
//! What a contact pressed with in the last two steps is a force on the solver in the next, and the sweeps add what is missing and take
//! back what was too much. So every solver knows what lies on the cloth: at rest its proposal is in balance with the layers, and the
//! sweeps have nothing left to do (Uzawa's iteration, one round per step). An impact, which is over after a step, is no force on the next.
//!
//! A position-based method takes the contacts as constraints among its own instead, in every iteration, so that elasticity and contact
//! are solved together: those of the layers that inertia and forces from outside would bring near each other. A few sweeps follow, for
//! what colliders have moved since. Only where layers would pass through each other, in an impact, the contacts are looked for after the
//! step, as for other solvers.
//!
//! The sweeps push single vertices, and do not know what holds these in the cloth. So they alternate with sweeps over the edges, which
//! take away stretch that the solver has not proposed: the neighbours share in what pushes a vertex.

use serde::{Deserialize, Serialize};

use super::layer_contact::{LayerContact, closest, crosses, distance_of};
use super::pair::Pair;
use super::relaxation::LEAST_LENGTH;
use super::solid_contact::{Borne, Load, SolidContact, SolidForce};
use super::touches::Touch;
use crate::sim::contact::contact_point::Wall;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Pattern, Real, Vec3};

/// Sweeps over all contacts, forth and back in turn.
const SWEEPS: usize = 20;
/// Sweeps over contacts that a solver has solved already, for what colliders have moved since.
const SWEEPS_AFTER_SOLVER: usize = 4;
/// Sweeps over the edges after the last one over the contacts.
const FINISH: usize = 5;
/// Share of its length at rest by which an impact may leave an edge stretched. With none, fewer layers can be parted; with much, ribbons that
/// whip stretch to several times their length.
const GIVE: Real = 0.05;
/// Sweeps over the points that colliders push, after those.
const LAST: usize = 20;
/// Share of the distance from a collider that a sweep moves a point by when it is the last, and beyond which the cloth around takes part.
const CLOSE: Real = 1e-3;
const FAR: Real = 0.05;
/// Rings of vertices around the points that do.
const RINGS: usize = 8;
/// A sweep that moves no vertex by more than this share of the distance is the last.
const CONVERGED: Real = 1e-6;
/// Velocity with which layers that are too close move apart at most [m/s].
const RECOVERY_SPEED: Real = 0.05;

/// How layers keep apart.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LayerSettings {
    /// Distance of layers [m].
    pub distance: Real,
    /// Coulomb friction between layers.
    pub friction: Real,
}

/// The force with which two parts of a cloth press on each other and rub against each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerForce {
    /// The vertex and the three of a triangle, or the two of each of two edges.
    pub vertices: [u32; 4],
    /// How many of the vertices belong to the first part: 1 or 2.
    pub first: u8,
    /// Force on the first part in the last step [N]; the opposite acts on the second.
    pub force: Vec3,
    /// The part of it that the step before had as well [N]: what the solver of the next step is given.
    #[serde(default)]
    pub lasting: Vec3,
}

impl LayerForce {
    fn pair(&self) -> Pair {
        Pair { vertices: self.vertices, first: self.first }
    }

    /// Adds what lasts of the forces on the closest points, for vertices at `positions` [m], to the sums of the vertices [N].
    pub fn add(forces: &[Self], positions: &[Vec3], sums: &mut [Vec3]) {
        for of in forces.iter().filter(|of| of.lasting != Vec3::ZERO) {
            let pair = of.pair();
            let weights = closest(&pair, &pair.corners(positions)).weights;
            for (&vertex, weight) in pair.vertices.iter().zip(weights) {
                sums[vertex as usize] += of.lasting * weight;
            }
        }
    }
}

/// An edge of the cloth, which the response does not stretch and hardly compresses.
#[derive(Debug, Clone, Copy)]
struct Tether {
    ends: [u32; 2],
    /// Length at rest [m].
    rest: Real,
    /// Length beyond which it is not stretched [m]: at rest or as proposed.
    length: Real,
    /// Length below which it is not compressed [m].
    least: Real,
    /// Impulse so far, times the step [kg·m].
    tension: Real,
}

/// The response, with its memory.
#[derive(Debug, Default)]
pub(super) struct Layers {
    contacts: Vec<LayerContact>,
    /// Points between the vertices that colliders push.
    solids: Vec<SolidContact>,
    /// Whether a solver has solved them among its constraints.
    solved: bool,
    /// Walls with their impulses so far, times the step [kg·m].
    walls: Vec<(Wall, Real)>,
    /// `1/m`; 0 for prescribed vertices [1/kg].
    inverse_masses: Vec<Real>,
    positions: Vec<Vec3>,
    /// For each vertex the first of the piece of cloth that it belongs to.
    pieces: Vec<u32>,
    tethers: Vec<Tether>,
    /// Those around the points that colliders push, with what they press, and which vertices these are.
    near_tethers: Vec<Tether>,
    near_walls: Vec<(Wall, Real)>,
    near: Vec<bool>,
    /// Positions before the sweeps [m].
    start: Vec<Vec3>,
    /// Vertices that the sweeps have moved.
    moved: Vec<bool>,
    pattern: Option<u64>,
    settings: LayerSettings,
    /// What the contacts press with, by rising pairs.
    pub forces: Vec<LayerForce>,
    /// What colliders press with between the vertices, by rising keys.
    pub solid_forces: Vec<SolidForce>,
    /// What the solver has borne of each of these, if it took them as contacts of the vertices.
    pub borne: Vec<Borne>,
    /// What is known of each touch from the last step.
    loads: Vec<Load>,
}

impl Layers {
    /// Prepares for a pattern.
    pub fn update(&mut self, pattern: &Pattern) {
        if self.pattern.replace(pattern.revision()) == Some(pattern.revision()) {
            return;
        }
        self.pieces.clear();
        self.pieces.extend(0..pattern.len() as u32);
        let pieces = &mut self.pieces;
        let find = |pieces: &mut [u32], mut vertex: u32| {
            while pieces[vertex as usize] != vertex {
                pieces[vertex as usize] = pieces[pieces[vertex as usize] as usize];
                vertex = pieces[vertex as usize];
            }
            vertex
        };
        for &[a, b, c] in pattern.triangles() {
            for other in [b, c] {
                let (a, b) = (find(pieces, a), find(pieces, other));
                pieces[a.max(b) as usize] = a.min(b);
            }
        }
        for vertex in 0..pattern.len() as u32 {
            pieces[vertex as usize] = find(pieces, vertex);
        }
        let sides = pattern.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let rest = pattern.rest_positions();
        let tether = |ends: &[u32; 2]| {
            let length = rest[ends[0] as usize].distance(rest[ends[1] as usize]);
            Tether { ends: *ends, rest: length, length, least: 0.0, tension: 0.0 }
        };
        self.tethers.clear();
        self.tethers.extend(edges.iter().map(tether));
    }

    /// How many times the distance of layers those are apart that are looked at: pushing one pair apart brings others closer.
    pub const REACH: Real = 1.9;

    /// From now on the sweeps hardly stretch an edge beyond what it has at `positions` [m], which a solver has proposed: what an impact
    /// stretches is taken back.
    pub fn tie(&mut self, positions: &[Vec3]) {
        for tether in &mut self.tethers {
            let [i, j] = tether.ends;
            let length = positions[i as usize].distance(positions[j as usize]);
            tether.length = tether.rest.max(length);
        }
    }

    /// Takes the contacts of the pairs in `found`, which are near each other after a step of `dt` [s] from `before` [m], and of those that
    /// pressed in the last step; moves `cloth` by that much, velocities as well.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a simulation, which are borrowed apart from each other"
    )]
    pub fn begin(
        &mut self,
        settings: &LayerSettings,
        pattern: &Pattern,
        found: &mut [Pair],
        partition: &Partition,
        before: &[Vec3],
        cloth: &mut Cloth,
        dt: Real,
    ) {
        let Self { contacts, inverse_masses, positions, pieces, forces, .. } = self;
        self.settings = *settings;
        self.solved = false;
        contacts.clear();
        if found.is_empty() && forces.is_empty() {
            return;
        }
        prepare(cloth, partition, positions, inverse_masses);
        let rest = pattern.rest_positions();
        let mut add = |pair: &Pair, force: Option<&LayerForce>| {
            let (x, y) = (pair.corners(before), pair.corners(&cloth.positions));
            let distance = distance_of(pair, &y, pieces, rest, settings.distance);
            let pressed = force.map_or([Vec3::ZERO; 2], |force| [force.force, force.lasting].map(|f| f * (dt * dt)));
            let settings = (distance, settings.friction, RECOVERY_SPEED * dt);
            contacts.extend(LayerContact::new(pair, settings, pressed, inverse_masses, positions, &x, &y));
        };
        // those that are near, and those that pressed, which may press too much now
        found.sort_unstable();
        let (mut near, mut pressed) = (found.iter().copied().peekable(), forces.iter().peekable());
        loop {
            let next = match (near.peek().copied(), pressed.peek().map(|force| force.pair())) {
                (Some(a), Some(b)) => a.min(b),
                (Some(a), None) => a,
                (None, Some(b)) => b,
                (None, None) => break,
            };
            near.next_if(|pair| *pair == next);
            let force = pressed.next_if(|force| force.pair() == next);
            add(&next, force);
        }
        move_to(cloth, positions, dt);
    }

    /// Forgets the contacts of the last step; those of this one have these `settings`.
    pub fn clear(&mut self, settings: &LayerSettings) {
        self.settings = *settings;
        self.solved = false;
        self.contacts.clear();
        self.solids.clear();
    }

    /// Whether there is a contact that might push.
    pub fn has_contacts(&self) -> bool {
        !self.contacts.is_empty() || !self.solids.is_empty()
    }

    /// Takes the contacts at `touches`, which are sorted by keys, as [`begin`](Self::begin) does those of layers. What pressed on a point that is no longer near goes on
    /// pressing on the nearest that the same part of the collider or of the cloth has.
    pub fn begin_solids(&mut self, touches: &[Touch], partition: &Partition, cloth: &mut Cloth, dt: Real) {
        let Self { solids, inverse_masses, positions, solid_forces, borne, loads, .. } = self;
        solids.clear();
        if touches.is_empty() && solid_forces.is_empty() {
            return;
        }
        prepare(cloth, partition, positions, inverse_masses);
        loads.clear();
        loads.resize(touches.len(), Load::default());
        let is_borne = !borne.is_empty();
        for (at, force) in solid_forces.iter().enumerate() {
            let borne = borne.get(at);
            if borne.is_none() {
                force.take_back(dt, inverse_masses, positions);
            }
            let here = force.point(&cloth.positions);
            let to = touches.binary_search_by(|touch| touch.key().cmp(&force.key())).ok().or_else(|| {
                let is_next = |touch: &Touch| {
                    touch.solid == force.solid && (touch.feature == force.feature || touch.vertices == force.vertices)
                };
                let next = touches.iter().enumerate().filter(|(_, touch)| is_next(touch));
                let next = next.map(|(k, touch)| (k, touch.point(&cloth.positions).distance_squared(here)));
                next.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
            });
            let Some(to) = to else { continue };
            let mut acts = force.lasting;
            if let Some(Borne { force: more, weight }) = borne {
                // what is above the surface is let go
                let touch = &touches[to];
                acts += *more - touch.normal * (weight * touch.gap).min(touch.normal.dot(acts + *more).max(0.0));
            }
            loads[to].force += acts;
            loads[to].last += force.force.length();
        }
        for (touch, load) in touches.iter().zip(&*loads) {
            solids.extend(SolidContact::new(*touch, load, is_borne, dt, inverse_masses, positions));
        }
        move_to(cloth, positions, dt);
    }

    /// Finds the contacts of the pairs in `found`, which would be near each other after a step of `dt` [s] from `before` to `predicted` [m], for a
    /// solver that takes them as constraints. They start from what pressed in the last two steps. Returns false, and there are none, if some would
    /// pass through each other: that is an impact, for [`stop`](Self::stop).
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a simulation, which are borrowed apart from each other"
    )]
    pub fn constrain(
        &mut self,
        settings: &LayerSettings,
        pattern: &Pattern,
        found: &mut [Pair],
        partition: &Partition,
        [before, predicted]: [&[Vec3]; 2],
        masses: &[Real],
        dt: Real,
    ) -> bool {
        let Self { contacts, inverse_masses, positions, pieces, forces, .. } = self;
        self.settings = *settings;
        contacts.clear();
        if found.is_empty() {
            return true;
        }
        if found.iter().any(|pair| crosses(pair, &pair.corners(before), &pair.corners(predicted))) {
            // nothing of them has acted, so nothing is to be taken back
            forces.clear();
            return false;
        }
        invert(masses, partition, inverse_masses);
        let rest = pattern.rest_positions();
        found.sort_unstable();
        let mut pressed = forces.iter().peekable();
        for pair in found {
            while pressed.next_if(|force| force.pair() < *pair).is_some() {}
            let force = pressed.next_if(|force| force.pair() == *pair);
            let (x, y) = (pair.corners(before), pair.corners(predicted));
            let distance = distance_of(pair, &y, pieces, rest, settings.distance);
            let of = (distance, settings.friction, RECOVERY_SPEED * dt);
            let [last, lasting] =
                force.map_or([Vec3::ZERO; 2], |force| [force.force, force.lasting].map(|f| f * (dt * dt)));
            // nothing has acted yet, so no positions are corrected
            if let Some(mut contact) =
                LayerContact::new(pair, of, [last, Vec3::ZERO], inverse_masses, positions, &x, &y)
            {
                contact.warm(lasting, settings.friction);
                contacts.push(contact);
            }
        }
        true
    }

    /// What [`constrain`](Self::constrain) found.
    pub fn contacts(&self) -> &[LayerContact] {
        &self.contacts
    }

    /// Takes over the contacts as a solver has left them.
    pub fn take(&mut self, contacts: &[LayerContact]) {
        contacts.clone_into(&mut self.contacts);
        self.solved = true;
    }

    /// Takes the approach out of the motion of those `found` pairs that pass through each other in a step of `dt` [s] from `before` [m], as an
    /// inelastic impact does. Returns whether there were any. Others are near only because of that, so they are to be looked for again.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a simulation, which are borrowed apart from each other"
    )]
    pub fn stop(
        &mut self,
        settings: &LayerSettings,
        pattern: &Pattern,
        found: &[Pair],
        partition: &Partition,
        before: &[Vec3],
        cloth: &mut Cloth,
        dt: Real,
    ) -> bool {
        let Self { contacts, inverse_masses, positions, pieces, .. } = self;
        self.settings = *settings;
        contacts.clear();
        self.solids.clear();
        self.walls.clear();
        let is_passing = |pair: &&Pair| crosses(pair, &pair.corners(before), &pair.corners(&cloth.positions));
        let mut passing = found.iter().filter(is_passing).peekable();
        if passing.peek().is_none() {
            return false;
        }
        prepare(cloth, partition, positions, inverse_masses);
        let rest = pattern.rest_positions();
        for pair in passing {
            let (x, y) = (pair.corners(before), pair.corners(&cloth.positions));
            let distance = distance_of(pair, &y, pieces, rest, settings.distance);
            let none = [Vec3::ZERO; 2];
            contacts.extend(LayerContact::new(
                pair,
                (distance, settings.friction, 0.0),
                none,
                inverse_masses,
                positions,
                &x,
                &y,
            ));
        }
        contacts.sort_unstable_by_key(|contact| contact.pair);
        self.sweep(SWEEPS);
        move_to(cloth, &self.positions, dt);
        true
    }

    /// Moves the vertices of `cloth` so that layers keep their distance, and changes the velocities likewise. `walls` are surfaces that
    /// vertices lie on, with how far those have pushed them [m]. Returns the number of contacts that push.
    pub fn push(&mut self, walls: &[(Wall, Real)], cloth: &mut Cloth, dt: Real) -> u32 {
        self.forces.clear();
        self.solid_forces.clear();
        if self.contacts.is_empty() && self.solids.is_empty() {
            return 0;
        }
        self.positions.clone_from(&cloth.positions);
        self.walls.clear();
        self.walls.extend_from_slice(walls);
        for (wall, pressure) in &mut self.walls {
            let inverse = self.inverse_masses[wall.vertex as usize];
            *pressure = if inverse > 0.0 { *pressure / inverse } else { 0.0 };
        }
        if self.contacts.is_empty() {
            self.sweep_solids();
        } else {
            self.sweep(if self.solved { SWEEPS_AFTER_SOLVER } else { SWEEPS });
        }
        move_to(cloth, &self.positions, dt);
        let pressing = self.contacts.iter().filter(|contact| contact.pressure > 0.0);
        self.forces.extend(pressing.map(|contact| contact.force(dt)));
        self.solid_forces.extend(self.solids.iter().filter_map(|contact| contact.force(dt)));
        (self.forces.len() + self.solid_forces.len()) as u32
    }

    /// Solves all contacts together.
    fn sweep(&mut self, sweeps: usize) {
        let Self { contacts, solids, walls, inverse_masses, positions, settings, tethers, moved, .. } = self;
        moved.clear();
        moved.resize(positions.len(), false);
        for tether in &mut *tethers {
            let [i, j] = tether.ends;
            let length = positions[i as usize].distance(positions[j as usize]);
            tether.least = tether.rest.min(length) * LEAST_LENGTH;
            tether.length = tether.length.max(length.min((1.0 + GIVE) * tether.rest));
            tether.tension = 0.0;
        }
        for sweep in 0..sweeps {
            let mut largest: Real = 0.0;
            largest = largest.max(push_walls(walls, inverse_masses, positions, moved));
            let mut push = |contact: &mut LayerContact| {
                let change = contact.push(settings.friction, inverse_masses, positions);
                if change > CONVERGED * settings.distance {
                    contact.pair.vertices.iter().for_each(|&vertex| moved[vertex as usize] = true);
                }
                largest = largest.max(change);
            };
            if sweep % 2 == 0 {
                contacts.iter_mut().for_each(&mut push);
            } else {
                contacts.iter_mut().rev().for_each(&mut push);
            }
            largest = largest.max(push_solids(solids, sweep, inverse_masses, positions, moved) * settings.distance);
            if largest < CONVERGED * settings.distance {
                break;
            }
            // in the end no edge is stretched, at the cost of the distance
            for finish in sweep..if sweep + 1 == sweeps { sweep + FINISH } else { sweep + 1 } {
                let keep = |tether: &mut Tether| tether.keep(inverse_masses, positions, moved);
                if finish % 2 == 0 {
                    tethers.iter_mut().for_each(keep);
                } else {
                    tethers.iter_mut().rev().for_each(keep);
                }
            }
        }
        keep_off(solids, inverse_masses, positions, moved);
    }

    /// Solves the contacts of colliders where there are none of layers.
    fn sweep_solids(&mut self) {
        let Self { solids, walls, inverse_masses, positions, tethers, near_tethers, near_walls, moved, .. } = self;
        moved.clear();
        moved.resize(positions.len(), false);
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        near.resize(positions.len(), false);
        let vertices = solids.iter().flat_map(|contact| contact.touch.vertices);
        vertices.for_each(|vertex| near[vertex as usize] = true);
        self.start.clone_from(positions);
        if push_solids(solids, 0, inverse_masses, positions, moved) > FAR {
            // the cloth around takes part
            for _ in 0..RINGS {
                let beside = |tether: &Tether| near[tether.ends[0] as usize] != near[tether.ends[1] as usize];
                near_tethers.clear();
                near_tethers.extend(tethers.iter().filter(|tether| beside(tether)).copied());
                near_tethers.iter().flat_map(|tether| tether.ends).for_each(|end| near[end as usize] = true);
            }
            let inside = |tether: &&Tether| near[tether.ends[0] as usize] && near[tether.ends[1] as usize];
            near_tethers.clear();
            near_tethers.extend(tethers.iter().filter(inside).copied());
            near_tethers.iter_mut().for_each(|tether| tether.begin(&self.start));
            near_walls.clear();
            near_walls.extend(walls.iter().copied().filter(|(wall, _)| near[wall.vertex as usize]));
            for sweep in 0..SWEEPS {
                push_walls(near_walls, inverse_masses, positions, moved);
                if push_solids(solids, sweep, inverse_masses, positions, moved) < CLOSE {
                    break;
                }
                let keep = |tether: &mut Tether| tether.keep(inverse_masses, positions, moved);
                if sweep % 2 == 0 {
                    near_tethers.iter_mut().for_each(keep);
                } else {
                    near_tethers.iter_mut().rev().for_each(keep);
                }
            }
        }
        keep_off(solids, inverse_masses, positions, moved);
        self.near = near;
    }
}

/// Pushes vertices off the walls. Returns how far one was moved at most [m].
fn push_walls(walls: &mut [(Wall, Real)], inverse_masses: &[Real], positions: &mut [Vec3], moved: &mut [bool]) -> Real {
    let mut largest: Real = 0.0;
    for (wall, pressure) in walls {
        let i = wall.vertex as usize;
        if inverse_masses[i] > 0.0 {
            let depth = wall.normal.dot(wall.point - positions[i]);
            let before = *pressure;
            *pressure = (before + depth / inverse_masses[i]).max(0.0);
            let change = (*pressure - before) * inverse_masses[i];
            positions[i] += wall.normal * change;
            moved[i] |= change != 0.0;
            largest = largest.max(change.abs());
        }
    }
    largest
}

/// Pushes the points that colliders touch off them, forth and back in turn. Returns how far one was moved at most, as a share of the distance that it
/// keeps.
fn push_solids(
    solids: &mut [SolidContact],
    sweep: usize,
    inverse_masses: &[Real],
    positions: &mut [Vec3],
    moved: &mut [bool],
) -> Real {
    let mut largest: Real = 0.0;
    let mut push = |contact: &mut SolidContact| {
        let change = contact.push(inverse_masses, positions) / contact.touch.keep;
        if change > CLOSE {
            contact.touch.vertices.iter().for_each(|&vertex| moved[vertex as usize] = true);
        }
        largest = largest.max(change);
    };
    if sweep.is_multiple_of(2) {
        solids.iter_mut().for_each(&mut push);
    } else {
        solids.iter_mut().rev().for_each(&mut push);
    }
    largest
}

/// In the end no collider passes through the cloth, at the cost of the lengths.
fn keep_off(solids: &mut [SolidContact], inverse_masses: &[Real], positions: &mut [Vec3], moved: &mut [bool]) {
    for sweep in 0..LAST {
        if push_solids(solids, sweep, inverse_masses, positions, moved) < CLOSE {
            break;
        }
    }
}

impl Tether {
    /// Begins with the vertices at `positions` [m]: what it is stretched or compressed by there stays.
    fn begin(&mut self, positions: &[Vec3]) {
        let [i, j] = self.ends;
        let length = positions[i as usize].distance(positions[j as usize]);
        self.length = self.rest.max(length);
        self.least = self.rest.min(length) * LEAST_LENGTH;
        self.tension = 0.0;
    }

    /// Takes away what it is stretched or compressed by, if one of its ends was moved; momentum is kept.
    fn keep(&mut self, inverse_masses: &[Real], positions: &mut [Vec3], moved: &mut [bool]) {
        let [i, j] = self.ends.map(|end| end as usize);
        if !moved[i] && !moved[j] {
            return;
        }
        let along = positions[j] - positions[i];
        let squared = along.length_squared();
        let inverse = inverse_masses[i] + inverse_masses[j];
        let (least, most) = (self.least, self.length);
        if (self.tension != 0.0 || squared > most * most || squared < least * least) && inverse > 0.0 && squared > 0.0 {
            let length = squared.sqrt();
            // without its own tension it would be that much longer
            let free = length + self.tension * inverse;
            let tension = if free > most {
                free - most
            } else if free < least {
                free - least
            } else {
                0.0
            } / inverse;
            let impulse = along * ((tension - self.tension) / length);
            self.tension = tension;
            positions[i] += impulse * inverse_masses[i];
            positions[j] -= impulse * inverse_masses[j];
            (moved[i], moved[j]) = (true, true);
        }
    }
}

/// Takes the positions of `cloth` [m], and the inverse masses of what can be moved [1/kg].
fn prepare(cloth: &Cloth, partition: &Partition, positions: &mut Vec<Vec3>, inverse_masses: &mut Vec<Real>) {
    positions.clone_from(&cloth.positions);
    invert(&cloth.masses, partition, inverse_masses);
}

/// Takes the inverse `masses` of what can be moved [1/kg].
fn invert(masses: &[Real], partition: &Partition, inverse_masses: &mut Vec<Real>) {
    inverse_masses.clear();
    let inverse = |(i, mass): (u32, &Real)| if partition.is_free(i) { 1.0 / mass } else { 0.0 };
    inverse_masses.extend((0..).zip(masses).map(inverse));
}

/// Moves the vertices of `cloth` to `positions` [m] in the rest of a step of `dt` [s].
fn move_to(cloth: &mut Cloth, positions: &[Vec3], dt: Real) {
    for ((x, v), y) in cloth.positions.iter_mut().zip(&mut cloth.velocities).zip(positions) {
        if x != y {
            *v += (*y - *x) / dt;
            *x = *y;
        }
    }
}
