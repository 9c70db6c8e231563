//! The stability chart: for which time steps and stiffnesses methods are stable, both logarithmic.

use super::Limits;
use super::chart::{Axis, Chart, Scale};
use super::item::{Form, Item, Pen};
use super::look::{Colour, WHITE, place_of};
use super::page::{Drawing, Key, Sign};
use crate::sim::study::compass::{Chart as Plane, Point, Region};

/// Height of the axes on a page.
const HEIGHT: f64 = 260.0;

/// What is known of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartRegion {
    /// Its id.
    pub solver: &'static str,
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
    pub chart: Plane,
    /// The methods.
    pub regions: Vec<ChartRegion>,
}

impl StabilityChart {
    /// The chart on a page, with the present place of each method in a frame.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let mut chart = stability_axes(&self.title, &self.chart);
        for (at, shown) in self.regions.iter().enumerate() {
            let same = self.regions[..at].iter().filter(|other| other.solver == shown.solver).count();
            let pen = Pen::of_solver(shown.solver, same, 1.8);
            add_region(&mut chart, &self.chart, &shown.region, pen, false);
            let (place, form) = (shown.present.map(f64::log10), Form::by_place(place_of(shown.solver) + same));
            let marker =
                |form: Form, size: f64, colour: Colour| Item::Marker { at: place, form, size, colour, share: 1.0 };
            chart.items.extend([marker(Form::Ring, 2.2, WHITE), marker(form, 1.0, pen.colour)]);
            chart.legend.push(Key { name: shown.name.clone(), sign: Sign::Line(pen) });
        }
        chart.drawing(HEIGHT)
    }
}

/// The axes of a part of the plane, without a region.
#[must_use]
pub fn stability_axes(title: &str, plane: &Plane) -> Chart {
    let axis = |[from, to]: [f64; 2], unit: &'static str, name: &str| Axis {
        name: name.to_owned(),
        limits: Limits { low: from.log10(), high: to.log10() },
        scale: Scale::Logarithmic(unit),
    };
    let axes =
        [axis(plane.time_steps, "s", "Time step"), axis(plane.stiffnesses, "N/m", "Stiffness of the stiffest springs")];
    Chart { title: title.to_owned(), axes, items: Vec::new(), legend: Vec::new() }
}

/// Adds the region of a method to a chart: the part where it fails, the points that were tried
/// while not all are known, and the border. That of the solver at work is bolder.
pub fn add_region(chart: &mut Chart, plane: &Plane, region: &Region, pen: Pen, is_at_work: bool) {
    let place = |point: Point| plane.values(point).map(f64::log10);
    let colour = pen.colour;
    let opacity = if is_at_work { 0.2 } else { 0.14 };
    chart.items.extend(region.failing().into_iter().map(|polygon| {
        let points = polygon.into_iter().map(place).collect();
        Item::Area { points, colour, opacity }
    }));
    let size = if is_at_work { 1.0 } else { 0.7 };
    chart.items.extend(region.coarse_nodes().map(|(node, holds)| {
        let form = if holds { Form::Disc } else { Form::Ring };
        Item::Marker { at: place(node), form, size, colour, share: 1.0 }
    }));
    let pen = Pen { width: if is_at_work { 3.0 } else { pen.width }, ..pen };
    chart.items.extend(region.border().into_iter().map(|ends| {
        let points = ends.map(place).to_vec();
        Item::Line { name: String::new(), points, pen }
    }));
}
