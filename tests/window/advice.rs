//! Which solver? Its picture, its words, and what can be done with them.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use weft::app::panels::Offscreen;
use weft::scene::{Scalar, Scene};
use weft::session::Command;
use weft::sim::Clock;

type Panels = Harness<'static, Offscreen>;

fn texts(harness: &Panels) -> Vec<String> {
    let of = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        node.label().or_else(|| node.value())
    };
    harness.root().children_recursive().filter_map(of).collect()
}

fn has(harness: &Panels, part: &str) -> bool {
    texts(harness).iter().any(|text| text.contains(part))
}

fn wait(harness: &mut Panels, what: &str, mut is_there: impl FnMut(&Panels) -> bool) {
    let until = Instant::now() + Duration::from_secs(600);
    while !is_there(harness) {
        assert!(Instant::now() < until, "no {what}: {:#?}", texts(harness));
        std::thread::sleep(Duration::from_millis(20));
        harness.run_steps(1);
    }
}

fn place(harness: &Panels, name: &str) -> egui::Rect {
    let place = harness.ctx.data(|data| data.get_temp(egui::Id::new("place").with(name)));
    place.unwrap_or_else(|| panic!("{name} is drawn"))
}

fn click(harness: &mut Panels, at: egui::Pos2) {
    harness.hover_at(at);
    harness.run_steps(1);
    harness.drag_at(at);
    harness.run_steps(1);
    harness.drop_at(at);
    harness.run_steps(1);
}

/// The panel of a small cloth, with a clock for the costs.
fn asked(size: [f32; 2]) -> Panels {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    (scene.first.grid.columns, scene.first.grid.rows) = (7, 7);
    let mut simulation = scene.build().expect("good");
    simulation.clock = Clock(|| START.elapsed().as_secs_f64());
    let offscreen = Offscreen::new(scene, simulation, &["Which solver?"]);
    let harness = Harness::builder().with_size(size).with_step_dt(0.05);
    let mut harness = harness.build_ui_state(|ui, offscreen: &mut Offscreen| offscreen.show(ui), offscreen);
    harness.run_steps(4);
    harness
}

/// The same with the answer.
fn answered(size: [f32; 2]) -> Panels {
    let mut harness = asked(size);
    harness.get_by_label("Measure").click();
    harness.run_steps(2);
    wait(&mut harness, "point", |harness| has(harness, "● "));
    assert!(has(&harness, "Cancel"), "the first points come before the end");
    wait(&mut harness, "end", |harness| !has(harness, "Cancel"));
    harness
}

#[test]
fn a_candidate_of_the_picture_is_tried_by_one_click_and_used_by_two_as_one_action() {
    let mut harness = answered([1280.0, 900.0]);
    assert!(has(&harness, "ms per frame of the 8.33 ms"), "{:#?}", texts(&harness));
    let taken = place(&harness, "advice taken").center();
    let before = (harness.state().frame().solver.id, harness.state().frame().parameters);

    // all figures under the pointer
    harness.hover_at(taken);
    harness.run_steps(12);
    assert!(has(&harness, "drift of the momentum") && has(&harness, "longest spring"), "{:#?}", texts(&harness));

    click(&mut harness, taken);
    click(&mut harness, taken);
    harness.run_steps(12);
    harness.state_mut().settle();
    harness.state_mut().send(Command::Dismiss);
    assert_eq!(harness.state_mut().session().lane_count(), 1, "two clicks are no lane");
    let used = harness.state().frame().solver.id;
    assert_ne!(used, before.0);
    harness.state_mut().send(Command::Undo);
    let frame = harness.state().frame();
    assert_eq!((frame.solver.id, frame.parameters), before, "one action");

    click(&mut harness, taken);
    harness.run_steps(12);
    harness.state_mut().wait_for_lanes(2);
    let solvers: Vec<&str> = harness.state_mut().session().lanes().iter().map(|lane| lane.frame.solver.id).collect();
    assert_eq!(solvers, [before.0, used]);
}

#[test]
fn another_purpose_is_judged_at_once_and_another_cloth_is_to_be_measured_again() {
    let mut harness = answered([1280.0, 900.0]);
    harness.get_by_label("film").click();
    harness.run_steps(2);
    assert!(has(&harness, "ms per frame of the 8.33 ms"), "{:#?}", texts(&harness));
    harness.state_mut().send(Command::Set { key: "gravity".to_owned(), value: Scalar::Real(5.0) });
    harness.run_steps(3);
    assert!(has(&harness, "measure again"), "{:#?}", texts(&harness));
    harness.state_mut().send(Command::Undo);
    harness.run_steps(3);
    assert!(!has(&harness, "measure again"));
}

#[test]
fn measurements_that_are_called_off_leave_what_is_known() {
    let mut harness = asked([1024.0, 700.0]);
    harness.get_by_label("Measure").click();
    harness.run_steps(2);
    wait(&mut harness, "point", |harness| has(harness, "● "));
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    wait(&mut harness, "end", |harness| has(harness, "Measure") && !has(harness, "Cancel"));
    assert!(has(&harness, "● ") && has(&harness, "candidates"), "{:#?}", texts(&harness));
}
