//! Pairs that come near each other in a motion: filtered pairs of the Verlet list. Pairs that no
//! plane is known to part: those of some vertices from the tree.

use super::covers::Covers;
use super::neighbours::Neighbours;
use super::reach::Width;
use super::screen::{Hint, Limits, Spots};
use super::screening::{Screening, Task};
use super::tree::{ROOT, TASKS, Tree};
use crate::sim::contact::cloth::nearness::Nearness;
use crate::sim::contact::cloth::pair::Pair;
use crate::sim::contact::cloth::surface::{ContactSurface, Flatness};
use crate::sim::exec::budget::CancelToken;
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::{Real, Vec3};

/// Vertices per task of sorting.
const VERTICES: usize = 512;
/// Pairs of leaves per task of the test for covers.
const LEAVES: usize = 256;

/// A search, with its memory.
#[derive(Debug, Default)]
pub(super) struct Search {
    flatness: Flatness,
    spots: Spots,
    neighbours: Neighbours,
    covers: Covers,
    /// Pairs of leaves whose edges are compared.
    uncovered: Vec<[u32; 2]>,
    /// Whether each pair of leaves without listed edges is one of these.
    are_uncovered: Vec<bool>,
    /// Tree of the searches for pairs of some vertices, and its flat nodes.
    tree: Tree,
    skipped: Vec<u32>,
    tasks: Vec<Task>,
    /// Number of pairs found that begin with vertices up to each one.
    ends: Vec<u32>,
}

/// Results of a search for near pairs.
pub(super) struct Lists<'a> {
    /// Near pairs and those that pass through themselves, sorted.
    pub near: &'a mut Vec<Pair>,
    /// Pairs that pass through themselves, sorted.
    pub passing: &'a mut Vec<Pair>,
    /// Pairs without fixed planes that part them.
    pub watched: &'a mut Vec<Pair>,
    /// Most near pairs and most watched ones; a list with more is empty.
    pub most: [usize; 2],
}

impl Search {
    /// Sets the token by which searches are cancelled; a cancelled search finds nothing.
    pub fn set_token(&mut self, token: &CancelToken) {
        self.neighbours.tree.token.clone_from(token);
        self.tree.token.clone_from(token);
    }

    /// Drops everything known of a surface.
    pub fn forget(&mut self) {
        self.neighbours.forget();
    }

    /// Finds the pairs that come near each other in a motion [m] within the first `limits`, without
    /// those that others [imply](super::covers) if it `thins`, the pairs that pass through
    /// themselves, and those without fixed planes that part them. Returns whether the near pairs
    /// and the watched ones are all there. The second `limits` are those of later searches.
    pub fn find_near(
        &mut self,
        surface: &ContactSurface,
        motion: [&[Vec3]; 2],
        [limits, later]: [Limits; 2],
        thins: bool,
        lists: Lists,
        pool: &ThreadPool,
    ) -> [bool; 2] {
        let Lists { near, passing, watched, most } = lists;
        [&mut *near, &mut *passing, &mut *watched].into_iter().for_each(Vec::clear);
        if surface.nodes.is_empty() {
            return [true; 2];
        }
        let Self { flatness, spots, neighbours, covers, uncovered, are_uncovered, tasks, ends, .. } = self;
        flatness.update(surface, motion, limits.room, pool);
        spots.update(motion, pool);
        tasks.resize_with(TASKS, Task::default);
        let (flat, vertices) = ((surface, &*flatness), motion[0].len());
        if !neighbours.update(flat, motion, [limits, later], pool) {
            return [false; 2];
        }
        let screening = Screening::new(motion, limits, flat, spots, most[0].max(most[1]));
        // vertices first
        screening.of_triangles(neighbours.lists(), &near_pairs(motion, limits.near, None), tasks, pool);
        collect(tasks, (near, ends, vertices), pool);
        take_rest(tasks, passing, watched);
        covers.clear();
        if thins {
            covers.choose(surface, (near, ends, passing), motion[1], pool);
        }
        // then the edges of leaves that are not covered
        let leaves = neighbours.without_edges();
        are_uncovered.resize(leaves.len(), false);
        pool.fill(are_uncovered, LEAVES, |i| !covers.imply(surface, leaves[i], motion, limits.room));
        uncovered.clear();
        uncovered.extend(
            leaves.iter().zip(&*are_uncovered).filter(|(_, is_uncovered)| **is_uncovered).map(|(leaves, _)| *leaves),
        );
        if !uncovered.is_empty() {
            neighbours.add_edges(surface, uncovered, are_uncovered, pool);
        }
        let sort = near_pairs(motion, limits.near, Some(covers));
        screening.of_edges(neighbours.lists(), covers, &sort, tasks, pool);
        take_rest(tasks, passing, watched);
        if tasks.iter().any(|task| !task.found.is_empty()) {
            tasks[0].found.extend_from_slice(near);
            collect(tasks, (near, ends, vertices), pool);
        }
        let complete = [near.len() <= most[0], watched.len() <= most[1]];
        // the count of a list that was cut short is too large as well
        let complete = complete.map(|complete| complete && screening.is_whole());
        if !complete[0] {
            near.clear();
            passing.clear();
        }
        if !complete[1] {
            watched.clear();
        }
        complete
    }

    /// Finds the pairs with a vertex in question that no fixed planes are known to part by `room`
    /// [m] at both ends of a motion [m], and that are `wanted`. Returns false, with nothing found,
    /// if there are more than `most`.
    pub fn find_unparted(
        &mut self,
        surface: &ContactSurface,
        motion: [&[Vec3]; 2],
        room: Real,
        (is_asked, wanted): (&(impl Fn(u32) -> bool + Sync), &(impl Fn(&Pair) -> bool + Sync)),
        (found, most): (&mut Vec<Pair>, usize),
        pool: &ThreadPool,
    ) -> bool {
        found.clear();
        if surface.nodes.is_empty() {
            return true;
        }
        let Self { flatness, spots, tree, skipped, tasks, .. } = self;
        flatness.update(surface, motion, room, pool);
        spots.update(motion, pool);
        tasks.resize_with(TASKS, Task::default);
        let flat = (surface, &*flatness);
        let limits = Limits { near: 0.0, room };
        let screening = Screening::new(motion, limits, flat, spots, most);
        let sort = |pair: &Pair, hint: Hint, task: &mut Task| {
            if hint.watch && wanted(pair) {
                task.found.push(*pair);
            }
        };
        skipped.clear();
        let width = Width { limits, skin: 0.0 };
        tree.refit(surface, motion, is_asked, pool);
        if !tree.descend(flat, &ROOT, &width, skipped, pool) {
            return false;
        }
        tree.prepare(surface, &width, pool);
        tree.prepare_all_edges(surface, &width, pool);
        screening.of_meetings(tree, is_asked, &sort, tasks, pool);
        if !screening.is_whole() {
            return false;
        }
        tasks.iter().for_each(|task| found.extend_from_slice(&task.found));
        true
    }
}

/// Collects the results of the tasks, sorted; all vertices are below `vertices`. Those that begin
/// with vertex `i` end at `ends[i]`.
fn collect(tasks: &[Task], (sorted, ends, vertices): (&mut Vec<Pair>, &mut Vec<u32>, usize), pool: &ThreadPool) {
    let found = || tasks.iter().flat_map(|task| &task.found);
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
    if sum == 0 {
        return;
    }
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

/// Takes the results of the tasks beside near pairs.
fn take_rest(tasks: &[Task], passing: &mut Vec<Pair>, watched: &mut Vec<Pair>) {
    for task in tasks {
        passing.extend_from_slice(&task.passing);
        watched.extend_from_slice(&task.watched);
    }
    passing.sort_unstable();
}

/// Puts near pairs into the results of a task, unless others imply them, and pairs that pass
/// through themselves.
fn near_pairs<'a>(
    [x, y]: [&'a [Vec3]; 2],
    reach: Real,
    covers: Option<&'a Covers>,
) -> impl Fn(&Pair, Hint, &mut Task) + Sync + use<'a> {
    move |pair, hint, task| {
        let nearness = if hint.ask {
            Nearness::of(pair, &pair.corners(x), &pair.corners(y), reach)
        } else if hint.near {
            Nearness::Near
        } else {
            Nearness::Far
        };
        if hint.watch {
            task.watched.push(*pair);
        }
        match nearness {
            Nearness::Far => {}
            Nearness::Near if covers.is_some_and(|covers| covers.imply_pair(pair, y)) => {}
            Nearness::Near => task.found.push(*pair),
            Nearness::Passing => {
                task.found.push(*pair);
                task.passing.push(*pair);
            }
        }
    }
}
