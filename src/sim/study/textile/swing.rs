//! A strip that hangs from a clamp, is let go aside, and swings until the air has stopped it.

use super::{Figure, GRAVITY, Outcome, Specimen};
use crate::sim::{Parameters, Real, Simulation, Vec3};

/// Cells across and along the strip, with the one in its clamp, and their size [m].
const CELLS: [usize; 2] = [5, 21];
const CELL: Real = 0.01;
/// Mean angle from the vertical at which it is let go [rad].
const ANGLE: Real = 10.0 * std::f64::consts::PI / 180.0;
/// Parts of the integration of the line along which it is let go.
const PARTS: u32 = 100;
/// Longest step of time [s]: the damping of the solver is then small.
const STEP: Real = 2e-3;
/// Longest time of swinging [s].
const LONGEST: Real = 20.0;
/// Longest half of a swing [s]: a strip that has not crossed the vertical by then creeps.
const HALF: Real = 1.0;
/// Share of the energy of the swing by which a solver may err before it counts as a rise.
const RISE: Real = 0.01;

/// Time in which the amplitude halves [s].
pub fn decay(specimen: &Specimen) -> Outcome {
    let (mut simulation, swing) = hung(specimen);
    let energy = |simulation: &Simulation| {
        let energy = simulation.energy();
        energy.kinetic + energy.potential + energy.elastic.unwrap_or_default()
    };
    let aside = |simulation: &Simulation| simulation.state.cloth.centroid().z;
    let start = energy(&simulation);
    let mut envelope = Envelope::new(aside(&simulation));
    let mut halved = None;
    while halved.is_none() && simulation.time() < LONGEST {
        simulation.step()?;
        halved = envelope.halved(simulation.time(), aside(&simulation));
    }
    let has_risen = energy(&simulation) > start + RISE * swing;
    let figure = match halved {
        Some(time) => {
            let note = Some(if has_risen { "its energy rises" } else { "its energy falls" });
            Ok(Figure { note, ..Figure::of(time) })
        }
        None if has_risen => Err("the swing does not halve within 20 s, and its energy rises"),
        None => Err("the swing does not halve within 20 s"),
    };
    Ok((figure, simulation))
}

/// The strip at the start, aside, and by how much its potential is above that of a
/// strip that hangs straight down [J].
fn hung(specimen: &Specimen) -> (Simulation, Real) {
    let mut simulation = specimen.simulation_in_air(specimen.sheet(CELLS, CELL));
    let timing = &mut simulation.parameters.timing;
    timing.time_step = timing.time_step.min(STEP);
    let rest = simulation.pattern().rest_positions().to_vec();
    let line = Line::of(specimen);
    let cloth = &mut simulation.state.cloth;
    for (i, x) in rest.iter().enumerate() {
        let below = x.z - CELL;
        // the irregular row at the clamp as well
        let is_held = below < 0.25 * CELL;
        let [down, aside] = if is_held { [below, 0.0] } else { line.place(below) };
        cloth.positions[i] = Vec3::new(x.x, -down, aside);
        if is_held {
            cloth.pin_here(i as u32);
        }
    }
    specimen.suit(&mut simulation);
    let (cloth, gravity) = (&simulation.state.cloth, simulation.parameters.gravity.gravity);
    let lifted = rest.iter().zip(&cloth.positions).zip(&cloth.masses).map(|((x, now), m)| m * (now.y + x.z - CELL));
    let swing = gravity * lifted.sum::<Real>();
    (simulation, swing)
}

/// The line along which a strip is let go: vertical at the clamp and straight beyond a length `λ` of
/// bending under the tension of its weight, so that stiff cloth has no kink there.
///
/// ```text
/// θ(s) = θ_∞ (1 - exp(-s/λ)),   λ² = B/(σ g L)
/// ```
struct Line {
    lambda: Real,
    /// Angle far from the clamp [rad].
    angle: Real,
}

impl Line {
    fn of(specimen: &Specimen) -> Self {
        let length = (CELLS[1] - 1) as Real * CELL;
        let Parameters { material, mass, .. } = specimen.fabric;
        let lambda = (material.bending_stiffness / (mass.area_density * GRAVITY * length)).sqrt();
        let mean = 1.0 - lambda / length * (1.0 - (-length / lambda).exp());
        Self { lambda, angle: if mean > 0.0 { ANGLE / mean } else { ANGLE } }
    }

    /// How far down and aside the line is at the length `s` [m].
    fn place(&self, s: Real) -> [Real; 2] {
        let step = s / Real::from(PARTS);
        let angle = |part: u32| self.angle * (1.0 - (-(Real::from(part) + 0.5) * step / self.lambda).exp());
        let along = |part: u32| angle(part).sin_cos();
        (0..PARTS)
            .map(along)
            .fold([0.0; 2], |[down, aside], (sine, cosine)| [down + step * cosine, aside + step * sine])
    }
}

/// Amplitudes of the half swings of a decaying motion.
struct Envelope {
    first: Real,
    /// Time [s] and amplitude of the last half swing that has ended.
    last: (Real, Real),
    /// The same of the present one, and its side.
    present: (Real, Real),
    side: Real,
    has_crossed: bool,
    /// Since when the first half swing is below half of the start [s].
    below: Option<Real>,
}

impl Envelope {
    /// One that starts at this deflection.
    fn new(start: Real) -> Self {
        let first = start.abs();
        let (last, side) = ((0.0, first), start.signum());
        Self { first, last, present: last, side, has_crossed: false, below: None }
    }

    /// The time at which the amplitude is half of that at the start, if it is known by now: between
    /// two half swings as if it fell exponentially, and of a creep the time of half the deflection.
    fn halved(&mut self, time: Real, deflection: Real) -> Option<Real> {
        let half = 0.5 * self.first;
        if deflection * self.side < 0.0 {
            let (before, amplitude) = self.last;
            let (at, present) = self.present;
            if present <= half {
                return Some(before + (at - before) * (amplitude / half).ln() / (amplitude / present).ln());
            }
            (self.last, self.present) = (self.present, (time, 0.0));
            (self.side, self.has_crossed) = (-self.side, true);
        }
        if deflection.abs() > self.present.1 {
            self.present = (time, deflection.abs());
        }
        if deflection.abs() > half {
            self.below = None;
        } else if !self.has_crossed {
            let since = *self.below.get_or_insert(time);
            return (time - since > HALF).then_some(since);
        }
        None
    }
}
