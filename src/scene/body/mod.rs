//! Bodies of tetrahedra in a scene: made by a few numbers, read from a file, or filled into a
//! surface.

mod lattice;
mod letters;
mod solids;

use serde::{Deserialize, Serialize};

use super::body_import::{ImportedBody, import_body};
use super::mesh_import::read_mesh;
use super::{ImportedMesh, InputError, text};
use crate::sim::params::quote::{number, quote};
use crate::sim::{Real, Vec3};
use lattice::{MOST, Mesh, Solid, count, fill, fill_boxes};
use solids::{Blob, Enclosed};

/// A body of tetrahedra. It takes the place of the cloth of its piece.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Body {
    /// A box along the axes, divided into so many boxes with five tetrahedra each.
    Bar {
        /// Its edges [m].
        size: Vec3,
        /// Boxes along each edge.
        cells: [u32; 3],
    },
    /// A ball.
    Ball {
        /// Radius of the ball [m].
        radius: Real,
        /// Edge of the cubes of the lattice that it is filled with [m].
        cell: Real,
    },
    /// An animal on four short legs, along x.
    Hippo {
        /// From its back to its nose [m].
        length: Real,
        /// Edge of the cubes of the lattice that it is filled with [m].
        cell: Real,
    },
    /// Letters of boxes, seven in the height of each.
    Letters {
        /// Letters from A to Z, and spaces.
        text: String,
        /// Height of a letter [m].
        height: Real,
    },
    /// The tetrahedra of a `.mesh` or `.msh` file.
    File {
        /// Its path, as for a mesh.
        file: String,
        /// Factor from the unit of the file to metres.
        #[serde(default = "one")]
        scale: Real,
    },
    /// The inside of a surface from an OBJ file.
    Filled {
        /// Its path, as for a mesh.
        file: String,
        /// Edge of the cubes of the lattice that it is filled with [m].
        cell: Real,
        /// Factor from the unit of the file to metres.
        #[serde(default = "one")]
        scale: Real,
    },
}

fn one() -> Real {
    1.0
}

/// Most boxes along an edge of a bar, and letters of a text.
const MOST_CELLS: u32 = 200;
const MOST_LETTERS: usize = 20;
/// Largest and smallest length of a body [m].
const LENGTHS: std::ops::RangeInclusive<Real> = 1e-4..=1e4;
/// Most tetrahedra of a body.
const MOST_TETRAHEDRA: usize = 1_000_000;

impl Body {
    /// Fault of its numbers, if any.
    pub(super) fn fault(&self) -> Option<String> {
        let length = |what: &str, value: Real| {
            let (low, high) = (number(*LENGTHS.start()), number(*LENGTHS.end()));
            (!LENGTHS.contains(&value)).then(|| format!("{what} {} is outside {low} to {high} m", number(value)))
        };
        let scale =
            |value: Real| (!(1e-6..=1e6).contains(&value)).then(|| "scale needs a number from 10⁻⁶ to 10⁶".to_owned());
        match self {
            Self::Bar { size, cells } => {
                let many = cells.iter().any(|&cells| cells == 0 || cells > MOST_CELLS);
                let count =
                    cells.map(|cells| cells as usize).iter().fold(5_usize, |all, &cells| all.saturating_mul(cells));
                size.to_array().into_iter().find_map(|edge| length("size", edge)).or_else(|| {
                    (many || count > MOST_TETRAHEDRA).then(|| {
                        format!(
                            "cells needs from 1 to {MOST_CELLS} along each edge, and no more than {} in all",
                            MOST_TETRAHEDRA / 5
                        )
                    })
                })
            }
            Self::Ball { radius, cell } => length("radius", *radius).or_else(|| length("cell", *cell)),
            Self::Hippo { length: long, cell } => length("length", *long).or_else(|| length("cell", *cell)),
            Self::Letters { text, height } => {
                let unknown = text.chars().find(|&letter| !letters::has(letter));
                let none = text.trim().is_empty() || text.chars().count() > MOST_LETTERS;
                length("height", *height)
                    .or_else(|| {
                        unknown.map(|letter| {
                            format!(
                                "there is no letter \"{}\"; letters are A to Z and spaces",
                                quote(&letter.to_string())
                            )
                        })
                    })
                    .or_else(|| none.then(|| format!("text needs from 1 to {MOST_LETTERS} letters")))
            }
            Self::File { scale: factor, .. } => scale(*factor),
            Self::Filled { cell, scale: factor, .. } => length("cell", *cell).or_else(|| scale(*factor)),
        }
    }

    /// Number of tetrahedra, or of those of the lattice that it is cut from; 0 where a file says.
    pub(super) fn tetrahedra(&self) -> u64 {
        let of_boxes = |count: [u32; 3]| count.iter().fold(5_u64, |all, &next| all.saturating_mul(u64::from(next)));
        match self {
            Self::Bar { cells, .. } => of_boxes(*cells),
            Self::Letters { text, .. } => of_boxes(boxes_of(text)),
            Self::Ball { radius, cell } => count(&Blob::ball(*radius), *cell) as u64,
            Self::Hippo { length, cell } => count(&Blob::hippo(*length), *cell) as u64,
            Self::File { .. } | Self::Filled { .. } => 0,
        }
    }

    /// Whether it is made from a file, and has its place from there.
    pub(super) fn is_from_file(&self) -> bool {
        matches!(self, Self::File { .. } | Self::Filled { .. })
    }

    /// The file that it is made from, if it is from one.
    pub(super) fn file_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::File { file, .. } | Self::Filled { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Makes the body, at the place of its file or about the origin: vertices [m] and tetrahedra.
    /// `weld` is for reading files of surfaces, `place` for messages; messages for the user about
    /// the files are added to `notes`.
    pub(super) fn make(&self, weld: Real, place: &str, notes: &mut Vec<String>) -> Result<Mesh, InputError> {
        let solid: (Box<dyn Solid>, Real) = match self {
            Self::Bar { size, cells } => {
                let [nx, ny, nz] = cells.map(Real::from);
                return Ok(fill_boxes(*cells, *size / Vec3::new(nx, ny, nz), |_| true));
            }
            Self::Letters { text, height } => {
                let count = boxes_of(text);
                let size = Vec3::splat(height / Real::from(count[1]));
                return Ok(fill_boxes(count, size, |[column, row, _]| letters::is_filled(text, column, row)));
            }
            Self::File { file, scale } => {
                let body = read_body(file)?;
                notes.extend(body.note(file));
                let ImportedBody { mut positions, tetrahedra, .. } = body;
                positions.iter_mut().for_each(|x| *x *= *scale);
                return Ok((positions, tetrahedra));
            }
            Self::Ball { radius, cell } => (Box::new(Blob::ball(*radius)), *cell),
            Self::Hippo { length, cell } => (Box::new(Blob::hippo(*length)), *cell),
            Self::Filled { file, cell, scale } => {
                let mesh = read_mesh(file, weld)?;
                notes.extend(mesh.note(file));
                let ImportedMesh { mut positions, triangles, .. } = mesh;
                positions.iter_mut().for_each(|x| *x *= *scale);
                let solid = Enclosed::new(&positions, &triangles);
                let solid = solid.ok_or_else(|| InputError::new(file, "holds no surface that could be filled"))?;
                (Box::new(solid), *cell)
            }
        };
        let (solid, cell) = solid;
        let finer = |message: String| InputError::new(self.named(place), message);
        let lattice = count(solid.as_ref(), cell);
        if lattice > MOST || lattice.is_nan() {
            let message = format!("cells of {} m make too many tetrahedra; take larger ones", number(cell));
            return Err(finer(message));
        }
        let mesh = fill(solid.as_ref(), cell);
        if mesh.1.is_empty() {
            let message = format!(
                "nothing inside is as large as a cell of {} m; take smaller cells, or close the surface",
                number(cell)
            );
            return Err(finer(message));
        }
        Ok(mesh)
    }

    fn named(&self, place: &str) -> String {
        match self {
            Self::File { file, .. } | Self::Filled { file, .. } => file.clone(),
            _ => place.to_owned(),
        }
    }
}

/// Boxes along each axis that the letters of `text` are cut from.
fn boxes_of(text: &str) -> [u32; 3] {
    let [columns, rows] = letters::SIZE;
    [((columns + 1) * text.chars().count() as u32).saturating_sub(1), rows, 2]
}

/// The body of a file.
pub(super) fn read_body(file: &str) -> Result<ImportedBody, InputError> {
    import_body(&text::read_numbers(file, "the body")?, file)
}
