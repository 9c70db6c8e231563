//! Commands to a running simulation.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::arrangement::Arrangement;
use crate::scene::{Edit, FARTHEST, InputError, Scalar};
use crate::sim::params::quote::number;
use crate::sim::params::{Param, Setting, Tunable};
use crate::sim::{Real, Vec3};

/// All that a person, a script or a test can do to a running simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Takes a vertex into the hand; of several hands the last one holds.
    Grab {
        /// The vertex.
        vertex: u32,
        /// Where the hand wants it [m].
        target: Vec3,
    },
    /// Moves the hand. While time stands still the held vertex is there at once.
    Move {
        /// Where the hand wants its vertex [m].
        target: Vec3,
    },
    /// Opens the hand. A pinned vertex stays pinned, where it is now.
    Release,
    /// Takes a collider into a hand of its own and moves and turns it, or moves it on; of several
    /// the last one is held. It follows as a held vertex does and takes the cloth along; a path
    /// starts from where it is brought. While time stands still it is there at once.
    MoveCollider {
        /// Which of the scene's colliders, beside floor and table.
        collider: u32,
        /// Where the hand wants it [m].
        position: Vec3,
        /// The rotation that the hand wants, as axis times angle [rad].
        rotation: Vec3,
    },
    /// Lets the collider go; it stays where it is.
    ReleaseCollider,
    /// Moves the vertices of a handle to an offset from where they start; they follow in the next
    /// steps, and its path starts from there. [`Command::Release`] ends the gesture.
    MoveHandle {
        /// The piece, by its number.
        piece: u32,
        /// The handle, by its number among those of the piece.
        handle: u32,
        /// The offset [m].
        offset: Vec3,
    },
    /// Pins a vertex where it is.
    Pin {
        /// The vertex.
        vertex: u32,
    },
    /// Lets a pinned vertex go.
    Unpin {
        /// The vertex.
        vertex: u32,
    },
    /// Cuts along a stroke over the cloth.
    Cut {
        /// Whether the stroke begins here; otherwise it continues the last cut.
        begin: bool,
        /// Where the stroke meets the cloth, so densely that no triangle is left out; `null` beside
        /// the cloth.
        hits: Vec<Option<CutHit>>,
    },
    /// Changes a parameter, a setting of the solver, or the shape of the cloth, which then starts
    /// again.
    Set {
        /// The parameter, as `--set` names it.
        key: String,
        /// Its new value.
        value: Scalar,
    },
    /// Makes the cloth of a fabric: its mass, springs, bending, damping and friction, and its look.
    Fabric {
        /// The fabric's id.
        id: String,
    },
    /// Takes creases out, within a second of simulated time.
    Iron,
    /// Changes the solver. After a blow-up the cloth continues from the last good state.
    Solver {
        /// The solver's id.
        id: String,
    },
    /// Wind on or off; off, the air is as the scene has it.
    Wind {
        /// Whether there is wind.
        on: bool,
    },
    /// The table on or off.
    Table {
        /// Whether there is a table.
        on: bool,
    },
    /// Starts the scene again, with the parameters as they are now.
    Reset,
    /// Starts the scene again, with the pins as well as they are now, to be edited.
    ResetHeld,
    /// Goes back to the last good state.
    Restore,
    /// Goes back to the last good state, with changes by which it can continue.
    Mend {
        /// Common parameters with their new values.
        set: BTreeMap<String, Scalar>,
        /// The id of another solver.
        solver: Option<String>,
    },
    /// Changes what stands in the scene, which then starts again.
    Edit {
        /// The change.
        edit: Edit,
    },
    /// Goes over to another scene, by name.
    Scene {
        /// Its name.
        name: String,
    },
    /// Opens a file: a mesh becomes the cloth, a scene or snapshot is loaded.
    Open {
        /// The path of an `.obj`, `.mesh`, `.msh`, `.ron` or `.json` file.
        file: String,
    },
    /// Stops or resumes time. Ticks pass without a step while it is stopped.
    Pause {
        /// Whether time stands still.
        on: bool,
    },
    /// Takes one time step, also while time stands still.
    Step,
    /// Sets all that panels set at once.
    Arrange {
        /// The new values.
        arrangement: Arrangement,
    },
    /// Takes the last action back.
    Undo,
    /// Redoes the action that was undone last.
    Redo,
    /// Goes to another moment of the session, and stops time there. The next change or step begins
    /// another branch from there.
    GoTo {
        /// Number of the step after which it was, of all steps of the session.
        step: u64,
    },
    /// Forgets the lines that were left by going back.
    DropLeft,
    /// A gesture is over: a parameter that is changed after it is an action of its own.
    Finish,
    /// Puts the message away that the last command left.
    Dismiss,
}

impl Command {
    /// Whether its numbers are valid for any cloth: positions within reach, and points of a cut
    /// within their triangles.
    ///
    /// # Errors
    /// [`InputError`] without a place, with the fault and the remedy.
    pub fn check(&self) -> Result<(), InputError> {
        let is_near = |x: &Vec3| x.is_finite() && x.abs().max_element() <= FARTHEST;
        let message = match self {
            Self::Grab { target, .. } | Self::Move { target } if !is_near(target) => {
                "the hand's target needs finite numbers within 10¹⁵".to_owned()
            }
            Self::MoveHandle { offset, .. } if !is_near(offset) => {
                "the offset of a handle needs finite numbers within 10¹⁵".to_owned()
            }
            Self::MoveCollider { position, rotation, .. } if !(is_near(position) && is_near(rotation)) => {
                "a collider needs a finite position and rotation, of numbers within 10¹⁵".to_owned()
            }
            Self::Cut { hits, .. } => match hits.iter().flatten().find(|hit| !hit.is_in_triangle()) {
                Some(CutHit { triangle, weights }) => format!(
                    "the cut has the weights {} in triangle {triangle}; give three from 0 to 1 that sum to 1",
                    weights.map(number).join(", ")
                ),
                None => return Ok(()),
            },
            Self::Edit { edit } => return edit.check(),
            _ => return Ok(()),
        };
        Err(InputError::new("", message))
    }

    /// The commands that change the parameters `before` to those of `after`, of the same group.
    #[must_use]
    pub fn changes(before: &dyn Tunable, after: &dyn Tunable) -> Vec<Self> {
        let params = after.params().iter().enumerate();
        let changed = params.filter(|(index, _)| before.get(*index) != after.get(*index));
        changed.map(|(index, param)| Self::set(param, after.get(index))).collect()
    }

    /// The command that sets a parameter.
    #[must_use]
    pub fn set(param: &Param, value: Setting) -> Self {
        Self::Set { key: param.key.to_owned(), value: Scalar::of(param, value) }
    }
}

/// A point of the cloth that a stroke meets. It means the same place while the cloth moves on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutHit {
    /// The triangle.
    pub triangle: u32,
    /// Barycentric weights of its corners; they sum to 1.
    pub weights: [Real; 3],
}

/// Tolerance of weights: rays are followed in single precision.
const WEIGHT_SLACK: Real = 0.01;

impl CutHit {
    /// Whether the weights are those of a point in the triangle.
    fn is_in_triangle(&self) -> bool {
        let range = -WEIGHT_SLACK..=1.0 + WEIGHT_SLACK;
        let sum: Real = self.weights.iter().sum();
        self.weights.iter().all(|weight| range.contains(weight)) && (sum - 1.0).abs() <= WEIGHT_SLACK
    }

    /// The hit at `point` [m] of the triangle with these `corners` [m], which the point lies in,
    /// but for rounding.
    #[must_use]
    pub fn at(triangle: u32, point: Vec3, corners: [Vec3; 3]) -> Self {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a);
        let area = normal.length_squared();
        // a triangle without area has no weights of its own; any point of it will do
        if area == 0.0 {
            return Self { triangle, weights: [1.0, 0.0, 0.0] };
        }
        // in a sliver rounding brings the point far out of it
        let u = ((c - b).cross(point - b).dot(normal) / area).clamp(0.0, 1.0);
        let v = ((a - c).cross(point - c).dot(normal) / area).clamp(0.0, 1.0 - u);
        Self { triangle, weights: [u, v, 1.0 - u - v] }
    }
}

/// A command and when it takes effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamped {
    /// Number of ticks (steps that were ordered, those that passed in a pause included) before
    /// which it takes effect.
    pub tick: u64,
    /// The command.
    pub command: Command,
}

impl Stamped {
    /// Reads a list of commands, a JSON object per line, by rising ticks. `file` is for messages.
    ///
    /// # Errors
    /// [`InputError`] with file and line.
    pub fn parse_list(text: &str, file: &str) -> Result<Vec<Self>, InputError> {
        let mut list: Vec<Self> = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let place = format!("{file}, line {number}");
            let stamped: Self = serde_json::from_str(line)
                .map_err(|error| InputError::new(&place, format!("not a command: {error}")))?;
            stamped.command.check().map_err(|error| InputError::new(&place, error.message()))?;
            if let Some(last) = list.last()
                && last.tick > stamped.tick
            {
                let message = format!("tick {} follows tick {}; commands stand in order", stamped.tick, last.tick);
                return Err(InputError::new(place, message));
            }
            list.push(stamped);
        }
        Ok(list)
    }

    /// The line that [`parse_list`](Self::parse_list) reads back.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a command has only string keys") + "\n"
    }
}

/// Commands to come, by rising ticks, and the ticks that have passed.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub commands: VecDeque<Stamped>,
    ticks: u64,
}

impl Script {
    /// Number of ticks that have passed.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    pub fn pass_tick(&mut self) {
        self.ticks += 1;
    }

    /// Takes the next command that is due.
    pub fn next_due(&mut self) -> Option<Command> {
        self.commands.pop_front_if(|next| next.tick <= self.ticks).map(|due| due.command)
    }
}
