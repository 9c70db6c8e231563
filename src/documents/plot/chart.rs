//! A chart over two axes, linear or logarithmic, as data: curves, areas, markers and labels. Pages
//! and the window draw it from the same shapes.
//!
//! Points are given as they are drawn: on a logarithmic axis, logarithms to base ten.

use super::axis::{Limits, decades, even_steps, tick_label};
use super::frame::{Frame, pieces, under};
use super::item::{Item, Pen};
use super::look::{Colour, Look};
use super::metrics::width;
use super::page::{Drawing, EDGE, Key, Page, WIDTH};
use super::shape::{Anchor, Shape};
use crate::sim::params::units;

/// Room for a mark with its label across and up [points].
const MARKS: [f64; 2] = [52.0, 26.0];
/// Size of a marker [points].
const MARKER: f64 = 3.2;

/// How numbers are laid out along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Evenly; labels are in units of this size.
    Linear(f64),
    /// By their logarithms; labels have this unit.
    Logarithmic(&'static str),
}

/// An axis of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is along it, with its unit; empty if that is told elsewhere.
    pub name: String,
    /// Its ends, as they are drawn.
    pub limits: Limits,
    /// Its scale.
    pub scale: Scale,
}

impl Axis {
    /// At most about `most` marks with their labels; of less than three decades 1, 2 and 5 of each
    /// have one, if there is room.
    #[must_use]
    pub fn marks(&self, most: f64) -> Vec<(f64, String)> {
        let Limits { low, high } = self.limits;
        match self.scale {
            Scale::Linear(factor) => {
                let places = even_steps(low / factor, high / factor, most);
                let step = places.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
                places.into_iter().map(|at| (at * factor, tick_label(at, step))).collect()
            }
            Scale::Logarithmic(unit) => {
                let is_fine = high - low < 3.0 && 3.0 * (high - low) <= most;
                let digits = if is_fine { &[1.0, 2.0, 5.0][..] } else { &[] };
                let fine = (low.floor() as i64..=high.ceil() as i64)
                    .flat_map(|decade| digits.iter().map(move |digit: &f64| decade as f64 + digit.log10()))
                    .filter(|at| (low..=high).contains(at));
                let places = if is_fine { fine.collect() } else { decades(low, high, most) };
                let is_plain = -4.0 <= low && high <= 5.0 || !unit.is_empty();
                places.into_iter().map(|at| (at, power_label(at, unit, is_plain))).collect()
            }
        }
    }
}

/// `10^power` to one digit, with its unit; as a power of ten if it is not `is_plain`.
fn power_label(power: f64, unit: &str, is_plain: bool) -> String {
    let digit = 10_f64.powf(power - power.floor()).round();
    if is_plain || power == 0.0 {
        return units::with_unit(digit * 10_f64.powf(power.floor()), unit);
    }
    let of_ten = units::power_of_ten(power.floor() as i32);
    if digit == 1.0 { of_ten } else { format!("{digit}·{of_ten}") }
}

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The axes across and up.
    pub axes: [Axis; 2],
    /// What is in it, the last on top.
    pub items: Vec<Item>,
    /// The names of the curves.
    pub legend: Vec<Key>,
}

impl Chart {
    /// The chart on a page, with axes of some height [points].
    #[must_use]
    pub fn drawing(&self, height: f64) -> Drawing {
        let look = &Look::PAGE;
        let mut page = Page::titled(&self.title);
        page.legend(&self.legend, EDGE);
        page.y += if self.has_notes() { 12.0 } else { 4.0 };
        let room = [[EDGE, page.y], [WIDTH - EDGE, page.y + height + self.below(look)]];
        let frame = self.frame(room, look);
        page.shapes.extend(self.shapes(&frame, look));
        page.y = room[1][1];
        page.finish(&self.title)
    }

    /// Where the axes are within some room, which is left, top, right and bottom [points].
    #[must_use]
    pub fn frame(&self, [[left, top], [right, bottom]]: [[f64; 2]; 2], look: &Look) -> Frame {
        let bottom = bottom - self.below(look);
        let left = left + self.beside(bottom - top, look);
        self.frame_at([[left, top], [right, bottom]])
    }

    /// The frame of axes that lie between left and top, right and bottom.
    pub(super) fn frame_at(&self, corners: [[f64; 2]; 2]) -> Frame {
        Frame { corners, limits: [0, 1].map(|at| self.axes[at].limits) }
    }

    /// Room for name and labels at the left of axes of some height.
    pub(super) fn beside(&self, height: f64, look: &Look) -> f64 {
        let labels = self.axes[1].marks(height / MARKS[1]);
        let widest = labels.iter().map(|(_, label)| width(label, look.small, false)).fold(0.0, f64::max);
        let name = if self.axes[1].name.is_empty() { 0.0 } else { look.label + 8.0 };
        name + widest + 5.0
    }

    /// Room for name and labels below the axes.
    pub(super) fn below(&self, look: &Look) -> f64 {
        let name = if self.axes[0].name.is_empty() { 0.0 } else { look.label + 4.0 };
        look.small + 6.0 + name
    }

    pub(super) fn has_notes(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Upright(..) | Item::Note(..)))
    }

    /// The point of a curve that is nearest to a place, with the name of the curve, if one is
    /// nearer than `reach` [points].
    #[must_use]
    pub fn nearest(&self, frame: &Frame, [x, y]: [f64; 2], reach: f64) -> Option<(&str, [f64; 2])> {
        let curves = self.items.iter().filter_map(|item| match item {
            Item::Line { name, points, .. } | Item::Under { name, points, .. } if !name.is_empty() => {
                Some((name, points))
            }
            _ => None,
        });
        let away = |point: [f64; 2]| {
            let [a, b] = frame.place(point);
            (a - x).hypot(b - y)
        };
        let all = curves.flat_map(|(name, points)| points.iter().map(move |point| (name.as_str(), *point)));
        let near = all.map(|(name, point)| (away(point), name, point)).filter(|(distance, ..)| *distance < reach);
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name, point)| (name, point))
    }

    /// The shapes of the chart in its frame.
    #[must_use]
    pub fn shapes(&self, frame: &Frame, look: &Look) -> Vec<Shape> {
        let mut shapes = Vec::new();
        self.draw_grid(&mut shapes, frame, look);
        let [[left, top], [right, bottom]] = frame.corners;
        let mut above = Above { y: top - 4.0, from: left, to: right };
        for item in &self.items {
            if let Item::Note(text, pen) = item {
                above.note(&mut shapes, text, pen.as_ref(), look);
            }
        }
        for item in &self.items {
            draw_item(&mut shapes, item, frame, look, &mut above);
        }
        shapes.push(Shape::line(vec![[left, top], [left, bottom], [right, bottom]], look.frame, 0.8, None));
        shapes
    }

    fn draw_grid(&self, shapes: &mut Vec<Shape>, frame: &Frame, look: &Look) {
        let [[left, top], [right, bottom]] = frame.corners;
        let letters = (look.small, false, look.text);
        for (at, label) in self.axes[1].marks((bottom - top) / MARKS[1]) {
            let [_, y] = frame.place([frame.limits[0].low, at]);
            shapes.push(Shape::line(vec![[left, y], [right, y]], look.grid, 0.6, None));
            shapes.push(Shape::text([left - 5.0, y + 0.35 * look.small], &label, letters, Anchor::End));
        }
        let y = bottom + look.small + 3.5;
        for (at, label) in self.axes[0].marks((right - left) / MARKS[0]) {
            let [x, _] = frame.place([at, frame.limits[1].low]);
            shapes.push(Shape::line(vec![[x, top], [x, bottom]], look.grid, 0.6, None));
            // at the right end the edge of the page is near
            let half = 0.5 * width(&label, look.small, false);
            let x = x.min(right + EDGE - 2.0 - half);
            shapes.push(Shape::text([x, y], &label, letters, Anchor::Middle));
        }
        let [across, up] = [0, 1].map(|at| &self.axes[at].name);
        if !across.is_empty() {
            let place = [0.5 * (left + right), y + look.label + 3.0];
            shapes.push(Shape::text(place, across, (look.label, false, look.text), Anchor::Middle));
        }
        if !up.is_empty() {
            // a long one becomes smaller rather than reach beyond the axes
            let size = look.label * ((bottom - top) / width(up, look.label, false)).min(1.0);
            shapes.push(Shape::Text {
                at: [left - self.beside(bottom - top, look) + look.label - 2.0, 0.5 * (top + bottom)],
                text: up.clone(),
                size,
                bold: false,
                colour: look.text,
                anchor: Anchor::Middle,
                upwards: true,
            });
        }
    }
}

/// The row above the axes, which fills from both ends.
struct Above {
    y: f64,
    from: f64,
    to: f64,
}

impl Above {
    /// A note at the right, behind a piece of its line.
    fn note(&mut self, shapes: &mut Vec<Shape>, text: &str, pen: Option<&Pen>, look: &Look) {
        shapes.push(Shape::text([self.to, self.y], text, (look.small, false, look.quiet), Anchor::End));
        self.to -= width(text, look.small, false) + 10.0;
        if let Some(pen) = pen {
            let (end, y) = (self.to + 6.0, self.y - 3.0);
            shapes.push(pen.line(vec![[end - 18.0, y], [end, y]], look));
            self.to -= 22.0;
        }
    }

    /// A name at a place, if there is room.
    fn name(&mut self, shapes: &mut Vec<Shape>, text: &str, x: f64, colour: Colour, look: &Look) {
        let own = width(text, look.small, false);
        if x >= self.from && x + own <= self.to {
            shapes.push(Shape::text([x, self.y], text, (look.small, false, colour), Anchor::Start));
            self.from = x + own + 8.0;
        }
    }
}

fn draw_item(shapes: &mut Vec<Shape>, item: &Item, frame: &Frame, look: &Look, above: &mut Above) {
    let [[left, top], [right, bottom]] = frame.corners;
    let is_within = |at: usize, value: f64| (0.0..=1.0).contains(&frame.limits[at].share(value));
    match item {
        Item::Line { points, pen, .. } => {
            shapes.extend(pieces(points, frame).into_iter().map(|piece| pen.line(piece, look)));
        }
        Item::Under { points, colour, .. } => {
            let points = under(points, frame);
            let colour = look.colour(*colour, 0.85);
            shapes.extend(points.map(|points| Shape::Area { points, colour, opacity: 1.0, is_under: true }));
        }
        Item::Area { points, colour, opacity } => {
            let points = points.iter().map(|point| {
                let [x, y] = frame.place(*point);
                [x.clamp(left, right), y.clamp(top, bottom)]
            });
            let (points, colour) = (points.collect(), look.colour(*colour, 1.0));
            shapes.push(Shape::Area { points, colour, opacity: *opacity, is_under: false });
        }
        Item::Marker { at, form, size, colour, share } => {
            if is_within(0, at[0]) && is_within(1, at[1]) {
                shapes.extend(form.shapes(frame.place(*at), MARKER * size, look.colour(*colour, *share)));
            }
        }
        Item::Upright(at, name, pen) => {
            if is_within(0, *at) {
                let [x, _] = frame.place([*at, frame.limits[1].low]);
                shapes.push(pen.line(vec![[x, top], [x, bottom]], look));
                above.name(shapes, name, x, look.colour(pen.colour, 1.0), look);
            }
        }
        Item::Level(at, name, pen) => {
            if is_within(1, *at) {
                let [_, y] = frame.place([frame.limits[0].low, *at]);
                shapes.push(pen.line(vec![[left, y], [right, y]], look));
                let is_low = y - look.small - 4.0 < top;
                let place = [right - 3.0, if is_low { y + look.small + 2.0 } else { y - 4.0 }];
                let letters = (look.small, false, look.colour(pen.colour, 1.0));
                shapes.extend((!name.is_empty()).then(|| Shape::text(place, name, letters, Anchor::End)));
            }
        }
        Item::Label { at, text, colour, is_above } => {
            let [x, y] = frame.place(*at);
            let half = 0.5 * width(text, look.small, true);
            let x = x.max(left + half).min(right - half);
            // on the other side where the axes end
            let is_above = if *is_above { y - 24.0 > top } else { y + 24.0 > bottom };
            let y = if is_above { y - 9.0 } else { y + 9.0 + 0.8 * look.small };
            let letters = (look.small, true, look.colour(*colour, 1.0));
            shapes.push(Shape::text([x, y], text, letters, Anchor::Middle));
        }
        Item::Note(..) => {}
    }
}
