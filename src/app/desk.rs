//! What panels are drawn from: the running session, the state that all panels share, the states of
//! the features, and requests of one feature to another. It names no feature.

use std::path::PathBuf;

use bevy::ecs::component::Mutable;
use bevy::prelude::*;

use super::pace::{Pace, Throughput};
use super::session::SessionHandle;
use super::view::ViewState;
use super::window::preferences::{CurrentBackdrop, CurrentQuality};
use crate::documents::Figure;
use crate::documents::report::Experiment;
use crate::documents::take_home::Target;
use crate::session::Frame;

/// State that the panels share; no system asks whether it has changed.
#[derive(Resource, Default)]
pub struct Desk {
    /// Which tools, palettes and drawers are open.
    pub windows: OpenWindows,
    /// Whether the panels are put away, so that the cloth has the whole window.
    pub hidden: bool,
    /// Simulated seconds per second, as wanted.
    pub pace: Pace,
    /// How well the machine keeps up.
    pub throughput: Throughput,
    /// Whether the report of a blow-up stands beside the cloth.
    pub is_failure_docked: bool,
    /// Requests that have not been carried out.
    pub requests: Vec<Request>,
}

/// What a feature wants of another. The registry of panels carries it out after the next drawing.
pub enum Request {
    /// Open the table of a sweep in its panel.
    OpenTable(PathBuf),
    /// Fit parameters to the scanned drape in this file.
    TakeScan(PathBuf),
    /// Ask for a file for these plots.
    SavePlot(Figure),
    /// Write the report into the file that was picked.
    WriteReport(PathBuf),
    /// Save the scene of this name into another file the next time.
    SaveAsCopy(String),
    /// Open the editor.
    Edit,
    /// Copy the solver as text for another program.
    TakeHome(Target),
}

/// What the parts of a report are about.
pub struct Reported<'a> {
    /// The chosen lane.
    pub frame: &'a Frame,
    /// Name of the file with its state, as in a shell.
    pub state: &'a str,
    /// The slot of each lane of the experiment.
    pub slots: &'a [usize],
}

/// A feature with a part of the report of an experiment.
pub trait ReportPart {
    /// Adds the part, if there is one.
    fn add_to(&self, experiment: &mut Experiment, about: &Reported);
}

/// The states of all features, each a resource of its own type.
pub struct States<'a>(pub &'a mut World);

/// The state of a feature.
pub trait State: Resource<Mutability = Mutable> + Default {}

impl<T: Resource<Mutability = Mutable> + Default> State for T {}

impl States<'_> {
    /// The state of this type, as it is at first if there is none.
    pub fn of<T: State>(&mut self) -> &mut T {
        self.0.get_resource_or_init::<T>().into_inner()
    }

    /// The state of this type, if there is one.
    #[must_use]
    pub fn see<T: Resource>(&self) -> Option<&T> {
        self.0.get_resource::<T>()
    }
}

/// The things that a panel is drawn from and acts on.
pub struct Shown<'a> {
    /// The running simulation.
    pub session: &'a mut SessionHandle,
    /// The state that the panels share.
    pub desk: &'a mut Desk,
    /// The states of the features.
    pub states: States<'a>,
    /// How the cloths are shown.
    pub view_state: &'a mut ViewState,
    /// Image quality.
    pub quality: CurrentQuality,
    /// Light or dark stage.
    pub stage: CurrentBackdrop,
    /// Whether a part of the picture is not ready yet.
    pub unready: bool,
    /// Where the pointer is in the window [points].
    pub cursor: Option<Vec2>,
    /// The vertex under it.
    pub hovered: Option<u32>,
    /// The collider under it that can be moved.
    pub collider: Option<u32>,
    /// The part of the window that shows the cloth [points].
    pub view: egui::Rect,
}

impl Shown<'_> {
    /// Runs `run` with the state of a feature, which is not among the states meanwhile.
    pub fn with<T: State, R>(&mut self, run: impl FnOnce(&mut T, &mut Shown) -> R) -> R {
        let mut state = self.states.0.remove_resource::<T>().unwrap_or_default();
        let result = run(&mut state, self);
        if self.states.0.contains_resource::<T>() {
            error!("a panel asks for its own state: {}", std::any::type_name::<T>());
        }
        self.states.0.insert_resource(state);
        result
    }
}

/// Which tools, palettes and drawers are open, by title, the last one opened at the end.
#[derive(Debug, Default)]
pub struct OpenWindows {
    titles: Vec<&'static str>,
    /// How often one was opened.
    openings: u64,
}

impl OpenWindows {
    /// Whether the one with this title is open.
    #[must_use]
    pub fn is_open(&self, title: &str) -> bool {
        self.titles.contains(&title)
    }

    /// Whether any is open.
    #[must_use]
    pub fn is_any_open(&self) -> bool {
        !self.titles.is_empty()
    }

    /// Opens or closes it.
    pub fn set(&mut self, title: &'static str, open: bool) {
        if open != self.is_open(title) {
            self.titles.retain(|other| *other != title);
            self.titles.extend(open.then_some(title));
            self.openings += u64::from(open);
        }
    }

    /// Opens it if it is closed, and closes it if it is open. Returns whether it is open now.
    pub fn toggle(&mut self, title: &'static str) -> bool {
        let open = !self.is_open(title);
        self.set(title, open);
        open
    }

    /// Closes the last one opened.
    pub fn close_last(&mut self) {
        self.titles.pop();
    }

    /// How often one was opened until this one was, if it is the last one.
    #[must_use]
    pub fn openings_of(&self, title: &str) -> Option<u64> {
        (self.titles.last() == Some(&title)).then_some(self.openings)
    }

    /// Titles of all that are open, the last one opened at the end.
    #[must_use]
    pub fn titles(&self) -> &[&'static str] {
        &self.titles
    }
}
