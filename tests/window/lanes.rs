//! Several lanes in the window, under one mouse.

use super::desk::Desk;

#[test]
#[ignore = "full tier"]
fn one_grab_holds_the_cloth_of_every_lane_and_a_click_chooses_one() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.add_lane("the same beside it");
    // the camera eases to where both are seen
    desk.let_pass(1.0);
    desk.choose_solver("xpbd");

    // the cloth of the other lane is to the left of the middle; a click on it chooses it
    let (x, y) = desk.place("view");
    desk.move_to((x - 45, y));
    desk.settle();
    desk.button("click", 1);
    assert_eq!(desk.wait("chose lane "), "1");
    desk.wait("hovering over vertex ");
    desk.button("mousedown", 1);
    desk.wait("grabbed vertex ");
    for step in 1..=8 {
        desk.move_to((x - 45 - 4 * step, y - 6 * step));
    }
    desk.settle();
    desk.button("mouseup", 1);
    desk.wait("released vertex ");
    desk.click("remove B");
    assert_eq!(desk.wait("removed lane "), "2");
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["solver"], "fast-mass-spring", "the chosen lane stays");
}

#[test]
#[ignore = "full tier"]
fn a_solver_that_is_dropped_on_the_cloth_is_another_lane_and_can_be_taken_back() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.open_solvers();
    let from = desk.place("implicit-euler");
    let over = desk.place("view");
    desk.move_to(from);
    desk.settle();
    desk.button("mousedown", 1);
    for step in 1..=6 {
        desk.move_to((from.0 + step * (over.0 - from.0) / 6, from.1 + step * (over.1 - from.1) / 6));
        desk.settle();
    }
    desk.settle();
    desk.button("mouseup", 1);
    assert_eq!(desk.wait("lane: solver "), "implicit-euler");
    assert_eq!(desk.wait("added lane "), "2");
    assert_eq!(desk.wait("chose lane "), "2");
    assert!(desk.all("grabbed vertex").is_empty() && desk.all("looks at").is_empty());
    // one act
    desk.key("ctrl+z");
    assert_eq!(desk.wait("removed lane "), "2");
    desk.key("ctrl+shift+z");
    assert_eq!(desk.wait("added lane "), "2");
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["solver"], "fast-mass-spring");
}

#[test]
#[ignore = "full tier"]
fn the_lanes_of_a_scene_come_and_go_with_it() {
    let mut desk = Desk::open(&["--quality", "low", "--scene", "figure-7"]);
    desk.click("lane C");
    assert_eq!(desk.wait("chose lane "), "3");
    assert_eq!(desk.all("added lane "), ["2", "3"]);
    desk.click("scene");
    desk.wait("control card cape at");
    desk.settle();
    desk.click("card cape");
    desk.wait("opened cape");
    desk.wait("removed lane ");
    desk.wait("removed lane ");
    // an act of the chosen lane: with the scene its lanes come back
    desk.key("ctrl+z");
    assert_eq!(desk.wait("added lane "), "2");
    assert_eq!(desk.wait("added lane "), "3");
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["scene"], "figure-7");
}

#[test]
#[ignore = "full tier"]
fn a_lane_with_another_solver_costs_the_same_after_two_clicks_and_goes_with_one_undo() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.click("add lane");
    desk.wait("control beside xpbd at");
    desk.settle();
    desk.click("beside xpbd");
    assert_eq!(desk.wait("lane: solver "), "xpbd");
    assert_eq!(desk.wait("added lane "), "2");
    assert_eq!(desk.wait("chose lane "), "2");
    desk.settle();
    // one act: lane and solver
    desk.key("ctrl+z");
    assert_eq!(desk.wait("removed lane "), "2");
    desk.key("ctrl+shift+z");
    assert_eq!(desk.wait("added lane "), "2");
    desk.settle();
    desk.click("equal cost");
    let mut set = desk.wait("equal cost: lane ");
    // where it is dearer its sweeps are lowered first
    if set == "2 gets iterations = 1" {
        set = desk.wait("equal cost: lane ");
    }
    let steps: u32 = set.strip_prefix("2 gets small_steps = ").and_then(|value| value.parse().ok()).expect("a number");
    assert!((1..=100).contains(&steps), "{set}");
    desk.settle();
    // the whole card is a button
    desk.click("card B");
    assert_eq!(desk.wait("chose lane "), "2");
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["solver"], "xpbd");
    assert_eq!(snapshot["parameters"]["settings"]["small_steps"], steps);
}
