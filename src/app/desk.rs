//! State of the panels: the state of each, and the state that they share with the rest of the
//! window.

use std::path::Path;

use bevy::prelude::*;

use super::adapters::Adapters;
use super::advice::Advisor;
use super::compass::Compass;
use super::convergence::Convergence;
use super::edit::Editor;
use super::export::Files;
use super::failure_report::BlowUps;
use super::film::FilmStrip;
use super::input::stepping::{Pace, Throughput};
use super::lessons::Lessons;
use super::library::Library;
use super::messages::Messages;
use super::plots::history::History;
use super::probes::Probes;
use super::session::SessionHandle;
use super::stability::Stability;
use super::stability::limits::Limits;
use super::sweep::{self, SweepView};
use super::view::ViewState;
use super::window::preferences::{CurrentQuality, CurrentStage};

/// The state of all panels. A panel that has some names it here, and nowhere else; no system asks
/// whether it has changed.
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
    /// Longest stable steps.
    pub limits: Limits,
    /// The stability study.
    pub stability: Stability,
    /// The convergence study.
    pub convergence: Convergence,
    /// Measurements of all solvers, with their judgement.
    pub advisor: Advisor,
    /// The stability chart.
    pub compass: Compass,
    /// Reports on blow-ups.
    pub blow_ups: BlowUps,
    /// The table of a sweep.
    pub sweep: SweepView,
    /// The film strip of a slider.
    pub film: FilmStrip,
    /// The plotted samples.
    pub history: History,
    /// The editor of the scene.
    pub editor: Editor,
    /// The probed vertices.
    pub probes: Probes,
    /// Recording, saving and export.
    pub files: Files,
    /// The lesson that is walked through.
    pub lessons: Lessons,
    /// Own fabrics, and the files that were opened last.
    pub library: Library,
    /// All messages so far.
    pub messages: Messages,
    /// Graphics devices of solvers.
    pub adapters: Adapters,
}

impl Desk {
    /// Opens the table of a sweep in its panel.
    pub fn open_table(&mut self, file: &Path) {
        self.sweep.open(file);
        self.windows.set(sweep::panel::TITLE, true);
    }
}

/// The things that a panel is drawn from and acts on.
pub struct Shown<'a> {
    /// The running simulation.
    pub session: &'a mut SessionHandle,
    /// The state of all panels.
    pub desk: &'a mut Desk,
    /// How the cloths are shown.
    pub view_state: &'a mut ViewState,
    /// Image quality.
    pub quality: CurrentQuality,
    /// Light or dark stage.
    pub stage: CurrentStage,
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
