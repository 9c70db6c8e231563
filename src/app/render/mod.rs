//! Pictures without a window: the same studio, cloth and camera, drawn into an image.

mod captions;
mod lane_reel;
mod replay;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bevy::camera::RenderTarget;
use bevy::ecs::observer::On;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

use super::input::gizmos::{self, PinBeads};
use super::picking::Pointer;
use super::picture::{Picture, new_target};
use super::session::{self, SessionHandle};
use super::text_raster::Lettering;
use super::view::paint_quantity::PaintQuantity;
use super::view::pipelines::Waiting;
use super::view::scene::{ClothView, MainCamera};
use super::view::{self, ViewState};
use super::window::device::{self, Lacking};
use super::window::preferences::{Backdrop, CurrentBackdrop, CurrentQuality, Quality};
use crate::scene::{InputError, Scene};
use crate::session::{Command, Frame, Session, Stamped};
use crate::sim::Simulation;
pub use lane_reel::LaneReel;
pub use replay::Replay;

/// Frames that are drawn before the first picture, so that everything has arrived where it is
/// drawn.
const WARM_UP: usize = 4;
/// Longest time that a picture may take; the first includes the compilation of all shaders.
const PATIENCE: Duration = Duration::from_secs(120);

/// Scene, times and look of the pictures.
pub struct Reel {
    /// The scene to start with.
    pub scene: Scene,
    /// The simulation of it.
    pub simulation: Simulation,
    /// Commands to come.
    pub script: Vec<Stamped>,
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// When the pictures are taken.
    pub pace: Pace,
    /// Image quality.
    pub quality: Quality,
    /// Light or dark studio.
    pub stage: Backdrop,
    /// The painted quantity.
    pub quantity: PaintQuantity,
    /// Whether pins have beads.
    pub pins: bool,
    /// Motions that were recorded, to be shown instead of a new one; the first lane is that of
    /// `simulation`.
    pub replay: Option<Replay>,
    /// Several lanes instead, of which the first starts as `simulation` does.
    pub lanes: Option<LaneReel>,
}

/// When pictures of a simulation are taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    /// Length of a time step [s].
    pub step: f64,
    /// Simulated time from one picture of a film to the next [s].
    pub interval: f64,
    /// Simulated time from the beginning to each picture [s], rising.
    pub times: Vec<f64>,
}

impl Pace {
    /// Number of steps from the beginning until a time [s] can be drawn, and the share of the last
    /// one at which the picture is taken.
    #[must_use]
    pub fn of(&self, time: f64) -> (u64, f64) {
        // a time that is off by rounding is that of a step
        const SAME: f64 = 1e-6;
        let steps = time / self.step;
        let last = (steps - SAME).ceil().max(0.0);
        let share = 1.0 - (last - steps);
        (last as u64, if share < 1.0 - SAME { share } else { 1.0 })
    }
}

/// Why there are no more pictures.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// There is nothing to draw with.
    #[error(transparent)]
    NoDevice(#[from] Lacking),
    /// A command could not be carried out.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The simulation failed.
    #[error("{solver} failed at t = {time:.4} s, before picture {picture}: {cause}")]
    Failed {
        /// Name of the solver.
        solver: &'static str,
        /// Simulated time [s].
        time: f64,
        /// Number of the picture, from 1.
        picture: u32,
        /// Why.
        cause: String,
    },
    /// The device gave no picture in time.
    #[error("the graphics device gave no picture within {} s", PATIENCE.as_secs())]
    NoPicture,
    /// The film could not be made of the pictures.
    #[error("ffmpeg: {0}")]
    Film(String),
    /// A picture could not be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
}

/// Draws all pictures in turn and gives each to `take`.
///
/// # Errors
/// [`RenderError`]; pictures before it have been given.
pub fn render(mut reel: Reel, mut take: impl FnMut(Picture) -> std::io::Result<()>) -> Result<(), RenderError> {
    device::find_device()?;
    let (replay, lanes) = (reel.replay.take(), reel.lanes.take());
    let pace = reel.pace.clone();
    let has_lanes = lanes.is_some() || replay.as_ref().is_some_and(|replay| !replay.others.is_empty());
    let (mut app, target) = open(reel, has_lanes);
    match (replay, lanes) {
        (Some(replay), _) => replay::render_replay(&mut app, replay, &pace, &target, take),
        (None, Some(lanes)) => render_lanes(&mut app, lanes, &pace, &target, take),
        (None, None) => render_steps(&mut app, &pace, |app| Ok(take(shoot(app, &target)?)?)),
    }
}

/// The program without a window, whose camera draws into an image. With `has_lanes` several cloths
/// stand side by side.
fn open(reel: Reel, has_lanes: bool) -> (App, Handle<Image>) {
    let Reel { scene, simulation, script, size, quality, stage, quantity, pins, .. } = reel;
    let mut app = App::new();
    let window = WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    app.add_plugins(
        DefaultPlugins
            .set(window)
            // a picture with half of its shaders would be wrong
            .set(RenderPlugin { synchronous_pipeline_compilation: true, ..device::drawing() })
            .set(LogPlugin { filter: "error".to_owned(), ..default() })
            .disable::<WinitPlugin>(),
    );
    let mut state = ViewState::default();
    state.painting.choose(quantity);
    let view = Rect::new(0.0, 0.0, size[0] as f32, size[1] as f32);
    let session = SessionHandle::start(Session::new(scene, simulation).with(script, |_| {}));
    if has_lanes {
        app.add_plugins(view::lane_layout::plugin);
    }
    app.insert_resource(session)
        .insert_resource(CurrentQuality(quality))
        .insert_resource(CurrentBackdrop(stage))
        .insert_resource(state)
        .insert_resource(PinBeads(pins))
        .insert_resource(ClothView(view))
        .init_resource::<Pointer>()
        .add_plugins((session::plugin, view::plugin, gizmos::plugin));
    let target = new_target(&mut app.world_mut().resource_mut::<Assets<Image>>(), size);
    app.finish();
    app.cleanup();
    app.world_mut().resource_mut::<SessionHandle>().pause(true);
    for _ in 0..WARM_UP {
        app.update();
        let world = app.world_mut();
        let mut cameras = world.query_filtered::<&mut RenderTarget, With<MainCamera>>();
        for mut camera in cameras.iter_mut(world) {
            *camera = RenderTarget::Image(target.clone().into());
        }
    }
    (app, target)
}

/// Stops the session, and waits until its last frame has come, so that none takes the place of
/// those that are shown.
fn stop(app: &mut App) -> Mut<'_, SessionHandle> {
    let mut session = app.world_mut().resource_mut::<SessionHandle>();
    let order = session.send(Command::Pause { on: true });
    wait_for(&mut session, order);
    session
}

/// Draws several lanes side by side, each with its description.
fn render_lanes(
    app: &mut App,
    mut reel: LaneReel,
    pace: &Pace,
    target: &Handle<Image>,
    mut take: impl FnMut(Picture) -> std::io::Result<()>,
) -> Result<(), RenderError> {
    // across the view, which is known by now
    reel.fill(&mut stop(app))?;
    app.update();
    for _ in 0..WARM_UP {
        lane_reel::settle_camera(app);
        app.update();
    }
    let mut lettering = Lettering::default();
    for (picture, time) in (1..).zip(&pace.times) {
        reel.go_to(pace.of(*time), picture)?;
        take(reel.shoot(app, target, &mut lettering)?)?;
    }
    Ok(())
}

/// Draws the cloth while it takes its steps.
fn render_steps(
    app: &mut App,
    pace: &Pace,
    mut draw: impl FnMut(&mut App) -> Result<(), RenderError>,
) -> Result<(), RenderError> {
    let mut taken = 0;
    let mut now = Arc::clone(app.world().resource::<SessionHandle>().frame());
    let mut before = Arc::clone(&now);
    for (picture, time) in (1..).zip(&pace.times) {
        let (steps, share) = pace.of(*time);
        if steps > taken {
            // the shown state may be part way through a step
            before = if steps - taken > 1 { step(app, steps - 1 - taken, picture)? } else { now };
            now = step(app, 1, picture)?;
            taken = steps;
        }
        if taken > 0 {
            app.world_mut().resource_mut::<SessionHandle>().show(vec![part_way(&before, &now, share)]);
        }
        draw(app)?;
    }
    Ok(())
}

fn wait_for(session: &mut SessionHandle, order: u64) {
    while session.frame().seen < order {
        std::thread::sleep(Duration::from_micros(300));
        session.take_frame();
    }
}

/// Takes so many steps, waits for their end and returns the frame then.
fn step(app: &mut App, steps: u64, picture: u32) -> Result<Arc<Frame>, RenderError> {
    let mut session = app.world_mut().resource_mut::<SessionHandle>();
    let mut order = 0;
    for _ in 0..steps {
        order = session.send(Command::Step);
    }
    wait_for(&mut session, order);
    match &session.frame().failure {
        Some(failure) => Err(RenderError::Failed {
            solver: failure.solver,
            time: failure.time,
            picture,
            cause: failure.cause.to_string(),
        }),
        None => Ok(Arc::clone(session.frame())),
    }
}

/// The state at a share of a step.
fn part_way(before: &Arc<Frame>, now: &Arc<Frame>, share: f64) -> Arc<Frame> {
    // a command may have taken another cloth in between
    if share < 1.0 && before.generation == now.generation {
        Arc::new(now.part_way(before, share))
    } else {
        Arc::clone(now)
    }
}

/// Draws until all objects are drawn: their shaders are loaded by other threads.
fn compile(app: &mut App) -> Result<(), RenderError> {
    let started = Instant::now();
    while app.world().resource::<Waiting>().is_waiting() {
        if started.elapsed() > PATIENCE {
            return Err(RenderError::NoPicture);
        }
        app.update();
    }
    Ok(())
}

/// Draws the cloth as it is.
fn shoot(app: &mut App, target: &Handle<Image>) -> Result<Picture, RenderError> {
    let taken: Arc<Mutex<Option<Picture>>> = Arc::default();
    let place = Arc::clone(&taken);
    // the mesh follows the state in the first update, the camera may follow the mesh
    app.update();
    compile(app)?;
    app.world_mut().spawn(Screenshot::image(target.clone())).observe(move |captured: On<ScreenshotCaptured>| {
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Picture::of(&captured.image, None);
    });
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        app.update();
        if let Some(picture) = taken.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Ok(picture);
        }
    }
    Err(RenderError::NoPicture)
}
