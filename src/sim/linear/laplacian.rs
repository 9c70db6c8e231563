//! The constant scalar system of the methods that factor once: `(s M + Σ_e w_e g_e g_eᵀ) X = B` over the free vertices, one
//! matrix for all three coordinates.

use super::{Cholesky, LowerTriangle, Structure};
use crate::sim::pins::Partition;
use crate::sim::{Cloth, Real, StepError, StepInput, Vec3};

/// What the values of the matrix are made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights<'a> {
    /// Factor `s` of the masses.
    pub inertia: Real,
    /// Weight `w` of a spring, by family.
    pub springs: [Real; 3],
    /// Weight on the diagonal of single vertices.
    pub vertices: &'a [(u32, Real)],
}

/// The matrix with its factor, and what it was made from.
#[derive(Debug)]
pub struct LaplacianSystem {
    structure: Structure,
    matrix: LowerTriangle,
    factor: Cholesky,
    inertia: Real,
    springs: [Real; 3],
    vertices: Vec<(u32, Real)>,
    masses: Vec<Real>,
    /// Right-hand sides, then the solution: all x, all y, all z.
    columns: Vec<Real>,
}

impl LaplacianSystem {
    /// Makes `system` the one for a step with `weights`, and returns it with the number of factorisations that took: none
    /// when no input of the matrix has changed.
    ///
    /// # Errors
    /// [`StepError::Factor`] when the matrix has no factor.
    pub fn prepare<'a>(
        system: &'a mut Option<Self>,
        cloth: &Cloth,
        input: &StepInput,
        weights: &Weights,
    ) -> Result<(&'a mut Self, u32), StepError> {
        let mut found = match system.take() {
            Some(same) if same.structure.fits(input) => same,
            _ => Self::new(Structure::of(input))?,
        };
        let same = found.inertia == weights.inertia
            && found.springs == weights.springs
            && found.vertices == weights.vertices
            && found.masses == cloth.masses;
        if !same {
            found.factor(cloth, input, weights)?;
        }
        Ok((system.insert(found), u32::from(!same)))
    }

    fn new(structure: Structure) -> Result<Self, StepError> {
        let matrix = structure.scalar_matrix();
        let factor = Cholesky::analyse(&matrix)?;
        let (vertices, masses, columns) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { structure, matrix, factor, inertia: 0.0, springs: [0.0; 3], vertices, masses, columns })
    }

    fn factor(&mut self, cloth: &Cloth, input: &StepInput, weights: &Weights) -> Result<(), StepError> {
        self.inertia = weights.inertia;
        self.springs = weights.springs;
        self.vertices.clear();
        self.vertices.extend_from_slice(weights.vertices);
        self.masses.clone_from(&cloth.masses);
        let values = &mut self.matrix.values;
        values.fill(0.0);
        let partition = input.partition;
        for (unknown, &vertex) in partition.free.iter().enumerate() {
            values[self.structure.diagonal(unknown)] = weights.inertia * cloth.masses[vertex as usize];
        }
        let springs = input.pattern.springs();
        for (e, ends) in springs.ends.iter().enumerate() {
            let weight = weights.springs[springs.families[e] as usize];
            for end in ends {
                let unknown = partition.unknown_of[*end as usize];
                if unknown != Partition::PRESCRIBED {
                    values[self.structure.diagonal(unknown as usize)] += weight;
                }
            }
            if let Some(slot) = self.structure.slot(e) {
                values[slot] -= weight;
            }
        }
        for &(vertex, weight) in weights.vertices {
            values[self.structure.diagonal(partition.unknown_of[vertex as usize] as usize)] += weight;
        }
        Ok(self.factor.factor(&self.matrix)?)
    }

    /// Solves for the free vertices: `rhs(unknown, vertex)` is the right-hand side, and `take(vertex, x)` gets the result.
    pub fn solve(
        &mut self,
        free: &[u32],
        mut rhs: impl FnMut(usize, usize) -> Vec3,
        mut take: impl FnMut(usize, Vec3),
    ) {
        let n = free.len();
        let columns = &mut self.columns;
        columns.resize(3 * n, 0.0);
        for (unknown, &vertex) in free.iter().enumerate() {
            let b = rhs(unknown, vertex as usize);
            columns[unknown] = b.x;
            columns[n + unknown] = b.y;
            columns[2 * n + unknown] = b.z;
        }
        self.factor.solve(columns);
        for (unknown, &vertex) in free.iter().enumerate() {
            take(vertex as usize, Vec3::new(columns[unknown], columns[n + unknown], columns[2 * n + unknown]));
        }
    }
}
