//! What a newcomer sees without a click: the first panel, and tools that step aside.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use weft::app::panels::{Offscreen, Place, REGISTRY};
use weft::scene::Scene;
use weft::session::Command;
use weft::sim::solvers;

use super::harness::panels;

const SIZES: [[f32; 2]; 3] = [[900.0, 560.0], [1280.0, 720.0], [1920.0, 1080.0]];

fn tools() -> impl Iterator<Item = &'static str> {
    REGISTRY.iter().filter(|panel| matches!(panel.place, Place::Tool { .. })).map(|panel| panel.title)
}

/// Places of all controls and texts with this name.
fn places(harness: &Harness<'_, Offscreen>, label: &str) -> Vec<egui::Rect> {
    let all = harness.root().children_recursive();
    let named = all.filter(|node| {
        let inner = node.accesskit_node();
        let is_named = inner.label().or_else(|| inner.value()).is_some_and(|name| name == label);
        is_named && format!("{:?}", inner.role()) != "GenericContainer"
    });
    named.map(|node| node.rect()).collect()
}

#[test]
fn stiffness_damping_time_step_drag_and_lift_are_in_sight_at_every_size() {
    for size in SIZES {
        let harness = panels(Scene::FIRST, &[], size);
        for label in ["Stretch", "Bending", "Damping", "Time step", "Wind speed", "Drag", "Lift"] {
            let seen = places(&harness, label);
            // a label, a slider and a number
            assert!(seen.len() >= 3, "{label} at {size:?}: {seen:?}");
            assert!(seen.iter().all(|place| place.bottom() < size[1] && place.top() > 0.0), "{label}: {seen:?}");
        }
        assert_eq!(places(&harness, "Silk").len(), 1, "fabrics at {size:?}");
    }
}

#[test]
fn the_report_of_a_blow_up_stands_beside_the_cloth_and_the_tabs_of_tools_keep_their_places() {
    let mut harness = panels("hanging", &[], SIZES[1]);
    harness.state_mut().send(Command::Solver { id: "explicit-euler".to_owned() });
    while harness.state().frame().failure.is_none() {
        harness.state_mut().tick();
    }
    harness.run_steps(3);
    let card = harness.get_by_label_contains("blew up at t = ").rect();
    assert!(card.left() > harness.state().view().right(), "{card:?} and {:?}", harness.state().view());

    let titles = ["Convergence", "Gallery", "Files"];
    let mut harness = panels(Scene::FIRST, &titles, SIZES[1]);
    let tab = |harness: &Harness<'_, Offscreen>, title: &str| {
        let all = places(harness, title);
        all.into_iter().filter(|place| place.top() < 200.0).max_by(|a, b| a.left().total_cmp(&b.left())).expect("a tab")
    };
    let before = titles.map(|title| tab(&harness, title));
    for title in titles {
        // not the button in the bar below
        let all = harness.get_all_by_label(title).filter(|node| node.rect().top() < 200.0);
        all.max_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).expect("a tab").click();
        harness.run_steps(3);
        assert_eq!(titles.map(|title| tab(&harness, title)), before, "after a click on {title}");
    }
}

#[test]
fn the_solver_is_copied_as_text_for_another_program() {
    let mut harness = panels("hanging", &["Files"], SIZES[1]);
    harness.state_mut().send(Command::Solver { id: "xpbd".to_owned() });
    for target in ["Bevy", "Unity", "Godot", "C"] {
        harness.run_steps(2);
        harness.get_by_label(target).click();
        let copied = (0..1000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            harness.run_steps(1);
            let commands = &harness.output().platform_output.commands;
            commands.iter().find_map(|command| match command {
                egui::OutputCommand::CopyText(text) => Some(text.clone()),
                _ => None,
            })
        });
        let text = copied.expect("it is copied");
        assert!(text.contains("XPBD") && text.lines().count() > 40, "{target}: {text}");
        harness.run_steps(2);
        assert!(harness.query_by_label_contains(&format!("Copied: XPBD for {target}, ")).is_some());
    }
}

#[test]
fn a_solver_without_stiffness_has_its_rows_with_the_reason() {
    let mut harness = panels(Scene::FIRST, &[], SIZES[1]);
    let row = |harness: &Harness<'_, Offscreen>| -> Vec<bool> {
        let all = harness.root().children_recursive();
        let named = all.filter(|node| node.accesskit_node().label().is_some_and(|name| name == "Stretch"));
        named.map(|node| node.accesskit_node().is_disabled()).collect()
    };
    let before = row(&harness);
    assert!(!before.is_empty() && before.iter().all(|is_disabled| !is_disabled), "{before:?}");
    harness.state_mut().send(Command::Solver { id: "pbd".to_owned() });
    harness.run_steps(3);
    let after = row(&harness);
    assert!(!after.is_empty() && after.iter().any(|is_disabled| *is_disabled), "{after:?}");
}

#[test]
fn a_solver_that_breaks_a_law_of_contact_says_so_where_the_cloth_touches_something() {
    let table = panels("table", &[], SIZES[1]);
    assert!(table.query_by_label_contains("Laid on a box or a ball").is_some());
    let stack = panels("stack", &[], SIZES[1]);
    assert!(stack.query_by_label_contains("A heavy cloth on a light one").is_some());
    let hanging = panels("hanging", &[], SIZES[1]);
    assert!(hanging.query_by_label_contains("right:").is_none());
}

#[test]
fn escape_closes_the_last_tool_first_and_what_is_typed_before_that() {
    for size in SIZES {
        let titles: Vec<&str> = tools().collect();
        let mut harness = panels(Scene::FIRST, &titles, size);
        for left in (0..titles.len()).rev() {
            harness.key_press(egui::Key::Escape);
            harness.run_steps(3);
            assert_eq!(harness.state().open_titles(), titles[..left], "{size:?}");
        }
        harness.key_press(egui::Key::Escape);
        harness.run_steps(3);
        assert!(harness.state().open_titles().is_empty());
    }
    let mut harness = panels(Scene::FIRST, &["Gallery"], SIZES[1]);
    harness.get_by_label("Search scenes").focus();
    harness.run_steps(3);
    for open in [1, 0] {
        harness.key_press(egui::Key::Escape);
        harness.run_steps(3);
        assert_eq!(harness.state().open_titles().len(), open);
    }
}

#[test]
fn a_tool_stands_beside_the_cloth_and_leaves_it_room() {
    for size in SIZES {
        for title in tools() {
            let harness = panels(Scene::FIRST, &[title], size);
            let view = harness.state().view();
            assert!(view.width() >= 360.0, "{title} at {size:?}: {view:?}");
            let close = places(&harness, "Close");
            assert!(close.iter().all(|place| place.left() > view.right()), "{title} at {size:?}: {close:?}");
            assert!(
                !close.is_empty() && close.iter().all(|place| place.right() <= size[0] + 1.0),
                "{title} at {size:?}: {close:?}"
            );
        }
    }
}

#[test]
fn a_solver_is_described_in_a_line_that_fits_the_menu() {
    for info in solvers::REGISTRY.iter().map(|entry| entry.info) {
        let headline = info.headline();
        assert!(info.summary.starts_with(headline) && headline.len() > 20, "{headline}");
    }
    let harness = panels(Scene::FIRST, &[], SIZES[0]);
    let font = egui::FontId::proportional(11.0);
    for info in solvers::REGISTRY.iter().map(|entry| entry.info) {
        let text = info.headline().to_owned();
        let width =
            harness.ctx.fonts_mut(|fonts| fonts.layout_no_wrap(text, font.clone(), egui::Color32::WHITE).size().x);
        assert!(width < 540.0, "{}: {width} points", info.headline());
    }
}
