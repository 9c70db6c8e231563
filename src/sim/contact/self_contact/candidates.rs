//! The pairs of a cloth that may come into conflict in a step, found once and asked about as often as the motion changes.
//!
//! One search finds what is near in the motion that the solver proposes. Of that, the pairs are *watched* which are not parted by more than
//! what may come into conflict when each vertex ends within some margin of its proposed place. Whatever layers, colliders,
//! relaxation and truncation do to vertices within that margin, only these have to be judged. A further search is made only for
//! vertices that have gone beyond; it adds their pairs to those that are watched, for a margin around where they are then.

use super::nearness::Nearness;
use super::pair::{Pair, Verdict};
use super::screen::{Hint, Limits};
use super::search::{Query, Search};
use super::surface::Surface;
use super::{MOST_PAIRS, aim_of};
use crate::sim::exec::effort::CancelToken;
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
    /// How near was near in the last search for layers [m].
    reach: Real,
    state: State,
    watched: Vec<Pair>,
    /// The places of each vertex around which it is watched, at the start and at the end of the motion [m].
    places: [Vec<Vec3>; 2],
    /// Vertices that have left the margin around their places.
    beyond: Vec<bool>,
    further: Vec<Pair>,
    judged: Vec<Vec<Pair>>,
}

/// Which pairs are near each other.
pub(super) struct Near {
    /// Pairs that end closer than this [m].
    pub reach: Real,
    /// Distance of layers [m].
    pub distance: Real,
}

/// Pairs that were found, by rising pairs.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Pairs near each other.
    pub near: Vec<Pair>,
    /// Those that pass through each other.
    pub passing: Vec<Pair>,
}

impl Found {
    /// No pairs.
    pub fn clear(&mut self) {
        self.near.clear();
        self.passing.clear();
    }
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
            self.forget_all();
        }
    }

    /// From now on searches end, with nothing found, when this tells that the step has been called off.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.search.set_token(token);
    }

    /// Nothing is watched or known of neighbours from now on.
    pub fn forget_all(&mut self) {
        self.search.forget();
        self.forget();
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

    /// Room between two parts that are not watched [m], of which vertices use up so many margins.
    fn room(&self, distance: Real, margins: Real) -> Real {
        aim_of(distance, self.surface.edge_length) + margins * self.margin(distance)
    }

    /// Finds the pairs that a motion brings near each other, and watches those that may come into conflict. Returns false, and none is
    /// near, if there are more than are dealt with.
    pub fn find_near(&mut self, motion: [&[Vec3]; 2], near: &Near, found: &mut Found, team: &Team) -> bool {
        let &Near { reach, distance } = near;
        self.reach = reach;
        // both vertices of a pair may use their margin up
        let [limits, later] = [2.0, 3.0].map(|margins| Limits { near: reach, room: self.room(distance, margins) });
        let sort = |pair: &Pair, hint: Hint| {
            let nearness = if hint.ask {
                Nearness::of(pair, &pair.corners(motion[0]), &pair.corners(motion[1]), reach)
            } else if hint.near {
                Nearness::Near
            } else {
                Nearness::Far
            };
            [nearness != Nearness::Far, hint.watch, nearness == Nearness::Passing]
        };
        let query = Query { motion, limits, later, is_asked: None::<fn(u32) -> bool>, sort };
        let most = MOST_PAIRS * motion[0].len();
        let lists = [&mut found.near, &mut self.watched, &mut found.passing];
        let [all_near, all_watched, _] =
            self.search.find(&self.surface, &query, lists, [most, WATCHED * most, most], team);
        found.passing.sort_unstable();
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
        let later = Limits { near: self.reach, room: self.room(distance, 3.0) };
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
            let sort = |pair: &Pair, hint: Hint| [hint.watch && conflicts(pair), false, false];
            let limits = Limits { near: 0.0, room: least };
            let query = Query { motion, limits, later, is_asked: Some(is_asked), sort };
            if !search.find(surface, &query, [found, &mut Vec::new(), &mut Vec::new()], [most, 0, 0], team)[0] {
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
        // the other vertex of a pair may now be on one side of its margin, and later on the other
        let room = self.room(distance, 3.0);
        let later = Limits { near: self.reach, room };
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
        let sort = |_: &Pair, hint: Hint| [hint.watch, false, false];
        let is_asked = |vertex: u32| beyond[vertex as usize];
        let limits = Limits { near: 0.0, room };
        let query = Query { motion, limits, later, is_asked: Some(is_asked), sort };
        let most = WATCHED * MOST_PAIRS * motion[0].len();
        let left = most.saturating_sub(watched.len());
        let [complete, ..] =
            search.find(surface, &query, [further, &mut Vec::new(), &mut Vec::new()], [left, 0, 0], team);
        watched.extend_from_slice(further);
        *state = if complete { State::All } else { State::TooMany };
        for (places, at) in places.iter_mut().zip(motion) {
            for ((place, at), _) in places.iter_mut().zip(at).zip(&*beyond).filter(|(_, beyond)| **beyond) {
                *place = *at;
            }
        }
    }
}
