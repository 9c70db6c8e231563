//! The pointer: hover, grab, pin, cut. A gesture belongs to whom it started with, the panels, the
//! camera, the cloth or a collider, until its button is released.
//!
//! Events are taken in the order in which they came, not as the state at the end of a frame: at a
//! few frames per second a press, a movement and a release can share a frame, and the press still
//! means the place where it happened.

use bevy::app::RunFixedMainLoopSystems;
use bevy::input::ButtonState;
use bevy::input::mouse::MouseScrollUnit;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowEvent};
use bevy_panorbit_camera::PanOrbitCamera;

use super::cloth_hand::ClothHand;
use super::collider_hand::ColliderHand;
use super::cutting::Stroke;
use super::wind_hand::WindHand;
use crate::app::edit::Editor;
use crate::app::key_focus::keys_are_free;
use crate::app::letters::Letters;
use crate::app::picking::{Pointer, Surroundings};
use crate::app::probes::Probes;
use crate::app::session::{SessionHandle, TakeFrame};
use crate::app::view::camera::Wanted;
use crate::session::Command;

/// Factor by which one notch of the wheel moves a held vertex away from the camera.
const PUSH: f32 = 1.05;
/// Longest time and distance of two presses of a double click [s], [logical pixels].
const DOUBLE_CLICK: f64 = 0.35;
const STILL: f32 = 5.0;
/// A press that is let go within this time [s], and has not moved by more than this [logical
/// pixels], is a click: it touches nothing.
const CLICK: f64 = 0.2;
const CLICK_STILL: f32 = 3.0;
/// Pixels of a touchpad that count as one notch.
const PIXELS_PER_NOTCH: f32 = 40.0;

/// The gesture of the pointer.
#[derive(Resource, Default)]
pub struct Gesture {
    /// The cut that is being drawn.
    pub stroke: Option<Stroke>,
    /// When and where the left button was last pressed [s], [logical pixels].
    last_press: Option<(f64, Vec2)>,
    owner: Owner,
    /// The button that began the gesture; only its release ends it.
    button: Option<MouseButton>,
}

/// Owner of the pointer while a button is down.
#[derive(Default, Clone, Copy, PartialEq)]
enum Owner {
    #[default]
    Nobody,
    Panels,
    Camera,
    /// Not yet a click, and not yet a grab.
    Touch(Touch),
    Cloth(ClothHand),
    Collider(ColliderHand),
    Wind(WindHand),
    Cut,
    /// The hand whose motion the editor records.
    Performance,
    /// The outline of vertices that the editor chooses.
    Outline,
}

/// A press on a vertex.
#[derive(Clone, Copy, PartialEq)]
struct Touch {
    vertex: u32,
    /// When [s], and where the pointer was [logical pixels].
    since: f64,
    at: Vec2,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Gesture>()
        .add_systems(
            RunFixedMainLoop,
            (follow_events, act_by_key.run_if(keys_are_free))
                .chain()
                .after(TakeFrame)
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(Update, free_camera);
}

fn follow_events(
    mut events: MessageReader<WindowEvent>,
    (mut pointer, mut gesture): (ResMut<Pointer>, ResMut<Gesture>),
    mut session: ResMut<SessionHandle>,
    window: Single<Entity, With<PrimaryWindow>>,
    mut wanted: ResMut<Wanted>,
    (mut editor, mut probes): (ResMut<Editor>, ResMut<Probes>),
    mut around: Surroundings,
) {
    for event in events.read() {
        match event {
            WindowEvent::CursorMoved(moved) if moved.window == *window => {
                pointer.cursor = Some(moved.position);
                gesture.take_hold(pointer.cursor, &mut session, &around);
                drag(&mut gesture, pointer.cursor, &mut session, &around);
                if let Some(stroke) = &mut gesture.stroke {
                    stroke.draw_to(moved.position, &mut session, &mut around);
                }
                if gesture.owner == Owner::Outline {
                    editor.extend_outline(moved.position);
                }
            }
            WindowEvent::CursorLeft(_) if gesture.owner == Owner::Nobody => pointer.cursor = None,
            WindowEvent::MouseButtonInput(input) => {
                let Some(cursor) = pointer.cursor else { continue };
                match (input.button, input.state) {
                    (button, ButtonState::Pressed) if gesture.owner == Owner::Nobody => {
                        gesture.press(button, cursor, (&mut session, &mut editor, &mut wanted), &mut around);
                    }
                    (button, ButtonState::Released) if gesture.button == Some(button) => {
                        match gesture.owner {
                            Owner::Touch(touch) => probes.take(touch.vertex),
                            Owner::Camera if gesture.is_click(cursor, &around) => {
                                probes.leave();
                                editor.choose(None);
                            }
                            Owner::Outline => {
                                let adds = around.wants_turn();
                                editor.finish_outline(cursor, adds, session.frame(), &mut around);
                            }
                            Owner::Performance => editor.end_performance(&mut session),
                            _ => {}
                        }
                        gesture.let_go(&mut session);
                    }
                    _ => {}
                }
            }
            WindowEvent::MouseWheel(wheel) => {
                let notches = match wheel.unit {
                    MouseScrollUnit::Line => wheel.y,
                    MouseScrollUnit::Pixel => wheel.y / PIXELS_PER_NOTCH,
                };
                match &mut gesture.owner {
                    Owner::Cloth(hand) => hand.push(PUSH.powf(notches), &around),
                    Owner::Collider(hand) => hand.push(PUSH.powf(notches), &mut session, &around),
                    _ => {}
                }
                drag(&mut gesture, pointer.cursor, &mut session, &around);
            }
            WindowEvent::WindowFocused(focus) if !focus.focused => {
                editor.end_performance(&mut session);
                gesture.let_go(&mut session);
            }
            _ => {}
        }
    }
    gesture.take_hold(pointer.cursor, &mut session, &around);
    gesture.drop_lost(&mut session);
    gesture.hover(&mut pointer, &session, &mut around);
}

/// The owner of the gesture that a press of the left button begins.
fn press(cursor: Vec2, session: &mut SessionHandle, around: &mut Surroundings) -> Owner {
    if around.panels_have(cursor) || around.wants.is_popup_open() {
        return Owner::Panels;
    }
    if around.wants_cut() {
        return Owner::Cut;
    }
    if let Some(slot) = around.lane_at(cursor) {
        session.choose_lane(slot);
        return Owner::Panels;
    }
    let Some(vertex) = around.vertex_at(cursor, session.frame()) else {
        return ColliderHand::take(cursor, session, around).map_or(Owner::Camera, Owner::Collider);
    };
    Owner::Touch(Touch { vertex, since: around.time.elapsed_secs_f64(), at: cursor })
}

/// The same in the editor: a handle is dragged, a part is chosen, or the camera turns.
fn press_in_editor(cursor: Vec2, session: &mut SessionHandle, editor: &mut Editor, around: &mut Surroundings) -> Owner {
    if around.panels_have(cursor) || around.wants.is_popup_open() {
        return Owner::Panels;
    }
    if editor.awaits_hand() {
        editor.begin_performance(cursor);
        return Owner::Performance;
    }
    if editor.chooses_vertices() {
        editor.begin_outline(cursor);
        return Owner::Outline;
    }
    if around.is_at_handle() {
        return Owner::Panels;
    }
    let part = around.part_at(cursor, session.frame());
    match part.filter(|part| !session.frame().scene.is_locked(*part)) {
        Some(part) => {
            editor.choose(Some(part));
            Owner::Panels
        }
        None => Owner::Camera,
    }
}

impl Gesture {
    /// Begins the gesture of a button that is pressed at `cursor`.
    fn press(
        &mut self,
        button: MouseButton,
        cursor: Vec2,
        (session, editor, wanted): (&mut SessionHandle, &mut Editor, &mut Wanted),
        around: &mut Surroundings,
    ) {
        match button {
            MouseButton::Left => {
                if self.is_double_click(cursor, around)
                    && !around.panels_have(cursor)
                    && let Some((_, point)) = around.hit_at(cursor, session.frame())
                {
                    wanted.0 = Some(point.as_vec3());
                    self.last_press = None;
                }
                self.owner = match WindHand::take(cursor, session, around) {
                    Some(hand) if !around.panels_have(cursor) => Owner::Wind(hand),
                    _ if editor.is_open() => press_in_editor(cursor, session, editor, around),
                    _ => press(cursor, session, around),
                };
                self.button = Some(MouseButton::Left);
                drag(self, Some(cursor), session, around);
                if self.owner == Owner::Cut {
                    self.stroke = Some(Stroke::begin(cursor, session, around));
                }
            }
            MouseButton::Middle => {
                self.button = Some(MouseButton::Middle);
                self.owner = if around.panels_have(cursor) { Owner::Panels } else { Owner::Camera };
            }
            MouseButton::Right => {
                let free = !around.panels_have(cursor) && !around.wants.is_popup_open();
                match around.vertex_at(cursor, session.frame()).filter(|_| free) {
                    Some(vertex) if editor.is_open() => editor.toggle_pin(session, vertex),
                    Some(vertex) => session.toggle_pin(vertex),
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// Whether a press of the left button at `cursor` is the second of a double click.
    fn is_double_click(&mut self, cursor: Vec2, around: &Surroundings) -> bool {
        let now = (around.time.elapsed_secs_f64(), cursor);
        self.last_press
            .replace(now)
            .is_some_and(|(then, at)| now.0 - then < DOUBLE_CLICK && at.distance(cursor) < STILL && !around.wants_cut())
    }

    /// Ends the gesture with a vertex or a collider that is not there any more.
    fn drop_lost(&mut self, session: &mut SessionHandle) {
        if let Owner::Cloth(hand) = self.owner
            && !hand.is_there(session)
        {
            session.send(Command::Release);
            self.owner = Owner::Panels;
        }
        if let Owner::Collider(hand) = self.owner
            && !hand.is_there(session)
        {
            self.owner = Owner::Panels;
        }
    }

    /// Finds the vertex or the collider under the cursor, while there is no gesture.
    fn hover(&self, pointer: &mut Pointer, session: &SessionHandle, around: &mut Surroundings) {
        let cursor = pointer.cursor.filter(|&cursor| self.owner == Owner::Nobody && !around.panels_have(cursor));
        let hovered = cursor.and_then(|cursor| around.vertex_at(cursor, session.frame()));
        if hovered != pointer.hovered {
            pointer.hovered = hovered;
            debug!("hovering over {}", hovered.map_or("nothing".to_owned(), |vertex| format!("vertex {vertex}")));
        }
        let held = if let Owner::Collider(hand) = self.owner { Some(hand.collider()) } else { None };
        let under = |cursor| around.collider_at(cursor).map(|(collider, _)| collider);
        pointer.collider = held.or_else(|| cursor.filter(|_| hovered.is_none()).and_then(under));
    }

    /// Makes a grab of a press that is no click any more.
    fn take_hold(&mut self, cursor: Option<Vec2>, session: &mut SessionHandle, around: &Surroundings) {
        if let Owner::Touch(touch) = self.owner {
            let has_moved = cursor.is_some_and(|cursor| cursor.distance(touch.at) > CLICK_STILL);
            if has_moved || around.time.elapsed_secs_f64() - touch.since > CLICK {
                // a new cloth may not have it
                let is_there = (touch.vertex as usize) < session.frame().positions.len();
                self.owner = match ClothHand::take(touch.vertex, touch.at, session, around) {
                    Some(hand) => Owner::Cloth(hand),
                    None if is_there => Owner::Camera,
                    None => Owner::Panels,
                };
            }
        }
    }

    /// Whether a gesture that ends here was a click.
    fn is_click(&self, cursor: Vec2, around: &Surroundings) -> bool {
        let now = around.time.elapsed_secs_f64();
        self.last_press.is_some_and(|(then, at)| now - then <= CLICK && at.distance(cursor) <= CLICK_STILL)
    }

    /// Opens the hand, if anything is in it; the gesture is over.
    fn let_go(&mut self, session: &mut SessionHandle) {
        let release = match self.owner {
            Owner::Cloth(_) => Some(Command::Release),
            Owner::Collider(_) => Some(Command::ReleaseCollider),
            Owner::Nobody | Owner::Panels | Owner::Camera | Owner::Touch(_) | Owner::Cut | Owner::Wind(_) => None,
            Owner::Performance | Owner::Outline => None,
        };
        if let Some(release) = release {
            session.send(release);
        }
        (self.owner, self.button, self.stroke) = (Owner::Nobody, None, None);
    }
}

/// Moves the hand to where the cursor is.
fn drag(gesture: &mut Gesture, cursor: Option<Vec2>, session: &mut SessionHandle, around: &Surroundings) {
    let Some(cursor) = cursor else { return };
    match &mut gesture.owner {
        Owner::Cloth(hand) => hand.drag(cursor, session, around),
        Owner::Collider(hand) => hand.drag(cursor, session, around),
        Owner::Wind(hand) => hand.drag(cursor, session, around),
        Owner::Nobody | Owner::Panels | Owner::Camera | Owner::Touch(_) | Owner::Cut => {}
        Owner::Performance | Owner::Outline => {}
    }
}

/// P pins the vertex under the pointer, M looks at it and keeps its card.
fn act_by_key(
    letters: Res<Letters>,
    pointer: Res<Pointer>,
    mut session: ResMut<SessionHandle>,
    editor: Res<Editor>,
    mut probes: ResMut<Probes>,
) {
    let vertex = session.frame().grab.map(|grab| grab.vertex).or(pointer.hovered);
    // the editor pins in the scene
    if letters.just_pressed('p')
        && !editor.is_open()
        && let Some(vertex) = vertex
    {
        session.toggle_pin(vertex);
    }
    if letters.just_pressed('m')
        && let Some(vertex) = vertex
    {
        probes.toggle_kept(vertex);
    }
}

/// The camera listens only to gestures that began with it.
fn free_camera(
    pointer: Res<Pointer>,
    gesture: Res<Gesture>,
    mut around: Surroundings,
    mut camera: Single<&mut PanOrbitCamera>,
) {
    let over_panels = pointer.cursor.is_none_or(|cursor| around.panels_have(cursor));
    camera.enabled = match gesture.owner {
        Owner::Camera => true,
        Owner::Nobody => !over_panels,
        Owner::Panels | Owner::Touch(_) | Owner::Cloth(_) | Owner::Collider(_) | Owner::Wind(_) | Owner::Cut => false,
        Owner::Performance | Owner::Outline => false,
    };
}
