//! `weft laws`: figures of the laws of contact.

use super::{text, weft};

#[test]
fn a_law_of_contact_is_measured_with_its_figure_and_what_is_right() {
    let output = weft(&["laws", "--solver", "xpbd", "--law", "rebound"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("kept") && told.contains("right: 0.25"), "{told}");
    let json: serde_json::Value =
        serde_json::from_slice(&weft(&["laws", "--solver", "xpbd", "--law", "rebound", "--json"]).stdout)
            .expect("JSON");
    let figure = json[0]["figure"].as_f64().expect("a number");
    assert!((figure - 0.25).abs() < 0.0125 && json[0]["kept"] == true, "{json}");
    let without_energy = weft(&["laws", "--solver", "pbd", "--law", "load"]);
    assert!(text(&without_energy.stdout).contains("not measured"), "{}", text(&without_energy.stdout));
}

#[test]
fn a_solver_or_a_law_that_does_not_exist_is_refused_by_name() {
    let output = weft(&["laws", "--solver", "xpdb"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("xpdb") && text(&output.stderr).contains("weft solvers"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(weft(&["laws", "--law", "gravity"]).status.code(), Some(2));
}
