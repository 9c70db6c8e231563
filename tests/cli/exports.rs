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
