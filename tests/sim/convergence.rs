//! How fast the methods that minimise come to the end of a step.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use weft::scene::Scene;
use weft::sim::Clock;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::forces::air::AirMode;
use weft::sim::params::Setting;
use weft::sim::solver_interface::Processor;
use weft::sim::study::convergence::{Curve, ErrorKind, Reference, Study, methods};
use weft::sim::study::minimum::find_minimum;
use weft::sim::study::run::Interrupted;
use weft::sim::{Grab, Simulation, Vec3, solvers};

use crate::fixtures::{advance, farthest, rippled};

/// A hanging cloth that swings, its methods without the acceleration that the scene chooses.
fn swinging(size: u32) -> Simulation {
    let mut scene = Scene::load("hanging").expect("it comes along");
    for solver in ["projective-dynamics", "fast-mass-spring"] {
        scene.set("solver", solver).expect("registered");
        scene.set("acceleration", "none").expect("its own");
    }
    for key in ["columns", "rows"] {
        scene.set(key, &size.to_string()).expect("in range");
    }
    let mut simulation = scene.build().expect("valid");
    advance(&mut simulation, 30);
    simulation
}

/// A cloth held at its corners and stretched by a fifth.
fn stretched() -> Simulation {
    let mut simulation = rippled("implicit-newton", 8, 8);
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= Vec3::new(1.25, 1.0, 1.2));
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    [0, 7, 56, 63].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    simulation
}

fn curves(simulation: &Simulation, ids: &[&str], iterations: u32) -> Vec<Curve> {
    let measured = Study::of(simulation, ids).measure(iterations, &mut |_, _| ControlFlow::Continue(()));
    measured.expect("every step can be computed")
}

fn curve(simulation: &Simulation, id: &str, iterations: u32) -> Curve {
    curves(simulation, &[id], iterations).remove(0)
}

fn energies(curve: &Curve) -> Vec<f64> {
    curve.points.iter().map(|point| point.energy.expect("it minimises one")).collect()
}

/// The first iteration with an energy error below `error`.
fn reaches(curve: &Curve, error: f64) -> Option<usize> {
    energies(curve).iter().position(|energy| *energy < error)
}

/// Sets a switch or weight of the solver at work.
fn set(simulation: &mut Simulation, key: &str, value: Setting) {
    let settings = simulation.solver_mut().settings_mut();
    let index = settings.index_of(key).expect("its own");
    settings.set(index, value).expect("in range");
}

#[test]
fn four_methods_minimise_beside_those_of_a_device() {
    let of_host = |id: &&str| solvers::build(id).is_some_and(|by| by.capabilities().processor == Processor::Host);
    let methods: Vec<&str> = methods().into_iter().filter(of_host).collect();
    assert_eq!(methods, ["implicit-newton", "vertex-block-descent", "fast-mass-spring", "projective-dynamics"]);
    let simulation = swinging(4);
    assert!(curves(&simulation, &["xpbd", "symplectic-euler"], 5).is_empty());
}

#[test]
fn the_energy_falls_with_every_local_global_iteration() {
    let simulation = swinging(12);
    for curve in curves(&simulation, &["fast-mass-spring", "projective-dynamics"], 60) {
        let energies = energies(&curve);
        assert_eq!((energies.len(), energies[0], curve.points[0].distance), (61, 1.0, 1.0));
        assert!(energies.windows(2).all(|pair| pair[1] < pair[0]), "{}: {energies:?}", curve.solver.id);
        assert!(energies[60] < 0.1, "{}: {}", curve.solver.id, energies[60]);
        assert_eq!(curve.reference, Reference::Newton);
    }
}

#[test]
fn newton_is_through_in_few_iterations_where_local_global_needs_many() {
    let simulation = stretched();
    let newton = curve(&simulation, "implicit-newton", 400);
    let local_global = curve(&simulation, "fast-mass-spring", 400);
    let few = reaches(&newton, 1e-9).expect("it is exact");
    let many = reaches(&local_global, 1e-9).expect("so many are enough");
    assert!(few <= 6 && many > 4 * few, "{few} and {many}");
    assert!(newton.points.len() < 15, "it ends when it is through: {}", newton.points.len());
    assert!(newton.points.last().expect("the start at least").distance < 1e-9);
}

#[test]
fn the_method_at_work_is_compared_with_its_accelerations() {
    let mut simulation = swinging(12);
    let ids = |simulation: &Simulation| -> Vec<String> {
        let measured = Study::comparing(simulation, &["implicit-newton", "fast-mass-spring", "projective-dynamics"])
            .measure(30, &mut |_, _| ControlFlow::Continue(()))
            .expect("every step can be computed");
        let ends: Vec<f64> = measured.iter().map(|curve| *energies(curve).last().expect("a start")).collect();
        let at = measured.iter().position(|curve| curve.acceleration == Some("anderson")).expect("one of them");
        let plain = measured.iter().position(|curve| curve.solver.id == measured[at].solver.id).expect("itself");
        assert!(ends[at] < 0.5 * ends[plain], "{ends:?}");
        measured.iter().map(Curve::id).collect()
    };
    let accelerated = |id: &str| ["", ":chebyshev", ":anderson", ":quasi_newton"].map(|key| format!("{id}{key}"));
    let newton = "implicit-newton".to_owned();
    let [fast, projective] = ["fast-mass-spring", "projective-dynamics"].map(accelerated);
    let expected = [&[newton.clone()][..], &fast, &projective[..1]].concat();
    assert_eq!(ids(&simulation), expected);
    assert!(simulation.set_solver("projective-dynamics"));
    // its energy is the same in every of its coordinates
    let coordinates = ["mean", "identity", "mass"].map(|key| format!("projective-dynamics:{key}"));
    assert_eq!(ids(&simulation), [&[newton][..], &fast[..1], &projective, &coordinates].concat());
}

#[test]
fn with_springs_only_projective_dynamics_goes_the_way_of_fast_mass_spring() {
    let simulation = swinging(10);
    let [a, b] = ["fast-mass-spring", "projective-dynamics"].map(|id| curve(&simulation, id, 25));
    assert_eq!(a.points, b.points);
}

#[test]
fn other_constraints_have_a_minimum_of_their_own_and_the_energy_falls_to_it() {
    let mut simulation = swinging(8);
    assert!(simulation.set_solver("projective-dynamics"));
    for key in ["edge_strain", "triangle_strain", "area", "bending", "soft_pins"] {
        set(&mut simulation, key, Setting::Toggle(true));
    }
    set(&mut simulation, "strain_max", Setting::Real(1.05));
    for anisotropic in [false, true] {
        set(&mut simulation, "anisotropic", Setting::Toggle(anisotropic));
        let curve = curve(&simulation, "projective-dynamics", 80);
        assert_eq!(curve.reference, Reference::Iterations(2000));
        let energies = energies(&curve);
        // the shear of the anisotropic limits is a feasible point, not the nearest
        let slack = if anisotropic { 1e-3 } else { 1e-12 };
        assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] + slack), "{energies:?}");
        assert!(energies[80] < 0.2, "{}", energies[80]);
    }
}

#[test]
fn the_iterates_are_those_of_the_step_itself() {
    let mut simulation = swinging(9);
    simulation.parameters.air.air = AirMode::Wind;
    simulation.state.grab = Some(Grab { vertex: 40, target: Vec3::new(0.3, 1.0, 0.4) });
    for (id, key) in [("fast-mass-spring", "iterations"), ("implicit-newton", "newton_iterations")] {
        assert!(simulation.set_solver(id));
        set(&mut simulation, key, Setting::Integer(7));
        let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
        let mut q = Vec::new();
        frozen.input(&pool).predict(&frozen.state.cloth, &mut q);
        let mut solver = simulation.solver_like(id).expect("registered");
        let minimiser = solver.minimiser().expect("it minimises");
        if simulation.solver().capabilities().converges {
            // a step starts from where no force acts, if that is lower; a study starts all methods from the inertial target
            let (cloth, input) = (&frozen.state.cloth, frozen.input(&pool));
            let mut forceless = q.clone();
            for &i in &input.partition.free {
                forceless[i as usize] = cloth.positions[i as usize] + cloth.velocities[i as usize] * input.dt;
            }
            let objective = |q: &[Vec3]| minimiser.objective(cloth, &input, q).expect("it minimises it");
            if objective(&forceless) < objective(&q) {
                q = forceless;
            }
        }
        for _ in 0..7 {
            minimiser.iterate(&frozen.state.cloth, &frozen.input(&pool), &mut q).expect("it can be computed");
        }
        simulation.step().expect("stable");
        let apart = farthest(&simulation.state.cloth.positions, &q);
        // the factor of the running solver has been updated for pins and hand, this one is new
        assert!(apart < 1e-12, "{id}: {apart:e} m");
    }
}

#[test]
fn the_minimum_of_a_step_is_a_fixed_point_and_the_acceleration_of_the_method_stays() {
    let simulation = swinging(8);
    let mut on_a_table = Scene::load("table").and_then(|mut scene| {
        scene.set("columns", "8")?;
        scene.set("rows", "8")?;
        scene.build()
    });
    let on_a_table = on_a_table.as_mut().expect("it comes along");
    advance(on_a_table, 90);
    let local_global = ["fast-mass-spring", "projective-dynamics"];
    for (simulation, expected) in [(&simulation, Reference::Newton), (&*on_a_table, Reference::Iterations(2000))] {
        let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
        let (cloth, input) = (&frozen.state.cloth, frozen.input(&pool));
        for (id, choice) in local_global.into_iter().flat_map(|id| (0..4).map(move |choice| (id, choice))) {
            let mut solver = simulation.solver_like(id).expect("registered");
            let method = solver.minimiser().expect("it minimises");
            method.accelerate(choice);
            let (before, mut q) = (method.acceleration(), Vec::new());
            input.predict(cloth, &mut q);
            let start = q.clone();
            let found = find_minimum(method, (cloth, &input), &mut q, 10, &mut |share| {
                assert!((0.0..1.0).contains(&share));
                Ok(())
            });
            assert_eq!((found.expect("it can be computed"), method.acceleration()), (expected, before), "{id}");
            let mut next = q.clone();
            method.accelerate(0);
            method.iterate(cloth, &input, &mut next).expect("it can be computed");
            let [motion, moved] = [&start, &next].map(|other| farthest(other, &q));
            assert!(moved < 1e-7 * motion, "{id}, {before:?}: {moved:e} m of {motion:e} m");
        }
    }
}

#[test]
fn the_first_iterate_within_an_error_is_found_for_either_error() {
    let curve = curve(&swinging(8), "fast-mass-spring", 60);
    for (of, error) in [(ErrorKind::Energy, 0.3), (ErrorKind::Positions, 0.5)] {
        let first = curve.first_within(error, of).expect("so many are enough").iteration as usize;
        let of_point = |at: usize| curve.points[at].error(of).expect("it minimises one");
        assert!(first > 0 && of_point(first) <= error && of_point(first - 1) > error, "{first}");
        assert!(curve.first_within(0.0, of).is_none());
    }
}

#[test]
fn an_iteration_of_newton_is_charged_for_itself_alone() {
    /// Every reading is a second later than the last.
    fn tick() -> f64 {
        static READINGS: AtomicU64 = AtomicU64::new(0);
        READINGS.fetch_add(1, Ordering::Relaxed) as f64
    }
    let mut simulation = swinging(8);
    simulation.clock = Clock(tick);
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let mut solver = simulation.solver_like("implicit-newton").expect("registered");
    let newton = solver.minimiser().expect("it minimises");
    let mut q = Vec::new();
    frozen.input(&pool).predict(&frozen.state.cloth, &mut q);
    for _ in 0..3 {
        // gradient, matrix, direction, search; neither the preconditioner nor the potential at the start nor the last look
        let iteration = newton.iterate(&frozen.state.cloth, &frozen.input(&pool), &mut q).expect("it can be computed");
        assert_eq!(iteration.seconds, 4.0);
    }
}

#[test]
fn measuring_does_not_touch_the_simulation() {
    let (mut watched, mut alone) = (swinging(8), swinging(8));
    for _ in 0..3 {
        curves(&watched, &methods(), 10);
        advance(&mut watched, 4);
        advance(&mut alone, 4);
    }
    assert_eq!(watched.state.cloth, alone.state.cloth);
}

#[test]
fn on_a_table_the_distance_remains() {
    let mut simulation = Scene::load("table").and_then(|mut scene| {
        scene.set("columns", "10")?;
        scene.set("rows", "10")?;
        scene.build()
    });
    let simulation = simulation.as_mut().expect("it comes along");
    advance(simulation, 90);
    let curves = curves(simulation, &methods(), 40);
    for curve in &curves[..2] {
        assert!(curve.points[1].energy.is_some(), "{}: its holds are springs", curve.solver.id);
    }
    for curve in &curves[2..] {
        assert!(curve.points.iter().all(|point| point.energy.is_none()), "friction has no energy");
        let last = curve.points[40].distance;
        assert!(last < 0.7 && last < curve.points[10].distance, "{}: {last}", curve.solver.id);
    }
}

#[test]
fn a_cloth_that_is_held_everywhere_has_nothing_to_solve_and_one_that_floats_no_error() {
    let mut simulation = rippled("fast-mass-spring", 3, 3);
    let mut floating = crate::fixtures::square("fast-mass-spring", 4, 4);
    floating.parameters.gravity.gravity = 0.0;
    for curve in curves(&floating, &methods(), 5) {
        assert!(curve.points.iter().all(|point| point.distance.abs() < 1e-9), "{:?}", curve.points);
    }
    (0..9).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    for curve in curves(&simulation, &methods(), 5) {
        assert_eq!(curve.points.len(), 1);
    }
}

#[test]
fn a_study_can_be_called_off_and_hears_how_far_it_is() {
    let simulation = swinging(6);
    let (mut shares, mut known) = (Vec::new(), Vec::new());
    let result = Study::of(&simulation, &methods()).measure(20, &mut |share, curves| {
        shares.push(share);
        known.push(curves.len());
        if shares.len() == 30 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(result, Err(Interrupted::Cancelled)));
    assert!(shares.is_sorted() && shares[0] == 0.0 && shares[29] < 1.0, "{shares:?}");
    // the first curve is there before the second method is through
    assert!(known.is_sorted() && known[0] == 0 && known[29] > 0, "{known:?}");
}

#[test]
fn an_iteration_costs_what_the_clock_says() {
    use std::cell::Cell;
    thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });
    let mut simulation = swinging(5);
    // every look at it is a second: two laps per local/global iteration
    simulation.clock = Clock(|| NOW.replace(NOW.get() + 1.0));
    let curve = curve(&simulation, "fast-mass-spring", 4);
    let seconds: Vec<f64> = curve.points.iter().map(|point| point.seconds).collect();
    assert_eq!(seconds, [0.0, 2.0, 4.0, 6.0, 8.0]);
}
