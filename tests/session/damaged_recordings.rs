//! Recordings that were changed or damaged: refused in a sentence with file, line and mend, as a
//! snapshot or a live command would be.

use serde_json::{Value, json};
use weft::scene::Snapshot;
use weft::session::{Command, CutHit, Lanes, Replay, Session, Stamped};
use weft::sim::Vec3;

use crate::desk::{advance, apply, session};

/// A recording with a pin, a grab and a tear in its first state.
fn recording() -> String {
    let mut session = session("hanging");
    apply(&mut session, Command::Grab { vertex: 465, target: Vec3::new(0.2, 1.1, 0.2) });
    // across two rows of the grid, so that vertices are split
    let hits = (0..8).map(|k| Some(CutHit { triangle: 2 * (15 * 29 + 4 + k), weights: [0.4, 0.3, 0.3] })).collect();
    apply(&mut session, Command::Cut { begin: true, hits });
    advance(&mut session, 2);
    session.start_recording();
    advance(&mut session, 2);
    session.recorded().expect("a recording")
}

/// Why a text is no recording, or cannot be repeated.
fn refusal(text: &str) -> String {
    let replayed = Replay::parse(text, "a.jsonl").and_then(|replay| replay.run(0.0, |_| {}, |_, _| true));
    replayed.expect_err("it is damaged").to_string()
}

#[test]
fn a_state_that_does_not_fit_together_is_refused_in_a_recording_as_in_a_snapshot() {
    let text = recording();
    let (first, rest) = text.split_once('\n').expect("lines");
    let begin: Value = serde_json::from_str(first).expect("JSON");
    let inside = "/begin/state/snapshot";
    assert!(!begin.pointer(&format!("{inside}/parents/0")).expect("vertices that were torn off").is_null());
    let far = json!(4_000_000_000_u32);
    let short = |list: &str| {
        let all = begin.pointer(&format!("{inside}{list}")).and_then(Value::as_array).expect("a list");
        json!(all[1..])
    };
    let faults = [
        ("/triangles/3/1", far.clone()),
        ("/springs/ends/7/0", far.clone()),
        ("/pins/0", far.clone()),
        ("/parents/0", far.clone()),
        ("/grab/vertex", far.clone()),
        ("/velocities", short("/velocities")),
        ("/rest_positions", short("/rest_positions")),
        ("/positions", short("/positions")),
        ("/pin_origins", short("/pin_origins")),
        ("/pin_paths", short("/pin_paths")),
        ("/springs/rest_lengths", short("/springs/rest_lengths")),
        ("/springs/families", short("/springs/families")),
        ("/positions/0/0", json!(1e300)),
        ("/springs/rest_lengths/3", json!(5e-324)),
        ("/weft", json!(7)),
        ("/solver", json!("xyz")),
    ];
    for (place, value) in faults {
        let mut changed = begin.clone();
        let at = changed.pointer_mut(&format!("{inside}{place}"));
        *at.unwrap_or_else(|| panic!("no {place}")) = value;
        let snapshot = changed.pointer(inside).expect("a snapshot").to_string();
        let of_snapshot = Snapshot::parse(&snapshot, "").and_then(|snapshot| snapshot.restore());
        let of_snapshot = of_snapshot.map(drop).expect_err(place).message().to_owned();
        let said = refusal(&format!("{changed}\n{rest}"));
        assert!(said.starts_with("a.jsonl, line 1: "), "{place}: {said}");
        assert!(said.contains(&of_snapshot), "{place}: {said}, but {of_snapshot}");
    }
}

#[test]
fn what_stands_beside_the_snapshot_of_a_state_has_to_fit_as_well() {
    let text = recording();
    let (first, rest) = text.split_once('\n').expect("lines");
    let begin: Value = serde_json::from_str(first).expect("JSON");
    for (place, value, said) in [
        ("knife/tip", json!(4_000_000), "the cut is at vertex 4000000"),
        ("knife/last", json!([0, 4_000_000]), "the cut is at vertex 4000000"),
        ("knife/met", json!({"triangle": 9_000_000, "point": [0.0, 0.0, 0.0]}), "the cut is at triangle 9000000"),
        ("ironing", json!(-1.0), "ironing goes on for 0 to 1 s"),
        ("defaults/gravity", json!(1e9), "gravity"),
    ] {
        let mut changed = begin.clone();
        *changed.pointer_mut(&format!("/begin/state/{place}")).unwrap_or_else(|| panic!("no {place}")) = value;
        let refused = refusal(&format!("{changed}\n{rest}"));
        assert!(refused.starts_with("a.jsonl, line 1: ") && refused.contains(said), "{place}: {refused}");
    }
    // and a list of positions that is not of this cloth
    let mut lines: Vec<&str> = text.lines().collect();
    lines[3] = "{\"positions\":[[0.0,0.0,0.0]]}";
    let refused = refusal(&(lines.join("\n") + "\n"));
    assert!(refused.contains("a.jsonl, line 4: there are 1 positions, but the cloth has"), "{refused}");
    let refused = refusal(&text.replacen("{\"step\":\"", "{\"step\":\"xyz", 1));
    assert!(refused.contains("a.jsonl, line 2: \"xyz") && refused.contains("is no hash"), "{refused}");
}

/// Commands with numbers that no hand and no panel gives, and what is said of them.
fn impossible() -> Vec<(String, &'static str)> {
    let cut =
        |weights: &str| format!("{{\"cut\":{{\"begin\":true,\"hits\":[{{\"triangle\":3,\"weights\":[{weights}]}}]}}}}");
    let of_cut = "give three from 0 to 1 that sum to 1";
    let with = |command: &str| command.to_owned();
    vec![
        (cut("5,-9,5"), of_cut),
        (cut("1e308,1e308,-1e308"), of_cut),
        (cut("0.5,0.5,0.5"), of_cut),
        (with("{\"cut\":{\"begin\":true,\"hits\":[{\"triangle\":4000000,\"weights\":[1,0,0]}]}}"), "does not exist"),
        (with("{\"grab\":{\"vertex\":4000000,\"target\":[0,0,0]}}"), "vertex 4000000 does not exist"),
        (with("{\"pin\":{\"vertex\":900}}"), "vertex 900 does not exist; the cloth has 900 vertices"),
        (with("{\"unpin\":{\"vertex\":900}}"), "vertex 900 does not exist"),
        (with("{\"grab\":{\"vertex\":4,\"target\":[0,1e300,0]}}"), "the hand's target needs finite numbers"),
        (with("{\"move\":{\"target\":[0,1e300,0]}}"), "the hand's target needs finite numbers"),
        (
            with("{\"move_collider\":{\"collider\":0,\"position\":[0,1e300,0],\"rotation\":[0,0,0]}}"),
            "a collider needs a finite position",
        ),
        (with("{\"move_collider\":{\"collider\":9,\"position\":[0,0,0],\"rotation\":[0,0,0]}}"), "collider 9 does not"),
        (with("{\"set\":{\"key\":\"gravity\",\"value\":1e9}}"), "gravity"),
        (with("{\"set\":{\"key\":\"gravity\",\"value\":1e999}}"), "number out of range"),
        (with("{\"mend\":{\"set\":{\"time_step\":-1.0},\"solver\":null}}"), "time_step"),
    ]
}

#[test]
fn a_command_with_impossible_numbers_is_refused_in_a_recording_with_its_line() {
    let mut session = session("hanging");
    session.start_recording();
    advance(&mut session, 2);
    let text = session.recorded().expect("a recording");
    let lines: Vec<&str> = text.lines().collect();
    for (command, said) in impossible() {
        // a blank line counts
        let inserted = format!("{}\n\n{{\"command\":{command}}}\n{}\n", lines[0], lines[1..].join("\n"));
        let refused = refusal(&inserted);
        assert!(refused.starts_with("a.jsonl, line 3: ") && refused.contains(said), "{command}: {refused}");
        assert!(!refused.contains('\n'), "{refused}");
    }
}

#[test]
fn a_live_command_with_impossible_numbers_changes_nothing() {
    for (command, said) in impossible() {
        let Ok(command) = serde_json::from_str::<Command>(&command) else { continue };
        let mut session = session("hanging");
        let before = session.snapshot().to_json();
        session.apply(command.clone());
        assert!(
            session.message().is_some_and(|message| message.contains(said)),
            "{command:?}: {:?}",
            session.message()
        );
        assert_eq!(session.snapshot().to_json(), before, "{command:?}");
    }
    let mut session = session("hanging");
    for target in [Vec3::new(f64::NAN, 0.0, 0.0), Vec3::new(0.0, 0.0, f64::INFINITY)] {
        session.apply(Command::Grab { vertex: 0, target });
        assert!(session.message().is_some_and(|message| message.contains("finite")), "{target}");
        assert_eq!(session.simulation().state.grab, None);
    }
}

#[test]
fn an_arrangement_that_cannot_be_changes_nothing() {
    let mut session = session("hanging");
    let own = serde_json::to_value(session.arrangement()).expect("JSON");
    let before = session.snapshot().to_json();
    for (key, value, said) in [
        ("solver", json!("xyz"), "there is no solver \"xyz\""),
        ("solver", json!("x".repeat(500)), "there is no solver \"xxx"),
        ("parameters", json!({"gravity": 1.0, "nonsense": 2.0}), "there is no parameter nonsense"),
        ("parameters", json!({"gravity": 1e9}), "gravity"),
    ] {
        let mut changed = own.clone();
        changed[key] = value;
        // another solver does not know the settings of this one
        changed["settings"] = json!({"nonsense": 3});
        let arrangement = serde_json::from_value(changed).expect("an arrangement");
        session.apply(Command::Arrange { arrangement });
        let message = session.message().expect("a message");
        assert!(message.contains(said) && message.len() < 600, "{message}");
        assert_eq!(session.snapshot().to_json(), before, "{said}");
    }
    let mut changed = own;
    (changed["solver"], changed["settings"]) = (json!("xpbd"), json!({"nonsense": 3}));
    let arrangement = serde_json::from_value(changed).expect("an arrangement");
    session.apply(Command::Arrange { arrangement });
    assert!(session.message().is_some_and(|message| message.contains("unknown solver setting \"nonsense\"")));
    assert_eq!(session.snapshot().to_json(), before);
}

#[test]
fn lanes_of_different_meshes_refuse_a_cut_that_is_in_no_triangle() {
    let mut lanes = Lanes::new(vec![session("hanging"), session("stability")]).expect("two lanes");
    for weights in [[1e308, 1e308, -1e308], [f64::NAN, 0.5, 0.5], [5.0, -9.0, 5.0]] {
        let cut = Command::Cut { begin: true, hits: vec![Some(CutHit { triangle: 3, weights })] };
        let refused = lanes.apply(&cut).expect_err("no place in a triangle").to_string();
        assert!(refused.contains("give three from 0 to 1 that sum to 1"), "{refused}");
    }
}

#[test]
fn a_list_of_commands_with_impossible_numbers_is_refused_with_its_line_before_it_begins() {
    let text = "{\"tick\":0,\"command\":\"iron\"}\n{\"tick\":1,\"command\":{\"cut\":{\"begin\":true,\"hits\":\
                [{\"triangle\":0,\"weights\":[5,-9,5]}]}}}\n";
    let refused = Stamped::parse_list(text, "c.jsonl").expect_err("no place in a triangle").to_string();
    assert!(refused.starts_with("c.jsonl, line 2: the cut has the weights 5, -9, 5 in triangle 0"), "{refused}");
}

#[test]
fn the_point_of_a_cut_is_in_its_triangle_however_thin_that_is() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1e-9, 0.0)];
    for point in [Vec3::new(0.5, 1e-7, 0.0), Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.3, -1e-6, 1e-6)] {
        let hit = CutHit::at(0, point, corners);
        let command = Command::Cut { begin: true, hits: vec![Some(hit)] };
        assert_eq!(command.check(), Ok(()), "{hit:?}");
    }
    let middle = CutHit::at(0, (corners[0] + corners[1] + corners[2]) / 3.0, corners);
    assert!(middle.weights.iter().all(|weight| (weight - 1.0 / 3.0).abs() < 1e-6), "{middle:?}");
}

#[test]
fn only_a_line_that_was_cut_off_is_left_out_and_its_number_is_told() {
    let mut session: Session = session("hanging");
    session.start_recording();
    advance(&mut session, 3);
    let text = session.recorded().expect("a recording");
    let steps = |text: &str| Replay::parse(text, "a.jsonl").map(|replay| (replay.steps, replay.cut_off));
    assert_eq!(steps(&text), Ok((3, None)));
    // without the end of its last line it is still whole
    assert_eq!(steps(text.trim_end()), Ok((3, None)));
    let of_last_step = text.find("{\"positions\"").expect("positions") - 5;
    assert_eq!(steps(&text[..of_last_step]), Ok((2, Some(4))));
    // what a power cut leaves of a block that was not written
    assert_eq!(steps(&format!("{text}\0\0\0\0")), Ok((3, Some(6))));
    // a whole line that says something else was not cut off
    let other = format!("{text}{{\"stop\":1}}");
    assert!(refusal(&other).starts_with("a.jsonl, line 6: not a line of a recording"), "{}", refusal(&other));
    let beginning = refusal(&text[..1000]);
    assert!(beginning.contains("its first state was cut off"), "{beginning}");
}

#[test]
fn a_solver_that_is_not_known_is_refused_also_where_it_was_at_work_before() {
    let text = recording();
    let (first, rest) = text.split_once('\n').expect("lines");
    let mut begin: Value = serde_json::from_str(first).expect("JSON");
    for (solvers, part) in [
        (json!({ "xpdb": {} }), "did you mean \"xpbd\"?"),
        (json!({ "xpbd": { "iters": 3 } }), "\"iters\""),
        (json!({ "xpbd": { "iterations": 0 } }), "iterations"),
    ] {
        begin["begin"]["state"]["idle_solvers"] = solvers;
        let message = refusal(&format!("{begin}\n{rest}"));
        assert!(message.starts_with("a.jsonl, line 1: ") && message.contains(part), "{message}");
    }
}
