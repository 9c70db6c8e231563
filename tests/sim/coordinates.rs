//! Coordinates of the distances of projective dynamics (A and B in the paper): dense and slow, with the positions of the
//! vertices of each constraint as its auxiliary variables.

use std::ops::ControlFlow;

use weft::sim::constraints::{BendingRows, clamp_strain, elements, with_length};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::study::convergence::{Curve, Study};
use weft::sim::{Pattern, Real, Simulation, Vec3, solvers};

use crate::fixtures::{every, farthest, set};

const DIFFERENCES: usize = 0;
const MEAN: usize = 1;
const IDENTITY: usize = 2;
const MASS: usize = 3;
const ALL: [(&str, usize); 4] = [("differences", 0), ("mean", 1), ("identity", 2), ("mass", 3)];

/// Which constraints a cloth has.
#[derive(Clone, Copy)]
struct With {
    springs: bool,
    strain: bool,
    bending: bool,
}

const SPRINGS: With = With { springs: true, strain: false, bending: false };
const TRIANGLES: With = With { springs: false, strain: true, bending: false };
const EVERYTHING: With = With { springs: true, strain: true, bending: true };
const STRAIN_WEIGHT: Real = 40.0;
const BENDING_WEIGHT: Real = 0.01;
const RANGE: [Real; 2] = [0.95, 1.05];

/// A stretched and rippled cloth of masses that differ, with one corner pinned unless it is free.
fn cloth(n: usize, with: With, free: bool) -> Simulation {
    let pattern = Pattern::grid(n, n, 1.0, 1.0, Plane::Xz);
    let solver = solvers::build("projective-dynamics").expect("registered");
    let mut simulation = Simulation::new(pattern, Default::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    simulation.parameters.material.damping = 0.0;
    let state = &mut simulation.state.cloth;
    for (i, (x, v)) in state.positions.iter_mut().zip(&mut state.velocities).enumerate() {
        let phase = i as Real;
        *x = *x * 1.1 + Vec3::new((1.3 * phase).sin(), 2.0 * (2.1 * phase).cos(), (0.7 * phase).sin()) * 0.02;
        *v = Vec3::new((0.9 * phase).cos(), (1.7 * phase).sin(), (2.3 * phase).cos()) * 0.1;
    }
    if !free {
        simulation.state.cloth.pin_here(0);
    }
    set(&mut simulation, "springs", Setting::Toggle(with.springs));
    set(&mut simulation, "triangle_strain", Setting::Toggle(with.strain));
    set(&mut simulation, "strain_weight", Setting::Real(STRAIN_WEIGHT));
    set(&mut simulation, "strain_min", Setting::Real(RANGE[0]));
    set(&mut simulation, "strain_max", Setting::Real(RANGE[1]));
    set(&mut simulation, "bending", Setting::Toggle(with.bending));
    set(&mut simulation, "bending_weight", Setting::Real(BENDING_WEIGHT));
    simulation
}

/// The nearest admissible values to those of the rows.
type Projection = Box<dyn Fn(&[Vec3]) -> Vec<Vec3>>;

/// A constraint: its vertices, its rows over these, its weight, and the projection of the values of the rows.
struct Constraint {
    vertices: Vec<usize>,
    rows: Vec<Vec<Real>>,
    weight: Real,
    project: Projection,
}

fn constraints(simulation: &Simulation, with: With) -> Vec<Constraint> {
    let pattern = simulation.pattern();
    let mut all = Vec::new();
    let springs = pattern.springs();
    let stiffness = simulation.parameters.material.stiffness_by_family();
    for (e, [i, j]) in springs.ends.iter().enumerate().filter(|_| with.springs) {
        let (weight, length) = (stiffness[springs.families[e] as usize], springs.rest_lengths[e]);
        let project = move |z: &[Vec3]| vec![z[0] * (length / z[0].length())];
        let (vertices, rows) = (vec![*i as usize, *j as usize], vec![vec![1.0, -1.0]]);
        all.push(Constraint { vertices, rows, weight, project: Box::new(project) });
    }
    for element in elements(pattern).into_iter().filter(|_| with.strain) {
        let vertices = element.vertices.map(|vertex| vertex as usize).to_vec();
        let rows = element.rows().map(|row| row.to_vec()).to_vec();
        let project = |z: &[Vec3]| clamp_strain([z[0], z[1]], RANGE[0], RANGE[1]).to_vec();
        all.push(Constraint { vertices, rows, weight: STRAIN_WEIGHT * element.area, project: Box::new(project) });
    }
    let bending = BendingRows::of(pattern);
    for row in (0..bending.len()).filter(|_| with.bending) {
        let (vertices, coefficients) = bending.row(row);
        let length = bending.rest_lengths[row];
        all.push(Constraint {
            vertices: vertices.iter().map(|&vertex| vertex as usize).collect(),
            rows: vec![coefficients.to_vec()],
            weight: BENDING_WEIGHT * bending.areas[row],
            project: Box::new(move |z| vec![with_length(z[0], length)]),
        });
    }
    all
}

fn transpose(a: &[Vec<Real>]) -> Vec<Vec<Real>> {
    (0..a[0].len()).map(|column| a.iter().map(|row| row[column]).collect()).collect()
}

fn product(a: &[Vec<Real>], b: &[Vec<Real>]) -> Vec<Vec<Real>> {
    let b = transpose(b);
    let entry = |row: &[Real], column: &[Real]| row.iter().zip(column).map(|(a, b)| a * b).sum();
    a.iter().map(|row| b.iter().map(|column| entry(row, column)).collect()).collect()
}

/// The inverse by Gauss and Jordan with pivots.
fn inverse(a: &[Vec<Real>]) -> Vec<Vec<Real>> {
    let n = a.len();
    let unit = |i: usize| (0..n).map(move |j| Real::from(u8::from(i == j)));
    let mut rows: Vec<Vec<Real>> =
        a.iter().enumerate().map(|(i, row)| row.iter().copied().chain(unit(i)).collect()).collect();
    for at in 0..n {
        let pivot = (at..n).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs())).expect("rows are left");
        rows.swap(at, pivot);
        let own = rows[at].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let share = if i == at { 1.0 - 1.0 / own[at] } else { row[at] / own[at] };
            row.iter_mut().zip(&own).for_each(|(x, own)| *x -= share * own);
        }
    }
    rows.into_iter().map(|row| row[n..].to_vec()).collect()
}

impl Constraint {
    /// Weights of the vertices in the coordinates.
    fn omega(&self, coordinates: usize, masses: &[Real]) -> Vec<Real> {
        self.vertices.iter().map(|&vertex| if coordinates == MASS { masses[vertex] } else { 1.0 }).collect()
    }

    /// `w AᵀA`.
    fn metric(&self, coordinates: usize, masses: &[Real]) -> Vec<Vec<Real>> {
        let omega = self.omega(coordinates, masses);
        let (m, r) = (self.vertices.len(), self.rows.len());
        let columns = transpose(&self.rows);
        let mut sum = product(&columns, &self.rows);
        if coordinates != DIFFERENCES {
            let scaled: Vec<Vec<Real>> =
                columns.iter().zip(&omega).map(|(row, o)| row.iter().map(|x| x / o).collect()).collect();
            let gram = product(&self.rows, &scaled);
            let c = (0..r).map(|k| gram[k][k]).sum::<Real>() / r as Real;
            let deforming = product(&product(&columns, &inverse(&gram)), &self.rows);
            for i in 0..m {
                for j in 0..m {
                    let mean = if coordinates == MEAN { 1.0 / m as Real } else { 0.0 };
                    let own = if i == j { omega[i] } else { 0.0 };
                    sum[i][j] += c * (own - mean - deforming[i][j]);
                }
            }
        }
        sum.iter().map(|row| row.iter().map(|x| x * self.weight).collect()).collect()
    }

    /// Positions of its vertices: the nearest whose rows have admissible values.
    fn nearest(&self, q: &[Vec3], coordinates: usize, masses: &[Real]) -> Vec<Vec3> {
        let omega = self.omega(coordinates, masses);
        let value = |row: &Vec<Real>| self.vertices.iter().zip(row).map(|(&v, a)| q[v] * *a).sum::<Vec3>();
        let z: Vec<Vec3> = self.rows.iter().map(value).collect();
        let change: Vec<Vec3> = (self.project)(&z).iter().zip(&z).map(|(p, z)| *p - *z).collect();
        let scaled: Vec<Vec<Real>> =
            transpose(&self.rows).iter().zip(&omega).map(|(row, o)| row.iter().map(|x| x / o).collect()).collect();
        let back = product(&scaled, &inverse(&product(&self.rows, &scaled)));
        let moved =
            |(&v, row): (&usize, &Vec<Real>)| q[v] + row.iter().zip(&change).map(|(a, d)| *d * *a).sum::<Vec3>();
        self.vertices.iter().zip(&back).map(moved).collect()
    }

    /// `w/2 |G q - p|²`.
    fn energy(&self, q: &[Vec3]) -> Real {
        let value = |row: &Vec<Real>| self.vertices.iter().zip(row).map(|(&v, a)| q[v] * *a).sum::<Vec3>();
        let z: Vec<Vec3> = self.rows.iter().map(value).collect();
        let square = (self.project)(&z).iter().zip(&z).map(|(p, z)| p.distance_squared(*z)).sum::<Real>();
        0.5 * self.weight * square
    }
}

/// So many iterations of equation 10 from the inertial target, and the energies before each.
fn reference(simulation: &Simulation, with: With, coordinates: usize, iterations: usize) -> (Vec<Vec3>, Vec<Real>) {
    let all = constraints(simulation, with);
    let cloth = &simulation.state.cloth;
    let (n, h, masses) = (cloth.len(), simulation.parameters.timing.time_step, &cloth.masses);
    let target = target(simulation);
    let mut matrix = vec![vec![0.0; n]; n];
    (0..n).for_each(|i| matrix[i][i] = masses[i] / (h * h));
    let metrics: Vec<_> = all.iter().map(|constraint| constraint.metric(coordinates, masses)).collect();
    for (constraint, metric) in all.iter().zip(&metrics) {
        for (i, row) in constraint.vertices.iter().zip(metric) {
            constraint.vertices.iter().zip(row).for_each(|(j, x)| matrix[*i][*j] += x);
        }
    }
    let free: Vec<usize> = (0..n).filter(|&i| cloth.pins().iter().all(|pin| pin.vertex as usize != i)).collect();
    let reduced: Vec<Vec<Real>> = free.iter().map(|&i| free.iter().map(|&j| matrix[i][j]).collect()).collect();
    let inverse = inverse(&reduced);
    let (mut q, mut energies) = (target.clone(), Vec::new());
    for _ in 0..iterations {
        let inertia = |&i: &usize| 0.5 * masses[i] / (h * h) * q[i].distance_squared(target[i]);
        let energy = free.iter().map(inertia).sum::<Real>() + all.iter().map(|c| c.energy(&q)).sum::<Real>();
        energies.push(energy);
        let mut b: Vec<Vec3> = (0..n).map(|i| target[i] * (masses[i] / (h * h))).collect();
        for (constraint, metric) in all.iter().zip(&metrics) {
            let p = constraint.nearest(&q, coordinates, masses);
            for (i, row) in constraint.vertices.iter().zip(metric) {
                b[*i] += row.iter().zip(&p).map(|(a, p)| *p * *a).sum::<Vec3>();
            }
        }
        for &i in &free {
            for j in (0..n).filter(|j| !free.contains(j)) {
                b[i] -= target[j] * matrix[i][j];
            }
        }
        for (&i, row) in free.iter().zip(&inverse) {
            q[i] = free.iter().zip(row).map(|(&j, a)| b[j] * *a).sum();
        }
    }
    (q, energies)
}

fn target(simulation: &Simulation) -> Vec<Vec3> {
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let mut q = Vec::new();
    frozen.input(&pool).predict(&frozen.state.cloth, &mut q);
    q
}

/// So many iterations of the solver from the inertial target.
fn iterate(simulation: &Simulation, iterations: usize) -> Vec<Vec3> {
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let (cloth, input) = (&frozen.state.cloth, frozen.input(&pool));
    let mut solver = simulation.solver_like("projective-dynamics").expect("registered");
    let method = solver.minimiser().expect("it minimises");
    let mut q = target(simulation);
    for _ in 0..iterations {
        method.iterate(cloth, &input, &mut q).expect("it can be computed");
    }
    q
}

#[test]
fn iterates_in_all_coordinates_are_those_of_a_dense_solve() {
    every(ALL, |(_, coordinates)| {
        for with in [SPRINGS, TRIANGLES, EVERYTHING] {
            let mut simulation = cloth(5, with, false);
            set(&mut simulation, "coordinates", Setting::Choice(coordinates));
            for iterations in [1, 7] {
                let (expected, _) = reference(&simulation, with, coordinates, iterations);
                let apart = farthest(&iterate(&simulation, iterations), &expected);
                assert!(apart < 1e-12, "{iterations} iterations: {apart:e} m");
            }
        }
    });
}

#[test]
fn absolute_coordinates_of_springs_are_position_based_dynamics_of_all_springs_at_once_with_inertia() {
    // equation 14: a diagonal matrix, and the corrections of equation 13
    for (coordinates, by_mass) in [(IDENTITY, false), (MASS, true)] {
        let mut simulation = cloth(6, SPRINGS, false);
        set(&mut simulation, "coordinates", Setting::Choice(coordinates));
        let state = &simulation.state.cloth;
        let h = simulation.parameters.timing.time_step;
        let stiffness = simulation.parameters.material.stiffness_by_family();
        let springs = simulation.pattern().springs();
        let start = target(&simulation);
        let mut q = start.clone();
        for _ in 0..9 {
            let mut sums: Vec<(Real, Vec3)> =
                state.masses.iter().map(|m| m / (h * h)).zip(&start).map(|(m, y)| (m, *y * m)).collect();
            for (e, ends) in springs.ends.iter().enumerate() {
                let [i, j] = ends.map(|end| end as usize);
                let shares = [i, j].map(|end| if by_mass { 1.0 / state.masses[end] } else { 1.0 });
                let both = shares[0] + shares[1];
                let d = q[i] - q[j];
                let correction = d * ((d.length() - springs.rest_lengths[e]) / d.length() / both);
                let k = stiffness[springs.families[e] as usize];
                for (end, p, share) in
                    [(i, q[i] - correction * shares[0], shares[0]), (j, q[j] + correction * shares[1], shares[1])]
                {
                    let weight = k * both / share;
                    sums[end].0 += weight;
                    sums[end].1 += p * weight;
                }
            }
            q = sums.iter().map(|(weight, sum)| *sum / *weight).collect();
            q[0] = start[0];
        }
        let apart = farthest(&iterate(&simulation, 9), &q);
        assert!(apart < 1e-12, "{apart:e} m");
    }
}

#[test]
fn all_coordinates_have_one_minimum_and_no_iteration_raises_the_energy() {
    let of = |coordinates| {
        let mut simulation = cloth(4, EVERYTHING, false);
        set(&mut simulation, "coordinates", Setting::Choice(coordinates));
        let (_, energies) = reference(&simulation, EVERYTHING, coordinates, 200);
        assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-13)), "{energies:?}");
        iterate(&simulation, 20_000)
    };
    let minimum = of(DIFFERENCES);
    for coordinates in [MEAN, IDENTITY, MASS] {
        let apart = farthest(&of(coordinates), &minimum);
        assert!(apart < 1e-8, "{coordinates}: {apart:e} m");
    }
}

#[test]
fn accelerations_find_the_minimum_in_all_coordinates() {
    every(ALL, |(_, coordinates)| {
        let mut simulation = cloth(6, EVERYTHING, false);
        let minimum = iterate(&simulation, 5000);
        set(&mut simulation, "coordinates", Setting::Choice(coordinates));
        set(&mut simulation, "spectral_radius", Setting::Real(0.999));
        for acceleration in 1..4 {
            set(&mut simulation, "acceleration", Setting::Choice(acceleration));
            let apart = farthest(&iterate(&simulation, 1500), &minimum);
            assert!(apart < 1e-7, "acceleration {acceleration}: {apart:e} m");
        }
    });
}

fn curves(with: With) -> Vec<Curve> {
    let mut simulation = cloth(9, with, false);
    set(&mut simulation, "strain_weight", Setting::Real(1000.0));
    let mut study = Study::in_all_coordinates(&simulation, &["projective-dynamics"]);
    study.measure(1000, &mut |_, _| ControlFlow::Continue(())).expect("every step can be computed")
}

#[test]
fn absolute_positions_converge_badly_and_differences_well() {
    for (name, with) in [("springs", SPRINGS), ("triangles", TRIANGLES)] {
        let curves = curves(with);
        let ids: Vec<String> = curves.iter().map(Curve::id).collect();
        assert_eq!(ids, ["", ":mean", ":identity", ":mass"].map(|key| format!("projective-dynamics{key}")));
        let needs = |curve: &Curve| {
            let energy = |at: &weft::sim::study::convergence::Point| at.energy.expect("it minimises one") < 1e-3;
            curve.points.iter().position(energy).unwrap_or(curve.points.len())
        };
        let needed: Vec<usize> = curves.iter().map(needs).collect();
        println!("{name}: iterations to 1e-3 of the energy {needed:?}");
        assert_eq!(needed[0], needed[1], "{name}: {needed:?}");
        assert!(2 * needed[2] > 5 * needed[0] && 2 * needed[3] > 5 * needed[0], "{name}: {needed:?}");
    }
}

#[test]
fn the_mean_subtracted_differs_from_differences_with_bending_alone() {
    let after = |with, coordinates| {
        let mut simulation = cloth(5, with, false);
        set(&mut simulation, "coordinates", Setting::Choice(coordinates));
        iterate(&simulation, 3)
    };
    for with in [SPRINGS, TRIANGLES] {
        assert_eq!(after(with, DIFFERENCES), after(with, MEAN));
    }
    assert!(farthest(&after(EVERYTHING, DIFFERENCES), &after(EVERYTHING, MEAN)) > 1e-5);
}

#[test]
fn relative_coordinates_keep_momentum_at_once_and_absolute_ones_in_the_limit() {
    let error = |coordinates, iterations| {
        let mut simulation = cloth(5, SPRINGS, true);
        set(&mut simulation, "coordinates", Setting::Choice(coordinates));
        let away = iterate(&simulation, iterations).into_iter().zip(target(&simulation)).map(|(q, y)| q - y);
        let masses = &simulation.state.cloth.masses;
        let sum: Vec3 = away.zip(masses).map(|(away, m)| away * *m).sum();
        sum.length() / masses.iter().sum::<Real>() / simulation.parameters.timing.time_step
    };
    for coordinates in [DIFFERENCES, MEAN] {
        assert!(error(coordinates, 2) < 1e-13, "{:e} m/s", error(coordinates, 2));
    }
    for coordinates in [IDENTITY, MASS] {
        let [few, many] = [2, 20_000].map(|iterations| error(coordinates, iterations));
        println!("{few:e} and {many:e} m/s");
        assert!(few > 1e-4 && many < 1e-3 * few, "{few:e} and {many:e} m/s");
    }
}
