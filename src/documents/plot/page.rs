//! A page: what can be on it, its measures and colours, and the legend and the notes of a plot.
//!
//! Lengths are in points (1/72 inch); y points down.

use super::metrics::width;
use super::{Limits, Plot, PlotCurve, PlotStyle};

/// Width of the page, and room at its edges.
pub(super) const WIDTH: f64 = 480.0;
pub(super) const EDGE: f64 = 14.0;
/// Sizes of fonts.
pub(super) const TITLE: f64 = 13.0;
pub(super) const LABEL: f64 = 10.0;
pub(super) const SMALL: f64 = 8.5;
/// Height of a row of the legend.
const ROW: f64 = 15.0;
/// Colours of the page, sRGB.
pub(super) const TEXT: [u8; 3] = [30, 32, 36];
pub(super) const QUIET: [u8; 3] = [96, 100, 108];

/// Which point of a text its place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Something on the page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Line { points: Vec<[f64; 2]>, colour: [u8; 3], width: f64, dashes: Option<[f64; 2]> },
    Area { points: Vec<[f64; 2]>, colour: [u8; 3] },
    Text { at: [f64; 2], text: String, size: f64, bold: bool, colour: [u8; 3], anchor: Anchor, upwards: bool },
}

/// The curves that stand in the legend of a plot: of areas only those that are seen.
pub(super) fn legend(plot: &Plot) -> impl Iterator<Item = &PlotCurve> {
    let is_seen = |curve: &&PlotCurve| {
        plot.style != PlotStyle::Stacked || curve.points.iter().any(|point| point[1].is_finite() && point[1] > 0.0)
    };
    plot.curves.iter().filter(|curve| !curve.faint).filter(is_seen)
}

/// Names of the curves that have no value in the window.
fn without_values(plot: &Plot) -> Vec<&str> {
    let [from, to] = plot.window;
    let is_there = |point: &[f64; 2]| (from..=to).contains(&point[0]) && plot.drawn(point[1]).is_finite();
    legend(plot).filter(|curve| !curve.points.iter().any(is_there)).map(|curve| curve.name.as_str()).collect()
}

pub(super) fn has_notes(plot: &Plot, limits: Limits) -> bool {
    !plot.marks.is_empty() || notes(plot, limits).is_some() || plot.rule.is_some()
}

/// What cannot be seen from the curves of a plot.
pub(super) fn notes(plot: &Plot, limits: Limits) -> Option<String> {
    let beyond = plot.beyond(limits);
    let mut notes: Vec<String> = Vec::new();
    notes.extend(beyond.above.map(|value| format!("beyond the axis: up to {}", plot.tell(value))));
    notes.extend(beyond.below.map(|value| format!("beyond the axis: down to {}", plot.tell(value))));
    let missing = without_values(plot);
    if !missing.is_empty() {
        notes.push(format!("not known: {}", missing.join(", ")));
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// A colour as it is read on white: light greys turned over, other light ones darker.
pub(super) fn on_white([r, g, b]: [u8; 3]) -> [u8; 3] {
    let (least, most) = (r.min(g).min(b), r.max(g).max(b));
    if most - least < 24 && most > 140 {
        return [(255 - most).min(110); 3];
    }
    let linear = |part: u8| (f64::from(part) / 255.0).powf(2.2);
    let luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    // a contrast of 3 to 1 against white
    let factor = (0.3 / luminance).min(1.0).powf(1.0 / 2.2);
    [r, g, b].map(|part| (f64::from(part) * factor).round() as u8)
}

/// A colour mixed with white.
pub(super) fn faint(colour: [u8; 3], share: f64) -> [u8; 3] {
    colour.map(|part| (255.0 - share * (255.0 - f64::from(part))).round() as u8)
}

pub(super) struct Page {
    pub(super) shapes: Vec<Shape>,
    /// How far down it is filled.
    pub(super) y: f64,
}

impl Page {
    pub(super) fn text(
        &mut self,
        at: [f64; 2],
        text: &str,
        (size, bold, colour): (f64, bool, [u8; 3]),
        anchor: Anchor,
    ) {
        let text = text.to_owned();
        self.shapes.push(Shape::Text { at, text, size, bold, colour, anchor, upwards: false });
    }

    pub(super) fn line(&mut self, points: Vec<[f64; 2]>, colour: [u8; 3], width: f64, dashes: Option<[f64; 2]>) {
        self.shapes.push(Shape::Line { points, colour, width, dashes });
    }

    /// The names of the curves, each behind a piece of it, in as many rows as they need.
    pub(super) fn legend(&mut self, plot: &Plot, left: f64) {
        let mut x = left;
        let mut is_begun = false;
        for curve in legend(plot) {
            let own = 18.0 + 5.0 + width(&curve.name, LABEL, false);
            if !is_begun || x + own > WIDTH - EDGE {
                (x, is_begun) = (left, true);
                self.y += ROW;
            }
            let (colour, y) = (on_white(curve.colour), self.y - 3.5);
            if plot.style == PlotStyle::Stacked {
                let [top, bottom] = [y - 4.0, y + 4.0];
                let points = vec![[x + 6.0, top], [x + 18.0, top], [x + 18.0, bottom], [x + 6.0, bottom]];
                self.shapes.push(Shape::Area { points, colour: faint(colour, 0.85) });
            } else {
                self.line(vec![[x, y], [x + 18.0, y]], colour, 2.0, None);
            }
            self.text([x + 23.0, self.y], &curve.name, (LABEL, false, TEXT), Anchor::Start);
            x += own + 16.0;
        }
        self.y += 5.0;
    }
}
