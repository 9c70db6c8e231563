//! The pairs of a cloth that may come into conflict in a step, found once and asked about as often as the motion changes.
//!
//! One search finds what is near in the motion that the solver proposes. Of that, the pairs are *watched* which are not parted by more than
//! what may come into conflict when each vertex ends within some margin of its proposed place. Whatever layers, colliders,
//! relaxation and truncation do to vertices within that margin, only these have to be judged; a further search is made only for
//! vertices that have gone beyond.

use super::pair::{Pair, Verdict};
use super::search::{ALL_MARKS, Query, Search};
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
/// Marks of vertices.
const CHANGED: u8 = 1;
const BEYOND: u8 = 2;

/// A surface, with the pairs of it that are watched.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub surface: Surface,
    search: Search,
    watched: Vec<Pair>,
    /// The motion in which they were looked for [m].
    motion: [Vec<Vec3>; 2],
    /// How far vertices may be from there [m]; none where nothing is watched.
    margin: Option<Real>,
    /// Of every vertex.
    marks: Vec<u8>,
    found: Vec<Vec<Pair>>,
    further: Vec<Pair>,
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
        self.margin = None;
    }

    /// Whether no vertex of the surface exists.
    pub fn is_empty(&self) -> bool {
        self.surface.triangles.is_empty()
    }

    /// Finds the pairs which come closer than `reach` [m] along every axis in a motion and for which `keep` holds, and watches those that
    /// may come into conflict. `distance` [m] is that of layers. Returns false, and `found` is empty, if there are more than are dealt with.
    pub fn find_near(
        &mut self,
        motion: [&[Vec3]; 2],
        reach: Real,
        distance: Real,
        keep: impl Fn(&Pair) -> bool + Sync,
        found: &mut Vec<Pair>,
        team: &Team,
    ) -> bool {
        let [x, y] = motion;
        let margin = (MARGIN_OF_DISTANCE * distance).min(MARGIN_OF_EDGE * self.surface.edge_length);
        let room = aim_of(distance, self.surface.edge_length) + 2.0 * margin;
        let sort = |pair: &Pair| {
            let (x, y) = (pair.corners(x), pair.corners(y));
            [pair.may_face(&y) && keep(pair), !pair.is_parted(&x, &y, room)]
        };
        let query = Query { motion, near: reach.max(room), gap: room, marks: |_| ALL_MARKS, sort };
        let most = MOST_PAIRS * x.len();
        let lists = [found, &mut self.watched];
        let [all_near, all_watched] = self.search.find(&self.surface, &query, lists, [most, WATCHED * most], team);
        self.margin = all_watched.then_some(margin);
        for (of, at) in self.motion.iter_mut().zip(motion) {
            at.clone_into(of);
        }
        all_near
    }

    /// Finds the pairs in conflict, or touching, that have a vertex which has `changed` since they were looked for before, in a motion of
    /// the same start or, if it `goes_on`, in one that starts near the end of the motion that was searched. A gap is to be `least` [m].
    /// Returns false, and `found` is empty, if there are more than are dealt with.
    pub fn find_conflicts(
        &mut self,
        motion: [&[Vec3]; 2],
        goes_on: bool,
        changed: &[bool],
        least: Real,
        found: &mut Vec<Pair>,
        team: &Team,
    ) -> bool {
        let [start, target] = motion;
        let most = MOST_PAIRS * start.len();
        let conflicts = |pair: &Pair| {
            let (x, y) = (pair.corners(start), pair.corners(target));
            pair.judge(&x, &y, least) != Verdict::Apart
        };
        self.mark(motion, goes_on, changed);
        let Self { surface, search, watched, marks, margin, found: parts, further, .. } = self;
        let marks = &marks[..];
        found.clear();
        let mut complete = true;
        if margin.is_some() {
            // those with a vertex beyond the margin are left to the search
            let is_asked = |pair: &Pair| {
                pair.vertices.iter().fold(0, |all, &vertex| all | marks[vertex as usize]) == CHANGED && conflicts(pair)
            };
            parts.resize_with(TASKS, Vec::new);
            let watched = &watched[..];
            team.update(parts, 1, |task, part| {
                part.clear();
                let at = |k: usize| k * watched.len() / TASKS;
                part.extend(watched[at(task)..at(task + 1)].iter().filter(|pair| is_asked(pair)));
            });
            parts.iter().for_each(|part| found.extend_from_slice(part));
        }
        let all = marks.iter().fold(0, |all, marks| all | marks);
        if all == ALL_MARKS {
            let marks = |vertex: u32| marks[vertex as usize];
            let sort = |pair: &Pair| [conflicts(pair), false];
            let query = Query { motion, near: least, gap: least, marks, sort };
            complete = search.find(surface, &query, [further, &mut Vec::new()], [most, 0], team)[0];
            found.extend_from_slice(further);
        }
        complete &= found.len() <= most;
        if !complete {
            found.clear();
        }
        complete
    }

    /// Marks the vertices that have changed, and those that are beyond the margin.
    fn mark(&mut self, [start, target]: [&[Vec3]; 2], goes_on: bool, changed: &[bool]) {
        let Self { marks, motion: [from, to], margin, .. } = self;
        marks.clear();
        let Some(margin) = *margin else {
            marks.extend(changed.iter().map(|&changed| BEYOND | u8::from(changed)));
            return;
        };
        let (from, to) = (if goes_on { &to[..] } else { &from[..] }, &to[..]);
        let is_beyond = |i: usize| {
            let is_far = |a: Vec3, b: Vec3| a != b && !(a.distance_squared(b) <= margin * margin);
            is_far(start[i], from[i]) || is_far(target[i], to[i])
        };
        let mark = |(i, &changed): (usize, &bool)| u8::from(changed) | if is_beyond(i) { BEYOND } else { 0 };
        marks.extend(changed.iter().enumerate().map(mark));
    }
}
