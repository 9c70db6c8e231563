//! Newton's method on the energy of projective dynamics for a body.

use std::ops::ControlFlow;

use weft::scene::Scene;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::params::Setting;
use weft::sim::study::convergence::Study;
use weft::sim::{Simulation, Vec3, solvers};

use crate::bodies::block;
use crate::projective::{ON, with_settings};

/// A block under strain constraints of 3·10⁴ J/m³, held at one side.
fn held_block(cells: [usize; 3], more: &[(&str, Setting)]) -> Simulation {
    let solver = solvers::build("projective-dynamics").expect("registered");
    let mut simulation = Simulation::new(block(cells, 0.1), Default::default(), solver);
    simulation.parameters.contact.ground = false;
    let strain = [("tetrahedral_strain", ON), ("tetrahedral_weight", Setting::Real(3e4))];
    with_settings(&mut simulation, &[&strain, more].concat());
    let held = |vertex: &u32| simulation.state.cloth.positions[*vertex as usize].x == 0.0;
    let held: Vec<u32> = (0..simulation.state.cloth.len() as u32).filter(held).collect();
    held.into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    simulation
}

/// Errors of the energy of Newton's iterates on the next step, the first of which is 1.
fn errors(simulation: &Simulation) -> Vec<f64> {
    let mut study = Study::of(simulation, &["projective-dynamics"]);
    let curves = study.measure(30, &mut |_, _| ControlFlow::Continue(())).expect("it is measured");
    assert_eq!(curves[1].solver.id, "newton");
    curves[1].points.iter().map(|point| point.energy.expect("an energy")).collect()
}

/// Asserts quadratic convergence in at least so many pairs of iterates, and fewer than 8 iterations to 1e-9.
fn assert_quadratic(errors: &[f64], pairs: usize, what: &str) {
    let until = errors.iter().position(|error| *error <= 1e-9);
    assert!(until.is_some_and(|count| count < 8), "{what}: {errors:?}");
    // the last errors above rounding
    let near: Vec<&[f64]> = errors.windows(2).filter(|pair| pair[0] <= 0.1 && pair[0] > 1e-7).collect();
    assert!(near.len() >= pairs, "{what}: {errors:?}");
    for pair in near {
        assert!(pair[1] <= 10.0 * pair[0] * pair[0] + 1e-13, "{what}: {errors:?}");
    }
}

#[test]
fn the_error_of_newton_on_a_body_is_squared_in_every_iteration() {
    for twist in [1.0_f64, 2.0, 4.0] {
        let mut simulation = held_block([8, 3, 3], &[]);
        simulation.parameters.timing.time_step = 0.05;
        for x in &mut simulation.state.cloth.positions {
            let (sin, cos) = (twist * x.x).sin_cos();
            *x = Vec3::new(x.x, cos * x.y - sin * x.z, sin * x.y + cos * x.z);
        }
        assert_quadratic(&errors(&simulation), 2, &format!("{twist} rad/m"));
    }
}

#[test]
#[ignore = "full tier"]
fn newton_is_quadratic_on_the_bar_of_figure_12() {
    let mut simulation = Scene::load("pd-figure-12").and_then(|scene| scene.build()).expect("it comes along");
    for _ in 0..120 {
        simulation.step().expect("stable");
    }
    assert_quadratic(&errors(&simulation), 1, "the bar");
}

#[test]
fn from_an_indefinite_state_newton_descends_to_a_minimum() {
    let mut random = {
        let mut state = 5_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24) - 0.5
        }
    };
    for (what, squash, jitter) in [("compressed", 0.5, 0.0), ("inverted in part", 0.4, 0.1)] {
        for volume in [false, true] {
            let more = [("volume", Setting::Toggle(volume)), ("volume_weight", Setting::Real(3e4))];
            let mut simulation = held_block([4, 2, 2], &more);
            simulation.parameters.timing.time_step = 0.1;
            let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
            let (cloth, input) = (&frozen.state.cloth, frozen.input(&pool));
            let minimiser = simulation.solver_mut().minimiser().expect("it minimises");
            let mut newton = minimiser.newton(&input).expect("a body under strain");
            let mut q = cloth.positions.clone();
            for &i in &input.partition.free {
                let q = &mut q[i as usize];
                *q = *q * squash + Vec3::new(random(), random(), random()) * jitter;
            }
            let energy = |newton: &dyn weft::sim::solver_interface::Minimiser, q: &[Vec3]| {
                newton.objective(cloth, &input, q).expect("it has one")
            };
            // along a linear rotation of the free part every compressed element relaxes
            let along = |share: f64| -> Vec<Vec3> {
                let turned = |i: usize| Vec3::X.cross(q[i]) * share;
                (0..q.len()).map(|i| if input.partition.is_free(i as u32) { q[i] + turned(i) } else { q[i] }).collect()
            };
            let [back, here, ahead] = [-1e-3, 0.0, 1e-3].map(|share| energy(newton.as_ref(), &along(share)));
            if jitter == 0.0 {
                assert!(back + ahead < 2.0 * here, "{what}: the Hessian is positive definite in this direction");
            }
            let mut last = here;
            let mut done = false;
            for _ in 0..200 {
                done = newton.iterate(cloth, &input, &mut q).expect("it can be computed").solved;
                let now = energy(newton.as_ref(), &q);
                assert!(now <= last * (1.0 + 1e-12), "{what}, volume {volume}: {now} after {last} J");
                last = now;
                if done {
                    break;
                }
            }
            assert!(done, "{what}, volume {volume}: {last} J");
            // a minimum: the energy rises in every direction
            for _ in 0..20 {
                let mut near = q.clone();
                input
                    .partition
                    .free
                    .iter()
                    .for_each(|&i| near[i as usize] += Vec3::new(random(), random(), random()) * 1e-4);
                assert!(energy(newton.as_ref(), &near) > last, "{what}, volume {volume}");
            }
        }
    }
}
