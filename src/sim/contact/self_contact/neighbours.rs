//! The pairs that may come near each other while no vertex leaves its skin: found once and kept while that is so, as in molecular dynamics
//! (Verlet 1967).
//!
//! Every vertex has a place at both ends of the motion. While it is no farther from these than the skin in every motion that is asked about, but for
//! a shift that all have in common, only pairs in the list have to be looked at. Where few vertices have gone farther, these get new places,
//! and their pairs are found again; where many have, all do. Where the cloth is too flat to touch itself, nothing is in the list until it no longer is.
//!
//! What is found in a motion depends on that alone, not on what is in the list beside it.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::comparison::Meetings;
use super::flatness::Flatness;
use super::screen::Candidate;
use super::surface::Surface;
use super::tree::{TASKS, Tree, Width};
use crate::sim::exec::team::{Chunks, Shared, Team};
use crate::sim::{Real, Vec3};

/// The skin as a share of the mean length of an edge at rest: at most, and at least.
const MOST_SKIN: Real = 0.012;
const LEAST_SKIN: Real = 0.001;
/// The largest skin where the list holds few pairs, so that a longer one costs little.
const MOST_SKIN_OF_FEW: Real = 0.1;
/// For how many searches, at the mean speed, that skin is to last.
const SEARCHES_OF_FEW: Real = 24.0;
/// Pairs for each vertex, on the average, that are few.
const FEW: usize = 8;
/// How many times as large as the way that vertices have gone from their places on the average. Where that is more than the largest skin, a
/// list would not last, and the least is taken.
const OF_WAY: Real = 2.5;
const LEAST_OF_WAY: Real = 2.2;
/// Share of the vertices beyond which, if so many have left their skin, all are given new places.
const MANY: usize = 24;
/// Most pairs of the list for each vertex, on the average.
const MOST_KEPT: usize = 256;
/// Pairs of leaves that a task compares before it asks whether the step has been called off.
pub(super) const MEETINGS: usize = 256;
/// Vertices that a thread takes at a time.
const VERTICES: usize = 512;
/// Vertices by which the common shift is measured.
const MEASURED: usize = 64;

/// The list, with the tree that it is found with.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    pub tree: Tree,
    /// What each task has found: pairs of a vertex and a triangle, and pairs of two edges.
    lists: Vec<[Vec<Candidate>; 2]>,
    /// Pairs of nodes that were flat.
    skipped: Vec<[u32; 2]>,
    /// Whether some of those may have pairs in the list.
    is_mixed: bool,
    starts: Vec<[u32; 2]>,
    places: [Vec<Vec3>; 2],
    beyond: Vec<bool>,
    ways: Vec<(usize, Real)>,
    /// For what the list is made, if it is.
    width: Option<Width>,
    /// Searches since all vertices have got new places.
    age: u32,
}

/// How far vertices have gone from their places.
struct Way {
    /// How many have left their skin.
    beyond: usize,
    /// Mean of all [m].
    mean: Real,
}

impl Neighbours {
    /// Forgets the list.
    pub fn forget(&mut self) {
        self.width = None;
    }

    /// The list, in parts, each with pairs of a vertex and a triangle and pairs of two edges.
    pub fn lists(&self) -> &[[Vec<Candidate>; 2]] {
        &self.lists
    }

    /// Has the list hold all pairs that come near each other in a `motion` [m], within `reaches`. If it has to be found anew, then for those that
    /// are `kept` for. Returns false if there are too many: then the tree has found the leaves that meet in this motion.
    pub fn update(
        &mut self,
        flat: (&Surface, &Flatness),
        motion: [&[Vec3]; 2],
        reaches: [Real; 2],
        kept: [Real; 2],
        team: &Team,
    ) -> bool {
        let kept = [0, 1].map(|k| kept[k].max(reaches[k]));
        let holds = |width: &Width| {
            (0..2).all(|k| (reaches[k]..=2.0 * kept[k]).contains(&width.reaches[k]))
                && self.places[0].len() == motion[0].len()
        };
        let Some(width) = self.width.filter(holds) else {
            return self.find_all(flat, motion, kept, LEAST_SKIN, team);
        };
        self.age += 1;
        let way = self.measure(motion, width.skin, team);
        if way.beyond <= motion[0].len() / MANY {
            let done = (way.beyond == 0 || self.find_beyond(flat, &width, motion, team))
                && self.find_unfolded(flat, &width, team);
            if done {
                return true;
            }
        }
        let way = way.mean / flat.0.edge_length;
        let pairs: usize = self.lists.iter().flatten().map(Vec::len).sum();
        let are_few = pairs <= FEW * motion[0].len();
        let (most, wanted) = if are_few {
            (MOST_SKIN_OF_FEW, (OF_WAY * way).max(SEARCHES_OF_FEW * way / Real::from(self.age)))
        } else {
            (MOST_SKIN, OF_WAY * way)
        };
        let is_short = LEAST_OF_WAY * way > most;
        let skin = if is_short { LEAST_SKIN } else { wanted.clamp(LEAST_SKIN, most) };
        self.find_all(flat, motion, width.reaches, skin, team)
    }

    /// Whether the list holds all pairs that come near each other in a `motion` [m], within `reaches`, as it is.
    pub fn is_of(
        &mut self,
        flat: (&Surface, &Flatness),
        motion: [&[Vec3]; 2],
        reaches: [Real; 2],
        team: &Team,
    ) -> bool {
        let holds =
            |width: &Width| (0..2).all(|k| reaches[k] <= width.reaches[k]) && self.places[0].len() == motion[0].len();
        let Some(width) = self.width.filter(holds) else { return false };
        self.measure(motion, width.skin, team).beyond == 0 && self.find_unfolded(flat, &width, team)
    }

    /// The common shift of the vertices in a motion from their places [m]: the median of some of them, along every axis, so that few that go
    /// far do not carry the others along.
    fn shifts(&self, motion: [&[Vec3]; 2]) -> [Vec3; 2] {
        let vertices = motion[0].len();
        let step = vertices.div_ceil(MEASURED);
        [0, 1].map(|end| {
            let (at, places) = (motion[end], &self.places[end]);
            let mut ways = [[0.0; MEASURED]; 3];
            let mut count = 0;
            for i in (0..vertices).step_by(step) {
                let way = (at[i] - places[i]).to_array();
                (0..3).for_each(|axis| ways[axis][count] = way[axis]);
                count += 1;
            }
            let median =
                |axis: &mut [Real; MEASURED]| *axis[..count].select_nth_unstable_by(count / 2, Real::total_cmp).1;
            Vec3::from_array(ways.each_mut().map(median))
        })
    }

    /// Finds the vertices that have left their skin.
    fn measure(&mut self, motion: [&[Vec3]; 2], skin: Real, team: &Team) -> Way {
        let shifts = self.shifts(motion);
        let Self { places, beyond, ways, .. } = self;
        beyond.resize(motion[0].len(), false);
        ways.resize(motion[0].len().div_ceil(VERTICES), (0, 0.0));
        let [from, to] = &*places;
        let chunks = Chunks::new(beyond, VERTICES);
        team.change((chunks, Shared::new(ways)), 1, |range, (beyond, ways)| {
            let (mut count, mut sum) = (0, 0.0);
            for (i, beyond) in (range.start * VERTICES..).zip(beyond) {
                let off = [motion[0][i] - from[i] - shifts[0], motion[1][i] - to[i] - shifts[1]];
                let [start, end] = off.map(Vec3::length);
                // what is no number is beyond
                let is_within = start <= skin && end <= skin;
                *beyond = !is_within;
                count += usize::from(*beyond);
                sum += start.max(end);
            }
            ways.fill((0, 0.0));
            ways[0] = (count, sum);
        });
        let sum: Real = ways.iter().map(|way| way.1).sum();
        Way { beyond: ways.iter().map(|way| way.0).sum(), mean: sum / motion[0].len() as Real }
    }

    /// Gives all vertices new places and finds all pairs, with a skin that is a share of the mean length of an edge. Returns false if there are
    /// too many.
    fn find_all(
        &mut self,
        (surface, flatness): (&Surface, &Flatness),
        motion: [&[Vec3]; 2],
        reaches: [Real; 2],
        skin: Real,
        team: &Team,
    ) -> bool {
        self.age = 0;
        let width = Width { reaches, skin: skin * surface.edge_length };
        for (places, at) in self.places.iter_mut().zip(motion) {
            at.clone_into(places);
        }
        self.skipped.clear();
        self.is_mixed = false;
        self.lists.resize_with(TASKS, Default::default);
        self.lists.iter_mut().flatten().for_each(Vec::clear);
        self.tree.refit(surface, motion, &|_| true, team);
        let complete = self.tree.descend((surface, flatness), &width, &[[0, 0]], &mut self.skipped, team)
            && self.compare(surface, &width, &|_| true, team);
        self.width = complete.then_some(width);
        complete
    }

    /// Gives the vertices new places that have left their skin in a motion, and finds their pairs. Returns false if there are too many.
    fn find_beyond(
        &mut self,
        (surface, flatness): (&Surface, &Flatness),
        width: &Width,
        motion: [&[Vec3]; 2],
        team: &Team,
    ) -> bool {
        let shifts = self.shifts(motion);
        let beyond = std::mem::take(&mut self.beyond);
        for ((places, at), shift) in self.places.iter_mut().zip(motion).zip(shifts) {
            let entries = places.iter_mut().zip(at).zip(&beyond);
            entries.filter(|(_, beyond)| **beyond).for_each(|((place, at), _)| *place = *at - shift);
        }
        let is_beyond = |vertex: u32| beyond[vertex as usize];
        let places = self.places.each_ref().map(|places| &places[..]);
        self.skipped.sort_unstable();
        self.skipped.dedup();
        let known = self.skipped.len();
        self.tree.refit(surface, places, &is_beyond, team);
        let found = self.tree.descend((surface, flatness), width, &[[0, 0]], &mut self.skipped, team);
        self.skipped.sort_unstable();
        self.skipped.dedup();
        self.is_mixed |= self.skipped.len() > known;
        let stays = |pair: &Candidate| !pair.vertices.into_iter().any(is_beyond);
        team.update(&mut self.lists, 1, |_, lists| lists.iter_mut().for_each(|list| list.retain(stays)));
        let complete = found && self.compare(surface, width, &is_beyond, team);
        if !complete {
            self.forget();
        }
        self.beyond = beyond;
        complete
    }

    /// Finds the pairs where the cloth was flat and no longer is. Returns false if there are too many, or some of them in the list.
    fn find_unfolded(&mut self, (surface, flatness): (&Surface, &Flatness), width: &Width, team: &Team) -> bool {
        let Self { skipped, starts, .. } = self;
        let leaf = |node: u32| surface.nodes[node as usize].leaves[0];
        starts.clear();
        skipped.retain(|&[a, b]| {
            let is_flat = if a == b { flatness.is_flat(a) } else { flatness.are_flat(surface, leaf(a), leaf(b)) };
            if !is_flat {
                starts.push([a, b]);
            }
            is_flat
        });
        if starts.is_empty() {
            return true;
        }
        let starts = std::mem::take(starts);
        let places = self.places.each_ref().map(|places| &places[..]);
        let complete = !self.is_mixed && {
            self.tree.refit(surface, places, &|_| true, team);
            self.tree.descend((surface, flatness), width, &starts, &mut self.skipped, team)
                && self.compare(surface, width, &|_| true, team)
        };
        self.starts = starts;
        if !complete {
            self.forget();
        }
        complete
    }

    /// Adds the pairs of the leaves that meet, with a vertex that is asked about, to the list. Returns false if there are too many.
    fn compare(
        &mut self,
        surface: &Surface,
        width: &Width,
        is_asked: &(impl Fn(u32) -> bool + Sync),
        team: &Team,
    ) -> bool {
        let Self { tree, lists, places, .. } = self;
        let most = MOST_KEPT * places[0].len();
        let places = places.each_ref().map(|places| &places[..]);
        let token = tree.token.clone();
        let (comparison, meetings) = tree.comparison(surface, places, width, team);
        let count = AtomicUsize::new(lists.iter().flatten().map(Vec::len).sum());
        team.update(lists, 1, |task, lists| {
            let parts = &mut Meetings::default();
            let mut known = lists[0].len() + lists[1].len();
            let mut compared = 0;
            for leaves in &meetings[task * meetings.len() / TASKS..(task + 1) * meetings.len() / TASKS] {
                comparison.meet(*leaves, is_asked, parts, lists);
                let here = lists[0].len() + lists[1].len();
                if count.fetch_add(here - known, Ordering::Relaxed) > most {
                    return;
                }
                known = here;
                compared += 1;
                if compared % MEETINGS == 0 && token.is_cancelled() {
                    count.fetch_add(most + 1, Ordering::Relaxed);
                    return;
                }
            }
        });
        count.into_inner() <= most
    }
}
