//! What is tried in the background: mends after a blow-up, and the stability chart.

use std::sync::Arc;

use egui_kittest::kittest::{NodeT, Queryable};
use weft::scene::{Scalar, Scene};
use weft::session::Command;
use weft::sim::Parameters;

use super::desk::Desk;
use super::harness::{Panels, has, panels, place, texts, wait};

/// A cloth that has just blown up.
fn blown_up(size: [f32; 2]) -> Panels {
    let mut harness = panels("hanging", &[], size);
    harness.state_mut().send(Command::Solver { id: "symplectic-euler".to_owned() });
    for _ in 0..300 {
        if harness.state().frame().failure.is_none() {
            harness.state_mut().send(Command::Step);
        }
    }
    assert!(harness.state().frame().failure.is_some());
    harness
}

/// Waits until all mends have been tried.
fn wait_for_mends(harness: &mut Panels) {
    wait(harness, "end of the search", |harness| (has(harness, "by trial") && !has(harness, "trying")).then_some(()));
}

#[test]
fn after_a_blow_up_one_reads_what_broke_and_a_mend_that_is_clicked_holds() {
    let mut harness = blown_up([900.0, 560.0]);
    wait_for_mends(&mut harness);
    for part in [
        "blew up at t = ",
        "times its rest length",
        "h·ω of this spring",
        "(stable below ",
        "linear theory",
        "by trial",
    ] {
        assert!(has(&harness, part), "{part}: {:#?}", texts(&harness));
    }
    let before = harness.state().frame().parameters;
    let button = wait(&mut harness, "mend", |harness| {
        let nodes: Vec<egui::Rect> = harness
            .get_all_by_label_contains(" substeps")
            .filter(|node| format!("{:?}", node.accesskit_node().role()) == "Button")
            .map(|node| node.rect())
            .collect();
        nodes.first().copied()
    });
    assert!(button.bottom() < 560.0, "all of it is to be seen: {button:?}");
    harness.get_all_by_label_contains(" substeps").next().expect("just seen").click();
    wait(&mut harness, "cloth that goes on", |harness| {
        harness.state_mut().session().take_frame();
        harness.state().frame().failure.is_none().then_some(())
    });
    let after = harness.state().frame().parameters;
    assert!(after.timing.substeps > 10 && after.timing.time_step == before.timing.time_step);
    assert!(!harness.state().frame().paused, "the cloth goes on");
    for _ in 0..120 {
        harness.state_mut().tick();
    }
    assert!(harness.state().frame().failure.is_none(), "two seconds later it still holds");
    assert!(harness.state().frame().readouts.stretch.largest < 0.5);
    assert_eq!(harness.state().frame().timeline.undo.as_deref(), Some("Mend"));
    harness.state_mut().send(Command::Undo);
    assert_eq!(harness.state().frame().parameters, before, "it is one act");
    harness.run_steps(2);
}

#[test]
fn in_lanes_the_chosen_one_is_mended_and_the_others_stay_as_they_are() {
    let mut harness = panels("hanging", &[], [1280.0, 720.0]);
    harness.state_mut().add_lane();
    harness.state_mut().session().choose_lane(1);
    harness.state_mut().send(Command::Solver { id: "symplectic-euler".to_owned() });
    for _ in 0..300 {
        if harness.state().frame().failure.is_none() {
            harness.state_mut().tick();
        }
    }
    let lane = |harness: &mut Panels, slot: usize| {
        let frame = Arc::clone(harness.state_mut().session().lanes()[slot].frame);
        (frame.parameters, frame.time, frame.failure.is_some())
    };
    let (at_first, ..) = lane(&mut harness, 0);
    assert!(lane(&mut harness, 1).2, "it blew up");
    wait_for_mends(&mut harness);
    harness.get_all_by_label_contains(" substeps").next().expect("it is offered").click();
    wait(&mut harness, "lane that goes on", |harness| {
        harness.state_mut().session().take_frame();
        (!lane(harness, 1).2).then_some(())
    });
    let time = lane(&mut harness, 1).1;
    for _ in 0..60 {
        harness.state_mut().tick();
    }
    let [other, mended] = [0, 1].map(|slot| lane(&mut harness, slot));
    assert_eq!(other.0, at_first);
    assert!(mended.0.timing.substeps > 10 && mended.1 > time + 0.5 && !mended.2 && !other.2);
}

/// The window with the compass open and the region of the solver at work on it.
fn compass() -> Panels {
    let mut harness = panels("stability", &["Stability"], [1280.0, 720.0]);
    wait(&mut harness, "whole region", |harness| {
        (has(harness, "Methods") && !has(harness, "Trying ") && !has(harness, "Waiting")).then_some(())
    });
    harness
}

fn drag(harness: &mut Panels, from: egui::Pos2, to: egui::Pos2) {
    harness.hover_at(from);
    harness.run_steps(2);
    harness.drag_at(from);
    harness.run_steps(2);
    for share in [0.2, 0.5, 0.8, 1.0] {
        harness.hover_at(from + share * (to - from));
        harness.run_steps(2);
    }
    harness.drop_at(to);
    harness.run_steps(2);
}

fn parameters(harness: &mut Panels) -> Parameters {
    // an order to wait for
    harness.state_mut().send(Command::Dismiss);
    harness.state().frame().parameters
}

#[test]
fn the_convergence_of_a_cloth_without_inner_forces_says_that_there_is_none() {
    // at rest, and in free fall
    for (key, value) in [("gravity", "0"), ("pins", "none")] {
        let mut harness = panels("hanging", &["Convergence"], [900.0, 700.0]);
        for (key, value) in [("columns", "6"), (key, value)] {
            harness.state_mut().send(Command::Set { key: key.to_owned(), value: Scalar::Text(value.to_owned()) });
        }
        harness.run_steps(2);
        harness.get_by_label("Measure").click();
        wait(&mut harness, "sentence", |harness| has(harness, "The step starts at its minimum").then_some(()));
        assert!(!has(&harness, "Iterations and ms to an error of"), "{:#?}", texts(&harness));
    }
}

#[test]
fn the_dot_of_the_compass_is_dragged_and_the_cloth_has_what_it_says() {
    let mut harness = compass();
    let before = parameters(&mut harness);
    let dot = place(&harness, "compass dot").center();
    let chart = place(&harness, "compass chart");
    assert!(chart.contains(dot), "{dot:?} in {chart:?}");
    // beside the dot nothing is taken
    drag(&mut harness, dot + egui::vec2(60.0, 60.0), dot + egui::vec2(90.0, 90.0));
    assert_eq!(parameters(&mut harness), before);

    drag(&mut harness, dot, dot + egui::vec2(-80.0, -50.0));
    let after = parameters(&mut harness);
    // three decades of time steps from left to right
    let steps = (after.timing.time_step / before.timing.time_step).log10();
    assert!((steps + 3.0 * 80.0 / f64::from(chart.width())).abs() < 0.02, "{steps} decades");
    let (stiff, was) = (after.material, before.material);
    assert!(stiff.structural_stiffness > 2.0 * was.structural_stiffness);
    let share = stiff.structural_stiffness / was.structural_stiffness;
    assert!((stiff.shear_stiffness / was.shear_stiffness / share - 1.0).abs() < 1e-9, "in proportion");
    assert_eq!(stiff.damping, was.damping);
    let moved = place(&harness, "compass dot").center();
    assert!(moved.distance(dot + egui::vec2(-80.0, -50.0)) < 2.0, "the dot is where it was let go");
    harness.state_mut().send(Command::Undo);
    assert_eq!(harness.state().frame().parameters, before, "one drag is one act");
}

#[test]
fn a_click_on_a_border_of_the_compass_says_what_breaks_there() {
    let mut harness = compass();
    // symplectic Euler is at work, and its border falls from left to right: somewhere on the way up from the bottom it is met
    let chart = place(&harness, "compass chart");
    let said = (0..40).find_map(|at| {
        let at = egui::pos2(chart.center().x, chart.bottom() - chart.height() * (at as f32 + 0.5) / 40.0);
        harness.hover_at(at);
        harness.run_steps(2);
        harness.drag_at(at);
        harness.run_steps(1);
        harness.drop_at(at);
        harness.run_steps(2);
        if !has(&harness, "trying …") && !has(&harness, "h·ω of the cloth") {
            return None;
        }
        // other methods have borders of their own
        let said = wait(&mut harness, "answer", |harness| {
            texts(harness).into_iter().find(|text| text.contains("h·ω of the cloth is "))
        });
        said.starts_with("Symplectic Euler").then_some(said)
    });
    let said = said.expect("a border is met");
    assert!(said.contains("fails first, h·ω = "), "{said}");
    let of_net: f64 =
        said.split("cloth is ").nth(1).and_then(|rest| rest.trim_end_matches('.').parse().ok()).expect("a number");
    assert!(of_net > 1.0 && of_net < 4.0, "{said}");
}

#[test]
#[ignore = "full tier"]
fn in_the_window_a_mend_is_offered_and_the_cloth_goes_on() {
    let mut desk = Desk::open(&["--quality", "low", "--solver", "symplectic-euler"]);
    desk.wait("symplectic-euler failed at t = ");
    desk.wait("3 mends hold");
    desk.click("mend by substeps");
    desk.wait("restored t = ");
    desk.let_pass(2.0);
    assert_eq!(desk.all("symplectic-euler failed at t = ").len(), 1, "it goes on and holds");
    let (snapshot, _) = desk.quit();
    assert!(snapshot["parameters"]["timing"]["substeps"].as_u64() > Some(10), "{}", snapshot["parameters"]["timing"]);
    assert_eq!(snapshot["solver"], "symplectic-euler");
}

#[test]
#[ignore = "full tier"]
fn in_the_window_the_dot_of_the_compass_is_dragged() {
    let mut desk = Desk::open(&["--quality", "low", "--scene", "stability"]);
    desk.settle();
    desk.click("more");
    desk.wait("control stability at");
    desk.settle();
    desk.click("stability");
    desk.wait("compass: symplectic-euler tried at ");
    let (x, y) = desk.place("compass dot");
    desk.move_to((x, y));
    desk.settle();
    desk.button("mousedown", 1);
    for step in 1..=6 {
        desk.move_to((x - 8 * step, y - 4 * step));
    }
    desk.settle();
    desk.button("mouseup", 1);
    desk.settle();
    desk.key("ctrl+z");
    desk.wait("took back: ");
    desk.key("ctrl+shift+z");
    desk.wait("done again: ");
    let (snapshot, _) = desk.quit();
    let at_first = Scene::load("stability").and_then(|scene| scene.build()).expect("it comes along").parameters;
    let step = snapshot["parameters"]["timing"]["time_step"].as_f64().expect("a number");
    assert!(step < 0.8 * at_first.timing.time_step, "{step} s");
    let stiffness = snapshot["parameters"]["material"]["structural_stiffness"].as_f64().expect("a number");
    assert!(stiffness > 1.2 * at_first.material.structural_stiffness, "{stiffness} N/m");
}

#[test]
fn a_fabric_is_tested_beside_what_was_set_until_it_is_called_off() {
    let mut harness = panels("test-cantilever", &[], [1280.0, 720.0]);
    harness.get_by_label("Test").click();
    harness.run_steps(3);
    harness.get_by_label("Test this fabric").click();
    wait(&mut harness, "third result", |harness| has(harness, "Tension, bias").then_some(()));
    // the bias of 3000 and 50 N/m
    assert!(has(&harness, "194 N/m") && has(&harness, "Cotton, changed, by Implicit Euler"), "{:#?}", texts(&harness));
    harness.get_by_label("Cancel").click();
    wait(&mut harness, "end", |harness| has(harness, "Test this fabric").then_some(()));
    assert!(has(&harness, "Tension, warp") && !has(&harness, "failed"), "{:#?}", texts(&harness));
}

/// Types into the field with this name in place of what it holds.
fn type_into(harness: &mut Panels, name: &str, text: &str) {
    harness.get_by_label(name).focus();
    harness.run_steps(2);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.run_steps(2);
    harness.get_by_label(name).type_text(text);
    harness.run_steps(2);
}

/// Begins to fit the bending stiffness to a figure of the cantilever.
fn fit_bending(harness: &mut Panels, target: &str) {
    type_into(harness, "Target of the fit", target);
    harness.get_by_label("Fit").click();
    harness.run_steps(2);
}

#[test]
fn parameters_are_fitted_to_a_figure_and_used_as_one_act() {
    let mut harness = panels("test-cantilever", &["Fabric tests"], [1280.0, 720.0]);
    // of a drape shear and bending are fitted
    assert!(has(&harness, "Shear 50 N/m") && has(&harness, "Bending 7 µN·m"), "{:#?}", texts(&harness));
    harness.get_by_label("Test of the fit").click();
    harness.run_steps(3);
    harness.get_by_label("Bending, warp").click();
    harness.run_steps(3);
    assert!(!has(&harness, "Shear 50 N/m") && has(&harness, "Bending 7 µN·m"), "{:#?}", texts(&harness));
    // far away, so that there is time to call it off
    fit_bending(&mut harness, "600 µN·m");
    wait(&mut harness, "evaluations", |harness| has(harness, "Evaluation 3; the best so far is ").then_some(()));
    harness.get_by_label("Cancel").click();
    wait(&mut harness, "end", |harness| has(harness, "Interrupted after ").then_some(()));
    assert!(has(&harness, "bending along the warp so far is "), "{:#?}", texts(&harness));

    let before = parameters(&mut harness);
    fit_bending(&mut harness, "10 µN·m");
    let sentence = wait(&mut harness, "result", |harness| {
        texts(harness).into_iter().find(|text| text.starts_with("Bending along the warp is "))
    });
    assert!(sentence.contains(" µN·m with bending ") && sentence.ends_with("the fabric has 7 µN·m."), "{sentence}");
    assert_eq!(parameters(&mut harness), before, "it ran on a copy");
    assert!(place(&harness, "fit path").height() > 100.0, "the path is drawn");
    harness.get_by_label("Use").click();
    harness.run_steps(3);
    let after = parameters(&mut harness);
    let bending = after.material.bending_stiffness;
    assert!((bending / 1e-5 - 1.0).abs() < 0.05, "{bending} N·m: {sentence}");
    let undone = Parameters {
        material: weft::sim::Material { bending_stiffness: before.material.bending_stiffness, ..after.material },
        ..after
    };
    assert_eq!(undone, before, "nothing else has changed");
    harness.state_mut().send(Command::Undo);
    assert_eq!(parameters(&mut harness), before, "it is one act");
}

#[test]
fn a_figure_out_of_reach_and_what_stands_in_the_way_of_a_fit_is_told() {
    let mut harness = panels("test-cantilever", &["Fabric tests"], [1280.0, 720.0]);
    harness.get_by_label("Test of the fit").click();
    harness.run_steps(3);
    harness.get_by_label("Shear").click();
    harness.run_steps(3);
    type_into(&mut harness, "Target of the fit", "8 kg");
    assert!(has(&harness, "Type the figure: a number above 0 in N/m"), "{:#?}", texts(&harness));
    type_into(&mut harness, "Target of the fit", "100000");
    harness.get_by_label("Shear 50 N/m").click();
    harness.run_steps(2);
    assert!(has(&harness, "Choose a parameter to vary."), "{:#?}", texts(&harness));
    harness.get_by_label("Shear 50 N/m").click();
    harness.run_steps(2);
    harness.get_by_label("Fit").click();
    let sentence = "Shear in the frame cannot reach 100 kN/m with shear between 0.5 N/m and 5000 N/m; the nearest is ";
    wait(&mut harness, "end", |harness| has(harness, sentence).then_some(()));
    assert!(has(&harness, "Use the nearest"), "{:#?}", texts(&harness));
    // what is drawn of it is in plain words too
    let keys = super::plain_words::keys();
    for text in texts(&harness) {
        assert_eq!(super::plain_words::faults(&text, &keys), Vec::<String>::new(), "{text}");
    }
}

/// Whether a fit can be started.
fn can_fit(harness: &Panels) -> bool {
    !harness.get_by_label("Fit").accesskit_node().is_disabled()
}

#[test]
fn a_drape_of_a_cloth_that_springs_bend_is_not_fitted_and_a_file_that_is_no_scan_is_told() {
    let mut harness = panels("test-drape", &["Fabric tests"], [1280.0, 720.0]);
    // the published drape of the fabric, or what is typed
    type_into(&mut harness, "Target of the fit", "68");
    assert!(can_fit(&harness), "{:#?}", texts(&harness));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("scan.obj");
    std::fs::write(&file, "v 0 0 0\nv 300 0 0\nv 0 300 0\nf 1 2 3\n").expect("written");
    harness.state_mut().take_scan(&file);
    harness.run_steps(2);
    assert!(!can_fit(&harness) && has(&harness, "it is 300.000 m across"), "{:#?}", texts(&harness));
    std::fs::write(&file, "v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nf 1 2 3\n").expect("written");
    harness.state_mut().take_scan(&file);
    harness.run_steps(2);
    assert!(!can_fit(&harness) && has(&harness, "it has no flat upper part"), "{:#?}", texts(&harness));
    harness.get_by_label("z up").click();
    harness.run_steps(2);
    assert!(can_fit(&harness) && has(&harness, "scan.obj"), "{:#?}", texts(&harness));
    harness.get_by_label("No scan").click();
    harness.run_steps(2);
    assert!(can_fit(&harness) && !has(&harness, "scan.obj"), "{:#?}", texts(&harness));
    let value = Scalar::Text("springs".to_owned());
    harness.state_mut().send(Command::Set { key: "bending_model".to_owned(), value });
    harness.run_steps(2);
    assert!(!can_fit(&harness) && has(&harness, "It is bent by springs"), "{:#?}", texts(&harness));
}
