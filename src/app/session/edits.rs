//! Edits by panels: parameters, and the settings of the solver.

use super::SessionHandle;
use crate::session::Command;
use crate::sim::params::Tunable;
use crate::sim::{Parameters, Solver};

impl SessionHandle {
    /// The common parameters as the panels show them.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.edited().parameters
    }

    /// Sends the commands that set the common parameters to these.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        if parameters == *self.parameters() {
            return;
        }
        let before = std::mem::replace(&mut self.edited_mut().parameters, parameters);
        let groups = before.groups().zip(parameters.groups());
        let changes: Vec<Command> = groups.flat_map(|(before, after)| Command::changes(before, after)).collect();
        self.edit(changes);
    }

    /// The solver at work with its settings as the panels show them. It never steps.
    #[must_use]
    pub fn solver(&self) -> &dyn Solver {
        self.edited().solver.as_ref()
    }

    /// Applies `change` to the solver's settings, and sends the changes.
    pub fn change_settings(&mut self, change: impl FnOnce(&mut dyn Tunable)) {
        let settings = self.edited_mut().solver.settings_mut();
        let before: Vec<_> = (0..settings.params().len()).map(|index| settings.get(index)).collect();
        change(settings);
        let changed = |index: &usize| before[*index] != settings.get(*index);
        let set = |index: usize| Command::set(&settings.params()[index], settings.get(index));
        let changes = (0..before.len()).filter(changed).map(set).collect();
        self.edit(changes);
    }

    /// A gesture is over, if one was changing parameters.
    pub fn finish_gesture(&mut self) {
        if std::mem::take(&mut self.is_editing) {
            self.send(Command::Finish);
        }
    }

    /// Orders changes, which are one action until the gesture is over.
    pub(super) fn edit(&mut self, changes: Vec<Command>) {
        self.is_editing |= !changes.is_empty();
        for command in changes {
            let order = self.send(command);
            self.edited_mut().order = order;
        }
    }
}
