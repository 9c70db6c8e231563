//! Which graphics device the solvers use that run on one: listed and opened in the background, and
//! remembered.

pub mod panel;

use bevy::prelude::*;

use super::task::Task;
use super::window::preferences::{Preferences, save_soon};
use crate::gpu::choice;
use crate::gpu::device::AdapterName;
use crate::gpu::fault::DeviceFault;

/// The devices of this machine, and the chosen one. The window draws with its own.
#[derive(Resource, Default)]
pub struct Adapters {
    /// Name of the one that was chosen; without one it is the fastest kind there is.
    pub chosen: Option<String>,
    /// Names of all, once they have been looked for.
    pub known: Vec<String>,
    /// Why the last one that was asked for is not used.
    pub fault: Option<String>,
    looking: Option<Task<Vec<AdapterName>>>,
    opening: Option<Opening>,
}

/// A device that is being opened.
struct Opening {
    wanted: Option<String>,
    task: Task<Result<AdapterName, DeviceFault>>,
}

pub(super) fn plugin(app: &mut App) {
    let remembered = app.world().resource::<Preferences>().device.clone();
    // one from the command line holds for one run
    let asked = choice::chosen().map(|device| device.to_string());
    let remembered = Some(remembered).filter(|name| !name.is_empty());
    if let Some(name) = &remembered {
        info!("device of solvers, if it is there: {name}");
    }
    choice::prefer(remembered.clone());
    app.insert_resource(Adapters { chosen: asked.or(remembered), ..Adapters::default() }).add_systems(Update, follow);
}

impl Adapters {
    /// Looks for the devices of this machine, once: asking the drivers takes longer than a frame.
    pub fn look(&mut self) {
        if self.looking.is_none() {
            self.looking = Some(Task::start(|reporter| reporter.send(choice::adapters())));
        }
    }

    /// Has the solvers use the device of this name, or the fastest kind there is, as soon as it is
    /// open.
    pub fn choose(&mut self, wanted: Option<String>) {
        let asked = wanted.clone();
        let task = Task::start(move |reporter| {
            reporter.send(choice::choose(asked.as_deref()).map(|device| device.name().clone()));
        });
        self.opening = Some(Opening { wanted, task });
    }

    /// Whether one is being opened.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.opening.is_some()
    }
}

fn follow(mut adapters: ResMut<Adapters>, mut preferences: ResMut<Preferences>, mut commands: Commands) {
    let adapters = adapters.bypass_change_detection();
    if let Some(looking) = &mut adapters.looking
        && let Some(known) = looking.poll().0.pop()
    {
        adapters.known = known.iter().map(AdapterName::to_string).collect();
        // it may have been taken out since it was remembered
        adapters.chosen = adapters.chosen.take().filter(|name| adapters.known.contains(name));
    }
    let Some(mut opening) = adapters.opening.take() else { return };
    match opening.task.poll() {
        (mut found, _) if !found.is_empty() => match found.swap_remove(0) {
            Ok(device) => {
                info!("device of solvers: {device}");
                adapters.fault = None;
                preferences.device = opening.wanted.clone().unwrap_or_default();
                adapters.chosen = opening.wanted;
                save_soon(&mut commands);
            }
            Err(fault) => adapters.fault = Some(fault.to_string()),
        },
        // its thread is gone without an answer: the driver has panicked
        (_, true) => adapters.fault = Some("the driver of this device gave no answer".to_owned()),
        (_, false) => adapters.opening = Some(opening),
    }
}
