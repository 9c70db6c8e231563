//! A run of a sweep: its steps and measures.

use std::ops::ControlFlow;

use super::run::{self, End};
use crate::sim::contact::Intersections;
use crate::sim::{Real, Simulation, StepStats, Vec3};

/// Something that is measured of a run.
#[derive(Debug)]
pub struct Measure {
    /// Name on the command line and in tables.
    pub key: &'static str,
    /// SI unit; empty for a pure number.
    pub unit: &'static str,
    /// Its meaning.
    pub help: &'static str,
    /// Whether it is a time that the machine took, so that it differs when the run is repeated.
    pub is_timing: bool,
    value: fn(&Course, &Simulation) -> Option<Real>,
}

impl Measure {
    /// Its label in panels.
    #[must_use]
    pub fn label(&self) -> String {
        if self.is_timing { "step time".to_owned() } else { self.key.replace('_', " ") }
    }
}

const fn measure(
    key: &'static str,
    unit: &'static str,
    help: &'static str,
    value: fn(&Course, &Simulation) -> Option<Real>,
) -> Measure {
    Measure { key, unit, help, is_timing: false, value }
}

/// All measures. "At the end" is at the last state that was good.
pub static MEASURES: &[Measure] = &[
    measure("max_strain", "", "largest strain of a structural spring after any step", |course, _| {
        Some(course.largest_strain)
    }),
    measure("end_strain", "", "largest strain of a structural spring at the end", |_, end| Some(end.largest_stretch())),
    measure("energy", "J", "total energy at the end, if the solver states an elastic one", |_, end| {
        end.energy().total()
    }),
    measure("kinetic", "J", "kinetic energy at the end", |_, end| Some(end.energy().kinetic)),
    measure("elastic", "J", "elastic energy at the end, if the solver states one", |_, end| end.energy().elastic),
    measure("potential", "J", "potential energy at the end, zero at height zero", |_, end| {
        Some(end.energy().potential)
    }),
    measure("end_speed", "m/s", "speed of the fastest vertex at the end", |_, end| {
        Some(end.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, Real::max))
    }),
    measure("lowest", "m", "height of the lowest vertex at the end", |_, end| Some(lowest(&end.state.cloth.positions))),
    measure("sag", "m", "descent of the lowest vertex since the start", |course, end| {
        Some(course.lowest_at_start - lowest(&end.state.cloth.positions))
    }),
    measure("end_time", "s", "simulated time at the end", |_, end| Some(end.time())),
    measure("blow_up", "s", "simulated time before the step that failed, if one did", |course, _| course.failed_at),
    Measure {
        is_timing: true,
        ..measure("ms", "ms", "time of a step on one processor thread, mean", |course, _| {
            course.mean(1e3 * course.seconds)
        })
    },
    measure("mean_iterations", "", "iterations or sweeps of the solver per step, mean", |course, _| {
        course.mean(course.iterations as Real)
    }),
    measure("max_residual", "", "largest residual of a step, in the solver's own measure", |course, _| {
        Some(course.largest_residual)
    }),
    measure("unconverged_steps", "", "steps that did not converge", |course, _| Some(course.unconverged as Real)),
    measure("exhausted_steps", "", "steps that reached their work limit", |course, _| Some(course.exhausted as Real)),
    measure("factorisations", "", "numeric factorisations", |course, _| Some(course.factorisations as Real)),
    measure("torn", "", "vertices added by tearing", |course, _| Some(course.torn as Real)),
    measure("held_back", "", "largest number of vertices with truncated motion in a step", |course, _| {
        Some(Real::from(course.held_back))
    }),
    measure("given_up", "m", "largest truncation of a vertex's motion", |course, _| Some(course.given_up)),
    measure("intersections", "", "pairs of triangles that intersect at the end, counted exactly", |_, end| {
        let mut search = Intersections::default();
        Some(end.find_intersections(&mut search).iter().map(|pairs| pairs.len()).sum::<usize>() as Real)
    }),
];

/// Statistics of the steps of a run.
struct Course {
    /// Height of the lowest vertex at the start [m].
    lowest_at_start: Real,
    largest_strain: Real,
    steps: u64,
    seconds: Real,
    iterations: u64,
    largest_residual: Real,
    unconverged: u64,
    exhausted: u64,
    factorisations: u64,
    torn: u64,
    held_back: u32,
    given_up: Real,
    failed_at: Option<Real>,
}

impl Course {
    fn begin(simulation: &Simulation) -> Self {
        Self {
            lowest_at_start: lowest(&simulation.state.cloth.positions),
            largest_strain: 0.0,
            steps: 0,
            seconds: 0.0,
            iterations: 0,
            largest_residual: 0.0,
            unconverged: 0,
            exhausted: 0,
            factorisations: 0,
            torn: 0,
            held_back: 0,
            given_up: 0.0,
            failed_at: None,
        }
    }

    fn follow(&mut self, stats: &StepStats) {
        self.steps += 1;
        self.seconds += stats.total_seconds();
        self.iterations += u64::from(stats.iterations);
        self.largest_residual = self.largest_residual.max(stats.residual);
        self.unconverged += u64::from(stats.unconverged > 0);
        self.exhausted += u64::from(stats.exhausted > 0);
        self.factorisations += u64::from(stats.factorisations);
        self.torn += u64::from(stats.torn);
        self.held_back = self.held_back.max(stats.held_back);
        self.given_up = self.given_up.max(stats.given_up);
    }

    /// The share of one step; none of a run without steps.
    fn mean(&self, sum: Real) -> Option<Real> {
        (self.steps > 0).then(|| sum / self.steps as Real)
    }
}

/// Height of the lowest vertex [m].
fn lowest(positions: &[Vec3]) -> Real {
    positions.iter().map(|x| x.y).fold(Real::INFINITY, Real::min)
}

/// Result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The measures, in the order in which they were asked for, each in its unit; none where there
    /// is no such number.
    pub values: Vec<Option<Real>>,
    /// Simulated time at the end [s].
    pub time: Real,
    /// How it ended.
    pub end: End,
}

/// Takes `steps` steps, or as many as succeed, and measures.
pub fn measure_run(simulation: &mut Simulation, steps: u64, measures: &[&Measure]) -> Outcome {
    let mut course = Course::begin(simulation);
    let follows_strain = measures.iter().any(|measure| measure.key == "max_strain");
    let end = run::run(simulation, steps, &mut run::always, |simulation, stats| {
        course.follow(stats);
        if follows_strain {
            course.largest_strain = course.largest_strain.max(simulation.largest_stretch());
        }
        ControlFlow::Continue(())
    });
    let time = simulation.time();
    course.failed_at = (end != End::Done).then_some(time);
    Outcome { values: measures.iter().map(|measure| (measure.value)(&course, simulation)).collect(), time, end }
}
