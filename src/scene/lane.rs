//! Lanes: the same scene with other settings, to be looked at side by side.

use super::{InputError, Scene};
use crate::sim::params::quote::quote;

/// Settings of a lane, `key=value,key=value`. The solver is set before everything else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaneChanges<'a> {
    /// The solver's id.
    pub solver: Option<&'a str>,
    /// Keys and values of all else, in order.
    pub set: Vec<(&'a str, &'a str)>,
}

impl<'a> LaneChanges<'a> {
    /// Parses the settings.
    ///
    /// # Errors
    /// [`InputError`] without a place, for a part that is no assignment.
    pub fn parse(lane: &'a str) -> Result<Self, InputError> {
        let mut changes = Self::default();
        for assignment in lane.split(',').map(str::trim) {
            match assignment.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
                Some(("solver", id)) => changes.solver = Some(id),
                Some(change) => changes.set.push(change),
                None => {
                    let message = "needs the form key=value,key=value, like solver=pbd,iterations=5";
                    return Err(InputError::new("", message));
                }
            }
        }
        Ok(changes)
    }
}

impl Scene {
    /// Most lanes that there can be, with the scene itself.
    pub const MOST_LANES: usize = 4;

    /// All lanes of the scene, or none: first the scene itself, with its values of the settings of
    /// the others.
    #[must_use]
    pub fn all_lanes(&self) -> Vec<String> {
        let mut own: Vec<String> = Vec::new();
        for changes in self.lanes.iter().filter_map(|lane| LaneChanges::parse(lane).ok()) {
            let solver = changes.solver.map(|_| format!("solver={}", self.solver));
            let values = changes.set.iter().filter_map(|(key, _)| Some(format!("{key}={}", self.value_of(key)?)));
            let new: Vec<String> = solver.into_iter().chain(values).filter(|value| !own.contains(value)).collect();
            own.extend(new);
        }
        let first = (!self.lanes.is_empty()).then(|| own.join(","));
        first.into_iter().chain(self.lanes.iter().cloned()).take(Self::MOST_LANES).collect()
    }

    /// The scene as one of its lanes has it.
    ///
    /// # Errors
    /// [`InputError`] for an unknown key or a value that it does not take.
    pub fn in_lane(&self, lane: &str) -> Result<Self, InputError> {
        let changes = LaneChanges::parse(lane)?;
        let mut scene = self.clone();
        changes.solver.map_or(Ok(()), |id| scene.set_solver(id))?;
        changes.set.iter().try_for_each(|(key, value)| scene.set(key, value))?;
        Ok(scene)
    }

    /// The value of a declared parameter of the scene or of its solver.
    fn value_of(&self, key: &str) -> Option<String> {
        let of = |group: &mut dyn crate::sim::params::Tunable| super::collect_settings(group).remove(key);
        self.clone().visit(of).into_iter().flatten().next().map(|value| value.to_string())
    }

    /// A fault of its lanes, if any.
    pub fn fault_of_lanes(&self) -> Option<String> {
        if self.lanes.len() >= Self::MOST_LANES {
            let (count, most) = (self.lanes.len() + 1, Self::MOST_LANES);
            return Some(format!("{count} lanes with the scene itself; there may be {most}"));
        }
        let fault = |lane: &String| {
            let changes = LaneChanges::parse(lane);
            let of_files = |(key, _): &&(&str, &str)| ["mesh", "body", "image", "fabric"].contains(key);
            if let Some((key, _)) = changes.as_ref().ok().and_then(|changes| changes.set.iter().find(of_files)) {
                return Some(format!("\"{key}\" is the same in all lanes; leave it out"));
            }
            self.in_lane(lane).err().map(|error| error.message().to_owned())
        };
        self.lanes.iter().find_map(|lane| Some(format!("\"{}\": {}", quote(lane), fault(lane)?)))
    }
}
