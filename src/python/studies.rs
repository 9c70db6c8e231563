//! Studies of many runs. Their tables are dictionaries of columns, as pandas takes them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use weft::documents::{ADVICE_HEADER, advice_choice, advice_row};
use weft::scene::{Fabric, InputError as LibraryError, PublishedDrape, Scene as LibraryScene};
use weft::sim::params::quote::quote;
use weft::sim::params::{Kind, Tunable};
use weft::sim::quantities::{MEASURES, Measure};
use weft::sim::solvers::REGISTRY;
use weft::sim::study::advice::{Advice, AdvicePlan, Event, PROFILES, Profile, Question, measure};
use weft::sim::study::grid::{Axis, Grid, Values};
use weft::sim::study::run::{End, Interrupted};
use weft::sim::study::sweep::measure_run;
use weft::sim::study::textile::{Cut, Specimen, TestResult, TextileTest};
use weft::sim::{CancelToken, Canceller, Parameters, Real, StepError as LibraryStepError};

use crate::attributes::as_text;
use crate::convert::{Record, from_python};
use crate::long_call::beside;
use crate::scene::Scene;
use crate::session::clock;
use crate::{InputError, StepError, input_error};

/// Shortest and longest distance of neighbouring vertices of a drape [mm], as `weft textile` has it.
const CELLS: std::ops::RangeInclusive<Real> = 2.0..=15.0;

/// A dictionary of columns from rows, which all have the same keys.
fn columns(keys: &[String], rows: Vec<Vec<Value>>) -> Record {
    let mut columns: Vec<Vec<Value>> = keys.iter().map(|_| Vec::with_capacity(rows.len())).collect();
    for row in rows {
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    Record(keys.iter().cloned().zip(columns.into_iter().map(Value::Array)).collect())
}

/// A cell of a table: a number if it is one, nothing if it is empty.
fn cell(text: String) -> Value {
    if text.is_empty() {
        return Value::Null;
    }
    text.parse::<f64>().map_or(Value::String(text), Value::from)
}

/// An error about an argument.
fn fault(argument: &str, message: impl std::fmt::Display) -> PyErr {
    InputError::new_err(format!("{argument}: {message}"))
}

/// How long each run of a sweep is.
#[derive(Clone, Copy)]
enum Length {
    Steps(u64),
    Seconds(Real),
}

/// Runs a scene with every combination of values of parameters, on all cores.
///
/// `vary` has for each parameter, or for "solver", "fabric" or "mesh", a list of values, or a text as
/// `weft sweep --vary` takes it, like "0.001:0.03:log:20". Each run takes `steps` time steps or, so that
/// runs with different time steps end at the same time, `seconds` of simulated time. `measures` are those
/// of `weft sweep`; `threads` is the number of runs at a time, by default one per core.
///
/// Returns a dictionary of columns: parameters, measures (of the last good state; None where there is
/// no such number) and status, "ok" or what went wrong.
///
/// Raises InputError for a name or value that does not exist, before anything is run.
#[pyfunction]
#[pyo3(signature = (scene, vary: "typing.Mapping[str, str | typing.Sequence[float | str | bool]]", steps = None, seconds = None, measures: "typing.Sequence[str]" = vec!["max_strain".to_owned(), "energy".to_owned(), "ms".to_owned()], threads = None))]
pub fn sweep(
    py: Python<'_>,
    scene: &Scene,
    vary: &Bound<'_, PyDict>,
    steps: Option<u64>,
    seconds: Option<f64>,
    measures: Vec<String>,
    threads: Option<usize>,
) -> PyResult<Record> {
    let length = match (steps, seconds) {
        (Some(steps), None) => Length::Steps(steps),
        (None, Some(seconds)) if seconds.is_finite() && seconds > 0.0 => Length::Seconds(seconds),
        (None, Some(_)) => return Err(fault("seconds", "needs a number of seconds above 0")),
        _ => return Err(InputError::new_err("needs either steps or seconds")),
    };
    if threads == Some(0) {
        return Err(fault("threads", "needs a number of at least 1"));
    }
    let axes = vary.iter().map(|(key, values)| axis(&scene.scene, &key.extract::<String>()?, &values));
    let grid = Grid::new(axes.collect::<PyResult<_>>()?).map_err(|error| fault("vary", error))?;
    let measures = measures.iter().map(|name| find_measure(name)).collect::<PyResult<Vec<_>>>()?;
    let scenes: Result<Vec<_>, _> = (0..grid.runs()).map(|run| scene_of(&scene.scene, &grid, run)).collect();
    let scenes = scenes.map_err(|error| fault("vary", error))?;
    let threads = threads.unwrap_or_else(rayon::current_num_threads);
    let canceller = Canceller::default();
    let token = canceller.token(0);
    let outcomes = beside(py, || canceller.cancel_through(0), || run_all(&scenes, length, &measures, threads, &token))?;
    let axes = || grid.axes().iter().map(|axis| axis.key.clone());
    let keys: Vec<String> =
        axes().chain(measures.iter().map(|measure| measure.key.to_owned())).chain(["status".to_owned()]).collect();
    let rows = outcomes.into_iter().enumerate().map(|(run, (values, status))| {
        let varied = grid.values(run).into_iter().map(|value| cell(value.to_owned()));
        varied.chain(values.into_iter().map(Value::from)).chain([status.into()]).collect()
    });
    Ok(columns(&keys, rows.collect()))
}

/// The values of a parameter.
fn axis(scene: &LibraryScene, key: &str, values: &Bound<'_, PyAny>) -> PyResult<Axis> {
    let text = match values.cast::<PyString>() {
        Ok(text) => text.to_string(),
        Err(_) => values.try_iter()?.map(|value| as_text(&value?)).collect::<PyResult<Vec<_>>>()?.join(","),
    };
    Axis::parse(key, &text, kind_of(scene, key)).map_err(|error| fault(&format!("vary {key}"), error))
}

/// Values of the parameter `key`, of the scene or of any solver. For an unknown one it does not matter.
fn kind_of(scene: &LibraryScene, key: &str) -> Values {
    let find = |group: &dyn Tunable| group.index_of(key).map(|index| &group.params()[index]);
    let own = scene.clone().visit(|group| find(group)).into_iter().flatten().next();
    let of_solvers = || REGISTRY.iter().find_map(|entry| find((entry.build)().settings()));
    match own.or_else(of_solvers).map(|param| (param.kind, param.unit)) {
        Some((Kind::Real { .. } | Kind::Angle { .. }, unit)) => Values::Real(unit),
        Some((Kind::Integer { .. }, _)) => Values::Whole,
        _ => Values::Names,
    }
}

fn find_measure(name: &str) -> PyResult<&'static Measure> {
    Measure::find(name).ok_or_else(|| {
        let mend = LibraryError::suggestion(name, MEASURES.iter().map(|measure| measure.key));
        fault("measures", format!("there is no measure \"{}\"; {mend}", quote(name)))
    })
}

/// The scene of a run, counted from zero. The solver is set first: others may not have the settings.
fn scene_of(scene: &LibraryScene, grid: &Grid, run: usize) -> Result<LibraryScene, LibraryError> {
    let mut scene = scene.clone();
    let mut pairs: Vec<_> = grid.axes().iter().map(|axis| axis.key.as_str()).zip(grid.values(run)).collect();
    pairs.sort_by_key(|(key, _)| *key != "solver");
    pairs.into_iter().try_for_each(|(key, value)| scene.set(key, value))?;
    Ok(scene)
}

/// Measures and status of each run, in order. A run is on one thread.
fn run_all(
    scenes: &[LibraryScene],
    length: Length,
    measures: &[&'static Measure],
    threads: usize,
    token: &CancelToken,
) -> Vec<(Vec<Option<Real>>, String)> {
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(vec![Default::default(); scenes.len()]));
    let work = || {
        while let Some((run, scene)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|run| Some((run, scenes.get(run)?)))
            && !token.is_cancelled()
        {
            let outcome = outcome(scene, length, measures, token);
            outcomes.lock().unwrap_or_else(PoisonError::into_inner)[run] = outcome;
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.min(scenes.len()) {
            // a step asks for its number of threads
            scope.spawn(|| match ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(alone) => alone.install(work),
                Err(_) => work(),
            });
        }
    });
    outcomes.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn outcome(
    scene: &LibraryScene,
    length: Length,
    measures: &[&'static Measure],
    token: &CancelToken,
) -> (Vec<Option<Real>>, String) {
    let mut simulation = match scene.build() {
        Ok(simulation) => simulation,
        // values that cannot be had together
        Err(error) => return (vec![None; measures.len()], format!("not begun: {error}")),
    };
    let steps = match length {
        Length::Steps(steps) => steps,
        Length::Seconds(seconds) => ((seconds / scene.parameters.timing.time_step).round() as u64).max(1),
    };
    (simulation.clock, simulation.cancel) = (clock(), token.clone());
    let outcome = measure_run(&mut simulation, steps, measures);
    let time = outcome.time;
    let status = match outcome.end {
        End::Done => "ok".to_owned(),
        End::Failed(LibraryStepError::Diverged(why)) => format!("diverged at t = {time:.4} s: {why}"),
        End::Failed(error) => format!("failed at t = {time:.4} s: {error}"),
        _ => "called off".to_owned(),
    };
    (outcome.values, status)
}

/// Which solver to take for a scene, measured on this machine, as `weft advise` tells it.
///
/// `budget` is the most time per frame, which is one time step [ms]; `profile` what matters: game, film,
/// robotics or teaching; `weights` other weights or limits of it; `seconds` the time for all measurements,
/// about.
///
/// Returns a dictionary: "rows", the candidates as a dictionary of columns, "sentences", the advice in
/// words, and "take", the number of the row to take, or None.
///
/// Raises InputError for bad arguments, StepError if there is nothing to compare with.
#[pyfunction]
#[pyo3(signature = (scene, budget = 25.0 / 3.0, profile = "game", weights: "typing.Mapping[str, float] | None" = None, seconds = 75.0))]
pub fn advise(
    py: Python<'_>,
    scene: &Scene,
    budget: f64,
    profile: &str,
    weights: Option<&Bound<'_, PyDict>>,
    seconds: f64,
) -> PyResult<Record> {
    for (argument, value) in [("budget", budget), ("seconds", seconds)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(fault(argument, "needs a number above 0"));
        }
    }
    let mut purpose = Profile::named(profile).ok_or_else(|| {
        let names: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
        fault("profile", format!("there is no \"{}\"; take one of {}", quote(profile), names.join(", ")))
    })?;
    for (key, value) in weights.into_iter().flatten() {
        purpose.set(&key.extract::<String>()?, value.extract()?).map_err(|message| fault("weights", message))?;
    }
    let canceller = Canceller::default();
    let plan = AdvicePlan { seconds, ..AdvicePlan::new(clock(), canceller.token(0)) };
    let scene = scene.scene.clone();
    let work = || -> Result<Result<_, Interrupted>, LibraryError> {
        let simulation = scene.build()?;
        Ok(measure(&Question::of(&simulation), &plan, &mut |_: Event<'_>| ControlFlow::Continue(())))
    };
    let found = beside(py, || canceller.cancel_through(0), work)?.map_err(|error| input_error(&error))?;
    let findings = found.map_err(|error| StepError::new_err(format!("the reference cannot be computed: {error}")))?;
    let budget = 1e-3 * budget;
    let advice = Advice::of(&findings, budget, &purpose);
    let rows = findings.rows.iter().enumerate().map(|(at, row)| {
        let judged = advice.judged.iter().find(|it| it.row == at);
        advice_row(row, judged, advice_choice(&advice, at), &purpose).map(cell).to_vec()
    });
    let header = ADVICE_HEADER.map(str::to_owned);
    let Record(rows) = columns(&header, rows.collect());
    let sentences: Vec<String> =
        advice.sentences(&findings, budget, &purpose).into_iter().map(|sentence| sentence.text).collect();
    let take = advice.take.map(|at| advice.judged[at].row);
    Ok(Record::of(json!({ "rows": rows, "sentences": sentences, "take": take })))
}

/// A text, or several.
#[derive(FromPyObject)]
pub enum Names {
    #[pyo3(transparent, annotation = "str")]
    One(String),
    #[pyo3(transparent, annotation = "sequence of str")]
    Many(Vec<String>),
}

impl Names {
    fn list(self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name],
            Self::Many(names) => names,
        }
    }
}

/// Measures fabrics in the textile laboratory, as `weft textile` does.
///
/// `fabric` is one id, several, or "all"; `test` the ids of tests, by default all, but of the sizes of
/// drapes only the first; `cut` is "grid" or "irregular"; `starts` the number of drapes that start a
/// little differently; `cell` the distance of neighbouring vertices of a drape [mm]; with `defaults`
/// the solver keeps its default settings; `set` changes parameters of the fabric.
///
/// Returns a dictionary of columns: fabric, test, unit, value, spread, nodes, set (the value that the
/// fabric was given), published and verdict.
///
/// Raises InputError for a name or value that does not exist.
#[pyfunction]
#[pyo3(signature = (fabric: "str | typing.Sequence[str]" = Names::One(Fabric::DEFAULT.to_owned()), test: "str | typing.Sequence[str] | None" = None, solver = "implicit-euler", cut = "grid", starts = 5, cell = None, defaults = false, set: "typing.Mapping[str, float | str | bool] | None" = None))]
#[expect(clippy::too_many_arguments, reason = "options with defaults, named by the caller")]
pub fn textile(
    py: Python<'_>,
    fabric: Names,
    test: Option<Names>,
    solver: &str,
    cut: &str,
    starts: u64,
    cell: Option<f64>,
    defaults: bool,
    set: Option<&Bound<'_, PyDict>>,
) -> PyResult<Record> {
    weft::scene::build_solver(solver, &Default::default(), "solver").map_err(|error| input_error(&error))?;
    let cut = match cut {
        "grid" => Cut::Grid,
        "irregular" => Cut::Irregular,
        other => return Err(fault("cut", format!("there is no \"{}\"; take one of grid, irregular", quote(other)))),
    };
    if !(1..=100).contains(&starts) {
        return Err(fault("starts", "needs a whole number from 1 to 100"));
    }
    if cell.is_some_and(|cell| !CELLS.contains(&cell)) {
        return Err(fault("cell", format!("needs a number of mm from {} to {}", CELLS.start(), CELLS.end())));
    }
    let changes = match set.map(|set| from_python(set)).transpose()? {
        Some(Value::Object(changes)) => changes,
        _ => Map::new(),
    };
    let mut cases = Vec::new();
    for fabric in fabrics(fabric.list())? {
        let parameters = parameters(fabric, &changes)?;
        cases.extend(tests(test.as_ref())?.into_iter().map(|test| (fabric, parameters, test)));
    }
    let canceller = Canceller::default();
    let token = canceller.token(0);
    let measured = |&(fabric, parameters, test): &(&'static Fabric, Parameters, TextileTest)| {
        let starts = if test.discs().is_some() { starts } else { 1 };
        let cell = cell.map_or_else(|| Specimen::cell_for(&parameters), |cell| 1e-3 * cell);
        let of = Specimen::new(&parameters, solver);
        let specimen = Specimen { cut, cell, has_defaults: defaults, cancel: Some(&token), ..of };
        let measure = |seed| test.measurement(&Specimen { seed, ..specimen });
        let all: Result<Vec<_>, _> = (0..starts).into_par_iter().map(measure).collect();
        let figures = all.map(|all| all.iter().map(|measurement| measurement.figure).collect());
        row(fabric, &parameters, &TestResult::of(test, &specimen, figures))
    };
    let rows = beside(py, || canceller.cancel_through(0), || cases.par_iter().map(measured).collect::<Vec<_>>())?;
    let keys = ["fabric", "test", "unit", "value", "spread", "nodes", "set", "published", "verdict"].map(str::to_owned);
    Ok(columns(&keys, rows))
}

fn row(fabric: &Fabric, parameters: &Parameters, result: &TestResult) -> Vec<Value> {
    let is_of = result.test == TextileTest::Drape && fabric.is_of(parameters);
    let published = fabric.drape.as_ref().filter(|_| is_of).map(PublishedDrape::figure);
    vec![
        fabric.id.as_str().into(),
        result.test.id().into(),
        result.test.unit().into(),
        result.mean().into(),
        result.deviation().into(),
        result.nodes().into(),
        result.wanted.into(),
        published.into(),
        result.verdict().into(),
    ]
}

fn fabrics(ids: Vec<String>) -> PyResult<Vec<&'static Fabric>> {
    if ids.iter().any(|id| id == "all") {
        return Ok(Fabric::all().iter().collect());
    }
    ids.iter().map(|id| Fabric::find(id).map_err(|error| input_error(&error))).collect()
}

fn tests(ids: Option<&Names>) -> PyResult<Vec<TextileTest>> {
    let ids = match ids {
        None => return Ok(TextileTest::ALL.into_iter().filter(|test| test.is_usual()).collect()),
        Some(Names::One(id)) => std::slice::from_ref(id),
        Some(Names::Many(ids)) => &ids[..],
    };
    let find = |id: &String| {
        TextileTest::ALL.into_iter().find(|test| test.id() == id).ok_or_else(|| {
            let mend = LibraryError::suggestion(id, TextileTest::ALL.iter().map(|test| test.id()));
            fault("test", format!("there is no test \"{}\"; {mend}", quote(id)))
        })
    };
    ids.iter().map(find).collect()
}

/// Those of a fabric with changes.
fn parameters(fabric: &Fabric, changes: &Map<String, Value>) -> PyResult<Parameters> {
    let mut scene = LibraryScene::default();
    fabric.apply_to(&mut scene.parameters, true);
    for (key, value) in changes {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        scene.set(key, &text).map_err(|error| input_error(&error))?;
    }
    Ok(scene.parameters)
}
