//! The two laws of damping: every solver follows the one that is chosen, or states that it does not.

use weft::sim::forces::SpringSum;
use weft::sim::measure::Potential;
use weft::sim::model::material::DampingModel::{self, AlongSpring, Isotropic};
use weft::sim::params::Setting;
use weft::sim::solver_interface::{DampingLaws, Stability};
use weft::sim::{Simulation, Vec3, solvers};

use crate::fixtures::{advance, rippled, square};
use crate::pairing::paired;
use crate::promises::{angular_momentum, smooth};

const LAWS: [DampingModel; 2] = [Isotropic, AlongSpring];

fn laws_of(solver: &str) -> DampingLaws {
    solvers::build(solver).expect("registered").capabilities().damping
}

/// The cloth of the order test, with a damping that matters.
fn damped(solver: &str, law: DampingModel, count: usize) -> Simulation {
    let mut simulation = smooth(solver, count);
    simulation.parameters.material.damping = 0.1;
    simulation.parameters.material.damping_model = law;
    simulation
}

#[test]
#[ignore = "full tier"]
fn every_solver_converges_to_the_motion_of_the_law_that_it_honours_and_of_no_other() {
    let mut failures = Vec::new();
    for law in LAWS {
        let mut fine = damped("symplectic-euler", law, 20_000);
        advance(&mut fine, 20_000);
        let fine = fine.state.cloth.positions;
        let with_order = solvers::REGISTRY.iter().filter(|entry| entry.info.order > 0);
        for (_, entry) in paired([()], with_order, 8) {
            let error = |count: usize| {
                let mut simulation = damped(entry.info.id, law, count);
                advance(&mut simulation, count);
                let positions = simulation.state.cloth.positions;
                positions.iter().zip(&fine).map(|(a, b)| a.distance_squared(*b)).sum::<f64>().sqrt()
            };
            let [coarse, medium, close] = [200, 400, 800].map(error);
            let orders = [(coarse / medium).log2(), (medium / close).log2()];
            let converges = orders.iter().all(|order| (order - f64::from(entry.info.order)).abs() < 0.2);
            let honours = laws_of(entry.info.id).honours(law);
            if converges != honours {
                failures.push(format!("{}, {law:?}: orders {orders:?}, honoured {honours}", entry.info.id));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
#[ignore = "full tier"]
fn after_a_second_all_solvers_of_a_law_have_the_same_energy() {
    let mut failures = Vec::new();
    let mut of_laws = Vec::new();
    for law in LAWS {
        // the error of first order is taken out; what the filters have of second order is 4 %
        let energy = |solver: &str| {
            let [coarse, fine] = [400, 800].map(|count| {
                let mut simulation = damped(solver, law, count);
                simulation.parameters.gravity.gravity = 0.0;
                simulation.parameters.timing.time_step = 1.0 / count as f64;
                advance(&mut simulation, count);
                simulation.energy().total().expect("of springs")
            });
            2.0 * fine - coarse
        };
        let expected = energy("symplectic-euler");
        of_laws.push(expected);
        let honours = solvers::REGISTRY.iter().filter(|entry| laws_of(entry.info.id).honours(law));
        for (_, entry) in paired([()], honours, 5) {
            let found = energy(entry.info.id);
            if (found / expected - 1.0).abs() > 0.05 {
                failures.push(format!("{}, {law:?}: {found} J, not {expected} J", entry.info.id));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(of_laws[1] > 1.2 * of_laws[0], "isotropic damping takes more: {of_laws:?} J");
}

#[test]
fn a_law_that_is_not_chosen_but_the_only_one_is_at_work_whatever_is_chosen() {
    for entry in solvers::REGISTRY {
        let run = |law| {
            let mut simulation = rippled(entry.info.id, 5, 5);
            simulation.parameters.material.damping = 0.1;
            simulation.parameters.material.damping_model = law;
            advance(&mut simulation, 5);
            (simulation.state.cloth, simulation.parameters.material.damping_model)
        };
        let [(isotropic, kept), (along, _)] = LAWS.map(run);
        assert_eq!(kept, Isotropic, "the choice stays for the next solver");
        match laws_of(entry.info.id) {
            DampingLaws::Chosen | DampingLaws::Partly(..) => assert_ne!(isotropic, along, "{}", entry.info.id),
            DampingLaws::Only(..) | DampingLaws::None(_) => assert_eq!(isotropic, along, "{}", entry.info.id),
        }
    }
}

#[test]
fn damping_along_springs_takes_no_angular_momentum_where_a_solver_keeps_it_and_isotropic_damping_does() {
    for entry in solvers::REGISTRY.iter().filter(|entry| entry.info.keeps.angular_momentum) {
        for law in LAWS.into_iter().filter(|law| laws_of(entry.info.id).honours(*law)) {
            let mut simulation = rippled(entry.info.id, 7, 6);
            simulation.parameters.gravity.gravity = 0.0;
            simulation.parameters.material.damping = 0.2;
            simulation.parameters.material.damping_model = law;
            for (x, v) in simulation.state.cloth.positions.iter().zip(&mut simulation.state.cloth.velocities) {
                *v += Vec3::new(0.0, 1.0, 2.0).cross(*x - Vec3::splat(0.5));
            }
            let before = angular_momentum(&simulation);
            advance(&mut simulation, 100);
            let lost = angular_momentum(&simulation).distance(before) / before.length();
            let (id, kept) = (entry.info.id, law == AlongSpring);
            assert!(if kept { lost < 1e-11 } else { lost > 0.01 }, "{id}, {law:?}: {lost:e} of it is lost");
        }
    }
}

#[test]
fn a_cloth_that_turns_as_a_whole_is_slowed_down_by_isotropic_damping_alone() {
    let mut failures = Vec::new();
    for entry in solvers::REGISTRY {
        let spin = |damping: f64, law: DampingModel| {
            let mut simulation = square(entry.info.id, 5, 5);
            simulation.parameters.gravity.gravity = 0.0;
            simulation.parameters.material.damping = damping;
            simulation.parameters.material.damping_model = law;
            simulation.parameters.timing.time_step = 1e-3;
            let middle = simulation.state.cloth.centroid();
            for (x, v) in simulation.state.cloth.positions.iter_mut().zip(&mut simulation.state.cloth.velocities) {
                *x -= middle;
                *v = Vec3::Y.cross(*x) * 0.2;
            }
            advance(&mut simulation, 200);
            angular_momentum(&simulation).y
        };
        for law in LAWS.into_iter().filter(|law| laws_of(entry.info.id).honours(*law)) {
            let left = spin(0.2, law) / spin(0.0, law);
            let as_stated = if law == Isotropic { left < 0.95 } else { (left - 1.0).abs() < 2e-3 };
            if !as_stated {
                failures.push(format!("{}, {law:?}: {left} of the spin is left", entry.info.id));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn both_ways_of_implicit_euler_take_the_same_step_with_damping_along_the_springs() {
    let run = |linear_solver: usize| {
        let mut simulation = rippled("implicit-euler", 8, 7);
        let settings = simulation.solver_mut().settings_mut();
        for (key, value) in
            [("linear_solver", Setting::Choice(linear_solver)), ("residual_tolerance", Setting::Real(1e-12))]
        {
            let index = settings.index_of(key).expect("its own");
            settings.set(index, value).expect("in range");
        }
        simulation.parameters.material.damping = 5.0;
        simulation.parameters.material.damping_model = AlongSpring;
        simulation.state.cloth.pin_here(0);
        advance(&mut simulation, 10);
        simulation.state.cloth.positions
    };
    let apart = run(0).iter().zip(&run(1)).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart} m");
}

#[test]
fn the_force_of_the_potential_is_its_gradient_under_both_laws_and_newton_solves_it_in_few_iterations() {
    for law in LAWS {
        let mut simulation = rippled("implicit-newton", 5, 4);
        simulation.parameters.material.damping = 2.0;
        simulation.parameters.material.damping_model = law;
        let (frozen, pool) = (simulation.freeze(), weft::sim::exec::pool::ThreadPool::alone());
        let (cloth, input) = (&frozen.state.cloth, frozen.input(&pool));
        let mut target = Vec::new();
        input.predict(cloth, &mut target);
        let potential = Potential { cloth, input: &input, target: &target, holds: &[] };
        let mut q = target.clone();
        q.iter_mut()
            .enumerate()
            .for_each(|(i, x)| *x += Vec3::new((i as f64).sin(), 0.3, (2.0 * i as f64).cos()) * 0.02);
        let mut force = Vec::new();
        potential.descent(&q, &mut SpringSum::default(), &mut force);
        for i in 0..q.len() {
            for axis in 0..3 {
                let mut value = |offset: f64| {
                    q[i][axis] += offset;
                    let value = potential.value(&q);
                    q[i][axis] -= offset;
                    value
                };
                let slope = (value(1e-6) - value(-1e-6)) / 2e-6;
                let scale = 1.0 + force[i].length();
                assert!((force[i][axis] + slope).abs() < 1e-5 * scale, "{law:?}, {i}: {} and {slope}", force[i][axis]);
            }
        }
        for _ in 0..20 {
            let stats = simulation.step().expect("stable");
            assert!(stats.iterations <= 12 && stats.residual < 1e-8, "{law:?}: {} iterations", stats.iterations);
        }
    }
}

#[test]
fn what_is_damped_along_the_springs_comes_to_rest_too() {
    for entry in solvers::REGISTRY.iter().filter(|entry| entry.info.stability != Stability::Damped) {
        if !laws_of(entry.info.id).honours(AlongSpring) {
            continue;
        }
        let mut simulation = rippled(entry.info.id, 5, 5);
        simulation.parameters.gravity.gravity = 0.0;
        simulation.parameters.material.damping = 1.0;
        simulation.parameters.material.damping_model = AlongSpring;
        let start = simulation.energy().total().expect("of springs");
        advance(&mut simulation, 400);
        let left = simulation.energy().total().expect("of springs") / start;
        assert!(left < 0.5, "{}: {left} of the energy", entry.info.id);
    }
}
