//! Which vertices of a step are unknowns, and the motion of those that are not.

use super::cloth::Cloth;
use super::pins::Grab;
use crate::sim::{Real, Vec3};

/// With which a pin that was held back gets faster [m/s²].
const CATCHING_UP: Real = 100.0;

/// The prescribed state of a vertex at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prescribed {
    /// The vertex.
    pub vertex: u32,
    /// Its position at the end of the step [m].
    pub position: Vec3,
    /// Its velocity over the step [m/s]: the motion divided by the step.
    pub velocity: Vec3,
}

/// A free vertex on a spring of rest length zero: a pin or the hand of a method that holds them
/// softly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftPin {
    /// The vertex.
    pub vertex: u32,
    /// The other end of the spring at the end of the step [m].
    pub point: Vec3,
    /// Velocity of that end over the step [m/s].
    pub velocity: Vec3,
    /// Stiffness `k` [N/m].
    pub stiffness: Real,
    /// Damping `c` of the vertex [N·s/m].
    pub damping: Real,
}

impl SoftPin {
    /// Weight `w` [N/m] and target `p` [m] by which its force on the vertex at `q` is `w (p - q)`,
    /// in a step of implicit Euler of `h` [s] from `x` [m]: `k (point - q) - c (q - x)/h`.
    #[must_use]
    pub fn in_step(&self, x: Vec3, h: Real) -> (Real, Vec3) {
        let damping = self.damping / h;
        let weight = self.stiffness + damping;
        (weight, self.point + (x - self.point) * (damping / weight))
    }
}

/// Which vertices are unknowns of a step and which are prescribed.
#[derive(Debug, Clone, Default)]
pub struct Partition {
    /// Stiffness of the springs that hold pins and hand from the next [`update`](Self::update) on
    /// [N/m]; `None` prescribes their motion.
    pub pin_stiffness: Option<Real>,
    /// The free vertices that are held softly, rising.
    pub soft: Vec<SoftPin>,
    /// The free vertices, rising.
    pub free: Vec<u32>,
    /// For each vertex its place in `free`, or [`Partition::PRESCRIBED`].
    pub unknown_of: Vec<u32>,
    /// The prescribed vertices, rising, with their motion over this step.
    pub prescribed: Vec<Prescribed>,
}

impl Partition {
    /// Marks a prescribed vertex in [`Partition::unknown_of`].
    pub const PRESCRIBED: u32 = u32::MAX;

    /// The prescribed vertices, rising.
    pub fn prescribed_vertices(&self) -> impl Iterator<Item = u32> {
        self.prescribed.iter().map(|prescribed| prescribed.vertex)
    }

    /// The vertices that are prescribed or held softly.
    pub fn held_vertices(&self) -> impl Iterator<Item = u32> {
        self.prescribed_vertices().chain(self.soft.iter().map(|soft| soft.vertex))
    }

    /// Energy of the springs of softly held vertices at the positions `x` of all [m], in joules.
    #[must_use]
    pub fn soft_energy(&self, x: &[Vec3]) -> Real {
        let of_pin = |pin: &SoftPin| 0.5 * pin.stiffness * pin.point.distance_squared(x[pin.vertex as usize]);
        self.soft.iter().map(of_pin).sum()
    }

    /// Force of the spring on `vertex` at `x` [m], if it is held softly [N].
    #[must_use]
    pub fn soft_force(&self, vertex: u32, x: Vec3) -> Vec3 {
        let place = self.soft.binary_search_by_key(&vertex, |pin| pin.vertex);
        place.map_or(Vec3::ZERO, |place| (self.soft[place].point - x) * self.soft[place].stiffness)
    }

    /// Whether `vertex` is an unknown.
    #[must_use]
    pub fn is_free(&self, vertex: u32) -> bool {
        self.unknown_of[vertex as usize] != Self::PRESCRIBED
    }

    /// Sets the prescribed motion for a step from the cloth's state to `time + dt` [s]. The hand
    /// wins over a pin. Allocates only when the set of prescribed vertices changes.
    pub fn update(&mut self, cloth: &Cloth, grab: Option<&Grab>, time: Real, dt: Real) {
        self.prescribed.clear();
        self.soft.clear();
        let mut grab = grab.filter(|grab| (grab.vertex as usize) < cloth.len());
        if let Some(stiffness) = self.pin_stiffness {
            self.hold_softly(stiffness, cloth, grab, [time, time + dt]);
            self.number(cloth.len());
            return;
        }
        let motion = |vertex: u32, target: Vec3| {
            let from = cloth.positions[vertex as usize];
            Prescribed { vertex, position: target, velocity: (target - from) / dt }
        };
        let held = |grab: &Grab| motion(grab.vertex, grab.follow(cloth.positions[grab.vertex as usize], dt));
        for pin in cloth.pins() {
            if let Some(before) = grab.take_if(|grab| grab.vertex <= pin.vertex) {
                self.prescribed.push(held(before));
                if before.vertex == pin.vertex {
                    continue;
                }
            }
            self.prescribed.push(motion(pin.vertex, pin.position(time + dt)));
        }
        self.prescribed.extend(grab.map(held));
        self.number(cloth.len());
    }

    /// Pins and hand as springs of this `stiffness` [N/m] over the `times` of a step [s].
    fn hold_softly(&mut self, stiffness: Real, cloth: &Cloth, grab: Option<&Grab>, times: [Real; 2]) {
        let [start, end] = times;
        let pins = cloth.pins().iter().filter(|pin| grab.is_none_or(|grab| grab.vertex != pin.vertex));
        self.soft.extend(pins.map(|pin| {
            let point = pin.position(end);
            let velocity = (point - pin.position(start)) / (end - start);
            SoftPin { vertex: pin.vertex, point, velocity, stiffness, damping: 0.0 }
        }));
        self.soft.extend(grab.map(|grab| {
            let point = grab.pull(cloth.positions[grab.vertex as usize]);
            let damping = stiffness * Grab::FOLLOW_TIME;
            SoftPin { vertex: grab.vertex, point, velocity: Vec3::ZERO, stiffness, damping }
        }));
        self.soft.sort_unstable_by_key(|pin| pin.vertex);
    }

    /// Lets surfaces hold back the hand and the pins that move: `reach(from, to)` says where a
    /// vertex comes to that is to move so in the step from `time` on [m], [s]. A pin whose vertex
    /// was held back before, or held softly, catches up, faster and faster, but no faster than the
    /// hand. A pin without a motion stays where it is, whatever comes there.
    pub fn hold_back(
        &mut self,
        cloth: &Cloth,
        grab: Option<&Grab>,
        time: Real,
        dt: Real,
        reach: impl Fn(Vec3, Vec3) -> Vec3,
    ) {
        for held in &mut self.prescribed {
            let from = cloth.positions[held.vertex as usize];
            let mut target = held.position;
            if grab.is_none_or(|grab| grab.vertex != held.vertex) {
                let Some(pin) = cloth.pin_of(held.vertex) else { continue };
                let due = pin.position(time);
                let is_behind = due.distance(from) > 1e-9 * (1.0 + from.length());
                if !is_behind && pin.motion.is_none() {
                    continue;
                }
                if is_behind {
                    // from its speed in the last step: one that is still stopped does not tear at
                    // the cloth
                    let speed = cloth.velocities[held.vertex as usize].length() + CATCHING_UP * dt;
                    let most = (speed * dt).min(due.distance(target) + Grab::TOP_SPEED * dt);
                    target = from + (target - from).clamp_length_max(most);
                }
            }
            let reached = reach(from, target);
            if reached != held.position {
                (held.position, held.velocity) = (reached, (reached - from) / dt);
            }
        }
    }

    /// Numbers the free vertices, unless that is done already.
    fn number(&mut self, vertices: usize) {
        let numbered = self.unknown_of.len() == vertices
            && self.free.len() + self.prescribed.len() == vertices
            && self.prescribed.iter().all(|p| !self.is_free(p.vertex));
        if numbered {
            return;
        }
        self.unknown_of.clear();
        self.unknown_of.resize(vertices, 0);
        for prescribed in &self.prescribed {
            self.unknown_of[prescribed.vertex as usize] = Self::PRESCRIBED;
        }
        self.free.clear();
        for vertex in 0..vertices as u32 {
            if self.is_free(vertex) {
                self.unknown_of[vertex as usize] = self.free.len() as u32;
                self.free.push(vertex);
            }
        }
    }
}
