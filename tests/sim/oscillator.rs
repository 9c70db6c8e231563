//! The exact impulse of a spring between two masses.

use proptest::prelude::*;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::{Family, Springs};
use weft::sim::solvers::oscillator::Oscillator;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use super::fixtures::steady_solver_ids;

/// Two vertices a metre apart along a slanted axis, joined by a spring, without gravity.
pub fn pair(solver: &str, stiffness: f64, damping: f64, mass: f64) -> Simulation {
    joined(solver, 1.0, stiffness, damping, mass)
}

/// The same as far apart as their spring is long at rest [m].
pub fn joined(solver: &str, rest_length: f64, stiffness: f64, damping: f64, mass: f64) -> Simulation {
    let springs = Springs { ends: vec![[0, 1]], rest_lengths: vec![rest_length], families: vec![Family::Structural] };
    let pattern = Pattern::new(vec![Vec3::ZERO, axis() * rest_length], Vec::new(), springs);
    let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: mass, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.material.structural_stiffness = stiffness;
    simulation.parameters.material.damping = damping;
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.contact.ground = false;
    simulation
}

pub fn axis() -> Vec3 {
    Vec3::new(2.0, -1.0, 2.0) / 3.0
}

/// Rate of the stretch after `time`, by the textbook's three cases.
fn exact_rate(k: f64, c: f64, mu: f64, time: f64, stretch: f64, rate: f64) -> f64 {
    let (alpha, omega2) = (c / (2.0 * mu), k / mu);
    let square = omega2 - alpha * alpha;
    if square.abs() < 1e-9 * omega2 {
        // (A + B t) exp(-α t)
        let slope = rate + alpha * stretch;
        (slope - alpha * (stretch + slope * time)) * (-alpha * time).exp()
    } else if square > 0.0 {
        // R exp(-α t) cos(ω t - φ)
        let omega = square.sqrt();
        let sine = (rate + alpha * stretch) / omega;
        let (radius, phase) = (stretch.hypot(sine), sine.atan2(stretch));
        let angle = omega * time - phase;
        -radius * (-alpha * time).exp() * (alpha * angle.cos() + omega * angle.sin())
    } else {
        // A exp(r t) + B exp(s t)
        let (r, s) = (-alpha + (-square).sqrt(), -alpha - (-square).sqrt());
        let a = (rate - s * stretch) / (r - s);
        let b = stretch - a;
        a * r * (r * time).exp() + b * s * (s * time).exp()
    }
}

/// Rate of the stretch after one step of the solver.
fn rate_after_a_step(k: f64, c: f64, h: f64, rate: f64, pinned: bool) -> f64 {
    let mut simulation = pair("harmonic-oscillator", k, c, 0.5);
    simulation.parameters.timing.time_step = h;
    simulation.state.cloth.positions[1] = axis() * 1.2;
    if pinned {
        simulation.state.cloth.pin_here(0);
    }
    simulation.state.cloth.velocities[1] += axis() * rate;
    simulation.step().expect("one step is finite");
    (simulation.state.cloth.velocities[1] - simulation.state.cloth.velocities[0]).dot(axis())
}

#[test]
fn an_isolated_pair_has_the_exact_relative_velocity_after_any_step() {
    for pinned in [false, true] {
        let mu: f64 = if pinned { 0.5 } else { 0.25 };
        let k = 40.0;
        let critical = 2.0 * (k * mu).sqrt();
        for c in [0.0, 0.1 * critical, critical, 0.999 * critical, 1.001 * critical, 5.0 * critical] {
            for h in [0.001, 0.05, 0.3, 2.0] {
                let expected = exact_rate(k, c, mu, h, 0.2, 0.7);
                let rate = rate_after_a_step(k, c, h, 0.7, pinned);
                assert!((rate - expected).abs() < 1e-12, "c = {c}, h = {h}: {rate} and not {expected}");
            }
        }
    }
}

#[test]
fn an_undamped_spring_is_not_felt_when_the_step_is_a_whole_number_of_periods() {
    let (k, mu): (f64, f64) = (40.0, 0.25);
    let period = std::f64::consts::TAU / (k / mu).sqrt();
    for count in [1.0, 2.0, 7.0] {
        let rate = rate_after_a_step(k, 0.0, count * period, 0.7, false);
        assert!((rate - 0.7).abs() < 1e-11, "{count} periods: {rate}");
    }
    assert!((rate_after_a_step(k, 0.0, 1.5 * period, 0.7, false) + 0.7).abs() < 1e-11, "half a period turns it round");
}

#[test]
fn a_spring_without_rest_length_is_linear_also_where_its_ends_coincide() {
    let rate_after = |solver: &str, apart: f64| {
        let mut simulation = joined(solver, 0.0, 100.0, 0.0, 1.0);
        simulation.parameters.timing.time_step = 0.1;
        simulation.state.cloth.positions[1] = axis() * apart;
        simulation.state.cloth.velocities[1] = axis();
        simulation.step().expect("one step is finite");
        (simulation.state.cloth.velocities[1] - simulation.state.cloth.velocities[0]).dot(axis())
    };
    for solver in steady_solver_ids() {
        let [together, beside] = [0.0, 1e-9].map(|apart| rate_after(solver, apart));
        assert!((together - beside).abs() < 1e-6, "{solver}: {together} m/s, and {beside} m/s a nanometre apart");
    }
    // 1/(1 + h² k/μ) with the reduced mass μ of half a kilogram
    for solver in ["implicit-euler", "implicit-newton", "fast-mass-spring"] {
        let rate = rate_after(solver, 0.0);
        assert!((rate - 1.0 / 3.0).abs() < 1e-2, "{solver}: {rate} m/s");
    }
}

proptest! {
    #[test]
    fn the_impulse_is_finite_and_continuous_across_critical_damping(
        log_k in -6.0_f64..9.0, log_c in -6.0_f64..4.0, log_m in -4.0_f64..2.0, log_h in -4.0_f64..-1.0,
    ) {
        let [stiffness, damping, reduced_mass, h] = [log_k, log_c, log_m, log_h].map(|log| 10_f64.powf(log));
        let oscillator = Oscillator { stiffness, damping, reduced_mass };
        let (stretch, rate) = oscillator.after(h, 0.1, 1.0);
        prop_assert!(stretch.is_finite() && rate.is_finite());
        // a damped oscillator never has more energy than before
        let energy = |x: f64, v: f64| stiffness * x * x + reduced_mass * v * v;
        prop_assert!(energy(stretch, rate) <= energy(0.1, 1.0) * (1.0 + 1e-9));
        let critical = Oscillator { damping: 2.0 * (stiffness * reduced_mass).sqrt(), ..oscillator };
        let beside = Oscillator { damping: critical.damping * (1.0 + 1e-9), ..oscillator };
        let apart = (critical.after(h, 0.1, 1.0).1 - beside.after(h, 0.1, 1.0).1).abs();
        prop_assert!(apart <= 1e-6 * (1.0 + (stiffness / reduced_mass).sqrt()), "{apart:e}");
    }
}
