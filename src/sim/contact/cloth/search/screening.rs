//! Filtering of candidates by the tasks of a search: listed pairs, or pairs of leaves that meet.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::comparison::Meetings;
use super::covers::Covers;
use super::neighbours::{List, MEETINGS};
use super::screen::{Candidate, Hint, Hit, Limits, Spots, screen};
use super::tree::{TASKS, Tree};
use crate::sim::Vec3;
use crate::sim::contact::bvh::share;
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::contact::cloth::surface::{ContactSurface, Flatness};
use crate::sim::exec::pool::ThreadPool;

/// Pairs filtered in a row.
const ROW: usize = 512;

/// Memory and result of a task.
#[derive(Debug, Default)]
pub(super) struct Task {
    candidates: Vec<Candidate>,
    hits: Vec<Hit>,
    pub found: Vec<Pair>,
    pub passing: Vec<Pair>,
    pub watched: Vec<Pair>,
}

/// Input of all tasks of a search.
pub(super) struct Screening<'a> {
    motion: [&'a [Vec3]; 2],
    limits: Limits,
    flat: (&'a ContactSurface, &'a Flatness),
    spots: &'a Spots,
    /// Number of pairs found, and the most that are wanted.
    count: AtomicUsize,
    most: usize,
}

impl<'a> Screening<'a> {
    pub fn new(
        motion: [&'a [Vec3]; 2],
        limits: Limits,
        flat: (&'a ContactSurface, &'a Flatness),
        spots: &'a Spots,
        most: usize,
    ) -> Self {
        Self { motion, limits, flat, spots, count: AtomicUsize::new(0), most }
    }

    /// Tests the listed vertex-triangle pairs.
    pub fn of_triangles(
        &self,
        lists: &[List],
        sort: &(impl Fn(&Pair, Hint, &mut Task) + Sync),
        tasks: &mut [Task],
        pool: &ThreadPool,
    ) {
        pool.update(tasks, 1, |number, task| {
            task.clear();
            lists[number].triangles.chunks(ROW).for_each(|row| self.look(row, 1, sort, task));
        });
    }

    /// Tests the listed edge-edge pairs of leaves that are not covered.
    pub fn of_edges(
        &self,
        lists: &[List],
        covers: &Covers,
        sort: &(impl Fn(&Pair, Hint, &mut Task) + Sync),
        tasks: &mut [Task],
        pool: &ThreadPool,
    ) {
        pool.update(tasks, 1, |number, task| {
            task.clear();
            let mut left = std::mem::take(&mut task.candidates);
            left.clear();
            for run in lists[number].edges.chunk_by(|a, b| a.leaves == b.leaves) {
                if !covers.imply(self.flat.0, run[0].leaves, self.motion, self.limits.room) {
                    left.extend_from_slice(run);
                }
            }
            left.chunks(ROW).for_each(|row| self.look(row, 2, sort, task));
            task.candidates = left;
        });
    }

    /// Tests the pairs with a vertex in question of the leaves that meet.
    pub fn of_meetings(
        &self,
        tree: &Tree,
        is_asked: &(impl Fn(u32) -> bool + Sync),
        sort: &(impl Fn(&Pair, Hint, &mut Task) + Sync),
        tasks: &mut [Task],
        pool: &ThreadPool,
    ) {
        let (comparison, meetings) = (tree.comparison(self.flat.0), tree.meetings());
        pool.update(tasks, 1, |number, task| {
            task.clear();
            let parts = &mut Meetings::default();
            let mut candidates = std::mem::take(&mut task.candidates);
            for (compared, leaves) in meetings[share(meetings.len(), number, TASKS)].iter().enumerate() {
                if compared % MEETINGS == 0 && tree.token.is_cancelled() {
                    break;
                }
                candidates.clear();
                comparison.triangles(*leaves, is_asked, parts, &mut candidates);
                self.look(&candidates, 1, sort, task);
                candidates.clear();
                comparison.edges(*leaves, is_asked, parts, &mut candidates);
                self.look(&candidates, 2, sort, task);
            }
            task.candidates = candidates;
        });
    }

    /// Gives the pairs that pass the filter, with so many vertices in the first part, to `sort`.
    fn look(&self, pairs: &[Candidate], first: u8, sort: &impl Fn(&Pair, Hint, &mut Task), task: &mut Task) {
        // a result that is too long ends empty, so it may be cut short
        if self.count.load(Ordering::Relaxed) > self.most {
            return;
        }
        let before = task.found.len() + task.watched.len();
        let mut hits = std::mem::take(&mut task.hits);
        hits.clear();
        screen(self.spots, pairs, first, &self.limits, &mut hits);
        for hit in &hits {
            let candidate = &pairs[hit.at as usize];
            if !self.flat.1.is_passed_over(candidate.leaves) {
                sort(&candidate.pair(first), hit.hint, task);
            }
        }
        task.hits = hits;
        let more = task.found.len() + task.watched.len() - before;
        if more > 0 {
            self.count.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// Whether the results were not cut short.
    pub fn is_whole(&self) -> bool {
        self.count.load(Ordering::Relaxed) <= self.most
    }
}

impl Task {
    fn clear(&mut self) {
        self.found.clear();
        self.passing.clear();
        self.watched.clear();
    }
}
