//! Examples of how a piece may be deformed: made by a few numbers, or from a file with the same
//! topology.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::body::read_body;
use super::mesh_import::read_mesh;
use super::pinning::bounds;
use super::{ImportedBody, ImportedMesh, InputError, MeshImport};
use crate::sim::constraints::MOST_EXAMPLES;
use crate::sim::params::quote::quote;
use crate::sim::pattern::Tetrahedron;
use crate::sim::{Pattern, Quat, Real, Vec3};

/// A shape that a piece prefers, beside that at rest. Where it stands and how it is turned does not
/// matter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Example {
    /// Bent to a part of a circle along its longest side.
    Bend {
        /// Part of a whole circle.
        turns: Real,
    },
    /// Twisted about its longest side.
    Twist {
        /// Turns from one end to the other.
        turns: Real,
    },
    /// Stretched along its longest side, and narrowed to the same volume.
    Stretch {
        /// Its length over that at rest.
        factor: Real,
    },
    /// Waves across its flattest side, like crumpled paper.
    Waves {
        /// Height of a wave [m].
        height: Real,
        /// From crest to crest [m].
        length: Real,
    },
    /// The vertices of a file: `.obj` for a cloth, `.mesh` or `.msh` for a body, with the same
    /// triangles or tetrahedra.
    File {
        /// Its path, as for a mesh.
        file: String,
        /// Factor from the unit of the file to metres.
        #[serde(default = "one")]
        scale: Real,
    },
}

fn one() -> Real {
    1.0
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bend { turns } => write!(f, "bent by {turns} of a circle"),
            Self::Twist { turns } => write!(f, "twisted by {turns} turns"),
            Self::Stretch { factor } => write!(f, "stretched to {factor} times its length"),
            Self::Waves { height, length } => write!(f, "waves of {height} m, {length} m long"),
            Self::File { file, .. } => write!(f, "{file}"),
        }
    }
}

impl Example {
    /// A fault of its numbers, if any.
    fn fault(&self) -> Option<&'static str> {
        let outside = |value: Real, low: Real, high: Real| !(low..=high).contains(&value);
        match *self {
            Self::Bend { turns } | Self::Twist { turns } if outside(turns, -20.0, 20.0) => {
                Some("turns needs a number from -20 to 20")
            }
            Self::Stretch { factor } if outside(factor, 0.05, 20.0) => Some("factor needs a number from 0.05 to 20"),
            Self::Waves { height, length } if outside(height, -100.0, 100.0) || outside(length, 1e-4, 1e4) => {
                Some("waves need a height from -100 to 100 m and a length from 0.0001 to 10000 m")
            }
            Self::File { scale, .. } if outside(scale, 1e-6, 1e6) => Some("scale needs a number from 10⁻⁶ to 10⁶"),
            _ => None,
        }
    }

    /// The same of several.
    pub(super) fn fault_of(examples: &[Self]) -> Option<String> {
        if examples.len() > MOST_EXAMPLES {
            return Some(format!("there may be {MOST_EXAMPLES} examples, not {}", examples.len()));
        }
        let fault = |(number, example): (usize, &Self)| Some(format!("example {}: {}", number + 1, example.fault()?));
        examples.iter().enumerate().find_map(fault)
    }

    /// The file that it is made from, if it is from one.
    pub(super) fn file_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::File { file, .. } => Some(file),
            _ => None,
        }
    }

    /// The positions [m] of the vertices of `pattern`, whose piece is turned by `rotation`.
    fn shape(&self, pattern: &Pattern, rotation: Vec3) -> Result<Vec<Vec3>, InputError> {
        if let Self::File { file, scale } = self {
            return from_file(pattern, file, *scale);
        }
        let back = Quat::from_scaled_axis(-rotation);
        let local: Vec<Vec3> = pattern.rest_positions().iter().map(|x| back * *x).collect();
        let (low, high) = bounds(&local);
        let (middle, size) = (0.5 * (low + high), high - low);
        let long = size.max_position();
        let flat = if size.min_position() == long { (long + 2) % 3 } else { size.min_position() };
        let third = 3 - long - flat;
        let length = size[long].max(Real::MIN_POSITIVE);
        let shaped = |x: &Vec3| {
            let x = *x - middle;
            let (along, up, across) = (x[long], x[flat], x[third]);
            let whole = std::f64::consts::TAU;
            let (along, up, across) = match *self {
                Self::Bend { turns } if turns != 0.0 => {
                    let radius = length / (whole * turns);
                    let (sin, cos) = (along / radius).sin_cos();
                    (sin * (radius - up), radius - cos * (radius - up), across)
                }
                Self::Twist { turns } => {
                    let (sin, cos) = (whole * turns * along / length).sin_cos();
                    (along, cos * up - sin * across, sin * up + cos * across)
                }
                Self::Stretch { factor } => (along * factor, up / factor.sqrt(), across / factor.sqrt()),
                Self::Waves { height, length } => {
                    let wave = (whole * along / length).sin() * (whole * across / length).cos();
                    (along, up + height * wave, across)
                }
                _ => (along, up, across),
            };
            let mut shaped = Vec3::ZERO;
            (shaped[long], shaped[flat], shaped[third]) = (along, up, across);
            shaped
        };
        Ok(local.iter().map(shaped).collect())
    }
}

/// `pattern`, a piece that is turned by `rotation`, with these examples. `place` is for messages.
pub(super) fn with_examples(
    pattern: Pattern,
    examples: &[Example],
    rotation: Vec3,
    place: &str,
) -> Result<Pattern, InputError> {
    let mut shapes = Vec::new();
    for (number, example) in (1..).zip(examples) {
        let shape = example.shape(&pattern, rotation)?;
        if let Some(fault) = fault_of_shape(&pattern, &shape) {
            return Err(InputError::new(place, format!("example {number} {fault}")));
        }
        shapes.push(shape);
    }
    Ok(pattern.with_examples(shapes))
}

/// Why a shape cannot be an example, if it cannot.
fn fault_of_shape(pattern: &Pattern, shape: &[Vec3]) -> Option<String> {
    let at = |vertex: u32| shape[vertex as usize];
    let inverted = pattern.tetrahedra().iter().find(|corners| Tetrahedron::of_rest(corners.map(at)).is_none());
    if let Some(corners) = inverted {
        return Some(format!("turns the tetrahedron of the vertices {corners:?} flat or inside out; deform it less"));
    }
    let flat = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(at);
        (b - a).cross(c - a).length() <= 0.0
    };
    let corners = pattern.cloth_triangles().find(flat)?;
    Some(format!("leaves the triangle of the vertices {corners:?} no area; deform it less"))
}

fn from_file(pattern: &Pattern, file: &str, scale: Real) -> Result<Vec<Vec3>, InputError> {
    let other = |message: String| InputError::new(file, message);
    let (positions, known, found): (Vec<Vec3>, Vec<u32>, Vec<u32>) = if pattern.tetrahedra().is_empty() {
        let ImportedMesh { positions, triangles, .. } = read_mesh(file, MeshImport::default().weld)?;
        if triangles.len() != pattern.triangles().len() {
            let (own, wanted) = (triangles.len(), pattern.triangles().len());
            return Err(other(format!("is of another topology: it has {own} triangles, and the cloth has {wanted}")));
        }
        (positions, pattern.triangles().as_flattened().to_vec(), triangles.as_flattened().to_vec())
    } else {
        let ImportedBody { positions, tetrahedra, .. } = read_body(file)?;
        if tetrahedra.len() != pattern.tetrahedra().len() {
            let (own, wanted) = (tetrahedra.len(), pattern.tetrahedra().len());
            return Err(other(format!("is of another topology: it has {own} tetrahedra, and the body has {wanted}")));
        }
        (positions, pattern.tetrahedra().as_flattened().to_vec(), tetrahedra.as_flattened().to_vec())
    };
    // corner by corner, for a file may number its vertices otherwise
    let mut same: HashMap<u32, u32> = HashMap::new();
    for (own, found) in known.iter().zip(&found) {
        if *same.entry(*own).or_insert(*found) != *found {
            let name = quote(&own.to_string());
            return Err(other(format!(
                "is of another topology: vertex {name} of the piece would be two vertices of it"
            )));
        }
    }
    let missing =
        |vertex: u32| other(format!("is of another topology: vertex {vertex} of the piece is in no part of it"));
    let place = |vertex: u32| Ok(positions[*same.get(&vertex).ok_or_else(|| missing(vertex))? as usize] * scale);
    (0..pattern.len() as u32).map(place).collect()
}
