//! Plan of a sweep: its runs, each with its scene and the command that repeats it.

use crate::cli::scene_args::SceneArgs;
use crate::documents::{SweepId, SweepSheet};
use crate::scene::{InputError, Scene, shell};
use crate::sim::math::fingerprint::fingerprint;
use crate::sim::params::quote::quote;
use crate::sim::params::{Kind, Tunable};
use crate::sim::quantities::{MEASURES, Measure};
use crate::sim::solvers::REGISTRY;
use crate::sim::study::grid::{Axis, Grid, Values};
use crate::sim::{Real, Simulation};

/// How long each run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Length {
    /// So many time steps.
    Steps(u64),
    /// As many time steps as come nearest to this time [s], at least one.
    Seconds(Real),
}

/// A sweep.
pub(super) struct SweepPlan {
    args: SceneArgs,
    /// The scene before anything is changed in it.
    loaded: Scene,
    pub grid: Grid,
    pub measures: Vec<&'static Measure>,
    length: Length,
    pub id: SweepId,
}

impl SweepPlan {
    /// The sweep over the axes `vary`, each `key=values`, that takes the measures of these names.
    ///
    /// # Errors
    /// [`InputError`] for anything that would fail in a run for reasons other than the behaviour of
    /// the cloth.
    pub fn new(args: &SceneArgs, vary: &[String], measures: &[String], length: Length) -> Result<Self, InputError> {
        if let Length::Seconds(seconds) = length
            && !(seconds.is_finite() && seconds > 0.0)
        {
            return Err(InputError::new("--seconds", "needs a number of seconds above 0"));
        }
        let loaded = Scene::load(args.scene.as_deref().unwrap_or(Scene::DEFAULT))?;
        let axes = vary.iter().map(|vary| axis(args, &mut loaded.clone(), vary)).collect::<Result<Vec<_>, _>>()?;
        let grid = Grid::new(axes).map_err(|error| InputError::new("--vary", error.to_string()))?;
        let measures = read_measures(measures)?;
        let id = SweepId { runs: grid.runs(), sweep: String::new() };
        let mut plan = Self { args: args.clone(), loaded, grid, measures, length, id };
        plan.check()?;
        plan.id.sweep = plan.fingerprint();
        Ok(plan)
    }

    /// Tries every value of each axis with every solver; whether a value is taken depends on
    /// nothing else.
    fn check(&self) -> Result<(), InputError> {
        let solvers = self.grid.axes().iter().find(|axis| axis.key == "solver");
        let count = solvers.map_or(1, |axis| axis.values.len());
        for number in 0..count {
            let solver = solvers.map(|axis| axis.values[number].as_str());
            let mut base = self.loaded.clone();
            if let Some(solver) = solver {
                let place = format!("--vary solver={solver}");
                base.set_solver(solver).map_err(|error| InputError::new(place, error.to_string()))?;
            }
            SceneArgs { solver: self.args.solver.clone().filter(|_| solver.is_none()), ..self.args.clone() }
                .change(&mut base)?;
            for axis in self.grid.axes().iter().filter(|axis| axis.key != "solver") {
                for value in &axis.values {
                    let mut scene = base.clone();
                    set(&mut scene, solver, &axis.key, value)?;
                    // the cloth does not depend on the solver
                    if number == 0 {
                        scene.build()?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A number that tells this sweep from others: of its scene with the mesh that it is made from,
    /// of its runs, and of the program.
    fn fingerprint(&self) -> String {
        let mut text = format!("{}\n{}\n", env!("CARGO_PKG_VERSION"), self.loaded.to_ron());
        // any run tells the common start and length of all
        text += &self.command(0);
        for axis in self.grid.axes() {
            text += &format!("\n{}={}", axis.key, axis.values.join(","));
        }
        // the first values may be those that cannot be had together
        let first = self.scene(0).and_then(|scene| scene.build()).ok();
        let pattern = first.as_ref().map(Simulation::pattern);
        let places = pattern.into_iter().flat_map(|pattern| pattern.rest_positions());
        let places = places.flat_map(|x| x.to_array()).map(Real::to_bits);
        let corners =
            pattern.into_iter().flat_map(|pattern| pattern.triangles()).flatten().map(|corner| u64::from(*corner));
        format!("{:016x}", fingerprint(text.bytes().map(u64::from).chain(places).chain(corners)))
    }

    /// The arguments of `run`, counted from zero.
    fn arguments(&self, run: usize) -> SceneArgs {
        let mut args = self.args.clone();
        for (axis, value) in self.grid.axes().iter().zip(self.grid.values(run)) {
            match axis.key.as_str() {
                "solver" => args.solver = Some(value.to_owned()),
                key => args.set.push(format!("{key}={value}")),
            }
        }
        args
    }

    /// The scene that `run`, counted from zero, begins with.
    pub fn scene(&self, run: usize) -> Result<Scene, InputError> {
        let mut scene = self.loaded.clone();
        self.arguments(run).change(&mut scene)?;
        Ok(scene)
    }

    /// Number of time steps of a run of `scene`.
    pub fn steps(&self, scene: &Scene) -> u64 {
        match self.length {
            Length::Steps(steps) => steps,
            Length::Seconds(seconds) => ((seconds / scene.parameters.timing.time_step).round() as u64).max(1),
        }
    }

    /// The command that repeats `run`, counted from zero.
    pub fn command(&self, run: usize) -> String {
        let args = self.arguments(run);
        let steps = match self.length {
            Length::Steps(steps) => steps,
            // the plan has been checked, so that there is a scene; without one nothing could be
            // repeated
            Length::Seconds(_) => self.scene(run).map_or(0, |scene| self.steps(&scene)),
        };
        let mut words = vec!["weft".to_owned(), "run".to_owned(), "--steps".to_owned(), steps.to_string()];
        let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
        add("--scene", &self.loaded.name);
        if let Some(solver) = &args.solver {
            add("--solver", solver);
        }
        args.set.iter().for_each(|assignment| add("--set", assignment));
        words.iter().map(|word| shell(word)).collect::<Vec<_>>().join(" ")
    }

    /// The table of this sweep, without rows.
    pub fn sheet(&self) -> SweepSheet {
        let axes = self.grid.axes().iter().map(|axis| axis.key.clone()).collect();
        SweepSheet { axes, measures: self.measures.clone(), id: Some(self.id.clone()), rows: Vec::new() }
    }
}

/// The measures of these names.
fn read_measures(names: &[String]) -> Result<Vec<&'static Measure>, InputError> {
    let mut measures: Vec<&'static Measure> = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let known = Measure::find(name).ok_or_else(|| {
            let mend = InputError::suggestion(name, MEASURES.iter().map(|measure| measure.key));
            InputError::new("--measure", format!("there is no measure \"{}\"; {mend}", quote(name)))
        })?;
        if measures.iter().any(|measure| measure.key == known.key) {
            return Err(InputError::new("--measure", format!("{name} is named twice; leave one out")));
        }
        measures.push(known);
    }
    Ok(measures)
}

/// Reads an axis, `key=values`.
fn axis(args: &SceneArgs, scene: &mut Scene, text: &str) -> Result<Axis, InputError> {
    let place = format!("--vary {text}");
    let (key, values) = text.split_once('=').map(|(key, values)| (key.trim(), values.trim())).ok_or_else(|| {
        InputError::new(
            &place,
            "needs the form key=values, like time_step=0.001,0.002 or mass_per_vertex=0.1:10:log:20",
        )
    })?;
    let is_set = |assignment: &String| assignment.split('=').next().is_some_and(|set| set.trim() == key);
    if args.set.iter().any(is_set) || (key == "solver" && args.solver.is_some()) {
        return Err(InputError::new(place, "is set and varied; leave one out"));
    }
    Axis::parse(key, values, kind_of(scene, key)).map_err(|error| InputError::new(place, error.to_string()))
}

/// Values of the parameter `key`, of the scene or of any solver. For an unknown one it does not
/// matter.
fn kind_of(scene: &mut Scene, key: &str) -> Values {
    let find = |group: &dyn Tunable| group.index_of(key).map(|index| &group.params()[index]);
    let own = scene.visit(|group| find(group)).into_iter().flatten().next();
    let of_solvers = || REGISTRY.iter().find_map(|entry| find((entry.build)().settings()));
    match own.or_else(of_solvers).map(|param| (param.kind, param.unit)) {
        Some((Kind::Real { .. } | Kind::Angle { .. }, unit)) => Values::Real(unit),
        Some((Kind::Integer { .. }, _)) => Values::Whole,
        _ => Values::Names,
    }
}

/// [`Scene::set`] with an error that names the axis, and the `solver` if that is varied, too.
fn set(scene: &mut Scene, solver: Option<&str>, key: &str, value: &str) -> Result<(), InputError> {
    scene.set(key, value).map_err(|error| {
        let text = error.to_string();
        let named = InputError::new(format!("--set {key}={value}"), "").to_string();
        let message = text.strip_prefix(&named).unwrap_or(&text);
        let with = solver.map_or_else(String::new, |solver| format!(" with solver {solver}"));
        InputError::new(format!("--vary {key}={value}{with}"), message)
    })
}
