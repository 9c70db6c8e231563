//! The scenes of the shelf *Tests* show the motion of their formula.

use weft::scene::{Scene, Shelf, scene_names};
use weft::sim::{Real, Simulation, Vec3};

fn load(name: &str) -> (Scene, Simulation) {
    let scene = Scene::load(name).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    (scene, simulation)
}

/// The vertex at the place that the motion of the scene follows.
fn followed(scene: &Scene, simulation: &Simulation) -> usize {
    let from = scene.motion.expect("it has a formula").from();
    let apart = |place: &Vec3| place.distance(from);
    let places = &simulation.state.cloth.positions;
    let nearest = (0..places.len()).min_by(|a, b| apart(&places[*a]).total_cmp(&apart(&places[*b])));
    nearest.expect("a cloth")
}

/// How far below its mark the followed vertex is after `seconds` [m].
fn below_the_mark(name: &str, seconds: Real) -> Real {
    let (scene, mut simulation) = load(name);
    let vertex = followed(&scene, &simulation);
    while simulation.time() < seconds - 1e-9 {
        simulation.step().expect("stable");
    }
    let mark = scene.motion.expect("it has a formula").place(&simulation.parameters, simulation.time());
    mark.expect("the formula holds").y - simulation.state.cloth.positions[vertex].y
}

#[test]
fn the_mark_of_a_scene_is_at_a_vertex_of_its_cloth_at_the_start() {
    for name in scene_names() {
        let (scene, simulation) = match Scene::load(&name) {
            Ok(scene) if scene.motion.is_some() => load(&name),
            _ => continue,
        };
        assert!([Shelf::Tests, Shelf::Papers].contains(&scene.shelf), "{name}");
        let (from, vertex) = (scene.motion.expect("it has a formula").from(), followed(&scene, &simulation));
        let apart = simulation.state.cloth.positions[vertex].distance(from);
        // the strips are followed at their middle, between two vertices
        assert!(apart < 0.03, "{name}: {apart} m");
    }
}

#[test]
fn the_cloth_of_a_scene_is_at_its_mark_with_the_solver_of_the_scene() {
    let drop = below_the_mark("test-pulley", 0.4);
    assert!(drop.abs() < 0.05 * weft::sim::solver_interface::RIGHT_DROP, "pulley: {drop} m");
    let slip = below_the_mark("test-capstan-holds", 1.0);
    assert!(slip.abs() < 0.02, "capstan: {slip} m");
    // at the top of its first rebound
    let height = below_the_mark("test-bounce", 0.48);
    assert!(height.abs() < 0.05 * 0.25 * 0.5, "bounce: {height} m");
}

#[test]
fn the_strip_that_friction_cannot_hold_slips_off_and_lies_on_the_floor() {
    let (_, mut simulation) = load("test-capstan-slips");
    while simulation.time() < 4.0 {
        simulation.step().expect("stable");
    }
    let highest = simulation.state.cloth.positions.iter().map(|x| x.y).fold(Real::NEG_INFINITY, Real::max);
    assert!((0.0..0.1).contains(&highest), "{highest} m");
}
