//! The sparse factor and its updates, against the matrix itself and against fresh factorisations.

use proptest::prelude::*;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::exec::simd::F64x4;
use weft::sim::linear::{
    ConstantSystem, FactorError, Graph, Rows, SupernodalCholesky, WholeShape, approximate_minimum_degree,
};
use weft::sim::pattern::Plane;
use weft::sim::{Canceller, Pattern, Vec3, WorkBudget};

/// The rows of the springs of a pattern, with weights that differ.
fn rows_of(pattern: &Pattern) -> Rows {
    let mut rows = Rows::default();
    for (e, &[i, j]) in pattern.springs().ends.iter().enumerate() {
        rows.push(1.0 + (e % 7) as f64, [(i, 1.0), (j, -1.0)]);
    }
    rows
}

/// A system of the springs of `pattern`, assembled.
fn system(pattern: &Pattern) -> ConstantSystem {
    let rows = rows_of(pattern);
    let mut system =
        ConstantSystem::new(&rows, pattern.rest_positions(), &WorkBudget::unlimited()).expect("nobody calls it off");
    system.assemble(|vertex| 0.1 + 0.01 * (vertex % 3) as f64, &rows);
    system
}

fn hold(system: &mut ConstantSystem, pins: &[u32], held: &[(u32, f64)]) {
    let pool = ThreadPool::alone();
    let (pins, held) = at_places(system, pins, held);
    system.constrain(pins.into_iter(), held.into_iter(), &WorkBudget::unlimited(), &pool).expect("positive definite");
}

fn at_places(system: &ConstantSystem, pins: &[u32], held: &[(u32, f64)]) -> (Vec<usize>, Vec<(usize, f64)>) {
    let place = |vertex: u32| system.symbolic().column_of[vertex as usize] as usize;
    (
        pins.iter().map(|&pin| place(pin)).collect(),
        held.iter().map(|&(vertex, weight)| (place(vertex), weight)).collect(),
    )
}

#[test]
fn a_solve_satisfies_the_equations_whatever_the_size_and_order() {
    for (columns, rows) in [(1, 1), (2, 1), (2, 2), (3, 5), (20, 20), (7, 90), (40, 40), (81, 33)] {
        let pattern = Pattern::grid(columns, rows, 1.0, 1.0, Plane::Xz);
        let mut dissected = system(&pattern);
        hold(&mut dissected, &[], &[]);
        let residual = dissected.residual(&ThreadPool::alone());
        assert!(residual < 1e-11, "{columns}×{rows}: {residual:e}");

        let terms = rows_of(&pattern);
        let graph = terms.graph(pattern.len());
        let mut minimum = ConstantSystem::with_order(&graph, &approximate_minimum_degree(&graph));
        minimum.assemble(|_| 0.1, &terms);
        hold(&mut minimum, &[], &[]);
        let residual = minimum.residual(&ThreadPool::alone());
        assert!(residual < 1e-11, "{columns}×{rows}, minimum degree: {residual:e}");
    }
}

/// Some edges between so many vertices.
fn edges(vertices: u32) -> impl Strategy<Value = Vec<[u32; 2]>> {
    prop::collection::vec([0..vertices, 0..vertices], 0..3 * vertices as usize)
        .prop_map(|edges| edges.into_iter().filter(|[i, j]| i != j).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_graph_can_be_factored(edges in edges(1500), shuffle in any::<u64>()) {
        let mut rows = Rows::default();
        for &[i, j] in &edges {
            rows.push(1.0 + f64::from((i + j) % 5), [(i, 1.0), (j, -1.0)]);
        }
        let points: Vec<Vec3> = (0..1500_u64)
            .map(|i| {
                let phase = (i.wrapping_mul(shuffle | 1) >> 40) as f64;
                Vec3::new(phase.sin(), (1.7 * phase).cos(), 0.1 * (i % 5) as f64)
            })
            .collect();
        let mut system = ConstantSystem::new(&rows, &points, &WorkBudget::unlimited()).expect("nobody calls it off");
        system.assemble(|_| 0.5, &rows);
        hold(&mut system, &[3, 700], &[(5, 2.0)]);
        let residual = system.residual(&ThreadPool::alone());
        prop_assert!(residual < 1e-11, "{residual:e}");
    }
}

#[test]
fn thousands_of_updates_leave_the_factor_of_the_matrix() {
    let pattern = Pattern::grid(34, 34, 1.0, 1.0, Plane::Xz);
    let n = pattern.len() as u32;
    let mut updated = system(&pattern);
    hold(&mut updated, &[], &[]);
    let mut state = 12345_u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    };
    let (mut pins, mut held): (Vec<u32>, Vec<(u32, f64)>) = (Vec::new(), Vec::new());
    let (mut updates, mut factorisations) = (0, 0);
    for round in 0..1500 {
        match random(4) {
            0 => pins.push(random(n)),
            1 if !pins.is_empty() => drop(pins.swap_remove(random(pins.len() as u32) as usize)),
            2 => held.push((random(n), 10.0_f64.powi(random(7) as i32 - 3))),
            _ if !held.is_empty() => drop(held.swap_remove(random(held.len() as u32) as usize)),
            _ => {}
        }
        pins.truncate(12);
        held.truncate(40);
        let (pins_at, held_at) = at_places(&updated, &pins, &held);
        let cost = updated
            .constrain(pins_at.into_iter(), held_at.into_iter(), &WorkBudget::unlimited(), &ThreadPool::alone())
            .expect("definite");
        updates += cost.updates;
        factorisations += cost.factorisations;
        if round % 100 == 99 {
            let residual = updated.residual(&ThreadPool::alone());
            assert!(residual < 1e-10, "round {round}: {residual:e}");
            let mut fresh = system(&pattern);
            hold(&mut fresh, &pins, &held);
            let distance = updated.distance(&fresh);
            assert!(distance < 1e-10, "round {round}: the factors differ by {distance:e}");
        }
    }
    assert!(updates > 1000 && factorisations < 10, "{updates} updates, {factorisations} factorisations");
}

#[test]
fn the_factor_of_a_torn_cloth_takes_over_what_stayed_and_has_the_bits_of_a_new_one() {
    let pool = ThreadPool::alone();
    for columns in [9_u32, 40] {
        let mut pattern = Pattern::grid(columns as usize, 40, 1.0, 1.0, Plane::Xz);
        let mut order: WholeShape<()> = WholeShape::default();
        let mut made = |pattern: &Pattern, last: Option<ConstantSystem>| {
            let rows = rows_of(pattern);
            let whole = || rows_of(&pattern.whole()).graph(pattern.whole_len());
            let mut system = order
                .system((), &rows, &pattern.origins(), pattern.rest_positions(), whole, last, &WorkBudget::unlimited())
                .expect("nobody calls it off");
            system.assemble(|vertex| 0.1 + 0.01 * (vertex % 3) as f64, &rows);
            system
        };
        let mut system = made(&pattern, None);
        hold(&mut system, &[0, 3], &[]);
        let solve = |system: &mut ConstantSystem, n: usize| {
            let mut x: Vec<_> = (0..n).map(|i| F64x4([1.0, i as f64, (i % 9) as f64, 0.0])).collect();
            system.solve(&mut x, &ThreadPool::alone());
            x.iter().map(|x| x.0.map(f64::to_bits)).collect::<Vec<_>>()
        };
        // from the rim inwards, several at once, and with updates in between that have to leave no trace
        for step in 0..6_u32 {
            let row = |row: u32| (row * columns + step, row * columns + step + 1);
            let edges = [row(5), row(21), row(30)].map(|(i, j)| [i, j]);
            hold(&mut system, &[0, 3], &[(7 + step, 2.0), (2 * columns, 1.0)]);
            pattern = pattern.open(&edges).expect("from the rim on");
            let n = pattern.len();
            let mut torn = made(&pattern, Some(system));
            hold(&mut torn, &[0, 3], &[(7 + step, 2.0)]);
            let mut fresh = made(&pattern, None);
            hold(&mut fresh, &[0, 3], &[(7 + step, 2.0)]);
            assert_eq!(torn.distance(&fresh), 0.0, "{columns} columns, tear {step}");
            assert_eq!(solve(&mut torn, n), solve(&mut fresh, n), "{columns} columns, tear {step}");
            assert!(torn.residual(&pool) < 1e-11);
            // and as it is read back from a file
            let springs = pattern.springs().clone();
            let (points, triangles) = (pattern.rest_positions().to_vec(), pattern.triangles().to_vec());
            let again = Pattern::torn(points, triangles, springs, pattern.parents().to_vec(), pattern.lost().clone());
            assert_eq!((again.revision(), &again), (pattern.revision(), &pattern));
            let mut read: WholeShape<()> = WholeShape::default();
            let rows = rows_of(&again);
            let whole = || rows_of(&again.whole()).graph(again.whole_len());
            let mut read = read
                .system((), &rows, &again.origins(), again.rest_positions(), whole, None, &WorkBudget::unlimited())
                .expect("nobody calls it off");
            read.assemble(|vertex| 0.1 + 0.01 * (vertex % 3) as f64, &rows);
            hold(&mut read, &[0, 3], &[(7 + step, 2.0)]);
            assert_eq!(solve(&mut read, n), solve(&mut torn, n), "{columns} columns, tear {step}, read");
            system = torn;
        }
    }
}

#[test]
fn a_worn_out_factor_is_computed_anew() {
    let pattern = Pattern::grid(30, 30, 1.0, 1.0, Plane::Xz);
    let mut system = system(&pattern);
    hold(&mut system, &[], &[]);
    let at = system.symbolic().column_of[437] as usize;
    let mut cost = |held: &[(usize, f64)]| {
        let budget = WorkBudget::unlimited();
        system
            .constrain(std::iter::empty(), held.iter().copied(), &budget, &ThreadPool::alone())
            .expect("definite")
            .factorisations
    };
    // a weight of the size of the rest leaves no trace
    assert_eq!((cost(&[(at, 10.0)]), cost(&[])), (0, 0));
    // beside this one the rest has only four digits, and they do not come back by taking it away
    assert_eq!(cost(&[(at, 1e13)]), 0);
    assert_eq!(cost(&[]), 1, "the residual says so");
    assert!(system.residual(&ThreadPool::alone()) < 1e-11);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let pattern = Pattern::grid(60, 60, 1.0, 1.0, Plane::Xz);
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            ThreadPool::run(true, |pool| {
                let mut system = system(&pattern);
                system
                    .constrain([0, 59].into_iter(), [(7, 3.0)].into_iter(), &WorkBudget::unlimited(), pool)
                    .expect("definite");
                let mut x: Vec<_> = (0..pattern.len()).map(|i| F64x4([1.0, i as f64, (i % 9) as f64, 0.0])).collect();
                system.solve(&mut x, pool);
                x.iter().map(|x| x.0.map(f64::to_bits)).collect::<Vec<_>>()
            })
        })
    };
    let alone = solve(1);
    assert_eq!(alone, solve(2));
    assert_eq!(alone, solve(5));
}

#[test]
fn a_graph_lists_each_neighbour_once() {
    let graph = Graph::of(4, [[0, 1], [1, 0], [2, 1]].into_iter());
    assert_eq!(graph.of_vertex(1), [0, 2]);
    assert!(graph.of_vertex(3).is_empty());
}

#[test]
fn an_indefinite_matrix_has_a_factor_with_signs() {
    for (columns, threads) in [(7, 1), (40, 1), (40, 3)] {
        let pattern = Pattern::grid(columns, 40, 1.0, 1.0, Plane::Xz);
        let system = system(&pattern);
        let (symbolic, definite) = (system.symbolic().clone(), system.matrix().clone());
        let mut indefinite = definite.clone();
        for place in (0..definite.size()).filter(|place| place % 3 == 1) {
            indefinite.values[indefinite.starts[place]] *= -0.7;
        }
        let mut factor = SupernodalCholesky::new(symbolic);
        let budget = WorkBudget::unlimited();
        let right: Vec<F64x4> =
            (0..definite.size()).map(|i| F64x4([1.0, (i % 7) as f64, (i % 5) as f64 - 2.0, 0.0])).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            ThreadPool::run(true, |pool| {
                // and back again: the signs of one matrix do not stay for the next
                for (matrix, is_definite) in [(&indefinite, false), (&definite, true), (&indefinite, false)] {
                    assert_eq!(factor.compute_any(matrix, &budget, pool), Ok(is_definite));
                    let mut x = right.clone();
                    factor.solve(&mut x, pool);
                    let mut left = vec![F64x4::ZERO; x.len()];
                    matrix.multiply(&x, &mut left);
                    let error =
                        left.iter().zip(&right).flat_map(|(a, b)| (*a - *b).0).fold(0.0, |a: f64, b| a.max(b.abs()));
                    assert!(error < 1e-9, "{columns} columns, definite: {is_definite}: {error:e}");
                }
                assert_eq!(factor.compute(&indefinite, &budget, pool), Err(FactorError::NotPositiveDefinite));
            });
        });
    }
}

#[test]
fn a_factorisation_that_is_called_off_says_so() {
    let pattern = Pattern::grid(20, 20, 1.0, 1.0, Plane::Xz);
    let mut system = system(&pattern);
    let canceller = Canceller::default();
    canceller.cancel_through(1);
    let mut budget = WorkBudget::unlimited();
    budget.begin(canceller.token(1), 1000.0);
    let rows = rows_of(&pattern);
    assert!(ConstantSystem::new(&rows, pattern.rest_positions(), &budget).is_err());
    let done = system.constrain(std::iter::empty(), std::iter::empty(), &budget, &ThreadPool::alone());
    assert_eq!(done, Err(FactorError::Cancelled));
    // and is made when it is asked for again
    hold(&mut system, &[], &[]);
    assert!(system.residual(&ThreadPool::alone()) < 1e-11);
}

#[test]
fn a_factor_that_need_not_be_exact_stays_while_most_of_it_is_right() {
    let pattern = Pattern::grid(30, 30, 1.0, 1.0, Plane::Xz);
    let mut system = system(&pattern);
    let mut factorisations = |pins: &[u32], held: std::ops::Range<usize>| {
        let held = held.map(|place| (place, 10.0));
        let budget = WorkBudget::unlimited();
        let work =
            system.constrain_nearly(pins.iter().copied(), held, 0.5, &budget, &ThreadPool::alone()).expect("definite");
        (work.factorisations + work.updates > 0, system.added(100) > 0.0)
    };
    assert_eq!(factorisations(&[3], 0..100), (true, false));
    // of 133 weights 66 are others
    assert_eq!(factorisations(&[3], 33..133), (false, false), "half of them stay");
    assert_eq!(factorisations(&[3], 34..134), (true, true));
    assert_eq!(factorisations(&[3, 4], 34..134), (true, true), "prescribed vertices are never left");
    assert_eq!(factorisations(&[3, 4], 34..100), (false, true));
    assert_eq!(factorisations(&[3, 4], 0..0), (true, false));
    assert!(system.residual(&ThreadPool::alone()) < 1e-11);
}
