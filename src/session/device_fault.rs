//! What a session does when the device that its solver runs on has a fault: the cloth goes on, from the last state that there is here, with a
//! solver that needs none.

use super::{Command, Session};
use crate::sim::solver::Processor;
use crate::sim::{StepError, StepStats};

/// The solver that goes on. It has the energy of those on devices.
const INSTEAD: &str = "fast-mass-spring";

impl Session {
    /// What went wrong with a device and which solver goes on, in a sentence, if that has happened.
    #[must_use]
    pub fn device_fault(&self) -> Option<&str> {
        self.device_fault.as_deref()
    }

    /// Takes the step that has failed by `cause` again without the device, if that was its fault: if the device says so, or if it has come to numbers
    /// that its solver, which never raises the energy of a step, cannot come to.
    pub(super) fn go_on_without_device(&mut self, cause: StepError) -> Result<StepStats, StepError> {
        let solver = self.simulation.solver();
        let on_device = solver.capabilities().processor == Processor::Device;
        let reason = match &cause {
            StepError::Device(reason) => reason.clone(),
            StepError::Diverged(absurd) if on_device => format!("{}: {absurd}", solver.info().name),
            _ => return Err(cause),
        };
        if solver.info().id == INSTEAD {
            return Err(cause);
        }
        // noted like a choice of the user, so that a recording repeats it and it can be taken back
        self.apply(Command::Solver { id: INSTEAD.to_owned() });
        let sentence = format!("{reason}; the cloth goes on with {}", self.simulation.solver().info().name);
        self.say(&sentence);
        self.notice = Some(sentence.clone());
        self.device_fault = Some(sentence);
        self.advance()
    }
}
