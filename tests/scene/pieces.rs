//! Several cloths in one scene, and what holds and moves them.

use weft::scene::{Scene, Snapshot};
use weft::sim::{Real, Simulation, Vec3};

fn advance(simulation: &mut Simulation, steps: usize) {
    (0..steps).for_each(|_| assert!(simulation.step().is_ok_and(|stats| stats.substeps > 0)));
}

fn scene(text: &str) -> Scene {
    Scene::parse(text, "test.ron").expect("a scene")
}

const TWO: &str = r#"(
    grid: (columns: 4, rows: 3), pins: none, position: (0, 1, 0),
    pieces: [
        (grid: (columns: 5, rows: 2, width: 0.4, height: 0.2), position: (0, 2, 0), rotation: (0, 0, 1.5707963267948966),
         colour: (0.2, 0.3, 0.6), pins: left_edge),
        (grid: (columns: 3, rows: 3), position: (0, 3, 0), pinned: [4],
         handles: [(pins: right_edge, turn: (axis: (0, 1, 0), turns: [(0, 0), (2, 1)]))]),
    ],
    solver: "fast-mass-spring",
)"#;

#[test]
fn a_scene_has_several_cloths_each_with_its_place_rotation_and_pins() {
    let simulation = scene(TWO).build().expect("good");
    let pattern = simulation.pattern();
    assert_eq!(pattern.len(), 12 + 10 + 9);
    assert_eq!(pattern.pieces(), [0, 12, 22]);
    let of = pattern.piece_of_vertices();
    for [i, j] in &pattern.springs().ends {
        assert_eq!(of[*i as usize], of[*j as usize], "a spring joins two cloths");
    }
    let middle = |range: std::ops::Range<usize>| -> Vec3 {
        let count = range.len() as Real;
        simulation.state.cloth.positions[range].iter().copied().sum::<Vec3>() / count
    };
    assert!(middle(0..12).distance(Vec3::new(0.0, 1.0, 0.0)) < 1e-12);
    assert!(middle(12..22).distance(Vec3::new(0.0, 2.0, 0.0)) < 1e-12);
    // turned by a quarter about z, its width lies along y
    let piece = &simulation.state.cloth.positions[12..22];
    assert!(piece.iter().all(|x| x.x.abs() < 1e-12) && (piece[4] - piece[0]).distance(Vec3::Y * 0.4) < 1e-12);
    let pins: Vec<u32> = simulation.state.cloth.pins().iter().map(|pin| pin.vertex).collect();
    assert_eq!(pins, [12, 17, 24, 26, 27, 30]);
}

#[test]
fn a_handle_turns_about_the_middle_of_what_it_holds() {
    let mut simulation = scene(TWO).build().expect("good");
    let edge = [24, 27, 30];
    let before = edge.map(|vertex| simulation.state.cloth.positions[vertex as usize]);
    simulation.parameters.timing.time_step = 0.01;
    advance(&mut simulation, 100);
    // half a turn after a second: the ends have changed places
    let after = edge.map(|vertex| simulation.state.cloth.positions[vertex as usize]);
    assert!(after[0].distance(before[2]) < 1e-9 && after[2].distance(before[0]) < 1e-9);
    assert!(after[1].distance(before[1]) < 1e-9);
}

#[test]
fn a_snapshot_keeps_the_pieces_and_the_turns() {
    let scene = scene(TWO);
    let mut whole = scene.build().expect("good");
    advance(&mut whole, 7);
    let text = Snapshot::of(&scene, &whole).to_json();
    let (_, mut resumed) = Snapshot::parse(&text, "test.json").and_then(|snapshot| snapshot.restore()).expect("good");
    assert_eq!(resumed.pattern().pieces(), whole.pattern().pieces());
    advance(&mut whole, 7);
    advance(&mut resumed, 7);
    assert_eq!(whole.state.cloth, resumed.state.cloth);
}

#[test]
fn a_torn_cloth_knows_its_pieces() {
    let mut simulation = scene(TWO).build().expect("good");
    // vertex 5 of the first cloth is inside; opened along a line through it the cloth falls apart there
    assert!(simulation.cut(&[[1, 5], [5, 9]]) > 0);
    let of = simulation.pattern().piece_of_vertices();
    assert!(of.len() > 31 && of[31..].iter().all(|&piece| piece == 0));
    assert_eq!(simulation.pattern().pieces(), [0, 12, 22]);
}

#[test]
fn a_recorded_path_is_followed_from_where_its_handle_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wave.csv");
    std::fs::write(&path, "time, x, y, z\n0, 5, 5, 5\n1, 5.1, 5, 5\n# a pause\n2, 5.1, 5, 5\n").expect("written");
    let file = folder.path().join("wave.ron");
    let text = r#"(grid: (columns: 3, rows: 3), pins: none, handles: [(pins: two, recorded: "wave.csv")])"#;
    std::fs::write(&file, text).expect("written");
    // looked for beside the scene
    let scene = Scene::load(&file.to_string_lossy()).expect("a scene");
    let mut simulation = scene.build().expect("good");
    let before = simulation.state.cloth.positions[0];
    simulation.parameters.timing.time_step = 0.5;
    advance(&mut simulation, 1);
    assert!(simulation.state.cloth.positions[0].distance(before + Vec3::X * 0.05) < 1e-12);
}

#[test]
fn what_is_wrong_with_a_piece_is_said_with_its_number_and_place() {
    let fault = |text: &str| Scene::parse(text, "test.ron").expect_err("refused").to_string();
    let said = fault("(\n  pieces: [(), (grid: (columns: 1))],\n)");
    assert!(said.contains("test.ron, line 2") && said.contains("cloth 3") && said.contains("columns"), "{said}");
    let said = fault("(pieces: [(colour: (2, 0, 0))])");
    assert!(said.contains("cloth 2") && said.contains("from 0 to 1"), "{said}");
    let said = fault("(handles: [(pins: two)])");
    assert!(said.contains("needs a path"), "{said}");
    let said = fault("(pieces: [(colr: (1, 0, 0))])");
    assert!(said.contains("colr") && said.contains("colour"), "{said}");
    for turned in ["(inf, 0, 0)", "(0, NaN, 0)", "(-1e300, 0, 0)"] {
        let said = fault(&format!("(rotation: {turned})"));
        assert!(said.contains("rotation needs three numbers from -1000 to 1000"), "{said}");
    }
}

#[test]
fn a_broken_recorded_path_is_refused_with_file_line_and_mend() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.csv");
    let mut scene = scene("(handles: [(pins: two, recorded: \"bad.csv\")])");
    scene.first.handles[0].recorded = Some(path.to_string_lossy().into_owned());
    for (text, wanted) in [
        ("0, 0, 0, 0\n1, 2, three, 4\n", "line 2"),
        ("0, 0, 0\n", "four numbers"),
        ("", "no row"),
        ("1, 0, 0, 0\n0, 0, 0, 0\n", "must rise"),
        ("# a path\n0, 0, 0, 0\n1, inf, 0, 0\n", "line 3: \"inf\" is no finite number"),
        ("0,0,0,0\n0.5,1,0,0\n0.5,2,0,0\n", "line 3: time 0.5 s is there twice"),
        ("1,0,0,0\n0,0,0,0\n", "line 2: times must rise, but 0 s follows 1 s; sort"),
        (
            "0 0 0 0\n1 0 0 0\n",
            "line 1: a recorded path needs rows of four numbers: time, x, y, z; separate them by commas",
        ),
        ("0,0,,0,\n", "line 1: a recorded path needs rows of four"),
    ] {
        std::fs::write(&path, text).expect("written");
        let said = scene.build().err().expect("refused").to_string();
        assert!(said.contains("bad.csv") && said.contains(wanted), "{text:?}: {said}");
    }
    std::fs::remove_file(&path).expect("removed");
    let said = scene.build().err().expect("refused").to_string();
    assert!(said.contains("bad.csv") && said.contains("cannot be read"), "{said}");
}

#[test]
fn rows_that_are_there_twice_and_empty_cells_at_their_end_are_harmless_in_a_recorded_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("path.csv");
    let mut scene = scene("(grid: (columns: 3, rows: 3), pins: none, handles: [(pins: two, recorded: \"path.csv\")])");
    scene.first.handles[0].recorded = Some(path.to_string_lossy().into_owned());
    let motion = |text: &str| {
        std::fs::write(&path, text).expect("written");
        let simulation = scene.build().unwrap_or_else(|error| panic!("{text:?}: {error}"));
        simulation.state.cloth.pins()[0].motion.clone()
    };
    let plain = motion("0,0,0,0\n0.5,0.1,0,0\n1,0.2,0,0\n");
    for text in [
        "0,0,0,0\n0.5,0.1,0,0\n0.5,0.1,0,0\n1,0.2,0,0\n1,0.2,0,0\n",
        "time,x,y,z,\n0,0,0,0,\n0.5,0.1,0,0,\n1,0.2,0,0,\n,,,,\n",
        "0\t0\t0\t0\t\n0.5\t0.1\t0\t0\t\n1\t0.2\t0\t0\t\n",
    ] {
        assert_eq!(motion(text), plain, "{text:?}");
    }
}
#[test]
fn a_fold_mirrors_what_lies_beyond_its_plane_and_leaves_the_rest_shape() {
    let text = "(grid: (columns: 7, rows: 5, width: 1.2, height: 0.8, plane: front), position: (0.5, 2, -1),
        rotation: (0.3, -0.8, 0.5), folded: (normal: (2, 0, 0), at: 0.2))";
    let folded = Scene::parse(text, "test.ron").and_then(|scene| scene.build()).expect("good");
    let flat = Scene::parse(&text.replace(", folded: (normal: (2, 0, 0), at: 0.2)", ""), "test.ron")
        .and_then(|scene| scene.build())
        .expect("good");
    assert_eq!(folded.pattern(), flat.pattern());
    let (x, rest) = (&folded.state.cloth.positions, &flat.state.cloth.positions);
    for row in 0..5 {
        for column in 0..7 {
            // columns at -0.6, -0.4 … 0.6 m: those beyond 0.2 m take the places of others
            let place = 7 * row + if column > 4 { 8 - column } else { column };
            assert!(x[7 * row + column].distance(rest[place]) < 1e-12, "row {row}, column {column}");
        }
    }
    for wrong in ["normal: (0, 0, 0)", "normal: (1, 0, 0), at: inf"] {
        let error = Scene::parse(&format!("(folded: ({wrong}))"), "test.ron").map(drop).expect_err(wrong).to_string();
        assert!(error.contains("folded needs a normal"), "{error}");
    }
}
