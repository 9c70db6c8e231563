//! The adaptive step.

use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, solvers};

use crate::fixtures::{advance, every, farthest, rippled, solver_ids};

/// The cloth of Kang's table 1 with springs of `stiffness` [N/m].
fn table_1(solver: &str, stiffness: f64) -> Simulation {
    let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 1.0, ..Mass::default() };
    let pattern = Pattern::grid(5, 5, 1.0, 1.0, Plane::Xz);
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.material.structural_stiffness = stiffness;
    simulation.parameters.material.shear_stiffness = stiffness;
    simulation.parameters.material.bend_stiffness = 0.0;
    simulation.parameters.material.damping = 0.1;
    simulation.parameters.timing.time_step = 0.01;
    simulation.parameters.contact.ground = false;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(4);
    simulation
}

#[test]
fn it_survives_ten_times_the_stiffness_at_which_the_fixed_step_explodes() {
    let stiff = 10.0 * 5_795.0;
    let mut fixed = table_1("symplectic-euler", stiff);
    assert!((0..400).any(|_| fixed.step().is_err()), "the fixed step explodes");

    let mut adaptive = table_1("symplectic-euler", stiff);
    adaptive.parameters.timing.adaptive = true;
    adaptive.parameters.timing.tolerance = 1e-4;
    let (mut substeps, mut rejected) = (0, 0);
    for _ in 0..400 {
        let stats = adaptive.step().expect("it finds a step that holds");
        substeps += stats.substeps;
        rejected += stats.rejected;
    }
    assert!((adaptive.time() - 4.0).abs() < 1e-9, "every time step ends on time: {}", adaptive.time());
    assert!(substeps > 800 && rejected > 0, "{substeps} substeps, {rejected} rejected");
    assert!(adaptive.largest_stretch() < 0.05, "{}", adaptive.largest_stretch());
}

#[test]
fn a_smaller_tolerance_is_truer_and_costs_more() {
    let run = |tolerance: f64| {
        let mut simulation = rippled("symplectic-euler", 6, 6);
        simulation.state.cloth.pin_here(0);
        simulation.parameters.timing.time_step = 0.01;
        simulation.parameters.timing.adaptive = true;
        simulation.parameters.timing.tolerance = tolerance;
        let mut substeps = 0;
        for _ in 0..20 {
            substeps += simulation.step().expect("stable").substeps;
        }
        (simulation.state.cloth.positions, substeps)
    };
    let (exact, _) = run(1e-8);
    let error = |tolerance: f64| {
        let (positions, substeps) = run(tolerance);
        (farthest(&positions, &exact), substeps)
    };
    let [(coarse, few), (fine, many)] = [1e-4, 1e-6].map(error);
    assert!(fine < 0.3 * coarse && many > 3 * few, "{coarse:e} with {few}, {fine:e} with {many}");
}

#[test]
fn every_solver_that_says_so_takes_it_and_the_others_say_why_not() {
    every(solver_ids(), |solver| {
        let mut adaptive = rippled(solver, 5, 5);
        adaptive.parameters.timing.adaptive = true;
        adaptive.parameters.timing.tolerance = 1e-6;
        adaptive.state.cloth.pin_here(0);
        let ignored = adaptive.solver().capabilities().adaptivity.obstacle();
        let count =
            |simulation: &mut Simulation| -> u32 { (0..5).map(|_| simulation.step().expect("stable").substeps).sum() };
        let substeps = count(&mut adaptive);
        let mut fixed = rippled(solver, 5, 5);
        fixed.state.cloth.pin_here(0);
        let fixed_substeps = count(&mut fixed);
        assert_eq!(
            substeps == fixed_substeps,
            ignored.is_some(),
            "{solver}: {substeps} substeps, and it says {ignored:?}"
        );
        advance(&mut adaptive, 1);
    });
}
