//! Pairs that come near each other in a motion: the filtered pairs of the Verlet list.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::comparison::Meetings;
use super::flatness::Flatness;
use super::neighbours::{MEETINGS, Neighbours};
use super::pair::Pair;
use super::screen::{Candidate, Hint, Hit, Limits, Spots, screen};
use super::surface::Surface;
use super::tree::{TASKS, Tree, Width};
use crate::sim::exec::budget::CancelToken;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::{Real, Vec3};

/// Lists of results.
const LISTS: usize = 3;
/// Pairs filtered in a row.
const ROW: usize = 512;
/// Vertices per task of sorting.
const VERTICES: usize = 512;

/// A query.
#[derive(Clone, Copy)]
pub(super) struct Query<'a, Asked, Sort> {
    /// Positions at the start and at the end of a straight motion [m].
    pub motion: [&'a [Vec3]; 2],
    /// Distances. Parts of the cloth are culled if everything in them is farther apart than the
    /// room, and than half its rest distance.
    pub limits: Limits,
    /// Distances of later queries.
    pub later: Limits,
    /// Vertices whose pairs are wanted; none for all.
    pub is_asked: Option<Asked>,
    /// Tells the lists of a pair, given its class.
    pub sort: Sort,
}

/// A search, with its memory.
#[derive(Debug, Default)]
pub(super) struct Search {
    flatness: Flatness,
    spots: Spots,
    neighbours: Neighbours,
    /// Pairs of flat nodes.
    skipped: Vec<[u32; 2]>,
    tasks: Vec<Task>,
    /// Number of pairs found that begin with vertices up to each one.
    ends: Vec<u32>,
}

/// Memory and result of a task.
#[derive(Debug, Default)]
struct Task {
    candidates: [Vec<Candidate>; 2],
    asked: Vec<Candidate>,
    hits: Vec<Hit>,
    found: [Vec<Pair>; LISTS],
}

/// Input of all tasks of a search.
struct Screening<'a, Asked, Sort> {
    query: &'a Query<'a, Asked, Sort>,
    flat: (&'a Surface, &'a Flatness),
    spots: &'a Spots,
    counts: [AtomicUsize; LISTS],
    most: [usize; LISTS],
}

impl Search {
    /// Sets the token by which searches are cancelled; a cancelled search finds nothing.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.neighbours.tree.token.clone_from(token);
    }

    /// Drops everything known of a surface.
    pub fn forget(&mut self) {
        self.neighbours.forget();
    }

    /// Writes the wanted pairs to their lists, the first of them sorted. Returns for each list
    /// whether it is complete; one with more than `most` pairs is empty.
    pub fn find<Asked, Sort>(
        &mut self,
        surface: &Surface,
        query: &Query<'_, Asked, Sort>,
        lists: [&mut Vec<Pair>; LISTS],
        most: [usize; LISTS],
        pool: &ThreadPool,
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
        flatness.update(surface, query.motion, query.limits.room, pool);
        spots.update(query.motion, pool);
        let (flat, motion) = ((surface, &*flatness), query.motion);
        let reaches = |limits: &Limits| [limits.near, limits.room];
        let (now, later) = (reaches(&query.limits), reaches(&query.later));
        // a list does not pay for a part of the vertices
        let is_kept = match query.is_asked {
            Some(_) => neighbours.is_of(flat, motion, now, pool),
            None => neighbours.update(flat, motion, now, later, pool),
        };
        tasks.resize_with(TASKS, Task::default);
        let counts = [const { AtomicUsize::new(0) }; LISTS];
        let screening = Screening { query, flat, spots, counts, most };
        let is_whole = if is_kept {
            screening.of_lists(neighbours.lists(), tasks, pool);
            true
        } else {
            skipped.clear();
            screening.of_leaves((&mut neighbours.tree, skipped), now, tasks, pool)
        };
        if !is_whole {
            return [false; LISTS];
        }
        let mut complete = [true; LISTS];
        for (k, list) in lists.into_iter().enumerate() {
            let count: usize = tasks.iter().map(|task| task.found[k].len()).sum();
            complete[k] = count <= most[k];
            if complete[k] && k == 0 {
                sort(tasks, list, (ends, query.motion[0].len()), pool);
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
    /// Tests the listed pairs.
    fn of_lists(&self, lists: &[[Vec<Candidate>; 2]], tasks: &mut [Task], pool: &ThreadPool) {
        pool.update(tasks, 1, |number, task| {
            task.found.iter_mut().for_each(Vec::clear);
            for (list, first) in lists[number].iter().zip(1..) {
                list.chunks(ROW).for_each(|row| self.look(row, first, task));
            }
        });
    }

    /// Tests the pairs of the leaves that meet. Returns false if there are too many of these, or if
    /// the step is cancelled.
    fn of_leaves(
        &self,
        (tree, skipped): (&mut Tree, &mut Vec<[u32; 2]>),
        reaches: [Real; 2],
        tasks: &mut [Task],
        pool: &ThreadPool,
    ) -> bool {
        let (width, motion) = (Width { reaches, skin: 0.0 }, self.query.motion);
        tree.refit(self.flat.0, motion, &|vertex| self.is_asked(vertex), pool);
        if !tree.descend(self.flat, &width, &[[0, 0]], skipped, pool) {
            return false;
        }
        let token = tree.token.clone();
        let (comparison, meetings) = tree.comparison(self.flat.0, motion, &width, pool);
        pool.update(tasks, 1, |number, task| {
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

    /// Puts wanted pairs with so many vertices in the first part into their lists.
    fn look(&self, pairs: &[Candidate], first: u8, task: &mut Task) {
        // a list that is too long ends empty, so it may be cut short
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

/// Sorts the results of the tasks for the first list; all vertices are below `vertices`.
fn sort(tasks: &[Task], sorted: &mut Vec<Pair>, (ends, vertices): (&mut Vec<u32>, usize), pool: &ThreadPool) {
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
    pool.for_parts(vertices, VERTICES, |range| {
        for vertex in range {
            let start = if vertex == 0 { 0 } else { ends[vertex - 1] };
            // SAFETY: the rows of different vertices do not overlap, and each is sorted once
            let row = unsafe { rows.part(start as usize..ends[vertex] as usize) };
            row.sort_unstable_by_key(|pair| (pair.key(), pair.first));
        }
    });
}
