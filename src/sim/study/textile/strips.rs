//! Tension of a strip and shear in a frame: specimens that are held in their plane.

use super::rest::bring_to_rest;
use super::{Figure, Specimen, Tension};
use crate::sim::model::pins::Pin;
use crate::sim::{Real, Simulation, StepError, Vec3};

/// Distance of neighbouring vertices [m].
const CELL: Real = 0.005;
/// Cells across and along a strip.
const STRIP: [usize; 2] = [10, 40];
/// Cells along a side of the frame.
const FRAME: usize = 20;
/// Strain of the strip, and angle of shear [rad].
const STRAIN: Real = 0.01;
/// Least strain that the load on a vertex of a curve is counted by.
const LEAST: Real = 0.001;
const ANGLE: Real = 0.005;
/// Longest time to rest [s].
const LONGEST: Real = 20.0;

/// Force per width and strain [N/m] of a strip along `axis`, Z (warp) or X (weft).
pub fn tension(specimen: &Specimen, axis: Vec3) -> Result<Option<Figure>, StepError> {
    let cells = if axis == Vec3::X { [STRIP[1], STRIP[0]] } else { STRIP };
    let [width, length] = STRIP.map(|count| count as Real * CELL);
    let load = specimen.fabric.material.structural_stiffness * STRAIN * CELL;
    let at = |x: Vec3| x.dot(axis);
    let is_end = |x: Vec3| at(x) < 1e-9 || at(x) > length - 1e-9;
    let (simulation, is_at_rest) = strained(specimen, cells, load, is_end, |x| x + axis * (STRAIN * at(x)))?;
    let pulls = reactions(&simulation, |x| if at(x) > length - 1e-9 { axis } else { Vec3::ZERO });
    Ok(pulls.map(|pull| Figure { value: pull / (width * STRAIN), is_at_rest, nodes: None }))
}

/// Force per width [N/m] of a strip along `axis`, Z (warp) or X (weft), at each of these strains.
pub fn tension_curve(specimen: &Specimen, axis: Vec3, strains: &[Real]) -> Result<Option<Tension>, StepError> {
    let cells = if axis == Vec3::X { [STRIP[1], STRIP[0]] } else { STRIP };
    let [width, length] = STRIP.map(|count| count as Real * CELL);
    let stiffness = specimen.fabric.material.structural_stiffness;
    let at = |x: Vec3| x.dot(axis);
    let is_end = |x: Vec3| at(x) < 1e-9 || at(x) > length - 1e-9;
    let mut simulation = sheet(specimen, cells, is_end, |x| x);
    let mut tension = Tension { forces: Vec::new(), is_at_rest: true };
    let mut before = 0.0;
    for &strain in strains {
        // all of it is stretched on, so that little is left to the search for rest
        let factor = (1.0 + strain) / (1.0 + before) - 1.0;
        let cloth = &mut simulation.state.cloth;
        cloth.positions.iter_mut().for_each(|x| *x += axis * (factor * at(*x)));
        let ends: Vec<u32> = cloth.pins().iter().map(|pin| pin.vertex).collect();
        ends.into_iter().for_each(|vertex| cloth.pin_here(vertex));
        let load = stiffness * strain.max(LEAST) * CELL;
        tension.is_at_rest &= bring_to_rest(&mut simulation, load, LONGEST)?;
        let pull = reactions(&simulation, |x| if at(x) > length - 1e-9 { axis } else { Vec3::ZERO });
        let Some(pull) = pull else { return Ok(None) };
        tension.forces.push(pull / width);
        before = strain;
    }
    Ok(Some(tension))
}

/// Shear modulus [N/m]: the work of the frame on a square that is sheared to either side.
pub fn shear(specimen: &Specimen) -> Result<Option<Figure>, StepError> {
    let side = FRAME as Real * CELL;
    let load = specimen.fabric.material.shear_stiffness * ANGLE * CELL;
    let is_rim = |x: Vec3| [x.x, x.z].iter().any(|at| *at < 1e-9 || *at > side - 1e-9);
    let mut sum = Figure { value: 0.0, is_at_rest: true, nodes: None };
    for angle in [ANGLE, -ANGLE] {
        let (simulation, is_at_rest) = strained(specimen, [FRAME; 2], load, is_rim, |x| x + Vec3::X * (angle * x.z))?;
        let Some(work) = reactions(&simulation, |x| Vec3::X * x.z) else { return Ok(None) };
        sum.value += 0.5 * work / (side * side * angle);
        sum.is_at_rest &= is_at_rest;
    }
    Ok(Some(sum))
}

/// A sheet without weight whose vertices are strained by `map`, and held where they are `held` at
/// rest, after it has come to rest; and whether it has.
fn strained(
    specimen: &Specimen,
    cells: [usize; 2],
    load: Real,
    held: impl Fn(Vec3) -> bool,
    map: impl Fn(Vec3) -> Vec3,
) -> Result<(Simulation, bool), StepError> {
    let mut simulation = sheet(specimen, cells, held, map);
    let is_at_rest = bring_to_rest(&mut simulation, load, LONGEST)?;
    Ok((simulation, is_at_rest))
}

/// A sheet without weight whose vertices are strained by `map`, and held where they are `held` at
/// rest.
fn sheet(
    specimen: &Specimen,
    cells: [usize; 2],
    held: impl Fn(Vec3) -> bool,
    map: impl Fn(Vec3) -> Vec3,
) -> Simulation {
    let mut simulation = specimen.simulation(specimen.sheet(cells, CELL));
    simulation.parameters.gravity.gravity = 0.0;
    let rest = simulation.pattern().rest_positions().to_vec();
    let cloth = &mut simulation.state.cloth;
    for (i, x) in rest.into_iter().enumerate() {
        cloth.positions[i] = map(x);
        if held(x) {
            cloth.pin(Pin::fixed(i as u32, map(x)));
        }
    }
    simulation.suit_solver();
    simulation
}

/// The sum over the held vertices of their reaction times `direction` of their rest position;
/// `None` where the solver knows no forces.
fn reactions(simulation: &Simulation, direction: impl Fn(Vec3) -> Vec3) -> Option<Real> {
    let rest = simulation.pattern().rest_positions();
    let pins = simulation.state.cloth.pins().iter();
    pins.map(|pin| Some(simulation.reaction(pin.vertex)?.dot(direction(rest[pin.vertex as usize])))).sum()
}
