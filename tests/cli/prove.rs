//! `weft prove`.

use crate::{text, weft};

#[test]
#[ignore = "full tier"]
fn no_scene_with_cloth_on_cloth_intersects_at_forty_by_forty() {
    let output = weft(&["prove", "--sizes", "40", "--runs", "1", "--steps", "40"]);
    let (out, message) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{message}");
    assert_eq!(out.lines().last(), Some("intersections: 0"));
    for scene in ["heap 40×40", "turntable 40×40", "tablecloth-fast 40×40", "ribbon-still 3×40", "skirt"] {
        assert!(out.lines().any(|line| line.starts_with(&format!("{scene}, "))), "{scene} is missing in\n{out}");
    }
    // a scene whose cloth may pass through itself promises nothing
    assert!(!out.contains("hanging"), "{out}");
}

#[test]
fn every_size_is_run_and_a_mesh_once() {
    let run = |scene: &str| {
        let output = weft(&["prove", "--scene", scene, "--sizes", "6,9", "--runs", "2", "--steps", "3"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let out = run("heap");
    let starts = ["heap 6×6, projective-dynamics: 2 runs of 3 steps", "heap 9×9, ", "intersections: 0"];
    assert_eq!(out.lines().count(), 3, "{out}");
    assert!(out.lines().zip(starts).all(|(line, start)| line.starts_with(start)), "{out}");
    assert_eq!(run("skirt").lines().count(), 2);
}

#[test]
fn a_cloth_that_passes_through_itself_is_no_proof() {
    let args = ["--sizes", "12", "--runs", "1", "--steps", "80", "--set", "self_contact=false"];
    let output = weft(&[&["prove", "--scene", "heap"][..], &args].concat());
    let (out, message) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{out}{message}");
    assert!(
        !out.ends_with("intersections: 0\n") && message.contains("heap 12×12, seed 1: the cloth intersects"),
        "{message}"
    );
    for bad in [&["--sizes", "1"][..], &["--runs", "0"], &["--timeout", "-1"], &["--set", "nonsense=1"]] {
        assert_eq!(weft(&[&["prove"], bad].concat()).status.code(), Some(2), "{bad:?}");
    }
}
