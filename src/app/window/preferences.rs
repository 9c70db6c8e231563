//! Preferences that persist between runs: image quality, the window's size, open panels and their
//! widths.

use std::time::Duration;

use bevy::prelude::*;
use bevy::settings::{ReflectSettingsGroup, SaveSettingsDeferred, SaveSettingsSync, SettingsGroup, SettingsPlugin};
use bevy::window::{PrimaryWindow, WindowResized};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};

use super::device::Device;
use crate::scene::InputError;

/// How much work goes into the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Reflect, Default)]
pub enum Quality {
    /// No shadows; smooth edges only where a graphics processor has them for nothing.
    Low,
    /// Soft shadows and smooth edges.
    #[default]
    High,
}

impl Quality {
    /// Reads `low` or `high`.
    ///
    /// # Errors
    /// [`InputError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        match text {
            "low" => Ok(Self::Low),
            "high" => Ok(Self::High),
            _ => Err(InputError::new(format!("--quality {text}"), "is not known; take low or high")),
        }
    }
}

/// How the studio around the cloth is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Reflect, Default)]
pub enum Stage {
    /// Light floor and wall.
    #[default]
    Light,
    /// Dark ones.
    Dark,
}

impl Stage {
    /// Reads `light` or `dark`.
    ///
    /// # Errors
    /// [`InputError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        match text {
            "light" => Ok(Self::Light),
            "dark" => Ok(Self::Dark),
            _ => Err(InputError::new(format!("--stage {text}"), "is not known; take light or dark")),
        }
    }
}

/// The system set that restores the panels; they are drawn after it.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub struct RestorePanels;

/// The remembered settings.
#[derive(Resource, SettingsGroup, Reflect, Default, Clone, PartialEq)]
#[reflect(Resource, SettingsGroup, Default)]
#[settings_group(group = "window")]
pub struct Preferences {
    /// `low` or `high`; empty until chosen.
    quality: String,
    /// `light` or `dark`; empty until chosen.
    stage: String,
    /// Width and height [logical pixels]; zero until changed by the user.
    width: u32,
    height: u32,
    /// State of the panels, as egui writes it.
    panels: String,
    /// Name of the graphics device of solvers; empty until chosen.
    pub(in crate::app) device: String,
    /// Files that were opened, the newest first.
    pub(in crate::app) files: Vec<String>,
    /// Own fabrics, as RON.
    pub(in crate::app) fabrics: String,
}

/// The image quality in force.
#[derive(Resource, Clone, Copy, PartialEq, Eq)]
pub struct CurrentQuality(pub Quality);

/// The stage in force.
#[derive(Resource, Clone, Copy, PartialEq, Eq)]
pub struct CurrentStage(pub Stage);

/// Interval at which the panels are looked at for something worth saving [s].
const PANELS_INTERVAL: Duration = Duration::from_secs(2);

pub(in crate::app) fn plugin(asked: Option<Quality>, device: Device) -> impl Fn(&mut App) {
    move |app| {
        app.register_type::<Preferences>().add_plugins(SettingsPlugin::new("weft"));
        let world = app.world_mut();
        let preferences = world.get_resource_or_init::<Preferences>().clone();
        let remembered = Quality::parse(&preferences.quality).ok();
        let fallback = if device == Device::Software { Quality::Low } else { Quality::High };
        world.insert_resource(CurrentQuality(asked.or(remembered).unwrap_or(fallback)));
        let stage = Stage::parse(&preferences.stage).unwrap_or_default();
        world.insert_resource(CurrentStage(stage));
        world.insert_resource(device);
        if preferences.width > 0 && preferences.height > 0 {
            let mut windows = world.query_filtered::<&mut Window, With<PrimaryWindow>>();
            for mut window in windows.iter_mut(world) {
                window.resolution.set(preferences.width as f32, preferences.height as f32);
            }
        }
        app.add_systems(Update, (remember_size, remember_quality, remember_stage))
            .add_systems(EguiPrimaryContextPass, (restore_panels.in_set(RestorePanels), remember_panels));
    }
}

/// Writes the preferences to disk; called before the program ends.
pub fn save_now(commands: &mut Commands) {
    commands.queue(SaveSettingsSync::IfChanged);
}

/// Writes the preferences to disk soon.
pub(in crate::app) fn save_soon(commands: &mut Commands) {
    commands.queue(SaveSettingsDeferred(Duration::from_millis(500)));
}

fn remember_size(
    mut resized: MessageReader<WindowResized>,
    mut preferences: ResMut<Preferences>,
    mut commands: Commands,
) {
    let Some(size) = resized.read().last() else { return };
    let (width, height) = (size.width as u32, size.height as u32);
    if (preferences.width, preferences.height) != (width, height) {
        (preferences.width, preferences.height) = (width, height);
        save_soon(&mut commands);
    }
}

/// A quality that was chosen in the window is remembered; one from the command line holds for one
/// run.
fn remember_quality(quality: Res<CurrentQuality>, mut preferences: ResMut<Preferences>, mut commands: Commands) {
    if quality.is_changed() {
        info!("quality {:?}", quality.0);
    }
    if quality.is_changed() && !quality.is_added() {
        preferences.quality = if quality.0 == Quality::Low { "low" } else { "high" }.to_owned();
        save_soon(&mut commands);
    }
}

fn remember_stage(stage: Res<CurrentStage>, mut preferences: ResMut<Preferences>, mut commands: Commands) {
    if stage.is_changed() && !stage.is_added() {
        info!("stage {:?}", stage.0);
        preferences.stage = if stage.0 == Stage::Dark { "dark" } else { "light" }.to_owned();
        save_soon(&mut commands);
    }
}

fn restore_panels(mut contexts: EguiContexts, preferences: Res<Preferences>, mut done: Local<bool>) -> Result {
    if !std::mem::replace(&mut *done, true)
        && let Ok(memory) = ron::from_str::<egui::Memory>(&preferences.panels)
    {
        contexts.ctx_mut()?.memory_mut(|current| *current = memory);
    }
    Ok(())
}

fn remember_panels(
    mut contexts: EguiContexts,
    mut preferences: ResMut<Preferences>,
    time: Res<Time<Real>>,
    mut next: Local<Duration>,
    mut commands: Commands,
) -> Result {
    if time.elapsed() < *next {
        return Ok(());
    }
    *next = time.elapsed() + PANELS_INTERVAL;
    let panels = contexts.ctx_mut()?.memory(ron::to_string)?;
    if preferences.panels != panels {
        preferences.panels = panels;
        save_soon(&mut commands);
    }
    Ok(())
}
