//! Cost against error, both logarithmic: a curve per method over its effort, the front of all of
//! them, and a budget.

use super::drawing::MARK;
use super::log_axes::{LogAxes, colour, legend, marker, whole_decades};
use super::page::{Anchor, EDGE, Page, SMALL, Shape, TEXT, TITLE, WIDTH};
use super::svg;

/// Height of the axes.
const HEIGHT: f64 = 280.0;

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
        legend(&mut page, self.curves.iter().map(|curve| curve.name.as_str()));
        let of_curves = || self.curves.iter().flat_map(|curve| &curve.points);
        let points = || of_curves().chain(&self.front).filter(|point| has_place(point));
        let costs = points().map(|point| point[0]).chain(Some(self.budget.0).filter(|budget| has_place(&[*budget; 2])));
        let limits = [whole_decades(costs), whole_decades(points().map(|point| point[1]))];
        let axes = LogAxes::below(&page, HEIGHT, limits);
        axes.grid(&mut page);
        self.draw(&mut page, &axes);
        let height = axes.finish(&mut page, &self.axes);
        ([WIDTH, height], page.shapes)
    }

    fn draw(&self, page: &mut Page, axes: &LogAxes) {
        let line = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
            points.iter().filter(|point| has_place(point)).map(|point| axes.place(*point)).collect()
        };
        if has_place(&[self.budget.0; 2]) {
            let x = axes.x(self.budget.0.log10());
            page.line(vec![[x, axes.top], [x, axes.bottom()]], MARK, 1.0, Some([4.0, 3.0]));
            page.text([x, axes.top - 4.0], &self.budget.1, (SMALL, false, MARK), Anchor::Middle);
        }
        page.line(line(&self.front), TEXT, 2.6, None);
        for (at, curve) in self.curves.iter().enumerate() {
            let points = line(&curve.points);
            page.line(points.clone(), colour(at), 1.0, None);
            points.into_iter().for_each(|place| marker(page, place, at));
        }
        if let Some((point, name)) = self.chosen.as_ref().filter(|(point, _)| has_place(point)) {
            let [x, y] = axes.place(*point);
            let ring = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
            page.line(ring.map(|[a, b]| [x + 6.0 * a, y + 6.0 * b]).to_vec(), TEXT, 1.4, None);
            let is_right = x > 0.5 * (axes.left + WIDTH);
            let (at, anchor) = if is_right { (x - 10.0, Anchor::End) } else { (x + 10.0, Anchor::Start) };
            page.text([at, y + 14.0], name, (SMALL, true, TEXT), anchor);
        }
    }
}
