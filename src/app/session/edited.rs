//! Parameters, solver and its settings as the panels show and edit them.

use super::SessionHandle;
use crate::scene::IMAGE;
use crate::session::{Command, Frame};
use crate::sim::params::Tunable;
use crate::sim::{Parameters, Solver, solvers};

/// Edits by panels. They run ahead of the frame, so that a slider does not jump back while its
/// command is on the way.
pub(super) struct Edited {
    pub parameters: Parameters,
    pub solver: Box<dyn Solver>,
    pub paused: bool,
    /// Number of the order that made the last change.
    pub order: u64,
}

impl Edited {
    pub fn of(frame: &Frame) -> Self {
        let mut edited =
            Self { parameters: frame.parameters, solver: Self::build(frame), paused: frame.paused, order: frame.seen };
        edited.follow(frame);
        edited
    }

    /// Takes over the values of a frame.
    pub fn follow(&mut self, frame: &Frame) {
        if self.solver.info().id != frame.solver.id {
            self.solver = Self::build(frame);
        }
        for (index, value) in frame.settings.iter().enumerate() {
            self.solver.settings_mut().assign(index, *value);
        }
        (self.parameters, self.paused, self.order) = (frame.parameters, frame.paused, frame.seen);
    }

    fn build(frame: &Frame) -> Box<dyn Solver> {
        solvers::build(frame.solver.id).expect("the solver of a frame is in the registry")
    }
}

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

    /// Whether setting a parameter makes the cloth start again: it belongs to the construction of
    /// the cloth, and is no parameter or setting.
    #[must_use]
    pub fn starts_again(&self, key: &str) -> bool {
        let is_common = self.parameters().groups().any(|group| group.index_of(key).is_some());
        !is_common && self.solver().settings().index_of(key).is_none() && key != IMAGE
    }
}
