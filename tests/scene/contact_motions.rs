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

/// How far the followed vertex of `scene` is from its mark after `seconds` [m], and its way.
fn off_the_mark(scene: &Scene, seconds: Real) -> [Real; 2] {
    let mut simulation = scene.build().expect("good");
    let vertex = followed(scene, &simulation);
    let start = simulation.state.cloth.positions[vertex];
    while simulation.time() < seconds - 1e-9 {
        simulation.step().expect("stable");
    }
    let motion = scene.motion.expect("it has a formula");
    let mark = motion.place(&simulation.parameters, simulation.time()).expect("the formula holds");
    let place = simulation.state.cloth.positions[vertex];
    // the vertex beside the followed place keeps its distance from it
    [(place - start).distance(mark - motion.from()), place.distance(start)]
}

#[test]
fn the_strip_bends_as_the_elastica_does() {
    let (scene, _) = load("test-cantilever");
    let [off, way] = off_the_mark(&scene, 1.5);
    assert!(off < 2e-4 && way > 0.02, "{off} m after {way} m");
    // by the law, not by the numbers of the scene
    let mut stiffer = scene;
    stiffer.set("bending_stiffness", "3e-5").expect("in range");
    let [off, less] = off_the_mark(&stiffer, 1.5);
    assert!(off < 2e-4 && less < 0.6 * way, "{off} m after {less} m");
}

#[test]
fn friction_holds_one_cloth_on_the_incline_and_lets_the_other_slide() {
    let (scene, _) = load("test-incline");
    let [off, way] = off_the_mark(&scene, 0.9);
    assert!(off < 1e-3 && way < 1e-3, "{off} m after {way} m");
    let lane = scene.in_lane(&scene.all_lanes()[1]).expect("it comes with the program");
    let [off, way] = off_the_mark(&lane, 0.9);
    assert!(off < 0.03 * way && way > 0.15, "{off} m after {way} m");
}

#[test]
fn the_disc_drapes_over_the_discs_in_folds() {
    let (_, mut simulation) = load("test-drape");
    let rest = simulation.state.cloth.positions.clone();
    while simulation.time() < 4.0 {
        simulation.step().expect("stable");
    }
    let x = &simulation.state.cloth.positions;
    let [inner, rim]: [Vec<usize>; 2] = [[0.0, 0.08], [0.149, 0.151]].map(|[low, high]| {
        let radius = |i: &usize| (low..high).contains(&rest[*i].with_y(0.0).length());
        (0..x.len()).filter(radius).collect()
    });
    assert!(inner.iter().all(|&i| x[i].distance(rest[i]) < 0.004), "held between the discs");
    // folds: the radius of the rim, seen from above, rises and falls
    let radii: Vec<Real> = rim.iter().map(|&i| x[i].with_y(0.0).length()).collect();
    let mean = radii.iter().sum::<Real>() / radii.len() as Real;
    let crossings = (0..radii.len()).filter(|&i| (radii[i] > mean) != (radii[(i + 1) % radii.len()] > mean)).count();
    let lowest = rim.iter().map(|&i| x[i].y).fold(Real::INFINITY, Real::min);
    assert!(crossings >= 6 && lowest < 0.47 && mean < 0.14, "{crossings} crossings, {lowest} m, {mean} m");
}
