//! The picture: cost against error, both logarithmic, a curve per solver over its effort, the front
//! of the best ones, and the budget.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{AxisHints, GridInput, GridMark, PlotBounds, PlotPoint, PlotResponse, PlotTransform};

use super::points::{Mark, Point};
use crate::app::widgets::chart::fixed_chart;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET, solver_colour};
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::advice::{Advice, Findings};

/// How near the pointer has to be to a point, or to the budget, to mean it [points].
const NEAR: f32 = 11.0;
const NEAR_BUDGET: f32 = 6.0;
/// Axes without a point: milliseconds and percent, as powers of ten.
const EMPTY: [[f64; 2]; 2] = [[-1.0, 1.0], [-1.0, 2.0]];

/// What the picture shows.
pub(super) struct Picture<'a> {
    pub findings: Option<&'a Findings>,
    pub advice: Option<&'a Advice>,
    pub points: Vec<Point>,
    /// Most time of a frame [s].
    pub budget: Real,
    /// The candidate that is meant, by its number in the findings.
    pub meant: Option<usize>,
}

/// Where points of the picture are on the screen.
pub(super) struct Places(PlotTransform);

impl Places {
    /// The place of a cost and an error, as powers of ten.
    fn of(&self, [ms, percent]: [f64; 2]) -> Pos2 {
        self.0.position_from_point(&PlotPoint::new(ms, percent))
    }

    /// Where the axes are.
    pub fn frame(&self) -> Rect {
        *self.0.frame()
    }

    /// The horizontal place of a budget [s].
    pub fn budget(&self, budget: Real) -> f32 {
        self.of([(1e3 * budget).log10(), 0.0]).x
    }

    /// The budget [s] at a place, to two digits.
    pub fn budget_at(&self, at: Pos2) -> Real {
        let ms = Real::powf(10.0, self.0.value_from_position(at).x);
        let unit = Real::powi(10.0, ms.log10().floor() as i32 - 1);
        1e-3 * (ms / unit).round() * unit
    }

    /// Whether the pointer means the budget.
    pub fn is_at_budget(&self, at: Pos2, budget: Real) -> bool {
        (at.x - self.budget(budget)).abs() <= NEAR_BUDGET
    }
}

impl Picture<'_> {
    /// The axes, empty.
    pub fn axes(&self, ui: &mut Ui, height: f32) -> PlotResponse<()> {
        let [[left, right], [low, high]] = self.ranges();
        let axis = |mark: GridMark, _: &std::ops::RangeInclusive<f64>| one_digit(mark.value);
        let plot = fixed_chart("cost and error", height)
            .custom_x_axes(vec![AxisHints::new_x().label("ms per frame").formatter(axis)])
            .custom_y_axes(vec![AxisHints::new_y().formatter(axis)])
            .x_grid_spacer(marks)
            .y_grid_spacer(marks);
        plot.show(ui, move |plot| plot.set_plot_bounds(PlotBounds::from_min_max([left, low], [right, high])))
    }

    /// Ranges of the axes, with room beside the points.
    fn ranges(&self) -> [[f64; 2]; 2] {
        let budget = (1e3 * self.budget).log10();
        [0, 1].map(|axis| {
            let of_points = self.points.iter().map(|point| point.at[axis]);
            let all = of_points.chain((axis == 0).then_some(budget));
            let [low, high] = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
            let [low, high] = if self.points.is_empty() { EMPTY[axis] } else { [low, high] };
            let room = 0.06 * (high - low).max(1.0);
            [low - room, high + room]
        })
    }

    /// The candidate under the pointer.
    pub fn candidate_at(&self, places: &Places, at: Pos2) -> Option<usize> {
        let far = |point: &&Point| places.of(point.at).distance(at);
        let nearest = self.points.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        nearest.filter(|point| far(point) <= NEAR).map(|point| point.row)
    }

    /// Where a candidate is.
    pub fn place_of(&self, places: &Places, row: usize) -> Option<Pos2> {
        self.points.iter().find(|point| point.row == row).map(|point| places.of(point.at))
    }

    /// Draws all.
    pub fn draw(&self, painter: &Painter, places: &Places) {
        self.draw_budget(painter, places);
        let Some(findings) = self.findings else { return };
        let meant = self.meant.map(|row| findings.rows[row].candidate.solver.id);
        for (solver, line) in self.curves(findings, places) {
            let width = if meant == Some(solver) { 2.4 } else { 1.0 };
            painter.add(Shape::line(line, Stroke::new(width, self.faded(solver_colour(solver), meant, solver))));
        }
        self.draw_front(painter, places);
        for point in &self.points {
            let solver = findings.rows[point.row].candidate.solver.id;
            let colour = self.faded(solver_colour(solver), meant, solver);
            self.draw_point(painter, places.of(point.at), point, colour);
        }
        self.draw_choices(painter, places);
    }

    /// Other solvers than the meant one are drawn weakly.
    fn faded(&self, colour: Color32, meant: Option<&str>, solver: &str) -> Color32 {
        if meant.is_some_and(|meant| meant != solver) { colour.gamma_multiply(0.35) } else { colour }
    }

    /// The curve of each solver, the cheapest effort first.
    fn curves(&self, findings: &Findings, places: &Places) -> Vec<(&'static str, Vec<Pos2>)> {
        let mut order: Vec<&Point> = self.points.iter().filter(|point| point.mark != Mark::Faulty).collect();
        order.sort_by(|a, b| a.at[0].total_cmp(&b.at[0]));
        let mut curves: Vec<(&'static str, Vec<Pos2>)> = Vec::new();
        for point in order {
            let candidate = findings.rows[point.row].candidate;
            if candidate.is_present {
                continue;
            }
            let place = places.of(point.at);
            match curves.iter_mut().find(|(solver, _)| *solver == candidate.solver.id) {
                Some((_, line)) => line.push(place),
                None => curves.push((candidate.solver.id, vec![place])),
            }
        }
        curves
    }

    /// A ring for the present solver, a cross for what cannot be taken, a disc for all others.
    fn draw_point(&self, painter: &Painter, at: Pos2, point: &Point, colour: Color32) {
        let is_meant = self.meant == Some(point.row);
        let radius = if is_meant { 5.5 } else { 3.6 };
        let is_present = self.findings.is_some_and(|of| of.rows[point.row].candidate.is_present);
        match point.mark {
            Mark::Faulty => {
                for side in [vec2(1.0, 1.0), vec2(1.0, -1.0)] {
                    let arm = 0.9 * radius * side;
                    painter.line_segment([at - arm, at + arm], Stroke::new(1.8, colour));
                }
            }
            _ if is_present => drop(painter.circle(at, 5.0, Color32::BLACK, Stroke::new(2.5, colour))),
            Mark::Sound => drop(painter.circle_filled(at, radius, colour)),
            Mark::Behind => drop(painter.circle_filled(at, 0.7 * radius, colour.gamma_multiply(0.6))),
        }
        if is_present {
            label(painter, at, "now", (QUIET, true));
        }
    }

    /// The budget: what is at its right costs too much.
    fn draw_budget(&self, painter: &Painter, places: &Places) {
        let (x, frame) = (places.budget(self.budget), places.frame());
        let beyond = Rect::from_min_max(pos2(x, frame.top()), frame.max);
        painter.rect_filled(beyond, 0.0, ALARM.gamma_multiply(0.06));
        let line = [pos2(x, frame.top()), pos2(x, frame.bottom())];
        painter.extend(Shape::dashed_line(&line, Stroke::new(1.5, ACCENT), 6.0, 4.0));
        let text = format!("budget {} ms", significant(1e3 * self.budget));
        let is_right = x > frame.center().x;
        let (at, anchor) = if is_right { (x - 4.0, Align2::RIGHT_TOP) } else { (x + 4.0, Align2::LEFT_TOP) };
        painter.text(pos2(at, frame.top() + 2.0), anchor, text, FontId::proportional(11.0), ACCENT);
    }

    /// The candidates that no other one is better than.
    fn draw_front(&self, painter: &Painter, places: &Places) {
        let Some(advice) = self.advice else { return };
        let front = advice.judged.iter().filter(|judged| judged.is_on_front);
        let line: Vec<Pos2> = front.filter_map(|judged| self.place_of(places, judged.row)).collect();
        painter.add(Shape::line(line.clone(), Stroke::new(6.0, Color32::WHITE.gamma_multiply(0.16))));
        painter.add(Shape::line(line, Stroke::new(2.0, Color32::WHITE)));
    }

    /// Rings around what is recommended.
    fn draw_choices(&self, painter: &Painter, places: &Places) {
        let Some(advice) = self.advice else { return };
        for (choice, text, width) in
            [(advice.cheaper, "cheaper", 1.2), (advice.better, "better", 1.2), (advice.take, "take", 2.4)]
        {
            let row = choice.map(|at| advice.judged[at].row);
            let Some(at) = row.and_then(|row| self.place_of(places, row)) else { continue };
            painter.circle_stroke(at, 8.0, Stroke::new(width, Color32::WHITE));
            label(painter, at, text, (Color32::WHITE, false));
        }
    }
}

/// Lines at 1, 2 and 5 of every decade, in a narrow range; otherwise at every decade.
fn marks(input: GridInput) -> Vec<GridMark> {
    let (from, to) = input.bounds;
    let digits: &[f64] = if to - from < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let of_decade = |decade: i64| digits.iter().map(move |digit| decade as f64 + digit.log10());
    let all = (from.floor() as i64..=to.ceil() as i64).flat_map(of_decade);
    all.filter(|value| (from..=to).contains(value)).map(|value| GridMark { value, step_size: 1.0 }).collect()
}

/// `10^power`, to one digit.
fn one_digit(power: f64) -> String {
    let unit = 10_f64.powf(power.floor());
    significant((10_f64.powf(power) / unit).round() * unit)
}

/// A word above or below a point, on the other side where the frame ends.
fn label(painter: &Painter, at: Pos2, text: &str, (colour, is_above): (Color32, bool)) {
    let frame = painter.clip_rect();
    let is_above = if is_above { at.y - 24.0 > frame.top() } else { at.y + 24.0 > frame.bottom() };
    let (beside, anchor) = if is_above { (-9.0, Align2::CENTER_BOTTOM) } else { (9.0, Align2::CENTER_TOP) };
    painter.text(at + vec2(0.0, beside), anchor, text, FontId::proportional(11.0), colour);
}

impl From<PlotTransform> for Places {
    fn from(transform: PlotTransform) -> Self {
        Self(transform)
    }
}
