//! States of simulations.

use pyo3::prelude::*;
use weft::session::SessionCheckpoint;

use crate::convert::Rows;

/// State of a simulation, with its solver and parameters, for `Simulation.restore`.
#[pyclass(module = "weft", frozen)]
pub struct State {
    pub checkpoint: SessionCheckpoint,
}

#[pymethods]
impl State {
    /// Simulated time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.checkpoint.simulation().state.time
    }

    /// Number of steps since time zero.
    #[getter]
    fn steps(&self) -> u64 {
        self.checkpoint.simulation().state.steps
    }

    /// Positions of the vertices [m], an array of shape (n, 3): a copy.
    #[getter]
    fn positions(&self) -> Rows<f64> {
        Rows::of(&self.checkpoint.simulation().state.cloth.positions)
    }

    /// Velocities of the vertices [m/s], an array of shape (n, 3): a copy.
    #[getter]
    fn velocities(&self) -> Rows<f64> {
        Rows::of(&self.checkpoint.simulation().state.cloth.velocities)
    }

    fn __repr__(&self) -> String {
        let state = &self.checkpoint.simulation().state;
        format!("<weft.State of {:?}, t = {:.4} s>", self.checkpoint.scene().name, state.time)
    }
}
