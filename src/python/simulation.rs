//! Simulations.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use serde_json::{Map, Value, json};
use weft::documents::write_whole;
use weft::scene::{InputError as LibraryError, Scalar, Snapshot, read_text};
use weft::session::{Command, Session};
use weft::sim::StepStats;
use weft::sim::params::quote::quote;
use weft::sim::quantities::Quantity;
use weft::sim::solver_interface::StepStage;

use crate::attributes::setting_value;
use crate::convert::{Record, Rows, from_python, to_python};
use crate::long_call::{LOOK, beside, here};
use crate::scene::Scene;
use crate::session::Inner;
use crate::state::State;
use crate::{InputError, StepError, UnusableError, input_error};

/// How often a thread looks whether a simulation that another one uses is free.
const WAIT: Duration = Duration::from_micros(200);

/// A cloth in its world that is stepped by a solver, with the same bits as `weft run`.
///
/// `scene` is a Scene, or the name or file of one; `solver` is another solver than that of the
/// scene, by its id.
///
/// Calls from several threads wait for each other; the lock of the interpreter is released in steps
/// and commands. Ctrl+C ends a call within 0.1 s and leaves the state after the last whole step.
///
/// Raises InputError if the scene cannot be used.
#[pyclass(module = "weft", frozen)]
pub struct Simulation {
    inner: Mutex<Inner>,
    /// The thread that uses it; zero if none does.
    user: AtomicUsize,
}

/// A simulation that this thread uses.
struct Used<'a> {
    inner: MutexGuard<'a, Inner>,
    user: &'a AtomicUsize,
}

impl Deref for Used<'_> {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl DerefMut for Used<'_> {
    fn deref_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

impl Drop for Used<'_> {
    fn drop(&mut self) {
        self.user.store(0, Ordering::Relaxed);
    }
}

/// A number of this thread that no other living thread has.
fn this_thread() -> usize {
    thread_local!(static PLACE: u8 = const { 0 });
    PLACE.with(|place| std::ptr::from_ref(place).addr())
}

impl Simulation {
    fn of(session: Session, notes: Vec<String>) -> Self {
        let inner = Inner::new(session, notes);
        Self { inner: Mutex::new(inner), user: AtomicUsize::new(0) }
    }

    /// Waits until no other thread uses it.
    fn lock(&self, py: Python<'_>) -> PyResult<Used<'_>> {
        let inner = loop {
            match self.inner.try_lock() {
                Ok(inner) => break inner,
                Err(TryLockError::Poisoned(_)) => return Err(UnusableError::new_err(BROKEN)),
                Err(TryLockError::WouldBlock) if self.user.load(Ordering::Relaxed) == this_thread() => {
                    return Err(UnusableError::new_err(IN_USE));
                }
                Err(TryLockError::WouldBlock) => {
                    py.detach(|| thread::sleep(WAIT));
                    py.check_signals()?;
                }
            }
        };
        if inner.is_broken {
            return Err(UnusableError::new_err(BROKEN));
        }
        self.user.store(this_thread(), Ordering::Relaxed);
        Ok(Used { inner, user: &self.user })
    }

    /// Executes commands, one after the other until one is impossible.
    fn apply(&self, py: Python<'_>, commands: impl Iterator<Item = Command> + Send) -> PyResult<()> {
        let mut used = self.lock(py)?;
        let inner = &mut *used;
        let had_failed = inner.session.failure().is_some();
        let done = here(py, || {
            for command in commands {
                inner.apply(command)?;
            }
            Ok(())
        });
        inner.is_broken = done.is_err();
        done?.map_err(|message: String| InputError::new_err(message))?;
        // a step that was a command
        used.failure().filter(|_| !had_failed).map_or(Ok(()), |message| Err(StepError::new_err(message)))
    }
}

const BROKEN: &str = "the library has failed within this simulation, which cannot be used any longer; make another one";
const IN_USE: &str =
    "the simulation is in a call already: a handler of signals or a destructor cannot use it meanwhile";

/// The number of a vertex, collider or handle, from that of Python; one that cannot be is larger than
/// all that are.
fn number(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A number of a vertex, or several of them.
#[derive(FromPyObject)]
enum Vertices {
    #[pyo3(transparent, annotation = "int")]
    One(i64),
    #[pyo3(transparent, annotation = "sequence of int")]
    Many(Vec<i64>),
}

impl Vertices {
    /// Their numbers, of which a cloth of so many vertices has all.
    fn check(self, count: usize) -> PyResult<Vec<u32>> {
        let numbers = match self {
            Self::One(number) => vec![number],
            Self::Many(numbers) => numbers,
        };
        let is_there = |number: &i64| usize::try_from(*number).is_ok_and(|number| number < count);
        match numbers.iter().find(|number| !is_there(number)) {
            Some(other) => {
                let message = format!("vertex {other} does not exist; the cloth has {count} vertices");
                Err(InputError::new_err(message))
            }
            None => Ok(numbers.into_iter().map(number).collect()),
        }
    }
}

/// A scene, or the name or file of one.
#[derive(FromPyObject)]
enum SceneChoice<'py> {
    #[pyo3(transparent, annotation = "Scene")]
    Scene(PyRef<'py, Scene>),
    #[pyo3(transparent, annotation = "name or path")]
    Name(PathBuf),
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (scene: "Scene | str | os.PathLike[str]", solver = None))]
    fn new(py: Python<'_>, scene: SceneChoice<'_>, solver: Option<&str>) -> PyResult<Self> {
        let named = match scene {
            SceneChoice::Scene(scene) => Ok(scene.scene.clone()),
            SceneChoice::Name(name) => weft::scene::Scene::load(&name.to_string_lossy()),
        };
        let build = || {
            let mut scene = named?;
            solver.map_or(Ok(()), |solver| scene.set_solver(solver))?;
            let (simulation, mut notes) = scene.build_with_notes()?;
            notes.extend(scene.notes_of_start(&simulation));
            Ok((Session::new(scene, simulation), notes))
        };
        let (session, notes) = here(py, build)?.map_err(|error: LibraryError| input_error(&error))?;
        Ok(Self::of(session, notes))
    }

    /// The simulation of a snapshot, a file that `save` or `weft run --snapshot` has written. It goes
    /// on with the same bits.
    ///
    /// Raises InputError if the file cannot be used.
    #[staticmethod]
    #[pyo3(signature = (file: "str | os.PathLike[str]"))]
    fn load(py: Python<'_>, file: PathBuf) -> PyResult<Self> {
        let file = file.to_string_lossy().into_owned();
        let read = || Snapshot::parse(&read_text(&file, "the snapshot")?, &file)?.restore();
        let (scene, simulation) = here(py, read)?.map_err(|error| input_error(&error))?;
        Ok(Self::of(Session::new(scene, simulation), Vec::new()))
    }

    /// Writes a snapshot, for `Simulation.load` and `weft run --from`.
    ///
    /// Raises OSError if the file cannot be written; it is then as it was.
    #[pyo3(signature = (file: "str | os.PathLike[str]"))]
    fn save(&self, py: Python<'_>, file: PathBuf) -> PyResult<()> {
        let snapshot = self.lock(py)?.session.snapshot();
        let write = || write_whole(Path::new(&file), |out| snapshot.write(out));
        Ok(here(py, write)??)
    }

    /// Takes `count` time steps. While time is stopped (command "pause") they pass without a change.
    ///
    /// Raises StepError if a step fails: the simulation then has the state before it, and raises the
    /// same until `restore`, another solver, or the commands "mend", "restore" or "reset".
    #[pyo3(signature = (count = 1))]
    fn step(&self, py: Python<'_>, count: u64) -> PyResult<()> {
        let mut used = self.lock(py)?;
        if let Some(message) = used.failure() {
            return Err(StepError::new_err(message));
        }
        let mut left = count;
        while left > 0 {
            let inner = &mut *used;
            let taken = if inner.may_be_long {
                let (canceller, order) = (inner.canceller.clone(), inner.order);
                beside(py, || canceller.cancel_through(order), || inner.take(left, None))
            } else {
                let until = Instant::now() + LOOK;
                let taken = here(py, || inner.take(left, Some(until)));
                // shorter calls leave signals to the interpreter
                if Instant::now() >= until { taken.and_then(|taken| py.check_signals().map(|()| taken)) } else { taken }
            };
            let (count, ended) = match taken {
                Ok(taken) => taken,
                Err(error) => {
                    used.is_broken = error.is_instance_of::<UnusableError>(py);
                    used.begin_order();
                    return Err(error);
                }
            };
            if let Err(error) = ended {
                return Err(StepError::new_err(used.session.describe_failure(&error)));
            }
            left -= count;
        }
        Ok(())
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.session.simulation().time())
    }

    /// Number of steps since time zero.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.session.simulation().steps())
    }

    /// Positions of the vertices [m], an array of shape (n, 3): a copy.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Rows<f64>> {
        Ok(Rows::of(&self.lock(py)?.session.simulation().state.cloth.positions))
    }

    /// Velocities of the vertices [m/s], an array of shape (n, 3): a copy.
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Rows<f64>> {
        Ok(Rows::of(&self.lock(py)?.session.simulation().state.cloth.velocities))
    }

    /// Numbers of the vertices of each triangle, an array of shape (m, 3): a copy.
    #[getter]
    fn triangles(&self, py: Python<'_>) -> PyResult<Rows<u32>> {
        Ok(Rows::numbers(self.lock(py)?.session.simulation().pattern().triangles()))
    }

    /// Numbers of the pinned vertices.
    #[getter]
    fn pinned(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        Ok(self.lock(py)?.session.simulation().state.cloth.pins().iter().map(|pin| pin.vertex).collect())
    }

    /// The scene with the parameters as they are now: a copy.
    #[getter]
    fn scene(&self, py: Python<'_>) -> PyResult<Scene> {
        Ok(Scene { scene: self.lock(py)?.session.scene() })
    }

    /// What the files of the scene left out, joined or divided, and which vertices start inside
    /// something.
    #[getter]
    fn notes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.lock(py)?.notes.clone())
    }

    /// Id of the solver. Another one goes on from the same state.
    ///
    /// Raises InputError when it is set to an id that does not exist.
    #[getter]
    fn solver(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.lock(py)?.session.simulation().solver().info().id)
    }

    #[setter]
    fn set_solver(&self, py: Python<'_>, id: String) -> PyResult<()> {
        self.apply(py, [Command::Solver { id }].into_iter())
    }

    /// Sets a parameter or a setting of the solver, which takes effect at the next step; a key of the
    /// cloth's shape starts it again.
    ///
    /// Raises InputError for an unknown key, or a value that it does not take.
    #[pyo3(signature = (key, value: "float | str | bool"))]
    fn set(&self, py: Python<'_>, key: String, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = match from_python(value) {
            Ok(Value::Bool(on)) => Scalar::Toggle(on),
            Ok(Value::String(text)) => Scalar::Text(text),
            Ok(Value::Number(number)) => match number.as_u64().and_then(|number| u32::try_from(number).ok()) {
                Some(number) => Scalar::Integer(number),
                None => Scalar::Real(number.as_f64().unwrap_or(f64::NAN)),
            },
            Ok(other) => return Err(InputError::new_err(format!("{other} is no number, text or truth value"))),
            // a number that is not finite is outside every range, which the declaration says better
            Err(error) => Scalar::Real(value.extract().map_err(|_| error)?),
        };
        self.apply(py, [Command::Set { key, value }].into_iter())
    }

    /// The value of a parameter or of a setting of the solver.
    ///
    /// Raises InputError for an unknown key.
    #[pyo3(signature = (key) -> "float | str | bool")]
    fn get<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let used = self.lock(py)?;
        let simulation = used.session.simulation();
        let settings = simulation.solver().settings();
        let found = simulation.parameters.find(key);
        let found = found.or_else(|| settings.index_of(key).map(|index| (settings, index)));
        let Some((group, index)) = found else {
            let groups = simulation.parameters.groups().chain([settings]);
            let known: Vec<&str> = groups.flat_map(|group| group.params()).map(|param| param.key).collect();
            let mend = LibraryError::suggestion(key, known.into_iter());
            return Err(InputError::new_err(format!("there is no parameter \"{}\"; {mend}", quote(key))));
        };
        let value = setting_value(&group.params()[index], group.get(index));
        drop(used);
        to_python(py, &value)
    }

    /// Takes a vertex into the hand, or moves the hand that has it: the vertex follows in the next
    /// steps to `target` [m], three numbers. Another vertex leaves the hand.
    ///
    /// Raises InputError if the vertex does not exist, or the target is not finite.
    fn grab(&self, py: Python<'_>, vertex: i64, target: [f64; 3]) -> PyResult<()> {
        let vertex = Vertices::One(vertex).check(self.lock(py)?.session.simulation().state.cloth.len())?[0];
        self.apply(py, [Command::Grab { vertex, target: target.into() }].into_iter())
    }

    /// Opens the hand.
    fn release(&self, py: Python<'_>) -> PyResult<()> {
        self.apply(py, [Command::Release].into_iter())
    }

    /// Pins a vertex, or several, where they are.
    ///
    /// Raises InputError if a vertex does not exist; then none is pinned.
    #[pyo3(signature = (vertices: "int | typing.Sequence[int] | numpy.typing.NDArray[numpy.integer[typing.Any]]"))]
    fn pin(&self, py: Python<'_>, vertices: Vertices) -> PyResult<()> {
        let vertices = vertices.check(self.lock(py)?.session.simulation().state.cloth.len())?;
        self.apply(py, vertices.into_iter().map(|vertex| Command::Pin { vertex }))
    }

    /// Lets a pinned vertex go, or several.
    ///
    /// Raises InputError if a vertex does not exist; then none is let go.
    #[pyo3(signature = (vertices: "int | typing.Sequence[int] | numpy.typing.NDArray[numpy.integer[typing.Any]]"))]
    fn unpin(&self, py: Python<'_>, vertices: Vertices) -> PyResult<()> {
        let vertices = vertices.check(self.lock(py)?.session.simulation().state.cloth.len())?;
        self.apply(py, vertices.into_iter().map(|vertex| Command::Unpin { vertex }))
    }

    /// Moves the vertices of a handle of the scene to an `offset` [m], three numbers, from where they
    /// start. Several handles can be moved between two steps. Pieces and handles are counted from 0.
    ///
    /// Raises InputError if there is no such handle, or the offset is not finite.
    #[pyo3(signature = (handle, offset, piece = 0))]
    fn move_handle(&self, py: Python<'_>, handle: i64, offset: [f64; 3], piece: i64) -> PyResult<()> {
        let (piece, handle) = (number(piece), number(handle));
        self.apply(py, [Command::MoveHandle { piece, handle, offset: offset.into() }].into_iter())
    }

    /// Executes a command of `weft run --commands` by its name and fields, as
    /// `command("move_collider", collider=0, position=[0, 1, 0], rotation=[0, 0, 0])`.
    ///
    /// Raises InputError if there is no such command, or it cannot be executed; it then changes
    /// nothing.
    #[pyo3(signature = (name, /, **fields: "typing.Any"))]
    fn command(&self, py: Python<'_>, name: String, fields: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let fields = fields.map_or(Ok(Value::Null), from_python)?;
        let value = match fields {
            Value::Null => Value::String(name),
            fields => Value::Object(Map::from_iter([(name, fields)])),
        };
        let command: Command =
            serde_json::from_value(value).map_err(|error| InputError::new_err(format!("not a command: {error}")))?;
        command.check().map_err(|error| input_error(&error))?;
        self.apply(py, [command].into_iter())
    }

    /// The present state, for `restore`.
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        Ok(State { checkpoint: self.lock(py)?.session.checkpoint() })
    }

    /// Continues from a state of this or of another simulation, with its solver and parameters, and
    /// with the same bits. A failure is left behind.
    fn restore(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<()> {
        let mut used = self.lock(py)?;
        let (inner, state) = (&mut *used, state.get());
        let done = here(py, || {
            inner.session.restore_checkpoint(&state.checkpoint);
            inner.last = StepStats::default();
        });
        used.is_broken = done.is_err();
        done
    }

    /// Statistics of the last step, with its times by stage [s].
    #[getter]
    fn stats(&self, py: Python<'_>) -> PyResult<Record> {
        // a new field has to be told here
        let StepStats {
            seconds,
            iterations,
            factorisations,
            updates,
            indefinite,
            residual,
            unconverged,
            exhausted,
            substeps,
            rejected,
            stretch_left,
            air_work,
            torn,
            pressing_rows,
            near_pairs,
            too_many_pairs,
            truncated,
            searches,
            given_up,
            touching,
            waiting,
        } = self.lock(py)?.last;
        let seconds: Map<String, Value> =
            StepStage::ALL.iter().zip(seconds).map(|(stage, time)| (stage.name().to_owned(), time.into())).collect();
        Ok(Record::of(json!({
            "iterations": iterations,
            "factorisations": factorisations,
            "updates": updates,
            "indefinite": indefinite,
            "residual": residual,
            "unconverged": unconverged,
            "exhausted": exhausted,
            "substeps": substeps,
            "rejected": rejected,
            "stretch_left": stretch_left,
            "air_work": air_work,
            "torn": torn,
            "pressing_rows": pressing_rows,
            "near_pairs": near_pairs,
            "too_many_pairs": too_many_pairs,
            "truncated": truncated,
            "searches": searches,
            "given_up": given_up,
            "touching": touching,
            "waiting": waiting,
            "seconds": seconds,
        })))
    }

    /// Energies of the cloth [J]: kinetic, elastic, potential (zero at height zero) and total. Elastic
    /// and total are None if the solver states no elastic energy.
    #[getter]
    #[pyo3(name = "energies")]
    fn energies(&self, py: Python<'_>) -> PyResult<Record> {
        let energy = self.lock(py)?.session.simulation().energy();
        Ok(Record::of(json!({
            "kinetic": energy.kinetic,
            "elastic": energy.elastic,
            "potential": energy.potential,
            "total": energy.total(),
        })))
    }

    /// A quantity of the present state and its last step, by a name of `weft.quantities()`, in SI
    /// units, shares as numbers; None if it is not known.
    ///
    /// Raises InputError for an unknown name.
    fn measure(&self, py: Python<'_>, name: &str) -> PyResult<Option<f64>> {
        let quantity = Quantity::ALL.iter().copied().find(|quantity| quantity.key() == name);
        let quantity = quantity.ok_or_else(|| {
            let mend = LibraryError::suggestion(name, Quantity::ALL.iter().map(|quantity| quantity.key()));
            InputError::new_err(format!("there is no quantity \"{}\"; {mend}", quote(name)))
        })?;
        let mut used = self.lock(py)?;
        let inner = &mut *used;
        here(py, || {
            let is_counted = quantity == Quantity::Intersections;
            let count = is_counted.then(|| inner.intersections().iter().map(|pairs| pairs.len()).sum());
            quantity.value(&inner.reading(count))
        })
    }

    /// Pairs of triangles of the cloth that intersect, exactly; touching counts. An array of shape
    /// (k, 2). With `colliders`, triangles that intersect a collider of triangles, each with the number
    /// of that: floor and table first, as far as they are there, then the colliders of the scene.
    #[pyo3(signature = (colliders = false))]
    fn intersections(&self, py: Python<'_>, colliders: bool) -> PyResult<Rows<u32>> {
        let mut used = self.lock(py)?;
        let inner = &mut *used;
        here(py, || Rows::numbers(inner.intersections()[usize::from(colliders)]))
    }

    /// A hash of all positions and velocities, the same as that in recordings of `weft run --record`.
    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.session.simulation().fingerprint())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let used = self.lock(py)?;
        let simulation = used.session.simulation();
        let (vertices, time) = (simulation.state.cloth.len(), simulation.time());
        let (name, solver) = (used.session.scene_name(), simulation.solver().info().id);
        Ok(format!("<weft.Simulation of {name:?}, {vertices} vertices, {solver}, t = {time:.4} s>"))
    }
}
