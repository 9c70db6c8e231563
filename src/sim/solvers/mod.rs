//! The solvers, one file each, and their registry. A new solver is a file here and a line in
//! [`REGISTRY`]; menu, `--solver`, sliders, help and the tests of laws follow from that.

mod body_newton;
mod euler;
mod fast_mass_spring;
mod harmonic_oscillator;
mod hybrid;
pub mod implicit;
mod implicit_euler;
mod implicit_newton;
mod jacobi_implicit;
mod local_global;
pub mod oscillator;
mod pbd;
mod position_based;
mod precomputed_filter;
mod projective_dynamics;
mod soft_constraints;
mod stable_mass_spring;
mod velocity_constraint;
mod vertex_block_descent;
mod xpbd;

pub use euler::{ExplicitEuler, SymplecticEuler};
pub use fast_mass_spring::FastMassSpring;
pub use harmonic_oscillator::HarmonicOscillator;
pub use hybrid::Hybrid;
pub use implicit_euler::ImplicitEuler;
pub use implicit_newton::ImplicitNewton;
pub use jacobi_implicit::JacobiImplicit;
pub use pbd::Pbd;
pub use precomputed_filter::PrecomputedFilter;
pub use projective_dynamics::ProjectiveDynamics;
pub use soft_constraints::SoftConstraints;
pub use stable_mass_spring::StableMassSpring;
pub use velocity_constraint::Softness;
pub use vertex_block_descent::VertexBlockDescent;
pub use xpbd::Xpbd;

use super::solver::{Info, Solver};
#[cfg(feature = "gpu")]
use crate::gpu;

/// A solver that can be chosen.
pub struct Entry {
    /// Description and promises.
    pub info: &'static Info,
    /// Makes one with its default settings.
    pub build: fn() -> Box<dyn Solver>,
}

/// All solvers, in menu order: those of a group stand together.
pub static REGISTRY: &[Entry] = &[
    Entry { info: &euler::EXPLICIT, build: || Box::new(ExplicitEuler::default()) },
    Entry { info: &euler::SYMPLECTIC, build: || Box::new(SymplecticEuler::default()) },
    Entry { info: &harmonic_oscillator::INFO, build: || Box::new(HarmonicOscillator::default()) },
    Entry { info: &implicit_euler::INFO, build: || Box::new(ImplicitEuler::default()) },
    Entry { info: &implicit_newton::INFO, build: || Box::new(ImplicitNewton::default()) },
    Entry { info: &vertex_block_descent::INFO, build: || Box::new(VertexBlockDescent::default()) },
    Entry { info: &jacobi_implicit::INFO, build: || Box::new(JacobiImplicit::default()) },
    Entry { info: &stable_mass_spring::INFO, build: || Box::new(StableMassSpring::default()) },
    Entry { info: &precomputed_filter::INFO, build: || Box::new(PrecomputedFilter::default()) },
    Entry { info: &hybrid::INFO, build: || Box::new(Hybrid::default()) },
    Entry { info: &fast_mass_spring::INFO, build: || Box::new(FastMassSpring::default()) },
    Entry { info: &projective_dynamics::INFO, build: || Box::new(ProjectiveDynamics::default()) },
    #[cfg(feature = "gpu")]
    Entry { info: &gpu::projective_dynamics::INFO, build: || Box::new(gpu::ProjectiveDynamics::default()) },
    #[cfg(feature = "gpu")]
    Entry { info: &gpu::vertex_block_descent::INFO, build: || Box::new(gpu::VertexBlockDescent::default()) },
    Entry { info: &pbd::INFO, build: || Box::new(Pbd::default()) },
    Entry { info: &xpbd::INFO, build: || Box::new(Xpbd::default()) },
    Entry { info: &soft_constraints::INFO, build: || Box::new(SoftConstraints::default()) },
];

/// A solver of the same kind, with its default settings.
#[must_use]
pub fn like(solver: &dyn Solver) -> Box<dyn Solver> {
    let of_kind = |entry: &&Entry| std::ptr::eq(entry.info, solver.info());
    REGISTRY.iter().find(of_kind).map(|entry| (entry.build)()).expect("every solver stands in the registry")
}

/// Name in menus of the solver called `id`; the id itself if there is none.
#[must_use]
pub fn name_of(id: &str) -> &str {
    REGISTRY.iter().find(|entry| entry.info.id == id).map_or(id, |entry| entry.info.name)
}

/// The solver called `id`, with its default settings.
#[must_use]
pub fn build(id: &str) -> Option<Box<dyn Solver>> {
    REGISTRY.iter().find(|entry| entry.info.id == id).map(|entry| (entry.build)())
}
