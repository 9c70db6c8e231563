//! The cloth comes apart: tearing at the end of a step, cutting between steps, and the way back.

use std::sync::Arc;

use super::{Cloth, Pattern, Real, Simulation, StepStats, Vec3};
use crate::sim::contact::Intersections;
use crate::sim::solver::{Stage, Stopwatch};

/// How far the lips of a cut are moved into the cloth, as a share of the way to the middle of the vertices around: micrometres. Where that
/// leads through another layer, a hundredth of it, and so on.
const LIPS_APART: [Real; 3] = [1e-4, 1e-6, 1e-8];

/// A moment to go back to. Cheap: the pattern is shared until the cloth tears.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The state.
    pub cloth: Cloth,
    /// Simulated time [s].
    pub time: Real,
    /// Number of steps since time zero.
    pub steps: u64,
    /// What the cloth was made of.
    pattern: Arc<Pattern>,
}

impl Simulation {
    /// Opens the cloth where threads are stretched too far.
    pub(super) fn tear(&mut self, stats: &mut StepStats) {
        let mut watch = Stopwatch::start(self.clock);
        let grab = self.grab.map(|grab| grab.vertex);
        let Self { cloth, pattern, parameters, scratch, .. } = self;
        let is_held = |vertex| grab == Some(vertex) || cloth.pin_of(vertex).is_some();
        let edges = parameters.tearing.edges_to_open(cloth, pattern, is_held, &mut scratch.tears);
        if !edges.is_empty() {
            stats.torn = self.cut(&edges);
        }
        watch.lap(stats, Stage::Tearing);
    }

    /// Opens the cloth along `edges`, pairs of vertices, as [`Pattern::open`] says; tearing takes the same way. New
    /// vertices stand behind the old ones and start with the state of those that they were split from, so momentum stays;
    /// pins and the hand stay with the old. Returns the number of new vertices.
    pub fn cut(&mut self, edges: &[[u32; 2]]) -> u32 {
        let Some(pattern) = self.pattern.open(edges) else { return 0 };
        let parents = &pattern.parents()[self.pattern.parents().len()..];
        self.cloth.split(parents);
        let torn = parents.len() as u32;
        if self.parameters.contact.self_contact {
            self.part_lips(&pattern, parents);
        }
        self.pattern = Arc::new(pattern);
        self.parameters.mass.distribute(&self.pattern, &mut self.cloth.masses);
        self.scratch.applied_mass = Some(self.parameters.mass);
        // a warm start belongs to the springs as they were
        self.solver.set_warm_start(&[]);
        self.scratch.self_contact.set_forces(&[]);
        self.scratch.self_contact.set_solid_forces(&[]);
        torn
    }

    /// Moves the vertices that were split, and those that were split off them, a little way into the cloth that they still belong to: lips that
    /// lie on each other exactly have no distance that contact could keep. Held vertices stay.
    fn part_lips(&mut self, pattern: &Pattern, parents: &[u32]) {
        let copies = pattern.len() - parents.len()..pattern.len();
        let mut lips: Vec<u32> = parents.iter().copied().chain(copies.map(|vertex| vertex as u32)).collect();
        lips.sort_unstable();
        lips.dedup();
        let held = self.grab.map(|grab| grab.vertex);
        lips.retain(|&vertex| held != Some(vertex) && self.cloth.pin_of(vertex).is_none());
        let mut inward = vec![(Vec3::ZERO, 0.0); lips.len()];
        for triangle in pattern.triangles() {
            for (side, corner) in triangle.iter().enumerate() {
                if let Ok(at) = lips.binary_search(corner) {
                    let [next, last] = [1, 2].map(|far| self.cloth.positions[triangle[(side + far) % 3] as usize]);
                    inward[at] = (inward[at].0 + next + last, inward[at].1 + 2.0);
                }
            }
        }
        let start: Vec<Vec3> = lips.iter().map(|&vertex| self.cloth.positions[vertex as usize]).collect();
        let mut search = Intersections::default();
        let before = search.find(pattern, &self.cloth.positions).len();
        for share in LIPS_APART {
            for ((&vertex, from), to) in lips.iter().zip(&start).zip(&inward) {
                self.cloth.positions[vertex as usize] = if to.1 > 0.0 { from.lerp(to.0 / to.1, share) } else { *from };
            }
            if search.find(pattern, &self.cloth.positions).len() <= before {
                return;
            }
        }
        for (&vertex, from) in lips.iter().zip(&start) {
            self.cloth.positions[vertex as usize] = *from;
        }
    }

    /// The present moment, to go back to.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        let (cloth, pattern) = (self.cloth.clone(), Arc::clone(&self.pattern));
        Checkpoint { cloth, time: self.time, steps: self.steps, pattern }
    }

    /// Goes back to a moment, to before a tear as well; solver and parameters stay.
    pub fn return_to(&mut self, checkpoint: Checkpoint) {
        let Checkpoint { cloth, time, steps, pattern } = checkpoint;
        self.pattern = pattern;
        self.restore(cloth, time, steps);
    }
}
