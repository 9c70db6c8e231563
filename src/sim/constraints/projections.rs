//! The projections of the local step as places of vertices, to be drawn (Bouaziz et al. 2014,
//! figure 2: a set, a projection onto it, and the distance).
//!
//! The rows of an element have the values `z = A q` and are to have `p`. Of all places `q'` of its
//! vertices with `A q' = p` the nearest to `q` are
//!
//! ```text
//! q' = q + Aᵀ (A Aᵀ)⁻¹ (p - z)
//! ```

use super::{Constraint, Elements, with_length};
use crate::sim::exec::simd::F64x4;
use crate::sim::measure::Projections;
use crate::sim::{Mat3, Pattern, Real, Vec3};

impl Projections {
    /// Appends the springs with a stiffness in `stiffness` [N/m], each brought to its rest length
    /// about its middle. `x` has the positions of all vertices [m].
    pub fn add_springs(&mut self, pattern: &Pattern, stiffness: impl Fn(usize) -> Real, x: &[Vec3]) {
        let springs = pattern.springs();
        for e in (0..springs.len()).filter(|&e| stiffness(e) > 0.0) {
            let [i, j] = springs.ends[e];
            let apart = x[i as usize] - x[j as usize];
            let projected = with_length(apart, springs.rest_lengths[e]);
            let way = (projected - apart) * 0.5;
            self.push([(i, way), (j, -way)]);
        }
    }

    /// Appends the elements of `constraint`. Elements with rows that depend on each other are left
    /// out. `q` has the positions of all vertices [m].
    pub fn add_elements(&mut self, constraint: &dyn Constraint, elements: &Elements, q: &[F64x4]) {
        let rows = elements.rows();
        let [values, projected] = elements.projections(constraint, q);
        for element in 0..elements.len() {
            let coefficient = |row: usize| elements.row(element, row).map(|(_, coefficient)| coefficient);
            let mut products = Mat3::IDENTITY;
            let mut apart = Mat3::ZERO;
            for row in 0..rows {
                let at = element * rows + row;
                *apart.col_mut(row) = projected[at].to_vec3() - values[at].to_vec3();
                for other in 0..rows {
                    let product = coefficient(row).zip(coefficient(other)).map(|(a, b)| a * b).sum();
                    products.col_mut(row)[other] = product;
                }
            }
            let pulls = apart * products.inverse();
            if !pulls.is_finite() {
                continue;
            }
            let vertices = elements.row(element, 0).map(|(vertex, _)| vertex);
            let ways = vertices.enumerate().map(|(place, vertex)| {
                let of_row = |row: usize| pulls.col(row) * coefficient(row).nth(place).unwrap_or_default();
                (vertex, (0..rows).map(of_row).sum())
            });
            self.push(ways);
        }
    }
}
