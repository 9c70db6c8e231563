//! Recovery from blow-ups and other faults.

use proptest::prelude::*;
use weft::sim::guard::{self, Absurd};
use weft::sim::material::MassModel;
use weft::sim::params::Tunable;
use weft::sim::{StepError, Vec3};

use crate::fixtures::{rippled, solver_ids, square};

#[test]
fn a_blow_up_is_an_error_that_keeps_the_state_before_the_step() {
    let mut simulation = rippled("symplectic-euler", 8, 8);
    simulation.material.structural_stiffness = 1e7;
    for _ in 0..100 {
        let (before, time, steps) = (simulation.cloth.clone(), simulation.time(), simulation.steps());
        if let Err(error) = simulation.step() {
            assert!(matches!(error, StepError::Diverged(_)), "{error}");
            assert_eq!(simulation.cloth, before);
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
    simulation.timing.time_step = 0.05;
    for _ in 0..1200 {
        simulation.step().expect("falling is fine");
    }
    assert!(simulation.cloth.centroid().y < -15_000.0);
    assert!(simulation.cloth.mean_velocity().y < -500.0);
}

#[test]
fn what_is_not_finite_or_too_far_or_too_fast_is_absurd() {
    let cloth = square("symplectic-euler", 5, 5).cloth;
    assert_eq!(guard::check(&cloth), Ok(()));
    let mut broken = cloth.clone();
    broken.positions[7].y = f64::NAN;
    assert_eq!(guard::check(&broken), Err(Absurd::NotFinite { vertex: 7 }));
    broken = cloth.clone();
    broken.velocities[8].x = f64::INFINITY;
    assert_eq!(guard::check(&broken), Err(Absurd::NotFinite { vertex: 8 }));
    broken = cloth.clone();
    broken.positions[9].z = 1100.0;
    assert!(matches!(guard::check(&broken), Err(Absurd::TooFar { vertex: 9, .. })));
    broken = cloth.clone();
    broken.velocities[10].z = 1.1e4;
    assert!(matches!(guard::check(&broken), Err(Absurd::TooFast { vertex: 10, .. })));
    // so large that sums overflow
    broken = cloth;
    broken.positions.iter_mut().for_each(|x| *x = Vec3::splat(1e308));
    assert!(guard::check(&broken).is_err());
}

#[test]
fn coincident_vertices_and_collapsed_cloths_give_no_nan() {
    for solver in solver_ids() {
        for collapse in [false, true] {
            let mut simulation = square(solver, 5, 5);
            let at = simulation.cloth.positions[12];
            let cloth = &mut simulation.cloth;
            cloth.positions.iter_mut().enumerate().filter(|(i, _)| collapse || *i == 13).for_each(|(_, x)| *x = at);
            for _ in 0..20 {
                if simulation.step().is_err() {
                    break;
                }
            }
            assert!(simulation.cloth.positions.iter().all(|x| x.is_finite()), "{solver}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_parameters_in_range_end_in_a_finite_state_or_an_error(
        log_stiffness in -3.0_f64..9.0,
        log_damping in -6.0_f64..4.0,
        log_step in -4.0_f64..-1.0,
        log_mass in -4.0_f64..2.0,
        pins in 0_usize..3,
        substeps in 1_u32..4,
        inverted in any::<bool>(),
        windy in any::<bool>(),
    ) {
        for solver in solver_ids() {
            let mut simulation = rippled(solver, 5, 4);
            simulation.material.structural_stiffness = 10_f64.powf(log_stiffness);
            simulation.material.shear_stiffness = 10_f64.powf(0.7 * log_stiffness);
            simulation.material.damping = 10_f64.powf(log_damping);
            simulation.timing.time_step = 10_f64.powf(log_step);
            simulation.timing.substeps = substeps;
            simulation.mass.mass_model = MassModel::PerVertex;
            simulation.mass.vertex_mass = 10_f64.powf(log_mass);
            simulation.world.contact.ground = true;
            simulation.world.table.table = true;
            if windy {
                simulation.world.air.air = weft::sim::forces::air::AirMode::Wind;
            }
            prop_assert_eq!(simulation.material.check(), Ok(()));
            prop_assert_eq!(simulation.timing.check(), Ok(()));
            if inverted {
                simulation.cloth.positions.reverse();
            }
            let every = if pins == 2 { 1 } else { 19 };
            (0..20).step_by(every).take(pins * 20).for_each(|vertex| simulation.cloth.pin_here(vertex));
            for _ in 0..25 {
                let failed = simulation.step().is_err();
                let finite = simulation.cloth.positions.iter().chain(&simulation.cloth.velocities).all(|x| x.is_finite());
                prop_assert!(finite, "{solver}");
                if failed {
                    break;
                }
            }
        }
    }
}
