//! The previous step of schemes of second order (`physics.md` section 3.1).
//!
//! If contact, the stretch limit or a person changes a velocity by `Δv`, the previous step is seen
//! from a frame that is faster by `Δv`: `v₋ + Δv` and `x₋ - h₋ Δv`. The acceleration of the vertex
//! stays, so that the next step is as smooth as this one.

use serde::{Deserialize, Serialize};

use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Real, Vec3};

/// Largest coordinate [m], velocity [m/s] and force [N] of one that is read: far from overflowing.
const LARGEST: Real = 1e15;

/// The last step as the next one needs it. Lists have an entry per vertex, or none where nothing is
/// known or needed.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PreviousStep {
    /// Its length [s]; 0 if there was none.
    pub step: Real,
    /// Positions at its start [m].
    pub positions: Vec<Vec3>,
    /// Velocities at its start [m/s].
    pub velocities: Vec<Vec3>,
    /// Forces of the air at its start [N].
    pub air: Vec<Vec3>,
    /// Velocities at its end [m/s].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Vec3>,
    /// Positions at its end [m].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arrived: Vec<Vec3>,
}

/// A copy asks for no memory where there is enough.
impl Clone for PreviousStep {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { step, positions, velocities, air, left, arrived } = self;
        *step = from.step;
        positions.clone_from(&from.positions);
        velocities.clone_from(&from.velocities);
        air.clone_from(&from.air);
        left.clone_from(&from.left);
        arrived.clone_from(&from.arrived);
    }
}

impl PreviousStep {
    /// A fault of it for a cloth of so many vertices, if any.
    #[must_use]
    pub fn fault(&self, vertices: usize) -> Option<&'static str> {
        let Self { step, positions, velocities, air, left, arrived } = self;
        if !(step.is_finite() && *step > 0.0) {
            return Some("history needs a step longer than 0 s");
        }
        let lists = [positions, velocities, air, left, arrived];
        let fits = |list: &Vec<Vec3>| list.is_empty() || list.len() == vertices;
        if !lists.into_iter().all(fits) || positions.len() != velocities.len() {
            return Some(
                "history needs an entry per vertex in each list that is not empty, velocities where positions are",
            );
        }
        let is_small = |x: &Vec3| x.abs().max_element() <= LARGEST;
        (!lists.into_iter().flatten().all(is_small)).then_some("history needs finite numbers within 10¹⁵")
    }

    /// Memory that it takes beside its own [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Self { positions, velocities, air, left, arrived, .. } = self;
        [positions, velocities, air, left, arrived].map(|list| size_of_val(&list[..])).iter().sum()
    }

    fn lists(&mut self) -> [&mut Vec<Vec3>; 5] {
        let Self { positions, velocities, air, left, arrived, .. } = self;
        [positions, velocities, air, left, arrived]
    }

    /// Forgets it.
    pub fn forget(&mut self) {
        if self.step > 0.0 {
            self.step = 0.0;
            self.lists().into_iter().for_each(Vec::clear);
        }
    }

    /// The step, if `cloth` is where it led to: nothing is known of the past of positions that were
    /// put somewhere.
    #[must_use]
    pub fn of(&self, cloth: &Cloth) -> Option<&Self> {
        let fits = self.positions.is_empty() || self.arrived == cloth.positions;
        (self.step > 0.0 && fits).then_some(self)
    }

    /// The step without the lists that [`completed`](Self::completed) finds in `cloth`; none if it
    /// did not lead there.
    #[must_use]
    pub fn shortened(&self, cloth: &Cloth) -> Option<Self> {
        let mut short = self.of(cloth)?.clone();
        short.arrived.clear();
        if short.left == cloth.velocities {
            short.left.clear();
        }
        Some(short)
    }

    /// The step that [`shortened`](Self::shortened) was made of, with the same `cloth`.
    #[must_use]
    pub fn completed(mut self, cloth: &Cloth) -> Self {
        if !self.positions.is_empty() {
            self.arrived.clone_from(&cloth.positions);
            if self.left.is_empty() {
                self.left.clone_from(&cloth.velocities);
            }
        }
        self
    }

    /// Follows vertices that are split: those of `parents`, from the positions `before` [m] to
    /// those of `cloth`. The crack faces may have moved.
    pub fn split(&mut self, parents: &[u32], before: &[Vec3], cloth: &Cloth) {
        if self.step == 0.0 {
            return;
        }
        let mut before = before.to_vec();
        for list in self.lists().into_iter().chain([&mut before]).filter(|list| !list.is_empty()) {
            for &parent in parents {
                let same = list[parent as usize];
                list.push(same);
            }
        }
        let ways = self.positions.iter_mut().zip(&mut self.arrived);
        for ((past, arrived), (now, before)) in ways.zip(cloth.positions.iter().zip(&before)) {
            if arrived == before {
                *arrived = *now;
                *past += *now - *before;
            }
        }
    }

    /// Keeps a step of `dt` [s] that has ended with the state of `cloth`. `start` are positions [m]
    /// and velocities [m/s] at its start, and `solved` those that the solver came to; both are
    /// taken. `held` tells the vertices that the solver held at a surface.
    pub fn keep(
        &mut self,
        dt: Real,
        [start, solved]: [&mut [Vec<Vec3>; 2]; 2],
        cloth: &Cloth,
        partition: &Partition,
        held: impl Fn(usize) -> bool,
    ) {
        self.step = dt;
        std::mem::swap(&mut self.positions, &mut start[0]);
        std::mem::swap(&mut self.velocities, &mut start[1]);
        self.arrived.clone_from(&cloth.positions);
        self.left.clone_from(&cloth.velocities);
        let past = self.positions.iter_mut().zip(&mut self.velocities);
        let now = cloth.positions.iter().zip(&cloth.velocities);
        for (i, ((x, v), (position, velocity))) in past.zip(now).enumerate() {
            if !partition.is_free(i as u32) {
                // the vertex does not continue its motion by a hand
                *v = *velocity;
            } else if held(i) {
                (*x, *v) = (*position - *velocity * dt, *velocity);
            } else {
                let faster = *velocity - solved[1][i];
                *x += *position - solved[0][i] - faster * dt;
                *v += faster;
            }
        }
    }

    /// Keeps the forces of the `air` [N] at the start of a step of `dt` [s].
    pub fn keep_air(&mut self, dt: Real, air: &[Vec3]) {
        self.step = dt;
        self.air.clear();
        self.air.extend_from_slice(air);
    }

    /// Forgets the states of the last step, of which only the air is needed.
    pub fn forget_states(&mut self) {
        for list in [&mut self.positions, &mut self.velocities, &mut self.left, &mut self.arrived] {
            list.clear();
        }
    }
}
