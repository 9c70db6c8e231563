//! The solvers, one file each, and their registry. A new solver is a file here and a line in [`REGISTRY`]; menu,
//! `--solver`, sliders, help and the laws it is tested by follow from that.

mod fast_mass_spring;
mod implicit_euler;
mod symplectic_euler;

pub use fast_mass_spring::FastMassSpring;
pub use implicit_euler::ImplicitEuler;
pub use symplectic_euler::SymplecticEuler;

use super::solver::{Info, Solver};

/// A solver that can be chosen.
pub struct Entry {
    /// What it is and what it promises.
    pub info: &'static Info,
    /// Makes one with its default settings.
    pub build: fn() -> Box<dyn Solver>,
}

/// All solvers, in menu order.
pub static REGISTRY: &[Entry] = &[
    Entry { info: &symplectic_euler::INFO, build: || Box::new(SymplecticEuler::default()) },
    Entry { info: &implicit_euler::INFO, build: || Box::new(ImplicitEuler::default()) },
    Entry { info: &fast_mass_spring::INFO, build: || Box::new(FastMassSpring::default()) },
];

/// The solver called `id`, with its default settings.
#[must_use]
pub fn build(id: &str) -> Option<Box<dyn Solver>> {
    REGISTRY.iter().find(|entry| entry.info.id == id).map(|entry| (entry.build)())
}
