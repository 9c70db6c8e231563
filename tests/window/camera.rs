//! The camera by keys: the pointer in a view along an axis.

use super::desk::Desk;

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
fn a_vertex_is_picked_and_dragged_in_the_plane_of_an_orthographic_view() {
    let mut desk = Desk::open(&["--quality", "low", "--record", "done.jsonl"]);
    desk.wait_for_time(3.0);
    desk.key("space");
    desk.wait("paused");
    // the window is the view
    desk.key("Tab");
    desk.wait("control view at 450 280");
    desk.settle();
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
