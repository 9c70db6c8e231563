//! A card for each probed vertex: its position, its forces, its springs.

use egui::{Align2, Button, Color32, Grid, Id, Label, RichText, ScrollArea, Sense, Stroke, Ui, vec2};

use super::gizmos::colour_of_force;
use super::{Probe, Probes, colour};
use crate::app::desk::Shown;
use crate::app::widgets::style::{FORMULA, QUIET};
use crate::app::widgets::{name, note_place};
use crate::session::Frame as SessionFrame;
use crate::sim::measure::{Rest, SpringReading, VertexReading};
use crate::sim::params::units::{self, quantity, significant};
use crate::sim::pattern::Family;
use crate::sim::solver_interface::Elasticity;
use crate::sim::{Real, Vec3};

/// Behind the text.
const GROUND: Color32 = Color32::from_rgb(30, 32, 36);
/// Width of a card, and height of its list of springs [points].
const WIDTH: f32 = 236.0;
const LIST: f32 = 104.0;
/// Height that all else of a card takes at most [points].
const ELSE: f32 = 250.0;

/// The cards.
pub fn show(probes: &mut Probes, ui: &mut Ui, shown: &mut Shown) {
    probes.spring = None;
    let all: Vec<(usize, Probe)> = probes.all().collect();
    for (column, (place, probe)) in all.into_iter().enumerate() {
        let frame = shown.session.frame();
        let Some(reading) = frame.probes.iter().find(|reading| reading.vertex == probe.vertex) else { continue };
        // on the side where the vertex was not when it was taken
        let is_right_now = shown.cursor.is_some_and(|cursor| cursor.x > shown.view.center().x);
        let is_right =
            ui.data_mut(|data| *data.get_temp_mut_or(Id::new(("side of probe", probe.vertex)), is_right_now));
        let (side, edge, inwards) = if is_right {
            (Align2::LEFT_TOP, shown.view.left(), 1.0)
        } else {
            (Align2::RIGHT_TOP, shown.view.right(), -1.0)
        };
        let x = edge + inwards * (14.0 + column as f32 * (WIDTH + 24.0));
        let window = egui::Window::new(format!("Vertex {}", probe.vertex))
            .id(Id::new(("probe", probe.vertex)))
            .title_bar(false)
            .resizable(false)
            .pivot(side)
            .default_pos([x, shown.view.top() + 14.0])
            .constrain_to(shown.view)
            .frame(egui::Frame::new().fill(GROUND).inner_margin(10).corner_radius(6));
        window.show(ui.ctx(), |ui| {
            ui.set_width(WIDTH);
            let room = (shown.view.height() - ELSE).max(LIST);
            card(ui, frame, reading, probe, (place, &mut *probes), room);
        });
    }
}

fn card(
    ui: &mut Ui,
    frame: &SessionFrame,
    reading: &VertexReading,
    probe: Probe,
    (place, probes): (usize, &mut Probes),
    room: f32,
) {
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.spacing_mut().interact_size.y = 14.0;
    ui.horizontal(|ui| {
        let [r, g, b] = colour(place);
        swatch(ui, Color32::from_rgb(r, g, b), true);
        ui.label(RichText::new(format!("Vertex {}", probe.vertex)).strong().color(Color32::WHITE));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let close = ui.add(Button::new("×").small().frame(false));
            name(ui, &close, "Close");
            note_place(ui, &format!("close probe {}", probe.vertex), close.rect);
            let help = "Keeps this card when another vertex is clicked";
            let keep = ui.add(Button::new(RichText::new("keep").small()).selected(probe.is_pinned)).on_hover_text(help);
            note_place(ui, &format!("keep probe {}", probe.vertex), keep.rect);
            let mut trails = !probes.hides_trails;
            let help = "Paths of these vertices over the last 3 s; the table of the plots (CSV) has their positions";
            let trail = ui.add(Button::new(RichText::new("trail").small()).selected(trails)).on_hover_text(help);
            note_place(ui, &format!("trail of probe {}", probe.vertex), trail.rect);
            trails ^= trail.clicked();
            probes.hides_trails = !trails;
            if close.clicked() {
                probes.remove(place);
            } else if keep.clicked() {
                probes.pin(place, !probe.is_pinned);
            }
        });
    });
    Grid::new(("motion", place)).num_columns(3).spacing([8.0, 2.0]).show(ui, |ui| {
        row(ui, None, "Position [m]", reading.position, false);
        row(ui, None, "Velocity [m/s]", reading.velocity, true);
        row_title(ui, "Forces [N]");
        for (kind, force) in reading.forces.by_kind() {
            let [r, g, b] = colour_of_force(kind);
            row(ui, Some(Color32::from_rgb(r, g, b)), kind, force, true);
        }
        if let Some(acceleration) = reading.acceleration {
            row(ui, None, "Sum = m a", acceleration * reading.mass, true);
        }
    });
    if let Some(text) = remark(frame, reading) {
        ui.add(Label::new(RichText::new(text).small().color(QUIET)).wrap());
    }
    ui.add_space(2.0);
    springs(ui, frame, reading, (place, probes), room);
}

/// Notes on how to read the forces.
fn remark(frame: &SessionFrame, reading: &VertexReading) -> Option<&'static str> {
    match (frame.capabilities.elasticity, reading.forces.rest) {
        (_, None) => Some("Air and contact forces are known after the next step."),
        (Elasticity::Unknown(_), _) => {
            Some("This method has constraints instead of elastic forces; their total force is shown.")
        }
        (_, Some((Rest::Unbalanced, _))) => Some("Residual: force that the solver has not balanced yet."),
        _ => None,
    }
}

fn row_title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(QUIET));
    ui.end_row();
}

/// A vector: its size, if that says something, and its components.
fn row(ui: &mut Ui, mark: Option<Color32>, name: &str, value: Vec3, with_size: bool) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        if let Some(mark) = mark {
            swatch(ui, mark, false);
        }
        let text = RichText::new(name).small();
        ui.label(if mark.is_some() { text.color(Color32::WHITE) } else { text.color(QUIET) });
    });
    let size = if with_size { number(value.length()) } else { String::new() };
    ui.label(RichText::new(size).small().monospace().color(Color32::WHITE));
    let text = format!("{} {} {}", number(value.x), number(value.y), number(value.z));
    ui.label(RichText::new(text).small().monospace().color(QUIET));
    ui.end_row();
}

/// A number with three digits in six characters, so that nothing moves while it changes.
fn number(x: Real) -> String {
    let size = x.abs();
    let text = match size {
        _ if !x.is_finite() => "-".to_owned(),
        // below all digits that are shown
        ..5e-10 => "0".to_owned(),
        ..5e-7 => format!("{:.0}n", 1e9 * x),
        ..5e-4 => format!("{:.0}µ", 1e6 * x),
        ..0.9995 => format!("{x:.3}"),
        ..9.995 => format!("{x:.2}"),
        ..99.95 => format!("{x:.1}"),
        ..9999.5 => format!("{x:.0}"),
        ..999.5e3 => format!("{:.0}k", 1e-3 * x),
        ..999.5e6 => format!("{:.0}M", 1e-6 * x),
        _ => units::scientific(x, 0),
    };
    format!("{text:>6}")
}

fn swatch(ui: &mut Ui, colour: Color32, is_round: bool) {
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 9.0), Sense::hover());
    let radius = if is_round { 4.5 } else { 2.0 };
    ui.painter().rect_filled(rect, radius, colour);
}

/// All springs, scrolled where there is no `room` [points] for them, and the formula of the one
/// under the pointer with its numbers.
fn springs(
    ui: &mut Ui,
    frame: &SessionFrame,
    reading: &VertexReading,
    (place, probes): (usize, &mut Probes),
    room: f32,
) {
    let mut springs: Vec<&SpringReading> = reading.springs.iter().filter(|spring| spring.stiffness > 0.0).collect();
    springs.sort_by_key(|spring| (spring.family as usize, spring.other));
    let title = format!("{} springs: strain, tension [N]", springs.len());
    ui.label(RichText::new(title).small().color(QUIET));
    let mut hovered = None;
    ScrollArea::vertical().id_salt(("springs", place)).max_height(room).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for spring in &springs {
            let line = format!(
                "{:<10} to {:<5} {:>+6.1} % {}",
                family(spring.family),
                spring.other,
                100.0 * spring.strain(),
                number(spring.tension)
            );
            let response = ui.add(Label::new(RichText::new(line).small().monospace()).extend().sense(Sense::hover()));
            if springs.first().is_some_and(|first| first.spring == spring.spring) {
                note_place(ui, &format!("spring of probe {}", reading.vertex), response.rect);
            }
            if response.hovered() {
                ui.painter().rect_stroke(
                    response.rect.expand(1.0),
                    2.0,
                    Stroke::new(1.0, FORMULA),
                    egui::StrokeKind::Outside,
                );
                hovered = Some(*spring);
            }
        }
    });
    let text = match hovered {
        Some(spring) => {
            probes.spring = Some([reading.vertex, spring.other]);
            formula(frame, spring)
        }
        None => "Point at a spring for its formula.\n".to_owned(),
    };
    ui.add(Label::new(RichText::new(text).small().color(if hovered.is_some() { FORMULA } else { QUIET })).wrap());
}

fn family(family: Family) -> &'static str {
    match family {
        Family::Structural => "structural",
        Family::Shear => "shear",
        Family::Bend => "bend",
    }
}

/// The force of a spring with its numbers now, and how fast it swings against the step.
fn formula(frame: &SessionFrame, spring: &SpringReading) -> String {
    let [length, rest] = [spring.length, spring.rest_length].map(|length| format!("{:.3}", 1e3 * length));
    let (k, force) = (quantity(spring.stiffness, "N/m"), quantity(spring.tension, "N"));
    let turns = spring.frequency * frame.readouts.substep_length;
    format!("k (l - L) = {k} × ({length} - {rest}) mm = {force}\nh·ω = {}", significant(turns))
}
