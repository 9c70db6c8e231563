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
mod layers;
mod pair;
mod search;
mod surface;
mod truncation;

pub use layers::{LayerForce, LayerSettings, Wall};
pub use pair::{Pair, Verdict};

use crate::sim::csr::Csr;
use crate::sim::exec::team::{Shared, Team};
use crate::sim::model::partition::Partition;
use crate::sim::{Clock, Cloth, Pattern, Real, Vec3};
use layers::Layers;
use search::Search;
use surface::Surface;
use truncation::{HalfSpace, Held, nearest_within};

/// Vertices that a thread takes at a time.
const VERTICES: usize = 256;
/// The gap that is always left, as a share of the distance of layers, and of the mean length of an edge at rest.
const LEAST_OF_DISTANCE: Real = 0.1;
const LEAST_OF_EDGE: Real = 0.02;
/// Searches after which the vertices of a pair in conflict are stopped, and after which all are.
const SEARCHES: u32 = 16;
const LAST_SEARCH: u32 = 64;

/// What the truncation of a motion did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Truncation {
    /// Vertices whose motion was cut.
    pub held_back: u32,
    /// Pairs that were held apart.
    pub pairs: u32,
    /// Searches for pairs in conflict.
    pub searches: u32,
    /// The largest distance from where a vertex was to go to where it went [m].
    pub given_up: Real,
    /// Pairs that touched or crossed at the start and cannot be held apart.
    pub touching: u32,
    /// Time of the searches, and of the rest [s].
    pub detection_seconds: Real,
    /// Of these, for the truncation [s].
    pub truncation_seconds: Real,
}

/// Keeps a cloth from passing through itself. All that it keeps from step to step is memory.
#[derive(Debug, Default)]
pub struct SelfContact {
    surface: Surface,
    search: Search,
    found: Vec<Pair>,
    held: Vec<Held>,
    /// For each vertex the pairs that hold it, four times their number plus its number in the pair.
    of_vertex: Csr<u32>,
    /// Where the vertices were to go, and where they go as far as is known [m].
    wish: Vec<Vec3>,
    target: Vec<Vec3>,
    /// Vertices that stand still, since there was no end otherwise.
    stopped: Vec<bool>,
    /// Vertices whose target changed in the last round.
    changed: Vec<bool>,
    layers: Layers,
}

impl SelfContact {
    /// What layers press with, for the next step; snapshots keep it.
    #[must_use]
    pub fn forces(&self) -> &[LayerForce] {
        &self.layers.forces
    }

    /// Puts back what [`forces`](Self::forces) gave.
    pub fn set_forces(&mut self, forces: &[LayerForce]) {
        self.layers.forces.clear();
        self.layers.forces.extend_from_slice(forces);
    }

    /// Finds the layers that a step of `dt` [s] from `before` [m] has brought near each other, and gives them what they pressed with in
    /// the last step. Returns whether there are any, so that colliders and then [`push_layers`](Self::push_layers) have to follow.
    pub fn find_layers(
        &mut self,
        settings: &LayerSettings,
        pattern: &Pattern,
        partition: &Partition,
        before: &[Vec3],
        cloth: &mut Cloth,
        dt: Real,
        team: &Team,
    ) -> bool {
        self.surface.update(pattern);
        self.layers.update(pattern);
        if self.surface.triangles.is_empty() || !cloth.positions.iter().all(|x| x.is_finite()) {
            return false;
        }
        let Self { surface, search, found, layers, .. } = self;
        let (x, y, reach) = (before, &cloth.positions[..], Layers::REACH * settings.distance);
        let keep = |pair: &Pair| layers::is_near(pair, &pair.corners(x), &pair.corners(y), reach);
        search.find(surface, [x, y], reach, |_| true, keep, found, team);
        layers.begin(settings, pattern, found, partition, before, cloth, dt)
    }

    /// Pushes the layers apart that were found, with friction. `held` are vertices that lie on colliders; those that colliders have pushed
    /// since do as well. Returns the number of contacts that push.
    pub fn push_layers(&mut self, held: impl Iterator<Item = Wall>, cloth: &mut Cloth, dt: Real) -> u32 {
        self.layers.push(held, cloth, dt)
    }

    /// Cuts the motion from `before` [m] to the positions of `cloth` in a step of `dt` [s] so that no pair that is apart at its start
    /// meets. `distance` [m] is that of layers. Velocities change as the positions do. A motion that is not finite is left alone.
    pub fn truncate(
        &mut self,
        pattern: &Pattern,
        before: &[Vec3],
        cloth: &mut Cloth,
        distance: Real,
        dt: Real,
        clock: Clock,
        team: &Team,
    ) -> Truncation {
        let started = (clock.0)();
        self.surface.update(pattern);
        let least = (LEAST_OF_DISTANCE * distance).min(LEAST_OF_EDGE * self.surface.edge_length);
        let mut done = Truncation::default();
        if self.surface.triangles.is_empty() || !cloth.positions.iter().all(|x| x.is_finite()) {
            return done;
        }
        self.wish.clone_from(&cloth.positions);
        self.target.clone_from(&cloth.positions);
        self.held.clear();
        self.stopped.clear();
        self.stopped.resize(before.len(), false);
        self.changed.clear();
        self.changed.resize(before.len(), true);
        while done.searches < LAST_SEARCH {
            let searched = (clock.0)();
            self.find(before, least, &mut done, team);
            done.detection_seconds += (clock.0)() - searched;
            if self.found.is_empty() {
                break;
            }
            self.hold(before, least, done.searches > SEARCHES);
            self.cut(before, team);
        }
        if done.searches == LAST_SEARCH {
            self.target.copy_from_slice(before);
        }
        done.pairs = self.held.len() as u32;
        for ((target, wish), (x, v)) in
            self.target.iter().zip(&self.wish).zip(cloth.positions.iter_mut().zip(&mut cloth.velocities))
        {
            if target != wish {
                let change = *target - *wish;
                done.held_back += 1;
                done.given_up = done.given_up.max(change.length());
                *x = *target;
                *v += change / dt;
            }
        }
        done.truncation_seconds = (clock.0)() - started - done.detection_seconds;
        done
    }

    /// Finds the pairs in conflict with a vertex that has changed, by rising vertex, without those that are held.
    fn find(&mut self, before: &[Vec3], least: Real, done: &mut Truncation, team: &Team) {
        let Self { surface, search, found, held, target, changed, .. } = self;
        let (target, changed) = (&target[..], &changed[..]);
        let judge = |pair: &Pair| pair.judge(&pair.corners(before), &pair.corners(target), least);
        let asked = |vertex: u32| changed[vertex as usize];
        let keep = |pair: &Pair| judge(pair) != Verdict::Apart;
        search.find(surface, [before, target], least, asked, keep, found, team);
        let first = done.searches == 0;
        done.searches += 1;
        let mut touching = 0;
        found.retain(|pair| {
            let touches = judge(pair) == Verdict::Touching;
            touching += u32::from(touches);
            !touches && held.binary_search_by_key(pair, |held| held.pair).is_err()
        });
        if first {
            done.touching = touching;
        }
    }

    /// Puts planes into the gaps of the pairs that were found.
    fn hold(&mut self, before: &[Vec3], least: Real, stop: bool) {
        for pair in &self.found {
            let (x, y) = (pair.corners(before), pair.corners(&self.wish));
            // judged with the targets, which may be other than the wishes: the planes are those of the start
            if let Verdict::Conflict { normal, gap } = pair.judge(&x, &pair.corners(&self.target), least) {
                self.held.push(Held::new(*pair, &x, &y, (normal, gap), least));
            }
            if stop {
                pair.vertices.iter().for_each(|&vertex| self.stopped[vertex as usize] = true);
            }
        }
        self.held.sort_unstable_by_key(|held| held.pair);
        let corners = (0..).zip(&self.held);
        let entries = corners.flat_map(|(k, held): (u32, &Held)| {
            (0..).zip(held.pair.vertices).map(move |(c, vertex)| (vertex, 4 * k + c))
        });
        self.of_vertex.fill(before.len(), entries);
    }

    /// Cuts the motion of every vertex to what its planes leave.
    fn cut(&mut self, before: &[Vec3], team: &Team) {
        let Self { held, of_vertex, wish, target, stopped, changed, .. } = self;
        team.fill(changed, VERTICES, |_| false);
        let (held, of_vertex) = (&held[..], &*of_vertex);
        let states = (Shared::new(target), Shared::new(changed));
        team.change(states, VERTICES, |range, (targets, changed)| {
            for (i, (target, changed)) in range.zip(targets.iter_mut().zip(changed)) {
                let row = of_vertex.row(i);
                if row.is_empty() {
                    continue;
                }
                let half_space = |&at: &u32| -> HalfSpace { held[(at / 4) as usize].half_space((at % 4) as usize) };
                let to = if stopped[i] {
                    before[i]
                } else {
                    let motion = wish[i] - before[i];
                    let within = nearest_within(motion, row.iter().map(half_space));
                    if within == motion { wish[i] } else { before[i] + within }
                };
                *changed = to != *target;
                *target = to;
            }
        });
    }
}
