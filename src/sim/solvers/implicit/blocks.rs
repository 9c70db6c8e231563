//! A symmetric matrix of 3×3 blocks, one block row per free vertex, with its factor.
//!
//! The factor is one of `3n` scalars. Its order is found on the blocks, which is nine times cheaper
//! than on the scalars, and keeps the three rows of a vertex together.

use super::structure::{Structure, bending_couplings};
use crate::sim::exec::budget::{Cancelled, WorkBudget};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::linear::{FactorError, Graph, LowerTriangle, Shape, SupernodalCholesky, Symbolic, nested_dissection};
use crate::sim::math::csr::Csr;
use crate::sim::{Mat3, Real, StepError, StepInput, Vec3};

/// A scalar lower triangle by the columns of a factor, and where blocks go in it.
#[derive(Debug, Default)]
struct BlockMatrix {
    lower: LowerTriangle,
    /// For each block its entry `(r, c)` at `3 c + r`; of a block on the diagonal both triangles
    /// are the same.
    slots: Vec<[u32; 9]>,
}

/// The nine scalars of a block, as in [`BlockMatrix::slots`].
fn scalars() -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..3).flat_map(|c| (0..3).map(move |r| (r, c)))
}

impl BlockMatrix {
    /// A zero matrix of `blocks`, whose scalars are numbered by `column_of`.
    fn new(
        blocks: impl Iterator<Item = (usize, usize)> + Clone,
        column_of: &[u32],
        budget: &WorkBudget,
    ) -> Result<Self, Cancelled> {
        let place = |block: usize, scalar: usize| column_of[3 * block + scalar];
        let places = |column: usize, row: usize| {
            scalars().map(move |(r, c)| {
                let [a, b] = [place(row, r), place(column, c)];
                (a.min(b), a.max(b))
            })
        };
        let pairs = blocks.clone().flat_map(|(column, row)| places(column, row));
        let mut entries = Csr::from_pairs(column_of.len(), pairs);
        budget.check()?;
        entries.sort_and_dedup();
        let find = |(column, row): (u32, u32)| {
            let found =
                entries.row(column as usize).binary_search(&row).expect("every entry of a block has been collected");
            (entries.range(column as usize).start + found) as u32
        };
        let mut slots = Vec::with_capacity(blocks.clone().count());
        for (column, row) in blocks {
            budget.check()?;
            let mut block = [0; 9];
            block.iter_mut().zip(places(column, row)).for_each(|(slot, place)| *slot = find(place));
            slots.push(block);
        }
        let mut lower = LowerTriangle { starts: vec![0], ..LowerTriangle::default() };
        for column in 0..entries.rows() {
            lower.rows.extend(entries.row(column).iter().map(|&row| row as usize));
            lower.starts.push(lower.rows.len());
        }
        lower.values = vec![0.0; lower.rows.len()];
        Ok(Self { lower, slots })
    }

    /// Sets every value to zero.
    fn clear(&mut self) {
        self.lower.values.fill(0.0);
    }

    /// Adds to the block `entry`; one on the diagonal has to be symmetric.
    fn add(&mut self, entry: usize, block: &Mat3, is_diagonal: bool) {
        let values = block.to_cols_array();
        for ((&slot, value), (r, c)) in self.slots[entry].iter().zip(values).zip(scalars()) {
            if r >= c || !is_diagonal {
                self.lower.values[slot as usize] += value;
            }
        }
    }
}

/// A symmetric matrix of 3×3 blocks with its factor, whose order and shape stay.
#[derive(Debug)]
pub struct BlockFactor {
    matrix: BlockMatrix,
    factor: SupernodalCholesky,
    /// Right-hand side, then solution; one number per scalar.
    column: Vec<F64x4>,
}

/// A system of 3×3 blocks over the free vertices, with its ordering and symbolic factor, which stay
/// from step to step.
#[derive(Debug)]
pub struct BlockSystem {
    structure: Structure,
    /// The matrix.
    pub blocks: BlockFactor,
}

impl BlockFactor {
    /// A zero matrix of `blocks`, each a column and a row on or below the diagonal, between unknowns
    /// that lie at `points` [m] at rest.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(
        blocks: impl Iterator<Item = (usize, usize)> + Clone,
        points: &[Vec3],
        budget: &WorkBudget,
    ) -> Result<Self, Cancelled> {
        let n = points.len();
        let couplings = blocks.clone().filter(|(column, row)| column != row);
        let graph = Graph::of(n, couplings.map(|(column, row)| [column as u32, row as u32]));
        let order = nested_dissection(&graph, points, budget)?;
        budget.check()?;
        let shape = Shape::of(&graph, &order);
        budget.check()?;
        let block_of: Vec<u32> = (0..n as u32).flat_map(|block| [block; 3]).collect();
        let symbolic = Symbolic::lay_out(&shape.split(&block_of));
        budget.check()?;
        let matrix = BlockMatrix::new(blocks, &symbolic.column_of, budget)?;
        budget.check()?;
        let factor = SupernodalCholesky::new(symbolic);
        Ok(Self { matrix, factor, column: vec![F64x4::ZERO; 3 * n] })
    }

    /// Sets every block to zero.
    pub fn clear(&mut self) {
        self.matrix.clear();
    }

    /// Adds to the block `entry`, by its number in the list that the matrix was made of; one on the
    /// diagonal has to be symmetric.
    pub fn add(&mut self, entry: usize, block: &Mat3, is_diagonal: bool) {
        self.matrix.add(entry, block, is_diagonal);
    }

    /// Work of a factorisation, as [`WorkBudget`] counts it.
    #[must_use]
    pub fn work(&self) -> usize {
        self.factor.symbolic().entries().pow(2) / (10 * self.column.len().max(1))
    }

    /// Factors a matrix that has to be positive definite.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`], [`FactorError::Cancelled`].
    pub fn factor(&mut self, budget: &WorkBudget, pool: &ThreadPool) -> Result<(), FactorError> {
        self.factor.compute(&self.matrix.lower, budget, pool)
    }

    /// Factors any matrix; returns whether it is positive definite.
    ///
    /// # Errors
    /// [`FactorError::Singular`], [`FactorError::Cancelled`].
    pub fn factor_any(&mut self, budget: &WorkBudget, pool: &ThreadPool) -> Result<bool, FactorError> {
        self.factor.compute_any(&self.matrix.lower, budget, pool)
    }

    /// Solves with `rhs(vertex)` for the free vertices; `take(vertex, x)` gets the result.
    pub fn solve(
        &mut self,
        free: &[u32],
        rhs: impl Fn(usize) -> Vec3,
        mut take: impl FnMut(usize, Vec3),
        pool: &ThreadPool,
    ) {
        let Self { factor, column, .. } = self;
        for (unknown, &vertex) in free.iter().enumerate() {
            let places = &factor.symbolic().column_of[3 * unknown..3 * unknown + 3];
            for (&place, value) in places.iter().zip(rhs(vertex as usize).to_array()) {
                column[place as usize] = F64x4([value, 0.0, 0.0, 0.0]);
            }
        }
        factor.solve(column, pool);
        for (places, &vertex) in factor.symbolic().column_of.chunks_exact(3).zip(free) {
            take(vertex as usize, Vec3::from_array([0, 1, 2].map(|axis| column[places[axis] as usize].0[0])));
        }
    }
}

impl BlockSystem {
    /// Makes `system` one that fits a step: the old one while pattern, pins and the set of active
    /// spring families stay.
    ///
    /// # Errors
    /// [`StepError::Cancelled`].
    pub fn prepare<'a>(system: &'a mut Option<Self>, input: &StepInput) -> Result<&'a mut Self, StepError> {
        let found = match system.take() {
            Some(same) if same.structure.fits(input) => same,
            _ => Self::new(input)?,
        };
        Ok(system.insert(found))
    }

    fn new(input: &StepInput) -> Result<Self, StepError> {
        let structure = Structure::of(input);
        let rest = input.pattern.rest_positions();
        let points: Vec<Vec3> = input.partition.free.iter().map(|&vertex| rest[vertex as usize]).collect();
        let blocks = BlockFactor::new(structure.blocks(), &points, input.budget)?;
        Ok(Self { structure, blocks })
    }

    /// Sets the matrix to `diagonal(vertex)` for every free vertex and `-coupling(spring)` between
    /// the ends of every spring.
    pub fn assemble(&mut self, input: &StepInput, diagonal: impl Fn(usize) -> Mat3, coupling: impl Fn(usize) -> Mat3) {
        self.blocks.clear();
        for (unknown, &vertex) in input.partition.free.iter().enumerate() {
            self.blocks.add(self.structure.diagonal(unknown), &diagonal(vertex as usize), true);
        }
        for e in 0..input.pattern.springs().len() {
            if let Some(slot) = self.structure.slot(e) {
                self.blocks.add(slot, &-coupling(e), false);
            }
        }
    }

    /// Adds to the block of an unknown with itself, which has to stay symmetric.
    pub(super) fn add_to_diagonal(&mut self, unknown: usize, block: &Mat3) {
        self.blocks.add(self.structure.diagonal(unknown), block, true);
    }

    /// Adds to the block between the ends of a spring, of the row of the later unknown and the column
    /// of the earlier one, if both are unknowns.
    pub(super) fn add_to_spring(&mut self, spring: usize, block: impl FnOnce() -> Mat3) {
        if let Some(slot) = self.structure.slot(spring) {
            self.blocks.add(slot, &block(), false);
        }
    }

    /// Adds `factor` times the matrix of isometric bending.
    pub fn add_bending(&mut self, input: &StepInput, factor: Real) {
        if factor == 0.0 {
            return;
        }
        let block = |q: Real| Mat3::from_diagonal(Vec3::splat(factor * q));
        for (unknown, &vertex) in input.partition.free.iter().enumerate() {
            self.blocks.add(self.structure.diagonal(unknown), &block(input.bending.diagonal(vertex as usize)), true);
        }
        for (at, (_, q)) in bending_couplings(input).enumerate() {
            if let Some(slot) = self.structure.bending_slot(at) {
                self.blocks.add(slot, &block(q), false);
            }
        }
    }
}
