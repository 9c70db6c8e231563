//! The stability chart: for which time steps and stiffnesses methods are stable, both logarithmic.

use super::Limits;
use super::chart::{Axis, Chart, Scale};
use super::item::{Form, Item, Pen};
use super::look::{Colour, WHITE, solver_colour};
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
        let methods: Vec<_> =
            self.regions.iter().map(|shown| (shown.solver, shown.name.as_str(), Some(&shown.region))).collect();
        let mut chart = stability_chart(&self.title, &self.chart, &methods, None);
        for (at, shown) in self.regions.iter().enumerate() {
            let (place, solver) = (shown.present.map(f64::log10), shown.solver);
            let marker =
                |form: Form, size: f64, colour: Colour| Item::Marker { at: place, form, size, colour, share: 1.0 };
            let form = Form::of_solver(solver, variant_of(&methods, at));
            chart.items.extend([marker(Form::Ring, 2.2, WHITE), marker(form, 1.0, solver_colour(solver))]);
        }
        chart.drawing(HEIGHT)
    }
}

/// A method of a chart: its id, its name, and where it is stable, as far as that is known.
pub type Method<'a> = (&'static str, &'a str, Option<&'a Region>);

/// The chart of several methods: the part of the plane where each fails, the points that were tried
/// while not all are known, and the border. That of the solver at work is bolder.
#[must_use]
pub fn stability_chart(title: &str, plane: &Plane, methods: &[Method], at_work: Option<&str>) -> Chart {
    let axis = |[from, to]: [f64; 2], unit: &'static str, name: &str| Axis {
        name: name.to_owned(),
        limits: Limits { low: from.log10(), high: to.log10() },
        scale: Scale::Logarithmic(unit),
    };
    let axes =
        [axis(plane.time_steps, "s", "Time step"), axis(plane.stiffnesses, "N/m", "Stiffness of the stiffest springs")];
    let mut chart = Chart { title: title.to_owned(), axes, items: Vec::new(), legend: Vec::new() };
    for (at, (solver, name, region)) in methods.iter().enumerate() {
        let is_at_work = at_work == Some(*solver);
        let pen = Pen::of_solver(solver, variant_of(methods, at), if is_at_work { 3.0 } else { 1.8 });
        chart.legend.push(Key { name: (*name).to_owned(), sign: Sign::Line(pen) });
        if let Some(region) = region {
            add_region(&mut chart.items, plane, region, pen, is_at_work);
        }
    }
    chart
}

/// How many methods of the same solver come before.
fn variant_of(methods: &[Method], at: usize) -> usize {
    methods[..at].iter().filter(|other| other.0 == methods[at].0).count()
}

fn add_region(items: &mut Vec<Item>, plane: &Plane, region: &Region, pen: Pen, is_at_work: bool) {
    let place = |point: Point| plane.values(point).map(f64::log10);
    let colour = pen.colour;
    let (opacity, size) = if is_at_work { (0.2, 1.0) } else { (0.14, 0.7) };
    items.extend(region.failing().into_iter().map(|polygon| {
        let points = polygon.into_iter().map(place).collect();
        Item::Area { points, colour, opacity }
    }));
    items.extend(region.coarse_nodes().map(|(node, holds)| {
        let form = if holds { Form::Disc } else { Form::Ring };
        Item::Marker { at: place(node), form, size, colour, share: 1.0 }
    }));
    items.extend(region.border().into_iter().map(|ends| {
        let points = ends.map(place).to_vec();
        Item::Line { name: String::new(), points, pen }
    }));
}
