//! Energies, stretch, critical step, the load on a pin.

use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::square;

#[test]
fn energies_are_those_of_the_formulas() {
    let mut simulation = square("symplectic-euler", 2, 2);
    // 0.1 kg each; a unit square at height 1 m, stretched to twice its width
    simulation.cloth.positions.iter_mut().for_each(|x| x.x *= 2.0);
    simulation.cloth.velocities[0] = Vec3::new(3.0, 4.0, 0.0);
    simulation.parameters.material.shear_stiffness = 0.0;
    let energy = simulation.energy();
    assert!((energy.kinetic - 0.5 * 0.1 * 25.0).abs() < 1e-12);
    assert!((energy.potential - 4.0 * 0.1 * 9.8 * 1.0).abs() < 1e-12);
    assert!((energy.elastic.expect("of springs") - 2.0 * 0.5 * 100.0 * 1.0).abs() < 1e-12);
    let sum = energy.kinetic + energy.potential + energy.elastic.expect("of springs");
    assert!((energy.total().expect("all are known") - sum).abs() < 1e-12);
    assert!((simulation.largest_stretch() - 1.0).abs() < 1e-12);
}

#[test]
fn the_pins_of_a_cloth_at_rest_carry_its_weight() {
    let mut simulation = square("implicit-euler", 9, 9);
    simulation.parameters.timing.time_step = 0.05;
    simulation.parameters.material.structural_stiffness = 500.0;
    simulation.parameters.material.damping = 1.0;
    let pins = [0, 8];
    pins.iter().for_each(|&vertex| simulation.cloth.pin_here(vertex));
    for _ in 0..1500 {
        simulation.step().expect("stable");
    }
    let held: Vec3 = pins.iter().map(|&vertex| simulation.reaction(vertex).expect("of springs")).sum();
    let weight = 81.0 * 0.1 * 9.8;
    assert!((held - Vec3::Y * weight).length() < 1e-3 * weight, "{held} against {weight} N");
}

#[test]
fn the_critical_step_is_that_of_linear_theory() {
    // the 5×5 grid of Kang's table 1, where 5747 N/m goes with 10 ms
    let pattern = Pattern::grid(5, 5, 1.0, 1.0, Plane::Xz);
    let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 1.0, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build("symplectic-euler").expect("registered"));
    simulation.parameters.material.structural_stiffness = 5747.0;
    simulation.parameters.material.shear_stiffness = 5747.0;
    simulation.parameters.material.bend_stiffness = 0.0;
    simulation.parameters.material.damping = 0.0;
    simulation.cloth.pin_here(0);
    simulation.cloth.pin_here(4);
    let critical = simulation.critical_step();
    assert!((critical - 0.01).abs() < 2e-4, "{critical}");
    // it goes with the root of mass over stiffness, and damping shortens it
    simulation.parameters.material.structural_stiffness *= 4.0;
    simulation.parameters.material.shear_stiffness *= 4.0;
    assert!((simulation.critical_step() - 0.5 * critical).abs() < 1e-6);
    simulation.parameters.material.damping = 10.0;
    assert!(simulation.critical_step() < 0.49 * critical);
}

#[test]
fn a_cloth_without_springs_has_no_critical_step() {
    let mut simulation = square("symplectic-euler", 3, 3);
    simulation.parameters.material.structural_stiffness = 0.0;
    simulation.parameters.material.shear_stiffness = 0.0;
    simulation.parameters.material.bend_stiffness = 0.0;
    assert_eq!(simulation.critical_step(), f64::INFINITY);
}
