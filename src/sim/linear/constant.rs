//! The constant scalar system of the methods that factor once: `(s M + Σ w a aᵀ + D) X = B`, one
//! matrix for all three coordinates.
//!
//! Every vertex is an unknown. A prescribed one is taken out of the factor by deleting its row and
//! column, and a contact adds a weight to the diagonal `D`; both are updates of the factor, not new
//! factorisations.

use super::couplings::{ConstrainedMatrix, Couplings, products, subtract_products};
use super::history::FactorHistory;
use super::{Graph, LowerTriangle, Rows, Shape, SupernodalCholesky, Symbolic, nested_dissection};
use crate::sim::exec::budget::{Cancelled, WorkBudget};
use crate::sim::exec::pool::{Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;
use crate::sim::math::fingerprint::fingerprint;
use crate::sim::{Real, Vec3};

/// Entries of a factor beyond which it is larger than the cache of most processors.
const LARGE: usize = 2_500_000;
/// Places that a thread takes at a time.
const PLACES: usize = 512;

/// A change of the constrained vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Change {
    /// The vertex at a place becomes prescribed.
    Delete(usize),
    /// The vertex at a place is free again, with a weight on the diagonal.
    Add(usize, Real),
    /// The weight on the diagonal at a place changes by so much.
    Weight(usize, Real),
}

impl Change {
    pub(super) fn place(&self) -> usize {
        match *self {
            Self::Delete(place) | Self::Add(place, _) | Self::Weight(place, _) => place,
        }
    }

    pub(super) fn is_loss(&self) -> bool {
        matches!(self, Self::Weight(_, gain) if *gain < 0.0)
    }
}

/// The matrix, its factor, and the constraints on its vertices.
#[derive(Debug, Clone)]
pub struct ConstantSystem {
    pub(super) factor: SupernodalCholesky,
    /// The matrix by places, nothing deleted, without `D`. Empty until it is assembled, as is the
    /// masked one.
    pub(super) matrix: LowerTriangle,
    pub(super) couplings: Option<Couplings>,
    /// Whether the vertex at a place is prescribed.
    pub(super) prescribed: Vec<bool>,
    /// `D` by places: weights added to the diagonal [N/m].
    pub(super) added: Vec<Real>,
    pub(super) changes: Vec<Change>,
    pub(super) wanted: Vec<(bool, Real)>,
    pub(super) masked: LowerTriangle,
    pub(super) places: Vec<usize>,
    /// A known solution and its image, for the residual; there is room for them from the start.
    probe: [Vec<F64x4>; 2],
    /// Whether there is a factor of the matrix at hand.
    pub(super) valid: bool,
    /// Changes since the factorisation or the last look at the residual, weighed by how much they
    /// harm.
    pub(super) drift: Real,
    /// How the factor came about.
    pub(super) history: FactorHistory,
    /// How the next factor is to come about.
    pub(super) resumed: Option<FactorHistory>,
    /// Fingerprint of the matrix.
    pub(super) fingerprint: u64,
    /// The system before the last tear, until the factor is computed.
    pub(super) last: Option<Box<Self>>,
}

impl ConstantSystem {
    /// A system for the couplings of `rows` between vertices that lie at `points` [m] at rest.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(rows: &Rows, points: &[Vec3], budget: &WorkBudget) -> Result<Self, Cancelled> {
        let graph = rows.graph(points.len());
        let order = nested_dissection(&graph, points, budget)?;
        budget.check()?;
        let symbolic = Symbolic::of(&graph, &order);
        budget.check()?;
        Ok(Self::with_symbolic(symbolic))
    }

    /// A system for the couplings of `graph` with the elimination order `order`.
    #[must_use]
    pub fn with_order(graph: &Graph, order: &[u32]) -> Self {
        Self::with_symbolic(Symbolic::of(graph, order))
    }

    /// A system for a torn cloth, whose vertices were those named by `origins` in the whole one
    /// with the factor's shape `whole`. Of the system before the tear, `last`, it takes what stayed
    /// the same when it first computes its factor.
    #[must_use]
    pub fn of_whole(whole: &Shape, origins: &[u32], last: Option<Self>) -> Self {
        let symbolic = Symbolic::lay_out(&whole.split(origins));
        let mut system = Self::with_symbolic(symbolic);
        system.last = last.filter(|last| last.valid).map(Box::new);
        system
    }

    fn with_symbolic(symbolic: Symbolic) -> Self {
        let n = symbolic.len();
        let factor = SupernodalCholesky::new(symbolic);
        Self {
            factor,
            masked: LowerTriangle::default(),
            matrix: LowerTriangle::default(),
            couplings: None,
            prescribed: vec![false; n],
            added: vec![0.0; n],
            changes: Vec::with_capacity(n),
            wanted: vec![(false, 0.0); n],
            places: Vec::new(),
            probe: [Vec::with_capacity(n), Vec::with_capacity(n)],
            valid: false,
            drift: 0.0,
            history: FactorHistory::with_room(n),
            resumed: None,
            fingerprint: 0,
            last: None,
        }
    }

    /// The shape of the factor, with the places of the vertices.
    #[must_use]
    pub fn symbolic(&self) -> &Symbolic {
        self.factor.symbolic()
    }

    /// The matrix by places, without constraints.
    #[must_use]
    pub fn matrix(&self) -> &LowerTriangle {
        &self.matrix
    }

    /// Sets the matrix to `inertia(vertex)` on the diagonal plus `w a aᵀ` for every row. The rows
    /// may couple no more than those that the system was made for, and always the same, in the same
    /// order. The factor is computed by the next [`constrain`](Self::constrain).
    pub fn assemble(&mut self, inertia: impl Fn(usize) -> Real, rows: &Rows) {
        let symbolic = self.factor.symbolic();
        let couplings = match self.couplings.take() {
            Some(couplings) => couplings,
            None => {
                let (couplings, matrix) = Couplings::of(rows, &symbolic.column_of);
                self.masked.clone_from(&matrix);
                self.matrix = matrix;
                couplings
            }
        };
        self.matrix.values.fill(0.0);
        for (place, &vertex) in symbolic.vertex_of.iter().enumerate() {
            self.matrix.values[self.matrix.starts[place]] = inertia(vertex as usize);
        }
        couplings.add(rows, &symbolic.column_of, &mut self.matrix);
        self.couplings = Some(couplings);
        let before = self.fingerprint;
        self.fingerprint = fingerprint(self.matrix.values.iter().map(|value| value.to_bits()));
        // the factor of the same matrix is what a resumed run has, too
        self.valid &= self.fingerprint == before;
    }

    /// Largest difference of an entry of the factor from that of `other`, which has the same shape,
    /// relative to the largest entry.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Real {
        self.factor.distance(&other.factor)
    }

    /// Relative residual of a solve with a known right-hand side.
    pub fn residual(&mut self, pool: &ThreadPool) -> Real {
        self.mask();
        let n = self.prescribed.len();
        let right = |i: usize| F64x4([1.0, (i % 7) as Real - 3.0, ((i * 31) % 17) as Real - 8.0, 0.0]);
        let [x, left] = &mut self.probe;
        x.clear();
        x.extend((0..n).map(right));
        self.factor.solve(x, pool);
        left.resize(n, F64x4::ZERO);
        self.masked.multiply(x, left);
        let largest = |v: F64x4| v.0.into_iter().fold(0.0, |a: Real, b| a.max(b.abs()));
        let (error, size) = left.iter().enumerate().fold((0.0_f64, 0.0_f64), |(error, size), (i, left)| {
            (error.max(largest(*left - right(i))), size.max(largest(right(i))))
        });
        if size > 0.0 { error / size } else { 0.0 }
    }

    /// Writes the matrix with its constraints to `masked`.
    pub(super) fn mask(&mut self) {
        let Self { matrix, masked, prescribed, added, .. } = self;
        for column in 0..prescribed.len() {
            let entries = matrix.starts[column]..matrix.starts[column + 1];
            for at in entries.clone() {
                let out = prescribed[column] || prescribed[matrix.rows[at]];
                masked.values[at] = if out { 0.0 } else { matrix.values[at] };
            }
            let diagonal = &mut masked.values[entries.start];
            *diagonal = if prescribed[column] { 1.0 } else { *diagonal + added[column] };
        }
    }

    /// The entry of the matrix on the diagonal, without added weights [N/m].
    #[must_use]
    pub fn diagonal(&self, place: usize) -> Real {
        self.matrix.values[self.matrix.starts[place]]
    }

    /// Moves what the prescribed vertices, by place with their value, pull at their neighbours to
    /// the right-hand side `b`, an entry per place.
    pub fn prescribe(&self, targets: impl Iterator<Item = (usize, F64x4)>, b: &mut [F64x4]) {
        let Some(couplings) = &self.couplings else { return };
        for (place, target) in targets {
            for (other, value) in couplings.of_place(&self.matrix, place) {
                if !self.prescribed[other] {
                    b[other] = b[other] - F64x4::splat(value) * target;
                }
            }
            b[place] = target;
        }
    }

    /// Whether solves near a solution are made in single precision.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.symbolic().entries() > LARGE
    }

    /// Solves in place near `q`, an estimate of the solution, for the right-hand sides of all
    /// places as [`solve`](Self::solve) takes them. Where the factor does not fit into a
    /// processor's cache the correction of `q` is found in single precision: its error is some 1e-4
    /// of the correction, so that iterations which end end at the same place.
    pub fn solve_near(&mut self, q: &[F64x4], b: &mut [F64x4], pool: &ThreadPool) {
        if self.is_large() { self.correct(q, b, pool) } else { self.solve(b, pool) }
    }

    /// [`solve_near`](Self::solve_near), in single precision for factors of any size.
    pub fn correct(&mut self, q: &[F64x4], b: &mut [F64x4], pool: &ThreadPool) {
        let Some(couplings) = &self.couplings else { return };
        // what prescribed vertices pull has been taken from the right-hand side
        let matrix = self.constrained_matrix(couplings);
        pool.change(Shared::new(b), PLACES, |range, b| subtract_products(&matrix, range, q, b));
        self.factor.solve_in_single(b, pool);
        pool.update(b, PLACES, |place, b| *b = *b + q[place]);
    }

    /// Solves in place for a way whose residual is known, in single precision where
    /// [`solve_near`](Self::solve_near) takes it: to some 1e-4 of itself.
    pub fn solve_way(&mut self, residual: &mut [F64x4], pool: &ThreadPool) {
        if self.is_large() { self.factor.solve_in_single(residual, pool) } else { self.solve(residual, pool) }
    }

    /// Writes the product of the matrix, with its constraints, with `x` to `out`: of the free
    /// vertices alone, and zero for prescribed ones.
    pub fn multiply(&self, x: &[F64x4], out: &mut [F64x4], pool: &ThreadPool) {
        let Some(couplings) = &self.couplings else { return };
        let matrix = self.constrained_matrix(couplings);
        pool.change(Shared::new(out), PLACES, |range, out| products(&matrix, range, x, out));
    }

    fn constrained_matrix<'a>(&'a self, couplings: &'a Couplings) -> ConstrainedMatrix<'a> {
        ConstrainedMatrix { couplings, matrix: &self.matrix, prescribed: &self.prescribed, added: &self.added }
    }

    /// Solves in place, for the right-hand sides of all places; those of prescribed vertices are
    /// their solution.
    pub fn solve(&mut self, x: &mut [F64x4], pool: &ThreadPool) {
        self.factor.solve(x, pool);
    }
}
