//! The minimum of a step: the one way there for all studies.
//!
//! Newton's method finds it down to rounding, where a method minimises the incremental potential or
//! has a Newton's method on its own energy. Elsewhere many iterations of the method itself do, with
//! the last of its accelerations.

use crate::sim::params::{Setting, Tunable};
use crate::sim::solver_interface::Minimiser;
use crate::sim::solvers::{ImplicitNewton, ImplicitNewtonSettings, ProjectiveDynamicsSettings};
use crate::sim::{Cloth, Real, Simulation, StepError, StepInput, Vec3};

/// Most iterations of Newton's method.
const NEWTON: u32 = 200;
/// Iterations of a method that Newton's cannot help: so many times those measured, and at least.
const LONGER: u32 = 20;
const LONG: u32 = 2000;
/// Error of the energy at which a step of such a method counts as solved.
const ENERGY_ERROR: Real = 1e-10;

/// Where a minimum comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// Newton's method, down to rounding.
    Newton,
    /// So many iterations of the method itself.
    Iterations(u32),
}

/// Takes the positions `q` of all vertices [m] to the minimum of `method` that they are near, after
/// `measured` iterations of it. `go_on` hears the share that is done, and fails to end it.
///
/// # Errors
/// [`StepError`] when an iteration cannot be computed, or that of `go_on`.
pub fn find_minimum(
    method: &mut dyn Minimiser,
    (cloth, input): (&Cloth, &StepInput),
    q: &mut [Vec3],
    measured: u32,
    go_on: &mut dyn FnMut(Real) -> Result<(), StepError>,
) -> Result<Reference, StepError> {
    let mut iterate = |method: &mut dyn Minimiser, most: u32| {
        for done in 0..most {
            go_on(Real::from(done) / Real::from(most))?;
            if method.iterate(cloth, input, q)?.solved {
                break;
            }
        }
        Ok(())
    };
    if method.minimises_potential(input) {
        let mut newton = ImplicitNewton::default();
        newton.settings.gradient_tolerance = 0.0;
        return iterate(&mut newton, NEWTON).map(|()| Reference::Newton);
    }
    if let Some(mut newton) = method.newton(input) {
        return iterate(newton.as_mut(), NEWTON).map(|()| Reference::Newton);
    }
    let most = (LONGER * measured).max(LONG);
    let (choices, chosen) = (method.accelerations(), method.acceleration());
    let Some(last) = choices.len().checked_sub(1) else {
        return iterate(method, most).map(|()| Reference::Iterations(most));
    };
    method.accelerate(last);
    let end = iterate(method, most);
    // the first is none
    method.accelerate(choices.iter().position(|choice| Some(choice.key) == chosen).unwrap_or(0));
    end.map(|()| Reference::Iterations(most))
}

/// Makes the solver at work in `simulation` take every step to its minimum.
pub fn solve_exactly(simulation: &mut Simulation) {
    let most = if simulation.solver().capabilities().converges { NEWTON } else { LONG };
    if let Some(method) = simulation.solver_mut().minimiser() {
        method.limit_iterations(most);
        if let Some(last) = method.accelerations().len().checked_sub(1) {
            method.accelerate(last);
        }
    }
    let settings: &mut dyn Tunable = simulation.solver_mut().settings_mut();
    for (key, value) in [
        (ImplicitNewtonSettings::gradient_tolerance, Setting::Real(0.0)),
        (ProjectiveDynamicsSettings::stop_by_error, Setting::Toggle(true)),
        (ProjectiveDynamicsSettings::energy_error, Setting::Real(ENERGY_ERROR)),
    ] {
        if let Some(index) = settings.index_of(key) {
            settings.assign(index, value);
        }
    }
}
