//! The command line, one file per command.
//!
//! Exit status 0: fine. 1: it ran and failed (diverged, disk full, out of time, no graphics
//! device). 2: bad input, or a file that cannot be written. 130: Ctrl+C, SIGTERM or SIGHUP.

mod adapter;
mod advise;
mod arguments;
mod bench;
mod exporting;
mod fit;
mod interruption;
mod intersections;
mod jittered;
mod lanes;
mod laws;
mod lessons;
mod list;
mod open;
mod output;
mod plotting;
mod prove;
mod render;
mod replay;
mod report;
mod run;
mod scene_args;
mod stability;
mod sweep;
mod take_home;
mod targets;
mod textile;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  weft                                          hold a piece of cloth
  weft --scene flag --solver implicit-euler     a flag in the wind, by another method
  weft --scene table --set table_shape=square   another table
  weft --scene mesh --set mesh=shirt.obj        your own mesh as the cloth
  weft run --steps 300 --csv run.csv            no window, numbers instead
  weft prove --sizes 20,40                      count intersections, in every scene with cloth-cloth contact
  weft render --scene flag --frames 90 --out flag.gif   pictures without a window
  weft sweep --vary time_step=0.001:0.03:log:20 --steps 300 --out sweep.csv   every value of parameters, on all cores
  weft advise --scene flag --budget 4           which solver to take, measured on this machine
  weft report --scene flag --out flag.html      an experiment as a page that can be handed in
  weft take-home --scene flag --for unity       the solver for an engine: parameters and pseudocode
  weft stability                                the largest stable stiffness of each method
  weft laws --solver xpbd                       which laws of contact a solver keeps
  weft textile --fabric all --test drape        fabrics as a textile laboratory measures them
  weft fit --test drape --target 68 --vary bending_stiffness   the stiffness of a cotton that drapes so
  weft bench --sizes 40,81                      the cost of a step
  weft scenes --scene flag                      every key that --set takes, with its value";

/// Weft, the cloth laboratory: classic and modern cloth solvers on the same cloth, switched live.
#[derive(Parser)]
#[command(name = "weft", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    open: open::OpenArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate without a window; needs neither a screen nor a GPU
    Run(run::RunArgs),
    /// Prove that the cloth never passes through itself, scene by scene and size by size
    Prove(prove::ProveArgs),
    /// Repeat a recording, and compare every step with it
    Replay(replay::ReplayArgs),
    /// Draw pictures or a film without a window; needs a graphics device, software is fine
    Render(render::RenderArgs),
    /// Write a report of an experiment: pictures, plots, solvers, changes and commands on one page
    Report(report::ReportArgs),
    /// Say which solver to take, with which effort, for a scene, a budget and a purpose
    Advise(advise::AdviseArgs),
    /// Write the solver of a scene as text for an engine: parameters, and a step in pseudocode
    TakeHome(take_home::TakeHomeArgs),
    /// Find the largest stable stiffness, or time step, of each method
    Stability(stability::StabilityArgs),
    /// Measure which laws of contact each solver keeps
    Laws(laws::LawArgs),
    /// Measure fabrics as a textile laboratory does: tension, shear, bending, drape, friction
    Textile(textile::TextileArgs),
    /// Find parameters of a fabric with which a textile test gives a figure, a curve or a shape
    Fit(fit::FitArgs),
    /// Run a scene with every combination of values of its parameters, on all cores
    Sweep(sweep::SweepArgs),
    /// Measure the cost of a step, solver by solver and size by size
    ///
    /// Without one of --to-error, --contact and --scenes, the hanging cloth or the --scene is
    /// measured in a vacuum, without its air and wind.
    Bench(bench::BenchArgs),
    /// List the solvers with source, order and stability
    Solvers(list::ListArgs),
    /// List the scenes
    Scenes(list::ListArgs),
    /// List the lessons, or walk through them without a window
    Lessons(lessons::LessonArgs),
}

/// Runs the command that the program was called with.
#[must_use]
pub fn main() -> ExitCode {
    if let Some(message) = arguments::fault_of_encoding(std::env::args_os()) {
        output::report(&message);
        return ExitCode::from(2);
    }
    let cli = Cli::try_parse().unwrap_or_else(|error| arguments::shortened(error).exit());
    // where the system starts none of its threads, the library panics
    if let Err(error) = rayon::ThreadPoolBuilder::new().build_global() {
        output::report(&format!("the cores cannot be used: {error}; allow more memory or processes"));
        return ExitCode::from(1);
    }
    let result = match cli.command {
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Prove(args)) => prove::prove(&args),
        Some(Command::Replay(args)) => replay::replay(&args),
        Some(Command::Render(args)) => render::render(&args),
        Some(Command::Report(args)) => report::report(&args),
        Some(Command::Advise(args)) => advise::advise(&args),
        Some(Command::TakeHome(args)) => take_home::take_home(&args),
        Some(Command::Stability(args)) => stability::stability(&args),
        Some(Command::Laws(args)) => laws::laws(&args),
        Some(Command::Textile(args)) => textile::textile(&args),
        Some(Command::Fit(args)) => fit::fit(&args),
        Some(Command::Sweep(args)) => sweep::sweep(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Solvers(args)) => list::solvers(&args),
        Some(Command::Scenes(args)) => list::scenes(&args),
        Some(Command::Lessons(args)) => lessons::lessons(&args),
        None => open::open_window(&cli.open),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let (status, message) = failure.status();
            output::report(&message);
            ExitCode::from(status)
        }
    }
}
