//! The comment at the head: what this is, where it comes from, and what it costs.

use super::lines::{COLUMNS, wrapped};
use super::target::{COMMENT, broken};
use super::template::Memory;
use crate::documents::report::Machine;
use crate::scene::{CommandLine, Scene};
use crate::sim::params::quote::quote;
use crate::sim::params::units::{quantity, significant};
use crate::sim::{Real, Simulation};

/// Size of a number in double precision, and of an index of a vertex [bytes].
const NUMBER: usize = 8;
const INDEX: usize = 4;
/// Entries of the factor of a mesh of `n` vertices by nested dissection, as a multiple of
/// `n log₂ n` (George 1973).
const FILL: Real = 31.0 / 4.0;

/// The lines of the comment.
pub(super) fn lines(scene: &Scene, simulation: &Simulation, step_seconds: Option<Real>) -> Vec<String> {
    let info = simulation.solver().info();
    let name = if scene.title.is_empty() { &scene.name } else { &scene.title };
    let mut lines = Vec::new();
    let mut add = |text: String| lines.extend(broken(&text, ""));
    add(format!("{} ({}) for the scene \"{}\", from Weft {}.", info.name, info.source, quote(name), version()));
    add(info.summary.to_owned());
    add(format!("A step in one line: {}", info.formula));
    add(String::new());
    add(extent(simulation));
    add(memory(simulation));
    if let Some(seconds) = step_seconds {
        let machine = Machine::this(None).processor;
        add(format!("Measured: {} per time step of Weft, on {}.", quantity(seconds, "s"), quote(&machine)));
    }
    add(String::new());
    let (command, missing) = command(scene, simulation);
    if !missing.is_empty() {
        add(format!("The command below leaves out: {}.", missing.join(", ")));
    }
    lines.extend(command);
    lines.push(String::new());
    lines.extend(broken(&left_out(simulation), ""));
    lines
}

fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The size of the cloth, and its masses.
fn extent(simulation: &Simulation) -> String {
    let (pattern, masses) = (simulation.pattern(), &simulation.state.cloth.masses);
    let least = masses.iter().copied().fold(Real::INFINITY, Real::min);
    let most = masses.iter().copied().fold(0.0, Real::max);
    let [least, most, all] = [least, most, masses.iter().sum()].map(significant);
    let of_vertex = if least == most { least } else { format!("{least} to {most}") };
    format!(
        "The cloth: {} vertices of {of_vertex} kg, {all} kg in all; {} springs; {} triangles.",
        masses.len(),
        pattern.springs().len(),
        pattern.triangles().len()
    )
}

/// An estimate of the memory of the arrays.
fn memory(simulation: &Simulation) -> String {
    let memory = Memory::of(simulation.solver().info().algorithm);
    let (n, pattern) = (simulation.state.cloth.len(), simulation.pattern());
    let springs = pattern.springs().len();
    let state = 7 * NUMBER * n + springs * (2 * INDEX + NUMBER) + 3 * INDEX * pattern.triangles().len();
    let own = NUMBER * (memory.per_vertex * n + memory.per_spring * springs);
    let size = n as Real;
    let factor = NUMBER as Real * memory.factors as Real * FILL * size * size.max(2.0).log2();
    let mut text = format!(
        "Memory in double precision, about: {} for the cloth, {} for the solver",
        bytes(state as Real),
        bytes(own as Real)
    );
    if factor > 0.0 {
        text += &format!(", up to {} for the factor of its matrix", bytes(factor));
    }
    text + ". In single precision half of that."
}

fn bytes(size: Real) -> String {
    if size < 1e6 { format!("{} kB", significant(1e-3 * size)) } else { format!("{} MB", significant(1e-6 * size)) }
}

/// The command that runs the same, in lines that a shell takes as one, and what it leaves out.
fn command(scene: &Scene, simulation: &Simulation) -> (Vec<String>, Vec<&'static str>) {
    let mut now = scene.clone();
    now.update_from(simulation);
    now.leave_suited(scene, simulation);
    match CommandLine::of(&now) {
        Ok(command) => (continued(&command.line(&["run", "--steps", "300"], &[])), command.missing),
        // the file of the scene is gone
        Err(error) => (broken(&format!("No command repeats it: {error}"), ""), Vec::new()),
    }
}

/// A command in lines of which each but the last ends with a backslash.
fn continued(command: &str) -> Vec<String> {
    // between quotation marks a line must not be broken
    let mut is_quoted = false;
    let joined = |letter: char| {
        is_quoted ^= letter == '\'';
        if letter == ' ' && is_quoted { '\u{0}' } else { letter }
    };
    let command: String = command.chars().map(joined).collect();
    let lines = wrapped(&command, COLUMNS - COMMENT - 2, "    ");
    let last = lines.len() - 1;
    let end = |(at, line): (usize, String)| line.replace('\u{0}', " ") + if at < last { " \\" } else { "" };
    lines.into_iter().enumerate().map(end).collect()
}

/// What the text does not have.
fn left_out(simulation: &Simulation) -> String {
    let tearing = if simulation.parameters.tearing.tearing { ", tearing" } else { "" };
    format!(
        "Left out: contact but for a line each{tearing}, materials of single pieces, and what Weft does for speed \
         and for the same bits on any number of threads. Names in the pseudocode are those of the fields; x, v, m \
         are positions, velocities and masses, L lengths of springs at rest, and u, d, ... change from spring to spring."
    )
}
