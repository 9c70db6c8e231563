//! Projective dynamics with triangle strain and bending, dense and slow, against an independent implementation: it proves
//! the rows, the weights and the projections together.

use std::collections::BTreeMap;

use serde::Deserialize;
use weft::sim::constraints::{BendingRows, clamp_strain, with_length};
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::params::Setting;
use weft::sim::pattern::Element;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::elements_along;

#[derive(Deserialize)]
struct Reference {
    meshes: Vec<Mesh>,
}

#[derive(Deserialize)]
struct Mesh {
    name: String,
    rest: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    masses: Vec<f64>,
    mixed_areas: Vec<f64>,
    density: f64,
    w_strain: f64,
    lo: f64,
    hi: f64,
    w_bend: f64,
    h: f64,
    pins: Vec<usize>,
    iters: usize,
    position: BTreeMap<u32, Vec<Vec3>>,
}

fn meshes() -> Vec<Mesh> {
    let text = include_str!("../data/constraints.json");
    serde_json::from_str::<Reference>(text).expect("the reference data is valid").meshes
}

/// A sparse row with the weight of its constraint.
type Row = (Vec<(usize, f64)>, f64);

fn value((row, _): &Row, q: &[Vec3]) -> Vec3 {
    row.iter().map(|&(vertex, coefficient)| q[vertex] * coefficient).sum()
}

/// `L` of `L Lᵀ`, by columns as in a textbook.
fn cholesky(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for j in 0..matrix.len() {
        for i in j..matrix.len() {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let entry = matrix[i][j] - sum;
            matrix[i][j] = if i == j { entry.sqrt() } else { entry / matrix[j][j] };
        }
    }
    matrix
}

fn solve(factor: &[Vec<f64>], mut b: Vec<Vec3>) -> Vec<Vec3> {
    for i in 0..b.len() {
        let known: Vec3 = (0..i).map(|k| b[k] * factor[i][k]).sum();
        b[i] = (b[i] - known) / factor[i][i];
    }
    for i in (0..b.len()).rev() {
        let known: Vec3 = (i + 1..b.len()).map(|k| b[k] * factor[k][i]).sum();
        b[i] = (b[i] - known) / factor[i][i];
    }
    b
}

/// The constraints of a mesh: elements take two rows each, from the start; then bending takes one each.
struct Constraints {
    elements: Vec<Element>,
    bending: BendingRows,
    rows: Vec<Row>,
}

impl Constraints {
    fn of(mesh: &Mesh, warp: Vec3) -> Self {
        let pattern = Pattern::mesh(mesh.rest.clone(), mesh.triangles.clone());
        let (elements, bending) = (elements_along(&pattern, warp), BendingRows::of(&pattern));
        let mut rows: Vec<Row> = Vec::new();
        let entries = |vertices: &[u32], coefficients: &[f64]| {
            vertices.iter().map(|&vertex| vertex as usize).zip(coefficients.iter().copied()).collect()
        };
        for element in &elements {
            rows.extend(element.rows().map(|row| (entries(&element.vertices, &row), mesh.w_strain * element.area)));
        }
        for row in 0..bending.len() {
            let (vertices, coefficients) = bending.row(row);
            rows.push((entries(vertices, coefficients), mesh.w_bend * bending.areas[row]));
        }
        Self { elements, bending, rows }
    }

    fn project(&self, mesh: &Mesh, q: &[Vec3]) -> Vec<Vec3> {
        let z: Vec<Vec3> = self.rows.iter().map(|row| value(row, q)).collect();
        let (strain, bending) = z.split_at(2 * self.elements.len());
        let mut p: Vec<Vec3> = strain.chunks(2).flat_map(|f| clamp_strain([f[0], f[1]], mesh.lo, mesh.hi)).collect();
        p.extend(bending.iter().zip(&self.bending.rest_lengths).map(|(&z, &length)| with_length(z, length)));
        p
    }
}

/// Steps from rest under gravity, with pins of the weight `soft` [N/m] or fixed ones; returns the positions after each step.
fn run(mesh: &Mesh, warp: Vec3, steps: u32, soft: Option<f64>) -> Vec<Vec<Vec3>> {
    let constraints = Constraints::of(mesh, warp);
    let n = mesh.rest.len();
    let mut matrix = vec![vec![0.0; n]; n];
    for (i, mass) in mesh.masses.iter().enumerate() {
        matrix[i][i] = mass / (mesh.h * mesh.h);
    }
    for (row, weight) in &constraints.rows {
        for &(i, a) in row {
            for &(j, b) in row {
                matrix[i][j] += weight * a * b;
            }
        }
    }
    for &pin in &mesh.pins {
        matrix[pin][pin] += soft.unwrap_or(0.0);
    }
    let held = if soft.is_some() { &[][..] } else { &mesh.pins };
    let free: Vec<usize> = (0..n).filter(|i| !held.contains(i)).collect();
    let factor = cholesky(free.iter().map(|&i| free.iter().map(|&j| matrix[i][j]).collect()).collect());

    let (mut x, mut v) = (mesh.rest.clone(), vec![Vec3::ZERO; n]);
    let mut states = Vec::new();
    for _ in 0..steps {
        let mut y = x.clone();
        for &i in &free {
            y[i] += v[i] * mesh.h + Vec3::new(0.0, -9.8, 0.0) * (mesh.h * mesh.h);
        }
        let mut q = y.clone();
        for _ in 0..mesh.iters {
            let mut b: Vec<Vec3> = (0..n).map(|i| y[i] * (mesh.masses[i] / (mesh.h * mesh.h))).collect();
            for ((row, weight), p) in constraints.rows.iter().zip(constraints.project(mesh, &q)) {
                for &(i, a) in row {
                    b[i] += p * (weight * a);
                }
            }
            mesh.pins.iter().for_each(|&pin| b[pin] += mesh.rest[pin] * soft.unwrap_or(0.0));
            let right = |&i: &usize| b[i] - held.iter().map(|&pin| q[pin] * matrix[i][pin]).sum::<Vec3>();
            let solved = solve(&factor, free.iter().map(right).collect());
            for (&i, place) in free.iter().zip(solved) {
                q[i] = place;
            }
        }
        for i in 0..n {
            v[i] = (q[i] - x[i]) / mesh.h;
        }
        x = q;
        states.push(x.clone());
    }
    states
}

#[test]
fn strain_and_bending_move_two_meshes_as_the_reference_does() {
    let mut compared = 0;
    for mesh in meshes() {
        // isotropic limits know no warp
        for warp in [Vec3::X, Vec3::new(0.3, 0.2, -1.0)] {
            let states = run(&mesh, warp, 20, None);
            for (&step, expected) in &mesh.position {
                let apart = states[step as usize - 1].iter().zip(expected).map(|(a, b)| (*a - *b).abs().max_element());
                let apart = apart.fold(0.0, f64::max);
                assert!(apart <= 1e-8, "{}, step {step}: {apart:e} m", mesh.name);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 2 * 2 * 3);
}

#[test]
fn mixed_areas_and_masses_are_those_of_the_reference() {
    for mesh in meshes() {
        let pattern = Pattern::mesh(mesh.rest.clone(), mesh.triangles.clone());
        let bending = BendingRows::of(&pattern);
        assert_eq!(bending.len(), if mesh.name == "flat" { 3 * 2 } else { 3 * 3 });
        for row in 0..bending.len() {
            let vertex = bending.row(row).0[0] as usize;
            let apart = (bending.areas[row] - mesh.mixed_areas[vertex]).abs();
            assert!(apart <= 1e-14, "{}, vertex {vertex}: {apart:e} m²", mesh.name);
        }
        let mut masses = vec![0.0; mesh.masses.len()];
        for element in elements_along(&pattern, Vec3::X) {
            element.vertices.iter().for_each(|&vertex| masses[vertex as usize] += mesh.density * element.area / 3.0);
        }
        assert!(masses.iter().zip(&mesh.masses).all(|(a, b)| (a - b).abs() <= 1e-15), "{}", mesh.name);
    }
}

#[test]
fn the_solver_moves_the_meshes_as_the_reference_does_on_hard_and_on_soft_pins() {
    for mesh in meshes() {
        for soft in [None, Some(1e7), Some(20.0)] {
            let softly = soft.map(|weight| run(&mesh, Vec3::X, 20, Some(weight)));
            let pattern = Pattern::mesh(mesh.rest.clone(), mesh.triangles.clone());
            let mass = Mass { mass_model: MassModel::AreaDensity, area_density: mesh.density, ..Mass::default() };
            let mut solver = solvers::build("projective-dynamics").expect("registered");
            let settings = solver.settings_mut();
            for (key, value) in [
                ("springs", Setting::Toggle(false)),
                ("iterations", Setting::Integer(mesh.iters as u32)),
                ("triangle_strain", Setting::Toggle(true)),
                ("strain_weight", Setting::Real(mesh.w_strain)),
                ("strain_min", Setting::Real(mesh.lo)),
                ("strain_max", Setting::Real(mesh.hi)),
                ("bending", Setting::Toggle(true)),
                ("bending_weight", Setting::Real(mesh.w_bend)),
                ("soft_pins", Setting::Toggle(soft.is_some())),
                ("pin_weight", Setting::Real(soft.unwrap_or(1.0))),
            ] {
                let index = settings.index_of(key).expect("its own");
                settings.set(index, value).expect("in range");
            }
            let mut simulation = Simulation::new(pattern, mass, solver);
            simulation.parameters.contact.ground = false;
            simulation.parameters.timing.time_step = mesh.h;
            mesh.pins.iter().for_each(|&pin| simulation.state.cloth.pin_here(pin as u32));
            for step in 1..=20 {
                simulation.step().expect("bounded");
                let Some(hard) = mesh.position.get(&step) else { continue };
                let expected = softly.as_ref().map_or(hard, |states| &states[step as usize - 1]);
                let pairs = simulation.state.cloth.positions.iter().zip(expected);
                let error = pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
                assert!(error <= 1e-8, "{}, step {step}, soft pins {soft:?}: {error:e} m", mesh.name);
            }
        }
    }
}
