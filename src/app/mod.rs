//! The window: Bevy around the same [`Session`](crate::session::Session) that batch runs and tests use, one plugin per
//! concern. It gives commands and shows frames.

mod adapters;
mod blow_up;
mod collider_hand;
mod compass;
mod convergence;
mod cost;
mod course;
mod cutting;
mod desk;
mod device;
mod exit;
mod film;
mod history;
pub mod input;
mod kept;
mod lettering;
mod limits;
mod markers;
mod messages;
mod monitor;
pub mod panels;
mod picking;
mod picture;
mod plot_picture;
mod pointer;
mod preferences;
mod probe_marks;
mod probes;
mod render;
mod rescue;
mod session;
mod stability;
mod stepping;
mod sweep;
mod sweep_run;
mod take;
mod task;
mod view;
mod wind_hand;

use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::ExitCondition;

use crate::scene::{InputError, Scene};
use crate::session::Stamped;
use crate::sim::Simulation;

pub use picture::Picture;
pub use preferences::{Quality, Stage};
pub use render::{LaneReel, Pace, Reel, RenderError, render};
use session::SessionHandle;
pub use view::painting::Quantity;

/// What the command line asks of the window.
pub struct Options {
    /// The scene to start with.
    pub scene: Scene,
    /// The simulation of it.
    pub simulation: Simulation,
    /// Commands to come.
    pub script: Vec<Stamped>,
    /// Image quality; the one of the last run if not given.
    pub quality: Option<Quality>,
    /// The file that has what happens as it happens.
    pub record: Option<String>,
    /// What to write when the window closes, and when to close it.
    pub exit: Exit,
}

pub use cost::frame_costs;
pub use device::Lacking;
pub use exit::Exit;

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
    let device = device::find_device()?;
    let Options { scene, simulation, script, quality, record, exit } = options;
    let mut app = App::new();
    let window = Window {
        title: format!("Weft: {}", scene.title),
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
        .set(device::drawing())
        .set(LogPlugin { filter: "error,weft=info".to_owned(), ..default() });
    device::open_display(|| {
        app.add_plugins(plugins);
    })?;
    // what was left by a window that was killed is offered, and this one is kept safe in turn
    let (rescue, left) = rescue::Rescue::begin().unzip();
    let mut session = session::begin(scene, simulation, script);
    if let Some(file) = record {
        session.record_to(file.as_ref())?;
    }
    let mut lost = None;
    match left.flatten() {
        Some(rescue::Left::State(offer, lanes)) => {
            lost = Some((offer.command.clone(), lanes));
            session.say_first(None, Some(offer));
        }
        Some(rescue::Left::Damaged(sentence)) => session.say_first(Some(sentence), None),
        None => {}
    }
    let safe = rescue.as_ref().map(rescue::Rescue::safe);
    let mut session = SessionHandle::start_safe(session, safe);
    if let Some((command, lanes)) = lost {
        session.bring_back_with(command, lanes);
    }
    app.init_resource::<desk::Desk>()
        .insert_resource(session)
        .insert_resource(exit)
        .add_plugins(preferences::plugin(quality, device))
        .add_plugins((
            session::plugin,
            history::plugin,
            probes::plugin,
            probe_marks::plugin,
            view::plugin,
            view::by_hand,
            markers::plugin,
            pointer::plugin,
            stepping::plugin,
            limits::plugin,
            stability::plugin,
            convergence::plugin,
            panels::plugin,
            take::plugin,
            exit::plugin,
        ))
        .add_plugins((
            adapters::plugin,
            input::plugin,
            film::plugin,
            kept::plugin,
            messages::plugin,
            plot_picture::plugin,
            wind_hand::plugin,
            blow_up::plugin,
            compass::plugin,
            monitor::plugin,
        ));
    let exit = app.run();
    if let Some(rescue) = rescue {
        rescue.end();
    }
    Ok(exit)
}
