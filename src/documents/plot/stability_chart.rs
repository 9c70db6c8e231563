//! The stability chart: for which time steps and stiffnesses methods are stable, both logarithmic.

use super::log_axes::{LogAxes, colour, legend, marker};
use super::page::{Anchor, EDGE, Page, Shape, TEXT, TITLE, WIDTH, faint};
use super::{Limits, svg};
use crate::sim::study::compass::{Chart, Point, Region};

/// Height of the axes.
const HEIGHT: f64 = 260.0;

/// What is known of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartRegion {
    /// Its name.
    pub name: String,
    /// Where it is stable.
    pub region: Region,
    /// Time step [s] and stiffness [N/m] that it has now.
    pub present: [f64; 2],
}

/// The regions of several methods in one chart.
#[derive(Debug, Clone, PartialEq)]
pub struct StabilityChart {
    /// The title.
    pub title: String,
    /// The part of the plane.
    pub chart: Chart,
    /// The methods.
    pub regions: Vec<ChartRegion>,
}

impl StabilityChart {
    /// The chart as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let (size, shapes) = self.shapes();
        svg::write(&self.title, size, &shapes)
    }

    /// The chart as an element of an HTML page.
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
        legend(&mut page, self.regions.iter().map(|region| region.name.as_str()));
        let limits = |[from, to]: [f64; 2]| Limits { low: from.log10(), high: to.log10() };
        let axes = LogAxes::below(&page, HEIGHT, [limits(self.chart.time_steps), limits(self.chart.stiffnesses)]);
        let place = |point: Point| axes.place(self.chart.values(point));
        // the larger areas first, so that each is seen
        let mut order: Vec<usize> = (0..self.regions.len()).collect();
        order.sort_by(|a, b| failing_share(&self.regions[*b]).total_cmp(&failing_share(&self.regions[*a])));
        for at in order {
            for polygon in self.regions[at].region.failing() {
                let points = polygon.into_iter().map(place).collect();
                page.shapes.push(Shape::Area { points, colour: faint(colour(at), 0.22) });
            }
        }
        axes.grid(&mut page);
        for (at, shown) in self.regions.iter().enumerate() {
            for [a, b] in shown.region.border() {
                page.line(vec![place(a), place(b)], colour(at), 2.0, None);
            }
            let [step, stiffness] = shown.present;
            if self.chart.point(shown.present).iter().all(|x| (0.0..=1.0).contains(x)) {
                let at_place = axes.place([step, stiffness]);
                let [x, y] = at_place;
                let ring = [[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0], [-5.0, -5.0]];
                page.line(ring.map(|[a, b]| [x + a, y + b]).to_vec(), TEXT, 1.2, None);
                marker(&mut page, at_place, at);
            }
        }
        let names = ["Time step [s]", "Stiffness of the stiffest springs [N/m]"].map(str::to_owned);
        let height = axes.finish(&mut page, &names);
        ([WIDTH, height], page.shapes)
    }
}

/// The share of the chart in which a method fails.
fn failing_share(shown: &ChartRegion) -> f64 {
    let area = |polygon: &Vec<Point>| -> f64 {
        let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
        0.5 * ends.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>().abs()
    };
    shown.region.failing().iter().map(area).sum()
}
