//! The membrane of triangles: what it costs, what it leaves alone, and who takes it.

use weft::sim::forces::springs::Blocks;
use weft::sim::model::material::{DampingModel, Mass, MassModel, MembraneModel};
use weft::sim::params::{Setting, Tunable};
use weft::sim::pattern::{FaceAttributes, MaterialOverride, Plane, TriangleStiffness};
use weft::sim::solver_interface::MembraneRule;
use weft::sim::solvers::Entry;
use weft::sim::{Pattern, Quat, Simulation, Vec3, solvers};

use crate::fixtures::{Random, advance, every, farthest, set};

/// Stiffness along warp and weft and to shear [N/m].
const WARP: f64 = 3000.0;
const WEFT: f64 = 1200.0;
const SHEAR: f64 = 50.0;

/// A strip in the plane of x and y, so many cells long (along y) and wide, of 5 mm each.
fn strip(kind: &str, [wide, long]: [usize; 2]) -> Pattern {
    let cell = 0.005;
    let row = if kind == "equilateral" { cell * 3.0_f64.sqrt() / 2.0 } else { cell };
    let mut random = Random(9);
    let mut rest = Vec::new();
    for j in 0..=long {
        for i in 0..=wide {
            let shift = if kind == "equilateral" && j % 2 == 1 { 0.5 } else { 0.0 };
            let mut x = Vec3::new(cell * (i as f64 + shift), row * j as f64, 0.0);
            if kind == "irregular" && i > 0 && i < wide && j > 0 && j < long {
                x += random.vector() * Vec3::new(0.3, 0.3, 0.0) * cell;
            }
            rest.push(x);
        }
    }
    let at = |i: usize, j: usize| (j * (wide + 1) + i) as u32;
    let mut triangles = Vec::new();
    for (i, j) in (0..long).flat_map(|j| (0..wide).map(move |i| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
        let rising = match kind {
            "one-sided" => true,
            "equilateral" => j % 2 == 1,
            _ => (i + j) % 2 == 0,
        };
        triangles.extend(if rising { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] });
    }
    Pattern::mesh(rest, triangles)
}

const MESHES: [&str; 4] = ["alternating", "one-sided", "equilateral", "irregular"];

/// A cloth without gravity, floor and bend springs, with a membrane.
fn cloth(pattern: Pattern, solver: &str) -> Simulation {
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.parameters.gravity.gravity = 0.0;
    let material = &mut simulation.parameters.material;
    material.membrane = MembraneModel::Triangles;
    (material.structural_stiffness, material.weft_ratio, material.shear_stiffness) = (WARP, WEFT / WARP, SHEAR);
    (material.bend_stiffness, material.damping) = (0.0, 0.0);
    simulation
}

fn elastic(simulation: &Simulation) -> f64 {
    simulation.energy().elastic.expect("it knows its energy")
}

/// Elastic force on every vertex [N].
fn forces(simulation: &Simulation) -> Vec<Vec3> {
    let count = simulation.state.cloth.len() as u32;
    (0..count).map(|vertex| -simulation.reaction(vertex).expect("it knows forces")).collect()
}

fn area(pattern: &Pattern) -> f64 {
    let rest = pattern.rest_positions();
    let of = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| rest[vertex as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    pattern.triangles().iter().map(of).sum()
}

/// Energy of a square metre whose warp and weft have these images [J/m²], from the formula.
fn density(a: Vec3, b: Vec3) -> f64 {
    let shear = (a + b).length() - (a - b).length();
    0.5 * (WARP * (a.length() - 1.0).powi(2) + WEFT * (b.length() - 1.0).powi(2) + 0.5 * SHEAR * shear * shear)
}

#[test]
fn a_uniform_strain_costs_what_the_formula_says_on_any_mesh_and_any_cut() {
    let f = [Vec3::new(1.1, 0.05, 0.02), Vec3::new(-0.3, 0.93, 0.1)];
    let affine = |x: Vec3| f[0] * x.x + f[1] * x.y;
    for kind in MESHES {
        for degrees in [0.0, 22.5, 45.0, 90.0, -130.0] {
            let grain = f64::to_radians(degrees);
            let pattern = strip(kind, [4, 7]).with_grains(&[grain]);
            let mut simulation = cloth(pattern, "implicit-newton");
            simulation.state.cloth.positions.iter_mut().for_each(|x| *x = affine(*x));
            // the warp runs up at first, along y, and the weft a quarter turn later
            let (sine, cosine) = grain.sin_cos();
            let (warp, weft) = (Vec3::new(-sine, cosine, 0.0), Vec3::new(-cosine, -sine, 0.0));
            let expected = area(simulation.pattern()) * density(affine(warp), affine(weft));
            let energy = elastic(&simulation);
            assert!((energy / expected - 1.0).abs() < 1e-7, "{kind}, {degrees}°: {energy} J instead of {expected} J");
        }
    }
}

/// The matrix of small motions in the plane, from differences of the forces: entry (2 i + axis, 2 j + axis) [N/m].
fn stiffness_matrix(simulation: &mut Simulation) -> Vec<Vec<f64>> {
    let count = simulation.state.cloth.len();
    let mut columns = Vec::new();
    for (i, axis) in (0..count).flat_map(|i| [(i, Vec3::X), (i, Vec3::Y)]) {
        let mut at = |by: f64| {
            simulation.state.cloth.positions[i] += axis * by;
            let forces = forces(simulation);
            simulation.state.cloth.positions[i] -= axis * by;
            forces
        };
        let (plus, minus) = (at(1e-8), at(-1e-8));
        let column = plus.iter().zip(minus).flat_map(|(plus, minus)| [minus.x - plus.x, minus.y - plus.y]);
        columns.push(column.map(|force| force / 2e-8).collect());
    }
    columns
}

/// Solves `A x = b` with the given entries of `x` prescribed, by elimination with pivots. Returns the work `½ xᵀ A x`.
fn energy_of_held(a: &[Vec<f64>], held: &[(usize, f64)]) -> f64 {
    let n = a.len();
    let mut rows: Vec<Vec<f64>> = a.iter().map(|row| row.iter().copied().chain([0.0]).collect()).collect();
    for &(at, value) in held {
        rows[at] = vec![0.0; n + 1];
        (rows[at][at], rows[at][n]) = (1.0, value);
    }
    for column in 0..n {
        let pivot = (column..n).max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs())).expect("some");
        rows.swap(column, pivot);
        let row = rows[column].clone();
        for other in &mut rows[column + 1..] {
            let factor = other[column] / row[column];
            if factor != 0.0 {
                other[column..].iter_mut().zip(&row[column..]).for_each(|(entry, own)| *entry -= factor * own);
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
        x[i] = (rows[i][n] - known) / rows[i][i];
    }
    let product = |row: &Vec<f64>| row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>();
    0.5 * a.iter().zip(&x).map(|(row, x)| x * product(row)).sum::<f64>()
}

#[test]
fn strips_have_the_moduli_that_are_set_on_any_mesh_and_any_cut() {
    let [wide, long] = [4, 8];
    for kind in MESHES {
        for degrees in [0.0, 22.5, 45.0, 90.0] {
            let grain = f64::to_radians(degrees);
            let mut simulation = cloth(strip(kind, [wide, long]).with_grains(&[grain]), "implicit-newton");
            let matrix = stiffness_matrix(&mut simulation);
            let rest = simulation.pattern().rest_positions();
            let height = rest.iter().map(|x| x.y).fold(0.0, f64::max);
            let on_end = |at: f64| (0..rest.len()).filter(move |&i| (rest[i].y - at).abs() < 1e-9);
            // both ends are held along the strip, one vertex across it
            let pull = 1e-3;
            let ends = on_end(0.0).map(|i| (2 * i + 1, 0.0)).chain(on_end(height).map(|i| (2 * i + 1, pull * height)));
            let held: Vec<(usize, f64)> = ends.chain([(0, 0.0)]).collect();
            let modulus = 2.0 * energy_of_held(&matrix, &held) / (pull * pull * area(simulation.pattern()));
            let (sine, cosine) = grain.sin_cos();
            let compliance = cosine.powi(4) / WARP + sine.powi(4) / WEFT + (sine * cosine).powi(2) / SHEAR;
            assert!(
                (modulus * compliance - 1.0).abs() < 1e-4,
                "{kind}, {degrees}°: {modulus} N/m, {} N/m",
                1.0 / compliance
            );
        }
    }
}

#[test]
fn a_strip_on_the_bias_that_a_solver_pulls_has_the_modulus_of_the_bias() {
    // clamped ends hold its width; four times as long as wide, the middle does not know of that
    let [wide, long] = [8, 48];
    let mut simulation =
        cloth(strip("irregular", [wide, long]).with_grains(&[std::f64::consts::FRAC_PI_4]), "implicit-newton");
    let count = simulation.state.cloth.len();
    let (middle, pull) = (Vec3::new(0.02, 0.12, 0.0), 1.01);
    let rest = simulation.state.cloth.positions.clone();
    for vertex in (0..=wide).chain(count - wide - 1..count) {
        let x = &mut simulation.state.cloth.positions[vertex];
        x.y = middle.y + pull * (x.y - middle.y);
        simulation.state.cloth.pin_here(vertex as u32);
    }
    // inertia is nothing in such steps
    simulation.parameters.timing.time_step = 10.0;
    set(&mut simulation, "newton_iterations", Setting::Integer(200));
    advance(&mut simulation, 4);
    let now = &simulation.state.cloth.positions;
    let [low, high] = [16, 32].map(|row| row * (wide + 1) + wide / 2);
    let strain = (now[high].y - now[low].y) / (rest[high].y - rest[low].y) - 1.0;
    let load: f64 = (0..=wide).map(|vertex| simulation.reaction(vertex as u32).expect("forces").y).sum();
    let modulus = -load / 0.04 / strain;
    let expected = 4.0 / (1.0 / WARP + 1.0 / WEFT + 1.0 / SHEAR);
    assert!((modulus / expected - 1.0).abs() < 0.03, "{modulus} N/m instead of {expected} N/m");
}

#[test]
fn the_shear_stiffness_is_that_of_the_cloth() {
    for (kind, shear) in MESHES.into_iter().flat_map(|kind| [(kind, 5.0), (kind, 500.0)]) {
        let mut simulation = cloth(strip(kind, [5, 5]), "implicit-newton");
        simulation.parameters.material.shear_stiffness = shear;
        let angle = 1e-3;
        simulation.state.cloth.positions.iter_mut().for_each(|x| x.x += angle * x.y);
        let modulus = 2.0 * elastic(&simulation) / (angle * angle * area(simulation.pattern()));
        assert!((modulus / shear - 1.0).abs() < 0.01, "{kind}: {modulus} N/m instead of {shear} N/m");
        // by the springs it is the same for both, and far from either
        simulation.parameters.material.membrane = MembraneModel::Springs;
        let springs = 2.0 * elastic(&simulation) / (angle * angle * area(simulation.pattern()));
        assert!((0.3..0.7).contains(&(springs / WARP)), "{kind}: {springs} N/m");
    }
}

/// A crumpled mesh with a membrane.
fn crumpled(solver: &str) -> Simulation {
    let mut simulation = cloth(strip("irregular", [4, 5]).with_grains(&[0.4]), solver);
    simulation.state.cloth.positions = Random(5).shaken(&simulation.state.cloth.positions, 0.002);
    simulation
}

#[test]
fn the_force_is_minus_the_gradient_and_moves_nothing_as_a_whole() {
    let mut simulation = crumpled("implicit-newton");
    let forces = forces(&simulation);
    let largest = forces.iter().map(|force| force.length()).fold(0.0, f64::max);
    for (i, force) in forces.iter().enumerate() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mut at = |by: f64| {
                simulation.state.cloth.positions[i] += axis * by;
                let energy = elastic(&simulation);
                simulation.state.cloth.positions[i] -= axis * by;
                energy
            };
            let slope = (at(1e-7) - at(-1e-7)) / 2e-7;
            assert!((slope + force.dot(axis)).abs() < 1e-6 * largest, "vertex {i}: {slope} N and {force} N");
        }
    }
    let total: Vec3 = forces.iter().sum();
    let x = &simulation.state.cloth.positions;
    let torque: Vec3 = x.iter().zip(&forces).map(|(x, force)| x.cross(*force)).sum();
    assert!(total.length() < 1e-12 * largest && torque.length() < 1e-13 * largest, "{total} N, {torque} N·m");
}

#[test]
fn a_rigid_motion_costs_nothing_and_no_stiffness_turns_it() {
    let mut simulation = cloth(strip("irregular", [4, 5]).with_grains(&[0.4]), "implicit-newton");
    let turn = Quat::from_scaled_axis(Vec3::new(1.0, -2.0, 0.5));
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x = turn * *x + Vec3::new(3.0, 1.0, -2.0));
    assert!(elastic(&simulation) < 1e-24, "{} J", elastic(&simulation));
    assert!(forces(&simulation).iter().all(|force| force.length() < 1e-9));
}

#[test]
fn second_derivatives_are_those_of_the_gradient_and_clamped_ones_are_nowhere_negative() {
    let stiffness = TriangleStiffness { warp: 3.0, weft: 1.2, shear: 0.7 };
    let mut random = Random(11);
    for _ in 0..200 {
        let images = [Vec3::X + random.vector() * 0.8, Vec3::Y + random.vector() * 0.8];
        let change = [random.vector(), random.vector()];
        let at = |by: f64| stiffness.gradient([images[0] + change[0] * by, images[1] + change[1] * by]);
        let (plus, minus) = (at(1e-6), at(-1e-6));
        let exact = stiffness.hessian(images, Blocks::Raw);
        let found = exact.apply(change);
        for side in 0..2 {
            let slope = (plus[side] - minus[side]) / 2e-6;
            assert!(slope.distance(found[side]) < 1e-7, "{images:?}: {slope} and {}", found[side]);
        }
        // blocks are the same matrix, for vertices that move either image
        let (own, other) = ([0.3, -0.8], [1.1, 0.4]);
        let moved = random.vector();
        let [of_a, of_b] = exact.apply([moved * other[0], moved * other[1]]);
        let expected = of_a * own[0] + of_b * own[1];
        assert!((exact.block(own, other) * moved).distance(expected) < 1e-12);
        assert!(exact.block(own, other).transpose().abs_diff_eq(exact.block(other, own), 1e-12));
        let clamped = stiffness.hessian(images, Blocks::Clamped);
        let [of_a, of_b] = clamped.apply(change);
        let curvature = of_a.dot(change[0]) + of_b.dot(change[1]);
        let full = found[0].dot(change[0]) + found[1].dot(change[1]);
        assert!(curvature >= -1e-12 && curvature >= full - 1e-12, "{curvature} and {full}");
        // and the bound is above both, from any strain
        let vertex = clamped.block(own, own);
        assert!(moved.dot(vertex * moved) <= stiffness.bound(own) * moved.length_squared() + 1e-12);
    }
}

fn takes_it(entry: &&Entry) -> bool {
    !matches!(entry.info.capabilities.membrane, MembraneRule::SpringsOnly(_))
}

/// A mesh in motion that hangs at two corners.
fn moving(solver: &str, step: f64) -> Simulation {
    let mut simulation = cloth(strip("irregular", [6, 6]).with_grains(&[0.6]), solver);
    simulation.parameters.gravity.gravity = 9.8;
    let material = &mut simulation.parameters.material;
    (material.structural_stiffness, material.shear_stiffness) = (2.0, 0.3);
    simulation.parameters.timing.time_step = step;
    for (i, v) in simulation.state.cloth.velocities.iter_mut().enumerate() {
        *v = Vec3::new((0.8 * i as f64).sin(), (0.3 * i as f64).cos(), (0.2 * i as f64).sin()) * 0.05;
    }
    simulation.state.cloth.pin_here(42);
    simulation.state.cloth.pin_here(48);
    simulation
}

#[test]
fn solvers_that_take_it_converge_to_one_motion() {
    let run = |solver: &str, step: f64| {
        let mut simulation = moving(solver, step);
        crate::promises::converge(&mut simulation);
        advance(&mut simulation, (0.002 / step).round() as usize);
        simulation.state.cloth.positions
    };
    let fine = run("symplectic-euler", 4e-7);
    let still = farthest(&moving("symplectic-euler", 1e-3).state.cloth.positions, &fine);
    every(solvers::REGISTRY.iter().filter(takes_it), |entry| {
        let [coarse, close] = [2e-5, 1e-5].map(|step| farthest(&run(entry.info.id, step), &fine));
        let order = (coarse / close).log2();
        assert!(
            close < 0.05 * still && (order - 1.0).abs() < 0.3,
            "{}: {coarse:e} {close:e} of {still:e} m",
            entry.info.id
        );
    });
}

#[test]
fn solvers_of_implicit_euler_take_the_same_step() {
    // large steps, so that compressed and stretched triangles show in them; not XPBD, which adds up its corrections along the directions that
    // its iterations had
    let run = |solver: &str| {
        let mut simulation = moving(solver, 0.004);
        for (key, value) in [("iterations", 1000), ("small_steps", 1), ("newton_iterations", 200)] {
            if simulation.solver().settings().index_of(key).is_some() {
                set(&mut simulation, key, Setting::Integer(value));
            }
        }
        advance(&mut simulation, 4);
        simulation.state.cloth.positions
    };
    let newton = run("implicit-newton");
    every(["vertex-block-descent", "fast-mass-spring", "projective-dynamics"], |solver| {
        let apart = farthest(&newton, &run(solver));
        assert!(apart < 1e-7, "{solver}: {apart:e} m");
    });
}

#[test]
fn an_implicit_step_is_the_same_by_gradients_as_by_factorisation() {
    let run = |linear_solver: usize| {
        let mut simulation = moving("implicit-euler", 0.004);
        simulation.parameters.material.damping = 1e-3;
        set(&mut simulation, "linear_solver", Setting::Choice(linear_solver));
        set(&mut simulation, "residual_tolerance", Setting::Real(1e-12));
        simulation.state.cloth.positions[24].z += 0.003;
        advance(&mut simulation, 10);
        simulation.state.cloth.positions
    };
    let apart = farthest(&run(0), &run(1));
    assert!(apart < 1e-11, "{apart:e} m");
}

#[test]
fn damping_acts_along_the_edges_with_a_membrane_too() {
    // by how much of its kinetic energy a cloth loses, with the law that the solver knows
    let lost = |solver: &str, law: DampingModel| {
        let left = |damping: f64| {
            let mut simulation = moving(solver, 1e-5);
            simulation.parameters.gravity.gravity = 0.0;
            (simulation.parameters.material.damping, simulation.parameters.material.damping_model) = (damping, law);
            crate::promises::converge(&mut simulation);
            advance(&mut simulation, 100);
            simulation.energy().kinetic
        };
        1.0 - left(2e-4) / left(0.0)
    };
    let reference = [DampingModel::Isotropic, DampingModel::AlongSpring].map(|law| lost("symplectic-euler", law));
    assert!(reference.iter().all(|lost| *lost > 0.03), "{reference:?}");
    every(solvers::REGISTRY.iter().filter(takes_it), |entry| {
        for (law, expected) in [DampingModel::Isotropic, DampingModel::AlongSpring].into_iter().zip(reference) {
            if entry.info.capabilities.damping.honours(law) {
                let lost = lost(entry.info.id, law);
                assert!(
                    (lost / expected - 1.0).abs() < 0.1,
                    "{}, {law:?}: {lost} instead of {expected}",
                    entry.info.id
                );
            }
        }
    });
}

#[test]
fn momentum_stays_in_a_free_cloth() {
    every(solvers::REGISTRY.iter().filter(takes_it), |entry| {
        let mut simulation = crumpled(entry.info.id);
        simulation.parameters.timing.time_step = 1e-5;
        for (i, v) in simulation.state.cloth.velocities.iter_mut().enumerate() {
            *v = Vec3::new(0.1, (0.3 * i as f64).cos(), (0.2 * i as f64).sin());
        }
        let before = crate::promises::momentum(&simulation);
        advance(&mut simulation, 20);
        let change = (crate::promises::momentum(&simulation) - before).length() / before.length();
        assert!(change < 1e-7, "{}: {change:e}", entry.info.id);
    });
}

#[test]
fn the_critical_step_is_where_symplectic_euler_fails() {
    let grows = |share: f64| {
        let mut simulation = cloth(strip("irregular", [6, 6]).with_grains(&[0.6]), "symplectic-euler");
        simulation.parameters.timing.time_step = share * simulation.critical_step();
        let rest = simulation.state.cloth.positions.clone();
        // in the plane, where there is a stiffness
        let kicked = Random(2).shaken(&rest, 1e-9).into_iter().map(|x| Vec3::new(x.x, x.y, 0.0));
        simulation.state.cloth.positions = kicked.collect();
        let explodes = (0..2000).any(|_| simulation.step().is_err());
        explodes || farthest(&simulation.state.cloth.positions, &rest) > 1e-6
    };
    assert!(!grows(0.97));
    assert!(grows(1.05));
}

#[test]
fn a_cut_leaves_every_triangle_its_stiffness() {
    let mut simulation = cloth(strip("irregular", [4, 7]).with_grains(&[0.4]), "implicit-newton");
    let stretched = |x: &mut Vec3| *x = Vec3::new(1.1 * x.x + 0.1 * x.y, 0.95 * x.y, 0.0);
    simulation.state.cloth.positions.iter_mut().for_each(stretched);
    let (whole, vertices) = (elastic(&simulation), simulation.state.cloth.len());
    assert!(simulation.cut(&[[10, 11], [11, 12], [12, 13]]) > 0);
    assert!(simulation.state.cloth.len() > vertices);
    assert_eq!(simulation.pattern().membrane().triangles().len(), simulation.pattern().triangles().len());
    let torn = elastic(&simulation);
    assert!((torn / whole - 1.0).abs() < 1e-8, "{torn} J after {whole} J");
    // the lips no longer hold each other
    let copy = vertices as u32;
    let own = simulation.pattern().parents()[0];
    let around = |vertex: u32| simulation.pattern().membrane().around(vertex).count();
    let before = strip("irregular", [4, 7]).membrane().around(own).count();
    assert!(
        around(own) + around(copy) == before && around(copy) > 0,
        "{} and {} of {before}",
        around(own),
        around(copy)
    );
    // and the whole cloth is remembered as it was, with its grain
    assert_eq!(simulation.pattern().whole_revision(), strip("irregular", [4, 7]).with_grains(&[0.4]).revision());
    assert_eq!(simulation.pattern().whole().grains(), [0.4]);
}

#[test]
fn the_texture_says_where_the_warp_runs() {
    // texture coordinates that are turned by 30° and stretched
    let pattern = strip("irregular", [4, 7]);
    let turn = f64::to_radians(30.0);
    let (sine, cosine) = turn.sin_cos();
    let texture = pattern.rest_positions().iter();
    let texture = texture.map(|x| [3.0 * (cosine * x.x + sine * x.y), 0.5 * (cosine * x.y - sine * x.x)]).collect();
    let attributes = FaceAttributes { texture, corners: pattern.triangles().to_vec(), ..FaceAttributes::default() };
    let [turned, textured] =
        [pattern.clone().with_grains(&[turn]), pattern.with_attributes(attributes)].map(|pattern| {
            let mut simulation = cloth(pattern, "implicit-newton");
            simulation.state.cloth.positions.iter_mut().for_each(|x| *x = Vec3::new(1.1 * x.x, 0.95 * x.y, 0.2 * x.x));
            (elastic(&simulation), forces(&simulation))
        });
    assert!((turned.0 / textured.0 - 1.0).abs() < 1e-9, "{} J and {} J", turned.0, textured.0);
    assert!(farthest(&turned.1, &textured.1) < 1e-7);
}

#[test]
fn a_piece_has_its_own_factors_and_grids_keep_their_springs() {
    let (mesh, grid) = (strip("alternating", [4, 4]), Pattern::grid(5, 5, 0.02, 0.02, Plane::Xy));
    let stretched = |pattern: &Pattern, membrane: MembraneModel| {
        let mut simulation = cloth(pattern.clone(), "implicit-newton");
        simulation.parameters.material.membrane = membrane;
        simulation.state.cloth.positions.iter_mut().for_each(|x| x.y *= 1.01);
        elastic(&simulation)
    };
    let [one, alone] = [&mesh, &grid].map(|pattern| stretched(pattern, MembraneModel::Triangles));
    assert_eq!(alone, stretched(&grid, MembraneModel::Springs));
    assert!(!grid.has_membrane() && mesh.has_membrane());
    let factors = MaterialOverride { structural: 3.0, ..MaterialOverride::default() };
    let both = Pattern::join([&grid, &mesh, &mesh]);
    let plain = MaterialOverride::default();
    let energy = stretched(&both.with_overrides(&[plain, factors, plain]), MembraneModel::Triangles);
    assert!((energy / (alone + 4.0 * one) - 1.0).abs() < 1e-7, "{energy} J, {alone} J and {one} J");
}

#[test]
fn solvers_without_it_keep_the_springs_and_say_so() {
    let param = |simulation: &Simulation, key: &str| {
        let material = &simulation.parameters.material;
        material.params()[material.index_of(key).expect("declared")]
    };
    every(solvers::REGISTRY, |entry| {
        let id = entry.info.id;
        let mesh = moving(id, 1e-4);
        let [choice, weft, shear] =
            ["membrane", "weft_ratio", "shear_stiffness"].map(|key| mesh.ignored(&param(&mesh, key)));
        if takes_it(&entry) {
            assert_eq!([choice, weft, shear], [None; 3], "{id}");
            let mut springs = moving(id, 1e-4);
            springs.parameters.material.membrane = MembraneModel::Springs;
            assert!(springs.ignored(&param(&springs, "weft_ratio")).is_some(), "{id}");
            assert!(springs.ignored(&param(&springs, "shear_stiffness")).is_some(), "{id}");
            return;
        }
        assert!(choice.is_some() && weft.is_some() && shear.is_some(), "{id}");
        let [one, other] = [MembraneModel::Springs, MembraneModel::Triangles].map(|model| {
            let mut simulation = moving(id, 1e-5);
            simulation.parameters.material.membrane = model;
            advance(&mut simulation, 5);
            simulation.state.cloth.positions
        });
        assert!(one == other, "{id}");
    });
    let grid = cloth(Pattern::grid(5, 5, 0.02, 0.02, Plane::Xy), "implicit-newton");
    assert!(
        grid.ignored(&param(&grid, "membrane")).is_some() && grid.ignored(&param(&grid, "shear_stiffness")).is_none()
    );
}

#[test]
fn it_gives_the_same_bits_on_any_number_of_threads_and_after_a_cut() {
    every(solvers::REGISTRY.iter().filter(takes_it), |entry| {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut simulation = cloth(strip("irregular", [70, 70]).with_grains(&[0.6]), entry.info.id);
                simulation.parameters.gravity.gravity = 9.8;
                simulation.parameters.material.damping = 1e-4;
                simulation.parameters.timing.time_step = 1e-5;
                simulation.state.cloth.positions = Random(3).shaken(&simulation.state.cloth.positions, 5e-4);
                advance(&mut simulation, 2);
                assert!(simulation.cut(&[[72, 73], [73, 74], [74, 75]]) > 0);
                advance(&mut simulation, 2);
                simulation.state.cloth
            })
        };
        let one = run(1);
        assert!([2, 3].into_iter().all(|threads| run(threads) == one), "{}", entry.info.id);
    });
}
