//! Building a scene by hand: things are added, chosen, moved and changed while time stands at 0.

mod gizmo;
mod inspector;
pub mod panel;

use bevy::prelude::*;

use super::desk::{Desk, Shown};
use super::key_focus::keys_are_free;
use super::session::SessionHandle;
use crate::app::window::{CONTROL, SHIFT};
use crate::scene::{Edit, Part, Scene, part_bounds};
use crate::session::{Command, Frame, Watch};
use crate::sim::Vec3 as SimVec3;
use inspector::Draft;

/// What a drag of the gizmo does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Handle {
    /// It shifts.
    #[default]
    Shift,
    /// It turns.
    Turn,
    /// It scales.
    Scale,
}

/// State of the editor.
#[derive(Debug)]
pub struct Editor {
    /// The part that is chosen.
    chosen: Option<Part>,
    /// The chosen part when the list was last moved to it.
    listed: Option<Part>,
    /// Its fields while they are being changed, until the pointer or the key lets go.
    draft: Option<(Part, Draft)>,
    /// What the gizmo does.
    handle: Handle,
    /// Whether it does so in steps.
    snaps: bool,
    /// The order of the last edit of the gizmo or of a field, until a frame has seen it.
    sent: Option<u64>,
    /// Of a part that was added: the order, the number of parts before it, and whether it is a
    /// collider; until a frame has seen it, and it is chosen.
    added: Option<(u64, usize, bool)>,
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

impl Default for Editor {
    fn default() -> Self {
        let copies = (3, SimVec3::new(0.5, 0.0, 0.0));
        let (listed, chosen, draft, sent, added, refusal) = (None, None, None, None, None, None);
        let (handle, watched) = (Handle::default(), Watch::default());
        let (snaps, is_open, ran) = (false, false, false);
        Self { chosen, listed, draft, handle, snaps, sent, added, refusal, copies, watched, is_open, ran }
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
        self.chosen.filter(|_| self.is_open).and_then(|part| bounds_of(frame, part))
    }

    /// Chooses a part, or none.
    pub fn choose(&mut self, part: Option<Part>) {
        if part != self.chosen {
            self.chosen = part;
            self.draft = None;
            info!("chose {}", part.map_or("nothing".to_owned(), |part| format!("{part:?}")));
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, follow_keys.run_if(keys_are_free));
    gizmo::plugin(app);
}

/// E opens and closes the editor; Delete takes the chosen part away, Ctrl+D copies it, G, T and S
/// choose what the gizmo does.
fn follow_keys(keys: Res<ButtonInput<KeyCode>>, mut desk: ResMut<Desk>, mut session: ResMut<SessionHandle>) {
    let is_control = keys.any_pressed(CONTROL);
    if keys.just_pressed(KeyCode::KeyE) && !is_control && !keys.any_pressed(SHIFT) {
        desk.windows.toggle(panel::TITLE);
    }
    if !desk.editor.is_open {
        return;
    }
    if let Some(part) = desk.editor.chosen {
        if keys.just_pressed(KeyCode::Delete) {
            send(&mut session, Edit::Remove { part });
        }
        if keys.just_pressed(KeyCode::KeyD) && is_control {
            duplicate(&mut session, part);
        }
    }
    for (key, handle) in [(KeyCode::KeyG, Handle::Shift), (KeyCode::KeyT, Handle::Turn), (KeyCode::KeyS, Handle::Scale)]
    {
        if keys.just_pressed(key) && !is_control {
            desk.editor.handle = handle;
        }
    }
}

/// Begins and ends the editing with its panel: time goes to 0 and stands; it runs again afterwards
/// if it ran before.
pub fn follow(shown: &mut Shown) {
    let is_open = shown.desk.windows.is_open(panel::TITLE);
    let editor = &mut shown.desk.editor;
    if is_open != editor.is_open {
        editor.is_open = is_open;
        if is_open {
            editor.ran = !shown.session.paused();
            shown.session.pause(true);
            shown.session.send(Command::Reset);
            editor.watched = shown.session.watched();
            shown.session.watch(Watch { intersections: true, ..editor.watched });
        } else {
            shown.session.watch(editor.watched);
            editor.choose(None);
            if editor.ran {
                shown.session.pause(false);
            }
        }
    }
    let exists = |part: &Part| shown.session.frame().scene.parts().contains(part);
    if let Some(part) = editor.chosen
        && !exists(&part)
    {
        editor.choose(None);
    }
}

/// Sends an edit, and returns the number of the order.
fn send(session: &mut SessionHandle, edit: Edit) -> u64 {
    session.send(Command::Edit { edit })
}

/// A copy beside a part, by its width.
fn duplicate(session: &mut SessionHandle, part: Part) {
    let width = bounds_of(session.frame(), part).map_or(0.5, |(low, high)| (high - low).x);
    let by = SimVec3::X * ((1.1 * width * 100.0).ceil() / 100.0).max(0.05);
    send(session, Edit::Copy { part, by, count: 1 });
}

/// Bounding box of a part as it is [m].
fn bounds_of(frame: &Frame, part: Part) -> Option<(SimVec3, SimVec3)> {
    let thickness = frame.parameters.contact.thickness;
    part_bounds(part, &frame.pattern, &frame.positions, (&frame.colliders, thickness))
}

/// The part that the last edit of `scene` has added, if it has.
fn last_added(before: usize, scene: &Scene, is_collider: bool) -> Option<Part> {
    let parts = scene.parts();
    let last = if is_collider { parts.last() } else { parts.iter().rfind(|part| matches!(part, Part::Piece(_))) };
    last.copied().filter(|_| parts.len() > before)
}
