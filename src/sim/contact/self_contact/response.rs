//! Contact response: parts of the cloth push each other apart, with friction, before the motion is
//! truncated (`physics.md` sections 11.2 to 11.5).
//!
//! A near pair has one row along the line between its closest points, `n·Σ wᵢ yᵢ ≥ r`, and one
//! across it, Coulomb friction on the distance slid in the step. All rows, and the surfaces of
//! colliders with vertices on them, are solved together by projected Gauss-Seidel (Macklin et al.
//! 2014, *Unified Particle Physics*; accumulated impulses and warm start as in Catto 2005), so that
//! the weight of upper sheets passes through lower ones to the table. Contact changes no momentum,
//! and velocities follow positions: nothing bounces.
//!
//! If a solver took the rows among its constraints, a few sweeps follow for the vertices that
//! colliders have moved since. In an impact the rows are built after the step, as for other
//! solvers.
//!
//! Rows move single vertices, so sweeps alternate with edge length limits: neighbours share the
//! push.

use super::ContactStep;
use super::extrapolation;
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
use crate::sim::exec::budget::CancelToken;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Pattern, Real, Vec3};

/// Most sweeps over all rows, forth and back in turn.
const SWEEPS: usize = 20;
/// Sweeps over rows that a solver has solved already, for vertices that colliders have moved since.
const SWEEPS_AFTER_SOLVER: usize = 4;
/// Error of a row below which it is not changed: a share of the cloth-cloth distance, at most an
/// acceleration [m/s²] times the square of the step. Too small to shake a cloth at rest.
const TOLERANCE: [Real; 2] = [1e-3, 2e-2];
/// The same for sliding against friction; smaller, since it adds up from step to step.
const SLIDING: [Real; 2] = [2e-4, 2e-3];
/// The same for the largest displacement of the last sweep; the next step continues.
const CONVERGED: [Real; 2] = [8e-3, 1.2e-1];
/// Sweeps over the edges after the last one over the rows.
const FINISH: usize = 5;
/// Stretch that an impact may leave in an edge, as a share of its rest length. With none, fewer
/// pairs can be parted; with much, whipping ribbons stretch to several times their length.
const GIVE: Real = 0.05;

/// Contact response of a cloth, with its memory.
#[derive(Debug, Default)]
pub(super) struct Response {
    pub layers: Layers,
    pub solids: SolidContacts,
    pushing: Pushing,
    /// Cloth-cloth distance and friction.
    settings: LayerSettings,
    walls: Vec<WallContact>,
    /// The edges, one by one and in batches.
    tethers: Vec<Tether>,
    batches: Tethers,
    vertices: PushedVertices,
    /// Revision of the pattern of the edges.
    pattern: Option<u64>,
    /// Token of the step.
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

    /// Sets the token by which sweeps are cancelled.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.token.clone_from(token);
    }

    /// Drops the rows of the last step and takes the `settings` of this one.
    pub fn clear(&mut self, settings: &LayerSettings) {
        self.settings = *settings;
        self.layers.clear();
        self.pushing.clear();
        self.solids.clear();
    }

    /// Whether there is a row that may push.
    pub fn has_contacts(&self) -> bool {
        !self.layers.is_empty() || !self.solids.is_empty()
    }

    /// Limits edge lengths to those at `positions` [m], the proposal of a solver, if larger than at
    /// rest: stretch by an impact is undone.
    pub fn tie(&mut self, positions: &[Vec3], pool: &ThreadPool) {
        self.batches.tie(positions, pool);
    }

    /// Builds the rows of the pairs in `found`, which are near after the step, and of those that
    /// pressed in the last step, and moves `cloth` by their warm start, velocities as well.
    pub fn begin_layers(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &[Pair],
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

    /// Builds the rows of the contact points `touches`, sorted by keys, as
    /// [`begin_layers`](Self::begin_layers) does for cloth and cloth.
    pub fn begin_solids(&mut self, touches: &[Touch], partition: &Partition, cloth: &mut Cloth, dt: Real) {
        let Self { solids, vertices, .. } = self;
        solids.clear();
        if !solids.is_idle(touches) {
            vertices.take(cloth, partition);
            solids.begin(touches, &cloth.positions, vertices, dt);
            vertices.give(cloth, dt);
        }
    }

    /// Builds the rows of a step to `predicted` [m] for a solver that takes them as constraints;
    /// see [`Layers::constrain`].
    pub fn constrain(
        &mut self,
        step: &ContactStep,
        pieces: &[u32],
        found: &[Pair],
        predicted: &[Vec3],
        (masses, partition): (&[Real], &Partition),
    ) -> bool {
        self.settings = step.settings;
        self.vertices.take_at(predicted, masses, partition);
        self.layers.constrain(step, pieces, found, predicted, &self.vertices)
    }

    /// Inelastic impact of those `found` pairs that pass through themselves in the step. Returns
    /// whether there were any; then near pairs have to be searched again.
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
        self.pushing.take(&self.layers.contacts, &self.vertices, step.pool);
        self.sweep(SWEEPS, false, (step.dt, step.pool));
        self.vertices.give(cloth, step.dt);
        true
    }

    /// Moves `cloth` to the distances of its rows, velocities as well. `walls` are surfaces with
    /// vertices on them and the displacements by these [m]. Returns the number of rows that press.
    pub fn push(&mut self, walls: &[(Wall, Real)], cloth: &mut Cloth, (dt, pool): (Real, &ThreadPool)) -> u32 {
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
            let is_solved = self.layers.solved;
            self.sweep(if is_solved { SWEEPS_AFTER_SOLVER } else { SWEEPS }, !is_solved, (dt, pool));
        }
        self.vertices.give(cloth, dt);
        self.layers.note_forces(&self.pushing, self.settings.friction, (dt, pool));
        self.solids.note_forces(dt);
        (self.layers.forces.len() + self.solids.forces.len()) as u32
    }

    /// Vertices that colliders had moved, and that have left their surfaces.
    pub fn released(&self) -> impl Iterator<Item = u32> {
        self.walls.iter().filter(|wall| wall.is_released()).map(|wall| wall.wall.vertex)
    }

    /// Solves all rows in a step of `dt` [s].
    fn sweep(&mut self, sweeps: usize, extrapolates: bool, (dt, pool): (Real, &ThreadPool)) {
        let Self { layers, pushing, solids, walls, vertices, settings, batches: tethers, .. } = self;
        vertices.begin_rounds();
        tethers.begin(GIVE, vertices, pool);
        let tolerated = |[share, acceleration]: [Real; 2]| (share * settings.distance).min(acceleration * dt * dt);
        let tolerance = Tolerance { distance: tolerated(TOLERANCE), sliding: tolerated(SLIDING) };
        let least = tolerated(CONVERGED);
        if extrapolates {
            extrapolation::begin(pushing, walls);
        }
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
            // the last sweep is over edges: no stretch, at the cost of distance
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
            if extrapolates && !last {
                extrapolation::go_on(sweep + 1, pushing, walls, tolerance.distance, vertices);
            }
        }
        solids.keep_off(vertices);
    }
}
