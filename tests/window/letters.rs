//! Shortcuts follow the letter of a key and not its place.

use bevy::input::keyboard::{Key, KeyboardFocusLost, KeyboardInput};
use bevy::input::{ButtonState, InputPlugin};
use bevy::prelude::{App, Entity, KeyCode};
use weft::app::letters::{self, Letters};

/// What is pressed after keys at a place, with a meaning, went down or up in one frame.
fn after(inputs: &[(KeyCode, &str, ButtonState)]) -> Vec<char> {
    let mut app = App::new();
    app.add_plugins((InputPlugin, letters::plugin));
    send(&mut app, inputs);
    pressed(&app)
}

fn send(app: &mut App, inputs: &[(KeyCode, &str, ButtonState)]) {
    for (key_code, meaning, state) in inputs {
        app.world_mut().write_message(KeyboardInput {
            key_code: *key_code,
            logical_key: Key::Character((*meaning).into()),
            state: *state,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        });
    }
    app.update();
}

fn pressed(app: &App) -> Vec<char> {
    let mut pressed: Vec<char> = app.world().resource::<Letters>().get_pressed().copied().collect();
    pressed.sort_unstable();
    pressed
}

#[test]
fn a_key_is_the_letter_that_the_layout_gives_it() {
    use ButtonState::Pressed;
    use KeyCode::{KeyA, KeyQ, KeyY, KeyZ, Semicolon};
    // French: A is at the place of Q, and Q at that of A; M at that of the semicolon
    assert_eq!(after(&[(KeyQ, "a", Pressed)]), ['a']);
    assert_eq!(after(&[(KeyA, "q", Pressed)]), ['q']);
    assert_eq!(after(&[(Semicolon, "m", Pressed)]), ['m']);
    // German: Z and Y have changed places
    assert_eq!(after(&[(KeyY, "z", Pressed), (KeyZ, "Y", Pressed)]), ['y', 'z']);
}

#[test]
fn a_key_of_a_layout_without_latin_letters_has_the_letter_of_its_place() {
    use ButtonState::Pressed;
    use KeyCode::{KeyQ, KeyZ, Semicolon};
    // Russian, Greek, Hebrew; and what some systems send with Ctrl
    for meaning in ["я", "Я", "ζ", "ז", "\u{1a}"] {
        assert_eq!(after(&[(KeyZ, meaning, Pressed)]), ['z'], "{meaning:?}");
    }
    assert_eq!(after(&[(KeyQ, "й", Pressed)]), ['q']);
    // a letter where others have a sign is none of the shortcuts
    assert_eq!(after(&[(Semicolon, "ж", Pressed)]), [] as [char; 0]);
}

#[test]
fn signs_are_found_wherever_the_layout_has_them() {
    use ButtonState::Pressed;
    use KeyCode::{Comma, KeyM, Minus, Slash};
    assert_eq!(after(&[(Slash, "?", Pressed)]), ['?']);
    assert_eq!(after(&[(Minus, "?", Pressed)]), ['?']);
    assert_eq!(after(&[(KeyM, ",", Pressed)]), [',']);
    assert_eq!(after(&[(Comma, ";", Pressed)]), [] as [char; 0]);
}

#[test]
fn a_key_goes_up_as_the_letter_as_which_it_went_down() {
    use ButtonState::{Pressed, Released};
    use KeyCode::{KeyC, Slash};
    // Shift goes up first: the same key means another sign
    assert_eq!(after(&[(Slash, "?", Pressed), (Slash, "/", Released)]), [] as [char; 0]);
    let mut app = App::new();
    app.add_plugins((InputPlugin, letters::plugin));
    send(&mut app, &[(KeyC, "c", Pressed)]);
    assert_eq!(pressed(&app), ['c']);
    app.world_mut().write_message(KeyboardFocusLost);
    app.update();
    assert_eq!(pressed(&app), [] as [char; 0], "another window has the keys");
}
