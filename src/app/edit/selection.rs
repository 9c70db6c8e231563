//! Choosing vertices of a cloth by a rectangle, a lasso or a side, to pin them, to let them go, or
//! to make a handle of them.

use bevy::prelude::*;
use egui::{RichText, Ui};

use super::gizmo::Handles;
use super::{Added, Editor, send, still};
use crate::app::picking::Surroundings;
use crate::app::session::SessionHandle;
use crate::app::view::displayed::ChosenCloth;
use crate::app::view::scene::Viewpoint;
use crate::app::widgets::note_place;
use crate::app::widgets::style::ACCENT;
use crate::scene::{Edit, Handle, ScenePart, side_near};
use crate::session::Frame;

/// How near to a cloth a click chooses a side of it [logical pixels].
const NEAR: f32 = 40.0;
/// Distance of the points of a lasso [logical pixels].
const SPACING: f32 = 4.0;
/// Depth at which the outline is drawn [m].
const DEPTH: f32 = 0.4;
/// Radius of the mark of a vertex, as a share of the distance to the camera, and most of them.
const MARK: f32 = 0.004;
const MOST_MARKED: usize = 3000;
const CHOSEN: Color = Color::srgb(1.0, 0.55, 0.15);
const OUTLINE: Color = Color::srgb(0.95, 0.75, 0.3);

/// How vertices are chosen in the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// All in a rectangle.
    Rectangle,
    /// All in a closed line.
    Lasso,
    /// A side of the cloth, from corner to corner.
    Side,
}

/// The chosen vertices, and how more are chosen.
#[derive(Debug, Default)]
pub struct Selection {
    tool: Option<Tool>,
    /// The piece.
    piece: u32,
    /// Its vertices, by their number in the whole cloth, rising.
    vertices: Vec<u32>,
    /// The cloth that they are of.
    generation: u64,
    /// Where the pointer went [logical pixels].
    outline: Vec<Vec2>,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, draw);
}

impl Selection {
    /// Whether no vertex is chosen.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Begins choosing with a tool, or puts it away.
    pub fn toggle(&mut self, tool: Tool) {
        self.tool = Some(tool).filter(|_| self.tool != Some(tool));
    }
}

impl Editor {
    /// Puts the tool away that vertices are chosen with, or else those that are chosen. Returns
    /// whether there were any.
    pub fn leave_choice(&mut self) -> bool {
        let had_tool = self.selection.tool.take().is_some();
        self.selection.outline.clear();
        had_tool || !std::mem::take(&mut self.selection.vertices).is_empty()
    }

    /// Whether a press in the view begins a choice of vertices.
    #[must_use]
    pub fn chooses_vertices(&self) -> bool {
        self.selection.tool.is_some()
    }

    /// Begins a choice of vertices.
    pub fn begin_outline(&mut self, cursor: Vec2) {
        self.selection.outline = vec![cursor];
    }

    /// Extends the outline to the pointer.
    pub fn extend_outline(&mut self, cursor: Vec2) {
        let Selection { tool, outline, .. } = &mut self.selection;
        match tool {
            Some(Tool::Rectangle) => {
                outline.truncate(1);
                outline.push(cursor);
            }
            Some(Tool::Lasso) if outline.last().is_none_or(|last| last.distance(cursor) > SPACING) => {
                outline.push(cursor);
            }
            _ => {}
        }
    }

    /// Chooses the vertices within the outline: of the chosen piece, or of the one with the most.
    /// If it `adds`, those that are chosen already stay, and so does the tool.
    pub fn finish_outline(&mut self, cursor: Vec2, adds: bool, frame: &Frame, around: &mut Surroundings) {
        self.extend_outline(cursor);
        let outline = std::mem::take(&mut self.selection.outline);
        let Some(tool) = self.selection.tool else { return };
        let found = match tool {
            Tool::Side => {
                around.vertex_near(cursor, frame, NEAR).map_or(Vec::new(), |vertex| side_near(&frame.pattern, vertex))
            }
            Tool::Rectangle | Tool::Lasso => {
                let outline = if tool == Tool::Rectangle { corners(&outline) } else { outline };
                around.vertices_in(frame, |at| is_within(&outline, at))
            }
        };
        let pieces = frame.pattern.piece_of_vertices();
        let count = |piece: u32| found.iter().filter(|vertex| pieces[**vertex as usize] == piece).count();
        let chosen =
            if let Some(ScenePart::Piece(piece)) = self.chosen.map(ScenePart::thing) { Some(piece) } else { None };
        let open = (0..frame.pattern.pieces().len() as u32).filter(|piece| {
            let piece = ScenePart::Piece(*piece);
            !frame.scene.is_locked(piece) && !frame.scene.is_hidden(piece)
        });
        let piece = chosen.filter(|piece| count(*piece) > 0).or_else(|| open.max_by_key(|piece| count(*piece)));
        let Some(piece) = piece else { return };
        let selection = &mut self.selection;
        if !adds || selection.piece != piece || selection.generation != frame.generation {
            selection.vertices.clear();
        }
        (selection.piece, selection.generation) = (piece, frame.generation);
        selection.vertices.extend(found.into_iter().filter(|vertex| pieces[*vertex as usize] == piece));
        selection.vertices.sort_unstable();
        selection.vertices.dedup();
        if !adds && !selection.vertices.is_empty() {
            selection.tool = None;
        }
        info!("chose {} vertices", selection.vertices.len());
    }

    /// Pins the chosen vertices, or lets them go; by itself, pins them unless all are.
    pub fn pin_selection(&mut self, session: &mut SessionHandle, on: Option<bool>) {
        if self.selection.is_empty() {
            return;
        }
        let frame = session.frame();
        let on = on.unwrap_or_else(|| !self.selection.vertices.iter().all(|vertex| frame.is_pinned(*vertex)));
        let vertices = self.numbers_in_piece(frame);
        send(session, Edit::Pin { piece: self.selection.piece, vertices, on });
        self.selection.vertices.clear();
    }

    /// Makes a handle of the chosen vertices.
    fn make_handle(&mut self, session: &mut SessionHandle) {
        let piece = self.selection.piece;
        let path = still(ScenePart::Handle { piece, at: 0 });
        let handle = Handle { pinned: self.numbers_in_piece(session.frame()), path, ..Handle::default() };
        let order = send(session, Edit::AddHandle { piece, handle: Box::new(handle) });
        self.added = Some((order, Added::Handle(piece)));
        self.selection = Selection::default();
    }

    fn numbers_in_piece(&self, frame: &Frame) -> Vec<u32> {
        let first = frame.pattern.pieces().get(self.selection.piece as usize).copied().unwrap_or_default();
        self.selection.vertices.iter().map(|vertex| vertex - first).collect()
    }
}

/// The corners of the rectangle between the first and the last point.
fn corners(outline: &[Vec2]) -> Vec<Vec2> {
    let (Some(a), Some(b)) = (outline.first(), outline.last()) else { return Vec::new() };
    vec![*a, Vec2::new(b.x, a.y), *b, Vec2::new(a.x, b.y)]
}

/// Whether a point is in a closed line (the number of crossings of a ray is odd).
fn is_within(outline: &[Vec2], at: Vec2) -> bool {
    let mut is_in = false;
    for (a, b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        let crosses = (a.y > at.y) != (b.y > at.y);
        if crosses && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x) {
            is_in = !is_in;
        }
    }
    is_in
}

/// The tools, and what is done with the chosen vertices.
pub fn show(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle) {
    if editor.selection.generation != session.frame().generation {
        editor.selection.vertices.clear();
    }
    ui.horizontal(|ui| {
        ui.label(RichText::new("Choose vertices").small().color(ACCENT));
        for (tool, title, help) in [
            (Tool::Rectangle, "Rectangle", "All in a rectangle that you draw over the view: B"),
            (Tool::Lasso, "Lasso", "All in a line that you draw around them: L"),
            (Tool::Side, "Side", "A side of the cloth, from corner to corner, by a click near it"),
        ] {
            let is_used = editor.selection.tool == Some(tool);
            let button = ui.selectable_label(is_used, title).on_hover_text(format!("{help}. With Shift, more of them"));
            note_place(ui, &format!("choose by {}", title.to_lowercase()), button.rect);
            if button.clicked() {
                editor.selection.toggle(tool);
            }
        }
    });
    if editor.selection.is_empty() {
        return;
    }
    let cloth = session.frame().scene.name_of(ScenePart::Piece(editor.selection.piece));
    let count = editor.selection.vertices.len();
    let vertices = if count == 1 { "1 vertex".to_owned() } else { format!("{count} vertices") };
    ui.label(format!("{vertices} of {cloth}"));
    ui.horizontal(|ui| {
        let mut button = |title: &str, help: &str| {
            let button = ui.button(title).on_hover_text(help);
            note_place(ui, &format!("selection {}", title.to_lowercase()), button.rect);
            button.clicked()
        };
        if button("Pin", "Hold them where they start: P") {
            editor.pin_selection(session, Some(true));
        }
        if button("Let go", "They are held no more") {
            editor.pin_selection(session, Some(false));
        }
        if button("Handle", "Move them together, by keys or by hand") {
            editor.make_handle(session);
        }
        if button("Clear", "Choose none") {
            editor.selection.vertices.clear();
        }
    });
}

/// Marks the chosen vertices and those of the chosen pins or handle, and draws the outline.
fn draw(
    (editor, session, displayed): (Res<Editor>, Res<SessionHandle>, ChosenCloth),
    (viewpoint, around): (Viewpoint, Surroundings),
    mut gizmos: Gizmos<Handles>,
) {
    if !editor.is_open {
        return;
    }
    let frame = session.frame();
    let is_same = editor.selection.generation == frame.generation;
    let chosen = editor.selection.vertices.iter().filter(|_| is_same);
    for vertex in editor.held.vertices.iter().chain(chosen).take(MOST_MARKED) {
        let Some(at) = displayed.positions.get(*vertex as usize).map(|at| at.as_vec3()) else { continue };
        let radius = MARK * viewpoint.distance(at);
        gizmos.circle(Isometry3d::new(at, viewpoint.transform().rotation()), radius, CHOSEN).resolution(10);
    }
    let outline = match editor.selection.tool {
        Some(Tool::Rectangle) => corners(&editor.selection.outline),
        _ => editor.selection.outline.clone(),
    };
    let places: Vec<Vec3> = outline.iter().filter_map(|cursor| around.point_at(*cursor, DEPTH)).collect();
    if let (Some(first), true) = (places.first(), places.len() > 1) {
        gizmos.linestrip(places.iter().chain([first]).copied(), OUTLINE);
    }
}
