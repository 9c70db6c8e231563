//! What a cut along a stroke opens.

use weft::sim::pattern::{OneRings, Plane};
use weft::sim::topology::cut_path::{CutPath, Hit};
use weft::sim::{Pattern, Vec3};

use crate::opening::{hangs_at_a_point, pieces};

/// What a stroke from `from` to `to`, points of the flat unit square, does to a cloth of 9 × 9 vertices, if it comes in
/// `parts`.
fn stroke(from: [f64; 2], to: [f64; 2], parts: usize) -> Pattern {
    let mut pattern = Pattern::grid(9, 9, 1.0, 1.0, Plane::Xz);
    let mut cut_path = CutPath::default();
    let met = |pattern: &Pattern, share: f64| -> Option<Hit> {
        let [x, z] = [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]));
        let point = Vec3::new(x, 0.0, z);
        let inside = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|v| pattern.rest_positions()[v as usize]);
            [(a, b), (b, c), (c, a)].into_iter().all(|(a, b)| (b - a).cross(point - a).y >= -1e-12)
        };
        let triangle = pattern.triangles().iter().position(inside)? as u32;
        Some(Hit { triangle, point })
    };
    for part in 0..parts {
        let shares = (0..=400 / parts).map(|at| (part as f64 + at as f64 / (400 / parts) as f64) / parts as f64);
        let points: Vec<_> = shares.map(|share| met(&pattern, share)).collect();
        let opened = cut_path.follow(&OneRings::of(&pattern), pattern.rest_positions(), &points);
        pattern = pattern.open(&opened).unwrap_or(pattern);
    }
    pattern
}

#[test]
fn a_stroke_across_the_cloth_cuts_it_in_two_in_whatever_direction_and_however_slowly() {
    for parts in [1, 3, 50] {
        for (from, to) in [
            ([-0.2, 0.43], [1.2, 0.57]),
            ([1.1, 0.8], [-0.1, 0.2]),
            ([0.3, -0.1], [0.7, 1.1]),
            ([0.5, 1.3], [0.5, -0.3]),
            ([-0.1, 0.3], [0.3, -0.1]),
        ] {
            let cut = stroke(from, to, parts);
            assert_eq!(pieces(&cut), 2, "{from:?} to {to:?} in {parts} parts");
            assert_eq!(hangs_at_a_point(&cut), None);
            // straight: hardly more vertices than the stroke is long
            let length = Vec3::from_array([to[0] - from[0], to[1] - from[1], 0.0]).length() * 8.0;
            assert!((cut.parents().len() as f64) < 1.5 * length + 2.0, "{}", cut.parents().len());
        }
    }
}

#[test]
fn a_stroke_inside_the_cloth_leaves_a_slit_and_one_beside_it_nothing() {
    for parts in [1, 40] {
        let slit = stroke([0.26, 0.5], [0.74, 0.52], parts);
        assert_eq!((pieces(&slit), slit.parents().len()), (1, 3), "five vertices long, {parts}");
        assert_eq!(stroke([-0.5, -0.1], [1.5, -0.1], parts).parents().len(), 0);
        let notch = stroke([-0.2, 0.5], [0.5, 0.5], parts);
        assert_eq!((pieces(&notch), notch.parents().len()), (1, 4), "{parts}");
    }
}
