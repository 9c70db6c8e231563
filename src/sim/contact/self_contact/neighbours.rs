//! The pairs that may come near each other while no vertex leaves its skin: found once and kept while that is so, as in molecular dynamics
//! (Verlet 1967).
//!
//! Every vertex has a place at both ends of the motion. While it is no farther from these than the skin in every motion that is asked about, but for
//! a shift that all have in common, only pairs in the list have to be looked at. Vertices that have gone farther get new places, and their
//! pairs are found again. Where the cloth is too flat to touch itself, nothing is in the list until it no longer is.
//!
//! What is found in a motion depends on that alone, not on what is in the list beside it.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::comparison::Meetings;
use super::flatness::Flatness;
use super::screen::Candidate;
use super::surface::Surface;
use super::tree::{TASKS, Tree, Width};
use crate::sim::exec::team::{Shared, Team};
use crate::sim::{Real, Vec3};

/// The skin as a share of the mean length of an edge at rest: at first and at most, and at least.
const SKIN: Real = 0.03;
const LEAST_SKIN: Real = 0.004;
/// How many searches a list has to last for a larger skin, and for the same.
const LONG: u32 = 24;
const SHORT: u32 = 4;
/// Share of the vertices beyond which, if so many have left their skin, all are given new places.
const MANY: usize = 4;
/// Most pairs of the list for each vertex, on the average.
const MOST_KEPT: usize = 256;
/// Vertices that a thread takes at a time.
const VERTICES: usize = 512;
/// Vertices by which the common shift is measured.
const MEASURED: usize = 64;

/// The list, with the tree that it is found with.
#[derive(Debug)]
pub(super) struct Neighbours {
    pub tree: Tree,
    /// By rising vertices: pairs of a vertex and a triangle, and pairs of two edges.
    lists: [Vec<Candidate>; 2],
    further: [Vec<Candidate>; 2],
    merged: Vec<Candidate>,
    found: Vec<[Vec<Candidate>; 2]>,
    /// For each vertex how many pairs of those found begin with vertices up to it.
    ends: Vec<u32>,
    /// Pairs of nodes that were flat.
    skipped: Vec<[u32; 2]>,
    starts: Vec<[u32; 2]>,
    places: [Vec<Vec3>; 2],
    beyond: Vec<bool>,
    /// For what the list is made, if it is.
    width: Option<Width>,
    skin: Real,
    /// Searches since all vertices have got new places.
    age: u32,
}

impl Default for Neighbours {
    fn default() -> Self {
        Self {
            tree: Tree::default(),
            lists: Default::default(),
            further: Default::default(),
            merged: Vec::new(),
            found: Vec::new(),
            ends: Vec::new(),
            skipped: Vec::new(),
            starts: Vec::new(),
            places: Default::default(),
            beyond: Vec::new(),
            width: None,
            skin: SKIN,
            age: 0,
        }
    }
}

impl Neighbours {
    /// Forgets the list.
    pub fn forget(&mut self) {
        self.width = None;
    }

    /// The list.
    pub fn lists(&self) -> &[Vec<Candidate>; 2] {
        &self.lists
    }

    /// For what pairs the tree was searched last.
    pub fn width(&self, reaches: [Real; 2]) -> Width {
        self.width.unwrap_or(Width { reaches, skin: 0.0 })
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
        let holds = |width: &Width| (0..2).all(|k| reaches[k] <= width.reaches[k]);
        let Some(width) = self.width.filter(holds).filter(|_| self.places[0].len() == motion[0].len()) else {
            let kept = [0, 1].map(|k| kept[k].max(reaches[k]));
            return self.find_all(flat, motion, kept, team);
        };
        self.age += 1;
        let count = self.measure(motion, width.skin, team);
        if count > motion[0].len() / MANY {
            return self.find_all(flat, motion, width.reaches, team);
        }
        let done = (count == 0 || self.find_beyond(flat, &width, team)) && self.find_unfolded(flat, &width, team);
        done || self.find_all(flat, motion, width.reaches, team)
    }

    /// Finds the vertices that have left their skin, and gives them new places. Returns how many these are.
    fn measure(&mut self, motion: [&[Vec3]; 2], skin: Real, team: &Team) -> usize {
        let Self { places, beyond, .. } = self;
        let vertices = motion[0].len();
        let each = vertices.div_ceil(MEASURED);
        let shift = |end: usize| {
            let measured = (0..vertices).step_by(each);
            let count = measured.clone().count() as Real;
            measured.map(|i| motion[end][i] - places[end][i]).sum::<Vec3>() / count
        };
        let shifts = [shift(0), shift(1)];
        beyond.resize(vertices, false);
        let [from, to] = places;
        let (starts, ends) = (&*from, &*to);
        team.fill(beyond, VERTICES, |i| {
            let off = [motion[0][i] - starts[i] - shifts[0], motion[1][i] - ends[i] - shifts[1]];
            // what is no number is beyond
            !(off[0].length_squared().max(off[1].length_squared()) <= skin * skin)
        });
        let mut count = 0;
        for (i, _) in beyond.iter().enumerate().filter(|(_, beyond)| **beyond) {
            from[i] = motion[0][i] - shifts[0];
            to[i] = motion[1][i] - shifts[1];
            count += 1;
        }
        count
    }

    /// Gives all vertices new places and finds all pairs. Returns false if there are too many.
    fn find_all(
        &mut self,
        (surface, flatness): (&Surface, &Flatness),
        motion: [&[Vec3]; 2],
        reaches: [Real; 2],
        team: &Team,
    ) -> bool {
        if self.age < SHORT {
            self.skin = (0.5 * self.skin).max(LEAST_SKIN);
        } else if self.age > LONG {
            self.skin = (2.0 * self.skin).min(SKIN);
        }
        self.age = 0;
        let width = Width { reaches, skin: self.skin * surface.edge_length };
        for (places, at) in self.places.iter_mut().zip(motion) {
            at.clone_into(places);
        }
        self.skipped.clear();
        self.tree.refit(surface, motion, &|_| true, team);
        self.tree.descend((surface, flatness), &width, &[[0, 0]], &mut self.skipped, team);
        let complete = self.compare(surface, &width, &|_| true, team);
        self.width = complete.then_some(width);
        if complete {
            std::mem::swap(&mut self.lists, &mut self.further);
        }
        complete
    }

    /// Finds the pairs of the vertices that have got new places. Returns false if there are too many.
    fn find_beyond(&mut self, (surface, flatness): (&Surface, &Flatness), width: &Width, team: &Team) -> bool {
        let beyond = std::mem::take(&mut self.beyond);
        let is_beyond = |vertex: u32| beyond[vertex as usize];
        let places = self.places.each_ref().map(|places| &places[..]);
        self.tree.refit(surface, places, &is_beyond, team);
        self.tree.descend((surface, flatness), width, &[[0, 0]], &mut self.skipped, team);
        self.skipped.sort_unstable();
        self.skipped.dedup();
        let complete = self.compare(surface, width, &is_beyond, team);
        self.tree.ask_all();
        self.merge(is_beyond);
        self.beyond = beyond;
        complete
    }

    /// Finds the pairs where the cloth was flat and no longer is. Returns false if there are too many.
    fn find_unfolded(&mut self, (surface, flatness): (&Surface, &Flatness), width: &Width, team: &Team) -> bool {
        let Self { skipped, starts, .. } = self;
        let leaf = |node: u32| surface.nodes[node as usize].leaves[0];
        starts.clear();
        skipped.retain(|&[a, b]| {
            let is_flat =
                if a == b { flatness.is_flat(a) } else { flatness.are_flat(surface, leaf(a), leaf(b)) };
            if !is_flat {
                starts.push([a, b]);
            }
            is_flat
        });
        if starts.is_empty() {
            return true;
        }
        let starts = std::mem::take(starts);
        self.tree.descend((surface, flatness), width, &starts, &mut self.skipped, team);
        self.starts = starts;
        let complete = self.compare(surface, width, &|_| true, team);
        self.merge(|_| false);
        complete
    }

    /// Finds the pairs of the leaves that meet, with a vertex that is asked about: by rising vertices, as those that are further. Returns false if
    /// there are too many.
    fn compare(
        &mut self,
        surface: &Surface,
        width: &Width,
        is_asked: &(impl Fn(u32) -> bool + Sync),
        team: &Team,
    ) -> bool {
        let Self { tree, further, found, ends, places, .. } = self;
        let vertices = places[0].len();
        let places = places.each_ref().map(|places| &places[..]);
        let (comparison, meetings) = tree.comparison(surface, places, width, team);
        found.resize_with(TASKS, Default::default);
        let (count, most) = (AtomicUsize::new(0), MOST_KEPT * vertices);
        team.update(found, 1, |task, found| {
            found.iter_mut().for_each(Vec::clear);
            let parts = &mut Meetings::default();
            let mut known = 0;
            for leaves in &meetings[task * meetings.len() / TASKS..(task + 1) * meetings.len() / TASKS] {
                comparison.meet(*leaves, is_asked, parts, found);
                let here = found[0].len() + found[1].len();
                if count.fetch_add(here - known, Ordering::Relaxed) > most {
                    return;
                }
                known = here;
            }
        });
        if count.into_inner() > most {
            return false;
        }
        for (kind, list) in further.iter_mut().enumerate() {
            sort(found.iter().map(|found| &found[kind][..]), list, (ends, vertices), team);
        }
        true
    }

    /// Adds the pairs that are further to the list, which keeps those without a vertex that is `replaced`.
    fn merge(&mut self, is_replaced: impl Fn(u32) -> bool) {
        let Self { lists, further, merged, .. } = self;
        for (list, further) in lists.iter_mut().zip(further) {
            merged.clear();
            merged.reserve(list.len() + further.len());
            let mut next = further.iter().peekable();
            for candidate in list.iter().filter(|candidate| !candidate.vertices.into_iter().any(&is_replaced)) {
                while let Some(first) = next.next_if(|further| *further < candidate) {
                    merged.push(*first);
                }
                next.next_if_eq(&candidate);
                merged.push(*candidate);
            }
            merged.extend(next);
            std::mem::swap(list, merged);
        }
    }
}

/// Sorts pairs of which all vertices are below `vertices`.
fn sort<'a>(
    parts: impl Iterator<Item = &'a [Candidate]> + Clone,
    sorted: &mut Vec<Candidate>,
    (ends, vertices): (&mut Vec<u32>, usize),
    team: &Team,
) {
    ends.clear();
    ends.resize(vertices, 0);
    parts.clone().flatten().for_each(|pair| ends[pair.vertices[0] as usize] += 1);
    let mut sum = 0;
    for end in &mut *ends {
        let count = std::mem::replace(end, sum);
        sum += count;
    }
    sorted.clear();
    sorted.resize(sum as usize, Candidate::NONE);
    for pair in parts.flatten() {
        let at = &mut ends[pair.vertices[0] as usize];
        sorted[*at as usize] = *pair;
        *at += 1;
    }
    let rows = Shared::new(sorted);
    let ends = &ends[..];
    team.for_parts(vertices, VERTICES, |range| {
        for vertex in range {
            let start = if vertex == 0 { 0 } else { ends[vertex - 1] };
            // SAFETY: the rows of different vertices do not overlap, and each is sorted once
            let row = unsafe { rows.part(start as usize..ends[vertex] as usize) };
            row.sort_unstable();
        }
    });
}
