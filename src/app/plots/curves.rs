//! The data of a plot: curves of the chosen lane, or with several lanes one curve of each in its
//! colour.

use std::collections::VecDeque;

use egui::Color32;

use super::catalogue::{Curve, Of, PlotKind, Value};
use super::history::History;
use super::samples::{Sample, Series};
use crate::app::session::{SessionHandle, letter};
use crate::app::view::lane_layout::tint;
use crate::documents::{Plot, PlotCurve, PlotStyle, real_time_rule};
use crate::session::captions;

/// Simulated time that a moving window shows [s].
pub const SECONDS: f64 = 5.0;

/// Time span and quantity of a plot.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choice {
    /// Whether all that is kept is shown, instead of the last seconds.
    pub all: bool,
    /// The quantity that is compared, where there are several lanes: its place among
    /// [`quantities`].
    pub quantity: usize,
}

/// A curve that lanes can be compared by: its name, and its value in a sample.
pub type Compared = (String, Value);

/// Colour of a lane, as its card has it.
pub fn colour_of_lane(slot: usize) -> [u8; 3] {
    tint(slot).map(|part| (255.0 * part).round() as u8)
}

/// Names of the lanes by their places: solver, and differences.
pub fn names_of_lanes(session: &SessionHandle) -> Vec<String> {
    let lanes = session.lanes();
    if let [lane] = &lanes[..] {
        return vec![lane.frame.solver.name.to_owned()];
    }
    captions(&lanes.iter().map(|lane| &**lane.frame).collect::<Vec<_>>())
}

/// Quantities by which lanes can be compared in a plot.
pub fn quantities(kind: &PlotKind, history: &History) -> Vec<Compared> {
    let whole = kind.whole.map(|(name, value)| (name.to_owned(), value));
    let curves = named(kind, history.now()).map(|(curve, name)| (name, curve.value));
    whole.into_iter().chain(curves).collect()
}

/// The curves of a plot that stand for something, with their names.
fn named<'a>(kind: &'a PlotKind, series: &'a Series) -> impl Iterator<Item = (&'a Curve, String)> {
    kind.curves.iter().enumerate().filter_map(|(place, curve)| {
        let name = match kind.of {
            Of::Vertices => format!("vertex {}", series.probed.get(place).copied().flatten()?),
            Of::Cloth | Of::Lanes => curve.name.to_owned(),
        };
        Some((curve, name))
    })
}

/// The data of a plot; `names` are those of the lanes, by their places.
pub fn plot(kind: &PlotKind, history: &History, names: &[String], choice: Choice) -> Plot {
    let window = window(history, choice.all);
    let (unit, factor) = kind.unit;
    let points = |series: &Series, value: Value| points(&series.samples, window, |s| factor * value.of(s));
    let curve =
        |name: String, colour: [u8; 3], faint: bool, points: Vec<[f64; 2]>| PlotCurve { name, colour, faint, points };
    let mut curves = Vec::new();
    let (mut title, mut style) = (kind.title.to_owned(), kind.style);
    if names.len() > 1 {
        let quantities = quantities(kind, history);
        if let Some((quantity, value)) = quantities.get(choice.quantity).or(quantities.first()) {
            if quantities.len() > 1 {
                title = format!("{title}, {quantity}");
            }
            for (slot, series) in history.kept.iter().filter(|(slot, _)| *slot < names.len()) {
                let name = format!("{} (kept)", names[*slot]);
                curves.push(curve(name, colour_of_lane(*slot), true, points(series, *value)));
            }
            for lane in history.lanes().iter().filter(|lane| lane.slot < names.len()) {
                let points = points(&lane.series, *value);
                // a lane is no distance from itself
                if kind.of != Of::Lanes || points.iter().any(|point| point[1].is_finite()) {
                    curves.push(curve(names[lane.slot].clone(), colour_of_lane(lane.slot), false, points));
                }
            }
        }
        if style == PlotStyle::Stacked {
            style = PlotStyle::Lines;
        }
    } else {
        let kept = history.kept.first().filter(|_| kind.style != PlotStyle::Stacked);
        for (of, name) in kept.iter().flat_map(|(_, series)| named(kind, series)) {
            let name = format!("{name} (kept)");
            curves.extend(kept.map(|(_, series)| curve(name, rgb(of.colour), true, points(series, of.value))));
        }
        for (of, name) in named(kind, history.now()) {
            curves.push(curve(name, rgb(of.colour), false, points(history.now(), of.value)));
        }
    }
    let is_time = kind.style == PlotStyle::Stacked;
    let step = history.now().samples.back().filter(|_| is_time && !curves.is_empty());
    let rule = step.map(|sample| real_time_rule(1e-3 * sample.tick_ms));
    let of = history.lanes().iter().find(|lane| lane.is_chosen && names.len() > 1);
    let of = of.map_or_else(String::new, |lane| format!("{}: ", letter(lane.slot)));
    let words = |what: &str| format!("{of}{}", what.replace('_', " "));
    let marks = history.now().marks.iter().map(|mark| (mark.time, words(&mark.what))).collect();
    Plot { title, unit: unit.to_owned(), style, curves, window, marks, rule }
}

/// The times that are shown: a moment of the past is among them.
fn window(history: &History, all: bool) -> [f64; 2] {
    let ends = |end: fn(&VecDeque<Sample>) -> Option<&Sample>| {
        history.lanes().iter().filter_map(move |lane| end(&lane.series.samples)).map(|sample| sample.time())
    };
    let start = ends(VecDeque::front).fold(f64::INFINITY, f64::min);
    let end = ends(VecDeque::back).fold(f64::NEG_INFINITY, f64::max);
    let past = history.past.filter(|past| *past < end - SECONDS).map(|past| past + 0.5 * SECONDS);
    Plot::window(start, if all { end } else { past.unwrap_or(end) }, (!all).then_some(SECONDS))
}

/// The points of a curve in a window, with the nearest one at either side.
fn points(samples: &VecDeque<Sample>, [from, to]: [f64; 2], value: impl Fn(&Sample) -> f64) -> Vec<[f64; 2]> {
    let first = samples.partition_point(|sample| sample.time() < from).saturating_sub(1);
    let last = (samples.partition_point(|sample| sample.time() <= to) + 1).min(samples.len());
    samples.range(first..last.max(first)).map(|sample| [sample.time(), value(sample)]).collect()
}

fn rgb(colour: Color32) -> [u8; 3] {
    let [r, g, b, _] = colour.to_array();
    [r, g, b]
}
