//! Projective dynamics on cloths and with settings that leave it little to work with: always finite, never a panic.

use weft::scene::Scene;
use weft::sim::params::{Kind, Setting};
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3};

use crate::projective::{OFF, ON, projective, with_settings};

/// The switches.
const SWITCHES: [&str; 6] = ["edge_strain", "triangle_strain", "area", "bending", "soft_pins", "half_space"];
const WEIGHTS: [&str; 4] = ["membrane_stiffness", "strain_weight", "area_weight", "bending_weight"];

/// All constraints, with the springs if `springs`.
fn all(springs: bool) -> Vec<(&'static str, Setting)> {
    let switches = SWITCHES.into_iter().filter(|key| *key != "soft_pins").map(|key| (key, ON));
    switches.chain([("springs", Setting::Toggle(springs))]).collect()
}

fn upright() -> Pattern {
    Pattern::grid(6, 5, 1.0, 1.0, Plane::Xy)
}

/// Takes a few steps; the cloth has to stay finite. A step may fail with a reason.
fn survives(simulation: &mut Simulation, what: &str) -> bool {
    let fine = (0..20).all(|_| simulation.step().is_ok());
    let cloth = &simulation.state.cloth;
    assert!(cloth.positions.iter().chain(&cloth.velocities).all(|x| x.is_finite()), "{what}");
    fine
}

#[test]
fn without_any_constraint_the_cloth_falls_freely() {
    let mut simulation = projective(upright(), &SWITCHES.map(|key| (key, OFF)));
    simulation.parameters.timing.time_step = 0.01;
    assert!(survives(&mut simulation, "no constraints"));
    assert!(simulation.state.cloth.velocities.iter().all(|v| (v.y + 9.8 * 0.2).abs() < 1e-9));
    // the constraints are there, but weigh nothing
    let zero = WEIGHTS.map(|key| (key, Setting::Real(0.0)));
    let mut simulation = projective(upright(), &[all(false), zero.to_vec()].concat());
    simulation.parameters.timing.time_step = 0.01;
    assert!(survives(&mut simulation, "no weights"));
    assert!(simulation.state.cloth.velocities.iter().all(|v| (v.y + 9.8 * 0.2).abs() < 1e-9));
}

#[test]
fn broken_meshes_do_no_harm() {
    let corner = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    let square = [corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0)];
    let with = |more: &[Vec3]| [&square[..], more].concat();
    let meshes = [
        ("a triangle without area", with(&[corner(2.0, 0.0)]), vec![[0, 1, 2], [1, 3, 2], [0, 1, 4]]),
        ("three equal corners", square.to_vec(), vec![[0, 1, 2], [3, 3, 3], [1, 1, 2]]),
        ("two vertices at one place", with(&[square[3]]), vec![[0, 1, 2], [1, 3, 2], [1, 3, 4], [3, 4, 2]]),
        ("a triangle twice", square.to_vec(), vec![[0, 1, 2], [0, 1, 2], [2, 1, 0], [1, 3, 2]]),
        ("three triangles at an edge", with(&[Vec3::Z]), vec![[0, 1, 2], [1, 3, 2], [1, 2, 4]]),
        ("an isolated vertex", with(&[corner(3.0, 3.0)]), vec![[0, 1, 2], [1, 3, 2]]),
        ("no triangle", square.to_vec(), vec![]),
        ("two vertices", square[..2].to_vec(), vec![[0, 1, 1]]),
        ("one vertex", square[..1].to_vec(), vec![]),
        ("all in one place", vec![Vec3::ONE; 4], vec![[0, 1, 2], [1, 3, 2]]),
    ];
    let slivers = [1e-2, 1e-4, 1e-5, 6e-7, 1e-7, 1e-9, 1e-12]
        .map(|height| ("a sliver", with(&[corner(1.0 + height, 0.5)]), vec![[0, 1, 2], [1, 3, 2], [1, 4, 3]]));
    let meshes = meshes.into_iter().chain(slivers);
    for (what, rest, triangles) in meshes {
        for springs in [false, true] {
            let mut simulation = projective(Pattern::mesh(rest.clone(), triangles.clone()), &all(springs));
            simulation.state.cloth.pin_here(0);
            assert!(survives(&mut simulation, what), "{what}");
            with_settings(&mut simulation, &[("soft_pins", ON)]);
            assert!(survives(&mut simulation, what), "{what}, held softly");
        }
    }
}

#[test]
fn a_two_by_two_cloth_and_one_held_everywhere_stay() {
    let mut simulation = projective(Pattern::grid(2, 2, 1.0, 1.0, Plane::Xy), &all(false));
    simulation.state.cloth.pin_here(0);
    assert!(survives(&mut simulation, "two by two"));
    for held in [OFF, ON] {
        let mut simulation = projective(upright(), &all(false));
        with_settings(&mut simulation, &[("soft_pins", held)]);
        let rest = simulation.state.cloth.positions.clone();
        (0..30).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        assert!(survives(&mut simulation, "all held"));
        // soft ones sag by the load of their vertex
        let heaviest = simulation.state.cloth.masses.iter().fold(0.0_f64, |most, mass| most.max(*mass));
        let sag = if held == ON { 1.001 * 9.8 * heaviest / 1e6 } else { 0.0 };
        let apart = crate::fixtures::farthest(&simulation.state.cloth.positions, &rest);
        assert!(apart <= sag, "pins are exact: {apart:e} m");
    }
}

#[test]
fn the_ends_of_every_range_leave_the_cloth_finite() {
    let params = projective(upright(), &[]).solver().settings().params();
    let ends = |kind| match kind {
        Kind::Real { min, max, .. } => vec![Setting::Real(min), Setting::Real(max)],
        Kind::Integer { min, .. } => vec![Setting::Integer(min)],
        _ => vec![],
    };
    for anisotropic in [OFF, ON] {
        for param in params {
            for value in ends(param.kind) {
                let mut simulation = projective(upright(), &[all(false), vec![("anisotropic", anisotropic)]].concat());
                with_settings(&mut simulation, &[("soft_pins", ON), (param.key, value)]);
                [0, 5].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
                assert!(survives(&mut simulation, param.key), "{} = {}", param.key, param.show(value));
            }
        }
    }
    // tiny and huge together, for short and long steps
    for time_step in [1e-4, 0.1] {
        for weights in [[1e-12, 1e7, 1e-12, 1e3], [1e7, 1e-12, 1e7, 1e-12], [1e7, 1e7, 1e7, 1e3], [1e-300; 4]] {
            let weights: Vec<_> = WEIGHTS.into_iter().zip(weights.map(Setting::Real)).collect();
            let mut simulation = projective(upright(), &[all(false), weights].concat());
            simulation.parameters.timing.time_step = time_step;
            [0, 5].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
            assert!(survives(&mut simulation, "weights"), "h = {time_step}");
        }
    }
}

#[test]
fn a_setting_out_of_range_is_one_clear_sentence() {
    let mut scene = Scene::default();
    scene.set("solver", "projective-dynamics").expect("registered");
    for (key, value, range) in [
        ("strain_min", "2", "--set strain_min=2: strain_min = 2 is outside 0 to 1"),
        ("strain_max", "0.5", "--set strain_max=0.5: strain_max = 0.5 is outside 1 to 3"),
        ("bending_weight", "-1", "--set bending_weight=-1: bending_weight = -1 is outside 0 to 1000 N·m"),
        ("area", "maybe", "--set area=maybe: area takes true or false, not \"maybe\""),
    ] {
        assert_eq!(scene.set(key, value).expect_err(key).to_string(), range);
    }
    scene.set("solver", "pbd").expect("registered");
    assert!(scene.set("strain_min", "0.5").expect_err("another solver's").to_string().contains("unknown key"));
}
