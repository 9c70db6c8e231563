//! Contrast of what the panels draw: 4.5 to 1 for text, after the Web Content Accessibility Guidelines 2.2, 1.4.3.

use egui::epaint::{ClippedShape, Shape, TextShape};
use egui::{Color32, Pos2};
use weft::app::panels::REGISTRY;
use weft::session::Command;

use super::harness::{Panels, click, panels, place};

const SIZE: [f32; 2] = [1280.0, 720.0];
/// The floor and the wall of the light stage and of the dark one, between which the cloth is seen.
const STAGES: [[u8; 3]; 4] = [[0xD9, 0xD4, 0xCC], [0xED, 0xEA, 0xE4], [0x23, 0x26, 0x2B], [0x3A, 0x3F, 0x46]];

/// Relative luminance of a colour of sRGB.
fn luminance([r, g, b]: [f64; 3]) -> f64 {
    let linear = |part: f64| {
        let part = part / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// `colour` over `ground`.
fn over(colour: Color32, ground: [f64; 3]) -> [f64; 3] {
    let [r, g, b, a] = colour.to_array().map(f64::from);
    [r, g, b]
        .iter()
        .zip(ground)
        .map(|(part, below)| part + (1.0 - a / 255.0) * below)
        .collect::<Vec<_>>()
        .try_into()
        .expect("three")
}

/// What is drawn so far, from the back, and the texts with too little contrast.
struct Look {
    ground: [f64; 3],
    fills: Vec<(egui::Rect, Color32)>,
    /// Where pictures and curves are, whose colours are not known here.
    unknown: Vec<egui::Rect>,
    faults: Vec<(String, f64)>,
    count: usize,
}

impl Look {
    fn add(&mut self, shape: &Shape, clip: egui::Rect) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.add(shape, clip)),
            Shape::Rect(rect) if rect.brush.is_some() => self.unknown.push(rect.rect.intersect(clip)),
            Shape::Rect(rect) => self.fills.push((rect.rect.intersect(clip), rect.fill)),
            Shape::Mesh(mesh) => self.unknown.push(mesh.calc_bounds().intersect(clip)),
            Shape::Text(text) => self.read(text, clip),
            _ => {}
        }
    }

    fn ground_at(&self, at: Pos2) -> [f64; 3] {
        let fills = self.fills.iter().filter(|(rect, _)| rect.contains(at));
        fills.fold(self.ground, |ground, (_, fill)| over(*fill, ground))
    }

    fn read(&mut self, text: &TextShape, clip: egui::Rect) {
        for row in &text.galley.rows {
            let place = row.visuals.mesh_bounds.translate(text.pos.to_vec2() + row.pos.to_vec2());
            let (said, middle) = (row.text(), place.center());
            if said.trim().is_empty() || !clip.contains(middle) || self.unknown.iter().any(|rect| rect.contains(middle))
            {
                continue;
            }
            let ground = self.ground_at(middle);
            for vertex in &row.visuals.mesh.vertices[row.visuals.glyph_vertex_range.clone()] {
                let colour = if vertex.color == Color32::PLACEHOLDER { text.fallback_color } else { vertex.color };
                let colour = text.override_text_color.unwrap_or(colour).gamma_multiply(text.opacity_factor);
                let found = contrast(over(colour, ground), ground);
                self.count += 1;
                if found < 4.5 {
                    self.faults.push((said.clone(), found));
                    break;
                }
            }
        }
    }
}

/// Texts of too little contrast on any of the stages.
fn faults(harness: &Panels, of: &str) -> Vec<String> {
    let mut found = Vec::new();
    for stage in STAGES {
        let mut look =
            Look { ground: stage.map(f64::from), fills: Vec::new(), unknown: Vec::new(), faults: Vec::new(), count: 0 };
        harness.output().shapes.iter().for_each(|ClippedShape { clip_rect, shape }| look.add(shape, *clip_rect));
        assert!(look.count > 200, "{of}: only {} corners of letters", look.count);
        found.extend(look.faults.into_iter().map(|(text, contrast)| format!("{of}: \"{text}\" has {contrast:.2}")));
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn the_measure_of_contrast_is_that_of_the_guidelines() {
    assert!((contrast([0.0; 3], [255.0; 3]) - 21.0).abs() < 1e-9);
    // #767676 on white is the palest grey that passes
    assert!((contrast([118.0; 3], [255.0; 3]) - 4.54).abs() < 0.01);
}

#[test]
fn every_text_of_every_panel_is_legible_on_both_stages() {
    let mut found = Vec::new();
    for panel in REGISTRY {
        let mut harness = panels("hanging", &[panel.title], SIZE);
        harness.run_steps(20);
        found.extend(faults(&harness, panel.title));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_menu_of_solvers_a_blow_up_and_a_solver_without_stiffness_are_legible() {
    let mut harness = panels("hanging", &[], SIZE);
    let menu = place(&harness, "solver").center();
    click(&mut harness, menu);
    harness.run_steps(20);
    let mut found = faults(&harness, "the menu of solvers");
    harness.key_press(egui::Key::Escape);
    harness.state_mut().send(Command::Solver { id: "pbd".to_owned() });
    harness.run_steps(20);
    found.extend(faults(&harness, "position-based dynamics"));
    harness.state_mut().send(Command::Solver { id: "explicit-euler".to_owned() });
    while harness.state().frame().failure.is_none() {
        harness.state_mut().tick();
    }
    harness.run_steps(20);
    found.extend(faults(&harness, "a blow-up"));
    assert!(found.is_empty(), "{found:#?}");
}
