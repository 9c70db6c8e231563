//! The session as a resource of the window: commands go to the simulation thread, the last frame
//! comes back.

mod aside;
pub mod crash_recovery;
mod edited;
mod lane;
mod lane_actions;
mod lane_arrival;
mod lane_clock;
mod lane_costs;
mod lanes;
mod scene_lanes;
mod seek;

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;

use crate::scene::{InputError, Scene};
use crate::session::{Command, Frame, Keeping, Session, Stamped, Watch, Worker};
use crate::sim::Simulation;
use aside::Aside;
use crash_recovery::Safe;
use edited::Edited;
use lane::Lane;
pub use lane::{LaneView, Pacing, letter};
use lane_actions::LaneActions;
use lane_arrival::Back;
use lanes::WindowLanes;

/// The system set that takes the last frame; what shows it runs after.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub struct TakeFrame;

/// The running simulation as the window sees it: the selectable solver resource of the design. With
/// several lanes it is the chosen one, to which all that panels and pointer do goes first.
#[derive(Resource)]
pub struct SessionHandle {
    lanes: WindowLanes,
    lane_actions: LaneActions,
    /// Lanes that were put aside.
    aside: Option<Box<Aside>>,
    watch: Watch,
    /// The file that is being opened, and the order.
    opening: Option<(u64, String)>,
    /// The order that goes to another moment, and the step that is wanted since.
    going: Option<(u64, Option<u64>)>,
    /// Whether a parameter was changed by the gesture that goes on.
    is_editing: bool,
    /// Whether frames were given to be shown until the next command.
    is_given: bool,
    /// Whether time stands still until a file is open.
    resumes: bool,
}

pub(super) fn plugin(app: &mut App) {
    app.configure_sets(RunFixedMainLoop, TakeFrame.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop))
        .add_systems(RunFixedMainLoop, (|mut session: ResMut<SessionHandle>| session.take_frame()).in_set(TakeFrame));
}

/// The session of a window, with commands to come.
#[must_use]
pub fn begin(scene: Scene, mut simulation: Simulation, script: Vec<Stamped>) -> Session {
    // nobody's hand is on a snapshot's cloth any more
    simulation.state.grab = None;
    let mut session = Session::new(scene, simulation).with(script, |what| info!("{what}"));
    session.keep_time(Keeping::default());
    session.note_start(Vec::new());
    session
}

impl SessionHandle {
    /// Starts the thread that steps, with all lanes kept on the disk.
    #[must_use]
    pub fn start_safe(mut session: Session, safe: Option<Safe>) -> Self {
        if let Some(safe) = &safe {
            session.keep_safe(safe.autosave(0));
        }
        let mut started = Self::start(session);
        started.lanes.safe = safe;
        started.follow_scene(true);
        started
    }

    /// Has other lanes come back, each from its file, when the first one does by a command.
    pub fn bring_back_with(&mut self, command: Command, files: Vec<String>) {
        self.lanes.back = Back::with(command, files);
    }

    /// Starts the thread that steps.
    #[must_use]
    pub fn start(session: Session) -> Self {
        // what is being recorded goes on
        let watch = Watch { recording: session.is_recording(), ..Watch::default() };
        let lane = Lane::start(session, 0);
        let frame = &lane.frame;
        // a scene file of the command line counts as opened
        let opening = frame.scene.name.ends_with(".ron").then(|| (frame.seen, frame.scene.name.clone()));
        Self {
            lanes: WindowLanes::of(lane),
            lane_actions: LaneActions::default(),
            aside: None,
            watch,
            opening,
            going: None,
            is_editing: false,
            is_given: false,
            resumes: false,
        }
    }

    /// The state of the chosen lane after the last step that is finished.
    #[must_use]
    pub fn frame(&self) -> &Arc<Frame> {
        &self.lanes.chosen().frame
    }

    fn edited(&self) -> &Edited {
        &self.lanes.chosen().edited
    }

    fn edited_mut(&mut self) -> &mut Edited {
        &mut self.lanes.chosen_mut().edited
    }

    fn worker(&mut self) -> &mut Worker {
        self.lanes.chosen_mut().worker()
    }

    /// Takes the newest frame, if there is one that has not been taken yet.
    pub fn take_frame(&mut self) {
        if self.is_given {
            return;
        }
        self.take_frames_of_others();
        self.take_own_frame();
        self.compare();
    }

    fn take_own_frame(&mut self) {
        if !self.lanes.chosen_mut().take_frame() {
            return;
        }
        let seen = self.frame().seen;
        if let Some((_, wanted)) = self.going.take_if(|(order, _)| seen >= *order)
            && let Some(step) = wanted
        {
            self.go_to(step);
        }
    }

    /// Orders a command; returns the number of the order, which a frame that shows its effect has
    /// seen.
    pub fn send(&mut self, command: Command) -> u64 {
        self.is_given = false;
        if command == Command::Step {
            self.step_all();
            return self.last_order();
        }
        let effects = command.effects();
        if effects.is_urgent {
            self.worker().cancel_ticks();
        }
        let file = if let Command::Open { file } = &command { Some(file.clone()) } else { None };
        let has_lanes = self.lanes.back.come_with(&command);
        if has_lanes {
            self.leave_lanes_of_scene();
        }
        // a lane that gets another cloth starts again, and the others with it
        let starts_again = matches!(&command, Command::Set { key, .. } if self.starts_again(key));
        self.tell_others(if starts_again { &Command::Reset } else { &command });
        let chosen = self.lanes.chosen_mut();
        let order = chosen.send(command);
        if starts_again {
            chosen.jump = order;
        }
        if effects.changes_scene || starts_again {
            self.lanes.chosen_mut().building = order;
        }
        if effects.changes_scene {
            self.follow_scene(!has_lanes);
        }
        if has_lanes {
            self.lanes.back.wait_for(order);
        }
        if let Some(file) = file {
            self.opening = Some((order, file));
        }
        order
    }

    /// Opens a file. Another mesh stands still, so that it can be pinned before it falls.
    pub fn open_file(&mut self, file: String) {
        let is_mesh = file.to_ascii_lowercase().ends_with(".obj");
        let is_there = self.frame().scene.first.mesh.as_ref().is_some_and(|mesh| mesh.file == file);
        let stops = is_mesh && !is_there && !self.paused();
        self.send(Command::Open { file });
        if stops {
            self.pause(true);
        }
        self.resumes = stops;
    }

    /// The file that has just been opened, once.
    pub fn take_opened(&mut self) -> Option<String> {
        let (order, file) = self.opening.take()?;
        if self.frame().seen < order {
            self.opening = Some((order, file));
            return None;
        }
        let is_open = self.frame().opened.as_ref() == Some(&file);
        // what cannot be opened stops nothing
        if std::mem::take(&mut self.resumes) && !is_open {
            self.pause(false);
        }
        is_open.then_some(file)
    }

    /// Number of the last order, which a frame that shows its effect has seen.
    pub fn last_order(&mut self) -> u64 {
        self.worker().last_order()
    }

    /// Whether ticks were ordered whose end no frame shows yet.
    pub fn is_busy(&mut self) -> bool {
        self.worker().is_busy()
    }

    /// Whether something happens without a command: a lane runs or has not shown the effect of every
    /// order, or a lane, a scene or another moment is on its way.
    pub fn is_moving(&mut self) -> bool {
        let WindowLanes { all, coming, of_scene, .. } = &mut self.lanes;
        coming.is_some()
            || of_scene.are_coming()
            || self.going.is_some()
            || self.opening.is_some()
            || all.iter_mut().any(Lane::is_moving)
    }

    /// Whether another scene was ordered, or another shape of the cloth, that no frame shows yet.
    #[must_use]
    pub fn is_building(&self) -> bool {
        self.frame().seen < self.lanes.chosen().building
    }

    /// Calls off the ticks that have not passed yet.
    pub fn cancel_ticks(&mut self) {
        self.worker().cancel_ticks();
        self.cancel_others();
    }

    /// Reads the session after all that was ordered so far.
    pub fn ask<T: Send + 'static>(&mut self, read: impl FnOnce(&Session) -> T + Send + 'static) -> Receiver<T> {
        self.worker().ask(read)
    }

    /// Reads the session after all that was ordered so far, and ends the recording that goes to a
    /// file.
    pub fn ask_at_end<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&Session) -> T + Send + 'static,
    ) -> Receiver<(T, Result<(), InputError>)> {
        self.worker().ask_at_end(read)
    }

    /// A recording of the way that the session has gone.
    pub fn record_way(&mut self) -> Receiver<Result<String, InputError>> {
        self.worker().record_way()
    }

    /// The optional contents of frames.
    #[must_use]
    pub fn watched(&self) -> Watch {
        self.watch
    }

    /// Sets the optional measurements in frames.
    pub fn watch(&mut self, watch: Watch) {
        if std::mem::replace(&mut self.watch, watch) != watch {
            self.worker().watch(watch);
        }
    }

    /// Pins a vertex where it is, or lets it go.
    pub fn toggle_pin(&mut self, vertex: u32) {
        let command = if self.frame().is_pinned(vertex) { Command::Unpin { vertex } } else { Command::Pin { vertex } };
        self.send(command);
    }
}
