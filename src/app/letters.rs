//! Keys by their letters: shortcuts follow the letter that the layout of the keyboard gives a key,
//! not its place.

use std::collections::BTreeMap;

use bevy::input::ButtonState;
use bevy::input::InputSystems;
use bevy::input::keyboard::{Key, KeyboardFocusLost, KeyboardInput};
use bevy::prelude::*;

/// Letters and signs whose keys are pressed: small Latin letters, and `.`, `,` and `?`. A key of a
/// layout without Latin letters has the letter of its place.
pub type Letters = ButtonInput<char>;

/// The letter under which each pressed key went down.
#[derive(Resource, Default)]
struct Down(BTreeMap<KeyCode, char>);

/// Keeps [`Letters`] up to date.
pub fn plugin(app: &mut App) {
    app.init_resource::<Letters>().init_resource::<Down>().add_systems(PreUpdate, read.in_set(InputSystems));
}

fn read(
    mut keys: MessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut letters: ResMut<Letters>,
    mut down: ResMut<Down>,
) {
    letters.bypass_change_detection().clear();
    for input in keys.read() {
        match input.state {
            ButtonState::Pressed => {
                let Some(letter) = letter_of(&input.logical_key, input.key_code) else { continue };
                down.0.insert(input.key_code, letter);
                letters.press(letter);
            }
            // with Shift or Ctrl let go before, the same key may give another letter
            ButtonState::Released => {
                if let Some(letter) = down.0.remove(&input.key_code) {
                    letters.release(letter);
                }
            }
        }
    }
    if lost.read().count() > 0 {
        down.0.clear();
        letters.release_all();
    }
}

/// The letter of a key with this meaning at this place.
fn letter_of(meaning: &Key, place: KeyCode) -> Option<char> {
    if let Key::Character(text) = meaning {
        let mut letters = text.chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && (letter.is_ascii_alphabetic() || matches!(letter, '.' | ',' | '?'))
        {
            return Some(letter.to_ascii_lowercase());
        }
        // letters of other scripts, and control characters
        if text.chars().all(|letter| letter.is_alphabetic() || letter.is_control()) {
            return letter_at(place);
        }
    }
    None
}

/// The letter that a key has on a keyboard of the United States.
fn letter_at(place: KeyCode) -> Option<char> {
    let name = format!("{place:?}");
    let letter = name.strip_prefix("Key")?.chars().next()?;
    Some(letter.to_ascii_lowercase())
}
