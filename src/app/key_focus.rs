//! What takes the keys that are pressed.

use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::input::EguiWantsInput;

/// Whether a dialog for a file or a question about one is open, which takes what is typed.
#[derive(Resource, Default)]
pub struct IsAsking(pub bool);

/// What takes the keys.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyFocus {
    /// The window: cloth, view and panels.
    #[default]
    Window,
    /// A widget with the focus.
    Widget,
    /// The text of a field, or a number that is being typed.
    Text,
    /// The dialog for a file, which takes letters without the focus.
    FileDialog,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<IsAsking>().init_resource::<KeyFocus>().add_systems(PreUpdate, update);
}

fn update(wants: Res<EguiWantsInput>, mut contexts: EguiContexts, asking: Res<IsAsking>, mut focus: ResMut<KeyFocus>) {
    focus.set_if_neq(if asking.0 {
        KeyFocus::FileDialog
    } else if contexts.ctx_mut().is_ok_and(|ctx| ctx.text_edit_focused()) {
        KeyFocus::Text
    } else if wants.wants_keyboard_input() {
        KeyFocus::Widget
    } else {
        KeyFocus::Window
    });
}

/// Whether keys act on cloth, view and panels.
pub fn keys_are_free(focus: Res<KeyFocus>) -> bool {
    *focus == KeyFocus::Window
}

/// Whether shortcuts with Ctrl do: also while a widget without a text has the focus.
pub fn shortcuts_are_free(focus: Res<KeyFocus>) -> bool {
    matches!(*focus, KeyFocus::Window | KeyFocus::Widget)
}
