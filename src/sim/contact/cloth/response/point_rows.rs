//! Contact rows of colliders at points inside triangles and edges of the cloth, and their forces
//! from step to step (`physics.md` section 13).

use super::contact_points::ContactPoint;
use super::row::ContactRow;
use super::solver_vertices::SolverVertices;
use crate::sim::contact::SolidForce;
use crate::sim::contact::colliders::Contact;
use crate::sim::exec::simd::F64x4;
use crate::sim::{Real, Vec3};

/// Reaction of a solver at a point whose load it took as contacts of the vertices around.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Reaction {
    /// Reaction beyond the load [N].
    force: Vec3,
    /// Weight of the point in the solver [N/m].
    weight: Real,
}

/// A vertex around such points.
#[derive(Debug, Clone, Copy)]
struct LoadedVertex {
    vertex: u32,
    /// Weight of its contact in the matrix [N/m].
    weight: Real,
    /// Force of that contact [N].
    reaction: Vec3,
    /// Sum of its shares of the contact forces [N].
    loads: Real,
}

/// State of a point from the last step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Load {
    /// Force on the point [N].
    force: Vec3,
    /// Size of the force in the last step [N].
    last: Real,
    /// Force given to the solver then [N].
    given: Vec3,
}

/// The points with a row, with their memory.
#[derive(Debug, Default)]
pub(super) struct PointRows {
    /// The points of the step, sorted by keys.
    pub points: Vec<ContactPoint>,
    /// Contact forces, by rising keys.
    pub forces: Vec<SolidForce>,
    /// Reaction of the solver to each of these, if it took them as contacts of the vertices.
    reactions: Vec<Reaction>,
    vertices: Vec<LoadedVertex>,
    /// State of each point from the last step.
    loads: Vec<Load>,
}

impl PointRows {
    /// Whether no point is near and none pressed in the last step.
    pub fn is_idle(&self) -> bool {
        self.points.is_empty() && self.forces.is_empty()
    }

    /// Adds the rows of the points in a step of `dt` [s] to the `proposed` positions [m]. The force
    /// of a point that is not near any more passes to the nearest point of the same part of the
    /// collider or of the cloth. Loads act on the vertices as on those of a free cloth and move
    /// them, unless the solver took them.
    pub fn begin(
        &mut self,
        proposed: &[Vec3],
        dt: Real,
        (rows, vertices): (&mut Vec<ContactRow>, &mut SolverVertices),
    ) {
        if self.reactions.is_empty() {
            self.take_back(dt, &mut vertices.q);
        }
        self.pass_on_loads(proposed);
        let is_taken = !self.reactions.is_empty();
        for (point, load) in self.points.iter().zip(&self.loads) {
            let mut row = point.row(&vertices.q);
            row.warm(load.force * (dt * dt));
            if is_taken {
                row.keep_pressing();
            } else {
                row.start(&mut vertices.q);
            }
            rows.push(row);
        }
    }

    /// Adds the rows of the points in a step of `dt` [s] to `predicted` [m], for a solver that
    /// takes them as constraints. They start from the forces of the last step.
    pub fn constrain(
        &mut self,
        predicted: &[Vec3],
        dt: Real,
        (rows, vertices): (&mut Vec<ContactRow>, &SolverVertices),
    ) {
        self.reactions.clear();
        self.pass_on_loads(predicted);
        for (point, load) in self.points.iter().zip(&self.loads) {
            let mut row = point.row(&vertices.q);
            row.warm(load.force * (dt * dt));
            rows.push(row);
        }
    }

    /// Takes the `rows` as the solver has left them, in a step of `dt` [s]: their forces are the
    /// reactions of the solver.
    pub fn take_solved(&mut self, rows: &[ContactRow], dt: Real) {
        self.note_forces(rows, dt);
        let Self { forces, reactions, .. } = self;
        forces.iter_mut().for_each(|force| force.lasting = force.force);
        reactions.clear();
        reactions.resize(forces.len(), Reaction { force: Vec3::ZERO, weight: 0.0 });
    }

    /// Undoes the effect of the forces that the solver took as external ones.
    fn take_back(&self, dt: Real, q: &mut [F64x4]) {
        for force in &self.forces {
            for (&vertex, weight) in force.vertices.iter().zip(force.weights) {
                let x = &mut q[vertex as usize];
                *x = *x - F64x4::from_vec3(force.lasting * (dt * dt * weight * x.0[3]));
            }
        }
    }

    /// Finds the state of each point from the last step.
    fn pass_on_loads(&mut self, proposed: &[Vec3]) {
        let Self { points, forces, reactions, loads, .. } = self;
        loads.clear();
        loads.resize(points.len(), Load::default());
        for (at, force) in forces.iter().enumerate() {
            let reaction = reactions.get(at);
            let here = force.point(proposed);
            let to = points.binary_search_by(|point| point.key().cmp(&force.key())).ok().or_else(|| {
                let is_next = |point: &ContactPoint| {
                    point.solid == force.solid && (point.feature == force.feature || point.vertices == force.vertices)
                };
                let next = points.iter().enumerate().filter(|(_, point)| is_next(point));
                let next = next.map(|(k, point)| (k, point.point(proposed).distance_squared(here)));
                next.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
            });
            let Some(to) = to else { continue };
            let mut acts = force.lasting;
            if let Some(Reaction { force: more, weight }) = reaction {
                // a point above the surface is dropped
                let (normal, gap) = (points[to].plane.normal, points[to].gap);
                acts += *more - normal * (weight * gap).min(normal.dot(acts + *more).max(0.0));
            }
            loads[to].force += acts;
            loads[to].last += force.force.length();
            loads[to].given += force.lasting;
        }
    }

    /// Stores the contact forces of the `rows` after a step of `dt` [s].
    pub fn note_forces(&mut self, rows: &[ContactRow], dt: Real) {
        let Self { points, forces, loads, .. } = self;
        forces.clear();
        for (row, (point, load)) in rows.iter().zip(points.iter().zip(&*loads)) {
            let Some(pressing) = row.pressing() else { continue };
            let ContactPoint { vertices, solid, feature, weights, .. } = *point;
            let force = (pressing.normal * pressing.along + pressing.across) / (dt * dt);
            // half of the change: a solver with few iterations responds to a load too late, and
            // would tremble
            let lasting = (force.clamp_length_max(load.last) + load.given) * 0.5;
            let (normal, sticks) = (pressing.normal, pressing.sticks);
            forces.push(SolidForce { vertices, solid, feature, weights, normal, force, lasting, sticks });
        }
    }

    /// Distributes the reactions of the solver to the points, if it took their loads as `contacts`
    /// of the vertices around; these by rising vertex, each with its weight [N/m]. `positions` [m]
    /// are those that the solver has reached.
    pub fn take_reactions(&mut self, contacts: Option<impl Iterator<Item = (Contact, Real)>>, positions: &[Vec3]) {
        let Self { forces, reactions, vertices, .. } = self;
        reactions.clear();
        let Some(contacts) = contacts else { return };
        vertices.clear();
        vertices.extend(contacts.map(|(contact, weight)| {
            let depth = contact.point - positions[contact.vertex as usize];
            let sticks = contact.load_share.is_some_and(|load_share| load_share.sticks);
            let depth = if sticks { depth } else { contact.normal * depth.dot(contact.normal) };
            LoadedVertex { vertex: contact.vertex, weight, reaction: depth * weight, loads: 0.0 }
        }));
        let place = |all: &[LoadedVertex], vertex: u32| all.binary_search_by_key(&vertex, |of| of.vertex).ok();
        let share = |force: &SolidForce, k: usize| force.weights[k] * force.force.length();
        for force in &*forces {
            for (k, &vertex) in force.vertices.iter().enumerate() {
                if let Some(at) = place(vertices, vertex) {
                    vertices[at].loads += share(force, k);
                }
            }
        }
        reactions.extend(forces.iter().map(|force| {
            let (mut sum, mut inverse) = (Vec3::ZERO, 0.0);
            for (k, &vertex) in force.vertices.iter().enumerate() {
                let loaded = place(vertices, vertex).map(|at| vertices[at]).filter(|loaded| loaded.loads > 0.0);
                if let Some(LoadedVertex { weight, reaction, loads, .. }) = loaded {
                    sum += reaction * (share(force, k) / loads);
                    inverse += force.weights[k] * force.weights[k] / weight;
                }
            }
            Reaction { force: sum, weight: if inverse > 0.0 { 1.0 / inverse } else { 0.0 } }
        }));
    }
}
