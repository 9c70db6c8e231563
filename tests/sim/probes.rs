//! What is told of single vertices: forces that add up, springs, and what is left.

use weft::scene::Scene;
use weft::sim::measure::{MOST_PROBES, Rest, VertexReading};
use weft::sim::params::Setting;
use weft::sim::{Observe, Simulation, Vec3};

use crate::fixtures::{advance, every, rippled, set, solver_ids};

fn probe(simulation: &mut Simulation, vertices: &[u32]) {
    let mut probes = [None; MOST_PROBES];
    probes.iter_mut().zip(vertices).for_each(|(probe, vertex)| *probe = Some(*vertex));
    simulation.observe = Observe { probes, ..Observe::default() };
}

fn read(simulation: &Simulation, vertex: u32) -> VertexReading {
    simulation.read_vertex(vertex).expect("there is such a vertex")
}

fn rest(reading: &VertexReading) -> (Rest, Vec3) {
    reading.forces.rest.expect("a step was observed")
}

#[test]
fn forces_by_kind_and_what_is_left_add_up_to_mass_times_acceleration() {
    every(solver_ids(), |id| {
        let mut cloth = rippled(id, 6, 6);
        cloth.state.cloth.pin_here(0);
        cloth.parameters.air.air = weft::sim::forces::air::AirMode::Wind;
        probe(&mut cloth, &[0, 14, 35]);
        advance(&mut cloth, 4);
        let before = cloth.state.cloth.velocities.clone();
        let parts = cloth.parameters.timing.substeps;
        advance(&mut cloth, 1);
        for vertex in [0, 14, 35] {
            let reading = read(&cloth, vertex);
            let sum: Vec3 = reading.forces.by_kind().map(|(_, force)| force).sum();
            let acceleration = reading.acceleration.expect("observed");
            let inertia = acceleration * reading.mass;
            assert!(sum.distance(inertia) <= 1e-9 * (1.0 + inertia.length()), "{id}: {sum} against {inertia}");
            assert_eq!(
                (reading.position, reading.velocity),
                (cloth.state.cloth.positions[vertex as usize], cloth.state.cloth.velocities[vertex as usize])
            );
            assert!(reading.forces.air.expect("observed") != Vec3::ZERO, "{id}: the wind blows");
            // where the step is one substep, that is the change of the velocity over it
            if cloth.substep_length() == cloth.parameters.timing.time_step && !cloth.is_adaptive() && parts == 1 {
                let change = (reading.velocity - before[vertex as usize]) / cloth.parameters.timing.time_step;
                assert!(change.distance(acceleration) <= 1e-9 * (1.0 + change.length()), "{id}");
            }
            let names = rest(&reading).0;
            assert_eq!(names == Rest::Holding, vertex == 0, "{id}: {names:?}");
        }
        assert!(cloth.read_vertex(36).is_none() && cloth.read_vertex(u32::MAX).is_none());
        // one that was not asked for is told as far as the state tells it
        let other = read(&cloth, 20);
        assert!(other.acceleration.is_none() && other.forces.air.is_none() && other.forces.rest.is_none());
        assert_eq!(other.springs.len(), cloth.pattern().neighbours().of_vertex(20).len());
    });
}

#[test]
fn what_one_method_did_is_not_told_of_another() {
    let mut cloth = rippled("fast-mass-spring", 6, 6);
    probe(&mut cloth, &[14]);
    cloth.observe.residual = true;
    advance(&mut cloth, 2);
    assert!(!cloth.residuals().is_empty() && read(&cloth, 14).acceleration.is_some());
    assert!(cloth.set_solver("implicit-euler"));
    assert!(cloth.residuals().is_empty() && read(&cloth, 14).forces.rest.is_none());
    advance(&mut cloth, 1);
    assert!(!cloth.residuals().is_empty() && read(&cloth, 14).forces.rest.is_some());
}

#[test]
fn to_ask_for_vertices_changes_no_bit() {
    every(solver_ids(), |id| {
        let (mut asked, mut silent) = (rippled(id, 7, 7), rippled(id, 7, 7));
        for cloth in [&mut asked, &mut silent] {
            cloth.parameters.air.air = weft::sim::forces::air::AirMode::Wind;
            cloth.parameters.timing.adaptive = true;
        }
        probe(&mut asked, &[3, 48, 99, 3]);
        advance(&mut asked, 5);
        advance(&mut silent, 5);
        assert_eq!(asked.state.cloth, silent.state.cloth, "{id}");
    });
}

#[test]
fn a_step_that_is_solved_leaves_nothing_unbalanced() {
    let mut cloth = rippled("implicit-newton", 9, 9);
    cloth.state.cloth.pin_here(0);
    probe(&mut cloth, &[40, 44, 80]);
    advance(&mut cloth, 6);
    for vertex in [40, 44, 80] {
        let (kind, force) = rest(&read(&cloth, vertex));
        assert_eq!(kind, Rest::Unbalanced);
        assert!(force.length() < 1e-4 * 9.81 * cloth.state.cloth.masses[0], "{force} N");
    }
    // and one that is not solved leaves what its residual says
    let mut cloth = rippled("fast-mass-spring", 9, 9);
    cloth.parameters.material.structural_stiffness = 1e4;
    set(&mut cloth, "iterations", Setting::Integer(1));
    probe(&mut cloth, &[40]);
    cloth.observe.residual = true;
    advance(&mut cloth, 3);
    let (_, force) = rest(&read(&cloth, 40));
    let residual = cloth.residuals()[40];
    assert!((force.length() / residual - 1.0).abs() < 1e-6, "{} N, residual {residual} N", force.length());
}

#[test]
fn pins_hold_the_weight_and_the_table_carries_it() {
    let mut hanging = Scene::load("hanging").expect("it comes with the program");
    hanging.set("air", "vacuum").expect("an air");
    hanging.set("damping", "0.05").expect("a damping");
    hanging.set("time_step", "0.02").expect("a step");
    let mut hanging = hanging.build().expect("good");
    assert!(hanging.set_solver("implicit-newton"));
    advance(&mut hanging, 1500);
    let pins: Vec<u32> = hanging.state.cloth.pins().iter().map(|pin| pin.vertex).collect();
    probe(&mut hanging, &pins);
    advance(&mut hanging, 1);
    let held: Vec3 = pins.iter().map(|vertex| rest(&read(&hanging, *vertex)).1).sum();
    let weight: f64 = hanging.state.cloth.masses.iter().sum::<f64>() * hanging.parameters.gravity.gravity;
    assert!(held.distance(Vec3::Y * weight) < 1e-2 * weight, "{held} N hold {weight} N");

    let mut table = Scene::load("table").expect("it comes with the program").build().expect("good");
    advance(&mut table, 300);
    let middle = (0..table.state.cloth.len() as u32)
        .min_by(|a, b| {
            let off = |vertex: u32| table.state.cloth.positions[vertex as usize].with_y(0.0).length();
            off(*a).total_cmp(&off(*b))
        })
        .expect("a vertex");
    probe(&mut table, &[middle]);
    advance(&mut table, 1);
    let reading = read(&table, middle);
    let (kind, force) = rest(&reading);
    assert!(kind == Rest::Contact && force.y > 0.0, "{kind:?} {force}");
}

#[test]
fn springs_are_told_with_their_strain_and_frequency() {
    let mut cloth = rippled("implicit-euler", 5, 5);
    cloth.parameters.material.damping = 0.0;
    cloth.parameters.material.structural_stiffness = 300.0;
    advance(&mut cloth, 2);
    let reading = read(&cloth, 12);
    let pulled: Vec3 = reading
        .springs
        .iter()
        .map(|spring| {
            let way = cloth.state.cloth.positions[spring.other as usize] - reading.position;
            assert!((way.length() - spring.length).abs() < 1e-15);
            assert!((spring.strain() - (spring.length / spring.rest_length - 1.0)).abs() < 1e-15);
            assert!((spring.tension - spring.stiffness * (spring.length - spring.rest_length)).abs() < 1e-12);
            let mass = cloth.state.cloth.masses[0] / 2.0;
            assert!((spring.frequency - (spring.stiffness / mass).sqrt()).abs() < 1e-9 * spring.frequency);
            assert_eq!(spring.damping, 0.0);
            way.normalize() * spring.tension
        })
        .sum();
    let elastic = reading.forces.elastic.expect("of springs");
    assert!(pulled.distance(elastic) < 1e-9 * (1.0 + elastic.length()), "{pulled} N against {elastic} N");
}

#[test]
fn in_scenes_with_contact_tearing_and_irregular_meshes_forces_add_up_and_to_ask_changes_no_bit() {
    every(["tearing", "mesh", "heap", "stack", "skirt", "pd-figure-5-irregular"], |name| {
        let build = || Scene::load(name).expect("it comes with the program").build().expect("good");
        let (mut asked, mut silent) = (build(), build());
        let last = asked.state.cloth.len() as u32 - 1;
        probe(&mut asked, &[0, last / 3, last / 2, last]);
        advance(&mut asked, 25);
        advance(&mut silent, 25);
        assert_eq!(asked.state.cloth, silent.state.cloth, "{name}");
        for vertex in [0, last / 3, last / 2, last] {
            let reading = read(&asked, vertex);
            let sum: Vec3 = reading.forces.by_kind().map(|(_, force)| force).sum();
            let inertia = reading.acceleration.expect("observed") * reading.mass;
            assert!(sum.distance(inertia) <= 1e-9 * (1.0 + inertia.length()), "{name}: {sum} against {inertia}");
            assert!(reading.springs.iter().all(|spring| spring.tension.is_finite() && spring.frequency.is_finite()));
        }
    });
}
