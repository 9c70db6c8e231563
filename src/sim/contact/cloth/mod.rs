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
//!
//! `surface` is the tree of a cloth, built once per pattern; `search` finds the near pairs of a
//! step; `response` is the contact solver with its rows and forces; `truncation` parts the pairs in
//! conflict; `meshes` are the colliders of triangles, among whose pairs it looks as well; `pair`,
//! `distance` and `nearness` are the geometry of a single pair.

pub mod distance;
mod meshes;
mod nearness;
mod pair;
mod response;
mod search;
mod surface;
mod truncation;

pub use pair::{Pair, Verdict};
pub use response::{ClothContactForce, ClothContactSettings, ClothContacts, ContactForces, ContactRow, ContactStep};
pub use truncation::Truncation;

use super::colliders::{Contact, Solid, Wall};
use crate::sim::exec::budget::CancelToken;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::model::partition::Partition;
use crate::sim::{Clock, Cloth, Pattern, Real, Vec3};
use meshes::CollisionMeshes;
use response::{ContactSolver, Walls};
use search::{Candidates, Found};
use truncation::{Run, Truncator};

/// Gap that the inelastic impact aims at, as a share of the cloth-cloth distance, and of the mean
/// edge length at rest.
const AIM_OF_DISTANCE: Real = 0.1;
const AIM_OF_EDGE: Real = 0.02;
/// Most near pairs, and most pairs in conflict, per vertex on average. With more, only the nearer
/// ones push, the motion is halved, and in the end the cloth stands still for the step.
const MOST_PAIRS: usize = 48;
/// Attempts of a single vertex to continue its motion.
const REACHES: usize = 8;
/// Coordinates beyond this count as not finite [m].
const FARTHEST: Real = 1e30;

/// Gap that the inelastic impact aims at [m], for a cloth-cloth `distance` and a mean edge length
/// [m].
fn aim_of(distance: Real, edge_length: Real) -> Real {
    (AIM_OF_DISTANCE * distance).min(AIM_OF_EDGE * edge_length)
}

/// Cloth-cloth contact of a simulation, and contact of colliders between the vertices. Between
/// steps it keeps caches alone.
///
/// The order of a step: [`begin`](Self::begin); [`constrain`](Self::constrain) for solvers that
/// take rows as constraints; the solver; [`find`](Self::find); contacts of colliders with vertices;
/// [`solve`](Self::solve); [`truncate`](Self::truncate).
#[derive(Debug, Default)]
pub struct SelfContact {
    /// Collision meshes near the cloth between its vertices.
    beside: CollisionMeshes,
    candidates: Candidates,
    found: Found,
    solver: ContactSolver,
    /// Whether the step looks for contacts of cloth with cloth.
    is_sought: bool,
    walls: Walls,
    truncator: Truncator,
    meshes: CollisionMeshes,
}

impl SelfContact {
    /// Starts a step from the contact `forces` of the last one; [`solve`](Self::solve) replaces
    /// them.
    pub fn begin(&mut self, forces: &mut ContactForces) {
        self.solver.clear();
        self.walls.clear();
        self.solver.exchange_forces(forces);
    }

    /// Vertices with truncated motion in the last truncation, rising.
    pub fn truncated(&self) -> impl Iterator<Item = u32> {
        self.truncator.truncated()
    }

    /// Sets the token of a step. Once it is cancelled, calls return early with useless results, and
    /// [`forget_search`](Self::forget_search) has to follow.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.solver.set_token(token);
        self.candidates.set_token(token);
    }

    /// Drops the caches of the search.
    pub fn forget_search(&mut self) {
        self.candidates.forget_all();
    }

    /// The near pairs of the last search, sorted, and whether there were too many.
    #[must_use]
    pub fn near_pairs(&self) -> (&[Pair], bool) {
        (&self.found.near, self.found.too_many)
    }

    /// The cloth-cloth distance that takes effect for a `wanted` one [m]: at most the mean edge
    /// length at rest, since the number of near pairs grows with its square.
    pub fn acting_distance(&mut self, pattern: &Pattern, wanted: Real) -> Real {
        self.candidates.update(pattern);
        wanted.min(self.candidates.surface.edge_length)
    }

    /// Finds the rows of a step to `predicted` [m] for a solver that takes them as constraints: of
    /// cloth with cloth, if these are `contacts` to be sought, and of `solids` between the
    /// vertices; `masses` [kg] of the vertices. Returns what is left to [`find`](Self::find) of
    /// cloth with cloth: all, if a pair would pass through itself.
    pub fn constrain(
        &mut self,
        step: &ContactStep,
        contacts: ClothContacts,
        solids: &[Solid],
        (predicted, masses, partition): (&[Vec3], &[Real], &Partition),
    ) -> (ClothContacts, &[ContactRow]) {
        let is_sought = contacts == ClothContacts::Sought;
        if is_sought {
            // without the extrapolation, a solver needs all rows to converge
            self.find_near(step, predicted, false);
        }
        self.look_for_points(step, solids, predicted);
        let found = is_sought.then_some(&self.found.near[..]);
        let takes = self.solver.constrain(step, found, predicted, (masses, partition));
        (if is_sought && takes { ClothContacts::Solved } else { contacts }, self.solver.rows())
    }

    /// Distributes the reactions of a solver to contact points of colliders inside triangles, if it
    /// took their loads as `contacts` of the vertices around; these by rising vertex, each with its
    /// weight [N/m]. `positions` [m] are those that the solver has reached.
    pub fn take_reactions(&mut self, contacts: Option<impl Iterator<Item = (Contact, Real)>>, positions: &[Vec3]) {
        self.solver.take_reactions(contacts, positions);
    }

    /// Takes the rows of [`constrain`](Self::constrain) as the solver has left them in a step to
    /// `positions` [m].
    pub fn take_solved(&mut self, step: &ContactStep, rows: &[ContactRow], positions: &[Vec3]) {
        self.solver.take_solved(rows, positions, (step.dt, step.pool));
    }

    /// Finds the contacts of a step to the positions of `cloth`, of cloth with cloth and of
    /// colliders between the vertices, and moves it by what their rows start with.
    pub fn find(
        &mut self,
        step: &ContactStep,
        contacts: ClothContacts,
        solids: &[Solid],
        partition: &Partition,
        cloth: &mut Cloth,
    ) {
        self.is_sought = contacts != ClothContacts::Ignored;
        if contacts == ClothContacts::Sought {
            self.find_pairs(step, partition, cloth);
        }
        self.find_points(step, solids, partition, cloth);
        if self.is_sought || self.solver.has_rows() {
            self.walls.propose(cloth);
        }
    }

    /// Finds the contacts of cloth with cloth.
    fn find_pairs(&mut self, step: &ContactStep, partition: &Partition, cloth: &mut Cloth) {
        self.find_near(step, &cloth.positions, true);
        self.solver.tie(&cloth.positions, step.pool);
        if !self.found.passing.is_empty() {
            // pairs near a passing one may be near only because of it
            self.solver.stop(step, &self.found.passing, partition, cloth);
            self.find_near(step, &cloth.positions, true);
        }
        self.solver.begin_pairs(step, &self.found.near, partition, cloth);
    }

    /// Finds the contact points of colliders between the vertices.
    fn find_points(&mut self, step: &ContactStep, solids: &[Solid], partition: &Partition, cloth: &mut Cloth) {
        self.look_for_points(step, solids, &cloth.positions);
        self.solver.begin_points(partition, cloth, step.dt);
    }

    /// Finds the contact points in a step to `y` [m].
    fn look_for_points(&mut self, step: &ContactStep, solids: &[Solid], y: &[Vec3]) {
        self.solver.points_mut().clear();
        if solids.iter().any(Solid::has_edges) && is_near_enough(y) {
            self.update(step.pattern);
            let Self { beside, candidates: Candidates { surface, .. }, solver, .. } = self;
            beside.set(solids, surface.longest_edge, true);
            beside.find_points(surface, [step.before, y], step.dt, solver.points_mut(), step.pool);
        }
    }

    /// Prepares for a pattern.
    fn update(&mut self, pattern: &Pattern) {
        self.candidates.update(pattern);
        self.solver.update(pattern, &self.candidates.surface);
    }

    /// Finds the near pairs of a step to `y` [m], without those that others imply if it `thins`.
    fn find_near(&mut self, step: &ContactStep, y: &[Vec3], thins: bool) {
        self.update(step.pattern);
        self.found.clear();
        if is_near_enough(y) {
            let motion = [step.before, y];
            self.candidates.find_near(motion, step.settings.distance, thins, &mut self.found, step.pool);
        }
    }

    /// Solves the contacts after colliders have moved vertices, and stores the contact `forces`.
    /// `held` are vertices that lie on colliders, beside those that colliders have moved. Returns
    /// the number of rows that press.
    pub fn solve(
        &mut self,
        step: &ContactStep,
        held: impl Iterator<Item = Wall>,
        cloth: &mut Cloth,
        forces: &mut ContactForces,
    ) -> u32 {
        let has_rows = self.solver.has_rows();
        if has_rows || self.is_sought {
            self.walls.find(held, &cloth.positions);
        }
        let mut pressing = 0;
        if has_rows {
            pressing = self.solver.solve(&self.walls, cloth, step);
            self.walls.release(self.solver.released(), cloth, step.dt);
        } else {
            self.solver.forget_forces();
        }
        self.solver.exchange_forces(forces);
        pressing
    }

    /// Numbers of the solids that stop in this step, because the cloth in their path cannot move.
    #[must_use]
    pub fn stopped(&self) -> &[u32] {
        self.meshes.stopped()
    }

    /// Truncates the motion of a step to the positions of `cloth`: no pair that is apart at its
    /// start meets, nor does the cloth meet collision meshes among the `solids`. Vertices that are
    /// not `movable`, and those in contact with colliders, are moved only where nothing else helps.
    /// Velocities change with the positions. A motion that is not finite is left alone.
    pub fn truncate(
        &mut self,
        step: &ContactStep,
        solids: &[Solid],
        cloth: &mut Cloth,
        movable: impl Fn(u32) -> bool,
        clock: Clock,
    ) -> Truncation {
        let started = (clock.0)();
        self.update(step.pattern);
        let Self { candidates, solver, truncator, meshes, walls, .. } = self;
        meshes.set(solids, candidates.surface.longest_edge, false);
        if candidates.is_empty() || !is_near_enough(&cloth.positions) {
            return Truncation::default();
        }
        truncator.begin(step.before, cloth, movable, walls);
        let (masses, done) = (&cloth.masses[..], Truncation::default());
        let aim = aim_of(step.settings.distance, candidates.surface.edge_length);
        let mut run = Run { candidates, meshes, solver, walls, step, masses, aim, clock, done };
        truncator.run(&mut run);
        let mut done = run.done;
        // the watched pairs belong to this step
        candidates.forget();
        truncator.finish(cloth, step.dt);
        done.truncation_seconds = (clock.0)() - started - done.detection_seconds;
        (done.near_pairs, done.too_many_near) = (self.found.near.len() as u32, self.found.too_many);
        done
    }

    /// End [m] of the motion of a single vertex to `target` [m] beside `solids`, with the
    /// cloth-cloth `distance` [m].
    pub fn reach(
        &mut self,
        (pattern, distance): (&Pattern, Real),
        solids: &[Solid],
        cloth: &Cloth,
        vertex: u32,
        target: Vec3,
    ) -> Vec3 {
        let (mut before, mut moved) = (cloth.positions.clone(), cloth.clone());
        let (is_it, clock, i) = (|other| other == vertex, Clock::default(), vertex as usize);
        let (settings, pool) = (ClothContactSettings { distance, friction: 0.0 }, ThreadPool::alone());
        self.walls.clear();
        for _ in 0..REACHES {
            moved.positions[i] = target;
            let step = ContactStep { settings, pattern, before: &before, dt: 1.0, pool: &pool };
            self.truncate(&step, solids, &mut moved, is_it, clock);
            let moved_by = moved.positions[i].distance(std::mem::replace(&mut before[i], moved.positions[i]));
            // a vertex that was stopped may slide along the obstacle
            if before[i] == target || moved_by < AIM_OF_DISTANCE * distance {
                break;
            }
        }
        before[i]
    }
}

/// Whether all positions [m] are finite and not absurdly far away.
fn is_near_enough(positions: &[Vec3]) -> bool {
    positions.iter().all(|x| x.abs().max_element() < FARTHEST)
}
