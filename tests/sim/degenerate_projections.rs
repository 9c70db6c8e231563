//! Projections where there is no nearest matrix or more than one: collapsed triangles, squares far too large.

use weft::sim::Vec3;
use weft::sim::constraints::{StrainLimits, Svd, clamp_anisotropic, clamp_area, clamp_strain};

use crate::projections::{singular_values, stretch};

#[test]
fn the_nearest_area_of_equal_singular_values_is_a_square_only_near_the_limit() {
    // x y = c has one nearest point to (a, a) for a ≤ 2 √c, and two beyond, with x + y = a
    for (a, c) in [(1.5_f64, 1.0_f64), (2.0, 1.0), (2.5, 1.0), (40.0, 1.0), (0.5, 1.0), (3.0, 0.0)] {
        let half = a / 2.0;
        let [x, y] = if a <= 2.0 * c.sqrt() {
            [c.sqrt(); 2]
        } else {
            [half + (half * half - c).sqrt(), c / (half + (half * half - c).sqrt())]
        };
        let got = singular_values(clamp_area([Vec3::X * a, Vec3::Y * a], c, c));
        assert!(
            (got[0] - x).abs() < 1e-7 && (got[1] - y).abs() < 1e-7,
            "({a}, {a}) on x y = {c}: {got:?}, not {x}, {y}"
        );
        // a hair apart: the same, though the multiplier is all but singular
        let got = singular_values(clamp_area([Vec3::X * a * (1.0 + 1e-13), Vec3::Y * a], c, c));
        assert!((got[0] - x).abs() < 1e-4 && (got[1] - y).abs() < 1e-4, "near ({a}, {a}) on x y = {c}: {got:?}");
    }
}

#[test]
fn degenerate_triangles_get_finite_admissible_projections() {
    let line = Vec3::new(1.0, -2.0, 0.5);
    let shapes = [
        [Vec3::ZERO, Vec3::ZERO],
        [line, Vec3::ZERO],
        [Vec3::ZERO, line],
        [line, line],
        [line, -line * 3.0],
        [line, line + Vec3::new(1e-17, 1e-16, 0.0)],
        [Vec3::X, Vec3::Y],
        [Vec3::X, Vec3::X * 1e-200 + Vec3::Z * 1e-250],
        [Vec3::X * 1e-300, Vec3::Y * 1e-5],
    ];
    for shape in shapes {
        for scale in [1.0, 1e-9, 1e9, 1e-160, 1e160, 1e-300, 1e300, 5e-324] {
            let f = shape.map(|column| column * scale);
            for (low, high) in [(1.0, 1.0), (0.5, 2.0), (0.0, 0.0), (0.0, 1.0), (1e-3, 1e3)] {
                let close = |value: f64| (low - 1e-14 * high..=high * (1.0 + 1e-14)).contains(&value);
                let strain = clamp_strain(f, low, high);
                assert!(Svd::of(strain).values.into_iter().all(close), "strain of {f:?} in {low}..={high}: {strain:?}");
                let sized = clamp_area(f, low, high);
                let [s1, s2] = Svd::of(sized).values;
                // rounding of the larger value is all that the smaller one can be known to
                let unsure = 4.0 * f64::EPSILON * s1 * s1;
                assert!(sized[0].is_finite() && sized[1].is_finite(), "area of {f:?} in {low}..={high}: {sized:?}");
                assert!(
                    close(s1 * s2) || s1 * s2 <= high + unsure && s1 * s2 + unsure >= low,
                    "{f:?}: {} {low} {high}",
                    s1 * s2
                );
                let limits = StrainLimits { warp: [low, high], weft: [low, high], shear: [-0.1 * low, 0.1 * low] };
                let woven = clamp_anisotropic(f, &limits);
                assert!(woven[0].is_finite() && woven[1].is_finite(), "anisotropic of {f:?}: {woven:?}");
                let slack = 1e-12 * high + 1e-300;
                if high > 0.0 {
                    let entries = stretch(woven);
                    assert!(entries[0] >= low - slack && entries[0] <= high + slack, "{f:?} to {entries:?}");
                    assert!(entries[2].abs() <= 0.1 * low + slack, "{f:?} to {entries:?}");
                }
            }
        }
    }
    let twice = [(); 2].map(|()| clamp_strain([line, line], 1.0, 1.0));
    assert_eq!(twice[0], twice[1], "the choice is always the same");
}

#[test]
fn a_shear_range_wider_than_the_stretches_gives_a_matrix_within_the_limits() {
    let f = [Vec3::new(1.0, 0.9, 0.0), Vec3::new(0.9, 1.0, 0.0)];
    let limits = StrainLimits { warp: [0.1, 0.2], weft: [0.1, 0.4], shear: [-2.0, 2.0] };
    let [warp, weft, shear] = stretch(clamp_anisotropic(f, &limits));
    assert!((warp - 0.2).abs() < 1e-12 && (weft - 0.4).abs() < 1e-12, "{warp}, {weft}");
    assert!((shear - 0.08_f64.sqrt()).abs() < 1e-12, "{shear}");
}
