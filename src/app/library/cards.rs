//! Cards of the gallery: a picture with a title and some lines below. Scenes whose titles differ
//! only behind a colon are buttons on one card.

use std::sync::OnceLock;

use egui::text::LayoutJob;
use egui::{
    Align, Align2, Color32, CursorIcon, FontId, Id, Image, Label, Layout, Rect, Response, RichText, Sense, Stroke,
    StrokeKind, TextureHandle, TextureOptions, Ui, vec2,
};

use super::pictures::decode;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::scene::{Scene, Shelf, embedded_bytes, scene_names};
use crate::sim::solver_interface::{ContactLaw, ContactMotion, Info};
use crate::sim::solvers;

/// Least width of a card, height of its picture as a share of that, height of the text under it
/// [points], and most lines of a summary.
const WIDTH: f32 = 204.0;
const HEIGHT: f32 = 2.0 / 3.0;
const TEXT: f32 = 76.0;
const LINES: usize = 3;
/// Number of vertices from which on a cloth needs a graphics processor.
const LARGE: usize = 100_000;
/// Distance between cards [points].
pub const GAP: f32 = 10.0;
/// Radius of a picture's corners [points].
const CORNER: f32 = 5.0;

/// A scene as the gallery knows it.
struct Entry {
    name: String,
    /// Difference from the others on its card; empty if there are none.
    variant: String,
    /// The laws of contact that it shows, and its solver.
    laws: &'static [ContactLaw],
    solver: String,
    /// Number of vertices of a grid; zero of a mesh.
    vertices: usize,
    /// Its names and further words in small letters.
    names: String,
}

impl Entry {
    /// The number that its difference from the others begins with, or one behind all numbers.
    fn number(&self) -> f64 {
        let digits = self.variant.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap_or_default();
        digits.parse().unwrap_or(f64::INFINITY)
    }

    /// The first law that it shows and its solver breaks, with what was measured. The solver of the
    /// present scene is the chosen one.
    fn broken_law(&self, (current, chosen): (&str, &Info)) -> Option<String> {
        let info = if self.name == current { Some(chosen) } else { None };
        let breaches = info.map_or_else(
            || solvers::REGISTRY.iter().find(|entry| entry.info.id == self.solver).map(|entry| entry.info.breaches),
            |info| Some(info.breaches),
        );
        let mut broken = breaches?.iter().filter(|(law, _)| self.laws.contains(law));
        broken.next().map(|(law, figure)| law.describe(*figure))
    }
}

/// Scenes that differ in one respect.
pub struct Card {
    title: String,
    summary: String,
    /// Where it stands.
    pub shelf: Shelf,
    entries: Vec<Entry>,
    /// What a search looks at, in small letters.
    searched: String,
}

impl Card {
    /// Whether it contains the typed text.
    pub fn has(&self, search: &str) -> bool {
        self.searched.contains(search)
    }

    /// Draws it with a `width` [points], where `current` is the present scene with the chosen
    /// solver; returns the scene that was clicked.
    pub fn show(&self, ui: &mut Ui, width: f32, (current, solver): (&str, &Info)) -> Option<String> {
        let mut chosen = None;
        frame(ui, width, |ui| {
            let entry = self.entries.iter().find(|entry| entry.name == current).unwrap_or(&self.entries[0]);
            let is_current = self.entries.iter().any(|entry| entry.name == current);
            let picture = picture(ui, thumbnail(ui, &entry.name).as_ref(), &self.title, is_current);
            let picture = picture.on_hover_text(&self.summary);
            note_place(ui, &format!("card {}", entry.name), picture.rect);
            if picture.clicked() {
                chosen = Some(entry.name.clone());
            }
            title(ui, &self.title);
            if self.entries.len() == 1 {
                match entry.broken_law((current, solver)) {
                    Some(broken) => lines_in(ui, &broken, ACCENT),
                    None => lines(ui, &self.summary),
                }
                return;
            }
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
                for entry in &self.entries {
                    let text = RichText::new(&entry.variant).small();
                    let chip = ui.selectable_label(entry.name == current, text);
                    let chip = if entry.vertices >= LARGE {
                        let vertices = entry.vertices;
                        chip.on_hover_text(format!("Large, {vertices} vertices: for a graphics processor"))
                    } else {
                        chip
                    };
                    if chip.clicked() {
                        chosen = Some(entry.name.clone());
                    }
                }
            });
        });
        chosen
    }
}

/// All cards of the scenes that come with the program; the files are read once.
pub fn cards() -> &'static [Card] {
    static CARDS: OnceLock<Vec<Card>> = OnceLock::new();
    CARDS.get_or_init(|| {
        let mut cards: Vec<Card> = Vec::new();
        for scene in scene_names().iter().filter_map(|name| Scene::load(name).ok()) {
            let (title, variant) = scene.title.split_once(": ").unwrap_or((&scene.title, ""));
            let laws = scene.motion.map_or(&[][..], ContactMotion::laws);
            let (name, solver) = (scene.name.clone(), scene.solver.clone());
            let [names, summary] = scene.searched();
            let searched = format!("{names}\n{summary}\n");
            let [columns, rows] = [scene.first.grid.columns, scene.first.grid.rows];
            let is_grid = scene.first.mesh.is_none() && scene.first.body.is_none();
            let vertices = if is_grid { columns as usize * rows as usize } else { 0 };
            let entry = Entry { name, variant: variant.to_owned(), laws, solver, vertices, names };
            match cards.iter_mut().find(|card| card.title == title) {
                Some(card) => {
                    card.entries.push(entry);
                    card.searched += &searched;
                }
                None => cards.push(Card {
                    title: title.to_owned(),
                    summary: scene.summary.clone(),
                    shelf: scene.shelf,
                    entries: vec![entry],
                    searched,
                }),
            }
        }
        // those that differ by a number from the smallest on: a click on the picture opens the first
        for card in &mut cards {
            card.entries.sort_by(|a, b| a.number().total_cmp(&b.number()));
        }
        cards
    })
}

/// A scene as it is found by its name.
pub struct Named {
    pub name: &'static str,
    pub title: String,
    pub summary: &'static str,
    /// Its names and further words in small letters.
    pub names: &'static str,
}

/// All scenes that come with the program, without reading their files again.
pub fn scenes() -> impl Iterator<Item = Named> {
    cards().iter().flat_map(|card| {
        card.entries.iter().map(|entry| {
            let parts = [card.title.as_str(), &entry.variant];
            let title = if entry.variant.is_empty() { card.title.clone() } else { parts.join(": ") };
            Named { name: &entry.name, title, summary: &card.summary, names: &entry.names }
        })
    })
}

/// Width of each card of a shelf whose rows are filled [points].
pub fn width(ui: &Ui) -> f32 {
    let room = ui.available_width() + GAP;
    let columns = (room / (WIDTH + GAP)).floor().max(1.0);
    (room / columns - GAP).floor().max(WIDTH)
}

/// The place of a card of this `width` [points], and what is on it.
pub fn frame(ui: &mut Ui, width: f32, contents: impl FnOnce(&mut Ui)) {
    let size = vec2(width, HEIGHT * width + TEXT);
    ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(size);
        ui.set_max_width(width);
        ui.spacing_mut().item_spacing.y = 3.0;
        contents(ui);
    });
}

/// The picture of a card, which is clicked; without one, the first letter of its name.
pub fn picture(ui: &mut Ui, texture: Option<&TextureHandle>, name: &str, is_current: bool) -> Response {
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT * width), Sense::click());
    match texture {
        Some(texture) => Image::new(texture).corner_radius(CORNER).paint_at(ui, rect),
        None => placeholder(ui, rect, name),
    }
    if response.hovered() || response.has_focus() || is_current {
        let stroke = Stroke::new(if is_current && !response.hovered() { 1.5 } else { 2.0 }, ACCENT);
        ui.painter().rect_stroke(rect, CORNER, stroke, StrokeKind::Inside);
    }
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    response.on_hover_cursor(CursorIcon::PointingHand)
}

fn placeholder(ui: &Ui, rect: Rect, name: &str) {
    let painter = ui.painter_at(rect);
    painter.rect(
        rect,
        CORNER,
        Color32::from_rgb(44, 47, 53),
        Stroke::new(1.0, Color32::from_rgb(66, 70, 78)),
        StrokeKind::Inside,
    );
    let initial: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
    painter.text(rect.center(), Align2::CENTER_CENTER, initial, FontId::proportional(44.0), QUIET);
}

/// The title of a card, on one line.
pub fn title(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).strong()).truncate());
}

/// As many whole sentences of a text as fit.
pub fn lines(ui: &mut Ui, text: &str) {
    lines_in(ui, text, QUIET);
}

fn lines_in(ui: &mut Ui, text: &str, colour: Color32) {
    let width = ui.available_width();
    let laid = |text: &str, rows: usize| {
        let mut job = LayoutJob::simple(text.to_owned(), FontId::proportional(11.0), colour, width);
        job.wrap.max_rows = rows;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let fits = |text: &String| laid(text, usize::MAX).rows.len() <= LINES;
    let whole = sentences(text).rev().find(fits);
    ui.label(laid(whole.as_deref().unwrap_or(text), LINES));
}

/// The beginnings of a text that end with a sentence or before a colon, the shortest first.
fn sentences(text: &str) -> impl DoubleEndedIterator<Item = String> {
    let ends = text.match_indices(". ").chain(text.match_indices(": "));
    let mut ends: Vec<usize> = ends.map(|(at, _)| at).collect();
    ends.sort_unstable();
    ends.into_iter().map(|end| format!("{}.", &text[..end])).chain([text.to_owned()]).collect::<Vec<_>>().into_iter()
}

/// The picture of a scene that comes with the program, loaded once.
fn thumbnail(ui: &Ui, name: &str) -> Option<TextureHandle> {
    let id = Id::new("thumbnail").with(name);
    if let Some(known) = ui.data(|data| data.get_temp::<Option<TextureHandle>>(id)) {
        return known;
    }
    let picture = embedded_bytes(&format!("assets/thumbnails/{name}.png")).and_then(|bytes| decode(&bytes));
    let texture = picture.map(|picture| ui.ctx().load_texture(name, picture, TextureOptions::LINEAR));
    ui.data_mut(|data| data.insert_temp(id, texture.clone()));
    texture
}
