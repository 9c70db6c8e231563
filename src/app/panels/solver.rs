//! The solver: its choice, its promises, its own parameters.

use std::sync::Arc;

use egui::{
    Align, Area, Button, CollapsingHeader, Color32, ComboBox, DragAndDrop, Id, Label, Order, Response, RichText,
    ScrollArea, Sense, TextStyle, TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};

use super::examples;
use super::parameter_widgets::{self, idle};
use crate::app::adapters::Adapters;
use crate::app::adapters::panel as adapters;
use crate::app::advice::looks::Looks;
use crate::app::advice::panel as advice;
use crate::app::compass::limits::Limits;
use crate::app::desk::Shown;
use crate::app::widgets::style::{ACCENT, ALARM, CHIP, FORMULA, OVERLAY, QUIET};
use crate::app::widgets::{focus, note_place, offer_reset, section};
use crate::session::{Command, Frame};
use crate::sim::params::units::{self, significant};
use crate::sim::solver_interface::{ContactLaw, ContactMotion, Info, Processor, Stability, StepStage};
use crate::sim::solvers::REGISTRY;
use crate::sim::{Parameters, StepStats};

/// A solver that is dragged out of the menu, by its id.
struct Dragged(&'static str);

/// Width of the menu, height of a row in it, with one line as well, and width of its place for a
/// name.
const MENU: f32 = 560.0;
const ROW: f32 = 40.0;
const FLAT_ROW: f32 = 21.0;
const NAME: f32 = 180.0;

/// The menu of solvers, with the one that is chosen in a line.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    ui.add_space(6.0);
    let current = shown.session.frame().solver;
    let mut chosen = None;
    let combo = ComboBox::from_id_salt("solver")
        .selected_text(RichText::new(current.name).strong())
        .width(ui.available_width())
        .height(520.0)
        .show_ui(ui, |ui| {
            shown.states.of::<Looks>().follow(shown.session, ui.ctx());
            chosen = list(ui, shown, Some(current.id), true, "");
        });
    note_place(ui, "solver", combo.response.rect);
    let session = &mut *shown.session;
    if let Some(id) = chosen {
        session.send(Command::Solver { id: id.to_owned() });
    }
    let info = session.frame().solver;
    ui.label(RichText::new(info.headline()).small().color(QUIET)).on_hover_text(info.summary);
    warn_of_contact(ui, session.frame());
    let ask = ui.add(Button::new(RichText::new(advice::TITLE).small().color(ACCENT)).frame(false));
    note_place(ui, "ask which solver", ask.rect);
    if ask.on_hover_text("Measures all solvers on this cloth, and says which to take").clicked() {
        shown.desk.windows.set(advice::TITLE, true);
    }
    if session.frame().capabilities.processor == Processor::Device {
        adapters::show(ui, shown.states.of::<Adapters>());
    }
}

/// Where the cloth can touch something, the first law of contact that the solver breaks, and all of
/// them under the pointer.
fn warn_of_contact(ui: &mut Ui, frame: &Frame) {
    let Parameters { contact, table, .. } = &frame.parameters;
    let has_solids = !frame.colliders.is_empty() || table.table;
    let has_cloths = contact.self_contact && frame.pattern.pieces().len() > 1;
    let matters = |law: ContactLaw| if law.is_between_cloths() { has_cloths } else { has_solids };
    let mut told = frame.solver.breaches.iter().rev().filter(|(law, _)| matters(*law));
    let shown_laws = frame.scene.motion.map_or(&[][..], ContactMotion::laws);
    let of_scene = told.clone().find(|(law, _)| shown_laws.contains(law));
    let Some((law, figure)) = of_scene.or_else(|| told.next()) else { return };
    let all: Vec<_> = frame.solver.broken_laws().collect();
    let text = RichText::new(law.describe(*figure)).small().color(ACCENT);
    let shown = ui.add(Label::new(text).wrap());
    note_place(ui, "broken laws of contact", shown.rect);
    shown.on_hover_text(format!(
        "Measured at the defaults, by `weft laws --solver {}`:\n{}",
        frame.solver.id,
        all.join("\n")
    ));
}

/// The menu of another lane: the same solver once more, or another one beside it.
pub fn lane_menu(ui: &mut Ui, shown: &mut Shown) {
    ui.label(RichText::new("Beside it, on the same cloth:").strong());
    let same = ui.button(format!("{}, for other parameters", shown.session.frame().solver.name));
    note_place(ui, "the same beside it", same.rect);
    if same.clicked() {
        shown.session.add_lane();
        ui.close();
    }
    shown.states.of::<Looks>().follow(shown.session, ui.ctx());
    let most = 0.8 * ui.ctx().content_rect().height();
    let chosen = ScrollArea::vertical()
        .max_height(most)
        .min_scrolled_height(most)
        .show(ui, |ui| list(ui, shown, None, false, "beside "))
        .inner;
    if let Some(id) = chosen {
        shown.session.add_lane_with(vec![Command::Solver { id: id.to_owned() }]);
        ui.close();
    }
}

/// Frames after its opening in which the menu has found its size.
const OPENING: u64 = 4;

/// Whether the menu of solvers, which is drawn, has just been opened.
fn is_menu_new(ui: &Ui) -> bool {
    let now = ui.ctx().cumulative_frame_nr();
    ui.data_mut(|data| {
        // the frames in which it was opened and in which it was drawn last
        let (opened, last) = data.get_temp_mut_or_default::<(u64, u64)>(Id::new("the menu of solvers"));
        if *last + 1 < now {
            *opened = now;
        }
        *last = now;
        now - *opened < OPENING
    })
}

/// All solvers by groups, each with its use if `is_told`, and named in the log by its id behind
/// `prefix`. Returns the chosen one.
fn list(ui: &mut Ui, shown: &Shown, current: Option<&str>, is_told: bool, prefix: &str) -> Option<&'static str> {
    ui.set_min_width(MENU.min(ui.ctx().content_rect().width() - 40.0));
    if !is_told {
        ui.spacing_mut().item_spacing.y = 1.0;
    }
    let (mut group, mut chosen) = (None, None);
    let goes_to_current = is_told && is_menu_new(ui);
    for entry in REGISTRY {
        let info = entry.info;
        if group.replace(info.group) != Some(info.group) {
            ui.label(RichText::new(info.group.name()).small().color(ACCENT));
        }
        let chips = chips(info, shown, ui.visuals().text_color());
        let row = entry_row(ui, info, current == Some(info.id), &chips, is_told);
        note_place(ui, &format!("{prefix}{}", info.id), row.rect.with_max_x(row.rect.left() + NAME));
        if goes_to_current && current == Some(info.id) {
            row.scroll_to_me_animation(Some(Align::Center), egui::style::ScrollAnimation::none());
        }
        if row.clicked() {
            chosen = Some(info.id);
        }
        if row.drag_started() {
            DragAndDrop::set_payload(ui.ctx(), Dragged(info.id));
            // the menu is before the cloth
            ui.close();
        }
    }
    focus::keep_in_sight(ui);
    chosen
}

/// Capabilities of the solver and its own parameters, in a section.
pub fn show_details(ui: &mut Ui, shown: &mut Shown) {
    let session = &mut *shown.session;
    let mut at_first = None;
    let title = format!("Solver: {}", session.frame().solver.name);
    let header = section(ui, &title, true, |ui| {
        let info = session.frame().solver;
        ui.label(RichText::new(info.summary).small().color(QUIET));
        ui.add(Label::new(RichText::new(info.formula).small().color(FORMULA)).wrap());
        let rule = session.frame().parameters.timing.rule();
        let stability = info.stability_by(rule);
        let details = if stability.details().is_some() { ". Details under Source." } else { "" };
        let stability = format!("Stability: {}{details}", stability.describe());
        ui.add(Label::new(RichText::new(stability).small()).wrap());
        let more = CollapsingHeader::new(RichText::new("Source, cost, contact, damping").small().color(QUIET));
        more.id_salt("promises").show(ui, |ui| promises(ui, session.frame()));
        last_step(ui, &session.frame().stats, session.frame().capabilities.iterations.words());
        let defaults = session.frame().defaults.solver_called(info.id).ok();
        if let Some(defaults) = &defaults {
            let frame = Arc::clone(session.frame());
            let idle = |key: &str| idle(&frame, key);
            session.change_settings(|settings| parameter_widgets::show(ui, settings, defaults.settings(), &idle));
            examples::show(ui, &frame);
        }
        at_first = defaults;
    });
    if let Some(defaults) = at_first
        && parameter_widgets::is_changed(session.solver().settings(), defaults.settings())
        && offer_reset(ui, "Solver", header)
    {
        session.change_settings(|settings| parameter_widgets::reset(settings, defaults.settings()));
    }
}

/// A short fact in a row of the menu.
struct Chip {
    text: String,
    colour: Color32,
    /// A sentence for the pointer.
    help: Option<String>,
}

/// Short facts in a row of the menu: milliseconds on this cloth and what a look
/// at it has shown, if measured, and steps.
fn chips(info: &Info, shown: &Shown, colour: Color32) -> Vec<Chip> {
    let frame = shown.session.frame();
    let rule = frame.parameters.timing.rule();
    let look = shown.states.see::<Looks>().and_then(|looks| looks.at(info.id, frame));
    let running = shown.desk.throughput.costs.get(info.id).copied();
    // the steps before a failure tell nothing of the cost
    let holds = look.filter(|look| look.fails_after.is_none());
    let cost = running.or_else(|| holds.and_then(|look| look.step).map(|step| 1e3 * step));
    let plain = |text: String| Chip { text, colour, help: None };
    let cost = cost.map(|cost| plain(format!("{} ms", significant(cost))));
    let seen = look.and_then(|look| {
        let colour = if look.looks_broken() { ALARM } else { colour };
        let departure = look.departure.map(|departure| format!("On this cloth: {}.", departure.describe()));
        Some(Chip { text: look.describe()?, colour, help: departure })
    });
    let longest = shown.states.see::<Limits>().and_then(|limits| limits.limit).map(|limit| limit.symplectic);
    let steps = match info.stability_by(rule) {
        Stability::Damped => "damped cloth only".to_owned(),
        Stability::Conditional => longest
            .map_or_else(|| "short steps".to_owned(), |longest| format!("step < {} ms", significant(1e3 * longest))),
        Stability::Taut => "short steps under tension".to_owned(),
        Stability::Seen(_) | Stability::Proven(_) if info.gains_energy_on_contact() => {
            "any step without contact".to_owned()
        }
        Stability::Seen(_) | Stability::Proven(_) => "any step".to_owned(),
        Stability::Neutral => "any step, small motions".to_owned(),
    };
    cost.into_iter().chain(seen).chain([plain(steps)]).collect()
}

/// A solver in the menu: its name and `chips`, and below them its use if `is_told`; the whole row
/// is one button.
fn entry_row(ui: &mut Ui, info: &Info, is_current: bool, chips: &[Chip], is_told: bool) -> Response {
    let width = ui.available_width();
    let height = if is_told { ROW } else { FLAT_ROW };
    let row = ui.add_sized([width, height], Button::selectable(is_current, "").sense(Sense::click_and_drag()));
    row.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_current, info.name));
    let lay_out = |text: RichText, room: f32| {
        WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Truncate), room, TextStyle::Body)
    };
    let (left, middle) = (row.rect.left() + 6.0, row.rect.top() + if is_told { 0.28 * ROW } else { 0.5 * FLAT_ROW });
    let painter = ui.painter();
    let name = lay_out(RichText::new(info.name), NAME);
    painter.galley(pos2(left, middle - 0.5 * name.size().y), name, ui.visuals().text_color());
    let mut right = row.rect.right() - 6.0;
    for chip in chips.iter().rev() {
        let text = lay_out(RichText::new(&chip.text).small().color(chip.colour), width);
        let size = text.size() + vec2(12.0, 3.0);
        let place = egui::Rect::from_center_size(pos2(right - 0.5 * size.x, middle), size);
        painter.rect_filled(place, 6.0, CHIP);
        painter.galley(place.center() - 0.5 * text.size(), text, QUIET);
        right = place.left() - 5.0;
    }
    if is_told {
        // QUIET is not legible on the ground of the chosen row
        let colour = if is_current { Color32::WHITE } else { QUIET };
        let line = lay_out(RichText::new(info.headline()).small().color(colour), width - 12.0);
        painter.galley(pos2(left, row.rect.top() + 0.72 * ROW - 0.5 * line.size().y), line, QUIET);
    }
    let seen = chips.iter().filter_map(|chip| chip.help.as_deref());
    let help: Vec<&str> = std::iter::once(info.summary).chain(seen).collect();
    let facts: Vec<&str> = chips.iter().map(|chip| chip.text.as_str()).collect();
    ui.ctx().accesskit_node_builder(row.id, |node| node.set_description(facts.join(", ")));
    row.on_hover_text(help.join("\n"))
}

/// The solver that is dragged out of the menu; where it is let go over the cloth it becomes another
/// lane.
pub fn show_dragged(ui: &mut Ui, shown: &mut Shown) {
    let Some(dragged) = DragAndDrop::payload::<Dragged>(ui.ctx()) else { return };
    let Some(at) = ui.ctx().pointer_latest_pos() else { return };
    let is_over = shown.view.contains(at);
    let name = REGISTRY.iter().map(|entry| entry.info).find(|info| info.id == dragged.0).map_or("", |info| info.name);
    let can_add = shown.session.can_add_lane();
    let text = match (is_over, can_add) {
        (true, true) => format!("+ lane: {name}"),
        (true, false) => "There are four lanes, the most there can be".to_owned(),
        (false, _) => format!("{name}: let it go over the cloth for another lane"),
    };
    let area = Area::new(Id::new("dragged solver")).order(Order::Tooltip).interactable(false);
    area.fixed_pos(at + vec2(14.0, 10.0)).show(ui.ctx(), |ui| {
        egui::Frame::new().fill(OVERLAY).inner_margin(6).corner_radius(6).show(ui, |ui| {
            ui.add(Label::new(RichText::new(text).color(Color32::WHITE)).extend());
        });
    });
    if ui.input(|input| input.pointer.any_released()) {
        DragAndDrop::clear_payload(ui.ctx());
        if is_over && can_add {
            shown.session.add_lane_with(vec![Command::Solver { id: dragged.0.to_owned() }]);
        }
    }
}

/// Capabilities of a solver, beside its stability.
fn promises(ui: &mut Ui, frame: &Frame) {
    let (info, can) = (frame.solver, &frame.capabilities);
    egui::Grid::new("promises").num_columns(2).spacing([8.0, 2.0]).show(ui, |ui| {
        for (label, text) in [
            ("Source", info.source.to_owned()),
            ("Tests", info.stability.details().unwrap_or_default().to_owned()),
            ("Order", info.order_by(frame.parameters.timing.rule()).to_string()),
            ("Schemes", can.describe_schemes().to_owned()),
            ("Cost", info.cost.to_owned()),
            ("Contact", can.describe_contacts()),
            ("Cloth-cloth", can.cloth_contact.describe().to_owned()),
            ("Laws", info.describe_contact_laws()),
            ("Damping", can.damping.describe()),
            ("Bending", can.bending.describe()),
            ("Membrane", can.membrane.describe()),
        ] {
            if text.is_empty() {
                continue;
            }
            ui.label(RichText::new(label).small().color(QUIET));
            ui.add(Label::new(RichText::new(text).small()).wrap());
            ui.end_row();
        }
    });
}

/// Statistics of the last step, on one line, so that nothing below it moves; all of them under the
/// pointer.
fn last_step(ui: &mut Ui, stats: &StepStats, iterations: [&str; 2]) {
    let text = describe(stats, iterations);
    ui.add(Label::new(RichText::new(&text).small().color(QUIET)).truncate()).on_hover_text(&text);
}

/// Statistics of a step, in words.
fn describe(stats: &StepStats, [iteration, iterations]: [&str; 2]) -> String {
    let count = |n: u32, one: &str, more: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {more}") };
    let mut parts = vec![count(stats.substeps, "substep", "substeps"), count(stats.iterations, iteration, iterations)];
    if stats.rejected > 0 {
        parts.push(count(stats.rejected, "substep rejected", "substeps rejected"));
    }
    if stats.stretch_left > 0.0 {
        parts.push(format!("largest strain {:.1} %", 100.0 * stats.stretch_left));
    }
    if stats.torn > 0 {
        parts.push(count(stats.torn, "vertex torn", "vertices torn"));
    }
    if stats.waiting > 0 {
        parts.push(count(stats.waiting, "collider stopped", "colliders stopped"));
    }
    if stats.truncated > 0 {
        let held = count(stats.truncated, "vertex with truncated motion", "vertices with truncated motion");
        parts.push(format!("{held}, by up to {:.1} mm", 1e3 * stats.given_up));
    }
    if stats.touching > 0 {
        parts.push(count(stats.touching, "pair already in contact", "pairs already in contact"));
    }
    if stats.factorisations > 0 {
        let ms = 1e3 * stats.seconds[StepStage::Factor as usize];
        parts.push(format!("{} in {ms:.2} ms", count(stats.factorisations, "factorisation", "factorisations")));
    }
    if stats.updates > 0 {
        parts.push(count(stats.updates, "update of the factor", "updates of the factor"));
    }
    if stats.residual > 0.0 {
        parts.push(format!("residual {}", units::scientific(stats.residual, 1)));
    }
    if stats.unconverged > 0 {
        parts.push(count(stats.unconverged, "substep not converged", "substeps not converged"));
    }
    if stats.indefinite > 0 {
        parts.push(count(stats.indefinite, "indefinite matrix", "indefinite matrices"));
    }
    format!("Last step: {}.", parts.join(", "))
}
