//! What the panels draw is in the terms of the field, and the same thing has the same name everywhere.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use weft::app::panels::{Offscreen, REGISTRY};
use weft::scene::{Scalar, Scene};
use weft::session::Command;
use weft::sim::Parameters;
use weft::sim::solvers;

use super::harness::panels;
use super::plain_words::{faults, keys};

const SIZE: [f32; 2] = [1920.0, 1080.0];

fn offscreen(scene: &str, titles: &[&str]) -> Offscreen {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    Offscreen::new(scene, simulation, titles)
}

/// What of the drawn texts is no plain word, each with where it was drawn.
fn bad(panels: &mut Offscreen, place: &str) -> Vec<String> {
    let keys = keys();
    let texts = panels.draw(SIZE);
    assert!(texts.len() > 20, "{place}");
    let of =
        |text: &str| faults(text, &keys).into_iter().map(|fault| format!("{place}: \"{text}\": {fault}")).collect();
    texts.iter().flat_map(|text| -> Vec<String> { of(&text.text) }).collect()
}

#[test]
fn every_panel_draws_plain_words() {
    let mut found = Vec::new();
    for panel in REGISTRY {
        found.extend(bad(&mut offscreen("flag", &[panel.title]), panel.title));
    }
    // what is there only sometimes: readings of a vertex, numbers of several lanes, a blow-up with its causes
    let mut panels = offscreen("hanging", &["Plots", "All parameters"]);
    panels.probe(465);
    panels.add_lane();
    for _ in 0..20 {
        panels.send(Command::Step);
    }
    found.extend(bad(&mut panels, "a vertex and two lanes"));
    panels.send(Command::GoTo { step: 5 });
    found.extend(bad(&mut panels, "the past"));
    panels.send(Command::Undo);
    found.extend(bad(&mut panels, "a message"));
    let mut panels = offscreen("hanging", &["Messages"]);
    panels.send(Command::Solver { id: "symplectic-euler".to_owned() });
    for _ in 0..200 {
        panels.send(Command::Step);
    }
    assert!(panels.frame().failure.is_some());
    found.extend(bad(&mut panels, "a blow-up"));
    assert!(found.is_empty(), "{found:#?}");
}

/// Texts and names of all that is drawn.
fn texts(harness: &Harness<'_, Offscreen>) -> Vec<String> {
    let of = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        node.label().or_else(|| node.value())
    };
    harness.root().children_recursive().filter_map(of).collect()
}

/// All panels in a window in which every section of all parameters is open.
fn with_all_parameters() -> Harness<'static, Offscreen> {
    let mut harness = panels("flag", &[], [1280.0, 5000.0]);
    harness.get_by_label("All parameters").click();
    harness.run_steps(20);
    for title in Parameters::TITLES.iter().chain(&["Source, cost, contact, damping"]) {
        harness.get_all_by_label(title).last().expect("a section").click_accesskit();
        harness.run_steps(20);
    }
    harness
}

#[test]
fn the_parameters_of_every_solver_are_drawn_in_plain_words() {
    let keys = keys();
    let mut harness = with_all_parameters();
    for entry in solvers::REGISTRY {
        let id = entry.info.id;
        harness.state_mut().send(Command::Solver { id: id.to_owned() });
        harness.state_mut().send(Command::Step);
        harness.run_steps(4);
        let texts = texts(&harness);
        for part in ["Work limit per step", "Wind speed", "Stability: ", "Cloth-cloth"] {
            assert!(texts.iter().any(|text| text.contains(part)), "{id}: no {part}");
        }
        for text in texts {
            assert_eq!(faults(&text, &keys), Vec::<String>::new(), "{id}: {text}");
        }
        // as the solver calls them itself
        let are_sweeps = (entry.build)().settings().params().iter().any(|param| param.key == "sweeps");
        let all = texts_of_step(&harness);
        assert_eq!(all.contains("sweep"), are_sweeps, "{id}: {all}");
        assert_eq!(all.contains("iteration"), !are_sweeps, "{id}: {all}");
    }
    for value in [1e-9, 1e9] {
        let command = Command::Set { key: "structural_stiffness".to_owned(), value: Scalar::Real(value) };
        harness.state_mut().send(command);
        harness.run_steps(4);
        for text in texts(&harness) {
            assert_eq!(faults(&text, &keys), Vec::<String>::new(), "{value} N/m: {text}");
        }
    }
}

/// What the card of the solver tells of the last step.
fn texts_of_step(harness: &Harness<'_, Offscreen>) -> String {
    texts(harness).into_iter().find(|text| text.starts_with("Last step: ")).expect("the last step is told of")
}

#[test]
fn the_time_line_never_tells_of_more_than_the_simulated_time() {
    let mut panels = offscreen("hanging", &[]);
    let seconds = |panels: &mut Offscreen| -> f64 {
        let texts = panels.draw(SIZE);
        let told = texts.iter().find_map(|text| text.text.strip_prefix("now, ")?.strip_suffix(" s recorded"));
        told.expect("beside the time line").parse().expect("a number")
    };
    for reset in [false, true, true] {
        if reset {
            panels.send(Command::Reset);
        }
        for step in 0..40 {
            panels.send(Command::Step);
            if step % 10 == 9 {
                let (told, time) = (seconds(&mut panels), panels.frame().time);
                assert!(told <= time + 0.05 && told > time - 0.06, "{told} s are told of at t = {time} s");
            }
        }
    }
}

#[test]
fn the_card_of_a_vertex_lists_all_of_its_springs() {
    let mut panels = offscreen("hanging", &[]);
    panels.probe(465);
    panels.send(Command::Step);
    let texts = panels.draw([1280.0, 900.0]);
    let told = |text: &str| text.trim_end().ends_with(" springs: strain, tension [N]");
    let count = texts.iter().find(|text| told(&text.text)).expect("the number of springs");
    let count: usize = count.text.split(' ').next().and_then(|text| text.parse().ok()).expect("a number");
    let lines = texts.iter().filter(|text| text.text.contains(" to ") && text.text.contains('%')).count();
    assert!(count >= 8, "{count}");
    assert_eq!(lines, count, "{texts:#?}");
}

/// Signs from here on are pictures. Of some of them egui says that it lacks them, since they are in the font of the sign
/// for what is missing.
const PICTURES: char = '\u{2300}';

/// Whether the fonts have all characters of a text.
fn is_drawable(ctx: &egui::Context, text: &str) -> bool {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c < PICTURES).collect();
    ctx.fonts_mut(|fonts| fonts.has_glyphs(&egui::FontId::proportional(12.0), &text))
}

#[test]
fn every_control_has_a_name_in_plain_words_that_the_fonts_can_draw() {
    let keys = keys();
    for panel in REGISTRY {
        let harness = panels("flag", &[panel.title], SIZE);
        assert!(is_drawable(&harness.ctx, "10⁻⁰¹²³⁴⁵⁶⁷⁸⁹ 2.5·10³ µN·m × – ω √"));
        for name in texts(&harness) {
            assert_eq!(faults(&name, &keys), Vec::<String>::new(), "{}: {name}", panel.title);
            assert!(is_drawable(&harness.ctx, &name), "{}: {name}", panel.title);
        }
    }
}
