//! The values that are painted on the cloths.

use super::paint_quantity::PaintQuantity;
use crate::app::session::SessionHandle;
use crate::session::Frame;
use crate::sim::Vec3 as SimVec3;
use crate::sim::measure::{WarpWeftStrain, curvatures, tensions, warp_weft_strains};

/// The values of a quantity at the vertices of a lane as they are displayed [m], in its unit; none
/// for the cloth itself, or while a torn cloth waits for its mesh.
pub(super) fn painted_values(
    quantity: PaintQuantity,
    (session, slot): (&SessionHandle, usize),
    frame: &Frame,
    positions: &[SimVec3],
) -> Vec<f64> {
    match quantity {
        PaintQuantity::Cloth => Vec::new(),
        _ if positions.len() != frame.pattern.len() => Vec::new(),
        PaintQuantity::Distance => distances(session, slot, positions.len()),
        quantity => values_of(quantity, frame, positions),
    }
}

/// The values of a quantity at the vertices of the cloth of `frame` as they are displayed [m], in
/// its unit.
fn values_of(quantity: PaintQuantity, frame: &Frame, positions: &[SimVec3]) -> Vec<f64> {
    let (_, factor) = quantity.unit();
    let strains = |part: fn(&WarpWeftStrain) -> f64| -> Vec<f64> {
        warp_weft_strains(&frame.pattern, positions).iter().map(part).collect()
    };
    let values = match quantity {
        // the colours of the cloth have no values, and a distance needs two lanes
        PaintQuantity::Cloth | PaintQuantity::Distance => vec![0.0; positions.len()],
        PaintQuantity::Stretch => strains(WarpWeftStrain::largest),
        PaintQuantity::Warp => strains(|strain| strain.warp),
        PaintQuantity::Weft => strains(|strain| strain.weft),
        PaintQuantity::Shear => strains(|strain| strain.shear),
        PaintQuantity::Bending => curvatures(&frame.pattern, positions),
        PaintQuantity::Speed => {
            let step = frame.parameters.timing.time_step;
            let speed = |(before, now): (&SimVec3, &SimVec3)| before.distance(*now) / step;
            frame.previous.iter().zip(&frame.positions).map(speed).collect()
        }
        PaintQuantity::Tension => tensions(&frame.pattern, &frame.parameters.material, positions),
        PaintQuantity::Contact => touches(frame),
        PaintQuantity::Residual => {
            let known = frame.residuals.as_deref().filter(|known| known.len() == positions.len());
            known.map_or_else(|| vec![0.0; positions.len()], <[f64]>::to_vec)
        }
        PaintQuantity::Tearing => frame.parameters.tearing.loads(&frame.pattern, positions),
    };
    values.into_iter().map(|value| factor * value).collect()
}

/// The kind of contact of each vertex, as a number of [`TOUCHES`](super::paint_quantity::TOUCHES).
fn touches(frame: &Frame) -> Vec<f64> {
    let mut kinds = vec![0.0; frame.positions.len()];
    let Some(marks) = &frame.contacts else { return kinds };
    let mut note = |vertex: u32, kind: f64| {
        if let Some(at) = kinds.get_mut(vertex as usize) {
            *at = kind;
        }
    };
    marks.on_colliders.iter().for_each(|(vertex, _)| note(*vertex, 1.0));
    marks.cloth_contact.iter().flat_map(|force| force.vertices).for_each(|vertex| note(vertex, 2.0));
    marks.truncated.iter().for_each(|vertex| note(*vertex, 3.0));
    kinds
}

/// How far each vertex of a lane is from the reference [mm]; zero where that is not known.
fn distances(session: &SessionHandle, slot: usize, count: usize) -> Vec<f64> {
    let known = session.distances(slot).filter(|known| known.len() == count);
    known.map_or_else(
        || vec![0.0; count],
        |known| known.into_iter().map(|distance| if distance.is_finite() { 1e3 * distance } else { 0.0 }).collect(),
    )
}
