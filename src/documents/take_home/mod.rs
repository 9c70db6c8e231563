//! *Take it home*: the solver of a simulation as text for an engine, with the parameters and
//! settings that act, and a step in pseudocode.
//!
//! The pseudocode is put together from [`Info::algorithm`](crate::sim::solver_interface::Info) and
//! from the parts that solvers have in common, in the folder `parts`. Lines of both have the form
//!
//! ```text
//! [condition] text {key} {?condition: text}
//! @part
//! memory: 6 per vertex, 1 per spring, 1 factor
//! ```
//!
//! A condition is a list of names with `&` between them, each with `!` in front where it has not to
//! hold. A name is a fact (`facts.rs`), a parameter, which holds if it acts and is switched on, above
//! zero or not the first choice, or `key=value`. `{key}` becomes the name of the parameter in the
//! language of the engine. The last line tells numbers that the solver keeps beside the state.

mod declaration;
mod facts;
mod header;
mod lines;
mod target;
mod template;

pub use lines::COLUMNS;
pub use target::Target;

use crate::scene::Scene;
use crate::sim::{Real, Simulation};
use facts::Facts;
use template::Template;

/// The solver of `simulation`, which was made from `scene`, as a file for `target`. `step_seconds`
/// is the measured time of a time step [s], if there is one.
#[must_use]
pub fn take_home(scene: &Scene, simulation: &Simulation, step_seconds: Option<Real>, target: Target) -> String {
    let facts = Facts::of(simulation, target);
    let mut text = String::new();
    for line in target.file().lines() {
        let name = line.trim_start();
        let indent = &line[..line.len() - name.len()];
        let lines = match name {
            "@header" => target.block_comment(&header::lines(scene, simulation, step_seconds)),
            "@fields" => declaration::fields(target, &facts, indent),
            "@values" => declaration::values(target, &facts, indent),
            "@pseudocode" => target.line_comments(&pseudocode(simulation, &facts, indent), indent),
            _ => vec![line.to_owned()],
        };
        lines.iter().for_each(|line| text.extend([line.trim_end(), "\n"]));
    }
    text
}

/// A time step in pseudocode.
fn pseudocode(simulation: &Simulation, facts: &Facts, indent: &str) -> Vec<String> {
    let columns = COLUMNS - target::columns(indent) - target::COMMENT;
    let template = Template { facts, columns };
    let algorithm = simulation.solver().info().algorithm;
    let mut lines = template.lines(include_str!("parts/begin.txt"), "");
    if algorithm.is_empty() {
        lines.extend(template.lines(simulation.solver().info().formula, "    "));
    }
    lines.extend(template.lines(algorithm, "    "));
    lines.extend(template.lines(include_str!("parts/end.txt"), "    "));
    lines
}
