//! The arguments of `weft bench`, and the cloths that it measures.

use clap::{ArgGroup, Args};

use crate::cli::adapter::AdapterArgs;
use crate::cli::scene_args::SceneArgs;
use crate::scene::{Grid, InputError, Scene};
use crate::sim::Real;
use crate::sim::forces::air::AirMode;

const EXAMPLES: &str = "\
Examples:
  weft bench                                            every solver at the sizes of Kang's table 2
  weft bench --sizes 40,81 --solvers xpbd,implicit-euler
  weft bench --sizes 81 --threads 1 --json              for scripts
  weft bench --solvers xpbd --set iterations=1          with settings of one's own
  weft bench --convergence --sizes 40 > out.csv         the error of every iterate of one step
  weft bench --convergence --from end.json > out.csv    the next step of a saved state
  weft bench --convergence --coordinates --solvers projective-dynamics > out.csv
  weft bench --to-error --json                          iterations and milliseconds to an error, by acceleration
  weft bench --to-error --scene flag --sizes 81 --steps 20
  weft bench --contact --sizes 41,81,161                cloth on cloth: search, response and truncation
  weft bench --contact --cases eight,heap --sizes 81    only some of the cases
  weft bench --scenes --solvers xpbd,pbd                the scenes that one opens first: cost, stretch, blow-ups
  weft bench --plugin                                   twenty capes in a Bevy app
  weft bench --gpu --sizes 81,257,513,1025              solvers on the graphics device
  weft bench --gpu --adapter nvidia --set iterations=60 --json";

/// Vertices along a side in Kang's table 2.
pub(super) const TABLE_2_SIZES: [u32; 3] = [20, 30, 40];

/// Those that contact and the cost of an error are measured at.
const CONTACT_SIZES: [u32; 2] = [41, 81];
const TO_ERROR_SIZES: [u32; 2] = [40, 81];

/// Those that a graphics device is measured at.
const GPU_SIZES: [u32; 4] = [81, 257, 513, 1025];

#[derive(Args, Clone)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("stepped").args(["to_error", "scenes"]))]
pub(in crate::cli) struct BenchArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    #[command(flatten)]
    pub(super) adapter: AdapterArgs,
    /// Vertices along a side of the cloth
    /// [default: 20,30,40; 41,81 with --contact; 40,81 with --to-error; 81,257,513,1025 with --gpu]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub(super) sizes: Vec<u32>,
    /// Solvers by id [default: all]
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    pub(super) solvers: Vec<String>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(super) threads: Option<u16>,
    /// Measure the factor of the constant matrix beside that of the library faer, instead of steps
    #[arg(long)]
    pub(super) linear: bool,
    /// Print the error of every iterate of one step in mid-motion as CSV, for the solvers that
    /// minimise, instead of costs
    #[arg(long, conflicts_with = "linear")]
    pub(super) convergence: bool,
    /// Measure every solver of --convergence also in its other coordinates: A and B of projective
    /// dynamics
    #[arg(long, requires = "convergence")]
    pub(super) coordinates: bool,
    /// Measure the next step of a saved state with --convergence, as it is
    #[arg(long, value_name = "SNAPSHOT", requires = "convergence", conflicts_with_all = ["scene", "sizes"])]
    pub(super) from: Option<String>,
    /// Measure iterations and milliseconds that the solvers which minimise need to come so near the
    /// minimum of a step, with every acceleration, on the live hanging, flag and table cloths or
    /// one --scene
    #[arg(long, conflicts_with_all = ["linear", "convergence"])]
    pub(super) to_error: bool,
    /// Errors of --to-error, relative to that of the inertial target
    #[arg(long, value_name = "ERROR,...", value_delimiter = ',', requires = "to_error",
        default_values_t = [1e-2, 1e-4, 1e-6])]
    pub(super) errors: Vec<Real>,
    /// Steps that --to-error and --scenes take the medians over
    #[arg(long, value_name = "N", default_value_t = 100, requires = "stepped",
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) steps: u32,
    /// Measure contact of the cloth with itself: sheets alone, on each other and in a heap, at rest
    /// and in motion. Cells of sheets are 12.5 mm wide at every size
    #[arg(long, conflicts_with_all = ["linear", "convergence", "to_error", "scene", "set", "solvers"])]
    pub(super) contact: bool,
    /// Measure the scenes that one opens first, with the settings that solvers have there: what a
    /// step and its contact cost, how far threads stretch, what blows up
    #[arg(long, conflicts_with_all = ["linear", "convergence", "to_error", "contact", "gpu", "scene", "set", "sizes"])]
    pub(super) scenes: bool,
    /// Cases of --contact [default: all]
    #[arg(long, value_name = "CASE,...", value_delimiter = ',', requires = "contact",
        value_parser = ["flat", "two", "eight", "heap"])]
    pub(super) cases: Vec<String>,
    /// Measure what a frame of the window costs beside the renderer: the panels with all plots, and
    /// the mesh of the cloth
    #[cfg(feature = "app")]
    #[arg(long, conflicts_with_all = ["linear", "convergence", "to_error", "contact", "scenes", "scene", "set", "solvers"])]
    pub(super) interface: bool,
    /// Measure what a tick of twenty capes costs in a Bevy app without a window
    #[cfg(feature = "plugin")]
    #[arg(long, conflicts_with_all = ["linear", "convergence", "to_error", "contact", "scenes", "gpu", "scene", "set",
        "solvers", "sizes"])]
    pub(super) plugin: bool,
    /// Measure the solvers that run on a graphics device, on grids and on irregular meshes:
    /// dispatches, iterations, ticks with their stages, and bytes per second beside those of a
    /// kernel that copies
    #[arg(long, conflicts_with_all = ["linear", "convergence", "to_error", "contact", "scene"])]
    pub(super) gpu: bool,
    /// Iterations of --convergence
    #[arg(long, value_name = "N", default_value_t = 100, requires = "convergence",
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) iterations: u32,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl BenchArgs {
    /// With the sizes that are measured where none are asked for.
    pub(super) fn with_sizes(&self) -> Self {
        let mut args = self.clone();
        if args.sizes.is_empty() {
            let sizes = match args {
                Self { contact: true, .. } => &CONTACT_SIZES[..],
                Self { to_error: true, .. } => &TO_ERROR_SIZES[..],
                Self { gpu: true, .. } => &GPU_SIZES[..],
                _ => &TABLE_2_SIZES[..],
            };
            args.sizes.extend_from_slice(sizes);
        }
        args
    }

    /// The scene as it is if it is a body, which has no size to vary.
    pub(super) fn body(&self) -> Result<Option<Scene>, InputError> {
        if self.from.is_some() {
            return Ok(None);
        }
        Ok(Some(self.scene.load()?).filter(|scene| scene.first.body.is_some()))
    }

    /// The hanging cloth, or another scene, with a grid of `size` × `size` vertices in a vacuum.
    pub(super) fn scene_of(&self, solver: &str, size: u32) -> Result<Scene, InputError> {
        let named = SceneArgs { solver: Some(solver.to_owned()), set: Vec::new(), ..self.scene.clone() };
        let mut scene = named.load()?;
        scene.parameters.air.air = AirMode::Vacuum;
        scene.settings.clear();
        scene.solvers.clear();
        scene.name_settings()?;
        self.resized(scene, size)
    }

    /// The scene called `name` as it is, with a grid of `size` × `size` vertices.
    pub(super) fn live_scene(&self, name: &str, size: u32) -> Result<Scene, InputError> {
        let named = SceneArgs { scene: Some(name.to_owned()), set: Vec::new(), ..self.scene.clone() };
        self.resized(named.load()?, size)
    }

    fn resized(&self, mut scene: Scene, size: u32) -> Result<Scene, InputError> {
        if scene.first.mesh.is_some() {
            return Err(InputError::new(&scene.name, "is a mesh, which has no --sizes; choose a scene with a grid"));
        }
        if scene.first.body.is_some() {
            return Err(InputError::new(&scene.name, "is a body, which has no --sizes; choose a scene with a grid"));
        }
        for key in [Grid::columns, Grid::rows] {
            scene.set(key, &size.to_string()).map_err(|error| InputError::new("--sizes", error.to_string()))?;
        }
        SceneArgs { set: self.scene.set.clone(), ..SceneArgs::default() }.change(&mut scene)?;
        Ok(scene)
    }
}
