//! Films of runs: the positions of the vertices some times per second, with what the eye sees of
//! them, and which runs are shown side by side.

use super::over_time::{Moment, TimeFigures};
use super::words::Sentence;
use super::{Advice, Findings, Profile};
use crate::sim::measure::curvatures;
use crate::sim::solvers::REGISTRY;
use crate::sim::{Real, Simulation};
use std::sync::Arc;

/// Simulated time from one picture to the next, at least [s].
const EVERY: Real = 1.0 / 30.0;
/// Memory that the positions of a film take, about: of large cloths there are fewer pictures.
const MOST_BYTES: usize = 8 << 20;

/// A picture of a film.
#[derive(Debug, Clone, PartialEq)]
pub struct FilmFrame {
    /// Simulated time since the start of the run [s].
    pub time: Real,
    /// Largest strain of a structural spring.
    pub stretch: Real,
    /// Descent of the lowest vertex since the start [m]; below zero for a cloth that rises.
    pub sag: Real,
    /// Mean over the vertices of the [larger principal curvature](curvatures) [1/m].
    pub folds: Real,
    /// Position of each vertex, from the origin of the pattern [m].
    pub positions: Vec<[f32; 3]>,
}

/// The pictures of a run, by rising times: at least that of its start.
#[derive(Debug, Clone, PartialEq)]
pub struct Film {
    frames: Vec<FilmFrame>,
    /// Simulated time from one to the next, at least [s].
    every: Real,
}

impl Film {
    /// Of a run of up to `run` seconds that starts with `simulation` as it is.
    pub(super) fn of(simulation: &Simulation, run: Real) -> Self {
        let bytes = size_of::<[f32; 3]>() * simulation.state.cloth.len().max(1);
        let most = (MOST_BYTES / bytes).max(2);
        let every = if run.is_finite() { EVERY.max(run / most as Real) } else { EVERY };
        let start = Moment { time: 0.0, figures: [simulation.largest_stretch(), 0.0, 0.0, 0.0] };
        Self { frames: vec![frame(simulation, &start)], every }
    }

    /// Takes a picture after a step, if its time has come.
    pub(super) fn note(&mut self, simulation: &Simulation, moment: &Moment) {
        // times are sums of steps
        let step = simulation.parameters.timing.time_step;
        if moment.time > self.lasted() + (self.every - 0.5 * step).max(0.5 * step) {
            self.frames.push(frame(simulation, moment));
        }
    }

    /// Its pictures.
    #[must_use]
    pub fn frames(&self) -> &[FilmFrame] {
        &self.frames
    }

    /// The last picture until `time` [s].
    #[must_use]
    pub fn at(&self, time: Real) -> &FilmFrame {
        let passed = self.frames.partition_point(|frame| frame.time <= time + 1e-9);
        &self.frames[passed.saturating_sub(1)]
    }

    /// Time of its last picture [s].
    #[must_use]
    pub fn lasted(&self) -> Real {
        self.frames.last().map_or(0.0, |frame| frame.time)
    }

    /// Mean curvature of the cloth [1/m], over the last quarter of the film as the other figures.
    #[must_use]
    pub fn folds(&self) -> Real {
        let last = || self.frames.iter().filter(|frame| frame.time >= 0.75 * self.lasted());
        last().map(|frame| frame.folds).sum::<Real>() / last().count().max(1) as Real
    }

    /// Memory that its positions take [bytes].
    pub(super) fn bytes(&self) -> usize {
        self.frames.iter().map(|frame| size_of_val(frame.positions.as_slice())).sum()
    }
}

fn frame(simulation: &Simulation, moment: &Moment) -> FilmFrame {
    let (pattern, positions) = (simulation.pattern(), &simulation.state.cloth.positions);
    let curvatures = curvatures(pattern, positions);
    let origin = pattern.origin();
    FilmFrame {
        time: moment.time,
        stretch: moment.figures[0],
        sag: moment.figures[1],
        folds: curvatures.iter().sum::<Real>() / curvatures.len().max(1) as Real,
        positions: positions.iter().map(|x| (*x - origin).as_vec3().to_array()).collect(),
    }
}

/// The run of the reference that the others are beside.
#[derive(Debug, Clone)]
pub struct ReferenceRun {
    /// Its film.
    pub film: Arc<Film>,
    /// Time of a step [s].
    pub step: Option<Real>,
    /// Its figures at the end; none without a step.
    pub figures: Option<TimeFigures>,
}

impl Findings {
    /// Memory of all films [bytes].
    pub(super) fn bytes_of_films(&self) -> usize {
        let own = self.rows.iter().filter_map(|row| row.film.as_ref());
        own.chain(self.reference_run.iter().map(|run| &run.film)).map(|film| film.bytes()).sum()
    }
}

/// Name of a solver with this id.
fn name_of(id: &str) -> &str {
    let known = REGISTRY.iter().find(|entry| entry.info.id == id);
    known.map_or(id, |entry| entry.info.name)
}

/// A run to look at, with what is told of it.
#[derive(Debug, Clone)]
pub struct Shown {
    /// What it is in the advice.
    pub role: &'static str,
    /// Its number in the findings; none of the reference.
    pub row: Option<usize>,
    /// Name of the solver with its settings.
    pub name: String,
    /// Time of a step [s].
    pub step: Option<Real>,
    /// Error of a step, with the weights of the purpose; none of the reference.
    pub error: Option<Real>,
    /// Time after which it fails [s].
    pub fails_after: Option<Real>,
    /// What the eye sees at the end.
    pub figures: Option<TimeFigures>,
    /// The film.
    pub film: Arc<Film>,
}

impl Advice {
    /// The runs to look at side by side: that of the reference, that of the candidate to take, or
    /// where none fits the budget of the cheapest that can be taken, and that of one that is not
    /// taken. That is the one of the warning in `sentences`, or else the worst that has a fault, or
    /// else the one of the largest error. Only what has run over time is looked at.
    #[must_use]
    pub fn shown(&self, findings: &Findings, sentences: &[Sentence], profile: &Profile) -> Vec<Shown> {
        let Some(run) = &findings.reference_run else { return Vec::new() };
        let solver = &findings.reference;
        let reference = Shown {
            role: "Reference",
            row: None,
            name: format!("{} in {} parts of a step", name_of(solver.solver), solver.parts),
            step: run.step,
            error: None,
            fails_after: None,
            figures: run.figures,
            film: Arc::clone(&run.film),
        };
        let of = |row: usize, role: &'static str| {
            let it = &findings.rows[row];
            Some(Shown {
                role,
                row: Some(row),
                name: it.name(),
                step: it.step,
                error: it.error.map(|error| error.weighted(&profile.weights)),
                fails_after: it.fails_after,
                figures: it.run.map(|run| run.own),
                film: it.film.clone()?,
            })
        };
        let taken = self.shown_as_taken(findings);
        let role = if self.take.is_some() { "Recommended" } else { "Over the budget" };
        let taken = taken.and_then(|row| of(row, role));
        let loser = self.shown_as_loser(findings, sentences, taken.as_ref().and_then(|taken| taken.row));
        let has_fault = |row: usize| self.judged.iter().any(|one| one.row == row && one.fault.is_some());
        let loser = loser.and_then(|row| of(row, if has_fault(row) { "Refused" } else { "Not taken" }));
        [Some(reference), taken, loser].into_iter().flatten().collect()
    }

    fn shown_as_taken(&self, findings: &Findings) -> Option<usize> {
        let first = self.judged.iter().position(|one| one.is_on_front);
        let row = self.take.or(first).map(|at| self.judged[at].row);
        row.filter(|row| findings.rows[*row].film.is_some())
    }

    fn shown_as_loser(&self, findings: &Findings, sentences: &[Sentence], taken: Option<usize>) -> Option<usize> {
        let can_be = |row: usize| findings.rows[row].film.is_some() && Some(row) != taken;
        let warned = sentences.iter().filter(|sentence| sentence.is_warning()).map(|sentence| sentence.row);
        let others = || self.judged.iter().filter(|one| can_be(one.row));
        let badness = |row: usize| {
            let row = &findings.rows[row];
            let departs = row.farthest().map_or(0.0, |farthest| farthest.times);
            if row.fails_after.is_some() { Real::INFINITY } else { departs }
        };
        let at_fault = || {
            let faults = others().filter(|one| one.fault.is_some());
            faults.max_by(|a, b| badness(a.row).total_cmp(&badness(b.row))).map(|one| one.row)
        };
        let farthest = || others().max_by(|a, b| a.error.total_cmp(&b.error)).map(|one| one.row);
        warned.into_iter().find(|row| can_be(*row)).or_else(at_fault).or_else(farthest)
    }
}
