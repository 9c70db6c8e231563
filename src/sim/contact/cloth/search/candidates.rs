//! Candidate pairs of a step: found once, and judged as often as the motion changes.
//!
//! One search finds the pairs that are near in the motion proposed by the solver, and *watches*
//! those that may come into conflict while each vertex ends within a margin of its proposed place.
//! Within the margin only these are judged after contacts, colliders and truncation have moved
//! vertices. Vertices that leave the margin are searched for again, around their new places.

use super::near::{Lists, Search};
use super::screen::Limits;
use crate::sim::contact::bvh::share;
use crate::sim::contact::cloth::pair::{Pair, Verdict};
use crate::sim::contact::cloth::surface::ContactSurface;
use crate::sim::contact::cloth::{MOST_PAIRS, aim_of};
use crate::sim::exec::budget::CancelToken;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Pattern, Real, Vec3};

/// How far vertices may move without another search, as a multiple of the gap that the impact aims
/// at.
const MARGIN: Real = 2.5;
/// Reach of near pairs, as a multiple of the cloth-cloth distance: a pair that is pushed apart
/// brings others closer.
const REACH: Real = 1.9;
/// How often the reach is halved when there are too many near pairs.
const HALVINGS_OF_REACH: i32 = 4;
/// Most pairs that are watched, as a multiple of the pairs that are truncated.
const WATCHED: usize = 4;
/// Tasks into which the watched pairs are divided.
const TASKS: usize = 16;

/// A surface with its watched pairs.
#[derive(Debug, Default)]
pub(in crate::sim::contact::cloth) struct Candidates {
    pub surface: ContactSurface,
    search: Search,
    state: State,
    watched: Vec<Pair>,
    /// The place of each vertex around which its pairs are watched, at the start and at the end of
    /// the motion [m].
    places: [Vec<Vec3>; 2],
    /// Vertices that left the margin around their places.
    beyond: Vec<bool>,
    further: Vec<Pair>,
    judged: Vec<Vec<Pair>>,
}

/// Pairs that were found, sorted.
#[derive(Debug, Default)]
pub(in crate::sim::contact::cloth) struct Found {
    /// Near pairs.
    pub near: Vec<Pair>,
    /// Pairs that pass through themselves.
    pub passing: Vec<Pair>,
    /// Whether there were too many pairs within the full reach.
    pub too_many: bool,
}

impl Found {
    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.near.clear();
        self.passing.clear();
        self.too_many = false;
    }
}

/// Which vertices are watched.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// None.
    #[default]
    Nothing,
    /// All.
    All,
    /// None, because there are too many pairs.
    TooMany,
}

impl Candidates {
    /// Prepares for a pattern.
    pub fn update(&mut self, pattern: &Pattern) {
        if self.surface.update(pattern) {
            self.forget_all();
        }
    }

    /// Sets the token by which searches are cancelled; a cancelled search finds nothing.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.search.set_token(token);
    }

    /// Drops watched pairs and Verlet lists.
    pub fn forget_all(&mut self) {
        self.search.forget();
        self.forget();
    }

    /// Drops the watched pairs.
    pub fn forget(&mut self) {
        self.state = State::Nothing;
    }

    /// Whether there is no triangle.
    pub fn is_empty(&self) -> bool {
        self.surface.triangles.is_empty()
    }

    /// How far a vertex may go from its place [m].
    fn margin(&self, distance: Real) -> Real {
        MARGIN * aim_of(distance, self.surface.edge_length)
    }

    /// Room of a pair that is not watched [m], if its vertices use up so many margins.
    fn room(&self, distance: Real, margins: Real) -> Real {
        (1.0 + margins * MARGIN) * aim_of(distance, self.surface.edge_length)
    }

    /// Finds the pairs that are near in a motion, without those that others imply if it `thins`,
    /// and watches those that may come into conflict. `distance` is the cloth-cloth distance [m].
    /// If there are too many, the reach is halved.
    pub fn find_near(
        &mut self,
        motion: [&[Vec3]; 2],
        distance: Real,
        thins: bool,
        found: &mut Found,
        pool: &ThreadPool,
    ) {
        if self.is_empty() {
            return;
        }
        let most = MOST_PAIRS * motion[0].len();
        for halving in 0..=HALVINGS_OF_REACH {
            let near = REACH * distance * Real::from(2_i32).powi(-halving);
            // both vertices of a pair may use up their margin
            let [limits, later] = [2.0, 3.0].map(|margins| Limits { near, room: self.room(distance, margins) });
            let Self { surface, search, watched, .. } = self;
            let lists =
                Lists { near: &mut found.near, passing: &mut found.passing, watched, most: [most, WATCHED * most] };
            let [all_near, all_watched] = search.find_near(surface, motion, [limits, later], thins, lists, pool);
            self.state = if all_watched { State::All } else { State::TooMany };
            for (places, at) in self.places.iter_mut().zip(motion) {
                at.clone_into(places);
            }
            if all_near {
                break;
            }
            found.too_many = true;
        }
    }

    /// Starts a further round: the motion starts near its present end.
    pub fn go_on(&mut self) {
        let [from, to] = &mut self.places;
        from.clone_from(to);
    }

    /// Finds the pairs that are in conflict or touching and have a vertex that has `changed` since
    /// the last call, sorted. `least` is the least gap, `distance` the cloth-cloth distance [m].
    /// Returns false, with nothing in `found`, if there are too many.
    pub fn find_conflicts(
        &mut self,
        motion: [&[Vec3]; 2],
        changed: &[bool],
        least: Real,
        distance: Real,
        found: &mut Vec<Pair>,
        pool: &ThreadPool,
    ) -> bool {
        let [start, target] = motion;
        let most = MOST_PAIRS * start.len();
        let is_asked = |vertex: u32| changed[vertex as usize];
        let conflicts = |pair: &Pair| {
            let (x, y) = (pair.corners(start), pair.corners(target));
            pair.judge(&x, &y, least) != Verdict::Apart
        };
        self.follow(motion, distance, pool);
        found.clear();
        let Self { surface, search, watched, judged, .. } = self;
        if self.state == State::All {
            judged.resize_with(TASKS, Vec::new);
            let watched = &watched[..];
            pool.update(judged, 1, |task, judged| {
                judged.clear();
                let asked = watched[share(watched.len(), task, TASKS)].iter();
                judged.extend(asked.filter(|pair| pair.vertices.into_iter().any(is_asked) && conflicts(pair)));
            });
            judged.iter().for_each(|judged| found.extend_from_slice(judged));
        } else if !search.find_unparted(surface, motion, least, (&is_asked, &conflicts), (found, most), pool) {
            return false;
        }
        found.sort_unstable();
        found.dedup();
        let complete = found.len() <= most;
        if !complete {
            found.clear();
        }
        complete
    }

    /// Finds the pairs that are not certainly `room` [m] apart at `x` [m] and have an `asked` vertex,
    /// sorted. Returns false, with nothing in `found`, if there are too many.
    pub fn find_close(
        &mut self,
        x: &[Vec3],
        asked: &[bool],
        room: Real,
        found: &mut Vec<Pair>,
        pool: &ThreadPool,
    ) -> bool {
        let is_asked = |vertex: u32| asked[vertex as usize];
        let is_close = |pair: &Pair| pair.closest(&pair.corners(x)).distance() < room;
        let Self { surface, search, .. } = self;
        let most = MOST_PAIRS * x.len();
        let complete = search.find_unparted(surface, [x, x], room, (&is_asked, &is_close), (found, most), pool);
        if !complete {
            found.clear();
        }
        found.sort_unstable();
        found.dedup();
        complete
    }

    /// Watches the vertices that left their margin around their present places in a motion.
    fn follow(&mut self, motion: [&[Vec3]; 2], distance: Real, pool: &ThreadPool) {
        let margin = self.margin(distance);
        // the other vertex of a pair may be at one side of its margin now, and at the other later
        let room = self.room(distance, 3.0);
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
        let is_asked = |vertex: u32| beyond[vertex as usize];
        let most = WATCHED * MOST_PAIRS * motion[0].len();
        let left = most.saturating_sub(watched.len());
        let complete =
            search.find_unparted(surface, motion, room, (&is_asked, &|_: &Pair| true), (further, left), pool);
        watched.extend_from_slice(further);
        *state = if complete { State::All } else { State::TooMany };
        for (places, at) in places.iter_mut().zip(motion) {
            for ((place, at), _) in places.iter_mut().zip(at).zip(&*beyond).filter(|(_, beyond)| **beyond) {
                *place = *at;
            }
        }
    }
}
