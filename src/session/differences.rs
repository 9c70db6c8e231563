//! Differences between sessions in words: solver, fabric, parameters with their labels and units.

use super::Frame;
use crate::scene::{Fabric, Pinning, Scene};
use crate::sim::params::{Setting, Tunable};
use crate::sim::{Parameters, solvers};

/// Most parts of a name in a legend.
const MOST_PARTS: usize = 4;

/// Names for the lanes of these frames in a legend: each one's [caption](Frame::caption) among the
/// others, without the underscores of keys, and where two are the same with a letter before it.
#[must_use]
pub fn captions(frames: &[&Frame]) -> Vec<String> {
    let name = |at: usize| {
        let others: Vec<&Frame> =
            frames.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, frame)| *frame).collect();
        let text = frames[at].caption(&others).replace('_', " ");
        let parts: Vec<&str> = text.split(", ").collect();
        if parts.len() > MOST_PARTS { format!("{}, …", parts[..MOST_PARTS].join(", ")) } else { text }
    };
    let known: Vec<String> = (0..frames.len()).map(name).collect();
    let is_twice = |name: &String| known.iter().filter(|other| *other == name).count() > 1;
    let letters = ('A'..='Z').zip(&known);
    letters.map(|(letter, name)| if is_twice(name) { format!("{letter}: {name}") } else { name.clone() }).collect()
}

impl Frame {
    /// The name of a lane among `others`: its solver, where these differ or nothing else does, and
    /// its [`differences`](Self::differences).
    #[must_use]
    pub fn caption(&self, others: &[&Self]) -> String {
        let mut parts = self.differences(others);
        if parts.is_empty() || others.iter().any(|other| other.solver.id != self.solver.id) {
            parts.insert(0, self.solver.name.to_owned());
        }
        parts.join(", ")
    }

    /// The fabric, settings of the solver, parameters and shape in which it differs from any of
    /// `others`.
    #[must_use]
    pub fn differences(&self, others: &[&Self]) -> Vec<String> {
        let mut found = Vec::new();
        let fabric = fabric_of(self);
        if let Some(fabric) = fabric
            && others.iter().any(|other| fabric_of(other) != Some(fabric))
        {
            found.push(fabric.name.clone());
        }
        self.note_settings(others, &mut found);
        let groups: Vec<&dyn Tunable> = self.parameters.groups().collect();
        for (at, group) in groups.into_iter().enumerate() {
            let differs = |index| others.iter().any(|other| self.is_different(other, at, index));
            note(group, differs, &mut found);
        }
        self.note_shape(others, &mut found);
        found
    }

    /// Settings of the solver: against lanes with the same one, or against its defaults if there is
    /// none.
    fn note_settings(&self, others: &[&Self], found: &mut Vec<String>) {
        let Some(solver) = solvers::build(self.solver.id) else { return };
        let alike: Vec<&&Self> = others.iter().filter(|other| other.solver.id == self.solver.id).collect();
        let is_only = alike.is_empty() && !others.is_empty();
        for (index, param) in solver.settings().params().iter().enumerate() {
            let Some(value) = self.settings.get(index) else { continue };
            let differs = alike.iter().any(|other| other.settings.get(index) != Some(value));
            if differs || (is_only && solver.settings().default_of(index) != *value) {
                found.push(param.caption(*value));
            }
        }
    }

    fn note_shape(&self, others: &[&Self], found: &mut Vec<String>) {
        let before = found.len();
        for (at, group) in shape(&self.scene).iter().enumerate() {
            let differs = |index| others.iter().any(|other| shape(&other.scene)[at].get(index) != group.get(index));
            note(group.as_ref(), differs, found);
        }
        let count = self.positions.len();
        if found.len() == before && others.iter().any(|other| other.positions.len() != count) {
            found.push(format!("{count} vertices"));
        }
    }

    /// Whether a common parameter differs, other than by the fabric.
    fn is_different(&self, other: &Self, group: usize, index: usize) -> bool {
        let value = |parameters: &Parameters| -> Option<Setting> {
            parameters.groups().nth(group).map(|group| group.get(index))
        };
        let (own, of_other) = (value(&self.parameters), value(&other.parameters));
        if own == of_other {
            return false;
        }
        match (fabric_of(self), fabric_of(other)) {
            (own_fabric, fabric) if own_fabric == fabric => true,
            (Some(fabric), _) => value(&made_of(fabric, &other.parameters)) != own,
            (None, Some(fabric)) => value(&made_of(fabric, &self.parameters)) != of_other,
            (None, None) => true,
        }
    }
}

/// The captions of the parameters of a group that differ.
fn note(group: &dyn Tunable, differs: impl Fn(usize) -> bool, found: &mut Vec<String>) {
    let different = group.params().iter().enumerate().filter(|(index, _)| differs(*index));
    found.extend(different.map(|(index, param)| param.caption(group.get(index))));
}

/// The declarations of a scene about the shape of the cloth and its pins.
fn shape(scene: &Scene) -> [Box<dyn Tunable>; 3] {
    [Box::new(scene.first.grid), Box::new(scene.first.import), Box::new(Pinning { pins: scene.first.pins })]
}

fn made_of(fabric: &Fabric, parameters: &Parameters) -> Parameters {
    let mut made = *parameters;
    fabric.apply(&mut made);
    made
}

/// The fabric of the cloth, if no more than two of its values were changed.
fn fabric_of(frame: &Frame) -> Option<&'static Fabric> {
    const CHANGED: usize = 2;
    let fabric = Fabric::find(&frame.scene.fabric).ok()?;
    let made = made_of(fabric, &frame.parameters);
    let groups = made.groups().zip(frame.parameters.groups());
    let changed: usize = groups
        .map(|(made, own)| (0..own.params().len()).filter(|index| made.get(*index) != own.get(*index)).count())
        .sum();
    (changed <= CHANGED).then_some(fabric)
}
