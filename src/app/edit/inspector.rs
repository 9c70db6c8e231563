//! The fields of the chosen part.

use egui::{DragValue, RichText, Ui};

use super::vector_row::{SPEED, vector};
use super::{Editor, keyframes, send};
use crate::app::session::SessionHandle;
use crate::app::widgets::style::{ACCENT, QUIET};
use crate::app::widgets::swatch::swatch;
use crate::app::widgets::{note_place, parameter, row_label};
use crate::scene::{Body, Edit, Fabric, Piece, PinChoice, Pinning, Scene, ScenePart};
use crate::sim::contact::{Collider, ContactSettings, Shape};
use crate::sim::params::{Setting, Tunable};
use crate::sim::{Parameters, Path, Quat, Real, Vec3};

/// Least and largest length of a part [m].
const LENGTHS: std::ops::RangeInclusive<f64> = 0.001..=100.0;

/// A part while its fields are changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Draft {
    /// A cloth or a body.
    Piece(Box<Piece>),
    /// A collider.
    Collider(Box<Collider>),
    /// The path of a handle.
    Path(Option<Path>),
}

impl Draft {
    fn of(scene: &Scene, part: ScenePart) -> Option<Self> {
        match part {
            ScenePart::Piece(at) => {
                scene.all_pieces().nth(at as usize).cloned().map(|piece| Self::Piece(Box::new(piece)))
            }
            ScenePart::Collider(at) => {
                scene.colliders.get(at as usize).cloned().map(|collider| Self::Collider(Box::new(collider)))
            }
            ScenePart::Handle { piece, at } => {
                let handle = scene.all_pieces().nth(piece as usize)?.handles.get(at as usize)?;
                Some(Self::Path(handle.path.clone()))
            }
            ScenePart::Pins(_) => None,
        }
    }

    /// The path, of what can have one.
    pub fn path(&mut self) -> Option<&mut Option<Path>> {
        match self {
            Self::Collider(collider) => Some(&mut collider.path),
            Self::Path(path) => Some(path),
            Self::Piece(_) => None,
        }
    }

    fn edit(self, part: ScenePart) -> Edit {
        match (self, part) {
            (Self::Piece(piece), ScenePart::Piece(at)) => Edit::ReplacePiece { at, piece },
            (Self::Collider(collider), ScenePart::Collider(at)) => Edit::ReplaceCollider { at, collider },
            (Self::Path(path), part) => Edit::SetPath { part, path },
            // a draft is one of its part
            (Self::Piece(_) | Self::Collider(_), part) => Edit::Lock { part, on: false },
        }
    }
}

/// The chosen part as the scene has it, and as it has been changed.
pub fn draft_of(editor: &mut Editor, session: &SessionHandle, part: ScenePart) -> Option<(Draft, Draft)> {
    let present = Draft::of(&session.frame().scene, part)?;
    let is_sent = editor.sent.is_some() && !editor.awaits(session.frame());
    if is_sent {
        (editor.draft, editor.sent) = (None, None);
    }
    let held = editor.draft.take().filter(|(of, _)| *of == part).map(|(_, draft)| draft);
    let draft = held.unwrap_or_else(|| present.clone());
    Some((present, draft))
}

/// Sends the edit of a changed part once pointer and keyboard have let go, and keeps the change
/// until the scene has it.
pub fn keep(
    ui: &Ui,
    editor: &mut Editor,
    session: &mut SessionHandle,
    (part, present): (ScenePart, &Draft),
    draft: Draft,
) {
    if draft == *present {
        return;
    }
    let is_busy = ui.input(|input| input.pointer.any_down()) || ui.ctx().text_edit_focused();
    if !is_busy && !editor.awaits(session.frame()) {
        editor.sent = Some(send(session, draft.clone().edit(part)));
    }
    // shown until the scene has it, or has refused it
    editor.draft = Some((part, draft));
}

/// Shows the fields, and sends an edit when a change is complete.
pub fn show(ui: &mut Ui, editor: &mut Editor, session: &mut SessionHandle, (part, name): (ScenePart, &str)) {
    let scene = std::sync::Arc::clone(&session.frame().scene);
    let Some((present, mut draft)) = draft_of(editor, session, part) else { return };
    ui.label(RichText::new(name).strong());
    if let ScenePart::Handle { .. } = part {
        let held = editor.held.vertices.len();
        ui.label(RichText::new(format!("{held} vertices of {}", scene.name_of(part.thing()))).small().color(QUIET));
    }
    match &mut draft {
        Draft::Piece(piece) => {
            let bounds = super::bounds_of(session.frame(), part);
            show_piece(ui, piece, bounds.map(|(low, high)| 0.5 * (low + high)).unwrap_or_default());
            if let ScenePart::Piece(at) = part {
                fabrics(ui, session, at);
            }
        }
        Draft::Collider(collider) => {
            show_collider(ui, collider, &session.frame().parameters);
            keyframes::show(ui, editor, session, part, &mut collider.path);
        }
        Draft::Path(path) => keyframes::show(ui, editor, session, part, path),
    }
    keep(ui, editor, session, (part, &present), draft);
}

/// Swatches of the fabrics that a piece can be made of.
fn fabrics(ui: &mut Ui, session: &mut SessionHandle, piece: u32) {
    let present = session.frame().scene.fabric_of(piece).map(|fabric| fabric.id.as_str());
    ui.horizontal(|ui| {
        row_label(ui, "Fabric", 0.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
            for fabric in Fabric::all() {
                let (rect, response) = swatch(ui, fabric, &fabric.name, present == Some(&fabric.id));
                note_place(ui, &format!("part fabric {}", fabric.id), rect);
                if response.on_hover_text(&fabric.name).clicked() {
                    send(session, Edit::Fabric { piece, id: fabric.id.clone() });
                }
            }
        });
    });
}

fn show_piece(ui: &mut Ui, piece: &mut Piece, middle: Vec3) {
    let mut position = piece.position.unwrap_or(middle);
    if vector(ui, "Position", "piece position", &mut position, (1.0, " m")) {
        piece.position = Some(position);
    }
    turn(ui, &mut piece.rotation);
    match &mut piece.body {
        Some(Body::Ball { radius, .. }) => drop(length(ui, "Radius", radius)),
        Some(_) => {}
        None if piece.mesh.is_some() => drop(row(ui, &mut piece.import, 0)),
        None => rows(ui, &mut piece.grid),
    }
    let mut pinning = Pinning { pins: piece.pins };
    rows(ui, &mut pinning);
    piece.pins = pinning.pins;
    if piece.pins == PinChoice::None && !piece.pinned.is_empty() {
        ui.label(RichText::new(format!("{} pinned vertices", piece.pinned.len())).small().color(QUIET));
    }
}

fn show_collider(ui: &mut Ui, collider: &mut Collider, parameters: &Parameters) {
    vector(ui, "Position", "collider position", &mut collider.position, (1.0, " m"));
    turn(ui, &mut collider.rotation);
    match &mut collider.shape {
        Shape::Plane { .. } => {}
        Shape::Sphere { radius } => drop(length(ui, "Radius", radius)),
        Shape::Box { half_extents } => {
            let mut edges = 2.0 * *half_extents;
            if vector(ui, "Edges", "edges", &mut edges, (1.0, " m")) {
                *half_extents = 0.5 * edges.max(Vec3::splat(*LENGTHS.start()));
            }
        }
        Shape::Capsule { half_height, radius } | Shape::Cylinder { half_height, radius } => {
            let mut height = 2.0 * *half_height;
            if length(ui, "Height", &mut height) {
                *half_height = 0.5 * height;
            }
            length(ui, "Radius", radius);
        }
        Shape::Hull { scale, .. } | Shape::Mesh { scale, .. } => drop(length(ui, "Scale", scale)),
    }
    own(ui, ContactSettings::friction, &mut collider.friction, parameters);
    own(ui, ContactSettings::thickness, &mut collider.thickness, parameters);
}

/// A row for every parameter of a group.
fn rows(ui: &mut Ui, group: &mut dyn Tunable) {
    for index in 0..group.params().len() {
        row(ui, group, index);
    }
}

/// The row of one parameter. Returns whether it was changed.
fn row(ui: &mut Ui, group: &mut dyn Tunable, index: usize) -> bool {
    let param = group.param(index);
    let before = group.get(index);
    let mut value = before;
    let row = ui.horizontal(|ui| {
        let label = row_label(ui, param.label, 0.0).on_hover_text(param.help());
        parameter::edit(ui, &param, &mut value, (label.id, 0.0)).labelled_by(label.id);
    });
    note_place(ui, &format!("part {}", param.key), row.response.rect);
    // the widgets keep to the range; a value that is none after all changes nothing
    value != before && group.set(index, value).is_ok()
}

/// A parameter of contact that a collider may have for itself.
fn own(ui: &mut Ui, key: &str, value: &mut Option<Real>, parameters: &Parameters) {
    let mut common: ContactSettings = parameters.contact;
    let Some(index) = common.params().iter().position(|param| param.key == key) else { return };
    if let Some(own) = *value {
        common.assign(index, Setting::Real(own));
    }
    if row(ui, &mut common, index)
        && let Setting::Real(own) = common.get(index)
    {
        *value = Some(own);
    }
}

fn length(ui: &mut Ui, title: &str, value: &mut Real) -> bool {
    ui.horizontal(|ui| {
        let label = row_label(ui, title, 0.0).id;
        let number = DragValue::new(value).range(LENGTHS).speed(SPEED).max_decimals(3).suffix(" m");
        let number = ui.add(number).labelled_by(label);
        note_place(ui, &format!("part {}", title.to_lowercase()), number.rect);
        number.changed()
    })
    .inner
}

/// The rotation, as turns about x, y and z one after the other.
fn turn(ui: &mut Ui, rotation: &mut Vec3) {
    let (x, y, z) = Quat::from_scaled_axis(*rotation).to_euler(glam::EulerRot::ZYX);
    let mut angles = Vec3::new(z, y, x);
    if vector(ui, "Turned", "turned", &mut angles, (180.0 / std::f64::consts::PI, "°")) {
        let [x, y, z] = angles.to_array();
        *rotation = Quat::from_euler(glam::EulerRot::ZYX, z, y, x).to_scaled_axis();
    }
    if *rotation != Vec3::ZERO
        && ui.add(egui::Button::new(RichText::new("not turned").small().color(ACCENT)).frame(false)).clicked()
    {
        *rotation = Vec3::ZERO;
    }
}
