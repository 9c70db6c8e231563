//! The layout of plots on a page: dark on white, one below the other, with a title, axes and a legend.
//!
//! Lengths are in points (1/72 inch); y points down.

use super::metrics::width;
use super::{Limits, Plot, PlotCurve, PlotStyle, even_steps, pdf, svg, tick_label};

/// Width of the page, and room at its edges.
const WIDTH: f64 = 480.0;
const EDGE: f64 = 14.0;
/// Height of the axes of the only plot, and of each of several.
const ALONE: f64 = 230.0;
const EACH: f64 = 116.0;
/// Sizes of fonts.
const TITLE: f64 = 13.0;
const LABEL: f64 = 10.0;
const SMALL: f64 = 8.5;
/// Height of a row of the legend, and of the notes above the axes.
const ROW: f64 = 15.0;
const NOTES: f64 = 12.0;
/// Columns in which the points of a curve are drawn at most twice.
const COLUMNS: f64 = 900.0;
/// Colours.
const TEXT: [u8; 3] = [30, 32, 36];
const QUIET: [u8; 3] = [96, 100, 108];
const GRID: [u8; 3] = [222, 224, 228];
const FRAME: [u8; 3] = [120, 124, 132];
const MARK: [u8; 3] = [190, 92, 48];

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

    /// Width and height of the page, and what is on it.
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

/// What cannot be seen from the curves of a plot.
fn notes(plot: &Plot, limits: Limits) -> Option<String> {
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
fn on_white([r, g, b]: [u8; 3]) -> [u8; 3] {
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
fn faint(colour: [u8; 3], share: f64) -> [u8; 3] {
    colour.map(|part| (255.0 - share * (255.0 - f64::from(part))).round() as u8)
}

struct Page {
    shapes: Vec<Shape>,
    /// How far down it is filled.
    y: f64,
}

impl Page {
    fn text(&mut self, at: [f64; 2], text: &str, (size, bold, colour): (f64, bool, [u8; 3]), anchor: Anchor) {
        let text = text.to_owned();
        self.shapes.push(Shape::Text { at, text, size, bold, colour, anchor, upwards: false });
    }

    fn line(&mut self, points: Vec<[f64; 2]>, colour: [u8; 3], width: f64, dashes: Option<[f64; 2]>) {
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

/// The axes of a plot on the page.
struct Axes<'a> {
    plot: &'a Plot,
    limits: Limits,
    left: f64,
    top: f64,
    height: f64,
}

impl Axes<'_> {
    fn right(&self) -> f64 {
        WIDTH - EDGE
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }

    fn x(&self, time: f64) -> f64 {
        let [from, to] = self.plot.window;
        self.left + (self.right() - self.left) * (time - from) / (to - from)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom() - self.height * self.limits.share(value)
    }

    fn draw(&self, page: &mut Page) {
        self.grid(page);
        self.marks(page);
        let lines = self.plot.lines();
        let order = (0..lines.len()).rev().filter(|at| self.plot.curves[*at].faint);
        for at in order.chain((0..lines.len()).rev().filter(|at| !self.plot.curves[*at].faint)) {
            let (curve, colour) = (&self.plot.curves[at], on_white(self.plot.curves[at].colour));
            if self.plot.style == PlotStyle::Stacked {
                // each area reaches down to the axis, and the ones below it are drawn over it
                self.area(page, &lines[at], faint(colour, 0.85));
                continue;
            }
            let (colour, width) = if curve.faint { (faint(colour, 0.4), 1.0) } else { (colour, 1.4) };
            for piece in self.pieces(&lines[at]) {
                page.line(piece, colour, width, None);
            }
        }
        if let Some((value, _)) =
            self.plot.rule.as_ref().filter(|(value, _)| (0.0..=1.0).contains(&self.limits.share(*value)))
        {
            let y = self.y(*value);
            page.line(vec![[self.left, y], [self.right(), y]], TEXT, 0.9, Some([5.0, 3.0]));
        }
        self.exits(page);
        let ([left, right], [top, bottom]) = ([self.left, self.right()], [self.top, self.bottom()]);
        page.line(vec![[left, top], [left, bottom], [right, bottom]], FRAME, 0.8, None);
    }

    fn grid(&self, page: &mut Page) {
        let [from, to] = self.plot.window;
        for (value, label) in self.plot.marks_of_values(self.limits, self.height / 26.0) {
            let y = self.y(value);
            page.line(vec![[self.left, y], [self.right(), y]], GRID, 0.6, None);
            page.text([self.left - 5.0, y + 3.0], &label, (SMALL, false, TEXT), Anchor::End);
        }
        let times = even_steps(from, to, (self.right() - self.left) / 52.0);
        let step = times.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
        for time in times {
            let x = self.x(time);
            page.line(vec![[x, self.top], [x, self.bottom()]], GRID, 0.6, None);
            page.text([x, self.bottom() + 12.0], &tick_label(time, step), (SMALL, false, TEXT), Anchor::Middle);
        }
        let heading = self.plot.heading(self.limits);
        // a long one becomes smaller rather than reach beyond the axes
        let size = LABEL * (self.height / width(&heading, LABEL, false)).min(1.0);
        page.shapes.push(Shape::Text {
            at: [EDGE + LABEL - 2.0, self.top + 0.5 * self.height],
            text: heading,
            size,
            bold: false,
            colour: TEXT,
            anchor: Anchor::Middle,
            upwards: true,
        });
    }

    /// Changes as dotted lines with their names above the axes, and at the right what the curves do not tell.
    fn marks(&self, page: &mut Page) {
        let y = self.top - 4.0;
        let mut end = self.right();
        if let Some(text) = notes(self.plot, self.limits) {
            page.text([end, y], &text, (SMALL, false, QUIET), Anchor::End);
            end -= width(&text, SMALL, false) + 10.0;
        }
        if let Some((_, name)) = &self.plot.rule {
            page.text([end, y], name, (SMALL, false, QUIET), Anchor::End);
            end -= width(name, SMALL, false) + 4.0;
            page.line(vec![[end - 18.0, y - 3.0], [end, y - 3.0]], TEXT, 0.9, Some([5.0, 3.0]));
            end -= 28.0;
        }
        let [from, to] = self.plot.window;
        let mut free = self.left;
        for (time, what) in self.plot.marks.iter().filter(|(time, _)| (from..=to).contains(time)) {
            let x = self.x(*time);
            page.line(vec![[x, self.top], [x, self.bottom()]], MARK, 0.9, Some([1.5, 2.5]));
            // where there is no room the line has to do
            if x >= free && x + width(what, SMALL, false) <= end {
                page.text([x, y], what, (SMALL, false, MARK), Anchor::Start);
                free = x + width(what, SMALL, false) + 8.0;
            }
        }
    }

    fn area(&self, page: &mut Page, line: &[[f64; 2]], colour: [u8; 3]) {
        let [from, to] = self.plot.window;
        let inside: Vec<[f64; 2]> = line.iter().copied().filter(|point| (from..=to).contains(&point[0])).collect();
        let thinned = thinned(&inside, self.plot.window);
        let (Some(first), Some(last)) = (thinned.first(), thinned.last()) else { return };
        let base = self.y(self.limits.low.max(0.0));
        let mut points = vec![[self.x(first[0]), base]];
        points
            .extend(thinned.iter().map(|[time, value]| [self.x(*time), self.y(*value).clamp(self.top, self.bottom())]));
        points.push([self.x(last[0]), base]);
        page.shapes.push(Shape::Area { points, colour });
    }

    /// The parts of a line that lie within the axes.
    fn pieces(&self, line: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
        let mut pieces: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut last: Option<[f64; 2]> = None;
        for [time, value] in thinned(line, self.plot.window) {
            if value.is_nan() {
                last = None;
                continue;
            }
            // far beyond is as good as at infinity, and can be drawn
            let share = self.limits.share(value).clamp(-1e6, 1e6);
            let point = [self.x(time), self.bottom() - self.height * share];
            if let Some([a, b]) = last.and_then(|last| self.within([last, point])) {
                match pieces.last_mut().filter(|piece| piece.last() == Some(&a)) {
                    Some(piece) => piece.push(b),
                    None => pieces.push(vec![a, b]),
                }
            }
            last = Some(point);
        }
        pieces
    }

    /// The part of a straight line that lies within the axes (Liang and Barsky 1984).
    fn within(&self, [a, b]: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        let ends = [[self.left, self.right()], [self.top, self.bottom()]];
        for (axis, [low, high]) in ends.into_iter().enumerate() {
            let way = b[axis] - a[axis];
            for (room, way) in [(a[axis] - low, -way), (high - a[axis], way)] {
                if way == 0.0 && room < 0.0 {
                    return None;
                } else if way < 0.0 {
                    start = start.max(room / way);
                } else if way > 0.0 {
                    end = end.min(room / way);
                }
            }
        }
        let at = |share: f64| [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
        let start_point = if start == 0.0 { a } else { at(start) };
        let end_point = if end == 1.0 { b } else { at(end) };
        (start <= end).then_some([start_point, end_point])
    }

    /// A triangle at the edge where a curve leaves the axes.
    fn exits(&self, page: &mut Page) {
        let mut last = [f64::NEG_INFINITY; 2];
        for (curve, time, above) in self.plot.exits(self.limits) {
            let x = self.x(time);
            let free = &mut last[usize::from(above)];
            if (x - *free).abs() < 9.0 {
                continue;
            }
            *free = x;
            let (edge, inwards) = if above { (self.top, 7.0) } else { (self.bottom(), -7.0) };
            let points = vec![[x, edge], [x - 4.0, edge + inwards], [x + 4.0, edge + inwards]];
            page.shapes.push(Shape::Area { points, colour: on_white(self.plot.curves[curve].colour) });
        }
    }
}

/// The points of a line, of many in a column only the lowest and the highest; gaps stay.
fn thinned(line: &[[f64; 2]], [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
    let column = |point: &[f64; 2]| ((point[0] - from) / (to - from) * COLUMNS).floor();
    let is_together = |a: &[f64; 2], b: &[f64; 2]| column(a) == column(b) && a[1].is_nan() == b[1].is_nan();
    let mut points = Vec::new();
    for group in line.chunk_by(is_together) {
        let by_value = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        match (group.iter().min_by(by_value), group.iter().max_by(by_value)) {
            (Some(least), Some(most)) if group.len() > 2 => {
                points.extend(if least[0] <= most[0] { [*least, *most] } else { [*most, *least] });
            }
            _ => points.extend_from_slice(group),
        }
    }
    points
}
