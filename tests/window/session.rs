//! What a person does: drag, pin, switch, pause, recover.

use serde_json::Value;
use weft::scene::Scene;
use weft::session::{Replay, Verdict};

use super::desk::Desk;

fn vertex(said: &str) -> usize {
    said.parse().expect("the number of a vertex")
}

fn vector(value: &Value) -> [f64; 3] {
    serde_json::from_value(value.clone()).expect("a point")
}

/// Moves to the middle of the view, where the cloth is, and waits until a vertex is under the pointer.
fn over_the_cloth(desk: &mut Desk) -> ((i32, i32), usize) {
    // the cloth has to hang before anybody aims at it
    desk.wait_for_time(1.5);
    let middle = desk.place("view");
    desk.move_to((middle.0, middle.1 + 40));
    let under = vertex(&desk.wait("hovering over vertex "));
    ((middle.0, middle.1 + 40), under)
}

#[test]
fn a_drag_moves_the_vertex_and_a_right_click_pins_one() {
    let mut desk = Desk::open(&["--quality", "low"]);
    let ((x, y), _) = over_the_cloth(&mut desk);
    // the cloth still swings: stand still while aiming
    desk.key("space");
    desk.wait("paused");
    desk.button("mousedown", 1);
    let held = vertex(&desk.wait("grabbed vertex "));
    desk.key("space");
    desk.wait("running");
    for step in 1..=8 {
        desk.move_to((x - 8 * step, y - 6 * step));
    }
    // pinned while in the hand, so that it stays where it was dragged to
    desk.let_pass(0.5);
    desk.key("p");
    assert_eq!(vertex(&desk.wait("pinned vertex ")), held);
    desk.button("mouseup", 1);
    assert_eq!(vertex(&desk.wait("released vertex ")), held);

    desk.move_to((x + 20, y));
    desk.wait("hovering over vertex ");
    desk.button("click", 3);
    let pinned = vertex(&desk.wait("pinned vertex "));
    assert_ne!(pinned, held);

    let (snapshot, _) = desk.quit();
    let pins: Vec<usize> = serde_json::from_value(snapshot["pins"].clone()).expect("vertices");
    assert!(pins.contains(&held) && pins.contains(&pinned) && pins.len() == 4, "{pins:?}");
    assert_eq!(snapshot["grab"], Value::Null);
    // the same cloth, left alone: where the vertex would have been
    let alone = hanging_alone();
    let (now, then) = (vector(&snapshot["positions"][held]), alone[held]);
    let moved = ((now[0] - then[0]).powi(2) + (now[1] - then[1]).powi(2) + (now[2] - then[2]).powi(2)).sqrt();
    assert!(moved > 0.1 && now[1] > then[1] + 0.05, "dragged left and up: from {then:?} to {now:?}");
}

/// Positions of the hanging cloth after five seconds without a hand.
fn hanging_alone() -> Vec<[f64; 3]> {
    let mut simulation = Scene::load("hanging").and_then(|scene| scene.build()).expect("it comes along");
    for _ in 0..300 {
        simulation.step().expect("stable");
    }
    simulation.state.cloth.positions.iter().map(|x| x.to_array()).collect()
}

#[test]
#[ignore = "full tier"]
fn a_click_tells_of_a_vertex_and_does_not_touch_it() {
    let mut desk = Desk::open(&["--quality", "low"]);
    let ((x, y), _) = over_the_cloth(&mut desk);
    desk.key("space");
    desk.wait("paused");
    desk.button("click", 1);
    let first = vertex(&desk.wait("looks at vertex "));
    desk.wait(&format!("control keep probe {first} at"));
    // what is not kept makes room
    desk.move_to((x - 20, y + 10));
    desk.wait("hovering over vertex ");
    desk.button("click", 1);
    let second = vertex(&desk.wait("looks at vertex "));
    assert_ne!(first, second);
    desk.wait("controls stand still");
    desk.click(&format!("keep probe {second}"));
    desk.wait("controls stand still");
    desk.move_to((x - 50, y + 20));
    desk.wait("hovering over vertex ");
    desk.button("click", 1);
    let third = vertex(&desk.wait("looks at vertex "));
    // Escape ends what is not kept
    desk.key("Escape");
    assert_eq!(vertex(&desk.wait("looks no longer at vertex ")), third);
    desk.click(&format!("close probe {second}"));
    assert_eq!(vertex(&desk.wait("looks no longer at vertex ")), second);
    assert!(desk.all("grabbed vertex").is_empty(), "nothing was touched");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn a_second_right_click_lets_the_vertex_go() {
    let mut desk = Desk::open(&["--quality", "low"]);
    over_the_cloth(&mut desk);
    // the cloth still swings: without a pause the second click may meet the vertex beside the first
    desk.key("space");
    desk.wait("paused");
    desk.button("click", 3);
    let pinned = desk.wait("pinned vertex ");
    desk.button("click", 3);
    assert_eq!(desk.wait("unpinned vertex "), pinned);
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["pins"], serde_json::json!([0, 29]));
}

#[test]
fn the_solver_menu_switches_the_solver_and_wind_and_table_take_one_click() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.open_solvers();
    desk.click("implicit-euler");
    assert_eq!(desk.wait("INFO weft::app::session: solver "), "implicit-euler");
    desk.click("wind");
    desk.click("table");
    desk.settle();
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["solver"], "implicit-euler");
    assert_eq!(snapshot["parameters"]["air"]["air"], "wind");
    assert_eq!(snapshot["parameters"]["table"]["table"], true);
}

#[test]
#[ignore = "full tier"]
fn space_pauses_and_the_step_key_takes_exactly_one_step() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.key("space");
    desk.wait("paused");
    let mut time = || {
        desk.key("period");
        desk.wait("stepped to t = ").trim_end_matches(" s").parse::<f64>().expect("a time")
    };
    let (first, second) = (time(), time());
    assert!((second - first - 1.0 / 60.0).abs() < 2e-4, "{first} and {second}");
    // frames go by, time does not
    desk.settle();
    let (snapshot, _) = desk.quit();
    assert!((snapshot["time"].as_f64().expect("a number") - second).abs() < 1e-4);
}

#[test]
#[ignore = "full tier"]
fn a_gesture_belongs_to_whom_it_started_with() {
    let mut desk = Desk::open(&["--quality", "low"]);
    let (cloth, _) = over_the_cloth(&mut desk);
    let view = desk.place("view");
    // from empty space over the cloth: the camera turns, nothing is grabbed
    desk.move_to((890, view.1 - 150));
    desk.wait("hovering over nothing");
    desk.button("mousedown", 1);
    desk.move_to(cloth);
    desk.settle();
    desk.button("mouseup", 1);
    // from the panel over the cloth: neither
    let solver = desk.place("solver");
    desk.move_to((solver.0, solver.1 + 30));
    desk.button("mousedown", 1);
    desk.move_to(cloth);
    desk.settle();
    desk.button("mouseup", 1);
    desk.settle();
    assert!(!desk.has_said("grabbed vertex"));
    desk.quit();
}

#[test]
fn a_blow_up_pauses_and_can_be_taken_back() {
    let mut desk = Desk::open(&["--quality", "low", "--solver", "symplectic-euler"]);
    let said = desk.wait("symplectic-euler failed at t = ");
    assert!(said.contains("away from the rest") || said.contains("moves at"), "{said}");
    desk.click("restore");
    desk.wait("restored t = ");
    let (snapshot, _) = desk.quit();
    let height = |value: &Value| vector(value)[1];
    let heights: Vec<f64> = snapshot["positions"].as_array().expect("points").iter().map(height).collect();
    assert!(heights.iter().all(|y| (-0.1..2.0).contains(y)), "a good state");
}

#[test]
#[ignore = "full tier"]
fn absurd_numbers_in_the_settings_are_brought_within_limits() {
    let panels =
        "(options:(zoom_factor:0.0,max_passes:0),data:([(1,(type_id:(2),ron:\\\"(x:1e30,y:NaN)\\\",generation:1))]))";
    for (size, panels) in [("4294967295", ""), ("1", panels)] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("weft")).expect("a folder");
        let settings = format!("[window]\nwidth = {size}\nheight = {size}\npanels = \"{panels}\"\n");
        std::fs::write(folder.path().join("weft/settings.toml"), settings).expect("written");
        let mut desk = Desk::open_at(folder, &["--exit-after", "2"]);
        assert_eq!(desk.has_said("the panels in the settings cannot be restored"), !panels.is_empty());
        desk.ended();
    }
}

#[test]
#[ignore = "full tier"]
fn the_chosen_quality_is_remembered() {
    let mut desk = Desk::open(&[]);
    // a software device starts in low quality
    assert!(desk.has_said("quality Low"));
    desk.settle();
    desk.click("quality");
    assert_eq!(desk.wait("preferences: quality "), "High");
    let (_, folder) = desk.quit();
    let settings = std::fs::read_to_string(folder.path().join("weft/settings.toml")).expect("written at exit");
    assert!(settings.contains("quality = \"high\""), "{}", settings.lines().next().unwrap_or_default());
    let mut desk = Desk::open_at(folder, &["--exit-after", "2"]);
    assert!(desk.has_said("quality High"));
    // this time it closes by itself
    desk.ended();
}

#[test]
#[ignore = "full tier"]
fn the_stability_study_searches_in_the_background_and_can_be_called_off() {
    let mut desk = Desk::open(&["--quality", "low", "--scene", "stability", "--set", "structural_stiffness=1000"]);
    desk.settle();
    desk.click("more");
    desk.wait("control stability at");
    desk.settle();
    desk.click("stability");
    desk.wait("control fold exact limits at");
    desk.settle();
    desk.click("fold exact limits");
    desk.wait("control search at");
    desk.settle();
    desk.click("search");
    // the scene's shear springs are five times as stiff: the limit is that of another cloth than table 1
    let found = desk.wait("stability of symplectic-euler : Limit(");
    let limit: f64 = found.trim_end_matches(')').parse().expect("a number");
    assert!((5_000.0..20_000.0).contains(&limit), "{limit}");
    desk.wait("stability study ended");
    // Newton takes minutes to be tried, long enough to be called off
    desk.choose_solver("implicit-newton");
    desk.click("search");
    desk.wait("stability study started");
    desk.click("cancel");
    desk.wait("stability study ended");
    assert!(!desk.has_said("stability of implicit-newton"), "it was called off");
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["parameters"]["material"]["structural_stiffness"], 1000.0, "it worked on a copy");
}

#[test]
#[ignore = "full tier"]
fn the_convergence_of_the_live_cloth_is_measured_and_written() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "columns=12", "--set", "rows=12"]);
    desk.settle();
    desk.click("more");
    desk.wait("control convergence at");
    desk.settle();
    desk.click("convergence");
    desk.wait("control measure at");
    desk.click("measure");
    desk.wait("convergence study started");
    for solver in ["implicit-newton", "fast-mass-spring", "projective-dynamics:quasi_newton"] {
        let said = desk.wait(&format!("convergence of {solver}: "));
        let error: f64 = said.split(' ').next().and_then(|text| text.parse().ok()).expect("an error");
        assert!(error < 1.0 && said.contains(" iterations"), "{said}");
    }
    desk.wait("convergence study ended");
    desk.click("save convergence CSV");
    desk.wait("convergence written to ");
    let csv = std::fs::read_to_string(desk.file("convergence.csv")).expect("in the folder that it runs in");
    assert!(
        csv.starts_with("solver,columns,rows,iteration,") && csv.contains("\nfast-mass-spring,12,12,100,"),
        "{csv}"
    );
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn the_readout_knows_the_limit_of_the_method() {
    let mut desk = Desk::open(&["--quality", "low", "--scene", "stability", "--solver", "harmonic-oscillator"]);
    let said = desk.wait("critical step ");
    let own: f64 = said.split(' ').next().and_then(|text| text.parse().ok()).expect("a time");
    // share 1, k = 5000 N/m, 1 kg: fails between 3 649 N/m (table 1) and this, so below the step of 10 ms
    assert!((0.005..0.01).contains(&own), "{said}");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn another_button_does_not_end_a_drag() {
    let mut desk = Desk::open(&["--quality", "low"]);
    over_the_cloth(&mut desk);
    desk.key("space");
    desk.wait("paused");
    desk.button("mousedown", 1);
    let held = desk.wait("grabbed vertex ");
    desk.button("click", 2);
    desk.settle();
    assert!(!desk.has_said("released vertex"), "only the button that took it lets it go");
    desk.button("mouseup", 1);
    assert_eq!(desk.wait("released vertex "), held);
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn a_drag_with_the_key_of_the_knife_held_cuts_the_cloth_in_two_and_reset_makes_it_whole() {
    let mut desk = Desk::open(&["--quality", "low"]);
    let ((x, y), _) = over_the_cloth(&mut desk);
    let cut_across = |desk: &mut Desk| {
        desk.move_to((x - 220, y));
        desk.hold_key("keydown", "c");
        desk.settle();
        desk.button("mousedown", 1);
        // slowly, and the rest at once
        (0..20).for_each(|step| desk.move_to((x - 220 + 11 * step, y)));
        desk.move_to((x + 220, y));
        desk.button("mouseup", 1);
        desk.hold_key("keyup", "c");
        desk.settle();
    };
    cut_across(&mut desk);
    assert!(!desk.has_said("grabbed vertex"), "cutting does not grab");
    let torn: usize = desk.all("INFO weft::app::session: cut, ").iter().map(|said| leading_number(said)).sum();
    // once across 30 columns, folds in it or not
    assert!((25..150).contains(&torn), "{torn} new vertices");
    desk.key("r");
    desk.wait("reset");
    let (snapshot, folder) = desk.quit();
    assert_eq!(snapshot["positions"].as_array().expect("points").len(), 900, "whole again");

    // without the reset the lower part falls
    let mut desk = Desk::open_at(folder, &["--quality", "low"]);
    over_the_cloth(&mut desk);
    cut_across(&mut desk);
    desk.let_pass(1.5);
    let (snapshot, _) = desk.quit();
    let heights: Vec<f64> = snapshot["positions"].as_array().expect("points").iter().map(|x| vector(x)[1]).collect();
    assert!(heights.len() > 920, "{}", heights.len());
    let on_the_floor = heights.iter().filter(|y| **y < 0.3).count();
    assert!(on_the_floor > 200, "{on_the_floor} vertices have fallen");
}

#[test]
fn what_was_done_in_the_window_gives_the_same_bits_without_one() {
    let mut desk = Desk::open(&["--quality", "low", "--record", "done.jsonl"]);
    let ((x, y), _) = over_the_cloth(&mut desk);
    desk.button("mousedown", 1);
    desk.wait("grabbed vertex ");
    for step in 1..=8 {
        desk.move_to((x - 8 * step, y - 6 * step));
    }
    desk.settle();
    desk.button("mouseup", 1);
    desk.wait("released vertex ");
    desk.click("table");
    desk.click("wind");
    desk.settle();
    desk.key("space");
    desk.wait("paused");
    desk.key("period");
    desk.wait("stepped to t = ");
    desk.key("space");
    desk.wait("running");
    desk.settle();
    let (snapshot, folder) = desk.quit();

    let text = std::fs::read_to_string(folder.path().join("done.jsonl")).expect("written at exit");
    assert!(text.contains("{\"command\":{\"move\":"), "{text}");
    let replay = Replay::parse(&text, "done.jsonl").expect("as it was written");
    assert_eq!(Value::from(replay.steps), snapshot["step"]);
    let verdict = replay.run(0.0, |_| {}, |_, _| true).expect("it can be repeated");
    assert_eq!(verdict, Verdict::Identical);
}

#[test]
#[ignore = "full tier"]
fn what_was_done_in_a_window_that_is_killed_is_repeated_up_to_there() {
    let mut desk = Desk::open(&["--quality", "low", "--record", "done.jsonl"]);
    over_the_cloth(&mut desk);
    desk.click("wind");
    let file = desk.file("done.jsonl");
    let recorded = || std::fs::read_to_string(&file).unwrap_or_default();
    let steps_after = |text: &str| text.rsplit("{\"command\":").next().unwrap_or_default().matches("\"step\"").count();
    desk.wait_until("the wind and steps in it", || {
        recorded().contains("{\"command\":{\"wind\"") && steps_after(&recorded()) > 20
    });
    let _folder = desk.killed();
    let replay = Replay::parse(&recorded(), "done.jsonl").expect("whole lines");
    assert!(replay.steps > 20, "{} steps", replay.steps);
    assert_eq!(replay.run(0.0, |_| {}, |_, _| true), Ok(Verdict::Identical));
}

#[test]
#[ignore = "full tier"]
#[cfg(unix)]
fn a_window_that_is_ended_by_a_signal_writes_its_files_as_one_that_is_closed() {
    for is_paused in [false, true] {
        let mut desk = Desk::open(&["--quality", "low", "--record", "done.jsonl"]);
        desk.wait_for_time(0.2);
        if is_paused {
            // until it is drawn no more
            desk.key("space");
            std::thread::sleep(std::time::Duration::from_secs(3));
        }
        desk.signal("-TERM");
        let (state, folder) = desk.ended_with(130);
        assert!(state["time"].as_f64().is_some_and(|time| time > 0.1), "{state}");
        let recorded = std::fs::read_to_string(folder.path().join("done.jsonl")).expect("written");
        let replay = Replay::parse(&recorded, "done.jsonl").expect("whole lines");
        assert_eq!(replay.run(0.0, |_| {}, |_, _| true), Ok(Verdict::Identical));
    }
}

#[test]
#[ignore = "full tier"]
fn frames_go_on_and_the_window_answers_while_a_step_takes_hours() {
    // it takes hours
    let slow = ["--solver", "xpbd", "--set", "columns=60", "--set", "rows=60", "--set", "small_steps=100"];
    let slower = ["--set", "substeps=200", "--set", "iterations=1000", "--set", "work_limit=1e6"];
    let mut desk = Desk::open(&[&["--quality", "low"], &slow[..], &slower].concat());
    let go_on = |desk: &mut Desk| (0..3).for_each(|_| drop(desk.wait("frames per second")));
    go_on(&mut desk);
    desk.key("space");
    desk.wait("paused");
    desk.key("space");
    desk.wait("running");
    go_on(&mut desk);
    desk.key("r");
    desk.wait("reset");
    go_on(&mut desk);
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["step"], 0, "no step has come to its end, and nothing has waited for one");
}

fn leading_number(said: &str) -> usize {
    said.split(' ').next().and_then(|text| text.parse().ok()).expect("a number")
}

/// A ball in the middle of the view, with a small cloth far above it.
const BALL: &str = r#"(
    title: "Ball",
    camera: (from: (0.0, 0.5, 3.0), at: (0.0, 0.5, 0.0)),
    grid: (columns: 5, rows: 5, width: 0.2, height: 0.2, plane: front),
    position: (0.0, 1.8, 0.0),
    colliders: [(shape: Box(half_extents: (0.3, 0.3, 0.3)), position: (0.0, 0.5, 0.0))],
)"#;

#[test]
#[ignore = "full tier"]
fn a_collider_is_dragged_and_with_shift_turned() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("ball.ron"), BALL).expect("written");
    let mut desk = Desk::open_at(folder, &["--quality", "low", "--scene", "ball.ron"]);
    desk.settle();
    let (x, y) = desk.place("view");
    desk.move_to((x, y));
    desk.settle();
    desk.button("mousedown", 1);
    desk.wait("grabbed collider 0");
    for step in 1..=6 {
        desk.move_to((x + 8 * step, y));
    }
    // the hand needs its time
    desk.let_pass(0.5);
    desk.hold_key("keydown", "shift");
    for step in 1..=6 {
        desk.move_to((x + 48 + 10 * step, y));
    }
    desk.settle();
    desk.button("mouseup", 1);
    desk.wait("released collider 0");
    desk.hold_key("keyup", "shift");
    let (snapshot, _) = desk.quit();
    let collider = &snapshot["parameters"]["colliders"][0];
    let (position, rotation) = (vector(&collider["position"]), vector(&collider["rotation"]));
    assert!(position[0] > 0.1 && (position[1] - 0.5).abs() < 0.02 && position[2].abs() < 0.02, "{position:?}");
    assert!(rotation[1] > 0.3 && rotation[0].abs() < 0.05, "{rotation:?}");
}

#[test]
#[ignore = "full tier"]
fn the_graphics_device_of_solvers_can_be_chosen_and_is_remembered() {
    let on_device =
        ["--quality", "low", "--solver", "gpu-projective-dynamics", "--set", "columns=10", "--set", "rows=10"];
    let mut desk = Desk::open(&on_device);
    desk.settle();
    let mut choose = |row: &str| {
        desk.click("device");
        desk.click(row);
        desk.wait("device of solvers: ")
    };
    choose("device 0");
    choose("fastest device");
    let name = choose("device 0");
    let (_, folder) = desk.quit();
    let settings = std::fs::read_to_string(folder.path().join("weft/settings.toml")).expect("written at exit");
    assert!(settings.contains(&format!("device = \"{name}\"")), "{settings}");
    let mut desk = Desk::open_at(folder, &on_device);
    assert!(desk.has_said(&format!("device of solvers, if it is there: {name}")));
}
