//! The contact solver: parts of the cloth push each other and colliders push them, with friction,
//! before the motion is truncated (`physics.md` sections 11.2 to 11.5).
//!
//! All rows are solved together by projected Gauss-Seidel (Macklin et al. 2014, *Unified Particle
//! Physics*; accumulated impulses and warm start as in Catto 2005), so that the weight of upper
//! sheets passes through lower ones to the table. Contact of cloth with cloth changes no momentum,
//! and velocities follow positions: nothing bounces.
//!
//! If a solver took the rows among its constraints, a few sweeps follow for the vertices that
//! colliders have moved since. In an impact the rows are built after the step, as for other
//! solvers.
//!
//! Rows move single vertices, so sweeps alternate with edge length limits: neighbours share the
//! push.

use super::contact_points::ContactPoint;
use super::edge_limits::EdgeLimits;
use super::forces::ContactForces;
use super::pair_rows::PairRows;
use super::point_rows::PointRows;
use super::row::{ClothContactSettings, ContactRow, Impact, Tolerance};
use super::solver_vertices::SolverVertices;
use super::step::ContactStep;
use super::sweeps::Sweeps;
use super::walls::Walls;
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::contact::cloth::surface::ContactSurface;
use crate::sim::contact::colliders::Contact;
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
/// Displacement of a contact point as a multiple of the tolerance beyond which the cloth around it
/// takes part, where cloth does not press on cloth.
const FAR: Real = 50.0;
/// Sweeps over the edges after the last one over the rows.
const FINISH: usize = 5;

/// The contact solver of a cloth, with its memory.
#[derive(Debug, Default)]
pub(in crate::sim::contact::cloth) struct ContactSolver {
    pairs: PairRows,
    points: PointRows,
    /// Rows of pairs, then of contact points, then of vertices on surfaces.
    rows: Vec<ContactRow>,
    /// Numbers of the first row of a point, and of the first row of a vertex on a surface.
    starts: [usize; 2],
    /// Whether another solver has solved the rows of pairs among its constraints.
    is_solved: bool,
    sweeps: Sweeps,
    edges: EdgeLimits,
    vertices: SolverVertices,
    /// Revision of the pattern of the edges.
    pattern: Option<u64>,
    /// Token of the step.
    token: CancelToken,
}

impl ContactSolver {
    /// Prepares for a pattern with this surface.
    pub fn update(&mut self, pattern: &Pattern, surface: &ContactSurface) {
        if self.pattern.replace(pattern.revision()) != Some(pattern.revision()) {
            self.edges = EdgeLimits::new(surface, pattern.len());
            self.pairs.pieces.clone_from(&surface.components);
        }
    }

    /// Sets the token by which sweeps are cancelled.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.token.clone_from(token);
    }

    /// Drops all rows.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.points.points.clear();
        self.rows.clear();
        self.starts = [0; 2];
        self.is_solved = false;
    }

    /// Exchanges the contact forces with those of the last step, or those of this step with others.
    pub fn exchange_forces(&mut self, forces: &mut ContactForces) {
        std::mem::swap(&mut self.pairs.forces, &mut forces.cloth_contact);
        std::mem::swap(&mut self.points.forces, &mut forces.solids);
    }

    /// The contact points of the step, to be filled, sorted by keys, before
    /// [`begin_points`](Self::begin_points).
    pub fn points_mut(&mut self) -> &mut Vec<ContactPoint> {
        &mut self.points.points
    }

    /// See [`PointRows::take_reactions`].
    pub fn take_reactions(&mut self, contacts: Option<impl Iterator<Item = (Contact, Real)>>, positions: &[Vec3]) {
        self.points.take_reactions(contacts, positions);
    }

    /// Whether there is a row that may push.
    pub fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Drops the contact forces.
    pub fn forget_forces(&mut self) {
        self.pairs.forces.clear();
        self.points.forces.clear();
    }

    /// All rows.
    pub fn rows(&self) -> &[ContactRow] {
        &self.rows
    }

    /// Limits edge lengths to those at `positions` [m], the proposal of a solver, if larger than at
    /// rest: stretch by an impact is undone.
    pub fn tie(&mut self, positions: &[Vec3], pool: &ThreadPool) {
        self.edges.tie(positions, pool);
    }

    /// Builds the rows of the pairs in `found`, which are near after the step, and of those that
    /// pressed in the last step, and moves `cloth` by their warm start, velocities as well.
    pub fn begin_pairs(&mut self, step: &ContactStep, found: &[Pair], partition: &Partition, cloth: &mut Cloth) {
        self.clear();
        let Self { pairs, rows, vertices, .. } = self;
        if !found.is_empty() || !pairs.forces.is_empty() {
            vertices.take(cloth, partition);
            pairs.begin(step, found, &cloth.positions, (rows, vertices));
            vertices.give(cloth, step.dt);
        }
        self.starts = [self.rows.len(); 2];
    }

    /// Builds the rows of the contact points, which are sorted by keys, as
    /// [`begin_pairs`](Self::begin_pairs) does for cloth and cloth.
    pub fn begin_points(&mut self, partition: &Partition, cloth: &mut Cloth, dt: Real) {
        let Self { points, rows, vertices, .. } = self;
        if !points.is_idle() {
            vertices.take(cloth, partition);
            points.begin(&cloth.positions, dt, (rows, vertices));
            vertices.give(cloth, dt);
        }
        self.starts[1] = self.rows.len();
    }

    /// Builds the rows of a step to `predicted` [m] for a solver that takes them as constraints: of
    /// the pairs in `found`, if there are any (see [`PairRows::constrain`]), and of the contact
    /// points.
    pub fn constrain(
        &mut self,
        step: &ContactStep,
        found: Option<&[Pair]>,
        predicted: &[Vec3],
        (masses, partition): (&[Real], &Partition),
    ) -> bool {
        let Self { pairs, points, rows, vertices, .. } = self;
        rows.clear();
        self.starts = [0; 2];
        if found.is_none() && points.is_idle() {
            return true;
        }
        vertices.take_at(predicted, masses, |vertex| partition.is_free(vertex));
        let takes = found.is_none_or(|found| pairs.constrain(step, found, predicted, (rows, vertices)));
        self.starts[0] = rows.len();
        points.constrain(predicted, step.dt, (rows, vertices));
        self.starts[1] = rows.len();
        takes
    }

    /// Takes the `rows` as another solver has left them in a step to `positions` [m]; those of
    /// pairs are solved by that.
    pub fn take_solved(&mut self, rows: &[ContactRow], positions: &[Vec3], (dt, pool): (Real, &ThreadPool)) {
        let [first_point, end] = self.starts;
        if end == first_point {
            self.points.take_solved(&[], dt);
        } else {
            self.points.take_solved(&rows[first_point..], dt);
        }
        self.rows.clear();
        if first_point > 0 {
            self.tie(positions, pool);
            self.rows.extend_from_slice(&rows[..first_point]);
            self.is_solved = true;
        }
        self.starts = [self.rows.len(); 2];
    }

    /// Inelastic impact of the pairs in `passing`, which pass through themselves in the step; then
    /// near pairs have to be searched again.
    pub fn stop(&mut self, step: &ContactStep, passing: &[Pair], partition: &Partition, cloth: &mut Cloth) {
        self.clear();
        let Self { pairs, rows, vertices, .. } = self;
        vertices.take(cloth, partition);
        pairs.take_passing(step, passing, &cloth.positions, (rows, vertices));
        self.starts = [self.rows.len(); 2];
        self.sweep(SWEEPS, false, step);
        self.vertices.give(cloth, step.dt);
    }

    /// Moves `positions` [m] of vertices with `masses` [kg] by inelastic `impacts`; `walls` stay on
    /// their side, and only `movable` vertices are moved.
    pub fn part(
        &mut self,
        impacts: impl Iterator<Item = Impact>,
        walls: &Walls,
        (positions, masses, movable): (&mut [Vec3], &[Real], impl Fn(u32) -> bool),
        step: &ContactStep,
    ) {
        self.clear();
        let Self { rows, vertices, starts, .. } = self;
        vertices.take_at(positions, masses, movable);
        rows.extend(impacts.map(|impact| ContactRow::of_impact(&impact, &vertices.q)));
        *starts = [rows.len(); 2];
        rows.extend(walls.all.iter().map(|(wall, _)| ContactRow::of_wall(wall, 0.0, &vertices.q)));
        self.sweep(SWEEPS, false, step);
        positions.iter_mut().zip(&self.vertices.q).for_each(|(x, q)| *x = q.to_vec3());
    }

    /// Moves `cloth` to the heights of its rows, velocities as well, and stores the contact forces.
    /// Returns the number of rows that press.
    pub fn solve(&mut self, walls: &Walls, cloth: &mut Cloth, step: &ContactStep) -> u32 {
        let Self { rows, vertices, starts, is_solved, .. } = self;
        vertices.move_to(cloth);
        rows.truncate(starts[1]);
        rows.extend(walls.all.iter().map(|(wall, pushed)| ContactRow::of_wall(wall, *pushed, &vertices.q)));
        let is_solved = *is_solved;
        self.sweep(if is_solved { SWEEPS_AFTER_SOLVER } else { SWEEPS }, !is_solved, step);
        self.vertices.give(cloth, step.dt);
        let Self { pairs, points, rows, starts: [first_point, first_wall], .. } = self;
        pairs.note_forces(&rows[..*first_point], step.settings.friction, (step.dt, step.pool));
        points.note_forces(&rows[*first_point..*first_wall], step.dt);
        (self.pairs.forces.len() + self.points.forces.len()) as u32
    }

    /// Which of the walls of the last [`solve`](Self::solve) press no more.
    pub fn released(&self) -> impl Iterator<Item = bool> {
        self.rows[self.starts[1]..].iter().map(|row| row.pressure() == 0.0)
    }

    /// Solves all rows.
    fn sweep(&mut self, sweeps: usize, extrapolates: bool, step: &ContactStep) {
        let Self { rows, starts: [first_point, first_wall], vertices, edges, .. } = self;
        let ContactStep { settings: ClothContactSettings { distance, .. }, dt, pool, .. } = *step;
        let tolerated = |[share, acceleration]: [Real; 2]| (share * distance).min(acceleration * dt * dt);
        let tolerance = Tolerance { distance: tolerated(TOLERANCE), sliding: tolerated(SLIDING) };
        let least = tolerated(CONVERGED);
        vertices.begin_rounds();
        let has_pairs = *first_point > 0;
        edges.begin(has_pairs, vertices, pool);
        let points = &mut rows[*first_point..*first_wall];
        if has_pairs || sweep_one_by_one(points, 0, &tolerance, vertices) > FAR * tolerance.distance {
            self.sweep_all((sweeps, extrapolates && has_pairs), (&tolerance, least), pool);
        }
        // no collider passes through the cloth, at the cost of edge lengths
        let Self { rows, starts: [first_point, first_wall], vertices, .. } = self;
        let points = &mut rows[*first_point..*first_wall];
        for sweep in 0..SWEEPS {
            if sweep_one_by_one(points, sweep, &tolerance, vertices) < least {
                break;
            }
        }
    }

    /// Sweeps over all rows and over the edges in turn, until no row moves its parts by `least`
    /// [m].
    fn sweep_all(
        &mut self,
        (sweeps, extrapolates): (usize, bool),
        (tolerance, least): (&Tolerance, Real),
        pool: &ThreadPool,
    ) {
        let Self { rows, starts, is_solved, sweeps: batches, vertices, edges, token, .. } = self;
        // surfaces first; rows that are solved have little left to do, so batches do not pay
        let first = if *is_solved { starts[0] } else { 0 };
        let order = (starts[1]..rows.len()).chain(first..starts[1]).map(|number| number as u32);
        batches.take(rows, order, vertices, pool);
        for sweep in 0..sweeps {
            if token.is_cancelled() {
                break;
            }
            let mut largest = batches.sweep(sweep, tolerance, vertices);
            if *is_solved {
                largest = largest.max(sweep_one_by_one(&mut rows[..starts[0]], sweep, tolerance, vertices));
            }
            let converged = largest < least;
            // the last sweep is over edges: no stretch, at the cost of distance
            let last = converged || sweep + 1 == sweeps;
            if largest > 0.0 {
                for finish in sweep..if last && !converged { sweep + FINISH } else { sweep + 1 } {
                    edges.keep(finish, tolerance.sliding, vertices);
                    vertices.next_round();
                }
            }
            if converged {
                break;
            }
            if extrapolates && !last {
                batches.extrapolate(sweep + 1, tolerance.distance, vertices);
            }
        }
        batches.give(rows, pool);
    }
}

/// Solves rows one after the other, forth and back in turn: in the first sweep all, then those with
/// a vertex that has moved since. Returns the largest displacement of the parts of a row [m].
fn sweep_one_by_one(
    rows: &mut [ContactRow],
    sweep: usize,
    tolerance: &Tolerance,
    vertices: &mut SolverVertices,
) -> Real {
    let mut largest: Real = 0.0;
    let push = |row: &mut ContactRow| {
        let of = row.vertices();
        if sweep == 0 || vertices.has_one_moved(&[of]) {
            let change = row.push(tolerance, &mut vertices.q);
            if change > 0.0 {
                largest = largest.max(change);
                of.into_iter().for_each(|vertex| vertices.note(vertex));
            }
        }
    };
    if sweep.is_multiple_of(2) {
        rows.iter_mut().for_each(push);
    } else {
        rows.iter_mut().rev().for_each(push);
    }
    largest
}
