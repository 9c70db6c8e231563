//! The resource around the simulation: what the window shows and changes.

use std::collections::VecDeque;

use bevy::prelude::{Resource, info, warn};

use crate::scene::{InputError, Scene, Snapshot};
use crate::sim::solver::Stability;
use crate::sim::{Hand, Moment, Pin, Real, Simulation, StepError, StepStats, Vec3};

/// Simulated time between two checkpoints [s].
const CHECKPOINT_INTERVAL: Real = 0.25;
/// Number of checkpoints that are kept.
const CHECKPOINTS: usize = 40;
/// Largest stretch at which a state still counts as good.
const GOOD_STRETCH: Real = 1.0;

/// The simulation on the table: the selectable solver resource of the design, with what is needed to take things back.
#[derive(Resource)]
pub struct Lab {
    /// The simulation.
    pub simulation: Simulation,
    /// Where it came from; the parameters in it are those of the start.
    pub scene: Scene,
    /// The scene as it was loaded, for resetting single parameters.
    pub defaults: Scene,
    /// Why it stands still, if it blew up.
    pub failure: Option<Failure>,
    /// A message for the user, like a file that could not be read.
    pub notice: Option<String>,
    /// What the last step did.
    pub stats: StepStats,
    /// Counts the cloths; a change means another mesh.
    pub generation: u64,
    /// Positions before the last step [m], for interpolation.
    previous: Vec<Vec3>,
    checkpoints: VecDeque<Checkpoint>,
}

/// A state to go back to.
struct Checkpoint {
    moment: Moment,
    good: bool,
}

/// What is known about a blow-up.
pub struct Failure {
    /// When it happened [s].
    pub time: Real,
    /// Name of the solver.
    pub solver: &'static str,
    /// Why.
    pub cause: StepError,
    /// For a solver whose step was too long: the longest that would have held [s], and how many substeps that takes.
    pub too_long: Option<(Real, u32)>,
}

impl Lab {
    /// A lab with a simulation of `scene`.
    #[must_use]
    pub fn new(scene: Scene, mut simulation: Simulation) -> Self {
        // nobody's hand is on a snapshot's cloth any more
        simulation.hand = None;
        let previous = simulation.cloth.positions.clone();
        Self {
            defaults: scene.clone(),
            scene,
            simulation,
            failure: None,
            notice: None,
            stats: StepStats::default(),
            generation: 0,
            previous,
            checkpoints: VecDeque::new(),
        }
    }

    /// One time step, unless the simulation has blown up.
    pub fn step(&mut self) {
        if self.failure.is_some() {
            return;
        }
        self.checkpoint();
        self.previous.clone_from(&self.simulation.cloth.positions);
        match self.simulation.step() {
            Ok(stats) => {
                self.stats = stats;
                self.follow_tears();
            }
            Err(cause) => self.fail(cause),
        }
    }

    /// Gives vertices that were torn off the place from which those that they were torn off from came.
    fn follow_tears(&mut self) {
        let parents = self.simulation.pattern().parents();
        let whole = self.simulation.pattern().whole_len();
        for &parent in &parents[self.previous.len() - whole..] {
            self.previous.push(self.previous[parent as usize]);
        }
    }

    /// Cuts the cloth along edges.
    pub fn cut(&mut self, edges: &[[u32; 2]]) {
        let torn = self.simulation.cut(edges);
        if torn > 0 {
            info!("cut, {torn} new vertices");
            self.follow_tears();
        }
    }

    fn fail(&mut self, cause: StepError) {
        let time = self.simulation.time();
        let info = self.simulation.solver().info();
        warn!("{} failed at t = {time:.4} s: {cause}", info.id);
        let too_long = (info.stability == Stability::Conditional).then(|| self.stable_substeps()).flatten();
        self.failure = Some(Failure { time, solver: info.name, cause, too_long });
    }

    /// The limit of an explicit solver [s], and the number of substeps with which it would hold, if that is more than now and not out of range.
    fn stable_substeps(&self) -> Option<(Real, u32)> {
        // half of what linear theory allows: large motions and contact are stiffer than small ones about rest
        let limit = self.simulation.solver_critical_step()?;
        let wanted = self.simulation.parameters.timing.time_step / (0.5 * limit);
        let substeps = wanted.ceil();
        (substeps > Real::from(self.simulation.parameters.timing.substeps) && substeps <= 200.0)
            .then_some((limit, substeps as u32))
    }

    fn checkpoint(&mut self) {
        let time = self.simulation.time();
        if self.checkpoints.back().is_some_and(|last| time < last.moment.time + CHECKPOINT_INTERVAL) {
            return;
        }
        if self.checkpoints.len() == CHECKPOINTS {
            self.checkpoints.pop_front();
        }
        let good = self.simulation.largest_stretch() < GOOD_STRETCH;
        self.checkpoints.push_back(Checkpoint { moment: self.simulation.moment(), good });
    }

    /// Goes back to the last state before a blow-up in which the cloth was not overstretched yet.
    pub fn restore_last_good(&mut self) {
        let at = self.checkpoints.iter().rposition(|checkpoint| checkpoint.good).unwrap_or(0);
        self.checkpoints.truncate(at + 1);
        if let Some(Checkpoint { moment, .. }) = self.checkpoints.pop_back() {
            info!("restored t = {:.4} s", moment.time);
            self.simulation.return_to(moment);
        }
        self.failure = None;
        self.forget_motion();
    }

    /// Starts the scene again, with the parameters as they are now.
    pub fn reset(&mut self) {
        self.scene.adopt(&self.simulation);
        info!("reset");
        self.rebuild();
    }

    /// Makes the simulation anew from the scene; on an error the old one goes on.
    pub fn rebuild(&mut self) {
        match self.scene.build() {
            Ok(simulation) => self.replace(simulation),
            Err(error) => self.complain(&error),
        }
    }

    /// Loads another scene, with its own solver.
    pub fn load_scene(&mut self, name: &str) {
        let loaded = Scene::load(name).and_then(|scene| scene.build().map(|simulation| (scene, simulation)));
        self.open(name, loaded);
    }

    /// Makes an OBJ file the cloth of the mesh scene, or loads a dropped scene file or snapshot.
    pub fn open_file(&mut self, path: &str) {
        let ending = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "ron" => self.load_scene(path),
            "json" => self.open_snapshot(path),
            "obj" => {
                self.scene.adopt(&self.simulation);
                let scene = if self.scene.mesh.is_some() { Ok(self.scene.clone()) } else { Scene::load("mesh") };
                let loaded = scene.and_then(|mut scene| {
                    scene.set("mesh", path)?;
                    let simulation = scene.build()?;
                    Ok((scene, simulation))
                });
                self.open(path, loaded);
            }
            _ => self.notice = Some(format!("{path}: drop a mesh (.obj), a scene (.ron) or a snapshot (.json)")),
        }
    }

    fn open_snapshot(&mut self, path: &str) {
        let restored = std::fs::read_to_string(path)
            .map_err(|error| InputError::new(path, format!("the snapshot cannot be read: {error}")))
            .and_then(|text| Snapshot::parse(&text, path)?.restore());
        self.open(path, restored);
    }

    /// Goes over to what was loaded; on an error the old goes on.
    fn open(&mut self, name: &str, loaded: Result<(Scene, Simulation), InputError>) {
        match loaded {
            Ok((scene, simulation)) => {
                info!("opened {name}");
                self.scene = scene.clone();
                self.defaults = scene;
                self.replace(simulation);
            }
            Err(error) => self.complain(&error),
        }
    }

    fn complain(&mut self, error: &InputError) {
        warn!("{error}");
        self.notice = Some(error.to_string());
    }

    fn replace(&mut self, mut simulation: Simulation) {
        simulation.clock = self.simulation.clock;
        simulation.hand = None;
        simulation.take_bench(&mut self.simulation);
        self.simulation = simulation;
        self.failure = None;
        self.notice = None;
        self.generation += 1;
        self.checkpoints.clear();
        self.forget_motion();
    }

    /// Positions that were set rather than stepped to are not interpolated towards.
    fn forget_motion(&mut self) {
        self.previous.clone_from(&self.simulation.cloth.positions);
        self.stats = StepStats::default();
    }

    /// Position of every vertex [m] at `fraction` of the way from the last state but one to the last.
    pub fn displayed(&self, fraction: Real) -> impl Iterator<Item = Vec3> + '_ {
        self.previous.iter().zip(&self.simulation.cloth.positions).map(move |(a, b)| a.lerp(*b, fraction))
    }

    /// Changes the solver by id.
    pub fn set_solver(&mut self, id: &str) {
        if self.simulation.set_solver(id) {
            info!("solver {id}");
        }
    }

    /// Pins a vertex where it is, or lets it go.
    pub fn toggle_pin(&mut self, vertex: u32) {
        if self.simulation.cloth.unpin(vertex) {
            info!("unpinned vertex {vertex}");
        } else {
            self.simulation.cloth.pin_here(vertex);
            info!("pinned vertex {vertex}");
        }
    }

    /// Takes a vertex into the hand, or moves the hand. While time stands still the vertex moves at once.
    pub fn hold(&mut self, hand: Hand, paused: bool) {
        if self.simulation.hand.is_none() {
            info!("grabbed vertex {}", hand.vertex);
        }
        self.simulation.hand = Some(hand);
        if paused {
            self.simulation.cloth.positions[hand.vertex as usize] = hand.target;
            self.previous[hand.vertex as usize] = hand.target;
        }
    }

    /// Opens the hand. A pinned vertex stays pinned, where it is now.
    pub fn release(&mut self) {
        let Some(Hand { vertex, .. }) = self.simulation.hand.take() else { return };
        info!("released vertex {vertex}");
        let position = self.simulation.cloth.positions[vertex as usize];
        let time = self.simulation.time();
        if let Some(pin) = self.simulation.cloth.pin_of(vertex).cloned() {
            // a pin on a path goes on along it, from its new place
            let origin = position - pin.path.as_ref().map_or(Vec3::ZERO, |path| path.offset(time));
            self.simulation.cloth.pin(Pin { origin, ..pin });
        }
    }
}
