//! Cloth-cloth contact: a cloth without intersections at the start of a step has none at its end,
//! whatever the solver proposes (theorem and proof: `physics.md` section 12).
//!
//! Triangles can meet only where a vertex meets a triangle or an edge an edge. While all vertices
//! move in straight lines, such a [`Pair`] stays apart if two fixed parallel planes part it at both
//! ends of the motion, or planes that turn with it, on the whole way or on each eighth of it. A
//! pair without such planes is in conflict: two planes are put into its gap, and no vertex passes
//! its plane. Vertices that were stopped bring other pairs into conflict; these are treated
//! likewise until there is no conflict left. At rest there is none, so it ends.
//!
//! The result follows from the two states alone: no continuous detection, no roots, no order of
//! pairs.

mod barrier;
mod barrier_search;
mod barriers;
mod batch;
mod borne;
mod boxes;
mod candidates;
mod chart;
mod charts;
mod clearance;
mod comparison;
mod contact_forces;
mod covers;
mod cutting;
pub mod distance;
mod extrapolation;
mod facing;
mod flatness;
mod islands;
mod layer_contact;
mod layer_force;
mod layers;
mod nearness;
mod neighbourhoods;
mod neighbours;
mod one_by_one;
mod pair;
mod part;
mod pushed;
mod pushing;
mod relaxation;
mod response;
mod screen;
mod search;
mod solid_contact;
mod solid_contacts;
mod surface;
mod tether_batches;
mod tethers;
mod touches;
mod tree;
mod truncation;
mod walls;

pub use contact_forces::ContactForces;
pub use layer_contact::LayerContact;
pub use layer_force::LayerForce;
pub use layers::LayerSettings;
pub use pair::{Pair, Verdict};
pub use solid_contact::SolidForce;

use super::collider::Collider;
use super::contact_point::Wall;
use super::solid::Solid;
use crate::sim::exec::budget::CancelToken;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::model::partition::Partition;
use crate::sim::{Clock, Cloth, Pattern, Real, Vec3};
use barriers::Barriers;
use borne::Carrier;
use candidates::{Candidates, Found, Near};
use cutting::Cutting;
use layers::REACH;
use response::Response;
use touches::{FeatureSearch, Step, Touch};

/// Gap that the inelastic impact aims at, as a share of the cloth-cloth distance, and of the mean
/// edge length at rest.
const AIM_OF_DISTANCE: Real = 0.1;
const AIM_OF_EDGE: Real = 0.02;
/// Largest cloth-cloth distance that takes effect, as a share of the mean edge length at rest. The
/// number of near pairs grows with its square.
const MOST_OF_EDGE: Real = 1.0;
/// Most near pairs, and most pairs in conflict, per vertex on average. With more, only the nearer
/// ones push, the motion is halved, and in the end the cloth stands still for the step.
const MOST_PAIRS: usize = 48;
/// How often the reach of near pairs is halved when there are more.
const HALVINGS_OF_REACH: i32 = 4;
/// Attempts of a single vertex to continue its motion.
const REACHES: usize = 8;
/// Coordinates beyond this count as not finite [m].
const FARTHEST: Real = 1e30;

/// Gap that the inelastic impact aims at [m], for a cloth-cloth `distance` and a mean edge length
/// [m].
fn aim_of(distance: Real, edge_length: Real) -> Real {
    (AIM_OF_DISTANCE * distance).min(AIM_OF_EDGE * edge_length)
}

/// Statistics of a truncation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Truncation {
    /// Vertices with truncated motion.
    pub held_back: u32,
    /// Pairs with separating planes.
    pub pairs: u32,
    /// Pairs in conflict that got an inelastic impact.
    pub relaxed: u32,
    /// How often the motion was halved because there were too many pairs in conflict.
    pub halvings: u32,
    /// Whether there were too many in the end as well, so that nothing moved.
    pub too_many: bool,
    /// Rounds of truncation.
    pub rounds: u32,
    /// Searches for pairs in conflict.
    pub searches: u32,
    /// Largest distance between the proposed and the truncated end of a vertex [m].
    pub given_up: Real,
    /// Pairs that touch at the start and have no separating plane.
    pub touching: u32,
    /// Colliders whose motion was given up for the step.
    pub stopped: u32,
    /// Time of the searches [s].
    pub detection_seconds: Real,
    /// Time of everything else [s].
    pub truncation_seconds: Real,
}

/// A step, as contacts see it.
#[derive(Clone, Copy)]
pub struct ContactStep<'a> {
    /// Distance and friction.
    pub settings: LayerSettings,
    /// Rest mesh.
    pub pattern: &'a Pattern,
    /// Positions at its start [m].
    pub before: &'a [Vec3],
    /// Its length [s].
    pub dt: Real,
    /// The thread pool.
    pub pool: &'a ThreadPool,
}

/// Cloth-cloth contact of a simulation. Between steps it keeps caches alone.
#[derive(Debug, Default)]
pub struct SelfContact {
    features: FeatureSearch,
    candidates: Candidates,
    found: Found,
    too_many: bool,
    response: Response,
    /// Contact points of colliders inside triangles and edges of the cloth.
    touches: Vec<Touch>,
    /// Vertices around such points.
    carriers: Vec<Carrier>,
    /// Positions [m] and velocities [m/s] before the contacts of colliders.
    proposed: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// Vertices in contact with colliders.
    pushed: Vec<bool>,
    /// Surfaces that vertices lie on, with their displacements by these [m].
    walls: Vec<(Wall, Real)>,
    cutting: Cutting,
    barriers: Barriers,
}

impl SelfContact {
    /// Exchanges contact forces: takes those of the last step before a step, and gives those of
    /// the step after it.
    pub fn exchange_forces(&mut self, forces: &mut ContactForces) {
        std::mem::swap(&mut self.response.layers.forces, &mut forces.layers);
        std::mem::swap(&mut self.response.solids.forces, &mut forces.solids);
    }

    /// Vertices with truncated motion in the last truncation, rising.
    pub fn held_back(&self) -> impl Iterator<Item = u32> {
        self.cutting.held_back()
    }

    /// Sets the token of a step. Once it is cancelled, calls return early with useless results, and
    /// [`forget_search`](Self::forget_search) has to follow.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.response.set_token(token);
        self.candidates.set_token(token);
    }

    /// Drops the contacts of the last step and takes the `settings` of this one.
    pub fn begin(&mut self, settings: &LayerSettings) {
        self.response.clear(settings);
        self.pushed.clear();
    }

    /// Drops the caches of the search.
    pub fn forget_search(&mut self) {
        self.candidates.forget_all();
    }

    /// Whether there is a contact that may push.
    #[must_use]
    pub fn has_contacts(&self) -> bool {
        self.response.has_contacts()
    }

    /// The near pairs of the last search, sorted, and whether there were too many.
    #[must_use]
    pub fn near_pairs(&self) -> (&[Pair], bool) {
        (&self.found.near, self.too_many)
    }

    /// The cloth-cloth distance that takes effect for a `wanted` one [m]: at most the mean edge
    /// length at rest.
    pub fn acting_distance(&mut self, pattern: &Pattern, wanted: Real) -> Real {
        self.candidates.update(pattern);
        wanted.min(MOST_OF_EDGE * self.candidates.surface.edge_length)
    }

    /// Finds the near pairs of a step to the positions of `cloth`, and starts their rows from the
    /// contact forces of the last step. Contacts of colliders and
    /// [`push_layers`](Self::push_layers) have to follow.
    pub fn find_layers(&mut self, step: &ContactStep, partition: &Partition, cloth: &mut Cloth) {
        self.update(step.pattern);
        self.pushed.clear();
        self.found.clear();
        self.too_many = false;
        if !self.candidates.is_empty() && cloth.positions.iter().all(|x| x.abs().max_element() < FARTHEST) {
            self.response.tie(&cloth.positions, step.pool);
            self.find_near(step, &cloth.positions, true);
            if !self.found.passing.is_empty() {
                // pairs near a passing one may be near only because of it
                let Self { response, candidates, found, .. } = self;
                response.stop(step, candidates.surface.components(), &found.passing, partition, cloth);
                self.find_near(step, &cloth.positions, true);
            }
        }
        let Self { response, candidates, found, .. } = self;
        response.begin_layers(step, candidates.surface.components(), &found.near, partition, cloth);
        self.proposed.clone_from(&cloth.positions);
        self.velocities.clone_from(&cloth.velocities);
    }

    /// Prepares for a pattern.
    fn update(&mut self, pattern: &Pattern) {
        self.candidates.update(pattern);
        self.response.update(pattern, &self.candidates.surface);
    }

    /// Finds the contact points of colliders between the vertices in a step to the positions of
    /// `cloth`, and starts their rows from the forces of the last step. It comes after
    /// [`find_layers`](Self::find_layers), if that is called.
    pub fn find_touches(
        &mut self,
        step: &ContactStep,
        solids: (&[Collider], &[Solid], u64),
        partition: &Partition,
        cloth: &mut Cloth,
    ) {
        self.touches.clear();
        if solids.1.iter().any(Solid::has_edges)
            && self.features.prepare(solids, step.pattern)
            && cloth.positions.iter().all(|x| x.abs().max_element() < FARTHEST)
        {
            self.update(step.pattern);
            let motion = Step { motion: [step.before, &cloth.positions], dt: step.dt };
            self.features.find(solids.1, &self.candidates.surface, &motion, &mut self.touches, step.pool);
        }
        self.response.begin_solids(&self.touches, partition, cloth, step.dt);
        self.proposed.clone_from(&cloth.positions);
        self.velocities.clone_from(&cloth.velocities);
    }

    /// Finds the rows of a step to `predicted` [m] for a solver that takes them as
    /// [`constraints`](Self::constraints); `masses` [kg] of the vertices. The solver,
    /// [`take_layers`](Self::take_layers), contacts of colliders and
    /// [`push_layers`](Self::push_layers) have to follow. Returns false, without rows, if a pair
    /// would pass through itself: then [`find_layers`](Self::find_layers) has to follow the solver.
    pub fn constrain_layers(
        &mut self,
        step: &ContactStep,
        partition: &Partition,
        predicted: &[Vec3],
        masses: &[Real],
    ) -> bool {
        self.update(step.pattern);
        self.pushed.clear();
        self.found.clear();
        self.too_many = false;
        if !self.candidates.is_empty() && predicted.iter().all(|x| x.abs().max_element() < FARTHEST) {
            // without the extrapolation, a solver needs all rows to converge
            self.find_near(step, predicted, false);
        }
        let Self { response, candidates, found, .. } = self;
        response.constrain(step, candidates.surface.components(), &found.near, predicted, (masses, partition))
    }

    /// The rows that [`constrain_layers`](Self::constrain_layers) found.
    #[must_use]
    pub fn constraints(&self) -> &[LayerContact] {
        &self.response.layers.contacts
    }

    /// Takes back the [`constraints`](Self::constraints) as a solver has left them in a step to
    /// `positions` [m].
    pub fn take_layers(&mut self, contacts: &[LayerContact], positions: &[Vec3], pool: &ThreadPool) {
        self.response.tie(positions, pool);
        self.response.layers.take(contacts);
        positions.clone_into(&mut self.proposed);
    }

    /// Finds the near pairs of a step to `y` [m], without those that others imply if it `thins`.
    fn find_near(&mut self, step: &ContactStep, y: &[Vec3], thins: bool) {
        let Self { candidates, found, too_many, .. } = self;
        let distance = step.settings.distance;
        for halving in 0..=HALVINGS_OF_REACH {
            let reach = REACH * distance * Real::from(2_i32).powi(-halving);
            let near = Near { reach, distance, thins };
            if candidates.find_near([step.before, y], &near, found, step.pool) {
                break;
            }
            *too_many = true;
        }
    }

    /// Pushes cloth from cloth, with friction. `held` are vertices that lie on colliders, beside
    /// those that colliders have moved since the search. Returns the number of rows that press.
    pub fn push_layers(&mut self, held: impl Iterator<Item = Wall>, cloth: &mut Cloth, step: &ContactStep) -> u32 {
        self.note_walls(held, &cloth.positions);
        let pressing = self.response.push(&self.walls, cloth, (step.dt, step.pool));
        // a surface that holds nothing in the end has stopped nothing
        for vertex in self.response.released().map(|vertex| vertex as usize) {
            let way = cloth.positions[vertex] - self.proposed[vertex];
            if let Some(velocity) = self.velocities.get(vertex) {
                cloth.velocities[vertex] = *velocity + way / step.dt;
            }
        }
        pressing
    }

    /// Notes the vertices in contact with colliders: `held`, and those that colliders have moved
    /// since the search. Truncation does not push them into the colliders.
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

    /// Sets the collision meshes of a step, which the cloth cannot pass in a
    /// [truncated](Self::truncate) motion.
    pub fn set_barriers(&mut self, solids: &[Solid]) {
        self.barriers.set(solids);
    }

    /// Numbers of the solids that stop in this step, because the cloth in their path cannot move.
    #[must_use]
    pub fn stopped(&self) -> &[u32] {
        self.barriers.stopped()
    }

    /// Truncates the motion of a step to the positions of `cloth`: no pair that is apart at its
    /// start meets. Vertices that are not `movable`, and those in contact with colliders, are moved
    /// only where nothing else helps. Velocities change with the positions. A motion that is not
    /// finite is left alone.
    pub fn truncate(
        &mut self,
        step: &ContactStep,
        cloth: &mut Cloth,
        movable: impl Fn(u32) -> bool,
        clock: Clock,
    ) -> Truncation {
        let started = (clock.0)();
        let Self { candidates, cutting, barriers, pushed, .. } = self;
        candidates.update(step.pattern);
        if candidates.is_empty() || !cloth.positions.iter().all(|x| x.abs().max_element() < FARTHEST) {
            return Truncation::default();
        }
        let is_pushed = |i: u32| pushed.get(i as usize).is_some_and(|pushed| *pushed);
        cutting.begin(step.before, cloth, movable, is_pushed);
        let mut done = cutting.run(candidates, barriers, step.settings.distance, &cloth.masses, clock, step.pool);
        // the watched pairs belong to this step
        candidates.forget();
        cutting.finish(cloth, step.dt);
        done.truncation_seconds = (clock.0)() - started - done.detection_seconds;
        done
    }

    /// End [m] of the motion of a single vertex to `target` [m], with the cloth-cloth `distance`
    /// [m].
    pub fn reach(&mut self, pattern: &Pattern, cloth: &Cloth, vertex: u32, target: Vec3, distance: Real) -> Vec3 {
        let (mut before, mut moved) = (cloth.positions.clone(), cloth.clone());
        let (is_it, clock, i) = (|other| other == vertex, Clock::default(), vertex as usize);
        let (settings, pool) = (LayerSettings { distance, friction: 0.0 }, ThreadPool::alone());
        self.pushed.clear();
        for _ in 0..REACHES {
            moved.positions[i] = target;
            let step = ContactStep { settings, pattern, before: &before, dt: 1.0, pool: &pool };
            self.truncate(&step, &mut moved, is_it, clock);
            let way = moved.positions[i].distance(std::mem::replace(&mut before[i], moved.positions[i]));
            // a vertex that was stopped may slide along the obstacle
            if before[i] == target || way < AIM_OF_DISTANCE * distance {
                break;
            }
        }
        before[i]
    }
}
