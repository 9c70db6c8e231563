//! Contacts found before the solver runs: the vertices that press on a collider, for solvers that
//! support them.
//!
//! A solver that couples all vertices has to know the supports of the cloth. With a response after
//! the step alone, the light vertices at a table's edge are dragged along by the hanging cloth and
//! put back after each step, so that the cloth stretches by about `h² g` times the ratio of the
//! masses, however stiff its springs are.

use super::contact::{Contact, LoadShare};
use super::obstacles::{Near, Obstacles, RECOVERY_SPEED};
use super::solid::Solid;
use super::solid_force::SolidForce;
use super::surface::SLACK;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::forces::springs::spring_force_on;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Material, Pattern, Real, Vec3};

/// A vertex at an elastic surface that comes faster than outer forces make it in so many steps does
/// not rest there: it rebounds.
const ARRIVES: Real = 3.0;

/// Cosine of the angle up to which a surface turns under a sliding vertex; beyond it is another
/// face.
const SAME_FACE: Real = 0.7;

/// Friction takes at most `1/(1 + 1/MOST_DRAG)` of the velocity of a slow sliding vertex in a step:
/// with more, the system of an implicit step would be ill-conditioned, and a slow vertex sticks in
/// the next step anyway.
const MOST_DRAG: Real = 9.0;

/// Forces and motion of a step, which decide the vertices that press on a surface.
#[derive(Clone, Copy)]
pub struct Loads<'a> {
    /// Rest mesh and springs.
    pub pattern: &'a Pattern,
    /// Stiffness and damping of the springs. `None` for methods that release separating contacts by
    /// themselves, and for those without spring forces: then every vertex on a surface counts.
    pub material: Option<&'a Material>,
    /// Which vertices are free.
    pub partition: &'a Partition,
    /// Gravity and air on each vertex [N].
    pub external: &'a [Vec3],
    /// Length of the step [s].
    pub dt: Real,
}

impl Loads<'_> {
    /// The stiffness of everything that acts on a vertex of this `mass` [kg], its inertia and all
    /// its springs [N/m].
    fn weight(&self, vertex: u32, mass: Real) -> Real {
        let springs = self.pattern.neighbours().of_vertex(vertex).iter();
        let material = self.material.map(Material::of_springs);
        let stiffness = |spring: u32| material.map_or(0.0, |of| of.stiffness_of(self.pattern, spring as usize));
        mass / (self.dt * self.dt) + springs.map(|&(spring, _)| stiffness(spring)).sum::<Real>()
    }

    /// The weight of the friction on a sliding vertex [N/m]: Coulomb's at the expected speed.
    fn drag(&self, sliding: &Sliding) -> Real {
        let (Sliding { vertex, mass, velocity, normal, limit, excess }, dt) = (*sliding, self.dt);
        let speed = |velocity: Vec3| velocity.reject_from_normalized(normal).length();
        // of the vertex now, as a part of a cloth that outer forces move as a whole, and between
        // neighbours at rest
        let free = speed(velocity + self.external[vertex as usize] * (dt / mass)) - limit / mass;
        let between = excess / (self.weight(vertex, mass) * dt * dt);
        let expected = limit / (dt * dt * speed(velocity).max(free).max(between));
        expected.min(MOST_DRAG * mass / (dt * dt))
    }
}

/// A vertex that slides over a surface.
#[derive(Clone, Copy)]
struct Sliding {
    vertex: u32,
    /// [kg].
    mass: Real,
    /// Relative to the surface [m/s].
    velocity: Vec3,
    normal: Vec3,
    /// Largest impulse of friction, and that which is missing to hold the vertex [N·s].
    limit: Real,
    excess: Real,
}

impl Obstacles {
    /// Writes the vertices that press on a collider to `contacts`, by rising vertex. A vertex
    /// presses on a surface with the normal `n` if the impulse `R = -(h F + m (v - u))` to the
    /// velocity `u` of the collider points outward, `R·n > 0`; it sticks if
    /// `|R - (R·n) n| ≤ μ R·n`, and else friction slows it down by that much. `F` [N] sums its
    /// springs and external forces. The search has room for the motion of the vertices in `ahead`
    /// [s].
    pub fn find_contacts(
        &mut self,
        cloth: &Cloth,
        loads: &Loads,
        ahead: Real,
        contacts: &mut Vec<Contact>,
        pool: &ThreadPool,
    ) {
        contacts.clear();
        let Loads { pattern, material, partition, external, dt } = *loads;
        let recovery = RECOVERY_SPEED * dt;
        let visit = |i: usize, near: Near, contacts: &mut Vec<Contact>| {
            let vertex = i as u32;
            if !partition.is_free(vertex) {
                return;
            }
            let x = cloth.positions[i];
            // of several colliders the nearest counts; the response after the step treats the
            // others
            let surfaces = near.solids().filter_map(|solid| on_surface(solid, x, recovery));
            let nearest = surfaces.min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((gap, normal, solid)) = nearest else { return };
            let is_inside = gap < -recovery;
            // a vertex far inside comes out in many steps, and friction would keep its springs from
            // contracting
            let (gap, friction) = if is_inside { (-recovery, 0.0) } else { (gap, solid.surface.friction) };
            let here = x - normal * gap;
            let (point, normal) = (solid.carried(here), solid.turned(normal));
            let motion = point - here;
            let velocity = if solid.moves() { cloth.velocities[i] - motion / dt } else { cloth.velocities[i] };
            let mass = cloth.masses[i];
            let fall = external[i].length() * dt / mass;
            if !is_inside && solid.surface.restitution > 0.0 && -velocity.dot(normal) > ARRIVES * fall {
                return;
            }
            let contact = Contact { vertex, point, normal, motion, friction, drag: None, load_share: None };
            let Some(material) = material.filter(|_| !is_inside) else {
                contacts.push(Contact { drag: is_inside.then_some(0.0), ..contact });
                return;
            };
            let force =
                spring_force_on(cloth, pattern, material, vertex) + partition.soft_force(vertex, x) + external[i];
            let stopping = -(force * dt + velocity * mass);
            let pressing = stopping.dot(normal);
            if pressing > 0.0 {
                let along = stopping - normal * pressing;
                let limit = friction * pressing;
                let excess = along.length() - limit;
                let slides = Sliding { vertex, mass, velocity, normal, limit, excess };
                let drag = (excess > 0.0).then(|| loads.drag(&slides));
                let contact = Contact { drag, ..contact };
                let ahead = drag.and_then(|_| contact.where_it_slides(solid, here + velocity * dt));
                contacts.push(ahead.unwrap_or(contact));
            }
        };
        let state = [&cloth.positions[..], &cloth.velocities];
        self.search(state, ahead, pool, visit, |found| contacts.extend_from_slice(found));
    }

    /// Adds the vertices around contact points that colliders `pressed` on in the last step to
    /// `contacts`, sorted by vertex. Vertices on a collider themselves get their share of the load
    /// as an external force, in `external` [N] and among the contact forces in it, `contact_loads`
    /// [N].
    pub fn carry_loads(
        &self,
        cloth: &Cloth,
        loads: &Loads,
        pressed: &[SolidForce],
        (external, contact_loads): (&mut [Vec3], &mut Vec<Vec3>),
        contacts: &mut Vec<Contact>,
    ) {
        contact_loads.resize(cloth.len(), Vec3::ZERO);
        let own = contacts.len();
        for force in pressed {
            let Some(solid) = self.solids.get(force.solid as usize) else { continue };
            for (&vertex, &share) in force.vertices.iter().zip(&force.weights).filter(|(_, share)| **share > 0.0) {
                let i = vertex as usize;
                if contacts[..own].binary_search_by_key(&vertex, |contact| contact.vertex).is_ok() {
                    external[i] += force.lasting * share;
                    contact_loads[i] += force.lasting * share;
                } else if loads.partition.is_free(vertex) {
                    let x = cloth.positions[i];
                    let point = solid.carried(x);
                    // weighted mean over all points of a vertex
                    let normal = force.normal * (share * force.force.length());
                    let (motion, friction, drag) = (point - x, 0.0, None);
                    let load = force.lasting * share;
                    let load_share = Some(LoadShare { load, impulse: load * loads.dt, sticks: force.sticks });
                    contacts.push(Contact { vertex, point, normal, motion, friction, drag, load_share });
                }
            }
        }
        contacts.sort_unstable_by_key(|contact| contact.vertex);
        contacts.dedup_by(|later, first| {
            let same = later.vertex == first.vertex;
            if same {
                first.normal += later.normal;
                let both = first.load_share.zip(later.load_share);
                let add = |(a, b): (LoadShare, LoadShare)| LoadShare {
                    load: a.load + b.load,
                    impulse: a.impulse + b.impulse,
                    sticks: a.sticks && b.sticks,
                };
                first.load_share = both.map(add);
            }
            same
        });
        for contact in contacts.iter_mut() {
            if let Some(load_share) = &mut contact.load_share {
                contact.normal = contact.normal.normalize_or_zero();
                load_share.load /= loads.weight(contact.vertex, cloth.masses[contact.vertex as usize]);
            }
        }
    }
}

impl Contact {
    /// The contact of a sliding vertex with the plane of the surface where it slides to, from its
    /// end at `there` [m] in the plane of the start: a round surface faces elsewhere there, and the
    /// vertex would leave it along the tangent. The sliding distance is counted from the same
    /// point. None where no surface is near, or another face of it.
    fn where_it_slides(&self, solid: &Solid, there: Vec3) -> Option<Self> {
        let there = there - self.normal * self.normal.dot(there - (self.point - self.motion));
        let surface = solid.nearest_at_start(there)?;
        let normal = solid.turned(surface.normal);
        let plane = solid.carried(there - surface.normal * (surface.distance - solid.surface.thickness));
        let is_same_face = normal.dot(self.normal) > SAME_FACE;
        is_same_face.then(|| Self { point: self.point + normal * normal.dot(plane - self.point), normal, ..*self })
    }
}

/// Distance of a vertex at `x` [m] from the surface of a solid at the start of the step, and the
/// normal there, if it lies on the surface or farther inside than the `recovery` of the step [m].
fn on_surface(solid: &Solid, x: Vec3, recovery: Real) -> Option<(Real, Vec3, &Solid)> {
    let surface = solid.nearest_at_start(x)?;
    let thickness = solid.surface.thickness;
    let gap = surface.distance - thickness;
    (gap.abs() <= SLACK * thickness || gap < -recovery).then_some((gap, surface.normal, solid))
}
