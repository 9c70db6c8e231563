//! Position-based dynamics: what its stiffness depends on, and what XPBD's does not.

use weft::sim::params::Setting;
use weft::sim::{Simulation, solvers};

use crate::fixtures::{advance, square};

/// A strip that hangs by its upper edge, at rest after some seconds. Returns its largest stretch.
fn hanging_stretch(solver: &str, iterations: u32, settings: &[(&str, f64)]) -> f64 {
    let mut simulation: Simulation = square(solver, 4, 12);
    simulation.parameters.timing.time_step = 0.01;
    simulation.parameters.mass.vertex_mass = 0.01;
    simulation.parameters.material.structural_stiffness = 100.0;
    simulation.parameters.material.shear_stiffness = 0.0;
    simulation.parameters.material.bend_stiffness = 0.0;
    simulation.parameters.material.damping = 0.2;
    let own = simulation.solver_mut().settings_mut();
    for (key, value) in settings {
        let index = own.index_of(key).expect("its own");
        own.set(index, Setting::Real(*value)).expect("in range");
    }
    for (key, count) in [("iterations", iterations), ("small_steps", 1)] {
        let index = own.index_of(key).expect("its own");
        own.set(index, Setting::Integer(count)).expect("in range");
    }
    (0..4).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    // still air ends the swinging
    simulation.parameters.air.air = weft::sim::forces::air::AirMode::Still;
    simulation.parameters.air.drag = 0.02;
    advance(&mut simulation, 1500);
    simulation.largest_stretch()
}

#[test]
fn the_stiffness_of_xpbd_does_not_depend_on_the_iterations_and_that_of_pbd_does() {
    let shares = [("structural_share", 1.0), ("shear_share", 0.0), ("bend_share", 0.0)];
    let pbd = [1, 10, 100].map(|iterations| hanging_stretch("pbd", iterations, &shares));
    let xpbd = [100, 200, 400].map(|iterations| hanging_stretch("xpbd", iterations, &[]));
    // the uppermost spring carries 11 vertices: 11 · 0.01 kg · 9.8 m/s² / 100 N/m over 1/11 m
    let exact = 11.0 * 0.01 * 9.8 / 100.0 / (1.0 / 11.0);
    for stretch in xpbd {
        assert!((stretch - exact).abs() < 0.01 * exact, "{xpbd:?}, exact {exact}");
    }
    assert!(pbd[0] > 5.0 * pbd[1] && pbd[1] > 5.0 * pbd[2], "{pbd:?}");
    // the figures in the tooltip are these
    let help = solvers::build("pbd").expect("registered").settings().params()[0].help();
    for stretch in pbd {
        let percent = format!("{:.2} %", 100.0 * stretch);
        assert!(help.contains(&percent), "the help says \"{help}\", but measured are {pbd:?}");
    }
}

#[test]
fn a_shorter_step_stiffens_pbd_and_not_xpbd() {
    let stretch = |solver: &str, step: f64| {
        let mut simulation = square(solver, 3, 6);
        simulation.parameters.timing.time_step = step;
        simulation.parameters.mass.vertex_mass = 0.01;
        simulation.parameters.material.damping = 0.2;
        (0..3).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        simulation.parameters.air.air = weft::sim::forces::air::AirMode::Still;
        simulation.parameters.air.drag = 0.02;
        advance(&mut simulation, (15.0 / step) as usize);
        simulation.largest_stretch()
    };
    assert!(stretch("pbd", 0.02) > 2.0 * stretch("pbd", 0.005));
    let (long, short) = (stretch("xpbd", 0.02), stretch("xpbd", 0.005));
    assert!((long - short).abs() < 0.05 * short, "{long} {short}");
}
