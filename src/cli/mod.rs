//! The command line, one file per command.
//!
//! Exit status 0: fine. 1: it ran and failed (diverged, disk full). 2: bad input.

mod bench;
mod convergence;
mod linear;
mod list;
#[cfg(feature = "app")]
mod open;
mod run;
mod stability;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::scene::{InputError, Scene, Snapshot};
use crate::session::Stamped;
use crate::sim::Simulation;

const EXAMPLES: &str = "\
Examples:
  weft                                          hold a piece of cloth
  weft --scene flag --solver implicit-euler     a flag in the wind, by another method
  weft --scene table --set table_shape=square   another table
  weft --scene mesh --set mesh=shirt.obj        your own mesh as the cloth
  weft run --steps 300 --csv run.csv            no window, numbers instead
  weft stability                                the largest stiffness that each method survives
  weft bench --sizes 40,81                      what a step costs
  weft scenes --scene flag                      every key that --set takes, with its value";

/// Weft, the cloth laboratory: classic and modern cloth solvers on the same cloth, switched live.
#[derive(Parser)]
#[command(name = "weft", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    open: OpenArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate without a window; needs neither a screen nor a GPU
    Run(run::RunArgs),
    /// Find the largest stiffness, or time step, that each method survives
    Stability(stability::StabilityArgs),
    /// Measure what a step costs, solver by solver and size by size
    Bench(bench::BenchArgs),
    /// List the solvers with source, order and stability
    Solvers(list::ListArgs),
    /// List the scenes
    Scenes(list::ListArgs),
}

/// What every command takes.
#[derive(Args, Clone, Default)]
pub struct SceneArgs {
    /// Scene by name, or a scene file that ends in .ron
    #[arg(long, value_name = "NAME|FILE")]
    scene: Option<String>,
    /// Solver by id
    #[arg(long, value_name = "ID")]
    solver: Option<String>,
    /// Change a parameter, as often as wanted
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

#[derive(Args)]
struct OpenArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Continue from a snapshot instead of a scene
    #[arg(long, value_name = "SNAPSHOT", conflicts_with = "scene")]
    from: Option<String>,
    /// Image quality; low leaves out shadows and smooth edges [default: as last time]
    #[arg(long, value_name = "low|high")]
    quality: Option<String>,
    /// Close the window after so many seconds
    #[arg(long, value_name = "SECONDS")]
    exit_after: Option<f64>,
    /// Write a picture of the window at exit
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<String>,
    /// Write the state at exit
    #[arg(long, value_name = "FILE.json")]
    snapshot: Option<String>,
    /// Apply commands at their ticks, as --record writes them
    #[arg(long, value_name = "FILE.jsonl")]
    commands: Option<String>,
    /// Write the commands that were given, with their ticks; "weft run --commands" repeats them bit for bit
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<String>,
}

/// Why a command failed.
pub enum Failure {
    /// Bad input: exit status 2.
    Input(InputError),
    /// It ran and failed: exit status 1.
    Ran(String),
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

/// Runs the command that the program was called with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Stability(args)) => stability::stability(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Solvers(args)) => list::solvers(&args),
        Some(Command::Scenes(args)) => list::scenes(&args),
        None => open_window(&cli.open),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Input(error)) => {
            eprintln!("weft: {error}");
            ExitCode::from(2)
        }
        Err(Failure::Ran(message)) => {
            eprintln!("weft: {message}");
            ExitCode::from(1)
        }
    }
}

#[cfg(feature = "app")]
use open::open_window;

#[cfg(not(feature = "app"))]
fn open_window(_: &OpenArgs) -> Result<(), Failure> {
    let message = "this build has no window; use \"weft run\", or build with the default features";
    Err(InputError::new("", message).into())
}

impl SceneArgs {
    /// The scene with the changes that the arguments ask for.
    fn load(&self) -> Result<Scene, InputError> {
        let mut scene = Scene::load(self.scene.as_deref().unwrap_or(Scene::DEFAULT))?;
        self.change(&mut scene)?;
        Ok(scene)
    }

    fn change(&self, scene: &mut Scene) -> Result<(), InputError> {
        if let Some(solver) = &self.solver {
            scene.set_solver(solver).map_err(|error| InputError::new("--solver", error.to_string()))?;
        }
        for assignment in &self.set {
            let (key, value) = assignment.split_once('=').ok_or_else(|| {
                InputError::new(format!("--set {assignment}"), "needs the form key=value, like gravity=1.62")
            })?;
            scene.set(key.trim(), value.trim())?;
        }
        Ok(())
    }

    /// The simulation to start with, from a snapshot or from the scene, and the scene it belongs to.
    fn start(&self, from: Option<&str>) -> Result<(Scene, Simulation), InputError> {
        let Some(file) = from else {
            let scene = self.load()?;
            let simulation = scene.build()?;
            return Ok((scene, simulation));
        };
        let text = std::fs::read_to_string(file)
            .map_err(|error| InputError::new(file, format!("the snapshot cannot be read: {error}")))?;
        let mut snapshot = Snapshot::parse(&text, file)?;
        snapshot.change(|scene| self.change(scene))?;
        snapshot.restore().map_err(|error| InputError::new(file, error.to_string()))
    }
}

/// The commands of a file, none without one.
fn read_commands(file: Option<&str>) -> Result<Vec<Stamped>, InputError> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let text = std::fs::read_to_string(file)
        .map_err(|error| InputError::new(file, format!("the commands cannot be read: {error}")))?;
    Stamped::parse_list(&text, file)
}

/// Writes to standard output. A reader that has gone away (`weft solvers | head`) is no error.
fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Ran(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Refuses an output file whose folder does not exist, before any work is done for it.
fn check_output(file: Option<&String>) -> Result<(), InputError> {
    let Some(file) = file else { return Ok(()) };
    let path = std::path::Path::new(file);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(InputError::new(file, "the folder does not exist; create it first"));
    }
    if path.is_dir() {
        return Err(InputError::new(file, "is a folder; name a file"));
    }
    Ok(())
}
