//! A cloth on a plane that is inclined until it slides.

use super::{Figure, Outcome, Specimen};
use crate::sim::contact::{Collider, Shape};
use crate::sim::{Real, Simulation, StepError, Vec3};

/// Cells of the cloth along a side, and their size [m].
const CELLS: usize = 8;
const CELL: Real = 0.02;
/// Time that the cloth has to slide in [s], and the way that is sliding [m].
const TIME: Real = 1.0;
const WAY: Real = 0.01;
/// Bisections of the slope.
const BISECTIONS: usize = 9;

/// Tangent of the largest angle at which the cloth stays, and the cloth at the last slope.
pub fn friction(specimen: &Specimen) -> Outcome {
    let [mut stays, mut slides]: [Real; 2] = [0.0, 2.0];
    let mut step = || -> Result<Simulation, StepError> {
        let slope = 0.5 * (stays + slides);
        let (way, simulation) = slid(specimen, slope)?;
        if way > WAY {
            slides = slope
        } else {
            stays = slope
        }
        Ok(simulation)
    };
    for _ in 1..BISECTIONS {
        step()?;
    }
    let simulation = step()?;
    Ok((Ok(Figure::of(0.5 * (stays + slides))), simulation))
}

/// How far the cloth slides down a plane with this slope [m].
fn slid(specimen: &Specimen, slope: Real) -> Result<(Real, Simulation), StepError> {
    let mut simulation = specimen.simulation(specimen.sheet([CELLS; 2], CELL));
    let along = Vec3::new(1.0, -slope, 0.0).normalize();
    let normal = Vec3::new(slope, 1.0, 0.0).normalize();
    let thickness = simulation.parameters.contact.thickness;
    simulation.state.world.colliders.push(Collider::new(Shape::Plane { normal }, Vec3::ZERO));
    let place = |x: Vec3| along * x.x + Vec3::Z * x.z + normal * thickness;
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x = place(*x));
    specimen.suit(&mut simulation);
    let start = simulation.state.cloth.centroid();
    while simulation.time() < TIME {
        simulation.step()?;
    }
    Ok(((simulation.state.cloth.centroid() - start).dot(along), simulation))
}
