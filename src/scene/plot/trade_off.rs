//! Cost against error, both logarithmic: a curve per method over its effort, the front of all of
//! them, and a budget.

use super::drawing::{FRAME, GRID, MARK};
use super::metrics::width;
use super::page::{Anchor, EDGE, LABEL, Page, SMALL, Shape, TEXT, TITLE, WIDTH, on_white};
use super::{Limits, decades, svg};

/// Height of the axes, and of a row of the legend.
const HEIGHT: f64 = 280.0;
const ROW: f64 = 13.0;
/// Half the size of a marker.
const MARKER: f64 = 3.2;
/// Colours told apart by all eyes (Okabe and Ito 2008).
const COLOURS: [[u8; 3]; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0], [120, 94, 60]];

/// A method at several efforts.
#[derive(Debug, Clone, PartialEq)]
pub struct EffortCurve {
    /// Its name.
    pub name: String,
    /// Cost and error of each effort, the cheapest first. Both are above zero; others are left out.
    pub points: Vec<[f64; 2]>,
}

/// Curves of cost and error.
#[derive(Debug, Clone, PartialEq)]
pub struct TradeOff {
    /// The title.
    pub title: String,
    /// What is along the axes, cost and error, with units.
    pub axes: [String; 2],
    /// The methods.
    pub curves: Vec<EffortCurve>,
    /// Cost and error of the points that no other one is better than, by rising cost.
    pub front: Vec<[f64; 2]>,
    /// The cost that is wanted at most, and its name.
    pub budget: (f64, String),
    /// The point that is recommended, with its name.
    pub chosen: Option<([f64; 2], String)>,
}

/// Where the axes are on the page, and what they reach over, as logarithms.
struct Frame {
    left: f64,
    top: f64,
    cost: Limits,
    error: Limits,
}

impl Frame {
    fn place(&self, point: [f64; 2]) -> [f64; 2] {
        let [cost, error] = point.map(f64::log10);
        [self.x(cost), self.y(error)]
    }

    /// Where the logarithm of a cost is.
    fn x(&self, cost: f64) -> f64 {
        self.left + (WIDTH - EDGE - self.left) * self.cost.share(cost)
    }

    /// Where the logarithm of an error is.
    fn y(&self, error: f64) -> f64 {
        self.top + HEIGHT * (1.0 - self.error.share(error))
    }

    fn bottom(&self) -> f64 {
        self.top + HEIGHT
    }
}

/// Whether a point has a place in a logarithmic picture.
fn has_place(point: &[f64; 2]) -> bool {
    point.iter().all(|number| number.is_finite() && *number > 0.0)
}

impl TradeOff {
    /// The picture as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let (size, shapes) = self.shapes();
        svg::write(&self.title, size, &shapes)
    }

    /// The picture as an element of an HTML page.
    #[must_use]
    pub fn svg_element(&self) -> String {
        let (size, shapes) = self.shapes();
        svg::element(&self.title, size, &shapes)
    }

    /// Width and height of the page, and its shapes.
    fn shapes(&self) -> ([f64; 2], Vec<Shape>) {
        let mut page = Page { shapes: Vec::new(), y: EDGE + TITLE };
        page.text([EDGE, page.y], &self.title, (TITLE, true, TEXT), Anchor::Start);
        page.y += 4.0;
        self.legend(&mut page);
        let of_curves = || self.curves.iter().flat_map(|curve| &curve.points);
        let points = || of_curves().chain(&self.front).filter(|point| has_place(point));
        let costs = points().map(|point| point[0]).chain(Some(self.budget.0).filter(|budget| has_place(&[*budget; 2])));
        let frame = Frame {
            left: EDGE + 2.0 * LABEL + 26.0,
            top: page.y + 16.0,
            cost: whole_decades(costs),
            error: whole_decades(points().map(|point| point[1])),
        };
        self.grid(&mut page, &frame);
        self.draw(&mut page, &frame);
        page.y = frame.bottom() + 16.0;
        page.text(
            [0.5 * (frame.left + WIDTH - EDGE), page.y + LABEL + 2.0],
            &self.axes[0],
            (LABEL, false, TEXT),
            Anchor::Middle,
        );
        ([WIDTH, (page.y + LABEL + 6.0 + EDGE).ceil()], page.shapes)
    }

    /// Markers and names of the methods, in as many rows as they need.
    fn legend(&self, page: &mut Page) {
        let mut x = WIDTH;
        for (at, curve) in self.curves.iter().enumerate() {
            let own = 12.0 + width(&curve.name, LABEL, false);
            if x + own > WIDTH - EDGE {
                x = EDGE;
                page.y += ROW;
            }
            marker(page, [x + MARKER, page.y - 3.5], at);
            page.text([x + 10.0, page.y], &curve.name, (LABEL, false, TEXT), Anchor::Start);
            x += own + 12.0;
        }
    }

    fn grid(&self, page: &mut Page, frame: &Frame) {
        let label = |power: f64| match power {
            -4.0..=5.0 => format!("{}", 10_f64.powf(power)),
            _ => format!("1e{power}"),
        };
        for power in decades(frame.error.low, frame.error.high, 12.0) {
            let y = frame.y(power);
            page.line(vec![[frame.left, y], [WIDTH - EDGE, y]], GRID, 0.6, None);
            page.text([frame.left - 5.0, y + 3.0], &label(power), (SMALL, false, TEXT), Anchor::End);
        }
        for power in decades(frame.cost.low, frame.cost.high, 12.0) {
            let x = frame.x(power);
            page.line(vec![[x, frame.top], [x, frame.bottom()]], GRID, 0.6, None);
            page.text([x, frame.bottom() + 12.0], &label(power), (SMALL, false, TEXT), Anchor::Middle);
        }
        page.shapes.push(Shape::Text {
            at: [EDGE + LABEL - 2.0, frame.top + 0.5 * HEIGHT],
            text: self.axes[1].clone(),
            size: LABEL,
            bold: false,
            colour: TEXT,
            anchor: Anchor::Middle,
            upwards: true,
        });
        let corner = vec![[frame.left, frame.top], [frame.left, frame.bottom()], [WIDTH - EDGE, frame.bottom()]];
        page.line(corner, FRAME, 0.8, None);
    }

    fn draw(&self, page: &mut Page, frame: &Frame) {
        let line = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
            points.iter().filter(|point| has_place(point)).map(|point| frame.place(*point)).collect()
        };
        if has_place(&[self.budget.0; 2]) {
            let x = frame.x(self.budget.0.log10());
            page.line(vec![[x, frame.top], [x, frame.bottom()]], MARK, 1.0, Some([4.0, 3.0]));
            page.text([x, frame.top - 4.0], &self.budget.1, (SMALL, false, MARK), Anchor::Middle);
        }
        page.line(line(&self.front), TEXT, 2.6, None);
        for (at, curve) in self.curves.iter().enumerate() {
            let points = line(&curve.points);
            page.line(points.clone(), colour(at), 1.0, None);
            points.into_iter().for_each(|place| marker(page, place, at));
        }
        if let Some((point, name)) = self.chosen.as_ref().filter(|(point, _)| has_place(point)) {
            let [x, y] = frame.place(*point);
            let ring = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
            page.line(ring.map(|[a, b]| [x + 6.0 * a, y + 6.0 * b]).to_vec(), TEXT, 1.4, None);
            let is_right = x > 0.5 * (frame.left + WIDTH);
            let (at, anchor) = if is_right { (x - 10.0, Anchor::End) } else { (x + 10.0, Anchor::Start) };
            page.text([at, y + 14.0], name, (SMALL, true, TEXT), anchor);
        }
    }
}

/// Limits of logarithms that hold all numbers, in whole decades.
fn whole_decades(numbers: impl Iterator<Item = f64>) -> Limits {
    let (low, high) = numbers
        .map(f64::log10)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
    if low > high {
        return Limits { low: 0.0, high: 1.0 };
    }
    Limits { low: low.floor(), high: high.ceil().max(low.floor() + 1.0) }
}

fn colour(at: usize) -> [u8; 3] {
    on_white(COLOURS[at % COLOURS.len()])
}

/// A square, a diamond or a triangle, in turn for every round of the colours.
fn marker(page: &mut Page, [x, y]: [f64; 2], at: usize) {
    let corners: &[[f64; 2]] = match at / COLOURS.len() % 3 {
        0 => &[[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
        1 => &[[0.0, -1.1], [1.1, 0.0], [0.0, 1.1], [-1.1, 0.0]],
        _ => &[[0.0, -1.1], [1.0, 0.8], [-1.0, 0.8]],
    };
    let points = corners.iter().map(|[a, b]| [x + MARKER * a, y + MARKER * b]).collect();
    page.shapes.push(Shape::Area { points, colour: colour(at) });
}
