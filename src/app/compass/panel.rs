//! Stability: where methods hold in the plane of time step and stiffness, a dot at the present
//! place, which can be dragged, and exact limits.

use egui::{Color32, ProgressBar, Rect, RichText, Stroke, Ui, vec2};

use super::chart::{Place, chart_of, nearest_border};
use super::{Compass, ShownRegion};
use crate::app::compass;
use crate::app::desk::Shown;
use crate::app::session::SessionHandle;
use crate::app::widgets::chart::{self, solver_colour};
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::documents::Key;
use crate::sim::Real;
use crate::sim::params::units::{quantity, significant};
use crate::sim::pattern::Family;
use crate::sim::solvers::{REGISTRY, name_of};
use crate::sim::study::compass::{Break, Chart, Point};
use crate::sim::study::stability::{largest_stiffness, with_stiffness};

/// Title of the window.
pub const TITLE: &str = "Stability";
/// How near the pointer has to be to the dot to mean it [points].
const NEAR: f32 = 14.0;

/// The window.
pub fn show(compass: &mut Compass, ui: &mut Ui, shown: &mut Shown) {
    let (session, view) = (&mut *shown.session, shown.view);
    let height = (0.5 * view.height()).clamp(150.0, 320.0);
    let chart = compass::chart_of(session.frame());
    let regions = compass.tend(session);
    compass.is_drawn = true;
    ui.label(
        RichText::new(
            "Stability of each method by time step and stiffness: 300 steps of the scene from its start, on copies. The shaded side of a border is unstable. Drag the dot to set both values; click a border for the spring that fails there.",
        )
        .small()
        .color(QUIET),
    );
    // an upright name of the axis, above it, since a turned one would meet the labels
    ui.label(RichText::new("↑ Stiffness of the stiffest springs, by time step →").small().color(QUIET));
    let keys = draw(ui, compass, session, &chart, &regions, height);
    legend(ui, compass, session, &regions, &keys);
    say(ui, compass);
    compass.search.show(ui, session);
}

/// The chart: the regions of the solvers, and the dot of the cloth as it is. Returns its legend.
fn draw(
    ui: &mut Ui,
    compass: &mut Compass,
    session: &mut SessionHandle,
    plane: &Chart,
    regions: &[ShownRegion],
    height: f32,
) -> Vec<Key> {
    let drawn = chart_of(plane, regions, session.frame().solver.id);
    let (at, response) = chart::allocate(ui, &drawn, [ui.available_width(), height]);
    let (place, frame) = (Place { place: at, chart: *plane }, at.frame());
    // not clipped, since the dot and the labels reach beyond the axes
    let painter = ui.painter();
    chart::paint(painter, &drawn, &at);
    let present = [session.parameters().timing.time_step, largest_stiffness(&session.parameters().material)];
    let has_stiffness = present[1] > 0.0;
    let dot = place.of(plane.point(present).map(|x| if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 }));
    if has_stiffness {
        let is_held = compass.dragged.is_some();
        painter.circle(dot, if is_held { 8.0 } else { 6.0 }, ACCENT, Stroke::new(2.0, Color32::WHITE));
        note_place(ui, "compass dot", Rect::from_center_size(dot, vec2(12.0, 12.0)));
    }
    note_place(ui, "compass chart", frame);
    let pointer = response.interact_pointer_pos();
    let pressed = ui.input(|input| input.pointer.press_origin());
    if response.drag_started() && has_stiffness && pressed.is_some_and(|at| at.distance(dot) <= NEAR) {
        compass.dragged = Some(session.parameters().material);
    }
    if let (Some(material), Some(at)) = (compass.dragged, pointer.filter(|_| response.dragged())) {
        let [step, stiffness] = plane.values(place.point(at)).map(three_digits);
        let mut parameters = *session.parameters();
        parameters.timing.time_step = step.clamp(plane.time_steps[0], plane.time_steps[1]);
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
        response.on_hover_ui_at_pointer(|ui| hovered(ui, plane, regions, point));
    }
    drawn.legend
}

/// The methods that are stable at a point.
fn hovered(ui: &mut Ui, chart: &Chart, regions: &[ShownRegion], point: Point) {
    let [step, stiffness] = chart.values(point);
    ui.label(format!("{} ms, {}", significant(1e3 * step), quantity(stiffness, "N/m")));
    for shown in regions {
        let holds = shown.region.as_ref().and_then(|region| region.holds_at(point));
        let Some(holds) = holds else { continue };
        let what = if holds { "stable" } else { "unstable" };
        ui.label(
            RichText::new(format!("{}: {what}", name_of(shown.solver))).color(solver_colour(shown.solver)).small(),
        );
    }
}

/// The methods that are shown, and how far the search is.
fn legend(ui: &mut Ui, compass: &mut Compass, session: &SessionHandle, regions: &[ShownRegion], keys: &[Key]) {
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
        for (shown, Key { name, sign }) in regions.iter().zip(keys) {
            let is_whole = shown.region.is_some() && shown.progress.is_none();
            let has_border = shown.region.as_ref().is_some_and(|region| !region.border().is_empty());
            let text = if is_whole && !has_border {
                let holds = shown.region.as_ref().and_then(|region| region.holds_at([0.0, 0.0])) == Some(true);
                format!("{name}: {}", if holds { "stable everywhere" } else { "unstable everywhere" })
            } else {
                name.clone()
            };
            chart::key(ui, sign, RichText::new(text).small());
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

/// `x` to three digits.
fn three_digits(x: Real) -> Real {
    let unit = Real::powi(10.0, x.log10().floor() as i32 - 2);
    (x / unit).round() * unit
}
