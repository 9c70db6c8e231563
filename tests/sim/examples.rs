//! Example-based constraints: beside the reference data, and what they promise of themselves.

use std::collections::BTreeMap;

use glam::{DQuat, EulerRot};
use serde::Deserialize;
use weft::sim::constraints::{
    BodyExamples, ClothExamples, Constraint, Elements, MOST_EXAMPLES, TetrahedralStrain, best_weights,
};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::exec::simd::F64x4;
use weft::sim::model::material::Mass;
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::bodies::block;
use crate::fixtures::farthest;
use crate::projective::{ON, with_settings};

#[derive(Deserialize)]
struct Reference {
    examples: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    rest: Vec<Vec3>,
    tets: Vec<[u32; 4]>,
    pins: Vec<u32>,
    examples: Vec<Vec<Vec3>>,
    rho: f64,
    density: f64,
    h: f64,
    iters: u32,
    initial_velocity: Vec<Vec3>,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    weights: String,
    w_example: f64,
    w_strain: f64,
    alternations: u32,
    energy: Vec<f64>,
    position: BTreeMap<u32, Vec<Vec3>>,
    example_weights: BTreeMap<u32, Weights>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Weights {
    Local(Vec<[f64; 2]>),
    Global([f64; 2]),
}

impl Run {
    fn constraint(&self) -> BodyExamples {
        BodyExamples { weight: self.w_example, global: self.weights == "global", alternations: self.alternations }
    }
}

fn case() -> Case {
    let text = include_str!("../data/volumes.json");
    let mut cases = serde_json::from_str::<Reference>(text).expect("the reference data is valid").examples;
    assert_eq!((cases.len(), cases[0].rho), (1, 1e-8));
    cases.remove(0)
}

fn simulation(case: &Case, run: &Run, examples: Vec<Vec<Vec3>>) -> Simulation {
    let pattern = Pattern::body(case.rest.clone(), case.tets.clone()).with_examples(examples);
    let mass = Mass { volume_density: case.density, ..Mass::default() };
    let solver = solvers::build("projective-dynamics").expect("registered");
    let mut simulation = Simulation::new(pattern, mass, solver);
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = case.h;
    with_settings(
        &mut simulation,
        &[
            ("iterations", Setting::Integer(case.iters)),
            ("body_examples", ON),
            ("body_examples_weight", Setting::Real(run.w_example)),
            ("body_examples_global", Setting::Toggle(run.weights == "global")),
            ("example_alternations", Setting::Integer(run.alternations)),
            ("tetrahedral_strain", Setting::Toggle(run.w_strain > 0.0)),
            ("tetrahedral_weight", Setting::Real(run.w_strain)),
        ],
    );
    simulation.state.cloth.velocities.clone_from(&case.initial_velocity);
    case.pins.iter().for_each(|&pin| simulation.state.cloth.pin_here(pin));
    simulation
}

fn lanes(q: &[Vec3]) -> Vec<F64x4> {
    q.iter().map(|x| F64x4::from_vec3(*x)).collect()
}

/// A constraint with what its elements leave from one iteration to the next.
struct Followed<'a> {
    constraint: &'a dyn Constraint,
    elements: Elements,
    states: Vec<f64>,
    projected: Vec<F64x4>,
}

impl<'a> Followed<'a> {
    fn new(constraint: &'a dyn Constraint, pattern: &Pattern) -> Self {
        let elements = constraint.elements(pattern);
        let states = elements.fresh_states();
        Self { constraint, elements, states, projected: Vec::new() }
    }

    fn values(&self, q: &[Vec3]) -> Vec<F64x4> {
        let mut values = vec![F64x4::ZERO; self.elements.rows() * self.elements.len()];
        self.elements.evaluate(0..self.elements.len(), &lanes(q), &mut values);
        values
    }

    fn project(&mut self, q: &[Vec3]) {
        let mut values = self.values(q);
        if self.constraint.is_coupled() {
            self.constraint.project_together(&self.elements, &mut values, &mut self.states, &ThreadPool::alone());
        } else {
            self.constraint.project(&mut self.elements.chunk(0..self.elements.len(), &mut values, &mut self.states));
        }
        self.projected = values;
    }

    /// Energy at `q` with the projections as they are [J].
    fn energy(&mut self, q: &[Vec3]) -> f64 {
        let values = self.values(q);
        let mut energies = vec![0.0; self.elements.len()];
        let chunk = self.elements.chunk(0..self.elements.len(), &mut self.projected, &mut self.states);
        self.constraint.energies(&values, &chunk, &mut energies);
        let element = |(at, energy): (usize, f64)| energy * self.constraint.weight() * self.elements.measure(at);
        energies.into_iter().enumerate().map(element).sum()
    }

    fn weights(&self, element: usize, count: usize) -> Vec<f64> {
        let size = self.elements.states();
        self.states[element * size..][..count].to_vec()
    }
}

#[test]
fn bodies_with_examples_move_as_the_reference_does() {
    let case = case();
    for run in &case.runs {
        let mut simulation = simulation(&case, run, case.examples.clone());
        let mut compared = 0;
        for step in 1..=20 {
            // the weights at the end of the step, by going along with its iterations
            let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
            let constraint = run.constraint();
            let mut followed = Followed::new(&constraint, simulation.pattern());
            let mut solver = simulation.solver_like("projective-dynamics").expect("registered");
            let method = solver.minimiser().expect("it minimises");
            let mut q = Vec::new();
            frozen.input(&pool).predict(&frozen.state.cloth, &mut q);
            let rows = run.position.contains_key(&step);
            for _ in 0..if rows { case.iters } else { 0 } {
                followed.project(&q);
                method.iterate(&frozen.state.cloth, &frozen.input(&pool), &mut q).expect("a factor");
            }
            simulation.step().expect("bounded");
            let Some(expected) = run.position.get(&step) else { continue };
            let pairs = simulation.state.cloth.positions.iter().zip(expected);
            let apart = pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(apart <= 1e-9, "{} {} {}, step {step}: {apart:e} m", run.weights, run.w_strain, run.alternations);
            let ends = farthest(&q, &simulation.state.cloth.positions);
            assert!(ends <= 1e-13, "iterations one by one are those of the step: {ends:e} m");
            for element in 0..case.tets.len() {
                let expected = match &run.example_weights[&step] {
                    Weights::Local(all) => all[element],
                    Weights::Global(all) => *all,
                };
                let found = followed.weights(element, 2);
                let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(apart <= 1e-6, "{}, step {step}, element {element}: {found:?}, not {expected:?}", run.weights);
            }
            compared += 1;
        }
        assert_eq!(compared, 3);
    }
}

#[test]
fn energies_with_examples_are_those_of_the_reference_and_never_rise() {
    let case = case();
    for run in &case.runs {
        let simulation = simulation(&case, run, case.examples.clone());
        let constraint = run.constraint();
        let strain = TetrahedralStrain { weight: run.w_strain, range: [1.0, 1.0] };
        let pattern = simulation.pattern();
        let mut all = vec![Followed::new(&constraint, pattern)];
        if run.w_strain > 0.0 {
            all.push(Followed::new(&strain, pattern));
        }
        let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
        let input = frozen.input(&pool);
        let mut solver = simulation.solver_like("projective-dynamics").expect("registered");
        let method = solver.minimiser().expect("it minimises");
        let mut q = Vec::new();
        input.predict(&frozen.state.cloth, &mut q);
        let y = q.clone();
        let inertia = |q: &[Vec3]| -> f64 {
            let free = (0..q.len() as u32).filter(|vertex| !case.pins.contains(vertex)).map(|vertex| vertex as usize);
            free.map(|i| frozen.state.cloth.masses[i] * q[i].distance_squared(y[i])).sum::<f64>()
                / (2.0 * case.h * case.h)
        };
        let mut found = Vec::new();
        for _ in 0..case.iters {
            all.iter_mut().for_each(|followed| followed.project(&q));
            found.push(inertia(&q) + all.iter_mut().map(|followed| followed.energy(&q)).sum::<f64>());
            method.iterate(&frozen.state.cloth, &input, &mut q).expect("a factor");
            found.push(inertia(&q) + all.iter_mut().map(|followed| followed.energy(&q)).sum::<f64>());
        }
        assert_eq!(found.len(), run.energy.len());
        for (half, (energy, expected)) in found.iter().zip(&run.energy).enumerate() {
            let apart = (energy - expected).abs() / expected;
            assert!(apart <= 1e-9, "{}, half {half}: {energy:e} J, not {expected:e} J", run.weights);
        }
        assert!(found.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{}: {found:?}", run.weights);
    }
}

fn turned(shape: &[Vec3], seed: f64) -> Vec<Vec3> {
    let turn = DQuat::from_euler(EulerRot::ZXZ, seed, 1.0 - seed, 2.0 * seed);
    shape.iter().map(|x| turn * *x + Vec3::new(seed, 3.0, -seed)).collect()
}

#[test]
fn turning_and_moving_the_examples_changes_nothing() {
    let case = case();
    for run in &case.runs {
        let shapes: Vec<Vec<Vec3>> =
            case.examples.iter().zip(1..).map(|(x, n)| turned(x, 0.7 * f64::from(n))).collect();
        let mut runs = [case.examples.clone(), shapes].map(|examples| simulation(&case, run, examples));
        for _ in 0..10 {
            runs.iter_mut().for_each(|run| assert!(run.step().is_ok()));
        }
        let [a, b] = &runs;
        let apart = a
            .state
            .cloth
            .positions
            .iter()
            .zip(&b.state.cloth.positions)
            .map(|(a, b)| a.distance(*b))
            .fold(0.0, f64::max);
        assert!(apart <= 1e-7, "{}: {apart:e} m", run.weights);
    }
}

/// A bar bent and a bar twisted, and a cloth waved and stretched, each a pattern with its two examples.
pub fn with_examples() -> [(&'static str, Pattern); 2] {
    let bar = block([6, 2, 2], 0.1);
    let bent = |x: &Vec3| {
        let (sin, cos) = (1.5 * x.x).sin_cos();
        Vec3::new(sin * (1.0 / 1.5 - x.y), 1.0 / 1.5 - cos * (1.0 / 1.5 - x.y), x.z)
    };
    let twisted = |x: &Vec3| {
        let (sin, cos) = (3.0 * x.x).sin_cos();
        Vec3::new(x.x, cos * x.y - sin * x.z, sin * x.y + cos * x.z)
    };
    let of = |pattern: &Pattern, shape: &dyn Fn(&Vec3) -> Vec3| {
        pattern.rest_positions().iter().map(shape).collect::<Vec<_>>()
    };
    let examples = vec![of(&bar, &bent), of(&bar, &twisted)];
    let grid = Pattern::grid(9, 8, 1.0, 0.8, Plane::Xz);
    let waved = |x: &Vec3| Vec3::new(x.x, 0.1 * (12.0 * x.x).sin(), x.z);
    let sheared = |x: &Vec3| Vec3::new(1.1 * x.x + 0.3 * x.z, 0.0, 0.9 * x.z);
    let of_cloth = vec![of(&grid, &waved), of(&grid, &sheared)];
    [("bar", bar.with_examples(examples)), ("cloth", grid.with_examples(of_cloth))]
}

fn constraints(name: &str, global: bool) -> Box<dyn Constraint> {
    match name {
        "bar" => Box::new(BodyExamples { weight: 1e4, global, alternations: 1 }),
        _ => Box::new(ClothExamples { weight: 100.0, global, alternations: 1 }),
    }
}

#[test]
fn at_an_example_its_weight_is_one_and_at_rest_all_are_zero() {
    for (name, pattern) in with_examples() {
        for global in [false, true] {
            let constraint = constraints(name, global);
            for (number, example) in pattern.examples().iter().enumerate() {
                for seed in [0.0, 2.0] {
                    let q = turned(example, seed);
                    let mut followed = Followed::new(constraint.as_ref(), &pattern);
                    (0..200).for_each(|_| followed.project(&q));
                    let mut sum = 0.0;
                    for element in 0..followed.elements.len() {
                        let weights = followed.weights(element, 2);
                        // an element in which both examples are alike can have either; the bar has some
                        sum += weights[number];
                        let apart = |at: usize| {
                            let row = element * followed.elements.rows() + at;
                            followed.projected[row].to_vec3().distance(followed.values(&q)[row].to_vec3())
                        };
                        let apart = (0..followed.elements.rows()).map(apart).fold(0.0, f64::max);
                        assert!(apart <= 1e-5, "{name}, global {global}, example {number}: {apart:e}");
                    }
                    let mean = sum / followed.elements.len() as f64;
                    let off = if global { 1e-3 } else { 0.1 };
                    assert!((mean - 1.0).abs() <= off, "{name}, global {global}, example {number}: {mean}");
                }
            }
            let mut followed = Followed::new(constraint.as_ref(), &pattern);
            let q = turned(pattern.rest_positions(), 1.0);
            (0..3).for_each(|_| followed.project(&q));
            let largest = (0..followed.elements.len()).flat_map(|at| followed.weights(at, 2)).fold(0.0, f64::max);
            assert!(largest <= 1e-5 && followed.energy(&q) <= 1e-18, "{name}: {largest:e}");
        }
    }
}

#[test]
fn alternation_never_raises_the_energy_and_ends_at_the_minimum_over_rotation_and_weights() {
    for (name, pattern) in with_examples() {
        for global in [false, true] {
            let constraint = constraints(name, global);
            let shapes = pattern.examples();
            let mixed: Vec<Vec3> = (0..pattern.len())
                .map(|i| {
                    let wiggle = Vec3::new((1.3 * i as f64).sin(), (2.1 * i as f64).cos(), (0.7 * i as f64).sin());
                    pattern.rest_positions()[i] * 0.4 + shapes[0][i] * 0.3 + shapes[1][i] * 0.3 + wiggle * 0.01
                })
                .collect();
            let mut followed = Followed::new(constraint.as_ref(), &pattern);
            let mut last = f64::INFINITY;
            for at in 0..300 {
                followed.project(&mixed);
                let now = followed.energy(&mixed);
                assert!(now <= last * (1.0 + 1e-13), "{name}, global {global}, {at}: {now:e} J after {last:e} J");
                last = now;
            }
            // any other admissible weights, with the best rotation for them, cost no less
            let elements = followed.elements.len();
            let common: Vec<Vec<f64>> = (0..elements).map(|element| followed.weights(element, 2)).collect();
            assert!(common.iter().all(|w| w.iter().all(|w| *w >= 0.0) && w.iter().sum::<f64>() <= 1.0 + 1e-12));
            let size = followed.elements.states();
            for (a, b) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3), (1e-3, -1e-3), (-1e-3, 1e-3)] {
                let mut other = Followed::new(constraint.as_ref(), &pattern);
                for (element, weights) in common.iter().enumerate() {
                    let mut moved = [(weights[0] + a).max(0.0), (weights[1] + b).max(0.0)];
                    let sum = moved[0] + moved[1];
                    if sum > 1.0 {
                        moved = moved.map(|weight| weight / sum);
                    }
                    other.states[element * size..][..2].copy_from_slice(&moved);
                }
                // projected from there the energy ends no lower
                (0..300).for_each(|_| other.project(&mixed));
                let there = other.energy(&mixed);
                assert!(there >= last * (1.0 - 1e-9), "{name}, global {global}: {there:e} J below {last:e} J");
            }
        }
    }
}

#[test]
fn the_weights_are_the_best_of_all_admissible_ones() {
    let mut state = 5_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for round in 0..300 {
        let count = 1 + round % MOST_EXAMPLES;
        let rows: Vec<Vec<f64>> =
            (0..count).map(|_| (0..if round % 7 == 0 { 1 } else { 6 }).map(|_| number()).collect()).collect();
        let mut k = [[0.0; MOST_EXAMPLES]; MOST_EXAMPLES];
        let mut b = [0.0; MOST_EXAMPLES];
        for i in 0..count {
            for j in 0..count {
                k[i][j] = rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum();
            }
            b[i] = number();
        }
        let value = |w: &[f64; MOST_EXAMPLES]| {
            (0..count)
                .map(|i| 0.5 * w[i] * ((0..count).map(|j| k[i][j] * w[j]).sum::<f64>() + 1e-8 * w[i]) - b[i] * w[i])
                .sum::<f64>()
        };
        let best = best_weights(&k, &b, count);
        assert!(best.iter().all(|weight| *weight >= 0.0) && best.iter().sum::<f64>() <= 1.0 + 1e-11);
        for _ in 0..300 {
            let mut other = [0.0; MOST_EXAMPLES];
            let mut left = 1.0;
            for weight in other.iter_mut().take(count) {
                *weight = left * (0.5 * number() + 0.5) * if number() < -0.5 { 0.0 } else { 1.0 };
                left -= *weight;
            }
            assert!(value(&best) <= value(&other) + 1e-12, "{round}: {best:?}, {other:?}");
        }
    }
}

#[test]
fn a_body_without_examples_of_its_own_is_left_alone_by_those_of_others() {
    let [(_, bar), (_, cloth)] = with_examples();
    let plain = block([2, 1, 1], 0.2);
    let all = Pattern::join([&plain, &bar, &cloth]);
    assert_eq!(all.examples().len(), 2);
    let (body, sheet) = (constraints("bar", false), constraints("cloth", true));
    assert_eq!(body.elements(&all).len(), bar.tetrahedra().len());
    assert_eq!(sheet.elements(&all).len(), cloth.triangles().len());
    assert_eq!(all.examples()[0][..plain.len()], *plain.rest_positions());
    assert_ne!(bar.revision(), block([6, 2, 2], 0.1).revision());
}

#[test]
fn examples_are_met_by_plain_iterations_and_the_settings_say_so() {
    let case = case();
    let run = &case.runs[0];
    let after = |settings: &[(&str, Setting)]| {
        let mut simulation = simulation(&case, run, case.examples.clone());
        let all: Vec<(&str, Setting)> = settings.iter().copied().chain([("springs", Setting::Toggle(false))]).collect();
        with_settings(&mut simulation, &all);
        for _ in 0..10 {
            simulation.step().expect("stable");
        }
        simulation
    };
    let plain = after(&[]);
    for settings in [[("acceleration", Setting::Choice(2))], [("stop_by_error", ON)]] {
        let mut other = after(&settings);
        assert_eq!(plain.state.cloth.positions, other.state.cloth.positions, "{settings:?}");
        let group = other.solver_mut().settings_mut();
        let index = group.index_of(settings[0].0).expect("a setting");
        assert!(group.idle(index).is_some(), "{settings:?}");
        let minimiser = other.solver_mut().minimiser().expect("it minimises");
        assert!(minimiser.accelerations().is_empty() && minimiser.acceleration().is_none());
    }
}

#[test]
fn a_solver_tells_the_mean_weights_of_each_piece() {
    let case = case();
    for run in &case.runs {
        let mut simulation = simulation(&case, run, case.examples.clone());
        assert!(simulation.solver().example_weights().is_empty(), "no step has been taken");
        for (steps, weights) in &run.example_weights {
            while simulation.steps() < u64::from(*steps) {
                simulation.step().expect("stable");
            }
            let told = simulation.solver().example_weights();
            let expected: Vec<f64> = match weights {
                Weights::Global(weights) => weights.to_vec(),
                Weights::Local(all) => {
                    let volume = |t: &[u32; 4]| {
                        let [a, b, c, d] = t.map(|vertex| case.rest[vertex as usize]);
                        (b - a).cross(c - a).dot(d - a)
                    };
                    let whole: f64 = case.tets.iter().map(volume).sum();
                    let mean = |k: usize| case.tets.iter().zip(all).map(|(t, w)| volume(t) * w[k]).sum::<f64>() / whole;
                    vec![mean(0), mean(1)]
                }
            };
            assert_eq!((told.len(), told[0].piece), (1, 0));
            let off = told[0].mean.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-6, "{steps} steps: {:?}, expected {expected:?}", told[0].mean);
        }
        with_settings(&mut simulation, &[("body_examples", Setting::Toggle(false))]);
        simulation.step().expect("stable");
        assert!(simulation.solver().example_weights().is_empty());
    }
}
