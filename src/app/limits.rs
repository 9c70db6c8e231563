//! How near the step is to the longest one that holds: computed on a copy in the background, whenever what it depends on has
//! changed.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

use bevy::prelude::*;

use super::lab::Lab;
use crate::scene::{Scalar, Snapshot};
use crate::sim::material::Mass;
use crate::sim::{Material, Real};

/// The longest steps that hold for the present cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The solver.
    solver: &'static str,
    /// That of the solver at work, if it has one [s].
    pub own: Option<Real>,
    /// That of symplectic Euler, as a measure of stiffness [s].
    pub symplectic: Real,
}

/// The newest limit, and the search for the next.
#[derive(Resource, Default)]
pub struct Limits {
    /// For the cloth as it was a moment ago.
    pub limit: Option<Limit>,
    key: Option<Key>,
    // a receiver alone is not `Sync`, as a resource has to be
    coming: Option<Mutex<Receiver<Limit>>>,
}

/// What the limits depend on.
#[derive(Debug, PartialEq)]
struct Key {
    solver: &'static str,
    settings: Vec<Scalar>,
    pattern: u64,
    pins: Vec<u32>,
    material: Material,
    mass: Mass,
}

impl Key {
    fn of(lab: &Lab) -> Self {
        let simulation = &lab.simulation;
        let solver = simulation.solver();
        let settings = crate::scene::collect_settings(solver.settings()).into_values().collect();
        Self {
            solver: solver.info().id,
            settings,
            pattern: simulation.pattern().revision(),
            pins: simulation.cloth.pins().iter().map(|pin| pin.vertex).collect(),
            material: simulation.parameters.material,
            mass: simulation.parameters.mass,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Limits>().add_systems(Update, update);
}

impl Limits {
    /// The substep as a share of the longest that holds, and whether the limit is the solver's own.
    #[must_use]
    pub fn ratio(&self, lab: &Lab) -> Option<(Real, bool)> {
        let limit = self.limit.filter(|limit| limit.solver == lab.simulation.solver().info().id)?;
        Some((lab.simulation.substep_length() / limit.own.unwrap_or(limit.symplectic), limit.own.is_some()))
    }
}

fn update(mut limits: ResMut<Limits>, lab: Res<Lab>) {
    let limits = limits.bypass_change_detection();
    if let Some(coming) = &mut limits.coming {
        match coming.get_mut().map(|receiver| receiver.try_recv()) {
            Ok(Ok(limit)) => {
                debug!("critical step {:.3e} s, symplectic {:.3e} s", limit.own.unwrap_or(Real::NAN), limit.symplectic);
                limits.limit = Some(limit);
                limits.coming = None;
            }
            Ok(Err(std::sync::mpsc::TryRecvError::Empty)) => return,
            _ => limits.coming = None,
        }
    }
    let key = Key::of(&lab);
    if limits.key.as_ref() == Some(&key) {
        return;
    }
    limits.key = Some(key);
    let snapshot = Snapshot::of(&lab.scene, &lab.simulation);
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        if let Ok((_, simulation)) = snapshot.restore() {
            let symplectic = simulation.critical_step();
            let own = simulation.solver_critical_step();
            // nobody listens any more when the window has been closed
            let _ = sender.send(Limit { solver: simulation.solver().info().id, own, symplectic });
        }
    });
    limits.coming = Some(Mutex::new(receiver));
}
