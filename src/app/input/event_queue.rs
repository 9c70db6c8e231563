//! Order of input within a frame.
//!
//! The state of keys and modifiers is read once per frame, by Bevy and by bevy_egui: of Ctrl down,
//! A, Ctrl up within one slow frame only an A would be left. So a frame takes input events up to
//! the first that would change what an earlier one means; the rest waits for the next frame.

use std::collections::VecDeque;

use bevy::ecs::message::{MessageCursor, MessageUpdateSystems};
use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy::input::mouse::{MouseButtonInput, MouseMotion, MouseWheel};
use bevy::picking::PickingSystems;
use bevy::prelude::*;
use bevy::window::{Ime, WindowEvent};

const MODIFIERS: [KeyCode; 8] = [
    KeyCode::ControlLeft,
    KeyCode::ControlRight,
    KeyCode::SuperLeft,
    KeyCode::SuperRight,
    KeyCode::ShiftLeft,
    KeyCode::ShiftRight,
    KeyCode::AltLeft,
    KeyCode::AltRight,
];
/// Most frames that an event waits.
const LONGEST_WAIT: usize = 16;

/// Input events that later frames will take, oldest first.
#[derive(Resource, Default)]
struct Waiting(VecDeque<WindowEvent>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Waiting>()
        .add_systems(First, share_out.after(MessageUpdateSystems).before(PickingSystems::Input));
}

/// Messages of input, in the order of arrival and by kind.
#[derive(SystemParam)]
struct Input<'w> {
    all: ResMut<'w, Messages<WindowEvent>>,
    moved: ResMut<'w, Messages<CursorMoved>>,
    motions: ResMut<'w, Messages<MouseMotion>>,
    buttons: ResMut<'w, Messages<MouseButtonInput>>,
    wheels: ResMut<'w, Messages<MouseWheel>>,
    keys: ResMut<'w, Messages<KeyboardInput>>,
    lost: ResMut<'w, Messages<KeyboardFocusLost>>,
    texts: ResMut<'w, Messages<Ime>>,
}

impl Input<'_> {
    fn clear(&mut self) {
        self.all.clear();
        self.moved.clear();
        self.motions.clear();
        self.buttons.clear();
        self.wheels.clear();
        self.keys.clear();
        self.lost.clear();
        self.texts.clear();
    }

    fn write(&mut self, event: WindowEvent) {
        match event.clone() {
            WindowEvent::CursorMoved(event) => drop(self.moved.write(event)),
            WindowEvent::MouseMotion(event) => drop(self.motions.write(event)),
            WindowEvent::MouseButtonInput(event) => drop(self.buttons.write(event)),
            WindowEvent::MouseWheel(event) => drop(self.wheels.write(event)),
            WindowEvent::KeyboardInput(event) => drop(self.keys.write(event)),
            WindowEvent::KeyboardFocusLost(event) => drop(self.lost.write(event)),
            WindowEvent::Ime(event) => drop(self.texts.write(event)),
            _ => {}
        }
        self.all.write(event);
    }
}

fn share_out(mut waiting: ResMut<Waiting>, mut seen: Local<MessageCursor<WindowEvent>>, mut input: Input) {
    let waiting = &mut waiting.bypass_change_detection().0;
    let had_to_wait = !waiting.is_empty();
    let (of_input, others): (Vec<_>, Vec<_>) = seen.read(&input.all).cloned().partition(is_input);
    waiting.extend(of_input);
    let count = of_one_frame(waiting.make_contiguous());
    if !had_to_wait && count == waiting.len() {
        // they are where they belong
        waiting.clear();
        return;
    }
    input.clear();
    others.into_iter().chain(waiting.drain(..count)).for_each(|event| input.write(event));
    seen.clear(&input.all);
}

fn is_input(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::CursorMoved(_)
            | WindowEvent::MouseMotion(_)
            | WindowEvent::MouseButtonInput(_)
            | WindowEvent::MouseWheel(_)
            | WindowEvent::KeyboardInput(_)
            | WindowEvent::KeyboardFocusLost(_)
            | WindowEvent::Ime(_)
    )
}

/// How many of the events, oldest first, a frame takes. More than the first group if the last would
/// have to wait for very long.
#[must_use]
pub fn of_one_frame(events: &[WindowEvent]) -> usize {
    let mut ends = Vec::new();
    let mut group = Group::default();
    for (at, event) in events.iter().enumerate() {
        if !group.takes(event) {
            ends.push(at);
            group = Group::default();
            group.takes(event);
        }
    }
    ends.push(events.len());
    ends[ends.len().saturating_sub(LONGEST_WAIT + 1)]
}

/// Events that mean the same when the state of keys and modifiers is that at the end of all of
/// them.
#[derive(Default)]
struct Group {
    has_keys: bool,
    has_buttons: bool,
    pressed: Vec<KeyCode>,
}

impl Group {
    /// Takes an event, if it belongs to the group.
    fn takes(&mut self, event: &WindowEvent) -> bool {
        match event {
            WindowEvent::CursorMoved(_) | WindowEvent::MouseMotion(_) => !self.has_keys,
            WindowEvent::MouseButtonInput(_) | WindowEvent::MouseWheel(_) => {
                self.has_buttons |= !self.has_keys;
                !self.has_keys
            }
            // a key that is held repeats faster than a slow frame could take one by one
            WindowEvent::KeyboardInput(key) if key.repeat => true,
            WindowEvent::KeyboardInput(key) if MODIFIERS.contains(&key.key_code) => !self.has_keys && !self.has_buttons,
            WindowEvent::KeyboardInput(key) => {
                let is_press = key.state == ButtonState::Pressed;
                let is_again = is_press && self.pressed.contains(&key.key_code);
                let fits = !self.has_buttons && !is_again;
                self.has_keys |= fits;
                if fits && is_press {
                    self.pressed.push(key.key_code);
                }
                fits
            }
            WindowEvent::Ime(_) => {
                self.has_keys |= !self.has_buttons;
                !self.has_buttons
            }
            _ => true,
        }
    }
}
