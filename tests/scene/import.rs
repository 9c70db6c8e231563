//! Meshes from OBJ files.

use proptest::prelude::*;
use weft::scene::{ImportedMesh, Scene, import_obj, other_unit};
use weft::sim::pattern::Family;
use weft::sim::{Pattern, Vec3};

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
    assert_eq!((mesh.dropped, mesh.doubled), (1, 1));
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

#[test]
fn a_backslash_continues_vertices_and_faces_and_nothing_else() {
    let plain = import(&format!("{SQUARE}f 1 2 3 4\n"));
    let folder = |line: &str| import(&format!("{line}\n{SQUARE}{line}\nf 1 2 3 4\n"));
    for line in ["# from C:\\Scans\\", "mtllib C:\\Scans\\", "o C:\\Scans\\", "g panel\\ ", "usemtl linen\\"] {
        let mesh = folder(line);
        assert_eq!((&mesh.positions, &mesh.triangles), (&plain.positions, &plain.triangles), "{line}");
    }
    let comment_behind = import(&format!("{SQUARE}f 1 2 3 4 # C:\\Scans\\\n"));
    assert_eq!(comment_behind, plain);
    let continued = import("v 0 0 0\nv 1 0 0\nv 1 \\\n 0 1\nv 0 0 1\nf 1\\\n2 3 \\\n4\n");
    assert_eq!(continued, plain);
}

/// Twice the area of each triangle along `normal`.
fn areas(mesh: &ImportedMesh, normal: Vec3) -> Vec<f64> {
    let at = |vertex: u32| mesh.positions[vertex as usize];
    mesh.triangles.iter().map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a)).dot(normal)).collect()
}

/// A polygon as OBJ, its corners in the plane through these two axes.
fn polygon(corners: &[[f64; 2]], axes: [Vec3; 2], first: usize) -> String {
    let place = |[u, v]: [f64; 2]| Vec3::new(3.0, -2.0, 7.0) + axes[0] * u + axes[1] * v;
    let mut text: String =
        corners.iter().map(|corner| place(*corner)).map(|x| format!("v {} {} {}\n", x.x, x.y, x.z)).collect();
    text += "f";
    (0..corners.len()).for_each(|k| text += &format!(" {}", (first + k) % corners.len() + 1));
    text + "\n"
}

const ELL: &[[f64; 2]] = &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.5, 0.5], [0.5, 1.0], [0.0, 1.0]];
const DART: &[[f64; 2]] = &[[0.0, 0.0], [1.0, 1.0], [0.0, 0.4], [-1.0, 1.0]];
const U: &[[f64; 2]] =
    &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.7, 1.0], [0.7, 0.3], [0.3, 0.3], [0.3, 1.0], [0.0, 1.0]];
/// A square with further corners on its sides.
const STRAIGHT: &[[f64; 2]] =
    &[[0.0, 0.0], [0.1, 0.0], [0.3, 0.0], [1.0, 0.0], [1.0, 0.7], [1.0, 1.0], [0.6, 1.0], [0.0, 1.0], [0.0, 0.1]];

#[test]
fn a_concave_polygon_is_filled_by_triangles_of_its_area_that_all_face_one_way() {
    let slanted = [Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.64, 0.48, 0.6)];
    for axes in [[Vec3::X, Vec3::Y], [Vec3::Z, Vec3::X], slanted] {
        let normal = axes[0].cross(axes[1]);
        for (name, corners, area) in
            [("L", ELL, 0.75), ("dart", DART, 0.4), ("U", U, 0.72), ("straight", STRAIGHT, 1.0)]
        {
            for first in 0..corners.len() {
                let mesh = import(&polygon(corners, axes, first));
                let areas = areas(&mesh, normal);
                assert_eq!(mesh.triangles.len(), corners.len() - 2, "{name} from corner {first}");
                let smallest = areas.iter().copied().fold(f64::INFINITY, f64::min);
                assert!(
                    smallest > 1e-3,
                    "{name} from corner {first}: a triangle of {smallest} m² faces away or is a sliver"
                );
                let sum = 0.5 * areas.iter().sum::<f64>();
                assert!((sum - area).abs() < 1e-12, "{name} from corner {first}: {sum} m²");
                assert_eq!((mesh.crossed, mesh.dropped, mesh.unused), (0, 0, 0));
            }
        }
    }
}

#[test]
fn a_hole_that_hangs_on_a_bridge_stays_open() {
    let text = "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 1 1 0\nv 1 2 0\nv 2 2 0\nv 2 1 0\nf 1 2 3 4 1 5 6 7 8 5\n";
    let mesh = import(text);
    let areas = areas(&mesh, Vec3::Z);
    assert!(areas.iter().all(|area| *area > 0.1) && mesh.crossed == 0, "{areas:?}");
    assert!((0.5 * areas.iter().sum::<f64>() - 8.0).abs() < 1e-12);
    assert_eq!(mesh.triangles.len(), 8);
}

#[test]
fn a_polygon_that_crosses_itself_is_told() {
    let mesh = import("v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 1 0\nf 1 2 3 4\n");
    assert_eq!((mesh.crossed, mesh.triangles.len()), (1, 2));
    assert_eq!(mesh.note("bow.obj").as_deref(), Some("bow.obj: 1 polygon crosses itself or has no area"));
}

proptest! {
    #[test]
    fn a_star_with_any_spikes_is_filled_by_its_area(radii in proptest::collection::vec(0.05_f64..1.0, 5..40), turn in 0.0_f64..6.0) {
        let corner = |(k, radius): (usize, &f64)| {
            let angle = turn + k as f64 / radii.len() as f64 * std::f64::consts::TAU;
            [radius * angle.cos(), radius * angle.sin()]
        };
        let corners: Vec<[f64; 2]> = radii.iter().enumerate().map(corner).collect();
        let next = corners.iter().cycle().skip(1);
        let area: f64 = corners.iter().zip(next).map(|([a, b], [c, d])| 0.5 * (a * d - b * c)).sum();
        let mesh = import(&polygon(&corners, [Vec3::X, Vec3::Y], 0));
        let areas = areas(&mesh, Vec3::Z);
        prop_assert_eq!(mesh.triangles.len(), corners.len() - 2);
        prop_assert!(areas.iter().all(|area| *area > 0.0), "{:?}", areas);
        prop_assert!((0.5 * areas.iter().sum::<f64>() - area).abs() < 1e-9);
    }
}

#[test]
fn vertices_keep_the_order_of_the_file_whatever_the_order_of_the_faces() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 2 0 0\nv 2 0 1\nf 2 5 6 3\nf 3 4 1 2\n";
    let mesh = import(text);
    let expected =
        [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0], [2, 1]].map(|[x, z]| Vec3::new(f64::from(x), 0.0, f64::from(z)));
    assert_eq!(mesh.positions, expected);
    assert_eq!(mesh.triangles, [[1, 4, 5], [1, 5, 2], [0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.note("a.obj"), None);
}

#[test]
fn what_is_joined_or_left_out_changes_the_numbers_behind_it_and_is_told() {
    let text = format!("v 9 9 9\n{SQUARE}v 1 0 0\nv 2 0 0\nv 2 0 1\nf 2 3 4 5\nf 6 7 8 4\nf 2 2 3\nf 4 3 2\n");
    let mesh = import(&text);
    assert_eq!(mesh.positions.len(), 6);
    assert_eq!((mesh.unused, mesh.welded, mesh.dropped, mesh.doubled), (1, 1, 1, 1));
    assert_eq!(mesh.positions[0], Vec3::ZERO);
    assert_eq!(mesh.positions[4], Vec3::new(2.0, 0.0, 0.0));
    assert_eq!(
        mesh.note("a.obj").as_deref(),
        Some(
            "a.obj: 1 vertex joined to another at the same place, 1 vertex left out that no face uses, \
             1 face left out without area, 1 face there twice counted once; vertices after them have lower numbers than in the file"
        )
    );
}

#[test]
fn triangles_in_a_line_stay_and_are_told() {
    // the second triangle closes the gap between a long edge and two short ones
    let mesh = import("v 0 0 0\nv 2 0 0\nv 1 0 1\nv 1 0 0\nv 1 0 -1\nf 1 3 2\nf 1 2 4\nf 1 4 5\nf 4 2 5\n");
    assert_eq!((mesh.triangles.len(), mesh.flat), (4, 1));
    assert_eq!(mesh.note("a.obj").as_deref(), Some("a.obj: 1 triangle has no area"));
}

/// A sheet of `n` × `n` squares in the plane z = 0, each as `face` writes the numbers of its corners.
fn sheet(n: usize, face: impl Fn([usize; 4]) -> String) -> String {
    let mut text = String::new();
    for (row, column) in (0..=n).flat_map(|row| (0..=n).map(move |column| (row, column))) {
        text += &format!("v {column} {row} 0\n");
    }
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let a = 1 + row * (n + 1) + column;
        text += &face([a, a + 1, a + n + 2, a + n + 1]);
    }
    text
}

#[test]
fn a_face_that_is_there_twice_counts_once_from_whatever_corner_in_whatever_direction() {
    let single = import(&sheet(4, |[a, b, c, d]| format!("f {a} {b} {c} {d}\n")));
    for (name, double) in [
        ("reversed", sheet(4, |[a, b, c, d]| format!("f {a} {b} {c} {d}\nf {d} {c} {b} {a}\n"))),
        ("from another corner", sheet(4, |[a, b, c, d]| format!("f {a} {b} {c} {d}\nf {b} {c} {d} {a}\n"))),
        ("both", sheet(4, |[a, b, c, d]| format!("f {a} {b} {c} {d}\nf {b} {a} {d} {c}\n"))),
    ] {
        let mesh = import(&double);
        assert_eq!((&mesh.triangles, mesh.doubled), (&single.triangles, 16), "{name}");
    }
    // as triangles with the other diagonal, behind each other or one layer after the other
    let front = |[a, b, c, d]: [usize; 4]| format!("f {a} {b} {c}\nf {a} {c} {d}\n");
    let back = |[a, b, c, d]: [usize; 4]| format!("f {d} {b} {a}\nf {d} {c} {b}\n");
    let layers =
        sheet(4, front) + &sheet(4, back).lines().filter(|line| line.starts_with('f')).collect::<Vec<_>>().join("\n");
    for double in [sheet(4, |corners| front(corners) + &back(corners)), layers] {
        let mesh = import(&double);
        assert_eq!((&mesh.triangles, mesh.doubled), (&single.triangles, 32));
    }
    // the same texts as a sheet that is not flat, and a body of four triangles
    let tetrahedron = import("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    assert_eq!((tetrahedron.triangles.len(), tetrahedron.doubled), (4, 0));
}

#[test]
fn triangles_that_hang_together_wind_alike_as_most_of_them_do_in_the_file() {
    let alike = import(&sheet(5, |[a, b, c, d]| format!("vt 0.{a} 0\nf {a}/{a} {b}/{b} {c}/{c} {d}/{d}\n")));
    assert_eq!(alike.turned, 0);
    let mixed = import(&sheet(5, |[a, b, c, d]| match a % 3 {
        0 => format!("vt 0.{a} 0\nf {a}/{a} {d}/{d} {c}/{c} {b}/{b}\n"),
        _ => format!("vt 0.{a} 0\nf {a}/{a} {b}/{b} {c}/{c} {d}/{d}\n"),
    }));
    let normal = |mesh: &ImportedMesh, [a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|vertex| mesh.positions[vertex as usize]);
        (b - a).cross(c - a).z
    };
    assert!(mixed.triangles.iter().all(|corners| normal(&mixed, *corners) > 0.0));
    assert_eq!(mixed.turned, 10);
    assert!(mixed.note("a.obj").expect("told").contains("triangles turned over, to wind alike"));
    // the texture goes with the corners
    for (corners, texture) in mixed.triangles.iter().zip(&mixed.attributes.corners) {
        let known = corners.iter().zip(texture).filter(|(_, at)| **at != u32::MAX);
        assert!(known.into_iter().all(|(vertex, at)| vertex == at), "{corners:?} {texture:?}");
    }
}

#[test]
fn a_moebius_strip_stays_as_it_is_and_is_told() {
    // a strip whose last edge is the first one, upside down
    let mut text = String::new();
    for k in 0..8 {
        let (angle, half) = (f64::from(k) * std::f64::consts::TAU / 8.0, f64::from(k) * std::f64::consts::PI / 8.0);
        for side in [-0.2, 0.2] {
            let across = 1.0 + side * half.cos();
            text += &format!("v {} {} {}\n", across * angle.cos(), side * half.sin(), across * angle.sin());
        }
    }
    for k in 0..8 {
        let (a, b) = (2 * k + 1, 2 * k + 2);
        let [c, d] = if k == 7 { [2, 1] } else { [a + 2, b + 2] };
        text += &format!("f {a} {b} {d} {c}\n");
    }
    let mesh = import(&text);
    assert_eq!((mesh.triangles.len(), mesh.turned, mesh.one_sided), (16, 0, 1));
    assert!(mesh.note("a.obj").expect("told").contains("one side"), "{:?}", mesh.note("a.obj"));
}

#[test]
fn with_a_weld_of_zero_a_slit_stays_open() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 4 6 5\n";
    let mesh = import_obj(text, "test.obj", 0.0).expect("a good mesh");
    assert_eq!((mesh.positions.len(), mesh.welded), (6, 0));
    assert_eq!(import(text).positions.len(), 4);
}

#[test]
fn a_hash_is_a_part_of_a_name_and_begins_a_comment_elsewhere() {
    let mesh =
        import(&format!("{SQUARE}g Panel #1\nusemtl #none\nf 1 2 3 # one\ng Panel #2\nusemtl a#b\nf 1 3 4\ng # x\n"));
    let names = |of: &dyn Fn(usize) -> Option<String>| [of(0), of(1)];
    let group = |triangle| mesh.attributes.group_of(triangle).map(str::to_owned);
    let material = |triangle| mesh.attributes.material_of(triangle).map(str::to_owned);
    assert_eq!(names(&group), [Some("Panel #1".to_owned()), Some("Panel #2".to_owned())]);
    assert_eq!(names(&material), [None, Some("a#b".to_owned())]);
}

#[test]
fn a_face_on_a_hundred_thousand_continued_lines_is_read() {
    let corners: String = (0..100_000).map(|k| format!(" \\\n{}", k + 1)).collect();
    let circle = (0..100_000).map(|k| f64::from(k) * std::f64::consts::TAU / 1e5);
    let text: String = circle.map(|angle| format!("v {} {} 0\n", angle.cos(), angle.sin())).collect();
    let mesh = import_obj(&format!("{text}f{corners}\n"), "test.obj", 0.0).expect("a circle");
    assert_eq!((mesh.triangles.len(), mesh.crossed), (99_998, 0));
}

#[test]
fn a_mesh_of_another_size_than_a_garment_is_told_with_the_factor() {
    let positions = |size: f64| [Vec3::ZERO, Vec3::new(size, 0.3 * size, 0.0)];
    for (size, expected) in [
        (0.6, None),
        (9.0, None),
        (25.0, Some(("inches", 0.0254))),
        (100.0, Some(("centimetres", 0.01))),
        (650.0, Some(("millimetres", 0.001))),
        (0.006, Some(("a larger unit", 100.0))),
    ] {
        assert_eq!(other_unit(&positions(size)).map(|(_, unit, factor)| (unit, factor)), expected, "{size} m");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.obj");
    std::fs::write(&file, "v 0 0 0\nv 650 0 0\nv 0 300 0\nf 1 2 3\n").expect("written");
    let file = file.to_string_lossy();
    for text in [
        format!("(mesh: (file: {file:?}))"),
        format!("(grid: (columns: 2, rows: 2), colliders: [(shape: Mesh(file: {file:?}))])"),
    ] {
        let (_, notes) = Scene::parse(&text, "a.ron").and_then(|scene| scene.build_with_notes()).expect("good");
        let said = notes
            .iter()
            .any(|note| note.contains("650 m across; if its file is in millimetres") && note.contains("scale=0.001"));
        assert!(said, "{notes:?}");
    }
}
