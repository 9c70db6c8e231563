//! The panels without a screen, with a mouse and a keyboard.

use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::NodeT;
use weft::app::panels::Offscreen;
use weft::scene::Scene;
use weft::sim::Simulation;

pub type Panels = Harness<'static, Offscreen>;

/// All panels of a scene in a window of `size` points, with the windows called `titles` open.
pub fn panels(scene: &str, titles: &[&str], size: [f32; 2]) -> Panels {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    panels_of(scene, simulation, titles, size)
}

/// The same around `simulation`.
pub fn panels_of(scene: Scene, simulation: Simulation, titles: &[&str], size: [f32; 2]) -> Panels {
    let offscreen = Offscreen::new(scene, simulation, titles);
    // short enough for what waits for a long press
    let harness = Harness::builder().with_size(size).with_step_dt(0.05);
    let mut harness = harness.build_ui_state(|ui, offscreen: &mut Offscreen| offscreen.show(ui), offscreen);
    harness.run_steps(4);
    harness
}

/// Draws until there is something, which is found in the background.
pub fn wait<T>(harness: &mut Panels, what: &str, mut find: impl FnMut(&mut Panels) -> Option<T>) -> T {
    let until = Instant::now() + Duration::from_secs(600);
    loop {
        harness.run_steps(1);
        if let Some(found) = find(harness) {
            return found;
        }
        assert!(Instant::now() < until, "no {what}: {:#?}", texts(harness));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Texts and names of what is drawn.
pub fn texts(harness: &Panels) -> Vec<String> {
    let of = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        node.label().or_else(|| node.value())
    };
    harness.root().children_recursive().filter_map(of).collect()
}

/// Whether a text that is drawn contains `part`.
pub fn has(harness: &Panels, part: &str) -> bool {
    texts(harness).iter().any(|text| text.contains(part))
}

/// Where a control is that is told of in the log.
pub fn place(harness: &Panels, name: &str) -> egui::Rect {
    let place = harness.ctx.data(|data| data.get_temp(egui::Id::new("place").with(name)));
    place.unwrap_or_else(|| panic!("{name} is drawn"))
}

/// Whether a control of that name is drawn, or was.
pub fn has_place(harness: &Panels, name: &str) -> bool {
    harness.ctx.data(|data| data.get_temp::<egui::Rect>(egui::Id::new("place").with(name))).is_some()
}

/// A click of the left button.
pub fn click(harness: &mut Panels, at: egui::Pos2) {
    drag(harness, at, at);
}

/// A drag with the left button.
pub fn drag(harness: &mut Panels, from: egui::Pos2, to: egui::Pos2) {
    harness.hover_at(from);
    harness.run_steps(1);
    harness.drag_at(from);
    harness.run_steps(1);
    if to != from {
        harness.hover_at(to);
        harness.run_steps(2);
    }
    harness.drop_at(to);
    harness.run_steps(1);
}
