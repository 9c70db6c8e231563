//! Which pairs come near each other in a motion: those of the list of neighbours that are so, by rising pairs.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::comparison::Meetings;
use super::flatness::Flatness;
use super::neighbours::Neighbours;
use super::pair::Pair;
use super::screen::{Candidate, Hint, Hit, Limits, Spots, screen};
use super::surface::Surface;
use super::tree::{TASKS, Tree, Width};
use crate::sim::exec::team::Team;
use crate::sim::{Real, Vec3};

/// Lists into which pairs go.
pub(super) const LISTS: usize = 3;
/// Pairs that are screened in a row.
const ROW: usize = 1024;

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
}

/// What a thread works in, and what it has found.
#[derive(Debug, Default)]
struct Task {
    candidates: [Vec<Candidate>; 2],
    hits: [Vec<Hit>; 2],
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
    /// Forgets what it knows of a surface.
    pub fn forget(&mut self) {
        self.neighbours.forget();
    }

    /// Writes the pairs that are asked for to their lists, by rising pairs. Returns for each list whether all are there: false, and it is empty, if
    /// there are more than `most` of them.
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
        let Self { flatness, spots, neighbours, skipped, tasks } = self;
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
        if is_kept {
            screening.of_lists(neighbours.lists(), tasks, team);
        } else {
            skipped.clear();
            screening.of_leaves((&mut neighbours.tree, skipped), now, tasks, team);
        }
        let mut complete = [true; LISTS];
        for (k, list) in lists.into_iter().enumerate() {
            let count: usize = tasks.iter().map(|task| task.found[k].len()).sum();
            complete[k] = count <= most[k];
            if complete[k] {
                tasks.iter().for_each(|task| list.extend_from_slice(&task.found[k]));
                if !is_kept {
                    list.sort_unstable();
                }
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
    /// Looks at the pairs of the lists, which are sorted.
    fn of_lists(&self, lists: &[Vec<Candidate>; 2], tasks: &mut [Task], team: &Team) {
        let longer = if lists[0].len() > lists[1].len() { &lists[0] } else { &lists[1] };
        // all pairs that begin with one vertex go to one task
        let first_of = |task: usize| longer.get(task * longer.len() / TASKS).map(|pair| pair.vertices[0]);
        let place = |list: &[Candidate], task: usize| match first_of(task) {
            _ if task == 0 => 0,
            Some(first) if task < TASKS => list.partition_point(|pair| pair.vertices[0] < first),
            _ => list.len(),
        };
        team.update(tasks, 1, |number, task| {
            task.found.iter_mut().for_each(Vec::clear);
            let [mut vertices, mut edges] =
                lists.each_ref().map(|list| &list[place(list, number)..place(list, number + 1)]);
            while !vertices.is_empty() || !edges.is_empty() {
                // as many as come before the end of the row of either
                let end = |list: &[Candidate]| list.get(ROW).map(|pair| pair.vertices[0]);
                let end = end(vertices).into_iter().chain(end(edges)).min();
                let split = |list: &[Candidate]| {
                    end.map_or(list.len(), |end| list.partition_point(|pair| pair.vertices[0] <= end))
                };
                let (rows, rest) = (vertices.split_at(split(vertices)), edges.split_at(split(edges)));
                self.look([rows.0, rest.0], task);
                (vertices, edges) = (rows.1, rest.1);
            }
        });
    }

    /// Looks at the pairs of the leaves that meet.
    fn of_leaves(
        &self,
        (tree, skipped): (&mut Tree, &mut Vec<[u32; 2]>),
        reaches: [Real; 2],
        tasks: &mut [Task],
        team: &Team,
    ) {
        let (width, motion) = (Width { reaches, skin: 0.0 }, self.query.motion);
        tree.refit(self.flat.0, motion, &|vertex| self.is_asked(vertex), team);
        tree.descend(self.flat, &width, &[[0, 0]], skipped, team);
        let (comparison, meetings) = tree.comparison(self.flat.0, motion, &width, team);
        team.update(tasks, 1, |number, task| {
            task.found.iter_mut().for_each(Vec::clear);
            let parts = &mut Meetings::default();
            for leaves in &meetings[number * meetings.len() / TASKS..(number + 1) * meetings.len() / TASKS] {
                let mut candidates = std::mem::take(&mut task.candidates);
                candidates.iter_mut().for_each(Vec::clear);
                comparison.meet(*leaves, &|vertex| self.is_asked(vertex), parts, &mut candidates);
                self.look(candidates.each_ref().map(|list| &list[..]), task);
                task.candidates = candidates;
            }
        });
    }

    fn is_asked(&self, vertex: u32) -> bool {
        self.query.is_asked.as_ref().is_none_or(|is_asked| is_asked(vertex))
    }

    /// Puts pairs that are asked for into the lists where they belong.
    fn look(&self, pairs: [&[Candidate]; 2], task: &mut Task) {
        // a list that is too long is empty in the end, so it may be cut short
        let open: [bool; LISTS] = std::array::from_fn(|k| self.counts[k].load(Ordering::Relaxed) <= self.most[k]);
        if open == [false; LISTS] {
            return;
        }
        let Task { candidates, hits, found } = task;
        let before = found.each_ref().map(Vec::len);
        let mut look = |pairs: [&[Candidate]; 2]| {
            for ((hits, pairs), first) in hits.iter_mut().zip(pairs).zip(1..) {
                hits.clear();
                screen(self.spots, pairs, first, &self.query.limits, hits);
            }
            // both kinds in one order
            let [mut of_vertices, mut of_edges] = hits.each_ref().map(|hits| hits.iter().peekable());
            loop {
                let vertices = of_vertices.peek().map(|hit| &pairs[0][hit.at as usize]);
                let edges = of_edges.peek().map(|hit| &pairs[1][hit.at as usize]);
                let (candidate, hit, first) = match (vertices, edges) {
                    (Some(a), b) if b.is_none_or(|b| a.vertices <= b.vertices) => (a, of_vertices.next(), 1),
                    (_, Some(b)) => (b, of_edges.next(), 2),
                    _ => break,
                };
                let (surface, flatness) = self.flat;
                let Some(hit) = hit else { break };
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
        };
        if self.query.is_asked.is_some() && candidates.iter().all(Vec::is_empty) {
            for (asked, pairs) in candidates.iter_mut().zip(pairs) {
                let is_asked = |pair: &&Candidate| pair.vertices.into_iter().any(|vertex| self.is_asked(vertex));
                asked.extend(pairs.iter().filter(is_asked));
            }
            look(candidates.each_ref().map(|list| &list[..]));
            candidates.iter_mut().for_each(Vec::clear);
        } else {
            look(pairs);
        }
        for k in 0..LISTS {
            if found[k].len() > before[k] {
                self.counts[k].fetch_add(found[k].len() - before[k], Ordering::Relaxed);
            }
        }
    }
}
