//! How fast does a step converge? Error over iterations and over time, for the methods that
//! minimise.

use egui::{Align, Button, Color32, DragValue, Label, Layout, ProgressBar, Rangef, RichText, Stroke, Ui};
use egui_plot::{AxisHints, GridInput, GridMark, HoverPosition, Line, LineStyle, Plot, PlotBounds};

use super::{Convergence, ErrorKind, Findings};
use crate::app::desk::Shown;
use crate::app::session::SessionHandle;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ALARM, QUIET};
use crate::sim::params::units::{self, significant};
use crate::sim::study::convergence::{Curve, Point, Reference};

/// Colour of each curve, in menu order; distinguishable without red or green vision.
const COLORS: [Color32; 16] = [
    Color32::from_rgb(92, 184, 240),
    Color32::from_rgb(240, 140, 72),
    Color32::from_rgb(205, 225, 120),
    Color32::from_rgb(222, 130, 190),
    Color32::from_rgb(90, 205, 165),
    Color32::from_rgb(245, 215, 80),
    Color32::from_rgb(200, 200, 210),
    Color32::from_rgb(150, 140, 250),
    Color32::from_rgb(30, 110, 205),
    Color32::from_rgb(200, 70, 50),
    Color32::from_rgb(120, 150, 45),
    Color32::from_rgb(165, 60, 140),
    Color32::from_rgb(0, 135, 120),
    Color32::from_rgb(175, 125, 30),
    Color32::from_rgb(130, 130, 140),
    Color32::from_rgb(95, 75, 200),
];
/// Smallest drawn error, as a power of ten: invisible, but above rounding.
const LOWEST: f64 = -10.0;
/// Colour of the lines behind.
const GRID: Color32 = Color32::from_rgb(72, 76, 84);
/// Distance [points] at which labels of the horizontal axis begin to show, and from which they show
/// fully.
const LABELS: Rangef = Rangef { min: 22.0, max: 30.0 };
/// Least and greatest height of a plot [points].
const HEIGHTS: std::ops::RangeInclusive<f32> = 140.0..=250.0;

/// The window.
pub fn show(convergence: &mut Convergence, ui: &mut Ui, shown: &mut Shown) {
    let view = shown.view;
    // all but the two plots takes so much
    let height = (0.5 * (view.height() - 240.0)).clamp(*HEIGHTS.start(), *HEIGHTS.end());
    ui.label(
        RichText::new(
            "The next step of the cloth by each optimisation-based method, with the distance from the converged \
             solution after every iteration. 1 is the common start. After figure 12 of Projective Dynamics. It runs on a copy; the cloth in the window continues.",
        )
        .small()
        .color(QUIET),
    );
    ui.add_space(4.0);
    controls(ui, convergence, shown.session);
    match &convergence.message {
        Some(Ok(message)) => {
            ui.label(RichText::new(message).small().color(QUIET));
        }
        Some(Err(fault)) => {
            ui.colored_label(ALARM, fault);
        }
        None => {}
    }
    if let Some(findings) = &convergence.findings {
        ui.separator();
        results(ui, findings, &mut convergence.shown, height);
    }
}

fn controls(ui: &mut Ui, convergence: &mut Convergence, session: &mut SessionHandle) {
    ui.horizontal(|ui| {
        if let Some(share) = convergence.progress() {
            let cancel = ui.add(Button::new("Cancel").min_size([84.0, 24.0].into()));
            note_place(ui, "cancel convergence", cancel.rect);
            if cancel.clicked() {
                convergence.cancel();
            }
            ui.add(ProgressBar::new(share).show_percentage().desired_width(ui.available_width()));
            return;
        }
        let measure = ui.add(Button::new("Measure").min_size([84.0, 24.0].into()));
        note_place(ui, "measure", measure.rect);
        if measure.on_hover_text("Pausing the cloth makes the timing more accurate").clicked() {
            convergence.start(session);
        }
        ui.label("up to");
        let number = ui.add(DragValue::new(&mut convergence.iterations).range(1..=1000));
        crate::app::widgets::name(ui, &number, "Iterations");
        ui.label("iterations");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let export = ui.add_enabled(convergence.findings.is_some(), Button::new("Save CSV"));
            note_place(ui, "save convergence", export.rect);
            if export.on_hover_text("convergence.csv, in the folder that Weft was started in").clicked() {
                convergence.export();
            }
        });
    });
}

fn results(ui: &mut Ui, findings: &Findings, shown: &mut ErrorKind, height: f32) {
    let energies = findings.have_energies();
    let effective = if energies { *shown } else { ErrorKind::Positions };
    ui.horizontal(|ui| {
        ui.label("Error of the");
        let energy = ui.add_enabled(energies, egui::RadioButton::new(effective == ErrorKind::Energy, "energy"));
        if energy.on_disabled_hover_text("In contact, the energy does not include friction.").clicked() {
            *shown = ErrorKind::Energy;
        }
        if ui.radio(effective == ErrorKind::Positions, "positions").clicked() {
            *shown = ErrorKind::Positions;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(format!("t = {:.2} s", findings.time)).small().color(QUIET));
        });
    });
    legend(ui, findings);
    let width = ui.available_width();
    let logs: Vec<Vec<(Point, f64)>> = findings.curves.iter().map(|curve| logarithms(curve, effective)).collect();
    let lowest = logs.iter().flatten().map(|(_, error)| error.floor()).fold(-1.0, f64::min).max(LOWEST);
    let of = if effective == ErrorKind::Energy { "energy" } else { "positions" };
    ui.vertical(|ui| {
        let most = findings.curves.iter().flat_map(|curve| &curve.points).map(|point| point.iteration).max();
        let count = f64::from(most.unwrap_or(1).max(1));
        let by_iteration = |point: &Point| Some(f64::from(point.iteration));
        let axis = AxisHints::new_x().label("iterations").label_spacing(LABELS);
        let plot = Plot::new("convergence by iterations").custom_x_axes(vec![axis]).x_grid_spacer(marks);
        draw(
            ui,
            plot.width(width).height(height),
            findings,
            &logs,
            [0.0, count, lowest],
            &by_iteration,
            &move |point| format!("iteration {}\n{of} {}", point.iteration, relative(point, effective)),
        );

        let milliseconds = |point: &Point| (point.seconds > 0.0).then(|| (1e3 * point.seconds).log10());
        let times = || findings.curves.iter().flat_map(|curve| &curve.points).filter_map(milliseconds);
        let from = times().fold(f64::INFINITY, f64::min).floor();
        let to = times().fold(f64::NEG_INFINITY, f64::max).ceil();
        let [from, to] = if from < to { [from, to] } else { [0.0, 1.0] };
        let axis =
            AxisHints::new_x().label("milliseconds").label_spacing(LABELS).formatter(|mark, _| power(mark.value));
        let plot = Plot::new("convergence by milliseconds").custom_x_axes(vec![axis]).x_grid_spacer(marks);
        draw(ui, plot.width(width).height(height), findings, &logs, [from, to, lowest], &milliseconds, &move |point| {
            format!("{} ms\n{of} {}", significant(1e3 * point.seconds), relative(point, effective))
        });
    });
    ui.label(RichText::new(reference(findings)).small().color(QUIET));
}

/// Name and cost of each method beside a piece of its line.
fn legend(ui: &mut Ui, findings: &Findings) {
    ui.horizontal_wrapped(|ui| {
        let roomy = findings.curves.len() <= 3 && ui.available_width() > 640.0;
        for (at, curve) in findings.curves.iter().enumerate() {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(26.0, 12.0), egui::Sense::hover());
            let ends = [rect.left_center(), rect.right_center()];
            let stroke = stroke(at, curve, findings);
            match style(at) {
                LineStyle::Dashed { length } => {
                    ui.painter().extend(egui::Shape::dashed_line(&ends, stroke, length, 0.6 * length));
                }
                _ => drop(ui.painter().line_segment(ends, stroke)),
            }
            let name = RichText::new(curve.name());
            let name = if curve.solver.id == findings.at_work { name.strong() } else { name };
            // in one piece, on the next line if it must
            let label = ui.add(Label::new(name).extend());
            if let Some(first) = curve.points.get(1) {
                let cost = format!("{} ms each", significant(1e3 * first.seconds));
                if roomy {
                    ui.label(RichText::new(cost).small().color(QUIET));
                } else {
                    label.on_hover_text(cost);
                }
            }
            ui.add_space(10.0);
        }
    });
}

/// One of the two plots. `bounds` are the range of x and the lowest y, as they are drawn.
fn draw<'a>(
    ui: &mut Ui,
    plot: Plot<'a>,
    findings: &'a Findings,
    logs: &'a [Vec<(Point, f64)>],
    bounds: [f64; 3],
    x: &dyn Fn(&Point) -> Option<f64>,
    describe: &'a dyn Fn(&Point) -> String,
) {
    let [from, to, lowest] = bounds;
    // room for half a label at every end
    let margin = 0.05 * (to - from);
    let lines: Vec<Line> = (0..)
        .zip(&findings.curves)
        .zip(logs)
        .map(|((at, curve), log)| {
            let points: Vec<[f64; 2]> = log.iter().filter_map(|(point, error)| Some([x(point)?, *error])).collect();
            Line::new(curve.name(), points).stroke(stroke(at, curve, findings)).style(style(at))
        })
        .collect();
    // points without an x are the first ones only
    let skipped: Vec<usize> =
        logs.iter().map(|log| log.iter().take_while(|(point, _)| x(point).is_none()).count()).collect();
    let hovered = move |position: &HoverPosition| {
        let HoverPosition::NearDataPoint { plot_name, index, .. } = position else { return None };
        let at = findings.curves.iter().position(|curve| curve.name() == *plot_name)?;
        let (point, _) = logs[at].get(index + skipped[at])?;
        Some(format!("{plot_name}\n{}", describe(point)))
    };
    plot.custom_y_axes(vec![AxisHints::new_y().label("relative error").formatter(|mark, _| power(mark.value))])
        .y_grid_spacer(marks)
        .grid_color(GRID)
        .grid_fade(0.0)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .label_formatter(hovered)
        .show(ui, move |plot| {
            let bounds = PlotBounds::from_min_max([from - margin, 1.05 * lowest], [to + margin, -0.05 * lowest]);
            plot.set_plot_bounds(bounds);
            for line in lines {
                plot.line(line);
            }
        });
}

/// The iterates with the logarithm of their error, as far as it can be drawn.
fn logarithms(curve: &Curve, shown: ErrorKind) -> Vec<(Point, f64)> {
    let error = |point: &Point| if shown == ErrorKind::Energy { point.energy } else { Some(point.distance) };
    let log = |point: &Point| Some((*point, error(point).filter(|error| *error > 0.0)?.log10()));
    curve.points.iter().map_while(log).collect()
}

fn relative(point: &Point, shown: ErrorKind) -> String {
    let error = if shown == ErrorKind::Energy { point.energy.unwrap_or(0.0) } else { point.distance };
    format!("error {}", units::scientific(error, 2))
}

/// Colour of a curve by its place: no two have the same.
fn colour(at: usize) -> Color32 {
    // beyond the table, hues by the golden section never meet again
    let further = || egui::ecolor::Hsva::new((0.09 + 0.618_034 * at as f32).fract(), 0.6, 0.8, 1.0).into();
    COLORS.get(at).copied().unwrap_or_else(further)
}

/// The method at work is drawn boldly.
fn stroke(at: usize, curve: &Curve, findings: &Findings) -> Stroke {
    let width = if curve.solver.id == findings.at_work { 3.2 } else { 1.6 };
    Stroke::new(width, colour(at))
}

/// Every second is dashed: some go the same way, as two methods do with springs alone.
fn style(at: usize) -> LineStyle {
    if at % 2 == 1 { LineStyle::dashed_loose() } else { LineStyle::Solid }
}

/// The reference of the errors.
fn reference(findings: &Findings) -> String {
    let many = findings.curves.iter().find_map(|curve| match curve.reference {
        Reference::Iterations(many) => Some(many),
        Reference::Newton => None,
    });
    let newton = "Converged solution: Newton's method, down to rounding";
    match many {
        Some(many) => {
            format!("{newton}; where contacts or other constraints act, {many} iterations of the method itself.")
        }
        None => format!("{newton}."),
    }
}

/// Lines at whole numbers: all of them, or every second, fifth, tenth and so on where they would be
/// crowded.
fn marks(input: GridInput) -> Vec<GridMark> {
    let (from, to) = input.bounds;
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
    let step = steps.into_iter().find(|step| (to - from) / step <= 7.0).unwrap_or(200.0);
    let first = (from / step).ceil() as i64;
    let last = (to / step).floor() as i64;
    (first..=last).map(|at| GridMark { value: at as f64 * step, step_size: step }).collect()
}

/// `10^exponent` in type.
fn power(exponent: f64) -> String {
    let exponent = exponent.round() as i64;
    if exponent == 0 {
        return "1".to_owned();
    }
    units::power_of_ten(exponent as i32)
}
