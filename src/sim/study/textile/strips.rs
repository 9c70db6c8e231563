//! Tension of a strip and shear in a frame: specimens that are held in their plane.

use super::rest::bring_to_rest;
use super::{Figure, NO_FORCES, Outcome, Specimen, Tension, WARP, bias_modulus};
use crate::sim::model::pins::Pin;
use crate::sim::{Pattern, Real, Simulation, StepError, Vec3};

/// Distance of neighbouring vertices [m].
const CELL: Real = 0.005;
/// Cells across and along a strip.
const STRIP: [usize; 2] = [10, 40];
/// Cells along a side of the frame.
const FRAME: usize = 20;
/// Strain of a strip, of one on the bias, which grows stiffer as it turns its yarns, and angle of
/// shear [rad].
const STRAIN: Real = 0.01;
const BIAS_STRAIN: Real = 0.002;
/// Least strain that the load on a vertex of a curve is counted by.
const LEAST: Real = 0.001;
const ANGLE: Real = 0.005;
/// Distance of the marks in the middle of a strip between which strain is read [m].
const MARKS: Real = 0.05;
/// Longest time to rest [s].
const LONGEST: Real = 20.0;

/// Force per width and strain [N/m] of a strip along `axis`, Z (warp) or X (weft).
pub fn tension(specimen: &Specimen, axis: Vec3) -> Outcome {
    let cells = if axis == Vec3::X { [STRIP[1], STRIP[0]] } else { STRIP };
    let modulus = specimen.fabric.material.structural_stiffness;
    pulled(specimen, specimen.sheet(cells, CELL), (axis, modulus, STRAIN), |_| STRAIN)
}

/// Force per width and strain [N/m] of a strip cut at 45 degrees to the warp. The clamps, which keep
/// the width of its ends, are felt far into such a strip, so its strain is read in the middle.
pub fn tension_bias(specimen: &Specimen) -> Outcome {
    let modulus = bias_modulus(&specimen.fabric.material);
    pulled(specimen, specimen.bias_mesh(STRIP, CELL), (WARP, modulus, BIAS_STRAIN), strain_between_marks)
}

/// Force per width and `strain` [N/m] of a strip along an axis, of about a modulus [N/m], whose ends
/// are held with a strain `held`.
fn pulled(
    specimen: &Specimen,
    strip: Pattern,
    (axis, modulus, held): (Vec3, Real, Real),
    strain: impl Fn(&Simulation) -> Real,
) -> Outcome {
    let [width, length] = STRIP.map(|count| count as Real * CELL);
    let load = modulus * held * CELL;
    let at = |x: Vec3| x.dot(axis);
    let is_end = |x: Vec3| at(x) < 1e-9 || at(x) > length - 1e-9;
    let (simulation, is_at_rest) = strained(specimen, strip, load, is_end, |x| x + axis * (held * at(x)))?;
    let pulls = reactions(&simulation, |x| if at(x) > length - 1e-9 { axis } else { Vec3::ZERO });
    let figure = |pull: Real| Figure { is_at_rest, ..Figure::of(pull / (width * strain(&simulation))) };
    Ok((pulls.map(figure).ok_or(NO_FORCES), simulation))
}

/// Strain along the warp between two vertices on the middle line of a strip.
fn strain_between_marks(simulation: &Simulation) -> Real {
    let [across, along] = STRIP;
    let rows = (MARKS / CELL).round() as usize;
    let [low, high] = [along - rows, along + rows].map(|twice| twice / 2 * (across + 1) + across / 2);
    let distance = |positions: &[Vec3]| (positions[high] - positions[low]).dot(WARP);
    distance(&simulation.state.cloth.positions) / distance(simulation.pattern().rest_positions()) - 1.0
}

/// Force per width [N/m] of a strip along `axis`, Z (warp) or X (weft), at each of these strains.
pub fn tension_curve(specimen: &Specimen, axis: Vec3, strains: &[Real]) -> Result<Option<Tension>, StepError> {
    let cells = if axis == Vec3::X { [STRIP[1], STRIP[0]] } else { STRIP };
    let [width, length] = STRIP.map(|count| count as Real * CELL);
    let stiffness = specimen.fabric.material.structural_stiffness;
    let at = |x: Vec3| x.dot(axis);
    let is_end = |x: Vec3| at(x) < 1e-9 || at(x) > length - 1e-9;
    let mut simulation = held_sheet(specimen, specimen.sheet(cells, CELL), is_end, |x| x);
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
pub fn shear(specimen: &Specimen) -> Outcome {
    let side = FRAME as Real * CELL;
    let load = specimen.fabric.material.shear_stiffness * ANGLE * CELL;
    let is_rim = |x: Vec3| [x.x, x.z].iter().any(|at| *at < 1e-9 || *at > side - 1e-9);
    let sheared = |angle: Real| -> Outcome {
        let square = specimen.sheet([FRAME; 2], CELL);
        let (simulation, is_at_rest) = strained(specimen, square, load, is_rim, |x| x + Vec3::X * (angle * x.z))?;
        let work = reactions(&simulation, |x| Vec3::X * x.z);
        let figure = |work: Real| Figure { is_at_rest, ..Figure::of(work / (side * side * angle)) };
        Ok((work.map(figure).ok_or(NO_FORCES), simulation))
    };
    let ((one, _), (other, simulation)) = (sheared(-ANGLE)?, sheared(ANGLE)?);
    let mean = one.and_then(|one| {
        let is_at_rest = |other: Figure| one.is_at_rest && other.is_at_rest;
        other.map(|other| Figure { is_at_rest: is_at_rest(other), ..Figure::of(0.5 * (one.value + other.value)) })
    });
    Ok((mean, simulation))
}

/// A sheet without weight whose vertices are strained by `map`, and held where they are `held` at
/// rest, after it has come to rest; and whether it has.
fn strained(
    specimen: &Specimen,
    sheet: Pattern,
    load: Real,
    held: impl Fn(Vec3) -> bool,
    map: impl Fn(Vec3) -> Vec3,
) -> Result<(Simulation, bool), StepError> {
    let mut simulation = held_sheet(specimen, sheet, held, map);
    let is_at_rest = bring_to_rest(&mut simulation, load, LONGEST)?;
    Ok((simulation, is_at_rest))
}

/// A sheet without weight whose vertices are strained by `map`, and held where they are `held` at
/// rest.
fn held_sheet(
    specimen: &Specimen,
    sheet: Pattern,
    held: impl Fn(Vec3) -> bool,
    map: impl Fn(Vec3) -> Vec3,
) -> Simulation {
    let mut simulation = specimen.simulation(sheet);
    simulation.parameters.gravity.gravity = 0.0;
    let rest = simulation.pattern().rest_positions().to_vec();
    let cloth = &mut simulation.state.cloth;
    for (i, x) in rest.into_iter().enumerate() {
        cloth.positions[i] = map(x);
        if held(x) {
            cloth.pin(Pin::fixed(i as u32, map(x)));
        }
    }
    specimen.suit(&mut simulation);
    simulation
}

/// The sum over the held vertices of their reaction times `direction` of their rest position;
/// `None` where the solver knows no forces.
fn reactions(simulation: &Simulation, direction: impl Fn(Vec3) -> Vec3) -> Option<Real> {
    let rest = simulation.pattern().rest_positions();
    let pins = simulation.state.cloth.pins().iter();
    pins.map(|pin| Some(simulation.reaction(pin.vertex)?.dot(direction(rest[pin.vertex as usize])))).sum()
}
