//! Order of input within slow frames.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::mouse::{MouseButtonInput, MouseMotion};
use bevy::prelude::{CursorMoved, Entity, KeyCode, MouseButton, Vec2};
use bevy::window::WindowEvent;
use weft::app::input::of_one_frame;

use super::desk::Desk;

fn key(key_code: KeyCode, state: ButtonState, repeat: bool) -> WindowEvent {
    let logical_key = Key::Unidentified(bevy::input::keyboard::NativeKey::Unidentified);
    WindowEvent::KeyboardInput(KeyboardInput {
        key_code,
        logical_key,
        state,
        text: None,
        repeat,
        window: Entity::PLACEHOLDER,
    })
}

fn down(code: KeyCode) -> WindowEvent {
    key(code, ButtonState::Pressed, false)
}

fn up(code: KeyCode) -> WindowEvent {
    key(code, ButtonState::Released, false)
}

fn click(state: ButtonState) -> WindowEvent {
    WindowEvent::MouseButtonInput(MouseButtonInput { button: MouseButton::Left, state, window: Entity::PLACEHOLDER })
}

fn moved() -> [WindowEvent; 2] {
    let moved = CursorMoved { window: Entity::PLACEHOLDER, position: Vec2::ZERO, delta: None };
    [WindowEvent::CursorMoved(moved), WindowEvent::MouseMotion(MouseMotion { delta: Vec2::X })]
}

/// How many events each frame takes.
fn shared_out(mut events: &[WindowEvent]) -> Vec<usize> {
    let mut counts = Vec::new();
    while !events.is_empty() {
        counts.push(of_one_frame(events));
        events = &events[counts[counts.len() - 1]..];
    }
    counts
}

#[test]
fn a_frame_takes_input_up_to_what_would_change_the_meaning_of_it() {
    use ButtonState::{Pressed, Released};
    use KeyCode::{AltLeft, ControlLeft, KeyA, KeyP};
    let shortcut = [down(ControlLeft), down(KeyA), up(KeyA), up(ControlLeft)];
    assert_eq!(shared_out(&shortcut), [3, 1]);
    let alt_click = [down(AltLeft), click(Pressed), click(Released), up(AltLeft)];
    assert_eq!(shared_out(&alt_click), [3, 1]);
    let [cursor, motion] = moved();
    // a drag within one frame is read in order where it matters
    let drag = [cursor.clone(), click(Pressed), cursor.clone(), motion.clone(), click(Released), motion.clone()];
    assert_eq!(shared_out(&drag), [6]);
    // a key acts on what was under the pointer
    let aimed = [cursor.clone(), down(KeyP), up(KeyP), cursor.clone(), click(Pressed), down(KeyP)];
    assert_eq!(shared_out(&aimed), [3, 2, 1]);
    let twice = [down(KeyA), up(KeyA), down(KeyA), up(KeyA)];
    assert_eq!(shared_out(&twice), [2, 2]);
    assert_eq!(of_one_frame(&[]), 0);
}

#[test]
fn input_never_waits_for_long() {
    let held: Vec<_> = (0..100)
        .flat_map(|_| {
            let [cursor, motion] = moved();
            [cursor, key(KeyCode::ArrowRight, ButtonState::Pressed, true), motion]
        })
        .collect();
    assert_eq!(shared_out(&held), [300], "a key that is held repeats");
    let typed: Vec<_> = (0..100).flat_map(|_| [down(KeyCode::KeyA), up(KeyCode::KeyA)]).collect();
    let frames = shared_out(&typed);
    assert!(frames.len() <= 17 && frames[1..].iter().all(|count| *count == 2), "{frames:?}");
}

#[test]
fn what_happens_within_one_frame_means_what_it_does_in_many() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.within_a_frame(|desk| desk.key("ctrl+k"));
    desk.settle();
    desk.type_text("structural");
    desk.wait("control found slider structural_stiffness at");
    // nothing is typed by it: all is selected, and replaced
    desk.within_a_frame(|desk| {
        desk.key("ctrl+a");
        desk.type_text("damping");
    });
    desk.wait("control found slider damping at");
    desk.settle();
    let slider = desk.place("found slider damping");
    desk.within_a_frame(|desk| {
        desk.move_to(slider);
        desk.hold_key("keydown", "alt");
        desk.button("click", 1);
        desk.hold_key("keyup", "alt");
    });
    desk.wait("film strip of damping opened");
    desk.key("Escape");
    desk.wait("film strip of damping closed");
    desk.quit();
}
