//! Preferences that persist between runs: image quality, the window's size, open panels and their
//! widths.

use std::ops::RangeInclusive;
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
    /// No shadow maps; without a graphics processor edges are smooth where there is time for it.
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
pub enum Backdrop {
    /// Light floor and wall.
    #[default]
    Light,
    /// Dark ones.
    Dark,
}

impl Backdrop {
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
    /// Ids of the lessons that were gone through to their end.
    pub(in crate::app) lessons: Vec<String>,
    /// Own fabrics, as RON.
    pub(in crate::app) fabrics: String,
}

/// The image quality in force.
#[derive(Resource, Clone, Copy, PartialEq, Eq)]
pub struct CurrentQuality(pub Quality);

/// The stage in force.
#[derive(Resource, Clone, Copy, PartialEq, Eq)]
pub struct CurrentBackdrop(pub Backdrop);

/// Whether the window has the size of an earlier run.
#[derive(Resource)]
pub struct HasRememberedSize(pub bool);

/// Width and height of a window that the settings may ask for [logical pixels]; systems know
/// sixteen bits of physical ones.
const SIZES: RangeInclusive<u32> = 200..=16_384;
/// Farthest place and largest size of a panel [logical pixels].
const FARTHEST: f64 = 20_000.0;
/// Factors of the size of everything on the screen.
const ZOOMS: RangeInclusive<f32> = 0.3..=4.0;

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
        let stage = Backdrop::parse(&preferences.stage).unwrap_or_default();
        world.insert_resource(CurrentBackdrop(stage));
        world.insert_resource(device);
        let is_sized = preferences.width > 0 && preferences.height > 0;
        world.insert_resource(HasRememberedSize(is_sized));
        if is_sized {
            let mut windows = world.query_filtered::<&mut Window, With<PrimaryWindow>>();
            for mut window in windows.iter_mut(world) {
                let [width, height] = [preferences.width, preferences.height].map(within_sizes);
                window.resolution.set(width, height);
            }
        }
        app.add_systems(Update, (remember_size, remember_quality, remember_stage))
            .add_systems(EguiPrimaryContextPass, (restore_panels.in_set(RestorePanels), remember_panels).chain());
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

fn remember_stage(stage: Res<CurrentBackdrop>, mut preferences: ResMut<Preferences>, mut commands: Commands) {
    if stage.is_changed() && !stage.is_added() {
        info!("stage {:?}", stage.0);
        preferences.stage = if stage.0 == Backdrop::Dark { "dark" } else { "light" }.to_owned();
        save_soon(&mut commands);
    }
}

/// A width or height from the settings that a window can have.
fn within_sizes(points: u32) -> f32 {
    points.clamp(*SIZES.start(), *SIZES.end()) as f32
}

/// The state of the panels in a text, with these `options`, unless a number in it is absurd.
fn panels_of(text: &str, options: &egui::Options) -> Option<egui::Memory> {
    if !has_sane_numbers(text) {
        return None;
    }
    let mut memory = ron::from_str::<egui::Memory>(text).ok()?;
    let zoom = memory.options.zoom_factor;
    memory.options = options.clone();
    memory.options.zoom_factor = if zoom.is_finite() { zoom.clamp(*ZOOMS.start(), *ZOOMS.end()) } else { 1.0 };
    Some(memory)
}

/// Whether all places and sizes in a text are within [`FARTHEST`]. Whole numbers that no key stands
/// before are ids.
fn has_sane_numbers(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
    let mut is_value = false;
    text.split_inclusive(|c| !is_part(c)).all(|word| {
        let (number, end) = match word.chars().next_back() {
            Some(end) if !is_part(end) => (&word[..word.len() - end.len_utf8()], end),
            _ => (word, ' '),
        };
        let is_named = std::mem::replace(&mut is_value, end == ':');
        let is_id = !is_named && number.bytes().all(|byte| byte.is_ascii_digit());
        is_id || number.parse::<f64>().map_or(true, |x| x.abs() <= FARTHEST)
    })
}

fn restore_panels(mut contexts: EguiContexts, preferences: Res<Preferences>, mut done: Local<bool>) -> Result {
    if !std::mem::replace(&mut *done, true) && !preferences.panels.is_empty() {
        let context = contexts.ctx_mut()?;
        let options = context.memory(|current| current.options.clone());
        match panels_of(&preferences.panels, &options) {
            Some(memory) => context.memory_mut(|current| *current = memory),
            None => warn!("the panels in the settings cannot be restored"),
        }
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
