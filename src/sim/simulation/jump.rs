//! Jumps of handles: motions of pins that are faster than any wave in the cloth.
//!
//! A cloth that had to follow by its springs would be stretched to many times its length, and its
//! elastic energy would draw it through itself. So a connected part whose pins all jump by the same
//! rigid motion is carried along by it. It does not move in the step otherwise than without the
//! jump. Where a collider or other cloth is in the way, or the pins jump apart, it is dragged.

use super::{Obstacles, Pattern, Real, Simulation, State, Vec3};
use crate::sim::contact::Intersections;
use crate::sim::solver_interface::parts_of_vertices;
use crate::sim::state::PreviousStep;
use crate::sim::{Cloth, Pin, Quat};

/// By how much a pin may miss the common motion, as a share of the longest way of a pin.
const MISS: Real = 0.05;

/// A pin without a motion that is farther than this from its vertex was put elsewhere [m]; a nearer
/// vertex catches up.
const ELSEWHERE: Real = 2.0;

/// A rigid motion of a part: that of a pin over a step.
struct Carry<'a> {
    pin: &'a Pin,
    /// Start and end of the step [s].
    times: [Real; 2],
    /// Its way if it has no motion of its own [m].
    way: Vec3,
    /// Whether pins hold their vertices softly: these are not where the pins are.
    is_soft: bool,
}

impl Carry<'_> {
    /// Where it takes a point at `x` [m].
    fn place(&self, x: Vec3) -> Vec3 {
        let [from, to] = self.times;
        self.pin.motion.as_ref().map_or(x + self.way, |motion| motion.place(motion.origin_of(x, from), to))
    }

    fn rotation(&self) -> Quat {
        let [from, to] = self.times;
        let motion = self.pin.motion.as_ref();
        motion.map_or(Quat::IDENTITY, |motion| motion.rotation(to) * motion.rotation(from).inverse())
    }

    /// Whether it takes all these pins where they have to be.
    fn fits<'a>(&self, cloth: &Cloth, pins: impl Iterator<Item = &'a Pin>) -> bool {
        let (mut longest, mut miss): (Real, Real) = (0.0, 0.0);
        for pin in pins {
            let [start, end] = self.times;
            let from = if self.is_soft { pin.position(start) } else { cloth.positions[pin.vertex as usize] };
            let to = pin.position(end);
            longest = longest.max(from.distance(to));
            miss = miss.max(self.place(from).distance(to));
        }
        miss <= MISS * longest
    }
}

impl Simulation {
    /// Carries the parts along whose pins jump in the next `dt` [s].
    pub(super) fn carry_through_jumps(&mut self, dt: Real) {
        let times = [self.state.time, self.state.time + dt];
        let cloth = &self.state.cloth;
        let is_soft = self.solver.capabilities().pin_stiffness.is_some();
        let jumps = |pin: &Pin| match &pin.motion {
            Some(motion) => motion.jumps(pin.origin, times[0], times[1]),
            None => !is_soft && cloth.positions[pin.vertex as usize].distance(pin.origin) > ELSEWHERE,
        };
        if !cloth.pins().iter().any(jumps) {
            return;
        }
        let parts = parts_of_vertices(&self.pattern);
        let mut moved = cloth.clone();
        let mut done = Vec::new();
        for pin in cloth.pins().iter().filter(|pin| jumps(pin)) {
            let part = parts[pin.vertex as usize];
            if done.contains(&part) {
                continue;
            }
            done.push(part);
            let way = pin.origin - cloth.positions[pin.vertex as usize];
            let carry = Carry { pin, times, way, is_soft };
            let in_hand = self.state.grab.is_some_and(|grab| parts.get(grab.vertex as usize) == Some(&part));
            let own = cloth.pins().iter().filter(|pin| parts[pin.vertex as usize] == part);
            if !in_hand && carry.fits(cloth, own) {
                let rotation = carry.rotation();
                for i in (0..cloth.len()).filter(|&i| parts[i] == part) {
                    moved.positions[i] = carry.place(cloth.positions[i]);
                    moved.velocities[i] = rotation * cloth.velocities[i];
                }
            }
        }
        if moved.positions != cloth.positions && self.is_free_way(&moved.positions) {
            self.state.cloth = moved;
            // both are of the place before
            self.state.previous = PreviousStep::default();
            self.state.contact_forces.clear();
        }
    }

    /// Whether vertices can go straight to these positions [m] past all colliders, and the cloth
    /// does not pass through itself there.
    fn is_free_way(&self, to: &[Vec3]) -> bool {
        let Self { state: State { cloth, world, time, .. }, pattern, parameters, .. } = self;
        let (contact, table) = (&parameters.contact, &parameters.table);
        let mut obstacles = Obstacles::default();
        obstacles.update(|| world.solids(contact, table), None, contact, *time, 0.0);
        let is_free = |(from, to): (&Vec3, &Vec3)| from == to || obstacles.hold_back(*from, *to) == *to;
        let crossings = |pattern: &Pattern, x: &[Vec3]| Intersections::default().find(pattern, x).len();
        cloth.positions.iter().zip(to).all(is_free)
            && (!contact.self_contact || crossings(pattern, to) <= crossings(pattern, &cloth.positions))
    }
}
