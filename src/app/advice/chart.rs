//! The picture of cost and error in the window: its budget, and the candidate under the pointer.

use egui::{Pos2, Rect, Response, Ui};

use crate::app::widgets::chart;
use crate::documents::{Chart, TradeOff};
use crate::sim::Real;

/// How near the pointer has to be to a point, or to the budget, to mean it [points].
const NEAR: f32 = 11.0;
const NEAR_BUDGET: f32 = 6.0;

/// The picture without the name of its upward axis: turned, it would meet the labels of a low one.
pub(super) fn chart_of(picture: &TradeOff) -> Chart {
    let mut chart = picture.chart();
    chart.axes[1].name.clear();
    chart
}

/// Where points of the picture are on the screen.
pub(super) struct Places(pub chart::Place);

impl Places {
    /// Makes room for the picture, which is not painted yet.
    pub fn allocate(ui: &mut Ui, picture: &TradeOff, height: f32) -> (Self, Response) {
        let (place, response) = chart::allocate(ui, &chart_of(picture), [ui.available_width(), height]);
        (Self(place), response)
    }

    /// The axes.
    pub fn frame(&self) -> Rect {
        self.0.frame()
    }

    /// The horizontal place of a budget [s].
    pub fn budget(&self, budget: Real) -> f32 {
        self.0.of([(1e3 * budget).log10(), 0.0]).x
    }

    /// The budget [s] at a place, to two digits.
    pub fn budget_at(&self, at: Pos2) -> Real {
        let ms = Real::powf(10.0, self.0.point(at)[0]);
        let unit = Real::powi(10.0, ms.log10().floor() as i32 - 1);
        1e-3 * (ms / unit).round() * unit
    }

    /// Whether the pointer means the budget.
    pub fn is_at_budget(&self, at: Pos2, budget: Real) -> bool {
        (at.x - self.budget(budget)).abs() <= NEAR_BUDGET
    }

    /// The candidate under the pointer, by its row.
    pub fn candidate_at(&self, picture: &TradeOff, at: Pos2) -> Option<usize> {
        let away = picture.candidates.iter().map(|candidate| (self.0.of(candidate.at).distance(at), candidate.row));
        away.filter(|(distance, _)| *distance <= NEAR).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, row)| row)
    }
}
