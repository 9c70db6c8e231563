//! The scenes of the shelf *Tests* show the motion of their formula.

use weft::scene::{Scene, Shelf, scene_names};
use weft::sim::solvers::{ImplicitEuler, id_of};
use weft::sim::study::textile::{Specimen, TextileTest};
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

/// Mass of the vertices whose present place is part of a load [kg].
fn mass_of(simulation: &Simulation, is_load: impl Fn(&Vec3) -> bool) -> Real {
    let cloth = &simulation.state.cloth;
    cloth.positions.iter().zip(&cloth.masses).filter(|(x, _)| is_load(x)).map(|(_, mass)| mass).sum()
}

#[test]
fn a_jaw_stretches_a_strip_by_its_modulus_and_one_on_the_bias_much_farther() {
    let (scene, mut simulation) = load("test-tension");
    for is_bias in [false, true] {
        let jaw = mass_of(&simulation, |x| x.y < 0.2995 && (x.x > 0.0) == is_bias);
        assert!((jaw - 0.16).abs() < 0.005, "{jaw} kg");
    }
    let [off, way] = off_the_mark(&scene, 1.0);
    assert!(off < 0.015 * way && way > 0.002, "{off} m after {way} m");
    while simulation.time() < 1.0 {
        simulation.step().expect("stable");
    }
    // the middle of the lower edge of either strip
    let [warp, bias] = [122, 636 + 122].map(|i| 0.3 - simulation.state.cloth.positions[i].y);
    assert!((7.4..8.0).contains(&(bias / warp)), "{warp} m and {bias} m");
    let mut stiffer = scene;
    stiffer.set("structural_stiffness", "6000").expect("in range");
    let [off, less] = off_the_mark(&stiffer, 1.0);
    assert!(off < 0.015 * less && less < 0.51 * way, "{off} m after {less} m");
}

#[test]
fn a_bar_shears_two_strips_by_its_weight_and_their_modulus() {
    let (scene, simulation) = load("test-shear");
    let rest = simulation.pattern().rest_positions();
    let bar = mass_of(&simulation, |x| x.x.abs() < 0.0045);
    assert!((bar - 0.2).abs() < 0.002, "{bar} kg");
    let apart = |at: &[Vec3]| at[at.len() - 1].x - at[0].x;
    let strain = apart(&simulation.state.cloth.positions) / apart(rest) - 1.0;
    assert!((strain - 0.005).abs() < 1e-9, "{strain}");
    let [off, way] = off_the_mark(&scene, 1.0);
    assert!(off < 0.025 * way && way > 0.003, "{off} m after {way} m");
    let mut softer = scene;
    softer.set("shear_stiffness", "40").expect("in range");
    let [off, more] = off_the_mark(&softer, 1.0);
    assert!(off < 0.025 * more && more > 1.4 * way, "{off} m after {more} m");
}

#[test]
fn a_sheet_falls_in_air_at_its_terminal_velocity_and_freely_in_a_vacuum() {
    let (scene, mut simulation) = load("test-sheet-in-air");
    let [off, way] = off_the_mark(&scene, 1.5);
    assert!(off < 0.005 * way && way > 0.9, "{off} m after {way} m");
    let lane = scene.in_lane(&scene.all_lanes()[1]).expect("it comes with the program");
    let [off, way] = off_the_mark(&lane, 0.4);
    assert!(off < 0.03 * way && way > 0.75, "{off} m after {way} m");
    while simulation.time() < 1.0 {
        simulation.step().expect("stable");
    }
    let velocity = -simulation.state.cloth.velocities[0].y;
    let terminal = simulation.parameters.air.terminal_velocity(0.03, 9.8);
    assert!((velocity / terminal - 1.0).abs() < 1e-3, "{velocity} m/s, not {terminal}");
    while simulation.time() < 2.5 {
        simulation.step().expect("stable");
    }
    let [low, high] = extent(&simulation.state.cloth.positions, Vec3::Y);
    assert!((0.0..0.01).contains(&low) && high - low < 1e-3, "from {low} to {high} m");
}

/// Least and largest coordinate along an axis [m].
fn extent(places: &[Vec3], axis: Vec3) -> [Real; 2] {
    let along = || places.iter().map(|x| x.dot(axis));
    [along().fold(Real::INFINITY, Real::min), along().fold(Real::NEG_INFINITY, Real::max)]
}

/// The time in which the swing of a strip that hangs from its upper edge halves [s]: between the
/// largest deflections of two half swings as if it fell exponentially.
fn half_life(scene: &Scene) -> Real {
    let mut simulation = scene.build().expect("good");
    let start = &simulation.state.cloth;
    let clamp = start.positions[start.pins()[0].vertex as usize].z;
    let aside = |simulation: &Simulation| simulation.state.cloth.centroid().z - clamp;
    let first = aside(&simulation).abs();
    let (mut last, mut present, mut side) = ((0.0, first), (0.0, first), aside(&simulation).signum());
    while simulation.time() < 5.0 {
        simulation.step().expect("stable");
        let (time, deflection) = (simulation.time(), aside(&simulation));
        if deflection * side < 0.0 {
            if present.1 <= 0.5 * first {
                return last.0 + (present.0 - last.0) * (last.1 / first * 2.0).ln() / (last.1 / present.1).ln();
            }
            (last, present, side) = (present, (time, 0.0), -side);
        }
        if deflection.abs() > present.1 {
            present = (time, deflection.abs());
        }
    }
    panic!("the swing of {} does not halve within 5 s", scene.name)
}

#[test]
fn the_swing_of_a_strip_halves_as_in_the_laboratory_and_later_in_a_vacuum() {
    let (scene, simulation) = load("test-swing");
    let places = &simulation.state.cloth.positions;
    let (top, tip) = (places[0], places[places.len() - 6]);
    let hung = if top.y > tip.y { tip - top } else { top - tip };
    assert!((hung.length() - 0.2).abs() < 1e-9 && (hung.z.abs() / -hung.y - 10.0_f64.to_radians().tan()).abs() < 1e-9);
    let in_air = half_life(&scene);
    let id = id_of::<ImplicitEuler>();
    let figure = TextileTest::Decay.measure(&Specimen::new(&scene.parameters, id)).expect("steps").expect("it halves");
    assert!((in_air / figure.value - 1.0).abs() < 0.06, "{in_air} s, in the laboratory {} s", figure.value);
    assert!((in_air - 0.5).abs() < 0.05, "{in_air} s");
    let lane = scene.in_lane(&scene.all_lanes()[1]).expect("it comes with the program");
    let in_vacuum = half_life(&lane);
    assert!(in_vacuum > 1.2 * in_air, "{in_vacuum} s, in air {in_air} s");
}
