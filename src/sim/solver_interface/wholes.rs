//! Shift of connected parts that nothing prescribes as wholes, to where their energy is lowest.
//!
//! ```text
//! Σ (f - m/h² t) + Σ w (p(q + t) - (q + t)) = 0   over the vertices and contacts of a part, for its shift t
//! ```
//!
//! `f` is the inertia of a vertex at `q`, `m/h² (y - q)`, and `p` the projection of a contact
//! ([`Contact::project`]). The springs of the part have no say in it. Of `t` only the directions
//! count that the contacts leave ([`Freedom`]). Iterations with one stiffness for a contact along
//! its surface and across it let a cloth slide only slowly; this lets it slide as fast as friction
//! allows.

use super::components::Components;
use super::freedom::{Freedom, NormalSum};
use crate::sim::contact::Contact;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::math::outer;
use crate::sim::{Mat3, Real, StepInput, Vec3};

/// Most Newton iterations for a shift, and most halvings of one.
const ITERATIONS: u32 = 20;
const HALVINGS: i32 = 10;
/// Vertices per sum.
const VERTICES: usize = 8192;
/// Share of the forces on a part that may stay unbalanced.
const TOLERANCE: Real = 1e-9;

/// Forces on a connected part.
#[derive(Debug, Clone, Copy, Default)]
struct Whole {
    /// `Σ m/h²` [N/m].
    inertia: Real,
    /// `Σ f` [N].
    force: Vec3,
    /// `t` [m].
    shift: Vec3,
}

/// A contact of a part, with its vertex at `q`.
#[derive(Debug, Clone, Copy)]
struct Touching {
    part: u32,
    order: u32,
    weight: Real,
    contact: Contact,
    q: Vec3,
    before: Vec3,
}

impl Touching {
    /// Force of the contact after a translation [N], and its derivative [N/m].
    fn pull(&self, shift: Vec3) -> (Vec3, Mat3) {
        let Self { weight, ref contact, before, .. } = *self;
        let q = self.q + shift;
        let pull = (contact.project(q, before) - q) * weight;
        let (normal, identity) = (contact.normal, Mat3::IDENTITY);
        let across = outer(normal);
        let depth = normal.dot(contact.point - q);
        let slope = if let Some(load_share) = contact.load_share {
            if load_share.sticks { identity } else { across }
        } else if depth <= 0.0 {
            Mat3::ZERO
        } else {
            let slid = (q - before - contact.motion).reject_from_normalized(normal);
            let (length, limit) = (slid.length(), contact.friction * depth);
            if length <= limit {
                identity
            } else {
                let way = slid / length;
                let turn = identity - across - outer(way);
                across + turn * (limit / length)
                    - Mat3::from_cols(way * normal.x, way * normal.y, way * normal.z) * contact.friction
            }
        };
        (pull, slope * -weight)
    }

    /// By how much the shift raises the energy, with the limits of friction where it leads [J].
    fn change(&self, shift: Vec3) -> Real {
        let q = self.q + shift;
        let energy = |at: Vec3| self.contact.energy(at, q, self.before);
        self.weight * (energy(q) - energy(self.q))
    }
}

impl Whole {
    /// With this inertia [N/m] and force [N] in addition.
    fn with(self, (inertia, force): (Real, Vec3)) -> Self {
        Self { inertia: self.inertia + inertia, force: self.force + force, ..self }
    }

    /// Finds the shift by Newton's method, in the directions that the contacts leave.
    fn solve(&mut self, touching: &[Touching]) {
        let mut normals = NormalSum::default();
        touching.iter().for_each(|touching| normals.add(touching.contact.normal));
        let freedom = normals.freedom();
        if freedom == Freedom::None {
            return;
        }
        let unbalanced = |shift: Vec3| {
            let inertia = (self.force - shift * self.inertia, Mat3::from_diagonal(Vec3::splat(-self.inertia)));
            touching.iter().map(|touching| touching.pull(shift)).fold(inertia, |(f, k), (df, dk)| (f + df, k + dk))
        };
        let (mut force, mut slope) = unbalanced(Vec3::ZERO);
        let enough = TOLERANCE * force.length();
        'newton: for _ in 0..ITERATIONS {
            if force.length() <= enough {
                break;
            }
            let step = slope.inverse() * -force;
            for halving in 0..=HALVINGS {
                let shift = self.shift + step * (0.5 as Real).powi(halving);
                let next = unbalanced(shift);
                if next.0.length() < force.length() {
                    self.shift = shift;
                    (force, slope) = next;
                    continue 'newton;
                }
            }
            break;
        }
        // friction depends on how hard it is pressed, so the whole shift had to be found
        self.shift = freedom.part(self.shift);
    }
}

/// The connected parts of a step, and their shifts.
#[derive(Debug, Default)]
pub struct Wholes {
    parts: Components,
    wholes: Vec<Whole>,
    /// Sums over vertices of a cloth of one part.
    sums: Vec<Whole>,
    touching: Vec<Touching>,
    /// By how much the shifts have lowered the energy [J].
    pub gained: Real,
}

impl Wholes {
    /// Begins with a state of a step. Returns whether there is a part that nothing prescribes.
    pub fn begin(&mut self, input: &StepInput) -> bool {
        self.parts.update(input);
        self.wholes.clear();
        self.wholes.resize(self.parts.count(), Whole::default());
        self.touching.clear();
        self.gained = 0.0;
        (0..self.parts.count()).any(|part| self.parts.is_free(part))
    }

    /// Adds the inertia of a vertex: `m/h²` [N/m], and the force with which it pulls [N].
    pub fn add(&mut self, vertex: usize, inertia: Real, force: Vec3) {
        let whole = &mut self.wholes[self.parts.of(vertex)];
        *whole = whole.with((inertia, force));
    }

    /// [`add`](Self::add)s every vertex below `count`, with the inertia and the force from `of`; by
    /// all threads in a cloth of one part.
    pub fn add_all(&mut self, count: usize, of: impl Fn(usize) -> (Real, Vec3) + Sync, pool: &ThreadPool) {
        let [whole] = &mut self.wholes[..] else {
            for vertex in 0..count {
                let (inertia, force) = of(vertex);
                self.add(vertex, inertia, force);
            }
            return;
        };
        // in sums of one size, for the same bits by any number of threads
        let sums = &mut self.sums;
        sums.resize(count.div_ceil(VERTICES), Whole::default());
        pool.fill(sums, 1, |at| {
            (at * VERTICES..count.min((at + 1) * VERTICES)).map(&of).fold(Whole::default(), Whole::with)
        });
        *whole = sums.iter().map(|sum| (sum.inertia, sum.force)).fold(*whole, Whole::with);
    }

    /// Adds a contact that is held with `weight` [N/m], of a vertex that is at `q` and was at
    /// `before` [m] at the start of the step.
    pub fn touch(&mut self, contact: &Contact, weight: Real, q: Vec3, before: Vec3) {
        let part = self.parts.of(contact.vertex as usize);
        if self.parts.is_free(part) {
            let order = self.touching.len() as u32;
            self.touching.push(Touching { part: part as u32, order, weight, contact: *contact, q, before });
        }
    }

    /// Finds the shifts of the parts that nothing prescribes. Returns whether any of them moves.
    pub fn solve(&mut self) -> bool {
        let Self { parts, wholes, touching, gained, .. } = self;
        // in the order in which they came, without the memory that a stable sort takes
        touching.sort_unstable_by_key(|touching| (touching.part, touching.order));
        let mut left = &touching[..];
        for (part, whole) in wholes.iter_mut().enumerate().filter(|(part, _)| parts.is_free(*part)) {
            let skipped = left.partition_point(|touching| (touching.part as usize) < part);
            let end = left.partition_point(|touching| (touching.part as usize) <= part);
            let own = &left[skipped..end];
            left = &left[end..];
            whole.solve(own);
            let shift = whole.shift;
            let raised: Real = own.iter().map(|touching| touching.change(shift)).sum();
            *gained += (shift.dot(whole.force) - 0.5 * whole.inertia * shift.length_squared() - raised).max(0.0);
        }
        wholes.iter().any(|whole| whole.shift != Vec3::ZERO)
    }

    /// The shift of the part of `vertex` [m]; zero where something prescribes it.
    pub fn shift(&self, vertex: usize) -> Vec3 {
        self.wholes[self.parts.of(vertex)].shift
    }
}
