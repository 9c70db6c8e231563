//! What a mesh file has comes back in an export: numbers of vertices, texture coordinates, groups,
//! materials, faces.

use std::collections::BTreeSet;

use weft::documents::write_obj;
use weft::scene::{Scene, Snapshot};
use weft::sim::{Simulation, Vec3};

use crate::export::surface;

/// The lines of an OBJ text that begin with `keyword`, as words.
fn lines<'a>(text: &'a str, keyword: &str) -> Vec<Vec<&'a str>> {
    let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    words.filter(|words| words.first() == Some(&keyword)).map(|words| words[1..].to_vec()).collect()
}

fn numbers(text: &str, keyword: &str) -> Vec<Vec<f64>> {
    lines(text, keyword).iter().map(|line| line.iter().map(|word| word.parse().expect("a number")).collect()).collect()
}

/// The pairs of vertex and texture coordinates at the corners of all faces, each once.
fn corners(text: &str) -> BTreeSet<(u32, u32)> {
    let pair = |word: &str| {
        let mut indices = word.split('/').map(|index| index.parse().expect("an index"));
        (indices.next().expect("a vertex"), indices.next().expect("texture coordinates"))
    };
    lines(text, "f").into_iter().flatten().map(pair).collect()
}

fn obj(scene: &Scene, simulation: &Simulation) -> String {
    let mut file = Vec::new();
    write_obj(&surface(scene, simulation), 0.0, &simulation.state.cloth.positions, &mut file).expect("memory");
    String::from_utf8(file).expect("UTF-8")
}

#[test]
fn what_is_imported_is_exported_with_its_numbers_texture_coordinates_and_groups() {
    let file = "tests/data/import/panel.obj";
    let original = std::fs::read_to_string(file).expect("it is there");
    let text = format!("(mesh: (file: {file:?}), pins: none, pinned: [0, 1, 2, 3, 4, 5, 6])");
    let scene = Scene::parse(&text, "panel.ron").expect("good");
    let simulation = scene.build().expect("good");
    let exported = obj(&scene, &simulation);
    assert_eq!(numbers(&exported, "v"), numbers(&original, "v"));
    assert_eq!(numbers(&exported, "vt"), numbers(&original, "vt"));
    assert_eq!(corners(&exported), corners(&original));
    assert_eq!(lines(&exported, "g"), [["panel"]]);
    // the first row of the file is what is pinned
    let top: Vec<Vec3> = simulation.state.cloth.pins().iter().map(|pin| pin.origin).collect();
    assert_eq!(top.len(), 7);
    assert!(top.iter().all(|x| x.y == 1.5), "{top:?}");
    // the same after a snapshot
    let snapshot = Snapshot::parse(&Snapshot::of(&scene, &simulation).to_json(), "a.json").expect("a snapshot");
    let (scene, simulation) = snapshot.restore().expect("restored");
    assert_eq!(obj(&scene, &simulation), exported);
    // and one whose attributes do not fit together is refused
    let text = Snapshot::of(&scene, &simulation).to_json();
    for (found, broken, expected) in [
        ("\"corners\":[[33,", "\"corners\":[[42,", "attributes.corners names 42, but texture has 42 entries"),
        ("\"corners\":[[33,40,41],", "\"corners\":[", "attributes need corners, group, material and face for each of"),
        ("\"groups\":[\"\",\"panel\"]", "\"groups\":[\"panel\"]", "attributes.group names 1, but there are 1 groups"),
    ] {
        let broken = text.replacen(found, broken, 1);
        assert_ne!(broken, text, "{found}");
        let error = Snapshot::parse(&broken, "a.json").expect_err("it does not fit").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_seam_keeps_the_texture_coordinates_of_both_sides_also_where_it_is_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("seam.obj");
    let text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\n\
                vt 0 0\nvt 0.4 0\nvt 0.6 0\nvt 1 0\nvt 0 1\nvt 0.4 1\nvt 0.6 1\nvt 1 1\n\
                g left\nf 1/1 2/2 5/6 4/5\ng right\nf 2/3 3/4 6/8 5/7\n";
    std::fs::write(&path, text).expect("written");
    let mut scene = Scene::load("mesh").expect("it comes with the program");
    scene.set("mesh", &path.to_string_lossy()).expect("a path");
    let mut simulation = scene.build().expect("good");
    let whole = obj(&scene, &simulation);
    assert_eq!((numbers(&whole, "vt"), corners(&whole)), (numbers(text, "vt"), corners(text)));
    assert_eq!(lines(&whole, "g"), [["left"], ["right"]]);
    assert!(simulation.cut(&[[1, 4]]) > 0, "it is cut along the seam");
    let open = obj(&scene, &simulation);
    assert_eq!(numbers(&open, "vt"), numbers(text, "vt"));
    let texture = |text: &str| {
        lines(text, "f").into_iter().flatten().map(|word| word.split('/').nth(1).map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(texture(&open), texture(&whole));
    assert_eq!(lines(&open, "v").len(), 8);
}

#[test]
fn a_piece_with_texture_coordinates_stands_beside_one_without() {
    let text = "(pins: none, grid: (columns: 3, rows: 2), pieces: [(mesh: (file: \"tests/data/import/panel.obj\"))])";
    let scene = Scene::parse(text, "a.ron").expect("good");
    let simulation = scene.build().expect("good");
    let exported = obj(&scene, &simulation);
    let (own, all) = (42, 48);
    assert_eq!(lines(&exported, "vt").len(), own + all);
    let of_grid: Vec<(u32, u32)> = corners(&exported).into_iter().filter(|(vertex, _)| *vertex <= 6).collect();
    assert!(of_grid.iter().all(|(vertex, texture)| *texture == vertex + own as u32), "{of_grid:?}");
    let original = std::fs::read_to_string("tests/data/import/panel.obj").expect("it is there");
    let of_mesh = corners(&exported).into_iter().filter(|(vertex, _)| *vertex > 6);
    assert_eq!(of_mesh.map(|(vertex, texture)| (vertex - 6, texture)).collect::<BTreeSet<_>>(), corners(&original));
}

#[test]
fn faces_names_with_a_hash_and_materials_come_back_and_torn_faces_as_triangles() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("panels.obj");
    let text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nv 2.5 0.5 0\n\
                g Panel #1\nusemtl cotton\nf 1 2 5 4\ng Panel #2\nusemtl denim #2\nf 2 3 7 6 5\n";
    std::fs::write(&path, text).expect("written");
    let mut scene = Scene::load("mesh").expect("it comes with the program");
    scene.set("mesh", &path.to_string_lossy()).expect("a path");
    let mut simulation = scene.build().expect("good");
    let whole = obj(&scene, &simulation);
    let said: Vec<&str> = whole.lines().filter(|line| line.starts_with(['g', 'u', 'f'])).collect();
    let corners = |line: &str| {
        let words = line.split_whitespace().skip(1);
        words.map(|word| word.split('/').next().expect("a vertex").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!([said[0], said[1], said[3], said[4]], ["g Panel #1", "usemtl cotton", "g Panel #2", "usemtl denim #2"]);
    assert_eq!(corners(said[2]), ["1", "2", "5", "4"]);
    let mut five = corners(said[5]);
    let start = five.iter().position(|corner| corner == "2").expect("it is one");
    five.rotate_left(start);
    assert_eq!((said.len(), five), (6, ["2", "3", "7", "6", "5"].map(str::to_owned).to_vec()));
    // the same after a snapshot
    let snapshot = Snapshot::parse(&Snapshot::of(&scene, &simulation).to_json(), "a.json").expect("a snapshot");
    let (again, restored) = snapshot.restore().expect("restored");
    assert_eq!(obj(&again, &restored), whole);
    // cut across the five corners
    assert!(simulation.cut(&[[1, 6], [4, 6], [1, 5], [2, 5], [2, 4]]) > 0);
    let torn = obj(&scene, &simulation);
    let counts: Vec<usize> = lines(&torn, "f").iter().map(Vec::len).collect();
    assert!(counts.contains(&4) && counts.contains(&3) && !counts.contains(&5), "{counts:?}");
}
