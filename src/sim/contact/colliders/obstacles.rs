//! Broad phase: the solids that each vertex could reach.
//!
//! The exact distance of a vertex from every solid is measured once, at its place then. While it
//! stays within a clearance sphere around that place, without any part of a solid or of its reach,
//! that solid cannot touch it, neither at rest nor on the way: a sphere is convex. Only the solids
//! near the sphere are queried until the vertex leaves it. Only the position counts, so it does not
//! matter how the vertex came there. If a bounding box of consecutive vertices is far from
//! everything, none of them is queried.

use std::borrow::Cow;

use parry3d_f64::bounding_volume::Aabb;

use super::clearance_spheres::{ClearanceSphere, GRAIN, any_near, around, bit};
use super::collider::Collider;
use super::contact::Contact;
use super::solid::Solid;
use crate::sim::contact::settings::ContactSettings;
use crate::sim::exec::pool::{Chunks, Shared, ThreadPool};
use crate::sim::{Real, Vec3};

/// Speed at which a vertex that was inside a collider leaves it [m/s]; at once, its springs would
/// be stretched to a multiple.
pub(super) const RECOVERY_SPEED: Real = 0.5;
/// A sphere so many times larger than needed is renewed.
const WASTE: Real = 4.0;

/// Consecutive vertices with their clearance.
#[derive(Debug)]
struct VertexRun {
    spheres: Vec<ClearanceSphere>,
    contacts: Vec<Contact>,
    /// Bounding box of the paths of the vertices in the last step [m].
    way: Aabb,
}

impl Default for VertexRun {
    fn default() -> Self {
        Self { spheres: Vec::new(), contacts: Vec::new(), way: Aabb::new_invalid() }
    }
}

/// The solids around a cloth, prepared for the queries of a step, and the clearance spheres of the
/// vertices.
#[derive(Default)]
pub struct Obstacles {
    colliders: Vec<Collider>,
    pub(super) solids: Vec<Solid>,
    parts: Vec<VertexRun>,
    vertices: usize,
    /// Counts the sets of colliders.
    revision: u64,
    /// Upper bound of the path of the solids so far: the sum of the largest motion of each step
    /// [m].
    travel: Real,
    /// Room that a vertex needs for its motion: largest thickness, and largest speed of a solid
    /// [m], [m/s].
    thickness: Real,
    speed: Real,
    /// Length of the step [s].
    pub(super) dt: Real,
}

impl Obstacles {
    /// Sets the `colliders` with their motion in a step of `dt` [s] that starts at `time` [s];
    /// prepared ones are kept. `hand` gives the position [m] and rotation (axis times angle [rad])
    /// to which a hand brings one of them.
    pub fn update<'a, I: Iterator<Item = Cow<'a, Collider>>>(
        &mut self,
        colliders: impl Fn() -> I,
        hand: Option<(usize, (Vec3, Vec3))>,
        contact: &ContactSettings,
        time: Real,
        dt: Real,
    ) {
        let is_prepared = |(new, (old, solid)): (Cow<Collider>, (&Collider, &Solid))| {
            let surface = new.surface(contact);
            let is_same = surface.thickness == solid.surface.thickness && surface.edges == solid.surface.edges;
            is_same && new.shape == old.shape
        };
        let prepared = colliders().count() == self.colliders.len()
            && colliders().zip(self.colliders.iter().zip(&self.solids)).all(is_prepared);
        if !prepared {
            self.colliders.clear();
            self.revision += 1;
            self.colliders.extend(colliders().map(Cow::into_owned));
            let solid = |collider: &Collider| {
                let surface = collider.surface(contact);
                // slightly beyond the thickness, so that points exactly at that distance are found
                Solid::with_surface(collider, surface, 1.1 * surface.thickness)
            };
            self.solids = self.colliders.iter().map(solid).collect();
            self.thickness = self.solids.iter().map(|solid| solid.surface.thickness).fold(0.0, Real::max);
            self.forget();
        }
        let mut motion: Real = 0.0;
        for (number, ((new, old), solid)) in colliders().zip(&mut self.colliders).zip(&mut self.solids).enumerate() {
            solid.surface = new.surface(contact);
            let hand = hand.filter(|hand| hand.0 == number).map(|hand| hand.1);
            let place = |of: &Collider| (of.position, of.rotation, of.lag);
            let is_there = place(old) == place(&new);
            // without allocation
            (old.position, old.rotation, old.lag) = place(&new);
            if *old != *new {
                *old = new.into_owned();
            } else if is_there && prepared && hand.is_none() && !old.moves() && !solid.moves() {
                continue;
            }
            motion = motion.max(solid.advance(old, hand, time, dt));
        }
        if !prepared {
            motion = 0.0;
        }
        self.dt = dt;
        self.speed = if motion.is_finite() { motion / dt } else { 0.0 };
        self.travel += motion;
        // spheres cannot follow a plane that turns
        if !self.travel.is_finite() {
            self.forget();
        }
    }

    /// Drops the clearance of all vertices.
    fn forget(&mut self) {
        self.parts.clear();
        self.vertices = 0;
        self.travel = 0.0;
    }

    /// The colliders as declared and as prepared for the step, with the revision of the set.
    #[must_use]
    pub fn solids(&self) -> (&[Collider], &[Solid], u64) {
        (&self.colliders, &self.solids, self.revision)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.solids.is_empty()
    }

    /// Divides so many vertices into parts, without clearance.
    fn divide(&mut self, vertices: usize) {
        if self.vertices != vertices {
            self.vertices = vertices;
            self.parts.resize_with(vertices.div_ceil(GRAIN), VertexRun::default);
            for (at, part) in self.parts.iter_mut().enumerate() {
                part.spheres.clear();
                part.spheres.resize(GRAIN.min(vertices - at * GRAIN), ClearanceSphere::UNKNOWN);
            }
        }
    }

    /// Calls `visit(vertex, near, contacts)` for every one of so many vertices with the solids near
    /// it, to collect the contacts of a part; then `take` with the contacts of each part, by rising
    /// vertex. `positions` [m] and `velocities` [m/s] give the room for a motion in `ahead` [s].
    pub(super) fn search(
        &mut self,
        [positions, velocities]: [&[Vec3]; 2],
        ahead: Real,
        pool: &ThreadPool,
        visit: impl Fn(usize, Near, &mut Vec<Contact>) + Sync,
        mut take: impl FnMut(&[Contact]),
    ) {
        if self.is_empty() {
            return;
        }
        self.divide(positions.len());
        let (solids, thickness, speed, travel) = (&self.solids[..], self.thickness, self.speed, self.travel);
        pool.update(&mut self.parts, 1, |at, part| {
            part.contacts.clear();
            let here = at * GRAIN..at * GRAIN + part.spheres.len();
            if !any_near(solids, &around(positions[here].iter())) {
                return;
            }
            for (i, sphere) in (at * GRAIN..).zip(&mut part.spheres) {
                let x = positions[i];
                // a vertex that has come to rest needs less room, and then fewer solids are near
                let margin = thickness + ahead * (speed + velocities[i].length());
                let wasteful = sphere.near != 0 && sphere.margin > WASTE * margin;
                if !sphere.holds(x, travel) || wasteful {
                    *sphere = ClearanceSphere::around(x, margin, solids, travel);
                }
                if sphere.near != 0 {
                    visit(i, Near { solids, mask: sphere.near }, &mut part.contacts);
                }
            }
        });
        for part in &self.parts {
            take(&part.contacts);
        }
    }

    /// Calls `push(vertex, x, v, path)` for every vertex that may meet a solid on its path from
    /// `before` to `positions` [m].
    pub(super) fn push(
        &mut self,
        before: &[Vec3],
        [positions, velocities]: [&mut [Vec3]; 2],
        ahead: Real,
        pool: &ThreadPool,
        push: impl Fn(usize, &mut Vec3, &mut Vec3, Way) + Sync,
    ) {
        if self.is_empty() {
            return;
        }
        self.divide(positions.len());
        let (solids, thickness, speed, travel) = (&self.solids[..], self.thickness, self.speed, self.travel);
        let vertices = (Chunks::new(positions, GRAIN), Chunks::new(velocities, GRAIN));
        pool.change((Shared::new(&mut self.parts), vertices), 1, |range, (parts, (positions, velocities))| {
            for (at, part) in range.clone().zip(parts) {
                let first = (at - range.start) * GRAIN;
                let count = part.spheres.len();
                let way = before[at * GRAIN..][..count].iter().chain(&positions[first..first + count]);
                part.way = around(way);
                if !any_near(solids, &part.way) {
                    continue;
                }
                for (k, sphere) in part.spheres.iter_mut().enumerate() {
                    let (i, x, v) = (at * GRAIN + k, &mut positions[first + k], &mut velocities[first + k]);
                    if !sphere.holds(*x, travel) {
                        let margin = thickness + ahead * (speed + v.length()) + before[i].distance(*x);
                        *sphere = ClearanceSphere::around(*x, margin, solids, travel);
                    }
                    let whole = sphere.holds(before[i], travel);
                    if sphere.near != 0 || !whole {
                        push(i, x, v, Way { solids, sphere, whole, travel });
                    }
                }
            }
        });
    }
}

/// The solids near a vertex.
#[derive(Clone, Copy)]
pub(super) struct Near<'a> {
    solids: &'a [Solid],
    mask: u64,
}

impl<'a> Near<'a> {
    pub fn solids(self) -> impl Iterator<Item = &'a Solid> {
        self.solids.iter().enumerate().filter(move |(s, _)| self.mask & bit(*s) != 0).map(|(_, solid)| solid)
    }
}

/// The solids that may lie on the path of a vertex.
pub(super) struct Way<'a> {
    solids: &'a [Solid],
    sphere: &'a ClearanceSphere,
    /// Whether the sphere contains the start of the path.
    whole: bool,
    travel: Real,
}

impl<'a> Way<'a> {
    /// The next solid from number `*next` on for a vertex on its way to `x` [m]; the number moves
    /// behind it.
    pub fn next(&self, next: &mut usize, x: Vec3) -> Option<&'a Solid> {
        // a vertex that was pushed may have left its sphere
        let near = if self.whole && self.sphere.holds(x, self.travel) { self.sphere.near } else { u64::MAX };
        let s = (*next..self.solids.len()).find(|s| near & bit(*s) != 0)?;
        *next = s + 1;
        Some(&self.solids[s])
    }
}
