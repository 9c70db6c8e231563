//! Projections of deformation gradients: strain limits and area.

use std::f64::consts::TAU;

use proptest::prelude::*;
use serde::Deserialize;
use weft::sim::Vec3;
use weft::sim::constraints::{StrainLimits, Svd, clamp_anisotropic, clamp_area, clamp_strain};

/// A 3×2 matrix by columns.
pub type Matrix = [Vec3; 2];

fn difference(a: Matrix, b: Matrix) -> Matrix {
    [a[0] - b[0], a[1] - b[1]]
}

fn norm(a: Matrix) -> f64 {
    a[0].length().hypot(a[1].length())
}

fn distance(a: Matrix, b: Matrix) -> f64 {
    norm(difference(a, b))
}

fn area(f: Matrix) -> f64 {
    f[0].cross(f[1]).length()
}

/// From `σ₁ ± σ₂ = √(|F|² ± 2 area)`, which has nothing in common with the implementation.
pub fn singular_values(f: Matrix) -> [f64; 2] {
    let square = norm(f).powi(2);
    let (sum, gap) = ((square + 2.0 * area(f)).sqrt(), (square - 2.0 * area(f)).max(0.0).sqrt());
    [(sum + gap) / 2.0, (sum - gap) / 2.0]
}

/// Entries 11, 22 and 12 of `S = √(FᵀF)` by the formula of Cayley and Hamilton.
pub fn stretch(f: Matrix) -> [f64; 3] {
    let square = [f[0].length_squared(), f[1].length_squared(), f[0].dot(f[1])];
    let trace = (square[0] + square[1] + 2.0 * area(f)).sqrt();
    if trace == 0.0 {
        return [0.0; 3];
    }
    [(square[0] + area(f)) / trace, (square[1] + area(f)) / trace, square[2] / trace]
}

/// The matrix with these singular values, turned in space by Euler angles and in its plane by one more.
fn matrix([s1, s2]: [f64; 2], angles: [f64; 4]) -> Matrix {
    let (sine, cosine) = angles[3].sin_cos();
    let flat = [Vec3::new(s1 * cosine, -s2 * sine, 0.0), Vec3::new(s1 * sine, s2 * cosine, 0.0)];
    rotated(flat, angles)
}

fn rotated(f: Matrix, [a, b, c, _]: [f64; 4]) -> Matrix {
    let turn = glam::DQuat::from_euler(glam::EulerRot::ZXZ, a, b, c);
    f.map(|column| turn * column)
}

/// Splitmix64, to search at random and the same every time.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The least distance from `f` to `admissible(parameters)`, six of them: singular values from the first two in 0..1, four
/// angles. By trial: random points first, then steps from the best one that shrink as they fail, and all that several times,
/// since with mirrored axes it gets stuck.
fn brute_force(f: Matrix, admissible: impl Fn([f64; 2]) -> [f64; 2]) -> f64 {
    let mut random = Random(7);
    let at =
        |p: [f64; 6]| distance(f, matrix(admissible([p[0], p[1]]), [p[2], p[3], p[4], p[5]].map(|turn| turn * TAU)));
    let mut search = || {
        let mut best = ([0.0; 6], f64::INFINITY);
        let mut reach = 0.3;
        for trial in 0.. {
            let mut point = best.0.map(|coordinate| coordinate + reach * (2.0 * random.unit() - 1.0));
            if trial < 300 {
                point = point.map(|_| random.unit());
            } else if reach < 1e-7 {
                break;
            }
            (point[0], point[1]) = (point[0].clamp(0.0, 1.0), point[1].clamp(0.0, 1.0));
            let far = at(point);
            if far < best.1 {
                best = (point, far);
                reach *= if trial < 300 { 1.0 } else { 1.5 };
            } else if trial >= 300 {
                reach *= 0.975;
            }
        }
        best.1
    };
    (0..6).map(|_| search()).fold(f64::INFINITY, f64::min)
}

#[derive(Deserialize)]
struct Reference {
    projections: Vec<Projection>,
}

#[derive(Deserialize)]
struct Projection {
    #[serde(rename = "F")]
    f: [[f64; 2]; 3],
    low: f64,
    high: f64,
    strain: [[f64; 2]; 3],
    area: [[f64; 2]; 3],
}

fn by_columns(rows: [[f64; 2]; 3]) -> Matrix {
    [0, 1].map(|column| Vec3::from_array(rows.map(|row| row[column])))
}

#[test]
fn projections_agree_with_an_independent_implementation() {
    let text = include_str!("../data/constraints.json");
    let all = serde_json::from_str::<Reference>(text).expect("the reference data is valid").projections;
    assert_eq!(all.len(), 20);
    for (at, Projection { f, low, high, strain, area }) in all.into_iter().enumerate() {
        let f = by_columns(f);
        for (name, got, expected, tolerance) in
            [("strain", clamp_strain(f, low, high), strain, 1e-12), ("area", clamp_area(f, low, high), area, 1e-6)]
        {
            let apart = difference(got, by_columns(expected)).map(|column| column.abs().max_element());
            assert!(apart[0].max(apart[1]) <= tolerance, "{at}, {name}: {apart:?}");
        }
    }
}

fn angles() -> impl Strategy<Value = [f64; 4]> {
    proptest::array::uniform4(0.0..TAU)
}

/// A larger and a smaller singular value, apart from each other and from zero, so that nearest points are stable.
fn values() -> impl Strategy<Value = [f64; 2]> {
    (0.05..3.0_f64, 0.01..2.0_f64).prop_map(|(small, gap)| [small + gap, small])
}

fn range() -> impl Strategy<Value = (f64, f64)> {
    (0.0..1.5_f64, 0.0..1.0_f64).prop_map(|(low, width)| (low, low + width))
}

proptest! {
    #[test]
    fn singular_values_are_right_to_rounding_of_the_larger(
        log in 0.0..14.0_f64, angles in angles(), log_scale in -140.0..140.0_f64,
    ) {
        let scale = 10_f64.powf(log_scale);
        let known = [scale, scale * 10_f64.powf(-log)];
        let f = matrix(known, angles);
        let svd = Svd::of(f);
        let [u1, u2] = svd.left;
        for (value, known) in svd.values.into_iter().zip(known) {
            prop_assert!((value - known).abs() <= 5e-15 * scale, "{value:e} for {known:e}");
        }
        prop_assert!(distance(svd.with(svd.values), f) <= 5e-15 * scale);
        prop_assert!(u1.dot(u2).abs() <= 1e-15);
        prop_assert!((u1.length() - 1.0).abs() <= 1e-15 && (u2.length() - 1.0).abs() <= 1e-15);
        let [[a, b], [c, d]] = svd.right;
        prop_assert!((a * c + b * d).abs() <= 1e-15 && (a.hypot(b) - 1.0).abs() <= 1e-15);
    }

    #[test]
    fn projections_are_admissible_and_projecting_twice_is_projecting_once(
        (values, angles, (low, high)) in (values(), angles(), range()),
    ) {
        let f = matrix(values, angles);
        let strain = clamp_strain(f, low, high);
        for value in Svd::of(strain).values {
            prop_assert!((low - 1e-14..=high + 1e-14).contains(&value), "{value}");
        }
        prop_assert!(distance(clamp_strain(strain, low, high), strain) <= 1e-14);
        let sized = clamp_area(f, low, high);
        prop_assert!((low - 1e-13..=high + 1e-13).contains(&area(sized)), "{}", area(sized));
        prop_assert!(distance(clamp_area(sized, low, high), sized) <= 1e-12);
    }

    #[test]
    fn admissible_matrices_stay_as_they_are(
        (values, angles) in (values(), angles()), (below, above) in (0.0..0.5_f64, 0.0..0.5_f64),
    ) {
        let f = matrix(values, angles);
        let slack = 1e-9;
        prop_assert_eq!(clamp_strain(f, values[1] - below - slack, values[0] + above + slack), f);
        let product = values[0] * values[1];
        prop_assert_eq!(clamp_area(f, product - below - slack, product + above + slack), f);
        let [warp, weft, shear] = stretch(f).map(|entry| [entry - below - slack, entry + above + slack]);
        prop_assert_eq!(clamp_anisotropic(f, &StrainLimits { warp, weft, shear }), f);
    }

    #[test]
    fn projections_turn_with_the_cloth(
        (values, angles, turn, (low, high)) in (values(), angles(), angles(), range()),
    ) {
        let f = matrix(values, angles);
        let limits = StrainLimits { warp: [low, high], weft: [0.9 * low, high], shear: [-0.1, 0.2] };
        prop_assert!(distance(clamp_strain(rotated(f, turn), low, high), rotated(clamp_strain(f, low, high), turn)) <= 1e-11);
        // with close singular values, far too large, the nearest matrix jumps
        if values[0] - values[1] > 0.1 {
            prop_assert!(distance(clamp_area(rotated(f, turn), low, high), rotated(clamp_area(f, low, high), turn)) <= 1e-11);
        }
        let there = clamp_anisotropic(rotated(f, turn), &limits);
        prop_assert!(distance(there, rotated(clamp_anisotropic(f, &limits), turn)) <= 1e-11);
    }

    #[test]
    fn anisotropic_limits_hold_for_each_thread_and_for_shear(
        (values, angles) in (values(), angles()),
        (warp, weft, shear) in ((0.5..1.0_f64, 0.0..0.5_f64), (0.5..1.0_f64, 0.0..0.5_f64), (0.0..0.4_f64, 0.0..0.4_f64)),
    ) {
        let f = matrix(values, angles);
        let limits =
            StrainLimits { warp: [warp.0, warp.0 + warp.1], weft: [weft.0, weft.0 + weft.1], shear: [-shear.0, shear.1] };
        let projected = clamp_anisotropic(f, &limits);
        for (entry, [low, high]) in stretch(projected).into_iter().zip([limits.warp, limits.weft, limits.shear]) {
            prop_assert!((low - 1e-12..=high + 1e-12).contains(&entry), "{entry} in {low}..={high}");
        }
        for (entry, (was, [low, high])) in
            stretch(projected).into_iter().zip(stretch(f).into_iter().zip([limits.warp, limits.weft, limits.shear]))
        {
            prop_assert!((entry - was.clamp(low, high)).abs() <= 1e-12, "each entry by itself");
        }
        prop_assert!(distance(clamp_anisotropic(projected, &limits), projected) <= 1e-12);
        let rigid = StrainLimits { warp: [1.0; 2], weft: [1.0; 2], shear: [0.0; 2] };
        prop_assert!(distance(clamp_anisotropic(f, &rigid), clamp_strain(f, 1.0, 1.0)) <= 1e-12);
    }

    #[test]
    fn along_the_threads_equal_limits_are_isotropic((values, angles, (low, high)) in (values(), angles(), range())) {
        let f = matrix(values, [angles[0], angles[1], angles[2], 0.0]);
        let limits = StrainLimits { warp: [low, high], weft: [low, high], shear: [0.0; 2] };
        prop_assert!(distance(clamp_anisotropic(f, &limits), clamp_strain(f, low, high)) <= 1e-12);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_admissible_matrix_is_nearer(
        (values, angles, (low, high)) in (proptest::array::uniform2(0.0..3.0_f64), angles(), range()),
    ) {
        let f = matrix(values, angles);
        let far = distance(f, clamp_strain(f, low, high));
        let searched = brute_force(f, |p| p.map(|share| low + share * (high - low)));
        prop_assert!(searched - far <= 1e-3 && far <= searched + 1e-12, "strain: {far}, {searched} by trial");
        let far = distance(f, clamp_area(f, low, high));
        let searched = brute_force(f, |[size, share]| {
            let first = 0.05 + 3.5 * size;
            [first, (low + share * (high - low)) / first]
        });
        prop_assert!(searched - far <= 1e-3 && far <= searched + 1e-12, "area: {far}, {searched} by trial");
    }
}
