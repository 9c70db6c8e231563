//! Drag, lift and wind.

use proptest::prelude::*;
use serde::Deserialize;
use weft::sim::Vec3;
use weft::sim::forces::air::{Air, AirMode, drag, lift};
use weft::sim::forces::wind::Wind;

use crate::fixtures::{advance, rippled};

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
        simulation.cloth
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
    simulation.cloth.velocities.iter_mut().for_each(|v| *v = Vec3::new(0.0, -20.0, 0.0));
    for _ in 0..50 {
        simulation.step().expect("stable");
        assert!(simulation.cloth.velocities.iter().all(|v| (-20.0..=1e-12).contains(&v.y)));
    }
    assert!(simulation.cloth.velocities.iter().all(|v| v.length() < 1.0));
}
