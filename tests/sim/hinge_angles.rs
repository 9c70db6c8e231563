//! Hinge angles, whose projection has no closed form: on the set, nearest, and at rest at their angle.

use std::f64::consts::PI;

use weft::sim::constraints::{Constraint, HingeAngle, with_angle};
use weft::sim::exec::simd::F64x4;
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Quat, Real, Vec3};

use crate::cantilever::{DENSITY, LENGTH, STIFFNESS, elastica};
use crate::fixtures::{Random, advance};
use crate::projective::{ON, projective};

/// Directions of the two wings of a hinge `a`, `b`, `c`, `d` across its edge, and that of the edge.
fn wings([a, b, c, d]: [Vec3; 4]) -> [Vec3; 3] {
    let edge = (b - a).normalize();
    [c, d]
        .map(|x| (x - a).reject_from_normalized(edge).normalize())
        .into_iter()
        .chain([edge])
        .collect::<Vec<_>>()
        .try_into()
        .expect("three")
}

/// Its angle [rad], 0 if flat: the wings are opposite then.
fn angle(x: [Vec3; 4]) -> Real {
    let [c, d, edge] = wings(x);
    let opened = (-c).angle_between(d);
    if c.cross(d).dot(edge) > 0.0 { -opened } else { opened }
}

/// A hinge opened to an angle by turning its last vertex about the edge.
fn opened(x: [Vec3; 4], to: Real) -> [Vec3; 4] {
    let [a, b, c, d] = x;
    let edge = (b - a).normalize();
    let turned = |by: Real| [a, b, c, a + Quat::from_axis_angle(edge, by) * (d - a)];
    let by = to - angle(x);
    let error = |by: Real| (angle(turned(by)) - to).sin().abs();
    if error(by) < error(-by) { turned(by) } else { turned(-by) }
}

/// A hinge at random, of triangles that are not slender.
fn hinge(random: &mut Random) -> [Vec3; 4] {
    let flat = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.8, 0.0), Vec3::new(0.5, -0.8, 0.0)];
    flat.map(|x| x + random.vector() * 0.25)
}

/// Three rows without the mean, and back.
const ROWS: [[Real; 4]; 3] = [[0.5, 0.5, -0.5, -0.5], [0.5, -0.5, 0.5, -0.5], [0.5, -0.5, -0.5, 0.5]];

fn nearest(x: [Vec3; 4], to: Real) -> [Vec3; 4] {
    let mean = x.iter().sum::<Vec3>() / 4.0;
    let z = ROWS.map(|row| (0..4).map(|k| x[k] * row[k]).sum());
    let p = with_angle(z, to);
    std::array::from_fn(|k| mean + (0..3).map(|row| p[row] * ROWS[row][k]).sum::<Vec3>())
}

fn apart(x: [Vec3; 4], y: [Vec3; 4]) -> Real {
    x.iter().zip(y).map(|(x, y)| x.distance_squared(y)).sum::<Real>().sqrt()
}

#[test]
fn the_projection_has_the_angle_and_no_admissible_hinge_around_is_nearer() {
    let mut random = Random(1);
    let mut worst: Real = 0.0;
    for case in 0..300 {
        let x = hinge(&mut random);
        let error = random.number() * if case % 2 == 0 { 0.2 } else { 0.6 };
        let to = angle(x) + error;
        let p = nearest(x, to);
        assert!((angle(p) - to).sin().abs() < 1e-11, "{case}: {} in place of {to} rad", angle(p));
        assert!((p.iter().sum::<Vec3>() - x.iter().sum::<Vec3>()).length() < 1e-14, "{case}: its centre moves");
        // stationary: the way to it is along the gradient of the angle, found by differences
        let slope = |k: usize, axis: Vec3| {
            let at = |by: Real| {
                let mut moved = p;
                moved[k] += axis * by;
                (angle(moved) - to + PI).rem_euclid(2.0 * PI) - PI
            };
            (at(1e-6) - at(-1e-6)) / 2e-6
        };
        let gradient: [Vec3; 4] = std::array::from_fn(|k| Vec3::AXES.map(|axis| axis * slope(k, axis)).iter().sum());
        let way: [Vec3; 4] = std::array::from_fn(|k| p[k] - x[k]);
        let dot = |a: &[Vec3; 4], b: &[Vec3; 4]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<Real>();
        let share = dot(&way, &gradient) / dot(&gradient, &gradient);
        let across = apart(way, gradient.map(|g| g * share));
        worst = worst.max(across / apart(x, p));
        assert!(across < 1e-6 * apart(x, p), "{case}: {across:e} m across the gradient, error {error} rad");
        for _ in 0..100 {
            let size = 0.3 * random.number().powi(3);
            let other = opened(p.map(|x| x + random.vector() * size), to);
            assert!((angle(other) - to).sin().abs() < 1e-11);
            let [other, own] = [other, p].map(|y| apart(x, y));
            assert!(other >= own * (1.0 - 1e-12), "{case}: {other} m is less than {own} m, error {error} rad");
        }
    }
    println!("at most {worst:e} of the way across the gradient");
}

#[test]
fn a_hinge_at_its_angle_or_without_one_is_its_own_projection() {
    let x = hinge(&mut Random(5));
    let z = ROWS.map(|row| (0..4).map(|k| x[k] * row[k]).sum());
    assert_eq!(with_angle(z, angle(x)), z);
    // all four on a line
    let z = ROWS.map(|row| (0..4).map(|k| Vec3::X * (k as Real) * row[k]).sum());
    assert_eq!(with_angle(z, 0.4), z);
}

/// Energy per area [J/m²] of a sheet rolled to a curvature [1/m], inside its border.
fn rolled(pattern: &Pattern, curvature: Real) -> Real {
    let constraint = HingeAngle { stiffness: STIFFNESS };
    let elements = constraint.elements(pattern);
    let roll = |x: &Vec3| {
        let turn = x.x * curvature;
        F64x4::from_vec3(Vec3::new(turn.sin() / curvature, (1.0 - turn.cos()) / curvature, x.z))
    };
    let rest = pattern.rest_positions();
    let energies = elements.energies(&constraint, &rest.iter().map(roll).collect::<Vec<_>>());
    // the hinges of an edge across the middle have the area of its triangles, a third each
    let inside = |element: usize| {
        let corners: Vec<Vec3> = elements.row(element, 0).map(|(vertex, _)| rest[vertex as usize]).collect();
        corners.iter().all(|x| x.x.abs() < 0.3 && (x.z).abs() < 0.3)
    };
    let area = |element: usize| {
        let [a, b, c, d]: [Vec3; 4] =
            std::array::from_fn(|k| rest[elements.row(element, 0).nth(k).expect("four").0 as usize]);
        ((b - a).cross(c - a).length() + (b - a).cross(d - a).length()) / 6.0
    };
    let chosen: Vec<usize> = (0..elements.len()).filter(|&element| inside(element)).collect();
    chosen.iter().map(|&at| energies[at]).sum::<Real>() / chosen.iter().map(|&at| area(at)).sum::<Real>()
}

/// Equilateral triangles about the origin, turned in their plane.
fn equilateral(turn: Real) -> Pattern {
    let (n, side) = (41, 0.02);
    let place = |at: usize| {
        let (row, column) = ((at / n) as Real - 20.0, (at % n) as Real - 20.0);
        let shift = if (at / n).is_multiple_of(2) { 0.0 } else { 0.5 };
        Quat::from_rotation_y(turn) * Vec3::new((column + shift) * side, 0.0, row * side * 0.75_f64.sqrt())
    };
    let mut triangles = Vec::new();
    for row in 0..n - 1 {
        for column in 0..n - 1 {
            let a = (row * n + column) as u32;
            let [b, c, d] = [a + 1, a + n as u32, a + n as u32 + 1];
            triangles.extend(if row % 2 == 0 { [[a, c, b], [b, c, d]] } else { [[a, d, b], [a, c, d]] });
        }
    }
    Pattern::mesh((0..n * n).map(place).collect(), triangles)
}

#[test]
fn a_rolled_sheet_has_the_energy_of_a_plate() {
    let curvature = 2.0;
    let exact = 0.5 * STIFFNESS * curvature * curvature;
    let grid = Pattern::grid(41, 41, 0.8, 0.8, Plane::Xz);
    let centre = grid.rest_positions().iter().sum::<Vec3>() / grid.len() as Real;
    let grid = Pattern::mesh(grid.rest_positions().iter().map(|x| *x - centre).collect(), grid.triangles().to_vec());
    for (mesh, pattern) in
        [("grid", grid), ("0", equilateral(0.0)), ("0.2", equilateral(0.2)), ("0.5", equilateral(0.5))]
    {
        let energy = rolled(&pattern, curvature);
        println!("{mesh}: {} of the plate", energy / exact);
        assert!((energy / exact - 1.0).abs() < 0.05, "{mesh}: {energy}, plate {exact} J/m²");
    }
}

#[test]
fn a_hinge_with_a_rest_angle_comes_to_rest_at_it() {
    for rest_angle in [0.0, 0.7, -1.5] {
        let flat = [Vec3::ZERO, Vec3::X, Vec3::new(0.4, 0.0, 0.9), Vec3::new(0.6, 0.0, -0.7)];
        let rest = opened(flat, rest_angle);
        let settings = [
            ("edge_strain", ON),
            ("membrane_stiffness", Setting::Real(50.0)),
            ("hinges", ON),
            ("hinge_stiffness", Setting::Real(0.5)),
            ("iterations", Setting::Integer(50)),
        ];
        let mut simulation = projective(Pattern::mesh(rest.to_vec(), vec![[0, 1, 2], [1, 0, 3]]), &settings);
        simulation.parameters.gravity.gravity = 0.0;
        let started = opened(flat, 0.3);
        simulation.state.cloth.positions.copy_from_slice(&started);
        // without the rotations of the whole, whose centrifugal force opens it
        (0..3).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        advance(&mut simulation, 400);
        let positions = &simulation.state.cloth.positions;
        let end = angle(std::array::from_fn(|k| positions[k]));
        println!("from {} to {end} rad, at rest {rest_angle}", angle(started));
        assert!((end - rest_angle).abs() < 1e-5, "{end} rad, at rest {rest_angle}");
        let longest = (0..4)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| (positions[i].distance(positions[j]) - rest[i].distance(rest[j])).abs());
        assert!(longest.fold(0.0, Real::max) < 1e-5);
    }
}

#[test]
#[ignore = "full tier"]
fn a_strip_with_hinges_hangs_as_the_elastica() {
    let cells = 24;
    let settings = [
        ("triangle_strain", ON),
        ("strain_weight", Setting::Real(300.0)),
        ("hinges", ON),
        ("hinge_stiffness", Setting::Real(STIFFNESS)),
        ("iterations", Setting::Integer(200)),
        ("acceleration", Setting::Choice(3)),
    ];
    let rows = cells / 3 + 1;
    let mut simulation = projective(Pattern::grid(cells + 1, rows, LENGTH, 0.1, Plane::Xz), &settings);
    simulation.parameters.mass.area_density = DENSITY;
    let of_row = |row: usize| row * (cells + 1);
    (0..rows).flat_map(|row| [of_row(row), of_row(row) + 1]).for_each(|i| simulation.state.cloth.pin_here(i as u32));
    advance(&mut simulation, 60);
    let positions = &simulation.state.cloth.positions;
    let last = (0..rows).map(|row| positions[of_row(row)].y - positions[of_row(row) + cells].y);
    let tip = last.sum::<Real>() / rows as Real;
    let exact = elastica(LENGTH - LENGTH / cells as Real);
    println!("{tip} m, elastica {exact} m");
    assert!((tip / exact - 1.0).abs() < 0.05, "{tip} m, elastica {exact} m");
}
