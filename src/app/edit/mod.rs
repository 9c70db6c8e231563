//! Building a scene by hand: things are added, chosen, moved and changed while time stands at 0.

mod gizmo;
mod held;
mod inspector;
mod key_line;
mod keyframes;
mod outliner;
pub mod panel;
mod performance;
mod selection;
mod vector_row;

use bevy::prelude::*;

use super::desk::{Desk, Shown};
use super::key_focus::keys_are_free;
use super::letters::Letters;
use super::picking::Pointer;
use super::session::SessionHandle;
use crate::app::export::Files;
use crate::app::view::Edited;
use crate::app::window::{CONTROL, SHIFT};
use crate::scene::{Edit, Scene, ScenePart};
use crate::session::{Command, Frame, Watch};
use crate::sim::{Path, Vec3 as SimVec3};
use held::{Held, bounds_of};
use inspector::Draft;
use performance::Performance;
use selection::Selection;
pub use selection::Tool;

/// What a drag of the gizmo does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gesture {
    /// It shifts.
    #[default]
    Shift,
    /// It turns.
    Turn,
    /// It scales.
    Scale,
}

/// State of the editor.
#[derive(Resource, Debug)]
pub struct Editor {
    /// The part that is chosen.
    chosen: Option<ScenePart>,
    /// The vertices that the chosen pins or the chosen handle hold.
    held: Held,
    /// The chosen part when the list was last moved to it.
    listed: Option<ScenePart>,
    /// Its fields while they are being changed, until the pointer or the key lets go.
    draft: Option<(ScenePart, Draft)>,
    /// What the gizmo does.
    gesture: Gesture,
    /// Whether it does so in steps.
    snaps: bool,
    /// The order of the last edit of the gizmo or of a field, until a frame has seen it.
    sent: Option<u64>,
    /// What was added, and the order, until a frame has seen it, and it is chosen.
    added: Option<(u64, Added)>,
    /// The part whose name is being typed, and the text.
    naming: Option<(ScenePart, String)>,
    /// The vertices that are chosen.
    selection: Selection,
    /// The motion of the hand that is recorded, or was last.
    performance: Option<Performance>,
    /// Time of the key that the gizmo and the fields set [s]; 0 is the start.
    key_time: f64,
    /// Why nothing could be added.
    refusal: Option<String>,
    /// Number of copies, and the shift from one to the next [m].
    copies: (u32, SimVec3),
    /// What was watched before it was opened.
    watched: Watch,
    is_open: bool,
    /// Whether time ran when it was opened.
    ran: bool,
}

/// What was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Added {
    /// A piece or a collider, where there were so many things before.
    Thing { before: usize, is_collider: bool },
    /// A handle of this piece.
    Handle(u32),
}

impl Default for Editor {
    fn default() -> Self {
        Self {
            chosen: None,
            held: Held::default(),
            listed: None,
            draft: None,
            gesture: Gesture::default(),
            snaps: false,
            sent: None,
            added: None,
            naming: None,
            selection: Selection::default(),
            performance: None,
            key_time: 0.0,
            refusal: None,
            copies: (3, SimVec3::new(0.5, 0.0, 0.0)),
            watched: Watch::default(),
            is_open: false,
            ran: false,
        }
    }
}

impl Editor {
    /// Whether scenes are edited at the moment.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether the effect of the last edit is still to be seen.
    fn awaits(&self, frame: &Frame) -> bool {
        self.sent.is_some_and(|order| frame.seen < order)
    }

    /// Bounding box of the chosen part as it is [m].
    #[must_use]
    pub fn bounds(&self, frame: &Frame) -> Option<(SimVec3, SimVec3)> {
        self.chosen.filter(|_| self.is_open).and_then(|part| self.held.bounds(frame, part))
    }

    /// Pins a vertex of the cloth where it starts, or lets it go.
    pub fn toggle_pin(&self, session: &mut SessionHandle, vertex: u32) {
        let frame = session.frame();
        let piece = frame.pattern.piece_of_vertices().get(vertex as usize).copied().unwrap_or_default();
        let first = frame.pattern.pieces().get(piece as usize).copied().unwrap_or_default();
        let on = !frame.is_pinned(vertex);
        send(session, Edit::Pin { piece, vertices: vec![vertex - first], on });
    }

    /// Chooses a part, or none.
    pub fn choose(&mut self, part: Option<ScenePart>) {
        if part != self.chosen {
            self.chosen = part;
            (self.draft, self.naming, self.key_time) = (None, None, 0.0);
            info!("chose {}", part.map_or("nothing".to_owned(), |part| format!("{part:?}")));
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Editor>().add_systems(Update, follow_keys.run_if(keys_are_free));
    gizmo::plugin(app);
    selection::plugin(app);
    performance::plugin(app);
}

/// E opens and closes the editor; in it Delete takes the chosen part away, F2 renames and Ctrl+D
/// copies it, G, T and S choose what the gizmo does, B and L how vertices are chosen, P pins them.
fn follow_keys(
    (keys, letters): (Res<ButtonInput<KeyCode>>, Res<Letters>),
    pointer: Res<Pointer>,
    (mut desk, mut editor): (ResMut<Desk>, ResMut<Editor>),
    mut session: ResMut<SessionHandle>,
) {
    let is_control = keys.any_pressed(CONTROL);
    if letters.just_pressed('e') && !is_control && !keys.any_pressed(SHIFT) {
        desk.windows.toggle(panel::TITLE);
    }
    if !editor.is_open {
        return;
    }
    let editor = editor.bypass_change_detection();
    if let Some(part) = editor.chosen {
        if keys.just_pressed(KeyCode::Delete) {
            send(&mut session, Edit::Remove { part });
        }
        if keys.just_pressed(KeyCode::F2) {
            editor.begin_naming(&session.frame().scene, part);
        }
        if letters.just_pressed('d') && is_control && part.is_thing() {
            duplicate(&mut session, part);
        }
    }
    if is_control {
        return;
    }
    for (letter, gesture) in [('g', Gesture::Shift), ('t', Gesture::Turn), ('s', Gesture::Scale)] {
        if letters.just_pressed(letter) {
            editor.gesture = gesture;
        }
    }
    for (letter, tool) in [('b', Tool::Rectangle), ('l', Tool::Lasso)] {
        if letters.just_pressed(letter) {
            editor.selection.toggle(tool);
        }
    }
    if letters.just_pressed('p') {
        match pointer.hovered.filter(|_| editor.selection.is_empty()) {
            Some(vertex) => editor.toggle_pin(&mut session, vertex),
            None => editor.pin_selection(&mut session, None),
        }
    }
}

/// Begins and ends the editing with its panel: time goes to 0 and stands; it runs again afterwards
/// if it ran before.
pub fn follow(editor: &mut Editor, shown: &mut Shown) {
    let is_open = shown.desk.windows.is_open(panel::TITLE);
    if is_open != editor.is_open {
        editor.is_open = is_open;
        if is_open {
            editor.ran = !shown.session.paused();
            shown.session.pause(true);
            shown.session.send(Command::ResetHeld);
            editor.watched = shown.session.watched();
            shown.session.watch(Watch { intersections: true, ..editor.watched });
        } else {
            shown.session.watch(editor.watched);
            editor.cancel_performance(shown.session);
            editor.selection = Selection::default();
            editor.choose(None);
            if editor.ran {
                shown.session.pause(false);
            }
        }
    }
    if let Some((order, before, is_collider)) = shown.states.of::<Files>().take_added() {
        editor.added = Some((order, Added::Thing { before, is_collider }));
    }
    let exists = |part: &ScenePart| shown.session.frame().scene.rows().iter().any(|row| row.part == *part);
    if let Some(part) = editor.chosen
        && !exists(&part)
    {
        editor.choose(None);
    }
    editor.held.follow(editor.chosen, shown.session.frame());
    shown.view_state.edited = Edited { is_open, bounds: editor.bounds(shown.session.frame()) };
}

/// The path of a part that stays where it is.
fn still(part: ScenePart) -> Option<Path> {
    let points = vec![(0.0, SimVec3::ZERO)];
    matches!(part, ScenePart::Handle { .. }).then_some(Path::Waypoints { points, repeat: false })
}

/// Sends an edit, and returns the number of the order.
fn send(session: &mut SessionHandle, edit: Edit) -> u64 {
    session.send(Command::Edit { edit })
}

/// A copy beside a part, by its width.
fn duplicate(session: &mut SessionHandle, part: ScenePart) {
    let width = bounds_of(session.frame(), part).map_or(0.5, |(low, high)| (high - low).x);
    let by = SimVec3::X * ((1.1 * width * 100.0).ceil() / 100.0).max(0.05);
    send(session, Edit::Copy { part, by, count: 1 });
}

/// The part that an edit has added to `scene`, if it has.
fn last_added(added: Added, scene: &Scene) -> Option<ScenePart> {
    match added {
        Added::Thing { before, is_collider } => {
            let parts = scene.parts();
            let is_alike = |part: &&ScenePart| is_collider == matches!(part, ScenePart::Collider(_));
            parts.iter().rfind(is_alike).copied().filter(|_| parts.len() > before)
        }
        Added::Handle(piece) => {
            let count = scene.all_pieces().nth(piece as usize)?.handles.len() as u32;
            count.checked_sub(1).map(|at| ScenePart::Handle { piece, at })
        }
    }
}
