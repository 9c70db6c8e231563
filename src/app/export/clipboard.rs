//! The clipboard of the system. It belongs to the window's thread, and on X11 its contents last as
//! long as it does.

use bevy::prelude::*;
use bevy_egui::{EguiOutput, EguiPostUpdateSet};

#[derive(Default)]
struct Clipboard(Option<arboard::Clipboard>);

pub(super) fn plugin(app: &mut App) {
    app.init_non_send::<Clipboard>().add_systems(PostUpdate, copy.after(EguiPostUpdateSet::ProcessOutput));
}

/// Copies texts of the panels to the clipboard.
fn copy(outputs: Query<&EguiOutput, Changed<EguiOutput>>, mut clipboard: NonSendMut<Clipboard>) {
    let commands = outputs.iter().flat_map(|output| &output.platform_output.commands);
    for command in commands {
        let egui::OutputCommand::CopyText(text) = command else { continue };
        if clipboard.0.is_none() {
            clipboard.0 = arboard::Clipboard::new().ok();
        }
        let set = clipboard.0.as_mut().map(|clipboard| clipboard.set_text(text.clone()));
        if !matches!(set, Some(Ok(()))) {
            warn!("the system's clipboard takes nothing");
        }
    }
}
