//! A sweep as a heat map: two of the varied parameters as axes, a measure as colour.

use std::io::Write;

use bevy::prelude::{ColorToPacked, Srgba};
use egui::{
    Align2, Button, Color32, ComboBox, FontId, Label, Painter, Pos2, Rect, RichText, Sense, Slider, Stroke, StrokeKind,
    Ui, pos2, vec2,
};

use super::{OpenTable, SweepView, form};
use crate::app::desk::Shown;
use crate::app::export::Purpose;
use crate::app::picture::Picture;
use crate::app::text_raster::Lettering;
use crate::app::view::painting::Painting;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::app::widgets::{name, note_place};
use crate::scene::{SweepAxis, SweepRow, label_of, param_of, value_name, write_numbered};
use crate::sim::params::units::significant;

/// Title of the window.
pub const TITLE: &str = "Sweep";

/// Room for the numbers at the axes, for the scale, and least size of the map [points].
const LEFT: f32 = 74.0;
const BELOW: f32 = 34.0;
const SCALE: f32 = 78.0;
const LEAST: [f32; 2] = [160.0, 110.0];
/// Distance of the lines that mark a run that failed [points].
const HATCH: f32 = 7.0;
/// Room for what is said of the run that is chosen [points].
const CHOSEN: f32 = 30.0;
/// Size of the picture that is exported [pixels], and its pixels per point.
const PICTURE: [u32; 2] = [1280, 960];
const PICTURE_SCALE: f32 = 2.0;
const GROUND: Color32 = Color32::from_rgb(30, 32, 36);

/// The window.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    shown.desk.sweep.follow();
    ui.horizontal(|ui| {
        let open = ui.button("Open…").on_hover_text("The table that weft sweep has written, or is writing (.csv)");
        note_place(ui, "open sweep", open.rect);
        if open.clicked() {
            shown.desk.files.ask(Purpose::Open);
        }
        if let Some(table) = &shown.desk.sweep.table {
            let picture =
                ui.button("Save as PNG").on_hover_text("The map as a picture, in the folder that Weft runs in");
            note_place(ui, "save heat map", picture.rect);
            if picture.clicked() {
                shown.desk.sweep.message = Some(save(table));
            }
            let all = table.sheet.id.as_ref().map_or(0, |id| id.runs);
            let (done, failed) =
                (table.sheet.rows.len(), table.sheet.rows.iter().filter(|row| row.status != "ok").count());
            let name = table.file.file_name().unwrap_or_default().to_string_lossy();
            let text = format!("{name}: {done} of {all} runs, {failed} failed");
            ui.add(Label::new(RichText::new(text).small().color(QUIET)).truncate());
        }
    });
    form::show(ui, shown);
    match &shown.desk.sweep.message {
        Some(Ok(text)) => drop(ui.label(RichText::new(text).small().color(QUIET))),
        Some(Err(text)) => drop(ui.colored_label(ALARM, text)),
        None => {}
    }
    let SweepView { table, .. } = &mut shown.desk.sweep;
    let Some(table) = table else {
        ui.label(RichText::new("Tables of the command weft sweep can be opened above.").small().color(QUIET));
        return;
    };
    choose(ui, table);
    let room = vec2(ui.available_width(), (shown.view.height() - 300.0).clamp(150.0, 420.0));
    let (all, response) = ui.allocate_exact_size(room, Sense::click());
    let map = Map::new(table, all);
    let painter = ui.painter_at(all.expand(1.0));
    map.draw(&painter);
    note_place(ui, "heat map", map.inner);
    note_cells(ui, &map);
    let under = response.hover_pos().and_then(|at| map.cell_at(at));
    if let Some((across, up)) = under {
        painter.rect_stroke(map.cell(across, up), 0.0, Stroke::new(1.5, Color32::WHITE), StrokeKind::Inside);
        if response.clicked() {
            bevy::log::debug!("chose the run at {across} {up}");
        }
    }
    let under_row = under.and_then(|(across, up)| table.run_at(across, up));
    let text = match (under, under_row) {
        (Some(_), Some(row)) => Some(describe(table, row).join("\n")),
        (Some(_), None) => Some("This run has not finished".to_owned()),
        _ => None,
    };
    let clicked = response.clicked();
    if let Some(text) = text {
        response.on_hover_text_at_pointer(text);
    }
    if clicked && let Some((across, up)) = under {
        let (of_across, of_up) = (table.across, table.up);
        table.place[of_across] = across;
        if of_up != of_across {
            table.place[of_up] = up;
        }
        table.is_chosen = true;
    }
    let row = table.chosen();
    let hint = || "Click a cell to copy its command, or to set its values here.".to_owned();
    let text = row.map_or_else(hint, |row| describe(table, row).join(", "));
    // as high before a click, so that nothing moves under the pointer
    let size = vec2(ui.available_width(), CHOSEN);
    ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        ui.add(
            Label::new(RichText::new(text).small().color(if row.is_some() { Color32::WHITE } else { QUIET })).wrap(),
        );
    });
    ui.horizontal(|ui| {
        let copy = ui.add_enabled(row.is_some(), Button::new("Copy the command"));
        note_place(ui, "copy run", copy.rect);
        let set = ui.add_enabled(row.is_some(), Button::new("Set these values"));
        note_place(ui, "set run", set.rect);
        let Some(row) = row else { return };
        if copy.on_hover_text(&row.command).clicked() {
            ui.ctx().copy_text(row.command.clone());
        }
        if set.on_hover_text("The cloth in the window continues with the values of this run").clicked() {
            table.set(row, shown.session);
        }
    });
}

/// What goes across and up, what is colour, and what the other parameters are.
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
        let combo = ComboBox::from_id_salt("colour").width(102.0).selected_text(measures[measure].label());
        let combo = combo.show_ui(ui, |ui| {
            for (at, known) in measures.iter().enumerate() {
                ui.selectable_value(&mut measure, at, known.label()).on_hover_text(known.help);
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
    let measure = |(measure, text): (&&crate::sim::study::sweep::Measure, &String)| {
        let number = text.parse().map_or_else(|_| "none".to_owned(), significant);
        let unit =
            if measure.unit.is_empty() || number == "none" { String::new() } else { format!(" {}", measure.unit) };
        format!("{}: {number}{unit}", measure.label())
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

/// The map, laid out.
struct Map<'a> {
    table: &'a OpenTable,
    /// Where the cells are.
    inner: Rect,
    /// Where cells begin and end, from 0 to 1.
    across: Vec<f64>,
    up: Vec<f64>,
    range: [f64; 2],
}

impl<'a> Map<'a> {
    fn new(table: &'a OpenTable, all: Rect) -> Self {
        let across = table.map.axes[table.across].edges();
        // of a single parameter there is one row
        let up = if table.up == table.across { vec![0.0, 1.0] } else { table.map.axes[table.up].edges() };
        let size = vec2((all.width() - LEFT - SCALE).max(LEAST[0]), (all.height() - BELOW - 6.0).max(LEAST[1]));
        let inner = Rect::from_min_size(all.min + vec2(LEFT, 6.0), size);
        Self { table, inner, across, up, range: table.range() }
    }

    fn x(&self, share: f64) -> f32 {
        self.inner.left() + share as f32 * self.inner.width()
    }

    fn y(&self, share: f64) -> f32 {
        self.inner.bottom() - share as f32 * self.inner.height()
    }

    fn cell(&self, across: usize, up: usize) -> Rect {
        let corner = |across: usize, up: usize| pos2(self.x(self.across[across]), self.y(self.up[up]));
        Rect::from_two_pos(corner(across, up), corner(across + 1, up + 1))
    }

    fn cell_at(&self, at: Pos2) -> Option<(usize, usize)> {
        let columns = (0..self.across.len() - 1).flat_map(|across| (0..self.up.len() - 1).map(move |up| (across, up)));
        columns.into_iter().find(|&(across, up)| self.cell(across, up).contains(at))
    }

    fn draw(&self, painter: &Painter) {
        painter.rect_filled(self.inner, 0.0, Color32::from_gray(22));
        let scale = Painting::default();
        let colour = |place: f64| {
            let [r, g, b, _] = Srgba::from(scale.scale(place as f32)).to_u8_array();
            Color32::from_rgb(r, g, b)
        };
        for across in 0..self.across.len() - 1 {
            for up in 0..self.up.len() - 1 {
                let cell = self.cell(across, up);
                let Some(row) = self.table.run_at(across, up) else { continue };
                let value = self.table.value(row).filter(|value| !self.table.logarithmic || *value > 0.0);
                let fill = value.map_or(Color32::from_gray(58), |value| colour(self.table.place_of(value, self.range)));
                painter.rect_filled(cell, 0.0, fill);
                if row.status != "ok" {
                    hatch(painter, cell);
                }
            }
        }
        if let Some(chosen) = self.chosen() {
            painter.rect_stroke(chosen, 0.0, Stroke::new(2.0, ACCENT), StrokeKind::Inside);
        }
        painter.rect_stroke(self.inner, 0.0, Stroke::new(1.0, Color32::from_gray(90)), StrokeKind::Outside);
        self.draw_axes(painter);
        self.draw_scale(painter, &colour);
    }

    fn chosen(&self) -> Option<Rect> {
        let place = &self.table.place;
        let up = if self.table.up == self.table.across { 0 } else { place[self.table.up] };
        self.table.is_chosen.then(|| self.cell(place[self.table.across], up))
    }

    fn draw_axes(&self, painter: &Painter) {
        let small = FontId::proportional(10.5);
        let middle = |edges: &[f64], at: usize| 0.5 * (edges[at] + edges[at + 1]);
        let title = |axis: &SweepAxis| {
            let unit = param_of(&axis.key).map_or("", |param| param.unit);
            let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
            format!("{}{unit}{}", label_of(&axis.key), if axis.logarithmic { " (log)" } else { "" })
        };
        let axis = &self.table.map.axes[self.table.across];
        let mut free = f32::NEG_INFINITY;
        for (at, value) in axis.values.iter().enumerate() {
            let text = painter.layout_no_wrap(shorten(&axis.key, value), small.clone(), QUIET);
            let (x, half) = (self.x(middle(&self.across, at)), 0.5 * text.size().x);
            // those that have no room are left out
            if x - half > free && x + half < self.inner.right() + SCALE - 4.0 {
                painter.vline(x, self.inner.bottom()..=self.inner.bottom() + 3.0, Stroke::new(1.0, QUIET));
                painter.galley(pos2(x - half, self.inner.bottom() + 4.0), text, QUIET);
                free = x + half + 6.0;
            }
        }
        let below = pos2(self.inner.center().x, self.inner.bottom() + 18.0);
        painter.text(below, Align2::CENTER_TOP, title(axis), FontId::proportional(12.0), Color32::WHITE);
        if self.table.up == self.table.across {
            return;
        }
        let axis = &self.table.map.axes[self.table.up];
        let mut free = f32::INFINITY;
        for (at, value) in axis.values.iter().enumerate() {
            let text = painter.layout_no_wrap(shorten(&axis.key, value), small.clone(), QUIET);
            let (y, half) = (self.y(middle(&self.up, at)), 0.5 * text.size().y);
            if y + half < free {
                painter.hline(self.inner.left() - 3.0..=self.inner.left(), y, Stroke::new(1.0, QUIET));
                painter.galley(pos2(self.inner.left() - 6.0 - text.size().x, y - half), text, QUIET);
                free = y - half;
            }
        }
        let text = painter.layout_no_wrap(title(axis), FontId::proportional(12.0), Color32::WHITE);
        let at = pos2(self.inner.left() - LEFT, self.inner.center().y + 0.5 * text.size().x);
        let turned = egui::epaint::TextShape::new(at, text, Color32::WHITE).with_angle(-std::f32::consts::FRAC_PI_2);
        painter.add(turned);
    }

    fn draw_scale(&self, painter: &Painter, colour: &dyn Fn(f64) -> Color32) {
        let bar =
            Rect::from_min_size(self.inner.right_top() + vec2(12.0, 16.0), vec2(12.0, self.inner.height() - 16.0));
        let parts = 64;
        for part in 0..parts {
            let [low, high] = [part, part + 1].map(|edge| bar.bottom() - bar.height() * edge as f32 / parts as f32);
            let slice = Rect::from_min_max(pos2(bar.left(), high), pos2(bar.right(), low + 0.5));
            painter.rect_filled(slice, 0.0, colour((f64::from(part) + 0.5) / f64::from(parts)));
        }
        let measure = self.table.sheet.measures[self.table.measure];
        let unit = if measure.unit.is_empty() { String::new() } else { format!(" [{}]", measure.unit) };
        let title =
            painter.layout_no_wrap(format!("{}{unit}", measure.label()), FontId::proportional(11.0), Color32::WHITE);
        let left = (bar.left()).min(self.inner.right() + SCALE - title.size().x - 2.0);
        painter.galley(pos2(left, self.inner.top() - 2.0), title, Color32::WHITE);
        let [low, high] = self.range;
        let between = if self.table.logarithmic { (low * high).sqrt() } else { 0.5 * (low + high) };
        for (value, y) in [(high, bar.top() + 6.0), (between, bar.center().y), (low, bar.bottom() - 6.0)] {
            let at = pos2(bar.right() + 4.0, y);
            painter.text(at, Align2::LEFT_CENTER, significant(value), FontId::proportional(10.5), QUIET);
        }
    }
}

/// A value of a key at an axis: a number with three digits, or a name.
fn shorten(key: &str, value: &str) -> String {
    value.parse().map_or_else(|_| value_name(key, value).chars().take(14).collect(), significant)
}

/// Lines across a cell.
fn hatch(painter: &Painter, cell: Rect) {
    let inside = painter.with_clip_rect(cell.intersect(painter.clip_rect()));
    let count = ((cell.width() + cell.height()) / HATCH) as usize;
    for line in 0..=count {
        let x = cell.left() + line as f32 * HATCH;
        let ends = [pos2(x, cell.top()), pos2(x - cell.height(), cell.bottom())];
        // dark and bright, to be seen on every colour
        inside.line_segment(ends, Stroke::new(2.2, Color32::from_black_alpha(170)));
        inside.line_segment(ends, Stroke::new(0.8, Color32::from_white_alpha(200)));
    }
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
    let write = |out: &mut dyn Write| picture.write_png(out);
    let written = std::env::current_dir().and_then(|folder| write_numbered(&folder, ["sweep", "png"], write));
    let path = written.map_err(|error| format!("The picture cannot be written: {error}"))?;
    bevy::log::info!("heat map written to {}", path.display());
    Ok(format!("Written to {}", path.display()))
}
