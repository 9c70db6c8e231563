//! The layout of plots on a page: dark on white, one below the other, with a title, axes and a
//! legend.
//!
//! Lengths are in points (1/72 inch); y points down.

use super::drawing::Axes;
use super::metrics::width;
use super::{Limits, Plot, PlotCurve, PlotStyle, pdf, svg};

/// Width of the page, and room at its edges.
pub(super) const WIDTH: f64 = 480.0;
pub(super) const EDGE: f64 = 14.0;
/// Height of the axes of the only plot, and of each of several.
const ALONE: f64 = 230.0;
const EACH: f64 = 116.0;
/// Sizes of fonts.
const TITLE: f64 = 13.0;
pub(super) const LABEL: f64 = 10.0;
pub(super) const SMALL: f64 = 8.5;
/// Height of a row of the legend, and of the notes above the axes.
const ROW: f64 = 15.0;
const NOTES: f64 = 12.0;
/// Colours.
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

/// Plots with a common title, to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The title.
    pub title: String,
    /// The plots, from above.
    pub plots: Vec<Plot>,
}

impl Figure {
    /// The figure as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let (size, shapes) = self.shapes();
        svg::write(&self.title, size, &shapes)
    }

    /// The figure as a PDF file of one page.
    #[must_use]
    pub fn pdf(&self) -> Vec<u8> {
        let (size, shapes) = self.shapes();
        pdf::write(&self.title, size, &shapes)
    }

    /// Width and height of the page, and its shapes.
    pub(super) fn shapes(&self) -> ([f64; 2], Vec<Shape>) {
        let mut page = Page { shapes: Vec::new(), y: EDGE + TITLE };
        page.text([EDGE, page.y], &self.title, (TITLE, true, TEXT), Anchor::Start);
        page.y += 8.0;
        let names = |plot: &Plot| -> Vec<_> { legend(plot).map(|curve| (curve.name.clone(), curve.colour)).collect() };
        // one legend for all, if it has the curves of all
        let whole = self.plots.iter().max_by_key(|plot| names(plot).len()).filter(|_| self.plots.len() > 1);
        let has_all = |whole: &&Plot| {
            let known = names(whole);
            self.plots.iter().all(|plot| names(plot).iter().all(|own| known.contains(own)))
        };
        let shared = whole.filter(has_all);
        if let Some(whole) = shared {
            page.legend(whole, EDGE);
            page.y += 4.0;
        }
        let height = if self.plots.len() == 1 { ALONE } else { EACH };
        let limits: Vec<Limits> = self.plots.iter().map(|plot| plot.limits(None)).collect();
        let marks = |(plot, limits): (&Plot, &Limits)| plot.marks_of_values(*limits, height / 26.0);
        let labels = self.plots.iter().zip(&limits).flat_map(marks);
        let widest = labels.map(|(_, label)| width(&label, SMALL, false)).fold(0.0, f64::max);
        let left = EDGE + LABEL + 8.0 + widest + 5.0;
        let last = self.plots.len().saturating_sub(1);
        for (number, (plot, limits)) in self.plots.iter().zip(&limits).enumerate() {
            if shared.is_none() {
                page.legend(plot, left);
            }
            page.y += if has_notes(plot, *limits) { NOTES } else { 2.0 };
            let axes = Axes { plot, limits: *limits, left, top: page.y, height };
            axes.draw(&mut page);
            page.y += height + 14.0;
            if number == last {
                page.text(
                    [0.5 * (left + axes.right()), page.y + LABEL + 2.0],
                    "Time [s]",
                    (LABEL, false, TEXT),
                    Anchor::Middle,
                );
                page.y += LABEL + 4.0;
            } else {
                page.y += 10.0;
            }
        }
        ([WIDTH, (page.y + EDGE).ceil()], page.shapes)
    }
}

/// The curves that stand in the legend of a plot: of areas only those that are seen.
fn legend(plot: &Plot) -> impl Iterator<Item = &PlotCurve> {
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

fn has_notes(plot: &Plot, limits: Limits) -> bool {
    !plot.marks.is_empty() || notes(plot, limits).is_some() || plot.rule.is_some()
}

/// A note on facts that the curves of a plot do not show.
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
    y: f64,
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
    fn legend(&mut self, plot: &Plot, left: f64) {
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
