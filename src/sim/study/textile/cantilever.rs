//! A strip that is clamped level and bends under its weight.

use super::rest::bring_to_rest;
use super::{Figure, GRAVITY, Outcome, Specimen};
use crate::sim::math::elastica;
use crate::sim::{Real, Vec3};

/// Cells along the free part of the strip, beside its clamp, and across it.
const FREE: usize = 24;
const CLAMPED: usize = 1;
const ACROSS: usize = 8;
/// Free length in bending lengths: the chord is then about 40 degrees below the horizontal.
const LENGTHS: Real = 1.95;
/// Longest time to rest [s].
const LONGEST: Real = 20.0;

/// Bending stiffness [N·m] of the elastica with the chord angle of a strip along `axis`, Z (warp)
/// or X (weft).
pub fn bending(specimen: &Specimen, axis: Vec3) -> Outcome {
    let fabric = specimen.fabric;
    let load = fabric.mass.area_density * GRAVITY;
    let set = (fabric.material.bending_stiffness / load).cbrt();
    let cell = LENGTHS * set / (FREE as Real + 0.5);
    let along = FREE + CLAMPED;
    let cells = if axis == Vec3::X { [along, ACROSS] } else { [ACROSS, along] };
    let mut simulation = specimen.simulation(specimen.sheet(cells, cell));
    let rest = simulation.pattern().rest_positions().to_vec();
    let clamp = CLAMPED as Real * cell;
    // the irregular rows beside the rim as well
    let is_held = |x: &Vec3| x.dot(axis) < clamp + 0.25 * cell;
    let held = (0..rest.len()).filter(|&i| is_held(&rest[i]));
    held.for_each(|i| simulation.state.cloth.pin_here(i as u32));
    specimen.suit(&mut simulation);
    let is_at_rest = bring_to_rest(&mut simulation, 0.0, LONGEST)?;
    // a row of vertices clamps the cloth up to half a cell before it
    let length = along as Real * cell - clamp + 0.5 * cell;
    let tips = (0..rest.len()).filter(|&i| rest[i].dot(axis) > along as Real * cell - 1e-9);
    let tips: Vec<Vec3> = tips.map(|i| simulation.state.cloth.positions[i]).collect();
    let tip = tips.iter().copied().sum::<Vec3>() / tips.len() as Real;
    let start = clamp - 0.5 * cell;
    let angle = (-tip.y).atan2(tip.dot(axis) - start);
    let value = load * elastica::bending_length(length, angle).powi(3);
    Ok((Ok(Figure { is_at_rest, ..Figure::of(value) }), simulation))
}
