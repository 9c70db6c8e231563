//! Measurements of the lanes of a step: what frames tell now, beside what they told at the start.

use super::Quantity;
use crate::session::{Frame, Work};
use crate::sim::measure::stretch;
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
    time: Real,
    steps: u64,
    work: Work,
    positions: Vec<Vec3>,
    energy: Option<Real>,
    longest_step: Real,
    most_stretch: Real,
    most_kinetic: Real,
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
            time: frame.time,
            steps: frame.taken.0,
            work: frame.work,
            positions: frame.positions.clone(),
            energy: frame.readouts.energy.total(),
            longest_step: *longest_step,
            most_stretch: frame.readouts.largest_stretch,
            most_kinetic: frame.readouts.energy.kinetic,
        };
        Self { lanes: seen.frames.iter().zip(longest_steps).map(start).collect() }
    }

    /// Takes the extremes of newer frames.
    pub fn follow(&mut self, seen: &Seen) {
        for (start, frame) in self.lanes.iter_mut().zip(seen.frames) {
            // the state of a failed step is the one before it
            start.most_stretch = start.most_stretch.max(frame.readouts.largest_stretch);
            start.most_kinetic = start.most_kinetic.max(frame.readouts.energy.kinetic);
            // a reset, after which time begins again
            if frame.generation != start.generation {
                (start.generation, start.time) = (frame.generation, 0.0);
                (start.positions, start.energy) = (frame.positions.clone(), frame.readouts.energy.total());
            }
        }
    }

    /// Whether a step was tried since, in any lane, or the cloth is another one.
    #[must_use]
    pub fn has_moved(&self, seen: &Seen) -> bool {
        self.lanes.iter().zip(seen.frames).any(|(start, frame)| {
            frame.taken.0 != start.steps || frame.failure.is_some() || frame.generation != start.generation
        })
    }

    /// Value of a quantity of a lane, if it is known.
    #[must_use]
    pub fn value(&self, quantity: Quantity, lane: usize, seen: &Seen) -> Option<Real> {
        let (start, frame) = (self.lanes.get(lane)?, seen.frames.get(lane)?);
        let moved = middle(&frame.positions) - middle(&start.positions);
        let work = |of: fn(&Work) -> u64| (of(&frame.work) - of(&start.work)) as Real;
        Some(match quantity {
            Quantity::Time => frame.time - start.time,
            Quantity::Steps => (frame.taken.0 - start.steps) as Real,
            Quantity::Stretch => frame.readouts.largest_stretch,
            Quantity::MostStretch => start.most_stretch,
            Quantity::Compression => {
                let strains = stretch(&frame.pattern, &frame.positions).map(|(_, strain)| strain);
                -strains.fold(0.0, Real::min)
            }
            Quantity::Height => {
                let heights = || frame.positions.iter().map(|position| position.y);
                heights().fold(Real::NEG_INFINITY, Real::max) - heights().fold(Real::INFINITY, Real::min)
            }
            Quantity::Fall => -moved.y,
            Quantity::Drift => moved.x.hypot(moved.z),
            Quantity::Kinetic => frame.readouts.energy.kinetic,
            Quantity::MostKinetic => start.most_kinetic,
            Quantity::EnergyLost => {
                let most = Some(start.most_kinetic).filter(|most| *most > 0.0)?;
                (start.energy? - frame.readouts.energy.total()?) / most
            }
            Quantity::Factorisations => work(|work| work.factorisations),
            Quantity::Updates => work(|work| work.updates),
            Quantity::Iterations => work(|work| work.iterations),
            Quantity::Distance => (*seen.distances.get(lane)?)?,
            Quantity::Truncated => work(|work| work.truncated),
            Quantity::Hand => {
                let held = frame.grab.map(|grab| grab.vertex as usize);
                let ends = held.and_then(|held| start.positions.get(held).zip(frame.positions.get(held)));
                ends.map_or(0.0, |(before, now)| before.distance(*now))
            }
            Quantity::Pins => frame.pins.len() as Real,
            Quantity::LongestStep => start.longest_step,
        })
    }
}
