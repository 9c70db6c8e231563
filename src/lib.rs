//! Weft, the cloth laboratory: cloth solvers on the same cloth, switched live.
//!
//! # The map
//!
//! | folder | |
//! |---|---|
//! | [`sim`] | the library: no window, no files, no clock |
//! | `sim/simulation`, `sim/state` | the step from top to bottom; the state of a simulation |
//! | `sim/solvers`, `sim/solver_interface` | the methods and their registry; capabilities and promises |
//! | `sim/step` | input of a solver in a step |
//! | `sim/constraints`, `sim/forces`, `sim/contact` | constraints, forces, contact of the cloth |
//! | `sim/linear` | sparse systems, their factor and its updates; knows no cloth |
//! | `sim/model`, `sim/pattern`, `sim/topology` | cloth, material, pins; the mesh; tears and cuts |
//! | `sim/measure`, `sim/study` | measurements of a state; studies of many runs |
//! | `sim/exec`, `sim/params` | thread pool, vector registers, work budget; parameters and their declaration |
//! | `gpu` | solvers on a graphics device (feature `gpu`), in the same registry |
//! | [`scene`] | scene files, mesh import, snapshots, export |
//! | [`session`] | a running simulation: commands in, frames out, the thread that steps |
//! | `cli` | the command line (feature `cli`), one file per command |
//! | `plugin` | cloth in a Bevy game (feature `plugin`): components, messages, systems |
//! | `app` | the window (feature `app`): Bevy around the same [`session::Session`] |
//!
//! Folders import in one direction; `tests/rooms.rs` states their order and reads it off the
//! sources.
//!
//! Units are SI: metres, kilograms, seconds, newtons, radians; angles are in degrees only where a
//! panel shows them. `y` points up. Vectors and scalars are double precision ([`sim::Vec3`],
//! [`sim::Real`]); only what is drawn is `f32`.
//!
//! # Pages
//!
//! | page | |
//! |---|---|
//! | [`architecture`] | a frame and a step, who owns what, where to add what, tests |
//! | [`guide`] | the window: mouse and keys, panels, lanes, time, contact, bodies; cloth in a Bevy game |
//! | [`command_line`] | runs, pictures, sweeps, recordings, benchmarks |
//! | [`solvers`] | what each is good for, schemes, acceleration |
//! | [`physics`] | the formulas; comments cite them as `physics.md` |
//! | [`measurements`] | what everything costs |
//! | [`papers`] | the five papers line by line, and their misprints |
//!
//! # Example
//!
//! ```
//! use weft::sim::{Pattern, Simulation, model::material::Mass, pattern::Plane, solvers};
//!
//! let pattern = Pattern::grid(20, 20, 1.0, 1.0, Plane::Xy);
//! let solver = solvers::build("fast-mass-spring").expect("it is in the registry");
//! let mut simulation = Simulation::new(pattern, Mass::default(), solver);
//! simulation.parameters.contact.ground = false;
//! simulation.state.cloth.pin_here(0);
//! simulation.state.cloth.pin_here(19);
//! for _ in 0..60 {
//!     simulation.step()?;
//! }
//! assert!(simulation.largest_stretch() < 0.5);
//! # Ok::<(), weft::sim::StepError>(())
//! ```

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "cli")]
pub mod cli;
pub mod documents;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "plugin")]
pub mod plugin;
pub mod scene;
pub mod session;
pub mod sim;

/// A page that lies beside the code. Its links to other pages lead to their files in a repository,
/// and to their modules here: the first definition of a link counts.
macro_rules! page {
    ($name:ident, $file:literal) => {
        #[doc = "[architecture]: crate::architecture\n[command_line]: crate::command_line"]
        #[doc = "[measurements]: crate::measurements\n[physics]: crate::physics\n[solvers]: crate::solvers"]
        #[doc = "[errata]: crate::papers::errata\n"]
        #[doc = include_str!($file)]
        pub mod $name {}
    };
}

page!(architecture, "architecture.md");
page!(command_line, "command_line.md");
page!(guide, "guide.md");
page!(measurements, "measurements.md");
page!(physics, "physics.md");
page!(solvers, "solvers.md");

/// The five papers that Weft is built on, line by line: what each has, where it is here, how it is
/// verified and what came out; and their misprints.
pub mod papers {
    page!(errata, "papers/errata.md");
    page!(kang, "papers/kang.md");
    page!(kang_cho_park, "papers/kang-cho-park.md");
    page!(projective_dynamics, "papers/projective-dynamics.md");
    page!(report, "papers/report.md");
    page!(soft_constraints, "papers/soft-constraints.md");
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
