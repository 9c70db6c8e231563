//! Truncation of a motion, from top to bottom: inelastic impact of the pairs in conflict, then
//! separating planes for the rest (`physics.md` sections 11.5 and 12).

mod impact;
mod islands;
mod opening;
mod planes;
mod separation;

use super::meshes::CollisionMeshes;
use super::pair::{Pair, Verdict};
use super::response::{ContactSolver, ContactStep, Walls};
use super::search::Candidates;
use crate::sim::math::csr::Csr;
use crate::sim::{Clock, Cloth, Real, Vec3};
use impact::Approach;
use islands::Islands;
use planes::SeparatedPair;

/// Least gap of truncation as a share of the gap that the impact aims at, so that the impact need
/// not be exact.
const LEAST_OF_AIM: Real = 0.1;
/// Rounds of truncation; in each a stopped vertex continues its motion.
const ROUNDS: u32 = 4;
/// How often the motion is halved when there are too many pairs in conflict.
const HALVINGS: u32 = 4;

/// Statistics of a truncation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Truncation {
    /// Vertices with truncated motion.
    pub truncated: u32,
    /// Pairs with separating planes.
    pub pairs: u32,
    /// Pairs in conflict that got an inelastic impact before.
    pub impacts: u32,
    /// How often the motion was halved because there were too many pairs in conflict.
    pub halvings: u32,
    /// Whether there were too many in the end as well, so that nothing moved.
    pub too_many: bool,
    /// Searches for pairs in conflict.
    pub searches: u32,
    /// Largest distance between the proposed and the truncated end of a vertex [m].
    pub given_up: Real,
    /// Pairs that touch at the start and have no separating plane.
    pub touching: u32,
    /// Near pairs of the search before it.
    pub near_pairs: u32,
    /// Whether there were too many of these.
    pub too_many_near: bool,
    /// Colliders whose motion was given up for the step.
    pub stopped: u32,
    /// Time of the searches [s].
    pub detection_seconds: Real,
    /// Time of everything else [s].
    pub truncation_seconds: Real,
}

/// A motion during truncation, with memory.
#[derive(Debug, Default)]
pub(super) struct Truncator {
    found: Vec<Pair>,
    /// Pairs of the last search that touch.
    touching: Vec<Pair>,
    /// Pairs of the impact, sorted.
    approaches: Vec<Approach>,
    separated: Vec<SeparatedPair>,
    islands: Islands,
    /// Separated pairs of each vertex: four times the number of the pair plus the number of the
    /// vertex in it.
    of_vertex: Csr<u32>,
    /// Whether each vertex can be moved.
    movable: Vec<bool>,
    /// Inverse masses; 0 for vertices that cannot be moved, or lie on colliders [1/kg].
    inverse_masses: Vec<Real>,
    /// Number of vertices. The points of collision meshes in pairs stand behind them, at the end of
    /// their motion.
    vertices: usize,
    /// Whether only standing still is left.
    stuck: bool,
    /// Positions at the start of a round, wished ends, and truncated ends so far [m].
    start: Vec<Vec3>,
    wish: Vec<Vec3>,
    target: Vec<Vec3>,
    /// Ends proposed at first [m].
    proposed: Vec<Vec3>,
    /// Ends before the last impact [m].
    before_impact: Vec<Vec3>,
    /// Vertices whose end changed in the last round.
    changed: Vec<bool>,
}

/// What a truncation works with, and its result.
pub(super) struct Run<'a> {
    pub candidates: &'a mut Candidates,
    pub meshes: &'a mut CollisionMeshes,
    pub solver: &'a mut ContactSolver,
    pub walls: &'a Walls,
    pub step: &'a ContactStep<'a>,
    /// Masses of the vertices [kg].
    pub masses: &'a [Real],
    /// Gap that the impact aims at [m].
    pub aim: Real,
    pub clock: Clock,
    pub done: Truncation,
}

impl Run<'_> {
    /// Least gap after truncation [m].
    fn least(&self) -> Real {
        LEAST_OF_AIM * self.aim
    }
}

impl Truncator {
    /// Sets start and end of a motion, whose `movable` vertices can be moved.
    pub fn begin(&mut self, before: &[Vec3], cloth: &Cloth, movable: impl Fn(u32) -> bool, walls: &Walls) {
        before.clone_into(&mut self.start);
        self.proposed.clone_from(&cloth.positions);
        self.vertices = before.len();
        let Self { inverse_masses, movable: are_movable, .. } = self;
        are_movable.clear();
        are_movable.extend((0..before.len() as u32).map(movable));
        inverse_masses.clear();
        inverse_masses.extend(
            are_movable.iter().zip(&cloth.masses).map(|(movable, mass)| if *movable { 1.0 / mass } else { 0.0 }),
        );
        walls.all.iter().for_each(|(wall, _)| inverse_masses[wall.vertex as usize] = 0.0);
        self.begin_anew();
    }

    /// Resets the end of a motion with an unchanged start.
    fn begin_anew(&mut self) {
        let Self { start, wish, target, proposed, changed, vertices, .. } = self;
        start.truncate(*vertices);
        wish.clone_from(proposed);
        target.clone_from(proposed);
        changed.clear();
        changed.resize(*vertices, true);
        self.stuck = false;
    }

    /// Vertices with truncated motion in the last run, rising.
    pub fn truncated(&self) -> impl Iterator<Item = u32> {
        let is_cut = |(target, wish): (&Vec3, &Vec3)| target != wish;
        let cut = self.target.iter().zip(&self.wish).map(is_cut);
        (0..).zip(cut).filter_map(|(vertex, is_cut)| is_cut.then_some(vertex))
    }

    /// Truncates the motion.
    pub fn run(&mut self, run: &mut Run) {
        loop {
            let before = std::mem::take(&mut run.done);
            run.meshes.begin(self.vertices);
            self.try_motion(run);
            run.done.searches += before.searches;
            run.done.detection_seconds += before.detection_seconds;
            if !(self.stuck && run.meshes.move_on()) {
                break;
            }
            // a collider stops if the cloth in its path cannot move
            run.meshes.stop();
            run.candidates.forget();
            self.begin_anew();
        }
        run.done.stopped = run.meshes.stopped().len() as u32;
        if run.done.searches > 1 {
            self.keep_momentum(run.meshes, run.masses);
        }
        if run.done.halvings > 0 {
            // all of the motion was shortened
            let ways = self.target.iter().zip(&self.proposed).map(|(target, wish)| target.distance(*wish));
            (run.done.truncated, run.done.given_up) = (self.vertices as u32, ways.fold(0.0, Real::max));
        }
    }

    /// Truncates the motion for the present motion of the colliders.
    fn try_motion(&mut self, run: &mut Run) {
        let mut left = self.collide(run);
        for _ in 0..HALVINGS {
            if !run.done.too_many {
                break;
            }
            // a shorter motion has fewer conflicts
            for ((target, start), wish) in self.target.iter_mut().zip(&self.start).zip(&mut self.wish) {
                *target = start.midpoint(*target);
                *wish = *target;
            }
            self.changed.fill(true);
            run.done.too_many = false;
            run.done.halvings += 1;
            left = self.collide(run);
        }
        if !left {
            return;
        }
        self.wish.clone_from(&self.target);
        if !run.done.too_many {
            self.find(run, run.least());
        }
        for round in 0..ROUNDS {
            if round > 0 {
                if run.done.too_many || !self.go_on(run) {
                    break;
                }
                self.find(run, run.least());
            }
            self.separate_all(run);
            if self.stuck && run.meshes.move_on() {
                break;
            }
        }
    }

    /// Moves the cloth to the truncated ends in a step of `dt` [s].
    pub fn finish(&self, cloth: &mut Cloth, dt: Real) {
        for ((target, wish), v) in self.target.iter().zip(&mut cloth.positions).zip(&mut cloth.velocities) {
            if target != wish {
                let change = *target - *wish;
                *wish = *target;
                *v += change / dt;
            }
        }
    }

    /// Finds the pairs with a vertex that has changed that are in conflict, with gaps below `least`
    /// [m], sorted. The first search of a motion opens the gaps of touching pairs, and counts those
    /// that still touch.
    fn find(&mut self, run: &mut Run, least: Real) {
        let searched = (run.clock.0)();
        self.search_conflicts(run, least);
        if run.done.searches == 0 {
            if !self.touching.is_empty() && self.open_gaps(run) {
                run.candidates.forget();
                self.changed.fill(true);
                self.search_conflicts(run, least);
            }
            run.done.touching = self.touching.len() as u32;
        }
        run.done.searches += 1;
        run.done.detection_seconds += (run.clock.0)() - searched;
    }

    /// Finds the pairs in conflict, and those that touch.
    fn search_conflicts(&mut self, run: &mut Run, least: Real) {
        self.search(run, least);
        let Self { found, touching, start, target, .. } = self;
        touching.clear();
        found.retain(|pair| {
            let (x, least) = run.meshes.start(pair, start, least);
            let touches = pair.judge(&x, &pair.corners(target), least) == Verdict::Touching;
            if touches {
                touching.push(*pair);
            }
            !touches
        });
    }

    /// Finds the pairs in conflict or touching with a vertex that has changed, of the cloth with
    /// itself and with collision meshes.
    fn search(&mut self, run: &mut Run, least: Real) {
        let Self { found, start, wish, target, changed, vertices, .. } = self;
        let Run { candidates, meshes, step: ContactStep { settings, pool, .. }, aim, .. } = run;
        let own = [&start[..*vertices], &target[..*vertices]];
        let comes_near = meshes.approach(own, settings.distance);
        run.done.too_many |= !candidates.find_conflicts(own, changed, least, settings.distance, found, pool);
        if run.done.too_many || !comes_near {
            return;
        }
        // one room for all searches of a step, so that clearances stay valid
        if !meshes.find(&candidates.surface, own, changed, *aim, pool) {
            found.clear();
            run.done.too_many = true;
            return;
        }
        for number in start.len() - *vertices..meshes.points() {
            let point = meshes.point(number);
            [&mut *start, &mut *wish, &mut *target].into_iter().for_each(|places| places.push(point));
        }
        meshes.add_conflicts([start, target], least, found);
        found.sort_unstable();
    }

    /// Returns to a free cloth the momentum lost to truncation, halving or rounding, by a
    /// translation of the whole: it changes no difference of positions. If a collider is in the
    /// way, it has taken the momentum.
    fn keep_momentum(&mut self, meshes: &CollisionMeshes, masses: &[Real]) {
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
        if shift.abs().max_element() > 1e-12 * size && meshes.leave_way(&self.target, shift) {
            self.target.iter_mut().for_each(|target| *target += shift);
        }
    }
}
