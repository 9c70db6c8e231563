//! Meshes from OBJ files.

use proptest::prelude::*;
use weft::scene::{ImportedMesh, import_obj};
use weft::sim::Pattern;
use weft::sim::pattern::Family;

fn import(text: &str) -> ImportedMesh {
    import_obj(text, "test.obj", 1e-6).expect("a good mesh")
}

fn refused(text: &str) -> String {
    import_obj(text, "test.obj", 1e-6).expect_err("a broken mesh").to_string()
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\n";

#[test]
fn a_quad_becomes_two_triangles_and_a_pentagon_three() {
    let quad = import(&format!("{SQUARE}f 1 2 3 4\n"));
    assert_eq!((quad.positions.len(), quad.triangles.len()), (4, 2));
    let pentagon = import(&format!("{SQUARE}v -0.5 0 0.5\nf 1 2 3 4 5\n"));
    assert_eq!((pentagon.positions.len(), pentagon.triangles.len()), (5, 3));
}

#[test]
fn a_uv_seam_does_not_split_the_cloth() {
    // the shared edge has two texture coordinates and, as some exporters write it, two sets of vertices
    let text = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nv 0 0 1\n\
                vt 0 0\nvt 1 0\nvt 0 1\nvt 0.5 0.5\nvt 0.2 0.9\nvt 0.9 0.2\n\
                f 1/1 2/2 3/3\nf 5/4 4/5 6/6\n";
    let mesh = import(text);
    assert_eq!(mesh.positions.len(), 4);
    assert_eq!(mesh.welded, 2);
    let pattern = Pattern::mesh(mesh.positions, mesh.triangles);
    let bend = pattern.springs().families.iter().filter(|family| **family == Family::Bend).count();
    assert_eq!(bend, 1, "the seam is an interior edge");
}

#[test]
fn vertices_within_the_tolerance_are_joined_and_others_are_not() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nv 1.0001 0 0\nv 0 0 1\nf 1 2 3\nf 5 4 6\n";
    let count = |tolerance| import_obj(text, "test.obj", tolerance).expect("a good mesh").positions.len();
    assert_eq!(count(1e-6), 5);
    assert_eq!(count(1e-3), 4);
}

#[test]
fn loose_pieces_stay_and_unused_vertices_go() {
    let text = format!("{SQUARE}v 9 9 9\nv 5 0 0\nv 6 0 0\nv 5 0 1\no first\nf 1 2 3\no second\nf 6 7 8\n");
    let mesh = import(&text);
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (6, 2));
    assert!(mesh.positions.iter().all(|x| x.x < 8.0));
}

#[test]
fn faces_without_area_to_span_and_repeated_faces_are_dropped() {
    let mesh = import(&format!("{SQUARE}f 1 2 3\nf 3 1 2\nf 1 1 2\nf 1 3 4\n"));
    assert_eq!(mesh.triangles.len(), 2);
    assert_eq!(mesh.dropped, 2);
}

#[test]
fn relative_indices_comments_and_lines_are_understood() {
    let mesh = import("# a comment\nmtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 0 1\nusemtl red\nl 1 2\nf -3 -2 -1\n");
    assert_eq!(mesh.triangles, vec![[0, 1, 2]]);
}

#[test]
fn a_broken_file_is_one_sentence_with_file_and_line() {
    let cases = [
        ("v 0 0 0\nv 1 0 x\nv 0 1 0\nf 1 2 3\n", "test.obj, line 2: a vertex needs three finite numbers"),
        ("v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", "test.obj, line 2: a vertex needs three finite numbers"),
        ("v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n", "test.obj, line 2: a vertex needs three finite numbers"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "test.obj, line 4: the face uses vertex 4, but there are 3 vertices"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "test.obj, line 4: the face uses vertex 0"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "test.obj, line 4: a face needs at least three corners"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf a b c\n", "test.obj, line 4: \"a\" is no corner of a face"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "test.obj: holds no face"),
        ("", "test.obj: holds no face"),
        ("v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n", "test.obj: holds no face"),
    ];
    for (text, expected) in cases {
        let message = refused(text);
        assert!(message.starts_with(expected), "{message}");
        assert_eq!(message.lines().count(), 1);
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_import_panic(lines in proptest::collection::vec("(v|f|vt|o|l|#)?( -?[0-9./a-e]{0,5}){0,5}", 0..12)) {
        if let Ok(mesh) = import_obj(&lines.join("\n"), "test.obj", 1e-6) {
            let n = mesh.positions.len() as u32;
            prop_assert!(mesh.triangles.iter().all(|[a, b, c]| a != b && b != c && a != c && *a.max(b).max(c) < n));
            prop_assert!(mesh.positions.iter().all(|x| x.is_finite()));
        }
    }
}

#[test]
fn what_a_cloth_has_no_use_for_cannot_break_a_mesh() {
    // texture coordinates that are missing or no numbers, a face before its vertices, a line that goes on, a name in Latin-1
    let text =
        "o Gr\u{fffd}\u{df}e\nvt a b\nf 1/9/7 2/x \\\n 3\nv 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nvn 1\ns off\nusemtl none\n";
    let mesh = import_obj(text, "odd.obj", 1e-6).expect("its positions and faces are fine");
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (3, 1));
    // and a fault after a joined line is at the right line
    let error = import_obj("v 0 0 \\\n 0\nv 1 0\n", "odd.obj", 1e-6).expect_err("a coordinate is missing").to_string();
    assert!(error.starts_with("odd.obj, line 3: "), "{error}");
}
