//! Scenes that are built in the window: by its panel at three sizes, and by pointer and keys alone.

use egui::{Event, Key, Modifiers};
use weft::app::panels::DrawnText;
use weft::scene::{Part, Scene, Template};

use super::harness::{Panels, click, has, panels, place, texts, wait};
use super::panels::overlaps;

const SIZES: [[f32; 2]; 3] = [[900.0, 560.0], [1280.0, 720.0], [1920.0, 1080.0]];

/// Draws until `is_so` of the frame and the texts.
fn until(harness: &mut Panels, what: &str, mut is_so: impl FnMut(&mut Panels) -> bool) {
    wait(harness, what, |harness| {
        harness.state_mut().session().take_frame();
        is_so(harness).then_some(())
    });
}

/// Clicks a button that adds a thing, and waits until it is there and chosen.
fn add(harness: &mut Panels, template: Template, name: &str) {
    let parts = harness.state().frame().scene.parts().len();
    harness.run_steps(3);
    let button = place(harness, &format!("add {}", template.name().to_lowercase())).center();
    click(harness, button);
    until(harness, &format!("{template:?} in the scene"), |harness| {
        harness.state().frame().scene.parts().len() > parts
    });
    until(harness, &format!("{name} in the inspector"), |harness| {
        // in the list and above its fields; the button may have the same name
        let count = 2 + usize::from(template.name() == name);
        texts(harness).iter().filter(|text| *text == name).count() == count
    });
}

/// Types a number in place of the one of a control.
fn number(harness: &mut Panels, control: &str, text: &str) {
    click(harness, place(harness, control).center());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(Event::Text(text.to_owned()));
    harness.key_press(Key::Enter);
    harness.run_steps(2);
}

#[test]
fn things_are_added_changed_copied_and_removed_in_the_panel_at_three_sizes() {
    for size in SIZES {
        let mut harness = panels("hanging", &["Edit"], size);
        let harness = &mut harness;
        // intersections are watched from now on, with a readout of their own
        until(harness, "time at 0", |harness| harness.state().frame().intersections.is_some());
        assert!(harness.state().frame().paused && harness.state().frame().steps == 0);
        let names = ["Cloth 2", "Disc", "Cloth 3", "Tube", "Soft ball", "Ball", "Box", "Cylinder", "Capsule", "Cone"];
        for (template, name) in Template::ALL.into_iter().zip(names) {
            add(harness, template, name);
        }
        assert!(!has(harness, "starts through itself"), "{:#?}", texts(harness));

        // as a click on the ball does
        harness.state_mut().choose_part(Some(Part::Collider(0)));
        harness.run_steps(8);
        number(harness, "collider position x", "-1.25");
        until(harness, "the ball at its place", |harness| {
            harness.state().frame().scene.colliders[0].position.x == -1.25
        });
        click(harness, place(harness, "copy ball").center());
        until(harness, "a second ball", |harness| has(harness, "Ball 2"));
        harness.state_mut().choose_part(Some(Part::Collider(1)));
        harness.run_steps(8);
        click(harness, place(harness, "remove box").center());
        until(harness, "no box", |harness| !texts(harness).iter().any(|text| text == "Remove Box"));
        assert_eq!(harness.state().frame().scene.colliders.len(), 5);
    }
}

#[test]
fn no_texts_of_the_editor_overlap_while_a_thing_of_any_kind_is_chosen() {
    let scene = Scene::load("hanging").expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let mut panels = weft::app::panels::Offscreen::new(scene, simulation, &["Edit"]);
    for template in Template::ALL {
        let scene = panels.frame().scene.clone();
        let edit = scene.addition(template).expect("there is room");
        panels.send(weft::session::Command::Edit { edit });
        let parts = panels.frame().scene.parts();
        let is_new = |part: &&Part| template.is_collider() == matches!(part, Part::Collider(_));
        panels.choose_part(parts.iter().rfind(is_new).copied());
        for size in SIZES {
            let drawn: Vec<DrawnText> = (0..4).map(|_| panels.draw(size)).last().expect("drawn");
            assert_eq!(overlaps(&drawn), Vec::new(), "{template:?} at {size:?}");
            assert!(panels.view().width() > 340.0, "{:?}", panels.view());
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "full tier"]
fn two_cloths_over_a_ball_and_a_box_are_built_and_saved_as_one_would_write_them() {
    let mut desk = super::desk::Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.key("e");
    desk.wait("control add ball at");
    for thing in ["add ball", "add box", "add cloth"] {
        desk.settle();
        desk.click(thing);
        desk.wait("chose ");
    }
    // the cloth that was added last, higher by its arrow in the middle of the view
    desk.settle();
    desk.key("f");
    desk.settle();
    let (x, y) = desk.place("view");
    desk.move_to((x, y - 36));
    desk.settle();
    desk.settle();
    desk.button("mousedown", 1);
    desk.settle();
    desk.move_to((x, y - 50));
    desk.settle();
    desk.move_to((x, y - 76));
    desk.settle();
    desk.button("mouseup", 1);
    desk.wait("edited: Shift");
    desk.settle();
    // and exactly there
    desk.click("piece position y");
    desk.settle();
    desk.key("ctrl+a");
    desk.type_text("1.75");
    desk.key("Return");
    desk.wait("edited: Change");
    desk.settle();
    desk.key("ctrl+s");
    desk.wait("asking for a file to save the scene in");
    desk.settle();
    desk.key("Return");
    desk.wait("Written: ");
    let file = desk.file("hanging.ron");
    let mut saved = Scene::load(&file.to_string_lossy()).expect("it reads its own");
    desk.key("e");
    desk.let_pass(0.5);
    drop(desk.quit());

    let mut written = Scene::load("hanging").expect("it comes with the program");
    let lines = "(
        pieces: [(position: (0.0, 1.75, 0.0))],
        colliders: [
            (shape: Sphere(radius: 0.2), position: (0.0, 0.2, 0.0)),
            (shape: Box(half_extents: (0.15, 0.15, 0.15)), position: (POSITION, 0.15, 0.0)),
        ],
    )";
    let beside = saved.colliders[1].position.x;
    assert!((0.35..0.6).contains(&beside.abs()), "the box is beside the ball, at {beside}");
    let by_hand = Scene::parse(&lines.replace("POSITION", &format!("{beside:?}")), "by hand").expect("a scene");
    (written.pieces, written.colliders) = (by_hand.pieces, by_hand.colliders);
    // which is the default
    written.settings.remove("iterations");
    (saved.camera, written.camera) = (None, None);
    assert_eq!(saved.to_ron(), written.to_ron());
}
