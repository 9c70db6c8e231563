//! The gallery: every scene with its picture, by shelf. Scenes whose titles differ only behind a
//! colon are buttons on one card.

use std::sync::OnceLock;

use egui::{
    Align, ColorImage, Id, Image, Layout, RichText, ScrollArea, Sense, TextureHandle, TextureOptions, Ui, vec2,
};

use crate::app::desk::Shown;
use crate::app::view::printed;
use crate::app::widgets::note_place;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::scene::{Scene, Shelf, embedded_bytes, scene_names};
use crate::session::Command;
use crate::session::lesson::Lesson;

/// Title of the window.
pub const TITLE: &str = "Gallery";
/// Size of a card's picture, and height of the text under it [points].
const PICTURE: [f32; 2] = [204.0, 136.0];
const TEXT: f32 = 62.0;
/// Shelves with their titles, from the top.
const SHELVES: [(Shelf, &str); 4] = [
    (Shelf::Play, "Play"),
    (Shelf::Lessons, "Lessons"),
    (Shelf::Bodies, "Bodies and examples"),
    (Shelf::Papers, "Papers, figure by figure"),
];

/// A scene as the gallery knows it.
struct Entry {
    name: String,
    /// Difference from the others on its card; empty if there are none.
    variant: String,
}

/// Scenes that differ in one respect.
struct Card {
    title: String,
    summary: String,
    shelf: Shelf,
    entries: Vec<Entry>,
}

impl Card {
    /// Whether it contains the typed text.
    fn has(&self, search: &str) -> bool {
        let names = self.entries.iter().flat_map(|entry| [&entry.name, &entry.variant]);
        [&self.title, &self.summary].into_iter().chain(names).any(|text| text.to_lowercase().contains(search))
    }
}

/// All cards; the files are read once.
fn cards() -> &'static [Card] {
    static CARDS: OnceLock<Vec<Card>> = OnceLock::new();
    CARDS.get_or_init(|| {
        let mut cards: Vec<Card> = Vec::new();
        for scene in scene_names().iter().filter_map(|name| Scene::load(name).ok()) {
            let (title, variant) = scene.title.split_once(": ").unwrap_or((&scene.title, ""));
            let entry = Entry { name: scene.name.clone(), variant: variant.to_owned() };
            match cards.iter_mut().find(|card| card.title == title) {
                Some(card) => card.entries.push(entry),
                None => cards.push(Card {
                    title: title.to_owned(),
                    summary: scene.summary.clone(),
                    shelf: scene.shelf,
                    entries: vec![entry],
                }),
            }
        }
        cards
    })
}

/// A scene as it is found by its name.
pub struct Named {
    pub name: &'static str,
    pub title: String,
    pub summary: &'static str,
}

/// All scenes, without reading their files again.
pub fn scenes() -> impl Iterator<Item = Named> {
    cards().iter().flat_map(|card| {
        card.entries.iter().map(|entry| {
            let parts = [card.title.as_str(), &entry.variant];
            let title = if entry.variant.is_empty() { card.title.clone() } else { parts.join(": ") };
            Named { name: &entry.name, title, summary: &card.summary }
        })
    })
}

/// The window.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let id = Id::new("gallery search");
    let mut search: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let field = ui.add(egui::TextEdit::singleline(&mut search).hint_text("Search scenes").desired_width(f32::INFINITY));
    crate::app::widgets::name(ui, &field, "Search scenes");
    note_place(ui, "search scenes", field.rect);
    ui.data_mut(|data| data.insert_temp(id, search.clone()));
    let search = search.trim().to_lowercase();
    let (mut chosen, mut opened, mut begun) = (None, None, None);
    let height = (shown.view.height() - 110.0).clamp(160.0, 620.0);
    let current = shown.session.frame().scene.name.clone();
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, |ui| {
        let mut found = false;
        let yours: Vec<&String> =
            shown.desk.library.files().iter().filter(|file| file.to_lowercase().contains(&search)).collect();
        if !yours.is_empty() {
            found = true;
            ui.label(RichText::new("Yours").color(ACCENT));
            for file in yours {
                if show_file(ui, file) {
                    opened = Some(file.clone());
                }
            }
        }
        for (shelf, title) in SHELVES {
            let on_shelf: Vec<&Card> = cards().iter().filter(|card| card.shelf == shelf && card.has(&search)).collect();
            let told = lessons().iter().filter(|lesson| shelf == Shelf::Lessons && is_about(lesson, &search));
            let told: Vec<&Lesson> = told.collect();
            if on_shelf.is_empty() && told.is_empty() {
                continue;
            }
            found = true;
            ui.add_space(4.0);
            ui.label(RichText::new(title).color(ACCENT));
            for lesson in told {
                if show_lesson(ui, lesson) {
                    begun = Some(lesson.clone());
                }
            }
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(10.0, 10.0);
                for card in on_shelf {
                    if let Some(name) = show_card(ui, card, &current) {
                        chosen = Some(name);
                    }
                }
            });
        }
        if !found {
            ui.label(RichText::new("No match in the name or text of a scene.").color(QUIET));
        }
    });
    if let Some(file) = opened {
        open_kept(shown, file);
        shown.desk.windows.set(TITLE, false);
    }
    if let Some(lesson) = begun {
        shown.desk.windows.set(TITLE, false);
        crate::app::lessons::begin(shown, lesson);
    }
    if let Some(name) = chosen {
        crate::app::lessons::leave(shown.desk, shown.session);
        shown.session.send(Command::Scene { name });
        shown.desk.windows.set(TITLE, false);
    }
}

/// All lessons; the files are read once.
fn lessons() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| Lesson::all().unwrap_or_default())
}

/// Whether a lesson contains the typed text.
fn is_about(lesson: &Lesson, search: &str) -> bool {
    [&lesson.id, &lesson.title, &lesson.summary].into_iter().any(|text| text.to_lowercase().contains(search))
}

/// A lesson with its number, title and summary; returns whether it was clicked.
fn show_lesson(ui: &mut Ui, lesson: &Lesson) -> bool {
    let text = format!("{}  {}", lesson.number, lesson.title);
    let steps = format!("{} steps", lesson.steps.len());
    let size = vec2(ui.available_width(), 26.0);
    let button = egui::Button::new(RichText::new(text).strong()).right_text(RichText::new(steps).small());
    let button = ui.add_sized(size, button).on_hover_text(&lesson.summary);
    note_place(ui, &format!("lesson {}", lesson.id), button.rect);
    ui.add(egui::Label::new(RichText::new(&lesson.summary).small().color(QUIET)).wrap());
    ui.add_space(3.0);
    button.clicked()
}

/// A file that was opened before, with its folder; returns whether it was clicked.
pub fn show_file(ui: &mut Ui, file: &str) -> bool {
    let path = std::path::Path::new(file);
    let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let name = text(path.file_name());
    ui.horizontal(|ui| {
        let button = ui.button(&name).on_hover_text(file);
        note_place(ui, &format!("recent {name}"), button.rect);
        let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        ui.add(egui::Label::new(RichText::new(folder).small().color(QUIET)).truncate());
        button.clicked()
    })
    .inner
}

/// Opens a file again; one that has gone leaves the list.
pub fn open_kept(shown: &mut Shown, file: String) {
    if !std::path::Path::new(&file).exists() {
        shown.desk.library.forget_file(&file);
    }
    crate::app::lessons::leave(shown.desk, shown.session);
    shown.session.send(Command::Open { file });
}

/// A card; returns the scene that was clicked.
fn show_card(ui: &mut Ui, card: &Card, current: &str) -> Option<String> {
    let mut chosen = None;
    let size = vec2(PICTURE[0], PICTURE[1] + TEXT);
    ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(size);
        ui.set_max_width(PICTURE[0]);
        ui.spacing_mut().item_spacing.y = 3.0;
        let entry = card.entries.iter().find(|entry| entry.name == current).unwrap_or(&card.entries[0]);
        let picture = match thumbnail(ui, &entry.name) {
            Some(texture) => {
                let image =
                    Image::new(&texture).fit_to_exact_size(PICTURE.into()).corner_radius(5).sense(Sense::click());
                ui.add(image)
            }
            None => ui.add_sized(PICTURE, egui::Button::new("no picture")),
        };
        let picture = picture.on_hover_text(&card.summary).on_hover_cursor(egui::CursorIcon::PointingHand);
        note_place(ui, &format!("card {}", entry.name), picture.rect);
        if picture.hovered() || card.entries.iter().any(|entry| entry.name == current) {
            let stroke = egui::Stroke::new(if picture.hovered() { 2.0 } else { 1.5 }, ACCENT);
            ui.painter().rect_stroke(picture.rect, 5.0, stroke, egui::StrokeKind::Inside);
        }
        if picture.clicked() {
            chosen = Some(entry.name.clone());
        }
        ui.add(egui::Label::new(RichText::new(&card.title).strong()).truncate());
        if card.entries.len() > 1 {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
                for entry in &card.entries {
                    let text = RichText::new(&entry.variant).small();
                    if ui.selectable_label(entry.name == current, text).clicked() {
                        chosen = Some(entry.name.clone());
                    }
                }
            });
        } else {
            // two lines; the rest is in the tooltip
            let mut text = egui::text::LayoutJob::simple(
                card.summary.clone(),
                egui::FontId::proportional(11.0),
                QUIET,
                PICTURE[0],
            );
            text.wrap.max_rows = 2;
            ui.label(text);
        }
    });
    chosen
}

/// The picture of a scene, loaded once.
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

fn decode(bytes: &[u8]) -> Option<ColorImage> {
    let ([width, height], pixels) = printed::decode(bytes).ok()?;
    Some(ColorImage::from_rgba_unmultiplied([width as usize, height as usize], &pixels))
}
