//! Strip plots of what happened: energies, stretch, time per step, and how far the solver got, over the simulated time.

use egui::{Color32, Id, RichText, Stroke, Ui, Vec2b};
use egui_plot::{AxisHints, Line, LineStyle, Plot, PlotBounds, PlotPoints, VLine};

use super::style::QUIET;
use super::{Shown, note_place};
use crate::app::history::{Course, History, Sample};

/// Title of the panel.
pub const TITLE: &str = "Plots";
/// Colours of curves, told apart by all eyes (Okabe and Ito 2008, lightened for a dark ground).
const BLUE: Color32 = Color32::from_rgb(86, 180, 233);
const ORANGE: Color32 = Color32::from_rgb(230, 159, 0);
const GREEN: Color32 = Color32::from_rgb(0, 190, 140);
const WHITE: Color32 = Color32::from_rgb(225, 227, 232);
const GRID: Color32 = Color32::from_rgb(62, 66, 74);
const MARK: Color32 = Color32::from_rgb(224, 122, 78);

/// A curve: its name and colour, and its value in a sample.
struct Curve {
    name: &'static str,
    colour: Color32,
    value: fn(&Sample) -> f64,
}

/// A plot: its title with the unit, and its curves.
struct Strip {
    title: &'static str,
    curves: &'static [Curve],
}

const STRIPS: &[Strip] = &[
    Strip {
        title: "Energy [J]",
        curves: &[
            Curve { name: "total", colour: WHITE, value: |s| s.kinetic + s.elastic + s.potential },
            Curve { name: "kinetic", colour: BLUE, value: |s| s.kinetic },
            Curve { name: "elastic", colour: ORANGE, value: |s| s.elastic },
            Curve { name: "potential", colour: GREEN, value: |s| s.potential },
        ],
    },
    Strip { title: "Largest stretch [%]", curves: &[Curve { name: "stretch", colour: ORANGE, value: |s| s.stretch }] },
    Strip {
        title: "Step [ms]",
        curves: &[
            Curve { name: "all", colour: WHITE, value: |s| s.step_ms },
            Curve { name: "contact", colour: BLUE, value: |s| s.contact_ms },
        ],
    },
    Strip { title: "Iterations", curves: &[Curve { name: "iterations", colour: GREEN, value: |s| s.iterations }] },
];

/// The drawer.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let history = &mut *shown.history;
    ui.horizontal(|ui| {
        let keep = ui.button("Keep").on_hover_text("Keep these curves, faint, to compare a change with");
        note_place(ui, "keep curves", keep.rect);
        if keep.clicked() {
            history.kept = Some(history.now.clone());
        }
        if history.kept.is_some() && ui.button("Drop kept").clicked() {
            history.kept = None;
        }
        if ui.button("Copy CSV").on_hover_text("All numbers, as text, into the clipboard").clicked() {
            ui.ctx().copy_text(history.now.csv());
        }
        let text = match history.now.marks.last() {
            Some(mark) => format!("Last change at {:.2} s: {}", mark.time, mark.what),
            None => "A line marks each change of solver or parameter".to_owned(),
        };
        ui.add(egui::Label::new(RichText::new(text).small().color(QUIET)).truncate());
    });
    let (width, height) = (ui.available_width(), ui.available_height() - 4.0);
    let strips = if width < 760.0 { &STRIPS[..2] } else { STRIPS };
    let each = (width - 8.0 * (strips.len() - 1) as f32) / strips.len() as f32;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        for strip in strips {
            ui.vertical(|ui| {
                ui.set_width(each);
                draw(ui, strip, history, [each, height]);
            });
        }
    });
}

fn draw(ui: &mut Ui, strip: &Strip, history: &History, [width, height]: [f32; 2]) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label(RichText::new(strip.title).small().strong());
        if strip.curves.len() > 1 {
            for curve in strip.curves {
                ui.label(RichText::new(curve.name).small().color(curve.colour));
            }
        }
    });
    let from = history.now.samples.front().map_or(0.0, |sample| sample.time);
    let to = history.now.samples.back().map_or(1.0, |sample| sample.time).max(from + 1e-3);
    let curves = strip.curves;
    let group = Id::new("plots");
    let [low, high] = bounds(strip, &history.now, history.kept.as_ref());
    Plot::new(strip.title)
        .width(width)
        .height((height - 22.0).max(40.0))
        .custom_x_axes(vec![
            AxisHints::new_x().formatter(|mark, _| format!("{} s", super::rows::significant(mark.value))),
        ])
        .custom_y_axes(vec![
            AxisHints::new_y().formatter(|mark, _| super::rows::significant(mark.value)).min_thickness(34.0),
        ])
        .grid_color(GRID)
        .grid_fade(0.0)
        .show_background(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .link_cursor(group, Vec2b::new(true, false))
        .show(ui, move |plot| {
            plot.set_plot_bounds(PlotBounds::from_min_max([from, low], [to, high]));
            for mark in history.now.marks.iter().filter(|mark| mark.time >= from) {
                plot.vline(
                    VLine::new(mark.what.clone(), mark.time)
                        .stroke(Stroke::new(1.0, MARK))
                        .style(LineStyle::dotted_dense()),
                );
            }
            if let Some(kept) = &history.kept {
                for curve in curves {
                    let faint = curve.colour.gamma_multiply(0.35);
                    plot.line(
                        Line::new(format!("{} (kept)", curve.name), points(kept, curve))
                            .stroke(Stroke::new(1.2, faint)),
                    );
                }
            }
            for curve in curves {
                plot.line(Line::new(curve.name, points(&history.now, curve)).stroke(Stroke::new(1.6, curve.colour)));
            }
        });
}

fn points(course: &Course, curve: &Curve) -> PlotPoints<'static> {
    let point = |sample: &Sample| [sample.time, (curve.value)(sample)];
    course.samples.iter().map(point).filter(|point| point[1].is_finite()).collect()
}

/// The least and the greatest value, zero among them, with a little room; a few wild ones, as after a blow-up, are cut off.
fn bounds(strip: &Strip, now: &Course, kept: Option<&Course>) -> [f64; 2] {
    let courses = std::iter::once(now).chain(kept);
    let values =
        courses.flat_map(|course| strip.curves.iter().flat_map(|curve| course.samples.iter().map(curve.value)));
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else { return [0.0, 1.0] };
    let (least, most) = (values[0], values[last - last / 500]);
    let (low, high) = (least.min(0.0), most.max(0.0));
    let room = 0.06 * (high - low).max(1e-9);
    [low - room, high + room]
}
