//! Effects of commands, for their senders and the journal.

use super::Command;
use crate::scene::IMAGE;

/// Effects of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effects {
    /// Whether it can change the result of the next step. Given in the past, it begins another
    /// branch.
    pub changes_cloth: bool,
    /// Whether it can lead to another scene.
    pub changes_scene: bool,
    /// Whether it can lead to another time.
    pub changes_time: bool,
    /// Whether it changes values of panels, and is undone by the values before.
    pub sets: bool,
    /// Whether it cancels a step that takes seconds.
    pub is_urgent: bool,
    /// Whether settings that suited the cloth before it are to suit it afterwards as well.
    pub suits_solver: bool,
    /// Which of several lanes it is for.
    pub scope: Scope,
    /// How it is recorded.
    pub record: Record,
}

/// Which lanes a command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The chosen one: parameters, solver, recovery.
    Chosen,
    /// All of them: the hand on the cloth.
    All,
    /// All of them, with another scene.
    Scene,
    /// All of them, at another time.
    Time,
}

/// How a command is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// As it is.
    Command,
    /// As the values of all panels after it, since a file that it reads can be another one when it
    /// is repeated.
    Values,
    /// Not at all: it is no command to the cloth, or the step that it takes is recorded.
    Nothing,
}

impl Command {
    /// Effects of this command.
    #[must_use]
    pub fn effects(&self) -> Effects {
        let none = Effects {
            changes_cloth: true,
            changes_scene: false,
            changes_time: false,
            sets: false,
            is_urgent: false,
            suits_solver: false,
            scope: Scope::All,
            record: Record::Command,
        };
        let sets = Effects { sets: true, scope: Scope::Chosen, ..none };
        let urgent = Effects { is_urgent: true, ..none };
        let scene = Effects { changes_scene: true, changes_time: true, scope: Scope::Scene, ..urgent };
        match self {
            Self::Grab { .. }
            | Self::Move { .. }
            | Self::Release
            | Self::MoveCollider { .. }
            | Self::ReleaseCollider
            | Self::MoveHandle { .. }
            | Self::Pin { .. }
            | Self::Unpin { .. }
            | Self::Cut { .. }
            | Self::Iron => none,
            Self::Set { key, .. } if key == IMAGE => Effects { record: Record::Values, ..sets },
            Self::Set { .. } | Self::Arrange { .. } => sets,
            Self::Edit { .. } => Effects { suits_solver: true, changes_scene: true, changes_time: true, ..urgent },
            Self::Fabric { .. } => Effects { suits_solver: true, record: Record::Values, ..sets },
            Self::Solver { .. } => Effects { is_urgent: true, ..sets },
            Self::Wind { .. } => Effects { suits_solver: true, scope: Scope::All, ..sets },
            Self::Table { .. } => Effects { scope: Scope::All, ..sets },
            Self::Reset => Effects { changes_time: true, ..urgent },
            Self::ResetHeld => Effects { changes_scene: true, changes_time: true, ..urgent },
            Self::Restore | Self::Mend { .. } => Effects { changes_time: true, scope: Scope::Chosen, ..urgent },
            Self::Scene { .. } => scene,
            // a picture that is opened is printed
            Self::Open { .. } => Effects { record: Record::Values, ..scene },
            Self::Pause { on } => Effects { changes_cloth: false, is_urgent: *on, ..none },
            Self::Step => Effects { changes_cloth: false, record: Record::Nothing, ..none },
            Self::Undo | Self::Redo => Effects { changes_scene: true, changes_time: true, ..none },
            Self::GoTo { .. } => Effects { changes_time: true, scope: Scope::Time, ..none },
            Self::DropLeft => Effects { changes_cloth: false, ..none },
            Self::Finish => Effects { changes_cloth: false, scope: Scope::Chosen, ..none },
            Self::Dismiss => Effects { changes_cloth: false, scope: Scope::Chosen, record: Record::Nothing, ..none },
        }
    }
}
