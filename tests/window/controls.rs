//! The panels as somebody uses them who cannot see them: every control by its name, where it is, what it does.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use weft::app::panels::{Offscreen, Place, REGISTRY};
use weft::scene::Scalar;
use weft::session::Command;

use super::harness::panels;

const SIZES: [[f32; 2]; 3] = [[900.0, 560.0], [1280.0, 720.0], [1920.0, 1080.0]];

/// What a control has to be to count as one.
const CONTROLS: [&str; 7] = ["Button", "CheckBox", "Slider", "ComboBox", "RadioButton", "TextInput", "SpinButton"];

/// Role, name and place [points] of each control.
fn controls(harness: &Harness<'_, Offscreen>) -> Vec<(String, String, egui::Rect)> {
    let all = harness.root().children_recursive();
    let named = all.filter_map(|node| {
        let inner = node.accesskit_node();
        let role = format!("{:?}", inner.role());
        let name = inner.label().or_else(|| inner.value()).unwrap_or_default();
        CONTROLS.contains(&role.as_str()).then(|| (role, name, node.rect()))
    });
    named.collect()
}

#[test]
fn every_control_of_every_panel_has_a_name_and_none_is_cut_at_the_side() {
    let mut faults = Vec::new();
    for panel in REGISTRY {
        for size in SIZES {
            let controls = controls(&panels("hanging", &[panel.title], size));
            assert!(controls.len() > 20, "{} at {size:?}: {} controls", panel.title, controls.len());
            let is_bad = |(_, name, place): &(String, String, egui::Rect)| {
                name.trim().is_empty() || place.left() < -1.0 || place.right() > size[0] + 1.0
            };
            faults.extend(controls.into_iter().filter(is_bad).map(|control| (panel.title, size, control)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn no_panel_grows_from_frame_to_frame_whatever_the_numbers_are() {
    for panel in REGISTRY.iter().filter(|panel| !matches!(panel.place, Place::Banner)) {
        let mut harness = panels("hanging", &[panel.title], SIZES[1]);
        let place = |harness: &Harness<'_, Offscreen>| {
            let is_number =
                |node: &egui_kittest::Node<'_>| format!("{:?}", node.accesskit_node().role()) == "SpinButton";
            harness.get_all_by_label("Stretch").find(is_number).expect("the row of the stiffness").rect()
        };
        let first = place(&harness);
        for value in [1e-3_f64, 2.718_28e-2, 123_456.789, 1e9] {
            for key in ["structural_stiffness", "damping", "area_density"] {
                let value = if key == "structural_stiffness" { value } else { value.clamp(1e-3, 10.0) };
                harness.state_mut().send(Command::Set { key: key.to_owned(), value: Scalar::Real(value) });
            }
            harness.run_steps(3);
            assert_eq!(place(&harness), first, "{} with {value}", panel.title);
        }
    }
}

#[test]
fn a_drawer_keeps_its_height() {
    let mut harness = panels("hanging", &["Plots"], SIZES[0]);
    // it opens with an eased move
    harness.run_steps(30);
    let opened = harness.get_by_label("Keep").rect();
    harness.run_steps(60);
    assert_eq!(harness.get_by_label("Keep").rect(), opened);
}

#[test]
fn a_button_does_what_its_name_says() {
    let mut harness = panels("hanging", &[], SIZES[1]);
    assert!(!harness.state().frame().paused);
    harness.get_by_label_contains("Pause").click();
    harness.run_steps(2);
    harness.state_mut().send(Command::Dismiss);
    assert!(harness.state().frame().paused);
    harness.run_steps(2);
    harness.get_by_label_contains("Run").click();
    harness.run_steps(2);
    harness.state_mut().send(Command::Dismiss);
    assert!(!harness.state().frame().paused);
}

#[test]
fn what_was_changed_is_reset_by_its_section() {
    let mut harness = panels("hanging", &[], SIZES[1]);
    let at_first = harness.state().frame().parameters;
    harness.state_mut().send(Command::Set { key: "structural_stiffness".to_owned(), value: Scalar::Real(777.0) });
    harness.get_by_label("All parameters").click();
    harness.run_steps(20);
    // it may be further down than the window shows
    harness.get_by_label("reset").click_accesskit();
    harness.run_steps(2);
    harness.state_mut().send(Command::Dismiss);
    assert_eq!(harness.state().frame().parameters, at_first);
}

#[test]
fn a_cloth_is_kept_as_a_fabric_of_ones_own() {
    let mut harness = panels("hanging", &[], [1280.0, 1400.0]);
    let set = [
        ("damping", Scalar::Real(0.0123)),
        ("mass_model", Scalar::Text("per_vertex".to_owned())),
        ("vertex_mass", Scalar::Real(0.0002)),
    ];
    for (key, value) in set {
        harness.state_mut().send(Command::Set { key: key.to_owned(), value });
    }
    harness.run_steps(2);
    harness.get_by_label("Keep as a fabric").click();
    harness.run_steps(4);
    harness.get_by_label("Name of the fabric").focus();
    harness.run_steps(2);
    harness.get_by_label("Name of the fabric").type_text("Sailcloth");
    harness.run_steps(2);
    harness.get_by_label("Keep").click();
    harness.run_steps(4);
    harness.get_by_label("Silk").click();
    harness.run_steps(2);
    harness.state_mut().send(Command::Dismiss);
    assert_ne!(harness.state().frame().parameters.material.damping, 0.0123);
    harness.get_by_label("Sailcloth").click();
    harness.run_steps(2);
    harness.state_mut().send(Command::Dismiss);
    let parameters = harness.state().frame().parameters;
    assert_eq!(parameters.material.damping, 0.0123);
    // a square metre of 900 vertices of 0.2 g
    assert!((parameters.mass.area_density - 0.18).abs() < 1e-9, "{} kg/m²", parameters.mass.area_density);
}
