//! Measurements of the lanes of a step: what frames tell now, beside what they told at the start.

use super::LessonMeasure;
use super::quantity::LessonQuantity;
use crate::session::{Frame, Totals};
use crate::sim::quantities::{MEASURES, Measure, Numbers, Over, Quantity};
use crate::sim::{Real, Vec3};

/// The frames of all lanes at one time.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The frame of each lane, the first one being the reference.
    pub frames: &'a [&'a Frame],
    /// Root mean square distance of each lane to the reference [m], where it is known.
    pub distances: &'a [Option<Real>],
}

/// A lane at the start of the step, and its extremes since.
#[derive(Debug, Clone)]
struct Start {
    generation: u64,
    totals: Totals,
    positions: Vec<Vec3>,
    /// Those of the quantities that are compared with the start.
    numbers: Numbers,
    longest_step: Real,
    /// The largest values since, of the quantities that have such a measure.
    largest: Numbers,
}

/// The quantities that have such measures.
fn measured(over: &[Over]) -> impl Iterator<Item = Quantity> {
    MEASURES.iter().map(|measure| measure.of).filter(|(_, own)| over.contains(own)).map(|(quantity, _)| quantity)
}

/// The numbers that are compared with later ones.
fn start_of(frame: &Frame) -> Numbers {
    let compared = measured(&[Over::Rise, Over::Fall]).chain([Quantity::Energy]);
    Numbers::of(&compared.collect::<Vec<_>>(), frame)
}

/// Measurements since the step of a lesson began.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    lanes: Vec<Start>,
}

fn middle(positions: &[Vec3]) -> Vec3 {
    positions.iter().sum::<Vec3>() / positions.len().max(1) as Real
}

impl Measured {
    /// Begins with these frames; `longest_steps` has that of each lane [s].
    #[must_use]
    pub fn begin(seen: &Seen, longest_steps: &[Real]) -> Self {
        let start = |(frame, longest_step): (&&Frame, &Real)| Start {
            generation: frame.generation,
            totals: frame.totals,
            positions: frame.positions.clone(),
            numbers: start_of(frame),
            longest_step: *longest_step,
            largest: Numbers::of(&measured(&[Over::Largest]).collect::<Vec<_>>(), *frame),
        };
        Self { lanes: seen.frames.iter().zip(longest_steps).map(start).collect() }
    }

    /// Takes the extremes of newer frames.
    pub fn follow(&mut self, seen: &Seen) {
        for (start, frame) in self.lanes.iter_mut().zip(seen.frames) {
            // the state of a failed step is the one before it
            for quantity in measured(&[Over::Largest]) {
                let now = quantity.value(*frame).unwrap_or(Real::NAN);
                start.largest[quantity] = start.largest[quantity].max(now);
            }
            // a reset, after which time begins again
            if frame.generation != start.generation {
                start.generation = frame.generation;
                start.positions.clone_from(&frame.positions);
                start.numbers = start_of(frame);
                start.numbers[Quantity::Time] = 0.0;
            }
        }
    }

    /// Whether a step was tried since, in any lane, or the cloth is another one.
    #[must_use]
    pub fn has_moved(&self, seen: &Seen) -> bool {
        self.lanes.iter().zip(seen.frames).any(|(start, frame)| {
            frame.totals.steps != start.totals.steps || frame.failure.is_some() || frame.generation != start.generation
        })
    }

    /// Value of a quantity of a lane, if it is known.
    #[must_use]
    pub fn value(&self, quantity: LessonMeasure, lane: usize, seen: &Seen) -> Option<Real> {
        let (start, frame) = (self.lanes.get(lane)?, *seen.frames.get(lane)?);
        match quantity {
            LessonMeasure::Run(measure) => start.measure(measure, frame),
            LessonMeasure::Lesson(LessonQuantity::Distance) => *seen.distances.get(lane)?,
            LessonMeasure::Lesson(own) => start.own(own, frame),
        }
        .filter(|value| !value.is_nan())
    }
}

impl Start {
    fn measure(&self, measure: &'static Measure, frame: &Frame) -> Option<Real> {
        let steps = frame.totals.steps - self.totals.steps;
        Some(match measure.of {
            // those before a reset included
            (Quantity::Step, Over::Rise) => steps as Real,
            (quantity, Over::Last) => quantity.value(frame)?,
            (quantity, Over::Rise) => quantity.value(frame)? - self.numbers[quantity],
            (quantity, Over::Fall) => self.numbers[quantity] - quantity.value(frame)?,
            (quantity, Over::Largest) => self.largest[quantity],
            (_, Over::Sum | Over::Steps) => frame.totals.sums.since(&self.totals.sums, measure),
            (_, Over::Mean) => frame.totals.sums.since(&self.totals.sums, measure) / steps as Real,
        })
    }

    fn own(&self, quantity: LessonQuantity, frame: &Frame) -> Option<Real> {
        Some(match quantity {
            LessonQuantity::Drift => {
                let moved = middle(&frame.positions) - middle(&self.positions);
                moved.x.hypot(moved.z)
            }
            LessonQuantity::EnergyLost => {
                let most = Some(self.largest[Quantity::Kinetic]).filter(|most| *most > 0.0)?;
                (self.numbers[Quantity::Energy] - frame.readouts.energy.total()?) / most
            }
            LessonQuantity::Hand => {
                let held = frame.grab.map(|grab| grab.vertex as usize);
                let ends = held.and_then(|held| self.positions.get(held).zip(frame.positions.get(held)));
                ends.map_or(0.0, |(before, now)| before.distance(*now))
            }
            LessonQuantity::Pins => frame.pins.len() as Real,
            LessonQuantity::LongestStep => self.longest_step,
            LessonQuantity::Distance => return None,
        })
    }
}
