//! The film strip of a slider, without a screen and in the real window.

use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use weft::app::panels::Offscreen;
use weft::session::Command;

use super::desk::Desk;
use super::harness::panels;

/// Where the slider with this name is.
fn slider(harness: &Harness<'_, Offscreen>, name: &str) -> Pos2 {
    let is_slider = |node: &egui_kittest::Node<'_>| format!("{:?}", node.accesskit_node().role()) == "Slider";
    harness.get_all_by_label(name).find(is_slider).expect("it has a row").rect().center()
}

/// Where the pictures are, each with its name.
fn pictures(harness: &Harness<'_, Offscreen>, name: &str) -> Vec<(String, Pos2)> {
    let all = harness.root().children_recursive();
    let of_strip = all.filter_map(|node| {
        let inner = node.accesskit_node();
        let label = inner.label().unwrap_or_default();
        (format!("{:?}", inner.role()) == "Button" && label.starts_with(&format!("{name} ")))
            .then(|| (label, node.rect().center()))
    });
    of_strip.collect()
}

fn button(harness: &Harness<'_, Offscreen>, pos: Pos2, pressed: bool, modifiers: Modifiers) {
    let event = Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers };
    harness.event(Event::PointerMoved(pos));
    harness.event_modifiers(event, modifiers);
}

fn stiffness(harness: &mut Harness<'_, Offscreen>) -> f64 {
    harness.run_steps(2);
    harness.state_mut().send(Command::Dismiss);
    harness.state().frame().parameters.material.structural_stiffness
}

/// Presses with Alt held, and lets go there.
fn open_with_alt(harness: &mut Harness<'_, Offscreen>, at: Pos2) {
    harness.hover_at(at);
    harness.run_steps(2);
    for pressed in [true, false] {
        button(harness, at, pressed, Modifiers::ALT);
        harness.run_steps(2);
    }
}

const SIZE: [f32; 2] = [1280.0, 820.0];

#[test]
fn alt_and_a_click_shows_seven_cloths_and_a_click_on_one_lands_there_as_one_act() {
    let mut harness = panels("hanging", &[], SIZE);
    let first = stiffness(&mut harness);
    let at = slider(&harness, "Stretch");
    open_with_alt(&mut harness, at + egui::vec2(20.0, 0.0));
    let shown = pictures(&harness, "Stretch");
    assert_eq!(shown.len(), 7, "{shown:?}");
    // the first pictures come from another thread
    let drawn = |harness: &Harness<'_, Offscreen>| harness.state().pictures_of_film();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(600);
    while drawn(&harness) < 7 {
        assert!(std::time::Instant::now() < until, "{} pictures", drawn(&harness));
        std::thread::sleep(std::time::Duration::from_millis(10));
        harness.step();
    }
    let seen = harness.state().images_of_film();
    assert_eq!(seen.len(), 7);
    assert_eq!(stiffness(&mut harness), first, "the slider has not moved");
    for image in &seen {
        let cloth = image.pixels.iter().filter(|pixel| pixel.a() == 255 && pixel.r() > pixel.b()).count();
        let share = cloth as f64 / image.pixels.len() as f64;
        assert!((0.03..0.9).contains(&share), "{share} of the picture is cloth");
    }
    // a soft cloth hangs lower than a stiff one, and as wide
    assert!(seen.iter().any(|image| *image != seen[0]), "they differ");
    let (label, place) = &pictures(&harness, "Stretch")[5];
    button(&harness, *place, true, Modifiers::NONE);
    harness.run_steps(2);
    button(&harness, *place, false, Modifiers::NONE);
    let now = stiffness(&mut harness);
    assert!(label.starts_with("Stretch ") && now > 2.0 * first, "{label}: {now} from {first}");
    assert_eq!(pictures(&harness, "Stretch"), [], "it is closed");
    harness.state_mut().send(Command::Undo);
    assert_eq!(stiffness(&mut harness), first, "one act");
}

#[test]
fn escape_and_a_press_elsewhere_change_nothing() {
    let mut harness = panels("hanging", &[], SIZE);
    let first = stiffness(&mut harness);
    let at = slider(&harness, "Stretch") + egui::vec2(-15.0, 0.0);
    open_with_alt(&mut harness, at);
    assert_eq!(pictures(&harness, "Stretch").len(), 7);
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert_eq!(pictures(&harness, "Stretch"), []);
    assert_eq!(stiffness(&mut harness), first);
    open_with_alt(&mut harness, at);
    button(&harness, Pos2::new(1270.0, 690.0), true, Modifiers::NONE);
    harness.run_steps(2);
    button(&harness, Pos2::new(1270.0, 690.0), false, Modifiers::NONE);
    harness.run_steps(2);
    assert_eq!(pictures(&harness, "Stretch"), []);
    assert_eq!(stiffness(&mut harness), first);
}

#[test]
fn a_long_press_opens_it_letting_go_over_one_takes_it_and_elsewhere_none() {
    let mut harness = panels("hanging", &[], SIZE);
    let first = stiffness(&mut harness);
    let at = slider(&harness, "Stretch") + egui::vec2(25.0, 0.0);
    let long_press = |harness: &mut Harness<'_, Offscreen>| {
        harness.hover_at(at);
        harness.run_steps(2);
        button(harness, at, true, Modifiers::NONE);
        // a step is 50 ms
        harness.run_steps(6);
        assert_eq!(pictures(harness, "Stretch"), [], "not yet");
        harness.run_steps(10);
        assert_eq!(pictures(harness, "Stretch").len(), 7);
    };
    long_press(&mut harness);
    button(&harness, at, false, Modifiers::NONE);
    harness.run_steps(3);
    assert_eq!(pictures(&harness, "Stretch"), [], "it is there as long as the button is held");
    assert_eq!(stiffness(&mut harness), first, "and the press did not move the slider");
    long_press(&mut harness);
    let (_, place) = pictures(&harness, "Stretch")[1].clone();
    harness.hover_at(place);
    harness.run_steps(2);
    button(&harness, place, false, Modifiers::NONE);
    let now = stiffness(&mut harness);
    assert!(now < 0.5 * first, "{now} from {first}");
}

#[test]
fn a_slider_still_follows_a_click_and_a_drag() {
    let mut harness = panels("hanging", &[], SIZE);
    let first = stiffness(&mut harness);
    let at = slider(&harness, "Stretch");
    let click = at + egui::vec2(20.0, 0.0);
    harness.hover_at(click);
    harness.run_steps(2);
    button(&harness, click, true, Modifiers::NONE);
    harness.run_steps(2);
    button(&harness, click, false, Modifiers::NONE);
    let clicked = stiffness(&mut harness);
    assert!(clicked > 1.2 * first, "a click moves it: {clicked}");
    // a drag, however slow
    harness.hover_at(at);
    harness.run_steps(2);
    button(&harness, at, true, Modifiers::NONE);
    harness.run_steps(1);
    for step in 1..=30 {
        harness.hover_at(at - egui::vec2(step as f32, 0.0));
        harness.run_steps(1);
    }
    let dragged = stiffness(&mut harness);
    assert!(dragged < 0.9 * clicked, "{dragged}: it follows while the button is held");
    harness.run_steps(20);
    assert_eq!(pictures(&harness, "Stretch"), [], "a drag that rests is no long press");
    button(&harness, at - egui::vec2(30.0, 0.0), false, Modifiers::NONE);
    assert_eq!(stiffness(&mut harness), dragged);
}

#[test]
fn the_keyboard_opens_chooses_takes_and_leaves() {
    let mut harness = panels("hanging", &[], SIZE);
    let first = stiffness(&mut harness);
    let focus = |harness: &mut Harness<'_, Offscreen>| {
        let is_slider = |node: &egui_kittest::Node<'_>| format!("{:?}", node.accesskit_node().role()) == "Slider";
        harness.get_all_by_label("Stretch").find(is_slider).expect("it has a row").focus();
        harness.run_steps(2);
        harness.key_press_modifiers(Modifiers::ALT, Key::Enter);
        harness.run_steps(3);
        assert_eq!(pictures(harness, "Stretch").len(), 7);
    };
    focus(&mut harness);
    harness.key_press(Key::ArrowRight);
    harness.run_steps(2);
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert_eq!(pictures(&harness, "Stretch"), []);
    assert_eq!(stiffness(&mut harness), first, "arrows choose a picture and do not move the slider");
    focus(&mut harness);
    for _ in 0..2 {
        harness.key_press(Key::ArrowLeft);
        harness.run_steps(2);
    }
    harness.key_press(Key::Enter);
    let now = stiffness(&mut harness);
    assert!((0.1 * first..0.5 * first).contains(&now), "{now} from {first}");
}

#[test]
fn what_the_solver_ignores_has_no_strip_but_a_reason() {
    let mut harness = panels("hanging", &["Find"], [1280.0, 1400.0]);
    harness.state_mut().send(Command::Solver { id: "pbd".to_owned() });
    harness.run_steps(3);
    harness.get_by_label("What to find").type_text("damping");
    harness.run_steps(6);
    let at = slider(&harness, "Damping");
    open_with_alt(&mut harness, at);
    assert_eq!(pictures(&harness, "Damping"), []);
    assert!(harness.query_by_label_contains("It has no effect now").is_some());
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("It has no effect now").is_none());
}

#[test]
#[ignore = "full tier"]
fn in_the_window_pictures_come_one_by_one_and_a_click_lands_there() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "structural_stiffness=100"]);
    desk.settle();
    desk.key("ctrl+k");
    desk.settle();
    desk.type_text("structural");
    desk.settle();
    let slider = desk.place("found slider structural_stiffness");
    desk.move_to(slider);
    desk.settle();
    let open = |desk: &mut Desk| {
        desk.hold_key("keydown", "alt");
        desk.button("click", 1);
        desk.hold_key("keyup", "alt");
        desk.wait("film strip of structural_stiffness opened");
    };
    open(&mut desk);
    // the first does not wait for the others
    desk.wait("first picture after ");
    desk.wait("7 pictures after ");
    desk.key("Escape");
    desk.wait("film strip of structural_stiffness closed");
    open(&mut desk);
    desk.wait("7 pictures after ");
    desk.click("film 6");
    let said = desk.wait("film strip landed on structural_stiffness = ");
    let value: f64 = said.parse().expect("a number");
    assert!((200.0..1000.0).contains(&value), "{value}");
    desk.settle();
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["parameters"]["material"]["structural_stiffness"], value);
}

/// The pictures of the strip that the icon of a parameter opens, once all of them are drawn.
fn by_icon(fabric: &str) -> Vec<std::sync::Arc<egui::ColorImage>> {
    let mut harness = panels("hanging", &[], SIZE);
    harness.state_mut().send(Command::Fabric { id: fabric.to_owned() });
    harness.run_steps(4);
    harness.get_by_label("Film strip of Stretch").click();
    harness.run_steps(4);
    assert_eq!(pictures(&harness, "Stretch").len(), 7, "it stays open after a click");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(600);
    while harness.state().pictures_of_film() < 7 {
        assert!(std::time::Instant::now() < until, "{} pictures", harness.state().pictures_of_film());
        std::thread::sleep(std::time::Duration::from_millis(10));
        harness.step();
    }
    harness.state().images_of_film()
}

#[test]
fn the_icon_at_a_slider_opens_the_strip_and_its_cloths_wear_the_fabric() {
    // edges between stripes along the rows of the picture
    let edges = |fabric: &str| -> usize {
        let image = by_icon(fabric)[3].clone();
        let rows = image.pixels.chunks(image.size[0]);
        let steps = rows.flat_map(|row| row.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>());
        let is_edge = |(a, b): &(egui::Color32, egui::Color32)| {
            let differs = |a: u8, b: u8| f64::from(a.abs_diff(b)) > 0.06 * f64::from(a.max(b));
            a.a() == 255 && b.a() == 255 && differs(a.r(), b.r()) && differs(a.b(), b.b())
        };
        steps.filter(is_edge).count()
    };
    let (plain, striped) = (edges("linen"), edges("flag-nylon"));
    assert!(striped > 4 * (plain + 20), "{striped} edges with a print, {plain} without");
}
