//! The lanes that a scene comes with.

use super::{Command, Session};
use crate::scene::{InputError, LaneChanges, Scalar};

impl Session {
    /// The lanes of the scene beside that of the session itself, or else the first, each from the
    /// present state on.
    ///
    /// # Errors
    /// [`InputError`] when a lane cannot have its settings.
    pub fn lanes_of_scene(&self) -> Result<Vec<Self>, InputError> {
        let mut lanes = self.state.defaults.all_lanes();
        // most scenes have none, and a state can be large
        if lanes.is_empty() {
            return Ok(Vec::new());
        }
        lanes.remove(self.lane_of_scene().unwrap_or(0));
        let start = self.start();
        lanes.iter().map(|lane| Self::resume(&start)?.set_as(lane)).collect()
    }

    /// Which of the lanes that the scene comes with it is, counted from the scene itself, if it is
    /// one.
    pub(super) fn lane_of_scene(&self) -> Option<usize> {
        let lanes = self.state.defaults.all_lanes();
        if lanes.is_empty() {
            return None;
        }
        let scene = self.scene();
        lanes.iter().position(|lane| scene.in_lane(lane).is_ok_and(|of_lane| of_lane == scene))
    }

    /// The same with the settings of a lane.
    pub(super) fn set_as(mut self, lane: &str) -> Result<Self, InputError> {
        let LaneChanges { solver, set } = LaneChanges::parse(lane)?;
        let solver = solver.map(|id| Command::Solver { id: id.to_owned() });
        let value =
            |&(key, value): &(&str, &str)| Command::Set { key: key.to_owned(), value: Scalar::Text(value.to_owned()) };
        for command in solver.into_iter().chain(set.iter().map(value)) {
            self.execute(&command).map_err(|error| InputError::new(lane, error.to_string()))?;
        }
        Ok(self)
    }
}
