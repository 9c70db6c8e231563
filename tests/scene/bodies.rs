//! Bodies of tetrahedra in scenes: from files, filled into surfaces, and made by a few numbers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use weft::scene::{ImportedBody, Scene, Snapshot, import_body};
use weft::sim::pattern::signed_volume;
use weft::sim::{Pattern, Vec3};

/// Two tetrahedra with a face in common, as Medit has them.
pub const MEDIT: &str = include_str!("../data/bodies/two.mesh");
/// The same in version 2 of Gmsh, with numbers that leave some out.
const GMSH_2: &str = include_str!("../data/bodies/two-2.msh");
/// The same in version 4.1.
const GMSH_41: &str = include_str!("../data/bodies/two-4.1.msh");
/// The same in version 4.0.
const GMSH_40: &str = include_str!("../data/bodies/two-4.0.msh");

const FILES: [(&str, &str); 4] = [("a.mesh", MEDIT), ("a.msh", GMSH_2), ("b.msh", GMSH_41), ("c.MSH", GMSH_40)];

pub fn refused(text: &str, file: &str) -> String {
    import_body(text, file).expect_err("a broken file").to_string()
}

pub fn volume(body: &ImportedBody) -> f64 {
    body.tetrahedra.iter().map(|corners| signed_volume(corners.map(|at| body.positions[at as usize]))).sum()
}

#[test]
fn the_same_body_is_read_from_every_format() {
    for (file, text) in FILES {
        let body = import_body(text, file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((body.positions.len(), body.tetrahedra.len(), body.turned), (5, 2, 0), "{file}");
        assert!((volume(&body) - 0.5).abs() < 1e-15, "{file}: {}", volume(&body));
        assert_eq!(body.positions[4], Vec3::ONE, "{file}");
    }
}

#[test]
fn a_tetrahedron_numbered_the_other_way_round_is_turned_and_unused_vertices_go() {
    let text = MEDIT.replace("1 2 3 4 0", "1 3 2 4 0").replace("Vertices\n5\n", "Vertices\n6\n9 9 9 0\n");
    let text = text.replace("2 3 4 5 0", "3 4 5 6 0").replace("1 3 2 4 0", "2 4 3 5 0");
    let body = import_body(&text, "a.mesh").expect("a good body");
    assert_eq!((body.positions.len(), body.turned), (5, 1));
    assert!((volume(&body) - 0.5).abs() < 1e-15);
}

#[test]
fn a_file_that_ends_anywhere_is_refused_with_the_line_or_is_whole() {
    for (file, text) in FILES {
        let whole = import_body(text, file).expect("a good body");
        let lines: Vec<&str> = text.lines().collect();
        let mut refusals = 0;
        for count in 0..lines.len() {
            match import_body(&lines[..count].join("\n"), file) {
                // what follows the tetrahedra may be missing from a Medit file
                Ok(body) => assert_eq!(body, whole, "{file}, {count} lines"),
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.starts_with(file) && !error.contains('\n'), "{error}");
                    refusals += 1;
                }
            }
        }
        assert!(refusals + 2 >= lines.len(), "{file}");
    }
    let cut = MEDIT.split("1 2 3 4 0").next().expect("the part before");
    assert_eq!(
        refused(cut, "a.mesh"),
        "a.mesh, line 16: the file ends where a vertex of a tetrahedron should follow; it is cut short"
    );
}

#[test]
fn what_is_wrong_with_a_body_is_said_with_its_line() {
    let flat = MEDIT.replace("0 0 1 0", "1 1 0 0");
    assert_eq!(
        refused(&flat, "a.mesh"),
        "a.mesh, line 17: the tetrahedron 1 2 3 4 has no volume; take it out or move a vertex"
    );
    let twice = MEDIT.replace("2 3 4 5 0", "4 3 1 2 0");
    assert_eq!(
        refused(&twice, "a.mesh"),
        "a.mesh, line 18: the tetrahedron 4 3 2 1 is in line 17 already; take one of them out"
    );
    let unknown = MEDIT.replace("2 3 4 5 0", "2 3 4 6 0");
    assert_eq!(
        refused(&unknown, "a.mesh"),
        "a.mesh, line 18: the tetrahedron uses vertex 6, but there are 5 before it"
    );
    let repeated = MEDIT.replace("2 3 4 5 0", "2 3 4 4 0");
    assert!(refused(&repeated, "a.mesh").contains("line 18: the tetrahedron 2 3 4 4 has no volume"));
    // a third tetrahedron at a face
    let third = MEDIT.replace("Vertices\n5\n", "Vertices\n6\n").replace("1 1 1 0\n", "1 1 1 0\n2 1 1 0\n");
    let third = third.replace("Tetrahedra\n2\n", "Tetrahedra\n3\n").replace("2 3 4 5 0", "2 3 4 5 0\n2 3 4 6 0");
    assert!(
        refused(&third, "a.mesh")
            .contains("line 20: the face 2 3 4 is one of three tetrahedra, with those of lines 18 and 19")
    );
    // two tetrahedra that share an edge, and two that share a vertex
    let meet = |second: &str| {
        let more =
            MEDIT.replace("Vertices\n5\n", "Vertices\n7\n").replace("1 1 1 0\n", "1 -1 -3 0\n-1 -1 -1 0\n-1 0 -1 0\n");
        refused(&more.replace("2 3 4 5 0", second), "a.mesh")
    };
    assert_eq!(
        meet("1 2 5 6 0"),
        "a.mesh, line 19: more than two triangles of the surface meet at the edge 1 2; fill it up or cut it free"
    );
    assert_eq!(
        meet("1 5 6 7 0"),
        "a.mesh, line 19: parts of the surface touch at the vertex 1 alone; give each a vertex of its own"
    );
    for (text, file, expected) in [
        ("", "a.mesh", "the file is empty"),
        ("", "a.msh", "there is no $MeshFormat"),
        ("OFF\n3 1 0\n", "a.mesh", "line 1: not a Medit mesh"),
        (
            "$MeshFormat\n3 0 8\n$EndMeshFormat\n",
            "a.msh",
            "line 2: version \"3\" of the Gmsh format; 2 and 4 can be read",
        ),
        ("$MeshFormat\n2.2 1 8\n", "a.msh", "line 2: a binary file"),
        ("MeshVersionFormatted 1\nDimension 2\n", "a.mesh", "line 2: a mesh of dimension 2"),
        (
            "MeshVersionFormatted 1\nVertices\n1\n0 0 x 0\n",
            "a.mesh",
            "line 4: \"x\" stands where a coordinate of a vertex should",
        ),
        ("MeshVersionFormatted 1\nVertices\n1\n0 0 nan 0\n", "a.mesh", "line 4: a vertex needs three finite numbers"),
        ("MeshVersionFormatted 1\nVertices\n0\nTetrahedra\n0\nEnd\n", "a.mesh", "holds no tetrahedra"),
    ] {
        let error = refused(text, file);
        assert!(error.contains(expected), "{error}");
    }
}

fn scene(text: &str) -> Scene {
    Scene::parse(text, "test.ron").unwrap_or_else(|error| panic!("{error}"))
}

fn body(text: &str) -> Pattern {
    let simulation = scene(&format!("(pins: none, body: {text})")).build().unwrap_or_else(|error| panic!("{error}"));
    simulation.pattern().clone()
}

/// What is wrong with a surface as the border of something, if anything.
fn fault_of_surface(pattern: &Pattern) -> Option<String> {
    let mut sides: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
    for &[a, b, c] in pattern.triangles() {
        for [i, j] in [[a, b], [b, c], [c, a]] {
            sides.entry([i.min(j), i.max(j)]).or_default()[usize::from(i < j)] += 1;
        }
    }
    sides.iter().find(|(_, count)| **count != [1, 1]).map(|(side, count)| format!("{side:?}: {count:?}"))
}

fn filled(pattern: &Pattern) -> f64 {
    let at = |vertex: u32| pattern.rest_positions()[vertex as usize];
    let volumes = pattern.tetrahedra().iter().map(|corners| signed_volume(corners.map(at)));
    volumes.inspect(|volume| assert!(*volume > 0.0)).sum()
}

#[test]
fn made_bodies_have_the_volume_that_their_numbers_say_and_a_closed_surface() {
    for (text, volume, off, least) in [
        ("Bar(size: (0.5, 0.2, 0.3), cells: (5, 2, 3))", 0.03, 1e-12, 150),
        ("Ball(radius: 0.2, cell: 0.05)", 4.0 / 3.0 * std::f64::consts::PI * 0.008, 0.02, 1000),
        ("Ball(radius: 0.2, cell: 0.025)", 4.0 / 3.0 * std::f64::consts::PI * 0.008, 0.006, 10_000),
        // the L has 20 boxes, 2 deep, each of a seventh of the height
        ("Letters(text: \"l\", height: 0.7)", 0.001 * 2.0 * 20.0, 1e-12, 200),
    ] {
        let pattern = body(text);
        let found = filled(&pattern);
        assert!((found - volume).abs() <= off * volume, "{text}: {found} m³, not {volume} m³");
        assert!(pattern.tetrahedra().len() >= least, "{text}: {}", pattern.tetrahedra().len());
        assert_eq!(fault_of_surface(&pattern), None, "{text}");
    }
    for text in ["Hippo(length: 0.8, cell: 0.05)", "Letters(text: \"ABCDEFGHIJKLMNOPQRSTUVWXYZ\", height: 0.7)"] {
        let text = if text.starts_with('L') { "Letters(text: \"QUARTZ GLYPH JOB\", height: 0.7)" } else { text };
        let pattern = body(text);
        assert_eq!(fault_of_surface(&pattern), None, "{text}");
        assert!(filled(&pattern) > 0.0);
    }
}

/// A cube of 1 m as OBJ, with the faces that `keep` leaves.
fn cube(keep: impl Fn(usize) -> bool) -> String {
    let mut text = String::new();
    for corner in 0..8 {
        text += &format!("v {} {} {}\n", corner & 1, corner >> 1 & 1, corner >> 2);
    }
    let faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"];
    for (_, face) in faces.iter().enumerate().filter(|(at, _)| keep(*at)) {
        text += &format!("f {face}\n");
    }
    text
}

fn write(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("weft-bodies-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path
}

#[test]
fn a_surface_is_filled_also_where_it_is_ugly() {
    let whole = cube(|_| true);
    let flipped: String = whole
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(corners) => format!("f {}\n", corners.split(' ').rev().collect::<Vec<_>>().join(" ")),
            None => format!("{line}\n"),
        })
        .collect();
    // another cube that overlaps the first, its faces passing through those
    let overlapping = whole.clone()
        + &whole
            .replace("v 0", "v 0.5")
            .replace("v 1", "v 1.5")
            .replace("f 1 3 4 2", "f 9 11 12 10")
            .replace("f 5 6 8 7", "f 13 14 16 15")
            .replace("f 1 2 6 5", "f 9 10 14 13")
            .replace("f 3 7 8 4", "f 11 15 16 12")
            .replace("f 1 5 7 3", "f 9 13 15 11")
            .replace("f 2 4 8 6", "f 10 12 16 14");
    for (name, text, volume, off) in [
        ("whole.obj", whole.clone(), 1.0, 0.01),
        ("flipped.obj", flipped, 1.0, 0.01),
        ("overlapping.obj", overlapping, 1.5, 0.03),
        // where a face is missing the border bulges inward
        ("open.obj", cube(|face| face != 1), 0.9, 0.15),
    ] {
        let file = write(name, &text);
        let pattern = body(&format!("Filled(file: {:?}, cell: 0.11)", file.display().to_string()));
        let found = filled(&pattern);
        assert!((found - volume).abs() <= off * volume, "{name}: {found} m³, not {volume} m³");
        assert_eq!(fault_of_surface(&pattern), None, "{name}");
    }
    let torso = body("Filled(file: \"assets/meshes/torso.obj\", cell: 0.05)");
    assert_eq!(fault_of_surface(&torso), None);
    assert!(torso.tetrahedra().len() > 500, "{}", torso.tetrahedra().len());
}

#[test]
fn what_cannot_be_a_body_is_refused_in_a_sentence() {
    let sheet = write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let broken = write("broken.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n");
    for (text, expected) in [
        (format!("Filled(file: {:?}, cell: 0.1)", sheet.display().to_string()), "nothing inside is as large as a cell"),
        (
            format!("File(file: {:?})", broken.display().to_string()),
            "line 5: the file ends where a coordinate of a vertex should follow",
        ),
        ("File(file: \"nowhere.mesh\")".into(), "nowhere.mesh: the body cannot be read"),
        ("Ball(radius: 0.2, cell: 0.0001)".into(), "make too many tetrahedra"),
        ("Ball(radius: -1, cell: 0.1)".into(), "radius -1 is outside"),
        ("Bar(size: (1, 1, 1), cells: (0, 3, 3))".into(), "cells needs from 1 to 200"),
        ("Letters(text: \"A1\", height: 0.3)".into(), "there is no letter \"1\""),
    ] {
        let error = Scene::parse(&format!("(body: {text})"), "test.ron").and_then(|scene| scene.build().map(drop));
        let error = error.expect_err(&text).to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{text}: {error}");
    }
    let both = Scene::parse("(body: Ball(radius: 0.2, cell: 0.1), mesh: (file: \"a.obj\"))", "test.ron").map(drop);
    assert!(both.expect_err("two shapes").to_string().contains("either a mesh or a body"));
}

#[test]
fn several_bodies_and_cloths_make_one_scene_that_is_saved_and_resumed_to_the_bit() {
    let text = "(pins: none, position: (0, 2, 0), grid: (columns: 6, rows: 5),
        pieces: [(body: Bar(size: (0.4, 0.2, 0.2), cells: (4, 2, 2)), position: (0, 1, 0), pins: left_edge),
                 (body: Ball(radius: 0.2, cell: 0.1), position: (0.5, 1.5, 0), stretched: (1, -1, 1), material: (mass: 2))],
        solver: \"projective-dynamics\", settings: {\"tetrahedral_strain\": true, \"volume\": true})";
    let scene = scene(text);
    let mut simulation = scene.build().expect("it fits together");
    let pattern = simulation.pattern();
    assert_eq!(pattern.pieces().len(), 3);
    assert!(pattern.has_cloth() && simulation.state.cloth.pins().len() == 9);
    let ball = pattern.pieces()[2] as usize;
    let heavy: f64 = simulation.state.cloth.masses[ball..].iter().sum();
    let light = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.008;
    assert!((heavy / light - 2.0).abs() < 0.2, "{heavy} kg");
    (0..3).for_each(|_| assert!(simulation.step().is_ok()));
    let text = Snapshot::of(&scene, &simulation).to_json();
    let snapshot = Snapshot::parse(&text, "snapshot").expect("a snapshot");
    let (_, mut resumed) = snapshot.restore().expect("restored");
    assert_eq!(resumed.pattern(), simulation.pattern());
    assert_eq!(resumed.pattern().revision(), simulation.pattern().revision());
    for _ in 0..4 {
        simulation.step().expect("stable");
        resumed.step().expect("stable");
        assert_eq!(resumed.state.cloth, simulation.state.cloth);
    }
    let broken = text.replacen("\"tetrahedra\":[[", "\"tetrahedra\":[[0,1,2,3],[", 1);
    assert!(Snapshot::parse(&broken, "snapshot").expect_err("a flat one").to_string().contains("no positive volume"));
}
