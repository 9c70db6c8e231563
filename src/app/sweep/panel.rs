//! A sweep as a heat map: two of the varied parameters as axes, a measure as colour.

use egui::{Button, Color32, ComboBox, Label, RichText, Sense, Slider, Stroke, StrokeKind, Ui, Vec2, vec2};

use super::map::{Map, shorten};
use super::{OpenTable, SweepView, form};
use crate::app::desk::Shown;
use crate::app::export::{Files, Purpose};
use crate::app::picture::Picture;
use crate::app::session::SessionHandle;
use crate::app::text_raster::Lettering;
use crate::app::widgets::style::QUIET;
use crate::app::widgets::{name, note_place, study};
use crate::documents::SweepRow;
use crate::scene::{is_command, label_of, value_name};
use crate::sim::params::units::significant;

/// Title of the window.
pub const TITLE: &str = "Sweep";

/// Room for the description of the chosen run [points].
const CHOSEN: f32 = 30.0;
/// Size of the picture that is exported [pixels], and its pixels per point.
const PICTURE: [u32; 2] = [1280, 960];
const PICTURE_SCALE: f32 = 2.0;
const GROUND: Color32 = Color32::from_rgb(30, 32, 36);

/// The window.
pub fn show(sweep: &mut SweepView, ui: &mut Ui, shown: &mut Shown) {
    sweep.follow();
    ui.horizontal(|ui| file(ui, sweep, shown));
    form::show(ui, sweep, shown.session);
    study::show_message(ui, sweep.message.as_ref());
    let Some(table) = &mut sweep.table else {
        ui.label(RichText::new("Tables of the command weft sweep can be opened above.").small().color(QUIET));
        return;
    };
    choose(ui, table);
    let room = vec2(ui.available_width(), (shown.view.height() - 300.0).clamp(150.0, 420.0));
    choose_run(ui, table, room);
    chosen_run(ui, table, shown.session);
}

/// The table that is open, to be opened and saved as a picture.
fn file(ui: &mut Ui, sweep: &mut SweepView, shown: &mut Shown) {
    let open = ui.button("Open…").on_hover_text("The table that weft sweep has written, or is writing (.csv)");
    note_place(ui, "open sweep", open.rect);
    if open.clicked() {
        shown.states.of::<Files>().ask(Purpose::Open);
    }
    if let Some(table) = &sweep.table {
        let picture = ui.button("Save as PNG").on_hover_text("The map as a picture, in the folder that Weft runs in");
        note_place(ui, "save heat map", picture.rect);
        if picture.clicked() {
            sweep.message = Some(save(table));
        }
        let all = table.sheet.id.as_ref().map_or(0, |id| id.runs);
        let (done, failed) = (table.sheet.rows.len(), table.sheet.rows.iter().filter(|row| row.status != "ok").count());
        let name = table.file.file_name().unwrap_or_default().to_string_lossy();
        let text = format!("{name}: {done} of {all} runs, {failed} failed");
        ui.add(Label::new(RichText::new(text).small().color(QUIET)).truncate());
    }
}

/// The map, in which a click chooses a run.
fn choose_run(ui: &mut Ui, table: &mut OpenTable, room: Vec2) {
    let (all, response) = ui.allocate_exact_size(room, Sense::click());
    name(ui, &response, "Heat map");
    let map = Map::new(table, all);
    let painter = ui.painter_at(all.expand(1.0));
    map.draw(&painter);
    note_place(ui, "heat map", map.inner);
    note_cells(ui, &map);
    let Some((across, up)) = response.hover_pos().and_then(|at| map.cell_at(at)) else { return };
    painter.rect_stroke(map.cell(across, up), 0.0, Stroke::new(1.5, Color32::WHITE), StrokeKind::Inside);
    let row = table.run_at(across, up);
    let text = row.map_or_else(|| "This run has not finished".to_owned(), |row| describe(table, row).join("\n"));
    let clicked = response.clicked();
    response.on_hover_text_at_pointer(text);
    if clicked {
        bevy::log::debug!("chose the run at {across} {up}");
        let (of_across, of_up) = (table.across, table.up);
        table.place[of_across] = across;
        if of_up != of_across {
            table.place[of_up] = up;
        }
        table.is_chosen = true;
    }
}

/// The chosen run, and its actions.
fn chosen_run(ui: &mut Ui, table: &OpenTable, session: &mut SessionHandle) {
    let row = table.chosen();
    let hint = || "Click a cell to copy its command, or to set its values here.".to_owned();
    let text = row.map_or_else(hint, |row| describe(table, row).join(", "));
    // as high before a click, so that nothing moves under the pointer
    let size = vec2(ui.available_width(), CHOSEN);
    ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        let color = if row.is_some() { Color32::WHITE } else { QUIET };
        ui.add(Label::new(RichText::new(text).small().color(color)).wrap());
    });
    ui.horizontal(|ui| {
        let is_command = row.is_some_and(|row| is_command(&row.command));
        let copy = ui.add_enabled(is_command, Button::new("Copy the command"));
        note_place(ui, "copy run", copy.rect);
        let set = ui.add_enabled(row.is_some(), Button::new("Set these values"));
        note_place(ui, "set run", set.rect);
        let Some(row) = row else { return };
        let copy = copy.on_disabled_hover_text("The table has no command of Weft for this run");
        if copy.on_hover_text(&row.command).clicked() {
            ui.ctx().copy_text(row.command.clone());
        }
        if set.on_hover_text("The cloth in the window continues with the values of this run").clicked() {
            table.set(row, session);
        }
    });
}

/// Choice of both axes, of the colour, and of the values of other parameters.
fn choose(ui: &mut Ui, table: &mut OpenTable) {
    let keys: Vec<String> = table.map.axes.iter().map(|axis| axis.key.clone()).collect();
    let (mut across, mut up, mut measure) = (table.across, table.up, table.measure);
    ui.horizontal_wrapped(|ui| {
        let pick = |ui: &mut Ui, label: &str, chosen: &mut usize| {
            ui.label(RichText::new(label).small().color(QUIET));
            let combo = ComboBox::from_id_salt(label).width(102.0).selected_text(label_of(&keys[*chosen]));
            let combo = combo.show_ui(ui, |ui| {
                for (at, key) in keys.iter().enumerate() {
                    ui.selectable_value(chosen, at, label_of(key));
                }
            });
            name(ui, &combo.response, label);
            note_place(ui, label, combo.response.rect);
        };
        pick(ui, "Across", &mut across);
        if keys.len() > 1 {
            pick(ui, "Up", &mut up);
        }
        ui.label(RichText::new("Colour").small().color(QUIET));
        let measures = &table.sheet.measures;
        let combo = ComboBox::from_id_salt("colour").width(102.0).selected_text(measures[measure].words());
        let combo = combo.show_ui(ui, |ui| {
            for (at, known) in measures.iter().enumerate() {
                ui.selectable_value(&mut measure, at, known.words()).on_hover_text(known.help);
            }
        });
        name(ui, &combo.response, "Colour");
        note_place(ui, "Colour", combo.response.rect);
        let log = ui.checkbox(&mut table.logarithmic, "log").on_hover_text("Equal steps of colour are equal factors");
        note_place(ui, "log colour", log.rect);
    });
    // one that goes where the other is takes its place
    if across != table.across && across == table.up {
        up = table.across;
    }
    if up != table.up && up == table.across {
        across = table.up;
    }
    (table.across, table.up) = (across, up);
    if measure != table.measure {
        table.choose_measure(measure);
    }
    for (number, axis) in table.map.axes.iter().enumerate() {
        if number == table.across || number == table.up || axis.values.len() < 2 {
            continue;
        }
        ui.horizontal(|ui| {
            let label = label_of(&axis.key);
            ui.label(&label);
            let slider = Slider::new(&mut table.place[number], 0..=axis.values.len() - 1).show_value(false);
            let slider = ui.add(slider);
            name(ui, &slider, &label);
            note_place(ui, &format!("sweep {}", axis.key), slider.rect);
            ui.label(RichText::new(value_name(&axis.key, &axis.values[table.place[number]])).monospace());
        });
    }
}

/// The values, the measures and the status of a run.
fn describe(table: &OpenTable, row: &SweepRow) -> Vec<String> {
    let values = table
        .sheet
        .axes
        .iter()
        .zip(&row.values)
        .map(|(key, value)| format!("{} = {}", label_of(key), shorten(key, value)));
    let measure = |(measure, text): (&&crate::sim::quantities::Measure, &String)| {
        let number = text.parse().map_or_else(|_| "none".to_owned(), significant);
        let unit =
            if measure.unit().is_empty() || number == "none" { String::new() } else { format!(" {}", measure.unit()) };
        format!("{}: {number}{unit}", measure.words())
    };
    let measures = table.sheet.measures.iter().zip(&row.measures).map(measure);
    let status = (row.status != "ok").then(|| format!("failed: {}", row.status.trim_start_matches("failed: ")));
    values.chain(measures).chain(status).collect()
}

/// Tells the log where the cells at the ends of the axes are, for tests of the real window.
fn note_cells(ui: &Ui, map: &Map) {
    let (columns, rows) = (map.across.len().saturating_sub(2), map.up.len().saturating_sub(2));
    note_place(ui, "first cell", map.cell(0, 0));
    note_place(ui, "last cell", map.cell(columns, rows));
}

/// Writes the map as a picture.
fn save(table: &OpenTable) -> Result<String, String> {
    let [r, g, b, _] = GROUND.to_array();
    let mut rgb = [r, g, b].repeat((PICTURE[0] * PICTURE[1]) as usize);
    Lettering::default().write(&mut rgb, PICTURE, PICTURE_SCALE, |ui| {
        let all = ui.ctx().content_rect().shrink(12.0);
        Map::new(table, all).draw(ui.painter());
    });
    let picture = Picture { size: PICTURE, rgb };
    study::save(["sweep", "png"], "picture", |out| picture.write_png(out))
}
