//! Closest points of a vertex and a triangle and of two edges.

use proptest::prelude::*;
use weft::sim::Vec3;
use weft::sim::contact::cloth::distance::{Closest, edge_edge, vertex_triangle};

type Four = [Vec3; 4];

/// A function that finds closest points, and how many of the four points are of the first part. The
/// address of a function does not tell which one it is: the compiler may have several copies.
type Find = (fn(&Four) -> Closest, usize);

const VERTEX_TRIANGLE: Find = (vertex_triangle, 1);
const EDGE_EDGE: Find = (edge_edge, 2);

/// The weights of the points that divide the two parts evenly.
fn grid((_, positive): Find) -> Vec<[f64; 4]> {
    const N: usize = 12;
    let at = |i: usize| i as f64 / N as f64;
    let places = (0..=N).flat_map(|i| (0..=N).map(move |j| (at(i), at(j))));
    if positive == 1 {
        places.filter(|(s, t)| s + t <= 1.0).map(|(s, t)| [1.0, s + t - 1.0, -s, -t]).collect()
    } else {
        places.map(|(s, t)| [1.0 - s, s, t - 1.0, -t]).collect()
    }
}

fn sum(weights: &[f64; 4], x: &Four) -> Vec3 {
    weights.iter().zip(x).map(|(&weight, &x)| x * weight).sum()
}

/// That the weights are those of points of the two parts, that the difference is theirs, and that no others are closer.
fn assert_closest(find: Find, x: &Four) {
    let size = x.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
    let (closest_of, positive) = find;
    let closest = closest_of(x);
    let weights = closest.weights;
    let grid = grid(find);
    assert!(weights[..positive].iter().all(|w| (0.0..=1.0).contains(w)), "{weights:?}");
    assert!(weights[positive..].iter().all(|w| (-1.0..=0.0).contains(w) || w.abs() < 1e-15), "{weights:?}");
    assert!((weights[..positive].iter().sum::<f64>() - 1.0).abs() < 1e-12, "{weights:?}");
    assert!((weights.iter().sum::<f64>()).abs() < 1e-12, "{weights:?}");
    // where two parts of a centimetre nearly touch, the points slide far for the last digits of the distance
    assert!((sum(&weights, x) - closest.difference).length() <= 1e-6 * size, "{closest:?} for {x:?}");
    let nearest = grid.iter().map(|weights| sum(weights, x).length()).fold(f64::INFINITY, f64::min);
    assert!(closest.distance() <= nearest + 1e-9 * size, "{} > {nearest} for {x:?}", closest.distance());
}

/// Numbers of which many are equal, so that parts are parallel, degenerate, and touch.
fn rough() -> impl Strategy<Value = Four> {
    prop::array::uniform4(prop::array::uniform3(0_i8..4)).prop_map(|x| x.map(|x| Vec3::from(x.map(f64::from))))
}

fn smooth() -> impl Strategy<Value = Four> {
    prop::array::uniform4(prop::array::uniform3(-1.0..1.0)).prop_map(|x| x.map(Vec3::from))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn nothing_is_closer_than_the_closest_points(rough in rough(), smooth in smooth(), flat in 0.0..1e-7) {
        for find in [VERTEX_TRIANGLE, EDGE_EDGE] {
            assert_closest(find, &rough);
            assert_closest(find, &smooth);
            // nearly degenerate, nearly parallel, nearly touching
            let mut near = rough;
            for (x, shift) in near.iter_mut().zip(smooth) {
                *x += shift * flat;
            }
            assert_closest(find, &near);
        }
    }
}

#[test]
fn crossing_edges_and_a_vertex_over_a_triangle_have_the_known_closest_points() {
    let cross = [Vec3::NEG_X, Vec3::X, Vec3::new(0.5, -1.0, -0.25), Vec3::new(0.5, 3.0, -0.25)];
    let closest = edge_edge(&cross);
    assert_eq!(closest.weights, [0.25, 0.75, -0.75, -0.25]);
    assert_eq!(closest.difference, Vec3::new(0.0, 0.0, 0.25));
    assert_eq!(closest.normal(), Some(Vec3::Z));

    let over = [Vec3::new(0.25, 0.25, -2.0), Vec3::ZERO, Vec3::X, Vec3::Y];
    let closest = vertex_triangle(&over);
    assert_eq!(closest.weights, [1.0, -0.5, -0.25, -0.25]);
    assert_eq!(closest.normal(), Some(Vec3::NEG_Z));

    let same = [Vec3::ONE; 4];
    assert_eq!(vertex_triangle(&same).normal(), None);
    assert_eq!(edge_edge(&same).normal(), None);
}
