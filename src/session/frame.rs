//! Frames: everything that drawing and panels may read.

use std::sync::Arc;

use super::{Command, Failure, TimelineSummary};
use crate::documents::report::LaneRun;
use crate::scene::{Scalar, Scene};
use crate::sim::contact::{Collider, ContactMarks};
use crate::sim::measure::{Energy, ExampleWeights, Probes, Projections, Stretch, VertexReading};
use crate::sim::params::Setting;
use crate::sim::quantities::{Numbers, Reading, StepReading, Sums};
use crate::sim::solver_interface::{Ability, Capabilities, Info};
use crate::sim::solvers;
use crate::sim::step::timing::Rule;
use crate::sim::{Grab, Parameters, Pattern, Quat, Real, Simulation, StepStats, Vec3};

/// The state of a session after its last step or command. Cheap to share, never changed.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Number of the last order that it has seen.
    pub seen: u64,
    /// Counts the cloths; a change means another mesh.
    pub generation: u64,
    /// Rest mesh and springs.
    pub pattern: Arc<Pattern>,
    /// Position of each vertex before the last step [m], for interpolation; as now after anything
    /// else than a step.
    pub previous: Vec<Vec3>,
    /// Simulated time then [s].
    pub previous_time: Real,
    /// Position of each vertex [m].
    pub positions: Vec<Vec3>,
    /// Simulated time [s].
    pub time: Real,
    /// Steps since time zero.
    pub steps: u64,
    /// Ticks since the session began: steps that were ordered.
    pub ticks: u64,
    /// The pinned vertices, rising, with the place that each is held at [m].
    pub pins: Vec<(u32, Vec3)>,
    /// The hand, while it holds a vertex.
    pub grab: Option<Grab>,
    /// The common parameters.
    pub parameters: Parameters,
    /// Colliders beside floor and table.
    pub colliders: Arc<[Collider]>,
    /// The solver at work.
    pub solver: &'static Info,
    /// Its capabilities with its present settings.
    pub capabilities: Capabilities,
    /// The parameters, common and its own, that have no effect at the moment, with the reason.
    pub ignored: Vec<(&'static str, &'static str)>,
    /// Its settings, in the order of their declaration.
    pub settings: Vec<Setting>,
    /// Where the cloth came from; the parameters in it are those of the start.
    pub scene: Arc<Scene>,
    /// The scene as it was loaded.
    pub defaults: Arc<Scene>,
    /// Statistics of the last step.
    pub stats: StepStats,
    /// Numbers about the state.
    pub readouts: Readouts,
    /// Where the cloth touches something, if that is watched.
    pub contacts: Option<Arc<ContactMarks>>,
    /// The force that the solver left unbalanced at each vertex [N], if that is watched; empty
    /// before a step.
    pub residuals: Option<Arc<[Real]>>,
    /// The projections of the solver's local step, if they are watched and it has one.
    pub projections: Option<Arc<Projections>>,
    /// How much of each example the last step has found in each piece; none where no examples take
    /// part.
    pub examples: Vec<ExampleWeights>,
    /// The vertices that are probed.
    pub probes: Vec<VertexReading>,
    /// The pairs of triangles that intersect, sorted, if they are watched.
    pub intersections: Option<Arc<[[u32; 2]]>>,
    /// Whether time stands still.
    pub paused: bool,
    /// Why it stands still, if it blew up.
    pub failure: Option<Arc<Failure>>,
    /// A message for the user on something that went wrong, such as a file that could not be read.
    pub message: Option<String>,
    /// A note for the user, such as on parts of a file that were left out.
    pub note: Option<String>,
    /// The file that the last command to open one has opened; none if it could not be opened.
    pub opened: Option<String>,
    /// An offer on the last command, if there is one.
    pub offer: Option<Offer>,
    /// All steps that the session took so far.
    pub totals: Totals,
    /// The way that the session has gone.
    pub timeline: TimelineSummary,
    /// Where the cloth was at this time in the future that was left last [m], if it is kept and the
    /// same cloth.
    pub ghost: Option<Vec<Vec3>>,
}

/// Sums over all steps that a session took, those before a reset included.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Number of steps.
    pub steps: u64,
    /// Simulated time [s].
    pub time: Real,
    /// Seconds that the steps took.
    pub stepping_seconds: f64,
    /// The part of them that contact took, with colliders and of the cloth with itself.
    pub contact_seconds: f64,
    /// Sums of what each step measures.
    pub sums: Sums,
}

impl Totals {
    /// Adds the last step of a simulation, of `dt` [s].
    pub(super) fn add(&mut self, simulation: &Simulation, stats: &StepStats, dt: Real) {
        self.steps += 1;
        self.time += dt;
        self.contact_seconds += stats.contact_seconds();
        self.sums.add(&StepReading::new(simulation, stats));
    }
}

/// Something that may be wanted after a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// Why, in a sentence.
    pub reason: String,
    /// Its label, in a few words.
    pub label: String,
    /// Its command.
    pub command: Command,
}

/// Optional measurements in frames, which cost some milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Watch {
    /// Which triangles intersect.
    pub intersections: bool,
    /// Where the cloth touches something, and which vertices are held back.
    pub contacts: bool,
    /// Which forces the solver leaves unbalanced.
    pub residuals: bool,
    /// The projections of the solver's local step.
    pub projections: bool,
    /// The work of the air.
    pub air_work: bool,
    /// Vertices of which everything is told.
    pub probes: Probes,
    /// Commands and steps, for a recording; when that ends, they are dropped.
    pub recording: bool,
}

/// Numbers about a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Readouts {
    /// Energies [J].
    pub energy: Energy,
    /// Strains of the cloth.
    pub stretch: Stretch,
    /// Steps since time zero of the state that energies and strains are of: this one, or where the
    /// cloth is so large that they are not found for every frame, one that is little older.
    pub steps: u64,
    /// Force that holds the vertex in the hand [N], if the solver knows it.
    pub grab_force: Option<Real>,
    /// Work that the hand has done on the cloth since time zero [J], as far as the solver knows its
    /// force.
    pub hand_work: Real,
    /// Work that the air has done on the cloth since time zero [J], as far as it was watched.
    pub air_work: Real,
    /// Length of a substep [s]; of the next one if the step is adaptive.
    pub substep_length: Real,
    /// Shortest period of a spring that oscillates alone [s]; none without springs.
    pub shortest_period: Option<Real>,
    /// Whether the substeps follow the motion.
    pub is_adaptive: bool,
}

impl Reading for Frame {
    fn time(&self) -> Real {
        self.time
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The longest way of a vertex in the last step over its time.
    fn fastest(&self) -> Option<Real> {
        let ways = self.previous.iter().zip(&self.positions).map(|(before, now)| before.distance(*now));
        let time = self.time - self.previous_time;
        (time > 0.0).then(|| ways.fold(0.0, Real::max) / time)
    }

    fn stats(&self) -> &StepStats {
        &self.stats
    }

    fn energy(&self) -> Energy {
        self.readouts.energy
    }

    fn stretch(&self) -> Stretch {
        self.readouts.stretch
    }

    fn work(&self) -> Option<[Real; 2]> {
        Some([self.readouts.hand_work, self.readouts.air_work])
    }

    fn intersections(&self) -> Option<usize> {
        self.intersections.as_ref().map(|pairs| pairs.len())
    }

    fn shortest_period(&self) -> Option<Real> {
        self.readouts.shortest_period
    }

    fn substep_length(&self) -> Option<Real> {
        Some(self.readouts.substep_length)
    }

    fn failed_at(&self) -> Option<Real> {
        self.failure.as_ref().map(|failure| failure.time)
    }
}

impl Frame {
    /// The frame at `share` of the way from the frame `before`: vertices and colliders between the
    /// two, of the same cloth.
    #[must_use]
    pub fn part_way(&self, before: &Self, share: Real) -> Self {
        // of a cloth that was torn in between the last step alone is known
        let is_same = before.positions.len() == self.positions.len();
        let from = if is_same { &before.positions } else { &self.previous };
        let still: Vec<Vec3> = from.iter().zip(&self.positions).map(|(a, b)| a.lerp(*b, share)).collect();
        let time = before.time + share * (self.time - before.time);
        let mut colliders = self.colliders.to_vec();
        for (now, before) in colliders.iter_mut().zip(&*before.colliders) {
            let [from, to] = [before.rotation, now.rotation].map(Quat::from_scaled_axis);
            now.rotation = from.slerp(to, share).to_scaled_axis();
            now.position = before.position.lerp(now.position, share);
        }
        Self {
            // as fast as in the whole step
            previous: still.iter().zip(&self.previous).zip(&self.positions).map(|((x, a), b)| *x + (*a - *b)).collect(),
            positions: still,
            time,
            previous_time: time - (self.time - self.previous_time),
            colliders: colliders.into(),
            ..self.clone()
        }
    }

    /// Whether a vertex is pinned.
    #[must_use]
    pub fn is_pinned(&self, vertex: u32) -> bool {
        self.pins.binary_search_by_key(&vertex, |pin| pin.0).is_ok()
    }

    /// The run that has led to it, under a name and with the numbers of its steps.
    #[must_use]
    pub fn lane_run(&self, name: String, samples: Vec<Numbers>) -> LaneRun {
        LaneRun {
            name,
            scene: self.changed_scene(),
            solver: self.solver,
            capabilities: self.capabilities,
            settings: self.settings.clone(),
            rule: match self.capabilities.schemes {
                Ability::Yes => self.parameters.timing.rule(),
                Ability::No(_) => Rule::Own,
            },
            counts: [self.positions.len(), self.pattern.triangles().len()],
            steps: self.steps,
            time: self.time,
            samples,
            failure: self.failure.as_ref().map(|failure| (failure.time, failure.cause.to_string())),
        }
    }

    /// The scene with the parameters and the solver that it has now. Settings of the solver are
    /// left out where the scene names none and these suit the cloth.
    fn changed_scene(&self) -> Scene {
        let mut scene = (*self.scene).clone();
        scene.parameters = self.parameters;
        // one that is at work is known
        let _ = scene.set_solver(self.solver.id);
        let named = scene.settings.clone();
        if let Some(solver) = solvers::build(self.solver.id) {
            let params = solver.settings().params().iter().zip(&self.settings);
            scene.settings = params.map(|(param, value)| (param.key.to_owned(), Scalar::of(param, *value))).collect();
        }
        let suited = |scene: &Scene| {
            scene.build().ok().map(|simulation| crate::scene::collect_settings(simulation.solver().settings()))
        };
        let unnamed = Scene { settings: named.clone(), ..scene.clone() };
        if named.is_empty() && suited(&unnamed).as_ref() == Some(&scene.settings) {
            scene.settings = named;
        }
        scene
    }
}
