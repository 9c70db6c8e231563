//! The chart of stability, and the border near a point of it.

use egui::{Pos2, pos2};

use super::ShownRegion;
use crate::app::widgets::chart;
use crate::documents::{self, stability_chart};
use crate::sim::Real;
use crate::sim::solvers::name_of;
use crate::sim::study::compass::{Chart, Point, Region};

/// How near the pointer has to be to a border to mean it [points].
const NEAR_BORDER: f32 = 9.0;
/// Distance beyond the border at which the cause of instability is tested, as a share of the chart.
const BEYOND: Real = 0.02;

/// The regions of the solvers, that of the one at work boldly.
pub(super) fn chart_of(plane: &Chart, regions: &[ShownRegion], at_work: &str) -> documents::Chart {
    let methods: Vec<_> =
        regions.iter().map(|shown| (shown.solver, name_of(shown.solver), shown.region.as_deref())).collect();
    let mut chart = stability_chart("Stability", plane, &methods, Some(at_work));
    // its name stands above the chart
    chart.axes[1].name.clear();
    chart
}

/// Where points of the chart are on the screen.
pub(super) struct Place {
    pub place: chart::Place,
    pub chart: Chart,
}

impl Place {
    pub fn of(&self, point: Point) -> Pos2 {
        self.place.of(self.chart.values(point).map(Real::log10))
    }

    pub fn point(&self, at: Pos2) -> Point {
        let values = self.place.point(at).map(|log| Real::powf(10.0, log));
        self.chart.point(values).map(|x| x.clamp(0.0, 1.0))
    }
}

/// The border that is nearest to the pointer, if one is near, with a point just beyond it.
pub(super) fn nearest_border(place: &Place, regions: &[ShownRegion], at: Pos2) -> Option<(&'static str, Point)> {
    let mut nearest: Option<(f32, &'static str, &Region, [Point; 2])> = None;
    for shown in regions {
        let Some(region) = &shown.region else { continue };
        for piece in region.border() {
            let distance = distance(at, piece.map(|end| place.of(end)));
            if distance < NEAR_BORDER && nearest.is_none_or(|(least, ..)| distance < least) {
                nearest = Some((distance, shown.solver, region, piece));
            }
        }
    }
    let (_, solver, region, [a, b]) = nearest?;
    let middle = [0, 1].map(|axis| 0.5 * (a[axis] + b[axis]));
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0].hypot(along[1]).max(1e-9);
    let off = |side: Real| {
        [middle[0] - side * BEYOND * along[1] / length, middle[1] + side * BEYOND * along[0] / length]
            .map(|x| x.clamp(0.0, 1.0))
    };
    let beyond = [off(1.0), off(-1.0)].into_iter().find(|point| region.holds_at(*point) == Some(false));
    Some((solver, beyond.unwrap_or(middle)))
}

/// Distance of a point from a piece of a line.
fn distance(at: Pos2, [a, b]: [Pos2; 2]) -> f32 {
    let along = b - a;
    let share = ((at - a).dot(along) / along.length_sq().max(1e-9)).clamp(0.0, 1.0);
    at.distance(pos2(a.x + share * along.x, a.y + share * along.y))
}
