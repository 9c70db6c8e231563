//! Projections of the deformation gradients of tetrahedra: against the reference data, and for what makes them projections.

use glam::{DMat3, DQuat, EulerRot};
use proptest::prelude::*;
use serde::Deserialize;
use weft::sim::Vec3;
use weft::sim::constraints::{SignedSvd, clamp_tetrahedral_strain, clamp_volume};

type Matrix = [Vec3; 3];

#[derive(Deserialize)]
struct Reference {
    projections: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
struct Case {
    #[serde(rename = "F")]
    f: [[f64; 3]; 3],
    signed_values: [f64; 3],
    low: f64,
    high: f64,
    vlow: f64,
    vhigh: f64,
    strain: [[f64; 3]; 3],
    strain_values: [f64; 3],
    strain_unique: bool,
    strain_distance: f64,
    volume: [[f64; 3]; 3],
    volume_values: [f64; 3],
    volume_unique: bool,
    volume_distance: f64,
}

fn columns(rows: [[f64; 3]; 3]) -> Matrix {
    [0, 1, 2].map(|j| Vec3::new(rows[0][j], rows[1][j], rows[2][j]))
}

fn norm(f: Matrix) -> f64 {
    f.iter().map(|column| column.length_squared()).sum::<f64>().sqrt()
}

fn distance(a: Matrix, b: Matrix) -> f64 {
    norm([0, 1, 2].map(|k| a[k] - b[k]))
}

fn product(a: DMat3, b: DMat3) -> Matrix {
    let of = a * b;
    [of.x_axis, of.y_axis, of.z_axis]
}

fn matrix(f: Matrix) -> DMat3 {
    DMat3::from_cols(f[0], f[1], f[2])
}

fn rotation([a, b, c]: [f64; 3]) -> DMat3 {
    DMat3::from_quat(DQuat::from_euler(EulerRot::ZXZ, a, b, c))
}

fn same_values(found: [f64; 3], expected: [f64; 3]) -> bool {
    found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-10)
}

#[test]
fn projections_are_those_of_the_reference() {
    let text = include_str!("../data/volumes.json");
    let cases = serde_json::from_str::<Reference>(text).expect("the reference data is valid").projections;
    assert_eq!(cases.len(), 20);
    for (number, case) in cases.iter().enumerate() {
        let f = columns(case.f);
        let values = SignedSvd::of(f).values;
        assert!(same_values(values, case.signed_values), "{number}: {values:?}, not {:?}", case.signed_values);
        let strain = clamp_tetrahedral_strain(f, case.low, case.high);
        let volume = clamp_volume(f, case.vlow, case.vhigh);
        for (what, found, expected, values, unique, apart) in [
            ("strain", strain, case.strain, case.strain_values, case.strain_unique, case.strain_distance),
            ("volume", volume, case.volume, case.volume_values, case.volume_unique, case.volume_distance),
        ] {
            let own = SignedSvd::of(found).values;
            let (mut own, mut values) = (own, values);
            own.sort_by(f64::total_cmp);
            values.sort_by(f64::total_cmp);
            assert!(same_values(own, values), "{number}, {what}: {own:?}, not {values:?}");
            let own = distance(f, found);
            assert!((own - apart).abs() <= 1e-10, "{number}, {what}: {own} away, not {apart}");
            if unique {
                let apart = distance(found, columns(expected));
                assert!(apart <= 1e-10, "{number}, {what}: {apart:e} from the reference");
            }
        }
    }
}

/// A matrix of the given values between two rotations.
fn of_values(values: [f64; 3], left: [f64; 3], right: [f64; 3]) -> Matrix {
    product(rotation(left) * DMat3::from_diagonal(Vec3::from(values)), rotation(right))
}

fn angles() -> impl Strategy<Value = [f64; 3]> {
    [-3.2..3.2, -3.2..3.2, -3.2..3.2]
}

fn any_matrix() -> impl Strategy<Value = Matrix> {
    let entry = || -3.0..3.0_f64;
    let free =
        [[entry(), entry(), entry()], [entry(), entry(), entry()], [entry(), entry(), entry()]].prop_map(columns);
    let value = || prop_oneof![-3.0..3.0_f64, Just(0.0), Just(1.0), -1e-9..1e-9_f64, Just(2.0)];
    let made = ([value(), value(), value()], angles(), angles()).prop_map(|(s, a, b)| of_values(s, a, b));
    prop_oneof![free, made]
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn signed_values_make_the_matrix_with_two_rotations(f in any_matrix()) {
        let svd = SignedSvd::of(f);
        let size = norm(f).max(1e-300);
        prop_assert!(distance(svd.with(svd.values), f) <= 1e-14 * size.max(1.0));
        for side in [svd.left, svd.right] {
            let q = matrix(side);
            prop_assert!((q.determinant() - 1.0).abs() <= 1e-13);
            let [x, y, z] = product(q.transpose(), q);
            prop_assert!(distance([x, y, z], [Vec3::X, Vec3::Y, Vec3::Z]) <= 1e-13);
        }
        let [a, b, c] = svd.values;
        let slack = 1e-14 * size;
        prop_assert!(a >= b - slack && b >= c.abs() - slack, "{:?}", svd.values);
        let volume = matrix(f).determinant();
        prop_assert!(volume.abs() <= 1e-12 * size.powi(3) || (volume < 0.0) == (c < 0.0));
    }

    #[test]
    fn projections_are_admissible_and_no_sampled_admissible_matrix_is_nearer(
        f in any_matrix(),
        limits in (0.05..1.0_f64, 1.0..2.0_f64),
        samples in prop::collection::vec((([0.0..1.0_f64, 0.0..1.0, 0.0..1.0]), angles(), angles(), 0.0..1.0_f64), 60),
    ) {
        let (low, high) = limits;
        let strain = clamp_tetrahedral_strain(f, low, high);
        let volume = clamp_volume(f, low, high);
        let (s, own) = (SignedSvd::of(strain).values, SignedSvd::of(f));
        prop_assert!(s.iter().all(|s| (low - 1e-12..=high + 1e-12).contains(s)), "{s:?}");
        let filled = matrix(volume).determinant();
        prop_assert!((low * (1.0 - 1e-10)..=high * (1.0 + 1e-10)).contains(&filled), "{filled} of {low}..{high}");
        let (to_strain, to_volume) = (distance(f, strain), distance(f, volume));
        for (values, left, right, near) in samples {
            // anywhere, and near the matrix itself
            let (u, v) = (matrix(own.left), matrix(own.right));
            let some = values.map(|value| low + value * (high - low));
            let turned = product(u * rotation(left.map(|angle| angle * 0.1)) * DMat3::from_diagonal(Vec3::from(some)), v.transpose());
            for candidate in [of_values(some, left, right), turned] {
                prop_assert!(distance(f, candidate) >= to_strain * (1.0 - 1e-12) - 1e-12);
            }
            // two values anywhere, the third makes the volume
            let wanted = low + near * (high - low);
            for scale in [1.0, 2.0, 3.5] {
                let two = [0.02 + scale * values[0], 0.02 + scale * values[1]];
                for third in 0..3 {
                    let mut some = [two[0], two[1], two[0]];
                    some[third] = wanted / (some[(third + 1) % 3] * some[(third + 2) % 3]);
                    let aligned = product(u * DMat3::from_diagonal(Vec3::from(some)), v.transpose());
                    for candidate in [of_values(some, left, right), aligned] {
                        prop_assert!(distance(f, candidate) >= to_volume * (1.0 - 1e-9) - 1e-9, "{some:?}: {} < {to_volume}", distance(f, candidate));
                    }
                }
            }
        }
    }

    #[test]
    fn projections_turn_with_the_matrix_from_both_sides(f in any_matrix(), turn in angles(), low in 0.3..1.0_f64, high in 1.0..1.5_f64) {
        let (q, svd) = (rotation(turn), SignedSvd::of(f));
        let [a, b, c] = svd.values;
        // there is one nearest matrix, and no other nearly as near
        prop_assume!(b + c > 1e-2 && a * b * c < 1.8 * high && b > 1e-2);
        for project in [clamp_tetrahedral_strain, clamp_volume] {
            let p = matrix(project(f, low, high));
            let left = project(product(q, matrix(f)), low, high);
            let right = project(product(matrix(f), q), low, high);
            prop_assert!(distance(left, product(q, p)) <= 1e-9);
            prop_assert!(distance(right, product(p, q)) <= 1e-9);
        }
    }

    #[test]
    fn an_admissible_matrix_stays_as_it_is_to_the_bit(values in [0.91..1.09_f64, 0.91..1.09, 0.91..1.09], left in angles(), right in angles()) {
        let f = of_values(values, left, right);
        prop_assert_eq!(clamp_tetrahedral_strain(f, 0.9, 1.1), f);
        let volume = values.iter().product::<f64>();
        prop_assert_eq!(clamp_volume(f, volume * 0.999, volume * 1.001), f);
    }
}

#[test]
fn collapsed_and_mirrored_matrices_get_finite_admissible_projections() {
    let flat = [Vec3::X, Vec3::Y, Vec3::ZERO];
    let line = [Vec3::X, Vec3::X * 2.0, Vec3::X * -1.0];
    let mirror = [Vec3::X, Vec3::Y, -Vec3::Z];
    let tiny = [Vec3::X * 1e-200, Vec3::Y * 1e-180, Vec3::Z * -1e-190];
    let huge = [Vec3::X * 1e12, Vec3::Y * -1e11, Vec3::Z];
    for f in [[Vec3::ZERO; 3], flat, line, mirror, tiny, huge] {
        for (low, high) in [(1.0, 1.0), (0.5, 1.5), (0.01, 3.0)] {
            let s = SignedSvd::of(clamp_tetrahedral_strain(f, low, high)).values;
            assert!(s.iter().all(|s| (low - 1e-12..=high + 1e-12).contains(s)), "{f:?}: {s:?}");
            let [a, b, c] = SignedSvd::of(clamp_volume(f, low, high)).values;
            let volume = a * b * c;
            assert!(volume >= low * (1.0 - 1e-6) && volume <= high * (1.0 + 1e-6), "{f:?}, {low}..{high}: {volume}");
        }
    }
}

#[test]
fn of_equal_values_the_third_collapses_from_a_volume_of_almost_seven_times_the_limit() {
    // s³ = 6.88 t is where both are equally far (`physics.md` section 9)
    for (s, collapses) in [(6.8_f64.cbrt(), false), (6.95_f64.cbrt(), true)] {
        let found = SignedSvd::of(clamp_volume([Vec3::X * s, Vec3::Y * s, Vec3::Z * s], 1.0, 1.0)).values;
        assert_eq!(found[0] - found[2] > 0.1, collapses, "{s}: {found:?}");
    }
}
