//! Snapshots: the whole simulation as JSON, with numbers that read back to the same bits. A resumed run equals the
//! uninterrupted one.

use serde::{Deserialize, Serialize};

use super::{InputError, Scene};
use crate::sim::constraints::MOST_EXAMPLES;
use crate::sim::contact::ColliderGrab;
use crate::sim::contact::self_contact::{ContactForces, LayerForce, SolidForce};
use crate::sim::linear::FactorHistory;
use crate::sim::params::Tunable;
use crate::sim::params::quote::{number, quote, quote_within};
use crate::sim::pattern::{FaceAttributes, Makeup, Springs, Tetrahedron};
use crate::sim::state::PreviousStep;
use crate::sim::{Cloth, Grab, Motion, Path, Pattern, Pin, Real, Simulation, SolverState, State, Turn, Vec3, World};

/// Version of the format.
const VERSION: u32 = 1;

/// Largest coordinate and length at rest [m]: a scene starts nearer, and squares of it are far from overflowing.
const FARTHEST_REST: Real = 1e10;
/// Largest coordinate [m] and velocity [m/s]: far beyond what the guard lets a cloth of that size come to.
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
    /// What layers of cloth press on each other with, by rising vertices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    layers: Vec<LayerForce>,
    /// What colliders press on the cloth with between its vertices, by rising vertices.
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
    /// The vertex that each of the last vertices was torn off from.
    #[serde(default)]
    parents: Vec<u32>,
    /// The springs that were torn away, between the vertices of the whole cloth.
    #[serde(default, skip_serializing_if = "Springs::is_empty")]
    lost: Springs,
    /// The first vertex of each piece of cloth.
    #[serde(default = "one_piece", skip_serializing_if = "is_one_piece")]
    pieces: Vec<u32>,
    /// What each piece is made of; nothing where that is what the scene says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    makeups: Vec<Makeup>,
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
            layers: contact_forces.layers.clone(),
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
            parents: pattern.parents().to_vec(),
            lost: pattern.lost().clone(),
            pieces: pattern.pieces().to_vec(),
            makeups: pattern.makeups().to_vec(),
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

    /// What does not fit together, if anything.
    fn fault(&self) -> Option<String> {
        if self.weft != VERSION {
            return Some(format!("snapshot version {} is not known; this is version {VERSION}", self.weft));
        }
        let n = self.positions.len();
        if n == 0 {
            return Some("there is no vertex in it".to_owned());
        }
        if self.solver != self.parameters.solver {
            let (name, other) = (quote(&self.solver), quote(&self.parameters.solver));
            return Some(format!("solver is \"{name}\", but parameters.solver is \"{other}\"; make them the same"));
        }
        let lengths = [
            ("velocities", self.velocities.len(), n),
            ("rest_positions", self.rest_positions.len(), n),
            ("pin_origins", self.pin_origins.len(), self.pins.len()),
            ("pin_paths", self.pin_paths.len(), self.pins.len()),
            ("pin_turns", self.pin_turns.len(), if self.pin_turns.is_empty() { 0 } else { self.pins.len() }),
            ("springs.rest_lengths", self.springs.rest_lengths.len(), self.springs.len()),
            ("springs.families", self.springs.families.len(), self.springs.len()),
            ("lost.rest_lengths", self.lost.rest_lengths.len(), self.lost.len()),
            ("lost.families", self.lost.families.len(), self.lost.len()),
        ];
        if let Some((name, length, wanted)) = lengths.into_iter().find(|(_, length, wanted)| length != wanted) {
            return Some(format!("{name} has {length} entries where {wanted} are needed"));
        }
        let vertices = self.triangles.as_flattened().iter().chain(self.springs.ends.as_flattened());
        let grab = self.grab.iter().map(|grab| &grab.vertex);
        if let Some(vertex) = vertices.chain(&self.pins).chain(grab).find(|&&vertex| vertex as usize >= n) {
            return Some(format!("vertex {vertex} is used, but there are only {n} positions"));
        }
        let torn_before = |(parent, vertex): (&u32, usize)| (*parent as usize) < vertex;
        let whole = n.checked_sub(self.parents.len()).filter(|whole| *whole > 0);
        if !whole.is_some_and(|whole| self.parents.iter().zip(whole..).all(torn_before)) {
            return Some("parents must name, for each vertex that was torn off, one before it".to_owned());
        }
        let whole = whole.unwrap_or(n) as u32;
        if let Some(vertex) = self.lost.ends.as_flattened().iter().find(|&&vertex| vertex >= whole) {
            return Some(format!("lost names vertex {vertex}, but the whole cloth had only {whole}"));
        }
        let rising = self.pieces.windows(2).all(|pair| pair[0] < pair[1]);
        if self.pieces.first() != Some(&0) || !rising || self.pieces.iter().any(|&first| first >= whole) {
            return Some("pieces must name the first vertex of each piece, rising from 0".to_owned());
        }
        if !self.makeups.is_empty() && self.makeups.len() != self.pieces.len() {
            return Some(format!("makeups has {} entries for {} pieces", self.makeups.len(), self.pieces.len()));
        }
        if let Some(error) = self.makeups.iter().find_map(|makeup| makeup.check().err()) {
            return Some(format!("makeups: {error}"));
        }
        let of_body = |corners: &[u32; 4]| {
            let inside = corners.iter().all(|&vertex| vertex < whole);
            let rest = corners.map(|vertex| self.rest_positions.get(vertex as usize).copied().unwrap_or_default());
            inside && Tetrahedron::of_rest(rest).is_some()
        };
        if let Some(corners) = self.tetrahedra.iter().find(|corners| !of_body(corners)) {
            return Some(format!(
                "the tetrahedron {corners:?} has no positive volume at rest between vertices of the whole cloth"
            ));
        }
        let example_fits = |example: &Vec<Vec3>| {
            example.len() == whole as usize && example.iter().all(|x| x.abs().max_element() <= FARTHEST_REST)
        };
        if self.examples.len() > MOST_EXAMPLES || !self.examples.iter().all(example_fits) {
            return Some(format!("examples, at most {MOST_EXAMPLES}, need {whole} positions each within 10¹⁰"));
        }
        if self.springs.ends.iter().any(|[i, j]| i == j) {
            return Some("a spring has the same vertex at both ends".to_owned());
        }
        if let Some(message) = self.attributes.fault(self.triangles.len()) {
            return Some(message);
        }
        let within = |x: &Vec3, farthest: Real| x.abs().max_element() <= farthest;
        let mut lengths = self.springs.rest_lengths.iter().chain(&self.lost.rest_lengths);
        let lengths_fine = lengths.all(|length| (0.0..=FARTHEST_REST).contains(length));
        if !lengths_fine || !self.rest_positions.iter().all(|x| within(x, FARTHEST_REST)) {
            return Some("rest positions and rest lengths need finite numbers within 10¹⁰".to_owned());
        }
        let state = self.positions.iter().chain(&self.velocities).chain(&self.pin_origins);
        if !state.chain(self.grab.iter().map(|grab| &grab.target)).all(|x| within(x, FARTHEST)) {
            return Some("positions, velocities and pins need finite numbers within 10¹⁵".to_owned());
        }
        if let Some(grab) = &self.collider_grab {
            let count = self.parameters.colliders.len();
            if grab.collider as usize >= count {
                return Some(format!("collider_grab holds collider {}, but there are only {count}", grab.collider));
            }
            if !(within(&grab.position, FARTHEST) && within(&grab.rotation, FARTHEST)) {
                return Some("collider_grab needs finite numbers within 10¹⁵".to_owned());
            }
        }
        if !(self.time.is_finite() && self.time >= 0.0) {
            return Some(format!("time {} is no time", number(self.time)));
        }
        if !self.warm_start.iter().chain(&self.next_substep).all(|x| x.is_finite()) {
            return Some("warm_start and next_substep need finite numbers".to_owned());
        }
        let key = |layer: &LayerForce| (layer.vertices, layer.first);
        let is_fine = |layer: &LayerForce| {
            let known = layer.vertices.iter().all(|&vertex| (vertex as usize) < n);
            known && [1, 2].contains(&layer.first) && layer.force.is_finite() && layer.lasting.is_finite()
        };
        if !self.layers.iter().all(is_fine) || !self.layers.is_sorted_by(|a, b| key(a) < key(b)) {
            return Some(
                "layers must name four vertices each, rising, with a first part of 1 or 2 and a finite force"
                    .to_owned(),
            );
        }
        let is_fine = |solid: &SolidForce| {
            let known = solid.vertices.iter().all(|&vertex| (vertex as usize) < n);
            let finite = solid.force.is_finite() && solid.lasting.is_finite() && solid.normal.is_finite();
            known && finite && solid.weights.iter().all(|weight| (0.0..=1.0).contains(weight))
        };
        if !self.solids.iter().all(is_fine) || !self.solids.is_sorted_by(|a, b| a.key() < b.key()) {
            return Some(
                "solids must name three vertices each, rising, with weights between 0 and 1 and a finite force"
                    .to_owned(),
            );
        }
        if let Some(message) = self.factor.as_ref().and_then(|history| history.fault(n)) {
            return Some(message.to_owned());
        }
        if let Some(message) = self.history.as_ref().and_then(|history| history.fault(n)) {
            return Some(message.to_owned());
        }
        // whether a vertex is too far from the others is for the next step to say: what a run can come to can be resumed
        let turns = self.pin_turns.iter().flatten().find_map(Turn::fault);
        turns.or_else(|| self.pin_paths.iter().flatten().find_map(Path::fault))
    }

    fn pattern(&self) -> Pattern {
        let Self {
            rest_positions,
            triangles,
            springs,
            tetrahedra,
            examples,
            attributes,
            parents,
            lost,
            pieces,
            makeups,
            ..
        } = self.clone();
        let pattern = Pattern::torn(rest_positions, triangles, springs, parents, lost).with_pieces(pieces);
        let pattern = pattern.with_attributes(attributes);
        pattern.with_tetrahedra(tetrahedra).with_examples(examples).with_makeups(&makeups)
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
    /// What `change` returns; also when it changes what the cloth was made from, since a snapshot has its cloth already.
    pub fn change(&mut self, change: impl FnOnce(&mut Scene) -> Result<(), InputError>) -> Result<(), InputError> {
        let before = self.parameters.clone();
        change(&mut self.parameters)?;
        let shape = |Scene { first, .. }: &Scene| {
            (first.grid, first.mesh.clone(), first.body.clone(), first.import, first.pins)
        };
        if shape(&before) != shape(&self.parameters) {
            let message = "a snapshot keeps its cloth; the keys of grid, mesh and pins are for starting from a --scene";
            return Err(InputError::new("--set", message));
        }
        Ok(())
    }

    /// The simulation that the snapshot was taken of, and the scene that it came from with the parameters it had.
    ///
    /// # Errors
    /// [`InputError`] when a parameter is out of range or the solver unknown.
    pub fn restore(&self) -> Result<(Scene, Simulation), InputError> {
        let mut scene = self.parameters.clone();
        scene.name.clone_from(&self.scene);
        let pattern = self.pattern();
        scene.check_parameters()?;
        let mut simulation = scene.dress(pattern, &mut Vec::new())?;
        let cloth = self.cloth(std::mem::take(&mut simulation.state.cloth.masses));
        simulation.state = State {
            previous: self.history.clone().unwrap_or_default().completed(&cloth),
            cloth,
            world: World { colliders: std::mem::take(&mut simulation.state.world.colliders), grab: self.collider_grab },
            grab: self.grab,
            time: self.time,
            steps: self.step,
            contact_forces: ContactForces { layers: self.layers.clone(), solids: self.solids.clone() },
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
    /// What the writer says.
    pub fn write(&self, out: impl std::io::Write) -> std::io::Result<()> {
        Ok(serde_json::to_writer(out, self)?)
    }

    /// The JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a snapshot has only string keys and finite numbers")
    }
}
