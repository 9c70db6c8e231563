//! The rows of projective dynamics that follow from the rest mesh: triangle elements, bending, edges.

use glam::{DQuat, EulerRot};
use proptest::prelude::*;
use weft::sim::constraints::{BendingRows, Svd, tributary_widths, with_length};
use weft::sim::pattern::{Element, Plane};
use weft::sim::{Pattern, Vec3};

use crate::fixtures::elements_along;

/// The value of a row.
fn value(vertices: &[u32], coefficients: &[f64], positions: &[Vec3]) -> Vec3 {
    vertices.iter().zip(coefficients).map(|(&vertex, &coefficient)| positions[vertex as usize] * coefficient).sum()
}

fn gradient(element: &Element, positions: &[Vec3]) -> [Vec3; 2] {
    element.rows().map(|row| value(&element.vertices, &row, positions))
}

/// A flat grid whose inner vertices are displaced, then sheared (so that many angles are obtuse) and turned in space.
fn uneven(shear: f64, angles: [f64; 3]) -> Pattern {
    let grid = Pattern::grid(6, 5, 1.0, 0.8, Plane::Xz);
    let turn = DQuat::from_euler(EulerRot::ZXZ, angles[0], angles[1], angles[2]);
    let displaced = |(i, x): (usize, &Vec3)| {
        let waved = *x + Vec3::new((2.3 * i as f64).sin(), 0.0, (3.7 * i as f64).cos()) * 0.04;
        turn * (waved + Vec3::X * (shear * waved.z)) + Vec3::new(0.3, -2.0, 5.0)
    };
    let rest = grid.rest_positions().iter().enumerate().map(displaced).collect();
    Pattern::mesh(rest, grid.triangles().to_vec())
}

/// A closed surface: eight triangles around the axes, with corners anywhere near.
fn octahedron(displacement: impl Fn(usize) -> Vec3) -> Pattern {
    let corners = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z];
    let rest = corners.iter().enumerate().map(|(i, x)| *x + displacement(i)).collect();
    let mut triangles = Vec::new();
    for x in [0, 1] {
        for y in [2, 3] {
            for z in [4, 5] {
                triangles.push(if (x + y + z) % 2 == 0 { [x, y, z] } else { [x, z, y] });
            }
        }
    }
    Pattern::mesh(rest, triangles)
}

fn total_area(pattern: &Pattern, positions: &[Vec3]) -> f64 {
    let area = |&triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        (b - a).cross(c - a).length() / 2.0
    };
    pattern.triangles().iter().map(area).sum()
}

/// Six triangles around vertex 0, and what else is given, over these and four more vertices.
fn hexagon(more: &[[u32; 3]]) -> Pattern {
    let spoke = |k: u32| Vec3::new((f64::from(k)).cos(), 0.1 * f64::from(k % 2), f64::from(k).sin());
    let mut rest = vec![Vec3::ZERO];
    rest.extend((0..6).map(spoke));
    rest.extend([Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 1.0), Vec3::new(0.0, 9.0, 0.0)]);
    let mut triangles: Vec<[u32; 3]> = (1..=6).map(|k| [0, k, k % 6 + 1]).collect();
    triangles.extend(more);
    Pattern::mesh(rest, triangles)
}

fn bent_vertices(pattern: &Pattern) -> Vec<u32> {
    let bending = BendingRows::of(pattern);
    (0..bending.len()).map(|row| bending.row(row).0[0]).collect()
}

proptest! {
    #[test]
    fn flat_cloth_does_not_bend_under_any_affine_map(
        (shear, angles) in (0.0..3.0_f64, proptest::array::uniform3(0.0..6.3_f64)),
        columns in proptest::array::uniform4(proptest::array::uniform3(-2.0..2.0_f64)),
    ) {
        let pattern = uneven(shear, angles);
        let [a, b, c, d] = columns.map(Vec3::from_array);
        let mapped: Vec<Vec3> = pattern.rest_positions().iter().map(|x| a * x.x + b * x.y + c * x.z + d).collect();
        let bending = BendingRows::of(&pattern);
        prop_assert_eq!(bending.len(), 4 * 3);
        for row in 0..bending.len() {
            let (vertices, coefficients) = bending.row(row);
            let size: f64 = coefficients.iter().map(|c| c.abs()).sum();
            prop_assert!(coefficients.iter().sum::<f64>().abs() <= 1e-14 * size, "constants");
            prop_assert!(value(vertices, coefficients, &mapped).length() <= 1e-12 * size);
            prop_assert_eq!(bending.rest_lengths[row], 0.0);
        }
    }

    #[test]
    fn a_triangle_measures_the_stretch_of_its_threads(
        (shear, angles) in (0.0..3.0_f64, proptest::array::uniform3(0.0..6.3_f64)), (s, t, g) in (0.5..2.0, 0.5..2.0, -1.0..1.0),
    ) {
        let pattern = uneven(shear, angles);
        let turn = DQuat::from_euler(EulerRot::ZXZ, angles[0], angles[1], angles[2]);
        let (warp, normal) = (turn * Vec3::X, turn * Vec3::Y);
        // the grid's triangles are seen from above
        let weft = normal.cross(warp);
        let map = |x: &Vec3| warp * (s * x.dot(warp) + g * x.dot(weft)) + weft * (t * x.dot(weft)) + normal * 3.0;
        let mapped: Vec<Vec3> = pattern.rest_positions().iter().map(map).collect();
        // a direction out of the plane counts with its projection
        let all = elements_along(&pattern, warp + normal * 2.0);
        prop_assert_eq!(all.len(), pattern.triangles().len());
        for element in &all {
            let [f1, f2] = gradient(element, &mapped);
            prop_assert!(f1.distance(warp * s) <= 1e-11, "{f1}");
            prop_assert!(f2.distance(warp * g + weft * t) <= 1e-11, "{f2}");
            let [f1, f2] = gradient(element, pattern.rest_positions());
            prop_assert!(f1.distance(warp) <= 1e-11 && f2.distance(weft) <= 1e-11);
        }
        let areas: f64 = all.iter().map(|element| element.area).sum();
        prop_assert!((areas - total_area(&pattern, pattern.rest_positions())).abs() <= 1e-12);
    }

    #[test]
    fn a_closed_surface_bends_by_the_gradient_of_its_area(seed in proptest::array::uniform6(-0.7..0.7_f64)) {
        let pattern = octahedron(|i| Vec3::new(seed[i], seed[(i + 1) % 6] * 0.5, seed[(i + 4) % 6]));
        prop_assume!(pattern.triangles().len() == elements_along(&pattern, Vec3::X).len());
        let smallest = elements_along(&pattern, Vec3::X).iter().map(|element| element.area).fold(1.0, f64::min);
        prop_assume!(smallest > 0.05);
        let bending = BendingRows::of(&pattern);
        prop_assert_eq!(bending.len(), 6);
        let rest = pattern.rest_positions();
        let total = total_area(&pattern, rest);
        prop_assert!((bending.areas.iter().sum::<f64>() - total).abs() <= 1e-12 * total, "mixed areas tile the surface");
        for row in 0..6 {
            let (vertices, coefficients) = bending.row(row);
            let z = value(vertices, coefficients, rest);
            prop_assert!((z.length() - bending.rest_lengths[row]).abs() <= 1e-12 * z.length());
            let moved = |by: Vec3| {
                let mut positions = rest.to_vec();
                positions[row] += by;
                total_area(&pattern, &positions)
            };
            let gradient = Vec3::from_array([Vec3::X, Vec3::Y, Vec3::Z].map(|e| (moved(e * 1e-5) - moved(e * -1e-5)) / 2e-5));
            prop_assert!((z * bending.areas[row] + gradient).length() <= 1e-6, "{} against {gradient}", z * bending.areas[row]);
        }
    }

    #[test]
    fn each_triangle_counts_for_its_three_edges((shear, angles) in (0.0..3.0_f64, proptest::array::uniform3(0.0..6.3_f64))) {
        let pattern = uneven(shear, angles);
        let edges = tributary_widths(&pattern);
        let strips: f64 = edges.iter().map(|edge| edge.width * edge.rest_length).sum();
        prop_assert!((strips - 3.0 * total_area(&pattern, pattern.rest_positions())).abs() <= 1e-12);
        // Euler: vertices - edges + triangles of a disc
        prop_assert_eq!(edges.len(), pattern.len() + pattern.triangles().len() - 1);
    }
}

#[test]
fn obtuse_triangles_keep_their_negative_cotangents() {
    let negative = |pattern: &Pattern| {
        let bending = BendingRows::of(pattern);
        assert!(bending.areas.iter().all(|&area| area > 0.0));
        (0..bending.len()).flat_map(|row| bending.row(row).1[1..].to_vec()).filter(|&c| c < -1e-9).count()
    };
    assert_eq!(negative(&Pattern::grid(6, 5, 1.0, 0.8, Plane::Xz)), 0);
    assert!(negative(&uneven(2.0, [0.4, 1.0, 2.0])) > 5);
}

#[test]
fn triangles_have_a_frame_even_where_the_warp_is_normal_to_them_and_none_without_area() {
    let [a, b, c] = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 2.5, 3.0), Vec3::new(1.0, 2.2, 3.3)];
    for warp in [Vec3::X, Vec3::ZERO, -Vec3::X * 1e9] {
        let element = Element::of_rest([0, 1, 2], [a, b, c], warp).expect("a triangle with an area");
        let [f1, f2] = gradient(&element, &[a, b, c]);
        assert!(f1.distance(Vec3::Y) < 1e-14 && f2.distance(Vec3::Z) < 1e-14, "{f1} {f2}");
    }
    for scale in [1e-6, 1.0, 1e6] {
        let flat = [a, b, a + (b - a) * 0.3].map(|x| x * scale);
        assert_eq!(Element::of_rest([0, 1, 2], flat, Vec3::Y), None);
        let thin = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1e-6, 0.0)].map(|x| x * scale);
        let element = Element::of_rest([0, 1, 2], thin, Vec3::new(1.0, 1.0, 0.0)).expect("thin, but a triangle");
        let values = Svd::of(gradient(&element, &thin)).values;
        assert!((values[0] - 1.0).abs() < 1e-8 && (values[1] - 1.0).abs() < 1e-8, "{values:?}");
    }
    assert_eq!(Element::of_rest([0, 0, 0], [a; 3], Vec3::Y), None);
}

#[test]
fn only_vertices_inside_one_closed_fan_bend() {
    assert_eq!(bent_vertices(&hexagon(&[])), [0]);
    assert_eq!(bent_vertices(&hexagon(&[[0, 2, 1]])), [0_u32; 0], "a repeated triangle");
    assert_eq!(bent_vertices(&hexagon(&[[0, 1, 7]])), [0_u32; 0], "an edge of three triangles");
    assert_eq!(
        bent_vertices(&hexagon(&[[0, 7, 8], [0, 8, 9], [0, 9, 7], [7, 9, 8]])),
        [7, 8, 9],
        "two rings at vertex 0"
    );
    assert_eq!(bent_vertices(&hexagon(&[[7, 8, 9], [7, 9, 8]])), [0], "two sides of one triangle");
    let plain = BendingRows::of(&hexagon(&[]));
    assert!(plain.rest_lengths[0] > 0.1);
    assert_eq!(BendingRows::of(&hexagon(&[[0, 7, 10], [3, 3, 4], [0, 0, 0]])), plain, "triangles of no area");
    let mut turned = hexagon(&[]).triangles().to_vec();
    turned[2].swap(1, 2);
    let turned = BendingRows::of(&Pattern::mesh(hexagon(&[]).rest_positions().to_vec(), turned));
    assert_eq!(turned.vertices, plain.vertices);
    assert!((turned.rest_lengths[0] - plain.rest_lengths[0]).abs() < 1e-14, "winding");
    assert!(BendingRows::of(&Pattern::mesh(vec![Vec3::ZERO], Vec::new())).is_empty());
    let inner = bent_vertices(&Pattern::grid(5, 4, 1.0, 1.0, Plane::Xy));
    assert_eq!(inner, [6, 7, 8, 11, 12, 13]);
}

#[test]
fn an_edge_of_a_grid_stands_for_its_thread() {
    let edges = tributary_widths(&Pattern::grid(5, 5, 2.0, 2.0, Plane::Xz));
    let width = |ends: [u32; 2]| edges.iter().find(|edge| edge.ends == ends).expect("an edge").width;
    assert!((width([6, 7]) - 0.5).abs() < 1e-14 && (width([6, 11]) - 0.5).abs() < 1e-14, "inside");
    assert!((width([0, 1]) - 0.25).abs() < 1e-14, "at the border");
    assert!((width([1, 5]) - 0.5_f64.sqrt() / 2.0).abs() < 1e-14, "a diagonal");
}

/// Energy per area [J/m²] of a parallelogram of equilateral triangles with edges of `1/n` m under a uniform small strain.
fn lattice_energy(n: u32, strain: [f64; 3], stiffness: f64) -> f64 {
    let side = 1.0 / f64::from(n);
    let at = |row: u32, column: u32| {
        Vec3::new(f64::from(column) + 0.5 * f64::from(row), 0.0, f64::from(row) * 0.75_f64.sqrt()) * side
    };
    let rest: Vec<Vec3> = (0..=n).flat_map(|row| (0..=n).map(move |column| at(row, column))).collect();
    let mut triangles = Vec::new();
    for row in 0..n {
        for column in 0..n {
            let here = row * (n + 1) + column;
            triangles.extend([[here, here + 1, here + n + 1], [here + 1, here + n + 2, here + n + 1]]);
        }
    }
    let pattern = Pattern::mesh(rest, triangles);
    let [xx, zz, xz] = strain;
    let move_ = |x: &Vec3| *x + Vec3::new(xx * x.x + xz * x.z, 0.0, xz * x.x + zz * x.z);
    let moved: Vec<Vec3> = pattern.rest_positions().iter().map(move_).collect();
    let energy = |edge: &weft::sim::constraints::Edge| {
        let [i, j] = edge.ends.map(|vertex| moved[vertex as usize]);
        let z = j - i;
        edge.weight(stiffness) / 2.0 * z.distance_squared(with_length(z, edge.rest_length))
    };
    tributary_widths(&pattern).iter().map(energy).sum::<f64>() / total_area(&pattern, pattern.rest_positions())
}

#[test]
fn an_equilateral_mesh_is_the_isotropic_sheet_at_any_resolution() {
    let (stiffness, poisson) = (500.0, 1.0 / 3.0);
    for strain in [[1.0_f64, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, -0.4, 0.3]] {
        let [xx, zz, xz] = strain.map(|entry| entry * 1e-6);
        let square = xx * xx + zz * zz + 2.0 * xz * xz;
        let plane_stress =
            stiffness / (2.0 * (1.0 - poisson * poisson)) * ((1.0 - poisson) * square + poisson * (xx + zz).powi(2));
        for n in [1, 4, 9] {
            let energy = lattice_energy(n, [xx, zz, xz], stiffness);
            assert!((energy / plane_stress - 1.0).abs() < 1e-5, "{n}: {energy:e}, not {plane_stress:e}");
        }
    }
}

#[test]
fn edges_of_no_length_are_left_out_and_others_stay_finite() {
    let rest = vec![Vec3::ZERO, Vec3::X, Vec3::X, Vec3::X * 3.0, Vec3::Z];
    let edges = tributary_widths(&Pattern::mesh(rest, vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]]));
    let ends: Vec<[u32; 2]> = edges.iter().map(|edge| edge.ends).collect();
    assert_eq!(ends, [[0, 1], [0, 2], [0, 3], [0, 4], [1, 3], [1, 4]]);
    let widths: Vec<f64> = edges.iter().map(|edge| edge.width).collect();
    assert!((widths[0] - 0.5).abs() < 1e-15 && widths[1] == 0.0 && (widths[5] - 0.125_f64.sqrt()).abs() < 1e-15);
    assert!(edges.iter().all(|edge| edge.weight(1.0).is_finite()));
    assert_eq!(with_length(Vec3::ZERO, 2.0), Vec3::ZERO);
    assert!(with_length(Vec3::new(0.0, -3.0, 4.0), 2.0).distance(Vec3::new(0.0, -1.2, 1.6)) < 1e-15);
}
