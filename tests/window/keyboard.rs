//! The window without a mouse: Tab comes to every control, each with a ring and a name.

use std::collections::{BTreeMap, BTreeSet};

use egui::accesskit::{Action, Role};
use egui_kittest::kittest::NodeT;
use weft::app::panels::REGISTRY;

use super::harness::{Panels, has_place, panels, place};

const SIZE: [f32; 2] = [1280.0, 720.0];

/// Identity, name and place of what takes the focus.
fn focusable(harness: &Panels) -> BTreeMap<String, (String, egui::Rect)> {
    let nodes = harness.root().children_recursive();
    let taking = nodes.filter_map(|node| {
        let inner = node.accesskit_node();
        let name = inner.label().or_else(|| inner.value()).unwrap_or_default();
        let can = |action| inner.data().supports_action(action);
        let is_taking = can(Action::Focus) && !inner.is_disabled();
        is_taking.then(|| (format!("{:?}", inner.id()), (format!("{:?} {name}", inner.role()), node.rect())))
    });
    taking.collect()
}

/// Identity of what has the focus.
fn focused(harness: &Panels) -> Option<String> {
    let mut nodes = harness.root().children_recursive();
    nodes.find(|node| node.accesskit_node().is_focused()).map(|node| format!("{:?}", node.accesskit_node().id()))
}

#[test]
fn tab_comes_to_every_control_of_every_panel_and_hides_none() {
    for panel in REGISTRY {
        let mut harness = panels("hanging", &[panel.title], SIZE);
        let (before, view) = (focusable(&harness), harness.state().view());
        let mut reached = BTreeSet::new();
        for _ in 0..before.len() + 20 {
            harness.key_press(egui::Key::Tab);
            harness.run_steps(1);
            let Some(id) = focused(&harness) else { continue };
            reached.insert(id);
        }
        let missed: Vec<_> = before.iter().filter(|(id, _)| !reached.contains(*id)).map(|(_, what)| what).collect();
        assert!(missed.is_empty() && reached.len() > 30, "{}: {missed:#?}", panel.title);
        assert_eq!(harness.state().view(), view, "{}", panel.title);
    }
}

#[test]
fn the_control_that_tab_comes_to_has_a_ring_and_is_scrolled_into_sight() {
    let mut harness = panels("hanging", &["Gallery"], SIZE);
    assert!(!has_place(&harness, "focus"), "no ring before");
    let mut seen = BTreeSet::new();
    let count = focusable(&harness).len();
    for _ in 0..count {
        harness.key_press(egui::Key::Tab);
        harness.run_steps(12);
        let Some(id) = focused(&harness) else { continue };
        let (what, control) = focusable(&harness)[&id].clone();
        let ring = place(&harness, "focus");
        assert!(ring.width() > 4.0 && ring.height() > 4.0, "{what} at {control:?} has its ring at {ring:?}");
        assert!(control.expand(1.0).contains_rect(ring), "{what} at {control:?} has its ring at {ring:?}");
        seen.insert(id);
    }
    assert!(seen.len() > 40, "{} of {count}", seen.len());
}

#[test]
fn escape_gives_the_keys_back_before_it_closes_a_tool() {
    let mut harness = panels("hanging", &["Gallery"], SIZE);
    harness.key_press(egui::Key::Tab);
    harness.run_steps(3);
    assert!(focused(&harness).is_some());
    for left in [1, 0] {
        harness.key_press(egui::Key::Escape);
        harness.run_steps(3);
        assert_eq!((harness.state().open_titles().len(), focused(&harness)), (left, None));
    }
}

#[test]
fn everything_that_can_be_clicked_has_a_name() {
    let mut faults = Vec::new();
    for panel in REGISTRY {
        let harness = panels("hanging", &[panel.title], SIZE);
        for node in harness.root().children_recursive() {
            let inner = node.accesskit_node();
            let name = inner.label().or_else(|| inner.value()).unwrap_or_default();
            let takes = [Action::Click, Action::Focus].iter().any(|action| inner.data().supports_action(*action));
            // of egui itself, without a way to name them: scroll bars, and the bar by which Find is folded
            let is_of_egui =
                inner.role() == Role::ScrollBar || (panel.title == "Find" && inner.role() == Role::Unknown);
            if takes && name.trim().is_empty() && !is_of_egui {
                faults.push((panel.title, inner.role(), node.rect()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn values_of_one_kind_in_a_panel_have_names_that_differ() {
    let kinds = ["Slider", "CheckBox", "ComboBox", "TextInput", "SpinButton"];
    let mut faults = Vec::new();
    for panel in REGISTRY {
        let harness = panels("hanging", &[panel.title], SIZE);
        let mut names: BTreeMap<String, Vec<egui::Rect>> = BTreeMap::new();
        for (what, place) in focusable(&harness).into_values() {
            if kinds.iter().any(|kind| what.starts_with(kind)) {
                names.entry(what).or_default().push(place);
            }
        }
        faults.extend(names.into_iter().filter(|(_, places)| places.len() > 1).map(|found| (panel.title, found)));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
