//! The session: a simulation, where it came from, and the way back.

use std::collections::VecDeque;
use std::sync::Arc;

use super::checkpoints::Checkpoints;
use super::{Command, CutHit, Failure, Frame, Readouts, Stamped};
use crate::scene::{InputError, Scalar, Scene, Snapshot};
use crate::sim::forces::air::AirMode;
use crate::sim::params::ParamError;
use crate::sim::pattern::Fans;
use crate::sim::topology::cut_path::{CutPath, Hit};
use crate::sim::{Grab, Pin, Simulation, StepError, StepStats, Vec3};

/// A running simulation with all that happens to it.
pub struct Session {
    /// The simulation.
    simulation: Simulation,
    /// Where it came from; the parameters in it are those of the start.
    scene: Scene,
    /// The scene as it was loaded, for resetting single parameters.
    defaults: Scene,
    /// The two, as frames share them; renewed when the scene changes.
    shared: (Arc<Scene>, Arc<Scene>),
    failure: Option<Arc<Failure>>,
    /// Whether it was the failure that stopped the time.
    stopped_by_failure: bool,
    paused: bool,
    notice: Option<String>,
    stats: StepStats,
    generation: u64,
    ticks: u64,
    taken: (u64, f64),
    stepping_seconds: f64,
    /// Positions before the last step [m].
    previous: Vec<Vec3>,
    /// Memory for those of the step that is being taken.
    start: Vec<Vec3>,
    checkpoints: Checkpoints,
    knife: CutPath,
    /// Commands to come, by rising ticks.
    script: VecDeque<Stamped>,
    /// What was done, if that is kept.
    record: Option<Vec<Stamped>>,
    /// Hears what happens, in a few words each.
    tell: fn(&str),
}

impl Session {
    /// A session with a simulation of `scene`.
    #[must_use]
    pub fn new(scene: Scene, simulation: Simulation) -> Self {
        let previous = simulation.cloth.positions.clone();
        let shared = Arc::new(scene.clone());
        Self {
            defaults: scene.clone(),
            scene,
            shared: (Arc::clone(&shared), shared),
            simulation,
            failure: None,
            stopped_by_failure: false,
            paused: false,
            notice: None,
            stats: StepStats::default(),
            generation: 0,
            ticks: 0,
            taken: (0, 0.0),
            stepping_seconds: 0.0,
            previous,
            start: Vec::new(),
            checkpoints: Checkpoints::default(),
            knife: CutPath::default(),
            script: VecDeque::new(),
            record: None,
            tell: |_| {},
        }
    }

    /// The same with commands to come, by rising ticks, and a listener that hears what happens.
    #[must_use]
    pub fn with(mut self, script: Vec<Stamped>, tell: fn(&str)) -> Self {
        self.script = script.into();
        self.tell = tell;
        self
    }

    /// Keeps from now on what is done.
    pub fn start_recording(&mut self) {
        self.record.get_or_insert_default();
    }

    /// What was done since the recording began.
    #[must_use]
    pub fn recorded(&self) -> &[Stamped] {
        self.record.as_deref().unwrap_or_default()
    }

    /// Number of ticks that have passed.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The simulation, to read.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, for its clock and the token by which a step can be called off.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Where the simulation came from, with the parameters as they are now.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut scene = self.scene.clone();
        scene.update_from(&self.simulation);
        scene
    }

    /// The present state for a file.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.scene, &self.simulation)
    }

    /// Why it stands still, if it blew up.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_deref()
    }

    /// The message that the last command left, if any.
    #[must_use]
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// A tick: the commands that are due, and one time step unless time stands still. Returns what the step did, if there was
    /// one.
    ///
    /// # Errors
    /// [`StepError`] when the step failed. A step that was called off leaves no trace: the tick has not passed.
    pub fn tick(&mut self) -> Result<Option<StepStats>, StepError> {
        self.run_script();
        let step = if self.paused { None } else { Some(self.step()?) };
        self.ticks += 1;
        // what is due now is not to wait for another tick, which may never come
        self.run_script();
        Ok(step)
    }

    fn run_script(&mut self) {
        while let Some(due) = self.script.pop_front_if(|next| next.tick <= self.ticks) {
            self.apply(due.command);
        }
    }

    /// One time step.
    fn step(&mut self) -> Result<StepStats, StepError> {
        if let Some(failure) = &self.failure {
            return Err(failure.cause.clone());
        }
        self.checkpoints.follow(&self.simulation);
        self.start.clone_from(&self.simulation.cloth.positions);
        let (started, time) = ((self.simulation.clock.0)(), self.simulation.time());
        let result = self.simulation.step();
        self.stepping_seconds += (self.simulation.clock.0)() - started;
        match &result {
            Ok(stats) => {
                std::mem::swap(&mut self.previous, &mut self.start);
                self.stats = *stats;
                self.taken = (self.taken.0 + 1, self.taken.1 + self.simulation.time() - time);
                self.follow_tears();
            }
            Err(StepError::Cancelled) => {}
            Err(cause) => {
                let failure = Failure::of(&self.simulation, cause.clone());
                let id = self.simulation.solver().info().id;
                self.say(&format!("{id} failed at t = {:.4} s: {cause}", failure.time));
                self.failure = Some(Arc::new(failure));
                self.stopped_by_failure = !self.paused;
                self.paused = true;
            }
        }
        result
    }

    /// Does what `command` says. What cannot be done changes nothing and leaves a notice.
    pub fn apply(&mut self, command: Command) {
        if let Some(record) = &mut self.record {
            record.push(Stamped { tick: self.ticks, command: command.clone() });
        }
        if let Err(error) = self.obey(command) {
            self.say(&error.to_string());
            self.notice = Some(error.to_string());
        }
        // a failure that has been overcome, by whatever, lets time go on
        if self.failure.is_none() && std::mem::take(&mut self.stopped_by_failure) {
            self.paused = false;
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), InputError> {
        match command {
            Command::Grab { vertex, target } => {
                self.check_vertex(vertex)?;
                self.say(&format!("grabbed vertex {vertex}"));
                self.simulation.grab = Some(Grab { vertex, target });
                self.hold();
            }
            Command::Move { target } => {
                if let Some(grab) = &mut self.simulation.grab {
                    grab.target = target;
                }
                self.hold();
            }
            Command::Release => self.release(),
            Command::Pin { vertex } => {
                self.check_vertex(vertex)?;
                self.simulation.cloth.pin_here(vertex);
                self.say(&format!("pinned vertex {vertex}"));
            }
            Command::Unpin { vertex } => {
                if self.simulation.cloth.unpin(vertex) {
                    self.say(&format!("unpinned vertex {vertex}"));
                }
            }
            Command::Cut { begin, hits } => self.cut(begin, &hits)?,
            Command::Set { key, value } => self.set(&key, &value)?,
            Command::Solver { id } => self.set_solver(&id)?,
            Command::Wind { on } => {
                // without wind the air is as the scene has it
                let calm = Some(self.defaults.parameters.air.air).filter(|air| *air != AirMode::Wind);
                self.simulation.parameters.air.air = if on { AirMode::Wind } else { calm.unwrap_or(AirMode::Still) };
            }
            Command::Table { on } => self.simulation.parameters.table.table = on,
            Command::Reset => {
                self.scene.update_from(&self.simulation);
                self.say("reset");
                let simulation = self.scene.build()?;
                self.replace(simulation);
            }
            Command::Restore => self.restore(),
            Command::Scene { name } => {
                let scene = Scene::load(&name)?;
                self.open(&name, scene)?;
            }
            Command::Open { file } => self.open_file(&file)?,
            Command::Pause { on } => {
                self.paused = on || self.failure.is_some();
                self.stopped_by_failure = false;
                self.say(if self.paused { "paused" } else { "running" });
            }
            Command::Step => {
                if self.step().is_ok() {
                    self.say(&format!("stepped to t = {:.4} s", self.simulation.time()));
                }
            }
            Command::Dismiss => self.notice = None,
        }
        Ok(())
    }

    fn check_vertex(&self, vertex: u32) -> Result<(), InputError> {
        let count = self.simulation.cloth.len();
        if (vertex as usize) < count {
            return Ok(());
        }
        Err(InputError::new("", format!("vertex {vertex} does not exist; the cloth has {count} vertices")))
    }

    /// While time stands still, the held vertex is where the hand wants it; otherwise it follows in the next step.
    fn hold(&mut self) {
        if let Some(Grab { vertex, target }) = self.simulation.grab.filter(|_| self.paused) {
            self.simulation.cloth.positions[vertex as usize] = target;
            self.previous[vertex as usize] = target;
        }
    }

    fn release(&mut self) {
        let Some(Grab { vertex, .. }) = self.simulation.grab.take() else { return };
        self.say(&format!("released vertex {vertex}"));
        let position = self.simulation.cloth.positions[vertex as usize];
        let time = self.simulation.time();
        if let Some(pin) = self.simulation.cloth.pin_of(vertex).cloned() {
            // a pin on a path goes on along it, from its new place
            let origin = position - pin.path.as_ref().map_or(Vec3::ZERO, |path| path.offset(time));
            self.simulation.cloth.pin(Pin { origin, ..pin });
        }
    }

    fn cut(&mut self, begin: bool, hits: &[Option<CutHit>]) -> Result<(), InputError> {
        let pattern = self.simulation.pattern();
        let positions = &self.simulation.cloth.positions;
        let place = |hit: &CutHit| {
            let corners = pattern.triangles().get(hit.triangle as usize)?;
            let points = corners.iter().zip(hit.weights).map(|(&corner, weight)| positions[corner as usize] * weight);
            Some(Hit { triangle: hit.triangle, point: points.sum() })
        };
        if let Some(hit) = hits.iter().flatten().find(|hit| place(hit).is_none()) {
            return Err(InputError::new("", format!("triangle {} does not exist", hit.triangle)));
        }
        let points: Vec<Option<Hit>> = hits.iter().map(|hit| hit.as_ref().and_then(place)).collect();
        if begin {
            self.knife = CutPath::default();
        }
        let edges = self.knife.follow(&Fans::of(pattern), positions, &points);
        let torn = self.simulation.cut(&edges);
        if torn > 0 {
            self.say(&format!("cut, {torn} new vertices"));
            self.follow_tears();
        }
        Ok(())
    }

    /// Gives vertices that were torn off the place from which those that they were torn off from came.
    fn follow_tears(&mut self) {
        let pattern = self.simulation.pattern();
        for &parent in &pattern.parents()[self.previous.len() - pattern.whole_len()..] {
            self.previous.push(self.previous[parent as usize]);
        }
    }

    fn set(&mut self, key: &str, value: &Scalar) -> Result<(), InputError> {
        let failed = |error: ParamError| InputError::new("", error.to_string());
        if let Some((group, _)) = self.simulation.parameters.find_mut(key) {
            return group.set_text(key, &value.to_string()).map_err(failed);
        }
        let settings = self.simulation.solver_mut().settings_mut();
        if settings.index_of(key).is_some() {
            return settings.set_text(key, &value.to_string()).map_err(failed);
        }
        // the shape of the cloth: it starts again
        let mut scene = self.scene();
        scene.set(key, &value.to_string())?;
        let simulation = scene.build()?;
        self.scene = scene;
        self.replace(simulation);
        Ok(())
    }

    fn set_solver(&mut self, id: &str) -> Result<(), InputError> {
        if !self.simulation.set_solver(id) {
            let known = crate::sim::solvers::REGISTRY.iter().map(|entry| entry.info.id);
            let mend = InputError::suggestion(id, known);
            return Err(InputError::new("", format!("there is no solver \"{id}\"; {mend}")));
        }
        self.say(&format!("solver {id}"));
        // after a blow-up that is the way on
        if self.failure.is_some() {
            self.restore();
            self.paused = false;
        }
        Ok(())
    }

    /// Goes back to the last good state. Time stands still afterwards if it was a failure that stopped it: the same solver
    /// would only fail again.
    fn restore(&mut self) {
        if let Some(checkpoint) = self.checkpoints.take_last_good() {
            self.say(&format!("restored t = {:.4} s", checkpoint.time));
            self.simulation.return_to(checkpoint);
        }
        self.failure = None;
        self.stopped_by_failure = false;
        self.forget_motion();
    }

    fn open_file(&mut self, file: &str) -> Result<(), InputError> {
        match file.rsplit('.').next().map(str::to_ascii_lowercase).as_deref() {
            Some("obj") => {
                // of a grid nothing is left but its parameters
                let mut scene = if self.scene.mesh.is_some() { self.scene() } else { Scene::load("mesh")? };
                scene.set("mesh", file)?;
                self.open(file, scene)
            }
            Some("ron") => self.open(file, Scene::load(file)?),
            Some("json") => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| InputError::new(file, format!("the snapshot cannot be read: {error}")))?;
                let (scene, simulation) = Snapshot::parse(&text, file)?.restore()?;
                self.go_over(file, scene, simulation);
                Ok(())
            }
            _ => Err(InputError::new(file, "drop a mesh (.obj), a scene (.ron) or a snapshot (.json)")),
        }
    }

    fn open(&mut self, name: &str, scene: Scene) -> Result<(), InputError> {
        let simulation = scene.build()?;
        self.go_over(name, scene, simulation);
        Ok(())
    }

    /// Goes over to what was loaded.
    fn go_over(&mut self, name: &str, scene: Scene, simulation: Simulation) {
        self.say(&format!("opened {name}"));
        self.scene = scene.clone();
        self.defaults = scene;
        self.replace(simulation);
    }

    fn replace(&mut self, mut simulation: Simulation) {
        simulation.clock = self.simulation.clock;
        simulation.cancel = self.simulation.cancel.clone();
        simulation.grab = None;
        simulation.take_idle_solvers(&mut self.simulation);
        self.simulation = simulation;
        self.shared = (Arc::new(self.scene.clone()), Arc::new(self.defaults.clone()));
        self.failure = None;
        self.notice = None;
        self.generation += 1;
        self.checkpoints.clear();
        self.knife = CutPath::default();
        self.forget_motion();
    }

    /// Positions that were set rather than stepped to are not interpolated towards.
    fn forget_motion(&mut self) {
        self.previous.clone_from(&self.simulation.cloth.positions);
        self.stats = StepStats::default();
    }

    fn say(&self, what: &str) {
        (self.tell)(what);
    }

    /// The present state to show. `seen` is the number of the last order.
    #[must_use]
    pub fn frame(&self, seen: u64) -> Frame {
        let simulation = &self.simulation;
        let settings = simulation.solver().settings();
        let common = simulation.parameters.groups().flat_map(|group| group.params());
        let all = common.chain(settings.params());
        Frame {
            seen,
            generation: self.generation,
            pattern: simulation.shared_pattern(),
            previous: self.previous.clone(),
            positions: simulation.cloth.positions.clone(),
            time: simulation.time(),
            steps: simulation.steps(),
            ticks: self.ticks,
            pins: simulation.cloth.pins().iter().map(|pin| (pin.vertex, pin.origin)).collect(),
            grab: simulation.grab,
            parameters: simulation.parameters,
            colliders: simulation.world.colliders.as_slice().into(),
            solver: simulation.solver().info(),
            capabilities: simulation.solver().capabilities(),
            ignored: all.filter_map(|param| Some((param.key, simulation.ignored(param)?))).collect(),
            settings: (0..settings.params().len()).map(|index| settings.get(index)).collect(),
            scene: Arc::clone(&self.shared.0),
            defaults: Arc::clone(&self.shared.1),
            stats: self.stats,
            readouts: Readouts {
                energy: simulation.energy(),
                largest_stretch: simulation.largest_stretch(),
                grab_force: simulation
                    .grab
                    .and_then(|grab| simulation.reaction(grab.vertex))
                    .map(|force| force.length()),
                substep_length: simulation.substep_length(),
                is_adaptive: simulation.is_adaptive(),
            },
            paused: self.paused,
            failure: self.failure.clone(),
            notice: self.notice.clone(),
            stepping_seconds: self.stepping_seconds,
            taken: self.taken,
        }
    }
}
