//! Misprints of the papers: what is printed, beside the right form by independent numbers, and beside the program.
//! `src/papers/errata.md` has them by number.

use weft::sim::forces::springs::{Blocks, jacobian, spring_force};
use weft::sim::params::Setting;
use weft::sim::solvers::Softness;
use weft::sim::solvers::oscillator::Oscillator;
use weft::sim::{Simulation, Vec3};

use crate::fixtures::{advance, set};
use crate::oscillator::{axis, joined, pair};

/// Derivative of `f` at `d` by each coordinate, by central differences.
fn slopes(d: Vec3, f: impl Fn(Vec3) -> Vec3) -> [Vec3; 3] {
    let e = 1e-6;
    Vec3::AXES.map(|axis| (f(d + axis * e) - f(d - axis * e)) / (2.0 * e))
}

/// `∫ f dt` from 0 to `h`, by Simpson's rule.
fn integral(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    let parts = 2000;
    let step = h / f64::from(parts);
    let weight = |at: i32| if at == 0 || at == parts { 1.0 } else { f64::from(2 + 2 * (at % 2)) };
    (0..=parts).map(|at| weight(at) * f(f64::from(at) * step)).sum::<f64>() * step / 3.0
}

/// The relative velocity of a pair along its axis [m/s].
fn rate(simulation: &Simulation) -> f64 {
    (simulation.state.cloth.velocities[1] - simulation.state.cloth.velocities[0]).dot(axis())
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

#[test]
fn the_derivative_of_a_spring_has_the_cube_of_its_length_below_and_that_of_damping_is_by_the_other_end() {
    let (k, c, rest) = (320.0, 4.0, 0.7);
    let (d, dv) = (Vec3::new(0.8, -1.5, 0.6), Vec3::new(0.2, 0.5, -0.9));
    let l = d.length();
    // φ = 1 - L/l, on every axis
    let phi = slopes(d, |d| Vec3::splat(1.0 - rest / d.length())).map(|slope| slope.x);
    for (axis, slope) in phi.into_iter().enumerate() {
        assert!((slope - rest / l.powi(3) * d[axis]).abs() < 1e-8);
        // the chain of section 1.3 has L/l where L/l² is due, before ∂l/∂x = d/l
        assert!((slope - rest / l * (d / l)[axis]).abs() > 0.03, "{slope}");
    }
    let by_place = slopes(d, |d| spring_force::<false>(k, 0.0, rest, d, dv));
    for (axis, slope) in Vec3::AXES.into_iter().zip(by_place) {
        assert!((jacobian(k, rest, d, Blocks::Raw) * axis - slope).length() < 1e-5);
        let printed = (d * (rest / l * d.dot(axis)) + axis * (1.0 - rest / l)) * k;
        assert!((printed - slope).length() > 5.0, "{printed} and {slope}");
    }
    // f_i = c (v_j - v_i): +c by v_j, as the result has it; by v_i, as the fraction has it, -c
    for (axis, slope) in Vec3::AXES.into_iter().zip(slopes(dv, |dv| spring_force::<false>(0.0, c, rest, d, dv))) {
        assert!((slope - axis * c).length() < 1e-6);
    }
}

#[test]
fn the_matrix_of_implicit_euler_is_that_of_the_mass_less_the_derivative() {
    // the pair along its axis: (μ + h² k) Δr = -h k δ - h² k r
    let (k, m, delta, r): (f64, f64, f64, f64) = (40.0, 0.5, 0.2, 0.7);
    for h in [0.02, 0.1, 0.3] {
        let mut simulation = pair("implicit-euler", k, 0.0, m);
        set(&mut simulation, "residual_tolerance", Setting::Real(1e-12));
        simulation.parameters.timing.time_step = h;
        simulation.state.cloth.positions[1] = axis() * (1.0 + delta);
        simulation.state.cloth.velocities[1] = axis() * r;
        advance(&mut simulation, 1);
        let found = rate(&simulation) - r;
        let (mu, b) = (0.5 * m, -h * k * (delta + h * r));
        assert!(near(found, b / (mu + h * h * k)), "h = {h}: {found}");
        // the listings: M + h² J, which is singular at h² k = μ
        assert!(!near(found, b / (mu - h * h * k)));
        assert_eq!(b / (mu - h * h * k) > 0.0, h * h * k > mu, "it drives the ends further apart");
        // section 1.2: h² M⁻¹ Δv instead of h² M⁻¹ J Δv
        assert!(!near(found, b / mu / (1.0 - h * h / m)));
    }
}

#[test]
fn a_sweep_takes_the_velocity_of_the_other_end_and_begins_again_from_the_right_side() {
    let (k, m, h, r): (f64, f64, f64, f64) = (40.0, 0.5, 0.1, 0.7);
    let diagonal = m + h * h * k;
    // at its rest length a spring has no force, and only h² J v acts
    let mut resting = pair("jacobi-implicit", k, 0.0, m);
    set(&mut resting, "sweeps", Setting::Integer(0));
    resting.parameters.timing.time_step = h;
    resting.state.cloth.velocities[1] = axis() * r;
    advance(&mut resting, 1);
    let found = resting.state.cloth.velocities[0].dot(axis());
    assert!(near(found, h * h * k * r / diagonal), "{found}");
    // lines 22 and 23 multiply J_ij with the velocity of the own end: J_ii v_i + J_ij v_i = 0
    assert!(found > 0.1);
    // under its weight the pair falls as a whole: Δv⁰ = b/D, then (b + h² k Δv)/D along the axis
    let fall = -9.8 * h * axis().y;
    for sweeps in [1_u32, 2, 60] {
        let mut falling = pair("jacobi-implicit", k, 0.0, m);
        falling.parameters.gravity.gravity = 9.8;
        set(&mut falling, "sweeps", Setting::Integer(sweeps));
        falling.parameters.timing.time_step = h;
        advance(&mut falling, 1);
        let found = falling.state.cloth.velocities[0].dot(axis());
        let (mut right, mut printed, mut accumulated) = (m * fall / diagonal, m * fall / diagonal, m * fall);
        for _ in 0..sweeps {
            right = (m * fall + h * h * k * right) / diagonal;
            accumulated += h * h * k * printed;
            printed = accumulated / diagonal;
        }
        assert!(near(found, right), "{sweeps} sweeps: {found}, not {right}");
        if sweeps == 60 {
            assert!((found / fall - 1.0).abs() < 1e-9, "the sweeps end at the fall of implicit Euler");
            assert!(printed > 1e3 * fall, "line 31 adds every sweep to b: {printed} m/s");
        }
    }
}

/// The impulse of an undamped spring as section 2.2 writes it, with the phase `asin(δ/A)`.
fn by_phase(k: f64, mu: f64, h: f64, delta: f64, rate: f64) -> f64 {
    let omega = (k / mu).sqrt();
    let amplitude = delta.hypot(rate / omega);
    let start = (delta / amplitude).asin();
    k * amplitude / omega * ((start + omega * h).cos() - start.cos())
}

#[test]
fn the_phase_of_an_oscillation_needs_the_sign_of_its_rate() {
    let (k, mu, h, delta): (f64, f64, f64, f64) = (40.0, 0.25, 0.13, 0.2);
    let omega = (k / mu).sqrt();
    for rate in [0.7, -0.7] {
        let exact = integral(h, |t| k * (delta * (omega * t).cos() + rate / omega * (omega * t).sin()));
        let impulse = Oscillator { stiffness: k, damping: 0.0, reduced_mass: mu }.impulse(h, delta, rate);
        assert!(near(impulse, exact), "{impulse}, not {exact}");
        let printed = -by_phase(k, mu, h, delta, rate);
        assert_eq!(near(printed, exact), rate > 0.0, "{rate} m/s: {printed}, exactly {exact}");
    }
}

#[test]
fn the_rate_of_a_length_is_along_the_unit_vector() {
    let (d, dv) = (Vec3::new(0.9, -1.2, 2.0), Vec3::new(0.3, 0.8, -0.5));
    let e = 1e-6;
    let slope = ((d + dv * e).length() - (d - dv * e).length()) / (2.0 * e);
    assert!((slope - d.normalize().dot(dv)).abs() < 1e-9);
    assert!((slope - d.dot(dv)).abs() > 0.5, "x ᵀ v without the hat is a rate times the length");
}

#[test]
fn half_the_impulse_draws_the_ends_together_and_is_divided_by_the_mass_once() {
    let (k, m, h, delta): (f64, f64, f64, f64) = (40.0, 3.0, 0.13, 0.2);
    let mu = 0.5 * m;
    let omega = (k / mu).sqrt();
    let impulse = integral(h, |t| k * delta * (omega * t).cos());
    let mut simulation = pair("harmonic-oscillator", k, 0.0, m);
    set(&mut simulation, "share", Setting::Real(0.5));
    simulation.parameters.timing.time_step = h;
    simulation.state.cloth.positions[1] = axis() * (1.0 + delta);
    advance(&mut simulation, 1);
    let found = simulation.state.cloth.velocities[0].dot(axis());
    assert!(near(found, 0.5 * impulse / m), "{found}");
    // 2.2 has 1/(2 m) before the sum, and divides by m again
    assert!(!near(found, 0.5 * impulse / (m * m)));
    // both sections multiply φ by the unit vector from j to i, which is -1 here for i
    let of_section_2_2 = by_phase(k, mu, h, delta, 0.0);
    assert!(near(-0.5 * of_section_2_2 / m, found), "the sign of 2.2 draws them together");
    let of_section_2_3 = damped_impulse(k, mu, 0.0, h, [delta, 0.0], Form::Right);
    assert!(near(of_section_2_3, -of_section_2_2), "2.3 has the other sign for the same vector");
    // algorithm 5 names the force from outside and never adds it; the text does, and a pair at rest falls with h g
    let mut falling = pair("harmonic-oscillator", k, 0.0, m);
    falling.parameters.gravity.gravity = 9.8;
    falling.parameters.timing.time_step = h;
    advance(&mut falling, 1);
    assert!(falling.state.cloth.velocities.iter().all(|v| v.distance(Vec3::NEG_Y * (9.8 * h)) < 1e-12));
}

/// Ways to evaluate `∫ κ δ dt` of a damped oscillation by the formula of section 2.3.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Right,
    /// The lower limit of the integral with `exp(+α T₀)` and `cos ω_d h`.
    LowerLimit,
    /// `C^h` divided by `α² + ω_d²` as well.
    TwiceDivided,
    /// Amplitude and phase of the motion without damping, as algorithm 5 computes them.
    UndampedPhase,
}

fn damped_impulse(k: f64, mu: f64, c: f64, h: f64, [delta, rate]: [f64; 2], form: Form) -> f64 {
    let (alpha, omega) = (c / (2.0 * mu), (k / mu).sqrt());
    let damped = (omega * omega - alpha * alpha).sqrt();
    let slope = if form == Form::UndampedPhase { rate / omega } else { (rate + alpha * delta) / damped };
    let start = delta.atan2(slope) / if form == Form::UndampedPhase { omega } else { damped };
    let grown = if form == Form::UndampedPhase { 1.0 } else { (alpha * start).exp() };
    let amplitude = delta.hypot(slope) * grown;
    let square = alpha * alpha + damped * damped;
    // A exp(-α t) (-α sin - ω_d cos)/(α² + ω_d²) between the limits
    let at = |t: f64| (-alpha * t).exp() / square * (-alpha * (damped * t).sin() - damped * (damped * t).cos());
    let upper = at(start + h) / if form == Form::TwiceDivided { square } else { 1.0 };
    let lower = if form == Form::LowerLimit {
        (alpha * start).exp() / square * (-alpha * (damped * start).sin() - damped * (damped * h).cos())
    } else {
        at(start)
    };
    k * amplitude * (upper - lower)
}

#[test]
fn the_integral_of_a_damped_spring_has_its_own_limits_amplitude_and_phase() {
    let (k, mu, c, h): (f64, f64, f64, f64) = (40.0, 0.25, 1.1, 0.13);
    let (alpha, omega) = (c / (2.0 * mu), (k / mu).sqrt());
    let damped = (omega * omega - alpha * alpha).sqrt();
    for [delta, rate] in [[0.2, 0.7], [0.2, -0.7], [-0.1, 0.4]] {
        let stretch = |t: f64| {
            (-alpha * t).exp() * (delta * (damped * t).cos() + (rate + alpha * delta) / damped * (damped * t).sin())
        };
        let exact = integral(h, |t| k * stretch(t));
        let by = |form| damped_impulse(k, mu, c, h, [delta, rate], form);
        assert!(near(by(Form::Right), exact), "{}, not {exact}", by(Form::Right));
        for form in [Form::LowerLimit, Form::TwiceDivided, Form::UndampedPhase] {
            assert!((by(form) - exact).abs() > 0.01 * exact.abs(), "{}, exactly {exact}", by(form));
        }
        // the program adds the impulse of the damper, ∫ c δ̇ dt, which the paper leaves out
        let impulse = Oscillator { stiffness: k, damping: c, reduced_mass: mu }.impulse(h, delta, rate);
        assert!(near(impulse, exact + c * (stretch(h) - delta)), "{impulse}");
    }
}

#[test]
fn the_diagonal_of_the_hybrid_has_the_derivative_of_the_damping() {
    // across the axis a spring at its rest length has damping alone: Δv = h c r/(m + h c)
    let (m, h, r) = (0.5, 0.1, 0.7);
    let across = axis().any_orthonormal_vector();
    for c in [0.5, 50.0] {
        let mut simulation = pair("hybrid", 40.0, c, m);
        set(&mut simulation, "oscillator_weight", Setting::Real(0.0));
        simulation.parameters.timing.time_step = h;
        simulation.state.cloth.velocities[1] = across * r;
        advance(&mut simulation, 1);
        let found = simulation.state.cloth.velocities[0].dot(across);
        assert!(near(found, h * c * r / (m + h * c)), "c = {c}: {found}");
        // algorithm 6 has m + h² J alone in its matrix
        assert!(!near(found, h * c * r / m));
        assert!(found < r && (c < 1.0 || h * c * r / m > r), "its listing throws the ends past each other");
    }
}

#[test]
fn the_ratio_of_the_proof_of_the_linear_time_method_is_a_quarter_at_most() {
    let (m, h) = (0.5, 0.1);
    for exponent in -30..=60 {
        let k = 10_f64.powf(0.1 * f64::from(exponent));
        let ratio = m * k * h * h / (m + k * h * h).powi(2);
        assert!(ratio > 0.0 && ratio <= 0.25 + 1e-15, "the paper is to show that it is not above 1: {ratio}");
        // u (1 - 2 ratio), for a spring without rest length
        let mut simulation = joined("stable-mass-spring", 0.0, k, 0.0, m);
        simulation.state.cloth.positions[1] = axis();
        simulation.parameters.timing.time_step = h;
        advance(&mut simulation, 1);
        let apart = (simulation.state.cloth.positions[1] - simulation.state.cloth.positions[0]).dot(axis());
        assert!(near(apart, 1.0 - 2.0 * ratio), "k = {k}: {apart}");
    }
}

#[test]
fn the_force_on_the_second_end_of_a_spring_is_the_opposite_of_that_on_the_first() {
    let mut simulation = pair("symplectic-euler", 8.0, 0.5, 1.0);
    simulation.state.cloth.positions[1] = axis() * 1.3;
    simulation.state.cloth.velocities[1] = Vec3::new(0.1, 0.2, -0.4);
    let before = simulation.state.cloth.velocities.clone();
    advance(&mut simulation, 1);
    let [first, second] = [0, 1].map(|end| simulation.state.cloth.velocities[end] - before[end]);
    assert!(first.length() > 0.01 && (first + second).length() < 1e-15, "{first}, {second}");
}

#[test]
fn a_soft_constraint_has_beta_over_gamma_and_its_force_is_along_the_acceleration() {
    let (m, k, c, h, x, v): (f64, f64, f64, f64, f64, f64) = (0.7, 320.0, 3.0, 0.02, 0.05, -0.8);
    let (gamma, beta) = (1.0 / (c + h * k), h * k / (c + h * k));
    let softness = Softness::from_stiffness(k, c, h);
    assert!(near(softness.error_reduction, beta) && near(softness.force_mixing, gamma / h));
    let implicit = (v - h * k * x / m) / (1.0 + (h * c + h * h * k) / m);
    let after = |share: f64| (v - share * x) / (1.0 + h / (m * gamma));
    assert!(near(after(beta / (m * gamma)), implicit));
    assert!((after(beta / m) - implicit).abs() > 0.01, "with β/m as printed: {} m/s", after(beta / m));
    // v₂ + β x/h + γ f = 0 and v₂ = v + h f/m, so that f = +m dv/dt
    let f = -(implicit + beta * x / h) / gamma;
    assert!(near(f, m * (implicit - v) / h));
    let mut simulation = pair("soft-constraints", k, c, m);
    set(&mut simulation, "small_steps", Setting::Integer(1));
    set(&mut simulation, "sweeps", Setting::Integer(20));
    simulation.parameters.timing.time_step = h;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.positions[1] = axis() * (1.0 + x);
    simulation.state.cloth.velocities[1] = axis() * v;
    advance(&mut simulation, 1);
    assert!(near(rate(&simulation), implicit), "{}", rate(&simulation));
}
