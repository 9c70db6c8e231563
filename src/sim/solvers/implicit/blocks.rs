//! A symmetric matrix of 3×3 blocks, one block row per free vertex, stored as the scalar lower triangle that the
//! factorisation wants.

use super::structure::{Structure, bending_couplings};
use crate::sim::linear::{FactorError, FaerCholesky, LowerTriangle};
use crate::sim::{Mat3, Real, StepError, StepInput, Vec3};

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

/// A system of 3×3 blocks over the free vertices, with its ordering and symbolic factor, which stay from step to step.
#[derive(Debug)]
pub struct BlockSystem {
    structure: Structure,
    matrix: BlockMatrix,
    factor: FaerCholesky,
    /// Right-hand side, then solution; three scalars per unknown.
    column: Vec<f64>,
}

impl BlockSystem {
    /// Makes `system` one that fits a step: the old one while pattern, pins and the set of active spring families stay.
    ///
    /// # Errors
    /// [`StepError::Factor`] when it does not fit into memory.
    pub fn prepare<'a>(system: &'a mut Option<Self>, input: &StepInput) -> Result<&'a mut Self, StepError> {
        let found = match system.take() {
            Some(same) if same.structure.fits(input) => same,
            _ => {
                let structure = Structure::of(input);
                let matrix = BlockMatrix::new(&structure);
                let factor = FaerCholesky::analyse_blocks(&matrix.lower, &structure.starts, &structure.rows)?;
                Self { structure, matrix, factor, column: Vec::new() }
            }
        };
        Ok(system.insert(found))
    }

    /// Sets the matrix to `diagonal(vertex)` for every free vertex and `-coupling(spring)` between the ends of every spring.
    pub fn assemble(&mut self, input: &StepInput, diagonal: impl Fn(usize) -> Mat3, coupling: impl Fn(usize) -> Mat3) {
        self.matrix.clear();
        for (unknown, &vertex) in input.partition.free.iter().enumerate() {
            self.matrix.add_diagonal(self.structure.diagonal(unknown), &diagonal(vertex as usize));
        }
        for e in 0..input.pattern.springs().len() {
            if let Some(slot) = self.structure.slot(e) {
                self.matrix.add_off_diagonal(slot, &-coupling(e));
            }
        }
    }

    /// Adds `factor` times the matrix of isometric bending.
    pub fn add_bending(&mut self, input: &StepInput, factor: Real) {
        if factor == 0.0 {
            return;
        }
        let block = |q: Real| Mat3::from_diagonal(Vec3::splat(factor * q));
        for (unknown, &vertex) in input.partition.free.iter().enumerate() {
            self.matrix.add_diagonal(self.structure.diagonal(unknown), &block(input.bending.diagonal(vertex as usize)));
        }
        for (at, (_, q)) in bending_couplings(input).enumerate() {
            if let Some(slot) = self.structure.bending_slot(at) {
                self.matrix.add_off_diagonal(slot, &block(q));
            }
        }
    }

    /// Work of a factorisation, as [`Effort`](crate::sim::Effort) counts it.
    #[must_use]
    pub fn work(&self) -> usize {
        self.factor.entries().pow(2) / (10 * self.matrix.lower.size().max(1))
    }

    /// Factors a matrix that has to be positive definite.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`].
    pub fn factor(&mut self) -> Result<(), FactorError> {
        self.factor.factor(&self.matrix.lower)
    }

    /// Factors any matrix; returns whether it is positive definite.
    ///
    /// # Errors
    /// [`FactorError::Singular`].
    pub fn factor_any(&mut self) -> Result<bool, FactorError> {
        self.factor.factor_any(&self.matrix.lower)
    }

    /// Solves with `rhs(vertex)` for the free vertices; `take(vertex, x)` gets the result.
    pub fn solve(&mut self, free: &[u32], rhs: impl Fn(usize) -> Vec3, mut take: impl FnMut(usize, Vec3)) {
        self.column.clear();
        for &vertex in free {
            self.column.extend(rhs(vertex as usize).to_array());
        }
        self.factor.solve(&mut self.column);
        for (x, &vertex) in self.column.chunks_exact(3).zip(free) {
            take(vertex as usize, Vec3::from_slice(x));
        }
    }
}
