//! The axes of a plot on a page, with its curves.

use super::metrics::width;
use super::page::{Anchor, EDGE, LABEL, Page, QUIET, SMALL, Shape, TEXT, WIDTH, faint, notes, on_white};
use super::{Limits, Plot, PlotStyle, even_steps, tick_label};

/// Columns in which the points of a curve are drawn at most twice.
const COLUMNS: f64 = 900.0;
/// Colours of the drawing, sRGB.
pub(super) const GRID: [u8; 3] = [222, 224, 228];
pub(super) const FRAME: [u8; 3] = [120, 124, 132];
pub(super) const MARK: [u8; 3] = [190, 92, 48];

/// The axes of a plot on the page.
pub(super) struct Axes<'a> {
    pub(super) plot: &'a Plot,
    pub(super) limits: Limits,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) height: f64,
}

impl Axes<'_> {
    pub(super) fn right(&self) -> f64 {
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

    pub(super) fn draw(&self, page: &mut Page) {
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

    /// Changes as dotted lines with their names above the axes, and notes on the curves at the
    /// right.
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
            // far values count as infinite, and can be drawn
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
            let own = on_white(self.plot.curves[curve].colour);
            // an area would hide one of its own colour
            let colour = if self.plot.style == PlotStyle::Stacked { TEXT } else { own };
            page.shapes.push(Shape::Area { points, colour });
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
