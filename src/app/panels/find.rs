//! Search by name: typed text finds parameters, scenes, solvers, fabrics and paints. Ctrl+K opens
//! it.

use egui::{Id, Key, RichText, ScrollArea, TextEdit, Ui};

use super::parameter_widgets;
use crate::app::desk::Shown;
use crate::app::library::scenes;
use crate::app::plots::panel as plots;
use crate::app::view::paint_quantity::PaintQuantity;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::{name, note_place};
use crate::scene::Fabric;
use crate::session::Command;
use crate::sim::params::Param;
use crate::sim::solvers;

/// Title of the window.
pub const TITLE: &str = "Find";
/// Examples of searches.
const EXAMPLES: [&str; 6] = ["wind", "friction", "bending", "denim", "knot", "xpbd"];
/// The fit of an entry with the words in its description alone.
const BY_TEXT: u8 = 3;
/// Width of the bar that scrolls [points].
const BAR: f32 = 10.0;
/// Most hits of a kind that are listed.
const MOST: usize = 8;

/// The window.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let (typed, opened) = (Id::new("find typed"), Id::new("find opened"));
    let mut text: String = ui.data(|data| data.get_temp(typed)).unwrap_or_default();
    let opening = shown.desk.windows.openings_of(TITLE);
    let is_new = opening.is_some() && ui.data(|data| data.get_temp(opened)) != opening;
    if is_new {
        text.clear();
        ui.data_mut(|data| data.insert_temp(opened, opening.unwrap_or_default()));
    }
    let hint = "wind, denim, friction, flag, xpbd …";
    let field = ui.add(TextEdit::singleline(&mut text).hint_text(hint).desired_width(f32::INFINITY));
    name(ui, &field, "What to find");
    // typing is the reason to open it
    if is_new {
        field.request_focus();
    }
    ui.data_mut(|data| data.insert_temp(typed, text.clone()));
    let words: Vec<String> = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        let help = "Type a part of a name or of a description. Parameters can be changed right here.";
        ui.label(RichText::new(help).small().color(QUIET));
        ui.horizontal_wrapped(|ui| {
            for example in EXAMPLES {
                if ui.small_button(example).clicked() {
                    ui.data_mut(|data| data.insert_temp(typed, example.to_owned()));
                }
            }
        });
        return;
    }
    let takes = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let height = (shown.view.height() - 120.0).clamp(140.0, 460.0);
    ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        // room for the bar
        ui.set_max_width(ui.available_width() - BAR);
        let mut found = parameters(ui, shown, &words);
        found += orders(ui, shown, &words, takes);
        if found == 0 {
            ui.label(RichText::new("No match for all of these words in name or text.").color(QUIET));
        }
    });
}

/// Whether all words stand in one of the texts or another.
fn has_all(words: &[String], texts: &[&str]) -> bool {
    let whole = texts.join(" ").to_lowercase();
    words.iter().all(|word| whole.contains(word.as_str()))
}

/// Whether the words are about a parameter: in its names, or else in its help.
fn rank(words: &[String], section: &str, param: &Param) -> Option<u8> {
    if has_all(words, &[param.label, param.key]) {
        Some(0)
    } else {
        has_all(words, &[section, param.label, param.key, param.help()]).then_some(1)
    }
}

/// The rows of the parameters that are meant; returns their number.
fn parameters(ui: &mut Ui, shown: &mut Shown, words: &[String]) -> usize {
    let session = &mut *shown.session;
    let mut parameters = *session.parameters();
    let frame = std::sync::Arc::clone(session.frame());
    let idle = |key: &str| parameter_widgets::idle(&frame, key);
    let defaults = frame.defaults.parameters;
    let mut hits = Vec::new();
    for (of, (title, group)) in crate::sim::Parameters::TITLES.iter().zip(parameters.groups()).enumerate() {
        for (index, param) in group.params().iter().enumerate() {
            // what has no effect now comes last
            hits.extend(rank(words, title, param).map(|rank| (idle(param.key).is_some(), rank, of, index)));
        }
    }
    hits.sort_unstable();
    let mut count = 0;
    hits.truncate(MOST);
    // each group once, at its best hit
    let mut groups: Vec<usize> = Vec::new();
    for (.., of, _) in &hits {
        if !groups.contains(of) {
            groups.push(*of);
        }
    }
    for of in groups {
        let wanted: Vec<usize> = hits.iter().filter(|hit| hit.2 == of).map(|hit| hit.3).collect();
        ui.label(RichText::new(crate::sim::Parameters::TITLES[of]).small().color(ACCENT));
        let default = defaults.groups().nth(of);
        if let (Some(group), Some(default)) = (parameters.groups_mut().nth(of), default) {
            for index in wanted {
                parameter_widgets::show_one(ui, group, default, index, &idle);
                count += 1;
            }
        }
    }
    session.set_parameters(parameters);
    count
}

/// Effect of a click on a hit.
enum Order {
    Session(Command),
    Paint(PaintQuantity),
    SavePlot,
}

/// An action with its name.
struct Entry {
    name: String,
    /// Its name in commands and files.
    id: String,
    text: String,
    /// Further words for it.
    also: &'static str,
    order: Order,
}

/// How well an entry under `title` fits the typed words; less is better.
fn fit(words: &[String], title: &str, entry: &Entry) -> Option<u8> {
    let Entry { name, id, text, also, .. } = entry;
    let (lower, typed) = (name.to_lowercase(), words.join(" "));
    match () {
        () if lower == typed || *id == typed => Some(0),
        () if lower.starts_with(&typed) || id.starts_with(&typed) => Some(1),
        () if has_all(words, &[name, id, also]) => Some(2),
        () => has_all(words, &[title, name, text]).then_some(BY_TEXT),
    }
}

/// All solvers, scenes, fabrics, paints and actions under their titles.
fn entries() -> [(&'static str, Vec<Entry>); 5] {
    let solvers = solvers::REGISTRY.iter().map(|entry| {
        let id = entry.info.id.to_owned();
        let order = Order::Session(Command::Solver { id: id.clone() });
        Entry { name: entry.info.name.to_owned(), id, text: entry.info.summary.to_owned(), also: "", order }
    });
    let scenes = scenes().map(|scene| {
        let id = scene.name.to_owned();
        let order = Order::Session(Command::Scene { name: id.clone() });
        Entry { name: scene.title, id, text: scene.summary.to_owned(), also: scene.names, order }
    });
    let fabrics = Fabric::all().iter().map(|fabric| {
        let order = Order::Session(Command::Fabric { id: fabric.id.clone() });
        Entry { name: fabric.name.clone(), id: fabric.id.clone(), text: fabric.source.clone(), also: "", order }
    });
    let paints = PaintQuantity::ALL.into_iter().map(|quantity| {
        let name = quantity.name().to_owned();
        let (id, text, order) = (name.to_lowercase(), quantity.help().to_owned(), Order::Paint(quantity));
        Entry { id, name, text, also: "", order }
    });
    let save_plot = Entry {
        name: "Save plot…".to_owned(),
        id: "save plot".to_owned(),
        text: "The plots of energies, stretch and cost over time as PDF, SVG or CSV; export, print, paper".to_owned(),
        also: "",
        order: Order::SavePlot,
    };
    [
        ("Solvers", solvers.collect()),
        ("Scenes", scenes.collect()),
        ("Fabrics", fabrics.collect()),
        ("Paint", paints.collect()),
        ("Actions", vec![save_plot]),
    ]
}

/// Scenes, solvers, fabrics and paints; returns how many are meant. The one that fits best is
/// marked, and done if `takes`.
fn orders(ui: &mut Ui, shown: &mut Shown, words: &[String], takes: bool) -> usize {
    let found = entries().map(|(title, entries)| {
        let mut hits: Vec<(u8, Entry)> =
            entries.into_iter().filter_map(|entry| Some((fit(words, title, &entry)?, entry))).collect();
        hits.sort_by_key(|(fit, _)| *fit);
        hits.truncate(MOST);
        (title, hits)
    });
    let mut best = found.iter().flat_map(|(_, hits)| hits.iter().map(|(fit, _)| *fit)).min();
    let mut count = 0;
    for (title, hits) in found {
        if hits.is_empty() {
            continue;
        }
        count += hits.len();
        ui.add_space(4.0);
        ui.label(RichText::new(title).small().color(ACCENT));
        for (fit, Entry { name, text, order, .. }) in hits {
            // the first of those that fit best; what is meant by its description alone is not done
            // by Enter
            let is_best = best.take_if(|best| *best == fit).is_some() && fit < BY_TEXT;
            let label = RichText::new(if is_best { format!("{name}  ·  Enter") } else { name.clone() });
            let button = ui.add(egui::Button::new(label).frame(false)).on_hover_text(text);
            note_place(ui, &format!("find {}", name.to_lowercase()), button.rect);
            if button.clicked() || (is_best && takes) {
                if takes {
                    shown.desk.windows.set(TITLE, false);
                }
                match order {
                    Order::Session(command) => drop(shown.session.send(command)),
                    Order::Paint(quantity) => shown.view_state.painting.choose(quantity),
                    Order::SavePlot => shown.with(|history, shown| plots::save(history, ui.ctx(), shown)),
                }
            }
        }
    }
    count
}
