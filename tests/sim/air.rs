//! Drag, lift and wind.

use proptest::prelude::*;
use serde::Deserialize;
use weft::sim::Vec3;
use weft::sim::forces::air::{Air, AirMode, AirModel, drag, lift};
use weft::sim::forces::wind::Wind;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::solver_interface::CriticalStep;
use weft::sim::{Pattern, Simulation, solvers};

use crate::fixtures::{advance, every, rippled, solver_ids};
use crate::pairing::paired;

#[derive(Deserialize)]
struct Row {
    velocity: Vec3,
    wind: Vec3,
    normal: Vec3,
    k_drag: f64,
    k_lift: f64,
    drag: Vec3,
    lift: Vec3,
}

#[test]
fn drag_and_lift_agree_with_the_reference() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../data/air.json")).expect("the reference data is valid");
    assert_eq!(rows.len(), 24);
    for row in rows {
        let relative = row.velocity - row.wind;
        let drag_error = (drag(relative, row.normal, row.k_drag) - row.drag).abs().max_element();
        let lift_error = (lift(relative, row.normal, row.k_lift) - row.lift).abs().max_element();
        assert!(drag_error <= 1e-12 && lift_error <= 1e-12, "{drag_error:e}, {lift_error:e}");
    }
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size].prop_map(Vec3::from)
}

proptest! {
    #[test]
    fn drag_opposes_the_motion_and_lift_is_across_it(velocity in vector(30.0), normal in vector(1.0)) {
        prop_assume!(normal.length() > 1e-3 && velocity.length() > 1e-3);
        let normal = normal.normalize();
        let along = velocity.normalize();
        let (d, l) = (drag(velocity, normal, 0.3), lift(velocity, normal, 0.3));
        prop_assert!(d.dot(along) <= 0.0 && d.cross(along).length() < 1e-9);
        prop_assert!(l.dot(along).abs() < 1e-9);
        // neither side of the cloth is special
        prop_assert!((drag(velocity, -normal, 0.3) - d).length() < 1e-12);
        prop_assert!((lift(velocity, -normal, 0.3) - l).length() < 1e-12);
    }
}

#[test]
fn air_at_rest_relative_to_the_cloth_exerts_no_force() {
    assert_eq!(drag(Vec3::ZERO, Vec3::Y, 1.0), Vec3::ZERO);
    assert_eq!(lift(Vec3::ZERO, Vec3::Y, 1.0), Vec3::ZERO);
    // a velocity in the surface has no side to lift to
    assert_eq!(lift(Vec3::X, Vec3::Y, 1.0), Vec3::ZERO);
}

#[test]
fn a_run_in_the_wind_repeats_exactly_and_another_seed_gives_another_wind() {
    let run = |seed: u32| {
        let mut simulation = rippled("fast-mass-spring", 8, 8);
        simulation.parameters.air = Air { air: AirMode::Wind, gust: 1.0, wind_seed: seed, ..Air::default() };
        advance(&mut simulation, 30);
        simulation.state.cloth
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3).positions, run(4).positions);
}

#[test]
fn gusts_are_smooth_in_space_and_time_and_average_to_the_wind() {
    let air = Air { air: AirMode::Wind, wind_speed: 6.0, gust: 0.5, gust_length: 1.0, ..Air::default() };
    let wind = Wind::new(&air);
    let mut mean = Vec3::ZERO;
    for i in 0..4000 {
        let (x, t) = (Vec3::new(0.37 * f64::from(i), 1.0, 0.61 * f64::from(i)), 0.013 * f64::from(i));
        let here = wind.at(x, t);
        mean += here / 4000.0;
        assert!((wind.at(x + Vec3::splat(1e-4), t) - here).length() < 0.02, "in space");
        assert!((wind.at(x, t + 1e-5) - here).length() < 0.02, "in time");
        assert!(here.distance(Vec3::X * 6.0) <= 0.5 * 6.0 * 3_f64.sqrt(), "no stronger than the share of gusts");
    }
    assert!(mean.distance(Vec3::X * 6.0) < 0.15, "{mean}");
}

#[test]
fn air_can_stop_a_vertex_but_not_throw_it_back() {
    let mut simulation = rippled("symplectic-euler", 4, 4);
    simulation.parameters.material.structural_stiffness = 0.0;
    simulation.parameters.material.shear_stiffness = 0.0;
    simulation.parameters.material.bend_stiffness = 0.0;
    simulation.parameters.gravity.gravity = 0.0;
    // as strong as the panel allows, far beyond what the explicit force could bear
    simulation.parameters.air = Air { air: AirMode::Still, drag: 10.0, lift: 0.0, ..Air::default() };
    simulation.parameters.mass.vertex_mass = 1e-6;
    simulation.state.cloth.velocities.iter_mut().for_each(|v| *v = Vec3::new(0.0, -20.0, 0.0));
    for _ in 0..50 {
        simulation.step().expect("stable");
        assert!(simulation.state.cloth.velocities.iter().all(|v| (-20.0..=1e-12).contains(&v.y)));
    }
    assert!(simulation.state.cloth.velocities.iter().all(|v| v.length() < 1.0));
}

/// A sheet of a square metre that falls flat, on a grid or with its inner vertices displaced.
fn falling(solver: &str, columns: usize, irregular: bool, area_density: f64, step: f64) -> Simulation {
    let grid = Pattern::grid(columns, columns, 1.0, 1.0, Plane::Xz);
    let mut rest = grid.rest_positions().to_vec();
    let pattern = if irregular {
        let cell = 1.0 / (columns as f64 - 1.0);
        for (i, x) in rest.iter_mut().enumerate() {
            let inner = (x.x - 0.5).abs() < 0.49 && (x.z - 0.5).abs() < 0.49;
            let shift = Vec3::new((1.7 * i as f64).sin(), 0.0, (2.9 * i as f64).cos());
            *x += shift * if inner { 0.3 * cell } else { 0.0 };
        }
        Pattern::mesh(rest, grid.triangles().to_vec())
    } else {
        grid
    };
    let mass = Mass { mass_model: MassModel::AreaDensity, area_density, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = step;
    simulation.parameters.air = Air { air: AirMode::Still, air_model: AirModel::PerTriangle, ..Air::default() };
    simulation
}

/// Speed at which a flat sheet falls, `√(2 σ g/(ρ C))`.
fn terminal_velocity(simulation: &Simulation) -> f64 {
    let (air, mass) = (simulation.parameters.air, simulation.parameters.mass);
    let gravity = simulation.parameters.gravity.gravity;
    (2.0 * mass.area_density * gravity / (air.air_density * air.drag_coefficient)).sqrt()
}

#[test]
fn a_sheet_falls_at_the_terminal_velocity_of_the_formula_on_any_mesh_and_with_any_step() {
    // the lightest and the heaviest sheet, the longest step, and steps in which the sheet would gain many times that velocity
    for (columns, irregular) in [(2, false), (9, false), (9, true), (24, true), (33, false)] {
        for step in [1e-3, 1.0 / 60.0, 0.1] {
            for area_density in [1e-3, 0.15, 10.0] {
                let mut simulation = falling("symplectic-euler", columns, irregular, area_density, step);
                // a fall as such: springs would need short steps
                for stiffness in ["structural_stiffness", "shear_stiffness", "bend_stiffness"] {
                    let (group, index) = simulation.parameters.find_mut(stiffness).expect("a common parameter");
                    group.set_text(group.params()[index].key, "0").expect("in range");
                }
                let expected = terminal_velocity(&simulation);
                let time = 4.0 * expected / simulation.parameters.gravity.gravity;
                advance(&mut simulation, ((time / step) as usize).max(60));
                for v in &simulation.state.cloth.velocities {
                    let off = v.distance(Vec3::NEG_Y * expected) / expected;
                    assert!(off < 0.01, "{columns}, {irregular}, {step} s, {area_density} kg/m²: {v}, not {expected}");
                }
            }
        }
    }
}

#[test]
#[ignore = "full tier"]
fn every_solver_lets_a_sheet_fall_at_the_terminal_velocity() {
    every(paired([()], solver_ids(), 6).map(|(_, solver)| solver), |solver| {
        let capabilities = solvers::build(solver).expect("registered").capabilities();
        let explicit = capabilities.critical_step != CriticalStep::None;
        for step in [2e-3, 0.02] {
            let mut simulation = falling(solver, 9, false, 0.15, if explicit { 5e-4 } else { step });
            simulation.parameters.material.damping = 0.05;
            let expected = terminal_velocity(&simulation);
            let count = ((1.0 / simulation.parameters.timing.time_step) as usize).max(100);
            simulation.state.cloth.velocities.fill(Vec3::NEG_Y * 1.3 * expected);
            // a sluggish method comes there in longer time
            let sluggish = !simulation.solver().info().keeps.free_fall;
            advance(&mut simulation, if sluggish { 60 * count } else { count });
            let mean = simulation.state.cloth.mean_velocity();
            assert!((mean.length() / expected - 1.0).abs() < 0.05, "{solver}: {mean} instead of {expected}");
        }
    });
}

#[test]
fn air_on_triangles_never_reverses_the_motion_however_thick_it_is() {
    let mut simulation = falling("symplectic-euler", 12, true, 0.01, 0.1);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.material.structural_stiffness = 0.0;
    simulation.parameters.material.bend_stiffness = 0.0;
    simulation.parameters.material.damping = 0.0;
    simulation.parameters.air.air_density = 2000.0;
    simulation.parameters.air.drag_coefficient = 10.0;
    simulation.parameters.air.lift_coefficient = 0.0;
    // some parts fall, others rise or stand
    for (i, v) in simulation.state.cloth.velocities.iter_mut().enumerate() {
        *v = Vec3::new(0.3, -5.0 + 4.0 * (1.3 * i as f64).sin(), -0.1);
    }
    let energy = |simulation: &Simulation| simulation.energy().kinetic;
    let (first, mut last) = (energy(&simulation), energy(&simulation));
    for _ in 0..100 {
        advance(&mut simulation, 1);
        let now = energy(&simulation);
        assert!(now <= last * (1.0 + 1e-12), "air takes energy and gives none: {last} to {now}");
        assert!(
            simulation.state.cloth.velocities.iter().all(|v| v.y <= 1e-9 && v.x >= -1e-9),
            "nothing is thrown back"
        );
        last = now;
    }
    // what falls flat has stopped; edge-on there is no drag
    assert!(last < 1e-2 * first, "{last} of {first}");
}

#[test]
fn wind_pushes_a_square_metre_alike_on_every_mesh_and_a_cloth_at_rest_in_still_air_not_at_all() {
    let push = |columns: usize, irregular: bool, wind: f64| {
        let mut simulation = falling("symplectic-euler", columns, irregular, 0.15, 1e-4);
        simulation.parameters.air.air = if wind > 0.0 { AirMode::Wind } else { AirMode::Still };
        simulation.parameters.air.gust = 0.0;
        simulation.parameters.air.wind_speed = wind;
        simulation.parameters.air.wind_elevation = 1.1;
        simulation.parameters.gravity.gravity = 0.0;
        advance(&mut simulation, 1);
        let cloth = &simulation.state.cloth;
        cloth.velocities.iter().zip(&cloth.masses).map(|(v, m)| *v * (m / 1e-4)).sum::<Vec3>()
    };
    let one = push(2, false, 7.0);
    let air = Air::default();
    let pressure = 0.5 * air.air_density;
    let wind = Vec3::new(1.1_f64.cos(), 1.1_f64.sin(), 0.0) * 7.0;
    let formula =
        drag(-wind, Vec3::Y, pressure * air.drag_coefficient) + lift(-wind, Vec3::Y, pressure * air.lift_coefficient);
    assert!(one.distance(formula) < 1e-9 * formula.length(), "{one} {formula}");
    for (columns, irregular) in [(7, false), (15, true), (40, true)] {
        let force = push(columns, irregular, 7.0);
        assert!(force.distance(one) < 1e-9 * one.length(), "{columns}: {force} instead of {one}");
        assert_eq!(push(columns, irregular, 0.0), Vec3::ZERO);
    }
}

#[test]
fn air_on_triangles_gives_the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut simulation = rippled("fast-mass-spring", 70, 70);
            simulation.parameters.air = Air { air: AirMode::Wind, air_model: AirModel::PerTriangle, ..Air::default() };
            advance(&mut simulation, 3);
            simulation.state.cloth
        })
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}
