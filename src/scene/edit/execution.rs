//! Execution of edits.

use super::{Edit, ScenePart, rounded, size};
use crate::scene::{Handle, InputError, Piece, PinChoice, Scene};
use crate::sim::contact::Collider;
use crate::sim::{Quat, Real, Turn, Vec3};

impl Scene {
    /// Executes an edit.
    ///
    /// # Errors
    /// [`InputError`] for a part that does not exist, a number that is not valid, or a file that
    /// cannot be read; the scene stays as it was.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), InputError> {
        edit.check()?;
        if let Some(part) = edit.locked_by()
            && self.is_locked(part)
        {
            let message = format!("{} is locked; unlock it first", self.name_of(part));
            return Err(InputError::new("", message));
        }
        let mut edited = self.clone();
        edited.execute(edit)?;
        edited.check_edited()?;
        *self = edited;
        Ok(())
    }

    fn execute(&mut self, edit: &Edit) -> Result<(), InputError> {
        match edit {
            Edit::Rename { part, name } => *self.part(*part)?.name()? = name.trim().to_owned(),
            Edit::Hide { part, on } => *self.part(*part)?.marks()?[0] = *on,
            Edit::Lock { part, on } => *self.part(*part)?.marks()?[1] = *on,
            Edit::Pin { piece, vertices, on } => self.pin(*piece, vertices, *on)?,
            Edit::AddHandle { piece, handle } => self.add_handle(*piece, handle)?,
            Edit::SetPath { part, path } => self.set_path(*part, path.as_ref())?,
            Edit::Fabric { piece, id } => self.make_piece_of(*piece, id)?,
            Edit::Title { title } => self.title = title.trim().to_owned(),
            _ => return self.place(edit),
        }
        Ok(())
    }

    /// Executes an edit of what stands where, and how large.
    fn place(&mut self, edit: &Edit) -> Result<(), InputError> {
        match edit {
            Edit::AddPiece { piece } => self.pieces.push((**piece).clone()),
            Edit::AddCollider { collider } => self.colliders.push((**collider).clone()),
            Edit::Remove { part } => self.remove(*part)?,
            Edit::ReplacePiece { at, piece } => {
                let old = self.piece_mut(*at)?;
                let mut new = (**piece).clone();
                size::keep_held(&mut new, old);
                *old = new;
            }
            Edit::ReplaceCollider { at, collider } => {
                if let Found::Collider(old) = self.part(ScenePart::Collider(*at))? {
                    *old = (**collider).clone();
                }
            }
            Edit::Copy { part, by, count } => {
                for number in 1..=*count {
                    self.copy(*part, *by * Real::from(number))?;
                }
            }
            Edit::Shift { part, by } => self.shift(*part, *by)?,
            Edit::Turn { part, by } => {
                let by = Quat::from_scaled_axis(*by);
                let rotation = match self.part(*part)? {
                    Found::Piece(piece) => &mut piece.rotation,
                    Found::Collider(collider) => &mut collider.rotation,
                    held => return Err(held.refusal()),
                };
                *rotation = (by * Quat::from_scaled_axis(*rotation)).to_scaled_axis();
            }
            Edit::Scale { part, by } => match self.part(*part)? {
                Found::Piece(piece) => size::scale_piece(piece, *by),
                Found::Collider(collider) => size::scale_shape(&mut collider.shape, *by)?,
                held => return Err(held.refusal()),
            },
            Edit::MoveApart => self.move_apart()?,
            Edit::SetDown { part } => {
                let Some(by) = self.height_to_lose(*part)? else {
                    let message = "there is nothing below it to stand on; put a floor or a collider there";
                    return Err(InputError::new("", message));
                };
                self.shift(*part, Vec3::NEG_Y * by)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A part, to change.
    ///
    /// # Errors
    /// [`InputError`] without a place when the scene does not have it.
    pub(super) fn part(&mut self, part: ScenePart) -> Result<Found<'_>, InputError> {
        let (pieces, colliders) = (1 + self.pieces.len(), self.colliders.len());
        match part {
            ScenePart::Pins(piece) => self.piece_mut(piece).map(|_| Found::Pins),
            ScenePart::Handle { piece, at } => {
                let piece_name = self.name_of(ScenePart::Piece(piece));
                let piece = self.piece_mut(piece)?;
                let count = piece.handles.len();
                piece.handles.get_mut(at as usize).map(Found::Handle).ok_or_else(|| {
                    let message = format!("handle {at} does not exist; {piece_name} has {count}, counted from 0");
                    InputError::new("", message)
                })
            }
            ScenePart::Piece(at) => self.all_pieces_mut().nth(at as usize).map(Found::Piece).ok_or_else(|| {
                InputError::new("", format!("piece {at} does not exist; the scene has {pieces}, counted from 0"))
            }),
            ScenePart::Collider(at) => self.colliders.get_mut(at as usize).map(Found::Collider).ok_or_else(|| {
                let message = format!(
                    "collider {at} does not exist; the scene has {colliders}, counted from 0, beside floor and table"
                );
                InputError::new("", message)
            }),
        }
    }

    /// A piece, to change.
    ///
    /// # Errors
    /// As of [`part`](Self::part).
    pub(super) fn piece_mut(&mut self, piece: u32) -> Result<&mut Piece, InputError> {
        match self.part(ScenePart::Piece(piece))? {
            Found::Piece(piece) => Ok(piece),
            other => Err(other.refusal()),
        }
    }

    fn remove(&mut self, part: ScenePart) -> Result<(), InputError> {
        self.part(part)?;
        match part {
            ScenePart::Pins(piece) => {
                let piece = self.piece_mut(piece)?;
                (piece.pins, piece.pinned) = (PinChoice::None, Vec::new());
            }
            ScenePart::Handle { piece, at } => drop(self.piece_mut(piece)?.handles.remove(at as usize)),
            ScenePart::Collider(at) => drop(self.colliders.remove(at as usize)),
            ScenePart::Piece(0) if self.pieces.is_empty() => {
                return Err(InputError::new("", "a scene needs a cloth or a body; add another one first"));
            }
            // material and fabric stay those of the scene
            ScenePart::Piece(0) => self.first = self.pieces.remove(0),
            ScenePart::Piece(at) => drop(self.pieces.remove(at as usize - 1)),
        }
        Ok(())
    }

    /// Adds a copy, shifted.
    fn copy(&mut self, part: ScenePart, by: Vec3) -> Result<(), InputError> {
        let copy = match self.part(part)? {
            Found::Piece(piece) => {
                let piece = Piece { name: String::new(), locked: false, ..piece.clone() };
                self.pieces.push(piece);
                ScenePart::Piece(self.pieces.len() as u32)
            }
            Found::Collider(collider) => {
                let collider = Collider { name: String::new(), locked: false, ..collider.clone() };
                self.colliders.push(collider);
                ScenePart::Collider(self.colliders.len() as u32 - 1)
            }
            held => return Err(held.refusal()),
        };
        self.shift(copy, by)
    }

    /// Shifts a part.
    pub(super) fn shift(&mut self, part: ScenePart, by: Vec3) -> Result<(), InputError> {
        let place = self.name.clone();
        let center = |turn: &mut Option<Turn>| {
            if let Some(center) = turn.as_mut().and_then(|turn| turn.center.as_mut()) {
                *center += by;
            }
        };
        match self.part(part)? {
            Found::Piece(piece) => {
                piece.position = Some((piece.standing(&place)? + by).map(rounded));
                piece.handles.iter_mut().for_each(|handle| center(&mut handle.turn));
            }
            Found::Collider(collider) => {
                collider.position = (collider.position + by).map(rounded);
                center(&mut collider.turn);
            }
            held => return Err(held.refusal()),
        }
        Ok(())
    }
}

/// A part of a scene, to change.
pub(super) enum Found<'a> {
    /// A piece.
    Piece(&'a mut Piece),
    /// A collider.
    Collider(&'a mut Collider),
    /// The pins of a piece.
    Pins,
    /// A handle.
    Handle(&'a mut Handle),
}

impl<'a> Found<'a> {
    /// Its name.
    fn name(self) -> Result<&'a mut String, InputError> {
        match self {
            Self::Piece(piece) => Ok(&mut piece.name),
            Self::Collider(collider) => Ok(&mut collider.name),
            Self::Handle(handle) => Ok(&mut handle.name),
            Self::Pins => Err(InputError::new("", "pins have no name; name their cloth")),
        }
    }

    /// Whether it is hidden, and whether it is locked.
    fn marks(self) -> Result<[&'a mut bool; 2], InputError> {
        match self {
            Self::Piece(piece) => Ok([&mut piece.hidden, &mut piece.locked]),
            Self::Collider(collider) => Ok([&mut collider.hidden, &mut collider.locked]),
            held => Err(held.refusal()),
        }
    }

    /// Why nothing that stands by itself can be done with it.
    pub(super) fn refusal(&self) -> InputError {
        let message = match self {
            Self::Piece(_) | Self::Collider(_) => "a thing that stands by itself has no path of pins",
            Self::Pins => "pins are where their cloth starts; take the cloth instead",
            Self::Handle(_) => "a handle starts where its vertices are; take the cloth, or give the handle a path",
        };
        InputError::new("", message)
    }
}
