//! Numbers above the cloth: speed, energy, stretch; and the force of the hand beside the cursor.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, Color32, CursorIcon, FontId, Id, Label, Order, RichText, Sense, Ui};

use crate::app::compass::limits::Limits;
use crate::app::desk::Shown;
use crate::app::plots::panel as plots;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ACCENT, ALARM, OVERLAY, QUIET};
use crate::sim::params::units;
use crate::sim::solver_interface::{CriticalStep, Elasticity};

/// Shown where the solver has no such number.
const NONE: &str = "–";
/// Stretch [%] at which a cloth is no longer one.
const ALARMING_STRETCH: f64 = 50.0;

/// A number above the cloth: label, value and its colour, help, and the plot that a click opens.
struct Readout {
    label: &'static str,
    value: String,
    color: Color32,
    help: String,
    plot: Option<&'static str>,
}

/// The line above the cloth.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let readouts = readouts(shown, ui.visuals().strong_text_color());
    ui.add_space(3.0);
    let mut plotted = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 14.0;
        for Readout { label, value, color, help, plot } in readouts {
            // one text each, so that label and value stay together when the line is broken
            let mut text = LayoutJob::default();
            let format = |font, color| TextFormat { valign: Align::Center, ..TextFormat::simple(font, color) };
            text.append(label, 0.0, format(FontId::proportional(11.0), QUIET));
            text.append(&value, 6.0, format(FontId::monospace(12.0), color));
            let Some(plot) = plot else {
                ui.add(Label::new(text).extend()).on_hover_text(help);
                continue;
            };
            let readout = ui.add(Label::new(text).extend().sense(Sense::click()));
            note_place(ui, &format!("readout {plot}"), readout.rect);
            let readout = readout.on_hover_cursor(CursorIcon::PointingHand);
            if readout.on_hover_text(format!("{help}\n\nClick to plot it.")).clicked() {
                plotted = Some(plot);
            }
        }
        for sentence in shown.session.frame().stats.limits_reached() {
            ui.label(RichText::new(sentence).small().color(ALARM));
        }
    });
    ui.add_space(2.0);
    if let Some(plot) = plotted {
        plots::open(ui.ctx(), &mut shown.desk.windows, plot);
    }
}

/// The numbers, of which those that say nothing special have a `plain` colour. Each has one width:
/// a line that broke elsewhere would shift all that is below.
fn readouts(shown: &Shown, plain: Color32) -> Vec<Readout> {
    let (frame, throughput) = (shown.session.frame(), &shown.desk.throughput);
    let readout = |label, value, color, help: &str, plot| Readout { label, value, color, help: help.to_owned(), plot };
    let stretch = 100.0 * frame.readouts.stretch.largest;
    let factor = throughput.real_time_factor;
    let slow = !shown.session.paused() && factor < 0.9 * shown.desk.pace.speed;
    let (total, parts) = energy(shown);
    let (ratio, ratio_color, ratio_help) = stability(shown);
    let mut readouts = vec![
        readout("time", format!("{:7.2} s", frame.time), plain, "Simulated time", None),
        readout("frames", format!("{:3.0} /s", throughput.frames_per_second), plain, "Images per second", None),
        readout(
            "step",
            format!("{:6.2} ms", throughput.step_ms),
            plain,
            &format!(
                "Computing time of a time step, with its substeps; contact takes {:.2} ms of it. Below the time step itself the cloth keeps up with real time.",
                throughput.contact_ms
            ),
            Some("step"),
        ),
        readout(
            "real-time factor",
            format!("{factor:4.1}×"),
            if slow { ACCENT } else { plain },
            "Simulated seconds per second. It should reach the playback speed set below, at first 1.",
            Some("speed"),
        ),
        readout(
            "stretch",
            format!("{stretch:5.1} %"),
            if stretch > ALARMING_STRETCH { ALARM } else { plain },
            "Largest strain of a structural spring, or of warp and weft of a membrane. Hanging woven cotton has less than 2 %, knitwear up to 20 %.",
            Some("stretch"),
        ),
        readout("energy", total, plain, &parts, Some("energy")),
        readout("step / limit", ratio, ratio_color, &ratio_help, None),
    ];
    if let Some(pairs) = &frame.intersections {
        let color = if pairs.is_empty() { plain } else { ALARM };
        let help = "Pairs of triangles that intersect or touch. Should be 0.";
        readouts.push(readout("intersections", pairs.len().to_string(), color, help, None));
    }
    readouts
}

/// The energy, and its parts in three lines.
fn energy(shown: &Shown) -> (String, String) {
    let frame = shown.session.frame();
    let energy = frame.readouts.energy;
    let elastic = match (energy.elastic, frame.capabilities.elasticity) {
        (Some(elastic), _) => joules(elastic),
        (None, Elasticity::Unknown(reason)) => format!("{NONE} ({reason})"),
        (None, _) => NONE.to_owned(),
    };
    let (kinetic, potential) = (joules(energy.kinetic), joules(energy.potential));
    let parts = format!("kinetic\t{kinetic}\nelastic\t{elastic}\npotential\t{potential}");
    let total = energy.total().map_or_else(|| format!("{NONE:>10}  "), |total| format!("{:>12}", joules(total)));
    (total, parts)
}

/// The step as a share of the longest that holds: text, colour and explanation.
fn stability(shown: &Shown) -> (String, Color32, String) {
    let frame = shown.session.frame();
    let info = frame.solver;
    let Some((ratio, _)) = shown.states.see::<Limits>().and_then(|limits| limits.ratio(frame)) else {
        return ("    …".to_owned(), QUIET, "Being computed".to_owned());
    };
    let CriticalStep::Own(remark) = frame.capabilities.critical_step else {
        let help = format!(
            "{} has no critical step; stability: {}. The critical step of symplectic Euler with this cloth is {:.2} ms.",
            info.name,
            info.stability_by(frame.parameters.timing.rule()).describe(),
            1e3 * frame.readouts.substep_length / ratio
        );
        return (format!("{NONE:>5}"), QUIET, help);
    };
    let text = if ratio.is_finite() { format!("{ratio:5.2}") } else { "    ∞".to_owned() };
    let mut help =
        "The substep relative to the critical step of this method with the stiffest vertices of this cloth, \
                    for small motions: unstable above 1."
            .to_owned();
    help = [help.as_str(), remark].join(" ");
    // from green over yellow to red
    let share = ratio.clamp(0.0, 1.0) as f32;
    let color = egui::ecolor::Hsva::new(0.33 * (1.0 - share), 0.6, 0.85, 1.0);
    (text, if ratio >= 1.0 { ALARM } else { color.into() }, help)
}

/// The force of the hand, beside the cursor.
pub fn show_grab_force(ctx: &egui::Context, shown: &Shown) {
    let (Some(force), Some(cursor)) = (shown.session.frame().readouts.grab_force, shown.cursor) else { return };
    let text = format!("{} N", newtons(force));
    let painter = ctx.layer_painter(egui::LayerId::new(Order::Foreground, Id::new("grab")));
    let at = egui::pos2(cursor.x + 16.0, cursor.y - 14.0);
    let galley = painter.layout_no_wrap(text, FontId::proportional(14.0), Color32::WHITE);
    let rect = Align2::LEFT_CENTER.anchor_size(at, galley.size()).expand(4.0);
    painter.rect_filled(rect, 4.0, OVERLAY);
    painter.galley(rect.min + egui::vec2(4.0, 4.0), galley, Color32::WHITE);
}

/// An energy with four decimals, a large one with its power of ten.
fn joules(energy: f64) -> String {
    if energy.abs() < 1e4 { format!("{energy:.4} J") } else { units::scientific(energy, 3) + " J" }
}

fn newtons(force: f64) -> String {
    match force {
        f if f < 0.995 => format!("{f:.3}"),
        f if f < 99.5 => format!("{f:.2}"),
        f => format!("{f:.0}"),
    }
}
