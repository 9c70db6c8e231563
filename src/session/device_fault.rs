//! Faults of the device of a solver: the cloth continues from its last state in memory, with a
//! solver on the processor.

use super::{Command, Session};
use crate::scene::available_memory;
use crate::sim::solver_interface::Processor;
use crate::sim::solvers::{FastMassSpring, VertexBlockDescent, id_of};
use crate::sim::{StepError, StepStats};

/// Memory that the factor of [`FastMassSpring`] takes per vertex of a large cloth [bytes]: some 6
/// GB at 1025 × 1025 vertices.
const FACTOR: u64 = 6000;
/// Vertices up to which memory is not checked.
const SMALL: u64 = 1 << 18;

/// The solver that continues a cloth of so many vertices with so much memory left [bytes]:
/// [`FastMassSpring`], which has the energy of those on devices, or [`VertexBlockDescent`], which
/// has no matrix, if the factor would take more than half of the memory.
#[must_use]
pub fn instead(vertices: u64, available: Option<u64>) -> &'static str {
    let fits = available.is_none_or(|available| vertices.saturating_mul(2 * FACTOR) <= available);
    if fits { id_of::<FastMassSpring>() } else { id_of::<VertexBlockDescent>() }
}

impl Session {
    /// Fault of a device and the solver that continues, in a sentence, if there was one.
    #[must_use]
    pub fn device_fault(&self) -> Option<&str> {
        self.messages.device_fault.as_deref()
    }

    /// Takes the step that has failed by `cause` again without the device, if that was its fault:
    /// if the device says so, or if it has come to numbers that its solver, which never raises the
    /// energy of a step, cannot come to.
    pub(super) fn go_on_without_device(&mut self, cause: StepError) -> Result<StepStats, StepError> {
        let solver = self.simulation.solver();
        let on_device = solver.capabilities().processor == Processor::Device;
        let reason = match &cause {
            StepError::Device(reason) => reason.clone(),
            StepError::Diverged(absurd) if on_device => format!("{}: {absurd}", solver.info().name),
            _ => return Err(cause),
        };
        let vertices = self.simulation.state.cloth.len() as u64;
        let available = if vertices > SMALL { available_memory() } else { None };
        let next = instead(vertices, available);
        if solver.info().id == next {
            return Err(cause);
        }
        // noted like a choice of the user, so that a recording repeats it and it can be taken back
        self.apply(Command::Solver { id: next.to_owned() });
        let sentence = format!("{reason}; the cloth continues with {}", self.simulation.solver().info().name);
        self.log(&sentence);
        self.messages.message = Some(sentence.clone());
        self.messages.device_fault = Some(sentence);
        self.advance()
    }
}
