//! Scenes that are built in the window: by its panel at three sizes, and by pointer and keys alone.

use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, vec2};
use weft::app::panels::{DrawnText, Offscreen};
use weft::scene::{Edit, Handle, PinChoice, Scene, ScenePart, Template};
use weft::session::Command;
use weft::sim::{Path, Vec3};

use super::harness::{Panels, click, drag, has, panels, place, texts, wait};
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
    press(harness, &format!("add {}", template.name().to_lowercase()));
    until(harness, &format!("{template:?} in the scene"), |harness| {
        harness.state().frame().scene.parts().len() > parts
    });
    until(harness, &format!("{name} in the inspector"), |harness| {
        // in the list and above its fields; the button may have the same name
        let count = 2 + usize::from(template.name() == name);
        texts(harness).iter().filter(|text| *text == name).count() == count
    });
}

/// Turns the wheel over the panel until a control is in sight, and returns its middle.
fn reach(harness: &mut Panels, control: &str) -> Pos2 {
    let right = harness.ctx.viewport_rect().right();
    for _ in 0..100 {
        let at = place(harness, control).center();
        harness.run_steps(3);
        // the wheel turns on for some frames
        if place(harness, control).center() != at {
            continue;
        }
        // the panel ends where the view does
        let way = if at.y > place(harness, "view").bottom() - 12.0 {
            -40.0
        } else if at.y < 104.0 {
            40.0
        } else {
            return at;
        };
        harness.hover_at(Pos2::new(right - 100.0, 250.0));
        let (unit, phase) = (MouseWheelUnit::Point, TouchPhase::Move);
        harness.event(Event::MouseWheel { unit, delta: vec2(0.0, way), modifiers: Modifiers::NONE, phase });
        harness.run_steps(4);
    }
    panic!("{control} cannot be reached: {:?}", place(harness, control));
}

/// Clicks a control of the editor.
fn press(harness: &mut Panels, control: &str) {
    let at = reach(harness, control);
    click(harness, at);
}

/// Types a number in place of the one of a control.
fn number(harness: &mut Panels, control: &str, text: &str) {
    press(harness, control);
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
        assert!(has(harness, "Time stands at 0 s."), "{:#?}", texts(harness));
        harness.state_mut().send(Command::Step);
        until(harness, "the time of a step", |harness| has(harness, "the next edit starts at 0 s again"));
        let names = ["Cloth 2", "Disc", "Cloth 3", "Tube", "Soft ball", "Ball", "Box", "Cylinder", "Capsule", "Cone"];
        for (template, name) in Template::ALL.into_iter().zip(names) {
            add(harness, template, name);
        }
        assert!(has(harness, "Time stands at 0 s."), "{:#?}", texts(harness));
        assert!(!has(harness, "starts through itself"), "{:#?}", texts(harness));

        // as a click on the ball does
        harness.state_mut().choose_part(Some(ScenePart::Collider(0)));
        harness.run_steps(8);
        number(harness, "collider position x", "-1.25");
        until(harness, "the ball at its place", |harness| {
            harness.state().frame().scene.colliders[0].position.x == -1.25
        });
        press(harness, "copy ball");
        until(harness, "a second ball", |harness| has(harness, "Ball 2"));
        harness.state_mut().choose_part(Some(ScenePart::Collider(1)));
        harness.run_steps(8);
        press(harness, "remove box");
        until(harness, "no box", |harness| !texts(harness).iter().any(|text| text == "Remove Box"));
        assert_eq!(harness.state().frame().scene.colliders.len(), 5);
    }
}

#[test]
fn no_texts_of_the_editor_overlap_while_a_thing_of_any_kind_is_chosen() {
    let scene = Scene::load("hanging").expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let mut panels = Offscreen::new(scene, simulation, &["Edit"]);
    for template in Template::ALL {
        let scene = panels.frame().scene.clone();
        let edit = scene.addition(template).expect("there is room");
        panels.send(Command::Edit { edit });
        let parts = panels.frame().scene.parts();
        let is_new = |part: &&ScenePart| template.is_collider() == matches!(part, ScenePart::Collider(_));
        panels.choose_part(parts.iter().rfind(is_new).copied());
        for size in SIZES {
            expect_no_overlaps(&mut panels, size, &format!("{template:?}"));
        }
    }
    // the motion of a handle and of a collider
    let handle = Handle { pins: PinChoice::LeftEdge, path: Some(way()), ..Handle::default() };
    panels.send(Command::Edit { edit: Edit::AddHandle { piece: 0, handle: Box::new(handle) } });
    let ball = ScenePart::Collider(0);
    panels.send(Command::Edit { edit: Edit::SetPath { part: ball, path: Some(way()) } });
    for part in [ScenePart::Handle { piece: 0, at: 0 }, ScenePart::Pins(0), ball] {
        panels.choose_part(Some(part));
        for size in SIZES {
            expect_no_overlaps(&mut panels, size, &format!("{part:?}"));
        }
    }
}

fn expect_no_overlaps(panels: &mut Offscreen, size: [f32; 2], what: &str) {
    let drawn: Vec<DrawnText> = (0..4).map(|_| panels.draw(size)).last().expect("drawn");
    assert_eq!(overlaps(&drawn), Vec::new(), "{what} at {size:?}");
    assert!(panels.view().width() > 340.0, "{:?}", panels.view());
}

fn way() -> Path {
    Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (1.5, Vec3::new(0.3, 0.0, -0.2))], repeat: false }
}

#[test]
fn things_are_renamed_locked_and_hidden_in_the_list_at_three_sizes() {
    for size in SIZES {
        let mut harness = panels("hanging", &["Edit"], size);
        let harness = &mut harness;
        until(harness, "time at 0", |harness| harness.state().frame().intersections.is_some());
        let row = |harness: &Panels| harness.state().frame().scene.rows().swap_remove(0);
        for name in ["Flag", "Curtain"] {
            let name_of_row = format!("part {}", row(harness).name.to_lowercase());
            let at = reach(harness, &name_of_row);
            harness.hover_at(at);
            harness.run_steps(1);
            for pressed in [true, false, true, false] {
                let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
                harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
                harness.run_steps(1);
            }
            until(harness, "a field for the name", |harness| has(harness, "Name"));
            harness.run_steps(2);
            harness.event(Event::Text(name.to_owned()));
            harness.key_press(Key::Enter);
            until(harness, name, |harness| row(harness).name == name);
            harness.run_steps(2);
        }
        press(harness, "lock curtain");
        until(harness, "the lock", |harness| row(harness).locked);
        harness.state_mut().choose_part(Some(ScenePart::Piece(0)));
        until(harness, "the reason", |harness| has(harness, "Curtain is locked."));
        press(harness, "lock curtain");
        until(harness, "no lock", |harness| !row(harness).locked);
        press(harness, "hide curtain");
        until(harness, "hidden", |harness| row(harness).hidden);
        press(harness, "remove pins of curtain");
        until(harness, "no pins", |harness| harness.state().frame().pins.is_empty());
    }
}

#[test]
fn a_path_is_made_of_keys_and_another_part_takes_it_at_three_sizes() {
    for size in SIZES {
        make_a_path_of_keys(&mut panels("hanging", &["Edit"], size));
    }
}

fn make_a_path_of_keys(harness: &mut Panels) {
    until(harness, "time at 0", |harness| harness.state().frame().intersections.is_some());
    add(harness, Template::Ball, "Ball");
    let path = |harness: &Panels, part| harness.state().frame().scene.path_of(part).cloned();
    let ball = ScenePart::Collider(0);
    let key = |harness: &Panels, at: usize| match path(harness, ball) {
        Some(Path::Waypoints { points, .. }) => points.get(at).copied(),
        _ => None,
    };
    number(harness, "key time", "1.5");
    press(harness, "set key");
    until(harness, "a key", |harness| key(harness, 1) == Some((1.5, Vec3::ZERO)));
    harness.run_steps(4);
    number(harness, "key offset y", "0.25");
    until(harness, "its offset", |harness| key(harness, 1) == Some((1.5, 0.25 * Vec3::Y)));
    harness.run_steps(4);
    // a later one, by a click on the time line, which a drag moves on
    let line = place(harness, "line of keys");
    let on_line = |share: f32| egui::pos2(line.left() + share * line.width(), line.center().y);
    click(harness, on_line(0.9));
    harness.run_steps(2);
    press(harness, "set key");
    until(harness, "a second key", |harness| key(harness, 2).is_some_and(|key| (3.4..3.8).contains(&key.0)));
    harness.run_steps(4);
    // the line is longer now, by a second behind the last key
    let share = |harness: &Panels| key(harness, 2).map_or(0.0, |key| (key.0 / (key.0 + 1.0)) as f32);
    drag(harness, on_line(share(harness)), on_line(0.6));
    until(harness, "an earlier key", |harness| key(harness, 2).is_some_and(|key| (2.5..3.0).contains(&key.0)));
    harness.run_steps(4);
    press(harness, "remove key");
    until(harness, "one key", |harness| key(harness, 2).is_none());

    add(harness, Template::Box, "Box");
    press(harness, "same motion");
    harness.run_steps(3);
    // an entry of a menu, which the wheel would close
    let entry = place(harness, "motion of ball").center();
    click(harness, entry);
    until(harness, "the same path", |harness| path(harness, ScenePart::Collider(1)) == path(harness, ball));
    harness.run_steps(4);
    press(harness, "clear keys");
    until(harness, "no path", |harness| path(harness, ScenePart::Collider(1)).is_none());
}

#[test]
fn a_swatch_makes_the_chosen_cloth_of_its_fabric() {
    let mut harness = panels("hanging", &["Edit"], SIZES[1]);
    let harness = &mut harness;
    until(harness, "time at 0", |harness| harness.state().frame().intersections.is_some());
    add(harness, Template::Cloth, "Cloth 2");
    press(harness, "part fabric denim");
    until(harness, "denim", |harness| {
        harness.state().frame().scene.fabric_of(1).is_some_and(|fabric| fabric.id == "denim")
    });
    assert!(harness.state().frame().scene.first.material.is_plain());
}
