//! Which solver? Its picture, its words, and what can be done with them.

use std::sync::LazyLock;
use std::time::Instant;

use egui_kittest::kittest::{NodeT, Queryable};
use weft::scene::{Scalar, Scene};
use weft::session::Command;
use weft::sim::Clock;

#[cfg(target_os = "linux")]
use super::desk::Desk;
use super::harness::{Panels, click, drag, has, has_place, panels_of, place, texts, wait};

/// The panel of a small cloth, with a clock for the costs.
fn asked(size: [f32; 2]) -> Panels {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    // one that errs so much that it is not kept
    scene.set_solver("pbd").expect("registered");
    (scene.first.grid.columns, scene.first.grid.rows) = (7, 7);
    let mut simulation = scene.build().expect("good");
    simulation.clock = Clock(|| START.elapsed().as_secs_f64());
    panels_of(scene, simulation, &["Which solver?"], size)
}

/// The same with the answer.
fn answered(size: [f32; 2]) -> Panels {
    let mut harness = asked(size);
    harness.get_by_label("Measure").click();
    harness.run_steps(2);
    wait(&mut harness, "point", |harness| has(harness, "XPBD").then_some(()));
    assert!(has(&harness, "Cancel"), "the first points come before the end");
    wait(&mut harness, "end", |harness| (!has(harness, "Cancel")).then_some(()));
    harness
}

#[test]
fn a_candidate_of_the_picture_is_tried_by_one_click_and_used_by_two_as_one_action() {
    // the picture is below the films
    let mut harness = answered([1280.0, 1400.0]);
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
fn after_the_measurement_three_films_play_side_by_side_with_what_the_eye_sees() {
    let mut harness = asked([900.0, 560.0]);
    let before = harness.state().view();
    harness.get_by_label("Measure").click();
    harness.run_steps(2);
    wait(&mut harness, "point", |harness| has(harness, "XPBD").then_some(()));
    assert!(harness.state().images_of_advice().is_empty(), "candidates come and go");
    wait(&mut harness, "end", |harness| (!has(harness, "Cancel")).then_some(()));
    let images = |harness: &Panels| harness.state().images_of_advice();
    wait(&mut harness, "films", |harness| (images(harness).len() == 3).then_some(()));
    let captions = texts(&harness);
    let films: Vec<&String> = captions.iter().filter(|text| text.starts_with("Film: ")).collect();
    assert_eq!(films.len(), 3, "{captions:#?}");
    for (film, role) in films.iter().zip(["Reference, ", "Recommended, ", ""]) {
        assert!(film["Film: ".len()..].starts_with(role), "{film}");
        let name = film.split_once(", ").expect("a role and a name").1;
        assert!(captions.iter().any(|text| text == name), "{name} in {captions:#?}");
    }
    for part in ["ms per step", "stretch ", "Sag", "Folds", "Jitter at rest", "1/m"] {
        assert!(has(&harness, part), "{part} in {captions:#?}");
    }

    // side by side, within the panel, whose width stays
    let places = [1, 2, 3].map(|at| place(&harness, &format!("advice film {at}")));
    let panel = place(&harness, "advice picture");
    assert!(places.windows(2).all(|pair| pair[0].right() < pair[1].left() && pair[0].top() == pair[1].top()));
    assert!(places[0].width() > 100.0 && places[2].right() - places[0].left() < 500.0, "{places:?}");
    let figures = place(&harness, "advice film figures");
    assert!(figures.right() <= places[2].right() + 4.0 && places[2].right() <= panel.right() + 4.0, "{figures:?}");
    assert_eq!(harness.state().view(), before);

    // each has its cloth, they move, and a click stops them
    assert!(images(&harness).iter().all(|image| image.pixels.iter().any(|pixel| pixel.a() == 255)));
    let first = images(&harness);
    let moved = |harness: &mut Panels| {
        let now = images(harness);
        let moves = |at: usize| now[at].pixels != first[at].pixels;
        // the last one may have failed
        (0..2).all(moves).then_some(())
    };
    wait(&mut harness, "motion", moved);
    let time = |harness: &Panels| {
        let is_time = |text: &String| text.starts_with('+') && text.ends_with(" s");
        texts(harness).into_iter().find(is_time).expect("the time")
    };
    harness.get_by_label(films[0]).click();
    // the pictures that were on their way still come
    let (mut stopped, mut equal) = (time(&harness), 0);
    wait(&mut harness, "stop", |harness| {
        let now = time(harness);
        equal = if now == stopped { equal + 1 } else { 0 };
        stopped = now;
        (equal == 60).then_some(())
    });
    harness.get_by_label(films[1]).click();
    wait(&mut harness, "motion", |harness| (time(harness) != stopped).then_some(()));
}

#[test]
fn another_budget_or_purpose_is_judged_at_once_and_another_cloth_is_to_be_measured_again() {
    let mut harness = answered([1280.0, 1400.0]);
    drag_and_type_the_budget(&mut harness);
    harness.get_by_label("film").click();
    harness.run_steps(2);
    assert!(has(&harness, "ms per frame of the 20 ms"), "{:#?}", texts(&harness));
    harness.state_mut().send(Command::Set { key: "gravity".to_owned(), value: Scalar::Real(5.0) });
    harness.run_steps(3);
    assert!(has(&harness, "measure again"), "{:#?}", texts(&harness));
    harness.state_mut().send(Command::Undo);
    harness.run_steps(3);
    assert!(!has(&harness, "measure again"));
}

#[test]
fn measurements_that_are_called_off_leave_what_is_known_and_others_follow() {
    let mut harness = asked([1024.0, 700.0]);
    harness.state_mut().send(Command::Solver { id: "projective-dynamics".to_owned() });
    harness.run_steps(2);
    harness.get_by_label("Measure").click();
    harness.run_steps(2);
    wait(&mut harness, "point", |harness| has(harness, "XPBD").then_some(()));
    harness.get_by_label("Cancel").click();
    harness.run_steps(2);
    wait(&mut harness, "end", |harness| (has(harness, "Measure") && !has(harness, "Cancel")).then_some(()));
    assert!(has(&harness, "XPBD") && has(&harness, "candidates"), "{:#?}", texts(&harness));

    // the pointer stays at a candidate; the next measurements have fewer
    wait(&mut harness, "present one", |harness| has_place(harness, "advice present").then_some(()));
    let last = place(&harness, "advice present").center();
    harness.hover_at(last);
    harness.run_steps(3);
    for (key, value) in [("springs", false), ("edge_strain", true)] {
        harness.state_mut().send(Command::Set { key: key.to_owned(), value: Scalar::Toggle(value) });
    }
    harness.get_by_label("Measure").click();
    harness.run_steps(2);
    wait(&mut harness, "point", |harness| has(harness, "Not measured: ").then_some(()));
    harness.get_by_label("Cancel").click();
    wait(&mut harness, "end", |harness| (!has(harness, "Cancel")).then_some(()));
}

#[test]
fn the_menu_tells_what_every_solver_does_on_this_cloth() {
    let mut harness = asked([1280.0, 900.0]);
    let menu = place(&harness, "solver").center();
    click(&mut harness, menu);
    harness.run_steps(3);
    let told = |harness: &Panels, name: &str| {
        let row = harness.query_all_by_label(name).find_map(|node| node.accesskit_node().description());
        row.unwrap_or_default()
    };
    wait(&mut harness, "look", |harness| told(harness, "Implicit Euler").contains("stretch ").then_some(()));
    assert!(told(&harness, "Explicit Euler").contains("fails"), "{}", told(&harness, "Explicit Euler"));

    // another cloth is looked at anew when it has stayed as it is
    harness.state_mut().send(Command::Set { key: "gravity".to_owned(), value: Scalar::Real(5.0) });
    harness.run_steps(1);
    assert!(!told(&harness, "Implicit Euler").contains("stretch "), "{}", told(&harness, "Implicit Euler"));
    wait(&mut harness, "look", |harness| told(harness, "Implicit Euler").contains("stretch ").then_some(()));
}

/// Moves the line of the budget in the picture, then types other budgets.
fn drag_and_type_the_budget(harness: &mut Panels) {
    let budget = place(harness, "advice budget line");
    drag(harness, budget.center(), budget.center() - egui::vec2(60.0, 0.0));
    harness.run_steps(2);
    let dragged = value_of(harness, "Budget per frame");
    assert!(dragged < 8.33, "{dragged} ms");
    assert!(has(harness, &format!("ms per frame of the {dragged} ms")), "{:#?}", texts(harness));

    for typed in ["0.02", "20"] {
        click(harness, place(harness, "advice budget").center());
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text(typed.to_owned()));
        harness.key_press(egui::Key::Enter);
        harness.run_steps(3);
        // on a slow machine nothing costs so little
        let is_judged =
            has(harness, &format!("of the {typed} ms")) || has(harness, &format!("at most {typed} ms per frame"));
        assert!(is_judged, "{:#?}", texts(harness));
    }
}

/// The number in a field.
fn value_of(harness: &Panels, field: &str) -> f64 {
    let field = harness.get_by_label(field);
    let text = field.value().expect("it has a value");
    text.trim_end_matches(" ms").parse().unwrap_or_else(|_| panic!("{text} is no time"))
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "full tier"]
fn in_the_real_window_the_answer_is_measured_and_used_by_clicks() {
    let small = ["--quality", "low", "--set", "columns=9", "--set", "rows=9", "--solver", "pbd"];
    let mut desk = Desk::open(&small);
    desk.settle();
    desk.click("ask which solver");
    desk.settle();
    desk.click("measure solvers");
    desk.wait("measured all solvers");
    desk.settle();
    desk.click("use take");
    let taken = desk.wait("taking ");
    desk.settle();
    let (snapshot, _) = desk.quit();
    let solver = snapshot["solver"].as_str().expect("an id");
    assert!(solver != "pbd" && taken.starts_with(solver), "{taken}: {solver}");
}
