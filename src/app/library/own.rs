//! Own files: their cards in the gallery, their rows in a menu, and opening them again.

use std::ffi::OsStr;
use std::path::Path;

use egui::{Label, RichText, Ui};

use super::{Details, Library, cards};
use crate::app::desk::Shown;
use crate::app::widgets::note_place;
use crate::app::widgets::style::QUIET;

/// The effect of a click on a card.
pub enum Choice {
    /// The file is opened.
    Open(String),
    /// It is taken off the shelf.
    Forget(String),
}

/// The files whose name or title contains the typed text, with their details.
pub fn found(ui: &Ui, library: &mut Library, search: &str) -> Vec<(String, Details)> {
    let files = library.files().to_vec().into_iter().map(|file| {
        let details = library.details(ui.ctx(), &file);
        (file, details)
    });
    let has = |text: &str| text.to_lowercase().contains(search);
    files.filter(|(file, details)| has(&parts(file)[0]) || has(&details.title)).collect()
}

/// The card of a file with a `width` [points]: its picture, the title of its scene, its name.
pub fn show_card(ui: &mut Ui, width: f32, (file, details): (&str, &Details), is_current: bool) -> Option<Choice> {
    let [name, folder] = parts(file);
    let title = if details.title.is_empty() { &name } else { &details.title };
    let mut choice = None;
    cards::frame(ui, width, |ui| {
        let picture = cards::picture(ui, details.picture.as_ref(), title, is_current);
        note_place(ui, &format!("own {name}"), picture.rect);
        if picture.clicked() {
            choice = Some(Choice::Open(file.to_owned()));
        }
        picture.context_menu(|ui| {
            let forget = ui.button("Forget").on_hover_text("Takes it off this shelf; the file stays");
            note_place(ui, &format!("forget {name}"), forget.rect);
            if forget.clicked() {
                choice = Some(Choice::Forget(file.to_owned()));
            }
        });
        picture.on_hover_text(format!("{folder}\n\nRight click forgets it."));
        cards::title(ui, title);
        if *title != name {
            cards::lines(ui, &name);
        }
    });
    choice
}

/// A row with the name and folder of a file; returns whether it was clicked.
pub fn show_row(ui: &mut Ui, file: &str) -> bool {
    let [name, folder] = parts(file);
    ui.horizontal(|ui| {
        let button = ui.button(&name).on_hover_text(file);
        note_place(ui, &format!("recent {name}"), button.rect);
        ui.add(Label::new(RichText::new(folder).small().color(QUIET)).truncate());
        button.clicked()
    })
    .inner
}

/// Name and folder of a file.
fn parts(file: &str) -> [String; 2] {
    let path = Path::new(file);
    let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    [text(path.file_name()), text(path.parent().map(Path::as_os_str))]
}

/// Opens a file again; one that has gone leaves the list.
pub fn open(library: &mut Library, shown: &mut Shown, file: String) {
    if !Path::new(&file).exists() {
        library.forget_file(&file);
    }
    crate::app::lessons::leave(shown);
    shown.session.open_file(file);
}
