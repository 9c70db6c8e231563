//! Contact of the cloth with itself: what is free of intersection at the start of a step is so at its end, whatever the solver
//! proposes.
//!
//! Two triangles can meet only where a vertex meets a triangle or an edge an edge. While all vertices move in straight lines,
//! such a [`Pair`] stays apart if two parallel planes which do not turn part it at both ends of the motion: the vertices of
//! one part are beyond them at both ends, so on all the way. A pair for which no such planes are found is *held*: two planes
//! are put into its gap, and the motion of its four vertices is cut so that none passes its plane. Cutting brings other pairs
//! into conflict, with what was stopped; they are looked for around the vertices that were cut, and held as well, until there is
//! no conflict left. Standing still is no conflict, so it ends.
//!
//! Which pairs are held follows from the two states alone. There is no continuous detection, no root is sought, and no
//! order of pairs counts.

pub mod distance;
mod islands;
mod layers;
mod pair;
mod relaxation;
mod search;
mod surface;
mod truncation;

pub use layers::{LayerForce, LayerSettings, Wall};
pub use pair::{Pair, Verdict};

use crate::sim::csr::Csr;
use crate::sim::exec::team::{Shared, Team};
use crate::sim::model::partition::Partition;
use crate::sim::{Clock, Cloth, Pattern, Real, Vec3};
use islands::Islands;
use layers::{Layers, is_near};
use relaxation::{Approach, Tether, relax};
use search::Search;
use surface::Surface;
use truncation::{HalfSpace, Held, nearest_within};

/// Vertices that a thread takes at a time.
const VERTICES: usize = 256;
/// The gap that relaxation aims at, as a share of the distance of layers, and of the mean length of an edge at rest.
const AIM_OF_DISTANCE: Real = 0.1;
const AIM_OF_EDGE: Real = 0.02;
/// The gap that truncation leaves, as a share of that. In between relaxation need not be exact.
const LEAST_OF_AIM: Real = 0.1;
/// Searches after which the island of a pair in conflict only moves as a whole, and after which nothing moves.
const SEARCHES: u32 = 12;
const LAST_SEARCH: u32 = 32;
/// Searches for pairs to relax.
const RELAXATIONS: u32 = 4;
/// Rounds of truncation, in each of which what was cut goes on from where it was stopped.
const ROUNDS: u32 = 4;

/// Most pairs in conflict for each vertex, on the average. With more than that the motion is halved, and in the end the cloth stands still for
/// the step.
const MOST_PAIRS: usize = 48;
/// How often the motion is halved when there are more.
const HALVINGS: u32 = 4;
/// Motions beyond this are as good as not finite [m].
const FARTHEST: Real = 1e30;

/// What the truncation of a motion did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Truncation {
    /// Vertices whose motion was cut.
    pub held_back: u32,
    /// Pairs that were held apart.
    pub pairs: u32,
    /// Pairs in conflict that were relaxed.
    pub relaxed: u32,
    /// How often the motion was halved because there were more pairs in conflict than are dealt with.
    pub halvings: u32,
    /// Whether there were too many in the end as well, so that nothing moved.
    pub too_many: bool,
    /// Rounds of cutting.
    pub rounds: u32,
    /// Searches for pairs in conflict.
    pub searches: u32,
    /// The largest distance from where a vertex was to go to where it went [m].
    pub given_up: Real,
    /// Pairs that touched or crossed at the start and cannot be held apart.
    pub touching: u32,
    /// Time of the searches [s].
    pub detection_seconds: Real,
    /// Time of all else [s].
    pub truncation_seconds: Real,
}

/// Keeps a cloth from passing through itself. All that it keeps from step to step is memory.
#[derive(Debug, Default)]
pub struct SelfContact {
    surface: Surface,
    search: Search,
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
    /// Targets before the last relaxation [m].
    relaxed: Vec<Vec3>,
    /// Vertices whose target changed in the last round.
    changed: Vec<bool>,
    layers: Layers,
    /// Where the vertices were before colliders pushed them [m].
    proposed: Vec<Vec3>,
    /// Which vertices colliders hold.
    pushed: Vec<bool>,
    /// Surfaces that vertices lie on, with how far they have pushed them [m].
    walls: Vec<(Wall, Real)>,
}

impl SelfContact {
    /// What layers press with, for the next step; snapshots keep it.
    #[must_use]
    pub fn forces(&self) -> &[LayerForce] {
        &self.layers.forces
    }

    /// Puts back what [`forces`](Self::forces) gave.
    pub fn set_forces(&mut self, forces: &[LayerForce]) {
        forces.clone_into(&mut self.layers.forces);
    }

    /// Finds the layers that a step of `dt` [s] from `before` [m] has brought near each other, and gives them what they pressed with in
    /// the last step. Colliders and then [`push_layers`](Self::push_layers) are to follow.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a simulation, which are borrowed apart from each other"
    )]
    pub fn find_layers(
        &mut self,
        settings: &LayerSettings,
        pattern: &Pattern,
        partition: &Partition,
        before: &[Vec3],
        cloth: &mut Cloth,
        dt: Real,
        team: &Team,
    ) {
        self.surface.update(pattern);
        self.layers.update(pattern);
        self.pushed.clear();
        self.found.clear();
        if !self.surface.triangles.is_empty() && cloth.positions.iter().all(|x| x.abs().max_element() < FARTHEST) {
            self.find_near(settings.distance, before, cloth, team);
            let crosses = |pair: &Pair| layers::crosses(pair, &pair.corners(before), &pair.corners(&cloth.positions));
            if self.found.iter().any(crosses) {
                // what has passed through others is near to what it does not touch
                self.begin(before, cloth, |vertex| partition.is_free(vertex));
                self.relax(self.aim(settings.distance), true, &mut Truncation::default(), Clock::default(), team);
                self.take(cloth, dt);
                self.find_near(settings.distance, before, cloth, team);
            }
        }
        self.layers.begin(settings, pattern, &mut self.found, partition, before, cloth, dt);
        self.proposed.clone_from(&cloth.positions);
    }

    /// Finds the pairs that a motion from `before` [m] brings near each other, for layers of a `distance` [m].
    fn find_near(&mut self, distance: Real, before: &[Vec3], cloth: &Cloth, team: &Team) {
        let Self { surface, search, found, .. } = self;
        let (x, y, reach) = (before, &cloth.positions[..], Layers::REACH * distance);
        let keep = |pair: &Pair| is_near(pair, &pair.corners(x), &pair.corners(y), reach);
        // with more pairs than that some do not push
        search.find(surface, [x, y], reach, |_| true, keep, found, MOST_PAIRS * x.len(), team);
    }

    /// Pushes the layers apart that were found, with friction. `held` are vertices that lie on colliders; those that colliders have pushed
    /// since do as well. Returns the number of contacts that push.
    pub fn push_layers(&mut self, held: impl Iterator<Item = Wall>, cloth: &mut Cloth, dt: Real) -> u32 {
        self.note_walls(held, &cloth.positions);
        self.layers.push(&self.walls, cloth, dt)
    }

    /// Notes which vertices colliders hold: `held`, and those that they have pushed since layers were looked for. Truncation does not push
    /// them into the colliders.
    fn note_walls(&mut self, held: impl Iterator<Item = Wall>, positions: &[Vec3]) {
        let Self { proposed, pushed, walls, .. } = self;
        walls.clear();
        walls.extend(held.map(|wall| (wall, 0.0)));
        for (vertex, (from, to)) in (0..).zip(proposed.iter().zip(positions)) {
            if let Some(normal) = (*to - *from).try_normalize() {
                walls.push((Wall { vertex, point: *to, normal }, to.distance(*from)));
            }
        }
        pushed.clear();
        pushed.resize(positions.len(), false);
        walls.iter().for_each(|(wall, _)| pushed[wall.vertex as usize] = true);
    }

    /// Changes the motion from `before` [m] to the positions of `cloth` in a step of `dt` [s] so that no pair that is apart at its start
    /// meets. `distance` [m] is that of layers. Vertices that are not `movable`, because something prescribes their motion, and
    /// those that colliders hold give way only where nothing else helps. Velocities change as the positions do. A motion that is not finite is left
    /// alone.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a simulation, which are borrowed apart from each other"
    )]
    pub fn truncate(
        &mut self,
        pattern: &Pattern,
        before: &[Vec3],
        cloth: &mut Cloth,
        movable: impl Fn(u32) -> bool,
        distance: Real,
        dt: Real,
        clock: Clock,
        team: &Team,
    ) -> Truncation {
        let started = (clock.0)();
        self.surface.update(pattern);
        let aim = self.aim(distance);
        let least = LEAST_OF_AIM * aim;
        let mut done = Truncation::default();
        if self.surface.triangles.is_empty() || !cloth.positions.iter().all(|x| x.abs().max_element() < FARTHEST) {
            return done;
        }
        self.begin(before, cloth, movable);
        let mut left = self.relax(aim, false, &mut done, clock, team);
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
            left = self.relax(aim, false, &mut done, clock, team);
        }
        if left {
            self.wish.clone_from(&self.target);
            for round in 0..ROUNDS {
                if round > 0 && (done.too_many || !self.go_on(least)) {
                    break;
                }
                self.hold_all(least, &mut done, clock, team);
            }
            if !done.too_many && done.halvings == 0 {
                self.keep_momentum(before, cloth);
            }
        }
        if done.halvings > 0 {
            // all of it was held back
            let ways = self.target.iter().zip(&cloth.positions).map(|(target, wish)| target.distance(*wish));
            (done.held_back, done.given_up) = (before.len() as u32, ways.fold(0.0, Real::max));
        }
        self.take(cloth, dt);
        done.truncation_seconds = (clock.0)() - started - done.detection_seconds;
        done
    }

    /// Moves the vertices of `cloth` to their targets in the rest of a step of `dt` [s].
    fn take(&self, cloth: &mut Cloth, dt: Real) {
        for ((target, wish), v) in self.target.iter().zip(&mut cloth.positions).zip(&mut cloth.velocities) {
            if target != wish {
                let change = *target - *wish;
                *wish = *target;
                *v += change / dt;
            }
        }
    }

    /// Sets start and targets of a motion, and what can be moved.
    fn begin(&mut self, before: &[Vec3], cloth: &Cloth, movable: impl Fn(u32) -> bool) {
        before.clone_into(&mut self.start);
        self.wish.clone_from(&cloth.positions);
        self.target.clone_from(&cloth.positions);
        self.changed.clear();
        self.changed.resize(before.len(), true);
        self.inverse_masses.clear();
        let pushed = |i: u32| self.pushed.get(i as usize).is_some_and(|pushed| *pushed);
        let inverse = |(i, mass): (u32, &Real)| if movable(i) && !pushed(i) { 1.0 / mass } else { 0.0 };
        self.inverse_masses.extend((0..).zip(&cloth.masses).map(inverse));
    }

    /// The gap that relaxation aims at, for a `distance` of layers [m].
    fn aim(&self, distance: Real) -> Real {
        (AIM_OF_DISTANCE * distance).min(AIM_OF_EDGE * self.surface.edge_length)
    }

    /// Takes the approach out of the motion to the targets, of all pairs in conflict or of those alone that cross each other. Returns
    /// whether pairs are left in conflict, or may be.
    fn relax(&mut self, aim: Real, crossing: bool, done: &mut Truncation, clock: Clock, team: &Team) -> bool {
        self.approaches.clear();
        for _ in 0..RELAXATIONS {
            self.find(aim, done, clock, team);
            if done.too_many {
                // nothing relaxed, which would take too long
                if !self.approaches.is_empty() {
                    self.target.copy_from_slice(&self.wish);
                }
                return true;
            }
            if crossing {
                let (start, target) = (&self.start, &self.target);
                self.found.retain(|pair| layers::crosses(pair, &pair.corners(start), &pair.corners(target)));
            }
            if self.found.is_empty() {
                return false;
            }
            if self.approaches.is_empty() {
                let edges = self.surface.edges.iter().zip(&self.surface.lengths);
                let tether = |(ends, rest): (&[u32; 2], &Real)| Tether::new(*ends, *rest, &self.target);
                self.tethers.clear();
                self.tethers.extend(edges.map(tether));
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
    fn go_on(&mut self, least: Real) -> bool {
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
    fn hold_all(&mut self, least: Real, done: &mut Truncation, clock: Clock, team: &Team) {
        self.held.clear();
        self.islands.clear(self.start.len());
        for search in 0.. {
            if !done.too_many {
                self.find(least, done, clock, team);
                if self.found.is_empty() {
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
    fn find(&mut self, least: Real, done: &mut Truncation, clock: Clock, team: &Team) {
        let searched = (clock.0)();
        let Self { surface, search, found, start, target, changed, .. } = self;
        let (start, target, changed) = (&start[..], &target[..], &changed[..]);
        let judge = |pair: &Pair| pair.judge(&pair.corners(start), &pair.corners(target), least);
        let asked = |vertex: u32| changed[vertex as usize];
        let keep = |pair: &Pair| judge(pair) != Verdict::Apart;
        let most = MOST_PAIRS * start.len();
        done.too_many |= !search.find(surface, [start, target], least, asked, keep, found, most, team);
        let first = done.searches == 0;
        done.searches += 1;
        let mut touching = 0;
        found.retain(|pair| {
            let touches = judge(pair) == Verdict::Touching;
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

    /// Gives a cloth that nothing holds the momentum back that cutting took, by a shift of the whole, which parts and joins
    /// nothing.
    fn keep_momentum(&mut self, before: &[Vec3], cloth: &Cloth) {
        if self.inverse_masses.contains(&0.0) {
            return;
        }
        let (mut mass, mut lost, mut size): (Real, _, Real) = (0.0, Vec3::ZERO, 0.0);
        for ((target, wish), (m, x)) in self.target.iter().zip(&cloth.positions).zip(cloth.masses.iter().zip(before)) {
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
