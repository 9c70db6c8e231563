//! How fast does a step converge? Error over iterations and over time, for the methods that
//! minimise.

use egui::{Button, DragValue, RichText, Ui};

use super::{Convergence, Findings, Format};
use crate::app::desk::Shown;
use crate::app::session::SessionHandle;
use crate::app::widgets::study::{Words, show_message, study_row};
use crate::app::widgets::style::QUIET;
use crate::app::widgets::{chart, note_place};
use crate::documents::{Chart, Over, convergence_chart};
use crate::sim::Real;
use crate::sim::params::units::{self, significant};
use crate::sim::study::convergence::{Curve, ErrorKind, Reference};

/// Errors of which the cost is listed.
const ERRORS: [Real; 3] = [1e-2, 1e-4, 1e-6];
/// The files that results can be saved in.
const FORMATS: [(Format, &str); 3] = [(Format::Csv, "CSV"), (Format::Svg, "SVG"), (Format::Pdf, "PDF")];
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
    show_message(ui, convergence.message.as_ref());
    if let Some(findings) = &convergence.findings {
        ui.separator();
        results(ui, findings, &mut convergence.shown, height);
    }
}

fn controls(ui: &mut Ui, convergence: &mut Convergence, session: &mut SessionHandle) {
    let words = Words {
        start: "Measure",
        help: ["Pausing the cloth makes the timing more accurate", ""],
        names: ["measure", "cancel convergence"],
    };
    let (iterations, has_findings) = (&mut convergence.iterations, convergence.findings.is_some());
    let mut saved = None;
    let is_started = study_row(ui, &convergence.study, &words, true, |ui| {
        ui.label("up to");
        let number = ui.add(DragValue::new(iterations).range(1..=1000));
        crate::app::widgets::name(ui, &number, "Iterations");
        ui.label("iterations");
        for (format, label) in FORMATS {
            let export = ui.add_enabled(has_findings, Button::new(label));
            note_place(ui, &format!("save convergence {label}"), export.rect);
            if export.on_hover_text("A new file convergence, in the folder that Weft was started in").clicked() {
                saved = Some(format);
            }
        }
    });
    if is_started {
        convergence.start(session);
    }
    if let Some(format) = saved {
        convergence.export(format);
    }
}

fn results(ui: &mut Ui, findings: &Findings, shown: &mut ErrorKind, height: f32) {
    let energies = findings.have_energies();
    let effective = findings.shown(*shown);
    ui.horizontal(|ui| {
        ui.label("Error of the");
        let energy = ui.add_enabled(energies, egui::RadioButton::new(effective == ErrorKind::Energy, "energy"));
        if energy.on_disabled_hover_text("In contact, the energy does not include friction.").clicked() {
            *shown = ErrorKind::Energy;
        }
        if ui.radio(effective == ErrorKind::Positions, "positions").clicked() {
            *shown = ErrorKind::Positions;
        }
        ui.label(RichText::new(format!("t = {:.2} s", findings.time)).small().color(QUIET));
    });
    if findings.start_at_minimum() {
        ui.label(
            "The step starts at its minimum, where no method has an error: nothing pulls between the vertices, or all are held. Measure while the cloth deforms.",
        );
        return;
    }
    let chart = |over: Over| convergence_chart(&findings.curves, over, effective, Some(findings.at_work));
    let of = if effective == ErrorKind::Energy { "energy" } else { "positions" };
    let iterations = chart(Over::Iterations);
    legend(ui, findings, &iterations);
    draw(ui, &iterations, height, &|[x, y]| format!("iteration {x:.0}\n{of} {}", relative(y)));
    let milliseconds = |[x, y]: [f64; 2]| format!("{} ms\n{of} {}", significant(10_f64.powf(x)), relative(y));
    draw(ui, &chart(Over::Milliseconds), height, &milliseconds);
    table(ui, findings, effective);
    ui.label(RichText::new(reference(findings)).small().color(QUIET));
}

/// Name and cost of each method beside a piece of its line.
fn legend(ui: &mut Ui, findings: &Findings, chart: &Chart) {
    ui.horizontal_wrapped(|ui| {
        let roomy = findings.curves.len() <= 3 && ui.available_width() > 640.0;
        for (curve, key) in findings.curves.iter().zip(&chart.legend) {
            let name = RichText::new(&key.name);
            let name = if curve.solver.id == findings.at_work { name.strong() } else { name };
            let label = chart::key(ui, &key.sign, name);
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

/// Iterations and milliseconds of each method until the error is so small.
fn table(ui: &mut Ui, findings: &Findings, of: ErrorKind) {
    egui::Grid::new("errors").num_columns(1 + ERRORS.len()).striped(true).spacing([14.0, 2.0]).show(ui, |ui| {
        ui.label(RichText::new("Iterations and ms to an error of").small().color(QUIET));
        for error in ERRORS {
            ui.label(RichText::new(units::scientific(error, 0)).small().color(QUIET));
        }
        ui.end_row();
        for curve in &findings.curves {
            ui.label(curve.name());
            for error in ERRORS {
                ui.label(cost(curve, error, of));
            }
            ui.end_row();
        }
    });
}

fn cost(curve: &Curve, error: Real, of: ErrorKind) -> String {
    let first = curve.first_within(error, of);
    first.map_or_else(|| "–".to_owned(), |point| format!("{}, {}", point.iteration, significant(1e3 * point.seconds)))
}

/// One of the two charts, with a point of a curve in words where the pointer is.
fn draw(ui: &mut Ui, chart: &Chart, height: f32, describe: &dyn Fn([f64; 2]) -> String) {
    let (place, response) = chart::allocate(ui, chart, [ui.available_width(), height]);
    chart::paint(ui.painter(), chart, &place);
    if let Some((name, point)) = chart::under_pointer(chart, &place, response.hover_pos()) {
        chart::point_out(ui.painter(), &place, point);
        response.on_hover_text_at_pointer(format!("{name}\n{}", describe(point)));
    }
}

fn relative(power: f64) -> String {
    format!("error {}", units::scientific(10_f64.powf(power), 2))
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
