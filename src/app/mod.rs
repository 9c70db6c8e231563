//! The window: Bevy around the same [`Session`](crate::session::Session) that batch runs and tests
//! use, one plugin per concern. It gives commands and shows frames.

mod adapters;
mod advice;
mod compass;
mod convergence;
mod desk;
mod edit;
mod exit;
mod export;
mod failure_report;
mod film_strip;
pub mod input;
mod key_focus;
mod lessons;
pub mod letters;
mod library;
mod messages;
mod pace;
pub mod panels;
mod picking;
mod picture;
mod plots;
mod probes;
mod redraw;
mod render;
mod screen_readers;
mod session;
mod sweep;
mod task;
mod text_raster;
mod textile;
mod view;
mod widgets;
mod window;

use bevy::app::TerminalCtrlCHandlerPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::ExitCondition;

use crate::scene::{InputError, Scene};
use crate::session::Stamped;
use crate::sim::Simulation;

pub use export::draw_shots;
pub use failure_report::replay;
pub use picture::Picture;
pub use render::{LaneReel, Pace, Reel, RenderError, Replay, render};
use session::SessionHandle;
use session::crash_recovery::{CrashRecovery, Left};
pub use view::lighting::stage_colours;
pub use view::paint_quantity::PaintQuantity;
pub use window::preferences::{Backdrop, Quality};

/// Options of the command line.
pub struct Options {
    /// The scene to start with.
    pub scene: Scene,
    /// The simulation of it.
    pub simulation: Simulation,
    /// Further lanes.
    pub lanes: Vec<(Scene, Simulation)>,
    /// Commands to come.
    pub script: Vec<Stamped>,
    /// Image quality; the one of the last run if not given.
    pub quality: Option<Quality>,
    /// The file that the session is recorded to.
    pub record: Option<String>,
    /// Files to write when the window closes, and when to close it.
    pub exit: Exit,
}

pub use exit::Exit;
pub use panels::cost::frame_costs;
pub use window::device::{Lacking, find_device};

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no display, or no device to draw with.
    #[error(transparent)]
    Lacking(#[from] Lacking),
    /// The file for the recording cannot be made.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// Opens the window and runs until it is closed.
///
/// # Errors
/// [`OpenError`].
pub fn run(options: Options) -> Result<AppExit, OpenError> {
    let device = find_device()?;
    let Options { scene, simulation, lanes, script, quality, record, exit } = options;
    let mut app = App::new();
    let window = Window {
        title: window::title::title_of(&scene),
        name: Some("weft".to_owned()),
        resolution: (1280, 720).into(),
        ..default()
    };
    let plugins = DefaultPlugins
        .set(WindowPlugin {
            primary_window: Some(window),
            // closing waits for the picture and the state that are written at exit
            exit_condition: ExitCondition::DontExit,
            close_when_requested: false,
            ..default()
        })
        .set(window::device::drawing())
        .set(LogPlugin { filter: "error,weft=info".to_owned(), ..default() })
        // it would end the program without the files of the end
        .disable::<TerminalCtrlCHandlerPlugin>();
    window::device::open_display(|| {
        app.add_plugins(plugins);
    })?;
    let (mut session, recovery) = start_session(scene, simulation, script, record)?;
    for (scene, simulation) in lanes {
        session.take_in(session::begin(scene, simulation, Vec::new()));
    }
    app.init_resource::<desk::Desk>()
        .insert_resource(session)
        .insert_resource(exit)
        .add_plugins(window::preferences::plugin(quality, device))
        .add_plugins((
            session::plugin,
            view::plugin,
            view::by_hand,
            input::plugin,
            (key_focus::plugin, letters::plugin, picking::plugin),
            panels::plugin,
            exit::plugin,
            window::monitor::plugin,
            window::title::plugin,
            redraw::plugin,
            screen_readers::plugin,
        ))
        .add_plugins((
            adapters::plugin,
            compass::plugin,
            convergence::plugin,
            edit::plugin,
            export::plugin,
            failure_report::plugin,
            film_strip::plugin,
            lessons::plugin,
            library::plugin,
            messages::plugin,
            plots::plugin,
            probes::plugin,
            textile::plugin,
        ));
    let exit = app.run();
    if let Some(recovery) = recovery {
        recovery.end();
    }
    Ok(exit)
}

/// Starts the session, recorded to a file if one is given. The state left by a killed window is
/// offered, and this session is saved continuously in turn.
fn start_session(
    scene: Scene,
    simulation: Simulation,
    script: Vec<Stamped>,
    record: Option<String>,
) -> Result<(SessionHandle, Option<CrashRecovery>), InputError> {
    let (recovery, left) = CrashRecovery::begin().unzip();
    let mut session = session::begin(scene, simulation, script);
    if let Some(file) = record {
        session.record_to(file.as_ref())?;
    }
    let mut lost = None;
    match left.flatten() {
        Some(Left::State(offer, lanes)) => {
            lost = Some((offer.command.clone(), lanes));
            session.begin_with(None, Some(offer));
        }
        Some(Left::Damaged(sentence)) => session.begin_with(Some(sentence), None),
        None => {}
    }
    let safe = recovery.as_ref().map(CrashRecovery::safe);
    let mut handle = SessionHandle::start_safe(session, safe);
    if let Some((command, lanes)) = lost {
        handle.bring_back_with(command, lanes);
    }
    Ok((handle, recovery))
}
