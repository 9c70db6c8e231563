//! Windows of stability of the harmonic oscillator: steps longer than the period of a spring at
//! which a pair of vertices stays bounded (Kang, section 2.4 and figure 2).
//!
//! Two vertices joined by one spring oscillate with the angular frequency `ω`, the period
//! `h_c = 2π/ω` and the damping ratio `ξ`. A step `h = μ h_c` takes stretch and rate to
//!
//! ```text
//! r⁺ = a r - b δ,   δ⁺ = δ + h r⁺,   a = 1 - s + s e (C - α S),   b = s e ω² S
//! ```
//!
//! with the share `s`, and `e`, `C`, `S`, `α` of the impulse (`physics.md` section 2.1). The map has
//! the determinant `a` and the trace `1 + a - h b`, so it is stable if
//!
//! ```text
//! |a| < 1   and   0 < h b < 2 (1 + a).
//! ```
//!
//! The first inequality of the second pair is `sin ω_d h > 0`: windows lie between each multiple of
//! the period and the next half. Strong damping opens them; weak damping leaves a gap inside.

use std::f64::consts::TAU;
use std::ops::ControlFlow;

use super::run::{End, always, run};
use crate::sim::model::material::{DampingModel, Mass, MassModel};
use crate::sim::pattern::{Family, Springs};
use crate::sim::solvers::HarmonicOscillator;
use crate::sim::solvers::oscillator::Oscillator;
use crate::sim::{Pattern, Real, Simulation, Vec3};

/// Steps that a pair has to stay bounded for.
pub const STEPS: u64 = 600;
/// Bound on its stretch, as a share of the length: beyond, the vertices meet and the map ends.
pub const REACH: Real = 0.9;
/// Stretch at the start, as a share of the length.
pub const START: Real = 0.001;

/// A pair of vertices of 1 kg each, 1 m apart, with a spring of the period 1 s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Share of the impulse that the method applies; the paper has ½.
    pub share: Real,
    /// Damping ratio `ξ`.
    pub damping_ratio: Real,
}

impl Pair {
    const MASS: Real = 1.0;

    fn oscillator(self) -> Oscillator {
        let reduced_mass = 0.5 * Self::MASS;
        let stiffness = reduced_mass * TAU * TAU;
        Oscillator { stiffness, damping: 2.0 * self.damping_ratio * TAU * reduced_mass, reduced_mass }
    }

    /// Growth of the motion in a step of `periods`: the largest absolute value of an eigenvalue of
    /// the map.
    #[must_use]
    pub fn growth(self, periods: Real) -> Real {
        let (oscillator, h) = (self.oscillator(), periods);
        let rate_after = |stretch: Real, rate: Real| oscillator.after(h, stretch, rate).1;
        let a = 1.0 - self.share + self.share * rate_after(0.0, 1.0);
        let b = -self.share * rate_after(1.0, 0.0);
        let (determinant, half) = (a, 0.5 * (1.0 + a - h * b));
        let square = half * half - determinant;
        if square < 0.0 { determinant.sqrt() } else { half.abs() + square.sqrt() }
    }

    /// Whether the map of a step of `periods` is stable.
    #[must_use]
    pub fn is_stable(self, periods: Real) -> bool {
        self.growth(periods) < 1.0
    }

    /// Whether the method holds the pair, stretched by a thousandth at the start, for 600 steps of
    /// `periods`.
    #[must_use]
    pub fn holds(self, periods: Real) -> bool {
        let mut simulation = self.simulation(periods);
        let end = run(&mut simulation, STEPS, &mut always, |simulation, _| {
            let [a, b] = [0, 1].map(|vertex| simulation.state.cloth.positions[vertex]);
            let stretch = (b - a).x - 1.0;
            if stretch.abs() > REACH { ControlFlow::Break(End::Stopped(())) } else { ControlFlow::Continue(()) }
        });
        end == End::Done
    }

    fn simulation(self, periods: Real) -> Simulation {
        let springs = Springs { ends: vec![[0, 1]], rest_lengths: vec![1.0], families: vec![Family::Structural] };
        let pattern = Pattern::new(vec![Vec3::ZERO, Vec3::X], Vec::new(), springs);
        let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: Self::MASS, ..Mass::default() };
        let mut solver = HarmonicOscillator::default();
        solver.settings.share = self.share;
        let mut simulation = Simulation::new(pattern, mass, Box::new(solver));
        let Oscillator { stiffness, damping, .. } = self.oscillator();
        let parameters = &mut simulation.parameters;
        parameters.material.structural_stiffness = stiffness;
        parameters.material.damping = damping;
        parameters.material.damping_model = DampingModel::AlongSpring;
        parameters.gravity.gravity = 0.0;
        parameters.contact.ground = false;
        parameters.timing.time_step = periods;
        simulation.state.cloth.positions[1] = Vec3::X * (1.0 + START);
        simulation
    }

    /// The windows up to `most` periods by the map, to `step` periods: first and last stable step.
    #[must_use]
    pub fn windows(self, most: Real, step: Real) -> Vec<[Real; 2]> {
        let mut windows: Vec<[Real; 2]> = Vec::new();
        let mut was_stable = false;
        for number in 1..=(most / step).round() as u32 {
            let periods = Real::from(number) * step;
            let is_stable = self.is_stable(periods);
            match windows.last_mut() {
                Some(window) if was_stable && is_stable => window[1] = periods,
                _ if is_stable => windows.push([periods; 2]),
                _ => {}
            }
            was_stable = is_stable;
        }
        windows
    }
}
