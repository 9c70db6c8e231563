//! What happened: numbers of every frame that was shown, and when solver, parameters or scene were changed.

use std::collections::VecDeque;
use std::fmt::Write;

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;

use super::session::{SessionHandle, TakeFrame};
use crate::session::Frame;
use crate::sim::Parameters;
use crate::sim::params::Setting;

/// Most samples that are kept: beyond them every second of the older half goes.
const MOST: usize = 4000;

/// Numbers of one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Simulated time [s].
    pub time: f64,
    /// Energies [J]; those that the solver does not know are not a number.
    pub kinetic: f64,
    /// Elastic energy [J].
    pub elastic: f64,
    /// Of weight [J].
    pub potential: f64,
    /// Largest stretch of a thread [%].
    pub stretch: f64,
    /// What the last step took, and the part of it that contact took [ms].
    pub step_ms: f64,
    /// Contact with colliders and of the cloth with itself [ms].
    pub contact_ms: f64,
    /// Iterations of the last step.
    pub iterations: f64,
    /// Its residual, in the solver's measure.
    pub residual: f64,
}

/// A change at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Simulated time [s].
    pub time: f64,
    /// What was changed.
    pub what: String,
}

/// The course of a run.
#[derive(Debug, Clone, Default)]
pub struct Course {
    /// By rising time.
    pub samples: VecDeque<Sample>,
    /// Likewise.
    pub marks: Vec<Mark>,
}

impl Course {
    /// A table of all samples, with a first line of names and units.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text =
            "time [s],kinetic [J],elastic [J],potential [J],stretch [%],step [ms],contact [ms],iterations,residual\n"
                .to_owned();
        for s in &self.samples {
            let row = [
                s.time,
                s.kinetic,
                s.elastic,
                s.potential,
                s.stretch,
                s.step_ms,
                s.contact_ms,
                s.iterations,
                s.residual,
            ];
            let cells: Vec<String> =
                row.iter().map(|x| if x.is_finite() { x.to_string() } else { String::new() }).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }
}

/// The course of the present run, and of one before that was kept to compare with.
#[derive(Resource, Debug, Default)]
pub struct History {
    /// Of the present run.
    pub now: Course,
    /// Kept.
    pub kept: Option<Course>,
    last: Option<Last>,
}

/// What the last frame was like.
#[derive(Debug)]
struct Last {
    generation: u64,
    steps: u64,
    solver: &'static str,
    settings: Vec<Setting>,
    parameters: Parameters,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<History>().add_systems(
        RunFixedMainLoop,
        (|session: Res<SessionHandle>, mut history: ResMut<History>| history.follow(&session.frame))
            .after(TakeFrame)
            .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
}

impl History {
    /// Takes the numbers of a frame, if it is a new one.
    pub fn follow(&mut self, frame: &Frame) {
        let new = Last {
            generation: frame.generation,
            steps: frame.steps,
            solver: frame.solver.id,
            settings: frame.settings.clone(),
            parameters: frame.parameters,
        };
        let Some(last) = self.last.replace(new) else {
            self.now.samples.push_back(Sample::of(frame));
            return;
        };
        let went_back = self.now.samples.back().is_some_and(|sample| frame.time < sample.time);
        if last.generation != frame.generation || went_back {
            self.now = Course::default();
        } else if let Some(what) = last.change_to(frame) {
            // a slider that is dragged is one change
            self.now.marks.retain(|mark| mark.what != what || frame.time - mark.time > 0.5);
            self.now.marks.push(Mark { time: frame.time, what });
        }
        if last.steps != frame.steps || self.now.samples.is_empty() {
            self.now.samples.push_back(Sample::of(frame));
        }
        if self.now.samples.len() > MOST {
            let mut at = 0;
            self.now.samples.retain(|_| {
                at += 1;
                at > MOST / 2 || at % 2 == 0
            });
        }
    }
}

impl Last {
    /// What is different in `frame`, in words.
    fn change_to(&self, frame: &Frame) -> Option<String> {
        if self.solver != frame.solver.id {
            return Some(frame.solver.name.to_owned());
        }
        let groups = self.parameters.groups().zip(frame.parameters.groups());
        for (before, after) in groups {
            for (index, param) in after.params().iter().enumerate() {
                if before.get(index) != after.get(index) {
                    return Some(format!("{} {}", param.label, param.show(after.get(index))));
                }
            }
        }
        (self.settings != frame.settings).then(|| "Solver setting".to_owned())
    }
}

impl Sample {
    fn of(frame: &Frame) -> Self {
        let energy = frame.readouts.energy;
        let stats = &frame.stats;
        let contact =
            crate::sim::solver::Stage::ALL.into_iter().zip(stats.seconds).filter(|(stage, _)| stage.is_contact());
        Self {
            time: frame.time,
            kinetic: energy.kinetic,
            elastic: energy.elastic.unwrap_or(f64::NAN),
            potential: energy.potential,
            stretch: 100.0 * frame.readouts.largest_stretch,
            step_ms: 1e3 * stats.total_seconds(),
            contact_ms: 1e3 * contact.map(|(_, seconds)| seconds).sum::<f64>(),
            iterations: f64::from(stats.iterations),
            residual: stats.residual,
        }
    }
}
