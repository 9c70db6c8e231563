//! The file dialog, and its purpose.

use std::path::{Path, PathBuf};

use egui_file_dialog::{DialogState, FileDialog};

use super::Kind;

/// Purpose of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be opened: a scene, a mesh or a snapshot.
    Open,
    /// To be put into the scene: a mesh as a cloth, a body, or a collider.
    AddMesh {
        /// Whether it becomes a collider.
        is_collider: bool,
    },
    /// A scanned drape, to fit parameters to.
    Scan,
    /// To hold the scene.
    SaveScene,
    /// A recording since its start, or else of the whole stored time line.
    SaveRecording {
        /// Whether all that is kept is wanted.
        way: bool,
    },
    /// To hold plots.
    SavePlot,
    /// An export.
    Export(Kind),
}

/// The formats of plots, with the ending of their files; the first one is offered.
const PLOTS: [(&str, &str); 3] = [("PDF", "pdf"), ("SVG", "svg"), ("Numbers (CSV)", "csv")];

impl Purpose {
    /// In a word.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::AddMesh { .. } => "add",
            Self::Scan => "fit to",
            Self::SaveScene => "save the scene in",
            Self::SaveRecording { .. } => "save the recording in",
            Self::SavePlot => "save the plot in",
            Self::Export(_) => "export to",
        }
    }

    const fn ending(self) -> Option<&'static str> {
        match self {
            Self::Open | Self::AddMesh { .. } | Self::Scan => None,
            Self::SaveScene => Some("ron"),
            Self::SaveRecording { .. } => Some("jsonl"),
            Self::SavePlot => Some(PLOTS[0].1),
            Self::Export(kind) => Some(kind.ending()),
        }
    }

    /// Whether a file with this ending can hold it.
    fn takes(self, ending: &str) -> bool {
        let is = |own: &str| own.eq_ignore_ascii_case(ending);
        if self == Self::SavePlot { PLOTS.iter().any(|(_, own)| is(own)) } else { self.ending().is_none_or(is) }
    }
}

/// The dialog.
#[derive(Default)]
pub struct Dialog {
    open: Option<(Purpose, FileDialog)>,
    /// The folder in which something was picked last.
    folder: Option<PathBuf>,
}

impl Dialog {
    /// Whether it is on the screen.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The folder that it shows first.
    pub fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| std::env::current_dir().unwrap_or_default())
    }

    /// Shows it. A file to write is called like the scene if no `name` is given.
    pub fn open(&mut self, purpose: Purpose, scene: &str, name: Option<String>) {
        let (title, accept) = match purpose {
            Purpose::Open => ("Open a scene, mesh, snapshot, picture or sweep".to_owned(), "Open"),
            Purpose::AddMesh { is_collider: true } => ("Add a mesh as a collider".to_owned(), "Add"),
            Purpose::AddMesh { is_collider: false } => ("Add a mesh as a cloth, or a body".to_owned(), "Add"),
            Purpose::Scan => ("Fit to a scanned drape".to_owned(), "Take"),
            Purpose::SaveScene => ("Save scene".to_owned(), "Save"),
            Purpose::SaveRecording { .. } => ("Save recording".to_owned(), "Save"),
            Purpose::SavePlot => ("Save plot".to_owned(), "Save"),
            Purpose::Export(kind) => (format!("Export {}", kind.title()), "Export"),
        };
        let mut dialog = FileDialog::new()
            .title(&title)
            .initial_directory(self.folder())
            .default_size([620.0, 360.0])
            .min_size([420.0, 260.0])
            .as_modal(true)
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .show_devices(false)
            .show_removable_devices(false);
        let labels = dialog.labels_mut();
        (labels.open_button, labels.save_button) = (accept.to_owned(), accept.to_owned());
        match purpose.ending() {
            None => {
                let (kinds, endings) = match purpose {
                    Purpose::AddMesh { is_collider: true } | Purpose::Scan => ("Meshes", vec!["obj"]),
                    Purpose::AddMesh { .. } => ("Meshes and bodies", vec!["obj", "mesh", "msh"]),
                    _ => {
                        let endings = vec!["ron", "obj", "mesh", "msh", "json", "png", "csv"];
                        ("Scenes, meshes, snapshots, pictures, sweeps", endings)
                    }
                };
                dialog = dialog.add_file_filter_extensions(kinds, endings).default_file_filter(kinds);
                dialog.pick_file();
            }
            Some(ending) => {
                let stem = Path::new(scene).file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let what = if purpose == Purpose::SavePlot { "-plots" } else { "" };
                dialog = dialog.default_file_name(&name.unwrap_or_else(|| format!("{stem}{what}.{ending}")));
                if purpose == Purpose::SavePlot {
                    dialog =
                        PLOTS.iter().fold(dialog, |dialog, (name, ending)| dialog.add_save_extension(name, ending));
                    dialog = dialog.default_save_extension(PLOTS[0].0);
                }
                dialog.save_file();
            }
        }
        self.open = Some((purpose, dialog));
    }

    /// Draws it. Returns a file that has just been picked; a file to write has the right ending.
    pub fn update(&mut self, ctx: &egui::Context) -> Option<(Purpose, PathBuf)> {
        let (purpose, dialog) = self.open.as_mut()?;
        let purpose = *purpose;
        dialog.update(ctx);
        let picked = dialog.take_picked().or_else(|| confirmed(ctx, purpose, dialog));
        if picked.is_none() && matches!(dialog.state(), DialogState::Open) {
            return None;
        }
        self.open = None;
        let mut path = picked?;
        self.folder = path.parent().map(Path::to_owned);
        if let Some(ending) = purpose.ending() {
            let takes =
                |path: &Path| path.extension().and_then(|has| has.to_str()).is_some_and(|has| purpose.takes(has));
            // the dialog puts its own ending behind one that was typed
            if let Some(typed) = path.file_stem().map(PathBuf::from).filter(|typed| takes(typed)) {
                path.set_file_name(typed);
            }
            if !takes(&path) {
                path.as_mut_os_string().push(format!(".{ending}"));
            }
        }
        Some((purpose, path))
    }
}

/// The file that is chosen in a dialog that opens, if Enter was pressed; the dialog itself hears it
/// only while nothing has the keyboard.
fn confirmed(ctx: &egui::Context, purpose: Purpose, dialog: &FileDialog) -> Option<PathBuf> {
    let is_pressed = purpose.ending().is_none() && ctx.input(|input| input.key_pressed(egui::Key::Enter));
    let chosen = dialog.selected_entry().filter(|entry| is_pressed && entry.is_file())?;
    Some(chosen.to_path_buf())
}
