//! The heat map of a sweep: a cell for each run, axes, and the scale of colours.

use bevy::prelude::{ColorToPacked, Srgba};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, pos2, vec2};

use super::OpenTable;
use crate::app::view::painting::Painting;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::documents::SweepAxis;
use crate::scene::{label_of, param_of, value_name};
use crate::sim::params::units::significant;

/// Room for the numbers at the axes, for the scale, and least size of the map [points].
const LEFT: f32 = 74.0;
const BELOW: f32 = 34.0;
const SCALE: f32 = 78.0;
const LEAST: [f32; 2] = [160.0, 110.0];
/// Distance of the lines that mark a run that failed [points].
const HATCH: f32 = 7.0;

/// The map, laid out.
pub(super) struct Map<'a> {
    table: &'a OpenTable,
    /// Where the cells are.
    pub inner: Rect,
    /// Where cells begin and end, from 0 to 1.
    pub across: Vec<f64>,
    pub up: Vec<f64>,
    range: [f64; 2],
}

impl<'a> Map<'a> {
    pub fn new(table: &'a OpenTable, all: Rect) -> Self {
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

    pub fn cell(&self, across: usize, up: usize) -> Rect {
        let corner = |across: usize, up: usize| pos2(self.x(self.across[across]), self.y(self.up[up]));
        Rect::from_two_pos(corner(across, up), corner(across + 1, up + 1))
    }

    pub fn cell_at(&self, at: Pos2) -> Option<(usize, usize)> {
        let columns = (0..self.across.len() - 1).flat_map(|across| (0..self.up.len() - 1).map(move |up| (across, up)));
        columns.into_iter().find(|&(across, up)| self.cell(across, up).contains(at))
    }

    pub fn draw(&self, painter: &Painter) {
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
        let unit = if measure.unit().is_empty() { String::new() } else { format!(" [{}]", measure.unit()) };
        let title =
            painter.layout_no_wrap(format!("{}{unit}", measure.words()), FontId::proportional(11.0), Color32::WHITE);
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
pub(super) fn shorten(key: &str, value: &str) -> String {
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
