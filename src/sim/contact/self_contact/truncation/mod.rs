//! Truncation of a motion, from top to bottom: inelastic impact of the pairs in conflict, then
//! separating planes for the rest (`physics.md` sections 11.5 and 12).

mod impact;
mod separation;

use super::candidates::Candidates;
use super::collision_meshes::CollisionMeshes;
use super::islands::Islands;
use super::pair::{Pair, Verdict};
use super::planes::SeparatedPair;
use super::{Truncation, aim_of};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::math::csr::Csr;
use crate::sim::{Clock, Cloth, Real, Vec3};
use impact::{Approach, EdgeLimit, collide};

/// Least gap of truncation as a share of the gap that the impact aims at, so that the impact need
/// not be exact.
const LEAST_OF_AIM: Real = 0.1;
/// Searches for pairs of the inelastic impact.
const IMPACTS: u32 = 4;
/// Rounds of truncation; in each a stopped vertex continues its motion.
const ROUNDS: u32 = 4;
/// How often the motion is halved when there are too many pairs in conflict.
const HALVINGS: u32 = 4;

/// A motion during truncation, with memory.
#[derive(Debug, Default)]
pub(super) struct Truncator {
    found: Vec<Pair>,
    approaches: Vec<Approach>,
    edges: Vec<EdgeLimit>,
    separated: Vec<SeparatedPair>,
    islands: Islands,
    /// Separated pairs of each vertex: four times the number of the pair plus the number of the
    /// vertex in it.
    of_vertex: Csr<u32>,
    /// Inverse masses; 0 for vertices that cannot be moved [1/kg].
    inverse_masses: Vec<Real>,
    /// The same beside collision meshes, where vertices in contact with colliders may move [1/kg].
    beside: Vec<Real>,
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
    /// Cloth-cloth distance [m].
    distance: Real,
}

impl Truncator {
    /// Sets start and end of a motion. All `movable` vertices can be moved, except `pushed` ones,
    /// which only collision meshes move.
    pub fn begin(
        &mut self,
        before: &[Vec3],
        cloth: &Cloth,
        movable: impl Fn(u32) -> bool,
        pushed: impl Fn(u32) -> bool,
    ) {
        before.clone_into(&mut self.start);
        self.proposed.clone_from(&cloth.positions);
        self.vertices = before.len();
        let Self { inverse_masses, beside, .. } = self;
        let inverse = |(i, mass): (u32, &Real)| if movable(i) { 1.0 / mass } else { 0.0 };
        beside.clear();
        beside.extend((0..).zip(&cloth.masses).map(inverse));
        inverse_masses.clear();
        inverse_masses.extend((0..).zip(&*beside).map(|(i, inverse)| if pushed(i) { 0.0 } else { *inverse }));
        self.begin_anew();
    }

    /// Resets the end of a motion with an unchanged start.
    fn begin_anew(&mut self) {
        let Self { start, wish, target, proposed, changed, inverse_masses, beside, vertices, .. } = self;
        start.truncate(*vertices);
        wish.clone_from(proposed);
        target.clone_from(proposed);
        changed.clear();
        changed.resize(*vertices, true);
        inverse_masses.truncate(*vertices);
        beside.truncate(*vertices);
        self.stuck = false;
    }

    /// Vertices with truncated motion in the last run, rising.
    pub fn held_back(&self) -> impl Iterator<Item = u32> {
        let is_cut = |(target, wish): (&Vec3, &Vec3)| target != wish;
        let cut = self.target.iter().zip(&self.wish).map(is_cut);
        (0..).zip(cut).filter_map(|(vertex, is_cut)| is_cut.then_some(vertex))
    }

    /// Truncates the motion. `distance` is the cloth-cloth distance [m].
    pub fn run(
        &mut self,
        candidates: &mut Candidates,
        meshes: &mut CollisionMeshes,
        distance: Real,
        masses: &[Real],
        clock: Clock,
        pool: &ThreadPool,
    ) -> Truncation {
        self.distance = distance;
        let mut done = Truncation::default();
        loop {
            let before = done;
            meshes.begin(self.vertices);
            done = self.try_motion(candidates, meshes, clock, pool);
            done.searches += before.searches;
            done.detection_seconds += before.detection_seconds;
            if !(self.stuck && meshes.move_on()) {
                break;
            }
            // a collider stops if the cloth in its path cannot move
            meshes.stop();
            candidates.forget();
            self.begin_anew();
        }
        done.stopped = meshes.stopped().len() as u32;
        if done.searches > 1 {
            self.keep_momentum(meshes, masses);
        }
        if done.halvings > 0 {
            // all of the motion was shortened
            let ways = self.target.iter().zip(&self.proposed).map(|(target, wish)| target.distance(*wish));
            (done.held_back, done.given_up) = (self.vertices as u32, ways.fold(0.0, Real::max));
        }
        done
    }

    /// Truncates the motion for the present motion of the colliders.
    fn try_motion(
        &mut self,
        candidates: &mut Candidates,
        meshes: &mut CollisionMeshes,
        clock: Clock,
        pool: &ThreadPool,
    ) -> Truncation {
        let aim = aim_of(self.distance, candidates.surface.edge_length);
        let least = LEAST_OF_AIM * aim;
        let mut done = Truncation::default();
        let mut left = self.collide(candidates, meshes, aim, &mut done, clock, pool);
        for _ in 0..HALVINGS {
            if !done.too_many {
                break;
            }
            // a shorter motion has fewer conflicts
            for ((target, start), wish) in self.target.iter_mut().zip(&self.start).zip(&mut self.wish) {
                *target = start.midpoint(*target);
                *wish = *target;
            }
            self.changed.fill(true);
            done.too_many = false;
            done.halvings += 1;
            left = self.collide(candidates, meshes, aim, &mut done, clock, pool);
        }
        if !left {
            return done;
        }
        self.wish.clone_from(&self.target);
        if !done.too_many {
            self.find(candidates, meshes, least, &mut done, clock, pool);
        }
        for round in 0..ROUNDS {
            if round > 0 {
                if done.too_many || !self.go_on(candidates, meshes, least) {
                    break;
                }
                self.find(candidates, meshes, least, &mut done, clock, pool);
            }
            self.separate_all(candidates, meshes, least, &mut done, clock, pool);
            if self.stuck && meshes.move_on() {
                break;
            }
        }
        done
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

    /// Removes the approach of pairs in conflict from the motion. Returns whether conflicts may be
    /// left.
    fn collide(
        &mut self,
        candidates: &mut Candidates,
        meshes: &mut CollisionMeshes,
        aim: Real,
        done: &mut Truncation,
        clock: Clock,
        pool: &ThreadPool,
    ) -> bool {
        self.approaches.clear();
        // a single movable vertex has no partner
        if self.inverse_masses.iter().filter(|inverse| **inverse > 0.0).take(2).count() < 2 {
            return true;
        }
        for _ in 0..IMPACTS {
            self.find(candidates, meshes, aim, done, clock, pool);
            if done.too_many {
                // no impact at all, since it would take too long
                if !self.approaches.is_empty() {
                    self.target.copy_from_slice(&self.wish);
                }
                return true;
            }
            if self.found.is_empty() {
                return false;
            }
            if self.approaches.is_empty() {
                self.edges.clear();
                self.edges.extend(EdgeLimit::of(&candidates.surface, &self.target));
                self.wish.clone_from(&self.target);
            }
            self.note_approaches(meshes, aim);
            done.impacts = self.approaches.len() as u32;
            self.before_impact.clone_from(&self.target);
            collide(&self.approaches, &self.edges, [&self.inverse_masses, &self.beside], &mut self.target);
            for ((changed, target), last) in self.changed.iter_mut().zip(&self.target).zip(&self.before_impact) {
                // vertices in conflict that cannot be moved are judged again as well
                *changed = target != last;
            }
            let vertices = self.approaches.iter().flat_map(|approach| approach.pair.vertices);
            for vertex in vertices.filter(|&vertex| (vertex as usize) < self.vertices) {
                self.changed[vertex as usize] = true;
            }
        }
        true
    }

    /// Adds the pairs found to those of the impact, or renews them there.
    fn note_approaches(&mut self, meshes: &CollisionMeshes, aim: Real) {
        let known = self.approaches.len();
        for pair in &self.found {
            let ((x, aim), y) = (meshes.start(pair, &self.start, aim), pair.corners(&self.target));
            if let Verdict::Conflict { normal, gap } = pair.judge(&x, &y, aim) {
                let is_beside_mesh = meshes.carrier(pair).is_some();
                let approach = Approach { is_beside_mesh, ..Approach::new(*pair, &y, (normal, gap), aim) };
                match self.approaches[..known].binary_search_by_key(pair, |approach| approach.pair) {
                    Ok(at) => self.approaches[at] = approach,
                    Err(_) => self.approaches.push(approach),
                }
            }
        }
        self.approaches.sort_unstable_by_key(|approach| approach.pair);
    }

    /// Finds the pairs in conflict with a vertex that has changed, sorted; drops and counts
    /// touching ones.
    fn find(
        &mut self,
        candidates: &mut Candidates,
        meshes: &mut CollisionMeshes,
        least: Real,
        done: &mut Truncation,
        clock: Clock,
        pool: &ThreadPool,
    ) {
        let searched = (clock.0)();
        self.search(candidates, meshes, least, done, pool);
        let Self { found, start, target, .. } = self;
        let first = done.searches == 0;
        done.searches += 1;
        let mut touching = 0;
        found.retain(|pair| {
            let (x, least) = meshes.start(pair, start, least);
            let touches = pair.judge(&x, &pair.corners(target), least) == Verdict::Touching;
            touching += u32::from(touches);
            !touches
        });
        if first {
            done.touching = touching;
        }
        done.detection_seconds += (clock.0)() - searched;
    }

    /// Finds the pairs in conflict or touching with a vertex that has changed, of the cloth with
    /// itself and with collision meshes.
    fn search(
        &mut self,
        candidates: &mut Candidates,
        meshes: &mut CollisionMeshes,
        least: Real,
        done: &mut Truncation,
        pool: &ThreadPool,
    ) {
        let Self { found, start, wish, target, changed, inverse_masses, beside, vertices, distance, .. } = self;
        let own = [&start[..*vertices], &target[..*vertices]];
        let comes_near = meshes.approach(own, *distance);
        done.too_many |= !candidates.find_conflicts(own, changed, least, *distance, found, pool);
        if done.too_many || !comes_near {
            return;
        }
        // one room for all searches of a step, so that clearances stay valid
        let room = aim_of(*distance, candidates.surface.edge_length);
        if !meshes.find(&candidates.surface, own, changed, room, pool) {
            found.clear();
            done.too_many = true;
            return;
        }
        for number in start.len() - *vertices..meshes.points() {
            let point = meshes.point(number);
            [&mut *start, &mut *wish, &mut *target].into_iter().for_each(|places| places.push(point));
            [&mut *inverse_masses, &mut *beside].into_iter().for_each(|inverse| inverse.push(0.0));
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
