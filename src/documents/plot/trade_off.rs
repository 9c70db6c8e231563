//! Cost against error, both logarithmic: the candidates with a curve per solver over its effort,
//! the front of all of them, and a budget.

use super::Limits;
use super::chart::{Axis, Chart, Scale};
use super::item::{Form, Item, Pen};
use super::look::{Colour, WHITE, solver_colour};
use super::page::{Drawing, Key, Sign};
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::advice::{Advice, CandidateRow, Findings, Judged, Profile, Standing};

/// Height of the axes on a page.
const HEIGHT: f64 = 280.0;
/// Colours of the budget, of what is beyond it, and of the present solver's name.
const BUDGET: Colour = [224, 122, 78];
const BEYOND: Colour = [226, 84, 74];
const NOW: Colour = [158, 164, 174];
/// Axes without a point: milliseconds and percent, as powers of ten.
const EMPTY: [[f64; 2]; 2] = [[-1.0, 1.0], [-1.0, 2.0]];

/// State of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CandidateState {
    /// It can be taken.
    Sound,
    /// Others are better, or nothing more is known.
    Behind,
    /// It cannot be taken.
    Faulty,
}

/// A solver with an effort.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its number in the findings.
    pub row: usize,
    /// Id and name of the solver.
    pub solver: [&'static str; 2],
    /// Milliseconds per frame, and error [%], as powers of ten.
    pub at: [f64; 2],
    /// How it is drawn.
    pub state: CandidateState,
    /// Whether it is the solver as it is set.
    pub is_present: bool,
}

/// Candidates by cost and error.
#[derive(Debug, Clone, PartialEq)]
pub struct TradeOff {
    /// The title.
    pub title: String,
    /// The candidates with a cost and an error above zero.
    pub candidates: Vec<Candidate>,
    /// Those that no other one is better than, by rising cost: rows of the findings.
    pub front: Vec<usize>,
    /// Most time of a frame [s].
    pub budget: Real,
    /// Rows that are recommended, and as what.
    pub choices: Vec<(usize, &'static str)>,
    /// The row that is pointed at: other solvers are drawn weakly.
    pub meant: Option<usize>,
}

impl TradeOff {
    /// The candidates of some findings as they are judged for a budget [s] and a purpose.
    #[must_use]
    pub fn of(findings: &Findings, advice: &Advice, (budget, profile): (Real, &Profile), title: &str) -> Self {
        let candidate = |(row, of): (usize, &CandidateRow)| {
            let at = [1e3 * of.step?, 100.0 * of.error?.weighted(&profile.weights)].map(Real::log10);
            let state = match advice.judged.iter().find(|judged| judged.row == row) {
                Some(Judged { fault: Some(_), .. }) => CandidateState::Faulty,
                Some(_) => CandidateState::Sound,
                None if of.stage == Standing::Failed => CandidateState::Faulty,
                None => CandidateState::Behind,
            };
            let info = of.candidate.solver;
            let is_present = of.candidate.is_present;
            let has_place = at.iter().all(|number| number.is_finite());
            has_place.then_some(Candidate { row, solver: [info.id, info.name], at, state, is_present })
        };
        let row = |judged: &Judged| judged.row;
        let choices = [(advice.cheaper, "cheaper"), (advice.better, "better"), (advice.take, "take")];
        Self {
            title: title.to_owned(),
            candidates: findings.rows.iter().enumerate().filter_map(candidate).collect(),
            front: advice.judged.iter().filter(|judged| judged.is_on_front).map(row).collect(),
            budget,
            choices: choices.into_iter().filter_map(|(at, name)| Some((advice.judged[at?].row, name))).collect(),
            meant: None,
        }
    }

    /// The axes with a budget [s], before anything is known.
    #[must_use]
    pub fn empty(title: &str, budget: Real) -> Self {
        let (candidates, front, choices) = (Vec::new(), Vec::new(), Vec::new());
        Self { title: title.to_owned(), candidates, front, budget, choices, meant: None }
    }

    /// The picture on a page.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        self.chart().drawing(HEIGHT)
    }

    /// The candidate of a row.
    #[must_use]
    pub fn candidate(&self, row: usize) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.row == row)
    }

    /// The picture as a chart.
    #[must_use]
    pub fn chart(&self) -> Chart {
        let axis = |limits: Limits, name: &str| Axis { name: name.to_owned(), limits, scale: Scale::Logarithmic("") };
        let [across, up] = self.limits();
        let axes = [axis(across, "Cost [ms per frame]"), axis(up, "Error of a step [% of its motion]")];
        let mut items = self.budget(&axes);
        for (solver, points) in self.curves() {
            let width = if self.meant_solver() == Some(solver) { 2.4 } else { 1.0 };
            let pen = Pen { share: self.share(solver), ..Pen::new(solver_colour(solver), width) };
            items.push(Item::Line { name: String::new(), points, pen });
        }
        let front: Vec<[f64; 2]> = self.front.iter().filter_map(|row| Some(self.candidate(*row)?.at)).collect();
        for pen in [Pen { share: 0.16, ..Pen::new(WHITE, 6.0) }, Pen::new(WHITE, 2.0)] {
            items.push(Item::Line { name: String::new(), points: front.clone(), pen });
        }
        self.candidates.iter().for_each(|candidate| self.draw(candidate, &mut items));
        for &(row, name) in &self.choices {
            let Some(Candidate { at, .. }) = self.candidate(row) else { continue };
            items.push(Item::Marker { at: *at, form: Form::Ring, size: 2.6, colour: WHITE, share: 1.0 });
            items.push(Item::Label { at: *at, text: name.to_owned(), colour: WHITE, is_above: false });
        }
        Chart { title: self.title.clone(), axes, items, legend: self.legend() }
    }

    /// Ranges of the axes, with room beside the candidates.
    fn limits(&self) -> [Limits; 2] {
        let budget = Some((1e3 * self.budget).log10()).filter(|budget| budget.is_finite());
        [0, 1].map(|axis| {
            let all = self.candidates.iter().map(|candidate| candidate.at[axis]).chain(budget.filter(|_| axis == 0));
            let [low, high] = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
            let [low, high] = if self.candidates.is_empty() { EMPTY[axis] } else { [low, high] };
            let room = 0.06 * (high - low).max(1.0);
            Limits { low: low - room, high: high + room }
        })
    }

    /// The budget: what is at its right costs too much.
    fn budget(&self, [across, up]: &[Axis; 2]) -> Vec<Item> {
        let (x, right, up) = ((1e3 * self.budget).log10(), across.limits.high, up.limits);
        if !x.is_finite() {
            return Vec::new();
        }
        let points = vec![[x, up.low], [right, up.low], [right, up.high], [x, up.high]];
        let pen = Pen { dashes: Some([6.0, 4.0]), ..Pen::new(BUDGET, 1.5) };
        let name = format!("budget {} ms", significant(1e3 * self.budget));
        vec![Item::Area { points, colour: BEYOND, opacity: 0.06 }, Item::Upright(x, name, pen)]
    }

    /// The curve of each solver, the cheapest effort first, without those that cannot be taken.
    fn curves(&self) -> Vec<(&'static str, Vec<[f64; 2]>)> {
        let can_be_taken = |of: &&Candidate| of.state != CandidateState::Faulty && !of.is_present;
        let mut order: Vec<&Candidate> = self.candidates.iter().filter(can_be_taken).collect();
        order.sort_by(|a, b| a.at[0].total_cmp(&b.at[0]));
        let mut curves: Vec<(&'static str, Vec<[f64; 2]>)> = Vec::new();
        for candidate in order {
            match curves.iter_mut().find(|(solver, _)| *solver == candidate.solver[0]) {
                Some((_, points)) => points.push(candidate.at),
                None => curves.push((candidate.solver[0], vec![candidate.at])),
            }
        }
        curves
    }

    fn meant_solver(&self) -> Option<&'static str> {
        Some(self.candidate(self.meant?)?.solver[0])
    }

    /// Other solvers than the meant one are drawn weakly.
    fn share(&self, solver: &str) -> f64 {
        if self.meant_solver().is_some_and(|meant| meant != solver) { 0.35 } else { 1.0 }
    }

    /// A ring for the solver as it is set, a cross for what cannot be taken, the form of the solver
    /// for all others.
    fn draw(&self, candidate: &Candidate, items: &mut Vec<Item>) {
        let (at, [id, _]) = (candidate.at, candidate.solver);
        let (colour, share) = (solver_colour(id), self.share(id));
        let large = if self.meant == Some(candidate.row) { 1.5 } else { 1.0 };
        let (form, size, share) = match candidate.state {
            CandidateState::Faulty => (Form::Cross, 1.0, share),
            _ if candidate.is_present => (Form::Ring, 1.6, share),
            CandidateState::Sound => (Form::of_solver(id, 0), 1.1, share),
            CandidateState::Behind => (Form::of_solver(id, 0), 0.8, 0.6 * share),
        };
        items.push(Item::Marker { at, form, size: large * size, colour, share });
        if candidate.is_present {
            items.push(Item::Label { at, text: "now".to_owned(), colour: NOW, is_above: true });
        }
    }

    /// A marker for each solver, in the order of the candidates.
    fn legend(&self) -> Vec<Key> {
        let mut solvers: Vec<[&'static str; 2]> = Vec::new();
        for candidate in self.candidates.iter().filter(|candidate| !candidate.is_present) {
            if !solvers.contains(&candidate.solver) {
                solvers.push(candidate.solver);
            }
        }
        let sign = |id: &str| Sign::Marker(Form::of_solver(id, 0), solver_colour(id));
        solvers.into_iter().map(|[id, name]| Key { name: name.to_owned(), sign: sign(id) }).collect()
    }
}
