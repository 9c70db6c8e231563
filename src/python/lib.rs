//! The Python module `weft`: scenes and simulations of the library, without the window.
//!
//! Simulations are [sessions](weft::session::Session), so that commands, failures and snapshots are
//! those of the program, and the bits as well.

mod attributes;
mod convert;
mod lists;
mod long_call;
mod scene;
mod session;
mod simulation;
mod state;
mod studies;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use weft::scene::InputError as LibraryError;

pyo3::create_exception!(
    weft,
    InputError,
    PyValueError,
    "A value, name or file that cannot be used: what, where, and what to do."
);
pyo3::create_exception!(
    weft,
    StepError,
    PyRuntimeError,
    "A step that failed. The simulation has the state before that step."
);
pyo3::create_exception!(weft, UnusableError, PyRuntimeError, "A simulation that cannot be used, or not now.");

/// The exception of an error of the library, with its sentence.
fn input_error(error: &LibraryError) -> PyErr {
    InputError::new_err(error.to_string())
}

/// Weft, the cloth laboratory: classic and modern cloth solvers on the same cloth.
///
/// Units are SI: metres, kilograms, seconds, newtons, radians; y points up.
#[pymodule]
#[pyo3(name = "weft")]
mod module {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::lists::{fabrics, quantities, scenes, solvers};
    #[pymodule_export]
    use crate::scene::Scene;
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::studies::{advise, sweep, textile};
    #[pymodule_export]
    use crate::{InputError, StepError, UnusableError};

    /// Gives scenes their declared attributes.
    #[pymodule_init]
    fn init(py: Python<'_>) -> PyResult<()> {
        crate::attributes::declare(&py.get_type::<Scene>())
    }
}
