//! Coarse levels of a grid: every fourth vertex of the finer level, with a bilinear hat around it.
//!
//! ```text
//! correction = D⁻¹ f + Σ_l P_l D_l⁻¹ P_lᵀ f
//! D_l = (stiffness of a hat) + P_lᵀ (m/h² + contacts + pins)
//! ```
//!
//! Bramble, Pasciak, Xu 1990. Jacobi's iteration alone brings a force from one end of a cloth to
//! the other in as many iterations as half the cloth has vertices across; with the levels every
//! iteration does, and the number of iterations hardly depends on the size.

use super::springs::Springs;
use crate::sim::Real;

/// Vertices of the finer level from one of the coarse level to the next.
const FACTOR: u32 = 4;
/// Vertices along the longer side of the coarsest level, at most.
const COARSEST: u32 = 3;
/// Half width of the widest hat whose stiffness is summed: that of wider ones is the same.
const WIDEST: i64 = 64;
/// Share of inertia in the stiffness of a vertex from which on springs are not stiff enough for
/// coarse levels to pay: plain iterations need fewer than the square root of that.
pub const PAYS_BELOW: Real = 2e-3;

/// `Level` of the kernels, without its order.
pub type Level = [[u32; 4]; 3];
/// Most levels of any cloth, as the kernels have them; each has at most half the nodes of the last.
pub const MOST_LEVELS: usize = 16;
/// Most nodes of a small level: the levels from the first of these on share one dispatch.
pub const SMALL: u32 = 64;

/// The levels for the springs of a step, from the finest; empty where they do not pay or the cloth
/// is no grid.
#[must_use]
pub fn levels(springs: &Springs) -> Vec<Level> {
    let Some(grid) = springs.grid else { return Vec::new() };
    let mut sides = vec![[grid.columns, grid.rows]];
    while let Some(last) = sides.last().filter(|last| last.iter().any(|side| *side > COARSEST)) {
        sides.push(last.map(|side| (side - 1).div_ceil(FACTOR) + 1));
    }
    let mut first = 0;
    let firsts: Vec<u32> = sides
        .iter()
        .map(|[columns, rows]| {
            let own = first;
            first += columns * rows;
            own
        })
        .collect();
    let part = |at: usize, last: u32| match (sides.get(at), firsts.get(at)) {
        (Some([columns, rows]), Some(first)) => [*columns, *rows, *first, last],
        _ => [0; 4],
    };
    let mut half = 1;
    (0..sides.len() - 1)
        .map(|at| {
            half *= i64::from(FACTOR);
            let stiffness = hat(springs, half.min(WIDEST)) as f32;
            [part(at, 0), part(at + 1, stiffness.to_bits()), part(at + 2, 0)]
        })
        .collect()
}

/// Stiffness [N/m] of a hat of this half width in the middle of a grid: twice the energy of the
/// springs, as the matrix has them, when it is moved by a metre.
fn hat(springs: &Springs, half: i64) -> Real {
    let steps = [[1, 0], [0, 1], [1, 1], [1, -1], [2, 0], [0, 2]];
    let of_step = [0, 1, 2, 2, 3, 4].map(|direction: usize| {
        let [stiffness, _, damping, _] = springs.directions[direction];
        Real::from(stiffness) + Real::from(damping)
    });
    let part = |at: i64| (1.0 - at.abs() as Real / half as Real).max(0.0);
    let mut sum = 0.0;
    for row in -half - 2..=half + 2 {
        for column in -half - 2..=half + 2 {
            for ([right, down], weight) in steps.iter().zip(of_step) {
                let apart = part(column) * part(row) - part(column + right) * part(row + down);
                sum += weight * apart * apart;
            }
        }
    }
    sum
}
