//! Frames of a session, and the rate of the measurements for them that take passes over the whole
//! cloth: always, unless the cloth is large.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::state::SessionCheckpoint;
use super::timeline::Timeline;
use super::{Frame, Readouts, Session, TimelineSummary};
use crate::sim::contact::Intersections;
use crate::sim::measure::{Energy, Stretch};
use crate::sim::{Real, Simulation, Vec3};

/// Cloths of more springs are large: measuring one takes milliseconds.
const LARGE: usize = 200_000;
/// How long a large cloth is not measured again, at least, and how many times as long as it took.
const REST: Duration = Duration::from_millis(100);
const SHARE: u32 = 5;

/// Measurements of a state that take passes over the whole cloth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    energy: Energy,
    stretch: Stretch,
    shortest_period: Option<Real>,
    /// Steps since time zero of that state.
    steps: u64,
}

impl Measured {
    pub fn of(simulation: &Simulation) -> Self {
        let (material, positions) = (&simulation.parameters.material, &simulation.state.cloth.positions);
        let stretch = Stretch::of(simulation.pattern(), material, positions);
        let shortest_period = simulation.shortest_period();
        Self { energy: simulation.energy(), stretch, shortest_period, steps: simulation.steps() }
    }
}

/// Last measurements.
#[derive(Default)]
pub(super) struct Measuring(Option<Last>);

struct Last {
    measured: Measured,
    /// Orders and ticks that the session had seen, which tell states apart.
    seen: (u64, u64),
    /// The cloth, and how often it had gone to another state than by a step.
    of: (u64, u64),
    at: Instant,
    /// When it may be measured again.
    next: Duration,
}

impl Measuring {
    /// Measurements of the session, which has `seen` so many orders: of its present state, or for a
    /// large cloth of a slightly older one. Measurements from before a jump to another state are
    /// never used.
    pub fn of(&mut self, session: &Session, seen: u64) -> Measured {
        let (of, seen) = ((session.numbers.generation, session.numbers.jumps), (seen, session.script.ticks()));
        let is_large = session.simulation.pattern().springs().len() > LARGE;
        if let Some(last) = &self.0
            && is_large
            && last.of == of
            && (last.seen == seen || last.at.elapsed() < last.next)
        {
            return last.measured;
        }
        let at = Instant::now();
        let measured = Measured::of(&session.simulation);
        let next = REST.max(at.elapsed() * SHARE);
        self.0 = Some(Last { measured, seen, of, at, next });
        measured
    }

    /// Time until the next measurement, if the last one is not of the present state.
    pub fn due(&self, session: &Session, seen: u64) -> Option<Duration> {
        let last = self.0.as_ref().filter(|last| last.seen != (seen, session.script.ticks()))?;
        Some(last.next.saturating_sub(last.at.elapsed()))
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
            ..self.journal.timeline.as_ref().map(Timeline::summary).unwrap_or_default()
        }
    }

    /// The cloth at this time in the future that was left last.
    fn ghost(&self) -> Option<Vec<Vec3>> {
        let (before, after, share) = self.journal.timeline.as_ref()?.left_at(self.simulation.time())?;
        let count = self.simulation.state.cloth.len();
        let is_alike = |saved: &SessionCheckpoint| {
            saved.generation == self.numbers.generation && saved.simulation.state.cloth.len() == count
        };
        let [from, to] = [before, after].map(|saved| &saved.simulation.state.cloth.positions);
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
            generation: self.numbers.generation,
            pattern: simulation.shared_pattern(),
            previous: self.last_step.previous.clone(),
            previous_time: self.last_step.previous_time,
            positions: simulation.state.cloth.positions.clone(),
            time: simulation.time(),
            steps: simulation.steps(),
            ticks: self.script.ticks(),
            pins: simulation.state.cloth.pins().iter().map(|pin| (pin.vertex, pin.origin)).collect(),
            grab: simulation.state.grab,
            parameters: simulation.parameters,
            colliders: simulation.state.world.colliders.as_slice().into(),
            solver: simulation.solver().info(),
            capabilities: simulation.solver().capabilities(),
            ignored: all.filter_map(|param| Some((param.key, simulation.ignored(param)?))).collect(),
            settings: (0..settings.params().len()).map(|index| settings.get(index)).collect(),
            scene: Arc::clone(&self.state.scene),
            defaults: Arc::clone(&self.state.defaults),
            stats: self.last_step.stats,
            readouts: self.readouts(measured),
            contacts: self.watch.contacts.then(|| simulation.contact_marks().into()),
            residuals: self.watch.residuals.then(|| simulation.residuals().into()),
            projections: self.watch.projections.then(|| simulation.projections()).flatten().map(Arc::new),
            examples: simulation.solver().example_weights(),
            probes: self.watch.probes.iter().flatten().filter_map(|vertex| simulation.read_vertex(*vertex)).collect(),
            intersections: self.watch.intersections.then(|| intersections(simulation)),
            paused: self.state.paused,
            failure: self.recovery.failure.clone(),
            message: self.messages.message.clone(),
            note: self.messages.note.clone(),
            opened: self.messages.opened.clone(),
            offer: self.messages.offer.clone(),
            totals: self.totals,
            timeline: self.timeline_summary(),
            ghost: self.ghost(),
        }
    }

    fn readouts(&self, measured: Measured) -> Readouts {
        let simulation = &self.simulation;
        let grab = simulation.state.grab;
        Readouts {
            energy: measured.energy,
            stretch: measured.stretch,
            steps: measured.steps,
            grab_force: grab.and_then(|grab| simulation.reaction(grab.vertex)).map(|force| force.length()),
            hand_work: self.state.hand_work,
            air_work: self.state.air_work,
            substep_length: simulation.substep_length(),
            shortest_period: measured.shortest_period,
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
