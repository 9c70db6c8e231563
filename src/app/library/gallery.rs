//! The gallery: own files and every scene with its picture, by shelf.

use std::path::Path;

use egui::{Align, Id, RichText, ScrollArea, Ui, vec2};

use super::cards::{self, Card, cards};
use super::own::Choice;
use super::{Details, Library, new, own};
use crate::app::desk::Shown;
use crate::app::lessons::{self, Lessons};
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::{focus, note_place};
use crate::scene::Shelf;
use crate::session::Command;
use crate::session::lesson::Lesson;
use crate::sim::solver_interface::Info;

/// Title of the window.
pub const TITLE: &str = "Gallery";
/// Shelves of the scenes that come with the program, with their titles, from the top.
const SHELVES: [(Shelf, &str); 5] = [
    (Shelf::Play, "Play"),
    (Shelf::Lessons, "Lessons"),
    (Shelf::Bodies, "Bodies and examples"),
    (Shelf::Tests, "Tests"),
    (Shelf::Papers, "Papers, figure by figure"),
];
/// Title of the shelf of own files.
const OWN: &str = "Yours";
/// Height of what stands above the shelves and below the view [points].
const ABOVE: f32 = 140.0;

/// The effect of a click.
enum Chosen {
    Scene(String),
    Lesson(Lesson),
    Own(Choice),
}

/// The window.
pub fn show(library: &mut Library, ui: &mut Ui, shown: &mut Shown) {
    if new::show(ui, shown) {
        shown.desk.windows.set(TITLE, false);
    }
    let id = Id::new("gallery search");
    let mut search: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let field = ui.add(egui::TextEdit::singleline(&mut search).hint_text("Search scenes").desired_width(f32::INFINITY));
    crate::app::widgets::name(ui, &field, "Search scenes");
    note_place(ui, "search scenes", field.rect);
    ui.data_mut(|data| data.insert_temp(id, search.clone()));
    let search = search.trim().to_lowercase();
    let height = (shown.view.height() - ABOVE).clamp(160.0, 620.0);
    let current = shown.session.frame().scene.name.clone();
    let solver = shown.session.frame().solver;
    let own = own::found(ui, library, &search);
    let wanted = shelves(ui, !own.is_empty());
    let done: Vec<String> = shown.states.of::<Lessons>().done().to_vec();
    let mut chosen = None;
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, |ui| {
        show_own(ui, &own, wanted == Some(OWN), &current, &mut chosen);
        let mut found = !own.is_empty();
        for (shelf, title) in SHELVES {
            let wanted = wanted == Some(title);
            found |= show_shelf(ui, (shelf, title, wanted), (&search, &done), (&current, solver), &mut chosen);
        }
        if !found {
            ui.label(RichText::new("No match in the name or text of a scene.").color(QUIET));
        }
        focus::keep_in_sight(ui);
    });
    let Some(chosen) = chosen else { return };
    if let Chosen::Own(Choice::Forget(file)) = chosen {
        return library.forget_file(&file);
    }
    shown.desk.windows.set(TITLE, false);
    match chosen {
        Chosen::Scene(name) => {
            lessons::leave(shown);
            shown.session.send(Command::Scene { name });
        }
        Chosen::Lesson(lesson) => lessons::begin(shown, lesson),
        Chosen::Own(Choice::Open(file) | Choice::Forget(file)) => own::open(library, shown, file),
    }
}

/// The titles of all shelves; returns the one that was clicked.
fn shelves(ui: &mut Ui, has_own: bool) -> Option<&'static str> {
    let mut wanted = None;
    ui.horizontal_wrapped(|ui| {
        let own = has_own.then_some(OWN);
        for title in own.into_iter().chain(SHELVES.map(|(_, title)| title)) {
            let button = ui.small_button(title).on_hover_text("Scroll to this shelf");
            note_place(ui, &format!("shelf {}", title.to_lowercase()), button.rect);
            if button.clicked() {
                wanted = Some(title);
            }
        }
    });
    wanted
}

/// The title of a shelf, to which it scrolls if that is wanted.
fn heading(ui: &mut Ui, title: &str, is_wanted: bool) {
    ui.add_space(4.0);
    let label = ui.label(RichText::new(title).color(ACCENT));
    if is_wanted {
        label.scroll_to_me(Some(Align::TOP));
    }
}

/// Cards in rows; each is given the width that fills a row.
fn rows<T>(ui: &mut Ui, cards: impl IntoIterator<Item = T>, mut show: impl FnMut(&mut Ui, f32, T)) {
    let width = cards::width(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(cards::GAP, cards::GAP);
        for card in cards {
            show(ui, width, card);
        }
    });
}

/// The shelf of own files, if there are any.
fn show_own(ui: &mut Ui, own: &[(String, Details)], wanted: bool, current: &str, chosen: &mut Option<Chosen>) {
    if own.is_empty() {
        return;
    }
    // a file can be opened by a path from the present folder
    let current = std::path::absolute(current).unwrap_or_default();
    heading(ui, OWN, wanted);
    rows(ui, own, |ui, width, (file, details)| {
        if let Some(choice) = own::show_card(ui, width, (file, details), Path::new(file) == current) {
            *chosen = Some(Chosen::Own(choice));
        }
    });
}

/// A shelf with its title, to which it scrolls if that is wanted, where `done` are the ids of the
/// lessons that were gone through; returns whether there is anything on it.
fn show_shelf(
    ui: &mut Ui,
    (shelf, title, is_wanted): (Shelf, &str, bool),
    (search, done): (&str, &[String]),
    current: (&str, &Info),
    chosen: &mut Option<Chosen>,
) -> bool {
    let on_shelf: Vec<&Card> = cards().iter().filter(|card| card.shelf == shelf && card.has(search)).collect();
    let told = lessons::all().iter().filter(|lesson| shelf == Shelf::Lessons && is_about(lesson, search));
    let told: Vec<&Lesson> = told.collect();
    if on_shelf.is_empty() && told.is_empty() {
        return false;
    }
    heading(ui, title, is_wanted);
    for lesson in told {
        if show_lesson(ui, lesson, done.contains(&lesson.id)) {
            *chosen = Some(Chosen::Lesson(lesson.clone()));
        }
    }
    rows(ui, on_shelf, |ui, width, card| {
        if let Some(name) = card.show(ui, width, current) {
            *chosen = Some(Chosen::Scene(name));
        }
    });
    true
}

/// Whether a lesson contains the typed text.
fn is_about(lesson: &Lesson, search: &str) -> bool {
    [&lesson.id, &lesson.title, &lesson.summary].into_iter().any(|text| text.to_lowercase().contains(search))
}

/// A lesson with its number, title and summary, ticked if it was gone through; returns whether it
/// was clicked.
fn show_lesson(ui: &mut Ui, lesson: &Lesson, is_done: bool) -> bool {
    let text = format!("{}  {}", lesson.number, lesson.title);
    let done = if is_done { "✔ done, " } else { "" };
    let steps = format!("{done}{} steps", lesson.steps.len());
    let size = vec2(ui.available_width(), 26.0);
    let button = egui::Button::new(RichText::new(text).strong()).right_text(RichText::new(steps).small());
    let button = ui.add_sized(size, button).on_hover_text(&lesson.summary);
    note_place(ui, &format!("lesson {}", lesson.id), button.rect);
    ui.add(egui::Label::new(RichText::new(&lesson.summary).small().color(QUIET)).wrap());
    ui.add_space(3.0);
    button.clicked()
}
