//! The lanes: a card each over the view, with its differences, its cost and its distance from the
//! reference, and a letter at each cloth.

use egui::{
    Align, Align2, Button, Color32, FontId, Frame, Label, Layout, Order, RichText, Sense, Stroke, Ui, UiBuilder,
    WidgetInfo, WidgetType,
};

use crate::app::desk::Shown;
use crate::app::lessons::Lessons;
use crate::app::session::{LaneView, Pacing, SessionHandle, letter};
use crate::app::view::lane_layout::tint;
use crate::app::widgets::style::{ACCENT, ALARM, OVERLAY, QUIET};
use crate::app::widgets::{name, note_place};
use crate::session::Frame as SessionFrame;

/// Height of a window below which there is no room for the cards beside that of a lesson [points].
const LOW: f32 = 800.0;
/// Averaging time of speed and cost [s].
const OVER: f64 = 1.0;
/// Most differences that a card names.
const MOST_DIFFERENCES: usize = 3;

/// Recent speed and cost of a lane.
#[derive(Debug, Clone, Copy, Default)]
struct Pace {
    /// When it was looked at [s], its steps, their time [s], that of contact in them [s], and the
    /// time that they simulated [s].
    since: (f64, u64, [f64; 2], f64),
    /// Milliseconds per step, those of contact among them, and simulated seconds per second.
    step_ms: [f64; 2],
    factor: f64,
}

/// Choices made on the cards.
#[derive(Default)]
struct Chosen {
    lane: Option<usize>,
    reference: Option<usize>,
    removed: Option<usize>,
    swapped: Option<[usize; 2]>,
    /// From which, to which, and whether with the solver.
    copied: Option<([usize; 2], bool)>,
}

/// The cards, if there is more than one lane.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    // a lesson tells what its lanes are, and its card needs the height
    let is_told = shown.states.of::<Lessons>().walk().is_some() && ui.ctx().content_rect().height() < LOW;
    if shown.session.lane_count() < 2 || is_told {
        return;
    }
    ui.add_space(2.0);
    let mut chosen = Chosen::default();
    let lanes = shown.session.lanes();
    let count = lanes.len();
    ui.columns(count, |columns| {
        for (ui, lane) in columns.iter_mut().zip(&lanes) {
            card(ui, shown.session, &lanes, lane, &mut chosen);
        }
    });
    drop(lanes);
    ui.horizontal_wrapped(|ui| bar(ui, shown));
    ui.add_space(2.0);
    let session = &mut *shown.session;
    if let Some(slot) = chosen.reference {
        session.set_reference(slot);
    }
    if let Some(slot) = chosen.lane {
        session.choose_lane(slot);
    }
    if let Some(slot) = chosen.removed {
        session.remove_lane(slot);
    }
    if let Some(slots) = chosen.swapped {
        session.swap_lanes(slots);
    }
    if let Some((slots, with_solver)) = chosen.copied {
        session.copy_lane(slots, with_solver);
    }
}

/// Controls for all lanes: their clock, their places, equal cost.
fn bar(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    ui.label(RichText::new("All lanes have one hand, one scene and").small().color(QUIET));
    for (pacing, label, help) in [
        (Pacing::Wait, "one clock", "All lanes are at the same time; the slowest sets the pace"),
        (Pacing::Race, "race", "Each lane runs as fast as it can, at its own time"),
    ] {
        let button = ui.add(Button::new(RichText::new(label).small()).selected(session.pacing() == pacing));
        note_place(ui, &format!("pacing {label}"), button.rect);
        if button.on_hover_text(help).clicked() {
            session.set_pacing(pacing);
        }
    }
    ui.separator();
    for (overlaid, label) in [(false, "side by side"), (true, "overlaid")] {
        let button =
            ui.add(Button::new(RichText::new(label).small()).selected(shown.view_state.lanes.overlaid == overlaid));
        note_place(ui, &format!("lanes {label}"), button.rect);
        if button.clicked() {
            shown.view_state.lanes.overlaid = overlaid;
        }
    }
    ui.separator();
    let progress = session.equal_cost_progress();
    let label = progress.map_or_else(|| "equal cost".to_owned(), |share| format!("measuring, {:.0} %", 100.0 * share));
    let button = ui.add_enabled(progress.is_none(), Button::new(RichText::new(label).small()));
    note_place(ui, "equal cost", button.rect);
    let help = "Sets the iterations, sweeps or substeps of every lane so that all lanes take the computing time of the lane with the star";
    if button.on_hover_text(help).clicked() {
        session.equalise_costs();
    }
    if let Some(found) = session.equal_cost_found() {
        let colour = if found.is_refused { ALARM } else { QUIET };
        ui.label(RichText::new(found.text).small().color(colour));
    }
}

fn colour(slot: usize) -> Color32 {
    let [r, g, b] = tint(slot).map(|part| (255.0 * part) as u8);
    Color32::from_rgb(r, g, b)
}

fn card(ui: &mut Ui, session: &SessionHandle, lanes: &[LaneView], lane: &LaneView, chosen: &mut Chosen) {
    let frame = lane.frame;
    let pace = pace(ui, lane);
    let line =
        if lane.is_chosen { Stroke::new(1.5, colour(lane.slot)) } else { Stroke::new(1.0, Color32::from_gray(60)) };
    let shape = Frame::new().stroke(line).inner_margin(egui::Margin::symmetric(6, 3)).corner_radius(5);
    let whole = UiBuilder::new().id_salt(("card", lane.slot)).sense(Sense::click());
    let card = ui.scope_builder(whole, |ui| {
        shape.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 1.0;
            ui.horizontal(|ui| {
                ui.label(RichText::new(letter(lane.slot).to_string()).strong().color(colour(lane.slot)));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let remove = ui.add(Button::new("×").small().frame(false));
                    name(ui, &remove, &format!("Remove lane {}", letter(lane.slot)));
                    note_place(ui, &format!("remove {}", letter(lane.slot)), remove.rect);
                    if remove.on_hover_text("Removes this lane").clicked() {
                        chosen.removed = Some(lane.slot);
                    }
                    let more = ui.menu_button("…", |ui| menu(ui, lanes, lane.slot, chosen)).response;
                    name(ui, &more, &format!("More about lane {}", letter(lane.slot)));
                    note_place(ui, &format!("menu of {}", letter(lane.slot)), more.rect);
                    let star = if lane.is_reference { "★" } else { "☆" };
                    let button = ui.add(Button::new(star).small().frame(false));
                    name(ui, &button, &format!("Measure against lane {}", letter(lane.slot)));
                    note_place(ui, &format!("reference {}", letter(lane.slot)), button.rect);
                    if button.on_hover_text("Distances are measured from the lane with the star").clicked() {
                        chosen.reference = Some(lane.slot);
                    }
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        let title = RichText::new(frame.solver.name).strong();
                        let title = ui.add(Label::new(title).truncate().selectable(false));
                        note_place(ui, &format!("lane {}", letter(lane.slot)), title.rect);
                    });
                });
            });
            let reference = lanes.iter().find(|other| other.is_reference).map(|other| other.frame);
            let differences = reference.map_or_else(Vec::new, |of| differences(frame, of));
            let text = match (lane.is_reference, reference) {
                (true, _) => "reference".to_owned(),
                (_, Some(of)) if differences.is_empty() && of.solver.id != frame.solver.id => {
                    "another solver".to_owned()
                }
                _ if differences.is_empty() => "the same settings".to_owned(),
                _ => differences.join(", "),
            };
            ui.add(Label::new(RichText::new(text).small().color(QUIET)).truncate());
            let [step, contact] = pace.step_ms;
            let cost = match contact {
                0.0 => format!("{step:.2} ms per step"),
                contact => format!("solve {:.2} + contact {contact:.2} ms", step - contact),
            };
            let speed = format!("{:.1}× real time, t = {:.2} s", pace.factor, frame.time);
            for text in [cost, speed] {
                ui.add(Label::new(RichText::new(text).small().monospace()).truncate());
            }
            let (status, colour) = status(session, lane, reference.map(|of| &**of));
            ui.add(Label::new(RichText::new(status).small().color(colour)).truncate());
        })
    });
    note_place(ui, &format!("card {}", letter(lane.slot)), card.response.rect);
    let choose = format!("Choose lane {}", letter(lane.slot));
    card.response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, lane.is_chosen, &choose));
    if card.response.on_hover_text("Chooses this lane; the panels show the chosen lane").clicked() {
        chosen.lane = Some(lane.slot);
    }
}

/// The menu of a lane.
fn menu(ui: &mut Ui, lanes: &[LaneView], slot: usize, chosen: &mut Chosen) {
    let item = |ui: &mut Ui, label: String| {
        let button = ui.button(&label);
        note_place(ui, &label.to_lowercase(), button.rect);
        button.clicked()
    };
    for (other, label) in [(slot.checked_sub(1), "Move left"), (Some(slot + 1), "Move right")] {
        if let Some(other) = other.filter(|other| *other < lanes.len())
            && item(ui, label.to_owned())
        {
            chosen.swapped = Some([slot, other]);
        }
    }
    for other in lanes.iter().filter(|other| other.slot != slot) {
        let from = letter(other.slot);
        if item(ui, format!("Parameters of {from}")) {
            chosen.copied = Some(([other.slot, slot], false));
        }
        if item(ui, format!("Solver and parameters of {from}")) {
            chosen.copied = Some(([other.slot, slot], true));
        }
    }
}

/// How a lane is doing.
fn status(session: &SessionHandle, lane: &LaneView, reference: Option<&SessionFrame>) -> (String, Color32) {
    if let Some(failure) = &lane.frame.failure {
        let is_compared = session.equal_cost_found().is_some();
        let consequence = if is_compared { ", not comparable" } else { "" };
        return (format!("blew up at t = {:.3} s{consequence}", failure.time), ALARM);
    }
    if lane.is_reference {
        return (format!("stretch {:.1} %", 100.0 * lane.frame.readouts.stretch.largest), QUIET);
    }
    match session.distance(lane.slot) {
        Some(distance) if distance.largest == 0.0 => ("bit-identical".to_owned(), QUIET),
        Some(distance) => {
            let (mean, most) = (1e3 * distance.root_mean_square, 1e3 * distance.largest);
            // lanes of different settings are there to differ
            let is_expected = reference.is_none_or(|of| differs(lane.frame, of));
            let colour = if is_expected { QUIET } else { ACCENT };
            (format!("{} mm off, at most {} mm", digits(mean), digits(most)), colour)
        }
        None => ("at another time".to_owned(), QUIET),
    }
}

/// Whether a lane has another solver or other settings than another.
fn differs(frame: &SessionFrame, of: &SessionFrame) -> bool {
    frame.solver.id != of.solver.id || !frame.differences(&[of]).is_empty()
}

/// A number with three digits.
fn digits(number: f64) -> String {
    match number {
        ..0.0995 => format!("{number:.3}"),
        ..9.95 => format!("{number:.2}"),
        ..99.5 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

/// Differences from the reference, shortened to the room on a card.
fn differences(frame: &SessionFrame, of: &SessionFrame) -> Vec<String> {
    let mut found = frame.differences(&[of]);
    if found.len() > MOST_DIFFERENCES {
        let more = found.split_off(MOST_DIFFERENCES).len();
        found.push(format!("and {more} more"));
    }
    found
}

/// Cost and speed of a lane, averaged.
fn pace(ui: &Ui, lane: &LaneView) -> Pace {
    let (id, now) = (egui::Id::new(("pace of lane", lane.slot)), ui.input(|input| input.time));
    let totals = &lane.frame.totals;
    let seconds = [totals.stepping_seconds, totals.contact_seconds];
    let present = (now, totals.steps, seconds, totals.time);
    let mut pace: Pace = ui.data(|data| data.get_temp(id)).unwrap_or(Pace { since: present, ..Pace::default() });
    // another lane has this place now
    if totals.steps < pace.since.1 {
        pace = Pace { since: present, ..Pace::default() };
    }
    let elapsed = now - pace.since.0;
    if elapsed >= OVER {
        let steps = totals.steps - pace.since.1;
        if steps > 0 {
            pace.step_ms = std::array::from_fn(|part| 1e3 * (seconds[part] - pace.since.2[part]) / steps as f64);
        }
        pace.factor = (totals.time - pace.since.3) / elapsed;
        pace.since = present;
    }
    ui.data_mut(|data| data.insert_temp(id, pace));
    pace
}

/// A letter above each cloth.
pub fn show_names(ui: &mut Ui, shown: &mut Shown) {
    let painter = ui.ctx().layer_painter(egui::LayerId::new(Order::Background, egui::Id::new("names of lanes")));
    let painter = painter.with_clip_rect(shown.view);
    for &(slot, at) in &shown.view_state.lanes.labels {
        // the camera tells where in its own part of the window
        let place = egui::pos2(at.x, at.y - 14.0);
        let font = FontId::proportional(15.0);
        let text = painter.layout_no_wrap(letter(slot).to_string(), font, Color32::WHITE);
        let rect = Align2::CENTER_BOTTOM.anchor_size(place, text.size()).expand2(egui::vec2(7.0, 2.0));
        let is_chosen = slot == shown.session.chosen_lane();
        painter.rect_filled(rect, 8.0, if is_chosen { colour(slot) } else { OVERLAY });
        painter.galley(rect.center() - 0.5 * text.size(), text, Color32::WHITE);
    }
}

/// What is written beside the mark of a motion with a closed formula.
pub fn show_mark(ui: &mut Ui, shown: &mut Shown) {
    let Some((at, text)) = &shown.view_state.expected else { return };
    let painter = ui.ctx().layer_painter(egui::LayerId::new(Order::Background, egui::Id::new("mark of a law")));
    let painter = painter.with_clip_rect(shown.view);
    let most = (shown.view.right() - at.x - 24.0).clamp(180.0, 300.0);
    let text = painter.layout(text.clone(), FontId::proportional(12.0), Color32::WHITE, most);
    let place = egui::pos2(at.x + 12.0, at.y);
    let rect = Align2::LEFT_CENTER.anchor_size(place, text.size()).expand2(egui::vec2(7.0, 3.0));
    // where there is no room beside the mark, over the cloth
    let rect = rect.translate(egui::vec2((shown.view.right() - 6.0 - rect.right()).min(0.0), 0.0));
    painter.rect_filled(rect, 6.0, OVERLAY);
    painter.galley(rect.min + egui::vec2(7.0, 3.0), text, Color32::WHITE);
    note_place(ui, "mark of a law", rect);
}
