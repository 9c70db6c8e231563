//! A triangle of the rest shape, and its deformation gradient as a linear function of positions.

use crate::sim::{Real, Vec3};

/// A triangle of the rest shape, ready for measuring its strain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element {
    /// The vertices `a`, `b`, `c`.
    pub vertices: [u32; 3],
    /// `D_m⁻¹` [1/m] by rows: `[[row 0], [row 1]]`, with `D_m = (b - a, c - a)` by columns in the
    /// rest frame. The frame's first axis (warp) is a given direction projected on the triangle's
    /// plane; the second (weft) follows a quarter turn later about the triangle's normal.
    pub inverse: [[Real; 2]; 2],
    /// Area at rest [m²].
    pub area: Real,
}

impl Element {
    /// The triangle `vertices` with the rest positions `rest` [m], its first axis along `warp`, or
    /// along the first edge where `warp` is normal to the triangle. `None` where the triangle has
    /// no area to speak of.
    ///
    /// Neighbours of opposite winding have opposite second axes; that turns the sign of shear, and
    /// nothing else.
    #[must_use]
    pub fn of_rest(vertices: [u32; 3], rest: [Vec3; 3], warp: Vec3) -> Option<Self> {
        let normal = normal(rest)?;
        let area = normal.length() / 2.0;
        let normal = normal.normalize();
        let [b, c] = [rest[1] - rest[0], rest[2] - rest[0]];
        let along = warp.reject_from_normalized(normal);
        let first = if along.length() > 1e-6 * warp.length() { along.normalize() } else { b.normalize() };
        let second = normal.cross(first);
        let determinant = 2.0 * area;
        let inverse = [
            [second.dot(c) / determinant, -first.dot(c) / determinant],
            [-second.dot(b) / determinant, first.dot(b) / determinant],
        ];
        Some(Self { vertices, inverse, area })
    }

    /// The two rows [1/m]: the coefficients of the vertices in the first and in the second column
    /// of `F`.
    #[must_use]
    pub fn rows(&self) -> [[Real; 3]; 2] {
        let [b, c] = self.inverse;
        [0, 1].map(|column| [-(b[column] + c[column]), b[column], c[column]])
    }
}

/// Height of a triangle over its longest edge below which it has no area to speak of. A deformation
/// gradient is found by dividing by the height, so the matrix would have entries beside which the
/// others are lost in rounding.
const FLAT: Real = 5e-7;

/// Twice the area [m²] along the normal of a triangle; `None` when there is none to speak of.
#[must_use]
pub fn normal([a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let normal = (b - a).cross(c - a);
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    (normal.length() > FLAT * longest).then_some(normal)
}
