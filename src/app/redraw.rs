//! Drawing on demand: while something moves the window is drawn at the rate of the monitor, and
//! otherwise only after input. A minimised window steps the cloth and draws nothing.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bevy::a11y::{AccessibilityRequested, ActionRequest};
use bevy::camera::RenderTarget;
use bevy::ecs::message::{MessageRegistry, ShouldUpdateMessages};
use bevy::ecs::system::{NonSendMarker, SystemParam};
use bevy::prelude::*;
use bevy::render::view::screenshot::Screenshot;
use bevy::window::{PrimaryWindow, WindowEvent, WindowOccluded};
use bevy::winit::{UpdateMode, WINIT_WINDOWS, WinitSettings};
use bevy_egui::{EguiContexts, EguiInput, EguiPreUpdateSet};

use super::exit::Exit;
use crate::app::session::SessionHandle;
use crate::app::task;
use crate::app::view::edge_smoothing::PictureStands;
use crate::app::view::pipelines::Waiting;

/// How long drawing goes on after the last change: longer than the camera waits before it follows
/// a cloth out of view.
const LINGER: Duration = Duration::from_millis(1500);
/// Least number of pictures drawn after the last change, and number of those with smooth edges
/// after them: one learns of it, one is drawn with it, and one is shown.
const PICTURES: u32 = 12;
const SMOOTH_PICTURES: u32 = 3;
/// Longest time between two pictures.
const LONGEST: Duration = Duration::from_secs(10);
/// Time between two updates of a minimised window, and between two looks whether it still is.
const HIDDEN: Duration = Duration::from_millis(50);
const LOOK: Duration = Duration::from_millis(250);
/// Longest time between two updates while a screen reader listens, whose requests wake no window.
const HEARD: Duration = Duration::from_millis(100);

/// When the window is drawn.
#[derive(Resource, Default)]
struct Redraw {
    /// The last change, and the number of pictures since.
    last: Option<Instant>,
    pictures: u32,
    smooth_pictures: u32,
    /// Where the cameras were.
    cameras: Vec<(Entity, GlobalTransform)>,
    /// When egui wants to be drawn again.
    due: Arc<Mutex<Option<Instant>>>,
    is_listening: bool,
    is_occluded: bool,
    is_minimised: bool,
    looked: Option<Instant>,
    /// Cameras that draw nothing while the window is minimised.
    asleep: Vec<Entity>,
}

pub(in crate::app) fn plugin(app: &mut App) {
    app.init_resource::<Redraw>()
        .insert_resource(WinitSettings::continuous())
        .add_systems(
            PreUpdate,
            drop_unchanged_modifiers.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(Last, (hide, listen, choose).chain())
        .add_systems(Last, drop_old_messages);
}

/// Bevy keeps all messages until a fixed tick has passed, which a paused cloth has none of. Among
/// them is the request for another picture.
fn drop_old_messages(mut registry: ResMut<MessageRegistry>) {
    registry.should_update = ShouldUpdateMessages::Ready;
}

/// `bevy_egui` reports the modifier keys in every pass, and egui takes every event for a reason to
/// draw once more.
fn drop_unchanged_modifiers(mut inputs: Query<&mut EguiInput>, mut last: Local<egui::Modifiers>) {
    for mut input in &mut inputs {
        input.events.retain(|event| match event {
            egui::Event::ModifiersChanged(now) => std::mem::replace(&mut *last, *now) != *now,
            _ => true,
        });
    }
}

/// Asks egui once to tell when it wants to be drawn again: for tooltips, the cursor of a text.
fn listen(mut contexts: EguiContexts, mut redraw: ResMut<Redraw>) -> Result {
    if !redraw.is_listening {
        let due = Arc::clone(&redraw.due);
        contexts.ctx_mut()?.set_request_repaint_callback(move |info| {
            let at = Instant::now() + info.delay.min(LONGEST);
            let mut due = due.lock().unwrap_or_else(PoisonError::into_inner);
            *due = Some(due.map_or(at, |due| due.min(at)));
        });
        redraw.is_listening = true;
    }
    Ok(())
}

/// Messages of the window, of mouse, keyboard and screen reader in this update.
#[derive(SystemParam)]
struct Inputs<'w, 's> {
    windows: MessageReader<'w, 's, WindowEvent>,
    keys: Res<'w, ButtonInput<KeyCode>>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
    requests: MessageReader<'w, 's, ActionRequest>,
    heard: Res<'w, AccessibilityRequested>,
}

impl Inputs<'_, '_> {
    fn has_any(&mut self) -> bool {
        let came = self.windows.read().count() + self.requests.read().count() > 0;
        came || self.keys.get_pressed().len() > 0 || self.buttons.get_pressed().len() > 0
    }
}

/// Parts of the window that move without input.
#[derive(SystemParam)]
struct Moving<'w, 's> {
    session: ResMut<'w, SessionHandle>,
    waiting: Res<'w, Waiting>,
    screenshots: Query<'w, 's, (), With<Screenshot>>,
    cameras: Query<'w, 's, (Entity, &'static GlobalTransform, &'static RenderTarget), With<Camera>>,
}

impl Moving<'_, '_> {
    /// Whether a cloth, a study, an export, a picture or a camera is at work; `seen` are the places
    /// of the cameras before, in the order of the cameras.
    fn is_any(&mut self, seen: &mut Vec<(Entity, GlobalTransform)>) -> bool {
        let mut cameras: Vec<_> = self.cameras.iter().map(|(camera, place, _)| (camera, *place)).collect();
        // with another component a camera is found at another place
        cameras.sort_unstable_by_key(|(camera, _)| *camera);
        let has_moved = *seen != cameras;
        *seen = cameras;
        has_moved
            || self.session.bypass_change_detection().is_moving()
            || task::is_any_running()
            || !self.screenshots.is_empty()
            || self.cameras.iter().any(|(.., target)| matches!(target, RenderTarget::Image(_)))
    }
}

/// Chooses when the next update comes.
fn choose(
    mut inputs: Inputs,
    mut moving: Moving,
    mut redraw: ResMut<Redraw>,
    (mut settings, mut stands): (ResMut<WinitSettings>, ResMut<PictureStands>),
    exit: Res<Exit>,
    time: Res<Time<Real>>,
) {
    let Redraw { last, pictures, smooth_pictures, cameras, due, is_minimised, is_occluded, .. } = &mut *redraw;
    let now = Instant::now();
    // both, so that none is left unread
    let (has_input, is_moving) = (inputs.has_any(), moving.is_any(cameras));
    // that of smooth edges may come last
    let is_waiting = moving.waiting.is_waiting();
    let is_moving = is_moving || is_waiting && !stands.0;
    if has_input || is_moving || exit.is_ending() || last.is_none() {
        (*last, *pictures, *smooth_pictures) = (Some(now), 0, 0);
    }
    *pictures = pictures.saturating_add(1);
    let is_still = *pictures > PICTURES && last.is_some_and(|last| now - last > LINGER);
    stands.set_if_neq(PictureStands(is_still));
    *smooth_pictures += u32::from(is_still && !is_waiting && *smooth_pictures <= SMOOTH_PICTURES);
    let rests = *smooth_pictures > SMOOTH_PICTURES;
    let wait = match due.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(due) => due.saturating_duration_since(now),
        None => LONGEST,
    };
    let mode = if rests {
        let left = exit.seconds_left(time.elapsed_secs_f64()).map_or(LONGEST, Duration::from_secs_f64);
        let wait = if inputs.heard.get() { wait.min(HEARD) } else { wait };
        reactive(wait.min(left).max(Duration::from_millis(5)))
    } else if *is_minimised || *is_occluded {
        reactive(HIDDEN)
    } else {
        UpdateMode::Continuous
    };
    if settings.focused_mode != mode {
        (settings.focused_mode, settings.unfocused_mode) = (mode, mode);
    }
}

/// Updates after this time, and at once after input.
const fn reactive(wait: Duration) -> UpdateMode {
    UpdateMode::Reactive {
        wait,
        // motion of the mouse outside of the window
        react_to_device_events: false,
        react_to_user_events: true,
        react_to_window_events: true,
    }
}

/// Has the cameras of a window that cannot be seen draw nothing.
fn hide(
    mut redraw: ResMut<Redraw>,
    mut occluded: MessageReader<WindowOccluded>,
    window: Single<Entity, With<PrimaryWindow>>,
    mut cameras: Query<(Entity, &mut Camera, &RenderTarget)>,
    // the windows of winit are known to this thread alone
    _main_thread: NonSendMarker,
) {
    if let Some(message) = occluded.read().last() {
        redraw.is_occluded = message.occluded;
    }
    let now = Instant::now();
    if redraw.looked.is_none_or(|looked| now - looked > LOOK) {
        redraw.looked = Some(now);
        redraw.is_minimised = WINIT_WINDOWS
            .with_borrow(|windows| windows.get_window(*window).and_then(|window| window.is_minimized()))
            .unwrap_or(false);
    }
    let is_hidden = redraw.is_occluded || redraw.is_minimised;
    if is_hidden && redraw.asleep.is_empty() {
        debug!("minimised or covered: the cloth is stepped, and nothing is drawn");
        for (entity, mut camera, target) in &mut cameras {
            if camera.is_active && matches!(target, RenderTarget::Window(_)) {
                camera.is_active = false;
                redraw.asleep.push(entity);
            }
        }
    } else if !is_hidden && !redraw.asleep.is_empty() {
        debug!("shown again");
        for entity in std::mem::take(&mut redraw.asleep) {
            if let Ok((_, mut camera, _)) = cameras.get_mut(entity) {
                camera.is_active = true;
            }
        }
    }
}
