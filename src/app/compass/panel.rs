//! The stability compass: where methods hold in the plane of time step and stiffness, and a dot at
//! the present place, which can be dragged.

use std::sync::Arc;

use egui::epaint::{Mesh, Shape};
use egui::{Color32, Painter, Pos2, ProgressBar, Rect, RichText, Sense, Stroke, Ui, pos2, vec2};
use egui_plot::{AxisHints, GridInput, GridMark, Plot, PlotBounds, PlotPoint, PlotResponse, PlotTransform};

use super::{Compass, ShownRegion};
use crate::app::compass;
use crate::app::desk::Shown;
use crate::app::session::SessionHandle;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::sim::Real;
use crate::sim::params::units::{quantity, significant};
use crate::sim::pattern::Family;
use crate::sim::solvers::{REGISTRY, name_of};
use crate::sim::study::compass::{Break, Chart, Point, Region};
use crate::sim::study::stability::{largest_stiffness, with_stiffness};

/// Title of the window.
pub const TITLE: &str = "Compass";
/// Colour of the lines behind.
const GRID: Color32 = Color32::from_rgb(60, 64, 72);
/// Room beside the chart, as a share of it.
const MARGIN: f64 = 0.05;
/// How near the pointer has to be to the dot, or to a border, to mean it [points].
const NEAR: f32 = 14.0;
const NEAR_BORDER: f32 = 9.0;
/// How far beyond the border one asks what breaks, as a share of the chart.
const BEYOND: Real = 0.02;

/// The window.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let (compass, session, view) = (&mut shown.desk.compass, &mut *shown.session, shown.view);
    let height = (0.5 * view.height()).clamp(150.0, 320.0);
    let chart = compass::chart_of(session.frame());
    let regions = compass.tend(session);
    ui.label(
        RichText::new(
            "Stability of each method by time step and stiffness: 300 steps of the scene from its start, on copies. The shaded side of a border is unstable. Drag the dot to set both values; click a border for the spring that fails there.",
        )
        .small()
        .color(QUIET),
    );
    draw(ui, compass, session, &chart, &regions, height);
    legend(ui, compass, session, &regions);
    say(ui, compass);
}

/// A colour for each solver, whatever else is shown.
fn colour_of(solver: &str) -> Color32 {
    let at = REGISTRY.iter().position(|entry| entry.info.id == solver).unwrap_or(0);
    // neighbours in the list are far from each other on the circle of hues, and neighbours there
    // differ in strength
    let place = (5 * at) % REGISTRY.len();
    let hue = (0.58 + place as f32 / REGISTRY.len() as f32).fract();
    let [saturation, value] = if place.is_multiple_of(2) { [0.5, 1.0] } else { [0.75, 0.85] };
    egui::ecolor::Hsva::new(hue, saturation, value, 1.0).into()
}

/// The chart: the regions of the solvers, and the dot of the cloth as it is.
fn draw(
    ui: &mut Ui,
    compass: &mut Compass,
    session: &mut SessionHandle,
    chart: &Chart,
    regions: &[ShownRegion],
    height: f32,
) {
    let response = axes(ui, chart, height);
    let place = Place { transform: response.transform, chart: *chart };
    let frame = *place.transform.frame();
    let painter = ui.painter_at(frame.expand(6.0));
    for shown in regions {
        draw_region(&painter, &place, shown, shown.solver == session.frame().solver.id);
    }
    let present = [session.parameters().timing.time_step, largest_stiffness(&session.parameters().material)];
    let has_stiffness = present[1] > 0.0;
    let dot = place.of(chart.point(present).map(|x| if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 }));
    if has_stiffness {
        let is_held = compass.dragged.is_some();
        painter.circle(dot, if is_held { 8.0 } else { 6.0 }, ACCENT, Stroke::new(2.0, Color32::WHITE));
        note_place(ui, "compass dot", Rect::from_center_size(dot, vec2(12.0, 12.0)));
    }
    note_place(ui, "compass chart", frame);
    let response = response.response;
    let pointer = response.interact_pointer_pos();
    let pressed = ui.input(|input| input.pointer.press_origin());
    if response.drag_started() && has_stiffness && pressed.is_some_and(|at| at.distance(dot) <= NEAR) {
        compass.dragged = Some(session.parameters().material);
    }
    if let (Some(material), Some(at)) = (compass.dragged, pointer.filter(|_| response.dragged())) {
        let [step, stiffness] = chart.values(place.point(at)).map(three_digits);
        let mut parameters = *session.parameters();
        parameters.timing.time_step = step.clamp(chart.time_steps[0], chart.time_steps[1]);
        parameters.material = with_stiffness(&material, stiffness);
        session.set_parameters(parameters);
    }
    if response.drag_stopped() && compass.dragged.take().is_some() {
        session.finish_gesture();
    }
    if response.clicked()
        && let Some((solver, point)) = pointer.and_then(|at| nearest_border(&place, regions, at))
    {
        compass.ask(solver, point, session);
    }
    if let Some(at) = response.hover_pos().filter(|at| frame.contains(*at))
        && compass.dragged.is_none()
    {
        let point = place.point(at);
        response.on_hover_ui_at_pointer(|ui| hovered(ui, chart, regions, point));
    }
}

/// The axes of the chart, both logarithmic, without a curve.
fn axes(ui: &mut Ui, chart: &Chart, height: f32) -> PlotResponse<()> {
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
    let plot = Plot::new("stability compass")
        .custom_x_axes(vec![AxisHints::new_x().formatter(time)])
        .custom_y_axes(vec![AxisHints::new_y().formatter(stiffness)])
        .x_grid_spacer(decades)
        .y_grid_spacer(decades)
        .grid_color(GRID)
        .grid_fade(0.0)
        .show_x(false)
        .show_y(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .sense(Sense::click_and_drag())
        .height(height);
    plot.show(ui, move |plot| {
        // room for half a label at every end
        let [x, y] = [right - left, high - low].map(|range| MARGIN * range);
        plot.set_plot_bounds(PlotBounds::from_min_max([left - x, low - y], [right + x, high + y]));
    })
}

/// The region of a solver: its area, the points that were tried, its border.
fn draw_region(painter: &Painter, place: &Place, shown: &ShownRegion, is_at_work: bool) {
    let Some(region) = &shown.region else { return };
    let colour = colour_of(shown.solver);
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

/// The methods that are stable at a point.
fn hovered(ui: &mut Ui, chart: &Chart, regions: &[ShownRegion], point: Point) {
    let [step, stiffness] = chart.values(point);
    ui.label(format!("{} ms, {}", significant(1e3 * step), quantity(stiffness, "N/m")));
    for shown in regions {
        let holds = shown.region.as_ref().and_then(|region| region.holds_at(point));
        let Some(holds) = holds else { continue };
        let what = if holds { "stable" } else { "unstable" };
        ui.label(RichText::new(format!("{}: {what}", name_of(shown.solver))).color(colour_of(shown.solver)).small());
    }
}

/// Where points of the chart are on the screen.
struct Place {
    transform: PlotTransform,
    chart: Chart,
}

impl Place {
    fn of(&self, point: Point) -> Pos2 {
        let [step, stiffness] = self.chart.values(point);
        self.transform.position_from_point(&PlotPoint::new(step.log10(), stiffness.log10()))
    }

    fn point(&self, at: Pos2) -> Point {
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
fn nearest_border(place: &Place, regions: &[ShownRegion], at: Pos2) -> Option<(&'static str, Point)> {
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

/// The methods that are shown, and how far the search is.
fn legend(ui: &mut Ui, compass: &mut Compass, session: &SessionHandle, regions: &[ShownRegion]) {
    ui.horizontal_wrapped(|ui| {
        let menu = ui.menu_button("Methods", |ui| {
            for entry in REGISTRY {
                let id = entry.info.id;
                let is_at_work = id == session.frame().solver.id;
                let mut on = is_at_work || compass.chosen.contains(id);
                let toggle = ui.add_enabled(!is_at_work, egui::Checkbox::new(&mut on, entry.info.name));
                note_place(ui, &format!("compass {id}"), toggle.rect);
                if toggle.on_disabled_hover_text("The chosen solver is always shown").changed() {
                    if on {
                        compass.chosen.insert(id)
                    } else {
                        compass.chosen.remove(id)
                    };
                }
            }
        });
        note_place(ui, "compass methods", menu.response.rect);
        for shown in regions {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 12.0), Sense::hover());
            let width = if shown.solver == session.frame().solver.id { 3.0 } else { 1.8 };
            let stroke = Stroke::new(width, colour_of(shown.solver));
            ui.painter().line_segment([rect.left_center(), rect.right_center()], stroke);
            let is_whole = shown.region.is_some() && shown.progress.is_none();
            let has_border = shown.region.as_ref().is_some_and(|region| !region.border().is_empty());
            let name = name_of(shown.solver);
            let text = if is_whole && !has_border {
                let holds = shown.region.as_ref().and_then(|region| region.holds_at([0.0, 0.0])) == Some(true);
                format!("{name}: {}", if holds { "stable everywhere" } else { "unstable everywhere" })
            } else {
                name.to_owned()
            };
            ui.label(RichText::new(text).small());
        }
    });
    let progress = regions.iter().find_map(|shown| Some((shown.solver, shown.progress?)));
    let missing = regions.iter().any(|shown| shown.region.is_none());
    ui.horizontal(|ui| {
        ui.set_min_height(18.0);
        if let Some((solver, share)) = progress {
            ui.label(RichText::new(format!("Trying {}", name_of(solver))).small().color(QUIET));
            ui.add(ProgressBar::new(share).desired_height(10.0).desired_width(ui.available_width().min(240.0)));
        } else if missing && compass.fault().is_none() {
            ui.label(RichText::new("Waiting …").small().color(QUIET));
        }
    });
}

/// The answer to the last question, or a fault.
fn say(ui: &mut Ui, compass: &Compass) {
    if let Some(fault) = compass.fault() {
        ui.colored_label(ALARM, fault);
    } else if let Some((solver, answer)) = &compass.asked {
        let text = match answer {
            Some(answer) => explain(solver, answer),
            None => "trying …".to_owned(),
        };
        ui.label(text);
    }
}

/// The instability beyond a border, in a sentence or two.
fn explain(solver: &str, found: &Break) -> String {
    let at =
        format!("{} at {} ms and {}", name_of(solver), significant(1e3 * found.step), quantity(found.stiffness, "N/m"));
    let of_net = format!("h·ω of the cloth is {}", significant(found.substep * found.frequency));
    match &found.spring {
        Some(spring) => {
            let family = match spring.family {
                Family::Structural => "spring",
                Family::Shear => "shear spring",
                Family::Bend => "bend spring",
            };
            let [a, b] = spring.vertices;
            let alone = significant(found.substep * spring.frequency);
            format!("{at}: the {family} {a}–{b} fails first, h·ω = {alone}; {of_net}.")
        }
        None if found.fails => {
            format!("{at}: a step fails before any spring is stretched to twice its rest length; {of_net}.")
        }
        None => format!("{at}: stable; {of_net}."),
    }
}

/// Lines at every decade.
fn decades(input: GridInput) -> Vec<GridMark> {
    let (from, to) = input.bounds;
    (from.round() as i64..=to.round() as i64).map(|at| GridMark { value: at as f64, step_size: 1.0 }).collect()
}

/// `x` to three digits.
fn three_digits(x: Real) -> Real {
    let unit = Real::powi(10.0, x.log10().floor() as i32 - 2);
    (x / unit).round() * unit
}
