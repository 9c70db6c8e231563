//! Snapshots: the whole simulation as JSON, with numbers that read back to the same bits. A resumed
//! run equals the uninterrupted one.

mod check;

use serde::{Deserialize, Serialize};

use super::{InputError, Scene};
use crate::sim::contact::ColliderGrab;
use crate::sim::contact::SolidForce;
use crate::sim::contact::cloth::{ClothContactForce, ContactForces};
use crate::sim::linear::FactorHistory;
use crate::sim::params::quote::quote_within;
use crate::sim::pattern::{EmbeddedSurface, FaceAttributes, MaterialOverride, Springs};
use crate::sim::state::PreviousStep;
use crate::sim::{Cloth, Grab, Motion, Path, Pattern, Pin, Real, Simulation, SolverState, State, Turn, Vec3, World};

/// Version of the format.
const VERSION: u32 = 1;

/// Largest coordinate [m] and velocity [m/s]: far beyond the limits of the guard for a cloth of
/// that size.
pub const FARTHEST: Real = 1e15;

/// Everything that the future of a simulation depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Version of the format, [`VERSION`].
    weft: u32,
    /// Name of the scene.
    scene: String,
    /// Id of the solver.
    solver: String,
    /// Steps since time zero.
    step: u64,
    /// Simulated time [s].
    time: Real,
    /// Position of each vertex [m].
    positions: Vec<Vec3>,
    /// Velocity of each vertex [m/s].
    velocities: Vec<Vec3>,
    /// The pinned vertices, rising.
    pins: Vec<u32>,
    /// Where each pin is held [m].
    pin_origins: Vec<Vec3>,
    /// The path of each pin that has one.
    pin_paths: Vec<Option<Path>>,
    /// The rotation of each pin that has one; none at all where no pin has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pin_turns: Vec<Option<Turn>>,
    /// The user's hand, if it held a vertex.
    #[serde(alias = "hand")]
    grab: Option<Grab>,
    /// The user's hand on a collider, if it held one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    collider_grab: Option<ColliderGrab>,
    /// The solver's warm start.
    #[serde(default)]
    warm_start: Vec<Real>,
    /// Contact forces of cloth on cloth, by rising vertices.
    #[serde(default, alias = "layers", skip_serializing_if = "Vec::is_empty")]
    cloth_contact: Vec<ClothContactForce>,
    /// Contact forces of colliders on the cloth between its vertices, by rising vertices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    solids: Vec<SolidForce>,
    /// Length of the next adaptive substep [s].
    #[serde(default)]
    next_substep: Option<Real>,
    /// How the solver's factor came about, if it keeps one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    factor: Option<FactorHistory>,
    /// The last step, if the scheme needs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    history: Option<PreviousStep>,
    /// All parameters and solver settings.
    parameters: Scene,
    /// Rest position of each vertex [m].
    rest_positions: Vec<Vec3>,
    /// The triangles.
    triangles: Vec<[u32; 3]>,
    /// The springs.
    springs: Springs,
    /// The tetrahedra of bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tetrahedra: Vec<[u32; 4]>,
    /// Example shapes of the whole cloth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    examples: Vec<Vec<Vec3>>,
    /// Texture coordinates and groups of the triangles.
    #[serde(default, skip_serializing_if = "FaceAttributes::is_empty")]
    attributes: FaceAttributes,
    /// Surfaces embedded in bodies.
    #[serde(default, skip_serializing_if = "EmbeddedSurface::is_empty")]
    surface: EmbeddedSurface,
    /// The vertex that each of the last vertices was torn off from.
    #[serde(default)]
    parents: Vec<u32>,
    /// The springs that were torn away, between the vertices of the whole cloth.
    #[serde(default, skip_serializing_if = "Springs::is_empty")]
    lost: Springs,
    /// The first vertex of each piece of cloth.
    #[serde(default = "one_piece", skip_serializing_if = "is_one_piece")]
    pieces: Vec<u32>,
    /// Material of each piece; empty if it is that of the scene.
    #[serde(default, alias = "makeups", skip_serializing_if = "Vec::is_empty")]
    overrides: Vec<MaterialOverride>,
    /// Grain of each piece [rad]; empty if all are zero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    grains: Vec<Real>,
}

fn one_piece() -> Vec<u32> {
    vec![0]
}

fn is_one_piece(pieces: &[u32]) -> bool {
    pieces.len() == 1
}

impl Snapshot {
    /// Name of the scene.
    #[must_use]
    pub fn scene(&self) -> &str {
        &self.scene
    }

    /// Simulated time [s].
    #[must_use]
    pub fn time(&self) -> Real {
        self.time
    }

    /// The present state of `simulation`, which was made from `scene`.
    #[must_use]
    pub fn of(scene: &Scene, simulation: &Simulation) -> Self {
        let mut parameters = scene.clone();
        parameters.update_from(simulation);
        let pattern = simulation.pattern();
        // colliders are among the parameters of the scene
        let State { cloth, world, grab, time, steps, contact_forces, previous, next_substep, solver } =
            &simulation.state;
        let SolverState { warm_start, factor } = solver;
        let motions = || cloth.pins().iter().map(|pin| pin.motion.as_ref());
        let turning = motions().flatten().any(|motion| motion.turn.is_some());
        Self {
            warm_start: warm_start.clone(),
            cloth_contact: contact_forces.cloth_contact.clone(),
            solids: contact_forces.solids.clone(),
            next_substep: *next_substep,
            factor: Some(factor).filter(|factor| !factor.is_empty()).cloned(),
            history: previous.shortened(cloth),
            weft: VERSION,
            scene: scene.name.clone(),
            solver: parameters.solver.clone(),
            step: *steps,
            time: *time,
            positions: cloth.positions.clone(),
            velocities: cloth.velocities.clone(),
            pins: cloth.pins().iter().map(|pin| pin.vertex).collect(),
            pin_origins: cloth.pins().iter().map(|pin| pin.origin).collect(),
            pin_paths: motions().map(|motion| motion?.path.clone()).collect(),
            pin_turns: if turning { motions().map(|motion| motion?.turn.clone()).collect() } else { Vec::new() },
            grab: *grab,
            collider_grab: world.grab,
            parameters,
            rest_positions: pattern.rest_positions().to_vec(),
            triangles: pattern.triangles().to_vec(),
            springs: pattern.springs().clone(),
            tetrahedra: pattern.tetrahedra().to_vec(),
            examples: pattern.examples().to_vec(),
            attributes: pattern.attributes().clone(),
            surface: pattern.embedded().clone(),
            parents: pattern.parents().to_vec(),
            lost: pattern.lost().clone(),
            pieces: pattern.pieces().to_vec(),
            overrides: pattern.overrides().to_vec(),
            grains: pattern.grains().to_vec(),
        }
    }

    /// Reads a snapshot. `file` is for messages.
    ///
    /// # Errors
    /// [`InputError`] when the text is no snapshot or its parts do not fit together.
    pub fn parse(text: &str, file: &str) -> Result<Self, InputError> {
        let snapshot: Self = serde_json::from_str(text).map_err(|error| {
            InputError::new(
                format!("{file}, line {}, column {}", error.line(), error.column()),
                format!("not a snapshot: {}", quote_within(&error.to_string())),
            )
        })?;
        snapshot.check().map_err(|error| InputError::new(file, error.message()))?;
        Ok(snapshot)
    }

    /// Whether its parts fit together: each list as long as it has to be, each vertex one that
    /// there is, each number in range. What is read from a file has to pass it before
    /// [`Snapshot::restore`].
    ///
    /// # Errors
    /// [`InputError`] without a place, which says what does not fit.
    pub fn check(&self) -> Result<(), InputError> {
        self.fault().map_or(Ok(()), |message| Err(InputError::new("", message)))
    }

    /// Number of vertices and of triangles.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        [self.positions.len(), self.triangles.len()]
    }

    fn pattern(&self) -> Pattern {
        let Self {
            rest_positions,
            triangles,
            springs,
            tetrahedra,
            examples,
            attributes,
            surface,
            parents,
            lost,
            pieces,
            overrides,
            grains,
            ..
        } = self.clone();
        let pattern = Pattern::torn(rest_positions, triangles, springs, parents, lost).with_pieces(pieces);
        let pattern = pattern.with_attributes(attributes).with_embedded(surface);
        pattern.with_tetrahedra(tetrahedra).with_examples(examples).with_overrides(&overrides).with_grains(&grains)
    }

    fn cloth(&self, masses: Vec<Real>) -> Cloth {
        let mut cloth = Cloth::at_rest(self.positions.clone(), masses);
        let turns = self.pin_turns.iter().cloned().chain(std::iter::repeat(None));
        let motions = self.pin_paths.iter().cloned().zip(turns).map(|(path, turn)| Motion { path, turn });
        for ((&vertex, &origin), motion) in self.pins.iter().zip(&self.pin_origins).zip(motions) {
            cloth.pin(Pin { vertex, origin, motion: Some(motion).filter(|motion| !motion.is_still()) });
        }
        // after pinning, which stops the vertex
        cloth.velocities.clone_from(&self.velocities);
        cloth
    }

    /// Changes the parameters that [`Snapshot::restore`] starts with.
    ///
    /// # Errors
    /// The error of `change`, and an error if it changes an input of the construction of the cloth,
    /// since a snapshot has its cloth already.
    pub fn change(&mut self, change: impl FnOnce(&mut Scene) -> Result<(), InputError>) -> Result<(), InputError> {
        let before = self.parameters.clone();
        change(&mut self.parameters)?;
        let shape = |Scene { first, .. }: &Scene| {
            (first.grid, first.mesh.clone(), first.body.clone(), first.surface.clone(), first.import, first.pins)
        };
        if shape(&before) != shape(&self.parameters) {
            let message = "a snapshot keeps its cloth; the keys of grid, mesh and pins are for starting from a --scene";
            return Err(InputError::new("--set", message));
        }
        Ok(())
    }

    /// The simulation that the snapshot was taken of, and the scene that it came from with the
    /// parameters it had.
    ///
    /// # Errors
    /// [`InputError`] when a parameter is out of range or the solver unknown.
    pub fn restore(&self) -> Result<(Scene, Simulation), InputError> {
        let mut scene = self.parameters.clone();
        scene.name.clone_from(&self.scene);
        let pattern = self.pattern();
        scene.check_parameters()?;
        let mut simulation = scene.build_from(pattern, &mut Vec::new())?;
        let cloth = self.cloth(std::mem::take(&mut simulation.state.cloth.masses));
        simulation.state = State {
            previous: self.history.clone().unwrap_or_default().completed(&cloth),
            cloth,
            world: World { colliders: std::mem::take(&mut simulation.state.world.colliders), grab: self.collider_grab },
            grab: self.grab,
            time: self.time,
            steps: self.step,
            contact_forces: ContactForces { cloth_contact: self.cloth_contact.clone(), solids: self.solids.clone() },
            next_substep: self.next_substep,
            solver: SolverState {
                warm_start: self.warm_start.clone(),
                factor: self.factor.clone().unwrap_or_default(),
            },
        };
        Ok((scene, simulation))
    }

    /// Writes the JSON text, without having all of it in memory at once.
    ///
    /// # Errors
    /// The error of the writer.
    pub fn write(&self, out: impl std::io::Write) -> std::io::Result<()> {
        Ok(serde_json::to_writer(out, self)?)
    }

    /// The JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a snapshot has only string keys and finite numbers")
    }
}
