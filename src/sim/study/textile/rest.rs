//! Bringing a specimen to rest, and the test of it.
//!
//! How a specimen gets to rest is free, so its speed is taken away whenever its kinetic energy has
//! passed a maximum (dynamic relaxation; Barnes 1999).

use crate::sim::{Real, Simulation, StepError, Vec3};

/// Time between two looks at the energy [s], and its largest relative change at rest.
const LOOK: Real = 0.5;
const CHANGE: Real = 1e-3;
/// Largest residual force at rest, as a share of the load on a vertex.
const RESIDUAL: Real = 0.01;

/// Steps `simulation` until it is at rest or `longest` [s] have passed. Returns whether it is at
/// rest: within half a second its energy has changed by less than a thousandth, and no free vertex
/// has a residual force above a hundredth of its weight or, where that is larger, of `load` [N].
/// The residual is that of the solver's forces, or where it knows none, mass times the change of
/// velocity in a step.
///
/// # Errors
/// [`StepError`] when a step fails.
pub fn bring_to_rest(simulation: &mut Simulation, load: Real, longest: Real) -> Result<bool, StepError> {
    let dt = simulation.parameters.timing.time_step;
    let end = simulation.time() + longest;
    let mut before: Vec<Vec3> = Vec::new();
    let (mut kinetic, mut looked) = (0.0, simulation.time());
    let mut energy = static_energy(simulation);
    while simulation.time() < end - 0.5 * dt {
        before.clone_from(&simulation.state.cloth.velocities);
        simulation.step()?;
        if simulation.time() - looked >= LOOK - 0.5 * dt {
            let now = static_energy(simulation);
            let is_steady = (now - energy).abs() <= CHANGE * now.abs().max(energy.abs());
            if is_steady && residual(simulation, &before, load) < RESIDUAL {
                return Ok(true);
            }
            (energy, looked) = (now, simulation.time());
        }
        let now = simulation.energy().kinetic;
        if now < kinetic {
            simulation.state.cloth.velocities.fill(Vec3::ZERO);
        }
        kinetic = if now < kinetic { 0.0 } else { now };
    }
    Ok(false)
}

/// Elastic and potential energy [J]; without the elastic one where the solver has none.
fn static_energy(simulation: &Simulation) -> Real {
    let energy = simulation.energy();
    energy.potential + energy.elastic.unwrap_or_default()
}

/// The largest residual force of a free vertex over its weight, or over `load` [N]; `before` has
/// the velocities before the last step [m/s].
fn residual(simulation: &Simulation, before: &[Vec3], load: Real) -> Real {
    let (cloth, parameters) = (&simulation.state.cloth, &simulation.parameters);
    let dt = parameters.timing.time_step;
    let share = |i: usize| {
        let moved = || (cloth.velocities[i] - before[i]) * (cloth.masses[i] / dt);
        let force = simulation.reaction(i as u32).unwrap_or_else(moved);
        force.length() / (cloth.masses[i] * parameters.gravity.gravity).max(load)
    };
    let free = (0..cloth.len()).filter(|&i| cloth.pin_of(i as u32).is_none());
    free.map(share).fold(0.0, Real::max)
}
