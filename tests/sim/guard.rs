//! Recovery from blow-ups and other faults.

use proptest::prelude::*;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::measure::guard::{Absurd, Guard};
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::params::{Kind, Setting, Tunable};
use weft::sim::pattern::Plane;
use weft::sim::{Cloth, Pattern, Simulation, StepError, Vec3, solvers};

use crate::fixtures::{rippled, solver_ids, square};

#[test]
fn a_blow_up_is_an_error_that_keeps_the_state_before_the_step() {
    let mut simulation = rippled("symplectic-euler", 8, 8);
    simulation.parameters.material.structural_stiffness = 1e7;
    for _ in 0..100 {
        let (before, time, steps) = (simulation.state.cloth.clone(), simulation.time(), simulation.steps());
        if let Err(error) = simulation.step() {
            assert!(matches!(error, StepError::Diverged(_)), "{error}");
            assert_eq!(simulation.state.cloth, before);
            assert_eq!((simulation.time(), simulation.steps()), (time, steps));
            // and another solver goes on from there
            assert!(simulation.set_solver("implicit-euler"));
            simulation.step().expect("implicit Euler bears what is left");
            return;
        }
    }
    panic!("1e7 N/m at 5 ms must explode");
}

#[test]
fn a_minute_of_free_fall_is_not_absurd() {
    let mut simulation = square("implicit-euler", 3, 3);
    simulation.parameters.timing.time_step = 0.05;
    for _ in 0..1200 {
        simulation.step().expect("falling is fine");
    }
    assert!(simulation.state.cloth.centroid().y < -15_000.0);
    assert!(simulation.state.cloth.mean_velocity().y < -500.0);
}

#[test]
fn what_is_not_finite_or_too_far_or_too_fast_is_absurd() {
    let simulation = square("symplectic-euler", 5, 5);
    let (cloth, pattern) = (&simulation.state.cloth, simulation.pattern());
    let check = |cloth: &Cloth| Guard::default().check(cloth, pattern, &ThreadPool::alone());
    assert_eq!(check(cloth), Ok(()));
    let mut broken = cloth.clone();
    broken.positions[7].y = f64::NAN;
    assert_eq!(check(&broken), Err(Absurd::NotFinite { vertex: 7 }));
    broken = cloth.clone();
    broken.velocities[8].x = f64::INFINITY;
    assert_eq!(check(&broken), Err(Absurd::NotFinite { vertex: 8 }));
    broken = cloth.clone();
    broken.positions[9].z = 1100.0;
    assert!(matches!(check(&broken), Err(Absurd::TooFar { vertex: 9, .. })));
    broken = cloth.clone();
    broken.velocities[10].z = 1.1e4;
    assert!(matches!(check(&broken), Err(Absurd::TooFast { vertex: 10, .. })));
    // so large that sums overflow
    broken = cloth.clone();
    broken.positions.iter_mut().for_each(|x| *x = Vec3::splat(1e308));
    assert!(check(&broken).is_err());
}

#[test]
fn what_is_too_far_is_measured_by_the_size_of_the_cloth() {
    for size in [1e-3, 1.0, 1e3, 1e5] {
        let pattern = Pattern::grid(5, 5, size, size, Plane::Xz);
        let cloth = Cloth::at_rest(pattern.rest_positions().to_vec(), vec![0.1; 25]);
        let with = |far: f64| {
            let mut cloth = cloth.clone();
            cloth.positions[3].y += far * size;
            Guard::default().check(&cloth, &pattern, &ThreadPool::alone())
        };
        assert_eq!(with(900.0), Ok(()), "{size} m");
        assert!(matches!(with(1100.0), Err(Absurd::TooFar { vertex: 3, .. })), "{size} m");
    }
}

#[test]
fn a_cloth_of_any_size_can_be_simulated_and_a_blow_up_of_it_is_found() {
    let mut failures = Vec::new();
    for size in [1e-3, 1.0, 4e3] {
        for solver in solver_ids() {
            let pattern = Pattern::grid(6, 6, size, size, Plane::Xz);
            let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 0.1, ..Mass::default() };
            let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
            simulation.parameters.contact.ground = false;
            simulation.parameters.timing.time_step = 0.002;
            simulation.state.cloth.pin_here(0);
            if let Some(error) = (0..20).find_map(|_| simulation.step().err()) {
                failures.push(format!("{solver} at {size} m: {error}"));
            }
        }
        let pattern = Pattern::grid(6, 6, size, size, Plane::Xz);
        let solver = solvers::build("symplectic-euler").expect("registered");
        let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 0.1, ..Mass::default() };
        let mut simulation = Simulation::new(pattern, mass, solver);
        simulation.parameters.material.structural_stiffness = 1e7;
        simulation.state.cloth.positions[7] *= 1.01;
        if !(0..100).any(|_| simulation.step().is_err()) {
            failures.push(format!("a blow-up at {size} m is not found"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn a_piece_that_falls_away_is_not_absurd() {
    // two cloths of a millimetre, one of them pinned
    let one = Pattern::grid(3, 3, 1e-3, 1e-3, Plane::Xz);
    let (mut positions, mut triangles) = (one.rest_positions().to_vec(), one.triangles().to_vec());
    positions.extend(one.rest_positions().iter().map(|x| *x + Vec3::X * 2e-3));
    triangles.extend(one.triangles().iter().map(|triangle| triangle.map(|vertex| vertex + 9)));
    let solver = solvers::build("fast-mass-spring").expect("registered");
    let mut simulation = Simulation::new(Pattern::mesh(positions, triangles), Mass::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation.state.cloth.pin_here(0);
    for _ in 0..180 {
        simulation.step().expect("it only falls");
    }
    assert!(simulation.state.cloth.positions[17].y < -10.0, "{}", simulation.state.cloth.positions[17]);
}

#[test]
fn coincident_vertices_and_collapsed_cloths_give_no_nan() {
    for solver in solver_ids() {
        for collapse in [false, true] {
            let mut simulation = square(solver, 5, 5);
            let at = simulation.state.cloth.positions[12];
            let cloth = &mut simulation.state.cloth;
            cloth.positions.iter_mut().enumerate().filter(|(i, _)| collapse || *i == 13).for_each(|(_, x)| *x = at);
            for _ in 0..20 {
                if simulation.step().is_err() {
                    break;
                }
            }
            assert!(simulation.state.cloth.positions.iter().all(|x| x.is_finite()), "{solver}");
        }
    }
}

/// How the cloth starts.
#[derive(Debug, Clone, Copy)]
enum Start {
    Rippled,
    Inverted,
    Coincident,
    Collapsed,
}

/// Puts every setting of the solver at a place in its range; whole numbers stay small, so that a run ends.
fn scatter(settings: &mut dyn Tunable, shares: &[f64]) {
    for (index, param) in settings.params().iter().enumerate() {
        let share = shares[index % shares.len()];
        let value = match param.kind {
            Kind::Real { min, max, logarithmic: true } => {
                let low = min.max(1e-9 * max);
                // a few at the very end, where something is often left out
                Setting::Real(if share < 0.1 { min } else { (low * (max / low).powf(share)).clamp(min, max) })
            }
            Kind::Real { min, max, .. } | Kind::Angle { min, max } => Setting::Real(min + share * (max - min)),
            Kind::Integer { min, max } => Setting::Integer(min + (share * f64::from((max - min).min(12))) as u32),
            Kind::Toggle => Setting::Toggle(share > 0.5),
            Kind::Choice(choices) => Setting::Choice((share * choices.len() as f64) as usize % choices.len()),
        };
        settings.set(index, value).expect("in range");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_parameters_in_range_end_in_a_finite_state_or_an_error(
        log_stiffness in prop_oneof![Just(f64::NEG_INFINITY), -3.0_f64..9.0],
        log_damping in prop_oneof![Just(f64::NEG_INFINITY), -6.0_f64..4.0],
        log_step in -4.0_f64..-1.0,
        log_mass in -4.0_f64..2.0,
        pins in 0_usize..3,
        substeps in 1_u32..4,
        start in prop_oneof![Just(Start::Rippled), Just(Start::Inverted), Just(Start::Coincident), Just(Start::Collapsed)],
        windy in any::<bool>(),
        adaptive in prop::bool::weighted(0.1),
        shares in prop::collection::vec(0.0_f64..1.0, 7),
    ) {
        for solver in solver_ids() {
            let mut simulation = rippled(solver, 5, 4);
            scatter(simulation.solver_mut().settings_mut(), &shares);
            simulation.parameters.material.structural_stiffness = 10_f64.powf(log_stiffness);
            simulation.parameters.material.shear_stiffness = 10_f64.powf(0.7 * log_stiffness);
            simulation.parameters.material.damping = 10_f64.powf(log_damping);
            simulation.parameters.timing.time_step = 10_f64.powf(log_step);
            simulation.parameters.timing.substeps = substeps;
            simulation.parameters.timing.adaptive = adaptive;
            simulation.parameters.mass.mass_model = MassModel::PerVertex;
            simulation.parameters.mass.vertex_mass = 10_f64.powf(log_mass);
            simulation.parameters.contact.ground = true;
            simulation.parameters.table.table = true;
            if windy {
                simulation.parameters.air.air = weft::sim::forces::air::AirMode::Wind;
            }
            prop_assert_eq!(simulation.parameters.material.check(), Ok(()));
            prop_assert_eq!(simulation.parameters.timing.check(), Ok(()));
            let positions = &mut simulation.state.cloth.positions;
            match start {
                Start::Rippled => {}
                Start::Inverted => positions.reverse(),
                Start::Coincident => positions[7] = positions[8],
                Start::Collapsed => positions.fill(Vec3::Y),
            }
            // none, two, or all of them
            let every = if pins == 2 { 1 } else { 19 };
            (0..20).step_by(every).take(pins * 20).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
            for _ in 0..if adaptive { 3 } else { 25 } {
                let failed = simulation.step().is_err();
                let finite = simulation.state.cloth.positions.iter().chain(&simulation.state.cloth.velocities).all(|x| x.is_finite());
                prop_assert!(finite, "{solver}");
                if failed {
                    break;
                }
            }
        }
    }
}
