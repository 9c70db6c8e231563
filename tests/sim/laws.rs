//! Laws that hold for every solver, and what each says of itself.

use weft::sim::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::solver::{Keeps, Stability};
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, rippled, solver_ids, square};

/// A free cloth without gravity or damping, its solver at full accuracy.
fn isolated(solver: &str) -> Simulation {
    let mut simulation = rippled(solver, 7, 6);
    simulation.world.gravity.gravity = 0.0;
    simulation.material.damping = 0.0;
    simulation
}

#[test]
fn names_are_unique_and_nothing_is_left_unsaid() {
    let mut ids: Vec<_> = solver_ids().collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), solvers::REGISTRY.len());
    for entry in solvers::REGISTRY {
        let info = entry.info;
        assert!(info.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
        assert!(!info.name.is_empty() && !info.source.is_empty() && !info.cost.is_empty() && info.summary.len() > 20);
        assert!(std::ptr::eq((entry.build)().info(), info));
    }
}

#[test]
fn a_swinging_cloth_stays_finite_and_together() {
    for solver in solver_ids() {
        let mut simulation = rippled(solver, 9, 8);
        simulation.material.structural_stiffness = 500.0;
        simulation.mass.vertex_mass = 0.02;
        simulation.timing.time_step = 0.003;
        simulation.cloth.pin_here(0);
        simulation.cloth.pin_here(8);
        advance(&mut simulation, 600);
        assert!(simulation.largest_stretch() < 0.5, "{solver}: {}", simulation.largest_stretch());
        let farthest = simulation.cloth.positions.iter().map(|x| x.length()).fold(0.0, f64::max);
        assert!(farthest < 4.0, "{solver}");
    }
}

#[test]
fn the_same_run_gives_the_same_bits() {
    for solver in solver_ids() {
        let run = || {
            let mut simulation = rippled(solver, 8, 8);
            simulation.cloth.pin_here(0);
            advance(&mut simulation, 40);
            simulation.cloth
        };
        assert_eq!(run(), run(), "{solver}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // large enough that the loops really divide their work
    for solver in solver_ids() {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut simulation = rippled(solver, 130, 130);
                simulation.timing.time_step = 0.001;
                simulation.cloth.pin_here(0);
                advance(&mut simulation, 3);
                simulation.cloth
            })
        };
        let one = run(1);
        for threads in [2, 8] {
            assert_eq!(run(threads), one, "{solver} on {threads} threads");
        }
    }
}

/// Error of `solver` after `time` [s] with `count` steps, against a fine run of symplectic Euler.
fn error(solver: &str, count: usize, fine: &[Vec3]) -> f64 {
    let mut simulation = smooth(solver, count);
    advance(&mut simulation, count);
    let distance = |(a, b): (&Vec3, &Vec3)| a.distance_squared(*b);
    simulation.cloth.positions.iter().zip(fine).map(distance).sum::<f64>().sqrt()
}

/// A cloth in smooth motion that every step used here resolves.
fn smooth(solver: &str, count: usize) -> Simulation {
    let mut simulation = square(solver, 5, 5);
    simulation.material.structural_stiffness = 20.0;
    simulation.material.shear_stiffness = 10.0;
    simulation.material.damping = 0.05;
    simulation.timing.time_step = 0.2 / count as f64;
    for (i, v) in simulation.cloth.velocities.iter_mut().enumerate() {
        *v = Vec3::new((i % 5) as f64 - 2.0, 0.3 * (i / 5) as f64, 0.5) * 0.2;
    }
    simulation.cloth.pin_here(0);
    simulation.cloth.pin_here(4);
    // iterate to convergence: what is measured is the error of the step, not of its solution
    let settings = simulation.solver_mut().settings_mut();
    if let Some(index) = settings.index_of("iterations") {
        settings.set(index, weft::sim::params::Setting::Integer(400)).expect("in range");
    }
    simulation
}

#[test]
fn the_measured_order_is_the_stated_one() {
    let mut fine = smooth("symplectic-euler", 20_000);
    advance(&mut fine, 20_000);
    let fine = fine.cloth.positions;
    for entry in solvers::REGISTRY {
        let [coarse, medium, close] = [100, 200, 400].map(|count| error(entry.info.id, count, &fine));
        let orders = [(coarse / medium).log2(), (medium / close).log2()];
        let stated = f64::from(entry.info.order);
        assert!(orders.iter().all(|order| (order - stated).abs() < 0.2), "{}: {orders:?}", entry.info.id);
    }
}

fn momentum(simulation: &Simulation) -> Vec3 {
    simulation.cloth.masses.iter().zip(&simulation.cloth.velocities).map(|(m, v)| *v * *m).sum()
}

fn angular_momentum(simulation: &Simulation) -> Vec3 {
    let cloth = &simulation.cloth;
    (0..cloth.len()).map(|i| cloth.positions[i].cross(cloth.velocities[i]) * cloth.masses[i]).sum()
}

#[test]
fn a_free_cloth_keeps_what_its_solver_says_and_loses_what_it_does_not() {
    for entry in solvers::REGISTRY {
        let Keeps { momentum: linear, angular_momentum: angular, .. } = entry.info.keeps;
        let mut simulation = isolated(entry.info.id);
        // turning, so that there is angular momentum to lose
        for (x, v) in simulation.cloth.positions.iter().zip(&mut simulation.cloth.velocities) {
            *v += Vec3::new(0.0, 1.0, 2.0).cross(*x - Vec3::splat(0.5));
        }
        let before = (momentum(&simulation), angular_momentum(&simulation));
        advance(&mut simulation, 100);
        let drift = momentum(&simulation).distance(before.0) / before.0.length();
        let turn = angular_momentum(&simulation).distance(before.1) / before.1.length();
        let (id, exact, lost) = (entry.info.id, 1e-11, 1e-5);
        assert!(if linear { drift < exact } else { drift > lost }, "{id}: momentum changed by {drift:e}");
        assert!(if angular { turn < exact } else { turn > lost }, "{id}: angular momentum changed by {turn:e}");
    }
}

#[test]
fn a_cloth_at_rest_falls_as_its_solver_says() {
    for entry in solvers::REGISTRY {
        let mut simulation = square(entry.info.id, 8, 8);
        simulation.material.structural_stiffness = 1e3;
        simulation.timing.time_step = 0.002;
        advance(&mut simulation, 50);
        let expected = -9.8 * simulation.time();
        let error = simulation.cloth.velocities.iter().map(|v| v.distance(Vec3::Y * expected)).fold(0.0, f64::max);
        if entry.info.keeps.free_fall {
            assert!(error < 1e-9 * expected.abs(), "{}: off by {error:e} m/s", entry.info.id);
        } else {
            assert!(error > 1e-2 * expected.abs(), "{}: falls freely after all", entry.info.id);
        }
    }
}

#[test]
fn the_stated_stability_is_the_measured_one() {
    for entry in solvers::REGISTRY {
        let survives = |step_over_critical: f64| {
            let mut simulation = isolated(entry.info.id);
            // small motions about rest, which is what the critical step is about
            simulation.cloth.positions = simulation.pattern().rest_positions().to_vec();
            simulation.cloth.velocities.iter_mut().for_each(|v| *v *= 1e-3);
            simulation.cloth.pin_here(0);
            simulation.timing.time_step = step_over_critical * simulation.critical_step();
            (0..2000).all(|_| simulation.step().is_ok())
        };
        match entry.info.stability {
            Stability::Conditional => {
                assert!(survives(0.95), "{} fails below the critical step", entry.info.id);
                assert!(!survives(1.05), "{} survives above the critical step", entry.info.id);
            }
            Stability::Unconditional => assert!(survives(3.0), "{}", entry.info.id),
        }
    }
}

#[test]
fn an_unconditionally_stable_solver_survives_the_stiffest_corner_of_the_ranges() {
    for entry in solvers::REGISTRY.iter().filter(|entry| entry.info.stability == Stability::Unconditional) {
        let mut simulation = rippled(entry.info.id, 6, 6);
        simulation.cloth.pin_here(0);
        simulation.timing.time_step = 0.1;
        simulation.material.structural_stiffness = 1e6;
        simulation.material.shear_stiffness = 1e6;
        simulation.material.bend_stiffness = 1e6;
        for step in 0..200 {
            simulation.step().unwrap_or_else(|error| panic!("{} fails at step {step}: {error}", entry.info.id));
        }
    }
}

#[test]
fn an_isolated_cloth_never_gains_energy_from_an_implicit_solver() {
    for entry in solvers::REGISTRY.iter().filter(|entry| entry.info.stability == Stability::Unconditional) {
        let mut simulation = isolated(entry.info.id);
        let start = simulation.energy().total();
        let mut last = start;
        for _ in 0..200 {
            simulation.step().expect("stable");
            let now = simulation.energy().total();
            assert!(now <= last * (1.0 + 1e-9), "{}: {last} J, then {now} J", entry.info.id);
            last = now;
        }
        assert!(last < 0.9 * start, "{}: {start} J to {last} J", entry.info.id);
    }
}

#[test]
fn changing_solver_parameters_and_step_mid_motion_changes_no_bit_of_the_state() {
    let mut simulation = rippled("symplectic-euler", 7, 7);
    simulation.cloth.pin_here(0);
    for from in solver_ids() {
        for to in solver_ids() {
            assert!(simulation.set_solver(from));
            advance(&mut simulation, 3);
            let (before, time) = (simulation.cloth.clone(), simulation.time());
            assert!(simulation.set_solver(to));
            simulation.material.structural_stiffness *= 1.1;
            simulation.material.bend_stiffness = if simulation.material.bend_stiffness > 0.0 { 0.0 } else { 2.0 };
            simulation.timing.time_step *= 0.97;
            simulation.world.air.air = weft::sim::forces::air::AirMode::Wind;
            simulation.world.table.table = !simulation.world.table.table;
            assert_eq!(simulation.cloth, before, "{from} to {to}");
            assert_eq!(simulation.time(), time);
            advance(&mut simulation, 1);
            let jump = simulation.cloth.positions.iter().zip(&before.positions).map(|(a, b)| a.distance(*b));
            assert!(jump.fold(0.0, f64::max) < 0.1, "{from} to {to}");
        }
    }
    assert!(!simulation.set_solver("no-such-solver"));
}

#[test]
fn a_solver_that_was_in_use_before_comes_back_with_its_settings() {
    let mut simulation = square("fast-mass-spring", 4, 4);
    let index = simulation.solver().settings().index_of("iterations").expect("its own");
    let value = weft::sim::params::Setting::Integer(33);
    simulation.solver_mut().settings_mut().set(index, value).expect("in range");
    assert!(simulation.set_solver("implicit-euler") && simulation.set_solver("fast-mass-spring"));
    assert_eq!(simulation.solver().settings().get(index), value);
}

#[test]
fn fast_mass_spring_factors_exactly_when_an_input_of_its_matrix_changes() {
    let mut simulation = square("fast-mass-spring", 6, 6);
    simulation.cloth.pin_here(0);
    let factorisations = |simulation: &mut Simulation, change: &dyn Fn(&mut Simulation)| {
        change(simulation);
        simulation.step().expect("stable").factorisations
    };
    type Change = (&'static str, u32, Box<dyn Fn(&mut Simulation)>);
    let changes: Vec<Change> = vec![
        ("first step", 1, Box::new(|_| {})),
        ("nothing", 0, Box::new(|_| {})),
        ("stiffness", 1, Box::new(|s| s.material.structural_stiffness = 120.0)),
        ("bend off", 1, Box::new(|s| s.material.bend_stiffness = 0.0)),
        ("damping", 1, Box::new(|s| s.material.damping = 0.2)),
        ("mass", 1, Box::new(|s| s.mass.vertex_mass = 0.2)),
        ("step", 1, Box::new(|s| s.timing.time_step = 0.004)),
        ("pin", 1, Box::new(|s| s.cloth.pin_here(5))),
        ("unpin", 1, Box::new(|s| assert!(s.cloth.unpin(5)))),
        ("gravity", 0, Box::new(|s| s.world.gravity.gravity = 1.62)),
        ("wind", 0, Box::new(|s| s.world.air.air = weft::sim::forces::air::AirMode::Wind)),
        ("positions", 0, Box::new(|s| s.cloth.positions[20].y += 0.1)),
        ("nothing again", 0, Box::new(|_| {})),
    ];
    for (name, expected, change) in &changes {
        assert_eq!(factorisations(&mut simulation, change.as_ref()), *expected, "{name}");
    }
}

#[test]
fn more_iterations_bring_fast_mass_spring_closer_to_its_limit() {
    let after = |iterations: u32| {
        let mut simulation = rippled("fast-mass-spring", 8, 8);
        simulation.cloth.pin_here(0);
        simulation.timing.time_step = 1.0 / 60.0;
        simulation.material.structural_stiffness = 2000.0;
        let settings = simulation.solver_mut().settings_mut();
        let index = settings.index_of("iterations").expect("its own");
        settings.set(index, weft::sim::params::Setting::Integer(iterations)).expect("in range");
        advance(&mut simulation, 20);
        simulation.cloth.positions
    };
    let limit = after(1000);
    let off = |iterations| after(iterations).iter().zip(&limit).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let [two, ten, fifty] = [2, 10, 50].map(off);
    assert!(fifty < 0.3 * ten && ten < 0.7 * two, "{two} {ten} {fifty}");
}

#[test]
fn substeps_refine_the_step() {
    for solver in solver_ids() {
        let run = |step: f64, substeps: u32| {
            let mut simulation = rippled(solver, 6, 6);
            simulation.cloth.pin_here(0);
            simulation.timing.time_step = step;
            simulation.timing.substeps = substeps;
            advance(&mut simulation, (0.1 / step).round() as usize);
            simulation.cloth.positions
        };
        let (whole, parts) = (run(0.005, 1), run(0.01, 2));
        let apart = whole.iter().zip(&parts).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(apart < 1e-9, "{solver}: {apart:e}");
    }
}

#[test]
fn a_mesh_and_a_grid_in_every_plane_can_be_stepped() {
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    for solver in solver_ids() {
        let grids = [Plane::Xz, Plane::Xy, Plane::Zy].map(|plane| Pattern::grid(4, 5, 0.4, 0.5, plane));
        let mesh = Pattern::mesh(grids[0].rest_positions().to_vec(), grids[0].triangles().to_vec());
        for pattern in grids.into_iter().chain([mesh]) {
            let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
            simulation.timing.time_step = 1e-3;
            simulation.cloth.pin_here(0);
            advance(&mut simulation, 20);
        }
    }
}

#[test]
fn large_cloths_that_gather_have_the_same_bits_as_small_ones_that_scatter() {
    use weft::sim::forces::SpringSum;
    use weft::sim::parallel;
    let simulation = rippled("symplectic-euler", 70, 70);
    let pattern = simulation.pattern();
    let ends = &pattern.springs().ends;
    assert!(parallel::is_worth_it(ends.len()));
    let value = |e: usize| Vec3::new((e as f64).sin(), (e as f64).cos(), 1.0 / (e + 1) as f64);
    let mut gathered = Vec::new();
    SpringSum::default().add_up(pattern, &mut gathered, value);
    let mut scattered = vec![Vec3::ZERO; pattern.len()];
    for (e, &[i, j]) in ends.iter().enumerate() {
        scattered[i as usize] += value(e);
        scattered[j as usize] -= value(e);
    }
    assert_eq!(gathered, scattered);
}
