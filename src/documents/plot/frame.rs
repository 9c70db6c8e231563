//! Where the axes of a chart are, and curves within them: thinned, and cut off at the edges.

use super::axis::Limits;

/// Columns in which the points of a curve are drawn at most twice.
const COLUMNS: f64 = 900.0;

/// Where the axes of a chart are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Left and top, right and bottom [points].
    pub corners: [[f64; 2]; 2],
    pub(super) limits: [Limits; 2],
}

impl Frame {
    /// The place of a point.
    #[must_use]
    pub fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [[left, top], [right, bottom]] = self.corners;
        [left + (right - left) * self.limits[0].share(x), bottom - (bottom - top) * self.limits[1].share(y)]
    }

    /// The point at a place.
    #[must_use]
    pub fn point(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [[left, top], [right, bottom]] = self.corners;
        let shares = [(x - left) / (right - left), (bottom - y) / (bottom - top)];
        [0, 1].map(|at| self.limits[at].low + shares[at] * (self.limits[at].high - self.limits[at].low))
    }
}

/// The parts of a line that lie within the axes, placed.
pub(super) fn pieces(line: &[[f64; 2]], frame: &Frame) -> Vec<Vec<[f64; 2]>> {
    let mut pieces: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut last: Option<[f64; 2]> = None;
    for point in thinned(line, frame) {
        if point.iter().any(|x| x.is_nan()) {
            last = None;
            continue;
        }
        let place = placed(point, frame);
        if let Some([a, b]) = last.and_then(|last| within([last, place], frame)) {
            match pieces.last_mut().filter(|piece| piece.last() == Some(&a)) {
                Some(piece) => piece.push(b),
                None => pieces.push(vec![a, b]),
            }
        }
        last = Some(place);
    }
    pieces
}

/// The area under a line within the axes, placed: its upper edge between two corners at zero, or at
/// the lower end; none of a line without points there.
pub(super) fn under(line: &[[f64; 2]], frame: &Frame) -> Option<Vec<[f64; 2]>> {
    let [across, up] = frame.limits;
    let inside = line.iter().copied().filter(|point| (across.low..=across.high).contains(&point[0]));
    let edge = thinned(&inside.collect::<Vec<_>>(), frame);
    let (first, last) = (edge.first()?, edge.last()?);
    let base = up.low.max(0.0);
    let ends = [[first[0], base], [last[0], base]];
    let points = ends[..1].iter().chain(&edge).chain(&ends[1..]);
    let [[_, top], [_, bottom]] = frame.corners;
    let clamped = |[x, y]: [f64; 2]| [x, y.clamp(top, bottom)];
    Some(points.map(|point| clamped(placed(*point, frame))).collect())
}

/// The place of a point; far values count as infinite, and can be drawn.
fn placed([x, y]: [f64; 2], frame: &Frame) -> [f64; 2] {
    let [across, up] = frame.limits;
    let near = |value: f64, low: f64, span: f64| low + span * ((value - low) / span).clamp(-1e6, 1e6);
    frame.place([near(x, across.low, across.high - across.low), near(y, up.low, up.high - up.low)])
}

/// The part of a straight line that lies within the axes (Liang and Barsky 1984).
fn within([a, b]: [[f64; 2]; 2], frame: &Frame) -> Option<[[f64; 2]; 2]> {
    let (mut start, mut end) = (0.0_f64, 1.0_f64);
    let [low, high] = frame.corners;
    for axis in 0..2 {
        let way = b[axis] - a[axis];
        for (room, way) in [(a[axis] - low[axis], -way), (high[axis] - a[axis], way)] {
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

/// The points of a line, of many in a column only the lowest and the highest; gaps stay.
fn thinned(line: &[[f64; 2]], frame: &Frame) -> Vec<[f64; 2]> {
    let column = |point: &[f64; 2]| (frame.limits[0].share(point[0]) * COLUMNS).floor();
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
