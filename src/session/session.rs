//! The session: a simulation with all that happens to it.

use std::sync::Arc;

use super::actions::Actions;
use super::checkpoints::Recovery;
use super::command::Script;
use super::last_step::LastStep;
use super::messages::Messages;
use super::moved_handle::MovedHandle;
use super::recording::Recordings;
use super::state::{SessionCheckpoint, SessionState};
use super::timeline::Timeline;
use super::{Autosave, Failure, Offer, Stamped, Totals, Watch};
use crate::documents::ClothSurface;
use crate::scene::{InputError, Scene, Snapshot};
use crate::sim::Simulation;
use crate::sim::study::blow_up::BlowUp;

/// A running simulation with all that happens to it.
pub struct Session {
    pub(super) simulation: Simulation,
    /// All that it depends on beside the simulation.
    pub(super) state: SessionState,
    pub(super) numbers: Numbers,
    pub(super) last_step: LastStep,
    pub(super) totals: Totals,
    pub(super) recovery: Recovery,
    pub(super) journal: Journal,
    /// For undo and redo.
    pub(super) actions: Actions,
    /// The handle in the hand.
    pub(super) moved_handle: Option<MovedHandle>,
    pub(super) messages: Messages,
    /// Receives log messages of a few words each.
    pub(super) report: fn(&str),
    pub(super) script: Script,
    /// Optional measurements in frames.
    pub(super) watch: Watch,
}

/// Numbers by which cloths and states of a session are told apart.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Number of the cloth.
    pub generation: u64,
    newest_generation: u64,
    /// How often the cloth went to another state than by a step.
    pub jumps: u64,
    /// Number of the instant: another after each step and each jump. Undo and redo return to that
    /// of the state that they restore.
    pub instant: u64,
    newest_instant: u64,
}

impl Numbers {
    /// The cloth is in a state that no undo has led to.
    pub fn next_instant(&mut self) {
        self.newest_instant += 1;
        self.instant = self.newest_instant;
    }

    fn next_cloth(&mut self) {
        self.newest_generation += 1;
        self.generation = self.newest_generation;
        self.jumps += 1;
    }
}

/// Where everything that happens is kept.
#[derive(Default)]
pub(super) struct Journal {
    /// The way back, if that is kept.
    pub timeline: Option<Timeline>,
    pub recordings: Recordings,
    pub autosave: Option<Autosave>,
    /// Whether something happened that is not on the disk.
    pub is_unsaved: bool,
}

impl Session {
    /// A session with a simulation of `scene`.
    #[must_use]
    pub fn new(scene: Scene, simulation: Simulation) -> Self {
        // a scene file that it starts with counts
        let opened = scene.name.ends_with(".ron").then(|| scene.name.clone());
        let scene = Arc::new(scene);
        let mut session = Self {
            simulation,
            state: SessionState { defaults: Arc::clone(&scene), scene, ..SessionState::default() },
            numbers: Numbers::default(),
            last_step: LastStep::default(),
            totals: Totals::default(),
            recovery: Recovery::default(),
            journal: Journal::default(),
            actions: Actions::default(),
            moved_handle: None,
            messages: Messages { opened, ..Messages::default() },
            report: |_| {},
            script: Script::default(),
            watch: Watch::default(),
        };
        session.forget_motion();
        session
    }

    /// The session with commands to come, by rising ticks, and a receiver of log messages.
    #[must_use]
    pub fn with(mut self, script: Vec<Stamped>, report: fn(&str)) -> Self {
        self.script.commands = script.into();
        self.report = report;
        self
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
        if asks && self.state.paused && self.recovery.failure.is_none() {
            self.tell_again();
        }
    }

    /// Offers something, or says something, before anything has been done.
    pub fn begin_with(&mut self, message: Option<String>, offer: Option<Offer>) {
        (self.messages.message, self.messages.offer) = (message, offer);
    }

    /// Number of ticks that have passed.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.script.ticks()
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

    /// Its state beside that of the simulation.
    #[must_use]
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// Where the simulation came from, with the parameters as they are now.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut scene = (*self.state.scene).clone();
        scene.update_from(&self.simulation);
        scene
    }

    /// The name of the scene.
    #[must_use]
    pub fn scene_name(&self) -> &str {
        &self.state.scene.name
    }

    /// The scene with all changes by hand, to be saved: parameters, pins and their positions,
    /// positions of colliders.
    ///
    /// # Errors
    /// [`InputError`] when no scene makes the cloth.
    pub fn scene_to_save(&self) -> Result<Scene, InputError> {
        let mut scene = self.scene();
        scene.leave_suited(&self.state.scene, &self.simulation);
        // another lane has no lanes of its own
        if self.lane_of_scene().is_some_and(|lane| lane > 0) {
            scene.lanes.clear();
        }
        // the content of their files stays in these
        scene.colliders.clone_from(&self.state.scene.colliders);
        for (collider, now) in scene.colliders.iter_mut().zip(&self.simulation.state.world.colliders) {
            (collider.position, collider.rotation) = (now.position, now.rotation);
        }
        scene.hold_as(&self.simulation)?;
        Ok(scene)
    }

    /// The unchanging surface of the cloth, for files.
    #[must_use]
    pub fn surface(&self) -> ClothSurface {
        ClothSurface::new(self.simulation.shared_pattern(), &self.state.scene)
    }

    /// The present state for a file.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.state.scene, &self.simulation)
    }

    /// Why it stands still, if it blew up.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        self.recovery.failure.as_deref()
    }

    /// A copy of the failed simulation, to find the cause and stable settings.
    #[must_use]
    pub fn blow_up(&self) -> Option<BlowUp> {
        let failure = self.recovery.failure.as_ref()?;
        let good = self.recovery.checkpoints.to_return_to()?;
        let mut copy = Simulation::resume(&self.simulation.checkpoint());
        copy.clock = self.simulation.clock;
        Some(BlowUp::new(copy, good, failure.cause.clone()))
    }

    /// The message that the last command left, if any.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.messages.message.as_deref()
    }

    /// An offer on the last command, if there is one.
    #[must_use]
    pub fn offer(&self) -> Option<&Offer> {
        self.messages.offer.as_ref()
    }

    /// The present, to be continued later by
    /// [`restore_checkpoint`](Self::restore_checkpoint).
    #[must_use]
    pub fn checkpoint(&self) -> SessionCheckpoint {
        SessionCheckpoint::of(&self.simulation, self.numbers.generation, &self.state)
    }

    /// Continues from a checkpoint.
    pub(super) fn return_to(&mut self, checkpoint: &SessionCheckpoint) {
        let SessionCheckpoint { simulation, generation, state } = checkpoint;
        self.simulation.restore(simulation);
        self.state.clone_from(state);
        self.numbers.generation = *generation;
        self.recovery = Recovery::default();
        self.forget_motion();
    }

    /// Continues from a checkpoint of this session or of another one, as if nothing had happened
    /// since. A failure is left behind, and nothing from before can be undone afterwards.
    ///
    /// Time line and recordings know nothing of it: a session that has them goes back by commands.
    pub fn restore_checkpoint(&mut self, checkpoint: &SessionCheckpoint) {
        self.return_to(checkpoint);
        self.actions = Actions::default();
        self.numbers.jumps += 1;
        self.numbers.next_instant();
    }

    /// Goes over to a simulation of `scene`, which starts; time runs or stands still as before.
    pub(super) fn replace(&mut self, scene: Arc<Scene>, mut simulation: Simulation) {
        simulation.clock = self.simulation.clock;
        simulation.cancel = self.simulation.cancel.clone();
        simulation.state.grab = None;
        simulation.take_idle_solvers(&mut self.simulation);
        self.simulation = simulation;
        let (defaults, paused) = (Arc::clone(&self.state.defaults), self.state.paused);
        self.state = SessionState { scene, defaults, paused, ..SessionState::default() };
        self.numbers.next_cloth();
        self.messages.dismiss();
        self.recovery.failure = None;
        self.recovery.checkpoints.clear();
        self.forget_motion();
    }

    /// Numbers its cloths from `first` on.
    pub(super) fn begin_cloths_at(&mut self, first: u64) {
        (self.numbers.generation, self.numbers.newest_generation) = (first, first);
    }

    /// Takes the scene as it is now, with all values, as the one that was loaded.
    pub(super) fn take_as_scene(&mut self) {
        self.state.scene = Arc::new(self.scene());
        self.state.defaults = Arc::clone(&self.state.scene);
    }

    /// Positions that were set rather than stepped to are not interpolated towards.
    pub(super) fn forget_motion(&mut self) {
        self.last_step.forget(&self.simulation);
        self.moved_handle = None;
    }

    pub(super) fn log(&self, what: &str) {
        (self.report)(what);
    }
}
