//! Strip plots of what happened over the simulated time: energies, stretch, what a step costs and how far the solver got, a vertex.

use bevy::log::info;
use egui::{Button, Context, Id, Label, RichText, Ui};

use super::strips::{self, Of, STRIPS, Strip};
use super::style::{ACCENT, ALARM, QUIET};
use super::{OpenWindows, Shown, drawing, note_place};
use crate::app::history::History;
use crate::scene::write_numbered;

/// Title of the panel.
pub const TITLE: &str = "Plots";
/// Width that a strip needs at least [points], and the gap between two.
const LEAST_WIDTH: f32 = 190.0;
const GAP: f32 = 10.0;

/// Opens the drawer with the strip called `name`, if it is not in it already.
pub fn open(ctx: &Context, windows: &mut OpenWindows, name: &'static str) {
    windows.set(TITLE, true);
    let mut chosen = chosen(ctx);
    if !chosen.contains(&name) {
        chosen.insert(0, name);
        choose(ctx, chosen);
    }
}

/// The names of the strips that are shown, if there is room for them.
fn chosen(ctx: &Context) -> Vec<&'static str> {
    let known: Option<Vec<&'static str>> = ctx.data(|data| data.get_temp(Id::new("strips")));
    known.unwrap_or_else(|| vec!["energy", "work", "stretch", "step"])
}

fn choose(ctx: &Context, names: Vec<&'static str>) {
    ctx.data_mut(|data| data.insert_temp(Id::new("strips"), names));
}

/// Shows all strips that there is room for.
pub fn choose_all(ctx: &Context) {
    choose(ctx, STRIPS.iter().map(|strip| strip.name).collect());
}

/// Writes the strips called `names`; returns what became of it, in a sentence.
fn save_drawing(history: &History, names: &[&str]) -> Result<String, String> {
    let drawing = drawing::svg(history, names);
    let folder = std::env::current_dir();
    let written = folder.and_then(|folder| {
        write_numbered(&folder, ["plots", "svg"], |out| std::io::Write::write_all(out, drawing.as_bytes()))
    });
    match written {
        Ok(path) => {
            info!("plots written to {}", path.display());
            Ok(format!("Written to {}", path.display()))
        }
        Err(error) => Err(format!("The drawing cannot be written: {error}")),
    }
}

/// The drawer.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let history = &mut *shown.history;
    let whole = ui.max_rect();
    let has_lanes = shown.session.lane_count() > 1;
    ui.horizontal_wrapped(|ui| {
        let keep = ui.button("Keep").on_hover_text("Keep these curves, faint, for comparison");
        note_place(ui, "keep curves", keep.rect);
        if keep.clicked() {
            history.kept = Some(history.now.clone());
        }
        if history.kept.is_some() && ui.button("Delete kept").clicked() {
            history.kept = None;
        }
        if ui.button("CSV").on_hover_text("Copies all numbers, as text, into the clipboard").clicked() {
            ui.ctx().copy_text(history.now.csv());
        }
        let save =
            ui.button("SVG").on_hover_text("The chosen strips as a drawing, in the folder that Weft was started in");
        note_place(ui, "save svg", save.rect);
        if save.clicked() {
            history.message = Some(save_drawing(history, &chosen(ui.ctx())));
        }
        let picture =
            ui.button("PNG").on_hover_text("The plots as they are here, in the folder that Weft was started in");
        note_place(ui, "save png", picture.rect);
        if picture.clicked() {
            let [left, top] = [ui.max_rect().left(), ui.min_rect().bottom()];
            let [right, bottom] = [ui.max_rect().right(), whole.bottom()];
            history.picture = Some([left, top, right, bottom]);
        }
        ui.separator();
        let mut names = chosen(ui.ctx());
        for strip in STRIPS {
            let is_chosen = names.contains(&strip.name);
            if strip.of == Of::Lanes && !has_lanes && !is_chosen {
                continue;
            }
            let toggle = ui.add(Button::selectable(is_chosen, RichText::new(strip.name).small()));
            let toggle = toggle.on_hover_text(strip.help);
            note_place(ui, &format!("strip {}", strip.name), toggle.rect);
            if toggle.clicked() {
                names.retain(|name| *name != strip.name);
                if !is_chosen {
                    names.push(strip.name);
                }
            }
        }
        choose(ui.ctx(), names);
        ui.separator();
        let (text, colour) = match (&history.message, &history.gain, history.now.marks.last()) {
            (Some(Ok(message)), ..) => (message.clone(), QUIET),
            (Some(Err(message)), ..) => (message.clone(), ALARM),
            (_, Some(gain), _) => {
                let (energy, since) = (super::rows::significant(gain.energy), gain.since);
                (format!("{energy} J more than at {since:.2} s without work from outside: added by the method"), ACCENT)
            }
            (_, None, Some(mark)) => (format!("Last change at {:.2} s: {}", mark.time, mark.what), QUIET),
            (_, None, None) => ("A line marks each change of solver or parameter".to_owned(), QUIET),
        };
        ui.add(Label::new(RichText::new(&text).small().color(colour)).truncate()).on_hover_text(text);
    });
    let (width, height) = (ui.available_width(), ui.available_height() - 4.0);
    let room = (((width + GAP) / (LEAST_WIDTH + GAP)) as usize).max(1);
    let names = chosen(ui.ctx());
    let strips: Vec<&Strip> =
        names.iter().filter_map(|name| STRIPS.iter().find(|strip| strip.name == *name)).take(room).collect();
    if strips.is_empty() {
        ui.label(RichText::new("Choose plots above, or click a number over the cloth.").color(QUIET));
        return;
    }
    let each = (width - GAP * (strips.len() - 1) as f32) / strips.len() as f32;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for strip in strips {
            ui.vertical(|ui| {
                ui.set_width(each);
                strips::draw(ui, strip, history, [each, height]);
            });
        }
    });
}
