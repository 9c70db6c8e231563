//! Corrections in single precision, for factors that are larger than a cache: they end where double precision does.

use weft::sim::exec::pool::ThreadPool;
use weft::sim::exec::simd::F64x4;
use weft::sim::linear::{ConstantSystem, Rows};
use weft::sim::model::material::Mass;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3, WorkBudget, solvers};

/// A system of the springs of a grid, as stiff as cloth, with the vertices at the places `pins` prescribed.
fn system(columns: usize, rows: usize, pins: &[usize], held: &[(usize, f64)]) -> ConstantSystem {
    let pattern = Pattern::grid(columns, rows, 1.0, 1.0, Plane::Xz);
    let mut terms = Rows::default();
    for (e, &[i, j]) in pattern.springs().ends.iter().enumerate() {
        terms.push(100.0 + (e % 7) as f64, [(i, 1.0), (j, -1.0)]);
    }
    let budget = WorkBudget::unlimited();
    let mut system = ConstantSystem::new(&terms, pattern.rest_positions(), &budget).expect("nobody calls it off");
    system.assemble(|vertex| 3.6 + 0.01 * (vertex % 3) as f64, &terms);
    hold(&mut system, pins, held);
    system
}

fn hold(system: &mut ConstantSystem, pins: &[usize], held: &[(usize, f64)]) {
    let pool = ThreadPool::alone();
    system
        .constrain(pins.iter().copied(), held.iter().copied(), &WorkBudget::unlimited(), &pool)
        .expect("positive definite");
}

/// A right-hand side, those of prescribed places as they are.
fn right_hand_side(n: usize) -> Vec<F64x4> {
    (0..n).map(|i| F64x4([1.0, (i % 7) as f64 - 3.0, ((i * 31) % 17) as f64 - 8.0, 0.0])).collect()
}

/// Largest difference of two solutions.
fn distance(a: &[F64x4], b: &[F64x4]) -> f64 {
    a.iter().zip(b).flat_map(|(a, b)| (*a - *b).0).fold(0.0, |most, d| most.max(d.abs()))
}

/// Asserts that corrections from a bad estimate come to the solution, each far nearer than the one before.
fn assert_corrected(system: &mut ConstantSystem, name: &str) {
    let pool = ThreadPool::alone();
    let n = system.symbolic().len();
    let right = right_hand_side(n);
    let mut solution = right.clone();
    system.solve(&mut solution, &pool);
    let size = distance(&solution, &vec![F64x4::ZERO; n]);
    let mut q = vec![F64x4([0.3, -2.0, 5.0, 0.0]); n];
    let mut error = distance(&q, &solution);
    for correction in 1..=5 {
        let mut b = right.clone();
        system.correct(&q, &mut b, &pool);
        q = b;
        let left = distance(&q, &solution);
        assert!(left < 2e-3 * error || left < 1e-12 * size, "{name}, correction {correction}: {error:e} -> {left:e}");
        error = left;
    }
    assert!(error < 1e-12 * size, "{name}: {error:e} of {size:e}");
}

#[test]
fn they_end_at_the_solution_whatever_the_shape_and_whatever_is_held() {
    for (columns, rows) in [(1, 1), (2, 1), (2, 2), (3, 5), (7, 90), (20, 20), (81, 33), (64, 64)] {
        let last = columns * rows - 1;
        for pins in [vec![], vec![0], vec![0, last / 2, last]] {
            let held = [(last / 3, 250.0)];
            let mut system = system(columns, rows, &pins, &held);
            assert_corrected(&mut system, &format!("{columns}×{rows}, {pins:?}"));
        }
    }
}

#[test]
fn the_copy_follows_the_factor_through_updates_and_a_new_matrix() {
    let mut system = system(40, 40, &[3, 900], &[]);
    assert_corrected(&mut system, "at first");
    for (pins, held) in [
        (vec![3, 900, 7], vec![]),
        (vec![3], vec![(50, 12.0), (1200, 4e3)]),
        (vec![], vec![(50, 12.0)]),
        (vec![1599], vec![]),
    ] {
        hold(&mut system, &pins, &held);
        assert_corrected(&mut system, &format!("{pins:?} {held:?}"));
    }
    let pattern = Pattern::grid(40, 40, 1.0, 1.0, Plane::Xz);
    let mut terms = Rows::default();
    pattern.springs().ends.iter().for_each(|&[i, j]| terms.push(7.0, [(i, 1.0), (j, -1.0)]));
    system.assemble(|_| 0.5, &terms);
    hold(&mut system, &[0], &[]);
    assert_corrected(&mut system, "another matrix");
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let correct = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            ThreadPool::run(true, |pool| {
                let mut system = system(90, 70, &[0, 89], &[(7, 3.0)]);
                let q = vec![F64x4([0.1, 0.2, 0.3, 0.0]); system.symbolic().len()];
                let mut b = right_hand_side(q.len());
                system.correct(&q, &mut b, pool);
                b.iter().map(|x| x.0.map(f64::to_bits)).collect::<Vec<_>>()
            })
        })
    };
    let alone = correct(1);
    assert_eq!(alone, correct(2));
    assert_eq!(alone, correct(5));
}

#[test]
fn a_cloth_that_is_large_enough_for_them_comes_down_to_its_minimum() {
    let side = 181;
    let pattern = Pattern::grid(side, side, 1.0, 1.0, Plane::Xy);
    let solver = solvers::build("fast-mass-spring").expect("it is there");
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    let corners = [0, side as u32 - 1];
    simulation.parameters.contact.ground = false;
    corners.into_iter().for_each(|corner| simulation.state.cloth.pin_here(corner));
    for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
        if !corners.contains(&(i as u32)) {
            *x += Vec3::new(0.0, 0.0, 2e-3 * (0.7 * i as f64).sin());
        }
    }
    let step = simulation.freeze();
    ThreadPool::run(true, |pool| {
        let (cloth, input) = (&step.state.cloth, step.input(pool));
        let mut start: Vec<Vec3> = (0..cloth.len())
            .map(|i| cloth.positions[i] + input.external[i] * (input.dt * input.dt / cloth.masses[i]))
            .collect();
        for corner in corners {
            start[corner as usize] = cloth.positions[corner as usize];
        }
        let mut by_plain = f64::INFINITY;
        for acceleration in ["none", "chebyshev", "anderson", "quasi_newton"] {
            let mut solver = solvers::build("fast-mass-spring").expect("it is there");
            solver.settings_mut().set_text("acceleration", acceleration).expect("one of them");
            let minimiser = solver.minimiser().expect("it minimises");
            let mut q = start.clone();
            let mut energy = minimiser.objective(cloth, &input, &q).expect("a function of the positions");
            let (first, mut moved) = (energy, Vec::new());
            for iteration in 1..=30 {
                let before = q.clone();
                minimiser.iterate(cloth, &input, &mut q).expect("it steps");
                let next = minimiser.objective(cloth, &input, &q).expect("a function of the positions");
                let rounding = 1e-13 * energy.abs();
                assert!(next <= energy + rounding, "{acceleration}, iteration {iteration}: {energy:e} -> {next:e}");
                energy = next;
                moved.push(q.iter().zip(&before).map(|(q, before)| q.distance_squared(*before)).sum::<f64>().sqrt());
            }
            assert!(
                energy < first && energy <= by_plain,
                "{acceleration}: {first:e} -> {energy:e}, plain {by_plain:e}"
            );
            if acceleration == "none" {
                by_plain = energy;
                let [from, to] = [moved[0], moved[29]];
                assert!(
                    to < 0.2 * from,
                    "the iterates come to rest: {from:e} m in the first step, {to:e} m in the last"
                );
            }
        }
    });
}
