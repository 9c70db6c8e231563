//! What only time shows: sag and stretch, decay of the motion, jitter at rest, vertices held back.
//!
//! The figures are means over the last quarter of a run of `T` seconds, the decay compares the
//! kinetic energy there with that in its second quarter. Chaos enters them, so they stand beside
//! the error and are no part of it.

use crate::sim::measure::energy;
use crate::sim::{Real, Simulation, StepStats, Vec3};

/// Share of its size that a cloth at rest moves by in a second.
const REST: Real = 0.02;

/// Figures of the end of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeFigures {
    /// Largest strain of a structural spring.
    pub stretch: Real,
    /// Descent of the lowest vertex since the start [m].
    pub sag: Real,
    /// Rate at which the kinetic energy decays [1/s]; none where there is no motion.
    pub decay: Option<Real>,
    /// Amplitude of an alternation from step to step, `¼ |x₊ - 2 x + x₋|`, root mean square [m];
    /// none while the cloth is not at rest.
    pub jitter: Option<Real>,
    /// Most vertices whose motion was cut in a step.
    pub truncated: u32,
}

/// What is compared, at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// Time since the start [s].
    pub time: Real,
    /// Strain, descent and rise of the extreme vertices [m], gain of kinetic and potential energy
    /// [J].
    pub figures: [Real; 4],
}

/// Numbers of a step.
#[derive(Debug, Clone, Copy)]
struct Sample {
    /// Simulated time since the start [s].
    time: Real,
    kinetic: Real,
    stretch: Real,
    lowest: Real,
    highest: Real,
    /// Kinetic and potential energy [J].
    energy: Real,
    /// Mean of `|x₊ - 2 x + x₋|²` [m²].
    alternation: Option<Real>,
    truncated: u32,
}

/// The steps of a run.
#[derive(Debug, Clone)]
pub struct Series {
    samples: Vec<Sample>,
    start: Real,
    lowest_at_start: Real,
    highest_at_start: Real,
    /// All energy at the start [J], with that of the springs, as far as it is known.
    energy_at_start: Real,
    mass: Real,
    size: Real,
    gravity: Real,
    last: [Vec<Vec3>; 2],
}

impl Series {
    /// Of a run that starts with `simulation` as it is.
    #[must_use]
    pub fn of(simulation: &Simulation) -> Self {
        let (cloth, energy) = (&simulation.state.cloth, simulation.energy());
        Self {
            samples: Vec::new(),
            start: simulation.time(),
            lowest_at_start: lowest(&cloth.positions),
            highest_at_start: highest(&cloth.positions),
            energy_at_start: energy.kinetic + energy.potential + energy.elastic.unwrap_or_default(),
            mass: cloth.masses.iter().sum(),
            size: simulation.pattern().size(),
            gravity: simulation.parameters.gravity.gravity,
            last: [Vec::new(), cloth.positions.clone()],
        }
    }

    /// Notes a step, and returns it as it is compared.
    pub(super) fn note(&mut self, simulation: &Simulation, stats: &StepStats) -> Moment {
        let cloth = &simulation.state.cloth;
        let [older, old] = &self.last;
        let alternation = (older.len() == cloth.len()).then(|| {
            let points = cloth.positions.iter().zip(old).zip(older);
            points.map(|((x, old), older)| (*x - *old * 2.0 + *older).length_squared()).sum::<Real>()
                / cloth.len() as Real
        });
        let energy = energy(cloth, self.gravity, None);
        let sample = Sample {
            time: simulation.time() - self.start,
            kinetic: energy.kinetic,
            stretch: simulation.largest_stretch(),
            lowest: lowest(&cloth.positions),
            highest: highest(&cloth.positions),
            energy: energy.kinetic + energy.potential,
            alternation,
            truncated: stats.truncated,
        };
        self.samples.push(sample);
        self.last.swap(0, 1);
        self.last[1].clone_from(&cloth.positions);
        self.moment(&sample)
    }

    /// Simulated time of the run [s].
    #[must_use]
    pub fn lasted(&self) -> Real {
        self.samples.last().map_or(0.0, |sample| sample.time)
    }

    /// Largest strain of a structural spring after any step; zero without one.
    #[must_use]
    pub fn largest_stretch(&self) -> Real {
        self.samples.iter().map(|sample| sample.stretch).fold(0.0, Real::max)
    }

    /// Size of the cloth [m].
    pub(super) fn size(&self) -> Real {
        self.size
    }

    /// Weight of the cloth [N].
    pub(super) fn weight(&self) -> Real {
        self.mass * self.gravity
    }

    /// Each step as it is compared with the reference.
    pub(super) fn moments(&self) -> impl Iterator<Item = Moment> {
        self.samples.iter().map(|sample| self.moment(sample))
    }

    fn moment(&self, sample: &Sample) -> Moment {
        Moment {
            time: sample.time,
            figures: [
                sample.stretch,
                self.lowest_at_start - sample.lowest,
                sample.highest - self.highest_at_start,
                sample.energy - self.energy_at_start,
            ],
        }
    }

    /// The figures of the run as if it had ended at `time` [s]; none without a step until then.
    #[must_use]
    pub fn until(&self, time: Real) -> Option<TimeFigures> {
        let within = |from: Real, to: Real| {
            self.samples
                .iter()
                .filter(move |sample| sample.time > from * time && sample.time <= to * time * (1.0 + 1e-9))
        };
        let mean = |from: Real, to: Real, value: fn(&Sample) -> Option<Real>| {
            let values = within(from, to).filter_map(value);
            let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
            (count > 0).then(|| sum / Real::from(count))
        };
        let kinetic = mean(0.75, 1.0, |sample| Some(sample.kinetic))?;
        let earlier = mean(0.25, 0.5, |sample| Some(sample.kinetic));
        let moves = |kinetic: &Real| *kinetic > 0.0;
        let decay = earlier.filter(moves).zip(Some(kinetic).filter(moves)).map(|(a, b)| (a / b).ln() / (0.5 * time));
        let speed = (2.0 * kinetic / self.mass).sqrt();
        let alternation = mean(0.75, 1.0, |sample| sample.alternation).filter(|_| speed < REST * self.size);
        Some(TimeFigures {
            stretch: mean(0.75, 1.0, |sample| Some(sample.stretch))?,
            sag: self.lowest_at_start - mean(0.75, 1.0, |sample| Some(sample.lowest))?,
            decay,
            jitter: alternation.map(|square| 0.25 * square.sqrt()),
            truncated: within(0.0, 1.0).map(|sample| sample.truncated).max().unwrap_or(0),
        })
    }
}

/// Height of the lowest vertex [m].
fn lowest(positions: &[Vec3]) -> Real {
    positions.iter().map(|x| x.y).fold(Real::INFINITY, Real::min)
}

/// Height of the highest vertex [m].
fn highest(positions: &[Vec3]) -> Real {
    positions.iter().map(|x| x.y).fold(Real::NEG_INFINITY, Real::max)
}
