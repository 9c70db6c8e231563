//! Edits of a scene: what stands in it, where, and how large.

mod execution;
mod extent;
mod fabric;
mod holding;
mod naming;
mod size;
mod template;

pub use extent::part_bounds;
pub use holding::side_near;
pub use naming::OutlinerRow;
pub use template::Template;

use serde::{Deserialize, Serialize};

use super::{Handle, InputError, Piece};
use crate::sim::contact::Collider;
use crate::sim::model::motion::is_rotation;
use crate::sim::params::quote::{is_hidden, number};
use crate::sim::{Path, Real, Vec3};

/// Most copies that one edit makes.
const MOST_COPIES: u32 = 100;
/// Room between a thing that is set down and what it stands on, beside the thickness [m].
const GAP: Real = 0.002;
/// Places per metre that an edit gives to things, so that their numbers stay short.
const PER_METRE: Real = 1e6;
/// Most letters of a name.
const MOST_LETTERS: usize = 60;

/// A thing that stands in a scene, or what holds a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScenePart {
    /// A cloth or a body, by its number; 0 is the first piece.
    Piece(u32),
    /// A collider, by its number; floor and table are none.
    Collider(u32),
    /// The vertices of a piece that are held where they start, by the number of the piece.
    Pins(u32),
    /// The vertices of a piece that are moved together.
    Handle {
        /// Number of the piece.
        piece: u32,
        /// Number of the handle among those of the piece.
        at: u32,
    },
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
        /// Part of the scene that is edited.
        part: ScenePart,
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
        part: ScenePart,
        /// Shift [m].
        by: Vec3,
        /// Number of copies, from 1 to 100.
        count: u32,
    },
    /// Shifts a thing.
    Shift {
        /// Part of the scene that is edited.
        part: ScenePart,
        /// Shift [m].
        by: Vec3,
    },
    /// Turns a thing about its position.
    Turn {
        /// Part of the scene that is edited.
        part: ScenePart,
        /// Axis times angle [rad], in the axes of the world.
        by: Vec3,
    },
    /// Makes a thing larger or smaller about its position.
    Scale {
        /// Part of the scene that is edited.
        part: ScenePart,
        /// Factor of its lengths.
        by: Real,
    },
    /// Shifts a thing up or down until it stands on the highest thing below or in it: a collider,
    /// the table or the floor, by their bounding boxes; a piece on other pieces as well.
    SetDown {
        /// Part of the scene that is edited.
        part: ScenePart,
    },
    /// Moves pieces that intersect other things at the start up, each onto what it stands in.
    MoveApart,
    /// Gives a thing or a handle a name.
    Rename {
        /// Part of the scene that is edited.
        part: ScenePart,
        /// The name; empty takes it away.
        name: String,
    },
    /// Leaves a thing out of pictures, or shows it again.
    Hide {
        /// Part of the scene that is edited.
        part: ScenePart,
        /// Whether it is hidden.
        on: bool,
    },
    /// Protects a thing against edits, or does so no more.
    Lock {
        /// Part of the scene that is edited.
        part: ScenePart,
        /// Whether it is protected.
        on: bool,
    },
    /// Holds vertices of a piece where they start, or lets them go. They leave their handles.
    Pin {
        /// Number of the piece.
        piece: u32,
        /// The vertices, by their number in the piece.
        vertices: Vec<u32>,
        /// Whether they are held.
        on: bool,
    },
    /// Adds a handle to a piece behind the others. Its vertices leave the pins and other handles.
    AddHandle {
        /// Number of the piece.
        piece: u32,
        /// The handle.
        handle: Box<Handle>,
    },
    /// Gives a collider or a handle another path.
    SetPath {
        /// Part of the scene that is edited.
        part: ScenePart,
        /// The path; without one a collider stays, and a handle without a turn becomes pins.
        path: Option<Path>,
    },
    /// Makes a piece of a fabric; other pieces stay as they are.
    Fabric {
        /// Number of the piece.
        piece: u32,
        /// Id of the fabric.
        id: String,
    },
    /// Gives the scene a title.
    Title {
        /// The title.
        title: String,
    },
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
            Self::Rename { .. } | Self::Title { .. } => "Rename",
            Self::Hide { on, .. } => {
                if *on {
                    "Hide"
                } else {
                    "Show"
                }
            }
            Self::Lock { on, .. } => {
                if *on {
                    "Lock"
                } else {
                    "Unlock"
                }
            }
            Self::Pin { on, .. } => {
                if *on {
                    "Pin"
                } else {
                    "Unpin"
                }
            }
            Self::AddHandle { .. } => "Handle",
            Self::SetPath { .. } => "Path",
            Self::Fabric { .. } => "Fabric",
        }
    }

    /// The thing whose lock forbids it, if there is one.
    fn locked_by(&self) -> Option<ScenePart> {
        match self {
            Self::Remove { part }
            | Self::Shift { part, .. }
            | Self::Turn { part, .. }
            | Self::Scale { part, .. }
            | Self::SetDown { part }
            | Self::SetPath { part, .. }
            | Self::Rename { part, .. } => Some(part.thing()),
            Self::ReplacePiece { at: piece, .. }
            | Self::Pin { piece, .. }
            | Self::AddHandle { piece, .. }
            | Self::Fabric { piece, .. } => Some(ScenePart::Piece(*piece)),
            Self::ReplaceCollider { at, .. } => Some(ScenePart::Collider(*at)),
            Self::AddPiece { .. }
            | Self::AddCollider { .. }
            | Self::Copy { .. }
            | Self::MoveApart
            | Self::Hide { .. }
            | Self::Lock { .. }
            | Self::Title { .. } => None,
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
            Self::Rename { name: text, .. } | Self::Title { title: text } if !is_name(text) => {
                format!("a name has at most {MOST_LETTERS} letters, in one line")
            }
            _ => return Ok(()),
        };
        Err(InputError::new("", fault))
    }
}

/// Whether a text can be a name.
fn is_name(text: &str) -> bool {
    text.chars().count() <= MOST_LETTERS && !text.chars().any(is_hidden)
}

impl ScenePart {
    /// The piece or the collider that it is, or is of.
    #[must_use]
    pub fn thing(self) -> Self {
        match self {
            Self::Pins(piece) | Self::Handle { piece, .. } => Self::Piece(piece),
            thing => thing,
        }
    }

    /// Whether it stands in the scene by itself.
    #[must_use]
    pub fn is_thing(self) -> bool {
        self.thing() == self
    }
}

/// A coordinate in whole micrometres [m].
fn rounded(length: Real) -> Real {
    (length * PER_METRE).round() / PER_METRE
}
