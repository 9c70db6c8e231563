//! Input of the kernels for a step, in single precision relative to the cloth.
//!
//! ```text
//! q = o + ŷ + u
//! ```
//!
//! `o` is a point of the cloth, `ŷ` the inertial target relative to it, rounded to single
//! precision, and `u` the unknown, which starts at the rounding error of the target. So nothing is
//! lost of the state: far from the origin a step is as exact as near it.

use super::springs::Springs;
use crate::sim::contact::{Contact, LoadShare};
use crate::sim::exec::pool::Chunks;
use crate::sim::solver_interface::Wholes;
use crate::sim::{Cloth, Real, StepInput, Vec3};

/// Vertices per task.
const VERTICES: usize = 2048;
/// Entries of [`Packed::given`] that every vertex has.
const LEAST: usize = 2;
/// Which one of them is the second state to start from.
const OTHER: usize = 1;

/// `Touch` of the kernels.
pub type Touch = [[f32; 4]; 4];

/// The arrays of a step, an entry per vertex but for the contacts.
#[derive(Debug, Default)]
pub struct Packed {
    /// `o` [m].
    origin: Vec3,
    /// `y` [m].
    target: Vec<Vec3>,
    /// `ŷ` [m], and one over the diagonal of the iteration [m/N], zero where a vertex is
    /// prescribed.
    pub places: Vec<[f32; 4]>,
    /// Further input of the kernels, by [`layout`](Self::layout).
    pub given: Vec<[f32; 4]>,
    /// Layout of `given`.
    pub layout: Layout,
    /// The contacts of free vertices, by rising vertex.
    pub touches: Vec<Touch>,
    /// Whether any of them has friction with a limit.
    pub rubs: bool,
    wholes: Wholes,
}

/// Number of entries of a vertex in [`Packed::given`], and which of them are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Entries of a vertex: two at least, `[what single precision has left of the target, m/h²]`
    /// and `[second state to start from, number of its first contact from 1, or 0]`.
    pub stride: usize,
    /// Which one is the way from where the vertex was to `ŷ`, where springs are damped; or 0.
    pub moved: usize,
    /// Which one is the first state to start from, where that is not what is left of the target; or
    /// 0.
    pub start: usize,
}

impl Layout {
    fn new(has_moved: bool, has_start: bool) -> Self {
        let (moved, start) = (usize::from(has_moved), usize::from(has_start));
        Self { stride: LEAST + moved + start, moved: LEAST * moved, start: (LEAST + moved) * start }
    }
}

impl Default for Layout {
    fn default() -> Self {
        Self::new(false, false)
    }
}

/// Where a step starts.
#[derive(Debug, Clone, Copy)]
pub enum Start<'a> {
    /// At the inertial target, or where the cloth would go without any force if the energy is lower
    /// there.
    Lower,
    /// At these positions [m].
    At(&'a [Vec3]),
}

impl Packed {
    /// Fills all with the step of `input` from the state of `cloth`.
    pub fn fill(&mut self, cloth: &Cloth, input: &StepInput, springs: &Springs, start: Start) {
        let Self { origin, target, places, given, layout, .. } = self;
        input.predict(cloth, target);
        let is_shifted = !input.pressed.is_empty() || !input.contacts.is_empty();
        *layout = Layout::new(springs.are_damped(), is_shifted || matches!(start, Start::At(_)));
        let Layout { stride, moved, start: first } = *layout;
        let n = cloth.len();
        *origin = target.get(n / 2).copied().unwrap_or_default();
        let origin = *origin;
        places.resize(n, [0.0; 4]);
        given.resize(n * stride, [0.0; 4]);
        let h = input.dt;
        input.pool.fill(places, VERTICES, |i| {
            let inverse = if input.partition.is_free(i as u32) { 1.0 / springs.diagonal[i] } else { 0.0 };
            four(target[i] - origin, inverse)
        });
        let places = &*places;
        let fill = |i: usize, given: &mut [[f32; 4]]| {
            let place = origin + wide(places[i]);
            let left = target[i] - place;
            let by_force = h * h / cloth.masses[i];
            let (one, other) = match start {
                Start::At(q) => (q[i] - place, q[i] - place),
                Start::Lower if !input.partition.is_free(i as u32) => (left, left),
                Start::Lower => {
                    let pressed = input.pressed.get(i).copied().unwrap_or(Vec3::ZERO);
                    (left - pressed * by_force, left - input.external[i] * by_force)
                }
            };
            given[0] = four(left, cloth.masses[i] / (h * h));
            given[OTHER] = four(other, 0.0);
            if moved > 0 {
                given[moved] = four(place - cloth.positions[i], 0.0);
            }
            if first > 0 {
                given[first] = four(one, 0.0);
            }
        };
        input.pool.change(Chunks::new(given, stride), VERTICES, |range, part| {
            range.zip(part.chunks_exact_mut(stride)).for_each(|(i, given)| fill(i, given));
        });
        self.add_contacts(cloth, input, springs);
        let Self { target, places, given, touches, rubs, wholes, .. } = self;
        if let (Start::Lower, false) = (start, input.contacts.is_empty()) {
            for which in [first, OTHER] {
                let at = |i: usize| origin + wide(places[i]) + wide(given[i * stride + which]);
                if balance(wholes, (cloth, input, target), springs, at) {
                    input.pool.change(Chunks::new(given, stride), VERTICES, |range, part| {
                        for (i, given) in range.zip(part.chunks_exact_mut(stride)) {
                            let shift = four(wholes.shift(i), 0.0);
                            given[which].iter_mut().zip(shift).for_each(|(u, shift)| *u += shift);
                        }
                    });
                }
            }
        }
        *rubs = touches.iter().any(|[_, point, _, load]| point[3] > 0.0 && load[3] == 0.0);
        if touches.is_empty() {
            touches.push([[0.0; 4]; 4]);
        }
    }

    /// Adds the contacts of free vertices, which make the diagonal of the iteration larger.
    fn add_contacts(&mut self, cloth: &Cloth, input: &StepInput, springs: &Springs) {
        let Self { origin, places, given, layout, touches, .. } = self;
        touches.clear();
        let free = |contact: &&Contact| input.partition.is_free(contact.vertex);
        let mut last = None;
        for contact in input.contacts.iter().filter(free) {
            let i = contact.vertex as usize;
            let place = *origin + wide(places[i]);
            if last == Some(i) {
                if let Some(touch) = touches.last_mut() {
                    touch[2][3] = 1.0;
                }
            } else {
                // numbers up to 16 million are exact
                given[i * layout.stride + OTHER][3] = (touches.len() + 1) as f32;
            }
            last = Some(i);
            let weight = springs.matrix[i];
            touches.push(touch(contact, place, cloth.positions[i], weight));
            let inverse = &mut places[i][3];
            *inverse = (1.0 / (1.0 / Real::from(*inverse) + weight)) as f32;
        }
    }

    /// The position of a vertex [m] whose unknown is `u`.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: usize, u: [f32; 4]) -> Vec3 {
        self.origin + wide(self.places[vertex]) + wide(u)
    }

    /// Finds the shifts of connected parts that nothing prescribes to where their energy is lowest,
    /// from the unknowns `u`: to the momentum that forces from outside and contacts give them.
    pub fn balance(&mut self, cloth: &Cloth, input: &StepInput, springs: &Springs, u: &[[f32; 4]]) {
        let Self { origin, target, places, wholes, .. } = self;
        balance(wholes, (cloth, input, target), springs, |i| *origin + wide(places[i]) + wide(u[i]));
    }

    /// Displacement found by [`balance`](Self::balance) for the part of a vertex [m].
    pub fn shift(&self, vertex: usize) -> Vec3 {
        self.wholes.shift(vertex)
    }
}

/// Finds the shifts with the vertices `at` positions [m].
fn balance(
    wholes: &mut Wholes,
    (cloth, input, target): (&Cloth, &StepInput, &[Vec3]),
    springs: &Springs,
    at: impl Fn(usize) -> Vec3 + Sync,
) -> bool {
    if !wholes.begin(input) {
        return false;
    }
    let dt = input.dt;
    let of_vertex = |i: usize| {
        let inertia = cloth.masses[i] / (dt * dt);
        (inertia, (target[i] - at(i)) * inertia)
    };
    wholes.add_all(cloth.len(), of_vertex, input.pool);
    for contact in input.contacts {
        let i = contact.vertex as usize;
        wholes.touch(contact, springs.matrix[i], at(i), cloth.positions[i]);
    }
    wholes.solve()
}

fn touch(contact: &Contact, place: Vec3, before: Vec3, weight: Real) -> Touch {
    let slid = place - before - contact.motion;
    let load = match contact.load_share {
        None => [0.0; 4],
        Some(LoadShare { load, sticks, .. }) => four(load, if sticks { 2.0 } else { 1.0 }),
    };
    [four(contact.normal, weight), four(contact.point - place, contact.friction), four(slid, 0.0), load]
}

fn four(v: Vec3, w: Real) -> [f32; 4] {
    [v.x as f32, v.y as f32, v.z as f32, w as f32]
}

fn wide([x, y, z, _]: [f32; 4]) -> Vec3 {
    Vec3::new(x.into(), y.into(), z.into())
}
