//! The cloth comes apart: tearing at the end of a step, and cutting between steps.

use std::sync::Arc;

use super::{Simulation, StepStats};
use crate::sim::contact::CrackFaces;
use crate::sim::solver_interface::{StepStage, Stopwatch};

impl Simulation {
    /// Opens the cloth at springs beyond their tear strain.
    pub(super) fn tear(&mut self, stats: &mut StepStats) {
        let mut watch = Stopwatch::start(self.clock);
        let grab = self.state.grab.map(|grab| grab.vertex);
        let Self { state, pattern, parameters, scratch, .. } = self;
        let cloth = &state.cloth;
        let is_held = |vertex| grab == Some(vertex) || cloth.pin_of(vertex).is_some();
        let edges = parameters.tearing.edges_to_open(cloth, pattern, is_held, &mut scratch.tears);
        if !edges.is_empty() {
            stats.torn = self.cut(&edges);
        }
        watch.lap(stats, StepStage::Tearing);
    }

    /// Opens the cloth along `edges`, pairs of vertices, as
    /// [`Pattern::open`](crate::sim::Pattern::open) does; tearing uses it as well. New vertices
    /// stand behind the old ones and start with the state of those that they were split from, so
    /// momentum stays; pins and the hand stay with the old. Under cloth-cloth contact the crack
    /// faces are moved apart by micrometres, since contact cannot keep a distance of zero; a vertex
    /// whose crack faces have no free direction, because the cloth is crumpled there, stays whole.
    /// Returns the number of new vertices.
    pub fn cut(&mut self, edges: &[[u32; 2]]) -> u32 {
        let mut edges = edges.to_vec();
        let (pattern, torn) = loop {
            let Some(pattern) = self.pattern.open(&edges) else { return 0 };
            let parents = &pattern.parents()[self.pattern.parents().len()..];
            let mut split = self.state.cloth.clone();
            split.split(parents);
            if self.parameters.contact.self_contact {
                let held = self.state.grab.map(|grab| grab.vertex);
                let is_held = |vertex| held == Some(vertex) || self.state.cloth.pin_of(vertex).is_some();
                let stuck = CrackFaces::default().part(&pattern, parents, is_held, &mut split.positions);
                if !stuck.is_empty() {
                    // each time fewer are split
                    edges.retain(|edge| !edge.iter().any(|end| stuck.contains(end)));
                    continue;
                }
            }
            let torn = parents.len() as u32;
            self.state.previous.split(parents, &self.state.cloth.positions, &split);
            self.state.cloth = split;
            break (pattern, torn);
        };
        self.pattern = Arc::new(pattern);
        self.parameters.mass.distribute(&self.pattern, &mut self.state.cloth.masses);
        self.scratch.applied_mass = Some(self.parameters.mass);
        // a warm start belongs to the springs as they were
        self.state.solver.warm_start.clear();
        self.state.contact_forces.clear();
        torn
    }
}
