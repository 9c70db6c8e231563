//! A sheet that is let go level and falls through still air.

use super::{Figure, GRAVITY, Outcome, Specimen};
use crate::sim::study::jitter::Random;
use crate::sim::{Parameters, Real, Simulation};

/// Cells of the sheet along a side, and their size [m].
const CELLS: usize = 15;
const CELL: Real = 0.02;
/// How far vertices start above or below the plane, as a share of a cell.
const START: Real = 0.01;
/// Shortest time between two looks at the velocity [s], and its largest relative change when it is
/// steady.
const LOOK: Real = 0.1;
const CHANGE: Real = 1e-3;
/// Looks after which a fall that is not steady ends.
const LOOKS: u32 = 100;
/// Least share of the area that a level sheet shows from above.
const LEVEL: Real = 0.98;

/// Velocity at which the drag on a level sheet carries its weight [m/s], with the density and drag
/// coefficient of the air of `fabric`.
#[must_use]
pub fn terminal_velocity(fabric: &Parameters) -> Real {
    fabric.air.terminal_velocity(fabric.mass.area_density, GRAVITY)
}

/// Mean velocity of the steady fall [m/s].
pub fn fall(specimen: &Specimen) -> Outcome {
    let mut simulation = specimen.simulation_in_air(specimen.sheet([CELLS; 2], CELL));
    let mut random = Random(specimen.seed ^ 0xfa11);
    simulation.state.cloth.positions.iter_mut().for_each(|x| x.y += START * CELL * random.signed());
    specimen.suit(&mut simulation);
    // about the time in which a fall becomes steady
    let look =
        Real::max(LOOK, Some(terminal_velocity(specimen.fabric)).filter(|v| v.is_finite()).unwrap_or(0.0) / GRAVITY);
    let (mut before, mut is_steady, mut looks) = (0.0, false, 0);
    while !is_steady && looks < LOOKS {
        let (start, from) = (simulation.time(), simulation.state.cloth.centroid().y);
        while simulation.time() < start + look {
            simulation.step()?;
        }
        let velocity = (from - simulation.state.cloth.centroid().y) / (simulation.time() - start);
        is_steady = (velocity - before).abs() <= CHANGE * velocity.abs();
        (before, looks) = (velocity, looks + 1);
    }
    let note = (level(&simulation) < LEVEL).then_some("the sheet has tipped or folded");
    Ok((Ok(Figure { is_at_rest: is_steady, note, ..Figure::of(before) }), simulation))
}

/// Share of the area of a cloth that its triangles show from above, less where they lie face down.
fn level(simulation: &Simulation) -> Real {
    let area = |at: &dyn Fn(u32) -> [Real; 2]| -> Real {
        let of = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(at);
            0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        };
        simulation.pattern().triangles().iter().map(of).sum()
    };
    let (now, rest) = (&simulation.state.cloth.positions, simulation.pattern().rest_positions());
    area(&|i| [now[i as usize].x, now[i as usize].z]) / area(&|i| [rest[i as usize].x, rest[i as usize].z])
}
