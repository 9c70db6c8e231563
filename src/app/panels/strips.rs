//! One strip plot: its curves, what they are called, their values under the pointer.

use egui::{Color32, Id, Label, Rangef, RichText, Stroke, Ui, Vec2b};
use egui_plot::{
    AxisHints, FilledArea, GridInput, GridMark, HLine, Line, LineStyle, Plot, PlotBounds, PlotPoints, PlotUi, VLine,
};

use super::rows::significant;
use super::style::{ACCENT, QUIET};
use crate::app::course::{Course, Sample};
use crate::app::history::History;
use crate::sim::params::units;
use crate::sim::solver::Stage;

/// Colours of curves, told apart by all eyes (Okabe and Ito 2008, lightened for a dark ground).
const BLUE: Color32 = Color32::from_rgb(86, 180, 233);
const ORANGE: Color32 = Color32::from_rgb(230, 159, 0);
const GREEN: Color32 = Color32::from_rgb(0, 190, 140);
const WHITE: Color32 = Color32::from_rgb(225, 227, 232);
const YELLOW: Color32 = Color32::from_rgb(240, 228, 66);
const RED: Color32 = Color32::from_rgb(220, 110, 60);
const PINK: Color32 = Color32::from_rgb(204, 121, 167);
const GRID: Color32 = Color32::from_rgb(62, 66, 74);
const MARK: Color32 = Color32::from_rgb(224, 122, 78);

/// A curve: its name and colour, and its value in a sample.
pub struct Curve {
    pub(super) name: &'static str,
    pub(super) colour: Color32,
    pub(super) value: fn(&Sample) -> f64,
}

/// How the curves of a strip are drawn.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Style {
    Lines,
    /// Lines over the logarithm to base ten.
    Logarithmic,
    /// Areas on top of each other.
    Stacked,
}

/// What a strip is about.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Of {
    /// The chosen lane.
    Cloth,
    /// All lanes, where there are several.
    Lanes,
    /// The vertices that are looked at, a curve each.
    Vertices,
}

/// A plot.
pub struct Strip {
    /// What it is called.
    pub name: &'static str,
    /// What it shows.
    pub help: &'static str,
    pub(super) title: &'static str,
    pub(super) style: Style,
    pub(super) curves: &'static [Curve],
    pub(super) of: Of,
}

/// All strips.
pub const STRIPS: &[Strip] = &[
    Strip {
        name: "energy",
        help: "Energies by kind, and their sum",
        title: "Energy [J]",
        style: Style::Lines,
        curves: &[
            Curve { name: "total", colour: WHITE, value: Sample::total },
            Curve { name: "kinetic", colour: BLUE, value: |s| s.kinetic },
            Curve { name: "elastic", colour: ORANGE, value: |s| s.elastic },
            Curve { name: "potential", colour: GREEN, value: |s| s.potential },
        ],
        of: Of::Cloth,
    },
    Strip {
        name: "work",
        help: "Work done on the cloth by the hand and the air since the start. Work in minus energy stored = energy lost to damping.",
        title: "Work [J]",
        style: Style::Lines,
        curves: &[
            Curve { name: "hand", colour: PINK, value: |s| s.hand_work },
            Curve { name: "air", colour: YELLOW, value: |s| s.air_work },
        ],
        of: Of::Cloth,
    },
    Strip {
        name: "stretch",
        help: "Strain of the structural springs: the largest, and the mean",
        title: "Stretch [%]",
        style: Style::Lines,
        curves: &[
            Curve { name: "largest", colour: ORANGE, value: |s| s.stretch },
            Curve { name: "mean", colour: BLUE, value: |s| s.mean_stretch },
        ],
        of: Of::Cloth,
    },
    Strip {
        name: "step",
        help: "Time of each stage of a step, stacked; above the line of the time step the cloth is slower than real time",
        title: "Step [ms]",
        style: Style::Stacked,
        curves: &[
            Curve { name: "forces", colour: BLUE, value: |s| sum(s, &[Stage::External, Stage::Assemble]) },
            Curve { name: "factor", colour: PINK, value: |s| sum(s, &[Stage::Factor]) },
            Curve { name: "local", colour: YELLOW, value: |s| sum(s, &[Stage::Local]) },
            Curve { name: "solve", colour: ORANGE, value: |s| sum(s, &[Stage::Solve]) },
            Curve {
                name: "contact",
                colour: GREEN,
                value: |s| sum(s, &[Stage::Contact, Stage::Detection, Stage::Truncation]),
            },
            Curve { name: "other", colour: RED, value: |s| sum(s, &[Stage::Stretch, Stage::Tearing]) },
        ],
        of: Of::Cloth,
    },
    Strip {
        name: "speed",
        help: "Real-time factor: simulated seconds per second, averaged over about a second",
        title: "Real-time factor",
        style: Style::Lines,
        curves: &[Curve { name: "speed", colour: BLUE, value: |s| s.speed }],
        of: Of::Cloth,
    },
    Strip {
        name: "iterations",
        help: "Iterations, or sweeps, of the solver per step",
        title: "Iterations or sweeps",
        style: Style::Lines,
        curves: &[Curve { name: "iterations", colour: GREEN, value: |s| s.iterations }],
        of: Of::Cloth,
    },
    Strip {
        name: "residual",
        help: "Residual of the equations after a step, in the solver's own measure",
        title: "Residual",
        style: Style::Logarithmic,
        curves: &[Curve { name: "residual", colour: ORANGE, value: |s| s.residual }],
        of: Of::Cloth,
    },
    Strip {
        name: "lanes",
        help: "Total energy of each lane, if there are several",
        title: "Energy of lanes [J]",
        style: Style::Lines,
        curves: &[
            Curve { name: "A", colour: RED, value: |s| s.lanes.energy[0] },
            Curve { name: "B", colour: BLUE, value: |s| s.lanes.energy[1] },
            Curve { name: "C", colour: GREEN, value: |s| s.lanes.energy[2] },
            Curve { name: "D", colour: PINK, value: |s| s.lanes.energy[3] },
        ],
        of: Of::Lanes,
    },
    Strip {
        name: "distance",
        help: "Distance of each lane from the reference: root mean square over the vertices",
        title: "Distance [mm]",
        style: Style::Lines,
        curves: &[
            Curve { name: "A", colour: RED, value: |s| s.lanes.distance[0] },
            Curve { name: "B", colour: BLUE, value: |s| s.lanes.distance[1] },
            Curve { name: "C", colour: GREEN, value: |s| s.lanes.distance[2] },
            Curve { name: "D", colour: PINK, value: |s| s.lanes.distance[3] },
        ],
        of: Of::Lanes,
    },
    Strip {
        name: "height",
        help: "Height of the inspected vertices; a click on the cloth adds one",
        title: "Height [m]",
        style: Style::Lines,
        curves: &[
            Curve { name: "1", colour: GREEN, value: |s| s.probes[0].position[1] },
            Curve { name: "2", colour: BLUE, value: |s| s.probes[1].position[1] },
            Curve { name: "3", colour: PINK, value: |s| s.probes[2].position[1] },
            Curve { name: "4", colour: RED, value: |s| s.probes[3].position[1] },
        ],
        of: Of::Vertices,
    },
    Strip {
        name: "velocity",
        help: "Speed of the inspected vertices",
        title: "Speed [m/s]",
        style: Style::Lines,
        curves: &[
            Curve { name: "1", colour: GREEN, value: |s| s.probes[0].speed },
            Curve { name: "2", colour: BLUE, value: |s| s.probes[1].speed },
            Curve { name: "3", colour: PINK, value: |s| s.probes[2].speed },
            Curve { name: "4", colour: RED, value: |s| s.probes[3].speed },
        ],
        of: Of::Vertices,
    },
];

fn sum(sample: &Sample, stages: &[Stage]) -> f64 {
    stages.iter().map(|stage| sample.stages[*stage as usize]).sum()
}

/// Draws a strip with its title in a `width` and a `height` [points].
pub fn draw(ui: &mut Ui, strip: &Strip, history: &History, [width, height]: [f32; 2]) {
    let hovered = Hovered::read(ui);
    title(ui, strip, history, hovered.and_then(|time| history.now.at(time)));
    let from = history.now.samples.front().map_or(0.0, |sample| sample.time);
    let to = history.now.samples.back().map_or(1.0, |sample| sample.time).max(from + 1e-3);
    let [low, high] = bounds(strip, &history.now, history.kept.as_ref());
    let logarithmic = strip.style == Style::Logarithmic;
    let number = move |mark: GridMark| {
        if logarithmic {
            units::power_of_ten(mark.value.round() as i32)
        } else {
            significant(round_off(mark.value, mark.step_size))
        }
    };
    let plot = Plot::new(strip.title)
        .width(width)
        .height((height - 22.0).max(40.0))
        .custom_x_axes(vec![
            AxisHints::new_x().formatter(|mark, _| format!("{} s", significant(round_off(mark.value, mark.step_size)))),
        ])
        .custom_y_axes(vec![
            AxisHints::new_y()
                .formatter(move |mark, _| number(mark))
                .min_thickness(34.0)
                .label_spacing(Rangef::new(8.0, 14.0)),
        ])
        .x_grid_spacer(move |input| even_marks(&input, f64::from(width) / 70.0))
        .y_grid_spacer(
            move |input| if logarithmic { decades(&input) } else { even_marks(&input, f64::from(height) / 24.0) },
        )
        .grid_color(GRID)
        .grid_fade(0.0)
        .show_background(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .link_cursor(Id::new("plots"), Vec2b::new(true, false));
    let plot = plot.show(ui, |plot| {
        plot.set_plot_bounds(PlotBounds::from_min_max([from, low], [to, high]));
        for mark in history.now.marks.iter().filter(|mark| mark.time >= from) {
            let line = VLine::new(mark.what.clone(), mark.time).stroke(Stroke::new(1.0, MARK));
            plot.vline(line.style(LineStyle::dotted_dense()));
        }
        if let Some(time) = history.past.filter(|time| *time >= from) {
            plot.vline(VLine::new("here", time).stroke(Stroke::new(1.5, ACCENT)));
        }
        match strip.style {
            Style::Stacked => stack(plot, strip, &history.now),
            Style::Lines | Style::Logarithmic => lines(plot, strip, history),
        }
    });
    if let Some(at) = plot.response.hover_pos() {
        Hovered::write(ui, plot.transform.value_from_position(at).x);
    }
}

/// The time under the pointer, in whichever strip it is.
struct Hovered;

impl Hovered {
    fn id() -> Id {
        Id::new("hovered time of plots")
    }

    fn read(ui: &Ui) -> Option<f64> {
        let (frame, time): (u64, f64) = ui.data(|data| data.get_temp(Self::id()))?;
        (ui.ctx().cumulative_frame_nr() <= frame + 1).then_some(time)
    }

    fn write(ui: &Ui, time: f64) {
        let frame = ui.ctx().cumulative_frame_nr();
        ui.data_mut(|data| data.insert_temp(Self::id(), (frame, time)));
    }
}

/// The title, and the names of the curves in their colours, with their values at the time under the pointer.
fn title(ui: &mut Ui, strip: &Strip, history: &History, at: Option<&Sample>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 7.0;
        ui.label(RichText::new(strip.title).small().strong());
        let is_there = |(curve, _): &(&Curve, String)| {
            let mut values = history.now.samples.iter().map(curve.value);
            strip.style != Style::Stacked || values.any(|value| value > 0.0)
        };
        let mut text = egui::text::LayoutJob::default();
        let curves = named(strip, &history.now).filter(is_there);
        for (curve, name) in curves.filter(|(_, name)| strip.curves.len() > 1 || at.is_some() || *name != strip.name) {
            let value = at.map(|sample| (curve.value)(sample)).filter(|value| value.is_finite());
            let value = value.map_or(String::new(), |value| format!(" {}", significant(value)));
            let name = if strip.curves.len() > 1 { name } else { String::new() };
            let format = egui::TextFormat::simple(egui::FontId::proportional(11.0), curve.colour);
            text.append(&format!("{name}{value}"), 7.0, format);
        }
        if strip.of == Of::Vertices && history.now.probed.iter().all(Option::is_none) {
            let format = egui::TextFormat::simple(egui::FontId::proportional(11.0), QUIET);
            text.append("click the cloth", 7.0, format);
        }
        ui.add(Label::new(text).truncate());
    });
}

/// The curves of a strip that stand for something, with their names.
pub(super) fn named<'a>(strip: &'a Strip, course: &'a Course) -> impl Iterator<Item = (&'a Curve, String)> {
    strip.curves.iter().enumerate().filter_map(|(place, curve)| {
        let name = match strip.of {
            Of::Vertices => format!("vertex {}", course.probed.get(place).copied().flatten()?),
            Of::Cloth | Of::Lanes => curve.name.to_owned(),
        };
        Some((curve, name))
    })
}

fn lines(plot: &mut PlotUi, strip: &Strip, history: &History) {
    if let Some(kept) = &history.kept {
        for curve in strip.curves {
            let faint = Stroke::new(1.2, curve.colour.gamma_multiply(0.35));
            plot.line(Line::new(format!("{} (kept)", curve.name), points(kept, strip, curve)).stroke(faint));
        }
    }
    for curve in strip.curves {
        plot.line(Line::new(curve.name, points(&history.now, strip, curve)).stroke(Stroke::new(1.6, curve.colour)));
    }
}

/// The curves as areas, each on those before it, and the tick.
fn stack(plot: &mut PlotUi, strip: &Strip, course: &Course) {
    let times: Vec<f64> = course.samples.iter().map(|sample| sample.time).collect();
    let mut floor = vec![0.0; times.len()];
    for curve in strip.curves {
        let ceiling: Vec<f64> =
            course.samples.iter().zip(&floor).map(|(sample, floor)| floor + (curve.value)(sample)).collect();
        if ceiling != floor {
            let area =
                FilledArea::new(curve.name, &times, &floor, &ceiling).fill_color(curve.colour.gamma_multiply(0.85));
            plot.add(area);
        }
        floor = ceiling;
    }
    if let Some(last) = course.samples.back() {
        plot.hline(HLine::new("tick", last.tick_ms).stroke(Stroke::new(1.2, WHITE)).style(LineStyle::dashed_loose()));
    }
}

/// Value of a curve as it is drawn.
pub(super) fn drawn(strip: &Strip, value: f64) -> f64 {
    if strip.style == Style::Logarithmic { value.log10() } else { value }
}

fn points(course: &Course, strip: &Strip, curve: &Curve) -> PlotPoints<'static> {
    let point = |sample: &Sample| [sample.time, drawn(strip, (curve.value)(sample))];
    course.samples.iter().map(point).filter(|point| point[1].is_finite()).collect()
}

/// The least and the greatest value, zero among them unless they are logarithms, with a little room; a few wild ones, as after a blow-up,
/// are cut off.
pub(super) fn bounds(strip: &Strip, now: &Course, kept: Option<&Course>) -> [f64; 2] {
    let samples = now.samples.iter().chain(kept.into_iter().flat_map(|course| &course.samples));
    let mut values: Vec<f64> = if strip.style == Style::Stacked {
        samples.map(|sample| strip.curves.iter().map(|curve| (curve.value)(sample)).sum()).collect()
    } else {
        samples.flat_map(|sample| strip.curves.iter().map(|curve| drawn(strip, (curve.value)(sample)))).collect()
    };
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else { return [0.0, 1.0] };
    let (least, most) = (values[0], values[last - last / 500]);
    if strip.style == Style::Logarithmic {
        return [least.floor() - 0.3, most.ceil() + 0.3];
    }
    let (low, high) = (least.min(0.0), most.max(0.0));
    let room = 0.06 * (high - low).max(1e-9);
    [if low < 0.0 { low - room } else { 0.0 }, high + room]
}

/// Some `count` marks at round numbers.
fn even_marks(input: &GridInput, count: f64) -> Vec<GridMark> {
    let steps = even_steps(input.bounds.0, input.bounds.1, count);
    let step_size = steps.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
    steps.into_iter().map(|value| GridMark { value, step_size }).collect()
}

/// Some `count` round numbers between two.
pub(super) fn even_steps(low: f64, high: f64, count: f64) -> Vec<f64> {
    let rough = (high - low) / count.max(1.0);
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let power = 10_f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|k| k as f64 * step).take_while(|value| *value <= high).take(50).collect()
}

/// A mark per power of ten, of every other where there are many.
fn decades(input: &GridInput) -> Vec<GridMark> {
    let (low, high) = (input.bounds.0.ceil() as i64, input.bounds.1.floor() as i64);
    let every = 1 + (high - low).max(0) as usize / 5;
    (low..=high).step_by(every).map(|k| GridMark { value: k as f64, step_size: every as f64 }).collect()
}

/// A multiple of a step without the rounding errors of the multiplication.
fn round_off(value: f64, step: f64) -> f64 {
    if value.abs() < 1e-6 * step { 0.0 } else { value }
}
