//! All that a command of a panel, or a pin, changes in a session. As long as no step is taken, it
//! can be restored to the bit.

use super::Command;
use super::arrangement::PanelValues;
use super::rising_wind::RisingWind;
use crate::sim::{Pin, SolverState, Vec3};

/// Values of the panels, with the state that depends on them.
#[derive(Debug)]
pub(super) struct Controls {
    pub values: PanelValues,
    pub rising_wind: RisingWind,
    /// State of the solver at work, where the command can choose another one.
    pub solver_state: Option<SolverState>,
    /// The pin of a vertex and the velocity of that [m/s], where the command is about a pin.
    pub pin: Option<VertexPin>,
}

/// Whether and how a vertex is pinned.
#[derive(Debug, PartialEq)]
pub(super) struct VertexPin {
    pub vertex: u32,
    pub pin: Option<Pin>,
    /// Velocity of the vertex [m/s].
    pub velocity: Vec3,
}

impl Controls {
    /// The command that leads to them from another state of the cloth.
    pub fn command(&self) -> Command {
        match &self.pin {
            Some(VertexPin { vertex, pin: Some(_), .. }) => Command::Pin { vertex: *vertex },
            Some(VertexPin { vertex, pin: None, .. }) => Command::Unpin { vertex: *vertex },
            None => Command::Arrange { arrangement: self.values.arrangement() },
        }
    }

    /// Whether panels and pin have the same values in both.
    pub fn is_like(&self, other: &Self) -> bool {
        self.values == other.values && self.pin == other.pin
    }

    /// Memory without that of the panels [bytes].
    pub fn bytes(&self) -> usize {
        let state = self.solver_state.as_ref().map_or(0, SolverState::bytes);
        size_of::<Self>() + state
    }
}
