//! The outcome of an experiment: sentences, the table of the lanes, pictures and plots.

use super::experiment::listed;
use super::{Block, Experiment, Figure, Image, LaneRun, Table, lane_letter, sample_plots};
use crate::documents::{Figure as PlotFigure, Plot};
use crate::sim::Real;
use crate::sim::params::units::{quantity, significant};
use crate::sim::quantities::{Numbers, Quantity};

const DISTANCES: [Quantity; 2] = [Quantity::Distance, Quantity::LargestDistance];

/// Numbers of a lane over its whole run.
struct Figures {
    /// Median and longest computing time of a step [s], and when that was [s].
    cost: [Real; 3],
    /// Largest stretch over the run [%], when that was [s], and at the end [%].
    stretch: [Real; 3],
    /// Total energy after the first step and at the end [J].
    energy: [Real; 2],
    /// Distance to the first lane at the end [m]: root of the mean square, and the largest.
    distance: [Real; 2],
}

impl Figures {
    fn of(samples: &[Numbers]) -> Self {
        let mut costs: Vec<Real> = samples.iter().map(|sample| 1e-3 * sample[Quantity::StepTime]).collect();
        costs.sort_by(Real::total_cmp);
        let median = if costs.is_empty() { Real::NAN } else { costs[costs.len() / 2] };
        let most = |of: Quantity| {
            let known = samples.iter().filter(|sample| sample[of].is_finite());
            let most = known.max_by(|a, b| a[of].total_cmp(&b[of]));
            most.map_or([Real::NAN; 2], |sample| [sample.shown(of), sample[Quantity::Time]])
        };
        let ([longest, when], [stretch, at]) = (most(Quantity::StepTime), most(Quantity::Stretch));
        let at_end = |of: Quantity| samples.last().map_or(Real::NAN, |sample| sample.shown(of));
        Self {
            cost: [median, 1e-3 * longest, when],
            stretch: [stretch, at, at_end(Quantity::Stretch)],
            energy: [samples.first().map_or(Real::NAN, |sample| sample[Quantity::Energy]), at_end(Quantity::Energy)],
            distance: DISTANCES.map(at_end),
        }
    }
}

/// A number with its unit, or a dash.
fn known(value: Real, unit: &str) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if unit == "%" { format!("{} %", significant(value)) } else { quantity(value, unit) }
}

/// A distance [m] in words, in millimetres below a metre.
fn length(metres: Real) -> String {
    if !metres.is_finite() {
        return "–".to_owned();
    }
    let is_short = metres.abs() < 1.0;
    if is_short { format!("{} mm", significant(1e3 * metres)) } else { format!("{} m", significant(metres)) }
}

/// A number in its own unit for a column that names it, or a dash.
fn cell(value: Real) -> String {
    if value.is_finite() { significant(value) } else { "–".to_owned() }
}

fn seconds(time: Real) -> String {
    format!("{} s", significant(time))
}

impl Experiment {
    fn figures(&self) -> Vec<Figures> {
        self.lanes.iter().map(|lane| Figures::of(&lane.samples)).collect()
    }

    fn labels(&self) -> Vec<String> {
        let count = self.lanes.len();
        self.lanes.iter().enumerate().map(|(at, lane)| lane.label(at, count)).collect()
    }

    /// Sentences that answer, and the table that they are from.
    pub(super) fn outcome(&self) -> Vec<Block> {
        let figures = self.figures();
        let mut text = if self.lanes.len() == 1 { self.single(&figures[0]) } else { self.compared(&figures) };
        for (lane, label) in self.lanes.iter().zip(self.labels()) {
            if let Some((time, cause)) = &lane.failure {
                text += &format!(" {label} blew up at t = {}: {cause}.", seconds(*time));
            }
        }
        vec![Block::Paragraph(text), Block::Table(self.table(&figures))]
    }

    /// What was simulated, in words: the scene with the size of the cloth.
    fn subject(&self) -> String {
        let LaneRun { scene, counts: [vertices, triangles], .. } = &self.lanes[0];
        let name = if scene.title.is_empty() { &scene.name } else { &scene.title };
        format!("“{name}” ({vertices} vertices, {triangles} triangles)")
    }

    fn single(&self, of: &Figures) -> String {
        let lane = &self.lanes[0];
        let step = lane.scene.parameters.timing.time_step;
        let [cost, ..] = of.cost;
        let mut text = format!(
            "{} simulates {} of {} in {} steps of {}.",
            lane.name,
            seconds(lane.time),
            self.subject(),
            lane.steps,
            quantity(step, "s"),
        );
        if cost > 0.0 {
            let (factor, word) = if cost <= step { (step / cost, "faster") } else { (cost / step, "slower") };
            let (cost, factor) = (quantity(cost, "s"), significant(factor));
            text += &format!(" A step takes {cost} (median) on this machine, {factor} times {word} than real time.");
        }
        let [most, when, end] = of.stretch;
        if most.is_finite() {
            text += &format!(
                " The largest stretch of a structural spring is {} after {}, and {} at the end.",
                known(most, "%"),
                seconds(when),
                known(end, "%"),
            );
        }
        text
    }

    fn compared(&self, figures: &[Figures]) -> String {
        let (labels, first) = (self.labels(), &self.lanes[0]);
        let time = self.lanes.iter().map(|lane| lane.time).fold(0.0, Real::max);
        let mut text = format!(
            "{} methods simulate {} of {} on one clock: {}.",
            ["No", "One", "Two", "Three", "Four"].get(self.lanes.len()).unwrap_or(&"Several"),
            seconds(time),
            self.subject(),
            listed(&labels)
        );
        let apart: Vec<String> = (1..self.lanes.len())
            .filter(|at| figures[*at].distance[0].is_finite())
            .map(|at| {
                let [mean, most] = figures[at].distance.map(length);
                format!("{} is {mean} from A (root mean square over the vertices), at most {most}", lane_letter(at))
            })
            .collect();
        if !apart.is_empty() {
            text += &format!(" After {}, {}.", seconds(first.time), apart.join("; "));
        }
        let extreme = |value: &dyn Fn(&Figures) -> Real| -> Option<[usize; 2]> {
            let known: Vec<usize> = (0..figures.len()).filter(|at| value(&figures[*at]).is_finite()).collect();
            let by = |a: &&usize, b: &&usize| value(&figures[**a]).total_cmp(&value(&figures[**b]));
            let (least, most) = (*known.iter().min_by(by)?, *known.iter().max_by(by)?);
            (least != most).then_some([least, most])
        };
        if let Some([least, most]) = extreme(&|of| of.cost[0]) {
            let [cheap, dear] = [least, most].map(|at| quantity(figures[at].cost[0], "s"));
            let [least, most] = [least, most].map(lane_letter);
            text +=
                &format!(" The cheapest is {least} with {cheap} per step (median), the dearest {most} with {dear}.");
        }
        if let Some([least, most]) = extreme(&|of| of.stretch[0]) {
            text += &format!(
                " {} stretches most, up to {} after {}; {} stretches least, up to {}.",
                lane_letter(most),
                known(figures[most].stretch[0], "%"),
                seconds(figures[most].stretch[1]),
                lane_letter(least),
                known(figures[least].stretch[0], "%"),
            );
        }
        text
    }

    fn table(&self, figures: &[Figures]) -> Table {
        let time = seconds(self.lanes[0].time);
        let command = Some(self.repetition.run());
        if let ([lane], [of]) = (&self.lanes[..], figures) {
            let [cost, longest, _] = of.cost.map(|seconds| known(seconds, "s"));
            let [_, total] = of.energy;
            let facts = [
                ("Method", lane.name.clone()),
                ("Steps", format!("{} of {}", lane.steps, quantity(lane.scene.parameters.timing.time_step, "s"))),
                ("Time per step", format!("{cost} (median), {longest} (longest)")),
                (
                    "Largest stretch",
                    format!("{} over the run, {} at the end", known(of.stretch[0], "%"), known(of.stretch[2], "%")),
                ),
                ("Total energy at the end", known(total, "J")),
            ];
            let caption = format!("The run of {time} in numbers.");
            return Table { caption, command, ..Table::facts(facts) };
        }
        let head = [
            "Lane",
            "Steps",
            "Time step [ms]",
            "Time per step, median [ms]",
            "Largest stretch over the run [%]",
            "at the end [%]",
            "Total energy at the end [J]",
            "Distance to A at the end, root mean square [mm]",
            "largest [mm]",
        ];
        let row = |((lane, label), of): ((&LaneRun, String), &Figures)| {
            vec![
                label,
                lane.steps.to_string(),
                significant(1e3 * lane.scene.parameters.timing.time_step),
                cell(1e3 * of.cost[0]),
                cell(of.stretch[0]),
                cell(of.stretch[2]),
                cell(of.energy[1]),
                cell(1e3 * of.distance[0]),
                cell(1e3 * of.distance[1]),
            ]
            .into()
        };
        Table {
            caption: format!("The lanes after {time}. A dash is a number that the method does not state."),
            head: head.map(str::to_owned).to_vec(),
            rows: self.lanes.iter().zip(self.labels()).zip(figures).map(row).collect(),
            command,
        }
    }

    /// The pictures at the chosen times.
    pub(super) fn shown(&self) -> Vec<Block> {
        let pictures = &self.pictures;
        if pictures.shots.is_empty() && pictures.lack.is_none() {
            return Vec::new();
        }
        let title = if self.lanes.len() > 1 { "The lanes side by side" } else { "The cloth" };
        let mut blocks = vec![Block::Heading(title.to_owned())];
        if let Some(lack) = &pictures.lack {
            blocks.push(Block::Paragraph(format!("{lack} This command draws them:")));
            blocks.push(Block::Code(pictures.command.clone()));
        }
        // as many digits as sort by number
        let digits = pictures.shots.len().to_string().len();
        for (number, shot) in (1..).zip(&pictures.shots) {
            blocks.push(Block::Figure(Figure {
                name: format!("picture-{number:0digits$}"),
                caption: self.caption(shot.time),
                image: Image::Png(shot.png.clone()),
                command: Some(pictures.command.clone()),
            }));
        }
        blocks
    }

    /// What a picture shows, with numbers.
    fn caption(&self, time: Real) -> String {
        let samples: Vec<Option<&Numbers>> = self.lanes.iter().map(|lane| lane.sample_at(time)).collect();
        let mut parts = Vec::new();
        let stretches: Vec<String> = samples
            .iter()
            .enumerate()
            .filter_map(|(at, sample)| {
                let stretch = known(sample.as_ref()?.shown(Quantity::Stretch), "%");
                Some(if samples.len() > 1 { format!("{stretch} in {}", lane_letter(at)) } else { stretch })
            })
            .collect();
        if !stretches.is_empty() {
            parts.push(format!("the largest stretch is {}", listed(&stretches)));
        }
        for (at, sample) in samples.iter().enumerate().skip(1) {
            if let Some([mean, most]) =
                sample.map(|sample| DISTANCES.map(|of| sample[of])).filter(|it| it[0].is_finite())
            {
                let [mean, most] = [mean, most].map(length);
                parts.push(format!("{} is {mean} from A (root mean square), at most {most}", lane_letter(at)));
            }
        }
        let begin = if time > 0.0 { format!("After {}", seconds(time)) } else { "At the start".to_owned() };
        let names = if self.lanes.len() > 1 {
            format!(" (from left to right {})", listed(&self.labels()))
        } else {
            String::new()
        };
        if parts.is_empty() {
            return format!("{begin}{names}.");
        }
        format!("{begin}{names}: {}.", parts.join("; "))
    }

    /// The time series, a figure per quantity.
    pub(super) fn over_time(&self) -> Vec<Block> {
        let labels = self.labels();
        let lanes: Vec<(&str, &[Numbers])> =
            labels.iter().map(String::as_str).zip(self.lanes.iter().map(|lane| lane.samples.as_slice())).collect();
        if lanes.iter().all(|(_, samples)| samples.len() < 2) {
            return Vec::new();
        }
        let figures = self.figures();
        let captions = [energies(&figures), stretches(&figures), costs(&figures), distances(&figures)];
        let names = ["energy", "stretch", "time-per-step", "distance"];
        let mut blocks = vec![Block::Heading("Over time".to_owned())];
        for ((plot, caption), name) in sample_plots(&lanes).into_iter().zip(captions).zip(names) {
            if plot.curves.iter().any(|curve| curve.points.iter().any(|point| point[1].is_finite())) {
                blocks.push(self.plotted(plot, caption, name));
            }
        }
        blocks
    }

    fn plotted(&self, plot: Plot, caption: String, name: &str) -> Block {
        let title = plot.title.clone();
        let image = Image::Svg(PlotFigure { title, plots: vec![plot] }.drawing().svg_element());
        Block::Figure(Figure { name: name.to_owned(), caption, image, command: Some(self.repetition.run()) })
    }
}

/// A sentence with a part per lane.
fn per_lane(figures: &[Figures], subject: &str, part: impl Fn(&Figures) -> String) -> String {
    if let [of] = figures {
        return format!("{subject} {}.", part(of));
    }
    let subject = |at: usize| if at == 0 { subject } else { "that" };
    let part = |(at, of): (usize, &Figures)| format!("{} in {} {}", subject(at), lane_letter(at), part(of));
    let parts: Vec<String> = figures.iter().enumerate().map(part).collect();
    format!("{}.", parts.join("; "))
}

fn energies(figures: &[Figures]) -> String {
    per_lane(figures, "The total energy", |of| {
        let [start, end] = of.energy;
        if !end.is_finite() {
            return "is not known, since the solver states no elastic energy".to_owned();
        }
        format!("goes from {} after the first step to {} at the end", known(start, "J"), known(end, "J"))
    })
}

fn stretches(figures: &[Figures]) -> String {
    per_lane(figures, "The largest stretch of a structural spring", |of| {
        let [most, when, end] = of.stretch;
        format!("is {} at most, after {}, and {} at the end", known(most, "%"), seconds(when), known(end, "%"))
    })
}

fn costs(figures: &[Figures]) -> String {
    per_lane(figures, "The computing time of a step", |of| {
        let [median, longest, when] = of.cost;
        format!("is {} (median), {} at most, after {}", known(median, "s"), known(longest, "s"), seconds(when))
    })
}

fn distances(figures: &[Figures]) -> String {
    let parts: Vec<String> = (1..figures.len())
        .filter(|at| figures[*at].distance[0].is_finite())
        .map(|at| format!("{} for {}", length(figures[at].distance[0]), lane_letter(at)))
        .collect();
    let end = if parts.is_empty() { String::new() } else { format!(" At the end it is {}.", listed(&parts)) };
    format!("The distance of the vertices to those of A, as the root of the mean square over all of them.{end}")
}
