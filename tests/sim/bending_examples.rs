//! Bending that prefers the curvatures of examples.

use weft::sim::constraints::{BendingExamples, Constraint};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::exec::simd::F64x4;
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Real, Vec3};

use crate::fixtures::advance;
use crate::projective::{ON, projective};

/// Vertices along each side of the sheet of a square metre.
const N: usize = 9;
const CELL: Real = 1.0 / (N as Real - 1.0);
const STIFFNESS: Real = 0.05;

/// The sheet rolled to a curvature [1/m] about z.
fn rolled(curvature: Real) -> Vec<Vec3> {
    let place = |at: usize| {
        let (along, z) = ((at % N) as Real * CELL, (at / N) as Real * CELL);
        let turn = along * curvature;
        Vec3::new(turn.sin() / curvature, (1.0 - turn.cos()) / curvature, z)
    };
    (0..N * N).map(place).collect()
}

/// Bent in a wave across the other way.
fn waved() -> Vec<Vec3> {
    let place = |at: usize| {
        let (x, z) = ((at % N) as Real * CELL, (at / N) as Real * CELL);
        Vec3::new(x, 0.1 * (5.0 * z).sin(), z)
    };
    (0..N * N).map(place).collect()
}

fn flat() -> Pattern {
    Pattern::grid(N, N, 1.0, 1.0, Plane::Xz)
}

/// `|z|` of the inner vertices [1/m], on squares.
fn curvatures(q: &[Vec3]) -> Vec<Real> {
    let inner = (1..N - 1).flat_map(|row| (1..N - 1).map(move |column| row * N + column));
    inner.map(|i| (q[i - 1] + q[i + 1] + q[i - N] + q[i + N] - q[i] * 4.0).length() / (CELL * CELL)).collect()
}

/// `|z|` on the rolled sheet: the second difference of a circle.
fn of_roll(curvature: Real) -> Real {
    2.0 * (1.0 - (CELL * curvature).cos()) / (curvature * CELL * CELL)
}

/// Weights, one per example and element, and the energy [J] of a shape.
fn found(pattern: &Pattern, global: bool, q: &[Vec3]) -> (Vec<Vec<Real>>, Real) {
    let constraint = BendingExamples { stiffness: STIFFNESS, global };
    let elements = constraint.elements(pattern);
    let lanes: Vec<F64x4> = q.iter().map(|x| F64x4::from_vec3(*x)).collect();
    let mut values = vec![F64x4::ZERO; elements.len()];
    elements.evaluate(0..elements.len(), &lanes, &mut values);
    let mut states = elements.fresh_states();
    if global {
        constraint.project_together(&elements, &mut values, &mut states, &ThreadPool::alone());
    } else {
        constraint.project(&mut elements.chunk(0..elements.len(), &mut values, &mut states));
    }
    let weights = states.chunks(elements.states()).map(<[Real]>::to_vec).collect();
    (weights, elements.energies(&constraint, &lanes).iter().sum())
}

#[test]
fn a_sheet_bent_towards_its_example_has_its_weight_and_beyond_it_the_energy_of_the_rest() {
    let pattern = flat().with_examples(vec![rolled(2.0)]);
    for (curvature, global) in [(0.7, false), (0.7, true), (1.6, true), (2.0, true), (3.0, false), (3.0, true)] {
        let (weights, energy) = found(&pattern, global, &rolled(curvature));
        let share = of_roll(curvature) / of_roll(2.0);
        let expected = (share - 1.0).max(0.0) * of_roll(2.0);
        let expected = 0.5 * STIFFNESS * CELL * CELL * (weights.len() as Real) * expected * expected;
        assert!((energy - expected).abs() < 1e-6 * STIFFNESS, "{curvature}: {energy}, by hand {expected} J");
        assert_eq!(weights.len(), (N - 2) * (N - 2));
        for weight in weights {
            assert!((weight[0] - share.min(1.0)).abs() < 1e-6, "{curvature}: {weight:?}, by hand {share}");
        }
    }
}

#[test]
fn the_weights_are_the_best_of_all_admissible_ones() {
    let examples = [rolled(2.0), waved()];
    let pattern = flat().with_examples(examples.to_vec());
    for seed in 0..5 {
        let shake = |i: usize| (Real::from(seed) * 3.1 + i as Real * 1.7).sin() * 0.004;
        let mixed = rolled(1.2).into_iter().zip(waved());
        let q: Vec<Vec3> = mixed.enumerate().map(|(i, (a, b))| a + Vec3::Y * (0.3 * b.y + shake(i))).collect();
        let shapes = [flat().rest_positions(), &examples[0], &examples[1]].map(curvatures);
        let now = curvatures(&q);
        // of all vertices in `of`, for given weights
        let energy = |of: &[usize], w: [Real; 2]| -> Real {
            let square = |&v: &usize| {
                let wanted = shapes[0][v] * (1.0 - w[0] - w[1]) + shapes[1][v] * w[0] + shapes[2][v] * w[1];
                0.5 * STIFFNESS * CELL * CELL * (now[v] - wanted) * (now[v] - wanted)
            };
            of.iter().map(square).sum()
        };
        let grid = || (0..=50).flat_map(|i| (0..=50 - i).map(move |j| [i, j].map(|k| Real::from(k) / 50.0)));
        let all: Vec<usize> = (0..now.len()).collect();
        let (weights, stated) = found(&pattern, true, &q);
        let own = energy(&all, [weights[0][0], weights[0][1]]);
        assert!((own - stated).abs() < 1e-6 * own, "{own} and {stated} J");
        let least = grid().map(|w| energy(&all, w)).fold(Real::MAX, Real::min);
        println!("{:?}: {own} J, of a grid of weights {least} J", weights[0]);
        assert!(weights[0][0] > 0.05 && own <= least && least < 1.01 * own, "{own} J, of a grid {least} J");
        let (weights, _) = found(&pattern, false, &q);
        for (v, weights) in weights.iter().enumerate() {
            let own = energy(&[v], [weights[0], weights[1]]);
            let least = grid().map(|w| energy(&[v], w)).fold(Real::MAX, Real::min);
            assert!(own <= least + 1e-9, "vertex {v}: {own} J, of a grid {least} J");
        }
    }
}

#[test]
fn a_sheet_opens_to_its_example_or_beyond_and_stays_where_it_is_bent_less() {
    let end = |curvature: Real, global: bool| {
        let settings = [
            ("triangle_strain", ON),
            ("strain_weight", Setting::Real(100.0)),
            ("bending_examples", ON),
            ("bending_examples_weight", Setting::Real(STIFFNESS)),
            ("bending_examples_global", Setting::Toggle(global)),
            ("iterations", Setting::Integer(50)),
        ];
        let mut simulation = projective(flat().with_examples(vec![rolled(2.0)]), &settings);
        simulation.parameters.gravity.gravity = 0.0;
        simulation.state.cloth.positions = rolled(curvature);
        advance(&mut simulation, 100);
        let curvatures = curvatures(&simulation.state.cloth.positions);
        let mean = curvatures.iter().sum::<Real>() / curvatures.len() as Real;
        let share = curvatures.iter().map(|of_vertex| (of_vertex / of_roll(2.0)).min(1.0)).sum::<Real>();
        let weights = simulation.solver().example_weights();
        (mean, share / curvatures.len() as Real, weights[0].mean[0])
    };
    for global in [true, false] {
        let [opened, kept] = [4.0, 1.0].map(|curvature| end(curvature, global));
        println!("as a whole {global}: mean curvature, share of the example, weight: {opened:?}, {kept:?}");
        // nothing stops it between its example and the rest shape but the damping of long steps
        assert!(opened.0 < 1.02 * of_roll(2.0), "{opened:?}");
        assert!((kept.0 / of_roll(1.0) - 1.0).abs() < 0.05, "{kept:?}");
        for (_, share, weight) in [opened, kept] {
            assert!((weight - share).abs() < 0.1, "weight {weight}, the curvature says {share}");
        }
    }
}
