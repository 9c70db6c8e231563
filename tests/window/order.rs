//! What keeps its place and its time: the line above the cloth, notes, the menu of solvers, sections after a lesson.

use egui_kittest::kittest::Queryable;
use weft::app::panels::Turn;
use weft::scene::Scene;
use weft::session::Command;
use weft::session::lesson::Lesson;
use weft::sim::solvers;

use super::harness::{Panels, click, has, has_place, panels, place, texts, wait};

const SIZES: [[f32; 2]; 3] = [[900.0, 560.0], [1280.0, 720.0], [1920.0, 1080.0]];

#[test]
fn the_line_above_the_cloth_keeps_its_height_when_a_tool_opens() {
    for size in SIZES {
        let top = |titles: &[&str]| panels("hanging", titles, size).state().view().top();
        let alone = top(&[]);
        for title in ["Edit", "Gallery", "Files"] {
            assert_eq!(top(&[title]), alone, "{title} at {size:?}");
        }
    }
    // intersections are counted in the editor alone, and told first
    let mut harness = panels("hanging", &["Edit"], SIZES[0]);
    wait(&mut harness, "number of intersections", |harness| {
        harness.state_mut().session().take_frame();
        has(harness, "intersections").then_some(())
    });
    let is_count = |text: &String| text.strip_prefix('+').is_some_and(|count| count.parse::<u32>().is_ok());
    assert!(texts(&harness).iter().any(is_count), "what has no room is counted");
    assert!(!has(&panels("hanging", &[], SIZES[2]), "intersections"));
}

#[test]
fn a_note_goes_by_itself_and_a_fault_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.obj"), "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 2 3 4\n").expect("written");
    let scene = folder.path().join("a.ron");
    std::fs::write(&scene, "(mesh: (file: \"a.obj\"))").expect("written");
    let told = "1 vertex left out that no face uses";
    let mut harness = panels("hanging", &[], SIZES[1]);
    harness.state_mut().send(Command::Open { file: scene.to_string_lossy().into_owned() });
    let frame = harness.state().frame();
    assert!(frame.note.as_ref().is_some_and(|note| note.contains(told)), "{:?} {:?}", frame.note, frame.message);
    harness.run_steps(2);
    assert!(has(&harness, told));
    // a step of the harness is a twentieth of a second
    harness.run_steps(180);
    assert!(!has(&harness, told), "it is gone after nine seconds");

    harness.state_mut().send(Command::Open { file: "not-there.ron".to_owned() });
    harness.run_steps(300);
    assert!(has(&harness, "not-there.ron"), "a fault stays");
}

/// Opens the menu of solvers.
fn open_menu(harness: &mut Panels) {
    let at = place(harness, "solver").center();
    click(harness, at);
    harness.run_steps(20);
}

#[test]
fn the_menu_of_solvers_opens_with_the_present_one_in_sight() {
    for info in solvers::REGISTRY.iter().map(|entry| entry.info) {
        let mut harness = panels("hanging", &[], SIZES[0]);
        harness.state_mut().send(Command::Solver { id: info.id.to_owned() });
        harness.run_steps(2);
        assert!(!has_place(&harness, info.id));
        open_menu(&mut harness);
        let (entry, button) = (place(&harness, info.id), place(&harness, "solver"));
        // the menu ends before the window
        assert!(entry.top() >= 0.0 && entry.bottom() < SIZES[0][1] - 4.0, "{}: {entry:?}, below {button:?}", info.id);
    }
}

#[test]
fn sections_are_as_they_were_after_a_lesson() {
    let mut harness = panels("hanging", &[], SIZES[1]);
    let sections = |harness: &Panels| ["fold mesh", "fold all parameters"].map(|name| place(harness, name));
    let before = sections(&harness);
    let lesson = Lesson::all().expect("they come with the program").into_iter().find(|lesson| {
        lesson.steps.iter().flat_map(|step| &step.points).any(|of| format!("{of:?}").contains("Slider"))
    });
    let lesson = lesson.expect("one points at a slider");
    for at in 0..lesson.steps.len() {
        harness.state_mut().begin_lesson(lesson.clone(), at).expect("it can be built");
        harness.run_steps(25);
    }
    // by hand as well
    harness.get_by_label("All parameters").click_accesskit();
    harness.run_steps(25);
    harness.state_mut().turn_lesson(Turn::Leave);
    harness.run_steps(25);
    assert_eq!(sections(&harness), before, "{}", lesson.id);
}

#[test]
fn the_last_step_of_a_lesson_offers_the_next_one() {
    let mut harness = panels("hanging", &[], SIZES[1]);
    let all = Lesson::all().expect("they come with the program");
    harness.state_mut().begin_lesson(all[0].clone(), all[0].steps.len() - 1).expect("it can be built");
    harness.run_steps(2);
    assert!(harness.query_by_label("Next lesson").is_none(), "not before it is measured");
    if harness.state().lesson().is_some_and(|walk| walk.asks()) {
        harness.state_mut().turn_lesson(Turn::Predict(0));
    }
    harness.state_mut().turn_lesson(Turn::ShowMe);
    for _ in 0..6000 {
        harness.run_steps(1);
        if harness.state().lesson().is_some_and(|walk| walk.outcome().is_some()) {
            break;
        }
        harness.state_mut().tick();
    }
    harness.run_steps(2);
    harness.get_by_label("Next lesson").click();
    harness.run_steps(3);
    let walk = harness.state().lesson().expect("the next one");
    assert_eq!((walk.lesson().id.as_str(), walk.at()), (all[1].id.as_str(), 0));
}

#[test]
fn the_fabric_that_is_worn_is_named() {
    let harness = panels(Scene::FIRST, &[], SIZES[1]);
    assert!(has(&harness, "Cotton, changed"));
    let mut harness = panels("hanging", &[], SIZES[1]);
    harness.state_mut().send(Command::Fabric { id: "silk".to_owned() });
    harness.run_steps(3);
    let named = texts(&harness).into_iter().filter(|text| text == "Silk").count();
    assert_eq!(named, 2, "the swatch and the line below it");
}

#[test]
fn the_editor_says_whether_time_runs_after_it() {
    for (paused, told) in [(false, "time runs again"), (true, "time stays paused")] {
        let mut harness = panels("hanging", &[], SIZES[1]);
        harness.state_mut().session().pause(paused);
        harness.run_steps(2);
        harness.get_all_by_label("Edit").next().expect("its button").click();
        harness.run_steps(4);
        assert!(has(&harness, told), "{paused}");
        harness.get_all_by_label("Edit").next().expect("its button").click();
        harness.run_steps(4);
        assert_eq!(harness.state_mut().session().paused(), paused);
    }
}
