//! Which pairs come near each other in a motion: those of the list of neighbours that are so.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::comparison::Meetings;
use super::flatness::Flatness;
use super::neighbours::{MEETINGS, Neighbours};
use super::pair::Pair;
use super::screen::{Candidate, Hint, Hit, Limits, Spots, screen};
use super::surface::Surface;
use super::tree::{TASKS, Tree, Width};
use crate::sim::exec::effort::CancelToken;
use crate::sim::exec::team::{Shared, Team};
use crate::sim::{Real, Vec3};

/// Lists into which pairs go.
const LISTS: usize = 3;
/// Pairs that are screened in a row.
const ROW: usize = 512;
/// Vertices whose pairs a thread sorts at a time.
const VERTICES: usize = 512;

/// What is asked for.
#[derive(Clone, Copy)]
pub(super) struct Query<'a, Asked, Sort> {
    /// Where the vertices are at the start and at the end of the motion, which is in straight lines [m].
    pub motion: [&'a [Vec3]; 2],
    /// How near is near. Parts of the cloth in which all is farther apart than the room, and half as far as at rest, are passed over.
    pub limits: Limits,
    /// Limits of later searches.
    pub later: Limits,
    /// Whether pairs with a vertex are asked for, if not all are.
    pub is_asked: Option<Asked>,
    /// Into which of the lists a pair goes, given what is the case with it.
    pub sort: Sort,
}

/// A search, with its memory.
#[derive(Debug, Default)]
pub(super) struct Search {
    flatness: Flatness,
    spots: Spots,
    neighbours: Neighbours,
    /// Pairs of nodes that are flat.
    skipped: Vec<[u32; 2]>,
    tasks: Vec<Task>,
    /// For each vertex how many pairs of those found begin with vertices up to it.
    ends: Vec<u32>,
}

/// What a thread works in, and what it has found.
#[derive(Debug, Default)]
struct Task {
    candidates: [Vec<Candidate>; 2],
    asked: Vec<Candidate>,
    hits: Vec<Hit>,
    found: [Vec<Pair>; LISTS],
}

/// What all tasks of a search read.
struct Screening<'a, Asked, Sort> {
    query: &'a Query<'a, Asked, Sort>,
    flat: (&'a Surface, &'a Flatness),
    spots: &'a Spots,
    counts: [AtomicUsize; LISTS],
    most: [usize; LISTS],
}

impl Search {
    /// From now on a search ends, with nothing found, when this tells that the step has been called off.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.neighbours.tree.token.clone_from(token);
    }

    /// Forgets what it knows of a surface.
    pub fn forget(&mut self) {
        self.neighbours.forget();
    }

    /// Writes the pairs that are asked for to their lists, the first of which is sorted. Returns for each list whether all are there: false, and it is
    /// empty, if there are more than `most` of them.
    pub fn find<Asked, Sort>(
        &mut self,
        surface: &Surface,
        query: &Query<'_, Asked, Sort>,
        lists: [&mut Vec<Pair>; LISTS],
        most: [usize; LISTS],
        team: &Team,
    ) -> [bool; LISTS]
    where
        Asked: Fn(u32) -> bool + Sync,
        Sort: Fn(&Pair, Hint) -> [bool; LISTS] + Sync,
    {
        let lists = lists.map(|list| {
            list.clear();
            list
        });
        if surface.nodes.is_empty() {
            return [true; LISTS];
        }
        let Self { flatness, spots, neighbours, skipped, tasks, ends } = self;
        flatness.update(surface, query.motion, query.limits.room, team);
        spots.update(query.motion, team);
        let (flat, motion) = ((surface, &*flatness), query.motion);
        let reaches = |limits: &Limits| [limits.near, limits.room];
        let (now, later) = (reaches(&query.limits), reaches(&query.later));
        // for some of the vertices a list is not worth it
        let is_kept = match query.is_asked {
            Some(_) => neighbours.is_of(flat, motion, now, team),
            None => neighbours.update(flat, motion, now, later, team),
        };
        tasks.resize_with(TASKS, Task::default);
        let counts = [const { AtomicUsize::new(0) }; LISTS];
        let screening = Screening { query, flat, spots, counts, most };
        let is_whole = if is_kept {
            screening.of_lists(neighbours.lists(), tasks, team);
            true
        } else {
            skipped.clear();
            screening.of_leaves((&mut neighbours.tree, skipped), now, tasks, team)
        };
        if !is_whole {
            return [false; LISTS];
        }
        let mut complete = [true; LISTS];
        for (k, list) in lists.into_iter().enumerate() {
            let count: usize = tasks.iter().map(|task| task.found[k].len()).sum();
            complete[k] = count <= most[k];
            if complete[k] && k == 0 {
                sort(tasks, list, (ends, query.motion[0].len()), team);
            } else if complete[k] {
                tasks.iter().for_each(|task| list.extend_from_slice(&task.found[k]));
            }
        }
        complete
    }
}

impl<Asked, Sort> Screening<'_, Asked, Sort>
where
    Asked: Fn(u32) -> bool + Sync,
    Sort: Fn(&Pair, Hint) -> [bool; LISTS] + Sync,
{
    /// Looks at the pairs of the lists.
    fn of_lists(&self, lists: &[[Vec<Candidate>; 2]], tasks: &mut [Task], team: &Team) {
        team.update(tasks, 1, |number, task| {
            task.found.iter_mut().for_each(Vec::clear);
            for (list, first) in lists[number].iter().zip(1..) {
                list.chunks(ROW).for_each(|row| self.look(row, first, task));
            }
        });
    }

    /// Looks at the pairs of the leaves that meet. Returns false if there are too many of these, or the step has been called off.
    fn of_leaves(
        &self,
        (tree, skipped): (&mut Tree, &mut Vec<[u32; 2]>),
        reaches: [Real; 2],
        tasks: &mut [Task],
        team: &Team,
    ) -> bool {
        let (width, motion) = (Width { reaches, skin: 0.0 }, self.query.motion);
        tree.refit(self.flat.0, motion, &|vertex| self.is_asked(vertex), team);
        if !tree.descend(self.flat, &width, &[[0, 0]], skipped, team) {
            return false;
        }
        let token = tree.token.clone();
        let (comparison, meetings) = tree.comparison(self.flat.0, motion, &width, team);
        team.update(tasks, 1, |number, task| {
            task.found.iter_mut().for_each(Vec::clear);
            let parts = &mut Meetings::default();
            let own = &meetings[number * meetings.len() / TASKS..(number + 1) * meetings.len() / TASKS];
            for (compared, leaves) in own.iter().enumerate() {
                if compared % MEETINGS == 0 && token.is_cancelled() {
                    return;
                }
                let mut candidates = std::mem::take(&mut task.candidates);
                candidates.iter_mut().for_each(Vec::clear);
                comparison.meet(*leaves, &|vertex| self.is_asked(vertex), parts, &mut candidates);
                candidates.iter().zip(1..).for_each(|(list, first)| self.look(list, first, task));
                task.candidates = candidates;
            }
        });
        true
    }

    fn is_asked(&self, vertex: u32) -> bool {
        self.query.is_asked.as_ref().is_none_or(|is_asked| is_asked(vertex))
    }

    /// Puts pairs whose first part has so many vertices into the lists where they belong, if they are asked for.
    fn look(&self, pairs: &[Candidate], first: u8, task: &mut Task) {
        // a list that is too long is empty in the end, so it may be cut short
        let open: [bool; LISTS] = std::array::from_fn(|k| self.counts[k].load(Ordering::Relaxed) <= self.most[k]);
        if open == [false; LISTS] {
            return;
        }
        let Task { asked, hits, found, .. } = task;
        let before = found.each_ref().map(Vec::len);
        let pairs = if self.query.is_asked.is_some() {
            asked.clear();
            let is_asked = |pair: &&Candidate| pair.vertices.into_iter().any(|vertex| self.is_asked(vertex));
            asked.extend(pairs.iter().filter(is_asked));
            &asked[..]
        } else {
            pairs
        };
        hits.clear();
        screen(self.spots, pairs, first, &self.query.limits, hits);
        let (surface, flatness) = self.flat;
        for hit in &*hits {
            let candidate = &pairs[hit.at as usize];
            if flatness.is_passed_over(surface, candidate.leaves) {
                continue;
            }
            let pair = candidate.pair(first);
            let goes = (self.query.sort)(&pair, hit.hint);
            for k in 0..LISTS {
                if goes[k] && open[k] {
                    found[k].push(pair);
                }
            }
        }
        for k in 0..LISTS {
            if found[k].len() > before[k] {
                self.counts[k].fetch_add(found[k].len() - before[k], Ordering::Relaxed);
            }
        }
    }
}

/// Sorts what the tasks have found for the first list, pairs of which all vertices are below `vertices`.
fn sort(tasks: &[Task], sorted: &mut Vec<Pair>, (ends, vertices): (&mut Vec<u32>, usize), team: &Team) {
    let found = || tasks.iter().flat_map(|task| &task.found[0]);
    ends.clear();
    ends.resize(vertices, 0);
    found().for_each(|pair| ends[pair.vertices[0] as usize] += 1);
    let mut sum = 0;
    for end in &mut *ends {
        let count = std::mem::replace(end, sum);
        sum += count;
    }
    sorted.clear();
    sorted.resize(sum as usize, Pair::NONE);
    for pair in found() {
        let at = &mut ends[pair.vertices[0] as usize];
        sorted[*at as usize] = *pair;
        *at += 1;
    }
    let (rows, ends) = (Shared::new(sorted), &ends[..]);
    team.for_parts(vertices, VERTICES, |range| {
        for vertex in range {
            let start = if vertex == 0 { 0 } else { ends[vertex - 1] };
            // SAFETY: the rows of different vertices do not overlap, and each is sorted once
            let row = unsafe { rows.part(start as usize..ends[vertex] as usize) };
            row.sort_unstable_by_key(|pair| (pair.key(), pair.first));
        }
    });
}
