//! Plots over the simulated time: energies, stretch, cost of a step, convergence of the solver, a
//! vertex.

use egui::{Button, Color32, Context, Id, Label, Rect, RichText, Sense, Stroke, Ui, vec2};

use super::catalogue::{Of, PLOTS, PlotKind};
use super::chart;
use super::curves::{self, Choice, SECONDS};
use super::history::History;
use crate::app::desk::{OpenWindows, Request, Shown};
use crate::app::session::{SessionHandle, letter};
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::documents::Figure;
use crate::sim::params::units::significant;

/// Title of the panel.
pub const TITLE: &str = "Plots";
/// Width that a plot needs at least [points], and the gap between two.
const LEAST_WIDTH: f32 = 190.0;
const GAP: f32 = 10.0;
/// The plots that are shown at first.
const DEFAULT: [&str; 4] = ["energy", "work", "stretch", "step"];

/// Opens the drawer with the plot called `name`, if it is not in it already.
pub fn open(ctx: &Context, windows: &mut OpenWindows, name: &'static str) {
    windows.set(TITLE, true);
    let mut chosen = chosen(ctx);
    if !chosen.contains(&name) {
        chosen.insert(0, name);
        choose(ctx, chosen);
    }
}

/// The names of the plots that are shown, if there is room for them.
fn chosen(ctx: &Context) -> Vec<&'static str> {
    let known: Option<Vec<&'static str>> = ctx.data(|data| data.get_temp(Id::new("strips")));
    known.unwrap_or_else(|| DEFAULT.to_vec())
}

fn choose(ctx: &Context, names: Vec<&'static str>) {
    ctx.data_mut(|data| data.insert_temp(Id::new("strips"), names));
}

/// Shows all plots that there is room for.
pub fn choose_all(ctx: &Context) {
    choose(ctx, PLOTS.iter().map(|kind| kind.name).collect());
}

/// Whether all that is kept is shown, instead of the last seconds.
fn shows_all(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(Id::new("plots show all"))).unwrap_or_default()
}

/// The chosen plots as they are seen, to be written.
fn figure(ctx: &Context, history: &History, session: &SessionHandle) -> Figure {
    let names = curves::names_of_lanes(session);
    let kinds = PLOTS.iter().filter(|kind| chosen(ctx).contains(&kind.name));
    let plot = |kind: &PlotKind| {
        let choice = Choice { all: shows_all(ctx), quantity: chart::chosen_quantity(ctx, kind) };
        curves::plot(kind, history, &names, choice)
    };
    let mut title = session.frame().scene.title.clone();
    if let [name] = &names[..] {
        title = format!("{title}, {name}");
    }
    Figure { title, plots: kinds.map(plot).filter(|plot| !plot.curves.is_empty()).collect() }
}

/// Asks for a file for the chosen plots, with all of the default ones if none is.
pub fn save(history: &History, ctx: &Context, shown: &mut Shown) {
    if chosen(ctx).is_empty() {
        choose(ctx, DEFAULT.to_vec());
    }
    let figure = figure(ctx, history, shown.session);
    shown.desk.requests.push(Request::SavePlot(figure));
}

/// The drawer.
pub fn show(history: &mut History, ui: &mut Ui, shown: &mut Shown) {
    let whole = ui.max_rect();
    ui.horizontal_wrapped(|ui| {
        buttons(ui, history, shown, whole);
        ui.separator();
        choose_window(ui);
        ui.separator();
        choose_strips(ui, shown.session.lane_count() > 1);
        ui.separator();
        news(ui, history);
    });
    let names = curves::names_of_lanes(shown.session);
    if names.len() > 1 {
        ui.horizontal_wrapped(|ui| name_lanes(ui, &names));
    }
    kinds(ui, history, &names);
}

/// Buttons for the curves; the drawer takes `whole`.
fn buttons(ui: &mut Ui, history: &mut History, shown: &mut Shown, whole: Rect) {
    let save_button = ui.button("Save plot…");
    note_place(ui, "save plot", save_button.rect);
    let help =
        "The chosen plots as they are seen, dark on white, with axes and legend: PDF, SVG, or their numbers as CSV";
    if save_button.on_hover_text(help).clicked() {
        save(history, ui.ctx(), shown);
    }
    let keep = ui.button("Keep").on_hover_text("Keep these curves, faint, for comparison");
    note_place(ui, "keep curves", keep.rect);
    if keep.clicked() {
        history.keep();
    }
    if !history.kept.is_empty() && ui.button("Delete kept").clicked() {
        history.kept.clear();
    }
    if ui.button("Copy CSV").on_hover_text("Copies all numbers, as text, into the clipboard").clicked() {
        ui.ctx().copy_text(history.csv());
    }
    let picture = ui.button("PNG").on_hover_text("The plots as they are here, in the folder that Weft was started in");
    note_place(ui, "save png", picture.rect);
    if picture.clicked() {
        let [left, top] = [ui.max_rect().left(), ui.min_rect().bottom()];
        let [right, bottom] = [ui.max_rect().right(), whole.bottom()];
        history.picture = Some([left, top, right, bottom]);
    }
}

/// The last seconds, or everything.
fn choose_window(ui: &mut Ui) {
    let mut all = shows_all(ui.ctx());
    let last = format!("last {SECONDS:.0} s");
    for (value, label, help) in [
        (false, last.as_str(), "A window that moves with the time"),
        (true, "all", "All that is kept, from the start; of long runs the older part with fewer points"),
    ] {
        let button = ui.add(Button::selectable(all == value, RichText::new(label).small())).on_hover_text(help);
        note_place(ui, &format!("plots {label}"), button.rect);
        if button.clicked() {
            all = value;
        }
    }
    ui.data_mut(|data| data.insert_temp(Id::new("plots show all"), all));
}

/// A button for each plot.
fn choose_strips(ui: &mut Ui, has_lanes: bool) {
    let mut names = chosen(ui.ctx());
    for kind in PLOTS {
        let is_chosen = names.contains(&kind.name);
        if kind.of == Of::Lanes && !has_lanes && !is_chosen {
            continue;
        }
        let toggle = ui.add(Button::selectable(is_chosen, RichText::new(kind.name).small()));
        let toggle = toggle.on_hover_text(kind.help);
        note_place(ui, &format!("strip {}", kind.name), toggle.rect);
        if toggle.clicked() {
            names.retain(|name| *name != kind.name);
            if !is_chosen {
                names.push(kind.name);
            }
        }
    }
    choose(ui.ctx(), names);
}

/// Result of the last picture, energy added by the method, or the last change.
fn news(ui: &mut Ui, history: &History) {
    let (text, colour) = match (&history.message, history.gain(), history.now().marks.last()) {
        (Some(Ok(message)), ..) => (message.clone(), QUIET),
        (Some(Err(message)), ..) => (message.clone(), ALARM),
        (_, Some(gain), _) => {
            let (energy, since) = (significant(gain.energy), gain.since);
            (format!("{energy} J more than at {since:.2} s without work from outside: added by the method"), ACCENT)
        }
        (_, None, Some(mark)) => (format!("Last change at {:.2} s: {}", mark.time, mark.what), QUIET),
        (_, None, None) => ("A line marks each change of solver or parameter".to_owned(), QUIET),
    };
    ui.add(Label::new(RichText::new(&text).small().color(colour)).truncate()).on_hover_text(text);
}

/// The names of the lanes in their colours, for all plots.
fn name_lanes(ui: &mut Ui, names: &[String]) {
    for (slot, name) in names.iter().enumerate() {
        let [r, g, b] = curves::colour_of_lane(slot);
        let colour = Color32::from_rgb(r, g, b);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            let (place, _) = ui.allocate_exact_size(vec2(16.0, 12.0), Sense::hover());
            ui.painter().hline(place.x_range(), place.center().y, Stroke::new(3.0, colour));
            let label = ui.label(RichText::new(name).small());
            note_place(ui, &format!("legend of lane {}", letter(slot)), label.rect);
        });
        ui.add_space(8.0);
    }
}

/// The plots that there is room for, side by side.
fn kinds(ui: &mut Ui, history: &History, names: &[String]) {
    let (width, height) = (ui.available_width(), ui.available_height() - 4.0);
    let room = (((width + GAP) / (LEAST_WIDTH + GAP)) as usize).max(1);
    let chosen = chosen(ui.ctx());
    let kinds: Vec<&PlotKind> =
        chosen.iter().filter_map(|name| PLOTS.iter().find(|kind| kind.name == *name)).take(room).collect();
    if kinds.is_empty() {
        ui.label(RichText::new("Choose plots above, or click a number over the cloth.").color(QUIET));
        return;
    }
    let all = shows_all(ui.ctx());
    let each = (width - GAP * (kinds.len() - 1) as f32) / kinds.len() as f32;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for kind in kinds {
            ui.vertical(|ui| {
                ui.set_width(each);
                chart::draw(ui, kind, history, names, all, [each, height]);
            });
        }
    });
}
