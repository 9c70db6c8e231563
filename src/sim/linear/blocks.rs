//! A symmetric matrix of 3×3 blocks, one block row per free vertex, stored as the scalar lower triangle that the
//! factorisation wants.

use super::{LowerTriangle, Structure};
use crate::sim::Mat3;

/// The scalar lower triangle of a block matrix with the sparsity of a [`Structure`].
#[derive(Debug, Default)]
pub struct BlockMatrix {
    /// The scalar matrix, `3n` rows.
    pub lower: LowerTriangle,
    /// For each block entry, where its three scalar columns start in `lower.values`.
    columns: Vec<[usize; 3]>,
}

impl BlockMatrix {
    /// A zero matrix over `structure`.
    #[must_use]
    pub fn new(structure: &Structure) -> Self {
        let mut lower = LowerTriangle::default();
        let mut columns = vec![[0; 3]; structure.entries()];
        for unknown in 0..structure.unknowns() {
            let entries = structure.starts[unknown]..structure.starts[unknown + 1];
            for c in 0..3 {
                lower.starts.push(lower.rows.len());
                for (entry, starts) in entries.clone().zip(&mut columns[entries.clone()]) {
                    // of the diagonal block only the lower triangle is stored
                    let first = if entry == entries.start { c } else { 0 };
                    starts[c] = lower.rows.len();
                    lower.rows.extend((first..3).map(|r| 3 * structure.rows[entry] + r));
                }
            }
        }
        lower.starts.push(lower.rows.len());
        lower.values = vec![0.0; lower.rows.len()];
        Self { lower, columns }
    }

    /// Sets every value to zero.
    pub fn clear(&mut self) {
        self.lower.values.fill(0.0);
    }

    /// Adds a symmetric block to diagonal entry `entry`.
    pub fn add_diagonal(&mut self, entry: usize, block: &Mat3) {
        let [a, b, c] = self.columns[entry];
        let values = &mut self.lower.values;
        values[a] += block.x_axis.x;
        values[a + 1] += block.x_axis.y;
        values[a + 2] += block.x_axis.z;
        values[b] += block.y_axis.y;
        values[b + 1] += block.y_axis.z;
        values[c] += block.z_axis.z;
    }

    /// Adds a symmetric block to off-diagonal entry `entry`.
    pub fn add_off_diagonal(&mut self, entry: usize, block: &Mat3) {
        for (start, column) in self.columns[entry].into_iter().zip([block.x_axis, block.y_axis, block.z_axis]) {
            let values = &mut self.lower.values[start..start + 3];
            values[0] += column.x;
            values[1] += column.y;
            values[2] += column.z;
        }
    }
}
