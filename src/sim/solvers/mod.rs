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
pub use implicit_newton::{ImplicitNewton, ImplicitNewtonSettings};
pub use jacobi_implicit::JacobiImplicit;
pub use local_global::{MovingPoint, RigidMotion, VelocityFilter};
pub use pbd::Pbd;
pub use precomputed_filter::PrecomputedFilter;
pub use projective_dynamics::{ProjectiveDynamics, ProjectiveDynamicsSettings};
pub use soft_constraints::SoftConstraints;
pub use stable_mass_spring::StableMassSpring;
pub use velocity_constraint::Softness;
pub use vertex_block_descent::VertexBlockDescent;
pub use xpbd::Xpbd;

use super::solver_interface::{FEW_SUBSTEPS, Info, MANY_SUBSTEPS, Rung, Solver};
#[cfg(feature = "gpu")]
use crate::gpu;

/// A solver that can be chosen.
pub struct Entry {
    /// Description and promises.
    pub info: &'static Info,
    /// Makes one with its default settings.
    pub build: fn() -> Box<dyn Solver>,
    /// Its own effort, from the cheapest step to the dearest; other settings stay as they are.
    pub ladder: &'static [Rung],
}

/// All solvers, in menu order: those of a group stand together.
pub static REGISTRY: &[Entry] = &[
    entry(&euler::EXPLICIT, || Box::new(ExplicitEuler::default()), MANY_SUBSTEPS),
    entry(&euler::SYMPLECTIC, || Box::new(SymplecticEuler::default()), MANY_SUBSTEPS),
    entry(&harmonic_oscillator::INFO, || Box::new(HarmonicOscillator::default()), MANY_SUBSTEPS),
    entry(&implicit_euler::INFO, || Box::new(ImplicitEuler::default()), implicit_euler::LADDER),
    entry(&implicit_newton::INFO, || Box::new(ImplicitNewton::default()), implicit_newton::LADDER),
    entry(&vertex_block_descent::INFO, || Box::new(VertexBlockDescent::default()), vertex_block_descent::LADDER),
    entry(&jacobi_implicit::INFO, || Box::new(JacobiImplicit::default()), jacobi_implicit::LADDER),
    entry(&stable_mass_spring::INFO, || Box::new(StableMassSpring::default()), FEW_SUBSTEPS),
    entry(&precomputed_filter::INFO, || Box::new(PrecomputedFilter::default()), FEW_SUBSTEPS),
    entry(&hybrid::INFO, || Box::new(Hybrid::default()), FEW_SUBSTEPS),
    entry(&fast_mass_spring::INFO, || Box::new(FastMassSpring::default()), local_global::LADDER),
    entry(&projective_dynamics::INFO, || Box::new(ProjectiveDynamics::default()), local_global::LADDER),
    #[cfg(feature = "gpu")]
    entry(&gpu::projective_dynamics::INFO, || Box::new(gpu::ProjectiveDynamics::default()), gpu::LADDER),
    #[cfg(feature = "gpu")]
    entry(&gpu::vertex_block_descent::INFO, || Box::new(gpu::VertexBlockDescent::default()), gpu::LADDER),
    entry(&pbd::INFO, || Box::new(Pbd::default()), position_based::LADDER),
    entry(&xpbd::INFO, || Box::new(Xpbd::default()), position_based::LADDER),
    entry(&soft_constraints::INFO, || Box::new(SoftConstraints::default()), soft_constraints::LADDER),
];

const fn entry(info: &'static Info, build: fn() -> Box<dyn Solver>, ladder: &'static [Rung]) -> Entry {
    Entry { info, build, ladder }
}

/// A solver of the same kind, with its default settings.
///
/// # Panics
/// When the registry has none of its kind.
#[must_use]
pub fn like(solver: &dyn Solver) -> Box<dyn Solver> {
    let of_kind = |entry: &&Entry| std::ptr::eq(entry.info, solver.info());
    REGISTRY.iter().find(of_kind).map(|entry| (entry.build)()).expect("every solver stands in the registry")
}

/// Id of a solver that is known by its type.
#[must_use]
pub fn id_of<S: Solver + Default>() -> &'static str {
    S::default().info().id
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
