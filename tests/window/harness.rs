//! The panels without a screen, with a mouse and a keyboard.

use egui_kittest::Harness;
use weft::app::panels::Offscreen;
use weft::scene::Scene;

/// All panels of a scene in a window of `size` points, with the windows called `titles` open.
pub fn panels(scene: &str, titles: &[&str], size: [f32; 2]) -> Harness<'static, Offscreen> {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let offscreen = Offscreen::new(scene, simulation, titles);
    // short enough for what waits for a long press
    let harness = Harness::builder().with_size(size).with_step_dt(0.05);
    let mut harness = harness.build_ui_state(|ui, offscreen: &mut Offscreen| offscreen.show(ui), offscreen);
    harness.run_steps(4);
    harness
}
