//! The session: a simulation, where it came from, and the way back.

use std::collections::VecDeque;
use std::sync::Arc;

use super::actions::Actions;
use super::checkpoints::Checkpoints;
use super::corner_hint::CornerHint;
use super::ironing::Ironing;
use super::moved_handle::MovedHandle;
use super::recording::Recordings;
use super::rising_wind::RisingWind;
use super::timeline::Timeline;
use super::{Autosave, Command, Failure, Offer, Stamped, Watch};
use crate::documents::Surface;
use crate::scene::{InputError, Scene, Snapshot};
use crate::sim::quantities::{StepReading, Sums};
use crate::sim::study::blow_up::BlowUp;
use crate::sim::topology::cut_path::CutPath;
use crate::sim::{Observe, Simulation, StepError, StepStats, Vec3};

/// A running simulation with all that happens to it.
pub struct Session {
    /// The simulation.
    pub(super) simulation: Simulation,
    /// Where it came from; the parameters in it are those of the start.
    pub(super) scene: Scene,
    /// The scene as it was loaded, for resetting single parameters.
    pub(super) defaults: Scene,
    /// The two, as frames share them; renewed when the scene changes.
    pub(super) shared: (Arc<Scene>, Arc<Scene>),
    pub(super) failure: Option<Arc<Failure>>,
    /// Whether it was the failure that stopped the time.
    pub(super) stopped_by_failure: bool,
    pub(super) paused: bool,
    pub(super) message: Option<String>,
    /// Parts of the opened files that were left out, joined or divided.
    pub(super) note: Option<String>,
    /// Fault of a device, and the solver that continues.
    pub(super) device_fault: Option<String>,
    /// The file that the last command to open one has opened.
    pub(super) opened: Option<String>,
    pub(super) offer: Option<Offer>,
    pub(super) stats: StepStats,
    pub(super) generation: u64,
    pub(super) ticks: u64,
    pub(super) taken: (u64, f64),
    /// Sums of these steps.
    pub(super) sums: Sums,
    pub(super) stepping_seconds: f64,
    /// The part of them that contact took.
    pub(super) contact_seconds: f64,
    /// Positions before the last step [m].
    pub(super) previous: Vec<Vec3>,
    /// Simulated time before it [s].
    pub(super) previous_time: f64,
    /// Memory for those of the step that is being taken.
    pub(super) start: Vec<Vec3>,
    pub(super) checkpoints: Checkpoints,
    pub(super) cut_path: CutPath,
    /// The handle in the hand.
    pub(super) moved_handle: Option<MovedHandle>,
    /// Commands to come, by rising ticks.
    pub(super) script: VecDeque<Stamped>,
    /// Recordings of commands and steps.
    pub(super) recordings: Recordings,
    /// Why the recording does not go to its file any more.
    pub(super) recording_fault: Option<String>,
    /// The way back, if that is kept.
    pub(super) timeline: Option<Timeline>,
    pub(super) actions: Actions,
    pub(super) autosave: Option<Autosave>,
    /// Whether something happened that is not on the disk.
    pub(super) is_unsaved: bool,
    /// How often the cloth went to another state than by a step.
    pub(super) jumps: u64,
    /// Number of the instant: another after each step and each jump. Undo and redo return to that
    /// of the state that they restore.
    pub(super) instant: u64,
    /// Number of the newest instant.
    instants: u64,
    /// Number of the newest cloth.
    cloths: u64,
    /// Receives log messages of a few words each.
    pub(super) report: fn(&str),
    pub(super) ironing: Ironing,
    pub(super) rising_wind: RisingWind,
    pub(super) corner_hint: CornerHint,
    /// Work that the hand has done [J].
    pub(super) hand_work: f64,
    /// Work that the air has done while that was watched [J].
    pub(super) air_work: f64,
    /// Optional measurements in frames.
    pub(super) watch: Watch,
}

impl Session {
    /// A session with a simulation of `scene`.
    #[must_use]
    pub fn new(scene: Scene, simulation: Simulation) -> Self {
        let (previous, previous_time) = (simulation.state.cloth.positions.clone(), simulation.time());
        let shared = Arc::new(scene.clone());
        // a scene file that it starts with counts
        let opened = scene.name.ends_with(".ron").then(|| scene.name.clone());
        Self {
            defaults: scene.clone(),
            scene,
            shared: (Arc::clone(&shared), shared),
            simulation,
            failure: None,
            stopped_by_failure: false,
            paused: false,
            message: None,
            note: None,
            device_fault: None,
            opened,
            offer: None,
            stats: StepStats::default(),
            generation: 0,
            ticks: 0,
            taken: (0, 0.0),
            sums: Sums::default(),
            stepping_seconds: 0.0,
            contact_seconds: 0.0,
            previous,
            previous_time,
            start: Vec::new(),
            checkpoints: Checkpoints::default(),
            cut_path: CutPath::default(),
            moved_handle: None,
            script: VecDeque::new(),
            recordings: Recordings::default(),
            recording_fault: None,
            timeline: None,
            actions: Actions::default(),
            autosave: None,
            is_unsaved: false,
            jumps: 0,
            instant: 0,
            instants: 0,
            cloths: 0,
            report: |_| {},
            ironing: Ironing::default(),
            rising_wind: RisingWind::default(),
            corner_hint: CornerHint::default(),
            hand_work: 0.0,
            air_work: 0.0,
            watch: Watch::default(),
        }
    }

    /// Sets the optional measurements in frames, which cost some milliseconds. They change nothing
    /// of the simulation, so this is no command and not recorded.
    pub fn watch(&mut self, watch: Watch) {
        match (self.is_recording(), watch.recording) {
            (false, true) => self.start_recording(),
            (true, false) => drop(self.end_recording()),
            _ => {}
        }
        let is_new = |probe: &Option<u32>| probe.is_some() && !self.watch.probes.contains(probe);
        let asks = watch.probes.iter().any(is_new);
        self.watch = watch;
        if asks && self.paused && self.failure.is_none() {
            self.tell_again();
        }
    }

    /// The session with commands to come, by rising ticks, and a receiver of log messages.
    #[must_use]
    pub fn with(mut self, script: Vec<Stamped>, report: fn(&str)) -> Self {
        self.script = script.into();
        self.report = report;
        self
    }

    /// Offers something, or says something, before anything has been done.
    pub fn begin_with(&mut self, message: Option<String>, offer: Option<Offer>) {
        (self.message, self.offer) = (message, offer);
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

    /// The name of the scene.
    #[must_use]
    pub fn scene_name(&self) -> &str {
        &self.scene.name
    }

    /// The scene with all changes by hand, to be saved: parameters, pins and their positions,
    /// positions of colliders.
    ///
    /// # Errors
    /// [`InputError`] when no scene makes the cloth.
    pub fn scene_to_save(&self) -> Result<Scene, InputError> {
        let mut scene = self.scene();
        scene.leave_suited(&self.scene, &self.simulation);
        // another lane has no lanes of its own
        if self.lane_of_scene().is_some_and(|lane| lane > 0) {
            scene.lanes.clear();
        }
        // the content of their files stays in these
        scene.colliders.clone_from(&self.scene.colliders);
        for (collider, now) in scene.colliders.iter_mut().zip(&self.simulation.state.world.colliders) {
            (collider.position, collider.rotation) = (now.position, now.rotation);
        }
        scene.hold_as(&self.simulation)?;
        Ok(scene)
    }

    /// The unchanging surface of the cloth, for files.
    #[must_use]
    pub fn surface(&self) -> Surface {
        Surface::new(self.simulation.shared_pattern(), &self.scene)
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

    /// A copy of the failed simulation, to find the cause and stable settings.
    #[must_use]
    pub fn blow_up(&self) -> Option<BlowUp> {
        let failure = self.failure.as_ref()?;
        let good = self.checkpoints.to_return_to()?;
        let mut copy = Simulation::resume(&self.simulation.checkpoint());
        copy.clock = self.simulation.clock;
        Some(BlowUp::new(copy, good, failure.cause.clone()))
    }

    /// The message that the last command left, if any.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// An offer on the last command, if there is one.
    #[must_use]
    pub fn offer(&self) -> Option<&Offer> {
        self.offer.as_ref()
    }

    /// A tick: the commands that are due, and one time step unless time is stopped. Returns the
    /// statistics of the step, if there was one.
    ///
    /// # Errors
    /// [`StepError`] when the step failed. A cancelled step leaves no trace: the tick has not
    /// passed.
    pub fn tick(&mut self) -> Result<Option<StepStats>, StepError> {
        self.run_script();
        let step = if self.paused { None } else { Some(self.step()?) };
        self.ticks += 1;
        // due commands must not wait for another tick, which may never come
        self.run_script();
        Ok(step)
    }

    fn run_script(&mut self) {
        while let Some(due) = self.script.pop_front_if(|next| next.tick <= self.ticks) {
            self.apply(due.command);
        }
    }

    /// One time step.
    pub(super) fn step(&mut self) -> Result<StepStats, StepError> {
        if let Some(failure) = &self.failure {
            return Err(failure.cause.clone());
        }
        self.leave_past();
        self.keep_checkpoint();
        let (started, time) = ((self.simulation.clock.0)(), self.simulation.time());
        let result = self.advance().or_else(|cause| self.go_on_without_device(cause));
        self.stepping_seconds += (self.simulation.clock.0)() - started;
        match &result {
            Ok(stats) => {
                self.next_instant();
                self.sums.add(&StepReading::new(&self.simulation, stats));
                let dt = self.simulation.time() - time;
                self.taken = (self.taken.0 + 1, self.taken.1 + dt);
                if let Some(mut timeline) = self.timeline.take() {
                    timeline.note_step(dt, self.simulation.fingerprint(), || self.session_state());
                    self.timeline = Some(timeline);
                }
                self.recordings.iter_mut().for_each(|recording| recording.note_step(&self.simulation));
                self.is_unsaved = true;
                self.save();
                // while the way is kept, as in the window
                if self.timeline.is_some() && self.offer.is_none() && self.message.is_none() {
                    self.offer = self.corner_hint.look(&self.simulation, self.generation);
                }
            }
            Err(StepError::Cancelled) => {}
            Err(cause) => {
                let failure = Failure::of(&self.simulation, cause.clone(), &self.checkpoints);
                let id = self.simulation.solver().info().id;
                self.log(&format!("{id} failed at t = {:.4} s: {cause}", failure.time));
                self.failure = Some(Arc::new(failure));
                self.stopped_by_failure = !self.paused;
                self.paused = true;
                self.note_pause();
            }
        }
        result
    }

    /// The cloth is in a state that no undo has led to.
    pub(super) fn next_instant(&mut self) {
        self.instants += 1;
        self.instant = self.instants;
    }

    /// Keeps a state to go back to, if the last one is old enough. Of a session with a time line it
    /// is the last one there.
    pub(super) fn keep_checkpoint(&mut self) {
        if self.checkpoints.is_due(self.simulation.time()) {
            let known = self.timeline.as_ref().and_then(Timeline::key_here);
            let state = known.unwrap_or_else(|| Arc::new(self.session_state()));
            self.checkpoints.keep(state);
        }
    }

    /// Moves the cloth by one time step.
    pub(super) fn advance(&mut self) -> Result<StepStats, StepError> {
        self.start.clone_from(&self.simulation.state.cloth.positions);
        self.simulation.observe =
            Observe { residual: self.watch.residuals, air_work: self.watch.air_work, probes: self.watch.probes };
        let ironed = self.ironing.press(&mut self.simulation);
        self.rising_wind.blow(&mut self.simulation);
        let time = self.simulation.time();
        let result = self.simulation.step();
        let step = self.simulation.time() - time;
        self.rising_wind.rise(&mut self.simulation, step);
        self.ironing.lift(&mut self.simulation, ironed);
        if let Ok(stats) = &result {
            std::mem::swap(&mut self.previous, &mut self.start);
            self.previous_time = time;
            self.stats = *stats;
            self.contact_seconds += stats.contact_seconds();
            self.follow_tears();
            self.hand_work += self.work_of_step();
            self.air_work += stats.air_work;
        }
        result
    }

    /// Work of the hand in the last step [J]: its force at the end times the displacement of its
    /// vertex.
    fn work_of_step(&self) -> f64 {
        let Some(grab) = self.simulation.state.grab else { return 0.0 };
        let held = grab.vertex as usize;
        let way = self.simulation.state.cloth.positions[held] - self.previous[held];
        self.simulation.reaction(grab.vertex).map_or(0.0, |force| force.dot(way))
    }

    /// Executes `command`. An impossible one changes nothing and leaves a message.
    pub fn apply(&mut self, command: Command) {
        let done = match &command {
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::GoTo { step } => self.go_to(*step),
            Command::DropLeft => {
                self.timeline.iter_mut().for_each(Timeline::drop_left);
                Ok(())
            }
            Command::Finish => {
                self.actions.finish();
                Ok(())
            }
            _ => {
                let before = self.before(&command);
                let done = self.execute(&command);
                if done.is_ok() {
                    self.note_action(&command, before);
                }
                done
            }
        };
        if let Err(error) = done {
            self.log(&error.to_string());
            self.message = Some(error.to_string());
        }
        // once a failure is overcome, time resumes
        if self.failure.is_none() && std::mem::take(&mut self.stopped_by_failure) {
            self.paused = false;
        }
        self.note_pause();
        self.is_unsaved = true;
        self.save();
    }

    /// Gives vertices that were torn off the place from which those that they were torn off from
    /// came.
    pub(super) fn follow_tears(&mut self) {
        let pattern = self.simulation.pattern();
        for &parent in &pattern.parents()[self.previous.len() - pattern.whole_len()..] {
            self.previous.push(self.previous[parent as usize]);
        }
    }

    /// Lets frames have the scene as it is now.
    pub(super) fn share_scene(&mut self) {
        self.shared = (Arc::new(self.scene.clone()), Arc::new(self.defaults.clone()));
    }

    pub(super) fn replace(&mut self, mut simulation: Simulation) {
        simulation.clock = self.simulation.clock;
        simulation.cancel = self.simulation.cancel.clone();
        simulation.state.grab = None;
        simulation.take_idle_solvers(&mut self.simulation);
        self.simulation = simulation;
        self.share_scene();
        self.failure = None;
        (self.message, self.note, self.offer) = (None, None, None);
        self.ironing.time.end();
        self.rising_wind.time.end();
        (self.hand_work, self.air_work) = (0.0, 0.0);
        self.cloths += 1;
        self.generation = self.cloths;
        self.jumps += 1;
        self.checkpoints.clear();
        self.cut_path = CutPath::default();
        self.forget_motion();
    }

    /// Numbers its cloths from `first` on.
    pub(super) fn begin_cloths_at(&mut self, first: u64) {
        (self.cloths, self.generation) = (first, first);
    }

    /// Takes the scene as it is now, with all values, as the one that was loaded.
    pub(super) fn take_as_scene(&mut self) {
        self.scene = self.scene();
        self.defaults = self.scene.clone();
        self.share_scene();
    }

    /// Positions that were set rather than stepped to are not interpolated towards.
    pub(super) fn forget_motion(&mut self) {
        self.previous.clone_from(&self.simulation.state.cloth.positions);
        self.previous_time = self.simulation.time();
        self.stats = StepStats::default();
        self.moved_handle = None;
    }

    pub(super) fn log(&self, what: &str) {
        (self.report)(what);
    }
}
