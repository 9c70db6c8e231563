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

/// Distance between two numbers, and room for the number of those left out and for a warning
/// [points].
const GAP: f32 = 14.0;
const MORE: f32 = 30.0;
const WARNING: f32 = 150.0;

/// A number above the cloth: label, value and its colour, help, and the plot that a click opens.
struct Readout {
    label: &'static str,
    value: String,
    color: Color32,
    help: String,
    plot: Option<&'static str>,
    /// Place in the order in which numbers get their room.
    rank: usize,
}

impl Readout {
    /// One text, so that label and value stay together.
    fn text(&self) -> LayoutJob {
        let mut text = LayoutJob::default();
        let format = |font, color| TextFormat { valign: Align::Center, ..TextFormat::simple(font, color) };
        text.append(self.label, 0.0, format(FontId::proportional(11.0), QUIET));
        text.append(&self.value, 6.0, format(FontId::monospace(12.0), self.color));
        text
    }
}

/// The line above the cloth. It has one height: a number without room is told under the pointer.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let sentences: Vec<_> = shown.session.frame().stats.limits_reached().collect();
    let warning = if sentences.is_empty() { 0.0 } else { WARNING };
    let (readouts, left_out) = fitting(ui, readouts(shown, ui.visuals().strong_text_color()), warning);
    ui.add_space(3.0);
    let mut plotted = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for readout in readouts {
            let text = Label::new(readout.text()).extend();
            let Some(plot) = readout.plot else {
                ui.add(text).on_hover_text(readout.help);
                continue;
            };
            let shown = ui.add(text.sense(Sense::click()));
            note_place(ui, &format!("readout {plot}"), shown.rect);
            let shown = shown.on_hover_cursor(CursorIcon::PointingHand);
            if shown.on_hover_text(format!("{}\n\nClick to plot it.", readout.help)).clicked() {
                plotted = Some(plot);
            }
        }
        if !left_out.is_empty() {
            let told: Vec<_> = left_out.iter().map(|of| format!("{}\t{}", of.label, of.value.trim())).collect();
            let count = ui.label(RichText::new(format!("+{}", left_out.len())).small().color(QUIET));
            count.on_hover_text(told.join("\n"));
        }
        for sentence in sentences {
            ui.add(Label::new(RichText::new(sentence).small().color(ALARM)).truncate()).on_hover_text(sentence);
        }
    });
    ui.add_space(2.0);
    if let Some(plot) = plotted {
        plots::open(ui.ctx(), &mut shown.desk.windows, plot);
    }
}

/// The numbers with room in a line beside a `warning` of so many points, in their order, and those
/// without.
fn fitting(ui: &Ui, mut readouts: Vec<Readout>, warning: f32) -> (Vec<Readout>, Vec<Readout>) {
    let width = |readout: &Readout| ui.fonts_mut(|fonts| fonts.layout_job(readout.text())).size().x + GAP;
    let widths: Vec<f32> = readouts.iter().map(width).collect();
    let mut by_rank: Vec<usize> = (0..readouts.len()).collect();
    by_rank.sort_by_key(|at| readouts[*at].rank);
    let room = ui.available_width() - warning;
    let room = if widths.iter().sum::<f32>() <= room { room } else { room - MORE };
    let mut taken = 0.0;
    let count = by_rank.iter().take_while(|at| {
        taken += widths[**at];
        taken <= room
    });
    let mut fits = vec![false; readouts.len()];
    count.for_each(|at| fits[*at] = true);
    let mut fits = fits.into_iter();
    let left_out = readouts.extract_if(.., |_| !fits.next().unwrap_or(true)).collect();
    (readouts, left_out)
}

/// The numbers, of which those that say nothing special have a `plain` colour, and those of steps
/// before the pause a quiet one. Each has one width, so that those behind it stay.
fn readouts(shown: &Shown, plain: Color32) -> Vec<Readout> {
    let (frame, throughput) = (shown.session.frame(), &shown.desk.throughput);
    let readout = |rank, label, value, color, help: &str, plot| Readout {
        label,
        value,
        color,
        help: help.to_owned(),
        plot,
        rank,
    };
    let paused = shown.session.paused();
    let (measured, when) = if paused { (QUIET, " Time stands; this is of the steps before.") } else { (plain, "") };
    let stretch = 100.0 * frame.readouts.stretch.largest;
    let factor = throughput.real_time_factor;
    let slow = !paused && factor < 0.9 * shown.desk.pace.speed;
    let (total, parts) = energy(shown);
    let (ratio, ratio_color, ratio_help) = stability(shown);
    let mut readouts = vec![
        readout(1, "time", format!("{:7.2} s", frame.time), plain, "Simulated time", None),
        readout(6, "frames", format!("{:3.0} /s", throughput.frames_per_second), measured, "Images per second", None),
        readout(
            3,
            "step",
            format!("{:6.2} ms", throughput.step_ms),
            measured,
            &format!(
                "Computing time of a time step, with its substeps; contact takes {:.2} ms of it. Below the time step itself the cloth keeps up with real time.{when}",
                throughput.contact_ms
            ),
            Some("step"),
        ),
        readout(
            4,
            "real-time factor",
            format!("{factor:4.1}×"),
            if slow { ACCENT } else { measured },
            &format!("Simulated seconds per second. It should reach the playback speed set below, at first 1.{when}"),
            Some("speed"),
        ),
        readout(
            2,
            "stretch",
            format!("{stretch:5.1} %"),
            if stretch > ALARMING_STRETCH { ALARM } else { plain },
            "Largest strain of a structural spring, or of warp and weft of a membrane. Hanging woven cotton has less than 2 %, knitwear up to 20 %.",
            Some("stretch"),
        ),
        readout(5, "energy", total, plain, &parts, Some("energy")),
        readout(7, "step / limit", ratio, ratio_color, &ratio_help, None),
    ];
    if let Some(pairs) = &frame.intersections {
        let color = if pairs.is_empty() { plain } else { ALARM };
        let help = "Pairs of triangles that intersect or touch. Should be 0.";
        readouts.push(readout(0, "intersections", format!("{:>3}", pairs.len()), color, help, None));
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
