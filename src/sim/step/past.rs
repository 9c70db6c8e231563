//! What a step of second order takes from the one before it (`physics.md` section 3.1).
//!
//! It is state: snapshots and saved states keep it. What is not known of a vertex it need not forget: where contact, the stretch limit or a
//! person change a velocity by `Δv`, the past is seen from a frame that moves by `Δv` faster, `v₋ + Δv` and `x₋ - h₋ Δv`. The acceleration of the
//! vertex stays what it was, so that the next step is as smooth as this one.

use serde::{Deserialize, Serialize};

use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Real, Vec3};

/// Largest coordinate [m], velocity [m/s] and force [N] of one that is read: far from overflowing.
const LARGEST: Real = 1e15;

/// The last step as the next one needs it. Lists have an entry per vertex, or none where nothing is known or needed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct History {
    /// Its length [s].
    pub step: Real,
    /// Positions at its start [m].
    pub positions: Vec<Vec3>,
    /// Velocities at its start [m/s].
    pub velocities: Vec<Vec3>,
    /// Forces of the air at its start [N].
    pub air: Vec<Vec3>,
    /// Velocities at its end [m/s]; in a saved one none where these are still those of the cloth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Vec3>,
}

impl History {
    /// What is wrong with it for a cloth of so many vertices, if anything.
    #[must_use]
    pub fn fault(&self, vertices: usize) -> Option<&'static str> {
        let Self { step, positions, velocities, air, left } = self;
        if !(step.is_finite() && *step > 0.0) {
            return Some("history needs a step longer than 0 s");
        }
        let fits = |list: &Vec<Vec3>| list.is_empty() || list.len() == vertices;
        if ![positions, velocities, air, left].into_iter().all(fits) || positions.len() != velocities.len() {
            return Some(
                "history needs an entry per vertex in each list that is not empty, velocities where positions are",
            );
        }
        let is_small = |x: &Vec3| x.abs().max_element() <= LARGEST;
        let all = positions.iter().chain(velocities).chain(air).chain(left);
        (!all.into_iter().all(is_small)).then_some("history needs finite numbers within 10¹⁵")
    }

    /// Memory that it takes beside its own [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Self { positions, velocities, air, left, .. } = self;
        [positions, velocities, air, left].map(|list| size_of_val(&list[..])).iter().sum()
    }

    fn clear(&mut self) {
        self.step = 0.0;
        self.lists().into_iter().for_each(Vec::clear);
    }

    fn lists(&mut self) -> [&mut Vec<Vec3>; 4] {
        let Self { positions, velocities, air, left, .. } = self;
        [positions, velocities, air, left]
    }

    /// Copies without asking for memory where there is enough.
    fn copy_from(&mut self, other: &Self) {
        self.step = other.step;
        self.positions.clone_from(&other.positions);
        self.velocities.clone_from(&other.velocities);
        self.air.clone_from(&other.air);
        self.left.clone_from(&other.left);
    }
}

/// The last step of a simulation, and what tells whether the cloth is still as it left it.
#[derive(Debug, Default)]
pub struct Past {
    /// Its velocities at the end are always there where its positions are.
    last: History,
    /// Positions at its end [m].
    arrived: Vec<Vec3>,
}

impl Past {
    /// Forgets it.
    pub fn forget(&mut self) {
        if self.last.step > 0.0 {
            self.last.clear();
            self.arrived.clear();
        }
    }

    /// The last step, if that is where `cloth` comes from: nothing is known of the past of positions that were put somewhere.
    #[must_use]
    pub fn of(&self, cloth: &Cloth) -> Option<&History> {
        let last = &self.last;
        let fits = last.positions.is_empty() || self.arrived == cloth.positions;
        (last.step > 0.0 && fits).then_some(last)
    }

    /// What is to be saved of it.
    #[must_use]
    pub fn history(&self, cloth: &Cloth) -> Option<History> {
        let mut history = self.of(cloth)?.clone();
        if history.left == cloth.velocities {
            history.left.clear();
        }
        Some(history)
    }

    /// Goes on from what was saved with the state of `cloth`.
    pub fn resume(&mut self, history: Option<&History>, cloth: &Cloth) {
        self.forget();
        let Some(history) = history else { return };
        self.last.copy_from(history);
        if !self.last.positions.is_empty() {
            self.arrived.clone_from(&cloth.positions);
            if self.last.left.is_empty() {
                self.last.left.clone_from(&cloth.velocities);
            }
        }
    }

    /// Copies without asking for memory where there is enough.
    pub fn copy_from(&mut self, other: &Self) {
        if self.last.step > 0.0 || other.last.step > 0.0 {
            self.last.copy_from(&other.last);
            self.arrived.clone_from(&other.arrived);
        }
    }

    /// Follows vertices that are split: those of `parents`, from the positions `before` [m] to those of `cloth`. The lips of a cut may have moved.
    pub fn split(&mut self, parents: &[u32], before: &[Vec3], cloth: &Cloth) {
        if self.last.step == 0.0 {
            return;
        }
        let Self { last, arrived } = self;
        let mut before = before.to_vec();
        for list in last.lists().into_iter().chain([&mut *arrived, &mut before]).filter(|list| !list.is_empty()) {
            for &parent in parents {
                let same = list[parent as usize];
                list.push(same);
            }
        }
        let ways = last.positions.iter_mut().zip(arrived);
        for ((past, arrived), (now, before)) in ways.zip(cloth.positions.iter().zip(&before)) {
            if arrived == before {
                *arrived = *now;
                *past += *now - *before;
            }
        }
    }

    /// Keeps a step of `dt` [s] that has ended with the state of `cloth`. `start` are positions [m] and velocities [m/s] at its start, and `solved` those
    /// that the solver came to; both are taken. `held` tells the vertices that the solver held at a surface.
    pub fn keep(
        &mut self,
        dt: Real,
        [start, solved]: [&mut [Vec<Vec3>; 2]; 2],
        cloth: &Cloth,
        partition: &Partition,
        held: impl Fn(usize) -> bool,
    ) {
        let Self { last, arrived } = self;
        last.step = dt;
        std::mem::swap(&mut last.positions, &mut start[0]);
        std::mem::swap(&mut last.velocities, &mut start[1]);
        arrived.clone_from(&cloth.positions);
        last.left.clone_from(&cloth.velocities);
        let past = last.positions.iter_mut().zip(&mut last.velocities);
        let now = cloth.positions.iter().zip(&cloth.velocities);
        for (i, ((x, v), (position, velocity))) in past.zip(now).enumerate() {
            if !partition.is_free(i as u32) {
                // what a hand did with a vertex is nothing that it would go on with
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
        self.last.step = dt;
        self.last.air.clear();
        self.last.air.extend_from_slice(air);
    }

    /// Forgets the states of the last step, of which only the air is needed.
    pub fn forget_states(&mut self) {
        for list in [&mut self.last.positions, &mut self.last.velocities, &mut self.last.left, &mut self.arrived] {
            list.clear();
        }
    }
}
