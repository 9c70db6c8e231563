//! What solvers state that they can do, measured.

use weft::sim::contact::Contact;
use weft::sim::measure::Energy;
use weft::sim::params::Setting;
use weft::sim::solver_interface::{ContactRule, CriticalStep, Elasticity, Stability};
use weft::sim::{Simulation, SolverState, StepInput, Vec3, solvers};

use crate::fixtures::{advance, farthest, rippled, square};
use crate::projective::ON;

/// Every solver as it is by default, and those whose capabilities depend on their settings in others.
fn variants() -> Vec<(&'static str, Vec<(&'static str, Setting)>)> {
    const OFF: Setting = Setting::Toggle(false);
    let mut variants: Vec<_> = solvers::REGISTRY.iter().map(|entry| (entry.info.id, Vec::new())).collect();
    variants.extend([
        ("harmonic-oscillator", vec![("share", Setting::Real(0.5))]),
        ("hybrid", vec![("share", Setting::Real(0.25))]),
        ("soft-constraints", vec![("tuning", Setting::Choice(1)), ("spring_damping_ratio", Setting::Real(0.0))]),
        ("soft-constraints", vec![("hinge_frequency", Setting::Real(5.0))]),
        ("soft-constraints", vec![("warm_start", OFF)]),
        ("projective-dynamics", vec![("springs", OFF)]),
        ("projective-dynamics", vec![("half_space", OFF)]),
        ("projective-dynamics", vec![("edge_strain", ON), ("triangle_strain", ON), ("area", ON), ("bending", ON)]),
        (
            "projective-dynamics",
            vec![("springs", OFF), ("triangle_strain", ON), ("bending", ON), ("bending_weight", Setting::Real(0.5))],
        ),
    ]);
    variants
}

fn set(simulation: &mut Simulation, settings: &[(&str, Setting)]) {
    let own = simulation.solver_mut().settings_mut();
    for (key, value) in settings {
        let index = own.index_of(key).expect("a setting of this solver");
        own.set(index, *value).expect("in range");
    }
}

/// A disturbed cloth at rest without gravity, held at a corner.
fn still(solver: &str, settings: &[(&str, Setting)]) -> Simulation {
    let mut simulation = rippled(solver, 5, 4);
    set(&mut simulation, settings);
    simulation.state.cloth.velocities.fill(Vec3::ZERO);
    simulation.state.cloth.pin_here(0);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.material.damping = 0.0;
    simulation
}

fn elastic(simulation: &Simulation) -> Option<f64> {
    simulation.energy().elastic
}

#[test]
fn the_stated_energy_is_that_whose_fall_moves_the_cloth() {
    let mut failures = Vec::new();
    for (solver, settings) in variants() {
        let mut simulation = still(solver, &settings);
        let stated = simulation.solver().capabilities().elasticity;
        if let Elasticity::Unknown(reason) = stated {
            assert!(!reason.is_empty() && simulation.reaction(0).is_none());
            assert!(
                matches!(simulation.energy(), Energy { elastic: None, .. }) && simulation.energy().total().is_none()
            );
            continue;
        }
        let count = simulation.state.cloth.len() as u32;
        // without gravity the hand holds against the elastic force alone
        let stated: Vec<Vec3> = (1..count).map(|vertex| -simulation.reaction(vertex).expect("stated")).collect();
        let mut gradient = |vertex: usize, axis: usize| {
            let mut energy = |offset: f64| {
                simulation.state.cloth.positions[vertex][axis] += offset;
                let energy = elastic(&simulation).expect("stated");
                simulation.state.cloth.positions[vertex][axis] -= offset;
                energy
            };
            (energy(1e-6) - energy(-1e-6)) / 2e-6
        };
        let falling: Vec<Vec3> =
            (1..count as usize).map(|i| -Vec3::from_array([0, 1, 2].map(|axis| gradient(i, axis)))).collect();
        let h = 2e-5;
        simulation.parameters.timing.time_step = h;
        advance(&mut simulation, 1);
        let cloth = &simulation.state.cloth;
        let measured: Vec<Vec3> = (1..count as usize).map(|i| cloth.velocities[i] * (cloth.masses[i] / h)).collect();
        let largest = measured.iter().map(|f| f.length()).fold(0.0, f64::max);
        let (forces, energies) = (farthest(&stated, &measured) / largest, farthest(&falling, &measured) / largest);
        if settings == [("springs", Setting::Toggle(false))] {
            assert!(largest < 1e-6 && elastic(&simulation) == Some(0.0), "no constraints at all: {largest} N");
        } else if !(forces < 1e-3 && energies < 1e-3) {
            failures.push(format!(
                "{solver} {settings:?}: force off by {forces:.1e}, energy by {energies:.1e} of {largest} N"
            ));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Height of a vertex over the place of its contact after a step, with and without that contact, when the whole cloth moves up or down.
fn heights(solver: &str, settings: &[(&str, Setting)], speed: f64) -> [f64; 2] {
    let mut simulation = square(solver, 4, 4);
    set(&mut simulation, settings);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.state.cloth.velocities.fill(Vec3::Y * speed);
    let (frozen, pool) = (simulation.freeze(), weft::sim::exec::pool::ThreadPool::alone());
    let point = simulation.state.cloth.positions[5];
    let touch =
        Contact { vertex: 5, point, normal: Vec3::Y, motion: Vec3::ZERO, friction: 0.3, drag: None, load_share: None };
    [&[touch][..], &[]].map(|contacts| {
        let mut cloth = frozen.state.cloth.clone();
        let input = StepInput { contacts, ..frozen.input(&pool) };
        simulation.solver_mut().step(&mut cloth, &mut SolverState::default(), &input).expect("stable");
        simulation.solver_mut().reset();
        cloth.positions[5].y - point.y
    })
}

#[test]
fn contacts_are_taken_as_stated() {
    let mut failures = Vec::new();
    for (solver, settings) in variants() {
        let mut simulation = square(solver, 4, 4);
        set(&mut simulation, &settings);
        let rule = simulation.solver().capabilities().contacts;
        let [[held_down, down], [held_up, up]] = [-1.0, 1.0].map(|speed| heights(solver, &settings, speed));
        let as_stated = match rule {
            ContactRule::Response => held_down == down && held_up == up,
            ContactRule::HeldInMatrix => held_down.abs() < 0.2 * down.abs() && held_up.abs() < 0.2 * up.abs(),
            ContactRule::PressingConstraints | ContactRule::TouchingConstraints => {
                held_down.abs() < 0.6 * down.abs() && held_up > 0.99 * up
            }
        };
        if !as_stated {
            failures.push(format!("{solver} {settings:?}, {rule:?}: {held_down} of {down}, {held_up} of {up} m"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn the_vertices_that_are_found_are_those_that_the_rule_names() {
    let mut failures = Vec::new();
    for (solver, settings) in variants() {
        // on the floor, under its weight or thrown up
        let found = [0.0, 5.0].map(|speed| {
            let mut simulation = square(solver, 4, 4);
            set(&mut simulation, &settings);
            simulation.parameters.contact.ground = true;
            let height = simulation.parameters.contact.thickness;
            simulation.state.cloth.positions.iter_mut().for_each(|x| x.y = height);
            simulation.state.cloth.velocities.fill(Vec3::Y * speed);
            simulation.parameters.timing.time_step = 1e-4;
            advance(&mut simulation, 1);
            (simulation.solver().capabilities().contacts, simulation.contacts().len())
        });
        let [(rule, pressing), (_, rising)] = found;
        let expected = match rule {
            ContactRule::Response => [0, 0],
            ContactRule::HeldInMatrix | ContactRule::PressingConstraints => [16, 0],
            ContactRule::TouchingConstraints => [16, 16],
        };
        // small steps move it off the floor before the last of them
        let rises = rising == expected[1] || (expected[1] > 0 && simulation_parts(solver, &settings) > 1);
        if pressing != expected[0] || !rises {
            failures.push(format!("{solver} {settings:?}, {rule:?}: {pressing} and {rising} contacts"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

fn simulation_parts(solver: &str, settings: &[(&str, Setting)]) -> u32 {
    let mut simulation = square(solver, 2, 2);
    set(&mut simulation, settings);
    simulation.solver().small_steps()
}

#[test]
fn a_solver_has_a_critical_step_if_it_says_so_and_those_that_hold_at_any_step_have_none() {
    for entry in solvers::REGISTRY {
        let simulation = rippled(entry.info.id, 4, 4);
        let stated = matches!(simulation.solver().capabilities().critical_step, CriticalStep::Own(_));
        assert_eq!(simulation.solver_critical_step().is_some(), stated, "{}", entry.info.id);
        let limited = matches!(entry.info.stability, Stability::Damped | Stability::Conditional);
        assert_eq!(stated, limited, "{}", entry.info.id);
    }
}

#[test]
fn a_solver_keeps_a_warm_start_if_it_says_so() {
    for (solver, settings) in variants() {
        let mut simulation = rippled(solver, 4, 4);
        set(&mut simulation, &settings);
        advance(&mut simulation, 3);
        let kept = simulation.state.solver.warm_start.clone();
        let stated = simulation.solver().capabilities().warm_start;
        let mut again = rippled(solver, 4, 4);
        set(&mut again, &settings);
        again.state.cloth = simulation.state.cloth.clone();
        // what is kept changes the next step, or nothing is
        advance(&mut simulation, 1);
        advance(&mut again, 1);
        let changes = simulation.state.cloth.positions != again.state.cloth.positions;
        assert_eq!(changes, stated, "{solver} {settings:?}");
        assert!(!stated || !kept.is_empty(), "{solver}");
    }
}
