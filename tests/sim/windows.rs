//! Kang's experiments with single springs: windows of stability, damping without its derivative, weights of the hybrid,
//! linear drag.

use std::f64::consts::TAU;

use weft::documents::WindowsChart;
use weft::sim::model::material::DampingModel;
use weft::sim::params::Setting;
use weft::sim::quantities::{Quantity, StepReading};
use weft::sim::solver_interface::Stability;
use weft::sim::study::windows::{Pair, REACH, START, STEPS};
use weft::sim::{Simulation, Vec3, solvers};

use crate::fixtures::{advance, rippled, set, square};

/// The method of figure 2: the paper's share.
const fn pair(damping_ratio: f64) -> Pair {
    Pair { share: 0.5, damping_ratio }
}

#[test]
fn a_pair_holds_in_windows_after_each_multiple_of_its_period() {
    // Kang, figure 2: more than 2, 6 and 8 periods are stable; it does not say that 2.7, 6.7 and 8.7 are not
    for (periods, holds) in
        [(0.9, false), (1.3, true), (2.3, true), (2.7, false), (4.3, true), (6.3, true), (6.7, false), (8.3, true)]
    {
        assert_eq!(pair(0.07).holds(periods), holds, "{periods} periods");
        assert_eq!(pair(0.07).is_stable(periods), holds, "{periods} periods by the map");
    }
    assert!(!pair(0.07).holds(8.7) && !pair(0.07).is_stable(8.7));
}

#[test]
fn the_windows_of_strong_damping_reach_from_each_period_to_the_next_half() {
    let windows = pair(0.07).windows(9.0, 0.001);
    assert_eq!(windows.len(), 9, "{windows:?}");
    // the damped oscillation is slower by √(1 - ξ²)
    let slower = (1.0 - 0.07_f64.powi(2)).sqrt();
    for (number, [first, last]) in windows.into_iter().enumerate() {
        let number = number as f64;
        assert!((slower * first - number).abs() < 2e-3 || number == 0.0 && first < 2e-3, "{number}: {first}");
        assert!((slower * last - number - 0.5).abs() < 2e-3, "{number}: {last}");
    }
    // without damping little of them is left, at both ends
    let widths: Vec<f64> = pair(0.0).windows(9.0, 0.001).iter().map(|[first, last]| last - first).collect();
    assert_eq!(widths.len(), 17, "{widths:?}");
    assert!(widths[1..].iter().sum::<f64>() < 0.8, "{widths:?}");
    for (periods, holds) in [(0.45, true), (1.1, true), (1.3, false), (2.3, false), (4.3, false)] {
        assert_eq!(pair(0.0).holds(periods), holds, "{periods} periods without damping");
    }
}

#[test]
fn every_run_of_the_chart_ends_as_the_map_of_a_step_says() {
    for [damping_ratio, periods] in WindowsChart::places() {
        let pair = pair(damping_ratio);
        // very strong damping grows too slowly to fail in 600 steps
        let end = START * pair.growth(periods).powi(STEPS as i32);
        if !(0.01 * REACH..100.0 * REACH).contains(&end) {
            assert_eq!(pair.holds(periods), end < REACH, "{damping_ratio}, {periods} periods: {end} m");
        }
    }
}

#[test]
fn the_period_of_the_stiffest_spring_and_the_step_in_periods_are_measured() {
    let mut simulation = square("harmonic-oscillator", 5, 5);
    simulation.parameters.material.structural_stiffness = 5000.0;
    let stats = simulation.step().expect("stable");
    let now = StepReading::new(&simulation, &stats);
    // two free vertices of 0.1 kg
    let period = TAU / (5000.0_f64 / 0.05).sqrt();
    let [measured, periods] =
        [Quantity::Period, Quantity::Periods].map(|quantity| quantity.value(&now).expect("there"));
    assert!((measured / period - 1.0).abs() < 1e-12, "{measured} s, not {period}");
    assert!((periods - simulation.parameters.timing.time_step / period).abs() < 1e-12, "{periods}");
}

/// A rippled cloth without weight, on which damping acts more than the springs.
fn damped(solver: &str, damping: f64, implicit: bool) -> Simulation {
    let mut simulation = rippled(solver, 6, 6);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.timing.time_step = 0.01;
    simulation.parameters.material.damping = damping;
    set(&mut simulation, "implicit_damping", Setting::Toggle(implicit));
    simulation
}

#[test]
fn strong_damping_is_unstable_where_its_derivative_is_left_out() {
    // Kang, section 1.4
    for solver in ["implicit-euler", "jacobi-implicit"] {
        for law in [DampingModel::Isotropic, DampingModel::AlongSpring] {
            let holds = |damping: f64, implicit: bool| {
                let mut simulation = damped(solver, damping, implicit);
                simulation.parameters.material.damping_model = law;
                (0..400).all(|_| simulation.step().is_ok())
            };
            // that of the paper's table is weak beside mass and springs
            assert!(holds(0.1, false) && holds(0.1, true), "{solver}, {law:?}: weak damping");
            assert!(holds(100.0, true), "{solver}, {law:?}: with the derivative");
            assert!(!holds(100.0, false), "{solver}, {law:?}: without the derivative");
        }
        // without damping there is nothing to leave out
        let [mut with, mut without] = [true, false].map(|implicit| damped(solver, 0.0, implicit));
        advance(&mut with, 20);
        advance(&mut without, 20);
        assert_eq!(with.state.cloth, without.state.cloth, "{solver}");
    }
}

#[test]
fn the_factored_step_without_the_derivative_is_that_of_gradients() {
    let ends = ["conjugate_gradients", "direct"].map(|linear_solver| {
        let mut simulation = damped("implicit-euler", 0.5, false);
        let settings = simulation.solver_mut().settings_mut();
        settings.set_text("linear_solver", linear_solver).expect("a choice");
        settings.set_text("residual_tolerance", "1e-12").expect("in range");
        advance(&mut simulation, 10);
        simulation.state.cloth.positions
    });
    assert!(crate::fixtures::farthest(&ends[0], &ends[1]) < 1e-9);
}

#[test]
fn the_hybrid_is_a_mean_with_any_weights() {
    let after = |weight: f64| {
        let mut simulation = rippled("hybrid", 6, 6);
        set(&mut simulation, "oscillator_weight", Setting::Real(weight));
        set(&mut simulation, "share", Setting::Real(0.5));
        advance(&mut simulation, 1);
        simulation.state.cloth.velocities
    };
    let [implicit, oscillators] = [0.0, 1.0].map(after);
    for weight in [0.25, 0.5, 0.9] {
        let mean: Vec<Vec3> = implicit.iter().zip(&oscillators).map(|(a, b)| a.lerp(*b, weight)).collect();
        let apart = crate::fixtures::farthest(&after(weight), &mean);
        assert!(apart < 1e-14, "weight {weight}: {apart} m/s from the mean");
    }
    // the implicit end is the diagonal step alone
    let mut diagonal = rippled("jacobi-implicit", 6, 6);
    set(&mut diagonal, "sweeps", Setting::Integer(0));
    advance(&mut diagonal, 1);
    assert_eq!(implicit, diagonal.state.cloth.velocities);
}

#[test]
fn linear_drag_slows_every_vertex_in_proportion_to_its_velocity() {
    // v⁺ = v (1 - c h/m) for a cloth that moves as a whole
    let (drag, steps) = (0.8, 25);
    for entry in solvers::REGISTRY {
        let info = entry.info;
        if !info.keeps.free_fall || info.stability == Stability::Damped {
            continue;
        }
        let mut simulation = square(info.id, 4, 4);
        simulation.parameters.gravity.gravity = 0.0;
        simulation.parameters.air.linear_drag = drag;
        let start = Vec3::new(1.0, -0.5, 0.25);
        simulation.state.cloth.velocities.fill(start);
        advance(&mut simulation, steps);
        let h = simulation.substep_length();
        let substeps = (steps as f64 * simulation.parameters.timing.time_step / h).round();
        let share = (1.0 - drag * h / 0.1).powi(substeps as i32);
        for v in &simulation.state.cloth.velocities {
            assert!((*v - start * share).length() < 1e-6, "{}: {v}, not {}", info.id, start * share);
        }
    }
    // what would turn it round within a step stops it
    let mut simulation = square("symplectic-euler", 4, 4);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.air.linear_drag = 1000.0;
    simulation.state.cloth.velocities.fill(Vec3::X);
    advance(&mut simulation, 1);
    assert!(simulation.state.cloth.velocities.iter().all(|v| v.length() < 1e-12));
    // m g = c v
    let mut falling = square("symplectic-euler", 4, 4);
    falling.parameters.air.linear_drag = 0.5;
    advance(&mut falling, 2000);
    let speed = 0.1 * falling.parameters.gravity.gravity / 0.5;
    assert!(falling.state.cloth.velocities.iter().all(|v| (v.y + speed).abs() < 1e-9));
}
