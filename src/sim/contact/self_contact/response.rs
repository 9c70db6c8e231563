//! Layers of cloth push each other apart and rub against each other, before what is left of a conflict is cut.
//!
//! Where two parts are closer than the distance of layers at the end of a step, their closest points get a constraint along the
//! line between them, `n·Σ wᵢ yᵢ ≥ r`, and one across it, Coulomb friction on how far they slid in the step. All of them, and the
//! surfaces of colliders that vertices lie on, are solved together by projected Gauss-Seidel sweeps (Macklin et al. 2014, *Unified
//! Particle Physics*, with accumulated impulses and a warm start as in Catto 2005): so the weight of the upper layers goes through the
//! lower ones to the table. Every impulse acts on both parts of its pair, so contact changes no momentum. Velocities follow
//! the positions: nothing bounces.
//!
//! Where a solver has taken the contacts among its constraints, a few sweeps follow, for what colliders have moved since. Only where layers
//! would pass through each other, in an impact, the contacts are looked for after the step, as for other solvers.
//!
//! The sweeps push single vertices, and do not know what holds these in the cloth. So they alternate with sweeps over the edges, which
//! take away stretch that the solver has not proposed: the neighbours share in what pushes a vertex.

use super::ContactStep;
use super::layer_contact::Tolerance;
use super::layers::{LayerSettings, Layers};
use super::nearness::crosses;
use super::one_by_one::push_one_by_one;
use super::pair::Pair;
use super::pushed::PushedVertices;
use super::pushing::Pushing;
use super::solid_contacts::SolidContacts;
use super::surface::Surface;
use super::tether_batches::Tethers;
use super::tethers::Tether;
use super::touches::Touch;
use super::walls::{WallContact, push_walls};
use crate::sim::contact::contact_point::Wall;
use crate::sim::exec::effort::CancelToken;
use crate::sim::exec::team::Team;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Pattern, Real, Vec3};

/// Sweeps over all contacts, forth and back in turn.
const SWEEPS: usize = 20;
/// Sweeps over contacts that a solver has solved already, for what colliders have moved since.
const SWEEPS_AFTER_SOLVER: usize = 4;
/// How far a contact may be off before it is pushed: a share of the distance of layers, and in short steps what an acceleration [m/s²] makes of them.
/// That is less than what shakes a cloth at rest.
const TOLERANCE: [Real; 2] = [1e-3, 2e-2];
/// Likewise how far its parts may slide though friction could hold them: less, since it adds up from step to step.
const SLIDING: [Real; 2] = [2e-4, 2e-3];
/// Likewise a sweep that moves nothing by more than this is the last: the next step goes on from there.
const CONVERGED: [Real; 2] = [8e-3, 1.2e-1];
/// Sweeps over the edges after the last one over the contacts.
const FINISH: usize = 5;
/// Share of its length at rest by which an impact may leave an edge stretched. With none, fewer layers can be parted; with much, ribbons that
/// whip stretch to several times their length.
const GIVE: Real = 0.05;

/// All that contacts do to the vertices, with its memory.
#[derive(Debug, Default)]
pub(super) struct Response {
    pub layers: Layers,
    pub solids: SolidContacts,
    pushing: Pushing,
    /// The layers' distance and friction.
    settings: LayerSettings,
    walls: Vec<WallContact>,
    /// The edges, one by one and in batches.
    tethers: Vec<Tether>,
    batches: Tethers,
    vertices: PushedVertices,
    /// The pattern that the tethers are of.
    pattern: Option<u64>,
    /// Whether the step has been called off.
    token: CancelToken,
}

impl Response {
    /// Prepares for a pattern with this surface.
    pub fn update(&mut self, pattern: &Pattern, surface: &Surface) {
        if self.pattern.replace(pattern.revision()) != Some(pattern.revision()) {
            self.tethers.clear();
            self.tethers.extend(Tether::of(surface));
            self.tethers.sort_unstable_by_key(|tether| tether.ends);
            self.batches = Tethers::new(&self.tethers, pattern.len());
        }
    }

    /// From now on sweeps end when this tells that the step has been called off.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.token.clone_from(token);
    }

    /// Forgets the contacts of the last step; those of this one have these `settings`.
    pub fn clear(&mut self, settings: &LayerSettings) {
        self.settings = *settings;
        self.layers.clear();
        self.pushing.clear();
        self.solids.clear();
    }

    /// Whether there is a contact that might push.
    pub fn has_contacts(&self) -> bool {
        !self.layers.is_empty() || !self.solids.is_empty()
    }

    /// From now on the sweeps hardly stretch an edge beyond what it has at `positions` [m], which a solver has proposed: what an impact
    /// stretches is taken back.
    pub fn tie(&mut self, positions: &[Vec3], team: &Team) {
        self.batches.tie(positions, team);
    }

    /// Takes the contacts of the pairs in `found`, which are near each other after the step, and of those that pressed in the last step; moves
    /// `cloth` by that much, velocities as well.
    pub fn begin_layers(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &mut [Pair],
        partition: &Partition,
        cloth: &mut Cloth,
    ) {
        let Self { layers, pushing, vertices, .. } = self;
        self.settings = step.settings;
        layers.clear();
        pushing.clear();
        if !found.is_empty() || !layers.forces.is_empty() {
            vertices.take(cloth, partition);
            layers.begin(step, pieces, found, &cloth.positions, (pushing, vertices));
            vertices.give(cloth, step.dt);
        }
    }

    /// Takes the contacts at `touches`, which are sorted by keys, as [`begin_layers`](Self::begin_layers) does those of layers.
    pub fn begin_solids(&mut self, touches: &[Touch], partition: &Partition, cloth: &mut Cloth, dt: Real) {
        let Self { solids, vertices, .. } = self;
        solids.clear();
        if !solids.is_idle(touches) {
            vertices.take(cloth, partition);
            solids.begin(touches, &cloth.positions, vertices, dt);
            vertices.give(cloth, dt);
        }
    }

    /// Takes the contacts of layers that would be near each other after a step to `predicted` [m], as [`Layers::constrain`] does.
    pub fn constrain(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &mut [Pair],
        predicted: &[Vec3],
        (masses, partition): (&[Real], &Partition),
    ) -> bool {
        self.settings = step.settings;
        self.vertices.take_at(predicted, masses, partition);
        self.layers.constrain(step, pieces, found, predicted, &self.vertices)
    }

    /// Takes the approach out of the motion of those `found` pairs that pass through each other in the step, as an inelastic impact does.
    /// Returns whether there were any. Others are near only because of that, so they are to be looked for again.
    pub fn stop(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &[Pair],
        partition: &Partition,
        cloth: &mut Cloth,
    ) -> bool {
        self.clear(&step.settings);
        self.walls.clear();
        let is_passing = |pair: &Pair| crosses(pair, &pair.corners(step.before), &pair.corners(&cloth.positions));
        if !found.iter().any(is_passing) {
            return false;
        }
        self.vertices.take(cloth, partition);
        self.layers.take_passing(step, pieces, found, &cloth.positions, &self.vertices);
        self.pushing.take(&self.layers.contacts, &self.vertices, step.team);
        self.sweep(SWEEPS, (step.dt, step.team));
        self.vertices.give(cloth, step.dt);
        true
    }

    /// Moves the vertices of `cloth` so that layers keep their distance, and changes the velocities likewise. `walls` are surfaces that
    /// vertices lie on, with how far those have pushed them [m]. Returns the number of contacts that push.
    pub fn push(&mut self, walls: &[(Wall, Real)], cloth: &mut Cloth, (dt, team): (Real, &Team)) -> u32 {
        self.solids.forces.clear();
        if !self.has_contacts() {
            self.layers.forces.clear();
            return 0;
        }
        self.vertices.move_to(cloth);
        self.walls.clear();
        self.walls.extend(walls.iter().map(|(wall, pushed)| WallContact::new(*wall, *pushed, &self.vertices)));
        if self.layers.is_empty() {
            self.solids.solve(&self.walls, &self.tethers, &mut self.vertices);
        } else {
            self.sweep(if self.layers.solved { SWEEPS_AFTER_SOLVER } else { SWEEPS }, (dt, team));
        }
        self.vertices.give(cloth, dt);
        self.layers.note_forces(&self.pushing, self.settings.friction, (dt, team));
        self.solids.note_forces(dt);
        (self.layers.forces.len() + self.solids.forces.len()) as u32
    }

    /// Solves all contacts together in a step of `dt` [s].
    fn sweep(&mut self, sweeps: usize, (dt, team): (Real, &Team)) {
        let Self { layers, pushing, solids, walls, vertices, settings, batches: tethers, .. } = self;
        vertices.begin_rounds();
        tethers.begin(GIVE, vertices, team);
        let tolerated = |[share, acceleration]: [Real; 2]| (share * settings.distance).min(acceleration * dt * dt);
        let tolerance = Tolerance { distance: tolerated(TOLERANCE), sliding: tolerated(SLIDING) };
        let least = tolerated(CONVERGED);
        for sweep in 0..sweeps {
            if self.token.is_cancelled() {
                return;
            }
            let by_walls = push_walls(walls, tolerance.sliding, vertices);
            let by_layers = if layers.solved {
                push_one_by_one(sweep, &mut layers.contacts, &tolerance, settings.friction, vertices)
            } else {
                pushing.sweep(sweep, &tolerance, settings.friction, vertices)
            };
            let by_solids = solids.push(sweep, vertices) * settings.distance;
            let converged = by_walls.max(by_layers).max(by_solids) < least;
            // in the end no edge is stretched, at the cost of the distance
            let last = converged || sweep + 1 == sweeps;
            if by_layers.max(by_walls).max(by_solids) > 0.0 {
                for finish in sweep..if last && !converged { sweep + FINISH } else { sweep + 1 } {
                    tethers.keep(finish, tolerance.sliding, vertices);
                    vertices.next_round();
                }
            }
            if converged {
                break;
            }
        }
        solids.keep_off(vertices);
    }
}
