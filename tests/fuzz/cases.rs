//! What fuzzing has found, one case each.

use weft::scene::{Scene, Snapshot};

use crate::trial::is_sentence;

/// The message with which a scene is refused, on reading or on building.
fn refused(scene: &str) -> String {
    let refusal = Scene::parse(scene, "test.ron").and_then(|scene| scene.build().map(drop));
    let message = refusal.expect_err(scene).to_string();
    is_sentence(&message).unwrap_or_else(|wrong| panic!("{wrong}"));
    message
}

/// A snapshot of a square of two triangles, with `from` replaced by `to`.
fn snapshot(from: &str, to: &str) -> String {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    for (key, value) in [("columns", "2"), ("rows", "2")] {
        scene.set(key, value).expect("in range");
    }
    let json = Snapshot::of(&scene, &scene.build().expect("a good scene")).to_json();
    assert!(json.contains(from), "{from} in {json}");
    json.replacen(from, to, 1)
}

#[test]
fn a_cloth_that_starts_out_of_reach_is_refused() {
    for position in ["(1e308, 0, 0)", "(0, -1e300, 0)", "(0, 0, 1e10)"] {
        assert!(refused(&format!("(position: {position})")).contains("farther than 10⁹ m from the origin"));
    }
    let near = Scene::parse("(position: (1e8, 0, 0))", "test.ron").and_then(|scene| scene.build());
    assert!(near.is_ok_and(|mut simulation| simulation.step().is_ok()));
}

#[test]
fn a_huge_number_is_not_shown_with_all_its_zeros() {
    let path = "Waypoints(points: [(1e300, (0, 1, 0)), (2, (0, 1, 0))])";
    let message = refused(&format!("(handles: [(pins: one, path: {path})])"));
    assert!(message.contains("2 follows 1e300"), "{message}");
    let refusal = Snapshot::parse(&snapshot("\"time\":0.0", "\"time\":-1e300"), "test.json").expect_err("no time");
    assert!(refusal.to_string().contains("time -1e300 is no time"), "{refusal}");
}

#[test]
fn a_snapshot_whose_numbers_overflow_when_they_are_multiplied_is_refused() {
    for (from, to) in [
        ("\"rest_lengths\":[1.0", "\"rest_lengths\":[1e300"),
        ("\"rest_positions\":[[-0.5", "\"rest_positions\":[[-1e300"),
        ("\"positions\":[[-0.5", "\"positions\":[[-1e300"),
    ] {
        let refusal = Snapshot::parse(&snapshot(from, to), "test.json").expect_err(to).to_string();
        assert!(refusal.contains("need finite numbers within 10"), "{refusal}");
    }
}

#[test]
fn of_many_known_keys_a_part_is_listed() {
    let message = refused("(solver: \"projective-dynamics\", lanes: [\" =0.03\"])");
    assert!(message.contains("unknown key; known are mesh, body") && message.ends_with("others"), "{message}");
}
