//! Surfaces embedded in bodies: where they are, what carries them, and what they leave alone.

use weft::scene::{Scene, Snapshot, embedded, import_obj};
use weft::sim::{Mat3, Simulation, Vec3};

/// A cage of a car with the car in it and a ball with a bar of its own, turned and placed.
const CARS: &str = "(pins: none, position: (0.3, 1.5, -0.2), rotation: (0.4, 0.9, -0.3),
    body: Filled(file: \"assets/meshes/car-cage.obj\", cell: 0.13), SURFACE
    pieces: [(grid: (columns: 4, rows: 3), position: (0, 3, 0)),
             (body: Bar(size: (1.0, 0.4, 0.5), cells: (3, 2, 2)), SURFACE position: (0, 0.7, 0))],
    solver: \"projective-dynamics\", settings: {\"tetrahedral_strain\": true, \"springs\": false})";

fn cars(with_surface: bool) -> (Scene, Simulation) {
    let surface = if with_surface { "surface: (file: \"assets/meshes/car.obj\")," } else { "" };
    let scene = Scene::parse(&CARS.replace("SURFACE", surface), "test.ron").expect("a scene");
    let simulation = scene.build().expect("it fits together");
    (scene, simulation)
}

fn carried(simulation: &Simulation, positions: &[Vec3]) -> Vec<Vec3> {
    simulation.pattern().embedded().carry(positions).collect()
}

#[test]
fn an_embedded_surface_is_that_of_its_file_where_the_body_is_at_rest() {
    let (_, simulation) = cars(true);
    let text = embedded("assets/meshes/car.obj").expect("it comes with the program");
    let file = import_obj(&text, "car.obj", 1e-6).expect("a mesh");
    let surface = carried(&simulation, simulation.pattern().rest_positions());
    assert_eq!(surface.len(), 2 * file.positions.len());
    // turned and moved as a rigid body, the first; moved to the middle of the bar, the second
    for car in surface.chunks(file.positions.len()) {
        for (i, x) in car.iter().enumerate() {
            let other = (7 * i + 3) % car.len();
            let [here, there] = [x.distance(car[other]), file.positions[i].distance(file.positions[other])];
            assert!((here - there).abs() < 1e-12, "{i}: {here} m, in the file {there} m");
        }
    }
    let middle = |points: &[Vec3]| {
        let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        low.midpoint(points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max))
    };
    let second = middle(&surface[file.positions.len()..]);
    assert!(second.distance(Vec3::new(0.0, 0.7, 0.0)) < 1e-12, "{second}");
    // the triangles of both, in order
    let triangles = simulation.pattern().embedded().triangles();
    let count = file.positions.len() as u32;
    let twice = [0, count].into_iter().flat_map(|first| file.triangles.iter().map(move |t| t.map(|v| first + v)));
    assert!(triangles.iter().copied().eq(twice));
    // each carried by a tetrahedron of its own body, around it or near
    let pieces = simulation.pattern().piece_of_vertices();
    for (at, (corners, weights)) in
        simulation.pattern().embedded().carriers().iter().zip(simulation.pattern().embedded().weights()).enumerate()
    {
        let of = if at < file.positions.len() { 0 } else { 2 };
        assert!(corners.iter().all(|&vertex| pieces[vertex as usize] == of), "{at}: {corners:?}");
        assert!(weights.iter().all(|weight| *weight > -0.5), "{at}: {weights:?}");
    }
}

#[test]
fn an_affine_map_of_a_body_carries_its_surface_by_the_same_map() {
    let (_, simulation) = cars(true);
    let map = Mat3::from_cols(Vec3::new(1.3, 0.2, -0.4), Vec3::new(-0.1, 0.6, 0.5), Vec3::new(0.3, -0.7, 1.1));
    let mapped = |points: &[Vec3]| points.iter().map(|x| map * *x + Vec3::new(4.0, -2.0, 1.0)).collect::<Vec<_>>();
    let rest = simulation.pattern().rest_positions();
    let expected = mapped(&carried(&simulation, rest));
    let found = carried(&simulation, &mapped(rest));
    let apart = expected.iter().zip(&found).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(!found.is_empty() && apart < 1e-12, "{apart} m");
}

#[test]
fn a_body_moves_to_the_bit_as_without_its_surface_and_a_snapshot_keeps_it() {
    let ((scene, mut with), (_, mut without)) = (cars(true), cars(false));
    assert!(without.pattern().embedded().is_empty());
    for _ in 0..5 {
        with.step().expect("stable");
        without.step().expect("stable");
    }
    assert_eq!(with.state.cloth, without.state.cloth);
    let text = Snapshot::of(&scene, &with).to_json();
    let (_, resumed) = Snapshot::parse(&text, "snapshot").and_then(|snapshot| snapshot.restore()).expect("restored");
    assert_eq!(resumed.pattern(), with.pattern());
    assert_ne!(resumed.pattern(), without.pattern());
    let refused = |broken: String| Snapshot::parse(&broken, "snapshot").expect_err("broken").to_string();
    let (before, after) = text.split_once("\"carriers\":[[").expect("a surface");
    let (_, after) = after.split_once(',').expect("four vertices");
    let far = refused(format!("{before}\"carriers\":[[9999,{after}"));
    assert!(far.contains("surface.carriers names vertex 9999, but the whole cloth has only 280"), "{far}");
    let short = refused(text.replacen("\"carriers\":[[", "\"carriers\":[[0,1,2,3],[", 1));
    assert!(short.contains("surface.weights has 392 entries where 393 are needed"), "{short}");
}

#[test]
fn a_surface_without_a_body_is_refused() {
    let text = "(surface: (file: \"assets/meshes/car.obj\"))";
    let error = Scene::parse(text, "test.ron").map(drop).expect_err("no body").to_string();
    assert!(error.contains("a surface needs a body") && !error.contains('\n'), "{error}");
}
