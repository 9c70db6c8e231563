//! Agreement with an independent double-precision implementation.

use serde::Deserialize;
use std::collections::BTreeMap;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::step::timing::Scheme;
use weft::sim::{Path, Pattern, Pin, Simulation, Vec3, solvers};

use super::choose;
use crate::fixtures::{every, set};

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
pub struct Case {
    name: String,
    cols: usize,
    rows: usize,
    width: f64,
    height: f64,
    mass: f64,
    k_struct: f64,
    k_shear: f64,
    k_bend: f64,
    pub c: f64,
    pins: Vec<u32>,
    step: Steps,
    #[serde(default)]
    pin_position: Vec<Vec<Vec3>>,
    initial_position: Vec<Vec3>,
    initial_velocity: Vec<Vec3>,
    methods: BTreeMap<String, BTreeMap<usize, State>>,
}

/// One length for all steps, or one each [s].
#[derive(Deserialize)]
#[serde(untagged)]
enum Steps {
    Same(f64),
    Each(Vec<f64>),
}

#[derive(Deserialize)]
struct State {
    position: Vec<Vec3>,
    velocity: Vec<Vec3>,
}

pub fn cases() -> Vec<Case> {
    let text = include_str!("../../data/second_order.json");
    serde_json::from_str::<Reference>(text).expect("the reference data is valid").cases
}

impl Case {
    fn step(&self, number: usize) -> f64 {
        match &self.step {
            Steps::Same(step) => *step,
            Steps::Each(steps) => steps[number],
        }
    }

    pub fn simulation(&self, solver: &str) -> Simulation {
        let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: self.mass, ..Mass::default() };
        let pattern = Pattern::grid(self.cols, self.rows, self.width, self.height, Plane::Xz);
        let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("a registered solver"));
        let material = &mut simulation.parameters.material;
        (material.structural_stiffness, material.shear_stiffness) = (self.k_struct, self.k_shear);
        (material.bend_stiffness, material.damping) = (self.k_bend, self.c);
        simulation.parameters.timing.time_step = self.step(0);
        simulation.parameters.gravity.gravity = 9.8;
        simulation.parameters.contact.ground = false;
        simulation.state.cloth.positions.clone_from(&self.initial_position);
        for (k, &vertex) in self.pins.iter().enumerate() {
            let origin = self.initial_position[vertex as usize];
            let mut time = 0.0;
            let mut points = vec![(0.0, Vec3::ZERO)];
            for (step, places) in self.pin_position.iter().enumerate() {
                time += self.step(step);
                points.push((time, places[k] - origin));
            }
            let path = Path::Waypoints { points, repeat: false };
            let motion = (!self.pin_position.is_empty()).then(|| path.into());
            simulation.state.cloth.pin(Pin { vertex, origin, motion });
        }
        simulation.state.cloth.velocities.clone_from(&self.initial_velocity);
        simulation
    }

    /// Largest difference to the reference after the given steps, of positions [m] and of the velocities of vertices that are not pinned [m/s].
    fn difference(&self, state: &State, simulation: &Simulation) -> (f64, f64) {
        let apart = |a: &[Vec3], b: &[Vec3], pinned: bool| {
            let vertices = (0..a.len()).filter(|i| pinned || !self.pins.contains(&(*i as u32)));
            vertices.map(|i| (a[i] - b[i]).abs().max_element()).fold(0.0, f64::max)
        };
        let cloth = &simulation.state.cloth;
        (apart(&cloth.positions, &state.position, true), apart(&cloth.velocities, &state.velocity, false))
    }
}

#[test]
fn every_state_of_the_reference_is_met() {
    let mut compared = 0;
    let methods = [
        ("projective_bdf2_10", "fast-mass-spring", Scheme::Bdf2),
        ("projective_midpoint_10", "fast-mass-spring", Scheme::Theta),
        ("projective_bdf2_10", "projective-dynamics", Scheme::Bdf2),
        ("projective_midpoint_10", "projective-dynamics", Scheme::Theta),
        ("newton_bdf2", "implicit-newton", Scheme::Bdf2),
        ("newton_midpoint", "implicit-newton", Scheme::Theta),
    ];
    for case in cases() {
        assert_eq!(case.methods.len(), 4, "{}", case.name);
        every(methods.map(|method| method.0), |method| {
            for (_, solver, scheme) in methods.iter().filter(|known| known.0 == method) {
                let mut simulation = case.simulation(solver);
                choose(&mut simulation, *scheme, 0.5);
                if !simulation.solver().capabilities().converges {
                    set(&mut simulation, "iterations", weft::sim::params::Setting::Integer(10));
                }
                for step in 1..=40 {
                    simulation.parameters.timing.time_step = case.step(step - 1);
                    simulation.step().expect("the reference does not diverge");
                    let Some(state) = case.methods[method].get(&step) else { continue };
                    let (x, v) = case.difference(state, &simulation);
                    let tolerance = if step <= 2 { 1e-9 } else { 1e-6 };
                    assert!(x <= tolerance, "{}, step {step}: positions differ by {x:e} m", case.name);
                    assert!(v <= 10.0 * tolerance, "{}, step {step}: velocities differ by {v:e} m/s", case.name);
                    compared += 1;
                }
            }
        });
    }
    // 3 cloths, 4 states, each of the 6 pairs twice where its method is listed twice
    assert_eq!(compared, 3 * 4 * (4 * 2 + 2));
}
