//! The pairs of a cloth that may come into conflict in a step, found once and asked about as often as the motion changes.
//!
//! One search finds what is near in the motion that the solver proposes. Of that, the pairs are *watched* which are not parted by more than
//! what may come into conflict when each vertex ends within some margin of its proposed place. Whatever layers, colliders,
//! relaxation and truncation do to vertices within that margin, only these have to be judged. A further search is made only for
//! vertices that have gone beyond; it adds their pairs to those that are watched, for a margin around where they are then.

use super::layer_contact::changes_sides;
use super::pair::{Pair, Verdict};
use super::search::{Query, Search};
use super::surface::Surface;
use super::{MOST_PAIRS, aim_of};
use crate::sim::exec::team::Team;
use crate::sim::{Pattern, Real, Vec3};

/// How far vertices may be moved without a further search, as a share of the distance of layers, and of the mean length of an edge
/// at rest.
const MARGIN_OF_DISTANCE: Real = 0.25;
const MARGIN_OF_EDGE: Real = 0.08;
/// How many times as many pairs are watched as are dealt with, at most.
const WATCHED: usize = 4;
/// Tasks into which the watched pairs are divided.
const TASKS: usize = 16;

/// A surface, with the pairs of it that are watched.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub surface: Surface,
    search: Search,
    state: State,
    watched: Vec<Pair>,
    /// The places of each vertex around which it is watched, at the start and at the end of the motion [m].
    places: [Vec<Vec3>; 2],
    /// Vertices that have left the margin around their places.
    beyond: Vec<bool>,
    further: Vec<Pair>,
    judged: Vec<Vec<Pair>>,
}

/// What is watched.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No vertex.
    #[default]
    Nothing,
    /// Every vertex.
    All,
    /// No vertex, since there are too many pairs.
    TooMany,
}

impl Candidates {
    /// Prepares for a pattern.
    pub fn update(&mut self, pattern: &Pattern) {
        if self.surface.update(pattern) {
            self.forget();
        }
    }

    /// Nothing is watched from now on.
    pub fn forget(&mut self) {
        self.state = State::Nothing;
    }

    /// Whether there is no triangle.
    pub fn is_empty(&self) -> bool {
        self.surface.triangles.is_empty()
    }

    /// How far a vertex may go from its places [m].
    fn margin(&self, distance: Real) -> Real {
        (MARGIN_OF_DISTANCE * distance).min(MARGIN_OF_EDGE * self.surface.edge_length)
    }

    /// Finds the pairs of a vertex and a triangle, and of two edges, which come closer than the first or the second `reach` [m] along every
    /// axis in a motion and for which `keep` holds, and watches those that may come into conflict. `distance` [m] is that of layers.
    /// Returns false, and `found` is empty, if there are more than are dealt with.
    pub fn find_near(
        &mut self,
        motion: [&[Vec3]; 2],
        reach: [Real; 2],
        distance: Real,
        keep: impl Fn(&Pair) -> bool + Sync,
        found: &mut Vec<Pair>,
        team: &Team,
    ) -> bool {
        let [x, y] = motion;
        // both vertices of a pair may use their margin up
        let room = aim_of(distance, self.surface.edge_length) + 2.0 * self.margin(distance);
        let sort = |pair: &Pair, close: bool| {
            let (x, y) = (pair.corners(x), pair.corners(y));
            let near = (pair.may_face(&y) || changes_sides(pair, &x, &y)) && keep(pair);
            [near, close && !pair.is_parted(&x, &y, room)]
        };
        let near = reach.map(|reach| reach.max(room));
        let query = Query { motion, near, close: room, is_asked: |_| true, sort };
        let most = MOST_PAIRS * x.len();
        let lists = [found, &mut self.watched];
        let [all_near, all_watched] = self.search.find(&self.surface, &query, lists, [most, WATCHED * most], team);
        self.state = if all_watched { State::All } else { State::TooMany };
        for (places, at) in self.places.iter_mut().zip(motion) {
            at.clone_into(places);
        }
        all_near
    }

    /// From now on the motion starts where it ended so far, or near that.
    pub fn go_on(&mut self) {
        let [from, to] = &mut self.places;
        from.clone_from(to);
    }

    /// Finds the pairs in conflict, or touching, that have a vertex which has `changed` since they were looked for before, by rising pairs. A
    /// gap is to be `least` [m]; `distance` [m] is that of layers. Returns false, and `found` is empty, if there are more than are
    /// dealt with.
    pub fn find_conflicts(
        &mut self,
        motion: [&[Vec3]; 2],
        changed: &[bool],
        least: Real,
        distance: Real,
        found: &mut Vec<Pair>,
        team: &Team,
    ) -> bool {
        let [start, target] = motion;
        let most = MOST_PAIRS * start.len();
        let is_asked = |vertex: u32| changed[vertex as usize];
        let conflicts = |pair: &Pair| {
            let (x, y) = (pair.corners(start), pair.corners(target));
            pair.judge(&x, &y, least) != Verdict::Apart
        };
        self.follow(motion, distance, team);
        found.clear();
        let Self { surface, search, watched, judged, .. } = self;
        if self.state == State::All {
            judged.resize_with(TASKS, Vec::new);
            let watched = &watched[..];
            team.update(judged, 1, |task, judged| {
                judged.clear();
                let at = |k: usize| k * watched.len() / TASKS;
                let asked = watched[at(task)..at(task + 1)].iter();
                judged.extend(asked.filter(|pair| pair.vertices.into_iter().any(is_asked) && conflicts(pair)));
            });
            judged.iter().for_each(|judged| found.extend_from_slice(judged));
        } else {
            let sort = |pair: &Pair, _| [conflicts(pair), false];
            let query = Query { motion, near: [least; 2], close: least, is_asked, sort };
            if !search.find(surface, &query, [found, &mut Vec::new()], [most, 0], team)[0] {
                return false;
            }
        }
        found.sort_unstable();
        found.dedup();
        let complete = found.len() <= most;
        if !complete {
            found.clear();
        }
        complete
    }

    /// Watches the vertices that have gone beyond their margin around where they are in a motion.
    fn follow(&mut self, motion: [&[Vec3]; 2], distance: Real, team: &Team) {
        let margin = self.margin(distance);
        let Self { surface, search, state, watched, places, beyond, further, .. } = self;
        beyond.clear();
        match state {
            State::TooMany => return,
            State::Nothing => {
                watched.clear();
                for (places, at) in places.iter_mut().zip(motion) {
                    at.clone_into(places);
                }
                beyond.resize(motion[0].len(), true);
            }
            State::All => {
                let is_far = |a: Vec3, b: Vec3| a != b && (a.distance_squared(b) > margin * margin || (a - b).is_nan());
                let [from, to] = &*places;
                let is_beyond = |i: usize| is_far(motion[0][i], from[i]) || is_far(motion[1][i], to[i]);
                beyond.extend((0..motion[0].len()).map(is_beyond));
            }
        }
        if !beyond.contains(&true) {
            return;
        }
        // the other vertex of a pair may now be on one side of its margin, and later on the other
        let room = aim_of(distance, surface.edge_length) + 3.0 * margin;
        let sort = |pair: &Pair, _| [!pair.is_parted(&pair.corners(motion[0]), &pair.corners(motion[1]), room), false];
        let is_asked = |vertex: u32| beyond[vertex as usize];
        let query = Query { motion, near: [room; 2], close: room, is_asked, sort };
        let most = WATCHED * MOST_PAIRS * motion[0].len();
        let left = most.saturating_sub(watched.len());
        let [complete, _] = search.find(surface, &query, [further, &mut Vec::new()], [left, 0], team);
        watched.extend_from_slice(further);
        *state = if complete { State::All } else { State::TooMany };
        for (places, at) in places.iter_mut().zip(motion) {
            for ((place, at), _) in places.iter_mut().zip(at).zip(&*beyond).filter(|(_, beyond)| **beyond) {
                *place = *at;
            }
        }
    }
}
