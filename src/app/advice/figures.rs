//! All figures of a candidate in words, and the chart of cost and error: its budget, and the
//! candidate under the pointer.

use egui::{Pos2, Rect, Response, Ui};

use crate::app::widgets::chart;
use crate::documents::{Chart, TradeOff};
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::advice::{Advice, Findings, Profile, Standing};

/// All figures of a candidate, a line each.
pub(super) fn figures(findings: &Findings, advice: &Advice, profile: &Profile, row: usize) -> Vec<String> {
    let of = &findings.rows[row];
    let mut lines = Vec::new();
    if let Some(step) = of.step {
        lines.push(format!("{} ms per frame", significant(1e3 * step)));
    }
    if let Some(error) = of.error {
        let [weighted, stretch, bending, whole] =
            [error.weighted(&profile.weights), error.stretch, error.bending, error.whole].map(percent);
        lines.push(format!("error {weighted} of the motion of a step"));
        lines.push(format!("stretch {stretch}, bending {bending}, whole {whole}, from {} states", of.states));
    }
    if let Some(drift) = of.drift {
        lines.push(format!("drift of the momentum {} m/s²", significant(drift)));
    }
    if let Some(run) = of.run {
        let beside = |own: Real, reference: Option<Real>, show: fn(Real) -> String| match reference {
            Some(reference) => format!("{}, reference {}", show(own), show(reference)),
            None => show(own),
        };
        let stretch = beside(run.own.stretch, run.reference.map(|reference| reference.stretch), percent);
        lines.push(format!("after {} s: longest spring {stretch}", significant(run.lasted)));
        lines.push(beside(run.own.sag, run.reference.map(|reference| reference.sag), describe_sag));
        if let Some(decay) = run.own.decay {
            let per_second = |rate: Real| format!("{} /s", significant(rate));
            let reference = run.reference.and_then(|reference| reference.decay);
            lines.push(format!("decay of energy {}", beside(decay, reference, per_second)));
        }
        if let Some(jitter) = run.own.jitter {
            lines.push(format!("jitter at rest {} mm", significant(1e3 * jitter)));
        }
        if run.own.truncated > 0 {
            lines.push(format!("contact limits the motion of {} vertices", run.own.truncated));
        }
    }
    let judged = advice.judged.iter().find(|judged| judged.row == row);
    if let Some(fault) = judged.and_then(|judged| judged.fault) {
        lines.push(fault.describe(profile));
    } else if of.stage != Standing::Measured {
        lines.push(of.stage.describe().to_owned());
    }
    lines
}

/// Where the lowest vertex of a cloth is beside its start, by its descent [m].
pub(super) fn describe_sag(sag: Real) -> String {
    let mm = significant(1e3 * sag.abs());
    if sag < 0.0 { format!("rises {mm} mm") } else { format!("sag {mm} mm") }
}

pub(super) fn percent(share: Real) -> String {
    format!("{} %", significant(100.0 * share))
}

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
