//! How a piece is deformed at the start, and not at rest: stretched, or folded.

use super::Fold;
use super::piece::{Piece, Placed};
use super::pinning::bounds;
use crate::sim::{Cloth, Quat, Real, Vec3};

/// Largest factor by which a piece may be stretched at the start.
const MOST_STRETCHED: Real = 10.0;

impl Piece {
    /// A fault of its deformation at the start, and the field of it.
    pub(super) fn fault_of_pose(&self) -> Option<(&'static str, String)> {
        if self.stretched.is_some_and(|by| by.is_nan() || by.abs().max_element() > MOST_STRETCHED) {
            return Some((
                "stretched",
                format!("stretched needs three factors from -{MOST_STRETCHED} to {MOST_STRETCHED}"),
            ));
        }
        let is_fine = |fold: Fold| fold.normal.try_normalize().is_some() && fold.at.is_finite();
        (!self.folded.is_none_or(is_fine))
            .then(|| ("folded", "folded needs a normal that is not zero and a finite distance".to_owned()))
    }

    /// Deforms its vertices, which are those of `placed`, as it says of the start.
    pub(super) fn pose(&self, placed: &Placed, cloth: &mut Cloth) {
        if self.stretched.is_none() && self.folded.is_none() {
            return;
        }
        let (low, high) = bounds(placed.rest);
        let (middle, rotation) = (0.5 * (low + high), Quat::from_scaled_axis(self.rotation));
        let factors = self.stretched.unwrap_or(Vec3::ONE);
        for (x, rest) in cloth.positions[placed.first as usize..].iter_mut().zip(placed.rest) {
            let mut local = factors * (rotation.inverse() * (*rest - middle));
            if let Some(Fold { normal, at }) = self.folded {
                let normal = normal.normalize_or_zero();
                local -= 2.0 * (normal.dot(local) - at).max(0.0) * normal;
            }
            *x = middle + rotation * local;
        }
    }
}
