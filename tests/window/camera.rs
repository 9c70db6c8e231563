//! The camera by keys: views along the axes, the two projections, and the pointer in them; and keys
//! that act on nothing while a file name is typed.

use super::desk::Desk;
use super::picture::{Picture, is_cloth};

/// Waits for a view, told as "Front, orthographic", and returns its height at the focus [m].
fn wait_for_view(desk: &mut Desk, view: &str) -> f64 {
    let told = desk.wait(&format!("view {view}, "));
    let height = told.strip_suffix(" m high at the focus").expect("its height");
    height.parse().expect("a number")
}

/// Targets of the commands of a recording that are called `name` [m].
fn targets(text: &str, name: &str) -> Vec<[f64; 3]> {
    let lines = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let targets = lines.map(|line| line["command"][name]["target"].clone());
    targets.filter(|target| !target.is_null()).map(|target| serde_json::from_value(target).expect("a place")).collect()
}

#[test]
#[ignore = "full tier"]
fn views_along_the_axes_are_orthographic_and_show_as_much_as_the_perspective() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.key("space");
    desk.wait("paused");
    desk.key("KP_5");
    wait_for_view(&mut desk, "free, orthographic");
    desk.key("KP_5");
    let height = wait_for_view(&mut desk, "free, perspective");
    let same = |desk: &mut Desk, view: &str| {
        let seen = wait_for_view(desk, view);
        assert!((seen / height - 1.0).abs() < 1e-3, "{view}: {seen} m, and {height} m before");
    };
    desk.key("KP_1");
    same(&mut desk, "Front, orthographic");
    desk.key("ctrl+KP_3");
    same(&mut desk, "Left, orthographic");
    desk.key("ctrl+KP_7");
    same(&mut desk, "Bottom, orthographic");
    desk.key("KP_7");
    same(&mut desk, "Top, orthographic");
    // turned away from the axis, beside the cloth
    let (x, y) = desk.place("view");
    let turn = |desk: &mut Desk, view: &str| {
        desk.move_to((x + 230, y - 100));
        desk.settle();
        desk.button("mousedown", 1);
        desk.settle();
        desk.move_to((x + 230, y - 150));
        same(desk, view);
        desk.button("mouseup", 1);
        desk.settle();
    };
    turn(&mut desk, "free, perspective");
    // a projection that was chosen stays
    desk.key("KP_5");
    same(&mut desk, "free, orthographic");
    desk.settle();
    desk.click("views");
    desk.wait("control view right at");
    desk.settle();
    desk.click("view right");
    same(&mut desk, "Right, orthographic");
    turn(&mut desk, "free, orthographic");
    desk.key("KP_1");
    same(&mut desk, "Front, orthographic");
    desk.key("KP_5");
    same(&mut desk, "Front, perspective");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn the_cloth_is_in_view_after_the_editor_and_after_undo() {
    let mut desk = Desk::open(&["--quality", "low", "--screenshot", "exit.png"]);
    desk.wait_for_time(1.0);
    desk.key("e");
    desk.wait("reset");
    desk.settle();
    // the view is moved away from the cloth, as while something else is built
    let (x, y) = desk.place("view");
    for _ in 0..4 {
        desk.move_to((x, y));
        desk.button("mousedown", 2);
        desk.settle();
        desk.move_to((x, y + 200));
        desk.settle();
        desk.button("mouseup", 2);
        desk.settle();
    }
    desk.key("e");
    desk.settle();
    desk.key("ctrl+z");
    desk.wait("took back: Reset");
    desk.let_pass(0.5);
    desk.settle();
    let path = desk.file("exit.png");
    let (_, folder) = desk.quit();
    let picture = Picture::read(&path);
    drop(folder);
    let share = picture.pixels.iter().filter(|pixel| is_cloth(**pixel)).count() as f64 / picture.pixels.len() as f64;
    assert!(share > 0.03, "{share} of the window is cloth");
}

#[test]
#[ignore = "full tier"]
fn a_vertex_is_picked_and_dragged_in_the_plane_of_an_orthographic_view() {
    let mut desk = Desk::open(&["--quality", "low", "--record", "done.jsonl"]);
    desk.wait_for_time(3.0);
    desk.key("space");
    desk.wait("paused");
    // the window is the view
    desk.key("h");
    desk.wait("control view at 450 280");
    desk.key("KP_1");
    let metres = wait_for_view(&mut desk, "Front, orthographic") / 560.0;
    desk.settle();
    let ends = [(430, 250), (480, 310)];
    for (x, y) in ends {
        desk.move_to((x, y));
        desk.settle();
        desk.button("mousedown", 1);
        desk.wait("grabbed vertex ");
        for step in 1..=4 {
            desk.move_to((x + 20 * step, y));
            desk.settle();
        }
        desk.button("mouseup", 1);
        desk.wait("released vertex ");
        desk.settle();
    }
    let (_, folder) = desk.quit();
    let text = std::fs::read_to_string(folder.path().join("done.jsonl")).expect("written at exit");
    let (taken, moved) = (targets(&text, "grab"), targets(&text, "move"));
    assert_eq!(taken.len(), 2, "{text}");
    // the vertices are where the pointer was, to half a diagonal of the mesh
    let across = |axis: usize, pixels: f64| {
        let apart = taken[1][axis] - taken[0][axis];
        assert!((apart - metres * pixels).abs() < 0.05, "{taken:?} for {pixels} pixels of {metres} m");
    };
    across(0, f64::from(ends[1].0 - ends[0].0));
    across(1, f64::from(ends[0].1 - ends[1].1));
    // they keep their depth and go as far as the pointer
    let last = moved.last().expect("moves");
    let [x, y, z] = [0, 1, 2].map(|axis| last[axis] - taken[1][axis]);
    assert!((x - 80.0 * metres).abs() < 1e-3 && y.abs() < 1e-3 && z.abs() < 1e-3, "{x} {y} {z} of {metres}");
}

#[test]
#[ignore = "full tier"]
fn keys_act_on_nothing_while_a_file_name_is_typed() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    let (x, y) = desk.place("view");
    desk.move_to((x, y));
    desk.key("ctrl+s");
    desk.wait("asking for a file to save the scene in");
    desk.settle();
    for key in ["2", "4", "r", "f", "p", "m", "c", "e", "space", "period", "KP_1", "KP_5", "F1", "h", "ctrl+k"] {
        desk.key(key);
    }
    // Escape takes the focus away first; letters still belong to the dialog then
    for key in ["Escape", "2", "r", "Escape", "Escape", "Escape"] {
        desk.settle();
        desk.key(key);
    }
    desk.settle();
    let said = [
        "painted with",
        "reset",
        "pinned",
        "looks at",
        "paused",
        "stepped",
        "view Front",
        "keys are",
        "control add ball",
    ];
    for part in said {
        assert!(!desk.has_said(part), "{:?}", desk.all(part));
    }
    // they are heard again
    desk.key("2");
    desk.wait("painted with Stretch");
    desk.key("KP_1");
    wait_for_view(&mut desk, "Front, orthographic");
    desk.quit();
}
