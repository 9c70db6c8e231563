//! `weft lessons`: the list, and a walk without a window.

use super::{json, refused, text, weft};

#[test]
fn lessons_are_listed_and_walked_with_measured_values() {
    let rows = json(&weft(&["lessons", "--json"]));
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 10);
    assert!(rows.iter().all(|row| row["steps"].as_u64().is_some_and(|steps| (5..=8).contains(&steps))));
    let list = weft(&["lessons"]);
    assert!(text(&list.stdout).contains("explicit-euler"));

    let walked = weft(&["lessons", "--walk", "explicit-euler"]);
    assert!(walked.status.success(), "{}", text(&walked.stderr));
    let told = text(&walked.stdout);
    assert!(told.contains("step 2 of 7: met") && told.contains("right: Become unstable"), "{told}");
    assert!(!told.contains("NOT met") && !told.contains("unknown"), "{told}");
    let steps = json(&weft(&["lessons", "--walk", "explicit-euler", "--predict", "2", "--json"]));
    let steps = steps.as_array().expect("a list");
    assert_eq!(steps.len(), 7);
    assert!(steps.iter().all(|step| step["met"] == true));
    assert_eq!(steps[1]["right"], 2);
}

#[test]
fn a_lesson_that_is_not_there_is_refused() {
    refused(&["lessons", "--walk", "explicit"], 2, "did you mean \"explicit-euler\"?");
    let output = weft(&["lessons", "--walk", "explicit-euler", "--predict", "4"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}
