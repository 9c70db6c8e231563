//! The truncation of a motion, from top to bottom: the approach is relaxed, and what is left of it is cut.

use super::candidates::Candidates;
use super::islands::Islands;
use super::pair::{Pair, Verdict};
use super::relaxation::{Approach, relax};
use super::tethers::Tether;
use super::truncation::{HalfSpace, Held, nearest_within};
use super::{MOST_PAIRS, Truncation, aim_of};
use crate::sim::csr::Csr;
use crate::sim::exec::team::{Shared, Team};
use crate::sim::{Clock, Cloth, Real, Vec3};

/// Vertices that a thread takes at a time.
const VERTICES: usize = 256;
/// The gap that truncation leaves, as a share of that which relaxation aims at. In between relaxation need not be exact.
const LEAST_OF_AIM: Real = 0.1;
/// Searches after which the island of a pair in conflict only moves as a whole, and after which nothing moves.
const SEARCHES: u32 = 12;
const LAST_SEARCH: u32 = 32;
/// Searches for pairs to relax.
const RELAXATIONS: u32 = 4;
/// Rounds of truncation, in each of which what was cut goes on from where it was stopped.
const ROUNDS: u32 = 4;
/// How often the motion is halved when there are more pairs in conflict than are dealt with.
const HALVINGS: u32 = 4;

/// A motion that is being cut, with memory.
#[derive(Debug, Default)]
pub(super) struct Cutting {
    found: Vec<Pair>,
    approaches: Vec<Approach>,
    tethers: Vec<Tether>,
    held: Vec<Held>,
    islands: Islands,
    /// For each vertex the pairs that hold it, four times their number plus its number in the pair.
    of_vertex: Csr<u32>,
    /// `1/m`; 0 for vertices that cannot be moved [1/kg].
    inverse_masses: Vec<Real>,
    /// Where the vertices are at the start of a round, where they are to go, and where they go as far as is known [m].
    start: Vec<Vec3>,
    wish: Vec<Vec3>,
    target: Vec<Vec3>,
    /// Where they were to go at first [m].
    proposed: Vec<Vec3>,
    /// Targets before the last relaxation [m].
    relaxed: Vec<Vec3>,
    /// Vertices whose target changed in the last round.
    changed: Vec<bool>,
    /// Distance of layers [m].
    distance: Real,
}

impl Cutting {
    /// Sets start and targets of a motion, and what can be moved.
    pub fn begin(&mut self, before: &[Vec3], cloth: &Cloth, movable: impl Fn(u32) -> bool) {
        before.clone_into(&mut self.start);
        self.wish.clone_from(&cloth.positions);
        self.target.clone_from(&cloth.positions);
        self.proposed.clone_from(&cloth.positions);
        self.changed.clear();
        self.changed.resize(before.len(), true);
        self.inverse_masses.clear();
        let inverse = |(i, mass): (u32, &Real)| if movable(i) { 1.0 / mass } else { 0.0 };
        self.inverse_masses.extend((0..).zip(&cloth.masses).map(inverse));
    }

    /// The vertices whose motion was cut in the last run, rising.
    pub fn held_back(&self) -> impl Iterator<Item = u32> {
        let is_cut = |(target, wish): (&Vec3, &Vec3)| target != wish;
        let cut = self.target.iter().zip(&self.wish).map(is_cut);
        (0..).zip(cut).filter_map(|(vertex, is_cut)| is_cut.then_some(vertex))
    }

    /// Cuts the motion. `distance` [m] is that of layers.
    pub fn run(
        &mut self,
        candidates: &mut Candidates,
        distance: Real,
        masses: &[Real],
        clock: Clock,
        team: &Team,
    ) -> Truncation {
        self.distance = distance;
        let aim = aim_of(distance, candidates.surface.edge_length);
        let least = LEAST_OF_AIM * aim;
        let mut done = Truncation::default();
        // a vertex that alone can move shares its motion with none
        let movable = self.inverse_masses.iter().filter(|inverse| **inverse > 0.0);
        let mut left = movable.take(2).count() < 2 || self.relax(candidates, aim, &mut done, clock, team);
        for _ in 0..HALVINGS {
            if !done.too_many {
                break;
            }
            // slower, there are fewer
            for ((target, start), wish) in self.target.iter_mut().zip(&self.start).zip(&mut self.wish) {
                *target = start.midpoint(*target);
                *wish = *target;
            }
            self.changed.fill(true);
            done.too_many = false;
            done.halvings += 1;
            left = self.relax(candidates, aim, &mut done, clock, team);
        }
        if left {
            self.wish.clone_from(&self.target);
            for round in 0..ROUNDS {
                if round > 0 && (done.too_many || !self.go_on(candidates, least)) {
                    break;
                }
                self.hold_all(candidates, least, &mut done, clock, team);
            }
        }
        if done.searches > 1 {
            self.keep_momentum(masses);
        }
        if done.halvings > 0 {
            // all of it was held back
            let ways = self.target.iter().zip(&self.proposed).map(|(target, wish)| target.distance(*wish));
            (done.held_back, done.given_up) = (self.start.len() as u32, ways.fold(0.0, Real::max));
        }
        done
    }

    /// Moves the cloth to the targets in a step of `dt` [s].
    pub fn finish(&self, cloth: &mut Cloth, dt: Real) {
        for ((target, wish), v) in self.target.iter().zip(&mut cloth.positions).zip(&mut cloth.velocities) {
            if target != wish {
                let change = *target - *wish;
                *wish = *target;
                *v += change / dt;
            }
        }
    }

    /// Takes the approach out of the motion to the targets. Returns whether pairs are left in conflict, or may be.
    fn relax(
        &mut self,
        candidates: &mut Candidates,
        aim: Real,
        done: &mut Truncation,
        clock: Clock,
        team: &Team,
    ) -> bool {
        self.approaches.clear();
        for _ in 0..RELAXATIONS {
            self.find(candidates, aim, done, clock, team);
            if done.too_many {
                // nothing relaxed, which would take too long
                if !self.approaches.is_empty() {
                    self.target.copy_from_slice(&self.wish);
                }
                return true;
            }
            if self.found.is_empty() {
                return false;
            }
            if self.approaches.is_empty() {
                self.tethers.clear();
                self.tethers.extend(Tether::of(&candidates.surface));
                let target = &self.target;
                self.tethers.iter_mut().for_each(|tether| tether.begin(|vertex| target[vertex as usize]));
            }
            let known = self.approaches.len();
            for pair in &self.found {
                let (x, y) = (pair.corners(&self.start), pair.corners(&self.target));
                if let Verdict::Conflict { normal, gap } = pair.judge(&x, &y, aim) {
                    let approach = Approach::new(*pair, &y, (normal, gap), aim);
                    match self.approaches[..known].binary_search_by_key(pair, |approach| approach.pair) {
                        Ok(at) => self.approaches[at] = approach,
                        Err(_) => self.approaches.push(approach),
                    }
                }
            }
            self.approaches.sort_unstable_by_key(|approach| approach.pair);
            if known == 0 {
                self.wish.clone_from(&self.target);
            }
            self.relaxed.clone_from(&self.target);
            relax(&self.approaches, &self.tethers, &self.inverse_masses, &mut self.target);
            for ((changed, target), last) in self.changed.iter_mut().zip(&self.target).zip(&self.relaxed) {
                // those in conflict that cannot be moved are asked about again as well
                *changed = target != last;
            }
            for approach in &self.approaches {
                approach.pair.vertices.iter().for_each(|&vertex| self.changed[vertex as usize] = true);
            }
            done.relaxed = self.approaches.len() as u32;
        }
        true
    }

    /// Makes the targets the start of a motion to the wishes. Returns whether there is much of it left.
    fn go_on(&mut self, candidates: &mut Candidates, least: Real) -> bool {
        candidates.go_on();
        let mut left = false;
        for ((start, target), (wish, changed)) in
            self.start.iter_mut().zip(&mut self.target).zip(self.wish.iter().zip(&mut self.changed))
        {
            *start = *target;
            *changed = target != wish;
            left |= target.distance_squared(*wish) > least * least;
        }
        if left {
            self.target.copy_from_slice(&self.wish);
        }
        left
    }

    /// Cuts the motion from the start to the wishes until no pair is in conflict.
    fn hold_all(&mut self, candidates: &mut Candidates, least: Real, done: &mut Truncation, clock: Clock, team: &Team) {
        self.held.clear();
        self.islands.clear(self.start.len());
        for search in 0.. {
            if !done.too_many {
                self.find(candidates, least, done, clock, team);
                if self.found.is_empty() && !done.too_many {
                    break;
                }
            }
            let most = MOST_PAIRS * self.start.len();
            if search == LAST_SEARCH || done.too_many || self.held.len() + self.found.len() > most {
                done.too_many |= search < LAST_SEARCH;
                self.target.copy_from_slice(&self.start);
                break;
            }
            self.hold(least, search > SEARCHES);
            self.cut(team);
        }
        done.rounds += 1;
        done.pairs = done.pairs.max(self.held.len() as u32);
        if done.rounds == 1 {
            done.held_back = 0;
        }
        let (mut held_back, mut given_up) = (0, 0.0);
        for (target, wish) in self.target.iter().zip(&self.wish) {
            if target != wish {
                held_back += 1;
                given_up = Real::max(given_up, target.distance(*wish));
            }
        }
        (done.held_back, done.given_up) = (held_back, given_up);
    }

    /// Finds the pairs in conflict with a vertex that has changed, by rising vertex.
    fn find(&mut self, candidates: &mut Candidates, least: Real, done: &mut Truncation, clock: Clock, team: &Team) {
        let searched = (clock.0)();
        let Self { found, start, target, changed, distance, .. } = self;
        let (start, target) = (&start[..], &target[..]);
        done.too_many |= !candidates.find_conflicts([start, target], changed, least, *distance, found, team);
        let first = done.searches == 0;
        done.searches += 1;
        let mut touching = 0;
        found.retain(|pair| {
            let touches = pair.judge(&pair.corners(start), &pair.corners(target), least) == Verdict::Touching;
            touching += u32::from(touches);
            !touches
        });
        if first {
            done.touching = touching;
        }
        done.detection_seconds += (clock.0)() - searched;
    }

    /// Puts planes into the gaps of the pairs that were found. A pair that is held and in conflict for all that is so by
    /// rounding, and its island moves as a whole.
    fn hold(&mut self, least: Real, stop: bool) {
        let known = self.held.len();
        for pair in &self.found {
            let (x, y) = (pair.corners(&self.start), pair.corners(&self.wish));
            if self.held[..known].binary_search_by_key(pair, |held| held.pair).is_ok() {
                self.islands.stiffen(pair.vertices[0]);
                continue;
            }
            // judged with the targets, which may be other than the wishes: the planes are those of the start
            if let Verdict::Conflict { normal, gap } = pair.judge(&x, &pair.corners(&self.target), least) {
                let held = Held::new(*pair, &x, &y, (normal, gap), least);
                self.islands.join(&held);
                self.held.push(held);
            }
            if stop {
                self.islands.stiffen(pair.vertices[0]);
            }
        }
        self.held.sort_unstable_by_key(|held| held.pair);
        let corners = (0..).zip(&self.held);
        let entries = corners.flat_map(|(k, held): (u32, &Held)| {
            (0..).zip(held.pair.vertices).map(move |(c, vertex)| (vertex, 4 * k + c))
        });
        self.of_vertex.fill(self.start.len(), entries);
        self.islands.measure(&self.start, &self.wish, &self.inverse_masses);
    }

    /// Cuts the motion of every vertex to what its planes leave, which move with its island.
    fn cut(&mut self, team: &Team) {
        let Self { held, of_vertex, start, wish, target, islands, changed, .. } = self;
        team.fill(changed, VERTICES, |_| false);
        let (held, of_vertex, islands, start) = (&held[..], &*of_vertex, &*islands, &start[..]);
        let states = (Shared::new(target), Shared::new(changed));
        team.change(states, VERTICES, |range, (targets, changed)| {
            for (i, (target, changed)) in range.zip(targets.iter_mut().zip(changed)) {
                let row = of_vertex.row(i);
                if row.is_empty() {
                    continue;
                }
                let half_space = |&at: &u32| -> HalfSpace { held[(at / 4) as usize].half_space((at % 4) as usize) };
                let (frame, rigid) = islands.motion(i);
                let to = if rigid {
                    start[i] + frame
                } else {
                    let motion = wish[i] - start[i] - frame;
                    let within = nearest_within(motion, row.iter().map(half_space));
                    if within == motion { wish[i] } else { start[i] + (frame + within) }
                };
                *changed = to != *target;
                *target = to;
            }
        });
    }

    /// Gives a cloth that nothing holds the momentum back that it has lost, to cutting, to being slowed down or to rounding, by a shift of
    /// the whole, which parts and joins nothing.
    fn keep_momentum(&mut self, masses: &[Real]) {
        if self.inverse_masses.contains(&0.0) {
            return;
        }
        let (mut mass, mut lost, mut size): (Real, _, Real) = (0.0, Vec3::ZERO, 0.0);
        for ((target, wish), (m, x)) in self.target.iter().zip(&self.proposed).zip(masses.iter().zip(&self.start)) {
            mass += m;
            lost += (*wish - *target) * *m;
            size = size.max(x.abs().max_element());
        }
        let shift = lost / mass;
        if shift.abs().max_element() > 1e-12 * size {
            self.target.iter_mut().for_each(|target| *target += shift);
        }
    }
}
