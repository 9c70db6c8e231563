//! The chart of the stability compass: axes, regions of the solvers, and the border near a point.

use std::sync::Arc;

use egui::epaint::{Mesh, Shape};
use egui::{Color32, Painter, Pos2, Stroke, Ui, pos2};
use egui_plot::{AxisHints, GridInput, GridMark, PlotBounds, PlotPoint, PlotResponse, PlotTransform};

use super::ShownRegion;
use crate::app::widgets::chart::fixed_chart;
use crate::app::widgets::style::solver_colour;
use crate::sim::Real;
use crate::sim::params::units::quantity;
use crate::sim::study::compass::{Chart, Point, Region};

/// Room beside the chart, as a share of it.
const MARGIN: f64 = 0.05;
/// How near the pointer has to be to a border to mean it [points].
const NEAR_BORDER: f32 = 9.0;
/// Distance beyond the border at which the cause of instability is tested, as a share of the chart.
const BEYOND: Real = 0.02;

/// The axes of the chart, both logarithmic, without a curve.
pub(super) fn axes(ui: &mut Ui, chart: &Chart, height: f32) -> PlotResponse<()> {
    let [[left, right], [low, high]] = [chart.time_steps, chart.stiffnesses].map(|range| range.map(Real::log10));
    let time = |mark: GridMark, _: &std::ops::RangeInclusive<f64>| match mark.value.round() as i32 {
        -4 => "0.1 ms".to_owned(),
        -3 => "1 ms".to_owned(),
        -2 => "10 ms".to_owned(),
        _ => "0.1 s".to_owned(),
    };
    let stiffness = |mark: GridMark, _: &std::ops::RangeInclusive<f64>| {
        quantity(Real::powi(10.0, mark.value.round() as i32), "N/m")
    };
    let plot = fixed_chart("stability compass", height)
        .custom_x_axes(vec![AxisHints::new_x().formatter(time)])
        .custom_y_axes(vec![AxisHints::new_y().formatter(stiffness)])
        .x_grid_spacer(decades)
        .y_grid_spacer(decades);
    plot.show(ui, move |plot| {
        // room for half a label at every end
        let [x, y] = [right - left, high - low].map(|range| MARGIN * range);
        plot.set_plot_bounds(PlotBounds::from_min_max([left - x, low - y], [right + x, high + y]));
    })
}

/// The region of a solver: its area, the points that were tried, its border.
pub(super) fn draw_region(painter: &Painter, place: &Place, shown: &ShownRegion, is_at_work: bool) {
    let Some(region) = &shown.region else { return };
    let colour = solver_colour(shown.solver);
    painter.add(shade(place, region, colour.gamma_multiply(if is_at_work { 0.2 } else { 0.1 })));
    for (node, holds) in region.coarse_nodes() {
        let (at, stroke) = (place.of(node), Stroke::new(1.5, colour));
        let offset = if is_at_work { 3.0 } else { 2.0 };
        match holds {
            true => painter.circle_filled(at, offset, colour),
            false => painter.circle_stroke(at, offset, stroke),
        };
    }
    let width = if is_at_work { 3.0 } else { 1.8 };
    for [a, b] in region.border() {
        painter.line_segment([place.of(a), place.of(b)], Stroke::new(width, colour));
    }
}

/// Where points of the chart are on the screen.
pub(super) struct Place {
    pub transform: PlotTransform,
    pub chart: Chart,
}

impl Place {
    pub fn of(&self, point: Point) -> Pos2 {
        let [step, stiffness] = self.chart.values(point);
        self.transform.position_from_point(&PlotPoint::new(step.log10(), stiffness.log10()))
    }

    pub fn point(&self, at: Pos2) -> Point {
        let value = self.transform.value_from_position(at);
        self.chart.point([value.x, value.y].map(|log| Real::powf(10.0, log))).map(|x| x.clamp(0.0, 1.0))
    }
}

/// The part in which a method fails. A mesh has no soft edges, which would show between the parts.
fn shade(place: &Place, region: &Region, colour: Color32) -> Shape {
    let mut mesh = Mesh::default();
    for polygon in region.failing() {
        let first = mesh.vertices.len() as u32;
        polygon.iter().for_each(|corner| mesh.colored_vertex(place.of(*corner), colour));
        for at in 2..polygon.len() as u32 {
            mesh.add_triangle(first, first + at - 1, first + at);
        }
    }
    Shape::Mesh(Arc::new(mesh))
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

/// Lines at every decade.
fn decades(input: GridInput) -> Vec<GridMark> {
    let (from, to) = input.bounds;
    (from.round() as i64..=to.round() as i64).map(|at| GridMark { value: at as f64, step_size: 1.0 }).collect()
}
