//! Verlet lists: the pairs that may come near each other while no vertex leaves its skin; built
//! once and kept as long, as in molecular dynamics (Verlet 1967).
//!
//! Every vertex has a place at both ends of a motion. While it is within the skin around these
//! places, apart from a common translation, only listed pairs have to be tested. Vertices that leave
//! their skin get new places, and their pairs are searched again. Once an eighth of the vertices has
//! got new places, all pairs are searched again. Flat parts are not listed until they bend.
//!
//! The result of a search depends on the motion alone, not on the rest of the list.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::comparison::Meetings;
use super::reach::Width;
use super::screen::{Candidate, Limits};
use super::tree::{ROOT, TASKS, Tree};
use crate::sim::contact::bvh::share;
use crate::sim::contact::cloth::surface::{ContactSurface, Flatness};
use crate::sim::exec::pool::{Chunks, Shared, ThreadPool};
use crate::sim::{Real, Vec3};

/// Skin of a list as a share of the mean edge length at rest.
const SKIN: Real = 0.008;
/// Largest skin of a short list, where a longer one costs little.
const MOST_SKIN_OF_FEW: Real = 0.1;
/// Least skin of a short list as a multiple of the mean displacement of vertices from their places.
/// If the largest skin is less, a list would not last long, and the skin is that of other lists.
const OF_WAY: Real = 2.5;
/// Searches that the skin of a short list should last for at the mean speed of the vertices.
const SEARCHES_OF_FEW: Real = 24.0;
/// A list is short up to so many pairs per vertex on average.
const FEW: usize = 8;
/// One over the share of vertices that may get new places before all do.
const MANY: usize = 8;
/// Most listed pairs per vertex on average.
const MOST_KEPT: usize = 256;
/// Pairs of leaves between two checks of the token.
pub(super) const MEETINGS: usize = 256;
/// Vertices per task.
const VERTICES: usize = 512;
/// Vertices by which the common translation is measured.
const MEASURED: usize = 64;

/// The list, with the tree that finds its pairs.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    pub tree: Tree,
    lists: Vec<List>,
    /// Pairs of leaves that meet without listed edge-edge pairs.
    without_edges: Vec<[u32; 2]>,
    /// Nodes skipped as flat, and those of them that have bent.
    skipped: Vec<u32>,
    bent: Vec<u32>,
    places: [Vec<Vec3>; 2],
    beyond: Vec<bool>,
    ways: Vec<(usize, Real)>,
    /// Distance of the list, if there is one.
    width: Option<Width>,
    /// Searches since all vertices got new places, and vertices that got new ones since.
    age: u32,
    renewed: usize,
}

/// Listed pairs of a task.
#[derive(Debug, Default)]
pub(super) struct List {
    pub triangles: Vec<Candidate>,
    /// Those of two leaves stand together.
    pub edges: Vec<Candidate>,
}

/// Displacements of the vertices from their places.
struct Way {
    /// Number of vertices that left their skin.
    beyond: usize,
    /// Mean displacement [m].
    mean: Real,
}

impl Neighbours {
    /// Drops the list.
    pub fn forget(&mut self) {
        self.width = None;
    }

    /// The list, in parts.
    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// Pairs of leaves that meet without listed edge-edge pairs.
    pub fn without_edges(&self) -> &[[u32; 2]] {
        &self.without_edges
    }

    /// Lists the edge-edge pairs of those `pairs` of leaves [without](Self::without_edges) that
    /// `are_added`.
    pub fn add_edges(&mut self, surface: &ContactSurface, pairs: &[[u32; 2]], are_added: &[bool], pool: &ThreadPool) {
        let Self { tree, lists, without_edges, width, .. } = self;
        let Some(width) = width else { return };
        // the boxes are those of the places: whatever moves a place makes new ones
        tree.prepare_edges(surface, pairs, width, pool);
        let comparison = tree.comparison(surface);
        pool.update(lists, 1, |task, list| {
            let parts = &mut Meetings::default();
            for leaves in &pairs[share(pairs.len(), task, TASKS)] {
                comparison.edges(*leaves, &|_| true, parts, &mut list.edges);
            }
        });
        let mut added = are_added.iter();
        without_edges.retain(|_| !added.next().is_some_and(|is_added| *is_added));
    }

    /// Makes the list contain all pairs that come near in a `motion` [m], within the first
    /// distance. If it has to be rebuilt, then for the second one. Returns false if there are too
    /// many pairs.
    pub fn update(
        &mut self,
        flat: (&ContactSurface, &Flatness),
        motion: [&[Vec3]; 2],
        [limits, later]: [Limits; 2],
        pool: &ThreadPool,
    ) -> bool {
        let kept = Limits { near: later.near.max(limits.near), room: later.room.max(limits.room) };
        let holds = |width: &Width| {
            width.limits.contain(&limits)
                && width.limits.widest() <= 2.0 * kept.widest()
                && self.places[0].len() == motion[0].len()
        };
        let Some(width) = self.width.filter(holds) else {
            return self.find_all(flat, motion, kept, SKIN, pool);
        };
        self.age += 1;
        let way = self.measure(motion, width.skin, pool);
        self.renewed += way.beyond;
        if self.renewed <= motion[0].len() / MANY
            && self.find_bent(flat, &width, pool)
            && (way.beyond == 0 || self.find_beyond(flat, &width, motion, pool))
        {
            return true;
        }
        let pairs: usize = self.lists.iter().map(List::len).sum();
        let way = way.mean / flat.0.edge_length;
        let pays = pairs <= FEW * motion[0].len() && OF_WAY * way <= MOST_SKIN_OF_FEW;
        let wanted = OF_WAY.max(SEARCHES_OF_FEW / Real::from(self.age)) * way;
        let skin = if pays { wanted.clamp(SKIN, MOST_SKIN_OF_FEW) } else { SKIN };
        self.find_all(flat, motion, width.limits, skin, pool)
    }

    /// Common translation of the vertices from their places in a motion [m]: the median of a sample
    /// along every axis, so that few fast vertices do not move it.
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

    /// Finds the vertices that left their skin.
    fn measure(&mut self, motion: [&[Vec3]; 2], skin: Real, pool: &ThreadPool) -> Way {
        let shifts = self.shifts(motion);
        let Self { places, beyond, ways, .. } = self;
        beyond.resize(motion[0].len(), false);
        ways.resize(motion[0].len().div_ceil(VERTICES), (0, 0.0));
        let [from, to] = &*places;
        let chunks = Chunks::new(beyond, VERTICES);
        pool.change((chunks, Shared::new(ways)), 1, |range, (beyond, ways)| {
            let (mut count, mut sum) = (0, 0.0);
            for (i, beyond) in (range.start * VERTICES..).zip(beyond) {
                let off = [motion[0][i] - from[i] - shifts[0], motion[1][i] - to[i] - shifts[1]];
                let [start, end] = off.map(Vec3::length);
                // NaN counts as beyond
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

    /// Gives all vertices new places and finds all pairs, with a skin as a share of the mean edge
    /// length. Returns false if there are too many.
    fn find_all(
        &mut self,
        (surface, flatness): (&ContactSurface, &Flatness),
        motion: [&[Vec3]; 2],
        limits: Limits,
        skin: Real,
        pool: &ThreadPool,
    ) -> bool {
        (self.age, self.renewed) = (0, 0);
        let width = Width { limits, skin: skin * surface.edge_length };
        for (places, at) in self.places.iter_mut().zip(motion) {
            at.clone_into(places);
        }
        self.skipped.clear();
        self.lists.resize_with(TASKS, Default::default);
        self.lists.iter_mut().for_each(List::clear);
        self.without_edges.clear();
        self.tree.refit(surface, motion, &|_| true, pool);
        let complete = self.tree.descend((surface, flatness), &ROOT, &width, &mut self.skipped, pool)
            && self.compare(surface, &width, &|_| true, pool);
        self.width = complete.then_some(width);
        complete
    }

    /// Finds the pairs below skipped nodes that have bent. Returns false if there are too many.
    fn find_bent(&mut self, flat: (&ContactSurface, &Flatness), width: &Width, pool: &ThreadPool) -> bool {
        let Self { skipped, bent, tree, .. } = self;
        bent.clear();
        bent.extend(skipped.iter().filter(|node| !flat.1.is_flat(**node)));
        if bent.is_empty() {
            return true;
        }
        skipped.retain(|node| flat.1.is_flat(*node));
        // the boxes are those of the places
        tree.ask_all();
        tree.descend(flat, bent, width, skipped, pool) && self.compare(flat.0, width, &|_| true, pool)
    }

    /// Gives new places to the vertices that left their skin in a motion, and finds their pairs.
    /// Returns false if there are too many.
    fn find_beyond(
        &mut self,
        (surface, flatness): (&ContactSurface, &Flatness),
        width: &Width,
        motion: [&[Vec3]; 2],
        pool: &ThreadPool,
    ) -> bool {
        let shifts = self.shifts(motion);
        let beyond = std::mem::take(&mut self.beyond);
        for ((places, at), shift) in self.places.iter_mut().zip(motion).zip(shifts) {
            let entries = places.iter_mut().zip(at).zip(&beyond);
            entries.filter(|(_, beyond)| **beyond).for_each(|((place, at), _)| *place = *at - shift);
        }
        let is_beyond = |vertex: u32| beyond[vertex as usize];
        let places = self.places.each_ref().map(|places| &places[..]);
        self.tree.refit(surface, places, &is_beyond, pool);
        let found = self.tree.descend((surface, flatness), &ROOT, width, &mut self.skipped, pool);
        self.skipped.sort_unstable();
        self.skipped.dedup();
        let tree = &self.tree;
        let stays = |leaves: &[u32; 2]| !leaves.iter().any(|&leaf| tree.is_asked(leaf));
        pool.update(&mut self.lists, 1, |_, list| {
            list.triangles.retain(|pair| !pair.vertices.into_iter().any(is_beyond));
            list.edges.retain(|pair| stays(&pair.leaves));
        });
        self.without_edges.retain(stays);
        let complete = found && self.compare(surface, width, &is_beyond, pool);
        if !complete {
            self.forget();
        }
        self.beyond = beyond;
        complete
    }

    /// Adds the vertex-triangle pairs of the leaves that meet, with a vertex in question, to the
    /// list. Returns false if there are too many.
    fn compare(
        &mut self,
        surface: &ContactSurface,
        width: &Width,
        is_asked: &(impl Fn(u32) -> bool + Sync),
        pool: &ThreadPool,
    ) -> bool {
        let Self { tree, lists, without_edges, places, .. } = self;
        let most = MOST_KEPT * places[0].len();
        let token = tree.token.clone();
        tree.prepare(surface, width, pool);
        let comparison = tree.comparison(surface);
        let meetings = tree.meetings();
        let count = AtomicUsize::new(lists.iter().map(List::len).sum());
        pool.update(lists, 1, |task, list| {
            let parts = &mut Meetings::default();
            let mut known = list.len();
            for (compared, leaves) in meetings[share(meetings.len(), task, TASKS)].iter().enumerate() {
                comparison.triangles(*leaves, is_asked, parts, &mut list.triangles);
                let more = list.len() - std::mem::replace(&mut known, list.len());
                if count.fetch_add(more, Ordering::Relaxed) > most {
                    return;
                }
                if compared % MEETINGS == 0 && token.is_cancelled() {
                    count.fetch_add(most + 1, Ordering::Relaxed);
                    return;
                }
            }
        });
        without_edges.extend_from_slice(meetings);
        count.into_inner() <= most
    }
}

impl List {
    /// Number of pairs.
    fn len(&self) -> usize {
        self.triangles.len() + self.edges.len()
    }

    fn clear(&mut self) {
        self.triangles.clear();
        self.edges.clear();
    }
}
