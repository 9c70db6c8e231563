//! `--export` and `--save-scene`.

use crate::{refused, text, weft_in};

const SMALL: [&str; 5] = ["run", "--set", "columns=5", "--set", "rows=5"];

fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn run(folder: &std::path::Path, args: &[&str]) -> String {
    let output = weft_in(folder, &[&SMALL[..], args].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn the_ending_of_the_file_chooses_what_is_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), &["--steps", "3", "--export", "a.obj", "--obj", "b.obj"]);
    run(folder.path(), &["--steps", "3", "--export", "a.PLY"]);
    run(folder.path(), &["--steps", "3", "--export", "a.glb"]);
    assert_eq!(names(folder.path()), ["a.PLY", "a.glb", "a.obj", "b.obj"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("written");
    assert_eq!(read("a.obj"), read("b.obj"), "one writer");
    assert!(read("a.PLY").starts_with(b"ply\n") && read("a.glb").starts_with(b"glTF"));
}

#[test]
fn a_motion_is_one_animated_file_or_numbered_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    // steps of 1/60 s: every second one, from the start on
    run(folder.path(), &["--steps", "10", "--export", "a.glb", "--fps", "30"]);
    let glb = std::fs::read(folder.path().join("a.glb")).expect("written");
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four")) as usize;
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).expect("JSON");
    assert_eq!(json["meshes"][0]["primitives"][0]["targets"].as_array().map(Vec::len), Some(5));
    let times = &json["accessors"][json["animations"][0]["samplers"][0]["input"].as_u64().expect("a number") as usize];
    assert!((times["max"][0].as_f64().expect("a time") - 10.0 / 60.0).abs() < 1e-6);

    run(folder.path(), &["--steps", "10", "--export", "b.obj", "--fps", "30", "--start", "0.1"]);
    assert_eq!(names(folder.path()), ["a.glb", "b-0001.obj", "b-0002.obj", "b-0003.obj"]);
    // the last is that of the end
    run(folder.path(), &["--steps", "10", "--export", "c.obj"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("written");
    assert_eq!(read("b-0003.obj"), read("c.obj"));
    let short = weft_in(folder.path(), &["run", "--steps", "2", "--export", "d.glb", "--fps", "30", "--start", "9"]);
    assert_eq!(
        (short.status.code(), text(&short.stderr)),
        (Some(1), "weft: d.glb: the run ended before --start\n".into())
    );
}

#[test]
fn a_saved_scene_runs_to_the_same_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let changes = ["--scene", "flag", "--set", "columns=9", "--set", "rows=6", "--set", "gust=0.123456789"];
    let output = weft_in(
        folder.path(),
        &[&["run", "--steps", "0", "--solver", "xpbd", "--save-scene", "mine.ron"], &changes[..]].concat(),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let both = [&["--scene", "mine.ron"][..], &[&["--solver", "xpbd"], &changes[..]].concat()];
    for (scene, file) in both.into_iter().zip(["a.json", "b.json"]) {
        let output = weft_in(folder.path(), &[&["run", "--steps", "25", "--snapshot", file], scene].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let read = |name: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(folder.path().join(name)).expect("written");
        serde_json::from_str(&text).expect("JSON")
    };
    let (a, b) = (read("a.json"), read("b.json"));
    for key in ["positions", "velocities", "parameters", "pins"] {
        assert_eq!(a[key], b[key], "{key}");
    }
}

#[test]
fn a_scene_file_with_comments_is_not_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.ron");
    let by_hand = "(\n    title: \"// none\", // a name\n    /* and */ /* so /* on */ */\n)\n";
    std::fs::write(&file, by_hand).expect("written");
    let save = ["run", "--steps", "0", "--save-scene", "mine.ron"];
    let output = weft_in(folder.path(), &save);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    let expected = "weft: mine.ron, line 2: has 3 comments, the first one here, which saving would remove; \
                    name another file, or remove this one\n";
    assert_eq!(message, expected);
    assert!(output.stdout.is_empty(), "it is refused before any step");
    assert_eq!(std::fs::read_to_string(&file).expect("still there"), by_hand);
    // without them it is, as other files are
    std::fs::write(&file, "(title: \"https://example.org\")").expect("written");
    for _ in 0..2 {
        let output = weft_in(folder.path(), &save);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

#[test]
fn what_cannot_be_exported_is_one_sentence() {
    refused(&["run", "--steps", "1", "--export", "a.fbx"], 2, "let it end in .obj, .ply or .glb");
    refused(&["run", "--steps", "1", "--export", "no/a.glb"], 2, "the folder does not exist; create it first");
    refused(&["run", "--steps", "1", "--export", "a.glb", "--fps", "0"], 2, "--fps: needs a number above 0");
    refused(&["run", "--steps", "1", "--save-scene", "a.json"], 2, "let it end in .ron");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("written");
    let inside = folder.path().join("file/a.glb");
    refused(&["run", "--steps", "1", "--export", &inside.to_string_lossy()], 2, "the folder does not exist");
}

/// The height of the first vertex in a numbered OBJ file.
fn height(file: &std::path::Path) -> f64 {
    let text = std::fs::read_to_string(file).expect("written");
    let line = text.lines().find(|line| line.starts_with("v ")).expect("a vertex");
    line.split(' ').nth(2).expect("three coordinates").parse().expect("a number")
}

#[test]
fn frames_at_a_rate_that_the_steps_do_not_hit_are_evenly_spaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = "(grid: (columns: 4, rows: 4, width: 0.2, height: 0.2, plane: flat), position: (0, 100, 0), pins: none,
                  air: (air: vacuum), contact: (ground: false))";
    std::fs::write(folder.path().join("fall.ron"), scene).expect("written");
    for (fps, frames) in [(24, 49), (25, 51), (50, 101)] {
        let (name, fps) = (format!("f{fps}.obj"), fps.to_string());
        let args = ["run", "--scene", "fall.ron", "--steps", "120", "--export", &name, "--fps", &fps];
        let output = weft_in(folder.path(), &args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let file = |k: usize| folder.path().join(format!("f{fps}-{k:04}.obj"));
        assert!(file(frames).exists() && !file(frames + 1).exists(), "{frames} frames in two seconds");
        let heights: Vec<f64> = (1..=frames).map(|k| height(&file(k))).collect();
        let expected = -9.8 / fps.parse::<f64>().expect("a number").powi(2);
        for (k, three) in heights.windows(3).enumerate() {
            let difference = three[2] - 2.0 * three[1] + three[0];
            assert!((difference - expected).abs() < 1e-9, "frame {k} at {fps}: {difference} m, not {expected} m");
        }
    }
}

#[test]
fn what_is_joined_or_left_out_of_a_mesh_is_told_in_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = "v 0 0 0\nv 9 9 9\nv 1 0 0\nv 0 0 1\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 4\nf 5 7 6\nf 1 1 3\n";
    std::fs::write(folder.path().join("a.obj"), mesh).expect("written");
    let args = ["run", "--scene", "mesh", "--set", "mesh=a.obj", "--steps", "0"];
    let output = weft_in(folder.path(), &args);
    assert!(output.status.success());
    assert_eq!(
        text(&output.stderr),
        "weft: a.obj: 2 vertices joined to others at the same place, 1 vertex left out that no face uses, \
         1 face left out without area; vertices after them have lower numbers than in the file\n"
    );
    std::fs::write(folder.path().join("b.obj"), "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").expect("written");
    let output = weft_in(folder.path(), &["run", "--scene", "mesh", "--set", "mesh=b.obj", "--steps", "0"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}
