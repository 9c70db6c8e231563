//! The registry of all panels, and those without a feature of their own. Panels draw parameters
//! from their declarations and know no more about the physics than that.
//!
//! A new panel is a file with a function `show` and two lines: its `mod`, and its entry in
//! [`REGISTRY`]. If it has state, that is a resource with a `Default` in the same file, which
//! `show` takes first; the entry says [`Own`] then. Its button, the panels without a window and the
//! tests of all panels follow from these.

mod basics;
pub mod cost;
mod examples;
mod find;
mod keys;
mod lane_cards;
mod layout;
mod legend;
mod offscreen;
mod parameter_widgets;
mod readouts;
mod scene;
mod sections;
mod shortcuts;
mod solver;
mod timeline;
mod toolbar;
mod welcome;

use bevy::prelude::{App, IntoScheduleConfigs, Update};
use bevy_egui::{EguiPlugin, EguiPrimaryContextPass};

use super::advice::Advisor;
use super::compass::Compass;
use super::convergence::Convergence;
use super::desk::{ReportPart, Request, Shown, State};
use super::export::Files;
use super::key_focus::{keys_are_free, shortcuts_are_free};
use super::plots::history::History;
use super::sweep::SweepView;
use super::window::preferences::RestorePanels;
use super::{
    advice, compass, convergence, edit, export, film_strip, lessons, library, messages, plots, probes, sweep, textile,
};
pub use crate::app::lessons::Turn;
pub use offscreen::{DrawnText, Offscreen};

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(EguiPlugin::default())
        .add_systems(EguiPrimaryContextPass, layout::draw.after(RestorePanels))
        .add_systems(Update, (shortcuts::open_dropped_file, shortcuts::follow_keys.run_if(keys_are_free)))
        .add_systems(Update, (shortcuts::find_by_key, export::panel::follow_keys.run_if(shortcuts_are_free)));
}

/// Where a panel stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// The bar below the cloth.
    Bottom,
    /// Sections beside the cloth, one below the other.
    Side,
    /// The line above the cloth.
    Top,
    /// At the right of the cloth, opened by its button in the bar; the last one opened is seen.
    Tool {
        /// Help of its button.
        help: &'static str,
        /// Its width at first, in points.
        width: f32,
        /// Whether its button is in the menu of the bar, and not in the bar itself.
        in_menu: bool,
    },
    /// Over the cloth, opened by its button in the bar.
    Palette {
        /// Help of its button.
        help: &'static str,
        /// Its width, in points.
        width: f32,
    },
    /// Below the cloth, opened by its button in the bar.
    Drawer {
        /// Help of its button.
        help: &'static str,
    },
    /// Over the cloth, while there is something to say.
    Banner,
}

impl Place {
    /// Whether its button is in the menu of the bar.
    const fn is_in_menu(self) -> bool {
        matches!(self, Self::Tool { in_menu: true, .. })
    }

    /// Its width at first, where it has one [points].
    const fn width(self) -> f32 {
        match self {
            Self::Tool { width, .. } | Self::Palette { width, .. } => width,
            _ => 0.0,
        }
    }
}

/// A panel: its name, its place, its contents.
pub struct Panel {
    /// Title of a window, name in tests.
    pub title: &'static str,
    /// Where it stands.
    pub place: Place,
    contents: &'static dyn Contents,
}

/// Contents of a panel.
trait Contents: Sync {
    fn show(&self, ui: &mut egui::Ui, shown: &mut Shown);
}

/// Contents without a state of their own.
struct Shared(fn(&mut egui::Ui, &mut Shown));

/// Contents with the state of a feature, which only they have meanwhile.
struct Own<T>(fn(&mut T, &mut egui::Ui, &mut Shown));

impl Contents for Shared {
    fn show(&self, ui: &mut egui::Ui, shown: &mut Shown) {
        (self.0)(ui, shown);
    }
}

impl<T: State> Contents for Own<T> {
    fn show(&self, ui: &mut egui::Ui, shown: &mut Shown) {
        shown.with(|state, shown| (self.0)(state, ui, shown));
    }
}

/// All panels, in the order in which those of one place are drawn.
pub const REGISTRY: &[Panel] = &[
    Panel { title: lessons::card::TITLE, place: Place::Bottom, contents: &Own(lessons::card::show) },
    Panel { title: "Time line", place: Place::Bottom, contents: &Shared(timeline::show) },
    Panel { title: "Transport", place: Place::Bottom, contents: &Shared(toolbar::show) },
    Panel { title: "Scene", place: Place::Side, contents: &Shared(scene::show) },
    Panel { title: "Solver", place: Place::Side, contents: &Shared(solver::show) },
    Panel { title: "Parameters", place: Place::Side, contents: &Shared(basics::show) },
    Panel { title: "Mesh", place: Place::Side, contents: &Shared(scene::show_mesh) },
    Panel { title: "All parameters", place: Place::Side, contents: &Shared(sections::show) },
    Panel { title: "Readouts", place: Place::Top, contents: &Shared(readouts::show) },
    Panel { title: "Lanes", place: Place::Top, contents: &Shared(lane_cards::show) },
    Panel {
        title: plots::panel::TITLE,
        place: Place::Drawer { help: "Energies, stretch and cost over time" },
        contents: &Own(plots::panel::show),
    },
    Panel {
        title: library::gallery::TITLE,
        place: Place::Tool { help: "All scenes, with a picture each", width: 490.0, in_menu: false },
        contents: &Own(library::gallery::show),
    },
    Panel {
        title: edit::panel::TITLE,
        place: Place::Tool { help: "Add, move and change what stands in the scene: E", width: 380.0, in_menu: false },
        contents: &Own(edit::panel::show),
    },
    Panel {
        title: advice::panel::TITLE,
        place: Place::Tool {
            help: "What each solver costs on this cloth, how far it is from the converged step, and which to take",
            width: 500.0,
            in_menu: true,
        },
        contents: &Own(advice::panel::show),
    },
    Panel {
        title: compass::panel::TITLE,
        place: Place::Tool {
            help: "Stability of the methods by time step and stiffness, with a dot to drag, and exact limits",
            width: 460.0,
            in_menu: true,
        },
        contents: &Own(compass::panel::show),
    },
    Panel {
        title: "Convergence",
        place: Place::Tool {
            help: "The error of a step after every iteration and every millisecond, for the optimisation-based methods",
            width: 460.0,
            in_menu: true,
        },
        contents: &Own(convergence::panel::show),
    },
    Panel {
        title: textile::panel::TITLE,
        place: Place::Tool {
            help: "What a textile laboratory measures on this fabric, beside what was set and published; parameters from a figure",
            width: 460.0,
            in_menu: true,
        },
        contents: &Own(textile::panel::show),
    },
    Panel {
        title: sweep::panel::TITLE,
        place: Place::Tool {
            help: "Heat map of a table of weft sweep: a measure over two parameters",
            width: 500.0,
            in_menu: true,
        },
        contents: &Own(sweep::panel::show),
    },
    Panel {
        title: find::TITLE,
        place: Place::Palette { help: "Every parameter, scene, solver and fabric by its name: Ctrl+K", width: 330.0 },
        contents: &Shared(find::show),
    },
    Panel {
        title: export::panel::TITLE,
        place: Place::Tool { help: "Open, save, export: Ctrl+O, Ctrl+S, Ctrl+E", width: 400.0, in_menu: false },
        contents: &Own(export::panel::show),
    },
    Panel {
        title: messages::TITLE,
        place: Place::Tool { help: "All messages so far", width: 420.0, in_menu: true },
        contents: &Own(messages::show),
    },
    Panel {
        title: keys::TITLE,
        place: Place::Tool { help: "All keys and gestures: ? or F1", width: 430.0, in_menu: false },
        contents: &Shared(keys::show),
    },
    Panel { title: "Names of lanes", place: Place::Banner, contents: &Shared(lane_cards::show_names) },
    Panel { title: "Mark of a law", place: Place::Banner, contents: &Shared(lane_cards::show_mark) },
    Panel { title: "Dragged solver", place: Place::Banner, contents: &Shared(solver::show_dragged) },
    Panel { title: "Probes", place: Place::Banner, contents: &Own(probes::panel::show) },
    Panel { title: "Legend", place: Place::Banner, contents: &Shared(legend::show) },
    Panel { title: "Welcome", place: Place::Banner, contents: &Shared(welcome::show) },
    Panel { title: "Banner", place: Place::Banner, contents: &Shared(messages::banner::show) },
    Panel { title: "News of files", place: Place::Banner, contents: &Own(export::panel::show_state) },
    Panel { title: "Film strip", place: Place::Banner, contents: &Own(film_strip::panel::show) },
];

/// Carries out what one feature asks of another.
fn carry_out(request: Request, shown: &mut Shown) {
    match request {
        Request::OpenTable(file) => {
            shown.states.of::<SweepView>().open(&file);
            shown.desk.windows.set(sweep::panel::TITLE, true);
        }
        Request::TakeScan(file) => shown.states.of::<textile::Laboratory>().take_scan(&file),
        Request::SavePlot(figure) => shown.states.of::<Files>().ask_for_plot(figure),
        Request::WriteReport(file) => shown.with(|files: &mut Files, shown| {
            let appearance = export::panel::appearance(shown);
            let parts: [Option<&dyn ReportPart>; 4] = [
                shown.states.see::<History>().map(|part| part as _),
                shown.states.see::<Advisor>().map(|part| part as _),
                shown.states.see::<Compass>().map(|part| part as _),
                shown.states.see::<Convergence>().map(|part| part as _),
            ];
            let parts: Vec<&dyn ReportPart> = parts.into_iter().flatten().collect();
            files.save_report(file, shown.session, &parts, appearance);
        }),
        Request::SaveAsCopy(name) => shown.states.of::<Files>().save_as_copy(&name),
        Request::TakeHome(target) => shown.with(|files: &mut Files, shown| files.take_home(target, shown)),
        Request::Edit => shown.desk.windows.set(edit::panel::TITLE, true),
    }
}
