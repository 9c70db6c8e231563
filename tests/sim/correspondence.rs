//! Which places of two cloths are the same, and how far the two are apart.

use proptest::prelude::*;
use weft::scene::Scene;
use weft::sim::pattern::Plane;
use weft::sim::study::correspondence::{Correspondence, Place};
use weft::sim::{Mat3, Pattern, Real, Simulation, Vec3};

fn at(place: Place, pattern: &Pattern, positions: &[Vec3]) -> Vec3 {
    let corners = pattern.triangles()[place.triangle as usize];
    corners.iter().zip(place.weights).map(|(&corner, weight)| weight * positions[corner as usize]).sum()
}

/// A mesh over the same metre as a grid, with vertices that are nowhere in a grid.
fn fan() -> Pattern {
    let mut positions = vec![Vec3::new(0.37, 0.0, 0.61)];
    let corners = [(0.0, 0.0), (0.31, 0.0), (1.0, 0.0), (1.0, 0.73), (1.0, 1.0), (0.52, 1.0), (0.0, 1.0), (0.0, 0.2)];
    positions.extend(corners.map(|(x, z)| Vec3::new(x, 0.0, z)));
    let triangles = (1..=8).map(|at| [0, at % 8 + 1, at]).collect();
    let low = Pattern::grid(2, 2, 1.0, 1.0, Plane::Xz).rest_positions().iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let positions = positions.into_iter().map(|x| x + low).collect();
    Pattern::mesh(positions, triangles)
}

fn grid(columns: usize, rows: usize) -> Pattern {
    Pattern::grid(columns, rows, 1.0, 1.0, Plane::Xz)
}

fn moved(pattern: &Pattern, map: impl Fn(Vec3) -> Vec3) -> Vec<Vec3> {
    pattern.rest_positions().iter().map(|x| map(*x)).collect()
}

#[test]
fn cloths_that_move_alike_are_not_apart_whatever_their_meshes_are() {
    let patterns = [grid(9, 9), grid(9, 7), grid(13, 4), grid(2, 2), fan()];
    let shear = Mat3::from_cols(Vec3::new(0.7, 0.2, 0.1), Vec3::Y, Vec3::new(-0.4, 0.3, 1.2));
    let map = |x: Vec3| shear * x + Vec3::new(1.0, 2.0, -3.0);
    for a in &patterns {
        for b in &patterns {
            let places = Correspondence::between(a, b);
            assert_eq!(places.is_same(), std::ptr::eq(a, b));
            let distance = places.distance(&moved(a, map), (b, &moved(b, map))).expect("a distance");
            assert!(distance.largest < 1e-12 && distance.root_mean_square <= distance.largest, "{distance:?}");
            // and by a shift they are apart by that, everywhere
            let shift = Vec3::new(0.3, -0.4, 1.2);
            let other = moved(b, |x| map(x) + shift);
            let distance = places.distance(&moved(a, map), (b, &other)).expect("a distance");
            assert!((distance.largest - 1.3).abs() < 1e-12 && (distance.root_mean_square - 1.3).abs() < 1e-12);
        }
    }
}

#[test]
fn distances_are_told_for_each_vertex_whatever_the_meshes_are() {
    let patterns = [grid(9, 9), grid(5, 7), fan()];
    for a in &patterns {
        for b in &patterns {
            let places = Correspondence::between(a, b);
            let (from, to) = (moved(a, |x| x), moved(b, |x| x + Vec3::Y * (0.1 + 0.2 * x.x)));
            let apart = places.distances(&from, (b, &to));
            assert_eq!(apart.len(), a.len());
            for (x, apart) in from.iter().zip(&apart) {
                assert!((apart - (0.1 + 0.2 * x.x).abs()).abs() < 1e-9, "{apart} at {x}");
            }
            let most = apart.iter().copied().fold(0.0, f64::max);
            let told = places.distance(&from, (b, &to)).expect("they correspond");
            assert!((told.largest - most).abs() < 1e-12);
        }
    }
}

#[test]
fn the_largest_distance_is_at_the_vertex_that_it_is_told_of() {
    let (a, b) = (grid(5, 5), grid(5, 5));
    let mut positions = a.rest_positions().to_vec();
    positions[7].y += 0.5;
    positions[11].z -= 0.25;
    let distance = Correspondence::between(&a, &b).distance(&positions, (&b, b.rest_positions())).expect("a distance");
    assert_eq!((distance.vertex, distance.largest), (7, 0.5));
    assert!((distance.root_mean_square - ((0.25 + 0.0625) / 25.0_f64).sqrt()).abs() < 1e-15);
}

proptest! {
    #[test]
    fn a_place_is_where_it_was_at_rest(
        triangle in 0..128_u32, u in 0.0..1.0_f64, v in 0.0..1.0_f64, columns in 2..12_usize, rows in 2..12_usize, back: bool,
    ) {
        let (mut a, mut b) = (grid(9, 9), if columns == rows { fan() } else { grid(columns, rows) });
        if back {
            std::mem::swap(&mut a, &mut b);
        }
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        let place = Place { triangle: triangle % a.triangles().len() as u32, weights: [1.0 - u - v, u, v] };
        let places = Correspondence::between(&a, &b);
        let found = places.place(place, &a).expect("a place");
        let (here, there) = (at(place, &a, a.rest_positions()), at(found, &b, b.rest_positions()));
        prop_assert!(here.distance(there) < 1e-12, "{here} and {there}");
        prop_assert!((found.weights.iter().sum::<Real>() - 1.0).abs() < 1e-12 && found.weights.iter().all(|w| *w >= -1e-12));
    }

    #[test]
    fn a_vertex_is_the_nearest_one(vertex in 0..81_u32, columns in 2..12_usize, rows in 2..12_usize) {
        let (a, b) = (grid(9, 9), grid(columns, rows));
        let found = Correspondence::between(&a, &b).vertex(vertex, &a, &b).expect("a vertex");
        let to = |other: usize| a.rest_positions()[vertex as usize].distance(b.rest_positions()[other]);
        prop_assert!((0..b.len()).all(|other| to(found as usize) <= to(other)));
    }
}

fn simulation(scene: &str, settings: &[(&str, &str)]) -> Simulation {
    let mut scene = Scene::load(scene).expect("a scene");
    settings.iter().for_each(|(key, value)| scene.set(key, value).expect("a value"));
    scene.build().expect("a simulation")
}

#[test]
fn pieces_correspond_by_their_numbers_however_close_they_are() {
    let (a, b) = (simulation("stack", &[]), simulation("stack", &[("columns", "13")]));
    let (a, b) = (a.pattern(), b.pattern());
    assert!(a.pieces().len() > 1 && a.len() != b.len(), "{:?}", a.pieces());
    let places = Correspondence::between(a, b);
    let (of_a, of_b) = (a.piece_of_vertices(), b.piece_of_vertices());
    for (vertex, piece) in (0..).zip(&of_a) {
        let other = places.vertex(vertex, a, b).expect("a vertex");
        assert_eq!(*piece, of_b[other as usize], "vertex {vertex}");
    }
    for (triangle, corners) in (0..).zip(a.triangles()) {
        let found = places.place(Place { triangle, weights: [0.2, 0.3, 0.5] }, a).expect("a place");
        let other = b.triangles()[found.triangle as usize];
        assert_eq!(of_a[corners[0] as usize], of_b[other[0] as usize], "triangle {triangle}");
    }
}

#[test]
fn what_is_torn_off_is_itself_where_both_have_torn_alike_and_its_origin_otherwise() {
    let mut torn = simulation("tearing", &[]);
    while torn.pattern().parents().is_empty() {
        torn.step().expect("it tears and goes on");
    }
    let whole = simulation("tearing", &[]);
    let (torn, whole) = (torn.pattern(), whole.pattern());
    let last = torn.len() as u32 - 1;
    let places = Correspondence::between(torn, whole);
    assert!(places.is_same() && places.is_of(torn, whole) && places.is_of(whole, torn));
    assert_eq!(places.vertex(last, torn, torn), Some(last));
    assert_eq!(places.vertex(last, torn, whole), Some(torn.origins()[last as usize]));
    assert_eq!(places.vertex(0, torn, whole), Some(0));
    assert_eq!(places.vertex(last + 1, torn, whole), None);
    // the vertices that it had when it was whole are compared
    let mut positions = torn.rest_positions().to_vec();
    positions[last as usize].y += 1.0;
    let distance = places.distance(&positions, (whole, whole.rest_positions())).expect("a distance");
    assert_eq!(distance.largest, 0.0);
    let distance = places.distance(whole.rest_positions(), (torn, &positions)).expect("a distance");
    assert_eq!(distance.largest, 0.0);
}
