//! Contact of the cloth with itself: what is free of intersection at the start of a step is so at its end, whatever the solver
//! proposes.
//!
//! Two triangles can meet only where a vertex meets a triangle or an edge an edge. While all vertices move in straight lines,
//! such a [`Pair`] stays apart if two parallel planes which do not turn part it at both ends of the motion: the vertices of
//! one part are beyond them at both ends, so on all the way. Planes that turn with the pair part it as well, on the whole way
//! or on each eighth of it. A pair for which no such planes are found is *held*: two planes are put into its gap, and the motion
//! of its four vertices is cut so that none passes its plane. Cutting brings other pairs into conflict, with what was stopped;
//! they are looked for around the vertices that were cut, and held as well, until there is no conflict left. Standing still is
//! no conflict, so it ends.
//!
//! Which pairs are held follows from the two states alone. There is no continuous detection, no root is sought, and no
//! order of pairs counts.

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
mod cutting;
pub mod distance;
mod facing;
mod flatness;
mod islands;
mod layer_contact;
mod layer_force;
mod layers;
mod making;
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
use crate::sim::exec::effort::CancelToken;
use crate::sim::exec::team::Team;
use crate::sim::model::partition::Partition;
use crate::sim::{Clock, Cloth, Pattern, Real, Vec3};
use barriers::Barriers;
use borne::Carrier;
use candidates::{Candidates, Found, Near};
use cutting::Cutting;
use layers::REACH;
use response::Response;
use touches::{FeatureSearch, Step, Touch};

/// The gap that relaxation aims at, as a share of the distance of layers, and of the mean length of an edge at rest.
const AIM_OF_DISTANCE: Real = 0.1;
const AIM_OF_EDGE: Real = 0.02;
/// The largest distance of layers that acts, as a share of the mean length of an edge at rest. With more, what is near each vertex would
/// grow with the square of it.
const MOST_OF_EDGE: Real = 1.0;
/// Most pairs near each other, and most in conflict, for each vertex, on the average. With more than that only the nearer ones push, the
/// motion is halved, and in the end the cloth stands still for the step.
const MOST_PAIRS: usize = 48;
/// How often the reach of layers is halved when there are more.
const HALVINGS_OF_REACH: i32 = 4;
/// How often a vertex that is moved alone tries to go on.
const REACHES: usize = 8;
/// Motions beyond this are as good as not finite [m].
const FARTHEST: Real = 1e30;

/// The gap that relaxation aims at, for a `distance` of layers and a mean length of an edge [m].
fn aim_of(distance: Real, edge_length: Real) -> Real {
    (AIM_OF_DISTANCE * distance).min(AIM_OF_EDGE * edge_length)
}

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
    /// Pairs that touched at the start and cannot be held apart.
    pub touching: u32,
    /// Colliders whose motion was given up for the step.
    pub stopped: u32,
    /// Time of the searches [s].
    pub detection_seconds: Real,
    /// Time of all else [s].
    pub truncation_seconds: Real,
}

/// A step in which contacts are looked for.
#[derive(Clone, Copy)]
pub struct ContactStep<'a> {
    /// How layers keep apart.
    pub settings: LayerSettings,
    /// Rest mesh.
    pub pattern: &'a Pattern,
    /// Positions at its start [m].
    pub before: &'a [Vec3],
    /// Its length [s].
    pub dt: Real,
    /// The threads that work on it.
    pub team: &'a Team,
}

/// Keeps a cloth from passing through itself. Between steps it keeps caches alone.
#[derive(Debug, Default)]
pub struct SelfContact {
    features: FeatureSearch,
    candidates: Candidates,
    found: Found,
    too_many: bool,
    response: Response,
    /// Where colliders touch the cloth between its vertices.
    touches: Vec<Touch>,
    /// Vertices that carry the points that colliders press on.
    carriers: Vec<Carrier>,
    /// Where the vertices were before colliders pushed them [m].
    proposed: Vec<Vec3>,
    /// Which vertices colliders hold.
    pushed: Vec<bool>,
    /// Surfaces that vertices lie on, with how far they have pushed them [m].
    walls: Vec<(Wall, Real)>,
    cutting: Cutting,
    barriers: Barriers,
}

impl SelfContact {
    /// Takes the contact forces of the last step before a step, and gives those of the step after it, in exchange.
    pub fn exchange_forces(&mut self, forces: &mut ContactForces) {
        std::mem::swap(&mut self.response.layers.forces, &mut forces.layers);
        std::mem::swap(&mut self.response.solids.forces, &mut forces.solids);
    }

    /// The vertices whose motion was cut in the last truncation, rising.
    pub fn held_back(&self) -> impl Iterator<Item = u32> {
        self.cutting.held_back()
    }

    /// From now on what is done for a step is soon over, and of no use, once this tells that the step has been called off: then
    /// [`forget_search`](Self::forget_search) is to follow.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.response.set_token(token);
        self.candidates.set_token(token);
    }

    /// Forgets the contacts of the last step; those of this one have these `settings`.
    pub fn begin(&mut self, settings: &LayerSettings) {
        self.response.clear(settings);
        self.pushed.clear();
    }

    /// Forgets what searches have found for later ones.
    pub fn forget_search(&mut self) {
        self.candidates.forget_all();
    }

    /// Whether there is a contact that might push.
    #[must_use]
    pub fn has_contacts(&self) -> bool {
        self.response.has_contacts()
    }

    /// The pairs that were near each other in the last search for layers, by rising pairs, and whether there were more than are dealt with.
    #[must_use]
    pub fn near_pairs(&self) -> (&[Pair], bool) {
        (&self.found.near, self.too_many)
    }

    /// The distance of layers that acts where one of `wanted` [m] is asked for: no more than the mean length of an edge at rest.
    pub fn acting_distance(&mut self, pattern: &Pattern, wanted: Real) -> Real {
        self.candidates.update(pattern);
        wanted.min(MOST_OF_EDGE * self.candidates.surface.edge_length)
    }

    /// Finds the layers that a step to the positions of `cloth` has brought near each other, and gives them what they pressed with in the last
    /// step. Colliders and then [`push_layers`](Self::push_layers) are to follow.
    pub fn find_layers(&mut self, step: &ContactStep, partition: &Partition, cloth: &mut Cloth) {
        self.update(step.pattern);
        self.pushed.clear();
        self.found.clear();
        self.too_many = false;
        if !self.candidates.is_empty() && cloth.positions.iter().all(|x| x.abs().max_element() < FARTHEST) {
            self.response.tie(&cloth.positions, step.team);
            self.find_near(step, &cloth.positions);
            if !self.found.passing.is_empty() {
                // what has passed through others is near to what it does not touch
                let Self { response, candidates, found, .. } = self;
                response.stop(step, candidates.surface.components(), &found.passing, partition, cloth);
                self.find_near(step, &cloth.positions);
            }
        }
        let Self { response, candidates, found, .. } = self;
        response.begin_layers(step, candidates.surface.components(), &mut found.near, partition, cloth);
        self.proposed.clone_from(&cloth.positions);
    }

    /// Prepares for a pattern.
    fn update(&mut self, pattern: &Pattern) {
        self.candidates.update(pattern);
        self.response.update(pattern, &self.candidates.surface);
    }

    /// Finds where colliders touch the cloth between its vertices in a step to the positions of `cloth`, and gives the colliders what they
    /// pressed with in the last step. It comes after [`find_layers`](Self::find_layers), if that is wanted.
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
            self.features.find(solids.1, &self.candidates.surface, &motion, &mut self.touches, step.team);
        }
        self.response.begin_solids(&self.touches, partition, cloth, step.dt);
        self.proposed.clone_from(&cloth.positions);
    }

    /// Finds the contacts of the layers that a step to `predicted` [m] would bring near each other, for a solver that takes them as
    /// [`constraints`](Self::constraints), for vertices with these `masses` [kg]. The solver, [`take_layers`](Self::take_layers), colliders and then
    /// [`push_layers`](Self::push_layers) are to follow. Returns false, and there are none, if layers would pass through each other: then
    /// [`find_layers`](Self::find_layers) is to follow the solver.
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
            self.find_near(step, predicted);
        }
        let Self { response, candidates, found, .. } = self;
        response.constrain(step, candidates.surface.components(), &mut found.near, predicted, (masses, partition))
    }

    /// What [`constrain_layers`](Self::constrain_layers) found.
    #[must_use]
    pub fn constraints(&self) -> &[LayerContact] {
        &self.response.layers.contacts
    }

    /// Takes over what a solver has made of the [`constraints`](Self::constraints) in a step that led to `positions` [m].
    pub fn take_layers(&mut self, contacts: &[LayerContact], positions: &[Vec3], team: &Team) {
        self.response.tie(positions, team);
        self.response.layers.take(contacts);
        positions.clone_into(&mut self.proposed);
    }

    /// Finds the pairs that a step to `y` [m] brings near each other.
    fn find_near(&mut self, step: &ContactStep, y: &[Vec3]) {
        let Self { candidates, found, too_many, .. } = self;
        let distance = step.settings.distance;
        for halving in 0..=HALVINGS_OF_REACH {
            let reach = REACH * distance * Real::from(2_i32).powi(-halving);
            if candidates.find_near([step.before, y], &Near { reach, distance }, found, step.team) {
                break;
            }
            *too_many = true;
        }
    }

    /// Pushes the layers apart that were found, with friction. `held` are vertices that lie on colliders; those that colliders have pushed
    /// since do as well. Returns the number of contacts that push.
    pub fn push_layers(&mut self, held: impl Iterator<Item = Wall>, cloth: &mut Cloth, step: &ContactStep) -> u32 {
        self.note_walls(held, &cloth.positions);
        self.response.push(&self.walls, cloth, (step.dt, step.team))
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

    /// Makes the surfaces of these solids, where they are made of triangles, such that the cloth cannot pass them in a [truncated](Self::truncate)
    /// motion.
    pub fn set_barriers(&mut self, solids: &[Solid]) {
        self.barriers.set(solids);
    }

    /// Numbers of the solids whose motion the last truncation has given up: they have to stay where they were at the start of the step.
    #[must_use]
    pub fn stopped(&self) -> &[u32] {
        self.barriers.stopped()
    }

    /// Changes the motion of a step to the positions of `cloth` so that no pair that is apart at its start meets. Vertices that are not `movable`,
    /// because something prescribes their motion, and those that colliders hold give way only where nothing else helps. Velocities change as
    /// the positions do. A motion that is not finite is left alone.
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
        let mut done = cutting.run(candidates, barriers, step.settings.distance, &cloth.masses, clock, step.team);
        // what was found is of this step
        candidates.forget();
        cutting.finish(cloth, step.dt);
        done.truncation_seconds = (clock.0)() - started - done.detection_seconds;
        done
    }

    /// Where a vertex comes to [m] that alone is to move from where it is to `target` [m]. `distance` [m] is that of layers.
    pub fn reach(&mut self, pattern: &Pattern, cloth: &Cloth, vertex: u32, target: Vec3, distance: Real) -> Vec3 {
        let (mut before, mut moved) = (cloth.positions.clone(), cloth.clone());
        let (is_it, clock, i) = (|other| other == vertex, Clock::default(), vertex as usize);
        let (settings, team) = (LayerSettings { distance, friction: 0.0 }, Team::alone());
        self.pushed.clear();
        for _ in 0..REACHES {
            moved.positions[i] = target;
            let step = ContactStep { settings, pattern, before: &before, dt: 1.0, team: &team };
            self.truncate(&step, &mut moved, is_it, clock);
            let way = moved.positions[i].distance(std::mem::replace(&mut before[i], moved.positions[i]));
            // where it was stopped it may go on along what stops it
            if before[i] == target || way < AIM_OF_DISTANCE * distance {
                break;
            }
        }
        before[i]
    }
}
