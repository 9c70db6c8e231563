//! How much of each example is in each piece of cloth or body.

use egui::{Grid, Label, ProgressBar, RichText, Ui};

use crate::app::widgets::note_place;
use crate::app::widgets::style::QUIET;
use crate::session::Frame;
use crate::sim::measure::ExampleWeights;

/// Width and height of a bar.
const BAR: [f32; 2] = [90.0, 12.0];

/// The weights after the last step, a bar for each; nothing where no example takes part.
pub fn show(ui: &mut Ui, frame: &Frame) {
    if frame.examples.is_empty() {
        return;
    }
    let help = "Mean weight of each example in a piece after the last step; the remainder to 1 is the rest shape.";
    let title = ui.label(RichText::new("Weights of the examples").small().color(QUIET)).on_hover_text(help);
    note_place(ui, "example weights", title.rect);
    Grid::new("example weights").num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
        for ExampleWeights { piece, mean } in &frame.examples {
            // a piece may have fewer examples than another
            for (number, example) in frame.scene.examples_of(*piece as usize).iter().enumerate() {
                let weight = mean.get(number).copied().unwrap_or(0.0) as f32;
                let text = RichText::new(format!("{weight:.2}")).small();
                ui.add(ProgressBar::new(weight).text(text).desired_width(BAR[0]).desired_height(BAR[1]));
                ui.add(Label::new(RichText::new(format!("piece {}: {example}", piece + 1)).small()).truncate());
                ui.end_row();
            }
        }
    });
}
