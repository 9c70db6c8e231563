//! What the plugin reports to the game.

use bevy::prelude::*;

/// A step of a cloth failed: the state left every sensible range, or a system had no solution. The
/// cloth stays in its last good state until its [`Cloth`](super::Cloth) or its mesh changes.
#[derive(Message, Debug, Clone, PartialEq, Reflect)]
pub struct ClothBlewUp {
    /// The cloth.
    pub cloth: Entity,
    /// Simulated time of the state that it is in [s].
    pub time: f64,
    /// What went wrong, as a sentence.
    pub reason: String,
}

/// A cloth tore in a step.
#[derive(Message, Debug, Clone, PartialEq, Reflect)]
pub struct ClothTorn {
    /// The cloth.
    pub cloth: Entity,
    /// Number of vertices that were split.
    pub vertices: u32,
}

/// The step of a cloth was not done when the next one was due, in a later picture than the one in
/// which it began. Its next step is longer by as many
/// ticks, up to 0.1 s; time beyond that is lost, and the cloth moves in slow motion.
#[derive(Message, Debug, Clone, PartialEq, Reflect)]
pub struct ClothTooSlow {
    /// The cloth.
    pub cloth: Entity,
    /// Ticks that its step is late by now.
    pub ticks: u32,
}

/// A component cannot be used as it is. The cloth does without it: without a collider, without
/// these pins, or it does not begin.
#[derive(Message, Debug, Clone, PartialEq, Reflect)]
pub struct ClothRefused {
    /// The entity with the component.
    pub entity: Entity,
    /// What is wrong with it and what to change, as a sentence.
    pub fault: String,
}
