//! What contacts get to know of a step.

use super::row::ClothContactSettings;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Pattern, Real, Vec3};

/// A step, as contacts see it.
#[derive(Clone, Copy)]
pub struct ContactStep<'a> {
    /// Distance and friction.
    pub settings: ClothContactSettings,
    /// Rest mesh.
    pub pattern: &'a Pattern,
    /// Positions at its start [m].
    pub before: &'a [Vec3],
    /// Its length [s].
    pub dt: Real,
    /// The thread pool.
    pub pool: &'a ThreadPool,
}

/// Contacts of cloth with cloth that a step looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClothContacts {
    /// None: the cloth may pass through itself.
    Ignored,
    /// All.
    Sought,
    /// Those that `SelfContact::constrain` has found, which the solver has solved.
    Solved,
}
