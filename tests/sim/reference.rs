//! Agreement with an independent double-precision implementation.

use serde::Deserialize;
use std::collections::BTreeMap;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::{Family, Plane};
use weft::sim::{Pattern, Simulation, Vec3, solvers};

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    cols: usize,
    rows: usize,
    width: f64,
    height: f64,
    mass: f64,
    k_struct: f64,
    k_shear: f64,
    k_bend: f64,
    c: f64,
    h: f64,
    pins: Vec<u32>,
    initial_position: Vec<Vec3>,
    initial_velocity: Vec<Vec3>,
    spring_pairs: Vec<[u32; 2]>,
    rest_length: Vec<f64>,
    stiffness: Vec<f64>,
    methods: BTreeMap<String, BTreeMap<u32, State>>,
}

#[derive(Deserialize)]
struct State {
    position: Vec<Vec3>,
    velocity: Vec<Vec3>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../data/integrators.json");
    serde_json::from_str::<Reference>(text).expect("the reference data is valid").cases
}

impl Case {
    fn pattern(&self) -> Pattern {
        Pattern::grid(self.cols, self.rows, self.width, self.height, Plane::Xz)
    }

    fn simulation(&self, solver: &str, settings: &[(&str, &str)]) -> Simulation {
        let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: self.mass, ..Mass::default() };
        let mut solver = solvers::build(solver).expect("a registered solver");
        for (key, value) in settings {
            solver.settings_mut().set_text(key, value).expect("a setting of this solver");
        }
        let mut simulation = Simulation::new(self.pattern(), mass, solver);
        simulation.parameters.material.structural_stiffness = self.k_struct;
        simulation.parameters.material.shear_stiffness = self.k_shear;
        simulation.parameters.material.bend_stiffness = self.k_bend;
        simulation.parameters.material.damping = self.c;
        simulation.parameters.timing.time_step = self.h;
        simulation.parameters.gravity.gravity = 9.8;
        simulation.parameters.contact.ground = false;
        simulation.state.cloth.positions.clone_from(&self.initial_position);
        for &pin in &self.pins {
            simulation.state.cloth.pin_here(pin);
        }
        simulation.state.cloth.velocities.clone_from(&self.initial_velocity);
        simulation
    }
}

fn largest_difference(a: &[Vec3], b: &[Vec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f64::max)
}

/// Steps along with the reference and compares wherever it has a state.
fn agrees(method: &str, solver: &str, settings: &[(&str, &str)]) {
    let mut compared = 0;
    for case in cases() {
        let Some(states) = case.methods.get(method) else { continue };
        let mut simulation = case.simulation(solver, settings);
        for step in 1..=40 {
            simulation.step().expect("the reference does not diverge");
            let Some(state) = states.get(&step) else { continue };
            let tolerance = if step <= 2 { 1e-9 } else { 1e-6 };
            let position = largest_difference(&simulation.state.cloth.positions, &state.position);
            let velocity = largest_difference(&simulation.state.cloth.velocities, &state.velocity);
            assert!(position <= tolerance, "{method}, {}, step {step}: positions differ by {position:e} m", case.name);
            assert!(
                velocity <= tolerance,
                "{method}, {}, step {step}: velocities differ by {velocity:e} m/s",
                case.name
            );
            compared += 1;
        }
    }
    let expected = if method == "explicit_euler" { 4 } else { 8 };
    assert_eq!(compared, expected, "{method}: every state of the reference");
}

#[test]
fn the_springs_of_a_grid_are_those_of_the_reference_in_its_order() {
    for case in cases() {
        let pattern = case.pattern();
        let springs = pattern.springs();
        // the reference leaves out a family of zero stiffness
        let stiffness = |family| match family {
            Family::Structural => case.k_struct,
            Family::Shear => case.k_shear,
            Family::Bend => case.k_bend,
        };
        let active: Vec<usize> = (0..springs.len()).filter(|&e| stiffness(springs.families[e]) > 0.0).collect();
        assert_eq!(active.len(), case.spring_pairs.len());
        for (at, e) in active.into_iter().enumerate() {
            assert_eq!(springs.ends[e], case.spring_pairs[at]);
            assert!((springs.rest_lengths[e] - case.rest_length[at]).abs() < 1e-15);
            assert_eq!(stiffness(springs.families[e]), case.stiffness[at]);
        }
    }
}

macro_rules! agreement {
    ($($name:ident: $method:literal, $solver:literal, $settings:expr;)+) => {
        $(
            #[test]
            fn $name() {
                agrees($method, $solver, &$settings);
            }
        )+
    };
}

agreement! {
    explicit_euler: "explicit_euler", "explicit-euler", [];
    symplectic_euler: "symplectic_euler", "symplectic-euler", [];
    implicit_euler: "implicit_euler_clamped", "implicit-euler", [("linear_solver", "direct")];
    implicit_euler_by_gradients: "implicit_euler_clamped", "implicit-euler", [("residual_tolerance", "1e-12")];
    implicit_euler_raw: "implicit_euler_raw", "implicit-euler", [("blocks", "raw")];
    jacobi_without_sweeps: "jacobi_0", "jacobi-implicit", [("sweeps", "0")];
    jacobi_with_one_sweep: "jacobi_1", "jacobi-implicit", [("sweeps", "1")];
    jacobi_with_five_sweeps: "jacobi_5", "jacobi-implicit", [("sweeps", "5")];
    jacobi_raw: "jacobi_1_raw", "jacobi-implicit", [("sweeps", "1"), ("blocks", "raw")];
    stable_mass_spring: "kang_cho", "stable-mass-spring", [];
    precomputed_filter: "precomputed_filter", "precomputed-filter", [];
    harmonic_oscillator: "harmonic_full", "harmonic-oscillator", [("share", "1.0")];
    harmonic_oscillator_by_half: "harmonic_half", "harmonic-oscillator", [("share", "0.5")];
    hybrid: "hybrid_full", "hybrid", [("share", "1.0")];
    hybrid_by_half: "hybrid_half", "hybrid", [("share", "0.5")];
    hybrid_by_half_raw: "hybrid_half_raw", "hybrid", [("share", "0.5"), ("blocks", "raw")];
    fast_mass_spring_with_one_iteration: "projective_1", "fast-mass-spring", [("iterations", "1")];
    fast_mass_spring_with_ten_iterations: "projective_10", "fast-mass-spring", [("iterations", "10")];
    implicit_newton: "newton", "implicit-newton", [];
}

#[test]
fn every_method_of_the_reference_is_compared() {
    let methods: std::collections::BTreeSet<String> =
        cases().into_iter().flat_map(|case| case.methods.into_keys()).collect();
    let source = include_str!("reference.rs");
    for method in &methods {
        assert!(source.contains(&format!("\"{method}\", \"")), "{method} has no test");
    }
    assert_eq!(methods.len(), 18);
}

#[test]
fn newton_needs_at_most_six_iterations_per_step_on_the_reference_cases() {
    for case in cases() {
        let mut simulation = case.simulation("implicit-newton", &[]);
        for step in 1..=40 {
            let stats = simulation.step().expect("stable");
            assert!(stats.iterations <= 6, "{}, step {step}: {} iterations", case.name, stats.iterations);
            assert!(stats.residual <= 1e-9, "{}, step {step}: {:e} N left", case.name, stats.residual);
        }
    }
}
