//! Edits of a scene: what stands in it, where, and how large.

mod apart;
mod extent;
mod naming;
mod size;
mod template;

pub use extent::part_bounds;
pub use template::Template;

use serde::{Deserialize, Serialize};

use super::{InputError, Piece, Scene};
use crate::sim::contact::Collider;
use crate::sim::model::motion::is_rotation;
use crate::sim::params::quote::number;
use crate::sim::{Quat, Real, Turn, Vec3};

/// Most copies that one edit makes.
const MOST_COPIES: u32 = 100;
/// Room between a thing that is set down and what it stands on, beside the thickness [m].
const GAP: Real = 0.002;
/// Places per metre that an edit gives to things, so that their numbers stay short.
const PER_METRE: Real = 1e6;

/// A thing that stands in a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A cloth or a body, by its number; 0 is the first piece.
    Piece(u32),
    /// A collider, by its number; floor and table are none.
    Collider(u32),
}

/// A change of what stands in a scene. Lengths are in metres, rotations are axis times angle [rad].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Adds a cloth or a body behind the others.
    AddPiece {
        /// With all of its fields that differ from their defaults.
        piece: Box<Piece>,
    },
    /// Adds a collider behind the others.
    AddCollider {
        /// The collider.
        collider: Box<Collider>,
    },
    /// Takes a thing away. One piece has to stay.
    Remove {
        /// Which.
        part: Part,
    },
    /// Gives a cloth or a body other fields.
    ReplacePiece {
        /// Its number; 0 is the first piece.
        at: u32,
        /// All of its fields that differ from their defaults.
        piece: Box<Piece>,
    },
    /// Gives a collider other fields.
    ReplaceCollider {
        /// Its number.
        at: u32,
        /// The collider as it is to be.
        collider: Box<Collider>,
    },
    /// Adds copies, each shifted against the one before.
    Copy {
        /// Of what.
        part: Part,
        /// Shift [m].
        by: Vec3,
        /// Number of copies, from 1 to 100.
        count: u32,
    },
    /// Shifts a thing.
    Shift {
        /// Which.
        part: Part,
        /// Shift [m].
        by: Vec3,
    },
    /// Turns a thing about its position.
    Turn {
        /// Which.
        part: Part,
        /// Axis times angle [rad], in the axes of the world.
        by: Vec3,
    },
    /// Makes a thing larger or smaller about its position.
    Scale {
        /// Which.
        part: Part,
        /// Factor of its lengths.
        by: Real,
    },
    /// Shifts a thing up or down until it stands on the highest thing below or in it: a collider,
    /// the table or the floor, by their bounding boxes; a piece on other pieces as well.
    SetDown {
        /// Which.
        part: Part,
    },
    /// Moves pieces that intersect other things at the start up, each onto what it stands in.
    MoveApart,
}

impl Edit {
    /// Name of it as an action.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::AddPiece { .. } | Self::AddCollider { .. } => "Add",
            Self::Remove { .. } => "Remove",
            Self::ReplacePiece { .. } | Self::ReplaceCollider { .. } => "Change",
            Self::Copy { .. } => "Copy",
            Self::Shift { .. } => "Shift",
            Self::Turn { .. } => "Turn",
            Self::Scale { .. } => "Scale",
            Self::SetDown { .. } => "Set down",
            Self::MoveApart => "Move apart",
        }
    }

    /// Whether its numbers are valid for any scene.
    ///
    /// # Errors
    /// [`InputError`] without a place, with the fault and the remedy.
    pub fn check(&self) -> Result<(), InputError> {
        let fault = match self {
            Self::Copy { by, .. } | Self::Shift { by, .. } if !by.is_finite() => {
                "a shift needs three finite numbers".to_owned()
            }
            Self::Copy { count, .. } if !(1..=MOST_COPIES).contains(count) => {
                format!("{count} copies cannot be made at once; give a number from 1 to {MOST_COPIES}")
            }
            Self::Turn { by, .. } if !is_rotation(*by) => {
                "a turn needs three numbers from -1000 to 1000 (rad)".to_owned()
            }
            Self::Scale { by, .. } if !(by.is_finite() && *by > 0.0) => {
                format!("nothing can be scaled by {}; give a positive factor", number(*by))
            }
            _ => return Ok(()),
        };
        Err(InputError::new("", fault))
    }
}

impl Scene {
    /// Executes an edit.
    ///
    /// # Errors
    /// [`InputError`] for a part that does not exist, a number that is not valid, or a file that
    /// cannot be read; the scene stays as it was.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), InputError> {
        edit.check()?;
        let mut edited = self.clone();
        edited.execute(edit)?;
        edited.check_edited()?;
        *self = edited;
        Ok(())
    }

    fn execute(&mut self, edit: &Edit) -> Result<(), InputError> {
        match edit {
            Edit::AddPiece { piece } => self.pieces.push((**piece).clone()),
            Edit::AddCollider { collider } => self.colliders.push((**collider).clone()),
            Edit::Remove { part } => self.remove(*part)?,
            Edit::ReplacePiece { at, piece } => {
                if let Found::Piece(old) = self.part(Part::Piece(*at))? {
                    *old = (**piece).clone();
                }
            }
            Edit::ReplaceCollider { at, collider } => {
                if let Found::Collider(old) = self.part(Part::Collider(*at))? {
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
                };
                *rotation = (by * Quat::from_scaled_axis(*rotation)).to_scaled_axis();
            }
            Edit::Scale { part, by } => match self.part(*part)? {
                Found::Piece(piece) => size::scale_piece(piece, *by),
                Found::Collider(collider) => size::scale_shape(&mut collider.shape, *by)?,
            },
            Edit::MoveApart => self.move_apart()?,
            Edit::SetDown { part } => {
                let Some(by) = self.height_to_lose(*part)? else {
                    let message = "there is nothing below it to stand on; put a floor or a collider there";
                    return Err(InputError::new("", message));
                };
                self.shift(*part, Vec3::NEG_Y * by)?;
            }
        }
        Ok(())
    }

    fn part(&mut self, part: Part) -> Result<Found<'_>, InputError> {
        let (pieces, colliders) = (1 + self.pieces.len(), self.colliders.len());
        match part {
            Part::Piece(at) => self.all_pieces_mut().nth(at as usize).map(Found::Piece).ok_or_else(|| {
                InputError::new("", format!("piece {at} does not exist; the scene has {pieces}, counted from 0"))
            }),
            Part::Collider(at) => self.colliders.get_mut(at as usize).map(Found::Collider).ok_or_else(|| {
                let message = format!(
                    "collider {at} does not exist; the scene has {colliders}, counted from 0, beside floor and table"
                );
                InputError::new("", message)
            }),
        }
    }

    fn remove(&mut self, part: Part) -> Result<(), InputError> {
        self.part(part)?;
        match part {
            Part::Collider(at) => drop(self.colliders.remove(at as usize)),
            Part::Piece(0) if self.pieces.is_empty() => {
                return Err(InputError::new("", "a scene needs a cloth or a body; add another one first"));
            }
            // material and fabric stay those of the scene
            Part::Piece(0) => self.first = self.pieces.remove(0),
            Part::Piece(at) => drop(self.pieces.remove(at as usize - 1)),
        }
        Ok(())
    }

    /// Adds a copy, shifted.
    fn copy(&mut self, part: Part, by: Vec3) -> Result<(), InputError> {
        let copy = match self.part(part)? {
            Found::Piece(piece) => {
                let piece = piece.clone();
                self.pieces.push(piece);
                Part::Piece(self.pieces.len() as u32)
            }
            Found::Collider(collider) => {
                let collider = collider.clone();
                self.colliders.push(collider);
                Part::Collider(self.colliders.len() as u32 - 1)
            }
        };
        self.shift(copy, by)
    }

    fn shift(&mut self, part: Part, by: Vec3) -> Result<(), InputError> {
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
        }
        Ok(())
    }
}

/// A coordinate in whole micrometres [m].
fn rounded(length: Real) -> Real {
    (length * PER_METRE).round() / PER_METRE
}

/// A part of a scene, to change.
enum Found<'a> {
    Piece(&'a mut Piece),
    Collider(&'a mut Collider),
}
