//! The end of the program: its time, and the files written before it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bevy::ecs::observer::On;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::WindowCloseRequested;
use bevy::winit::{EventLoopProxyWrapper, WinitUserEvent};

use super::window::{CONTROL, preferences};
use crate::app::export::Files;
use crate::app::letters::Letters;
use crate::app::session::SessionHandle;
use crate::documents::{save_whole, why_not_written, write_whole};
use crate::scene::InputError;
use crate::sim::params::quote::quote;

/// Longest wait for pictures under way [s]: a device that has stopped gives none.
const PICTURES: f64 = 2.0;
/// Time between two looks for a signal.
const LOOK: Duration = Duration::from_millis(200);

/// Time of the end, and the files to write then.
#[derive(Resource)]
pub struct Exit {
    after: Option<f64>,
    screenshot: Option<String>,
    snapshot: Option<String>,
    stage: Exiting,
    /// Whether it was asked for while a file was being written.
    waits: bool,
    /// Becomes true when a signal asks for the end, and whether that has been seen.
    signal: Arc<AtomicBool>,
    is_signalled: bool,
}

enum Exiting {
    Running,
    /// The session is being read, and its recording ended.
    Reading(Mutex<Receiver<End>>),
    /// The picture is being taken.
    Capturing,
    /// All is written; pictures under way are on their way from the device until a time [s].
    Pictures {
        until: f64,
        result: AppExit,
    },
    Done,
}

/// The name and contents of a file, if one is to be written, and the outcome of the recording.
type End = (Option<(String, String)>, Result<(), InputError>);

impl Exit {
    /// Ends after `after` [s] or when the window is closed, and then writes a picture and a
    /// snapshot, each if wanted.
    #[must_use]
    pub fn new(after: Option<f64>, screenshot: Option<String>, snapshot: Option<String>) -> Self {
        let signal = Arc::default();
        Self { after, screenshot, snapshot, stage: Exiting::Running, waits: false, signal, is_signalled: false }
    }

    /// Ends likewise when `signal` becomes true.
    #[must_use]
    pub fn on(self, signal: Arc<AtomicBool>) -> Self {
        Self { signal, ..self }
    }

    /// Whether a signal has asked for the end, once.
    fn take_signal(&mut self) -> bool {
        !std::mem::replace(&mut self.is_signalled, self.signal.load(Ordering::Relaxed)) && self.is_signalled
    }

    /// Whether the end has come, and files are being written.
    pub(super) const fn is_ending(&self) -> bool {
        self.waits || !matches!(self.stage, Exiting::Running)
    }

    /// Time until the end [s], which comes `after` the start; `elapsed` [s] has passed.
    pub(super) fn seconds_left(&self, elapsed: f64) -> Option<f64> {
        self.after.map(|after| (after - elapsed).max(0.0))
    }
}

pub(in crate::app) fn plugin(app: &mut App) {
    app.add_systems(Startup, wake).add_systems(Last, end);
}

/// Wakes a window that is not being drawn when a signal asks for the end.
fn wake(exit: Res<Exit>, events: Res<EventLoopProxyWrapper>) {
    let (signal, events) = (Arc::clone(&exit.signal), (**events).clone());
    std::thread::spawn(move || {
        while !signal.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        // it may have been closed
        let _ = events.send_event(WinitUserEvent::WakeUp);
    });
}

fn end(
    mut exit: ResMut<Exit>,
    mut session: ResMut<SessionHandle>,
    time: Res<Time<Real>>,
    mut close: MessageReader<WindowCloseRequested>,
    (keys, letters): (Res<ButtonInput<KeyCode>>, Res<Letters>),
    (mut files, screenshots): (ResMut<Files>, Query<(), With<Screenshot>>),
    mut commands: Commands,
) {
    // in dialogs and fields as well, like the button of the window
    let quit = keys.any_pressed(CONTROL) && letters.just_pressed('q');
    let wanted = quit || close.read().count() > 0 || exit.after.is_some_and(|after| time.elapsed_secs_f64() >= after);
    // unfinished files have to be removed
    let exit = exit.as_mut();
    let wanted = std::mem::take(&mut exit.waits) || exit.take_signal() || wanted;
    if wanted && files.is_busy() {
        files.cancel();
        exit.waits = true;
        return;
    }
    match &mut exit.stage {
        Exiting::Running if wanted => {
            // the user's own cloth is saved, not that of a lesson
            session.bring_back();
            preferences::save_now(&mut commands);
            session.cancel_ticks();
            let snapshot = exit.snapshot.clone();
            let end = session.ask_at_end(move |session| snapshot.map(|file| (file, session.snapshot().to_json())));
            session.pause(true);
            exit.stage = Exiting::Reading(Mutex::new(end));
        }
        Exiting::Reading(end) => {
            let end = end.get_mut().unwrap_or_else(PoisonError::into_inner);
            let (snapshot, recorded) = match end.try_recv() {
                Ok(end) => end,
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    error!("the thread that steps has ended; the state cannot be written");
                    commands.write_message(AppExit::error());
                    exit.stage = Exiting::Done;
                    return;
                }
            };
            let result = write(snapshot, recorded);
            if exit.screenshot.is_some() && result.is_success() {
                exit.stage = Exiting::Capturing;
                commands.spawn(Screenshot::primary_window()).observe(save_picture);
            } else {
                exit.stage = Exiting::Pictures { until: time.elapsed_secs_f64() + PICTURES, result };
            }
        }
        // Bevy reports a fault for a picture that nobody receives
        Exiting::Pictures { until, result }
            if screenshots.is_empty() || wanted || time.elapsed_secs_f64() >= *until =>
        {
            commands.write_message(result.clone());
            exit.stage = Exiting::Done;
        }
        Exiting::Capturing if wanted && exit.after.is_none() => {
            // asked again: a window that is not being drawn gives no picture
            error!("no picture was taken");
            exit.stage = Exiting::Done;
            commands.write_message(AppExit::error());
        }
        _ => {}
    }
}

/// Writes the snapshot, and reports faults of it and of the recording.
fn write(snapshot: Option<(String, String)>, recorded: Result<(), InputError>) -> AppExit {
    let mut result = AppExit::Success;
    if let Err(error) = recorded {
        error!("{error}");
        result = AppExit::error();
    }
    if let Some((file, text)) = snapshot
        && let Err(error) = write_whole(file.as_ref(), |out| out.write_all(text.as_bytes()))
    {
        error!("{}: {}", quote(&file), why_not_written(&error));
        result = AppExit::error();
    }
    result
}

fn save_picture(captured: On<ScreenshotCaptured>, mut exit: ResMut<Exit>, mut commands: Commands) {
    let file = exit.screenshot.clone().unwrap_or_default();
    exit.stage = Exiting::Done;
    let saved = captured.image.clone().try_into_dynamic().map_err(|error| error.to_string()).and_then(|image| {
        let save = |path: &std::path::Path| image.to_rgb8().save(path).map_err(std::io::Error::other);
        save_whole(file.as_ref(), save).map_err(|error| why_not_written(&error))
    });
    commands.write_message(match saved {
        Ok(()) => AppExit::Success,
        Err(error) => {
            error!("{file}: {error}");
            AppExit::error()
        }
    });
}
