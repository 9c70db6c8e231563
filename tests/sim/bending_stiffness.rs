//! The stiffness of isometric bending is the one that is set: of prescribed surfaces, of relaxed ones, and of a cantilever.

use std::f64::consts::FRAC_PI_8;

use weft::sim::forces::IsometricBending;
use weft::sim::model::material::{BendingModel, Mass};
use weft::sim::solver_interface::BendingRule;
use weft::sim::study::contact_laws::step_in;
use weft::sim::{Pattern, Real, Simulation, Vec3, solvers};

use crate::bending::{area, unseen};
use crate::cantilever::{DENSITY, LENGTH, STIFFNESS, elastica_of};
use crate::fixtures::{Random, advance, every, farthest, rippled};

const KINDS: [&str; 4] = ["alternating", "one-sided", "equilateral", "irregular"];

/// A sheet in the plane of x and y of so many cells with edges of `cell` [m]. Columns 0 and 1 are straight.
fn sheet(kind: &str, columns: usize, rows: usize, cell: Real) -> Pattern {
    let mut random = Random(7);
    let of = |i: usize, j: usize| (j * (columns + 1) + i) as u32;
    let mut rest = Vec::new();
    for j in 0..=rows {
        for i in 0..=columns {
            let inner = (2..columns).contains(&i) && (1..rows).contains(&j);
            let shift = Vec3::new(random.number(), random.number(), 0.0) * if inner { 0.3 } else { 0.0 };
            let place = match kind {
                "equilateral" => Vec3::new(i as Real * 0.75_f64.sqrt(), j as Real + 0.5 * (i % 2) as Real, 0.0),
                "irregular" => Vec3::new(i as Real, j as Real, 0.0) + shift,
                _ => Vec3::new(i as Real, j as Real, 0.0),
            };
            rest.push(place * cell);
        }
    }
    let cotangents = |at: u32, [p, q]: [u32; 2]| {
        let [at, p, q] = [at, p, q].map(|vertex| rest[vertex as usize]);
        (p - at).dot(q - at) / (p - at).cross(q - at).length()
    };
    let mut triangles = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            let [a, b, c, d] = [of(i, j), of(i + 1, j), of(i + 1, j + 1), of(i, j + 1)];
            let rises = match kind {
                "alternating" => (i + j) % 2 == 0,
                "one-sided" => true,
                "equilateral" => i % 2 == 1,
                // Delaunay
                _ => cotangents(b, [a, c]) + cotangents(d, [a, c]) > 0.0,
            };
            triangles.extend(if rises { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    Pattern::mesh(rest, triangles)
}

/// The vertices on the rim, and those beside them.
fn rim(pattern: &Pattern) -> Vec<bool> {
    let rings = weft::sim::pattern::OneRings::of(pattern);
    let on_rim: Vec<bool> = (0..pattern.len() as u32).map(|vertex| rings.is_on_rim(vertex)).collect();
    let mut near = on_rim.clone();
    for triangle in pattern.triangles().iter().filter(|corners| corners.iter().any(|v| on_rim[*v as usize])) {
        triangle.iter().for_each(|v| near[*v as usize] = true);
    }
    near
}

/// Heights of the vertices, `½ xᵀ κ x`, as vectors. The warp runs up.
fn heights(pattern: &Pattern, [warp, weft, twist]: [Real; 3]) -> Vec<Vec3> {
    let height = |x: &Vec3| Vec3::Z * (0.5 * (warp * x.y * x.y + weft * x.x * x.x) + twist * x.x * x.y);
    pattern.rest_positions().iter().map(height).collect()
}

/// Curvature 1 of a cylinder whose axis is turned by so many eighths of half a turn.
fn cylinder(eighths: usize) -> [Real; 3] {
    let (sine, cosine) = (eighths as Real * FRAC_PI_8).sin_cos();
    [cosine * cosine, sine * sine, sine * cosine]
}

/// Lowers the energy as far as it goes with the vertices moving that are not `held`, by conjugate gradients.
fn relax(bending: &IsometricBending, x: &mut [Vec3], held: &[bool]) {
    let product =
        |x: &[Vec3]| -> Vec<Real> { (0..x.len()).map(|i| if held[i] { 0.0 } else { bending.apply(i, x).z }).collect() };
    let dot = |a: &[Real], b: &[Real]| -> Real { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let scale: Vec<Real> = (0..x.len()).map(|i| 1.0 / bending.diagonal(i).max(1e-30)).collect();
    let mut rest: Vec<Real> = product(x).iter().map(|r| -r).collect();
    let scaled = |rest: &[Real]| -> Vec<Real> { rest.iter().zip(&scale).map(|(r, s)| r * s).collect() };
    let mut direction = scaled(&rest);
    let mut size = dot(&rest, &direction);
    let first = size;
    for _ in 0..20 * x.len() {
        if size <= 1e-20 * first {
            break;
        }
        let along: Vec<Vec3> = direction.iter().map(|d| Vec3::Z * *d).collect();
        let image = product(&along);
        let step = size / dot(&direction, &image);
        x.iter_mut().zip(&direction).for_each(|(x, d)| x.z += step * d);
        rest.iter_mut().zip(&image).for_each(|(r, i)| *r -= step * i);
        let next = scaled(&rest);
        let last = std::mem::replace(&mut size, dot(&rest, &next));
        direction.iter_mut().zip(next).for_each(|(d, n)| *d = n + size / last * *d);
    }
}

/// Energies of prescribed surfaces, and of cylinders with vertices free but those on the rim and beside it, over those of a plate.
fn ratios(kind: &str, cells: usize, cell: Real, weft: Real) -> Vec<(String, Real)> {
    let pattern = sheet(kind, cells, cells, cell);
    let bending = IsometricBending::of(&pattern, weft);
    let held = rim(&pattern);
    let plate = |[warp, over, twist]: [Real; 3]| {
        0.5 * area(&pattern) * (warp * warp + weft * over * over + 2.0 * weft.sqrt() * twist * twist)
    };
    let mut ratios = Vec::new();
    for eighths in 0..8 {
        let curvature = cylinder(eighths);
        let mut x = heights(&pattern, curvature);
        let expected = plate(curvature) - unseen(&pattern, curvature, weft);
        ratios.push((format!("{kind}, {eighths}/8"), bending.energy(&x) / expected));
        relax(&bending, &mut x, &held);
        ratios.push((format!("{kind}, {eighths}/8, relaxed"), bending.energy(&x) / expected));
    }
    for (name, curvature) in [("saddle", [1.0, -1.0, 0.0]), ("twist", [0.0, 0.0, 1.0]), ("sphere", [1.0, 1.0, 0.0])] {
        let expected = plate(curvature) - unseen(&pattern, curvature, weft);
        ratios.push((format!("{kind}, {name}"), bending.energy(&heights(&pattern, curvature)) / expected));
    }
    ratios
}

fn check_ratios(kind: &str, cells: usize, cell: Real, weft: Real) {
    for (name, ratio) in ratios(kind, cells, cell, weft) {
        if std::env::var_os("WEFT_PRINT").is_some() {
            println!("{cells} cells, weft {weft}, {name}: {ratio:.4}");
        }
        let most = if name.ends_with("relaxed") { 0.03 } else { 0.06 };
        assert!((ratio - 1.0).abs() < most, "{cells} cells, weft {weft}, {name}: {ratio}");
    }
}

#[test]
fn prescribed_and_relaxed_surfaces_cost_what_a_plate_does() {
    for kind in KINDS {
        check_ratios(kind, 20, 0.005, 1.0);
    }
    check_ratios("alternating", 20, 0.005, 0.4);
}

#[test]
#[ignore = "full tier"]
fn prescribed_and_relaxed_surfaces_cost_what_a_plate_does_on_finer_meshes_and_with_a_weft_of_its_own() {
    for kind in KINDS {
        for (cells, cell) in [(20, 0.005), (40, 0.0025)] {
            for weft in [1.0, 0.6, 2.5] {
                check_ratios(kind, cells, cell, weft);
            }
        }
    }
}

#[test]
fn no_displacement_but_an_affine_one_is_free() {
    for kind in KINDS {
        let pattern = sheet(kind, 10, 10, 0.1);
        let bending = IsometricBending::of(&pattern, 1.0);
        let wave = |number: usize| -> Vec<Vec3> {
            let out = |i: usize| {
                let (column, row) = (i % 11, i / 11);
                match number {
                    0 => (column + row) % 2 == 0,
                    1 => column % 2 == 0,
                    2 => row % 2 == 0,
                    _ => i == number - 3,
                }
            };
            (0..pattern.len()).map(|i| Vec3::Z * if out(i) { 1.0 } else { 0.0 }).collect()
        };
        // a vertex out of the plane by u bends some edges around it, which are 0.1 m long, by u/l
        for number in 0..3 + pattern.len() {
            let energy = bending.energy(&wave(number));
            assert!(energy > 0.1 / 0.01, "{kind}, {number}: {energy}");
        }
    }
}

#[test]
fn each_direction_of_the_cloth_has_its_own_stiffness_however_the_sheet_lies() {
    let weft = 0.3;
    let pattern = sheet("alternating", 12, 12, 0.1);
    // lying, with the warp away from the viewer
    let turned = |x: Vec3| Vec3::new(x.x, 0.0, x.y) + Vec3::ONE;
    let rest = pattern.rest_positions().iter().map(|x| turned(*x)).collect();
    let moved = Pattern::mesh(rest, pattern.triangles().to_vec());
    let [own, other] = [&pattern, &moved].map(|pattern| IsometricBending::of(pattern, weft));
    for curvature in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.2, -0.7, 0.4]] {
        let x = heights(&pattern, curvature);
        let (own, other) = (own.energy(&x), other.energy(&x));
        assert!((own - other).abs() < 1e-9 * own, "{own} {other}");
    }
    // Huber: the stiffness of a cylinder turned by φ is (√B₁ cos² φ + √B₂ sin² φ)²
    let plain = IsometricBending::of(&pattern, 1.0);
    for eighths in 0..8 {
        let x = heights(&pattern, cylinder(eighths));
        let [warp, over, _] = cylinder(eighths);
        let (ratio, right) = (own.energy(&x) / plain.energy(&x), (warp + weft.sqrt() * over).powi(2));
        assert!((ratio / right - 1.0).abs() < 0.03, "{eighths}/8: {ratio}, right is {right}");
    }
}

/// Bending stiffness that a strip of so many cells shows as a cantilever, relative to the one that is set.
fn of_cantilever(kind: &str, cells: usize, weft: Option<Real>) -> Real {
    // rows of equilateral triangles are closer
    let columns = if kind == "equilateral" { (cells as Real * 2.0 / 3.0_f64.sqrt()).round() as usize } else { cells };
    let pattern = sheet(kind, columns, cells / 3, LENGTH / cells as Real);
    let step = pattern.rest_positions()[1].x;
    let (length, rows) = (columns as Real * step, cells / 3 + 1);
    let of_row = |row: usize| row * (columns + 1);
    // level, and the warp along the strip
    let flat = |x: &Vec3| Vec3::new(x.y, 0.0, x.x);
    let rest: Vec<Vec3> = pattern.rest_positions().iter().map(flat).collect();
    let pattern = Pattern::mesh(rest, pattern.triangles().to_vec());
    let mass = Mass { area_density: DENSITY, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build("implicit-newton").expect("registered"));
    let material = &mut simulation.parameters.material;
    (material.structural_stiffness, material.damping) = (2000.0, 0.01);
    (material.bending_model, material.bending_stiffness) = (BendingModel::Isometric, STIFFNESS);
    material.bending_weft = weft.unwrap_or(1.0);
    simulation.parameters.contact.ground = false;
    (0..rows).flat_map(|row| [of_row(row), of_row(row) + 1]).for_each(|i| simulation.state.cloth.pin_here(i as u32));
    step_in(&mut simulation, 0.01);
    advance(&mut simulation, 600);
    let positions = &simulation.state.cloth.positions;
    let drops = (0..rows).map(|row| positions[of_row(row)].y - positions[of_row(row) + columns].y);
    let drop = drops.sum::<Real>() / rows as Real;
    // from the middle between the two clamped columns on
    let [mut low, mut high] = [0.2, 5.0];
    for _ in 0..50 {
        let middle: Real = 0.5 * (low + high);
        if elastica_of(length - 0.5 * step, middle * STIFFNESS) > drop { low = middle } else { high = middle }
    }
    low
}

#[test]
fn a_cantilever_shows_the_stiffness_that_is_set() {
    let ratio = of_cantilever("alternating", 24, None);
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
}

#[test]
#[ignore = "full tier"]
fn a_cantilever_shows_the_stiffness_that_is_set_on_any_mesh() {
    for kind in KINDS {
        for cells in [24, 48] {
            let ratio = of_cantilever(kind, cells, None);
            println!("{kind}, {cells} cells: {ratio:.4}");
            assert!((ratio - 1.0).abs() < 0.03, "{kind}, {cells} cells: {ratio}");
        }
    }
    // the warp is along the strip, so that the weft does not matter
    let ratio = of_cantilever("one-sided", 24, Some(0.2));
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
}

#[test]
fn a_new_stiffness_of_the_weft_is_at_work_at_once() {
    let takes_it = solvers::REGISTRY
        .iter()
        .filter(|entry| !matches!(entry.info.capabilities.bending, BendingRule::SpringsOnly(_)));
    every(takes_it, |entry| {
        let start = || {
            let mut simulation = rippled(entry.info.id, 12, 12);
            simulation.parameters.material.bending_model = BendingModel::Isometric;
            simulation.parameters.material.bending_stiffness = 0.01;
            simulation.parameters.timing.time_step = 1e-4;
            simulation
        };
        let mut changed = start();
        advance(&mut changed, 1);
        let (last, state) = (changed.state.cloth.positions.clone(), changed.state.clone());
        changed.parameters.material.bending_weft = 0.2;
        advance(&mut changed, 1);
        let mut fresh = start();
        fresh.parameters.material.bending_weft = 0.2;
        fresh.state = state;
        advance(&mut fresh, 1);
        let [new, old] = [&fresh.state.cloth.positions, &last].map(|x| farthest(&changed.state.cloth.positions, x));
        assert!(new < 1e-6 * old, "{}: {new} of {old}", entry.info.id);
        assert!(old > 1e-12, "{}: it moves", entry.info.id);
    });
}
