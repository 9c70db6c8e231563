//! Position-based dynamics: what its stiffness depends on, and what XPBD's does not.

use weft::sim::model::material::{Mass, MassModel};
use weft::sim::params::Setting;
use weft::sim::pattern::{Family, Springs};
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, set, square};
use crate::oscillator::{axis, pair};

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

/// Undivided steps of so many iterations, with springs of a share of one.
fn whole_steps(simulation: &mut Simulation, iterations: u32) {
    set(simulation, "iterations", Setting::Integer(iterations));
    if simulation.solver().info().id == "pbd" {
        set(simulation, "small_steps", Setting::Integer(1));
        set(simulation, "structural_share", Setting::Real(1.0));
    }
}

#[test]
fn a_projection_of_pbd_is_the_shortest_way_by_mass_to_the_rest_length() {
    // Bouaziz et al. 2014, equation 13: Δq = -M⁻¹ ∇C C/|M^-½ ∇C|², a pin being infinitely heavy
    for (pinned, shares) in [(false, [0.5, 0.5]), (true, [0.0, 1.0])] {
        let mut simulation = pair("pbd", 40.0, 0.0, 0.3);
        whole_steps(&mut simulation, 1);
        if pinned {
            simulation.state.cloth.pin_here(0);
        }
        simulation.state.cloth.positions[1] = axis() * 1.2;
        advance(&mut simulation, 1);
        let [first, second] = [axis() * (0.2 * shares[0]), axis() * (1.2 - 0.2 * shares[1])];
        let x = &simulation.state.cloth.positions;
        assert!(x[0].distance(first) < 1e-12 && x[1].distance(second) < 1e-12, "{x:?}");
    }
}

#[test]
fn gauss_seidel_ends_at_the_last_of_two_springs_that_disagree_and_local_global_between_them() {
    // Bouaziz et al. 2014, section 4.1 and figure 3: two springs of a metre between pins three metres apart
    let place = |solver: &str, iterations: u32| {
        let springs =
            Springs { ends: vec![[0, 1], [1, 2]], rest_lengths: vec![1.0; 2], families: vec![Family::Structural; 2] };
        let pattern = Pattern::new([0.0, 1.2, 3.0].map(|x| Vec3::X * x).to_vec(), Vec::new(), springs);
        let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 0.01, ..Mass::default() };
        let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
        simulation.parameters.gravity.gravity = 0.0;
        simulation.parameters.contact.ground = false;
        simulation.parameters.material.structural_stiffness = 1e6;
        whole_steps(&mut simulation, iterations);
        [0, 2].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        advance(&mut simulation, 1);
        simulation.state.cloth.positions[1].x
    };
    for iterations in [1, 2, 51] {
        assert!((place("pbd", iterations) - 2.0).abs() < 1e-12, "{}", place("pbd", iterations));
        let between = place("fast-mass-spring", iterations);
        assert!((between - 1.5).abs() < 1e-3, "{between}");
    }
}
