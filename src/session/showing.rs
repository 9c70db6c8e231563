//! Frames of a session.

use std::sync::Arc;

use super::session_state::SessionState;
use super::timeline::Timeline;
use super::{Frame, Readouts, Session, TimelineSummary};
use crate::sim::contact::Intersections;
use crate::sim::measure::{Energy, Stretch};
use crate::sim::{Simulation, Vec3};

/// Measurements of a state that take passes over the whole cloth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    energy: Energy,
    stretch: Stretch,
    /// Steps since time zero of that state.
    steps: u64,
}

impl Measured {
    pub fn of(simulation: &Simulation) -> Self {
        let stretch = Stretch::of(simulation.pattern(), &simulation.state.cloth.positions);
        Self { energy: simulation.energy(), stretch, steps: simulation.steps() }
    }
}

impl Session {
    /// The way so far, as panels show it.
    fn timeline_summary(&self) -> TimelineSummary {
        let next = [self.actions.done.last(), self.actions.undone.last()];
        let shared = next.map(|action| action.is_some_and(|action| action.shared));
        let [undo, redo] = next.map(|action| action.map(|action| action.name.clone()));
        let newest_action = self.actions.newest();
        TimelineSummary {
            undo,
            redo,
            shared,
            newest_action,
            ..self.timeline.as_ref().map(Timeline::summary).unwrap_or_default()
        }
    }

    /// The cloth at this time in the future that was left last.
    fn ghost(&self) -> Option<Vec<Vec3>> {
        let (before, after, share) = self.timeline.as_ref()?.left_at(self.simulation.time())?;
        let count = self.simulation.state.cloth.len();
        let is_alike =
            |saved: &SessionState| saved.generation == self.generation && saved.checkpoint.state.cloth.len() == count;
        let [from, to] = [before, after].map(|saved| &saved.checkpoint.state.cloth.positions);
        (is_alike(before) && is_alike(after)).then(|| from.iter().zip(to).map(|(a, b)| a.lerp(*b, share)).collect())
    }

    /// The present state to show. `seen` is the number of the last order.
    #[must_use]
    pub fn frame(&self, seen: u64) -> Frame {
        self.frame_with(seen, Measured::of(&self.simulation))
    }

    /// The frame with measurements, of the present or a slightly older state.
    pub(super) fn frame_with(&self, seen: u64, measured: Measured) -> Frame {
        let simulation = &self.simulation;
        let settings = simulation.solver().settings();
        let common = simulation.parameters.groups().flat_map(|group| group.params());
        let all = common.chain(settings.params());
        Frame {
            seen,
            generation: self.generation,
            pattern: simulation.shared_pattern(),
            previous: self.previous.clone(),
            previous_time: self.previous_time,
            positions: simulation.state.cloth.positions.clone(),
            time: simulation.time(),
            steps: simulation.steps(),
            ticks: self.ticks,
            pins: simulation.state.cloth.pins().iter().map(|pin| (pin.vertex, pin.origin)).collect(),
            grab: simulation.state.grab,
            parameters: simulation.parameters,
            colliders: simulation.state.world.colliders.as_slice().into(),
            solver: simulation.solver().info(),
            capabilities: simulation.solver().capabilities(),
            ignored: all.filter_map(|param| Some((param.key, simulation.ignored(param)?))).collect(),
            settings: (0..settings.params().len()).map(|index| settings.get(index)).collect(),
            scene: Arc::clone(&self.shared.0),
            defaults: Arc::clone(&self.shared.1),
            stats: self.stats,
            readouts: self.readouts(measured),
            contacts: self.watch.contacts.then(|| simulation.contact_marks().into()),
            residuals: self.watch.residuals.then(|| simulation.residuals().into()),
            examples: simulation.solver().example_weights(),
            probes: self.watch.probes.iter().flatten().filter_map(|vertex| simulation.read_vertex(*vertex)).collect(),
            intersections: self.watch.intersections.then(|| intersections(simulation)),
            paused: self.paused,
            failure: self.failure.clone(),
            message: self.message.clone().or_else(|| self.note.clone()),
            opened: self.opened.clone(),
            offer: self.offer.clone(),
            stepping_seconds: self.stepping_seconds,
            contact_seconds: self.contact_seconds,
            taken: self.taken,
            sums: self.sums,
            timeline: self.timeline_summary(),
            ghost: self.ghost(),
        }
    }

    fn readouts(&self, measured: Measured) -> Readouts {
        let simulation = &self.simulation;
        let grab = simulation.state.grab;
        Readouts {
            energy: measured.energy,
            largest_stretch: measured.stretch.largest,
            mean_stretch: measured.stretch.mean,
            steps: measured.steps,
            grab_force: grab.and_then(|grab| simulation.reaction(grab.vertex)).map(|force| force.length()),
            hand_work: self.hand_work,
            air_work: self.air_work,
            substep_length: simulation.substep_length(),
            is_adaptive: simulation.is_adaptive(),
        }
    }
}

/// Pairs of triangles that intersect; a triangle in a collider is paired with itself.
fn intersections(simulation: &Simulation) -> Arc<[[u32; 2]]> {
    let mut search = Intersections::default();
    let [pairs, in_colliders] = simulation.find_intersections(&mut search);
    pairs.iter().copied().chain(in_colliders.iter().map(|[triangle, _]| [*triangle; 2])).collect()
}
