//! Examples of deformed shapes in scenes.

use weft::scene::Scene;
use weft::sim::Vec3;

fn build(text: &str) -> Result<weft::sim::Simulation, String> {
    let scene = Scene::parse(text, "test.ron").map_err(|error| error.to_string())?;
    scene.build().map_err(|error| error.to_string())
}

fn write(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("weft-examples-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path.display().to_string()
}

#[test]
fn a_bar_is_bent_twisted_and_stretched_as_its_examples_say() {
    let text = "(pins: none, body: Bar(size: (0.2, 1.0, 0.2), cells: (2, 10, 2)), rotation: (0.4, 1, 0.3),
        examples: [Bend(turns: 0.25), Twist(turns: 0.5), Stretch(factor: 2)])";
    let simulation = build(text).expect("a scene");
    let (pattern, rest) = (simulation.pattern(), simulation.pattern().rest_positions());
    let axis = weft::sim::Quat::from_scaled_axis(Vec3::new(0.4, 1.0, 0.3)) * Vec3::Y;
    let middle = rest.iter().sum::<Vec3>() / rest.len() as f64;
    let ends = |x: &[Vec3]| {
        let end = |sign: f64| {
            let of: Vec<Vec3> =
                (0..x.len()).filter(|i| (rest[*i] - middle).dot(axis) * sign > 0.45).map(|i| x[i]).collect();
            assert_eq!(of.len(), 9);
            of.iter().sum::<Vec3>() / 9.0
        };
        end(-1.0).distance(end(1.0))
    };
    let [bent, twisted, stretched] = pattern.examples() else { panic!("three examples") };
    assert!(ends(bent) < 0.97 * ends(rest) && (ends(twisted) - ends(rest)).abs() < 1e-9);
    assert!((ends(stretched) - 2.0 * ends(rest)).abs() < 1e-9);
}

#[test]
fn an_example_from_a_file_may_number_its_vertices_otherwise_but_has_the_same_triangles() {
    let cloth = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n";
    let bent = "v 0 0.5 1\nv 1 0 1\nv 1 0.5 0\nv 0 0 0\nf 4 3 2\nf 4 2 1\n";
    let (cloth, bent) = (write("cloth.obj", cloth), write("bent.obj", bent));
    let scene = |example: &str| format!("(mesh: (file: {cloth:?}), examples: [File(file: {example:?})])");
    let simulation = build(&scene(&bent)).expect("a scene");
    let [example] = simulation.pattern().examples() else { panic!("one example") };
    for (rest, at) in simulation.pattern().rest_positions().iter().zip(example) {
        let expected = Vec3::new(rest.x, if (rest.x + rest.z) == 1.0 { 0.5 } else { 0.0 }, rest.z);
        assert_eq!(*at, expected);
    }
    let fewer = write("fewer.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nf 1 2 3\n");
    let error = build(&scene(&fewer)).err().expect("another topology");
    assert!(error.contains("fewer.obj: is of another topology: it has 1 triangles, and the cloth has 2"), "{error}");
    let apart = write("apart.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 9 9 9\nf 1 2 3\nf 5 3 4\n");
    let error = build(&scene(&apart)).err().expect("another topology");
    assert!(
        error.contains("apart.obj: is of another topology: vertex 0 of the piece would be two vertices"),
        "{error}"
    );
    let error = build(&scene("nowhere.obj")).err().expect("no file");
    assert!(error.contains("nowhere.obj: the mesh cannot be read"), "{error}");
}

#[test]
fn an_example_that_turns_something_inside_out_or_is_one_too_many_is_refused() {
    let bar = "body: Bar(size: (1, 0.2, 0.2), cells: (10, 2, 2))";
    for (examples, expected) in [
        ("[Bend(turns: 2)]", "example 1 turns the tetrahedron of the vertices"),
        ("[Bend(turns: 0.2), Stretch(factor: 0)]", "example 2: factor needs a number from 0.05 to 20"),
        (
            "[Twist(turns: 1), Twist(turns: 1), Twist(turns: 1), Twist(turns: 1), Twist(turns: 1)]",
            "there may be 4 examples, not 5",
        ),
        ("[Twist(turns: 99)]", "example 1: turns needs a number from -20 to 20"),
    ] {
        let error = build(&format!("({bar}, examples: {examples})")).err().expect(examples);
        assert!(error.contains(expected) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn a_scene_with_examples_is_saved_and_resumed_to_the_bit() {
    for global in [false, true] {
        let text = format!(
            "(pins: left_edge, body: Bar(size: (0.8, 0.1, 0.1), cells: (8, 1, 1)), examples: [Bend(turns: 0.3), Twist(turns: 0.3)],
            pieces: [(grid: (columns: 6, rows: 5), position: (0, 2, 0), examples: [Waves(height: 0.02, length: 0.3)])],
            solver: \"projective-dynamics\",
            settings: {{\"body_examples\": true, \"cloth_examples\": true, \"body_examples_global\": {global}}})"
        );
        let scene = Scene::parse(&text, "test.ron").expect("a scene");
        let mut simulation = scene.build().expect("it fits together");
        (0..3).for_each(|_| assert!(simulation.step().is_ok()));
        let text = weft::scene::Snapshot::of(&scene, &simulation).to_json();
        let snapshot = weft::scene::Snapshot::parse(&text, "snapshot").expect("a snapshot");
        let (_, mut resumed) = snapshot.restore().expect("restored");
        assert_eq!(resumed.pattern(), simulation.pattern());
        for _ in 0..4 {
            simulation.step().expect("stable");
            resumed.step().expect("stable");
            assert_eq!(resumed.state.cloth, simulation.state.cloth);
        }
    }
}
