//! Ratio of the step to the longest stable one: computed on a copy in the background, whenever its
//! inputs have changed.

use bevy::prelude::*;

use crate::app::session::SessionHandle;
use crate::app::task::Study;
use crate::session::Frame;
use crate::sim::model::material::Mass;
use crate::sim::params::Setting;
use crate::sim::{Material, Real, Simulation};

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
    study: Study<Limit>,
}

/// Inputs of the limits.
#[derive(Debug, PartialEq)]
struct Key {
    solver: &'static str,
    settings: Vec<Setting>,
    pattern: u64,
    pins: Vec<u32>,
    material: Material,
    mass: Mass,
}

impl Key {
    fn of(frame: &Frame) -> Self {
        Self {
            solver: frame.solver.id,
            settings: frame.settings.clone(),
            pattern: frame.pattern.revision(),
            pins: frame.pins.iter().map(|pin| pin.0).collect(),
            material: frame.parameters.material,
            mass: frame.parameters.mass,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Limits>().add_systems(Update, update);
}

impl Limits {
    /// The substep as a share of the longest that holds, and whether the limit is the solver's own.
    #[must_use]
    pub fn ratio(&self, frame: &Frame) -> Option<(Real, bool)> {
        let limit = self.limit.filter(|limit| limit.solver == frame.solver.id)?;
        Some((frame.readouts.substep_length / limit.own.unwrap_or(limit.symplectic), limit.own.is_some()))
    }
}

fn update(mut limits: ResMut<Limits>, mut session: ResMut<SessionHandle>) {
    let limits = limits.bypass_change_detection();
    let session = session.bypass_change_detection();
    for limit in limits.study.poll().0 {
        debug!("critical step {:.3e} s, symplectic {:.3e} s", limit.own.unwrap_or(Real::NAN), limit.symplectic);
        limits.limit = Some(limit);
    }
    if limits.study.is_running() {
        return;
    }
    let key = Key::of(session.frame());
    if limits.key.as_ref() == Some(&key) {
        return;
    }
    limits.key = Some(key);
    // it shares the pattern, which most of a large cloth is
    let checkpoint = session.ask(|session| session.simulation().checkpoint());
    limits.study.start(move |reporter| {
        if let Ok(checkpoint) = checkpoint.recv() {
            let simulation = Simulation::resume(&checkpoint);
            let symplectic = simulation.critical_step();
            let own = simulation.solver_critical_step();
            reporter.send(Limit { solver: simulation.solver().info().id, own, symplectic });
        }
    });
}
