//! Charts as data, which pages (SVG, PDF) and the window draw from the same shapes: plots over
//! time, cost against error, stability, convergence.

mod axis;
mod chart;
mod convergence;
mod figure;
mod fit_chart;
mod fonts;
mod frame;
mod item;
mod look;
mod metrics;
mod page;
mod pdf;
mod shape;
mod specimen;
mod stability_chart;
mod svg;
mod trade_off;
mod windows_chart;

pub use axis::{Limits, even_steps, tick_label};
pub use chart::{Axis, Chart, Scale};
pub use convergence::{Over, convergence_chart};
pub use figure::Figure;
pub use fit_chart::fit_chart;
pub use frame::Frame;
pub use item::{Form, Item, Pen};
pub use look::{Colour, Look, on_white, solver_colour};
pub use page::{Drawing, Key, Sign};
pub use shape::{Anchor, Shape};
pub(in crate::documents) use specimen::{SpecimenPicture, View};
pub use stability_chart::{ChartRegion, StabilityChart, stability_chart};
pub(in crate::documents) use svg::escaped;
pub use trade_off::{Candidate, CandidateState, TradeOff};
pub use windows_chart::WindowsChart;

use crate::sim::params::units;

/// Colours of marks and of values to compare with.
const MARK: Colour = [224, 122, 78];
const RULE: Colour = [225, 227, 232];
/// Rates of displays [Hz].
const DISPLAYS: [f64; 10] = [24.0, 25.0, 30.0, 50.0, 60.0, 72.0, 75.0, 90.0, 120.0, 144.0];
/// Share of a value to compare with that the values have to reach for it to be on the axis.
const NEAR: f64 = 0.1;
/// Share of the width that two triangles at the edge are apart at least.
const APART: f64 = 0.02;

/// How the curves of a plot are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotStyle {
    /// Lines over a linear axis.
    Lines,
    /// Lines over the logarithm to base ten.
    Logarithmic,
    /// Areas on top of each other; all curves have the same times.
    Stacked,
}

/// A curve of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotCurve {
    /// Name in the legend.
    pub name: String,
    /// Red, green and blue.
    pub colour: [u8; 3],
    /// Whether it is drawn faintly and stands in no legend, as one that is compared with.
    pub faint: bool,
    /// Time [s] and value, by rising time. Unknown values are NaN.
    pub points: Vec<[f64; 2]>,
}

/// Curves over time with common axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The quantity, like "Energy".
    pub title: String,
    /// Unit of the values, without prefix; empty for pure numbers.
    pub unit: String,
    /// How curves are drawn.
    pub style: PlotStyle,
    /// The curves.
    pub curves: Vec<PlotCurve>,
    /// Times at the left and right edge [s].
    pub window: [f64; 2],
    /// Times [s] and names of changes.
    pub marks: Vec<(f64, String)>,
    /// A value to compare with, and its name.
    pub rule: Option<(f64, String)>,
}

/// The value that times per step are compared with: a time step [s], with its name in milliseconds.
/// A time step that is a frame of a display is called so.
#[must_use]
pub fn real_time_rule(time_step: f64) -> (f64, String) {
    let rate = (1.0 / time_step).round();
    let is_frame = DISPLAYS.contains(&rate) && (rate * time_step - 1.0).abs() < 1e-3;
    let of = if is_frame { format!("one frame at {rate} Hz") } else { "one time step".to_owned() };
    (time_step, format!("{} ms: {of}", units::significant(1e3 * time_step)))
}

/// The values of some curves that lie beyond the limits of their plot.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Beyond {
    /// The largest above the upper limit.
    pub above: Option<f64>,
    /// The smallest below the lower one.
    pub below: Option<f64>,
}

impl Plot {
    /// The last `seconds` up to `end` [s], or everything from `start` [s] on. The width stays while
    /// there is less than that to show.
    #[must_use]
    pub fn window(start: f64, end: f64, seconds: Option<f64>) -> [f64; 2] {
        let (start, end) = (if start.is_finite() { start } else { 0.0 }, if end.is_finite() { end } else { 0.0 });
        match seconds.filter(|seconds| *seconds > 0.0) {
            Some(seconds) => {
                let from = (end - seconds).max(start);
                [from, from + seconds]
            }
            None => [start, end.max(start + 1e-3)],
        }
    }

    /// Where `value` is drawn: its logarithm in a logarithmic plot, where only positive numbers
    /// have one.
    #[must_use]
    pub fn drawn(&self, value: f64) -> f64 {
        match self.style {
            PlotStyle::Logarithmic if value > 0.0 => value.log10(),
            PlotStyle::Logarithmic => f64::NAN,
            _ => value,
        }
    }

    /// The points of each curve as they are drawn: within the window, with the nearest one at
    /// either side. Stacked curves are added up.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<[f64; 2]>> {
        let mut floor: Vec<f64> = Vec::new();
        let mut lines = Vec::new();
        for curve in &self.curves {
            let first = curve.points.partition_point(|point| point[0] < self.window[0]).saturating_sub(1);
            let last = curve.points.partition_point(|point| point[0] <= self.window[1]) + 1;
            let points = &curve.points[first..last.min(curve.points.len())];
            if self.style == PlotStyle::Stacked {
                floor.resize(points.len(), 0.0);
                for (floor, [_, value]) in floor.iter_mut().zip(points) {
                    *floor += if value.is_finite() { *value } else { 0.0 };
                }
                lines.push(points.iter().zip(&floor).map(|([time, _], top)| [*time, *top]).collect());
            } else {
                lines.push(points.iter().map(|[time, value]| [*time, self.drawn(*value)]).collect());
            }
        }
        lines
    }

    /// Limits of the vertical axis for the drawn part, and for the value to compare with where a
    /// tenth of it is reached; the limits `before` stay where they still fit.
    #[must_use]
    pub fn limits(&self, before: Option<Limits>) -> Limits {
        let lines = self.lines();
        let [from, to] = self.window;
        // of areas on top of each other the uppermost counts
        let counted = if self.style == PlotStyle::Stacked { lines.len().saturating_sub(1) } else { 0 };
        let points = lines[counted.min(lines.len())..].iter().flatten();
        let values = points.filter(|point| (from..=to).contains(&point[0])).map(|point| point[1]);
        let is_stacked = self.style == PlotStyle::Stacked;
        let fitted = match self.style {
            PlotStyle::Logarithmic => Limits::of_decades(values),
            _ => Limits::of(values, is_stacked),
        };
        let is_near = |rule: &f64| *rule > fitted.high && fitted.high >= NEAR * rule;
        let rule = self.rule.iter().map(|(value, _)| *value).find(is_near);
        let rule = rule.filter(|_| self.style != PlotStyle::Logarithmic);
        let with_rule = |rule: f64| Limits::of([fitted.low, fitted.high, rule].into_iter(), is_stacked);
        rule.map_or(fitted, with_rule).settled(before)
    }

    /// The parts beyond these limits within the window, as they are drawn.
    #[must_use]
    pub fn beyond(&self, limits: Limits) -> Beyond {
        let lines = self.lines();
        let [from, to] = self.window;
        let mut beyond = Beyond::default();
        let points = lines.iter().flatten().filter(|point| (from..=to).contains(&point[0]));
        for &[_, value] in points {
            if value > limits.high {
                beyond.above = Some(beyond.above.map_or(value, |most| most.max(value)));
            } else if value < limits.low {
                beyond.below = Some(beyond.below.map_or(value, |least| least.min(value)));
            }
        }
        beyond
    }

    /// The unit in which the vertical axis is read most easily, and how much of
    /// [`unit`](Self::unit) one of it is.
    #[must_use]
    pub fn axis_unit(&self, limits: Limits) -> (f64, String) {
        if self.style == PlotStyle::Logarithmic {
            return (1.0, self.unit.clone());
        }
        units::prefixed(limits.low.abs().max(limits.high.abs()), &self.unit)
    }

    /// The title with the unit of the vertical axis, like "Energy \[mJ\]".
    #[must_use]
    pub fn heading(&self, limits: Limits) -> String {
        let (_, unit) = self.axis_unit(limits);
        if unit.is_empty() { self.title.clone() } else { format!("{} [{unit}]", self.title) }
    }

    /// The vertical axis.
    #[must_use]
    pub fn axis(&self, limits: Limits) -> Axis {
        let scale = match self.style {
            PlotStyle::Logarithmic => Scale::Logarithmic(""),
            _ => Scale::Linear(self.axis_unit(limits).0),
        };
        Axis { name: self.heading(limits), limits, scale }
    }

    /// A value, as it is drawn, in words: with its unit and three digits.
    #[must_use]
    pub fn tell(&self, drawn: f64) -> String {
        let value = if self.style == PlotStyle::Logarithmic { 10_f64.powf(drawn) } else { drawn };
        if value.is_infinite() {
            return if value > 0.0 { "∞".to_owned() } else { "−∞".to_owned() };
        }
        let (factor, unit) = units::prefixed(value, &self.unit);
        format!("{} {unit}", units::significant(value / factor)).trim_end().to_owned()
    }

    /// Where each curve leaves the plot: the time of the farthest value of each stretch beyond the
    /// limits, and whether that is above.
    #[must_use]
    pub fn exits(&self, limits: Limits) -> Vec<(usize, f64, bool)> {
        let [from, to] = self.window;
        let mut exits = Vec::new();
        for (curve, line) in self.lines().iter().enumerate() {
            // side of the present stretch beyond, with the time and size of its farthest value
            let mut now: Option<(bool, f64, f64)> = None;
            for &[time, value] in line.iter().filter(|point| (from..=to).contains(&point[0])) {
                let side = (value > limits.high).then_some(true).or((value < limits.low).then_some(false));
                if let Some((above, at, _)) = now.filter(|(above, ..)| side != Some(*above)) {
                    exits.push((curve, at, above));
                    now = None;
                }
                if let Some(above) = side
                    && now.is_none_or(|(_, _, size)| value.abs() > size)
                {
                    now = Some((above, time, value.abs()));
                }
            }
            exits.extend(now.map(|(above, at, _)| (curve, at, above)));
        }
        exits
    }

    /// The curves that stand in the legend: of areas only those that are seen.
    pub fn named(&self) -> impl Iterator<Item = &PlotCurve> {
        let is_seen = |curve: &&PlotCurve| {
            self.style != PlotStyle::Stacked || curve.points.iter().any(|point| point[1].is_finite() && point[1] > 0.0)
        };
        self.curves.iter().filter(|curve| !curve.faint).filter(is_seen)
    }

    /// What lies beyond the limits, in words.
    #[must_use]
    pub fn notes(&self, limits: Limits) -> Vec<String> {
        let beyond = self.beyond(limits);
        let notes = [(beyond.above, "up to"), (beyond.below, "down to")];
        notes.into_iter().filter_map(|(value, words)| Some(format!("{words} {}", self.tell(value?)))).collect()
    }

    /// Notes on what cannot be seen from the curves.
    fn all_notes(&self, limits: Limits) -> Option<String> {
        let mut notes: Vec<String> =
            self.notes(limits).into_iter().map(|note| format!("beyond the axis: {note}")).collect();
        let [from, to] = self.window;
        let is_there = |point: &[f64; 2]| (from..=to).contains(&point[0]) && self.drawn(point[1]).is_finite();
        let missing = self.named().filter(|curve| !curve.points.iter().any(is_there));
        let missing: Vec<&str> = missing.map(|curve| curve.name.as_str()).collect();
        if !missing.is_empty() {
            notes.push(format!("not known: {}", missing.join(", ")));
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// The plot as a chart with this vertical axis; the horizontal one has no name.
    #[must_use]
    pub fn chart(&self, limits: Limits) -> Chart {
        let [low, high] = self.window;
        let across = Axis { name: String::new(), limits: Limits { low, high }, scale: Scale::Linear(1.0) };
        let is_stacked = self.style == PlotStyle::Stacked;
        let dotted = Pen { dashes: Some([1.5, 2.5]), ..Pen::new(MARK, 0.9) };
        let dashed = Pen { dashes: Some([5.0, 3.0]), ..Pen::new(RULE, 0.9) };
        let mut items: Vec<Item> = self.all_notes(limits).map(|text| Item::Note(text, None)).into_iter().collect();
        let is_beyond = |value: f64| !(limits.low..=limits.high).contains(&self.drawn(value));
        let far = self.rule.iter().filter(|(value, _)| is_beyond(*value));
        items.extend(far.map(|(_, name)| Item::Note(format!("{name}, beyond the axis"), Some(dashed))));
        items.extend(self.marks.iter().map(|(time, what)| Item::Upright(*time, what.clone(), dotted)));
        // faint ones lie behind, and of areas, which all reach down to the axis, the upper ones
        let mut curves: Vec<_> = self.curves.iter().zip(self.lines()).rev().collect();
        curves.sort_by_key(|(curve, _)| !curve.faint);
        items.extend(curves.into_iter().map(|(curve, points)| {
            let name = curve.name.clone();
            if is_stacked {
                Item::Under { name, points, colour: curve.colour }
            } else {
                Item::Line { name, points, pen: pen_of(curve) }
            }
        }));
        items.extend(self.rule.iter().map(|(value, name)| Item::Level(self.drawn(*value), name.clone(), dashed)));
        let mut last = [f64::NEG_INFINITY; 2];
        for (curve, time, above) in self.exits(limits) {
            let free = &mut last[usize::from(above)];
            if time - *free >= APART * (high - low) {
                *free = time;
                let at = [time, if above { limits.high } else { limits.low }];
                // an area would hide one of its own colour
                let colour = if is_stacked { RULE } else { self.curves[curve].colour };
                items.push(Item::Marker { at, form: Form::Arrow(above), size: 1.25, colour, share: 1.0 });
            }
        }
        let key = |curve: &PlotCurve| {
            let sign = if is_stacked { Sign::Area(curve.colour) } else { Sign::Line(Pen::new(curve.colour, 2.0)) };
            Key { name: curve.name.clone(), sign }
        };
        let legend = self.named().map(key).collect();
        Chart { title: self.title.clone(), axes: [across, self.axis(limits)], items, legend }
    }
}

/// Curves that are compared with are faint.
fn pen_of(curve: &PlotCurve) -> Pen {
    let pen = Pen::new(curve.colour, 1.4);
    if curve.faint { Pen { share: 0.4, width: 1.0, ..pen } } else { pen }
}
