//! Separating planes: planes are put into the gaps of pairs in conflict, and no vertex passes its
//! planes (`physics.md` section 12).

use super::planes::{HalfSpace, SeparatedPair, nearest_within};
use super::{Run, Truncator};
use crate::sim::Real;
use crate::sim::contact::cloth::MOST_PAIRS;
use crate::sim::contact::cloth::meshes::CollisionMeshes;
use crate::sim::contact::cloth::pair::Verdict;
use crate::sim::exec::pool::{Shared, ThreadPool};

/// Vertices per task.
const VERTICES: usize = 256;
/// Searches after which islands with a conflict become rigid, and after which nothing moves.
const SEARCHES: u32 = 12;
const LAST_SEARCH: u32 = 32;

impl Truncator {
    /// Starts a round at the truncated ends. Returns whether much of the motion is left.
    pub(super) fn go_on(&mut self, run: &mut Run) -> bool {
        run.candidates.go_on();
        run.meshes.go_on();
        let least = run.least();
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

    /// Truncates the motion from the start to the wished ends until no pair is in conflict; those
    /// at first are found.
    pub(super) fn separate_all(&mut self, run: &mut Run) {
        let least = run.least();
        self.separated.clear();
        self.islands.clear(self.vertices);
        for search in 0.. {
            if self.found.is_empty() && !run.done.too_many {
                break;
            }
            let most = MOST_PAIRS * self.vertices;
            if search == LAST_SEARCH || run.done.too_many || self.separated.len() + self.found.len() > most {
                run.done.too_many |= search < LAST_SEARCH;
                self.target.copy_from_slice(&self.start);
                self.stuck = true;
                break;
            }
            self.separate(run.meshes, least, search > SEARCHES);
            if self.islands.is_torn() {
                self.stuck = true;
                break;
            }
            self.cut(run.meshes, run.step.pool);
            self.find(run, least);
        }
        let done = &mut run.done;
        done.pairs = done.pairs.max(self.separated.len() as u32);
        let (mut truncated, mut given_up) = (0, 0.0);
        for (target, wish) in self.target.iter().zip(&self.wish) {
            if target != wish {
                truncated += 1;
                given_up = Real::max(given_up, target.distance(*wish));
            }
        }
        (done.truncated, done.given_up) = (truncated, given_up);
    }

    /// Puts planes into the gaps of the pairs found. A separated pair in conflict is so by
    /// rounding: its island becomes rigid.
    fn separate(&mut self, meshes: &CollisionMeshes, least: Real, stop: bool) {
        let known = self.separated.len();
        let is_own = |vertex: &u32| (*vertex as usize) < self.vertices;
        for pair in &self.found {
            let ((x, least), y) = (meshes.start(pair, &self.start, least), pair.corners(&self.wish));
            let first = pair.vertices.into_iter().find(is_own).unwrap_or_default();
            if self.separated[..known].binary_search_by_key(pair, |separated| separated.pair).is_ok() {
                self.islands.stiffen(first);
                continue;
            }
            // judged with the truncated ends, which may differ from the wishes; the planes are
            // those of the start
            if let Verdict::Conflict { normal, gap } = pair.judge(&x, &pair.corners(&self.target), least) {
                let mesh_motion = meshes.mesh_motion(pair);
                let stands = mesh_motion.map(|_| usize::from(is_own(&pair.vertices[0])));
                self.separated.push(SeparatedPair::new(*pair, &x, &y, (normal, gap), least, stands));
                self.islands.join(pair.vertices, mesh_motion);
            }
            if stop {
                self.islands.stiffen(first);
            }
        }
        self.separated.sort_unstable_by_key(|separated| separated.pair);
        let corners = (0..).zip(&self.separated);
        let entries = corners.flat_map(|(k, separated): (u32, &SeparatedPair)| {
            (0..).zip(separated.pair.vertices).map(move |(c, vertex)| (vertex, 4 * k + c))
        });
        let entries = entries.filter(|(vertex, _)| (*vertex as usize) < self.vertices);
        self.of_vertex.fill(self.vertices, entries);
        let own = ..self.vertices;
        self.islands.measure(&self.start[own], &self.wish[own], &self.inverse_masses[own]);
    }

    /// Moves every vertex to the nearest point within its planes, which move with its island.
    fn cut(&mut self, meshes: &CollisionMeshes, pool: &ThreadPool) {
        let Self { separated, of_vertex, start, wish, target, islands, changed, vertices, .. } = self;
        pool.fill(changed, VERTICES, |_| false);
        let (separated, of_vertex, islands, start) = (&separated[..], &*of_vertex, &*islands, &start[..]);
        let states = (Shared::new(&mut target[..*vertices]), Shared::new(changed));
        pool.change(states, VERTICES, |range, (targets, changed)| {
            for (i, (target, changed)) in range.zip(targets.iter_mut().zip(changed)) {
                let row = of_vertex.row(i);
                if row.is_empty() {
                    continue;
                }
                let (frame, rigid) = islands.motion(i);
                let mesh_motion = islands.mesh_motion(i);
                let frame = mesh_motion.map_or(frame, |mesh_motion| meshes.carry(mesh_motion, start[i]) - start[i]);
                let half_space = |&at: &u32| -> HalfSpace {
                    let separated = &separated[(at / 4) as usize];
                    let half = separated.half_space((at % 4) as usize);
                    // the planes of pairs with collision meshes are those of the end already
                    match mesh_motion.filter(|_| meshes.mesh_motion(&separated.pair).is_none()) {
                        Some(mesh_motion) => half.turned(|normal| meshes.turn(mesh_motion, normal)),
                        None => half,
                    }
                };
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
}
